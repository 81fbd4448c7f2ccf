//! Plans tables of buffers, and describes the plans.

use std::time::Instant;

use mem_check::check_plan;
use mem_model::{Bytes, Interval, Plan};
use mem_planner::{PlanError, PlanOptions, Strategy, Watch, plan_watched};
use serde::Serialize;

use crate::csv_table::Table;
use crate::report::Failure;

/// How to plan a table.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// Strategy for choosing addresses.
    pub strategy: Strategy,
    /// Capacity in bytes; any plan that fits is good enough.
    pub capacity: Option<Bytes>,
    /// Addresses that no buffer may use.
    pub reserved: Vec<Interval<Bytes>>,
    /// Whether the offsets in the table do not count.
    pub replan: bool,
    /// Limits of the search.
    pub options: PlanOptions,
}

/// A plan of a table, and the time that it took.
#[derive(Clone, Debug)]
pub struct PlannedTable {
    /// The plan; it has passed its check.
    pub plan: Plan,
    /// Seconds that the planner took.
    pub seconds: f64,
}

/// Version of the JSON document; its schema is `crates/mem-view/schema/table.json`.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    strategy: &'a str,
    peak: u64,
    lower_bound: u64,
    /// Proven lower bound on the peak.
    proven_bound: u64,
    proven_optimal: bool,
    capacity: Option<u64>,
    seconds: f64,
    buffers: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    size: u64,
    alignment: u64,
    offset: u64,
}

/// Plans a table and checks the plan. A plan that exceeds the capacity is returned together with
/// the failure to report.
///
/// # Errors
/// If the table is not valid, or in case of an internal error.
pub fn plan_table(
    table: &Table,
    settings: &TableSettings,
    watch: Watch<'_>,
) -> Result<(PlannedTable, Option<Failure>), Failure> {
    let mut problem = table.problem.clone();
    problem.capacity = settings.capacity;
    problem.reserved.clone_from(&settings.reserved);
    if settings.replan {
        let items = problem.items.iter_mut();
        items.for_each(|item| item.fixed = None);
    }
    let mut options = settings.options.clone();
    options.enough = settings.capacity;
    let started = Instant::now();
    let planned = plan_watched(&problem, settings.strategy, &options, watch);
    let seconds = started.elapsed().as_secs_f64();
    let (plan, failure) = match planned {
        Ok(plan) => (plan, None),
        Err(PlanError::NoFit(no_fit)) => {
            let failure = Failure::no_fit_in_table(table, &no_fit);
            (no_fit.plan, Some(failure))
        }
        Err(error) => return Err(Failure::in_table(table, error)),
    };
    problem.capacity = None;
    let internal = |error| Failure::Internal("table".to_owned(), error);
    check_plan(&problem, &plan).map_err(internal)?;
    Ok((PlannedTable { plan, seconds }, failure))
}

/// Returns a plan as JSON.
#[must_use]
pub fn table_json(table: &Table, capacity: Option<Bytes>, planned: &PlannedTable) -> String {
    let Plan {
        strategy,
        placements,
        peak,
        lower_bound,
        proven_bound,
    } = &planned.plan;
    let rows = table.problem.items.iter().zip(placements);
    let document = Document {
        version: VERSION,
        tool: "mem-plan",
        strategy,
        peak: peak.get(),
        lower_bound: lower_bound.get(),
        proven_bound: proven_bound.get(),
        proven_optimal: planned.plan.is_optimal(),
        capacity: capacity.map(Bytes::get),
        seconds: planned.seconds,
        buffers: rows
            .map(|(item, placement)| Row {
                id: table.name(item.buffer),
                size: item.size.get(),
                alignment: item.alignment.get(),
                offset: placement.offset.get(),
            })
            .collect(),
    };
    // Serialization only fails for maps whose keys are not strings; the document has none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Returns a one-line summary of a plan.
#[must_use]
pub fn table_summary(planned: &PlannedTable) -> String {
    let plan = &planned.plan;
    let verdict = match planned.plan.is_optimal() {
        true => "no plan has a lower peak".to_owned(),
        false => format!(
            "no plan is known to need less; none can need less than {}",
            plan.proven_bound
        ),
    };
    format!(
        "peak {}, lower bound {}, {} in {:.2} s: {verdict}",
        plan.peak, plan.lower_bound, plan.strategy, planned.seconds
    )
}

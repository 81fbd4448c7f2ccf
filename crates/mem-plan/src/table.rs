//! Plans tables of buffers: a single file, or a directory of them with every strategy.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use mem_check::check_plan;
use mem_model::{Bytes, Interval, Plan};
use mem_planner::{PlanError, PlanOptions, Progress, Strategy, Watch, plan_watched};
use serde::Serialize;

use crate::output;
use crate::progress::{STOP, Show};
use mem_plan::{Failure, Table};

/// Settings for planning a table.
#[derive(Clone)]
pub(crate) struct Request {
    pub strategy: Strategy,
    /// Capacity in bytes; any plan that fits is good enough.
    pub capacity: Option<Bytes>,
    /// Addresses that no buffer may use.
    pub reserved: Vec<Interval<Bytes>>,
    /// Whether the offsets in the table do not count.
    pub replan: bool,
    pub options: PlanOptions,
}

/// A plan, and the time that it took.
pub(crate) struct Planned {
    pub plan: Plan,
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

/// Reads a table.
pub(crate) fn read(path: &Path) -> Result<Table, Failure> {
    let file = path.display().to_string();
    let text = output::read(path)?;
    Table::parse(&file, &text)
}

/// Plans a table and checks the plan. A plan that exceeds the capacity is returned together with
/// the failure to report.
pub(crate) fn plan(
    table: &Table,
    request: &Request,
) -> Result<(Planned, Option<Failure>), Failure> {
    let mut problem = table.problem.clone();
    problem.capacity = request.capacity;
    problem.reserved.clone_from(&request.reserved);
    if request.replan {
        let items = problem.items.iter_mut();
        items.for_each(|item| item.fixed = None);
    }
    let mut options = request.options.clone();
    options.enough = request.capacity;
    let show = Show::new();
    let progress = |progress: Progress| show.progress(progress);
    let watch = Watch {
        stop: Some(&STOP),
        progress: Some(&progress),
    };
    let started = Instant::now();
    let planned = plan_watched(&problem, request.strategy, &options, watch);
    let seconds = started.elapsed().as_secs_f64();
    show.end();
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
    Ok((Planned { plan, seconds }, failure))
}

/// Returns a plan as JSON.
pub(crate) fn json(table: &Table, request: &Request, planned: &Planned) -> String {
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
        capacity: request.capacity.map(Bytes::get),
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

/// Returns a one-line summary of a plan, for standard error.
pub(crate) fn summary(planned: &Planned) -> String {
    let plan = &planned.plan;
    let verdict = match planned.plan.is_optimal() {
        true => "no plan has a lower peak".to_owned(),
        false => format!(
            "no plan is known to need less; none can need less than {}",
            plan.proven_bound
        ),
    };
    let interrupted = match STOP.load(Ordering::Relaxed) {
        true => "interrupted; ",
        false => "",
    };
    format!(
        "{interrupted}peak {}, lower bound {}, {} in {:.2} s: {verdict}",
        plan.peak, plan.lower_bound, plan.strategy, planned.seconds
    )
}

/// Plans every table below `folder` with every strategy. Returns a table of the ratios to the lower
/// bound and of the times in seconds.
pub(crate) fn benchmark(folder: &Path, request: &Request) -> Result<String, Failure> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = format!("{:<28} {:>7} {:>14}", "instance", "buffers", "lower bound");
    for strategy in Strategy::ALL {
        text += &format!(" {:>18}", strategy.name());
    }
    text.push('\n');
    for file in files {
        let table = read(&file)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = mem_view::printable(&name);
        let mut line = format!("{name:<28} {:>7}", table.problem.items.len());
        for (index, strategy) in Strategy::ALL.into_iter().enumerate() {
            let mut request = request.clone();
            request.strategy = strategy;
            let (planned, _) = plan(&table, &request)?;
            let plan = &planned.plan;
            if index == 0 {
                line += &format!(" {:>14}", plan.lower_bound.get());
            }
            let ratio = plan.peak.get() as f64 / plan.lower_bound.get().max(1) as f64;
            let mark = if planned.plan.is_optimal() { "*" } else { " " };
            line += &format!(" {ratio:>8.4}{mark} {:>6.2} s", planned.seconds);
        }
        text += &line;
        text.push('\n');
    }
    text += "ratios of the peak to the lower bound; *: proven that no plan has a lower peak\n";
    Ok(text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error| Failure::Read(folder.display().to_string(), error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "csv") {
            files.push(path);
        }
    }
    Ok(())
}

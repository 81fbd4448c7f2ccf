//! Planning tables of buffers: one file, or a folder of them with every strategy.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mem_check::check_plan;
use mem_model::{Bytes, Plan};
use mem_planner::{PlanError, PlanOptions, Solution, Strategy, solve};
use serde::Serialize;

use crate::csv_table::Table;
use crate::report::Failure;

/// What one table is planned with.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    pub strategy: Strategy,
    /// It is enough to fit in this many bytes.
    pub capacity: Option<Bytes>,
    pub time_limit: Duration,
}

/// A plan, and how long it took.
pub(crate) struct Planned {
    pub solution: Solution,
    pub seconds: f64,
}

#[derive(Serialize)]
struct Document<'a> {
    strategy: &'a str,
    peak: u64,
    lower_bound: u64,
    /// No plan has a lower peak than this.
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
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Read(file.clone(), error))?;
    Table::parse(&file, &text)
}

/// Plans a table and checks the plan.
pub(crate) fn plan(table: &Table, request: Request) -> Result<Planned, Failure> {
    let mut options = PlanOptions::default()
        .with_effort(u64::MAX)
        .with_time_limit(request.time_limit);
    options.enough = request.capacity;
    let started = Instant::now();
    let solution = solve(&table.problem, request.strategy, &options);
    let seconds = started.elapsed().as_secs_f64();
    let solution = solution.map_err(|error| Failure::Plan("table".to_owned(), error))?;
    let internal = |error| Failure::Internal("table".to_owned(), error);
    check_plan(&table.problem, &solution.plan).map_err(internal)?;
    if let Some(capacity) = request
        .capacity
        .filter(|&capacity| solution.plan.peak > capacity)
    {
        let is_proven = solution.bound > capacity;
        let mut problem = table.problem.clone();
        problem.capacity = Some(capacity);
        let options = PlanOptions::default().with_effort(0);
        return match solve(&problem, Strategy::Auto, &options) {
            Err(PlanError::NoFit(no_fit)) => {
                Err(Failure::no_fit_in_table(table, &no_fit, is_proven))
            }
            other => {
                let solution = other.map_err(|e| Failure::Plan("table".to_owned(), e))?;
                Ok(Planned { solution, seconds })
            }
        };
    }
    Ok(Planned { solution, seconds })
}

/// A plan as JSON.
pub(crate) fn json(table: &Table, request: Request, planned: &Planned) -> String {
    let Plan {
        strategy,
        placements,
        peak,
        lower_bound,
    } = &planned.solution.plan;
    let rows = table.problem.items.iter().zip(placements);
    let document = Document {
        strategy,
        peak: peak.get(),
        lower_bound: lower_bound.get(),
        proven_bound: planned.solution.bound.get(),
        proven_optimal: planned.solution.is_optimal(),
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
    // Serialization fails only for maps with keys that are no strings; there are none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// What to say of a plan besides the table itself.
pub(crate) fn summary(planned: &Planned) -> String {
    let Solution { plan, bound } = &planned.solution;
    let verdict = match planned.solution.is_optimal() {
        true => "no plan has a lower peak".to_owned(),
        false => format!("no plan is known to need less; none can need less than {bound}"),
    };
    format!(
        "peak {}, lower bound {}, {} in {:.2} s: {verdict}",
        plan.peak, plan.lower_bound, plan.strategy, planned.seconds
    )
}

/// Plans every table below `folder` with every strategy: a table of ratios to the lower bound, and of
/// seconds.
pub(crate) fn benchmark(folder: &Path, request: Request) -> Result<String, Failure> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = format!("{:<28} {:>7} {:>14}", "instance", "buffers", "lower bound");
    for strategy in Strategy::ALL {
        text += &format!(" {:>22}", strategy.name());
    }
    text.push('\n');
    for file in files {
        let table = read(&file)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let mut line = format!("{name:<28} {:>7}", table.problem.items.len());
        for (index, strategy) in Strategy::ALL.into_iter().enumerate() {
            let planned = plan(
                &table,
                Request {
                    strategy,
                    ..request
                },
            )?;
            let Solution { plan, .. } = &planned.solution;
            if index == 0 {
                line += &format!(" {:>14}", plan.lower_bound.get());
            }
            let ratio = plan.peak.get() as f64 / plan.lower_bound.get().max(1) as f64;
            let mark = if planned.solution.is_optimal() {
                "*"
            } else {
                " "
            };
            line += &format!(" {ratio:>10.4}{mark} {:>8.2} s", planned.seconds);
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

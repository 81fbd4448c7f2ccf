//! Plans tables of buffers: a single file, or a directory of them with every strategy.

use std::path::{Path, PathBuf};

use mem_plan::{Failure, PlannedTable, Table, TableSettings, plan_table};
use mem_planner::{Strategy, Watch};

use crate::output;
use crate::progress::shown;

/// Reads a table.
pub(crate) fn read(path: &Path) -> Result<Table, Failure> {
    let file = path.display().to_string();
    let text = output::read(path)?;
    Table::parse(&file, &text)
}

/// Plans a table while its progress is shown. A plan that exceeds the capacity is returned together
/// with the failure to report.
pub(crate) fn plan(
    table: &Table,
    settings: &TableSettings,
) -> Result<(PlannedTable, Option<Failure>), Failure> {
    shown(|| plan_table(table, settings, Watch::default()))
}

/// Plans every table below `folder` with every strategy. Returns a table of the ratios to the lower
/// bound and of the times in seconds.
pub(crate) fn benchmark(folder: &Path, request: &TableSettings) -> Result<String, Failure> {
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

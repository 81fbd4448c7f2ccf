//! The subcommand `diff`: compares the plans in two files.

use std::path::{Path, PathBuf};

use mem_model::{FunctionLevels, parse_level_problems};
use mem_plan::{Failure, PeakLimit, PlanFile, compare_plans, diff_json, diff_text, read_plan};

use crate::output;

/// Buffers that a report lists of each kind of change.
const MOST: usize = 20;

/// Compares two plans: peaks, and buffers that appeared, disappeared, grew, shrank, moved, or live
/// longer.
///
/// A plan is the JSON of `mem-print-plan{format=json}`, of `report=FILE.json` or of `mem-plan
/// --json`, a planned table (.csv with offsets), or, with --problem, plans over several levels.
/// Buffers are compared by name.
///
/// Exit status: 0 if the plans have been compared, different or not; 1 if a peak grew by more than
/// --fail-if-peak-grows; 2 for bad input or usage.
///
/// Example: mem-plan diff main.json branch.json --fail-if-peak-grows 1%
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct DiffArguments {
    /// The plan before; '-' is standard input.
    before: PathBuf,
    /// The plan after.
    after: PathBuf,
    /// Exit with status 1 if the peak of a level, or of a function in a level, is higher than
    /// before by more than this: a percentage or a size, as in 1% or 64KiB. By default, peaks may
    /// grow. Example: --fail-if-peak-grows 1%
    #[arg(long, value_name = "LIMIT")]
    fail_if_peak_grows: Option<PeakLimit>,
    /// The problems of two plans over several levels, which the plans are checked against. None by
    /// default. Example: --problem model.levels
    #[arg(long, value_name = "FILE")]
    problem: Option<PathBuf>,
    /// List all buffers that differ instead of the 20 largest of each kind. Example: --all
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Print JSON instead of text. Example: --json
    #[arg(long)]
    json: bool,
    /// Write to this file; standard output by default. Example: --output changes.txt
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// Compares, and prints the comparison. Fails if a peak exceeds the limit, after printing.
pub(crate) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let problems = match &arguments.problem {
        Some(path) => Some(read_problems(path)?),
        None => None,
    };
    let read = |path: &Path| -> Result<PlanFile, Failure> {
        let text = output::read(path)?;
        read_plan(&path.display().to_string(), &text, problems.as_deref())
    };
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let diff = compare_plans(&before, &after);
    let limit = arguments.fail_if_peak_grows;
    let shown = match arguments.json {
        true => {
            let names = [&arguments.before, &arguments.after];
            let [before, after] = names.map(|path| path.display().to_string());
            diff_json(&diff, [&before, &after], limit)
        }
        false => diff_text(&diff, if arguments.all { usize::MAX } else { MOST }),
    };
    output::write(arguments.output.as_deref(), &shown)?;
    match limit {
        Some(limit) => Failure::grown(&diff, limit).map_or(Ok(()), Err),
        None => Ok(()),
    }
}

fn read_problems(path: &Path) -> Result<Vec<FunctionLevels>, Failure> {
    let text = output::read(path)?;
    let problems = parse_level_problems(&text);
    problems.map_err(|error| Failure::Text(path.display().to_string(), error))
}

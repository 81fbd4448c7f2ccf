//! `mem-record-accesses`: writes a table of tensor accesses over time, according to the cost model
//! or, with a budget, in passive mode.

use std::io::Write as _;
use std::path::Path;

use mem_flow::LevelExtract;
use mem_model::{AccessTable, fastest_cycles};

use crate::extract::Extraction;
use crate::hierarchies::chosen_hierarchy;
use crate::mem_assign_levels::device_problems;
use crate::mlir::{Diagnostic, Op};
use crate::registry::generated::MemRecordAccessesOptions as Options;
use crate::registry::{Failed, PassResult, PassRun};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let error = |text: String| Failed::at(module, &format!("mem-record-accesses: {text}"));
    let attribute = chosen_hierarchy(module, &options.hierarchy)?;
    let hierarchy = crate::mlir::hierarchy(attribute);
    let budget = match options.budget {
        -1 => None,
        budget => Some(crate::mem_offload::device_budget(&hierarchy, budget).map_err(error)?),
    };
    let problems = device_problems(module, attribute, options.noalias_arguments)?;
    let (extraction, extract) = chosen(&problems, &options.function).map_err(error)?;
    let (problem, name) = (&extract.problem, &extraction.program.name);
    let cycles = fastest_cycles(problem);
    let table = match budget {
        None => AccessTable::modelled(problem, name, &cycles),
        Some(budget) => {
            AccessTable::passive(problem, name, &cycles, budget).or_else(|(step, why)| {
                let text = format!("mem-record-accesses: {why}");
                Diagnostic::error(extraction.step_ops[step].location(), text).fail()
            })?
        }
    };
    let text = table.text();
    let written = match options.output.as_str() {
        "-" => std::io::stdout().write_all(text.as_bytes()),
        path => mem_view::replace_file(Path::new(path), &text),
    };
    written.map_err(|why| error(format!("cannot write {}: {why}", options.output)))
}

/// The function with the given name; without a name, the only function or `main`.
pub(crate) fn chosen<'a>(
    problems: &'a [(Extraction, LevelExtract)],
    name: &str,
) -> Result<&'a (Extraction, LevelExtract), String> {
    let wanted = match (name, problems) {
        ("", [only]) => return Ok(only),
        ("", _) => "main",
        (name, _) => name,
    };
    let mut own = problems.iter();
    let found = own.find(|(extraction, _)| extraction.program.name == wanted);
    found.ok_or_else(|| format!("there is no function @{wanted}"))
}

/// The operation of each step of a function, in the numbering of access tables.
pub(crate) fn steps(module: Op, hierarchy: &str, function: &str) -> Option<Vec<Op>> {
    let attribute = chosen_hierarchy(module, hierarchy).ok()?;
    let problems = device_problems(module, attribute, true).ok()?;
    let (extraction, _) = chosen(&problems, function).ok()?;
    Some(extraction.step_ops.clone())
}

//! `mem-record-accesses`: writes a table of tensor accesses over time, according to the cost model
//! or, with a budget, in passive mode.

use std::fmt::Display;

use mem_cost::{ideal_times, modelled_table, passive_table};

use crate::extract::levels::{chosen, device_budget, device_problems};
use crate::framework::options::MemRecordAccessesOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, write_output};
use crate::ir::Diagnostic;
use crate::ir::hierarchies::chosen_hierarchy;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let error = |option: &str, why: &dyn Display| {
        Failed::at_option(module, option, &format!("mem-record-accesses: {why}"))
    };
    let attribute = chosen_hierarchy(module, &options.hierarchy)?;
    let hierarchy = crate::ir::hierarchy(attribute);
    let budget = match options.budget {
        -1 => None,
        budget => {
            let budget = device_budget(&hierarchy, budget);
            Some(budget.map_err(|why| error("budget", &why))?)
        }
    };
    let problems = device_problems(module, attribute, options.noalias_arguments)?;
    let chosen = chosen(&problems, &options.function);
    let (extraction, extract) = chosen.map_err(|why| error("function", &why))?;
    let (problem, name) = (&extract.problem, &extraction.program.name);
    // Waiting for messages is a part of the time that a step takes.
    let times = ideal_times(problem);
    let cycles: Vec<u64> = times.windows(2).map(|own| own[1] - own[0]).collect();
    let table = match budget {
        None => modelled_table(problem, name, &cycles),
        Some(budget) => passive_table(problem, name, &cycles, budget).or_else(|(step, why)| {
            let text = format!("mem-record-accesses: {why}");
            Diagnostic::error(extraction.step_ops[step].location(), text).fail()
        })?,
    };
    write_output(
        module,
        "mem-record-accesses",
        &options.output,
        &table.text(),
    )
}

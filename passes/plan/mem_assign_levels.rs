//! `mem-assign-levels`: assigns every tensor to memory levels, and inserts the copies that this
//! takes.

use mem_cost::{simulate, slowest_traffic};
use mem_model::FunctionLevels;

use super::levels::{PlannedLevels, Request, Settings, dump, plan_module, report, write_back};
use super::written::write_compared;
use crate::extract::Locations;
use crate::framework::options::MemAssignLevelsOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::Op;
use crate::ir::compare::Claims;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let settings = settings(module, options)?;
    let functions = plan_module(module, &settings)?;
    if !options.dump.is_empty() {
        dump(module, &functions, &options.dump)?;
    }
    set_statistics(run, &functions);
    report::write(module, &functions, &options.report)?;
    report::explain_plans(&functions, options.explain);
    let noalias_arguments = options.noalias_arguments;
    write_compared(run, Claims::new(noalias_arguments), || {
        write_back(module, &functions, &settings.output, noalias_arguments)
    })
}

/// The validated options.
fn settings(module: Op, options: &Options) -> Result<Settings, Failed> {
    let request = Request {
        pass: "mem-assign-levels",
        hierarchy: &options.hierarchy,
        strategy: &options.strategy,
        model: &options.model,
        segment: options.segment,
        capacity: options.capacity,
        alignment: options.alignment,
        spaces: &options.spaces,
        noalias_arguments: options.noalias_arguments,
        locations: Locations::for_report(&options.report),
    };
    Settings::new(module, &request)
}

/// Writes the problems that were planned. Of the two variants of a function (data that loops only
/// read is loaded in each iteration, or once), this is the one with the cheaper plan.
fn dump(module: Op, functions: &[PlannedLevels], file: &str) -> PassResult {
    let problem = |planned: &PlannedLevels| FunctionLevels {
        function: planned.function.name.clone(),
        problem: planned.extract.problem.clone(),
        offload: None,
    };
    let problems: Vec<FunctionLevels> = functions.iter().map(problem).collect();
    dump::dump(module, &problems, file)
}

fn set_statistics(run: &PassRun, functions: &[PlannedLevels]) {
    let add = |count: &dyn Fn(&PlannedLevels) -> u64| {
        let counts = functions.iter().map(count);
        counts.fold(0_u64, u64::saturating_add)
    };
    run.set_statistic(
        Options::NUM_PLACEMENTS,
        add(&|f| f.plan.placements.len() as u64),
    );
    run.set_statistic(
        Options::NUM_TRANSFERS,
        add(&|f| f.plan.transfers.len() as u64),
    );
    run.set_statistic(
        Options::NUM_BYTES,
        add(&|f| f.plan.moved(&f.extract.problem).get()),
    );
    run.set_statistic(
        Options::TRAFFIC,
        add(&|f| slowest_traffic(&f.extract.problem, &f.plan).get()),
    );
    run.set_statistic(Options::COST, add(&|f| f.plan.cost));
    run.set_statistic(
        Options::MAKESPAN,
        add(&|f| simulate(&f.extract.problem, &f.plan).makespan),
    );
    run.set_statistic(Options::LOWER_BOUND, add(&|f| f.lower_bound));
}

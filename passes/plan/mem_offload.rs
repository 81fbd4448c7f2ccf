//! `mem-offload`: fits programs into a device that has less memory than they need.
//!
//! The planner decides which tensors to recompute and which to copy to the host, and returns the
//! repetitions, the residence of all tensors, the transfers and the addresses together. They are
//! written at once, and the result is compared with the original.

mod budget;

use std::fmt::Display;

use mem_cost::{Decision, decisions, simulate, table_durations};
use mem_flow::LevelExtract;
use mem_model::{AccessTable, Bytes, FunctionLevels, LevelId, OffloadInput, UnknownName};
use mem_planner::{LevelPlanError, Offload, Repeatable, Replays, plan_offload, widths};

use super::levels::dump::dump;
use super::levels::repeating::{Chosen, choose};
use super::levels::{Output, PlannedLevels, Request, budgeted, report, write_back};
use super::written::write_compared;
use crate::extract::levels::{
    Device, ExtractedLevels, LevelSettings, Pins, Timing, of_functions, repeatable,
};
use crate::extract::{Locations, remark_unplannable};
use crate::framework::options::MemOffloadOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::compare::Claims;
use crate::ir::{Attribute, Diagnostic, Op, option_location};

/// A function, and the problem of placing its tensors.
type Candidate = (ExtractedLevels, LevelExtract);

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let (mut settings, table) = settings(module, options)?;
    let (functions, decided) = offload(module, &mut settings, table.as_ref(), options)?;
    report::write(module, &functions, &options.report)?;
    report::explain_plans(&functions, options.explain);
    set_statistics(run, &functions);
    let has_copies = functions.iter().any(|f| !f.plan.transfers.is_empty());
    if options.budget != -1 && decided.n_repeated == 0 && !has_copies {
        // A user who asks for a budget wants to know that it had no effect.
        let text = format!(
            "mem-offload: everything fits in {} bytes: nothing is copied or recomputed",
            options.budget
        );
        Diagnostic::remark(option_location(module, "budget", None), text).emit();
    }
    run.set_statistic(Options::IDEAL, decided.ideal);
    run.set_statistic(Options::LEAST, decided.least);
    run.set_statistic(Options::NUM_RECOMPUTED, decided.n_repeated);
    let noalias_arguments = settings.extract.noalias_arguments;
    write_compared(run, Claims::new(noalias_arguments), || {
        write_back(module, &functions, &settings.output, noalias_arguments)
    })
}

fn failed(module: Op, why: impl Display) -> Failed {
    Failed::at(module, &format!("mem-offload: {why}"))
}

/// The validated options.
struct Settings {
    output: Output,
    /// What the problems are extracted for.
    extract: LevelSettings,
    device: Device,
}

/// The validated options, and the access table if there is one.
fn settings(module: Op, options: &Options) -> Result<(Settings, Option<AccessTable>), Failed> {
    let request = Request {
        pass: "mem-offload",
        hierarchy: &options.hierarchy,
        strategy: "auto",
        model: "serial",
        segment: 1,
        capacity: -1,
        alignment: 0,
        spaces: &options.spaces,
        noalias_arguments: options.noalias_arguments,
        locations: Locations::for_report(&options.report),
    };
    let (extract, output) = budgeted(module, &request, options.budget)?;
    let policy = options.policy.parse();
    let list = |names: &str| {
        let names = names.split(',').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let device = Device {
        policy: policy.map_err(|error: UnknownName| failed(module, error))?,
        pins: Pins {
            stay: list(&options.stay),
            leave: list(&options.leave),
            keep: list(&options.keep),
        },
        timing: None,
    };
    if let Some(name) = device.pins.stay.intersection(&device.pins.leave).next() {
        let text = format!("'{name}' is to stay, and to leave");
        return Err(failed(module, text));
    }
    let settings = Settings {
        output,
        extract,
        device,
    };
    Ok((settings, read_table(module, &options.accesses)?))
}

/// Module attribute with the text of an access table, for hosts that have it in memory. The pass
/// removes it.
pub const ACCESS_TABLE: &str = "mem.access_table";

/// The access table of a file or, without a file name, of the module.
fn read_table(module: Op, file: &str) -> Result<Option<AccessTable>, Failed> {
    let error = |why: &dyn Display| match file {
        "" => failed(module, format_args!("'{ACCESS_TABLE}': {why}")),
        file => failed(module, format_args!("{file}: {why}")),
    };
    let stated = module.attribute(ACCESS_TABLE);
    let text = match (file, stated.as_ref().and_then(Attribute::string)) {
        ("", None) => return Ok(None),
        ("", Some(text)) => text.to_owned(),
        (file, _) => std::fs::read_to_string(file).map_err(|why| error(&why))?,
    };
    module.remove_attribute(ACCESS_TABLE);
    let table = AccessTable::parse(&text);
    table.map(Some).map_err(|why| error(&why))
}

/// Totals over all functions.
#[derive(Default)]
struct Decided {
    /// Makespan without a memory limit, in cycles.
    ideal: u64,
    /// Lower bound on the makespan, in cycles.
    least: u64,
    /// Number of repeated operations.
    n_repeated: u64,
}

/// Plans every function. The IR stays as it is.
fn offload(
    module: Op,
    settings: &mut Settings,
    table: Option<&AccessTable>,
    options: &Options,
) -> Result<(Vec<PlannedLevels>, Decided), Failed> {
    let mut problems: Vec<Candidate> = of_functions(module, &settings.extract, |mut extracted| {
        let extract = extracted.problem(true);
        Ok((extracted, extract))
    })?;
    let device = &mut settings.device;
    let all = problems.iter().map(|(_, extract)| &extract.problem);
    if let Some(name) = device.pins.unknown(all) {
        let text = format!("there is no tensor '{name}' to pin");
        return Err(failed(module, text));
    }
    if let Some(table) = table {
        device.timing = Some(timing(module, &problems, table, &options.accesses)?);
        for (extracted, extract) in &mut problems {
            device.measure(&extracted.extraction, &mut extract.problem);
        }
    }
    if !options.dump.is_empty() {
        dump(module, &inputs(&problems, device), &options.dump)?;
    }
    let answers = decide(module, &problems, settings, options)?;
    let mut decided = Decided::default();
    let mut functions = Vec::new();
    for (candidate, answer) in problems.into_iter().zip(answers) {
        decided.ideal = decided.ideal.saturating_add(answer.ideal);
        decided.least = decided.least.saturating_add(answer.least);
        let planned = accept(candidate, answer, settings)?;
        let is_again = planned.steps.iter().filter(|own| own.is_again());
        decided.n_repeated += is_again.count() as u64;
        functions.push(planned);
    }
    Ok((functions, decided))
}

/// The measurements of an access table about the function that it describes.
fn timing(
    module: Op,
    problems: &[Candidate],
    table: &AccessTable,
    file: &str,
) -> Result<Timing, Failed> {
    let mut own = problems.iter();
    let own = own.find(|(extracted, _)| extracted.function.name == table.function);
    let Some((_, extract)) = own else {
        let text = format!("{file}: there is no function @{}", table.function);
        return Err(failed(module, text));
    };
    let durations = table_durations(table, &extract.problem);
    let durations = durations.map_err(|error| failed(module, format_args!("{file}: {error}")))?;
    Ok(Timing::new(table, &extract.problem, &durations))
}

/// The problems with everything that the planner is given.
fn inputs(problems: &[Candidate], device: &Device) -> Vec<FunctionLevels> {
    let input = |(ExtractedLevels { extraction, .. }, extract): &Candidate| FunctionLevels {
        function: extraction.program.name.clone(),
        problem: extract.problem.clone(),
        offload: Some(OffloadInput {
            device: LevelId::DEVICE,
            host: LevelId::HOST,
            policy: device.policy,
            repeatable: repeatable(extraction, extract),
            advice: device.advice(extraction, &extract.problem),
        }),
    };
    problems.iter().map(input).collect()
}

/// The planner's answer for each function.
fn decide(
    module: Op,
    problems: &[Candidate],
    settings: &Settings,
    options: &Options,
) -> Result<Vec<Offload>, Failed> {
    let device = &settings.device;
    let mut answers = Vec::new();
    for function in problems {
        let (ExtractedLevels { extraction, .. }, extract) = function;
        let problem = &extract.problem;
        report::refuse_full(module, problem)?;
        let repeatable = repeatable(extraction, extract);
        let advice = device.advice(extraction, problem);
        let answer = plan_offload(problem, &repeatable, device.policy, &advice);
        answers.push(answer.or_else(|error| {
            let request = budget::Request {
                module,
                problems,
                device,
                budget: u64::try_from(options.budget).ok().map(Bytes::new),
                capacity: settings.extract.hierarchy.levels[LevelId::DEVICE.index()].capacity,
            };
            budget::too_small(&request, function, error).fail()
        })?);
    }
    Ok(answers)
}

/// Turns an answer into a plan that can be written.
fn accept(
    (mut extracted, extract): Candidate,
    answer: Offload,
    settings: &Settings,
) -> Result<PlannedLevels, Failed> {
    remark_unplannable(&extracted.extraction, &extracted.lifetimes);
    let op = extracted.function.op;
    let chosen = choose(&mut extracted, extract, answer, &settings.device);
    let chosen = chosen.or_else(|not| match not.failure {
        Some((extract, error)) => {
            let (step_ops, error) = (&not.step_ops, LevelPlanError::NoFit(error));
            let budget = settings.extract.budget;
            report::no_fit(op, step_ops, &extract.problem, &error, budget).fail()
        }
        None => Diagnostic::error(op.location(), "internal error: no plan").fail(),
    });
    let Chosen {
        extract,
        repeatable,
        repetitions,
        answer,
        ..
    } = chosen?;
    let mut planned = PlannedLevels::new(extracted, extract, &repetitions, answer);
    planned.check()?;
    planned.decisions = decisions_of(&planned, &repeatable);
    Ok(planned)
}

/// The decisions that a plan makes about the tensors of a function. `repeatable` is indexed by
/// step.
fn decisions_of(planned: &PlannedLevels, repeatable: &[Repeatable]) -> Vec<Decision> {
    let (problem, plan) = (&planned.extract.problem, &planned.plan);
    let is_again: Vec<bool> = planned.steps.iter().map(|own| own.is_again()).collect();
    let replays = Replays::new(problem, repeatable);
    decisions(problem, plan, &is_again, |tensor, before| {
        replays.cycles(tensor, before)
    })
}

fn set_statistics(run: &PassRun, functions: &[PlannedLevels]) {
    let (mut n_transfers, mut n_bytes, mut makespan, mut peak) = (0, 0_u64, 0_u64, 0);
    for planned in functions {
        let (problem, plan) = (&planned.extract.problem, &planned.plan);
        n_transfers += plan.transfers.len() as u64;
        n_bytes = n_bytes.saturating_add(plan.moved(problem).get());
        makespan = makespan.saturating_add(simulate(problem, plan).makespan);
        let own = plan.peak(problem, LevelId::DEVICE);
        peak = peak.max(own.map_or(0, Bytes::get));
    }
    run.set_statistic(Options::NUM_TRANSFERS, n_transfers);
    run.set_statistic(Options::NUM_BYTES, n_bytes);
    run.set_statistic(Options::MAKESPAN, makespan);
    run.set_statistic(Options::PEAK, peak);
    let widest = functions.iter().filter_map(|f| widths(&f.extract.problem));
    let widest = widest.map(|(widest, _)| widest).max();
    run.set_statistic(Options::WIDEST, widest.unwrap_or(0));
}

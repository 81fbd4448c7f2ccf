//! `mem-offload`: fits programs into a device that has less memory than they need.
//!
//! Recomputation is decided on the extracted problem and written into the IR as repeated
//! operations. The resulting program is planned over device and host, as in `mem-assign-levels`,
//! and compared with the original.

mod budget;

use std::collections::HashSet;
use std::fmt::Display;

use mem_cost::{Decision, decisions, simulate, table_durations};
use mem_flow::LevelExtract;
use mem_model::{AccessTable, Bytes, FunctionLevels, LevelId, OffloadInput, UnknownOffloadPolicy};
use mem_planner::{Repetition, Replays, plan_offload, widths};

use super::levels::dump::dump;
use super::levels::{PlannedLevels, Settings, plan_module, report, write_back};
use crate::extract::levels::{Device, Pins, Timing, device_budget, problems, repeatable};
use crate::extract::{Extraction, Locations};
use crate::framework::options::MemOffloadOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::compare::{Claims, compare_modules};
use crate::ir::hierarchies::chosen_hierarchy;
use crate::ir::tensors::RECOMPUTE;
use crate::ir::{Attribute, Diagnostic, Op};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let (mut settings, device) = settings(module, options)?;
    let original = module.copied();
    let result = offload(module, &mut settings, device, options).and_then(|decided| {
        let mut functions = plan_module(module, &settings)?;
        for planned in &mut functions {
            planned.decisions = decisions_of(planned);
        }
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
            Diagnostic::remark(module.location(), text).emit();
        }
        run.set_statistic(Options::IDEAL, decided.ideal);
        run.set_statistic(Options::LEAST, decided.least);
        run.set_statistic(Options::NUM_RECOMPUTED, decided.n_repeated);
        write_back(module, &functions, &settings);
        compare_modules(
            original,
            module,
            Claims::new(settings.extract.noalias_arguments),
        )
    });
    original.erase_all();
    result
}

fn failed(module: Op, why: impl Display) -> Failed {
    Failed::at(module, &format!("mem-offload: {why}"))
}

/// The validated options.
fn settings(module: Op, options: &Options) -> Result<(Settings, Device), Failed> {
    let attribute = chosen_hierarchy(module, &options.hierarchy)?;
    let hierarchy = crate::ir::hierarchy(attribute);
    let budget = device_budget(&hierarchy, options.budget);
    let budget = budget.map_err(|error| failed(module, error))?;
    let policy = options.policy.parse();
    let list = |names: &str| {
        let names = names.split(',').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let device = Device {
        budget,
        policy: policy.map_err(|error: UnknownOffloadPolicy| failed(module, error))?,
        pins: Pins {
            stay: list(&options.stay),
            leave: list(&options.leave),
            keep: list(&options.keep),
        },
        timing: None,
    };
    if let Some(name) = device.pins.stay.intersection(&device.pins.leave).next() {
        return Err(failed(
            module,
            format_args!("'{name}' is to stay, and to leave"),
        ));
    }
    let mut settings = Settings::of_device(attribute, hierarchy, options.noalias_arguments);
    settings.extract.locations = Locations::for_report(&options.report);
    Ok((settings, device))
}

/// Reads an access table; `None` without a file name.
fn read_table(module: Op, file: &str) -> Result<Option<AccessTable>, Failed> {
    if file.is_empty() {
        return Ok(None);
    }
    let error = |why: &dyn Display| failed(module, format_args!("{file}: {why}"));
    let text = std::fs::read_to_string(file).map_err(|why| error(&why))?;
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

/// Decides what to recompute, and inserts the repeated operations.
fn offload(
    module: Op,
    settings: &mut Settings,
    mut device: Device,
    options: &Options,
) -> Result<Decided, Failed> {
    let table = read_table(module, &options.accesses)?;
    settings.extract.device = Some(Device {
        budget: device.budget,
        ..Device::default()
    });
    let mut problems = problems(module, &settings.extract)?;
    let all = problems.iter().map(|(_, extract)| &extract.problem);
    if let Some(name) = device.pins.unknown(all) {
        return Err(failed(
            module,
            format_args!("there is no tensor '{name}' to pin"),
        ));
    }
    if let Some(table) = &table {
        measure(module, &mut problems, &mut device, table, &options.accesses)?;
    }
    if !options.dump.is_empty() {
        let problem = |(extraction, extract): &(Extraction, LevelExtract)| FunctionLevels {
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
        let problems: Vec<FunctionLevels> = problems.iter().map(problem).collect();
        dump(module, &problems, &options.dump)?;
    }
    let mut decided = Decided::default();
    for function in &problems {
        let (extraction, extract) = function;
        let problem = &extract.problem;
        report::refuse_full(module, problem)?;
        let repeatable = repeatable(extraction, extract);
        let advice = device.advice(extraction, problem);
        let answer = plan_offload(problem, &repeatable, device.policy, &advice);
        let answer = answer.or_else(|error| {
            let request = budget::Request {
                module,
                problems: &problems,
                device: &device,
                budget: u64::try_from(options.budget).ok().map(Bytes::new),
                capacity: settings.extract.hierarchy.levels[LevelId::DEVICE.index()].capacity,
            };
            budget::too_small(&request, function, error).fail()
        })?;
        decided.ideal = decided.ideal.saturating_add(answer.ideal);
        decided.least = decided.least.saturating_add(answer.least);
        decided.n_repeated += repeat(extraction, &answer.repetitions, device.timing.as_mut());
    }
    settings.extract.device = Some(device);
    Ok(decided)
}

/// Applies the measurements of an access table to the function that it describes.
fn measure(
    module: Op,
    problems: &mut [(Extraction, LevelExtract)],
    device: &mut Device,
    table: &AccessTable,
    file: &str,
) -> PassResult {
    let mut own = problems.iter_mut();
    let own = own.find(|(extraction, _)| extraction.program.name == table.function);
    let Some((extraction, extract)) = own else {
        let text = format!("{file}: there is no function @{}", table.function);
        return Err(failed(module, text));
    };
    let problem = &extract.problem;
    let durations = table_durations(table, problem);
    let durations = durations.map_err(|error| failed(module, format_args!("{file}: {error}")))?;
    let mut timing = Timing::default();
    timing.learn(table, extraction, problem, &durations);
    device.timing = Some(timing);
    device.measure(extraction, extract);
    Ok(())
}

/// The decisions that a plan makes about the tensors of a function.
fn decisions_of(planned: &PlannedLevels) -> Vec<Decision> {
    let (problem, plan) = (&planned.extract.problem, &planned.plan);
    let ops = planned.extraction.step_ops.iter();
    let is_again: Vec<bool> = ops.map(|op| op.attribute(RECOMPUTE).is_some()).collect();
    let repeatable = repeatable(&planned.extraction, &planned.extract);
    let replays = Replays::new(problem, &repeatable);
    decisions(problem, plan, &is_again, |tensor, before| {
        replays.cycles(tensor, before)
    })
}

/// The repetitions that can be written, because their operands are visible where they are needed.
/// The repetitions before one step are kept or dropped together.
pub(crate) fn writable(extraction: &Extraction, repetitions: &[Repetition]) -> Vec<Repetition> {
    let op = |step: usize| extraction.step_ops[step];
    let elsewhere = repetitions
        .iter()
        .filter(|own| op(own.step).block() != op(own.before).block());
    let elsewhere: HashSet<usize> = elsewhere.map(|own| own.before).collect();
    let own = repetitions.iter().copied();
    own.filter(|own| !elsewhere.contains(&own.before)).collect()
}

/// Inserts copies of the operations to repeat. Returns their number.
fn repeat(
    extraction: &Extraction,
    repetitions: &[Repetition],
    mut timing: Option<&mut Timing>,
) -> u64 {
    let op = |step: usize| extraction.step_ops[step];
    let mut n = 0;
    for own in writable(extraction, repetitions) {
        let before = op(own.before);
        let again = op(own.step).copied();
        again.set_attribute(RECOMPUTE, Attribute::unit(before.context()));
        again.insert_before(before);
        if let Some(timing) = &mut timing
            && let Some(cycles) = timing.cycles.get(&op(own.step)).copied()
        {
            timing.cycles.insert(again, cycles);
        }
        n += 1;
    }
    n
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

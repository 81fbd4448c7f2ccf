//! `mem-offload`: programs that need more than the device has run anyway.
//!
//! What is computed again is decided on the extracted problem, and written as repeated operations; the program that has them
//! is then planned over device and host, as `mem-assign-levels` does, and compared with the one before.

use std::collections::HashSet;

use mem_flow::LevelExtract;
use mem_model::{Bytes, LevelId, LevelStep, PointerId, PointerKind, Step, simulate};
use mem_planner::{
    CostModel, LevelPlanError, LevelStrategy, OffloadPolicy, Pins, Repeatable, plan_offload,
};

use crate::extract::Extraction;
use crate::hierarchies::chosen_hierarchy;
use crate::mem_assign_levels::{
    Device, PlannedLevels, Settings, plan_module, problems, report, write_back,
};
use crate::mem_verify_plan::{RECOMPUTE, compare_modules};
use crate::mlir::{Attribute, Diagnostic, Op, describe};
use crate::registry::generated::MemOffloadOptions as Options;
use crate::registry::{Failed, PassResult, PassRun};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let (settings, policy) = settings(module, options)?;
    let original = module.copied();
    let result = offload(module, &settings, policy).and_then(|(ideal, n_recomputed)| {
        let functions = plan_module(module, &settings)?;
        report::write(module, &functions, &options.report)?;
        report::explain_plans(&functions, options.explain);
        set_statistics(run, &functions);
        let has_copies = functions.iter().any(|f| !f.plan.transfers.is_empty());
        if options.budget != -1 && n_recomputed == 0 && !has_copies {
            // Who asks for a budget wants to know.
            let text = format!(
                "mem-offload: everything fits in {} bytes: nothing is copied or computed again",
                options.budget
            );
            Diagnostic::remark(module.location(), text).emit();
        }
        run.set_statistic(Options::IDEAL, ideal);
        run.set_statistic(Options::NUM_RECOMPUTED, n_recomputed);
        write_back(module, &functions, &settings);
        compare_modules(original, module)
    });
    original.erase();
    result
}

/// The options, checked.
fn settings(module: Op, options: &Options) -> Result<(Settings, OffloadPolicy), Failed> {
    let error = |text: String| {
        let text = format!("mem-offload: {text}");
        Diagnostic::error(module.location(), text).emit();
        Failed
    };
    let attribute = chosen_hierarchy(module, &options.hierarchy)?;
    let hierarchy = crate::mlir::hierarchy(attribute);
    let names = hierarchy.levels.iter().map(|level| &*level.name);
    if names.clone().count() != 2 {
        let names = names.collect::<Vec<_>>().join(", ");
        let text = format!("the hierarchy is no device and its host: its levels are {names}");
        return Err(error(text));
    }
    let policy: Result<OffloadPolicy, String> = options.policy.parse();
    let device = match options.budget {
        -1 => hierarchy.levels[0].capacity,
        budget => u64::try_from(budget)
            .ok()
            .filter(|n| *n > 0)
            .map(Bytes::new),
    };
    let Some(device) = device else {
        let text = match options.budget {
            -1 => "the device has no capacity, and there is no budget".to_owned(),
            budget => format!("a budget of {budget} bytes is not positive"),
        };
        return Err(error(text));
    };
    let policy = policy.map_err(error)?;
    let settings = Settings {
        attribute,
        hierarchy,
        strategy: LevelStrategy::Auto,
        model: CostModel::Overlapped,
        alignment: 0,
        noalias_arguments: options.noalias_arguments,
        device: Some(Device {
            budget: device,
            policy,
        }),
    };
    Ok((settings, policy))
}

/// Decides what to compute again, and writes it; returns the cycles without a limit, and how many operations are repeated.
fn offload(module: Op, settings: &Settings, policy: OffloadPolicy) -> Result<(u64, u64), Failed> {
    let (mut ideal, mut n_recomputed) = (0_u64, 0);
    let problems = problems(module, settings)?;
    for (extraction, extract) in &problems {
        let problem = &extract.problem;
        report::refuse_full(module, problem)?;
        let repeatable = repeatable(extraction, extract);
        let answer = plan_offload(problem, &repeatable, policy, &Pins::default());
        let answer = answer.or_else(|error| {
            let error = LevelPlanError::NoFit(error);
            report::no_fit(module, extraction, problem, &error).fail()
        })?;
        ideal = ideal.saturating_add(answer.ideal);
        n_recomputed += repeat(extraction, &answer.repetitions);
    }
    Ok((ideal, n_recomputed))
}

/// What repeating each step would do.
fn repeatable(extraction: &Extraction, extract: &LevelExtract) -> Vec<Repeatable> {
    let program = &extraction.program;
    let buffer = |pointer: PointerId| match program.pointers[pointer.index()].kind {
        PointerKind::Buffer(buffer) => Some(buffer),
        PointerKind::Merge => None,
    };
    let steps = program.steps.iter().zip(&extraction.step_ops);
    let of_step = |((step, op), at): ((&Step, &Op), &LevelStep)| {
        let index = |pointer: PointerId| {
            let buffer = buffer(pointer)?;
            let mut uses = at.uses.iter();
            uses.position(|used| extract.origins[used.tensor].buffer == buffer)
        };
        let pairs = step.in_place.iter();
        Repeatable {
            is_pure: is_repeatable(op),
            in_place: pairs
                .filter_map(|(operand, result)| index(*operand).zip(index(*result)))
                .collect(),
        }
    };
    steps.zip(&extract.problem.steps).map(of_step).collect()
}

/// Whether an operation does the same each time, from its operands alone.
fn is_repeatable(op: &Op) -> bool {
    let is_known = op.name().starts_with("linalg.") || op.name() == "memref.copy";
    is_known && op.results().next().is_none() && !describe(*op).has_unknown_effects()
}

/// Writes operations a second time; those whose operands are not to be seen where they are needed are left. Returns how many.
fn repeat(extraction: &Extraction, repetitions: &[mem_planner::Repetition]) -> u64 {
    let op = |step: usize| extraction.step_ops[step];
    let elsewhere = repetitions
        .iter()
        .filter(|own| op(own.step).block() != op(own.before).block());
    let elsewhere: HashSet<usize> = elsewhere.map(|own| own.before).collect();
    let mut n = 0;
    for own in repetitions
        .iter()
        .filter(|own| !elsewhere.contains(&own.before))
    {
        let before = op(own.before);
        let again = op(own.step).copied();
        again.set_attribute(RECOMPUTE, Attribute::unit(before.context()));
        again.insert_before(before);
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
        let own = plan.peak(problem, LevelId::new(0));
        peak = peak.max(own.map_or(0, Bytes::get));
    }
    run.set_statistic(Options::NUM_TRANSFERS, n_transfers);
    run.set_statistic(Options::NUM_BYTES, n_bytes);
    run.set_statistic(Options::MAKESPAN, makespan);
    run.set_statistic(Options::PEAK, peak);
}

//! Problems with a budget: from the plain data of the text form to the planner, and back.

use mem_model::{
    FunctionLevelPlan, FunctionLevels, LevelProblem, OffloadInput, OffloadPolicy, Repetition,
    simulate,
};
use mem_planner::{LevelAnswer, LevelPlanError, plan_offload, plan_swaps, repeated};

use super::LevelFailure;

/// Decides which steps to repeat, then which tensors to copy and when.
pub(super) fn plan(
    function: &FunctionLevels,
    input: &OffloadInput,
    policy: Option<OffloadPolicy>,
) -> Result<FunctionLevelPlan, LevelFailure> {
    let problem = &function.problem;
    let policy = policy_of(policy.unwrap_or(input.policy));
    let repeatable = repeatable_of(input);
    let advice = advice_of(input);
    let decided = plan_offload(problem, &repeatable, policy, &advice);
    let no_fit = |problem: &LevelProblem, error| {
        LevelFailure::of_planner(problem, LevelPlanError::NoFit(error))
    };
    let decided = decided.map_err(|error| no_fit(problem, error))?;
    let repetitions: Vec<Repetition> = (decided.repetitions.iter())
        .map(|own| Repetition {
            before: own.before,
            step: own.step,
        })
        .collect();
    let extended = extended(problem, input, &repetitions);
    let advice = advice.repeated(&decided.repetitions);
    let LevelAnswer { plan, strategy, .. } =
        plan_swaps(&extended, policy, &advice).map_err(|error| no_fit(&extended, error))?;
    // The bound assumes that results take over the bytes of dead operands only where the problem
    // says so. A plan that recomputes an operand may also use the pairs of `in_place`.
    let makespan = simulate(&extended, &plan).makespan;
    Ok(FunctionLevelPlan {
        function: function.function.clone(),
        strategy: strategy.to_owned(),
        lower_bound: decided.least.min(makespan),
        repetitions,
        plan,
    })
}

/// Returns the problem with steps repeated.
pub(super) fn extended(
    problem: &LevelProblem,
    input: &OffloadInput,
    repetitions: &[Repetition],
) -> LevelProblem {
    let repetitions: Vec<mem_planner::Repetition> = (repetitions.iter())
        .map(|own| mem_planner::Repetition {
            before: own.before,
            step: own.step,
        })
        .collect();
    repeated(problem, &repeatable_of(input), &repetitions)
}

fn policy_of(policy: OffloadPolicy) -> mem_planner::OffloadPolicy {
    match policy {
        OffloadPolicy::Auto => mem_planner::OffloadPolicy::Auto,
        OffloadPolicy::Swap => mem_planner::OffloadPolicy::Swap,
        OffloadPolicy::Recompute => mem_planner::OffloadPolicy::Recompute,
        OffloadPolicy::Checkpoints => mem_planner::OffloadPolicy::Checkpoints,
        OffloadPolicy::FarthestNextUse => mem_planner::OffloadPolicy::FarthestNextUse,
    }
}

fn repeatable_of(input: &OffloadInput) -> Vec<mem_planner::Repeatable> {
    let repeatable = input.repeatable.iter().cloned();
    let convert = |own: mem_model::Repeatable| mem_planner::Repeatable {
        is_pure: own.is_pure,
        until: own.until,
        in_place: own.in_place,
    };
    repeatable.map(convert).collect()
}

fn advice_of(input: &OffloadInput) -> mem_planner::Advice {
    let advice = input.advice.clone();
    mem_planner::Advice {
        stay: advice.stay,
        leave: advice.leave,
        keep: advice.keep,
        leads: advice.leads,
    }
}

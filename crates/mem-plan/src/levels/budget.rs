//! Problems with a budget.

use mem_cost::simulate;
use mem_model::{
    FunctionLevelPlan, FunctionLevels, LevelProblem, OffloadInput, OffloadPolicy, Repetition,
};
use mem_planner::{LevelAnswer, LevelPlanError, plan_offload_from};

use super::LevelFailure;

/// Decides which steps to repeat, then which tensors to copy and when. `known`: repetitions to begin with, or
/// none.
pub(super) fn plan(
    function: &FunctionLevels,
    input: &OffloadInput,
    policy: Option<OffloadPolicy>,
    known: &[Repetition],
) -> Result<FunctionLevelPlan, LevelFailure> {
    let problem = &function.problem;
    let policy = policy.unwrap_or(input.policy);
    let decided = plan_offload_from(problem, &input.repeatable, policy, &input.advice, known);
    let no_fit = |problem: &LevelProblem, error| {
        LevelFailure::of_planner(problem, LevelPlanError::NoFit(error))
    };
    let decided = decided.map_err(|error| no_fit(problem, error))?;
    let extended = decided.problem;
    let answer = decided.plan.map_err(|error| no_fit(&extended, error))?;
    let LevelAnswer { plan, strategy, .. } = answer;
    // The bound assumes that results take over the bytes of dead operands only where the problem
    // says so. A plan that recomputes an operand may also use the pairs of `in_place`.
    let makespan = simulate(&extended, &plan).makespan;
    Ok(FunctionLevelPlan {
        function: function.function.clone(),
        strategy: strategy.to_owned(),
        lower_bound: decided.least.min(makespan),
        repetitions: decided.repetitions,
        plan,
    })
}

//! Chooses between promising sets of repetitions by their makespan with addresses.

use mem_cost::simulate;
use mem_model::LevelProblem;

use super::repeat::repeated;
use super::search::Promise;
use super::swaps::plan_swaps;
use super::{Advice, OffloadPolicy, tuning};
use super::{Repeatable, Repetition};

/// A makespan, and the repetitions that lead to it.
type Packed = (u64, Vec<Repetition>);

/// The makespan without repetitions, if [`plan_swaps`] finds a plan.
pub(super) fn as_it_is(problem: &LevelProblem, advice: &Advice) -> Option<Packed> {
    let answer = plan_swaps(problem, OffloadPolicy::Auto, advice).ok()?;
    Some((simulate(problem, &answer.plan).makespan, Vec::new()))
}

/// The choice with the shortest makespan after packing. `promises` is sorted, the best first; in
/// programs of more than [`tuning::SMALL`] steps, the search stops at the first choice within one
/// percent of its promise.
pub(super) fn with_addresses(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    promises: Vec<Promise>,
) -> Option<Packed> {
    let mut best: Option<Packed> = None;
    for (cost, repetitions) in promises {
        let extended = repeated(problem, repeatable, &repetitions);
        // A choice whose tensors cannot be packed is no choice.
        let advice = advice.repeated(&repetitions);
        let Ok(answer) = plan_swaps(&extended, OffloadPolicy::Auto, &advice) else {
            continue;
        };
        let makespan = simulate(&extended, &answer.plan).makespan;
        log::debug!(
            target: "offload",
            "{} repetitions with addresses: makespan {makespan}, {} without addresses",
            repetitions.len(), cost.makespan,
        );
        if best.as_ref().is_none_or(|(known, _)| makespan < *known) {
            best = Some((makespan, repetitions));
        }
        // The remaining promises are no better, so one that holds cannot be beaten by much.
        let tolerance = cost.makespan / tuning::PROMISE;
        let holds = makespan <= cost.makespan.saturating_add(tolerance);
        if holds && problem.steps.len() > tuning::SMALL {
            break;
        }
    }
    best
}

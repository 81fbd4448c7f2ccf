//! Chooses between promising sets of repetitions by their makespan with addresses.

use mem_cost::simulate;
use mem_model::LevelProblem;

use super::search::{Promise, Search};
use rayon::prelude::*;

use super::repeat::with_repetitions;
use super::swaps;
use super::timetable::Wishes;
use super::{Advice, OffloadPolicy, Repeatable, Repetition, is_within, plan_repeated, tuning};
use crate::levels::LevelAnswer;
use crate::observe;

/// A set of repetitions with its plan.
pub(super) struct Packed {
    /// Makespan of the plan, in cycles.
    pub makespan: u64,
    pub repetitions: Vec<Repetition>,
    /// The problem with the steps repeated.
    pub problem: LevelProblem,
    /// The plan of `problem`.
    pub answer: LevelAnswer,
}

impl Packed {
    /// `None` if the tensors cannot be packed.
    pub(super) fn new(
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        advice: &Advice,
        repetitions: Vec<Repetition>,
    ) -> Option<Self> {
        let policy = OffloadPolicy::Auto;
        let (extended, answer) = plan_repeated(problem, repeatable, policy, advice, &repetitions);
        let answer = answer.ok()?;
        Some(Self {
            // Simulated again: packing may have cost room, and `plan_swaps` may have preferred
            // another plan to the timetable that made the promise.
            makespan: simulate(&extended, &answer.plan).makespan,
            repetitions,
            problem: extended,
            answer,
        })
    }
}

/// The best of the promises within one percent of the first that has addresses at once.
fn at_once(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    promises: &[Promise],
) -> Option<Packed> {
    let promised = promises.first()?.0.makespan;
    let is_near = |own: &&Promise| is_within(own.0.makespan, promised, tuning::PROMISE);
    let near: Vec<&Promise> = promises.iter().take_while(is_near).collect();
    // The first in order, so that the threads do not matter.
    near.into_par_iter().find_map_first(|(cost, repetitions)| {
        let extended = with_repetitions(problem, repeatable, repetitions);
        let wishes = Wishes::new(&advice.repeated(repetitions), &extended);
        let plan = swaps::at_once(&extended, &wishes)?;
        let makespan = simulate(&extended, &plan).makespan;
        is_within(makespan, promised, tuning::PROMISE).then(|| {
            log::debug!(
                target: "offload",
                "{} repetitions with addresses at once: makespan {makespan}, {} without addresses",
                repetitions.len(), cost.makespan,
            );
            Packed {
                makespan,
                repetitions: repetitions.clone(),
                problem: extended,
                answer: swaps::answer(plan),
            }
        })
    })
}

/// The program without repetitions, if there is a plan of it.
pub(super) fn as_it_is(problem: &LevelProblem, advice: &Advice) -> Option<Packed> {
    // Nothing is repeated, so it does not matter which steps could be.
    Packed::new(problem, &[], advice, Vec::new())
}

/// The best of all choices of a search after packing. Where packing loses much, choices for less room
/// are tried as well.
pub(super) fn best_with_addresses(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    search: &mut Search,
) -> Option<Packed> {
    let mut promises = search.promises();
    let first = promises.first()?.clone();
    let mut promised = first.0.makespan;
    let plan =
        |promises: Vec<Promise>, best| with_addresses(problem, repeatable, advice, promises, best);
    // Small programs are planned as well as possible.
    if problem.steps.len() > tuning::SMALL
        && let Some(found) = at_once(problem, repeatable, advice, &promises)
    {
        return Some(found);
    }
    let mut best = plan(vec![first.clone()], None);
    let holds = |best: &Option<Packed>, promised: u64, part: u64| {
        best.as_ref()
            .is_some_and(|own| is_within(own.makespan, promised, part))
    };
    let is_kept = |best: &Option<Packed>, promised| holds(best, promised, tuning::PROMISE);
    let to_beat = best.as_ref().map_or(u64::MAX, |own| own.makespan);
    if !holds(&best, promised, tuning::LOST)
        && !observe::is_stopped()
        && search.improve_choice(to_beat)
    {
        promises = search.promises();
        promised = promises.first()?.0.makespan;
    }
    // Small programs are packed in no time, so all their promises are tried.
    if problem.steps.len() <= tuning::SMALL || !is_kept(&best, promised) {
        promises.retain(|own| *own != first);
        best = plan(promises, best);
    }
    if problem.steps.len() > tuning::SMALL
        && !is_kept(&best, promised)
        && !observe::is_stopped()
        && let Some(promise) = search.recompute()
    {
        let limit = best.as_ref().map_or(u64::MAX, |own| own.makespan);
        if promise.0.makespan < limit {
            best = plan(vec![promise], best);
        }
    }
    for slack in tuning::ORDER_SLACKS {
        // Less room promises no more, so a plan that holds what this room promised is good enough.
        if observe::is_stopped() || is_kept(&best, promised) {
            break;
        }
        let Some(promise) = search.with_slack(slack) else {
            break;
        };
        promised = promised.max(promise.0.makespan);
        best = plan(vec![promise], best);
    }
    best
}

/// The choice with the shortest makespan after packing, or a known one. `promises` is sorted, the best
/// first; in programs of more than [`tuning::SMALL`] steps, the search stops at the first choice within
/// one percent of its promise.
fn with_addresses(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    promises: Vec<Promise>,
    mut best: Option<Packed>,
) -> Option<Packed> {
    for (cost, repetitions) in promises {
        // Packing seldom shortens a makespan.
        if best
            .as_ref()
            .is_some_and(|known| observe::is_stopped() || known.makespan <= cost.makespan)
        {
            break;
        }
        // A choice whose tensors cannot be packed is no choice.
        let Some(packed) = Packed::new(problem, repeatable, advice, repetitions) else {
            continue;
        };
        let makespan = packed.makespan;
        log::debug!(
            target: "offload",
            "{} repetitions with addresses: makespan {makespan}, {} without addresses",
            packed.repetitions.len(), cost.makespan,
        );
        // On a tie, the earlier choice stays: it promised more.
        if best.as_ref().is_none_or(|known| makespan < known.makespan) {
            best = Some(packed);
        }
        // The remaining promises are no better, so one that holds cannot be beaten by much.
        if is_within(makespan, cost.makespan, tuning::PROMISE)
            && problem.steps.len() > tuning::SMALL
        {
            break;
        }
    }
    best
}

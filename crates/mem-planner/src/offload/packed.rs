//! Chooses between promising sets of repetitions by their makespan with addresses.

use std::sync::OnceLock;

use mem_cost::simulate;
use mem_model::LevelProblem;

use super::search::{Promise, Search};
use rayon::prelude::*;

use super::repeat::with_repetitions;
use super::swaps::{self, Progress, Rounds};
use super::timetable::Wishes;
use super::{
    Advice, OffloadPolicy, Repeatable, Repetition, is_within, plan_repeated, tuning, widest,
};
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
        Some(Self::of(extended, repetitions, answer.ok()?))
    }

    /// `problem`: with the steps repeated.
    fn of(problem: LevelProblem, repetitions: Vec<Repetition>, answer: LevelAnswer) -> Self {
        Self {
            // Simulated again: packing may have cost room, and farthest next use may have been preferred to
            // the timetable that made the promise.
            makespan: simulate(&problem, &answer.plan).makespan,
            repetitions,
            problem,
            answer,
        }
    }
}

/// The first of the promises within one percent of the best that has addresses at once. If there is none, the
/// searches for addresses, in the order of the promises.
fn at_once(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    promises: &[Promise],
) -> Result<Packed, Vec<Option<Begun>>> {
    let promised = promises.first().map_or(0, |own| own.0.makespan);
    let is_near = |own: &&Promise| is_within(own.0.makespan, promised, tuning::PROMISE);
    let near = promises.iter().take_while(is_near);
    let near = near
        .take(tuning::EARLY)
        .map(|promise| (promise, OnceLock::new()));
    let near: Vec<(&Promise, OnceLock<Begun>)> = near.collect();
    // The first in order, so that the threads do not matter. If there is none, all have been looked at.
    let found = near
        .par_iter()
        .find_map_first(|((cost, repetitions), failed)| {
            let mut begun = Begun::new(problem, repeatable, advice, repetitions)?;
            let Some(plan) = begun.rounds.at_once(&begun.problem, &begun.wishes) else {
                let _ = failed.set(begun);
                return None;
            };
            let found = Packed::of(begun.problem, repetitions.clone(), swaps::answer(plan));
            let holds = is_within(found.makespan, promised, tuning::PROMISE);
            holds.then(|| {
                log::debug!(
                    target: "offload",
                    "{} repetitions with addresses at once: makespan {}, {} without addresses",
                    repetitions.len(), found.makespan, cost.makespan,
                );
                found
            })
        });
    found.ok_or_else(|| near.into_iter().map(|own| own.1.into_inner()).collect())
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
    let promises = search.promises();
    let mut promised = promises.first()?.0.makespan;
    let plan_begun = |promises: &[Promise], begun, best| {
        with_addresses((problem, repeatable, advice), promises, begun, best)
    };
    let plan = |promises: &[Promise], best| plan_begun(promises, Vec::new(), best);
    // Small programs are planned as well as possible.
    let begun = match problem.steps.len() > tuning::SMALL {
        true => match at_once(problem, repeatable, advice, &promises) {
            Ok(found) => return Some(found),
            Err(begun) => begun,
        },
        false => Vec::new(),
    };
    let mut best = plan_begun(&promises, begun, None);
    let is_kept = |best: &Option<Packed>, promised| {
        best.as_ref()
            .is_some_and(|own| is_within(own.makespan, promised, tuning::PROMISE))
    };
    let to_beat = best.as_ref().map_or(u64::MAX, |own| own.makespan);
    if !is_kept(&best, promised) && !observe::is_stopped() && search.go_on(to_beat) {
        let mut others = search.promises();
        promised = others.first()?.0.makespan;
        others.retain(|own| !promises.contains(own));
        best = plan(&others, best);
    }
    if problem.steps.len() > tuning::SMALL
        && !is_kept(&best, promised)
        && !observe::is_stopped()
        && let Some(promise) = search.recompute()
    {
        let limit = best.as_ref().map_or(u64::MAX, |own| own.makespan);
        if promise.0.makespan < limit {
            best = plan(&[promise], best);
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
        best = plan(&[promise], best);
    }
    best
}

/// A promise whose addresses are searched for.
struct Attempt<'a> {
    promise: &'a Promise,
    /// No plan of it is expected to take fewer cycles.
    least: u64,
    /// What the search needs, once it has begun.
    begun: Option<Begun>,
}

struct Begun {
    /// The problem with the steps repeated.
    problem: LevelProblem,
    advice: Advice,
    wishes: Wishes,
    rounds: Rounds,
}

impl Begun {
    /// `None` if the steps do not fit.
    fn new(
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        advice: &Advice,
        repetitions: &[Repetition],
    ) -> Option<Self> {
        let extended = with_repetitions(problem, repeatable, repetitions);
        let advice = advice.repeated(repetitions);
        let wishes = Wishes::new(&advice, &extended);
        widest::check(&extended, &wishes).ok()?;
        Some(Self {
            rounds: Rounds::new(&extended, &wishes)?,
            problem: extended,
            advice,
            wishes,
        })
    }
}

impl Attempt<'_> {
    /// Searches as long as plans may take at most `most` cycles. `None` if there is no plan, or none so short;
    /// then, `least` tells how long it is expected to be.
    fn run(
        &mut self,
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        advice: &Advice,
        most: u64,
    ) -> Option<Packed> {
        let (cost, repetitions) = self.promise;
        let begun = self.begun.take();
        let begun = begun.or_else(|| Begun::new(problem, repeatable, advice, repetitions));
        // A choice whose tensors cannot be packed is no choice.
        self.least = u64::MAX;
        let mut begun = begun?;
        let found = begun.rounds.run(&begun.problem, &begun.wishes, most);
        if let Progress::Longer(least) = found {
            self.least = least;
            self.begun = Some(begun);
            return None;
        }
        let answer = swaps::finished(&begun.problem, &begun.advice, found).ok()?;
        let found = Packed::of(begun.problem, repetitions.clone(), answer);
        log::debug!(
            target: "offload",
            "{} repetitions with addresses: makespan {}, {} without addresses",
            repetitions.len(), found.makespan, cost.makespan,
        );
        Some(found)
    }
}

/// The choice with the shortest makespan after packing, or a known one. The search for addresses goes on with
/// the promise that seems the shortest, and leaves it when packing has cost it so much room that another one
/// seems shorter by one percent; it stops at a choice that is within one percent of all others. In programs of up
/// to [`tuning::SMALL`] steps, each promise is planned to its end. `begun`: searches for addresses of the first
/// promises, as far as they have begun.
fn with_addresses(
    (problem, repeatable, advice): (&LevelProblem, &[Repeatable], &Advice),
    promises: &[Promise],
    begun: Vec<Option<Begun>>,
    mut best: Option<Packed>,
) -> Option<Packed> {
    let begun = begun.into_iter().chain(std::iter::repeat_with(|| None));
    let attempt = |(promise, begun): (_, Option<Begun>)| Attempt {
        promise,
        least: promise.0.makespan,
        begun,
    };
    let mut attempts: Vec<Attempt> = promises.iter().zip(begun).map(attempt).collect();
    let is_large = problem.steps.len() > tuning::SMALL;
    loop {
        // The first of equals: promises are sorted.
        let least = (0..attempts.len()).min_by_key(|index| attempts[*index].least);
        let Some(mut next) = least.map(|index| attempts.remove(index)) else {
            return best;
        };
        // Packing seldom shortens a makespan.
        let is_long = |known: &Packed| observe::is_stopped() || known.makespan <= next.least;
        if next.least == u64::MAX || best.as_ref().is_some_and(is_long) {
            return best;
        }
        let others = attempts.iter().map(|own| own.least).min();
        // Small programs are planned to the end: farthest next use may then be shorter than any timetable.
        let limit = others.filter(|_| is_large);
        let most = limit.map_or(u64::MAX, |others| longer(others.max(next.least)));
        match next.run(problem, repeatable, advice, most) {
            // On a tie, the earlier choice stays: it promised more.
            Some(found)
                if best
                    .as_ref()
                    .is_none_or(|own| found.makespan < own.makespan) =>
            {
                best = Some(found);
            }
            Some(_) => {}
            None => attempts.push(next),
        }
        // The others are no better, so that one that holds cannot be beaten by much.
        let is_close = |own: &Packed| {
            others.is_none_or(|others| is_within(own.makespan, others, tuning::PROMISE))
        };
        if is_large && best.as_ref().is_some_and(is_close) {
            return best;
        }
    }
}

/// A makespan that is longer by one percent.
fn longer(makespan: u64) -> u64 {
    makespan.saturating_add(makespan / tuning::PROMISE)
}

//! What choices of tensors to compute again cost: plans of the whole program, several at a time.

use std::collections::HashMap;

use mem_model::{LevelProblem, ideal_cycles, simulate};
use rayon::prelude::*;

use super::profile::Profile;
use super::repeat::{Repeatable, Repetition, originals, repeated};
use super::replay::{Droppable, Manner, Producers};
use super::swaps::{SMALL, farthest, schedule};
use super::timetable::Wishes;
use super::{Advice, OffloadPolicy};

/// How many are kept beside the best.
const OTHERS: usize = 3;

/// How much longer a plan takes than to know that computing alone takes too long.
const PLAN: usize = 16;

/// How often a program is planned: small ones often, others this often, and large ones only as often as takes some seconds: a plan
/// takes the square of the steps.
fn n_plans(n_steps: usize) -> usize {
    match n_steps.max(1) {
        n @ ..=4000 => (1_000_000 / n).min(400).max((40_000 / n).min(2_000)),
        n => (1_600_000_000 / n / n).clamp(12, 100),
    }
}

/// What a choice costs; the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Bytes that are copied, if that is what matters.
    pub copied: u64,
    pub makespan: u64,
    pub n_repeated: usize,
}

/// What is dropped of a list, and how that is computed again.
#[derive(Clone, Debug)]
pub(super) struct Choice<'d> {
    pub droppable: &'d [Droppable],
    pub is_dropped: Vec<bool>,
    pub manner: Manner,
}

impl<'d> Choice<'d> {
    /// The first so many of a list.
    pub fn first(droppable: &'d [Droppable], n: usize, manner: Manner) -> Self {
        Self {
            droppable,
            is_dropped: (0..droppable.len()).map(|index| index < n).collect(),
            manner,
        }
    }

    /// With some dropped that are not, and some not that are.
    pub fn toggled(&self, indices: &[usize]) -> Self {
        let mut other = self.clone();
        for index in indices {
            other.is_dropped[*index] ^= true;
        }
        other
    }
}

/// A choice that was looked at.
#[derive(Clone, Debug)]
pub(super) struct Found<'d> {
    pub choice: Choice<'d>,
    pub cost: Cost,
}

/// Choices that were looked at, and what they cost.
pub(super) struct Trials<'a> {
    pub problem: &'a LevelProblem,
    pub producers: Producers<'a>,
    repeatable: &'a [Repeatable],
    policy: OffloadPolicy,
    advice: &'a Advice,
    wishes: Wishes,
    pub ideal: u64,
    known: HashMap<Vec<Repetition>, Option<Cost>>,
    /// The best few, the best first.
    pub best: Vec<(Cost, Vec<Repetition>)>,
    /// What may still be looked at: each plan counts [`PLAN`], and what is too dear without a plan one.
    effort: usize,
}

impl<'a> Trials<'a> {
    pub fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        policy: OffloadPolicy,
        advice: &'a Advice,
    ) -> Self {
        let n_plans = n_plans(problem.steps.len());
        Self {
            problem,
            producers: Producers::new(problem, repeatable),
            repeatable,
            policy,
            advice,
            wishes: advice.wishes(problem),
            ideal: ideal_cycles(problem),
            known: HashMap::new(),
            best: Vec::new(),
            effort: match policy {
                OffloadPolicy::Recompute => n_plans * PLAN / 2,
                _ => n_plans * PLAN,
            },
        }
    }

    /// Whether nothing more is to be looked at.
    pub fn is_over(&self) -> bool {
        self.effort == 0
    }

    /// Looks at some side by side; what costs no less than its limit, and what does not fit, is none.
    pub fn all<'d>(&mut self, choices: Vec<(Choice<'d>, Option<Cost>)>) -> Vec<Option<Found<'d>>> {
        let replays: Vec<_> = choices
            .par_iter()
            .map(|(choice, limit)| {
                let repetitions = self.replay(choice);
                let least = self.least(&repetitions);
                limit
                    .is_none_or(|limit| least < limit)
                    .then_some(repetitions)
            })
            .collect();
        let mut wanted: Vec<&Vec<Repetition>> = replays.iter().flatten().collect();
        self.effort = self.effort.saturating_sub(replays.len() - wanted.len());
        wanted.retain(|repetitions| !self.known.contains_key(*repetitions));
        wanted.sort_unstable();
        wanted.dedup();
        let costs: Vec<Option<Cost>> = wanted
            .par_iter()
            .map(|repetitions| self.cost(repetitions))
            .collect();
        for (repetitions, cost) in wanted.into_iter().zip(costs) {
            self.learn(repetitions, cost);
        }
        let found = replays.into_iter().zip(choices);
        found
            .map(|(repetitions, (choice, limit))| {
                let cost = *self.known.get(&repetitions?)?;
                let cost = cost.filter(|cost| limit.is_none_or(|limit| *cost < limit))?;
                Some(Found { choice, cost })
            })
            .collect()
    }

    /// Looks at repetitions.
    pub fn attempt(&mut self, repetitions: &[Repetition]) -> Option<Cost> {
        if let Some(known) = self.known.get(repetitions) {
            return *known;
        }
        let cost = self.cost(repetitions);
        self.learn(repetitions, cost);
        cost
    }

    fn learn(&mut self, repetitions: &[Repetition], cost: Option<Cost>) {
        self.effort = self.effort.saturating_sub(PLAN);
        self.known.insert(repetitions.to_vec(), cost);
        if let Some(cost) = cost {
            self.offer(cost, repetitions);
        }
    }

    /// Keeps what is among the best.
    pub fn offer(&mut self, cost: Cost, repetitions: &[Repetition]) {
        let next = self.best.partition_point(|(known, _)| *known <= cost);
        if next < OTHERS {
            self.best.insert(next, (cost, repetitions.to_vec()));
            self.best.truncate(OTHERS);
        }
    }

    /// What is repeated.
    pub fn replay(&self, choice: &Choice) -> Vec<Repetition> {
        let chosen = choice.droppable.iter().zip(&choice.is_dropped);
        let chosen: Vec<Droppable> = chosen.filter(|(_, is)| **is).map(|(own, _)| *own).collect();
        self.producers.replay(&chosen, choice.manner)
    }

    /// What is not dropped, and copied so that control waits: the longest first.
    pub fn awaited(&self, found: &Found) -> Vec<usize> {
        let repetitions = self.replay(&found.choice);
        let extended = repeated(self.problem, self.repeatable, &repetitions);
        let numbers = originals(self.problem, &repetitions);
        let Some(profile) = Profile::new(&extended) else {
            return Vec::new();
        };
        let room = self.room(&profile);
        let Some(own) = schedule(&extended, &profile, &room, &self.wishes) else {
            return Vec::new();
        };
        // By tensor and step: cycles.
        let mut stalls: HashMap<(usize, usize), u64> = HashMap::new();
        for (cycles, transfer) in &own.schedule.stalls {
            let Some(transfer) = transfer.map(|index| own.plan.transfers[index]) else {
                continue;
            };
            let tensor = own.plan.placements[transfer.from].tensor;
            let step = numbers.get(transfer.until).copied();
            *stalls
                .entry((tensor, step.unwrap_or(self.problem.steps.len())))
                .or_default() += cycles;
        }
        let mut awaited: Vec<(u64, usize)> = Vec::new();
        let Choice {
            droppable,
            is_dropped,
            ..
        } = &found.choice;
        let all = droppable.iter().enumerate();
        for (index, drop) in all.filter(|(index, _)| !is_dropped[*index]) {
            let own = stalls.iter().filter(|((tensor, step), _)| {
                *tensor == drop.tensor && drop.after < *step && *step <= drop.before
            });
            let cycles: u64 = own.map(|(_, cycles)| cycles).sum();
            if cycles > 0 {
                awaited.push((cycles, index));
            }
        }
        awaited.sort_unstable_by_key(|(cycles, index)| (std::cmp::Reverse(*cycles), *index));
        awaited.into_iter().map(|(_, index)| index).collect()
    }

    /// Bytes that are planned for at each step: a little less than there is, so that there are addresses.
    fn room(&self, profile: &Profile) -> Vec<u64> {
        let less = profile.capacity - profile.capacity / 256;
        let needed = profile.needed(&self.wishes.stays).into_iter();
        needed.map(|needed| less.max(needed)).collect()
    }

    /// What repeating steps costs at least: nobody waits for copies.
    fn least(&self, repetitions: &[Repetition]) -> Cost {
        let cycles = repetitions
            .iter()
            .map(|own| self.producers.durations[own.step]);
        Cost {
            copied: 0,
            makespan: cycles.fold(self.ideal, u64::saturating_add),
            n_repeated: repetitions.len(),
        }
    }

    /// What it costs to repeat steps; none if something does not fit.
    fn cost(&self, repetitions: &[Repetition]) -> Option<Cost> {
        let extended = repeated(self.problem, self.repeatable, repetitions);
        let profile = Profile::new(&extended);
        let scheduled = profile.as_ref().and_then(|profile| {
            let room = self.room(profile);
            let found = schedule(&extended, profile, &room, &self.wishes)?;
            let moved = found.plan.moved(&extended).get();
            Some((found.schedule.makespan, moved))
        });
        // Addresses on the way, where that takes no time.
        let is_tried = !self.advice.has_pins() && extended.steps.len() <= SMALL;
        let farthest = is_tried.then(|| farthest(&extended).ok()).flatten();
        let farthest = farthest.map(|plan| {
            let makespan = simulate(&extended, &plan).makespan;
            (makespan, plan.moved(&extended).get())
        });
        let (makespan, moved) = scheduled.into_iter().chain(farthest).min()?;
        Some(Cost {
            copied: match self.policy {
                OffloadPolicy::Recompute => moved,
                _ => 0,
            },
            makespan,
            n_repeated: repetitions.len(),
        })
    }
}

//! How many tensors are computed again, and which: plans of the whole program are compared.

use std::collections::HashMap;

use mem_model::{LevelProblem, ideal_cycles, simulate};

use super::prices::best_first;
use super::profile::Profile;
use super::repeat::{Repeatable, Repetition, originals, repeated};
use super::replay::{Droppable, Manner, Producers};
use super::swaps::{SMALL, farthest, schedule};
use super::timetable::Wishes;
use super::{Advice, OffloadPolicy};

/// How many cycles of computing a cycle of the link is worth: it is all taken, or not.
const RATES: [f64; 4] = [f64::INFINITY, 0.1, 0.05, 0.02];

/// How tensors are computed again, what is mostly best first.
const MANNERS: [Manner; 4] = [
    Manner {
        longest: 64,
        keeps: true,
        window: 0,
    },
    Manner {
        longest: 64,
        keeps: true,
        window: 64,
    },
    Manner {
        longest: 64,
        keeps: false,
        window: 0,
    },
    Manner {
        longest: 8,
        keeps: true,
        window: 0,
    },
];

/// How many are kept beside the best.
const OTHERS: usize = 3;

/// Tensors of which all sets are tried.
const FEW: usize = 6;

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
    copied: u64,
    pub makespan: u64,
    n_repeated: usize,
}

/// What is dropped, and what that costs.
struct Found<'d> {
    cost: Cost,
    droppable: &'d [Droppable],
    is_dropped: Vec<bool>,
    manner: Manner,
}

impl Found<'_> {
    /// The cheaper of two, if there are any.
    fn better(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) if other.cost < one.cost => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        }
    }
}

pub(super) struct Search<'a> {
    problem: &'a LevelProblem,
    producers: Producers<'a>,
    repeatable: &'a [Repeatable],
    policy: OffloadPolicy,
    advice: &'a Advice,
    wishes: Wishes,
    pub ideal: u64,
    known: HashMap<Vec<Repetition>, Option<Cost>>,
    pub best: Option<(Cost, Vec<Repetition>)>,
    /// The best few, the best first.
    others: Vec<(Cost, Vec<Repetition>)>,
    /// What others would have done.
    promises: Vec<(Cost, Vec<Repetition>)>,
    /// What may still be looked at: each plan counts [`PLAN`], and what is too dear without a plan one.
    effort: usize,
}

/// How much longer a plan takes than to know that computing alone takes too long.
const PLAN: usize = 16;

impl<'a> Search<'a> {
    pub fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        policy: OffloadPolicy,
        advice: &'a Advice,
    ) -> Self {
        Self {
            problem,
            producers: Producers::new(problem, repeatable),
            repeatable,
            policy,
            advice,
            wishes: advice.wishes(problem),
            ideal: ideal_cycles(problem),
            known: HashMap::new(),
            best: None,
            others: Vec::new(),
            promises: Vec::new(),
            effort: match policy {
                OffloadPolicy::Recompute => n_plans(problem.steps.len()) * PLAN / 2,
                _ => n_plans(problem.steps.len()) * PLAN,
            },
        }
    }

    pub fn run(&mut self) {
        if let Some(cost) = self.attempt(Vec::new()) {
            self.promises.push((cost, Vec::new()));
        }
        let is_ideal = |best: &(Cost, _)| best.0.makespan <= self.ideal && best.0.copied == 0;
        let has_no_choice = matches!(
            self.policy,
            OffloadPolicy::Swap | OffloadPolicy::FarthestNextUse
        );
        if has_no_choice || self.best.as_ref().is_some_and(is_ideal) {
            return;
        }
        let Some(profile) = Profile::new(self.problem) else {
            return;
        };
        let kept = self
            .advice
            .keep
            .iter()
            .chain(&self.advice.stay)
            .chain(&self.advice.leave);
        let mut is_kept = vec![false; self.problem.tensors.len()];
        for tensor in kept {
            if let Some(is_kept) = is_kept.get_mut(*tensor) {
                *is_kept = true;
            }
        }
        if self.policy != OffloadPolicy::Recompute {
            self.checkpoints(&profile, &is_kept);
        }
        if self.policy == OffloadPolicy::Checkpoints {
            return;
        }
        let first = MANNERS[0];
        let all = self.producers.droppable(&profile, &is_kept, first.longest);
        if all.len() <= FEW {
            // All there is.
            for set in 0..1_u32 << all.len() {
                let is_dropped = |index: usize| set >> index & 1 == 1;
                for manner in MANNERS {
                    let is_dropped = (0..all.len()).map(is_dropped).collect();
                    self.known_as(&all, is_dropped, manner, None);
                }
            }
        }
        let orders = RATES.map(|rate| best_first(&all, &profile, rate));
        let mut best: Option<Found> = None;
        for (order, n) in &orders {
            let found = self.best_prefix(order, *n, first);
            best = Found::better(best, found);
        }
        for manner in &MANNERS[1..] {
            let Some(known) = &best else { break };
            let found = self.known_as(
                known.droppable,
                known.is_dropped.clone(),
                *manner,
                Some(known.cost),
            );
            best = Found::better(best, found);
        }
        if let Some(found) = best {
            self.improve(found);
        }
        if self.policy == OffloadPolicy::Auto {
            let mut other = Search::new(
                self.problem,
                self.repeatable,
                OffloadPolicy::Recompute,
                self.advice,
            );
            other.run();
            if let Some((cost, repetitions)) = other.best {
                let cost = Cost { copied: 0, ..cost };
                self.offer(cost, &repetitions);
                // It copies least, and so may have addresses where others have none.
                self.promises.push((cost, repetitions));
            }
        }
    }

    /// Keeps one tensor of as many as the square root of all.
    fn checkpoints(&mut self, profile: &Profile, is_kept: &[bool]) {
        let mut droppable = self.producers.droppable(profile, is_kept, usize::MAX);
        droppable.sort_by_key(|own| (own.after, own.tensor));
        let every = droppable.len().isqrt().max(1);
        let is_dropped = (0..droppable.len()).map(|index| index % every != 0);
        let manner = Manner {
            longest: usize::MAX,
            keeps: true,
            // What is computed again between two checkpoints stays until it is over there.
            window: self.problem.steps.len() / every,
        };
        let repetitions = self.replay(&droppable, &is_dropped.collect::<Vec<_>>(), manner);
        if self.policy == OffloadPolicy::Checkpoints {
            self.best = None;
        }
        if let Some(cost) = self.attempt(repetitions.clone()) {
            self.promises.push((cost, repetitions));
        }
    }

    /// What may be best with addresses, the best promise first: the best without, and what others would have done.
    pub fn promises(&self) -> Vec<(Cost, Vec<Repetition>)> {
        let mut all: Vec<_> = self.others.iter().chain(&self.promises).cloned().collect();
        all.sort();
        all.dedup();
        all
    }

    /// What it costs to drop some in a manner; none if that is no less than a limit.
    fn known_as<'d>(
        &mut self,
        droppable: &'d [Droppable],
        is_dropped: Vec<bool>,
        manner: Manner,
        limit: Option<Cost>,
    ) -> Option<Found<'d>> {
        let repetitions = self.replay(droppable, &is_dropped, manner);
        if limit.is_some_and(|limit| self.least(&repetitions) >= limit) {
            self.effort = self.effort.saturating_sub(1);
            return None;
        }
        Some(Found {
            cost: self.attempt(repetitions)?,
            droppable,
            is_dropped,
            manner,
        })
    }

    /// How many of the first are best dropped: some `n`.
    fn best_prefix<'d>(
        &mut self,
        droppable: &'d [Droppable],
        n: usize,
        manner: Manner,
    ) -> Option<Found<'d>> {
        let first = |n: usize| (0..droppable.len()).map(|index| index < n).collect();
        let mut best = self.known_as(droppable, first(n), manner, None);
        let mut middle = n;
        let mut step = n.div_ceil(4).max(1);
        while self.effort > 0 {
            let sides = [
                middle.saturating_sub(step),
                (middle + step).min(droppable.len()),
            ];
            let mut is_better = false;
            for next in sides {
                let known = best.as_ref().map(|best| best.cost);
                let found = self.known_as(droppable, first(next), manner, known);
                best = Found::better(best, found);
                if best.as_ref().map(|best| best.cost) != known {
                    (middle, is_better) = (next, true);
                }
            }
            if !is_better {
                if step == 1 {
                    break;
                }
                step = step.div_ceil(2);
            }
        }
        best
    }

    /// Drops more, or less, as long as that is better: what is copied though control waits for it, all or each; then anything.
    fn improve(&mut self, mut found: Found) {
        let droppable = found.droppable;
        loop {
            let awaited = self.awaited(&found);
            let singles = awaited.iter().map(|index| vec![*index]);
            let of_order = (0..droppable.len()).map(|index| vec![index]);
            let mut trials = std::iter::once(awaited.clone())
                .chain(singles)
                .chain(of_order);
            let better = trials.find_map(|trial| {
                if trial.is_empty() || self.effort == 0 {
                    return None;
                }
                let mut is_dropped = found.is_dropped.clone();
                for index in trial {
                    is_dropped[index] ^= true;
                }
                let next = self.known_as(droppable, is_dropped, found.manner, Some(found.cost));
                next.filter(|next| next.cost < found.cost)
            });
            let Some(better) = better else { break };
            found = better;
        }
    }

    fn replay(
        &self,
        droppable: &[Droppable],
        is_dropped: &[bool],
        manner: Manner,
    ) -> Vec<Repetition> {
        let chosen = droppable.iter().zip(is_dropped);
        let chosen: Vec<Droppable> = chosen.filter(|(_, is)| **is).map(|(own, _)| *own).collect();
        self.producers.replay(&chosen, manner)
    }

    /// What is not dropped, and copied so that control waits: the longest first.
    fn awaited(&self, found: &Found) -> Vec<usize> {
        let (droppable, is_dropped) = (found.droppable, &found.is_dropped);
        let repetitions = self.replay(droppable, is_dropped, found.manner);
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
        let mut found: Vec<(u64, usize)> = Vec::new();
        let all = droppable.iter().enumerate();
        for (index, drop) in all.filter(|(index, _)| !is_dropped[*index]) {
            let own = stalls.iter().filter(|((tensor, step), _)| {
                *tensor == drop.tensor && drop.after < *step && *step <= drop.before
            });
            let cycles: u64 = own.map(|(_, cycles)| cycles).sum();
            if cycles > 0 {
                found.push((cycles, index));
            }
        }
        found.sort_unstable_by_key(|(cycles, index)| (std::cmp::Reverse(*cycles), *index));
        found.into_iter().map(|(_, index)| index).collect()
    }

    fn offer(&mut self, cost: Cost, repetitions: &[Repetition]) {
        let next = self.others.partition_point(|(known, _)| *known <= cost);
        if next < OTHERS {
            self.others.insert(next, (cost, repetitions.to_vec()));
            self.others.truncate(OTHERS);
        }
        if self.best.as_ref().is_none_or(|(known, _)| cost < *known) {
            self.best = Some((cost, repetitions.to_vec()));
        }
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
    fn attempt(&mut self, repetitions: Vec<Repetition>) -> Option<Cost> {
        if let Some(known) = self.known.get(&repetitions) {
            return *known;
        }
        self.effort = self.effort.saturating_sub(PLAN);
        let extended = repeated(self.problem, self.repeatable, &repetitions);
        let profile = Profile::new(&extended);
        let scheduled = profile.as_ref().and_then(|profile| {
            let room = self.room(profile);
            let found = schedule(&extended, profile, &room, &self.wishes)?;
            Some((found.schedule.makespan, found.plan.moved(&extended).get()))
        });
        // Addresses on the way, where that takes no time.
        let is_tried = !self.advice.has_pins() && extended.steps.len() <= SMALL;
        let farthest = is_tried.then(|| farthest(&extended).ok()).flatten();
        let farthest = farthest.map(|plan| {
            let makespan = simulate(&extended, &plan).makespan;
            (makespan, plan.moved(&extended).get())
        });
        let found = scheduled.into_iter().chain(farthest).min();
        let cost = found.map(|(makespan, moved)| Cost {
            copied: match self.policy {
                OffloadPolicy::Recompute => moved,
                _ => 0,
            },
            makespan,
            n_repeated: repetitions.len(),
        });
        if let Some(cost) = cost {
            self.offer(cost, &repetitions);
        }
        self.known.insert(repetitions, cost);
        cost
    }
}

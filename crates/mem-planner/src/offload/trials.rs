//! Evaluates choices of tensors to recompute by planning the whole program, several choices in
//! parallel.

use std::cmp::Reverse;
use std::collections::HashMap;

use mem_cost::{Schedule, ideal_cycles, simulate};
use mem_model::{Interval, LevelId, LevelPlan, LevelProblem, TensorId, Transfer};
use rayon::prelude::*;

use crate::observe;

use super::profile::Profile;
use super::repeat::{execution_order, repeated};
use super::replay::{Droppable, Manner, Producers};
use super::sketch::{Scratch, Sketch};
use super::swaps::{all, farthest, less, schedule};
use super::timetable::Wishes;
use super::{Advice, OffloadPolicy, tuning};
use super::{Repeatable, Repetition};

/// Cost of a choice, compared lexicographically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Bytes copied if the policy minimizes them, 0 otherwise.
    pub copied: u64,
    pub makespan: u64,
    pub n_repeated: usize,
}

/// A subset of `droppable` to drop, and how to recompute it.
#[derive(Clone, Debug)]
pub(super) struct Choice<'d> {
    pub droppable: &'d [Droppable],
    pub is_dropped: Vec<bool>,
    pub manner: Manner,
}

impl<'d> Choice<'d> {
    /// Drops the first `n` of a list.
    pub(super) fn first(droppable: &'d [Droppable], n: usize, manner: Manner) -> Self {
        Self {
            droppable,
            is_dropped: (0..droppable.len()).map(|index| index < n).collect(),
            manner,
        }
    }

    /// Repetitions that recompute the dropped tensors.
    pub(super) fn replay(&self, producers: &Producers) -> Vec<Repetition> {
        let chosen = self.droppable.iter().zip(&self.is_dropped);
        let chosen: Vec<Droppable> = chosen.filter(|(_, is)| **is).map(|(own, _)| *own).collect();
        producers.replay(&chosen, self.manner)
    }

    /// The choice with the decisions at `indices` inverted.
    pub(super) fn toggled(&self, indices: &[usize]) -> Self {
        let mut other = self.clone();
        for index in indices {
            other.is_dropped[*index] ^= true;
        }
        other
    }
}

/// An evaluated choice.
#[derive(Clone, Debug)]
pub(super) struct Found<'d> {
    pub choice: Choice<'d>,
    pub cost: Cost,
    stalls: Vec<Stall>,
}

impl Found<'_> {
    /// Indices of the tensors that are not dropped and whose copies stall control, the longest
    /// stall first.
    pub(super) fn awaited(&self) -> Vec<usize> {
        let mut awaited: Vec<(u64, usize)> = Vec::new();
        let all = self.choice.droppable.iter().zip(&self.choice.is_dropped);
        for (index, (own, _)) in all.enumerate().filter(|(_, (_, is_dropped))| !**is_dropped) {
            // A tensor has a candidate per gap: only the stalls in this gap speak for dropping it
            // there.
            let stalls = self.stalls.iter().filter(|stall| {
                stall.tensor == own.tensor && own.after < stall.step && stall.step <= own.before
            });
            let cycles: u64 = stalls.map(|stall| stall.cycles).sum();
            if cycles > 0 {
                awaited.push((cycles, index));
            }
        }
        awaited.sort_unstable_by_key(|(cycles, index)| (Reverse(*cycles), *index));
        awaited.into_iter().map(|(_, index)| index).collect()
    }
}

/// Control stalls for a copy of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stall {
    pub tensor: TensorId,
    /// Step before which control stalls.
    step: usize,
    /// Steps at which the tensor is away, `[start, end)`.
    pub away: Interval<usize>,
    pub cycles: u64,
}

/// Result of planning the program with some repetitions.
#[derive(Clone, Debug)]
struct Outcome {
    cost: Cost,
    stalls: Vec<Stall>,
}

/// Evaluated choices, and their costs.
pub(super) struct Trials<'a> {
    pub problem: &'a LevelProblem,
    pub producers: Producers<'a>,
    pub repeatable: &'a [Repeatable],
    pub policy: OffloadPolicy,
    pub advice: &'a Advice,
    wishes: Wishes,
    /// The problem without what trials do not need, of which copies would take time.
    lean: LevelProblem,
    /// Of large programs.
    sketch: Option<Sketch>,
    pub ideal: u64,
    /// Outcomes of all repetitions planned so far; `None` if a step does not fit.
    known: HashMap<Vec<Repetition>, Option<Outcome>>,
    /// The best few choices, the best first.
    pub best: Vec<(Cost, Vec<Repetition>)>,
    /// Effort of the whole search.
    all_effort: usize,
    /// Remaining effort: a plan takes [`tuning::PLAN`], a rejection without a plan 1.
    effort: usize,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        policy: OffloadPolicy,
        advice: &'a Advice,
    ) -> Self {
        let n_plans = tuning::n_plans(problem.steps.len());
        let effort = match policy {
            OffloadPolicy::Recompute => n_plans * tuning::PLAN / tuning::RECOMPUTE_SHARE,
            _ => n_plans * tuning::PLAN,
        };
        Self {
            problem,
            producers: Producers::new(problem, repeatable),
            repeatable,
            policy,
            advice,
            wishes: Wishes::new(advice, problem),
            lean: lean(problem),
            sketch: sketch(problem, repeatable),
            ideal: ideal_cycles(problem),
            known: HashMap::new(),
            best: Vec::new(),
            all_effort: effort,
            effort,
        }
    }

    /// Per tensor: it never leaves.
    pub(super) fn stays(&self) -> &[bool] {
        &self.wishes.stays
    }

    /// Whether the effort is exhausted, or the search has been stopped.
    pub(super) fn is_over(&self) -> bool {
        self.effort == 0 || observe::is_stopped()
    }

    /// Whether the search has been stopped and has a choice, so that no further one is planned.
    fn is_content(&self) -> bool {
        observe::is_stopped() && !self.best.is_empty()
    }

    /// Evaluates choices in parallel. The result is `None` for a choice that does not fit, or that
    /// does not cost less than its limit.
    pub(super) fn all<'d>(
        &mut self,
        choices: Vec<(Choice<'d>, Option<Cost>)>,
    ) -> Vec<Option<Found<'d>>> {
        let replays: Vec<_> = choices
            .par_iter()
            .map_init(Scratch::default, |scratch, (choice, limit)| {
                let repetitions = choice.replay(&self.producers);
                let may_be_less = |limit: &Cost| self.may_cost_less(&repetitions, *limit, scratch);
                limit
                    .as_ref()
                    .is_none_or(may_be_less)
                    .then_some(repetitions)
            })
            .collect();
        let wanted: Vec<&Vec<Repetition>> = replays.iter().flatten().collect();
        // The replay of a rejected choice takes time as well.
        self.effort = self.effort.saturating_sub(replays.len() - wanted.len());
        self.learn_all(wanted);
        let found = replays.into_iter().zip(choices);
        found
            .map(|(repetitions, (choice, limit))| {
                let Outcome { cost, stalls } = self.known.get(&repetitions?)?.clone()?;
                let is_better = limit.is_none_or(|limit| cost < limit);
                is_better.then_some(Found {
                    choice,
                    cost,
                    stalls,
                })
            })
            .collect()
    }

    /// Evaluates repetitions that are no choices, in parallel. The effort is that of choices.
    pub(super) fn attempt_all(&mut self, all: &[Vec<Repetition>]) -> Vec<Option<Cost>> {
        let effort = self.effort;
        self.learn_all(all.iter().collect());
        self.effort = effort;
        all.iter().map(|own| self.attempt(own)).collect()
    }

    /// Stalls for copies in the plan of repetitions that have been evaluated.
    pub(super) fn stalls(&self, repetitions: &[Repetition]) -> &[Stall] {
        let known = self.known.get(repetitions).and_then(Option::as_ref);
        known.map_or(&[], |outcome| &outcome.stalls)
    }

    /// Evaluates repetitions.
    pub(super) fn attempt(&mut self, repetitions: &[Repetition]) -> Option<Cost> {
        if !self.known.contains_key(repetitions) && !self.is_content() {
            self.learn(repetitions, self.plan(repetitions));
        }
        let outcome = self.known.get(repetitions)?.as_ref()?;
        Some(outcome.cost)
    }

    /// Plans the repetitions that are not known yet, in parallel.
    fn learn_all(&mut self, mut wanted: Vec<&Vec<Repetition>>) {
        wanted.retain(|repetitions| !self.known.contains_key(*repetitions));
        // Different choices may lead to the same repetitions, which are planned once.
        wanted.sort_unstable();
        wanted.dedup();
        if self.is_content() {
            return;
        }
        let outcomes: Vec<_> = wanted
            .par_iter()
            .map(|repetitions| self.plan(repetitions))
            .collect();
        for (repetitions, outcome) in wanted.into_iter().zip(outcomes) {
            self.learn(repetitions, outcome);
        }
    }

    fn learn(&mut self, repetitions: &[Repetition], outcome: Option<Outcome>) {
        self.effort = self.effort.saturating_sub(tuning::PLAN);
        if let Some(Outcome { cost, .. }) = outcome {
            self.offer(cost, repetitions);
        }
        self.known.insert(repetitions.to_vec(), outcome);
        let best = self.best.first().map(|(cost, _)| cost.makespan);
        let spent = 1.0 - self.effort as f64 / self.all_effort.max(1) as f64;
        observe::report_cycles(best, Some(self.ideal), Some(spent));
    }

    /// Records a choice if it is among the best.
    pub(super) fn offer(&mut self, cost: Cost, repetitions: &[Repetition]) {
        // After those of equal cost, so that the first of equals stays.
        let next = self.best.partition_point(|(known, _)| *known <= cost);
        if next < tuning::OTHERS {
            self.best.insert(next, (cost, repetitions.to_vec()));
            self.best.truncate(tuning::OTHERS);
        }
    }

    /// Whether repeating steps may cost less than a limit, without a plan.
    fn may_cost_less(
        &self,
        repetitions: &[Repetition],
        limit: Cost,
        scratch: &mut Scratch,
    ) -> bool {
        if self.least(repetitions) >= limit {
            return false;
        }
        // The other policies count bytes first.
        let sketch = self.sketch.as_ref();
        let sketch = sketch.filter(|_| self.policy != OffloadPolicy::Recompute);
        sketch.is_none_or(|sketch| {
            let least = sketch.makespan(repetitions, 1.0, scratch);
            least <= limit.makespan as f64 * (1.0 + tuning::SKETCH_MARGIN)
        })
    }

    /// Lower bound on the cost of repeating steps: no copy stalls.
    fn least(&self, repetitions: &[Repetition]) -> Cost {
        // Repetitions take time in any schedule, and copies need not.
        let cycles = repetitions
            .iter()
            .map(|own| self.producers.durations[own.step]);
        Cost {
            copied: 0,
            makespan: cycles.fold(self.ideal, u64::saturating_add),
            n_repeated: repetitions.len(),
        }
    }

    /// Plans the program with repetitions; `None` if a step does not fit.
    fn plan(&self, repetitions: &[Repetition]) -> Option<Outcome> {
        let extended = repeated(&self.lean, self.repeatable, repetitions);
        let (plan, schedule) = self.fastest(&extended)?;
        let n_steps = self.problem.steps.len();
        let order = execution_order(n_steps, repetitions);
        let waits = schedule.stalls.iter().filter(|(cycles, _)| *cycles > 0);
        let stalls = waits.filter_map(|(cycles, transfer)| {
            let transfer = plan.transfers[((*transfer)?).index()];
            let away = away(&plan, transfer, order.len());
            // Steps of the extended program mean nothing to other choices.
            let own = |step: usize| order.get(step).map_or(n_steps, |own| own.before);
            Some(Stall {
                tensor: plan.placements[transfer.from.index()].tensor,
                step: own(transfer.until),
                away: Interval::new(own(away.start), own(away.end)),
                cycles: *cycles,
            })
        });
        let cost = Cost {
            copied: match self.policy {
                // For the other policies, the makespan already charges the copies that are not
                // hidden.
                OffloadPolicy::Recompute => plan.moved(&extended).get(),
                _ => 0,
            },
            makespan: schedule.makespan,
            n_repeated: repetitions.len(),
        };
        let stalls = stalls.collect();
        Some(Outcome { cost, stalls })
    }

    /// The plan of a program with the shortest makespan, and its schedule.
    fn fastest(&self, extended: &LevelProblem) -> Option<(LevelPlan, Schedule)> {
        let profile = Profile::new(extended);
        let scheduled = profile.as_ref().and_then(|profile| {
            // All of the capacity: where a step fits with a few bytes to spare, slack for packing would
            // move tensors of half the device.
            let needed = profile.needed(&self.wishes.stays);
            let mut rooms = vec![all(profile, &needed)];
            // Final plans try slack as well, and here it takes little time.
            if extended.steps.len() <= tuning::TWO_ROOMS {
                rooms.push(less(profile, &needed, tuning::SLACK));
            }
            let plans = rooms.iter().filter_map(|room| {
                let own = schedule(extended, profile, room, &self.wishes, tuning::NEARLY)?;
                Some((own.plan, own.schedule))
            });
            plans.min_by_key(|(_, schedule)| schedule.makespan)
        });
        // In small programs, farthest next use costs no time to try, addresses included.
        let is_tried = !self.advice.has_pins() && extended.steps.len() <= tuning::SMALL;
        let farthest = is_tried.then(|| farthest(extended).ok()).flatten();
        let farthest = farthest.map(|plan| {
            let schedule = simulate(extended, &plan);
            (plan, schedule)
        });
        let plans = scheduled.into_iter().chain(farthest);
        plans.min_by_key(|(_, schedule)| schedule.makespan)
    }
}

/// The problem without names, and without levels that steps accept beside the device. As it is, if
/// farthest next use plans it as well, which may use the others.
fn lean(problem: &LevelProblem) -> LevelProblem {
    let mut lean = problem.clone();
    if problem.steps.len() <= tuning::SMALL {
        return lean;
    }
    for tensor in &mut lean.tensors {
        tensor.name.clear();
    }
    for step in &mut lean.steps {
        step.name.clear();
        for used in &mut step.uses {
            if used.accepts(LevelId::DEVICE) {
                // All of them.
                used.accepted.clear();
            }
        }
    }
    lean
}

/// `None` for small programs, of which plans take no time.
fn sketch(problem: &LevelProblem, repeatable: &[Repeatable]) -> Option<Sketch> {
    let profile = Profile::new(problem).filter(|_| problem.steps.len() > tuning::SMALL)?;
    Some(Sketch::new(problem, repeatable, &profile))
}

/// Steps at which the tensor of a transfer is not on the device, before it comes back or after it
/// leaves, `[start, end)`. Linear in the placements.
fn away(plan: &LevelPlan, transfer: Transfer, n_steps: usize) -> Interval<usize> {
    let [from, to] = [transfer.from, transfer.to].map(|id| &plan.placements[id.index()]);
    let all = plan.placements.iter();
    let there = all.filter(|own| own.tensor == from.tensor && own.level == LevelId::DEVICE);
    if to.level == LevelId::DEVICE {
        let ends = there.map(|own| own.steps.end);
        let before = ends.filter(|end| *end <= transfer.until);
        Interval::new(before.max().unwrap_or(0), transfer.until)
    } else {
        let starts = there.map(|own| own.steps.start);
        let after = starts.filter(|start| *start >= transfer.until);
        Interval::new(transfer.until, after.min().unwrap_or(n_steps))
    }
}

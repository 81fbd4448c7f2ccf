//! Searches for orders of execution of which the bytes in excess can be copied beside the computation.
//!
//! Other phases choose tensors to drop, each of which is then recomputed right before it is needed.
//! Orders repeat any steps anywhere, and [`recompute`](super::recompute) anneals them as a whole.

use super::Repetition;
use super::profile::{Profile, cycles_per_byte};
use super::recompute::{Fit, From, Recomputation, repetitions};
use super::search::Promise;
use super::swaps::less;
use super::trials::{Cost, Trials};
use super::{is_within, tuning};

/// Search for orders of a program.
pub(super) struct Orders<'a> {
    search: Recomputation<'a>,
    profile: Profile,
    /// Per step: bytes of the tensors that cannot leave.
    needed: Vec<u64>,
    /// Cycles to copy a byte out, and back.
    cycles: [f64; 2],
    /// The best order so far, from which the next searches begin, and the fraction of the link's time
    /// for which it was found.
    known: Option<(Cost, Fit, f64)>,
}

impl<'a> Orders<'a> {
    /// `is_kept` is indexed by tensor: it must not be recomputed.
    pub(super) fn new(trials: &Trials<'a>, profile: Profile, is_kept: &[bool]) -> Self {
        let problem = trials.problem;
        Self {
            search: Recomputation::new(problem, trials.repeatable, &profile, is_kept),
            needed: profile.needed(trials.stays()),
            profile,
            cycles: cycles_per_byte(problem),
            known: None,
        }
    }

    /// Begins the search with these repetitions.
    pub(super) fn begin(&mut self, trials: &mut Trials, known: &[Repetition]) -> Option<Promise> {
        let elements = self.search.order_of(known)?;
        let cost = trials.attempt(known)?;
        let reach = tuning::REACH;
        let device = less(&self.profile, &self.needed, tuning::SLACK);
        let room = self.search.link_room(&device, self.cycles, reach);
        let order = (self.search.cost_of(&room, &elements), elements);
        self.known = Some((cost, order, reach));
        Some((cost, known.to_vec()))
    }

    /// The best order for each assumption of what the link can copy. No more of them if the best choice of the
    /// other phases, `choice`, takes less time.
    pub(super) fn run(&mut self, trials: &mut Trials, choice: Option<Cost>) -> Vec<Promise> {
        let slack = tuning::SLACK;
        let mut found: Vec<Promise> = Vec::new();
        let is_large = trials.problem.steps.len() > tuning::SMALL;
        for reach in tuning::ORDER_REACHES {
            found.extend(self.best(trials, slack, reach, None));
            let is_hopeless = |own: Cost| {
                let is_far =
                    |choice: Cost| !is_within(own.makespan, choice.makespan, tuning::HOPELESS);
                // Beyond, other fractions find orders that are several percent shorter.
                let is_tight = !is_within(own.makespan, trials.ideal, tuning::TIGHT);
                is_large && !is_tight && choice.is_some_and(is_far)
            };
            if self.best_cost().is_some_and(is_hopeless) {
                return found;
            }
        }
        let least = found.iter().map(|(cost, _)| cost.makespan).min();
        let is_tight = |least: u64| {
            !is_within(least, trials.ideal, tuning::TIGHT)
                && is_within(least, trials.ideal, tuning::STALLED)
        };
        if least.is_some_and(is_tight) {
            found.extend(self.best(trials, slack, tuning::TIGHT_REACH, None));
        }
        for heat in tuning::AGAIN_HEATS {
            let Some((cost, _, reach)) = &self.known else {
                break;
            };
            let (cost, reach) = (*cost, *reach);
            let is_good = is_within(cost.makespan, trials.ideal, tuning::GOOD);
            if is_good || !is_within(cost.makespan, trials.ideal, tuning::STALLED) {
                break;
            }
            let again = self.best(trials, slack, reach, Some(heat));
            let is_tight = !is_within(cost.makespan, trials.ideal, tuning::TIGHT);
            let gained = |own: &Promise| {
                let least = tuning::GAINS[usize::from(is_tight)];
                !is_within(cost.makespan, own.0.makespan, least)
            };
            let has_gained = again.as_ref().is_some_and(gained);
            found.extend(again);
            let is_large = trials.problem.steps.len() > tuning::TWO_ROOMS;
            if !has_gained && (is_tight || !is_large) {
                break;
            }
        }
        found
    }

    /// Cost of the best order so far, without addresses.
    pub(super) fn best_cost(&self) -> Option<Cost> {
        self.known.as_ref().map(|(cost, ..)| *cost)
    }

    /// The best order for so much slack, as a divisor of the capacity.
    pub(super) fn with_slack(&mut self, trials: &mut Trials, slack: u64) -> Option<Promise> {
        let (.., reach) = self.known.as_ref()?;
        self.best(trials, slack, *reach, None)
    }

    /// The best order if copies can use the fraction `reach` of the link's time. `again`: also of those
    /// that are far from the best one so far, from this temperature.
    fn best(
        &mut self,
        trials: &mut Trials,
        slack: u64,
        reach: f64,
        again: Option<f64>,
    ) -> Option<Promise> {
        let search = &self.search;
        let device = less(&self.profile, &self.needed, slack);
        let from = match (&self.known, again) {
            (Some((_, order, _)), Some(heat)) => From::Again(order, heat),
            (Some((_, order, _)), None) => From::Near(order),
            (None, _) => From::Starts,
        };
        let mut room = search.link_room(&device, self.cycles, reach);
        let mut orders = search.beside_copies(&room, from);
        let mut best: Option<Promise> = None;
        let mut n_in_vain = 0;
        for round in 1..=tuning::ORDER_ROUNDS {
            orders.truncate(tuning::ORDERS_PLANNED);
            let all: Vec<_> = orders.iter().map(|own| repetitions(&own.1)).collect();
            let costs = trials.attempt_all(&all).into_iter().enumerate();
            let planned = costs.filter_map(|(index, cost)| Some((cost?, index)));
            let Some((cost, index)) = planned.min() else {
                break;
            };
            log::debug!(
                target: "offload",
                "slack 1/{slack}, reach {reach}: {} repetitions, makespan {}, {} without stalls",
                all[index].len(), cost.makespan, orders[index].0.cycles,
            );
            let is_better = best.as_ref().is_none_or(|(known, _)| cost < *known);
            if is_better {
                best = Some((cost, all[index].clone()));
            }
            if self.known.as_ref().is_none_or(|(known, ..)| cost < *known) {
                self.known = Some((cost, orders[index].clone(), reach));
            }
            // Where no order hides its copies, the room of the best one is as good as any.
            let is_stalled = !is_within(cost.makespan, trials.ideal, tuning::STALLED);
            let is_far = |known: Cost| !is_within(cost.makespan, known.makespan, tuning::FAR);
            let is_far = round > 1 && self.best_cost().is_some_and(is_far);
            n_in_vain = if is_better { 0 } else { n_in_vain + 1 };
            let is_in_vain = is_stalled && !is_better || n_in_vain == tuning::ORDER_PATIENCE;
            if round == tuning::ORDER_ROUNDS || is_far || is_in_vain {
                break;
            }
            // Small stalls only move to other steps, round after round.
            let least = trials.ideal / tuning::LEAST_STALL;
            let stalls = trials.stalls(&all[index]).iter();
            let stalls: Vec<_> = stalls.filter(|own| own.cycles > least).collect();
            if stalls.is_empty() {
                break;
            }
            for stall in stalls {
                let size = trials.problem.tensors[stall.tensor.index()].size;
                room.lower(stall.away, size.get());
            }
            orders = search.beside_copies(&room, From::Near(&orders[index]));
        }
        best
    }
}

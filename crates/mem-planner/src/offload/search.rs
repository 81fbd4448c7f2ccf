//! Searches for the tensors to recompute: prefixes of orders, then annealing, then single changes.
//! Plans of the whole program decide between them.

use mem_model::LevelProblem;
use rayon::prelude::*;

use super::anneal::anneal;
use super::orders::Orders;
use super::prices::best_first;
use super::profile::Profile;
use super::replay::{Droppable, Manner};
use super::sketch::Sketch;
use super::trials::{Choice, Cost, Found, Trials};
use super::{Advice, OffloadPolicy, is_within, tuning};
use super::{Repeatable, Repetition};

/// Hill climbing for the best length `n` of a prefix of a list to drop.
struct Climb<'d> {
    list: &'d [Droppable],
    middle: usize,
    /// Distance from the middle of the lengths to try next; 0: finished.
    step: usize,
    best: Option<Found<'d>>,
}

/// How long to anneal a choice.
#[derive(Clone, Copy)]
struct Annealed {
    n_rounds: usize,
    /// Number of choices that each chain of a round looks at.
    n_looks: usize,
}

const ANNEALED: Annealed = Annealed {
    n_rounds: tuning::ANNEAL_ROUNDS,
    n_looks: tuning::LOOKS,
};

/// Tensors that can be dropped, and rankings of them with the lengths to begin with.
struct Candidates {
    all: Vec<Droppable>,
    lists: [(Vec<Droppable>, usize); tuning::RATES.len()],
}

/// A choice that may be the best with addresses: its cost without, and its repetitions.
pub(super) type Promise = (Cost, Vec<Repetition>);

pub(super) struct Search<'a> {
    trials: Trials<'a>,
    /// Choices of the baselines, and orders.
    promises: Vec<Promise>,
    orders: Option<Orders<'a>>,
    /// Whether the best choice was left as it was, because the best order takes less time.
    has_left_choice: bool,
    /// Whether orders were not searched for, because a choice is nearly ideal.
    has_left_orders: bool,
    /// Whether the best choice has been annealed before the search for orders.
    has_annealed: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        policy: OffloadPolicy,
        advice: &'a Advice,
    ) -> Self {
        Self {
            trials: Trials::new(problem, repeatable, policy, advice),
            promises: Vec::new(),
            orders: None,
            has_left_choice: false,
            has_left_orders: false,
            has_annealed: false,
        }
    }

    /// Makespan without a capacity limit on level 0, in cycles.
    pub(super) fn ideal(&self) -> u64 {
        self.trials.ideal
    }

    /// The best choice, ignoring addresses.
    pub(super) fn best(&self) -> Option<Promise> {
        self.trials.best.first().cloned()
    }

    /// Choices that may be best with addresses, sorted by their cost without: the best ones, and
    /// those of the baselines.
    pub(super) fn promises(&self) -> Vec<Promise> {
        let mut all = [&self.trials.best[..], &self.promises].concat();
        all.sort();
        all.dedup();
        all
    }

    /// A choice that leaves more slack for packing than [`Self::promises`], as a divisor of the
    /// capacity.
    pub(super) fn with_slack(&mut self, slack: u64) -> Option<Promise> {
        self.orders.as_mut()?.with_slack(&mut self.trials, slack)
    }

    /// Runs the phases that were left out. Returns whether there were any. `to_beat`: the makespan of a plan with
    /// addresses.
    pub(super) fn go_on(&mut self, to_beat: u64) -> bool {
        let has_left = self.has_left_choice || self.has_left_orders;
        let Some(profile) = Profile::new(self.trials.problem).filter(|_| has_left) else {
            return false;
        };
        let is_kept = kept(self.trials.problem, self.trials.advice);
        if std::mem::take(&mut self.has_left_orders) {
            self.search_orders(&profile, &is_kept, &[], None);
        }
        let candidates = self.candidates(&profile, &is_kept);
        let found = self.best_choice(&candidates);
        self.improve_choice(&profile, found, Some(to_beat));
        true
    }

    fn best_cost(&self) -> Option<Cost> {
        self.trials.best.first().map(|(cost, _)| *cost)
    }

    /// Runs all phases that the policy asks for. Each offers its choices to the trials. `known`:
    /// repetitions to begin with, or none.
    pub(super) fn run(&mut self, known: &[Repetition]) {
        let swaps = self.copies_alone();
        // For a policy that minimizes copies, recomputation may still save some of them.
        let is_ideal = swaps.is_some_and(|cost| cost.makespan <= self.ideal() && cost.copied == 0);
        let has_no_choice = matches!(
            self.trials.policy,
            OffloadPolicy::Swap | OffloadPolicy::FarthestNextUse
        );
        if has_no_choice || is_ideal {
            return;
        }
        let Some(profile) = Profile::new(self.trials.problem) else {
            return;
        };
        let is_kept = kept(self.trials.problem, self.trials.advice);
        if self.trials.policy != OffloadPolicy::Recompute {
            self.checkpoints(&profile, &is_kept);
            trace("best with every √n-th tensor kept", self.best_cost());
        }
        if self.trials.policy == OffloadPolicy::Checkpoints {
            return;
        }
        let candidates = self.candidates(&profile, &is_kept);
        let mut found = self.best_choice(&candidates);
        if self.trials.policy == OffloadPolicy::Auto {
            self.has_left_orders =
                known.is_empty() && found.as_ref().is_some_and(|own| self.is_ideal(own.cost));
            if !self.has_left_orders {
                found = found.map(|own| self.annealed_early(&profile, own));
                let limit = found.as_ref().map(|own| own.cost);
                self.search_orders(&profile, &is_kept, known, limit);
            }
        }
        self.improve_choice(&profile, found, None);
        // In a large program, it is done if there are no addresses.
        let is_small = self.trials.problem.steps.len() <= tuning::SMALL;
        if self.trials.policy == OffloadPolicy::Auto && is_small {
            self.recompute();
        }
    }

    /// Repeats nothing.
    fn copies_alone(&mut self) -> Option<Cost> {
        let nothing = Vec::new();
        let swaps = self.trials.attempt(&nothing);
        // Kept apart from the best few, from which later phases drive it out: it may have addresses
        // where those have none.
        self.promises.extend(swaps.map(|cost| (cost, nothing)));
        trace("copies alone", swaps);
        swaps
    }

    /// Whether a choice is so good that nothing else needs to be tried.
    fn is_ideal(&self, cost: Cost) -> bool {
        self.is_large() && is_within(cost.makespan, self.ideal(), tuning::IDEAL)
    }

    fn is_large(&self) -> bool {
        self.trials.problem.steps.len() > tuning::SMALL
    }

    /// Anneals a choice before orders are searched for, if a little of it shows that it gains much: orders may
    /// then be in vain.
    fn annealed_early<'d>(&mut self, profile: &Profile, found: Found<'d>) -> Found<'d> {
        // In larger programs, that would take too long.
        if !self.is_large() || self.trials.problem.steps.len() > tuning::TWO_ROOMS {
            return found;
        }
        let before = found.cost.makespan;
        let probe = Annealed {
            n_rounds: 1,
            n_looks: tuning::PROBE_LOOKS,
        };
        let found = self.annealed(profile, found, probe);
        trace("annealed a little", Some(found.cost));
        if is_within(before, found.cost.makespan, tuning::PROBE_GAIN) {
            return found;
        }
        self.has_annealed = true;
        let found = self.annealed(profile, found, ANNEALED);
        trace("annealed before orders", Some(found.cost));
        found
    }

    /// Searches for orders, beginning with known repetitions, if there are any. `choice`: cost of the best choice.
    fn search_orders(
        &mut self,
        profile: &Profile,
        is_kept: &[bool],
        known: &[Repetition],
        choice: Option<Cost>,
    ) {
        let mut orders = Orders::new(&self.trials, profile.clone(), is_kept);
        if !known.is_empty() {
            self.promises.extend(orders.begin(&mut self.trials, known));
        }
        self.promises.extend(orders.run(&mut self.trials, choice));
        self.orders = Some(orders);
        trace("after the search for orders, best", self.best_cost());
    }

    /// All tensors that can be dropped, ranked for each rate.
    fn candidates(&self, profile: &Profile, is_kept: &[bool]) -> Candidates {
        let longest = tuning::MANNERS[0].longest;
        // Found once for all rates: chains of recomputation are expensive to find.
        let all = self.trials.producers.droppable(profile, is_kept, longest);
        log::debug!(target: "offload", "{} tensors can be dropped and recomputed", all.len());
        Candidates {
            lists: tuning::RATES.map(|rate| best_first(&all, profile, rate)),
            all,
        }
    }

    /// The best prefix of a ranking, in the best manner.
    fn best_choice<'d>(&mut self, candidates: &'d Candidates) -> Option<Found<'d>> {
        let Candidates { all, lists } = candidates;
        // The later phases choose among the same sets, whose outcomes are then known.
        if all.len() <= tuning::FEW {
            self.try_sets(all);
            trace("best of all sets", self.best_cost());
        }
        let found = self.best_prefix(lists)?;
        trace("best prefix of a list of candidates", Some(found.cost));
        let found = self.best_manner(found);
        trace("best manner of recomputation", Some(found.cost));
        Some(found)
    }

    /// Improves a choice, unless it is nearly ideal, or an order is so much better that this would be in vain.
    /// `to_beat`: the makespan of a plan with addresses, to be compared with instead.
    fn improve_choice(&mut self, profile: &Profile, found: Option<Found>, to_beat: Option<u64>) {
        let Some(mut found) = found else {
            return;
        };
        self.has_left_choice =
            to_beat.is_none() && (self.has_left_orders || self.is_hopeless(found.cost));
        if self.has_left_choice {
            return;
        }
        // Sketches estimate the makespan, which is not what the other policies minimize.
        if self.trials.policy == OffloadPolicy::Auto {
            if to_beat.is_some() || !self.has_annealed {
                found = self.annealed(profile, found, ANNEALED);
                trace("annealed", Some(found.cost));
            }
            let is_far = |most| !is_within(found.cost.makespan, most, tuning::LOST);
            if to_beat.is_some_and(is_far) {
                return;
            }
        }
        self.improve(found);
        trace("after local search, best", self.best_cost());
    }

    /// Whether a choice is so much worse than an order that improving it would be in vain.
    fn is_hopeless(&self, cost: Cost) -> bool {
        let is_large = self.trials.problem.steps.len() > tuning::SMALL;
        let orders = self.orders.as_ref().and_then(Orders::best_cost);
        let is_far = |own: Cost| !is_within(cost.makespan, own.makespan, tuning::HOPELESS);
        is_large && orders.is_some_and(is_far)
    }

    /// Tries all subsets, in all manners.
    fn try_sets(&mut self, all: &[Droppable]) {
        let mut choices = Vec::new();
        for set in 0..1_u32 << all.len() {
            for manner in tuning::MANNERS {
                let mut choice = Choice::first(all, 0, manner);
                for (index, is_dropped) in choice.is_dropped.iter_mut().enumerate() {
                    *is_dropped = set >> index & 1 == 1;
                }
                choices.push((choice, None));
            }
        }
        self.trials.all(choices);
    }

    /// Keeps every ⌊√n⌋-th of n droppable tensors.
    fn checkpoints(&mut self, profile: &Profile, is_kept: &[bool]) {
        let producers = &self.trials.producers;
        let mut droppable = producers.droppable(profile, is_kept, usize::MAX);
        // In the order of the program, so that the checkpoints are spread evenly over it.
        droppable.sort_by_key(|own| (own.after, own.tensor));
        let every = droppable.len().isqrt().max(1);
        // The published algorithm limits nothing: between checkpoints, everything is recomputed.
        let manner = Manner {
            longest: usize::MAX,
            keeps: true,
            // Recomputed tensors stay for about the distance between two checkpoints.
            window: self.trials.problem.steps.len() / every,
        };
        let choice = Choice {
            droppable: &droppable,
            is_dropped: (0..droppable.len())
                .map(|index| index % every != 0)
                .collect(),
            manner,
        };
        let repetitions = choice.replay(&self.trials.producers);
        if self.trials.policy == OffloadPolicy::Checkpoints {
            // The plan without repetitions is among the best already, but not what this policy asks
            // for.
            self.trials.best.clear();
        }
        let cost = self.trials.attempt(&repetitions);
        self.promises.extend(cost.map(|cost| (cost, repetitions)));
    }

    /// The best prefix of any of the lists. Each list comes with the length to start from.
    fn best_prefix<'d>(&mut self, lists: &'d [(Vec<Droppable>, usize)]) -> Option<Found<'d>> {
        let mut climbs = self.climbs(lists);
        while !self.trials.is_over() {
            // All lists climb together, so that there is enough to plan in parallel.
            let mut choices = Vec::new();
            for climb in climbs.iter().filter(|climb| climb.step > 0) {
                // A choice whose computation alone takes longer is rejected without a plan.
                // Each list is compared with itself until all climbs end: one that starts badly may
                // have the best prefix.
                let limit = climb.best.as_ref().map(|best| best.cost);
                for n in climb.sides() {
                    choices.push((Choice::first(climb.list, n, tuning::MANNERS[0]), limit));
                }
            }
            if choices.is_empty() {
                break;
            }
            let mut found = self.trials.all(choices).into_iter();
            for climb in climbs.iter_mut().filter(|climb| climb.step > 0) {
                climb.refine(&mut found);
            }
        }
        climbs
            .into_iter()
            .filter_map(|climb| climb.best)
            .min_by_key(|best| best.cost)
    }

    /// A climb for each list, at its first length.
    fn climbs<'d>(&mut self, lists: &'d [(Vec<Droppable>, usize)]) -> Vec<Climb<'d>> {
        let manner = tuning::MANNERS[0];
        let starts = lists
            .iter()
            .map(|(list, n)| (Choice::first(list, *n, manner), None));
        let found = self.trials.all(starts.collect());
        let climb = |((list, n), best): (&'d (Vec<Droppable>, usize), _)| Climb {
            list,
            middle: *n,
            // At least one, since zero stands for a finished climb.
            step: n.div_ceil(tuning::FIRST_STRIDE).max(1),
            best,
        };
        lists.iter().zip(found).map(climb).collect()
    }

    /// The best manner of recomputing the same tensors.
    fn best_manner<'d>(&mut self, found: Found<'d>) -> Found<'d> {
        let others = tuning::MANNERS[1..].iter().map(|manner| {
            let choice = Choice {
                manner: *manner,
                ..found.choice.clone()
            };
            (choice, Some(found.cost))
        });
        let others = self.trials.all(others.collect());
        // The limit admits only choices that are better than `found`.
        let best = others.into_iter().flatten().min_by_key(|other| other.cost);
        best.unwrap_or(found)
    }

    /// Plans choices annealed from `found` in a sketch, and returns the best. The fraction of the
    /// link's time that copies can use depends on the program, so the chains try several fractions,
    /// and later rounds narrow down to the best.
    fn annealed<'d>(
        &mut self,
        profile: &Profile,
        mut found: Found<'d>,
        Annealed { n_rounds, n_looks }: Annealed,
    ) -> Found<'d> {
        let sketch = Sketch::new(self.trials.problem, self.trials.repeatable, profile);
        let (mut middle, mut width) = (tuning::REACH, tuning::REACH_WIDTH);
        for round in 0..n_rounds {
            let trials = &self.trials;
            let parts = (0..tuning::CHAINS).map(|chain| {
                let side = 2.0 * chain as f64 / (tuning::CHAINS - 1) as f64 - 1.0;
                (middle + side * width).clamp(tuning::REACH_LIMITS.0, tuning::REACH_LIMITS.1)
            });
            let chains: Vec<(usize, f64)> = parts.enumerate().collect();
            let anneal = |&(chain, part): &(usize, f64)| {
                // From the position alone, so that the threads do not matter.
                let seed = (round * tuning::CHAINS + chain) as u64;
                let choice = anneal(
                    &sketch,
                    part,
                    &trials.producers,
                    &found.choice,
                    n_looks,
                    seed,
                );
                // Without a limit: a worse choice still tells which fraction predicts plans best.
                (choice, None)
            };
            let choices = chains.par_iter().map(anneal).collect();
            let all = self.trials.all(choices).into_iter().zip(&chains);
            let all = all.filter_map(|(own, (_, part))| Some((own?, *part)));
            let Some((best, part)) = all.min_by_key(|(own, _)| own.cost) else {
                break;
            };
            // The fraction depends on the program rather than on a choice, so it is narrowed down
            // even if no chain has found a better choice.
            middle = part;
            width /= 2.0;
            let before = found.cost.makespan;
            if best.cost < found.cost {
                found = best;
            }
            if self.is_large() && is_within(before, found.cost.makespan, tuning::ANNEAL_GAIN) {
                break;
            }
        }
        found
    }

    /// Drops more or fewer tensors, as long as that improves the choice: first those whose copies
    /// stall, all together or one at a time; then any.
    fn improve(&mut self, mut found: Found) {
        let is_large = self.is_large();
        let (mut n_batches, mut before) = (0, found.cost.makespan);
        let mut is_in_vain = |makespan: u64| {
            n_batches += 1;
            if !is_large || n_batches % tuning::GAIN_BATCHES != 0 {
                return false;
            }
            let known = std::mem::replace(&mut before, makespan);
            is_within(known, makespan, tuning::LEAST_GAIN)
        };
        loop {
            let awaited = found.awaited();
            let all = 0..found.choice.droppable.len();
            let singles = awaited.iter().copied().chain(all).map(|index| vec![index]);
            // If no copy stalls, the first move is empty: its outcome is known and no improvement.
            let moves: Vec<Vec<usize>> = std::iter::once(awaited.clone()).chain(singles).collect();
            // One batch at a time: its best change is accepted at once, and the moves after it
            // would be evaluated for an outdated choice.
            let mut is_over = false;
            let better = moves.chunks(tuning::BATCH).find_map(|moves| {
                is_over |= self.trials.is_over() || is_in_vain(found.cost.makespan);
                if is_over {
                    return None;
                }
                let trial =
                    |indices: &Vec<usize>| (found.choice.toggled(indices), Some(found.cost));
                let others = self.trials.all(moves.iter().map(trial).collect());
                others.into_iter().flatten().min_by_key(|other| other.cost)
            });
            let Some(better) = better else { break };
            // An accepted change moves the stalls, so the moves start over.
            found = better;
        }
    }

    /// The best choice with as few copies as possible: it may have addresses where others have none.
    pub(super) fn recompute(&mut self) -> Option<Promise> {
        let policy = OffloadPolicy::Recompute;
        let mut other = Search::new(
            self.trials.problem,
            self.trials.repeatable,
            policy,
            self.trials.advice,
        );
        // A search of its own, since minimizing copies changes every comparison.
        other.run(&[]);
        let (cost, repetitions) = other.trials.best.into_iter().next()?;
        // The policy of that search counts copied bytes, and `auto` does not.
        let cost = Cost { copied: 0, ..cost };
        self.trials.offer(cost, &repetitions);
        trace("with as few copies as possible", Some(cost));
        let promise = (cost, repetitions);
        self.promises.push(promise.clone());
        Some(promise)
    }
}

/// Per tensor: the advice forbids to recompute it. A pin says where its contents are, which
/// recomputation would contradict.
pub(super) fn kept(problem: &LevelProblem, advice: &Advice) -> Vec<bool> {
    let mut is_kept = vec![false; problem.tensors.len()];
    let Advice {
        keep, stay, leave, ..
    } = advice;
    for tensor in keep.iter().chain(stay).chain(leave) {
        if let Some(is_kept) = is_kept.get_mut(tensor.index()) {
            *is_kept = true;
        }
    }
    is_kept
}

/// Traces the outcome of a phase.
fn trace(phase: &str, cost: Option<Cost>) {
    match cost {
        Some(cost) => log::debug!(
            target: "offload",
            "{phase}: makespan {}, {} bytes copied", cost.makespan, cost.copied,
        ),
        None => log::debug!(target: "offload", "{phase}: no plan"),
    }
}

impl<'d> Climb<'d> {
    /// The lengths to try next.
    fn sides(&self) -> [usize; 2] {
        let up = (self.middle + self.step).min(self.list.len());
        [self.middle.saturating_sub(self.step), up]
    }

    /// Moves to the better side if it improves the choice, and halves the distance otherwise.
    fn refine(&mut self, found: &mut impl Iterator<Item = Option<Found<'d>>>) {
        // `found` comes second: as the first, it would lose the result of the next climb when the
        // sides end.
        let sides = self.sides().into_iter().zip(found);
        let better = sides.filter_map(|(n, found)| Some((n, found?)));
        match better.min_by_key(|(_, found)| found.cost) {
            Some((n, better)) => {
                self.middle = n;
                self.best = Some(better);
            }
            // Rounded up, a distance of one would never shrink.
            None if self.step == 1 => self.step = 0,
            None => self.step = self.step.div_ceil(2),
        }
    }
}

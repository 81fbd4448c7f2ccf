//! Residence first: assigns the levels of each tensor over time, with addresses, one tensor after
//! the other. Then removes some of them and puts them back in another order, as long as that makes
//! the plan cheaper.
//!
//! The residence of a tensor is the cheapest that there is room for, by dynamic programming
//! ([`Walk`]); where no address is free for the whole interval of a residence, the interval is cut.
//! Tensors with the largest gain per byte and step come first. The improvement is a large
//! neighbourhood search (P. Shaw, 1998): the tensors resident during some steps are removed, and
//! reinserted in a partly random order.
//!
//! A tensor takes O(uses * 4^levels), plus a scan of the residences at the same time.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use mem_model::{Interval, LevelPlan, LevelProblem, TensorId};

use crate::observe;

use super::realize::realize;
use super::space_time::{Residence, SpaceTime};
use super::tuning;
use super::walk::Walk;

/// The plan of `global`, with random numbers from `seed`; `None` if there are too many levels, if some
/// tensor has no room, or if copies would have to wait for each other.
pub(super) fn plan(problem: &LevelProblem, walks: &[Walk<'_>], seed: u64) -> Option<LevelPlan> {
    let mut resident = Resident::new(problem, walks, seed)?;
    resident.improve(tuning::global_effort(problem));
    resident.plan()
}

/// A copy between two residences of a tensor, or from or to its home (`None`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Copying {
    pub gap: usize,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// Decisions for one tensor.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    pub cost: f64,
    /// Indices of its residences in the space.
    pub residences: Vec<usize>,
    /// Per use, in order: the step, and which of its own residences it accesses; `None`: its home.
    pub accessed: Vec<(usize, Option<usize>)>,
    pub copies: Vec<Copying>,
}

/// A tensor that was removed, as it was before.
struct Kept {
    tensor: TensorId,
    settled: Option<Settled>,
    residences: Vec<Residence>,
}

/// A plan under construction: the residences of all tensors.
pub(super) struct Resident<'a> {
    pub(super) problem: &'a LevelProblem,
    walks: &'a [Walk<'a>],
    pub(super) space: SpaceTime,
    pub(super) settled: Vec<Option<Settled>>,
    /// Per tensor: its cost with the machine to itself, and in the slowest level only.
    range: Vec<(f64, f64)>,
    random: fastrand::Rng,
}

impl<'a> Resident<'a> {
    /// Places all tensors, those with the largest gain first. Returns `None` if there are too many
    /// levels, or if some tensor has no room.
    pub(super) fn new(problem: &'a LevelProblem, walks: &'a [Walk<'a>], seed: u64) -> Option<Self> {
        if problem.hierarchy.levels.len() > tuning::MAX_LEVELS {
            return None;
        }
        let space = SpaceTime::new(problem)?;
        let slowest = problem.hierarchy.levels.len() - 1;
        let range = walks.iter().map(|walk| {
            let size = walk.own().size.get();
            let fits = |level: usize| size <= space.capacities[level];
            let free = |level: usize, _, _| if fits(level) { 0.0 } else { f64::INFINITY };
            let slow = |level: usize, _, _| if level == slowest { 0.0 } else { f64::INFINITY };
            let alone = walk.cheapest(&free).map_or(0.0, |(cost, _)| cost);
            // A tensor that the slowest level alone cannot serve has an infinite gain, and is
            // placed first: it has the fewest alternatives.
            let worst = walk.cheapest(&slow).map_or(f64::INFINITY, |(cost, _)| cost);
            (alone, worst)
        });
        let mut resident = Self {
            problem,
            walks,
            range: range.collect(),
            space,
            settled: vec![None; problem.tensors.len()],
            random: fastrand::Rng::with_seed(seed),
        };
        let all = (0..walks.len()).map(TensorId::new).collect();
        let order = resident.order(all, 0.0);
        resident.settle_all(&order).then_some(resident)
    }

    /// Cycles of all accesses and copies.
    pub(super) fn cost(&self) -> f64 {
        self.settled
            .iter()
            .flatten()
            .map(|settled| settled.cost)
            .sum()
    }

    /// Order in which tensors are placed: by gain per byte and step. `noise`: the weight of random
    /// perturbation.
    fn order(&mut self, tensors: Vec<TensorId>, noise: f64) -> Vec<TensorId> {
        let mut scored: Vec<(f64, TensorId)> = tensors
            .into_iter()
            .map(|tensor| {
                let (alone, worst) = self.range[tensor.index()];
                let walk = &self.walks[tensor.index()];
                let steps = match (walk.stops.first(), walk.stops.last()) {
                    (Some(first), Some(last)) => last.steps.end - first.steps.start,
                    _ => 1,
                };
                // The one avoids a division by zero for tensors without bytes.
                let room = walk.own().size.get() as f64 * steps as f64 + 1.0;
                let gain = (worst - alone) / room;
                let chance = 1.0 + noise * (self.random.f64() - 0.5);
                (gain * chance, tensor)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.into_iter().map(|(_, tensor)| tensor).collect()
    }

    /// Places tensors in order. If one has no room, removes the others again and returns `false`.
    fn settle_all(&mut self, order: &[TensorId]) -> bool {
        for (number, tensor) in order.iter().enumerate() {
            match self.settle(*tensor) {
                Some(settled) => self.settled[tensor.index()] = Some(settled),
                // All or nothing, so that the caller can restore the previous residences.
                None => {
                    order[..number]
                        .iter()
                        .for_each(|tensor| self.unsettle(*tensor));
                    return false;
                }
            }
        }
        true
    }

    fn unsettle(&mut self, tensor: TensorId) {
        if let Some(settled) = self.settled[tensor.index()].take() {
            for number in settled.residences {
                self.space.remove(number);
            }
        }
    }

    /// Places a tensor at the cheapest residence that there is room for.
    fn settle(&mut self, tensor: TensorId) -> Option<Settled> {
        let walk = &self.walks[tensor.index()];
        let slowest = self.problem.hierarchy.levels.len() - 1;
        // The dynamic program asks the same for many sets of levels.
        // The answers hold for all attempts, since a failed one leaves no residence.
        let rooms: RefCell<HashMap<(usize, usize, usize), bool>> = RefCell::default();
        // Intervals of levels without room.
        let mut blocked: Vec<(usize, usize, usize)> = Vec::new();
        for attempt in 0..=tuning::CUTS {
            let way = walk.cheapest(&|level, start, end| {
                let is_cut = blocked
                    .iter()
                    .any(|(of, from, to)| *of == level && *from < end && start < *to);
                // The last attempt is conservative: the slowest level, and single steps of others.
                let is_late = attempt == tuning::CUTS && level != slowest && end > start + 1;
                if is_cut || is_late {
                    return f64::INFINITY;
                }
                let mut rooms = rooms.borrow_mut();
                let has_room = rooms
                    .entry((level, start, end))
                    .or_insert_with(|| self.has_room(tensor, level, Interval::new(start, end)));
                if *has_room { 0.0 } else { f64::INFINITY }
            });
            let (cost, choices) = way?;
            let (settled, residences) = realize(walk, &choices, cost);
            // There is room for each residence alone, but not necessarily for all of them.
            match self.place(&residences) {
                Ok(numbers) => {
                    return Some(Settled {
                        residences: numbers,
                        ..settled
                    });
                }
                Err((level, from, to)) => blocked.push((level, from, to)),
            }
        }
        None
    }

    /// Whether a tensor has an address in a level during some steps, if no other one of its
    /// residences is in the way.
    fn has_room(&self, tensor: TensorId, level: usize, steps: Interval<usize>) -> bool {
        let is_unbounded = self.space.capacities[level] == crate::MAX_BYTES.get();
        is_unbounded
            || self.space.find(tensor, level, steps).is_some()
            || self.taken_over(tensor, level, steps.start).is_some()
    }

    /// Residence of an operand whose bytes a tensor may take over at its first step.
    fn taken_over(&self, tensor: TensorId, level: usize, step: usize) -> Option<usize> {
        let stop = self.walks[tensor.index()].stops.first()?;
        let (at, used) = stop.uses.first()?;
        // Only where the tensor begins: later, it may have bytes of its own.
        if *at != step || !stop.takes_over || stop.steps.start != step {
            return None;
        }
        let operand = self.problem.steps[step].uses.get(used.takes_over?)?.tensor;
        let theirs = self.settled[operand.index()].as_ref()?;
        // A result is written home only after this step, which overwrites it here; the next
        // iteration of a loop still reads what the loop carries.
        if self.problem.tensors[operand.index()].is_result
            || self.problem.tensors[operand.index()]
                .carried_around(step)
                .is_some()
        {
            return None;
        }
        let accessed = theirs.accessed.iter().find(|(at, _)| *at == step)?;
        let own = accessed.1?;
        // A later copy out of that residence still needs the bytes.
        let mut copies = theirs.copies.iter();
        if copies.any(|copy| copy.from == Some(own) && copy.gap > step) {
            return None;
        }
        // The residence must also end here: a later use would read overwritten bytes.
        let number = theirs.residences[own];
        let residence = self.space.residences[number]?;
        let steps = Interval::new(step, step + 1);
        (residence.level == level && self.space.can_take_over(tensor, steps, number))
            .then_some(number)
    }

    /// Assigns addresses to all residences; or returns a level and the steps `[from, to)` at which
    /// one has none.
    fn place(&mut self, residences: &[Residence]) -> Result<Vec<usize>, (usize, usize, usize)> {
        let mut numbers = Vec::with_capacity(residences.len());
        for residence in residences {
            let Residence {
                tensor,
                level,
                steps,
                ..
            } = *residence;
            let taken = self.taken_over(tensor, level, steps.start);
            // `taken_over` asks about the first step; the bytes must be free for all the others,
            // too.
            let taken = taken.filter(|number| self.space.can_take_over(tensor, steps, *number));
            let offset = match taken.and_then(|number| self.space.residences[number]) {
                Some(theirs) => Some(theirs.offset),
                None => self.space.find(tensor, level, steps),
            };
            // A failed attempt must not leave residences in the way of the next one.
            let Some(offset) = offset else {
                numbers
                    .into_iter()
                    .for_each(|number| self.space.remove(number));
                return Err(self.cut(tensor, level, steps));
            };
            numbers.push(self.space.insert(Residence {
                offset,
                ..*residence
            }));
        }
        Ok(numbers)
    }

    /// Where to cut a residence that has no address: after the longest prefix that has one.
    fn cut(&self, tensor: TensorId, level: usize, steps: Interval<usize>) -> (usize, usize, usize) {
        // Bisection: if a prefix has an address, so does every shorter one.
        let (mut low, mut high) = (steps.start, steps.end);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let part = Interval::new(steps.start, middle);
            match self.space.find(tensor, level, part) {
                Some(_) => low = middle,
                None => high = middle,
            }
        }
        // A single step is enough: no residence can span it, and the prefix stays possible.
        (level, high - 1, high)
    }

    /// Removes tensors and puts them back, until `effort` residences and uses have been examined.
    pub(super) fn improve(&mut self, effort: u64) {
        let by_step = self.tensors_by_step();
        let mut cost = self.cost();
        // The effort counts examined residences rather than rounds, since a round in a crowded part
        // of the program takes far longer.
        let limit = self.space.n_looks.get().saturating_add(effort);
        while self.space.n_looks.get() < limit && !observe::is_stopped() {
            let n_left = limit - self.space.n_looks.get();
            let spent = 1.0 - n_left as f64 / effort.max(1) as f64;
            observe::report_cycles(Some(cost as u64), None, Some(spent));
            let neighbourhood = self.neighbourhood(&by_step);
            self.charge(&neighbourhood);
            let kept: Vec<Kept> = neighbourhood.iter().map(|own| self.kept(*own)).collect();
            // The cost is a sum over tensors, so only those of the neighbourhood are compared.
            let costs = kept.iter().filter_map(|own| own.settled.as_ref());
            let before: f64 = costs.map(|settled| settled.cost).sum();
            for tensor in &neighbourhood {
                self.unsettle(*tensor);
            }
            // Mostly small changes of the order, and now and then a nearly random one, to leave
            // local optima.
            let noise = match self.random.usize(..tuning::NOISE_RARE_ONE_IN) {
                0 => tuning::NOISE_RARE,
                _ => tuning::NOISE_USUAL,
            };
            let order = self.order(neighbourhood, noise);
            let is_complete = self.settle_all(&order);
            let costs = order
                .iter()
                .filter_map(|own| self.settled[own.index()].as_ref());
            let after: f64 = costs.map(|settled| settled.cost).sum();
            // Accepting plans of equal cost lets the search cross plateaus.
            if is_complete && after <= before {
                cost += after - before;
                continue;
            }
            for tensor in &order {
                self.unsettle(*tensor);
            }
            for own in kept {
                self.restore(own);
            }
        }
        debug_assert!((cost - self.cost()).abs() <= 1e-6 * cost.abs() + 1.0);
    }

    /// Charges the dynamic programs of some tensors to the effort, which counts residences only.
    fn charge(&self, tensors: &[TensorId]) {
        let uses = tensors
            .iter()
            .map(|tensor| self.walks[tensor.index()].stops.len() + tuning::STOPS_PER_TENSOR);
        // At least one, so that the search ends even if nothing is ever chosen.
        let uses = uses.sum::<usize>().max(1) as u64;
        let n_looks = self.space.n_looks.get() + tuning::EFFORT_PER_STOP * uses;
        self.space.n_looks.set(n_looks);
    }

    fn kept(&self, tensor: TensorId) -> Kept {
        let settled = self.settled[tensor.index()].clone();
        let numbers = settled.iter().flat_map(|settled| &settled.residences);
        let residences = numbers.filter_map(|number| self.space.residences[*number]);
        Kept {
            tensor,
            residences: residences.collect(),
            settled,
        }
    }

    /// Puts a tensor back where it was.
    fn restore(&mut self, own: Kept) {
        let numbers = own.residences.into_iter();
        // Numbers are reused, so the residences may get others than before.
        let numbers = numbers.map(|own| self.space.insert(own)).collect();
        self.settled[own.tensor.index()] = own.settled.map(|settled| Settled {
            residences: numbers,
            ..settled
        });
    }

    /// Per step: the tensors that it uses.
    fn tensors_by_step(&self) -> Vec<Vec<TensorId>> {
        let mut by_step = vec![Vec::new(); self.problem.steps.len()];
        for (tensor, walk) in self.walks.iter().enumerate() {
            for (step, _) in walk.stops.iter().flat_map(|stop| &stop.uses) {
                by_step[*step].push(TensorId::new(tensor));
            }
        }
        by_step
    }

    /// Some related tensors: those used in a range of steps, and those in bounded levels at the
    /// same time.
    fn neighbourhood(&mut self, by_step: &[Vec<TensorId>]) -> Vec<TensorId> {
        let n_steps = by_step.len();
        // Ordered: the random picks below must not depend on the order of a hash table.
        let mut chosen = BTreeSet::new();
        if n_steps == 0 {
            return Vec::new();
        }
        let start = self.random.usize(..n_steps);
        let length = 1 + self.random.usize(..tuning::NEIGHBOURHOOD_STEPS);
        let end = (start + length).min(n_steps);
        for tensors in &by_step[start..end] {
            chosen.extend(tensors.iter().copied());
        }
        let steps = Interval::new(start, end);
        // The slowest level holds whatever no other level holds, so it keeps no tensor from moving.
        let bounded = 0..self.problem.hierarchy.levels.len() - 1;
        for level in bounded {
            for bucket in SpaceTime::buckets_of(steps) {
                for number in self.space.buckets[level].get(bucket).into_iter().flatten() {
                    if let Some(other) = &self.space.residences[*number]
                        && other.steps.overlaps(steps)
                    {
                        chosen.insert(other.tensor);
                    }
                }
            }
        }
        let mut chosen: Vec<TensorId> = chosen.into_iter().collect();
        // No more than can be placed again in reasonable time.
        while chosen.len() > tuning::NEIGHBOURHOOD_TENSORS {
            let index = self.random.usize(..chosen.len());
            chosen.swap_remove(index);
        }
        chosen
    }
}

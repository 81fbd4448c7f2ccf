//! The cheapest way of one tensor through its uses if bytes have prices: at most the cost of the
//! tensor in any plan.
//!
//! A plan may copy a tensor at any step between two uses, through several levels, and may keep any
//! copies. The walks of [`walk`](super::walk) copy only next to uses, so they do not cover all
//! plans: where two levels are tight one after the other, a tensor moves from one to the other in
//! between, and is never in a tight level.
//!
//! # Algorithm
//!
//! Dynamic programming over the sets of levels that hold the tensor before and after each use. A
//! level that holds it before and after a gap held it all the time, or it was copied there again. A
//! single copy moves the tensor at the best step of the gap. Several copies are charged as if they
//! took no room.
//!
//! O(uses * 4^levels * levels).

use mem_cost::transfer_cost;
use mem_model::{Bytes, Hierarchy, Interval, LevelId};

use super::walk::{Set, Stop, Walk, levels_of, only};

/// Prices of the bytes of a tensor in each level.
pub(super) trait Prices {
    /// Price of a level that holds it during some steps; infinite if it never fits there.
    fn holding(&self, level: usize, steps: Interval<usize>) -> f64;

    /// Least price of one level up to some step, and of another from there on; and that step.
    fn moving(&self, from: usize, to: usize, steps: Interval<usize>) -> (f64, usize);
}

/// Steps for which a level was charged.
pub(super) type Charge = (usize, Interval<usize>);

/// Cycles of the copies of a tensor; infinite where no engine copies.
pub(super) struct Copies {
    /// Indexed by source and target.
    each: Vec<Vec<f64>>,
    /// Indexed by target: the cheapest copy to it.
    to: Vec<f64>,
    /// Indexed by two sets: from the levels of the first to all those of the second.
    all: Vec<Vec<f64>>,
}

impl Copies {
    pub(super) fn new(hierarchy: &Hierarchy, size: Bytes) -> Self {
        let n_levels = hierarchy.levels.len();
        let cycles = |from: usize, to: usize| {
            let ids = [from, to].map(LevelId::new);
            let can_be = from != to && hierarchy.connects(ids[0], ids[1]);
            let cycles = transfer_cost(hierarchy, size, ids[0], ids[1]);
            if can_be { cycles as f64 } else { f64::INFINITY }
        };
        let each = (0..n_levels).map(|from| (0..n_levels).map(|to| cycles(from, to)).collect());
        let each: Vec<Vec<f64>> = each.collect();
        let cheapest = |set: Set, to: usize| {
            let from = levels_of(set).map(|from| each[from][to]);
            from.fold(f64::INFINITY, f64::min)
        };
        let sets = 1_usize << n_levels;
        let all = (0..sets).map(|from| {
            let mut costs = vec![f64::INFINITY; sets];
            costs[from] = 0.0;
            // A copy adds a level: larger sets have larger numbers.
            for set in from..sets {
                for to in levels_of(!(set as Set)).filter(|to| *to < n_levels) {
                    let larger = set | usize::from(only(to));
                    let cost = costs[set] + cheapest(set as Set, to);
                    costs[larger] = costs[larger].min(cost);
                }
            }
            // Any larger set will do: a copy in between may be the only way, or the cheaper one.
            let covering = |wanted: usize| {
                let sets = (0..sets).filter(|set| set & wanted == wanted);
                sets.map(|set| costs[set]).fold(f64::INFINITY, f64::min)
            };
            (0..sets).map(covering).collect()
        });
        Self {
            all: all.collect(),
            to: (0..n_levels)
                .map(|to| cheapest(Set::MAX >> (Set::BITS as usize - n_levels), to))
                .collect(),
            each,
        }
    }

    /// The cheapest copy out of a level.
    fn from(&self, from: usize) -> f64 {
        self.each[from]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// The cheapest two copies one after the other, the second one to a level.
    fn two(&self, to: usize) -> f64 {
        let between = self.each.iter().zip(&self.to);
        let both = between.map(|(each, first)| each[to] + first);
        both.fold(f64::INFINITY, f64::min)
    }
}

/// A tensor at some prices.
pub(super) struct Relaxed<'a, P> {
    pub walk: &'a Walk<'a>,
    pub copies: &'a Copies,
    pub prices: &'a P,
}

/// The costs of sets of levels, and for each the set before it.
#[derive(Clone)]
struct Frontier(Vec<(f64, Set)>);

impl Frontier {
    fn new(n_sets: usize) -> Self {
        Self(vec![(f64::INFINITY, 0); n_sets])
    }

    fn add(&mut self, set: Set, cost: f64, before: Set) {
        let known = &mut self.0[usize::from(set)];
        // Strictly: the first of equals wins.
        if cost < known.0 {
            *known = (cost, before);
        }
    }

    fn sets(&self) -> impl Iterator<Item = (Set, f64)> {
        let sets = self.0.iter().enumerate();
        let finite = sets.filter(|(_, (cost, _))| cost.is_finite());
        finite.map(|(set, (cost, _))| (set as Set, *cost))
    }
}

impl<P: Prices> Relaxed<'_, P> {
    /// At most the cost of any plan, and what it is charged for; `None` if there is no plan.
    pub(super) fn cheapest(&self) -> Option<(f64, Vec<Charge>)> {
        let n_sets = self.copies.all.len();
        let sets = || (0..n_sets).map(|set| set as Set);
        let start = self.walk.start();
        let mut after = Frontier::new(n_sets);
        after.add(start, 0.0, 0);
        let mut frontiers = Vec::with_capacity(2 * self.walk.stops.len());
        for (index, stop) in self.walk.stops.iter().enumerate() {
            let mut before = Frontier::new(n_sets);
            for (set, cost) in after.sets() {
                // A valid home stays valid: it takes no room.
                for next in sets().filter(|next| set & start & !next == 0) {
                    before.add(next, cost + self.between(index, set, next, &mut None), set);
                }
            }
            after = Frontier::new(n_sets);
            for (set, cost) in before.sets() {
                for held in sets().filter(|held| self.can_hold(stop, set, *held)) {
                    after.add(held, cost + self.at(stop, held), set);
                }
            }
            frontiers.push((before, after.clone()));
        }
        // Nothing uses the tensor: it stays where it is.
        if frontiers.is_empty() {
            return Some((0.0, Vec::new()));
        }
        let ends = after.sets().map(|(set, cost)| (set, cost + self.last(set)));
        let (end, cost) = ends.min_by(|a, b| a.1.total_cmp(&b.1))?;
        cost.is_finite()
            .then(|| (cost, self.charges(&frontiers, end)))
    }

    fn hold(&self, level: usize, steps: Interval<usize>) -> f64 {
        match self.walk.is_home(level) {
            // The capacities that have prices exclude the bytes of homes.
            true => 0.0,
            false => self.prices.holding(level, steps),
        }
    }

    /// Least cost of a gap with the tensor in one set of levels before it and in another after it,
    /// and the charges for its bytes.
    fn between(&self, index: usize, set: Set, next: Set, charges: &mut Option<Vec<Charge>>) -> f64 {
        let stop = &self.walk.stops[index];
        let last = index.checked_sub(1).map(|last| &self.walk.stops[last]);
        let gap = Interval::new(last.map_or(0, |last| last.steps.end), stop.steps.start);
        let times = stop.entry.map_or(f64::INFINITY, |(_, repeats)| {
            // Only the first execution of a repeated copy is free.
            (repeats - u64::from(stop.is_preloaded)) as f64
        });
        let copied = |cycles: f64| match cycles.is_finite() && times.is_finite() {
            true => cycles * times,
            false => f64::INFINITY,
        };
        let mut charge = |level: usize, steps: Interval<usize>| {
            if let Some(charges) = charges.as_mut().filter(|_| !self.walk.is_home(level)) {
                charges.push((level, steps));
            }
        };
        let mut cost = 0.0;
        for level in levels_of(set & next) {
            let held = self.hold(level, gap);
            // Dropped and copied there again; if no other level holds the tensor, it has to be
            // copied elsewhere before that.
            let again = match set == only(level) {
                true => self.copies.from(level) + self.copies.to[level],
                false => self.copies.to[level],
            };
            if held <= copied(again) {
                charge(level, gap);
            }
            cost += held.min(copied(again));
        }
        let new = next & !set;
        if new == 0 {
            return cost;
        }
        // A tensor that does not fit into a level has no price there for however few steps.
        let at_end = Interval::new(gap.end, gap.end);
        cost += levels_of(new)
            .map(|level| self.hold(level, at_end))
            .sum::<f64>();
        let several = self.copies.all[usize::from(set)][usize::from(new)];
        if set & next != 0 || new.count_ones() > 1 {
            return cost + copied(several);
        }
        let to = new.trailing_zeros() as usize;
        // Two copies at least: a single one is charged for its room below.
        let mut best = (copied(several.max(self.copies.two(to))), None);
        for from in levels_of(set) {
            let (held, step) = self.moving(from, to, gap);
            let own = copied(self.copies.each[from][to]) + held;
            if own < best.0 {
                best = (own, Some((from, step)));
            }
        }
        if let Some((from, step)) = best.1 {
            charge(from, Interval::new(gap.start, step));
            charge(to, Interval::new(step, gap.end));
        }
        cost + best.0
    }

    /// Least price of the bytes of a tensor that moves once, and the step before which it does.
    fn moving(&self, from: usize, to: usize, gap: Interval<usize>) -> (f64, usize) {
        match (self.walk.is_home(from), self.walk.is_home(to)) {
            (true, _) => (0.0, gap.end),
            (_, true) => (0.0, gap.start),
            _ => self.prices.moving(from, to, gap),
        }
    }

    /// Whether a stop can have the tensor in a set of levels, of those that hold it before.
    fn can_hold(&self, stop: &Stop<'_>, set: Set, held: Set) -> bool {
        // A write leaves only one copy that is valid, and a valid home stays valid otherwise.
        let is_right = match stop.writes {
            true => held.count_ones() == 1,
            false => held != 0 && set & self.walk.start() & !held == 0,
        };
        // Copies are made in the gap before the stop, so contents that are needed are already
        // there.
        is_right && (!stop.needs || held & !set == 0)
    }

    /// Cost of a stop in a set of levels.
    fn at(&self, stop: &Stop<'_>, held: Set) -> f64 {
        let mut cost = 0.0;
        for level in levels_of(held) {
            let price = self.hold(level, stop.steps);
            // Bytes that are taken over are paid for, but the level must have room.
            cost += match stop.takes_over && price.is_finite() {
                true => 0.0,
                false => price,
            };
        }
        for (step, used) in &stop.uses {
            let taken = self.walk.taken(held, *step, used);
            cost += taken.map_or(f64::INFINITY, |(_, cycles)| cycles as f64);
        }
        cost
    }

    /// Cost after the last stop: results return home, and nothing else is needed.
    fn last(&self, set: Set) -> f64 {
        let home = self.walk.start();
        if !self.walk.own().is_result || home & !set == 0 {
            return 0.0;
        }
        // Any number of copies home, without a charge for room: the bound must not exceed the cost
        // of a plan.
        let exit = self.walk.stops.last().and_then(|stop| stop.exit);
        let cycles = self.copies.all[usize::from(set)][usize::from(home)];
        match exit {
            Some((_, repeats)) if cycles.is_finite() => cycles * repeats as f64,
            _ => f64::INFINITY,
        }
    }

    /// What the way to a set after the last stop was charged for.
    fn charges(&self, frontiers: &[(Frontier, Frontier)], end: Set) -> Vec<Charge> {
        let mut charges = Some(Vec::new());
        let mut held = end;
        for (index, (before, after)) in frontiers.iter().enumerate().rev() {
            let stop = &self.walk.stops[index];
            // As in `at`: bytes that are taken over are not charged.
            if let Some(charges) = charges.as_mut().filter(|_| !stop.takes_over) {
                let levels = levels_of(held).filter(|level| !self.walk.is_home(*level));
                charges.extend(levels.map(|level| (level, stop.steps)));
            }
            let next = after.0[usize::from(held)].1;
            let set = before.0[usize::from(next)].1;
            self.between(index, set, next, &mut charges);
            held = set;
        }
        charges.unwrap_or_default()
    }
}

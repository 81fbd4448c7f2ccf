//! The walk of one tensor through its uses: which levels hold it when, if it had the machine to
//! itself.
//!
//! The state between two uses is the set of levels that hold the tensor. The caller decides the
//! cost of a level that holds it: a price, nothing, or infinity if there is no room. The cheapest
//! walk is found by dynamic programming over the uses. The uses in a loop that carries the tensor
//! around count as one, since it stays in place there.
//!
//! O(uses * 4^levels * levels).

use mem_cost::{transfer_cost, use_cost};
use mem_model::{Bytes, Interval, LevelId, LevelProblem, Tensor, TensorId, TensorUse};

use super::tuning;
use crate::sparse_table::SparseTable;

/// A set of levels, as a bit mask.
pub(super) type Set = u8;

/// The set of one level.
pub(super) fn only(level: usize) -> Set {
    1 << level
}

/// The levels of a set.
pub(super) fn levels_of(set: Set) -> impl Iterator<Item = usize> {
    (0..tuning::MAX_LEVELS).filter(move |level| set & only(*level) != 0)
}

/// A use of a tensor, or all its uses in a loop that carries it around.
pub(super) struct Stop<'a> {
    /// Steps during which it stays in place.
    pub steps: Interval<usize>,
    /// The steps that use it, in order.
    pub uses: Vec<(usize, &'a TensorUse)>,
    pub writes: bool,
    /// Its previous contents are needed.
    pub needs: bool,
    /// It takes over the bytes of an operand, which are already paid for.
    pub takes_over: bool,
    /// The first copy before the stop is free.
    pub is_preloaded: bool,
    /// The gap after the previous stop in which to copy it, and how often that copy runs: the
    /// latest of the least frequent.
    pub entry: Option<(usize, u64)>,
    /// The same for the gap before the next stop: the earliest of the least frequent.
    pub exit: Option<(usize, u64)>,
}

/// Decision at a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// Levels in which it is used.
    pub used: Set,
    /// Levels that hold it after the stop.
    pub kept: Set,
}

/// The stops of a tensor.
pub(super) struct Walk<'a> {
    pub problem: &'a LevelProblem,
    pub tensor: TensorId,
    pub stops: Vec<Stop<'a>>,
    n_levels: usize,
}

impl<'a> Walk<'a> {
    /// The walks of all tensors.
    pub(super) fn all(problem: &'a LevelProblem) -> Vec<Self> {
        let repeats = Repeats::new(problem);
        let mut uses: Vec<Vec<(usize, &TensorUse)>> = vec![Vec::new(); problem.tensors.len()];
        for (step, at) in problem.steps.iter().enumerate() {
            for used in &at.uses {
                uses[used.tensor.index()].push((step, used));
            }
        }
        let walks = uses.into_iter().enumerate();
        walks
            .map(|(tensor, uses)| Self::new(problem, TensorId::new(tensor), uses, &repeats))
            .collect()
    }

    fn new(
        problem: &'a LevelProblem,
        tensor: TensorId,
        uses: Vec<(usize, &'a TensorUse)>,
        repeats: &Repeats,
    ) -> Self {
        let own = &problem.tensors[tensor.index()];
        let mut stops = stops(own, uses);
        for index in 0..stops.len() {
            let before = index.checked_sub(1);
            let from = before.map_or(0, |before| stops[before].steps.end);
            let Interval { start, end } = stops[index].steps;
            let next = stops.get(index + 1).map(|next| next.steps.start);
            let next = next.unwrap_or(problem.steps.len());
            // Copies to a stop are late and copies from it are early: in between, the slower level
            // holds the tensor, and the faster one has room for others.
            stops[index].entry = repeats.best(own, from, start, true);
            stops[index].exit = repeats.best(own, end, next, false);
        }
        Self {
            problem,
            tensor,
            stops,
            n_levels: problem.hierarchy.levels.len(),
        }
    }

    pub(super) fn own(&self) -> &'a Tensor {
        &self.problem.tensors[self.tensor.index()]
    }

    /// Levels that hold it initially.
    pub(super) fn start(&self) -> Set {
        self.own().home.map_or(0, |home| only(home.index()))
    }

    /// Whether a level is the home, which always exists.
    pub(super) fn is_home(&self, level: usize) -> bool {
        self.own().home == Some(LevelId::new(level))
    }

    /// Cheapest level of a set to copy from, and the cycles of the copy.
    pub(super) fn fetch(&self, set: Set, to: usize) -> Option<(usize, u64)> {
        let (hierarchy, to) = (&self.problem.hierarchy, LevelId::new(to));
        let from = levels_of(set).filter(|from| hierarchy.connects(LevelId::new(*from), to));
        let cost = |from: usize| transfer_cost(hierarchy, self.own().size, LevelId::new(from), to);
        from.map(|from| (from, cost(from)))
            .min_by_key(|(_, cycles)| *cycles)
    }

    /// Cheapest level of a set that a use accepts, and the cycles of the use.
    pub(super) fn taken(&self, set: Set, step: usize, used: &TensorUse) -> Option<(usize, u64)> {
        let accepted = levels_of(set).filter(|level| used.accepts(LevelId::new(*level)));
        let repeats = self.problem.steps[step].repeats.max(1);
        let cost = |level: usize| {
            use_cost(&self.problem.hierarchy, used, LevelId::new(level)).saturating_mul(repeats)
        };
        accepted
            .map(|level| (level, cost(level)))
            .min_by_key(|(_, cycles)| *cycles)
    }

    /// The cheapest walk, if there is one. `holding(level, start, end)` is the cost of a level that
    /// holds the tensor during steps `[start, end)`, infinite if that is impossible.
    pub(super) fn cheapest(
        &self,
        holding: &impl Fn(usize, usize, usize) -> f64,
    ) -> Option<(f64, Vec<Choice>)> {
        let n_sets = 1_usize << self.n_levels;
        // Nothing uses the tensor: it stays where it is.
        if self.stops.is_empty() {
            return Some((0.0, Vec::new()));
        }
        let mut costs = vec![f64::INFINITY; n_sets];
        costs[usize::from(self.start())] = 0.0;
        // Indexed by stop and set after it: the set before, and the levels of the use.
        let mut ways: Vec<Vec<(Set, Set)>> = Vec::with_capacity(self.stops.len());
        for (index, stop) in self.stops.iter().enumerate() {
            let mut next = Frontier {
                costs: vec![f64::INFINITY; n_sets],
                ways: vec![(0, 0); n_sets],
            };
            for set in (0..n_sets).filter(|set| costs[*set].is_finite()) {
                let (set, cost) = (set as Set, costs[set]);
                for used in self.candidates(stop, set) {
                    let at = self.at(stop, set, used, holding);
                    if at.is_finite() {
                        self.leave(index, (set, used), cost + at, holding, &mut next);
                    }
                }
            }
            costs = next.costs;
            ways.push(next.ways);
        }
        // The first of equals: the choice must not depend on anything but the costs.
        let end = (0..n_sets).min_by(|a, b| costs[*a].total_cmp(&costs[*b]))?;
        costs[end]
            .is_finite()
            .then(|| (costs[end], choices(&ways, end as Set)))
    }

    /// Sets of levels that a stop can use.
    fn candidates(&self, stop: &Stop<'_>, set: Set) -> impl Iterator<Item = Set> {
        // A use accesses one placement, and a write leaves only one that is valid. So several
        // levels make sense only for the reads of a loop.
        let n_levels = self.n_levels;
        let is_single = stop.writes || stop.uses.len() == 1;
        let all = 1..(1_u16 << n_levels) as Set;
        // Reads can use several levels; those that hold the tensor already cost nothing more.
        all.filter(move |used| used.count_ones() == 1 || !is_single && *used & set == set)
    }

    /// Cost of a stop, including the copies that bring the tensor there.
    fn at(
        &self,
        stop: &Stop<'_>,
        set: Set,
        used: Set,
        holding: &impl Fn(usize, usize, usize) -> f64,
    ) -> f64 {
        let mut cost = 0.0;
        for level in levels_of(used) {
            if !self.is_home(level) && !stop.takes_over {
                cost += holding(level, stop.steps.start, stop.steps.end);
            } else if !self.is_home(level) {
                // The bytes are paid for, but the level must have room.
                let held = holding(level, stop.steps.start, stop.steps.end);
                cost += if held.is_finite() { 0.0 } else { held };
            }
            if set & only(level) != 0 || !stop.needs {
                continue;
            }
            match (self.fetch(set, level), stop.entry) {
                (Some((_, cycles)), Some((_, repeats))) => {
                    // Only the first execution of a repeated copy is free.
                    let times = repeats - u64::from(stop.is_preloaded);
                    cost += cycles.saturating_mul(times) as f64;
                }
                _ => return f64::INFINITY,
            }
        }
        for (step, own) in &stop.uses {
            match self.taken(used, *step, own) {
                Some((_, cycles)) => cost += cycles as f64,
                None => return f64::INFINITY,
            }
        }
        cost
    }

    /// Levels that hold it at the end of a stop.
    pub(super) fn after(stop: &Stop<'_>, set: Set, used: Set) -> Set {
        match stop.writes {
            true => used,
            false => set | used,
        }
    }

    /// Levels from which it can be copied after a stop: the home, and those used or kept; others
    /// were freed before the stop.
    pub(super) fn sources(&self, after: Set, used: Set, kept: Set) -> Set {
        after & (used | kept | self.start())
    }

    /// Relaxes the costs of all sets that may hold the tensor after a stop: some of the levels that
    /// hold it already, and copies. `(set, used)`: the set before the stop, and the levels of the
    /// use.
    fn leave(
        &self,
        index: usize,
        (set, used): (Set, Set),
        cost: f64,
        holding: &impl Fn(usize, usize, usize) -> f64,
        next: &mut Frontier,
    ) {
        let stop = &self.stops[index];
        let after = Self::after(stop, set, used);
        let until = self.stops.get(index + 1).map(|next| next.steps.start);
        for kept in 0..next.costs.len() {
            let kept_set = kept as Set;
            if !self.can_keep(kept_set, after, until.is_none()) {
                continue;
            }
            let mut total = self.with_exit(cost, stop, after, used, kept_set);
            for level in levels_of(kept_set).filter(|level| !self.is_home(*level)) {
                // A level that is kept but not used holds the tensor during the stop as well.
                if set & only(level) != 0 && used & only(level) == 0 && !stop.writes {
                    total += holding(level, stop.steps.start, stop.steps.end);
                }
                if let Some(until) = until.filter(|until| *until > stop.steps.end) {
                    total += holding(level, stop.steps.end, until);
                }
            }
            // Strictly: the first of equals wins here, too.
            if total < next.costs[kept] {
                next.costs[kept] = total;
                next.ways[kept] = (set, used);
            }
        }
    }

    /// Whether a set of levels may hold the tensor after a stop.
    fn can_keep(&self, kept: Set, after: Set, is_last: bool) -> bool {
        if is_last {
            // At the end, results are at home, and nothing else is needed.
            let home = if self.own().is_result {
                self.start()
            } else {
                0
            };
            return kept == home;
        }
        // A valid home stays valid: it takes no room.
        after & self.start() & !kept == 0
    }

    /// Adds the copies after a stop to a cost; infinite if there is no way to a kept level. Summed in
    /// this order, since prices are fractions and sums of fractions depend on the order.
    fn with_exit(&self, cost: f64, stop: &Stop<'_>, after: Set, used: Set, kept: Set) -> f64 {
        let mut total = cost;
        for level in levels_of(kept & !after) {
            let source = self.fetch(self.sources(after, used, kept), level);
            match (source, stop.exit) {
                (Some((_, cycles)), Some((_, repeats))) => {
                    total += cycles.saturating_mul(repeats) as f64;
                }
                _ => return f64::INFINITY,
            }
        }
        total
    }
}

/// The cheapest ways to each set of levels after a stop, indexed by set.
struct Frontier {
    costs: Vec<f64>,
    /// The set before the stop, and the levels of the use.
    ways: Vec<(Set, Set)>,
}

/// The choices that lead to a set after the last stop, in order.
fn choices(ways: &[Vec<(Set, Set)>], end: Set) -> Vec<Choice> {
    let mut choices = Vec::with_capacity(ways.len());
    let mut kept = end;
    for way in ways.iter().rev() {
        let (before, used) = way[usize::from(kept)];
        choices.push(Choice { used, kept });
        kept = before;
    }
    choices.reverse();
    choices
}

/// The stops of a tensor, without the gaps for copies. Uses in a loop that carries the tensor around
/// are one stop: it cannot move between them.
fn stops<'a>(own: &Tensor, uses: Vec<(usize, &'a TensorUse)>) -> Vec<Stop<'a>> {
    let mut stops: Vec<Stop<'_>> = Vec::new();
    let mut is_defined = own.home.is_some();
    // Whether it was defined when the last stop began.
    let mut was_defined = is_defined;
    for (step, used) in uses {
        let carried = own.carried_around(step);
        let steps = carried.unwrap_or(Interval::new(step, step + 1));
        let reads = used.needs_content();
        let writes = used.writes > Bytes::ZERO;
        let last = stops.last_mut();
        match last.filter(|stop| stop.steps == steps && carried.is_some()) {
            Some(stop) => {
                stop.uses.push((step, used));
                stop.writes |= writes;
                // The next iteration reads it, if not this one.
                stop.needs |= was_defined && reads;
            }
            None => {
                was_defined = is_defined;
                let needs = is_defined && reads;
                stops.push(Stop {
                    steps,
                    uses: vec![(step, used)],
                    writes,
                    needs,
                    takes_over: used.takes_over.is_some() && carried.is_none() && !needs,
                    // Only the first copy of a preloaded tensor is free.
                    is_preloaded: own.is_preloaded && stops.is_empty(),
                    entry: None,
                    exit: None,
                });
            }
        }
        is_defined |= writes;
    }
    stops
}

/// How often copies between steps run.
struct Repeats {
    /// Per step.
    inside: Vec<u64>,
    /// Per gap, for copies outside of blocks.
    fewest: SparseTable<u64>,
}

impl Repeats {
    fn new(problem: &LevelProblem) -> Self {
        let inside: Vec<u64> = problem
            .steps
            .iter()
            .map(|step| step.repeats.max(1))
            .collect();
        let at = |step: Option<usize>| step.and_then(|step| inside.get(step)).map_or(1, |n| *n);
        // As in `repeats_before`: a copy between two steps runs as often as the less frequent one.
        let gaps = 0..=inside.len();
        let outside: Vec<u64> = gaps
            .map(|gap| at(gap.checked_sub(1)).min(at(Some(gap))))
            .collect();
        Self {
            fewest: SparseTable::new(outside, u64::min),
            inside,
        }
    }

    /// The least frequent gap in `[from, to]` in which a tensor can be copied, and how often that
    /// copy runs; the latest or the earliest of equals.
    fn best(&self, own: &Tensor, from: usize, to: usize, is_late: bool) -> Option<(usize, u64)> {
        if to < from || !own.can_move_within(from, to) {
            return None;
        }
        // A block-local tensor moves only inside its block, where every gap runs equally often.
        if let Some(within) = own.within {
            let repeats = self.inside.get(within.start).copied().unwrap_or(1);
            let gap = if is_late { to } else { from };
            return Some((gap.clamp(within.start, within.end), repeats));
        }
        let fewest = self.fewest.best(from, to + 1, u64::min)?;
        let outside = self.fewest.values();
        let is_good = |gap: &usize| outside[*gap] == fewest && own.can_move_before(*gap);
        let mut gaps = from..=to;
        let best = match is_late {
            true => gaps.rev().find(is_good),
            false => gaps.find(is_good),
        };
        // The tensor may be frozen in all of the least frequent gaps.
        let any = || {
            let all = (from..=to).filter(|gap| own.can_move_before(*gap));
            all.min_by_key(|gap| outside[*gap])
        };
        let gap = best.or_else(any)?;
        Some((gap, outside[gap]))
    }
}

//! Where each tensor would be if bytes had a price, and how low the cost of a plan can be at all.
//!
//! # Idea
//!
//! Capacities tie tensors together: without them, each could be planned by itself. So they are relaxed: a byte of a level
//! costs so much at each step, and every tensor takes what is best for it at these prices, by dynamic programming
//! over its uses. Its state between two uses is the set of levels that hold it. What all take together, less what
//! the capacities are worth, is a lower bound on the cost of any plan. Where more is taken than there is, prices rise, and
//! fall where less is (subgradients, with steps as Polyak has them).
//!
//! # Guarantees
//!
//! The bound holds for every plan, whatever its addresses: it charges for no more bytes than a plan occupies, and for no dearer
//! transfers. What the tensors want at the best prices need not fit; it is a wish.
//!
//! # Complexity
//!
//! A round takes O(uses times 4^levels times levels), and O(steps times levels).
//!
//! M. Held, P. Wolfe, H. P. Crowder, "Validation of subgradient optimization", Mathematical Programming 6, 1974.

use mem_model::{Bytes, LevelId, LevelProblem, TensorUse, transfer_cost, use_cost};

/// Most levels that are told apart.
const MAX_LEVELS: usize = 4;

/// A set of levels.
type Set = u8;

/// What a tensor wants at one of its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// The level to be used in.
    pub level: LevelId,
    /// The levels that hold it afterwards.
    pub kept: Set,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) struct Priced {
    /// No plan costs less.
    pub lower_bound: u64,
    /// By tensor and use: at the best prices.
    pub wishes: Vec<Vec<Wish>>,
}

/// One use of a tensor, as the dynamic program sees it.
struct Stop<'a> {
    step: usize,
    used: &'a TensorUse,
    /// Cycles are paid so often.
    repeats: u64,
    /// The least often that a transfer runs between the use before and this one; behind the last: and the end.
    repeats_in_front: u64,
    can_move: bool,
}

struct Prices<'a> {
    problem: &'a LevelProblem,
    n_levels: usize,
    /// By level: what there is to share.
    capacities: Vec<Option<Bytes>>,
    /// By tensor.
    stops: Vec<Vec<Stop<'a>>>,
    /// By level: the price of a byte at each step.
    price: Vec<Vec<f64>>,
    /// By level: the sum of the prices before each step.
    sums: Vec<Vec<f64>>,
}

/// Finds prices in so many rounds; `known` is what some plan costs.
pub(super) fn price(problem: &LevelProblem, known: u64, rounds: usize) -> Option<Priced> {
    let n_levels = problem.hierarchy.levels.len();
    if n_levels > MAX_LEVELS {
        return None;
    }
    let mut prices = Prices::new(problem);
    let mut best = Priced {
        lower_bound: 0,
        wishes: Vec::new(),
    };
    let mut best_value = f64::NEG_INFINITY;
    let (mut pace, mut n_worse) = (1.0, 0);
    for _ in 0..rounds.max(1) {
        let (value, wishes) = prices.ask_all();
        if value > best_value {
            best_value = value;
            best.wishes.clone_from(&wishes);
            n_worse = 0;
        } else {
            n_worse += 1;
            if n_worse > 4 {
                (pace, n_worse) = (pace / 2.0, 0);
            }
        }
        if !prices.adjust(&wishes, (known as f64 - value).max(0.0) * pace) {
            break;
        }
    }
    // Sums of floating-point numbers: no bound is lost by rounding in the wrong direction.
    let steps: u64 = problem
        .steps
        .iter()
        .map(|s| s.cycles.saturating_mul(s.repeats.max(1)))
        .sum();
    let safe = (best_value * (1.0 - 1e-9) - 1e-6).max(0.0);
    best.lower_bound = (safe.ceil() as u64)
        .min(known.saturating_sub(steps))
        .saturating_add(steps);
    Some(best)
}

impl<'a> Prices<'a> {
    fn new(problem: &'a LevelProblem) -> Self {
        let n_steps = problem.steps.len();
        let n_levels = problem.hierarchy.levels.len();
        let repeats = |step: Option<usize>| {
            let step = step.and_then(|step| problem.steps.get(step));
            step.map_or(1, |step| step.repeats.max(1))
        };
        let around = |step: usize| repeats(step.checked_sub(1)).min(repeats(Some(step)));
        let fewest = Fewest::new((0..=n_steps).map(around).collect());
        let mut stops: Vec<Vec<Stop<'_>>> = problem.tensors.iter().map(|_| Vec::new()).collect();
        for (step, at) in problem.steps.iter().enumerate() {
            for used in &at.uses {
                let own = &mut stops[used.tensor];
                let before = own.last().map_or(0, |stop: &Stop<'_>| stop.step + 1);
                let tensor = &problem.tensors[used.tensor];
                own.push(Stop {
                    step,
                    used,
                    repeats: at.repeats.max(1),
                    repeats_in_front: match tensor.within {
                        Some(_) => at.repeats.max(1),
                        None => fewest.within(before, step + 1),
                    },
                    can_move: tensor.can_move_within(before, step),
                });
            }
        }
        Self {
            problem,
            n_levels,
            capacities: problem
                .capacities()
                .unwrap_or_else(|_| vec![Some(Bytes::ZERO); n_levels]),
            stops,
            price: vec![vec![0.0; n_steps]; n_levels],
            sums: vec![vec![0.0; n_steps + 1]; n_levels],
        }
    }

    /// What all tensors together cost at these prices, less what the capacities are worth; and what they want.
    fn ask_all(&self) -> (f64, Vec<Vec<Wish>>) {
        let asked = (0..self.stops.len()).map(|tensor| self.ask(tensor));
        let (costs, wishes): (Vec<f64>, Vec<Vec<Wish>>) = asked.unzip();
        let worth = |level: usize| match self.capacities[level] {
            Some(capacity) => capacity.get() as f64 * self.sums[level].last().unwrap_or(&0.0),
            None => 0.0,
        };
        let value = costs.iter().sum::<f64>() - (0..self.n_levels).map(worth).sum::<f64>();
        (value, wishes)
    }

    /// The price of holding a tensor in a set of levels for some steps. Its home is its own.
    fn holding(&self, tensor: usize, set: Set, start: usize, end: usize) -> f64 {
        let own = &self.problem.tensors[tensor];
        let levels = (0..self.n_levels).filter(|level| set & (1 << level) != 0);
        let paid = levels.filter(|level| own.home != Some(LevelId::new(*level)));
        let sum: f64 = paid
            .map(|level| self.sums[level][end.max(start)] - self.sums[level][start])
            .sum();
        sum * own.size.get() as f64
    }

    /// Cycles of a transfer from the cheapest of a set; none if there is no way.
    fn fetch(&self, size: Bytes, set: Set, to: usize) -> Option<u64> {
        let (hierarchy, to) = (&self.problem.hierarchy, LevelId::new(to));
        let from = (0..self.n_levels).filter(|level| set & (1 << level) != 0);
        let from = from
            .map(LevelId::new)
            .filter(|from| hierarchy.connects(*from, to));
        from.map(|from| transfer_cost(hierarchy, size, from, to))
            .min()
    }

    /// The cheapest way of one tensor through its uses.
    fn ask(&self, tensor: usize) -> (f64, Vec<Wish>) {
        let (own, stops) = (&self.problem.tensors[tensor], &self.stops[tensor]);
        let n_sets = 1_usize << self.n_levels;
        if stops.is_empty() {
            return (0.0, Vec::new());
        }
        let start: Set = own.home.map_or(0, |home| 1 << home.index());
        let mut costs = vec![f64::INFINITY; n_sets];
        costs[usize::from(start)] = 0.0;
        // By stop and set behind it: the set before, and the level of the use.
        let mut ways: Vec<Vec<(Set, u8)>> = Vec::with_capacity(stops.len());
        let mut is_defined = own.home.is_some();
        for (number, stop) in stops.iter().enumerate() {
            let before = number
                .checked_sub(1)
                .map_or(0, |number| stops[number].step + 1);
            let mut next = vec![f64::INFINITY; n_sets];
            let mut way = vec![(0, 0); n_sets];
            let is_needed = is_defined && (stop.used.reads > Bytes::ZERO || !stop.used.writes_all);
            for set in (0..n_sets).filter(|set| costs[*set].is_finite()) {
                let set = set as Set;
                let held = costs[usize::from(set)] + self.holding(tensor, set, before, stop.step);
                for level in 0..self.n_levels {
                    let id = LevelId::new(level);
                    let is_there = set & (1 << level) != 0;
                    let must_move = is_needed && !is_there;
                    if !stop.used.accepts(id) || must_move && (!stop.can_move || set == 0) {
                        continue;
                    }
                    let mut cost = held;
                    // What takes over bytes of an operand has no others there.
                    if stop.used.takes_over.is_none() {
                        cost += self.price_at(tensor, level, stop.step);
                    }
                    if must_move {
                        let Some(cycles) = self.fetch(own.size, set, level) else {
                            continue;
                        };
                        cost += cycles.saturating_mul(stop.repeats_in_front) as f64;
                    }
                    let cycles = use_cost(&self.problem.hierarchy, stop.used, id);
                    cost += cycles.saturating_mul(stop.repeats) as f64;
                    let behind = Behind {
                        level,
                        set: match stop.used.writes > Bytes::ZERO {
                            true => 1 << level,
                            false => set | 1 << level,
                        },
                        repeats: stops
                            .get(number + 1)
                            .map_or(1, |next| next.repeats_in_front),
                    };
                    self.leave(own.size, &behind, cost, set, &mut next, &mut way);
                }
            }
            is_defined |= stop.used.writes > Bytes::ZERO;
            costs = next;
            ways.push(way);
        }
        let home: Set = match own.is_result {
            true => start,
            false => 0,
        };
        let ends = (0..n_sets).filter(|set| *set as Set & home == home);
        let end = ends
            .min_by(|a, b| costs[*a].total_cmp(&costs[*b]))
            .unwrap_or(0);
        (costs[end], backwards(&ways, end as Set))
    }

    fn price_at(&self, tensor: usize, level: usize, step: usize) -> f64 {
        let own = &self.problem.tensors[tensor];
        match own.home == Some(LevelId::new(level)) {
            true => 0.0,
            false => self.price[level][step] * own.size.get() as f64,
        }
    }

    /// All sets that may hold the tensor behind a use: some of those that do, and copies.
    fn leave(
        &self,
        size: Bytes,
        behind: &Behind,
        cost: f64,
        set: Set,
        next: &mut [f64],
        way: &mut [(Set, u8)],
    ) {
        for kept in 0..next.len() {
            let more = kept as Set & !behind.set;
            let mut total = cost;
            for level in (0..self.n_levels).filter(|level| more & (1 << level) != 0) {
                let cycles = self.fetch(size, behind.set, level);
                total += cycles.map_or(f64::INFINITY, |cycles| {
                    cycles.saturating_mul(behind.repeats) as f64
                });
            }
            if total < next[kept] {
                next[kept] = total;
                way[kept] = (set, behind.level as u8);
            }
        }
    }

    /// Raises prices where more is wanted than there is, and lowers them where less is. Returns whether there was anything to
    /// change.
    fn adjust(&mut self, wishes: &[Vec<Wish>], distance: f64) -> bool {
        let n_steps = self.problem.steps.len();
        let mut taken = vec![vec![0.0_f64; n_steps + 1]; self.n_levels];
        for (tensor, own) in wishes.iter().enumerate() {
            let size = self.problem.tensors[tensor].size.get() as f64;
            let home = self.problem.tensors[tensor].home;
            for (number, wish) in own.iter().enumerate() {
                let Stop { step, used, .. } = self.stops[tensor][number];
                let until = self.stops[tensor]
                    .get(number + 1)
                    .map_or(step + 1, |next| next.step);
                for (level, taken) in taken.iter_mut().enumerate() {
                    if home == Some(LevelId::new(level)) {
                        continue;
                    }
                    if wish.level.index() == level && used.takes_over.is_none() {
                        taken[step] += size;
                        taken[step + 1] -= size;
                    }
                    if wish.kept & (1 << level) != 0 && until > step + 1 {
                        taken[step + 1] += size;
                        taken[until] -= size;
                    }
                }
            }
        }
        let mut excess: Vec<(usize, usize, f64)> = Vec::new();
        for (level, changes) in taken.iter().enumerate() {
            let Some(capacity) = self.capacities[level] else {
                continue;
            };
            let mut now = 0.0;
            for (step, change) in changes.iter().take(n_steps).enumerate() {
                now += change;
                let over = now - capacity.get() as f64;
                if over > 0.0 || self.price[level][step] > 0.0 {
                    excess.push((level, step, over));
                }
            }
        }
        let norm: f64 = excess.iter().map(|(.., over)| over * over).sum();
        if norm <= 0.0 || distance <= 0.0 {
            return false;
        }
        for (level, step, over) in excess {
            let price = &mut self.price[level][step];
            *price = (*price + distance / norm * over).max(0.0);
        }
        for (price, sums) in self.price.iter().zip(&mut self.sums) {
            for (step, price) in price.iter().enumerate() {
                sums[step + 1] = sums[step] + price;
            }
        }
        true
    }
}

/// What is behind a use.
struct Behind {
    level: usize,
    /// The levels that hold the tensor.
    set: Set,
    /// How often a transfer to others runs.
    repeats: u64,
}

/// The wishes on the way to a set behind the last use.
fn backwards(ways: &[Vec<(Set, u8)>], end: Set) -> Vec<Wish> {
    let mut wishes = Vec::with_capacity(ways.len());
    let mut kept = end;
    for way in ways.iter().rev() {
        let (before, level) = way[usize::from(kept)];
        wishes.push(Wish {
            level: LevelId::new(usize::from(level)),
            kept,
        });
        kept = before;
    }
    wishes.reverse();
    wishes
}

/// The smallest of any consecutive numbers, in constant time.
struct Fewest {
    /// By logarithm of a length and first number.
    tables: Vec<Vec<u64>>,
}

impl Fewest {
    fn new(numbers: Vec<u64>) -> Self {
        let mut tables = vec![numbers];
        let mut length = 1;
        while 2 * length <= tables[0].len() {
            let last = &tables[tables.len() - 1];
            let pairs = last.iter().zip(&last[length..]);
            tables.push(pairs.map(|(a, b)| *a.min(b)).collect());
            length *= 2;
        }
        Self { tables }
    }

    /// The smallest in [start, end), which is not empty.
    fn within(&self, start: usize, end: usize) -> u64 {
        let log = (end - start).ilog2() as usize;
        let table = &self.tables[log];
        table[start].min(table[end - (1 << log)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_consecutive_numbers() {
        let numbers = vec![5, 3, 8, 1, 9, 2, 7];
        let fewest = Fewest::new(numbers.clone());
        for start in 0..numbers.len() {
            for end in start + 1..=numbers.len() {
                assert_eq!(
                    Some(fewest.within(start, end)),
                    numbers[start..end].iter().copied().min()
                );
            }
        }
    }
}

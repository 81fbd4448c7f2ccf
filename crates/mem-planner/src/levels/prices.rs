//! Lower bound on the cost of any plan, by prices of the bytes of each level.
//!
//! # Algorithm
//!
//! Capacities couple the tensors: without them, each tensor could be planned by itself. So they are
//! relaxed: a byte of a level has a price at each step, and each tensor takes the cheapest way at
//! these prices ([`relaxed`]). The sum of these costs, minus the
//! worth of the capacities, is a lower bound on the cost of any plan (Lagrangian relaxation).
//! Prices rise where demand exceeds the capacity, and fall where it is below (subgradient method,
//! with Polyak's step size).
//!
//! # Guarantees
//!
//! The bound holds for every plan, whatever its addresses: it charges for no more bytes than a plan
//! occupies, and for no dearer transfers. The choices of the tensors at the best prices need not
//! fit the capacities.
//!
//! # Complexity
//!
//! A round takes O(uses * 4^levels * levels + steps * levels), and O(steps * log steps) for each pair
//! of levels that have prices.
//!
//! # Source
//!
//! M. Held, P. Wolfe, H. P. Crowder, "Validation of subgradient optimization", Mathematical
//! Programming 6, 1974.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{Bytes, Interval, LevelProblem};

use crate::observe;

use super::relaxed::{self, Charge, Copies, Relaxed};
use super::tuning;
use super::walk::Walk;
use crate::sparse_table::SparseTable;

struct Prices<'a> {
    problem: &'a LevelProblem,
    walks: &'a [Walk<'a>],
    /// Keyed by size.
    copies: BTreeMap<Bytes, Copies>,
    /// Per level: bytes to share; `None`: unbounded.
    capacities: Vec<Option<Bytes>>,
    /// Per level: the price of a byte at each step.
    price: Vec<Vec<f64>>,
    /// Per level: the sum of the prices before each step.
    sums: Vec<Vec<f64>>,
    /// Per pair of levels: the sum of the prices of the one before each step, less that of the
    /// other, with the step. `None` if one of them has no prices.
    differences: Vec<Vec<Option<Differences>>>,
}

/// Indexed by step.
type Differences = SparseTable<(f64, usize)>;

/// The prices of the bytes of one tensor.
struct Own<'a> {
    prices: &'a Prices<'a>,
    size: Bytes,
}

/// Lower bound on the cost of any plan, in cycles, after at most `rounds` price updates. `known` is
/// the cost of some plan. Returns `None` if there are too many levels, or if a tensor has no
/// feasible walk.
pub(super) fn lower_bound(
    problem: &LevelProblem,
    walks: &[Walk<'_>],
    known: u64,
    rounds: usize,
) -> Option<u64> {
    if problem.hierarchy.levels.len() > tuning::MAX_LEVELS {
        return None;
    }
    let mut prices = Prices::new(problem, walks);
    // The relaxation counts accesses and copies only.
    let steps = step_cycles(problem);
    let known = known.saturating_sub(steps);
    // The subgradient method is not monotone, so the best round counts rather than the last. All
    // prices of the first round are zero: each tensor is on its own.
    let mut best_value = f64::NEG_INFINITY;
    let (mut pace, mut n_worse) = (1.0, 0);
    for _ in 0..rounds.max(1) {
        let (value, charges) = prices.ask_all()?;
        let distance = (known as f64 - value).max(0.0) * pace;
        let continues = prices.adjust(&charges, distance);
        if value > best_value {
            best_value = value;
            n_worse = 0;
        } else {
            n_worse += 1;
            // Several rounds without progress: the steps are too large.
            if n_worse > tuning::PRICE_PATIENCE {
                (pace, n_worse) = (pace * tuning::PRICE_SHRINK, 0);
            }
        }
        if !continues || observe::is_stopped() {
            break;
        }
    }
    // The margin far exceeds the rounding errors of the sums, so the bound stays valid.
    let safe = best_value * (1.0 - tuning::PRICE_MARGIN) - tuning::PRICE_MARGIN_CYCLES;
    // Costs are integers, so the bound may be rounded up.
    // The clamp keeps the rounding from lifting the bound above a known plan.
    let accesses = (safe.max(0.0).ceil() as u64).min(known);
    Some(accesses.saturating_add(steps))
}

/// Cycles that the steps take themselves, in any plan.
fn step_cycles(problem: &LevelProblem) -> u64 {
    let steps = problem.steps.iter();
    let cycles = steps.map(|step| step.cycles.saturating_mul(step.repeats.max(1)));
    cycles.fold(0, u64::saturating_add)
}

impl<'a> Prices<'a> {
    fn new(problem: &'a LevelProblem, walks: &'a [Walk<'a>]) -> Self {
        let n_steps = problem.steps.len();
        let n_levels = problem.hierarchy.levels.len();
        Self {
            problem,
            walks,
            copies: {
                let sizes: BTreeSet<Bytes> = walks.iter().map(|walk| walk.own().size).collect();
                let copies = |size| (size, Copies::new(&problem.hierarchy, size));
                sizes.into_iter().map(copies).collect()
            },
            capacities: problem
                .capacities()
                .unwrap_or_else(|_| vec![Some(Bytes::ZERO); n_levels]),
            price: vec![vec![0.0; n_steps]; n_levels],
            sums: vec![vec![0.0; n_steps + 1]; n_levels],
            differences: vec![vec![None; n_levels]; n_levels],
        }
    }

    /// Cost of all tensors at the current prices, minus the worth of the capacities, and what the
    /// tensors are charged for. Returns `None` if some tensor has no feasible way.
    fn ask_all(&self) -> Option<(f64, Vec<Vec<Charge>>)> {
        let asked = self.walks.iter().map(|walk| {
            let size = walk.own().size;
            let way = Relaxed {
                walk,
                copies: &self.copies[&size],
                prices: &Own { prices: self, size },
            };
            way.cheapest()
        });
        let asked: Option<Vec<(f64, Vec<Charge>)>> = asked.collect();
        let (costs, charges): (Vec<f64>, Vec<Vec<Charge>>) = asked?.into_iter().unzip();
        let worth = |level: usize| match self.capacities[level] {
            Some(capacity) => capacity.get() as f64 * self.sums[level].last().unwrap_or(&0.0),
            None => 0.0,
        };
        let levels = 0..self.problem.hierarchy.levels.len();
        // Tensors pay for the bytes that they occupy, and a plan occupies at most the capacity.
        let value = costs.iter().sum::<f64>() - levels.map(worth).sum::<f64>();
        Some((value, charges))
    }

    /// Raises prices where demand exceeds the capacity, and lowers them where it is below. Returns
    /// whether there was anything to change.
    fn adjust(&mut self, charges: &[Vec<Charge>], distance: f64) -> bool {
        let excess = self.excess(charges);
        let norm: f64 = excess.iter().map(|(.., over)| over * over).sum();
        // Without excess the choices fit, and without distance the bound is the cost of a plan:
        // either way the prices are optimal.
        if norm <= 0.0 || distance <= 0.0 {
            return false;
        }
        for (level, step, over) in excess {
            // Polyak's step: the distance to a known cost, divided by the square of the
            // subgradient. A negative price would charge a plan for bytes that it leaves free, and
            // void the bound.
            let price = &mut self.price[level][step];
            *price = (*price + distance / norm * over).max(0.0);
        }
        self.sum_up();
        true
    }

    /// Updates the sums of the prices: tensors ask for many intervals.
    fn sum_up(&mut self) {
        for (price, sums) in self.price.iter().zip(&mut self.sums) {
            for (step, price) in price.iter().enumerate() {
                sums[step + 1] = sums[step] + price;
            }
        }
        let has_prices = |level: usize| self.sums[level].last().is_some_and(|sum| *sum > 0.0);
        for (from, tables) in self.differences.iter_mut().enumerate() {
            for (to, table) in tables.iter_mut().enumerate() {
                let both = || self.sums[from].iter().zip(&self.sums[to]).enumerate();
                // A move trades one price against the other only where both levels have prices.
                let is_of_use = from != to && has_prices(from) && has_prices(to);
                *table = is_of_use.then(|| {
                    let differences = both().map(|(step, (a, b))| (a - b, step));
                    SparseTable::new(differences.collect(), smaller)
                });
            }
        }
    }

    /// The subgradient: levels and steps whose capacity is exceeded, or which have a price, with the
    /// bytes in excess; negative where there is room.
    fn excess(&self, charges: &[Vec<Charge>]) -> Vec<(usize, usize, f64)> {
        let n_steps = self.problem.steps.len();
        let mut excess: Vec<(usize, usize, f64)> = Vec::new();
        for (level, changes) in self.taken(charges).iter().enumerate() {
            let Some(capacity) = self.capacities[level] else {
                continue;
            };
            let mut now = 0.0;
            for (step, change) in changes.iter().take(n_steps).enumerate() {
                now += change;
                let over = now - capacity.get() as f64;
                // A price of zero cannot fall.
                if over > 0.0 || self.price[level][step] > 0.0 {
                    excess.push((level, step, over));
                }
            }
        }
        excess
    }

    /// Per level and step: the change of the bytes that all tensors are charged for, from the step
    /// before.
    fn taken(&self, charges: &[Vec<Charge>]) -> Vec<Vec<f64>> {
        let n_steps = self.problem.steps.len();
        let n_levels = self.problem.hierarchy.levels.len();
        // Differences, so that a charge takes constant time however many steps it spans.
        let mut taken = vec![vec![0.0_f64; n_steps + 1]; n_levels];
        for (walk, charges) in self.walks.iter().zip(charges) {
            let size = walk.own().size.get() as f64;
            for (level, steps) in charges {
                taken[*level][steps.start] += size;
                taken[*level][steps.end] -= size;
            }
        }
        taken
    }
}

/// The smaller of two numbers, the first one of equals, with its step.
fn smaller(a: (f64, usize), b: (f64, usize)) -> (f64, usize) {
    if b.0 < a.0 { b } else { a }
}

impl relaxed::Prices for Own<'_> {
    fn holding(&self, level: usize, steps: Interval<usize>) -> f64 {
        let sums = &self.prices.sums[level];
        match self.prices.capacities[level] {
            // A tensor that exceeds the capacity is never in this level.
            Some(capacity) if self.size > capacity => f64::INFINITY,
            _ => (sums[steps.end] - sums[steps.start]) * self.size.get() as f64,
        }
    }

    fn moving(&self, from: usize, to: usize, steps: Interval<usize>) -> (f64, usize) {
        let sums = &self.prices.sums;
        let Some(table) = &self.prices.differences[from][to] else {
            // The level without prices holds the tensor all the time.
            let has_prices = sums[from].last().is_some_and(|sum| *sum > 0.0);
            let step = if has_prices { steps.start } else { steps.end };
            return (0.0, step);
        };
        let best = table.best(steps.start, steps.end + 1, smaller);
        let (difference, step) = best.unwrap_or((0.0, steps.start));
        let price = difference - sums[from][steps.start] + sums[to][steps.end];
        // Prices are not negative, but the difference of their sums may be, by rounding.
        (price.max(0.0) * self.size.get() as f64, step)
    }
}

#[cfg(test)]
mod tests {
    use mem_model::{Hierarchy, LevelId, LevelStep, Port, Tensor, TensorUse};
    use mem_testkit::{Rng, engine, least_level_cost, level, number, tensor, used};

    use super::*;

    /// Three levels, of which the two fast ones are small; engines copy between any two, or only
    /// between neighbours.
    fn hierarchy(rng: &mut Rng) -> Hierarchy {
        let memory = |rng: &mut Rng, number: u64| {
            let latency = rng.below(3) as u64 * number;
            let bandwidth = 4.0 / (number as f64 + 1.0);
            let capacity = (number < 2).then(|| rng.between(3, 8) as u64);
            level(
                &format!("l{number}"),
                capacity,
                1,
                Port { latency, bandwidth },
            )
        };
        let mut all = engine("all", (LevelId::new(0), LevelId::new(1)));
        let links = [(1, 0), (1, 2), (2, 1), (0, 2), (2, 0)];
        let n_links = if rng.chance(50) { 3 } else { 5 };
        let links = links[..n_links].iter();
        let links = links.map(|(from, to)| (LevelId::new(*from), LevelId::new(*to)));
        all.links.extend(links);
        Hierarchy {
            levels: (0..3).map(|number| memory(rng, number)).collect(),
            engines: vec![all],
            ..Hierarchy::default()
        }
    }

    fn random_problem(rng: &mut Rng) -> LevelProblem {
        let hierarchy = hierarchy(rng);
        let n = rng.between(2, 4);
        let tensors: Vec<Tensor> = (0..n)
            .map(|index| {
                let home = rng.chance(40).then_some(LevelId::new(2));
                Tensor {
                    is_result: home.is_some() && rng.chance(50),
                    is_preloaded: home.is_some() && rng.chance(30),
                    home,
                    ..tensor(format!("t{index}"), rng.between(1, 4) as u64, 1)
                }
            })
            .collect();
        let mut exists: Vec<bool> = tensors.iter().map(|own| own.home.is_some()).collect();
        let mut step = |rng: &mut Rng| {
            let mut uses: Vec<TensorUse> = Vec::new();
            for (index, own) in tensors.iter().enumerate() {
                if rng.chance(40) {
                    let writes = !exists[index] || rng.chance(20);
                    exists[index] = true;
                    let accepted = (0..3).map(LevelId::new).filter(|_| rng.chance(50));
                    uses.push(TensorUse {
                        accepted: accepted.collect(),
                        ..used(index, own.size.get(), writes)
                    });
                }
            }
            LevelStep {
                repeats: [1, 1, 3][rng.below(3)],
                uses,
                ..LevelStep::default()
            }
        };
        let steps = (0..rng.between(2, 7)).map(|_| step(rng)).collect();
        LevelProblem {
            hierarchy,
            tensors,
            steps,
            blocks: Vec::new(),
        }
    }

    /// No plan is cheaper than the bound, even if the bound knows only a much dearer one.
    #[test]
    fn the_bound_is_at_most_the_least_cost() {
        let first = number("LEVEL_SEED", 0);
        let (mut sum, mut bounds) = (0, 0);
        for seed in first..first + number("LEVEL_CASES", 300) {
            let problem = random_problem(&mut Rng::new(seed));
            let Some(least) = least_level_cost(&problem) else {
                continue;
            };
            let walks = Walk::all(&problem);
            let bound = lower_bound(&problem, &walks, 4 * least + 100, tuning::PRICE_ROUNDS);
            let bound = bound.expect("there is a plan, and so a way for each tensor");
            assert!(bound <= least, "seed {seed}: {bound} {least}\n{problem:#?}");
            (sum, bounds) = (sum + least, bounds + bound);
        }
        println!("bounds {bounds} of {sum}");
        assert!(2 * bounds > sum);
    }
}

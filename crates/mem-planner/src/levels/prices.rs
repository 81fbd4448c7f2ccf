//! Lower bound on the cost of any plan, by prices of the bytes of each level.
//!
//! # Algorithm
//!
//! Capacities couple the tensors: without them, each tensor could be planned by itself. So they are
//! relaxed: a byte of a level has a price at each step, and each tensor takes the cheapest walk at
//! these prices, found by dynamic programming over its uses. The sum of these costs, minus the
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
//! A round takes O(uses * 4^levels * levels + steps * levels).
//!
//! # Source
//!
//! M. Held, P. Wolfe, H. P. Crowder, "Validation of subgradient optimization", Mathematical
//! Programming 6, 1974.

use mem_model::{Bytes, LevelProblem};

use super::tuning;
use super::walk::{Choice, Walk, levels_of};

struct Prices<'a> {
    problem: &'a LevelProblem,
    walks: &'a [Walk<'a>],
    /// Per level: bytes to share; `None`: unbounded.
    capacities: Vec<Option<Bytes>>,
    /// Per level: the price of a byte at each step.
    price: Vec<Vec<f64>>,
    /// Per level: the sum of the prices before each step.
    sums: Vec<Vec<f64>>,
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
    let mut best_value = f64::NEG_INFINITY;
    let (mut pace, mut n_worse) = (1.0, 0);
    for _ in 0..rounds.max(1) {
        let (value, choices) = prices.ask_all()?;
        let distance = (known as f64 - value).max(0.0) * pace;
        let goes_on = prices.adjust(&choices, distance);
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
        if !goes_on {
            break;
        }
    }
    // The margin far exceeds the rounding errors of the sums, so the bound stays valid.
    let safe = best_value * (1.0 - tuning::PRICE_MARGIN) - tuning::PRICE_MARGIN_CYCLES;
    // Costs are integers, so the bound may be rounded up.
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
            capacities: problem
                .capacities()
                .unwrap_or_else(|_| vec![Some(Bytes::ZERO); n_levels]),
            price: vec![vec![0.0; n_steps]; n_levels],
            sums: vec![vec![0.0; n_steps + 1]; n_levels],
        }
    }

    /// Cost of all tensors at the current prices, minus the worth of the capacities, and the
    /// choices of the tensors. Returns `None` if some tensor has no feasible walk.
    fn ask_all(&self) -> Option<(f64, Vec<Vec<Choice>>)> {
        let asked = self.walks.iter().map(|walk| self.ask(walk));
        let asked: Option<Vec<(f64, Vec<Choice>)>> = asked.collect();
        let (costs, choices): (Vec<f64>, Vec<Vec<Choice>>) = asked?.into_iter().unzip();
        let worth = |level: usize| match self.capacities[level] {
            Some(capacity) => capacity.get() as f64 * self.sums[level].last().unwrap_or(&0.0),
            None => 0.0,
        };
        let levels = 0..self.problem.hierarchy.levels.len();
        // Tensors pay for the bytes that they occupy, and a plan occupies at most the capacity.
        let value = costs.iter().sum::<f64>() - levels.map(worth).sum::<f64>();
        Some((value, choices))
    }

    fn ask(&self, walk: &Walk<'_>) -> Option<(f64, Vec<Choice>)> {
        let size = walk.own().size;
        walk.cheapest_relaxed(&|level, start, end| match self.capacities[level] {
            // A tensor that exceeds the capacity is never in this level.
            Some(capacity) if size > capacity => f64::INFINITY,
            _ => (self.sums[level][end] - self.sums[level][start]) * size.get() as f64,
        })
    }

    /// Raises prices where demand exceeds the capacity, and lowers them where it is below. Returns
    /// whether there was anything to change.
    fn adjust(&mut self, choices: &[Vec<Choice>], distance: f64) -> bool {
        let excess = self.excess(choices);
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
        // Prefix sums: `ask` is called for many intervals per tensor.
        for (price, sums) in self.price.iter().zip(&mut self.sums) {
            for (step, price) in price.iter().enumerate() {
                sums[step + 1] = sums[step] + price;
            }
        }
        true
    }

    /// The subgradient: levels and steps whose capacity is exceeded, or which have a price, with the
    /// bytes in excess; negative where there is room.
    fn excess(&self, choices: &[Vec<Choice>]) -> Vec<(usize, usize, f64)> {
        let n_steps = self.problem.steps.len();
        let mut excess: Vec<(usize, usize, f64)> = Vec::new();
        for (level, changes) in self.taken(choices).iter().enumerate() {
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

    /// Per level and step: the change of the bytes that the choices of all tensors occupy, from the
    /// step before.
    fn taken(&self, choices: &[Vec<Choice>]) -> Vec<Vec<f64>> {
        let n_steps = self.problem.steps.len();
        let n_levels = self.problem.hierarchy.levels.len();
        let mut taken = vec![vec![0.0_f64; n_steps + 1]; n_levels];
        for (walk, choices) in self.walks.iter().zip(choices) {
            let size = walk.own().size.get() as f64;
            let mut take = |level: usize, start: usize, end: usize| {
                if !walk.is_home(level) && start < end {
                    taken[level][start] += size;
                    taken[level][end] -= size;
                }
            };
            let mut before = walk.start();
            for (index, (stop, choice)) in walk.stops.iter().zip(choices).enumerate() {
                for level in levels_of(choice.used).filter(|_| !stop.takes_over) {
                    take(level, stop.steps.start, stop.steps.end);
                }
                // Exactly what the walk was charged for: see `Walk::leave`.
                let kept = levels_of(choice.kept & before & !choice.used);
                kept.filter(|_| !stop.writes)
                    .for_each(|level| take(level, stop.steps.start, stop.steps.end));
                if let Some(next) = walk.stops.get(index + 1) {
                    levels_of(choice.kept)
                        .for_each(|level| take(level, stop.steps.end, next.steps.start));
                }
                before = choice.kept;
            }
        }
        taken
    }
}

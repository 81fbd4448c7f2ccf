//! Where each tensor would be if bytes had a price, and how low the cost of a plan can be at all.
//!
//! # Idea
//!
//! Capacities tie tensors together: without them, each could be planned by itself. So they are relaxed: a byte of a level
//! costs so much at each step, and every tensor takes what is best for it at these prices, by dynamic programming
//! over its uses. What all take together, less what
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

use mem_model::{Bytes, LevelProblem};

use super::walk::{Choice, MAX_LEVELS, Walk, levels_of};

struct Prices<'a> {
    problem: &'a LevelProblem,
    walks: &'a [Walk<'a>],
    /// By level: what there is to share.
    capacities: Vec<Option<Bytes>>,
    /// By level: the price of a byte at each step.
    price: Vec<Vec<f64>>,
    /// By level: the sum of the prices before each step.
    sums: Vec<Vec<f64>>,
}

/// What no plan costs less than, found by so many rounds of prices; `known` is what some plan costs.
pub(super) fn lower_bound(
    problem: &LevelProblem,
    walks: &[Walk<'_>],
    known: u64,
    rounds: usize,
) -> Option<u64> {
    if problem.hierarchy.levels.len() > MAX_LEVELS {
        return None;
    }
    let mut prices = Prices::new(problem, walks);
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
            if n_worse > 4 {
                (pace, n_worse) = (pace / 2.0, 0);
            }
        }
        if !goes_on {
            break;
        }
    }
    // Sums of floating-point numbers: no bound is lost by rounding in the wrong direction.
    let steps: u64 = problem
        .steps
        .iter()
        .map(|s| s.cycles.saturating_mul(s.repeats.max(1)))
        .fold(0, u64::saturating_add);
    let safe = (best_value * (1.0 - 1e-9) - 1e-6).max(0.0);
    let accesses = (safe.ceil() as u64).min(known.saturating_sub(steps));
    Some(accesses.saturating_add(steps))
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

    /// What all tensors together cost at these prices, less what the capacities are worth; and what they want. Nothing if one
    /// of them has no way.
    fn ask_all(&self) -> Option<(f64, Vec<Vec<Choice>>)> {
        let asked = self.walks.iter().map(|walk| self.ask(walk));
        let asked: Option<Vec<(f64, Vec<Choice>)>> = asked.collect();
        let (costs, choices): (Vec<f64>, Vec<Vec<Choice>>) = asked?.into_iter().unzip();
        let worth = |level: usize| match self.capacities[level] {
            Some(capacity) => capacity.get() as f64 * self.sums[level].last().unwrap_or(&0.0),
            None => 0.0,
        };
        let levels = 0..self.problem.hierarchy.levels.len();
        let value = costs.iter().sum::<f64>() - levels.map(worth).sum::<f64>();
        Some((value, choices))
    }

    fn ask(&self, walk: &Walk<'_>) -> Option<(f64, Vec<Choice>)> {
        let size = walk.own().size;
        walk.cheapest(&|level, start, end| match self.capacities[level] {
            // What is larger than a level is never there.
            Some(capacity) if size > capacity => f64::INFINITY,
            _ => (self.sums[level][end] - self.sums[level][start]) * size.get() as f64,
        })
    }

    /// Raises prices where more is wanted than there is, and lowers them where less is. Returns whether there was anything to
    /// change.
    fn adjust(&mut self, choices: &[Vec<Choice>], distance: f64) -> bool {
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

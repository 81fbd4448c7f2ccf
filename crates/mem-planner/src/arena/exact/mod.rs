//! `exact`: a search that proves optimality, or returns the best plan within its budget.
//!
//! The search decides whether everything fits a capacity ([`search`]), for capacities between the
//! lower bound and the best known peak. The lower bound comes first: most real problems meet it.
//! Capacities are multiples of the common divisor of all sizes and alignments. A question that
//! exceeds its budget is asked again with other ranks: blocks involved in failed branches come
//! first. This is restarting with weights learned from failures, as in constraint solvers
//! (Boussemart et al., "Boosting systematic search by weighting constraints", 2004).
//!
//! Where parts of two items conflict, one item has to lie above the other by less than its size. If
//! such a distance does not describe all feasible offsets (one item may fit a hole of the other),
//! plans remain valid, but the search no longer proves that a lower peak is impossible.
//!
//! Exponential in the worst case. Work is counted in examined blocks, so that a budget means the
//! same on every machine.

mod blame;
mod search;
mod shape;
mod window;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mem_model::{Bytes, Problem};

use crate::arena::limits::Limits;
use crate::arena::measure::peak_of;
use crate::arena::{Strategy, tuning};
use crate::numbers::gcd;
pub(crate) use blame::blame;
use search::{Answer, Search};
use shape::Shape;

/// Tie breakers for blocks of equal weight, most significant first; one order per attempt, in turn.
const ORDERS: [[Measure; 3]; 8] = {
    use Measure::{Area, Conflicts, Pressure, Size, Width};
    [
        [Pressure, Area, Width],
        [Width, Area, Pressure],
        [Pressure, Width, Area],
        [Area, Width, Size],
        [Size, Area, Width],
        [Conflicts, Area, Width],
        [Pressure, Conflicts, Area],
        [Width, Size, Area],
    ]
};

#[derive(Clone, Copy)]
enum Measure {
    /// Size times number of live sections.
    Area,
    Conflicts,
    /// Most bytes live in one of the block's sections.
    Pressure,
    Size,
    Width,
}

/// Result of the search.
pub(crate) struct Found {
    /// Offsets with a lower peak than the known ones, if the search found any.
    pub offsets: Option<Vec<Bytes>>,
    /// Proven lower bound on the peak.
    pub bound: Bytes,
}

/// Searches for a plan with a lower peak than that of `otherwise`, but not below `bound`.
pub(crate) fn improve(
    problem: &Problem,
    alignments: &[Bytes],
    bound: Bytes,
    otherwise: &[Bytes],
    limits: &mut Limits<'_>,
) -> Found {
    let mut found = Found {
        offsets: None,
        bound,
    };
    let n_blocks = problem.items.len();
    let peak = peak_of(problem, otherwise);
    if peak <= bound
        || peak.get() <= limits.enough()
        || n_blocks > tuning::MAX_BLOCKS
        || limits.is_over()
    {
        return found;
    }
    let Some(shape) = Shape::new(problem, alignments) else {
        return found;
    };
    // Items that are never live may lie anywhere: there is nothing to search.
    if shape.items.is_empty() {
        return found;
    }
    let question = Question {
        problem,
        alignments,
    };
    let mut descent = Descent::new(&shape, bound.get(), peak.get());
    descent.run(&question, limits);
    if let Some(offsets) = descent.offsets {
        let mut all = otherwise.to_vec();
        for (item, offset) in shape.items.iter().zip(offsets) {
            all[item.index] = Bytes::new(offset);
        }
        found.offsets = Some(all);
    }
    if shape.is_exact {
        found.bound = Bytes::new(descent.low);
    }
    found
}

/// The problem to solve.
struct Question<'p> {
    problem: &'p Problem,
    alignments: &'p [Bytes],
}

impl Question<'_> {
    /// Restricts the problem to `items`, without aliases, reuses and penalties. Returns the
    /// subproblem and its alignments.
    fn part(&self, items: &[usize]) -> (Problem, Vec<Bytes>) {
        let mut position = vec![None; self.problem.items.len()];
        for (index, item) in items.iter().enumerate() {
            position[*item] = Some(index);
        }
        let pair = |&(a, b): &(usize, usize)| Some((position[a]?, position[b]?));
        let part = Problem {
            items: (items.iter().map(|item| self.problem.items[*item].clone())).collect(),
            conflicts: self.problem.conflicts.iter().filter_map(pair).collect(),
            reserved: self.problem.reserved.clone(),
            ..Problem::default()
        };
        let alignments = items.iter().map(|item| self.alignments[*item]);
        (part, alignments.collect())
    }
}

/// The descent from a known peak to the lower bound.
struct Descent<'s> {
    shape: &'s Shape,
    /// Common divisor of all offsets and tops.
    grain: u64,
    /// Lower bound on the peak; proven only if the shape is exact.
    low: u64,
    /// Lowest known peak.
    high: u64,
    offsets: Option<Vec<u64>>,
    pressure: Vec<u64>,
    /// Per capacity asked for: the knowledge from earlier attempts.
    learned: BTreeMap<u64, Learned>,
}

/// Knowledge from the attempts at one capacity.
struct Learned {
    /// Per block: its decayed share in failures.
    weights: Vec<f64>,
    n_attempts: usize,
}

impl<'s> Descent<'s> {
    fn new(shape: &'s Shape, bound: u64, peak: u64) -> Self {
        let live_bytes = shape.live_bytes();
        let pressure = shape.items.iter().map(|item| {
            let sections = item.live.iter().flat_map(|range| range.start..range.end);
            let bytes = sections.map(|section| live_bytes[section as usize]);
            bytes.max().unwrap_or(0)
        });
        let divisors = shape
            .items
            .iter()
            .flat_map(|item| [item.size, item.alignment]);
        let walls = shape.items.iter().flat_map(|item| &item.walls);
        let divisors = divisors.chain(walls.map(|(_, high)| high.unsigned_abs()));
        let grain = divisors.fold(0, gcd).max(1);
        let low = live_bytes.iter().copied().max().unwrap_or(0).max(bound);
        Self {
            shape,
            grain,
            low: low.next_multiple_of(grain),
            high: peak,
            offsets: None,
            pressure: pressure.collect(),
            learned: BTreeMap::new(),
        }
    }

    fn run(&mut self, question: &Question<'_>, limits: &mut Limits<'_>) {
        let mut budget = self.attempt();
        let goal = self.rounded(limits.enough());
        if goal > self.low {
            while self.high > goal && self.low <= goal && !limits.is_over() {
                self.ask_often(goal, tuning::ATTEMPTS * budget, limits);
                budget = budget.saturating_mul(tuning::GOAL_GROWTH);
            }
            return;
        }
        // One attempt at the lower bound, then large steps down to where the problem becomes hard.
        self.ask(self.low, budget, limits);
        for percent in tuning::DESCENT_PERCENT {
            let target = self.rounded(self.low + self.low / 100 * percent);
            while self.high > target && !limits.is_over() {
                let capacity = target.max(self.low);
                if self.ask_often(capacity, tuning::ATTEMPTS * budget, limits) != Answer::Fits {
                    break;
                }
            }
        }
        // From here on, ask for all steps in between in turn, with increasing effort. Knowledge
        // about each capacity accumulates.
        let start = self.low;
        let mut windows = window::windows(question, self.shape);
        while self.low < self.high && !limits.is_over() {
            // Look for a proof that no better plan exists.
            let better = self.high - self.grain;
            let share = budget / windows.len().max(1) as u64;
            let mut proofs = windows.iter_mut();
            if proofs.any(|window| window.is_impossible(better, share, limits)) {
                self.low = self.high;
                limits.report(Strategy::Exact, self.high, self.low);
                return;
            }
            // Many short attempts prove nothing; an occasional long one may.
            self.ask(self.low, budget, limits);
            for permille in tuning::DESCENT_PERMILLE {
                let capacity = self.rounded(start + start / 1000 * permille).max(self.low);
                if capacity < self.high {
                    self.ask_often(capacity, budget, limits);
                }
            }
            budget = budget.saturating_add(budget / tuning::GROWTH);
        }
    }

    fn rounded(&self, capacity: u64) -> u64 {
        capacity / self.grain * self.grain
    }

    /// Asks repeatedly with changing ranks until the budget is spent.
    fn ask_often(&mut self, capacity: u64, budget: u64, limits: &mut Limits<'_>) -> Answer {
        let attempt = self.attempt().max(budget / tuning::MOST_ATTEMPTS);
        let mut left = budget;
        while left > 0 && self.low < self.high && !limits.is_over() {
            let answer = self.ask(capacity, attempt, limits);
            if answer != Answer::OutOfBudget {
                return answer;
            }
            left = left.saturating_sub(attempt);
        }
        Answer::OutOfBudget
    }

    /// Effort of one attempt, in examined blocks: enough to place all blocks and to backtrack a
    /// little.
    fn attempt(&self) -> u64 {
        let n_blocks = self.shape.items.len() as u64;
        n_blocks * (n_blocks + tuning::BACKTRACKS)
    }

    /// Decides whether everything fits `capacity`, and updates the bounds and the failure weights.
    fn ask(&mut self, capacity: u64, budget: u64, limits: &mut Limits<'_>) -> Answer {
        let budget = budget.min(limits.work_left());
        let mut learned = self.take_learned(capacity);
        let ranks = self.ranks(&learned);
        let mut search = Search::new(self.shape, capacity, ranks, budget, limits.clock());
        let answer = search.run();
        limits.spend(search.work());
        learned.n_attempts += 1;
        match answer {
            Answer::Fits => {
                let tops = self.shape.items.iter().zip(search.offsets());
                let peak = tops.map(|(item, offset)| offset + item.size).max();
                self.high = peak.unwrap_or(0).max(self.shape.fixed_top);
                limits.report(Strategy::Exact, self.high, self.low);
                self.offsets = Some(search.offsets().to_vec());
            }
            Answer::DoesNotFit => {
                self.low = (self.rounded(capacity) + self.grain).min(self.high);
                limits.report(Strategy::Exact, self.high, self.low);
            }
            Answer::OutOfBudget => {}
        }
        let most = search.failures().iter().copied().max().unwrap_or(0).max(1);
        for (weight, failures) in learned.weights.iter_mut().zip(search.failures()) {
            *weight = *weight * tuning::DECAY + f64::from(*failures) / f64::from(most);
        }
        self.learned.insert(capacity, learned);
        answer
    }

    fn take_learned(&mut self, capacity: u64) -> Learned {
        let learned = self.learned.remove(&capacity);
        learned.unwrap_or_else(|| Learned {
            weights: vec![0.0; self.shape.items.len()],
            n_attempts: 0,
        })
    }

    /// Returns the ranks of an attempt without knowledge.
    fn ranks_of_attempt(&self, n_attempts: usize) -> Vec<u32> {
        self.ranks(&Learned {
            weights: Vec::new(),
            n_attempts: n_attempts % ORDERS.len(),
        })
    }

    /// Per block: its rank, which breaks ties; lower ranks come first.
    fn ranks(&self, learned: &Learned) -> Vec<u32> {
        let n = self.shape.items.len();
        let order = &ORDERS[learned.n_attempts % ORDERS.len()];
        let measured = |block: usize| order.map(|measure| Reverse(self.measure(block, measure)));
        let is_first = learned.n_attempts < ORDERS.len();
        let mut blocks: Vec<usize> = (0..n).collect();
        blocks.sort_by(|&a, &b| {
            let by_weight = match is_first {
                true => std::cmp::Ordering::Equal,
                false => learned.weights[b].total_cmp(&learned.weights[a]),
            };
            by_weight.then_with(|| measured(a).cmp(&measured(b)))
        });
        let mut ranks = vec![0; n];
        for (rank, block) in blocks.into_iter().enumerate() {
            ranks[block] = rank as u32;
        }
        ranks
    }

    fn measure(&self, block: usize, measure: Measure) -> u64 {
        let item = &self.shape.items[block];
        match measure {
            Measure::Area => item.size.saturating_mul(item.width()),
            Measure::Conflicts => self.shape.neighbours[block].len() as u64,
            Measure::Pressure => self.pressure[block],
            Measure::Size => item.size,
            Measure::Width => item.width(),
        }
    }
}

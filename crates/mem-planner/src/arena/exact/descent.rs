//! The descent from a known peak to the lower bound: which capacities to ask for, with how much
//! effort, and with which ranks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fastrand::Rng;

use super::Question;
use super::search::{Answer, Search};
use super::shape::Shape;
use super::window::{self, Window};
use crate::arena::limits::{Clock, Limits};
use crate::arena::{Strategy, threads, tuning};
use crate::numbers::gcd;

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

/// The descent from a known peak to the lower bound.
pub(super) struct Descent<'s> {
    shape: &'s Shape,
    /// Common divisor of all offsets and tops.
    grain: u64,
    /// Proven lower bound on the peak, from elsewhere.
    bound: u64,
    /// Highest end of any item that is not a block. No placement of the blocks leads below it.
    outside: u64,
    /// Lowest capacity that is worth asking for.
    low: u64,
    /// Lowest known peak.
    high: u64,
    /// Offsets of the blocks in the best placement found.
    pub offsets: Option<Vec<u64>>,
    pressure: Vec<u64>,
    /// Per capacity asked for: the knowledge from earlier attempts.
    learned: BTreeMap<u64, Learned>,
    /// Threads for attempts; `None`: the calling thread makes them.
    pool: Option<rayon::ThreadPool>,
}

/// Knowledge from the attempts at one capacity.
struct Learned {
    /// Per block: its decayed share in failures.
    weights: Vec<f64>,
    n_attempts: usize,
    rng: Rng,
}

impl Learned {
    /// Adds the failures of an attempt. They are relative to the largest number of failures, so that
    /// a long attempt does not outweigh all earlier ones.
    fn learn(&mut self, failures: &[u32]) {
        self.n_attempts += 1;
        let most = failures.iter().copied().max().unwrap_or(0).max(1);
        for (weight, failures) in self.weights.iter_mut().zip(failures) {
            *weight = *weight * tuning::DECAY + f64::from(*failures) / f64::from(most);
        }
    }
}

/// What came of an attempt.
struct Attempt {
    answer: Answer,
    /// Examined blocks.
    work: u64,
    /// Per block: number of pruned branches it was involved in.
    failures: Vec<u32>,
    /// The placement, if the answer is that everything fits.
    offsets: Vec<u64>,
}

/// Common divisor of all offsets and tops: in a canonical placement, each is a sum of sizes and ends
/// of walls, rounded up to alignments.
fn grain(shape: &Shape) -> u64 {
    let divisors = shape
        .items
        .iter()
        .flat_map(|item| [item.size, item.alignment]);
    let walls = shape.items.iter().flat_map(|item| &item.walls);
    // Only the high ends: in a canonical placement, a block lies on top of a wall or of a block,
    // never against the low end of a wall.
    let divisors = divisors.chain(walls.map(|(_, high)| high.unsigned_abs()));
    divisors.fold(0, gcd).max(1)
}

impl<'s> Descent<'s> {
    /// `bound`: proven lower bound on the peak; `peak`: that of the best known plan; `outside`: the
    /// highest end of any item that is not a block.
    pub(super) fn new(shape: &'s Shape, bound: u64, peak: u64, outside: u64) -> Self {
        let live_bytes = shape.live_bytes();
        let pressure = shape.items.iter().map(|item| {
            let sections = item.live.iter().flat_map(|range| range.start..range.end);
            let bytes = sections.map(|section| live_bytes[section as usize]);
            bytes.max().unwrap_or(0)
        });
        let live = live_bytes.iter().copied().max().unwrap_or(0);
        // Up to the top of the other items, the bound may come from them and says nothing of blocks.
        let of_blocks = live.max(if bound > outside { bound } else { 0 });
        let grain = grain(shape);
        Self {
            shape,
            grain,
            bound,
            outside,
            // Only the tops of blocks are multiples of the grain.
            low: of_blocks.next_multiple_of(grain).max(outside),
            high: peak,
            offsets: None,
            pressure: pressure.collect(),
            learned: BTreeMap::new(),
            pool: None,
        }
    }

    /// Lets several threads make attempts. The result is the same.
    pub(super) fn with_threads(mut self, n_threads: usize) -> Self {
        self.pool = threads::pool(n_threads);
        self
    }

    /// Creates a descent for its ranks and effort only: one capacity is asked about, and nothing
    /// descends.
    pub(super) fn for_ranks(shape: &'s Shape) -> Self {
        Self::new(shape, 0, u64::MAX, 0)
    }

    /// Returns the proven lower bound on the peak.
    pub(super) fn proven(&self) -> u64 {
        // Where distances are conservative, capacities that the search refuted may fit after all.
        match self.shape.is_exact && self.low > self.outside {
            true => self.low.max(self.bound),
            false => self.bound,
        }
    }

    /// Lowers the peak and raises the bound until they meet or the effort is spent.
    pub(super) fn run(&mut self, question: &Question<'_>, limits: &mut Limits<'_>) {
        let goal = self.rounded(limits.enough());
        // The caller stops at the goal: neither lower peaks nor proofs are of use.
        if goal > self.low {
            return self.reach(goal, limits);
        }
        let effort = self.attempt();
        // One attempt at the lower bound, since most problems meet it.
        self.ask(self.low, effort, 1, limits);
        self.stride(effort, limits);
        self.close_in(question, effort, limits);
    }

    /// Asks for one capacity only: any plan that fits it will do.
    fn reach(&mut self, goal: u64, limits: &mut Limits<'_>) {
        let mut effort = self.attempt();
        while self.high > goal && self.low <= goal && !limits.is_over() {
            self.ask_often(goal, tuning::ATTEMPTS * effort, limits);
            effort = effort.saturating_mul(tuning::GOAL_GROWTH);
        }
    }

    /// Takes large steps down, each until the problem becomes hard.
    fn stride(&mut self, effort: u64, limits: &mut Limits<'_>) {
        for percent in tuning::DESCENT_PERCENT {
            // The division comes first, since the product could overflow.
            let target = self.rounded(self.low + self.low / 100 * percent);
            while self.high > target && !limits.is_over() {
                let capacity = target.max(self.low);
                if self.ask_often(capacity, tuning::ATTEMPTS * effort, limits) != Answer::Fits {
                    break;
                }
            }
        }
    }

    /// Asks for all steps in between in turn, with increasing effort. Knowledge about each capacity
    /// accumulates.
    fn close_in(&mut self, question: &Question<'_>, mut effort: u64, limits: &mut Limits<'_>) {
        // The steps stay the same while the bound rises, so that what was learned is used again.
        let start = self.low;
        // Built once, since each window counts its attempts to vary their order.
        let mut windows = window::windows(question, self.shape);
        while self.low < self.high && !limits.is_over() {
            if self.prove(&mut windows, effort, limits) {
                self.low = self.high;
                limits.report(Strategy::Exact, self.high, self.proven());
                return;
            }
            let mut share = effort;
            for permille in tuning::DESCENT_PERMILLE {
                let capacity = self.rounded(start + start / 1000 * permille).max(self.low);
                // Anything at or above the known peak is known to fit.
                if capacity >= self.high {
                    continue;
                }
                // The next step is harder than one that fails.
                if self.ask_often(capacity, share, limits) != Answer::Fits {
                    share /= 2;
                }
            }
            effort = effort.saturating_add(effort / tuning::GROWTH);
        }
    }

    /// Asks for the lowest capacity, and beside that looks for a proof that no better plan exists, with
    /// the effort of one question each. Returns whether there is one.
    fn prove(&mut self, windows: &mut [Window], effort: u64, limits: &mut Limits<'_>) -> bool {
        let (learned, ranks) = self.prepare(self.low, 1, limits.seed());
        let (clock, left) = (limits.clock(), limits.work_left());
        let attempt = || self.attempt_at(self.low, &ranks[0], [effort, left], clock);
        // The next lower capacity: the tops of blocks are multiples of the grain.
        let better = self.high - self.grain;
        let of_windows = effort.min(left.saturating_sub(effort));
        let by_windows = || window::prove(windows, better, of_windows, clock);
        // Many short attempts prove nothing; an occasional long one may.
        let (attempt, (is_proven, work)) = threads::both(self.pool.as_ref(), attempt, by_windows);
        limits.spend(work);
        self.conclude(self.low, learned, vec![attempt], limits);
        is_proven
    }

    fn rounded(&self, capacity: u64) -> u64 {
        capacity / self.grain * self.grain
    }

    /// Asks repeatedly with changing ranks until the budget is spent. Attempts are made in groups, which
    /// several threads share: those of one group have learned from all groups before.
    fn ask_often(&mut self, capacity: u64, budget: u64, limits: &mut Limits<'_>) -> Answer {
        // With a large budget, attempts become longer rather than more numerous.
        let attempt = self.attempt().max(budget / tuning::MOST_ATTEMPTS);
        let mut left = budget;
        while left > 0 && self.low < self.high && !limits.is_over() {
            let n_attempts = left.div_ceil(attempt).min(tuning::ATTEMPTS_AT_ONCE);
            let answer = self.ask(capacity, attempt, n_attempts as usize, limits);
            if answer != Answer::OutOfBudget {
                return answer;
            }
            left = left.saturating_sub(n_attempts * attempt);
        }
        Answer::OutOfBudget
    }

    /// Effort of one attempt, in examined blocks: enough to place all blocks and to backtrack a
    /// little.
    pub(super) fn attempt(&self) -> u64 {
        let n_blocks = self.shape.items.len() as u64;
        n_blocks * (n_blocks + tuning::BACKTRACKS)
    }

    /// Decides whether everything fits `capacity`, in attempts with `budget` each, of which the first that
    /// decides counts. Updates the bounds and the failure weights.
    fn ask(
        &mut self,
        capacity: u64,
        budget: u64,
        n_attempts: usize,
        limits: &mut Limits<'_>,
    ) -> Answer {
        let (learned, ranks) = self.prepare(capacity, n_attempts, limits.seed());
        let (clock, left) = (limits.clock(), limits.work_left());
        let attempt = |number: usize| {
            // Attempts that decide nothing spend their budgets.
            let left = left.saturating_sub(number as u64 * budget);
            self.attempt_at(capacity, &ranks[number], [budget, left], clock)
        };
        let is_last = |attempt: &Attempt| attempt.answer != Answer::OutOfBudget;
        let attempts = threads::until(self.pool.as_ref(), n_attempts, attempt, is_last);
        self.conclude(capacity, learned, attempts, limits)
    }

    /// What is known about a capacity, and the ranks of the next attempts at it.
    fn prepare(&mut self, capacity: u64, n_attempts: usize, seed: u64) -> (Learned, Vec<Vec<u32>>) {
        let mut learned = self.take_learned(capacity, seed);
        let ranks = (0..n_attempts).map(|number| self.ranks(&mut learned, number));
        let ranks = ranks.collect();
        (learned, ranks)
    }

    /// Searches with fixed ranks. `budget` and `left`: the effort of the search, and of all searches.
    fn attempt_at(
        &self,
        capacity: u64,
        ranks: &[u32],
        [budget, left]: [u64; 2],
        clock: Clock<'_>,
    ) -> Attempt {
        let search = |budget| Search::new(self.shape, capacity, ranks.to_vec(), budget, clock);
        let mut last = search(budget.min(left)).with_backjumping();
        let mut answer = last.run();
        let mut work = last.work();
        if answer == Answer::Exhausted {
            // Few placements are left, so that trying all of them may prove something.
            last = search(budget.min(left.saturating_sub(work)));
            answer = last.run();
            work += last.work();
        }
        Attempt {
            answer,
            work,
            failures: last.failures().to_vec(),
            offsets: last.offsets().to_vec(),
        }
    }

    /// Updates the bounds and the failure weights after attempts, of which only the last may have decided.
    fn conclude(
        &mut self,
        capacity: u64,
        mut learned: Learned,
        mut attempts: Vec<Attempt>,
        limits: &mut Limits<'_>,
    ) -> Answer {
        for attempt in &attempts {
            limits.spend(attempt.work);
            learned.learn(&attempt.failures);
        }
        self.learned.insert(capacity, learned);
        let Some(last) = attempts.pop() else {
            return Answer::OutOfBudget;
        };
        match last.answer {
            Answer::Fits => {
                // The placement may be lower than the capacity that was asked for.
                let tops = self.shape.items.iter().zip(&last.offsets);
                let peak = tops.map(|(item, offset)| offset + item.size).max();
                self.high = peak.unwrap_or(0).max(self.outside);
                limits.report(Strategy::Exact, self.high, self.proven());
                self.offsets = Some(last.offsets);
            }
            Answer::DoesNotFit => {
                // All tops are multiples of the grain: the next one is the first that may fit.
                // With conservative distances, the same question would fail again, so it is not
                // worth asking either; `proven` does not count it.
                self.low = (self.rounded(capacity) + self.grain).min(self.high);
                limits.report(Strategy::Exact, self.high, self.proven());
            }
            Answer::OutOfBudget | Answer::Exhausted => {}
        }
        last.answer
    }

    fn take_learned(&mut self, capacity: u64, seed: u64) -> Learned {
        let learned = self.learned.remove(&capacity);
        learned.unwrap_or_else(|| Learned {
            weights: vec![0.0; self.shape.items.len()],
            n_attempts: 0,
            // Capacities are close to each other, and what is learned at them is alike.
            rng: Rng::with_seed(seed ^ capacity),
        })
    }

    /// Returns the ranks of an attempt without knowledge.
    pub(super) fn ranks_of_attempt(&self, n_attempts: usize) -> Vec<u32> {
        let mut learned = Learned {
            weights: Vec::new(),
            n_attempts: n_attempts % ORDERS.len(),
            rng: Rng::with_seed(0),
        };
        self.ranks(&mut learned, 0)
    }

    /// Per block: its rank in the attempt with this number among those that have learned the same. Ranks
    /// break ties; lower ones come first.
    fn ranks(&self, learned: &mut Learned, number: usize) -> Vec<u32> {
        let n = self.shape.items.len();
        let n_attempts = learned.n_attempts + number;
        let order = &ORDERS[n_attempts % ORDERS.len()];
        let measured = |block: usize| order.map(|measure| Reverse(self.measure(block, measure)));
        // Each fixed order gets an attempt first: without failures, weights say nothing.
        let is_first = n_attempts < ORDERS.len();
        // Otherwise, one long attempt would follow another in nearly the same order.
        let weights: Vec<f64> = match is_first {
            true => vec![0.0; n],
            false => (learned.weights.iter())
                .map(|weight| weight * (1.0 - tuning::NOISE * learned.rng.f64()))
                .collect(),
        };
        let mut blocks: Vec<usize> = (0..n).collect();
        blocks.sort_by(|&a, &b| {
            let by_weight = weights[b].total_cmp(&weights[a]);
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
            Measure::Conflicts => self.shape.n_neighbours(block) as u64,
            Measure::Pressure => self.pressure[block],
            Measure::Size => item.size,
            Measure::Width => item.width(),
        }
    }
}

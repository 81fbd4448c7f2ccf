//! Lower bound on the makespan within a budget, over all choices of copies and recomputations.
//!
//! # Algorithm
//!
//! At each step, tensors with at least as many bytes as are in excess must be absent. A tensor that
//! is absent for part of a gap is either copied, out before those steps and back after them, or
//! recomputed by the steps that wrote it, which takes their time. Before a step and after it, the
//! engines can copy only so much. A copied tensor may be on the device for the first steps of its
//! gap, while it is copied out, and for the last ones: only steps at which it is absent count its
//! copies. The relaxation ignores everything else: the room of copies in flight, the operands of
//! recomputed steps, and the stalls of control at individual steps.
//!
//! Copies are priced per byte, so that the best steps to be absent are the same for all tensors of a
//! *class*: a class copies at the speed of its fastest member.
//!
//! Without a link, tensors are recomputed only. A recomputed tensor then needs operands: one whose own
//! uses are over by then stays all the while, or is recomputed, too. The operands of operands follow.
//! An operand of several tensors is charged to each in part.
//!
//! The relaxation is a linear program. Any prices of bytes at steps, and of link time before and
//! after steps, give a lower bound: its Lagrangian dual (M. Held, R. Karp, "The Traveling-Salesman
//! Problem and Minimum Spanning Trees: Part II", 1971). The dual function is not smooth; good
//! prices are found on smoothed versions of it, with decreasing smoothing (Y. Nesterov, "Smooth
//! Minimization of Non-Smooth Functions", 2005), by the method of D. Kingma and J. Ba ("Adam",
//! 2015), which adapts the step size of each price. On training steps, the bound comes within one
//! percent of the optimum of the linear program.
//!
//! O(rounds * (gaps + steps * classes)).

use mem_cost::{fastest_cycles, ideal_cycles, swap_cost};
use mem_model::{Interval, LevelId, LevelProblem, TensorId};

use crate::observe;

use super::Repeatable;
use super::prices::sums;
use super::profile::{Gap, Profile};
use super::replay::Producers;
use super::tuning::{self, MEMORY};

/// Lower bound on the makespan, in cycles, if each tensor is copied as a whole by one engine, and
/// steps run only as they are or repeated. `repeatable` is indexed by step. `known` is the makespan
/// of some plan; the tighter it is, the sooner good prices are found.
#[must_use]
pub fn least_makespan(problem: &LevelProblem, repeatable: &[Repeatable], known: u64) -> u64 {
    let n_engines = n_engines(problem);
    // Without any engine, the processor copies.
    let has_link = problem.hierarchy.engines.is_empty() || !n_engines.contains(&0);
    least(problem, repeatable, known, has_link)
}

/// The same if nothing is copied, whatever links there are.
pub(super) fn least_alone(problem: &LevelProblem, repeatable: &[Repeatable], known: u64) -> u64 {
    least(problem, repeatable, known, false)
}

fn least(problem: &LevelProblem, repeatable: &[Repeatable], known: u64, has_link: bool) -> u64 {
    let profile = Profile::new(problem);
    let dual = profile.and_then(|own| Dual::new(problem, repeatable, &own, has_link));
    let ideal = ideal_cycles(problem);
    // Without bytes in excess nothing has to be copied, and without a profile nothing is known
    // about them: the ideal makespan is all that can be proved.
    let Some(dual) = dual else { return ideal };
    // Copies and repetitions may take place while the program waits for messages, so they extend the
    // time without waiting.
    let computing = fastest_cycles(problem).into_iter();
    let computing = computing.fold(0, u64::saturating_add);
    let over = known.saturating_sub(computing) as f64 / dual.unit;
    // The margin far exceeds the rounding errors of the sums.
    let least =
        dual.best(over) * dual.unit * (1.0 - tuning::BOUND_MARGINS.0) - tuning::BOUND_MARGINS.1;
    // A valid bound cannot exceed `known`, so no clamp is needed.
    computing.saturating_add(least.max(0.0) as u64).max(ideal)
}

/// A gap in which a tensor can be absent.
struct Way {
    /// Steps at which the absence helps, as indices into the steps in excess.
    steps: Interval<usize>,
    size: f64,
    /// Time to copy the tensor out before steps at which it is absent, and back after them.
    links: [f64; 2],
    /// Index of its class.
    class: usize,
    /// Time to recompute the tensor; infinite if that is impossible.
    again: f64,
    /// Operands that are gone by then, if nothing can be copied.
    operands: Vec<Operand>,
}

/// An operand of a recomputed tensor whose uses in the program are over. Where the tensor is absent,
/// the operand is resident, or it is recomputed as well. Of both, each tensor that may need the
/// operand is charged a share, so that all of them together are charged no more than once.
struct Operand {
    size: f64,
    /// Time to recompute it; infinite if that is impossible.
    again: f64,
    /// Its own operands that are gone.
    operands: Vec<Operand>,
}

impl Operand {
    /// The least charge, and the bytes and the time in it. `bytes`: worth of a byte at all steps.
    fn charge(&self, bytes: f64, rest: f64) -> (f64, [f64; 2]) {
        let stays = (self.size * bytes, [self.size, 0.0]);
        if !self.again.is_finite() {
            return stays;
        }
        let mut again = (rest * self.again, [0.0, self.again]);
        for own in &self.operands {
            let (charge, [bytes, time]) = own.charge(bytes, rest);
            again.0 += charge;
            again.1[0] += bytes;
            again.1[1] += time;
        }
        match again.0 < stays.0 {
            true => again,
            false => stays,
        }
    }
}

/// The data from which the ways to be absent follow.
struct Ways<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [Repeatable],
    profile: &'a Profile,
    producers: &'a Producers<'a>,
    /// The steps in excess.
    steps: &'a [usize],
    /// Number of engines that copy out, and back.
    n_engines: [usize; 2],
    has_link: bool,
    /// Per tensor: the number of tensors of whose recomputation it is an operand.
    n_users: &'a [usize],
    /// Largest excess, in bytes.
    most: f64,
    /// Cycles of the program.
    unit: f64,
}

impl Ways<'_> {
    /// All gaps in which a tensor can be absent from steps in excess.
    fn all(&self) -> Vec<Way> {
        let gaps = self.profile.gaps.iter().filter(|gap| !gap.is_dead);
        let ways = gaps.map(|gap| self.way(gap));
        ways.filter(|way| way.steps.start < way.steps.end).collect()
    }

    fn way(&self, gap: &Gap) -> Way {
        let Interval { start, end } = gap.steps;
        let index = |step: usize| self.steps.partition_point(|own| *own < step);
        let cycles = match self.problem.hierarchy.levels.len() {
            0 | 1 => [0, 0],
            _ => swap_cost(
                &self.problem.hierarchy,
                self.problem.tensors[gap.tensor.index()].size,
            ),
        };
        // Engines that copy in the same direction share the work at best.
        let link = |way: usize| match self.n_engines[way] {
            0 => 0.0,
            n => cycles[way] as f64 / n as f64 / self.unit,
        };
        // Any takeover that might happen counts, as repetitions may enable it: the bound must not
        // miss a step at which some plan has the tensor absent.
        let first = start - usize::from(self.is_taken_over(gap));
        // Recomputed before any step of the gap, it is there at the end.
        let befores = Interval::new(first + 1, end + 1);
        let again = self.producers.least_cycles(gap.tensor, befores);
        Way {
            steps: Interval::new(index(first), index(end)),
            size: self.profile.sizes[gap.tensor.index()] as f64 / self.most,
            links: [link(0), link(1)],
            class: 0,
            again: again.map_or(f64::INFINITY, |cycles| cycles as f64 / self.unit),
            // A link may bring operands back in other ways.
            operands: match self.has_link || again.is_none() {
                true => Vec::new(),
                false => self.operands(gap.tensor, first, befores, (1.0, tuning::OPERAND_DEPTH)),
            },
        }
    }

    /// The operands of a tensor that no step uses from `first` on.
    fn operands(
        &self,
        tensor: TensorId,
        first: usize,
        befores: Interval<usize>,
        (share, depth): (f64, usize),
    ) -> Vec<Operand> {
        if depth == 0 {
            return Vec::new();
        }
        let operands = self.producers.operands(tensor);
        let gone = operands.into_iter().filter(|own| {
            let life = self.profile.lives[own.index()];
            // Of a tensor that is written again, other contents would be meant.
            life.is_some_and(|life| life.end <= first) && self.producers.has_one_writer(*own)
        });
        let operand = |own: TensorId| {
            let share = share / self.n_users[own.index()].max(1) as f64;
            let again = self.producers.least_cycles(own, befores);
            Operand {
                size: share * self.profile.sizes[own.index()] as f64 / self.most,
                again: again.map_or(f64::INFINITY, |own| share * own as f64 / self.unit),
                operands: self.operands(own, first, befores, (share, depth - 1)),
            }
        };
        gone.map(operand).collect()
    }

    /// Whether a result may take over the bytes of a gap's tensor at the last step that needs them:
    /// the tensor is then absent one step earlier.
    fn is_taken_over(&self, gap: &Gap) -> bool {
        gap.steps.start.checked_sub(1).is_some_and(|last| {
            let uses = &self.problem.steps[last].uses;
            let pairs = self.repeatable.get(last);
            let pairs = pairs.map_or(&[][..], |own| &own.in_place[..]);
            let mut operands = pairs.iter().filter_map(|(operand, _)| uses.get(*operand));
            operands.any(|used| used.tensor == gap.tensor)
        })
    }
}

/// Assigns a class to each way: tensors with nearly the same link time per byte. Returns the least
/// time per byte of each class, out and back.
fn classes(ways: &mut [Way]) -> Vec<[f64; 2]> {
    let speed = |way: &Way| way.links.map(|cycles| cycles / way.size);
    let sum = |way: &Way| speed(way).iter().sum::<f64>();
    let mut order: Vec<usize> = (0..ways.len()).collect();
    // Ascending, so that the limit on classes merges the slowest copies per byte: those of the
    // smallest tensors, where latency dominates.
    order.sort_by(|a, b| sum(&ways[*a]).total_cmp(&sum(&ways[*b])));
    let mut classes: Vec<[f64; 2]> = Vec::new();
    let mut most = f64::NEG_INFINITY;
    for index in order {
        let own = speed(&ways[index]);
        let sum = sum(&ways[index]);
        if sum > most && classes.len() < tuning::CLASSES {
            classes.push(own);
            most = sum * tuning::CLASS_WIDTH;
        }
        ways[index].class = classes.len() - 1;
        if let Some(class) = classes.last_mut() {
            // If a class charged a member for more time than its copies take, the bound would not
            // hold.
            *class = [class[0].min(own[0]), class[1].min(own[1])];
        }
    }
    classes
}

/// Number of engines that copy from the device to the host, and back.
fn n_engines(problem: &LevelProblem) -> [usize; 2] {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    [(device, host), (host, device)].map(|link| {
        let engines = problem.hierarchy.engines.iter();
        engines.filter(|own| own.links.contains(&link)).count()
    })
}

/// Bytes are fractions of the largest excess, and times are fractions of `unit`.
struct Dual {
    /// Per step in excess: the excess.
    over: Vec<f64>,
    /// Engine time until each step in excess, and from its end on.
    times: [Vec<f64>; 2],
    ways: Vec<Way>,
    /// Per class: link time per byte, out and back.
    classes: Vec<[f64; 2]>,
    /// Whether anything can be copied.
    has_link: bool,
    /// Cycles.
    unit: f64,
}

impl Dual {
    /// Returns `None` if no step is in excess.
    fn new(
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        profile: &Profile,
        has_link: bool,
    ) -> Option<Self> {
        // The profile rounds all sizes up, but the last tensor needs no padding: rounding up the
        // capacity keeps the bound valid.
        let capacity = profile.capacity.checked_next_multiple_of(profile.unit)?;
        let steps: Vec<usize> = (0..profile.used.len())
            .filter(|step| profile.used[*step] > capacity)
            .collect();
        let over = |step: usize| (profile.used[step] - capacity) as f64;
        let most = steps.iter().map(|step| over(*step)).fold(0.0, f64::max);
        if steps.is_empty() {
            return None;
        }
        let producers = Producers::new(problem, repeatable);
        let durations = producers.durations.iter().map(|cycles| *cycles as f64);
        let begins = sums(&durations.collect::<Vec<_>>());
        let unit = begins[problem.steps.len()].max(1.0);
        let n_engines = n_engines(problem);
        let mut n_users = vec![0; problem.tensors.len()];
        for tensor in (0..problem.tensors.len()).map(TensorId::new) {
            for own in producers.operands(tensor) {
                n_users[own.index()] += 1;
            }
        }
        let ways = Ways {
            problem,
            repeatable,
            profile,
            producers: &producers,
            steps: &steps,
            n_engines,
            has_link,
            n_users: &n_users,
            most,
            unit,
        };
        let mut all = ways.all();
        // The link time of a program that never stalls: copies that need more extend the makespan,
        // either before the step or after it.
        let until = steps.iter().map(|step| begins[*step] / unit);
        let from = steps.iter().map(|step| (unit - begins[step + 1]) / unit);
        Some(Self {
            over: steps.iter().map(|step| over(*step) / most).collect(),
            times: [until.collect(), from.collect()],
            classes: classes(&mut all),
            ways: all,
            has_link,
            unit,
        })
    }

    /// The best bound of all rounds, above the ideal makespan. `known`: that of some plan.
    fn best(&self, known: f64) -> f64 {
        let n = self.over.len();
        // A plan without overhead is known, so no higher bound can be valid.
        if known <= 0.0 {
            return 0.0;
        }
        let mut climb = Climb::new(self, known);
        // Every round gives a valid bound, so the best one counts, whatever the last prices are.
        let mut best = 0.0_f64;
        for round in 0..tuning::BOUND_ROUNDS {
            if observe::is_stopped() {
                break;
            }
            let part = round as f64 / tuning::BOUND_ROUNDS as f64;
            let between = |ends: [f64; 2]| ends[0] * (ends[1] / ends[0]).powf(part);
            // The bound is that of the exact dual: smoothing only influences the slopes.
            let smoothing = between(tuning::SMOOTHING);
            best = best.max(self.look(&climb.prices, smoothing, &mut climb.slopes));
            climb.step(between(tuning::BOUND_SPEED));
            // Stalls and computation extend the same makespan, whose price is 1: prices of link
            // time must sum to at most 1. The margin leaves computation a price.
            let waits: f64 = climb.prices[n..].iter().sum();
            if waits > tuning::MOST_LINK_PRICE {
                climb.prices[n..]
                    .iter_mut()
                    .for_each(|price| *price *= tuning::MOST_LINK_PRICE / waits);
            }
        }
        best
    }

    /// The bound at some prices; `slopes` receives its smoothed gradient.
    fn look(&self, prices: &[f64], smoothing: f64, slopes: &mut [f64]) -> f64 {
        let n = self.over.len();
        let [bytes, until, from] = [0, 1, 2].map(|own| &prices[own * n..][..n]);
        let product = |own: &[f64], other: &[f64]| {
            let pairs = own.iter().zip(other);
            pairs.map(|(a, b)| a * b).sum::<f64>()
        };
        let times = product(until, &self.times[0]) + product(from, &self.times[1]);
        let mut bound = product(bytes, &self.over) - times;
        let gain = |links: &[f64; 2], step: usize| match self.has_link {
            true => bytes[step] - links[0] * until[step] - links[1] * from[step],
            false => f64::NEG_INFINITY,
        };
        let gains = self.classes.iter();
        let gains = gains.map(|links| (0..n).map(|step| gain(links, step)).collect());
        let gains: Vec<Vec<f64>> = gains.collect();
        let worths = Worths {
            bytes: sums(bytes),
            copied: gains.iter().map(|own| gained(own)).collect(),
            // The price of computation is the rest of the makespan's price.
            rest: (1.0 - until.iter().chain(from).sum::<f64>()).max(0.0),
        };
        // Per step: change of the bytes recomputed, and of the bytes of each class that are absent
        // where that pays, from the previous step.
        let mut computed_bytes = vec![0.0; n + 1];
        let mut copied_bytes = vec![vec![0.0; n + 1]; self.classes.len()];
        let mut again = 0.0;
        for way in &self.ways {
            let [extra, bytes_kept, time] = worths.charges(way);
            let (least, [copied, computed]) = worths.choose(way, extra, smoothing);
            bound += least;
            // Zero times an infinite time would not be a number.
            if computed > 0.0 {
                again += computed * (way.again + time);
            }
            let changes = [
                (&mut computed_bytes, computed * (way.size - bytes_kept)),
                (&mut copied_bytes[way.class], copied * way.size),
            ];
            for (changes, bytes) in changes {
                changes[way.steps.start] += bytes;
                changes[way.steps.end] -= bytes;
            }
        }
        // Absent bytes, and the times of their copies before and after each step.
        let mut absent = vec![[0.0; 3]; n];
        add_up(&computed_bytes, |step, now| absent[step][0] += now);
        for ((links, changes), gains) in self.classes.iter().zip(&copied_bytes).zip(&gains) {
            add_up(changes, |step, now| {
                if now == 0.0 {
                    return;
                }
                // A logistic share replaces the jump where the gain changes sign. Prices, and thus
                // gains, are of the order of 1/n.
                let own = now / (1.0 + (-gains[step] * n as f64 / smoothing).exp());
                for (sum, factor) in absent[step].iter_mut().zip([1.0, links[0], links[1]]) {
                    *sum += own * factor;
                }
            });
        }
        self.slopes(&absent, again, slopes);
        bound
    }

    /// The gradient: what each constraint lacks. `absent`: per step, bytes absent, and the times of
    /// their copies before and after it; `again`: the time of all recomputation.
    fn slopes(&self, absent: &[[f64; 3]], again: f64, slopes: &mut [f64]) {
        let n = self.over.len();
        for (step, [bytes, until, from]) in absent.iter().enumerate() {
            slopes[step] = self.over[step] - bytes;
            // Recomputation gives the link more time: all of it counts both before and after each
            // step, since the relaxation does not know where the steps are repeated.
            slopes[n + step] = until - self.times[0][step] - again;
            slopes[2 * n + step] = from - self.times[1][step] - again;
        }
    }
}

/// Prefix sums of gains, where there are any.
fn gained(gains: &[f64]) -> Vec<f64> {
    let gains: Vec<f64> = gains.iter().map(|own| own.max(0.0)).collect();
    sums(&gains)
}

/// Calls `each` with every step and the sum of the changes up to it.
fn add_up(changes: &[f64], mut each: impl FnMut(usize, f64)) {
    let mut now = 0.0;
    for (step, change) in changes[..changes.len() - 1].iter().enumerate() {
        now += change;
        each(step, now);
    }
}

/// Prefix sums over the steps in excess, and the price of computation.
struct Worths {
    /// Worth of a byte.
    bytes: Vec<f64>,
    /// Per class: worth of a byte, less the cost of its copies, at steps where it is worth more.
    copied: Vec<Vec<f64>>,
    rest: f64,
}

impl Worths {
    /// What the operands of a recomputed tensor cost, with the bytes and the time in it.
    fn charges(&self, way: &Way) -> [f64; 3] {
        let Interval { start, end } = way.steps;
        let bytes = self.bytes[end] - self.bytes[start];
        let mut all = [0.0; 3];
        for own in &way.operands {
            let (charge, [bytes, time]) = own.charge(bytes, self.rest);
            all[0] += charge;
            all[1] += bytes;
            all[2] += time;
        }
        all
    }

    /// Least cost of a gap, less the worth of its bytes, if the operands cost `extra`; and the shares of copying and recomputing
    /// in a soft minimum over both. A tensor that stays is one that is copied for no step.
    fn choose(&self, way: &Way, extra: f64, smoothing: f64) -> (f64, [f64; 2]) {
        let Interval { start, end } = way.steps;
        let worth = |sums: &[f64]| way.size * (sums[end] - sums[start]);
        let by_link = -worth(&self.copied[way.class]);
        // Without this case, a price of zero times infinity would not be a number.
        let by_again = match way.again.is_finite() {
            true => self.rest * way.again + extra - worth(&self.bytes),
            false => f64::INFINITY,
        };
        let least = by_link.min(by_again);
        // Relative to the least, so that no exponential overflows and the sum is at least 1.
        let share = |own: f64| ((least - own) / smoothing).exp();
        let shares = [share(by_link), share(by_again)];
        let sum: f64 = shares.iter().sum();
        (least, shares.map(|share| share / sum))
    }
}

/// Prices that climb along their slopes ("Adam").
struct Climb {
    /// Prices of bytes at each step, of the time until each step, and of the time from each step on.
    prices: Vec<f64>,
    slopes: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
    /// Powers of the decay rates: the weight of the initial zeros in the means.
    rests: [f64; 2],
    /// Overhead of a known plan.
    known: f64,
}

impl Climb {
    fn new(dual: &Dual, known: f64) -> Self {
        let n = dual.over.len();
        let sum: f64 = dual.over.iter().sum();
        let mut prices = vec![0.0; 3 * n];
        // Link time starts without a price: the first slopes show where it is scarce.
        for (price, over) in prices.iter_mut().zip(&dual.over) {
            *price = tuning::FIRST_PRICE * known * over / sum;
        }
        Self {
            prices,
            slopes: vec![0.0; 3 * n],
            means: vec![0.0; 3 * n],
            squares: vec![0.0; 3 * n],
            rests: [1.0, 1.0],
            known,
        }
    }

    fn step(&mut self, speed: f64) {
        let n = self.prices.len() / 3;
        for (rest, memory) in self.rests.iter_mut().zip(MEMORY) {
            *rest *= memory;
        }
        for (index, slope) in self.slopes.iter().enumerate() {
            let (mean, square) = (&mut self.means[index], &mut self.squares[index]);
            *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
            *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
            // The means start at zero and would underestimate the first slopes (bias correction).
            let mean = *mean / (1.0 - self.rests[0]);
            let size = (*square / (1.0 - self.rests[1])).sqrt() + tuning::LEAST_SLOPE;
            let scale = match index < n {
                true => tuning::BYTE_SCALE * self.known,
                false => tuning::LINK_SCALE,
            };
            let price = &mut self.prices[index];
            // The constraints are inequalities: with a negative price, the dual is no bound.
            *price = (*price + speed * (scale / n as f64) * mean / size).max(0.0);
        }
    }
}

//! The tunable numbers of the planner within a budget. Limits are counts of work, never seconds,
//! and seeds are fixed, so that a plan is the same on every machine.
//!
//! Where a comment gives no measurement, the value was chosen by its order of magnitude: the
//! comment then states what the number bounds and what a larger or smaller one would do.

use super::replay::Manner;

// Choice of the tensors to recompute (`search`, `trials`, `prices`).

/// Exchange rates to try, in compute cycles per link cycle. Tensors that are cheaper to copy at a
/// rate are not recomputed; at infinity, all may be. A lower rate lowers the worth of link time:
/// how much of it copies can hide depends on all other decisions, so it cannot be computed.
pub(super) const RATES: [f64; 4] = [f64::INFINITY, 0.1, 0.05, 0.02];

/// Manners of recomputing to try; the first is usually the best, and the only one until a good set
/// of tensors is known. Chains of up to 64 steps reach the producers of a whole block of a
/// network; 8 forbids long chains where they repeat expensive steps. The window keeps recomputed
/// operands for another use nearby.
pub(super) const MANNERS: [Manner; 4] = [
    Manner {
        longest: 64,
        keeps: true,
        window: 0,
    },
    Manner {
        longest: 64,
        keeps: true,
        window: 64,
    },
    Manner {
        longest: 64,
        keeps: false,
        window: 0,
    },
    Manner {
        longest: 8,
        keeps: true,
        window: 0,
    },
];

/// Number of candidates up to which all subsets are tried, in all manners: 256 plans at most, of
/// programs that are small if they have so few candidates.
pub(super) const FEW: usize = 6;

/// Number of single changes to evaluate in parallel. More use more threads, but the best of a
/// batch is accepted alone, and the others were planned in vain.
pub(super) const BATCH: usize = 8;

/// Single changes end if so many batches have gained at most this fraction, as a divisor, in programs of more than
/// [`SMALL`] steps: 0.05 %. For GPT-2 at a half of its peak, they took a fifth of the time and gained 0.03 %.
pub(super) const GAIN_BATCHES: usize = 8;
pub(super) const LEAST_GAIN: u64 = 2000;

/// Divisor of the first distance of the climb along a list of candidates: it starts a quarter of
/// the length away from the estimated length, and halves the distance from there.
pub(super) const FIRST_STRIDE: usize = 4;

/// Number of best choices to keep for packing. More of them cost a
/// packing each, fewer depend more on the luck of the packer.
pub(super) const OTHERS: usize = 3;

/// Fraction by which a sketch must be longer than a limit to show that a plan is. A sketch charges the
/// padding of steps whose tensors do not fit with it, which plans do not.
pub(super) const SKETCH_MARGIN: f64 = 1e-4;

/// Choices that take longer than the best order by more than this fraction, as a divisor, are not
/// improved in programs of more than [`SMALL`] steps: 0.5 %. On the training steps of `docs/Offload.md`,
/// choices that were longer have never become better than orders.
pub(super) const HOPELESS: u64 = 200;

/// A choice of such programs that takes at most this fraction longer than the ideal, as a divisor, is good enough
/// that neither orders are searched for nor the choice improved, as long as packing holds it: 0.1 %.
pub(super) const IDEAL: u64 = 1000;

/// They are improved after all if packing does not hold what orders promise, unless annealing leaves them
/// longer than the plan with addresses by more than this fraction, as a divisor: 5 %. In small tensors that fill
/// a device, choices may have addresses where orders have none: with ResNet-50 of 64 by 64 pixels in 8 MiB beside
/// a slow link, packing lengthens the best order by 1.2 %.
pub(super) const LOST: u64 = 20;

/// Effort of a plan, relative to rejecting a choice because its computation alone takes too long.
pub(super) const PLAN: usize = 16;

/// Number of plans to make for a program. A plan takes nearly quadratic time in the number of
/// steps, so the total is under a second for a thousand steps, some seconds for some thousands, and
/// half a minute beyond that; small programs are planned often.
pub(super) fn n_plans(n_steps: usize) -> usize {
    match n_steps.max(1) {
        n @ ..=250 => (40_000 / n).min(2_000),
        n @ ..=4000 => (n / 5).saturating_sub(80).clamp(120, 400),
        n => (4_000_000_000 / n / n).clamp(12, 240),
    }
}

/// Share of [`n_plans`] for the policy that recomputes as much as possible, as a divisor: `auto`
/// runs it in addition to its own search.
pub(super) const RECOMPUTE_SHARE: usize = 2;

/// Number of updates of the prices of bytes. Multiplicative weights converges with the inverse
/// square root of the rounds; the ranking of tensors settles sooner than the prices.
pub(super) const PRICE_ROUNDS: u32 = 48;

/// First step size of the prices of bytes; round n uses this divided by √(n + 1), the rate for
/// which the method is known to converge. Larger
/// values oscillate, smaller ones need more rounds.
pub(super) const PRICE_SPEED: f64 = 4.0;

// Annealing (`search`, `anneal`).

/// Initial and final annealing temperature, as a fraction of the makespan: in the beginning a
/// choice that is longer by a ten-thousandth is accepted about every third time, in the end hardly
/// any is. Higher temperatures
/// drift further from the choice from which annealing starts.
pub(super) const HEAT: [f64; 2] = [1e-4, 1e-6];

/// Number of annealing rounds, each starting from the best choice so far.
pub(super) const ANNEAL_ROUNDS: usize = 3;

/// Number of annealing chains per round, run in parallel. Each assumes another usable fraction of
/// the link.
pub(super) const CHAINS: usize = 4;

/// Number of choices that each chain looks at. A sketch is several hundred times faster than a
/// plan, so the chains take about as long as a few dozen plans.
pub(super) const LOOKS: usize = 800;

/// A program of more than [`SMALL`] steps is not annealed in another round if the last one gained at most this
/// fraction, as a divisor: 0.1 %.
pub(super) const ANNEAL_GAIN: u64 = 1000;

/// Number of choices that each chain looks at to see whether annealing gains much: 10 %, as a divisor.
pub(super) const PROBE_LOOKS: usize = 200;
pub(super) const PROBE_GAIN: u64 = 10;

/// First guess of the fraction of the link's time that copies can use. The sketch knows no
/// timetable, so the fraction depends on the program: the chains try several on both sides of the
/// guess, and later rounds narrow them down to the best.
pub(super) const REACH: f64 = 0.7;

/// Half the width of the first round's range of fractions; each round halves it.
pub(super) const REACH_WIDTH: f64 = 0.2;

/// Limits of the fraction: below the first, every choice seems to stall.
pub(super) const REACH_LIMITS: (f64, f64) = (0.1, 1.0);

/// Size, in bytes, of the copy from which the sketch derives cycles per byte: so large that the
/// latency does not matter.
pub(super) const LARGE_COPY: u64 = 1 << 40;

// Timetables (`timetable`, `swaps`).

/// Preferred window of an exposed copy, as a multiple of its own cycles, if there is room. Twice
/// its duration hides a copy even if another one delays it by its own length.
pub(super) const COVER: u64 = 2;

/// Fraction of the best score at which a timetable accepts a candidate. Frequent evaluations use
/// this value only; final plans try all of [`NEARLIES`], since small changes affect all later
/// decisions. At 1.0, a timetable reevaluated a hundred thousand candidates to accept a hundred.
pub(super) const NEARLY: f64 = 0.8;

/// All fractions to try for a final plan.
pub(super) const NEARLIES: [f64; 4] = [NEARLY, 0.9, 1.0, 0.7];

/// Number of steps up to which planning a program in one more way takes no noticeable time.
pub(super) const SMALL: usize = 100;

/// Number of steps up to which choices are planned with slack for packing as well as without. A choice
/// then promises what a final plan can keep, and trials of such programs take little time.
pub(super) const TWO_ROOMS: usize = 2000;

/// A final plan within this fraction of the ideal makespan, as a divisor, is good enough that a
/// program of more than [`SMALL`] steps is not planned a second time, and that an order is not annealed
/// again: 2 %.
pub(super) const GOOD: u64 = 50;

// Addresses (`place`, `swaps`, `packed`).

/// Slack for packing, as a divisor of the capacity: timetables for slightly less than the capacity
/// leave the packer a few bytes of padding, and lose
/// little: 0.4 %.
pub(super) const SLACK: u64 = 256;

/// Number of near-optimal timetables to try to pack. Packing takes longer than a timetable.
pub(super) const TRIED: usize = 3;

/// Timetables within this fraction of the best one, as a divisor, are near-optimal: 1 %.
pub(super) const NEAR_OPTIMAL: u64 = 100;

/// Maximum number of rounds; each plans with less room, since the previous packing exceeded the
/// capacity. In the first half, only the steps whose packing failed get less room; afterwards all
/// steps do, since the failure then moves from step to step.
pub(super) const PACK_ROUNDS: usize = 16;

/// Minimum reduction of the room after a failed packing, as a divisor of the capacity. A smaller
/// reduction may need more than [`PACK_ROUNDS`] rounds, a larger one wastes bytes.
pub(super) const LEAST_REDUCTION: u64 = 512;

/// Maximum reduction, as a divisor of the capacity: 2 %. Packings that take little effort exceed the capacity by
/// more than better ones would, and less room makes a plan longer.
pub(super) const MOST_REDUCTION: u64 = 48;

/// Factor by which the reduction grows with each round that leaves the plan as it was, and number of such
/// rounds after which packing has failed: by then, the reduction was the whole capacity.
pub(super) const LARGER_REDUCTION: u64 = 8;
pub(super) const SAME_ROUNDS: u32 = 4;

/// Effort of the search for addresses on the device, in examined blocks: about a tenth of a second.
pub(super) const PACK_EFFORT: u64 = 1_000_000;

/// Effort of the search for addresses of each near-optimal timetable of a promise before the first promise
/// gets the full effort: what has addresses at once seldom needs more. At a fifth of it, the widest steps of
/// ResNet-50 and of a small GPT have addresses within 0.1 % of the plans that take several times as long.
pub(super) const EARLY_EFFORT: u64 = PACK_EFFORT / 5;

/// Number of items up to which they are packed together as well, if the large ones first do not fit: it takes no
/// time. Of more items, only if the large ones exceed the capacity by at most this fraction, as a divisor: 0.4 %.
/// Together, thousands of items take longer, and are seldom packed better.
pub(super) const FEW_ITEMS: usize = 500;
pub(super) const NEARLY_PACKED: u64 = 256;

/// Number of promises that get this effort. On the training steps of `docs/Offload.md`, one of the first four
/// has addresses at once, or none.
pub(super) const EARLY: usize = 4;

/// Items up to this fraction of the capacity, as a divisor, are placed between the larger ones. With a
/// 4096th, ResNet-50 at a quarter of its peak needs 1 % to 2 % more bytes in the same effort; with a
/// 256th, the small ones do not find room.
pub(super) const SMALL_ITEM: u64 = 1024;
/// Large items are packed first if at least this fraction of all items, as a divisor, is small.
pub(super) const FEW_SMALL: usize = 4;
/// Slack that the search for addresses of large items aims for, as a divisor of the capacity.
pub(super) const SMALL_SLACK: u64 = 128;
/// A makespan with addresses holds what the choice promised without if it is at most this fraction
/// longer, as a divisor: 1 %. Large programs then skip the remaining choices.
pub(super) const PROMISE: u64 = 100;

// Recomputation without copies (`recompute`). The values were chosen by plans of a GPT and a
// ResNet-50 training step at fourteen budgets; few of them matter by more than a percent.

/// Number of trials of a chain of annealing. A trial takes about half a microsecond, and longer in
/// longer programs: the chains take less than a second for a thousand steps, and less than a minute
/// for ten thousand. Four times as many trials gain less than half a percent.
pub(super) fn n_recompute_trials(n_steps: usize) -> usize {
    match n_steps {
        n @ ..=2000 => (1000 * n).clamp(20_000, 300_000),
        n => (150 * n).min(20_000_000_000 / n).min(2_000_000),
    }
}

/// Number of chains, run in parallel, from different starts and seeds.
pub(super) const RECOMPUTE_CHAINS: usize = 4;

/// First temperature of the first chains, and of those that improve the best of them, in units of the
/// longest step; and the last temperature of all.
pub(super) const FIRST_HEATS: [f64; 2] = [0.15, 0.05];
pub(super) const LAST_HEAT: f64 = 1.5e-3;

/// A trial ends early if it costs more than is accepted by this fraction. Rounding errors are smaller.
pub(super) const MARGIN: f64 = 1e-9;

/// Number of trials at each temperature.
pub(super) const COOLING: usize = 256;

/// Price of bytes in excess, in units of the longest step, if they are as many as the capacity at one
/// step: at first, and if an order that does not fit is to be improved.
pub(super) const EXCESS_PRICES: [f64; 2] = [2.5, 50.0];

/// Price of bytes in excess in the end: so high that an order which does not fit pays off at no
/// temperature.
pub(super) const LAST_EXCESS_PRICE: f64 = 1000.0;

/// How often the search continues from orders that do not fit.
pub(super) const REPAIRS: usize = 4;

/// Orders within this fraction of the best one, as a divisor, are tried to pack: 1 %.
pub(super) const NEARLY_BEST: i64 = 100;

/// Price of a repeated step of any length, in units of the longest: so low that it decides only
/// between orders of about equal length.
pub(super) const STEP_PRICE: f64 = 2.5e-4;

/// A value of this fraction of the largest or more is always worth a trial; smaller ones are tried
/// less often, but at least with the probability [`LEAST_WORTH`].
pub(super) const LARGE_VALUE: f64 = 0.05;
pub(super) const LEAST_WORTH: f64 = 0.01;

/// Kinds of moves: one is a shift, half of the others are insertions, and the others removals.
pub(super) const MOVES: usize = 11;

/// How far a shift moves a group at most, in steps: near or far.
pub(super) const SHIFTS: [usize; 2] = [8, 64];

/// Of so many chains, one repeats only what it has to, one as much as possible, and the others the
/// operands below a random cost.
pub(super) const BOUNDS: usize = 4;

/// One of so many chains decides otherwise for one of so many operands.
pub(super) const ODD: usize = 4;

/// One of so many chains repeats all operands of a step, rather than one of them.
pub(super) const ALL_OPERANDS: usize = 8;

/// Number of groups of a chain from which on it is not tried: longer ones are made by several
/// changes.
pub(super) const LONGEST_CHAIN: usize = 200;

/// Number of costs of groups at which a start recomputes all cheaper ones.
pub(super) const COST_LEVELS: usize = 12;

/// Maximum number of equal segments, number of cuts to choose from, and of choices to remember for
/// each cut.
pub(super) const SEGMENTS: usize = 24;
pub(super) const CUTS: usize = 96;
pub(super) const LABELS: usize = 24;

/// Shares of the capacity for the values of segments; the rest is for what steps after the turn
/// need.
pub(super) const SEGMENT_SHARES: [f64; 8] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];

/// Numbers of segments within a segment.
pub(super) const NESTED_STRIDES: [usize; 3] = [2, 3, 4];

/// Number of orders whose addresses are searched for, each for fewer bytes than the one before.
pub(super) const RECOMPUTE_PACK_ROUNDS: usize = 8;

/// Number of orders of a round whose addresses are searched for, rather than assigned at once.
pub(super) const PACKED_WELL: usize = 2;

/// Share of the trials, as a divisor, for an order that is to fit slightly fewer bytes than a known
/// one.
pub(super) const NARROWED_SHARE: usize = 3;

// Orders for devices with a link (`orders`, `recompute::beside`). The values were chosen by plans of
// training steps of GPT-2, a small GPT and ResNet-50 at three budgets.

/// Number of trials of a chain of annealing. Fewer than without a link, since several rounds follow,
/// and fewer in long programs, in which a trial takes longer.
pub(super) fn n_order_trials(n_steps: usize) -> usize {
    let most = 1_500_000_000 / n_steps.max(1);
    n_recompute_trials(n_steps).min(200 * n_steps).min(most)
}

/// As [`MOVES`]. A shift takes several times as long as the other changes, so that there are fewer in long programs;
/// up to a thousand steps, the search takes less than a second anyway.
pub(super) fn n_order_moves(n_steps: usize) -> usize {
    if n_steps <= ALONE_STEPS { MOVES } else { 21 }
}

/// Share of the trials, as a divisor, for an order in other room, near a known one. In long programs, a fifth is
/// as good as a third: ResNet-50 takes 0.5 % less at a quarter and nothing more at a half of its peak.
pub(super) fn near_share(n_steps: usize) -> usize {
    if n_steps <= ALONE_STEPS {
        NARROWED_SHARE
    } else {
        5
    }
}

/// First temperature of the first chains and of those that improve an order in less room, in units of the
/// longest group. Where copies take what remains in excess, the landscape is smoother than where nothing
/// may remain.
pub(super) const ORDER_HEATS: [f64; 2] = [0.015, 0.005];
/// First temperatures when the best order is annealed again: of training steps, GPT gain more at the
/// lower one and ResNet-50 at the higher one.
pub(super) const AGAIN_HEATS: [f64; 2] = [0.06, 0.015];
/// An order is not annealed again if it takes longer than the ideal by more than this fraction, as a divisor:
/// copies that hide nowhere then take most of the time, whatever is repeated. At the widest steps of a small
/// GPT and GPT-2, 2.5 and 2.0 times the ideal, it took almost half of the time and gained nothing.
pub(super) const STALLED: u64 = 2;
/// Otherwise, it is annealed from the next temperature if the last one gained more than this fraction, as a
/// divisor: 0.1 %, or 1 % if it takes longer than the ideal by more than [`TIGHT`]. If it does not, programs of
/// more than [`TWO_ROOMS`] steps are annealed in any case: GPT-2 at a quarter gains 0.4 % at the second
/// temperature and nothing at the first.
pub(super) const GAINS: [u64; 2] = [1000, 100];
/// Last temperature of all.
pub(super) const LAST_ORDER_HEAT: f64 = 1.5e-4;

/// Trials to anneal the best order again, as a multiple of those of the first chains: numerator and
/// denominator.
pub(super) const AGAIN: (usize, usize) = (4, 3);

/// Price of a byte in excess, as a multiple of the cycles of its copies: whole tensors are copied, so
/// the link moves more bytes than are in excess.
pub(super) const COPY_PRICE: f64 = 4.0;

/// Fractions of the link's time that copies are assumed to use.
pub(super) const ORDER_REACHES: [f64; 3] = [0.6, 0.75, 0.9];

/// Where the best of these orders takes longer than the ideal by more than this fraction, as a divisor,
/// copies hide little, and another fraction is tried: for a GPT training step in 9 MiB beside a slow link,
/// the orders above take 1.43 times the ideal, where recomputation alone takes 1.38, and this one 1.33. Beyond
/// [`STALLED`], it takes a sixth of the time, and gains nothing in the orders of `mem-reorder`, and 3 % in the order
/// of the program for the small GPT at its widest step.
pub(super) const TIGHT: u64 = 4;
pub(super) const TIGHT_REACH: f64 = 0.3;
/// Slack of further orders, as divisors of the capacity, if packing does not hold what the first ones
/// promise: orders use all the room that they get, and are harder to pack than timetables. Less room
/// for an order costs less than what packing would copy.
pub(super) const ORDER_SLACKS: [u64; 3] = [32, 14, 7];

/// Number of steps up to which recomputation alone is planned beside a link as well: it takes about as long
/// as the search for orders, and several times as long if no order fits.
pub(super) const ALONE_STEPS: usize = 1000;

/// Maximum number of rounds for a fraction, each with the room that plans of the last one found, and
/// number of orders to plan in each.
pub(super) const ORDER_ROUNDS: usize = 4;
pub(super) const ORDERS_PLANNED: usize = 2;

/// Number of rounds without a better order after which a fraction is given up; also if an order takes longer than
/// the best one of all fractions by more than this fraction, as a divisor, from the second round on: 10 %. With
/// 3 %, the small GPT takes 4 % more time at its widest step.
pub(super) const ORDER_PATIENCE: u32 = 2;
pub(super) const FAR: u64 = 10;

/// Stalls up to this fraction of the ideal makespan, as a divisor, do not change the room.
pub(super) const LEAST_STALL: u64 = 500;

// Exhaustive search (`exact`).

/// Number of steps up to which programs are searched exhaustively.
pub(super) const EXACT_STEPS: usize = 16;

/// Number of states to leave before each step. Nearly all programs of up to twelve steps have fewer, and
/// take some tenths of a second at most. Of larger ones, those with the least lower bounds are left.
pub(super) fn n_exact_states(n_steps: usize) -> usize {
    match n_steps.max(1) {
        n @ ..=12 => 200_000 / n,
        n => 40_000 / n,
    }
}

/// Maximum number of sets of values to choose from if bytes are missing.
pub(super) const EXACT_DROPS: usize = 64;

// Lower bound (`bound`).

/// Number of price updates of the linear program's dual. On training steps, the bound then comes
/// within one percent of the optimum of the linear program. A round is linear.
pub(super) const BOUND_ROUNDS: usize = 1000;

/// How many operands of operands a recomputed tensor is charged for.
pub(super) const OPERAND_DEPTH: usize = 8;

/// Maximum number of classes of tensors that take about the same link time per byte, and the ratio
/// between the largest and the smallest of these times within a class. Small tensors, for which
/// latency counts most, share the last class.
pub(super) const CLASSES: usize = 16;
pub(super) const CLASS_WIDTH: f64 = 1.05;

/// Initial and final smoothing of the dual, in units of the computation's cycles. Much smoothing
/// makes early slopes informative, little makes the last bounds tight.
pub(super) const SMOOTHING: [f64; 2] = [1e-3, 1e-6];

/// Initial and final step size, relative to the scale of each price.
pub(super) const BOUND_SPEED: [f64; 2] = [0.3, 0.003];

/// Decay rates of the mean of the slopes, and of their squares: the values of Kingma and Ba.
pub(super) const MEMORY: [f64; 2] = [0.9, 0.999];

/// Added to the norm of a slope before division, against slopes of zero.
pub(super) const LEAST_SLOPE: f64 = 1e-9;

/// Initial worth of the whole excess, as a multiple of the overhead of the known plan: the bound is at
/// most that overhead, so prices of this order are a good start.
pub(super) const FIRST_PRICE: f64 = 2.0;

/// Scale of the prices of bytes, as a multiple of the overhead of the known plan; divided by the
/// number of steps in excess.
pub(super) const BYTE_SCALE: f64 = 10.0;

/// Scale of the prices of link time; divided by the number of steps in excess. They sum to less
/// than one, whatever the program.
pub(super) const LINK_SCALE: f64 = 0.2;

/// Maximum sum of the prices of link time. Valid bounds require at most 1; the rest leaves
/// computation a price, without which recomputing would seem free.
pub(super) const MOST_LINK_PRICE: f64 = 0.9;

/// Margins by which the bound is lowered, as a fraction and in cycles. They far exceed the rounding
/// errors of the sums, so that the bound stays valid.
pub(super) const BOUND_MARGINS: (f64, f64) = (1e-6, 1.0);

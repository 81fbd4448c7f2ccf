//! The tunable numbers of the planner over levels. Limits are counts of work, never seconds, so
//! that a plan is the same on every machine.
//!
//! Where a comment gives no measurement, the value was chosen by its order of magnitude: the
//! comment then states what the number bounds and what a larger or smaller one would do.

use mem_model::LevelProblem;

/// Maximum number of states that `exact` visits, if it was asked for by name. A state holds one
/// number per tensor and level, so memory is the limit: two million states of the small programs
/// that `exact` is for take about two seconds. Since the number of states is exponential, more of
/// them admit only slightly longer programs.
pub(super) const EXACT_STATES: usize = 2_000_000;

/// Maximum number of states that `exact` visits as part of `auto`. Small, because `auto` runs for
/// every program and most of them are too large: the search then fails after about ten
/// milliseconds. It was added because the other strategies were more than 5 % above the optimum on some small
/// random problems.
pub(super) const AUTO_STATES: usize = 8_000;

/// Maximum number of addresses that `exact` tries in a bounded level. Every address of every
/// tensor multiplies the states, so a level with more addresses than this cannot be searched
/// within [`EXACT_STATES`] anyway.
pub(super) const MAX_ADDRESSES: u64 = 64;

/// Effort of packing a slower level of a finished plan, in examined blocks: some milliseconds. Simple strategies
/// meet the lower bound of most levels.
pub(super) const COMPACT_EFFORT: u64 = 20_000;

/// Number of price updates for the lower bound. The subgradient method gains most in its first
/// rounds; the bound is within a few percent of the best plan on most networks in
/// `docs/Levels.md`. Time is linear in the rounds.
pub(super) const PRICE_ROUNDS: usize = 60;

/// Number of consecutive rounds without a better bound after which [`PRICE_SHRINK`] applies. Fewer
/// rounds shrink the steps before the prices have left a plateau, more waste rounds in oscillation.
pub(super) const PRICE_PATIENCE: u32 = 4;

/// Factor by which the size of price updates shrinks when they overshoot. Half is the usual choice
/// for Polyak's step size (Held, Wolfe, Crowder, 1974).
pub(super) const PRICE_SHRINK: f64 = 0.5;

/// Relative margin by which the bound is lowered. It far exceeds the rounding errors of sums of a
/// million doubles (about 1e-10), so that the bound stays valid.
pub(super) const PRICE_MARGIN: f64 = 1e-9;

/// Absolute margin by which the bound is lowered, in cycles, for sums near zero.
pub(super) const PRICE_MARGIN_CYCLES: f64 = 1e-6;

/// Cost, in cycles, that stands for the cost of a known plan if there is none: 2^52 - 1.
/// Doubles represent all integers up to there, so the cost survives the conversion.
pub(super) const UNKNOWN_COST: u64 = u64::MAX >> 12;

/// Maximum number of steps that `local-search` plans in total, including steps that it undoes. It
/// bounds the search on long programs and long segments; the rest of the program then stays as the
/// initial policy planned it.
pub(super) const SEGMENT_EFFORT: u64 = 500_000;

/// The same for each local search within `auto`. A tenth: there are several of them, and `global`
/// usually beats them (`docs/Levels.md`).
pub(super) const AUTO_SEGMENT_EFFORT: u64 = SEGMENT_EFFORT / 10;

/// Lengths, in steps, of the segments that `auto` searches locally. The number of combinations is
/// exponential in the length; three steps rarely find more than two (`docs/Levels.md`).
pub(super) const AUTO_SEGMENTS: [usize; 2] = [1, 2];

/// Number of free spaces of a level, besides the first, that local search tries to move an operand
/// to. Each one multiplies the combinations of a segment.
pub(super) const N_SPACES: usize = 2;

/// Maximum number of levels that `global` and the lower bound handle. Both enumerate sets of
/// levels: O(4^levels) per use.
pub(super) const MAX_LEVELS: usize = 4;

/// Maximum number of cuts of a tensor's residence before the conservative attempt, which uses
/// nothing but the slowest level and single steps of the others. Each cut repeats the dynamic
/// program of the tensor.
pub(super) const CUTS: usize = 12;

/// Number of steps per bucket of the index of residences over time. Small buckets list a long
/// residence many times, large ones make every query examine residences of other steps.
pub(super) const BUCKET: usize = 16;

/// Effort of a query beyond the residences that it examines, in residences: the fixed cost of
/// looking at one bucket.
pub(super) const LOOKS_PER_BUCKET: u64 = 4;

/// Effort of `global`'s improvement, in residences and uses examined: in proportion to the number
/// of uses, so that every part of a program is improved about equally often. More effort finds better
/// plans at a decreasing rate, and time is linear in it.
pub(super) fn global_effort(problem: &LevelProblem) -> u64 {
    let uses: usize = problem.steps.iter().map(|step| step.uses.len()).sum();
    (uses as u64 * EFFORT_PER_USE).clamp(LEAST_EFFORT, MOST_EFFORT)
}

/// Effort per use, in residences and uses examined.
const EFFORT_PER_USE: u64 = 100_000;

/// Least effort of the improvement: tiny programs cost next to nothing to improve.
const LEAST_EFFORT: u64 = 400_000;

/// Greatest effort of the improvement, which bounds the time that programs of more than ten thousand
/// uses take.
const MOST_EFFORT: u64 = 1_000_000_000;

/// Effort of placing a tensor again, per use, in residences examined: the dynamic program examines
/// pairs of sets of levels, which the count of residences does not see.
pub(super) const EFFORT_PER_STOP: u64 = 16;

/// Uses to add to those of a tensor when its effort is counted: the fixed cost of placing it.
pub(super) const STOPS_PER_TENSOR: usize = 4;

/// Maximum number of steps whose tensors form a neighbourhood. Windows of random length up to this
/// one reach both a single hot step and a whole block of a network.
pub(super) const NEIGHBOURHOOD_STEPS: usize = 12;

/// Maximum number of tensors in a neighbourhood. More tensors make a move slower and less likely to
/// improve the plan, since all of them have to be placed again.
pub(super) const NEIGHBOURHOOD_TENSORS: usize = 40;

/// One neighbourhood in this many is reinserted with the larger perturbation,
/// [`NOISE_RARE`].
pub(super) const NOISE_RARE_ONE_IN: usize = 4;

/// Weight of the random perturbation of gains in most reinsertions: related tensors change order,
/// unrelated ones do not.
pub(super) const NOISE_USUAL: f64 = 0.7;

/// The same in the others: the order is nearly random, to leave local optima.
pub(super) const NOISE_RARE: f64 = 2.0;

/// Seed of the neighbourhood search. Any number will do; a fixed one, so that equal programs get equal
/// plans.
pub(super) const SEED: u64 = 0;

/// Preferred window of a copy beside computation, as a multiple of its own cycles. Twice its
/// duration hides a copy even if another one delays it by its own length; with a larger window, copies
/// hold the bytes of their targets for longer than necessary.
pub(super) const COVER: u64 = 2;

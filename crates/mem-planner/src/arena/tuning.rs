//! The tunable numbers of the planner for one level. Limits are counts of work, never seconds, so
//! that a plan is the same on every machine.
//!
//! Where a comment gives no measurement, the value was chosen by its order of magnitude: the
//! comment then states what the number bounds and what a larger or smaller one would do.

// Effort of a whole plan (`options`, `search`).

/// Default effort of each search, in examined blocks: less than half a second. A compiler runs the
/// planner for every function; `mem-plan` on the command line defaults to fifty times as much.
pub(in crate::arena) const DEFAULT_EFFORT: u64 = 4_000_000;

/// Maximum number of pairs of items that `auto`, `exact` and `genetic` spend on the simple
/// strategies: half a minute. A million items with short lifetimes stay far below; a million items
/// with lifetimes of up to the whole program exceed it, and only near-linear strategies run.
pub(in crate::arena) const MAX_PAIRS: u64 = 1_000_000_000;

/// The same where placed items are indexed by address, which are then read instead of sorted.
pub(in crate::arena) const MAX_INDEXED_PAIRS: u64 = 8 * MAX_PAIRS;

/// Pairs of items that the optional simple strategies may examine per block of search effort. It
/// keeps a plan with little effort cheap: with no effort at all, only the first two strategies run.
pub(in crate::arena) const PAIRS_PER_EFFORT: u64 = 40;

/// Number of items placed between two looks at the clock: reading it takes about as long as
/// placing an item with few neighbours.
pub(in crate::arena) const ITEMS_PER_CLOCK: usize = 1024;

// Contraction and bounds (`contract`, `bound`, `relative`).

/// Maximum number of points per live interval for which pressure is summed up point by point. In tables, points
/// may be any numbers, and sorting the intervals takes less time and memory where few of them are used.
pub(in crate::arena) const POINTS_PER_INTERVAL: usize = 16;

/// Maximum number of member pairs compared to join two groups. Groups are only that large if long
/// chains of results reuse the same bytes; a join that would cost more is not made, which loses
/// reuse but nothing else.
pub(in crate::arena) const MAX_MEMBER_PAIRS: usize = 100_000;

/// Maximum number of membership tests that cliques of explicit conflicts may take. A clique is grown
/// from each conflict in turn, so the limit ends the search among many conflicts; the bound is then
/// that of the cliques so far.
pub(in crate::arena) const MAX_CLIQUE_WORK: usize = 20_000_000;

/// Values tried for the unknowns of sizes that are known only at run time: a single one, a few,
/// many. Each costs a plan.
pub(in crate::arena) const UNKNOWN_CHOICES: [u64; 3] = [1, 8, 128];

// Lifetime queue (`free_list`).

/// Number of examined items after which the arena only grows at its end. Moving is quadratic in the
/// worst case; without a limit a million long-lived items would take hours.
pub(in crate::arena) const MAX_MOVED: usize = 4_000_000_000;

// Tightest first (`tightest_first`).

/// Maximum number of rounds. Each places all items once.
pub(in crate::arena) const TIGHTEST_ROUNDS: u64 = 24;

/// Number of rounds without improvement after which to stop. The order changes with each failure, so
/// one futile round does not mean that the next will be, too.
pub(in crate::arena) const TIGHTEST_PATIENCE: usize = 6;

// Exact search (`exact`).

/// Maximum number of blocks to search: each step examines all remaining blocks, so that even one
/// descent without backtracking is quadratic.
pub(in crate::arena) const MAX_BLOCKS: usize = 6000;

/// Maximum number of pairs of conflicting blocks to list: some gigabytes. Problems with more are not
/// searched.
pub(in crate::arena) const MAX_CONFLICTS: usize = 40_000_000;

/// Number of steps of an attempt beyond one per block: the backtracking that a single attempt may
/// do. Restarting with other ranks finds a plan sooner than backtracking far.
pub(in crate::arena) const BACKTRACKS: u64 = 1000;

/// Decay of a block's weight from one attempt to the next. Recent failures count more, but the
/// memory spans about fifty attempts.
pub(in crate::arena) const DECAY: f64 = 0.98;

/// Largest share by which an attempt lowers the learned weight of a block at random.
pub(in crate::arena) const NOISE: f64 = 0.2;

/// Number of attempts' efforts that a question may take before its capacity is given up, while the
/// search looks for any better plan.
pub(in crate::arena) const ATTEMPTS: u64 = 6;

/// Number of attempts that several threads may make at once, which learn nothing from each other.
pub(in crate::arena) const ATTEMPTS_AT_ONCE: u64 = 8;

/// Maximum number of attempts into which the effort of a question is split. As efforts grow,
/// attempts grow with them: many short attempts prove nothing.
pub(in crate::arena) const MOST_ATTEMPTS: u64 = 128;

/// First targets of the descent, in percent above the lower bound: large steps down to where the
/// problem becomes hard.
pub(in crate::arena) const DESCENT_PERCENT: [u64; 4] = [50, 25, 10, 5];

/// Capacities to ask for in turn once the problem is hard, in thousandths above the lower bound at
/// that time: dense near the bound, where plans are wanted, and less dense above, where they are
/// easier to find.
pub(in crate::arena) const DESCENT_PERMILLE: [u64; 11] = [80, 60, 45, 35, 28, 22, 17, 13, 9, 5, 0];

/// Growth of the effort of a question per turn, as a divisor: by a quarter. Slower growth repeats
/// hopeless questions, faster growth spends everything on one of them.
pub(in crate::arena) const GROWTH: u64 = 4;

/// Factor by which the effort grows where only one capacity is asked for.
pub(in crate::arena) const GOAL_GROWTH: u64 = 2;

/// Maximum size of a group to which the search applies the symmetry of a universal block. It only
/// pays off in groups that are searched exhaustively, and larger groups are not.
pub(in crate::arena) const MAX_UNIVERSAL: usize = 64;

/// Number of steps of the search between two looks at the clock.
pub(in crate::arena) const STEPS_PER_CLOCK: u32 = 64;

/// Average number of sections in which blocks are live above which sorting the blocks is cheaper than
/// visiting each section of each block.
pub(in crate::arena) const WIDE: u64 = 32;

/// Minimum number of items of a window; fewer prove nothing beyond live sums.
pub(in crate::arena) const MIN_WINDOW_ITEMS: usize = 4;

/// Maximum number of items of a problem to cut into windows: proofs from windows of larger problems
/// take too long.
pub(in crate::arena) const MAX_WINDOW_ITEMS: usize = 500;

/// Maximum number of windows; coarse windows come first. They share the effort of one question.
pub(in crate::arena) const MAX_WINDOWS: usize = 24;

/// Effort of all proofs that find the items to blame, in examined blocks: five seconds, once, and
/// only if there is no plan.
pub(in crate::arena) const MAX_BLAME_WORK: u64 = 50_000_000;

/// Effort of one such proof, in attempts: proofs are found soon or not at all.
pub(in crate::arena) const BLAME_ATTEMPTS: u64 = 20;

// Repacking of windows (`repack`).

/// Numbers of items to pack around the tightest point, where two orders without that did not suffice.
pub(in crate::arena) const CORE_SIZES: [usize; 3] = [64, 256, 1024];

/// Maximum number of items above the bound to make room for: each takes a search.
pub(in crate::arena) const MAX_REPACKED: usize = 64;

/// Numbers of items that may move to make room for one: from what is solved at once to what the search often
/// does not solve.
pub(in crate::arena) const WINDOW_SIZES: [usize; 3] = [16, 64, 256];

/// Maximum number of searches that spend their share of the effort without a result.
pub(in crate::arena) const MAX_REPACK_SEARCHES: u64 = 32;

// Genetic search (`genetic`).

/// Number of individuals that survive a generation. Individuals of equal fitness count once, so a
/// small population stays diverse.
pub(in crate::arena) const POPULATION: usize = 12;

/// Number of new individuals per generation: the units of work that threads share.
pub(in crate::arena) const CHILDREN: usize = 16;

/// Cost of an examined neighbour, in blocks examined by the exact search: about the same time.
pub(in crate::arena) const NEIGHBOUR_COST: u64 = 4;

/// Distance in the sequence within which to exchange items, and to look for an item that could
/// share another item's space. Items far apart in the sequence lie far apart in the arena.
pub(in crate::arena) const NEAR: usize = 64;

/// Maximum number of mutations of a child. Small steps reuse most of the parent's offsets.
pub(in crate::arena) const MUTATIONS: usize = 3;

/// Odd multipliers that spread the seed, and the position of a child, over 64 bits (the golden ratio
/// and a constant of L'Ecuyer's): children of neighbouring positions get unrelated random numbers.
pub(in crate::arena) const SEED_SPREAD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];

// Moving few items (`refit`).

/// Number of failures to lower the peak of a plan after which to stop. They share the effort of one
/// search. Successes cost next to nothing. Twice as many failures with half the effort each missed
/// peaks that are 3 % lower, in DenseNet-121 tile by tile.
pub(in crate::arena) const REFIT_FAILURES: u64 = 4;

/// Items and neighbours examined per block of search effort: about the same time.
pub(in crate::arena) const REFIT_PER_EFFORT: u64 = 2;

/// Number of first steps that reach from the peak to the bound: from a peak that is only a little lower,
/// the next step often succeeds where a single large one would fail.
pub(in crate::arena) const REFIT_STEPS: u64 = 64;

// Penalties (`penalty`).

/// Maximum number of searches to keep pairs apart. They share the effort of one search.
pub(in crate::arena) const MAX_PENALTY_SEARCHES: u64 = 200;

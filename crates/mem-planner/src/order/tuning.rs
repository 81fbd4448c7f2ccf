//! Limits of the search for orders.

/// Programs with more steps are divided into windows of this number of steps, which are ordered one
/// by one. The relation between all pairs of steps takes two bits per pair.
pub(super) const MAX_STEPS: usize = 16_384;

/// Effort of one exact search, in words read. A second is about a hundred million words.
pub(super) const EXACT_EFFORT: u64 = 100_000_000;

/// Effort of all exact searches for one program.
pub(super) const ALL_EXACT_EFFORT: u64 = 200_000_000;

/// Effort of one beam search, in words read.
pub(super) const BEAM_EFFORT: u64 = 20_000_000;

/// Effort of all beam searches for the excess above a capacity in each direction, in words read.
pub(super) const EXCESS_EFFORT: u64 = 20_000_000;

/// Segments with more units are long: they are searched further only if a first search saves at least
/// [`LEAST_SAVING`] of their peak.
pub(super) const LONG: usize = 512;

/// Saving of a first search for which a long segment is searched further, as a fraction of its peak:
/// one part in this many.
pub(super) const LEAST_SAVING: u64 = 100;

/// Effort of each first beam search of a long segment, in words read.
pub(super) const FIRST_LONG_EFFORT: u64 = 500_000;

/// Largest number of states with equally many steps that a beam search continues from.
pub(super) const MAX_WIDTH: usize = 256;

/// Largest number of steps with which a beam search continues from one state.
pub(super) const MAX_BRANCHES: usize = 12;

/// Largest number of beam searches in each direction.
pub(super) const MAX_ROUNDS: usize = 4;

/// Longest chain of units that is examined for a move that is never wrong.
pub(super) const MAX_CHAIN: usize = 8;

/// Effort of the search for few evictions, in accesses of the orders that are evaluated. A second is
/// about twenty million accesses.
pub(super) const EVICTION_EFFORT: u64 = 8_000_000;

/// Number of earlier uses of an evicted buffer after which its next use may come.
pub(super) const MAX_TARGETS: usize = 4;

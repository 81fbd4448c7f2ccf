//! Limits of the search for tiles.

/// Largest number of operations in a group.
pub(super) const MAX_OPERATIONS: usize = 512;

/// Programs of up to this number of operations are divided at any position, longer ones only where
/// the live bytes have a local minimum.
pub(super) const MAX_ALL_POSITIONS: usize = 64;

/// Number of operations from which a group is not built once more so that others follow.
pub(super) const MAX_FOLLOWERS: usize = 16;

/// Part of a budget, as a divisor, that tiles leave to copies that come and go beside them.
pub(super) const BUDGET_SLACK: u64 = 8;

/// Cost of executing one more operation in tiles, in copied bytes: the code of an operation is
/// repeated for tiles at the borders.
pub(super) const COST_OF_OPERATION: u64 = 4096;

/// Cost of copying a byte from or to another memory within a budget, in bytes that are copied in the same one.
pub(super) const COST_OF_STREAMING: u64 = 16;

/// Largest number of operations in the tiles before a loop, for the smallest tiles of a group. All of
/// them are written, analyzed and compiled.
pub(super) const MAX_CODE: i64 = 10_000;

/// Number of tiles from which the memory of a group is estimated.
pub(super) const SAMPLED_TILES: i64 = 8;

/// Largest number of tiles that precede the first iteration of the anchor.
pub(super) const MAX_LEAD: i64 = 1 << 20;

/// Largest number of tiles in a loop, if an iteration of the anchor is not divided into more.
pub(super) const MAX_PERIOD: usize = 8;

/// Largest number of tiles for which a row of a window is kept, about, for the smallest tiles of a group. Each
/// tile copies all rows that it keeps.
pub(super) const MAX_MOVES: i64 = 8;

//! Blocks of operations with their iteration spaces, and the tiles in which they are executed.
//!
//! A buffer is divided into *rows* along one of its dimensions: row `r` consists of all elements
//! whose index in that dimension is `r`. An operation is divided along one dimension of its
//! iteration space. Tiles execute an operation for a range of iterations, which accesses a range of
//! rows of each operand.

use crate::{BufferId, Bytes, StepId};

/// Largest extent, coefficient and offset in a [`TileProgram`]. Products of two of them fit in 63
/// bits.
pub const MAX_EXTENT: i64 = 1 << 30;

/// The operations of one block that access memory, in program order, and the buffers that they
/// access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileProgram {
    /// The buffers. Indexed by [`BufferId`].
    pub buffers: Vec<TileBuffer>,
    /// The operations. Indexed by [`StepId`].
    pub operations: Vec<TileOperation>,
}

/// A buffer that operations of the block access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileBuffer {
    /// Name, for messages.
    pub name: String,
    /// Size of each dimension.
    pub shape: Vec<i64>,
    /// Size of an element.
    pub element: Bytes,
    /// Whether the buffer is allocated in the block, and the block's operations are its only users.
    pub is_private: bool,
    /// Whether no other buffer shares bytes with this one, as for every private one. Those of which it
    /// is not known may overlap each other.
    pub is_distinct: bool,
}

/// An operation: a loop nest over an iteration space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileOperation {
    /// Name, for messages.
    pub name: String,
    /// The iteration space. Empty if the operation can only be executed as a whole.
    pub dimensions: Vec<IterationDimension>,
    /// Operands that denote storage.
    pub operands: Vec<TileOperand>,
    /// Whether the operation copies its first operand to its second one.
    pub is_copy: bool,
    /// Whether the operation accesses nothing but its operands, so that operations that access others
    /// may be executed before it.
    pub can_be_delayed: bool,
}

/// A dimension of an iteration space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationDimension {
    /// Number of iterations.
    pub extent: i64,
    /// Whether the iterations are independent of each other.
    pub is_parallel: bool,
}

/// What an operation does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileAccess {
    /// Reads it.
    Read,
    /// Overwrites it without reading it.
    Write,
    /// Reads each element before it writes the element.
    Update,
}

/// An operand of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileOperand {
    /// The buffer.
    pub buffer: BufferId,
    /// Reads, writes, or both.
    pub access: TileAccess,
    /// Bytes of the elements that the operand shows.
    pub bytes: Bytes,
    /// Whether a write covers every element of each row that it writes.
    pub covers_rows: bool,
    /// The dependence on each dimension of the iteration space.
    pub along: Vec<Along>,
}

/// How the elements that an operand accesses depend on one dimension of the iteration space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Every iteration accesses the same elements.
    Independent,
    /// Iterations access consecutive rows.
    Rows(RowMap),
    /// Iterations access consecutive indices of a dimension of the operand, which are not rows of its
    /// buffer: the buffer is needed as a whole, and each tile is given a part of the operand. The
    /// dimension of the map is that of the operand, and its rows are indices.
    Indices(RowMap),
    /// Iterations access elements that are not known to form rows.
    Unknown,
}

/// Iterations `[start, end)` of an operation access the rows
/// `[scale * start + first, scale * (end - 1) + last)` of a dimension of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowMap {
    /// The dimension of the buffer.
    pub dimension: usize,
    /// Rows from one iteration to the next; positive.
    pub scale: i64,
    /// First row of iteration 0.
    pub first: i64,
    /// End of the rows of iteration 0.
    pub last: i64,
}

impl RowMap {
    /// The rows `[start, end)` that iterations `[start, end)` access; empty for no iterations.
    #[must_use]
    pub const fn rows(self, start: i64, end: i64) -> (i64, i64) {
        let first = self.scale * start + self.first;
        if end <= start {
            return (first, first);
        }
        (first, self.scale * (end - 1) + self.last)
    }

    /// Whether each iteration accesses rows of its own, without gaps between them.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.last - self.first == self.scale
    }

    /// Whether no two iterations access the same rows. There may be rows between those of two
    /// iterations.
    #[must_use]
    pub const fn is_separate(self) -> bool {
        self.last - self.first <= self.scale
    }

    /// Whether the iterations access a row, if those before and after it are among them.
    #[must_use]
    pub const fn contains(self, row: i64) -> bool {
        (row - self.first).rem_euclid(self.scale) < self.last - self.first
    }

    /// The largest number of iterations, from the first one, that only access rows before `row`.
    #[must_use]
    pub const fn iterations_within(self, row: i64) -> i64 {
        if row < self.last {
            return 0;
        }
        (row - self.last) / self.scale + 1
    }
}

impl TileProgram {
    /// Whether none of the operations `steps` may change a buffer.
    #[must_use]
    pub fn is_unchanged(&self, buffer: BufferId, steps: std::ops::Range<usize>) -> bool {
        let own = &self.buffers[buffer.index()];
        self.operations[steps].iter().all(|operation| {
            // It may write what is not among its operands.
            let is_unknown = !operation.can_be_delayed && !own.is_private;
            let may_be_own = |write: &TileOperand| {
                let other = &self.buffers[write.buffer.index()];
                write.buffer == buffer || !own.is_distinct && !other.is_distinct
            };
            !is_unknown && !operation.writes().any(may_be_own)
        })
    }
}

impl TileBuffer {
    /// Size of the buffer; saturates.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.rows_bytes(0, self.shape.first().copied().unwrap_or(1))
    }

    /// Size of `rows` rows along `dimension`; saturates.
    #[must_use]
    pub fn rows_bytes(&self, dimension: usize, rows: i64) -> Bytes {
        let extents = self.shape.iter().enumerate();
        let others = extents.filter(|(at, _)| *at != dimension);
        let elements = others.fold(rows.unsigned_abs(), |product, (_, extent)| {
            product.saturating_mul(extent.unsigned_abs())
        });
        Bytes::new(elements.saturating_mul(self.element.get()))
    }
}

impl TileOperation {
    /// Whether the operation can be executed for some of its iterations.
    #[must_use]
    pub fn can_be_tiled(&self) -> bool {
        !self.dimensions.is_empty()
    }

    /// Size of the iteration space; saturates. 1 if the operation can only be executed as a whole.
    #[must_use]
    pub fn iterations(&self) -> i64 {
        let extents = self.dimensions.iter().map(|own| own.extent);
        extents.fold(1, i64::saturating_mul)
    }

    /// Whether the iterations of a dimension add to what the operation writes, in the order of the
    /// program: executed in several ranges, one after the other, they compute the same. All writes are
    /// updates of the same elements, and no iteration of another such dimension comes before.
    #[must_use]
    pub fn accumulates_along(&self, dimension: usize) -> bool {
        let is_same = |operand: &TileOperand| {
            operand.access == TileAccess::Update
                && operand.along.get(dimension) == Some(&Along::Independent)
        };
        let is_sum = |own: &IterationDimension| !own.is_parallel && own.extent > 1;
        let first = self.dimensions.iter().position(is_sum);
        first == Some(dimension) && self.writes().all(is_same)
    }

    /// The operands that the operation writes.
    pub fn writes(&self) -> impl Iterator<Item = &TileOperand> {
        self.operands
            .iter()
            .filter(|operand| operand.access != TileAccess::Read)
    }
}

impl TileOperand {
    /// The rows that the iterations of `dimension` access; `None` if they do not form rows.
    #[must_use]
    pub fn rows_along(&self, dimension: usize) -> Option<RowMap> {
        match self.along.get(dimension) {
            Some(Along::Rows(map)) => Some(*map),
            _ => None,
        }
    }

    /// The rows, or the indices of the operand, that the iterations of `dimension` access; `None` if they
    /// form neither.
    #[must_use]
    pub fn part_along(&self, dimension: usize) -> Option<RowMap> {
        match self.along.get(dimension) {
            Some(Along::Rows(map) | Along::Indices(map)) => Some(*map),
            _ => None,
        }
    }
}

/// Consecutive operations that are executed tile by tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGroup {
    /// The operations: first, and end.
    pub operations: (StepId, StepId),
    /// Operations that are executed as a whole before the tiles, in program order.
    pub hoisted: Vec<StepId>,
    /// Operations that are executed as a whole after the tiles, in program order.
    pub sunk: Vec<StepId>,
    /// The other operations, in program order.
    pub tiled: Vec<TiledOperation>,
    /// Buffers of which only the rows of one tile exist.
    pub windows: Vec<Window>,
    /// Whole buffers of which copy engines bring rows for the next tile, or take those of the last one,
    /// while a tile is executed.
    pub streams: Vec<Stream>,
    /// Results that take the place of operands.
    pub takeovers: Vec<Takeover>,
    /// The tiles, in order of execution.
    pub runs: Vec<TileRun>,
    /// Estimate of the bytes in use while the group runs, arguments excluded.
    pub peak: Bytes,
}

/// An operation that is executed tile by tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiledOperation {
    /// The operation.
    pub operation: StepId,
    /// The dimension of its iteration space that is divided: iterations are independent of each other,
    /// or the operation accumulates along it.
    pub dimension: usize,
}

/// A buffer that is replaced by a *window*, a smaller buffer for the rows that a tile needs. Rows of
/// the tile before that a tile needs again are kept in between: in the window, or in a second buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The buffer.
    pub buffer: BufferId,
    /// The dimension that is divided.
    pub dimension: usize,
    /// Rows of the window.
    pub rows: i64,
    /// Largest number of rows that are kept between tiles.
    pub kept: i64,
    /// Whether these rows are moved to the start of the window, which then exists from the first tile
    /// to the last. Otherwise each tile has a window of its own, and they are copied to a second
    /// buffer and back.
    pub is_in_place: bool,
}

/// A buffer that exists as a whole, but tiles access copies of its rows, in one of two *stages* by turns.
/// The rows that a tile reads are copied to its stage during the tile before, and those that it has
/// written are copied from there during the tile after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The buffer.
    pub buffer: BufferId,
    /// The dimension that is divided.
    pub dimension: usize,
    /// Rows of a stage.
    pub rows: i64,
    /// Whether the group writes the rows; otherwise it reads them.
    pub is_result: bool,
}

/// A result of a group that exists as a whole, and takes the place of an operand of the same shape: each row is
/// written after the tiles have read the row of the operand with the same number, and all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takeover {
    /// The buffer of the result.
    pub result: BufferId,
    /// The buffer whose place it takes. Nothing accesses its contents after the group.
    pub operand: BufferId,
}

/// A sequence of tiles that is repeated. If the group has streams, it consists of an even number of tiles, and
/// the tiles right before and after the run, or one repetition of it more, are alike: so every tile has the same
/// stages, and the same neighbors, in all repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRun {
    /// How often the sequence is executed.
    pub repetitions: i64,
    /// The tiles of the sequence.
    pub tiles: Vec<Tile>,
}

/// A tile of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The iterations of each tiled operation, in the order of [`TileGroup::tiled`].
    pub steps: Vec<Range>,
    /// The rows in each window, in the order of [`TileGroup::windows`].
    pub windows: Vec<WindowRange>,
    /// The rows of each stream that the tile accesses, in the order of [`TileGroup::streams`]; perhaps none.
    pub streams: Vec<Range>,
}

/// A range of iterations or rows that advances from one repetition of a run to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Start in the first repetition.
    pub start: i64,
    /// Length.
    pub size: i64,
    /// Distance between the starts in successive repetitions.
    pub advance: i64,
}

/// The rows in a window during a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowRange {
    /// Rows in the window; the first of them is at its start.
    pub rows: Range,
    /// Number of rows, from the first, that were kept by the tile before.
    pub loaded: i64,
    /// Number of rows that are kept for the next tile.
    pub saved: i64,
    /// Position in the window of the first row that is kept.
    pub saved_from: i64,
}

impl TileGroup {
    /// The same group without streams: operations access whole buffers where they are.
    #[must_use]
    pub fn without_streams(&self) -> Self {
        let mut group = self.clone();
        group.streams.clear();
        let tiles = group.runs.iter_mut().flat_map(|run| &mut run.tiles);
        tiles.for_each(|tile| tile.streams.clear());
        group
    }

    /// Number of tiles.
    #[must_use]
    pub fn n_tiles(&self) -> i64 {
        let of_run = |run: &TileRun| run.repetitions * run.tiles.len() as i64;
        self.runs.iter().map(of_run).sum()
    }
}

impl Range {
    /// The range `[start, end)` in repetition `index` of the run.
    #[must_use]
    pub const fn at(self, index: i64) -> (i64, i64) {
        let start = self.start + index * self.advance;
        (start, start + self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of three rows that moves by two.
    const WINDOW: RowMap = RowMap {
        dimension: 0,
        scale: 2,
        first: -1,
        last: 2,
    };

    #[test]
    fn rows_of_iterations() {
        assert_eq!(WINDOW.rows(0, 1), (-1, 2));
        assert_eq!(WINDOW.rows(1, 3), (1, 6));
        assert_eq!(WINDOW.rows(3, 3), (5, 5));
        assert!(!WINDOW.is_exact() && !WINDOW.is_separate());
    }

    #[test]
    fn rows_with_gaps() {
        let every_other = RowMap { last: 0, ..WINDOW };
        assert!(every_other.is_separate() && !every_other.is_exact());
        assert_eq!(every_other.rows(1, 3), (1, 4));
        let rows = (-2..4).filter(|row| every_other.contains(*row));
        assert_eq!(rows.collect::<Vec<_>>(), [-1, 1, 3]);
    }

    #[test]
    fn iterations_that_access_rows() {
        for row in -3..20 {
            let within = (0..20)
                .rev()
                .find(|n| *n == 0 || WINDOW.rows(0, *n).1 <= row);
            assert_eq!(
                WINDOW.iterations_within(row),
                within.unwrap(),
                "within {row}"
            );
        }
    }
}

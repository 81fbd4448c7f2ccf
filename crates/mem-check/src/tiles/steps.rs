//! What tiles execute, and why it may not be what the original operations do.

use mem_model::{BufferId, StepId};

/// Where an operand of a tile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileStorage {
    /// The buffer of the original.
    Buffer(BufferId),
    /// A buffer for some rows of an original buffer.
    Window(usize),
    /// The operand of the original, of which some indices of a dimension are accessed, wherever they are
    /// in its buffer.
    Operand,
}

/// Rows `[start, end)` of a dimension of a storage. All other dimensions are accessed as in the
/// original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileRows {
    /// Where the rows are.
    pub storage: TileStorage,
    /// The first row.
    pub start: i64,
    /// End of the rows.
    pub end: i64,
}

/// What tiles execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileStep {
    /// All iterations of an operation, on the buffers of the original.
    Whole(StepId),
    /// Iterations `[start, end)` of a dimension of an operation.
    Iterations {
        /// The operation.
        operation: StepId,
        /// The dimension of its iteration space that is divided.
        dimension: usize,
        /// The first iteration.
        start: i64,
        /// End of the iterations.
        end: i64,
        /// The operands; `None` if it is the operand of the original.
        operands: Vec<Option<TileRows>>,
    },
    /// A window begins to exist, with undefined contents.
    Allocate(usize),
    /// Copies rows between windows, or between a window and a buffer of the original.
    Copy {
        /// The source.
        from: TileRows,
        /// The target.
        to: TileRows,
    },
    /// Starts a copy, during which other steps run.
    Start {
        /// The source.
        from: TileRows,
        /// The target.
        to: TileRows,
        /// Number of the operation that starts it. It must not start again before it has been waited for.
        copy: usize,
    },
    /// Waits until a copy is complete.
    Wait(usize),
}

/// Why tiles do not compute what the original operations do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// A copy between rows of one window that overlap.
    #[error("a copy from row {from} to row {to} of the same window overlaps itself")]
    OverlappingCopy {
        /// The first row of the source.
        from: i64,
        /// The first row of the target.
        to: i64,
    },
    /// An operation outside the group, or one that cannot be divided like this.
    #[error("operation {operation} cannot be executed for some of its iterations")]
    NotTileable {
        /// The operation.
        operation: StepId,
    },
    /// An operand has other rows than the iterations access.
    #[error("operand {operand} of operation {operation}: expected rows [{}, {}), got [{}, {})",
        expected.0, expected.1, actual.0, actual.1)]
    WrongRows {
        /// The operation.
        operation: StepId,
        /// The position of the operand among those that denote storage.
        operand: usize,
        /// The rows that the iterations access.
        expected: (i64, i64),
        /// The rows that they are given.
        actual: (i64, i64),
    },
    /// A row is read that holds something else than in the original.
    #[error("operand {operand} of operation {operation}: row {row} does not hold its value")]
    WrongValue {
        /// The operation.
        operation: StepId,
        /// The position of the operand among those that denote storage.
        operand: usize,
        /// The row of the original buffer.
        row: i64,
    },
    /// Rows outside a storage, or copies between ranges of different size.
    #[error("rows [{start}, {end}) are outside their buffer")]
    OutOfBounds {
        /// The first row.
        start: i64,
        /// End of the rows.
        end: i64,
    },
    /// A result takes the place of an operand that is needed afterwards, or has another shape.
    #[error("'{result}' cannot take the place of '{operand}'")]
    WrongTakeover {
        /// Name of the result.
        result: String,
        /// Name of the operand.
        operand: String,
    },
    /// A row is copied to another place of its buffer.
    #[error("row {row} of a buffer is overwritten with another row")]
    MisplacedRow {
        /// The place.
        row: i64,
    },
    /// Rows are accessed while an engine copies them, or the copy is never waited for.
    #[error("rows [{start}, {end}) are accessed while they are copied")]
    InFlight {
        /// The first row.
        start: i64,
        /// End of the rows.
        end: i64,
    },
    /// A buffer is incomplete at the end, or some rows have been computed too often.
    #[error("row {row} of buffer '{buffer}' does not hold its value at the end")]
    WrongResult {
        /// Name of the buffer.
        buffer: String,
        /// The row.
        row: i64,
    },
}

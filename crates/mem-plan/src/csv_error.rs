//! Errors in tables of buffers.

/// What is wrong with a line of a table of buffers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// The text is not CSV.
    #[error(transparent)]
    Syntax(csv::Error),
    /// A row has more cells than the header, or fewer.
    #[error("the row has {found} cells, and the header {wanted}")]
    Cells {
        /// Number of cells of the row.
        found: u64,
        /// Number of cells of the header.
        wanted: u64,
    },
    /// A control character would change how the table is displayed. The number counts columns from
    /// one.
    #[error("control character in the name of column {0}")]
    ControlInHeader(usize),
    /// Columns are found by their names, so the names are unique.
    #[error("there are two columns '{name}', number {first} and number {second}")]
    SameColumn {
        /// The name.
        name: String,
        /// Number of the first such column, from one.
        first: usize,
        /// Number of the second.
        second: usize,
    },
    /// A required column is missing.
    #[error("no column '{0}'")]
    NoColumn(&'static str),
    /// A control character in a cell of the named column.
    #[error("control character in column '{0}'")]
    Control(String),
    /// Steps, sizes and offsets are numbers that fit in a signed 64-bit integer.
    #[error("'{text}' in column '{column}' is no number up to 2^63-1")]
    Number {
        /// The cell.
        text: String,
        /// Name of its column.
        column: String,
    },
    /// A word in the column `gaps` that is neither `from-to` nor `from-to@low:high`.
    #[error("'{0}' is no gap")]
    Gap(String),
    /// A lifetime of negative length.
    #[error("it ends at {upper}, before it begins at {lower}")]
    Backward {
        /// First step.
        lower: u64,
        /// End of the lifetime.
        upper: u64,
    },
    /// Addresses are rounded up by masking, which requires powers of two.
    #[error("alignment {0} is not a power of two")]
    Alignment(u64),
    /// A gap that exceeds the lifetime or the bytes of its buffer.
    #[error("gap {from}-{to} is not inside of the buffer")]
    GapOutside {
        /// First step of the gap.
        from: u64,
        /// End of the gap.
        to: u64,
    },
    /// Other rows refer to buffers by their ids, so the ids are unique.
    #[error("another buffer has the id '{0}', too")]
    SameId(String),
    /// A word in the column `penalties` that is not `id:cost`.
    #[error("'{0}' is no penalty: id:cost")]
    Penalty(String),
    /// A row refers to a buffer that is not in the table.
    #[error("there is no buffer '{0}'")]
    NoBuffer(String),
    /// A row refers to its own buffer where only another one makes sense.
    #[error("'{0}' is the buffer itself")]
    Itself(String),
    /// Two conflicting buffers, each given with its bytes, are fixed at overlapping offsets.
    #[error("{0} and {1} are fixed where they overlap, and conflict")]
    Clash(String, String),
    /// A buffer, given with its bytes, cannot be at its fixed offset.
    #[error("{0} cannot be there: {1}")]
    Misplaced(String, String),
}

impl From<csv::Error> for CsvError {
    fn from(error: csv::Error) -> Self {
        match *error.kind() {
            // The text of this one states a line of its own, which may be an earlier one.
            csv::ErrorKind::UnequalLengths {
                expected_len: wanted,
                len: found,
                ..
            } => Self::Cells { found, wanted },
            _ => Self::Syntax(error),
        }
    }
}

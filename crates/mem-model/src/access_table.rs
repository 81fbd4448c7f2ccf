//! Tensor access tables: which step accesses which tensor, and when, if nothing is copied.
//!
//! # Format
//!
//! A JSON object with `version` 1. Times are cycles at `clock` hertz since the start of the program
//! and exclude copies: times measured while tensors are swapped on demand are reduced by the
//! duration of all previous swaps. Unknown fields are errors, so that a reader never ignores
//! information that it does not understand; incompatible formats get a new version number.
//!
//! ```json
//! {"version": 1, "function": "main", "clock": 1e9, "budget": 20, "end": 60,
//!  "accesses": [{"tensor": "a", "step": 0, "bytes": 10, "access": "write", "time": 0}],
//!  "copies": [{"tensor": "a", "step": 2, "direction": "out", "time": 10, "cycles": 10}],
//!  "leads": [{"tensor": "a", "step": 4, "cycles": 3}]}
//! ```

use serde::{Deserialize, Serialize};

use crate::{Bytes, LevelProblem};

/// How a step accesses a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TensorAccess {
    /// Read only.
    Read,
    /// Written but not read.
    Write,
    /// Read and written.
    ReadWrite,
}

/// One access: a row of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableAccess {
    /// Name of the tensor.
    pub tensor: String,
    /// Number of the step.
    pub step: usize,
    /// Size of the tensor, in bytes.
    pub bytes: u64,
    /// How the step accesses the tensor.
    pub access: TensorAccess,
    /// Start of the step, in cycles since the start of the program.
    pub time: u64,
}

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the device to the host.
    Out,
    /// From the host to the device.
    In,
}

/// A copy made on demand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCopy {
    /// Name of the tensor.
    pub tensor: String,
    /// Number of the step before which the copy took place.
    pub step: usize,
    /// Direction of the copy.
    pub direction: Direction,
    /// Time of the copy, in cycles on the clock of the table, which excludes copies.
    pub time: u64,
    /// Duration in cycles.
    pub cycles: u64,
}

/// Feedback from a run: extra time between issuing a copy and its deadline, beyond the modelled
/// duration of the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lead {
    /// Name of the tensor.
    pub tensor: String,
    /// Step by which the tensor must have arrived.
    pub step: usize,
    /// Extra time in cycles; negative: issue the copy later than the model says.
    pub cycles: i64,
}

/// A table of accesses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessTable {
    /// Version of the format; [`AccessTable::VERSION`].
    pub version: u32,
    /// Name of the function.
    pub function: String,
    /// Cycles per second.
    pub clock: f64,
    /// Device memory that the program ran with, in bytes; `None`: as much as it needs.
    #[serde(default)]
    pub budget: Option<u64>,
    /// End of the last step, in cycles.
    pub end: u64,
    /// Accesses, in chronological order.
    pub accesses: Vec<TableAccess>,
    /// Copies made on demand, in chronological order.
    #[serde(default)]
    pub copies: Vec<TableCopy>,
    /// Corrections found by earlier runs.
    #[serde(default)]
    pub leads: Vec<Lead>,
}

/// Why a table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The text is not an access table.
    #[error("not an access table: {0}")]
    Syntax(String),
    /// The table has an unsupported version.
    #[error("an access table of version {0}, and this knows version {known}", known = AccessTable::VERSION)]
    Version(u32),
    /// The table describes another program.
    #[error("the table does not match @{function}: {why}")]
    Mismatch {
        /// Name of the function.
        function: String,
        /// The difference.
        why: String,
    },
}

impl AccessTable {
    /// Supported version of the format.
    pub const VERSION: u32 = 1;

    /// Parses a table.
    ///
    /// # Errors
    /// If the text is not a table, or has an unsupported version.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let syntax = |error: serde_json::Error| TableError::Syntax(error.to_string());
        let Version { version } = serde_json::from_str(text).map_err(syntax)?;
        if version != Self::VERSION {
            return Err(TableError::Version(version));
        }
        let table: Self = serde_json::from_str(text).map_err(syntax)?;
        if !(table.clock.is_finite() && table.clock > 0.0) {
            return Err(TableError::Syntax("the clock is not positive".to_owned()));
        }
        Ok(table)
    }

    /// Prints the table as JSON, one line per row.
    #[must_use]
    pub fn text(&self) -> String {
        let list = |rows: Vec<String>| match rows.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n    {}\n  ]", rows.join(",\n    ")),
        };
        fn rows<T: Serialize>(rows: &[T]) -> Vec<String> {
            let row = |row| serde_json::to_string(row).unwrap_or_default();
            rows.iter().map(row).collect()
        }
        let quoted = serde_json::to_string(&self.function).unwrap_or_default();
        let budget = self
            .budget
            .map_or("null".to_owned(), |budget| budget.to_string());
        format!(
            "{{\n  \"version\": {}, \"function\": {quoted}, \"clock\": {:?}, \"budget\": {budget}, \"end\": {},\n  \
             \"accesses\": {},\n  \"copies\": {},\n  \"leads\": {}\n}}\n",
            self.version,
            self.clock,
            self.end,
            list(rows(&self.accesses)),
            list(rows(&self.copies)),
            list(rows(&self.leads)),
        )
    }

    /// Creates a table without rows.
    #[must_use]
    pub fn empty(function: &str, budget: Option<Bytes>) -> Self {
        Self {
            version: Self::VERSION,
            function: function.to_owned(),
            clock: 1e9,
            budget: budget.map(Bytes::get),
            end: 0,
            accesses: Vec::new(),
            copies: Vec::new(),
            leads: Vec::new(),
        }
    }

    /// Appends the rows of one execution of a step that starts at `time`.
    pub fn add(&mut self, problem: &LevelProblem, step: usize, time: u64) {
        for used in &problem.steps[step].uses {
            let tensor = &problem.tensors[used.tensor.index()];
            if tensor.home.is_some() {
                continue;
            }
            self.accesses.push(TableAccess {
                tensor: tensor.name.clone(),
                step,
                bytes: tensor.size.get(),
                access: match (used.reads > Bytes::ZERO, used.writes > Bytes::ZERO) {
                    (true, true) => TensorAccess::ReadWrite,
                    (false, true) => TensorAccess::Write,
                    _ => TensorAccess::Read,
                },
                time,
            });
        }
    }
}

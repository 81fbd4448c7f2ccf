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

use crate::{Bytes, LevelProblem, Passive, PassiveError, PassiveTensor, PassiveUse, swap_cost};

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

    /// Returns the cycles of each step: from the start of a step that accesses tensors to the start
    /// of the next one. Steps without rows take no cycles. A step that runs several times gets the
    /// sum over its executions.
    ///
    /// # Errors
    /// If the table does not match the program: a row with an unknown step, another tensor or
    /// another size; time that goes backwards; or a missing row for a step that accesses a tensor
    /// without a home.
    pub fn durations(&self, problem: &LevelProblem) -> Result<Vec<u64>, TableError> {
        let mismatch = |why: String| TableError::Mismatch {
            function: self.function.clone(),
            why,
        };
        let mut sums = vec![0_u64; problem.steps.len()];
        let mut rows = self.accesses.iter().enumerate().peekable();
        while let Some((number, row)) = rows.next() {
            let number = number + 1;
            let Some(step) = problem.steps.get(row.step) else {
                let n = problem.steps.len();
                return Err(mismatch(format!(
                    "row {number} is of step {}, and there are {n}",
                    row.step
                )));
            };
            let used = step
                .uses
                .iter()
                .find(|used| problem.tensors[used.tensor].name == row.tensor);
            let Some(used) = used else {
                return Err(mismatch(format!(
                    "row {number} is of '{}', which step {} does not access",
                    row.tensor, row.step
                )));
            };
            let size = problem.tensors[used.tensor].size.get();
            if size != row.bytes {
                return Err(mismatch(format!(
                    "'{}' has {} bytes in row {number}, and {size} in the program",
                    row.tensor, row.bytes
                )));
            }
            let next = rows.peek().map(|(_, next)| next.time);
            let next_time = next.unwrap_or(self.end);
            if next_time < row.time {
                return Err(mismatch(format!("time goes backwards after row {number}")));
            }
            let sum = &mut sums[row.step];
            *sum = sum.saturating_add(next_time - row.time);
        }
        let accessed: Vec<bool> = {
            let mut seen = vec![false; problem.steps.len()];
            self.accesses.iter().for_each(|row| seen[row.step] = true);
            seen
        };
        for (index, step) in problem.steps.iter().enumerate() {
            let mut own = step
                .uses
                .iter()
                .filter(|used| problem.tensors[used.tensor].home.is_none());
            if let Some(used) = own.next().filter(|_| !accessed[index]) {
                return Err(mismatch(format!(
                    "it has no row of step {index}, which accesses '{}'",
                    problem.tensors[used.tensor].name
                )));
            }
        }
        Ok(sums)
    }

    /// Creates the table of a program without a memory limit, from the cost model.
    #[must_use]
    pub fn modelled(problem: &LevelProblem, function: &str, durations: &[u64]) -> Self {
        let mut table = Self::empty(function, None);
        let mut now = 0_u64;
        for (step, cycles) in durations.iter().enumerate() {
            table.add(problem, step, now);
            now = now.saturating_add(*cycles);
        }
        table.end = now;
        table
    }

    /// Creates the table of a program in passive mode, from the cost model: copies take place on
    /// demand between steps, and all times exclude them.
    ///
    /// # Errors
    /// The number of the first step whose tensors cannot be made resident, and the reason.
    pub fn passive(
        problem: &LevelProblem,
        function: &str,
        durations: &[u64],
        budget: Bytes,
    ) -> Result<Self, (usize, PassiveError)> {
        let own = problem.tensors.iter().map(|tensor| PassiveTensor {
            size: tensor.size,
            alignment: tensor.alignment.max(problem.hierarchy.levels[0].alignment),
        });
        let host = problem
            .hierarchy
            .levels
            .get(1)
            .and_then(|level| level.capacity);
        let mut passive = Passive::new(own.collect(), budget, host);
        let mut table = Self::empty(function, Some(budget));
        let lifetimes = problem.lifetimes();
        // Wall-clock time, and the share of it spent in copies.
        let (mut now, mut copied) = (0_u64, 0_u64);
        for (step, cycles) in durations.iter().enumerate() {
            let planned = problem.steps[step].uses.iter();
            let planned = planned.filter(|used| problem.tensors[used.tensor].home.is_none());
            let uses: Vec<PassiveUse> = planned.map(PassiveUse::from).collect();
            for copy in passive.access(&uses).map_err(|error| (step, error))? {
                let [away, back] = swap_cost(&problem.hierarchy, copy.size);
                let cycles = if copy.is_out { away } else { back };
                table.copies.push(TableCopy {
                    tensor: problem.tensors[copy.tensor].name.clone(),
                    step,
                    direction: if copy.is_out {
                        Direction::Out
                    } else {
                        Direction::In
                    },
                    time: now - copied,
                    cycles,
                });
                now = now.saturating_add(cycles);
                copied = copied.saturating_add(cycles);
            }
            table.add(problem, step, now - copied);
            now = now.saturating_add(*cycles);
            for used in &uses {
                if lifetimes[used.tensor].is_some_and(|life| life.end == step + 1) {
                    passive.release(used.tensor);
                }
            }
        }
        table.end = now - copied;
        Ok(table)
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
            let tensor = &problem.tensors[used.tensor];
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

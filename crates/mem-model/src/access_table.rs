//! Tensor access tables: who is accessed when, as the program runs if nothing is copied.
//!
//! # Format
//!
//! JSON, an object with `version` 1. Times are cycles at `clock` hertz, from the start of the program, without the time of copies:
//! what was measured while tensors were swapped on demand is reduced by the swaps before it. Unknown fields are errors, so that
//! no reader misses what it does not know; a later version has another number.
//!
//! ```json
//! {"version": 1, "function": "main", "clock": 1e9, "budget": 20, "end": 60,
//!  "accesses": [{"tensor": "a", "step": 0, "bytes": 10, "access": "write", "time": 0}],
//!  "copies": [{"tensor": "a", "step": 2, "direction": "out", "time": 10, "cycles": 10}],
//!  "leads": [{"tensor": "a", "step": 4, "cycles": 3}]}
//! ```

use serde::{Deserialize, Serialize};

use crate::{Bytes, LevelProblem, Passive, PassiveError, PassiveTensor, PassiveUse, swap_cost};

/// What a step does with a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TensorAccess {
    /// Only read.
    Read,
    /// Written, and not read.
    Write,
    /// Both.
    ReadWrite,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableAccess {
    /// The name of the tensor.
    pub tensor: String,
    /// The number of the step.
    pub step: usize,
    /// Of the tensor.
    pub bytes: u64,
    /// What is done with it.
    pub access: TensorAccess,
    /// Cycles from the start of the program to that of the step.
    pub time: u64,
}

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the device to the host.
    Out,
    /// Back.
    In,
}

/// A copy on demand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCopy {
    /// The name of the tensor.
    pub tensor: String,
    /// The number of the step in front of which it happened.
    pub step: usize,
    /// Which way.
    pub direction: Direction,
    /// Where the copy is in the time that the table shows.
    pub time: u64,
    /// How long it took.
    pub cycles: u64,
}

/// Feedback: how much earlier than a copy takes it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lead {
    /// The name of the tensor.
    pub tensor: String,
    /// The step in front of which it has to be there.
    pub step: usize,
    /// Cycles; less than none: later than the model says.
    pub cycles: i64,
}

/// A table of accesses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessTable {
    /// [`AccessTable::VERSION`].
    pub version: u32,
    /// The name of the function.
    pub function: String,
    /// Cycles a second.
    pub clock: f64,
    /// Bytes that the program ran with; `None`: all that it needs.
    #[serde(default)]
    pub budget: Option<u64>,
    /// When the last step was over.
    pub end: u64,
    /// In the order in which they happened.
    pub accesses: Vec<TableAccess>,
    /// On demand, in the order in which they happened.
    #[serde(default)]
    pub copies: Vec<TableCopy>,
    /// What earlier runs have found.
    #[serde(default)]
    pub leads: Vec<Lead>,
}

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It is no table.
    #[error("not an access table: {0}")]
    Syntax(String),
    /// Of another version.
    #[error("an access table of version {0}, and this knows version {known}", known = AccessTable::VERSION)]
    Version(u32),
    /// The program does something else.
    #[error("the table does not match @{function}: {why}")]
    Mismatch {
        /// The function.
        function: String,
        /// What is different.
        why: String,
    },
}

impl AccessTable {
    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// Reads a table.
    ///
    /// # Errors
    /// If it is none, or of another version.
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

    /// Its text, a line for each row.
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

    /// Cycles of each step, from the start of one that accesses anything to that of the next; steps that the table does not have
    /// have none. What runs several times has the sum of all its runs.
    ///
    /// # Errors
    /// If a row is not what the program does there: another tensor or size, a step that there is not, or time that goes backwards.
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
                return Err(mismatch(format!("time goes backwards behind row {number}")));
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

    /// The table of a program by its cost model: no limit.
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

    /// The table of a program in passive mode, by its cost model: copies on demand, in the time between steps, and all times
    /// reduced by them.
    ///
    /// # Errors
    /// If a step does not fit; with its number.
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
        // The clock on the wall, and how much of it was copies.
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

    /// A table without rows.
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

    /// Adds the rows of a step.
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

//! Inputs and error messages of the `mem-plan` command, and its planning of problems over several
//! levels. This is a library so that parsers and planners can be fuzzed together.

#![forbid(unsafe_code)]

mod csv_error;
mod csv_table;
mod levels;
mod report;

pub use csv_error::CsvError;
pub use csv_table::Table;
pub use levels::{
    LevelFailure, LevelSettings, NamedNoFit, RepetitionError, check_function, level_summary,
    limit_capacity, plan_function,
};
pub use report::Failure;

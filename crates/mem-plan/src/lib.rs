//! Inputs and error messages of the `mem-plan` command. This is a library so that its parsers can
//! be fuzzed.

#![forbid(unsafe_code)]

mod csv_table;
mod report;

pub use csv_table::Table;
pub use report::Failure;

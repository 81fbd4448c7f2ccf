//! What the `mem-plan` command reads, and what it says when that makes no sense: a library, so that
//! its parsers can be fuzzed.

#![forbid(unsafe_code)]

mod csv_table;
mod report;

pub use csv_table::Table;
pub use report::Failure;

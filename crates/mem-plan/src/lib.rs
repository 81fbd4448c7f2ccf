//! Inputs and error messages of the `mem-plan` command, and its planning of tables, of operation
//! graphs, and of problems over several levels. This is a library so that parsers and planners can be
//! fuzzed together, and for the Python package.

#![forbid(unsafe_code)]

mod csv_error;
mod csv_table;
mod diff;
mod graph_answer;
mod graph_plan;
mod levels;
mod report;
mod table_plan;
mod table_view;

pub use csv_error::CsvError;
pub use csv_table::{Table, TableGap, TableRow};
pub use diff::{
    BufferChange, Change, Changed, LimitError, PeakChange, PeakLimit, PlanDiff, PlanFile,
    PlanFileError, SizedBuffer, compare_plans, diff_json, diff_text, read_plan,
};
pub use graph_answer::{KnownGraphPlan, graph_json};
pub use graph_plan::{GraphSettings, PlannedGraph, plan_graph};
pub use levels::{
    LevelFailure, LevelSettings, LevelsDrawing, NamedNoFit, RepetitionError, check_function,
    improve_function, level_summary, limit_capacity, plan_function,
};
pub use report::Failure;
pub use table_plan::{PlannedTable, TableSettings, plan_table, table_json, table_summary};
pub use table_view::TableView;

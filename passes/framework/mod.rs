//! What every pass is written against: one run of a pass, the values of its options, and the guard
//! that keeps panics out of C++. The framework knows no pass: the table of passes is `table.rs`.

mod guard;
mod output;
mod pipeline_places;
mod pipeline_text;
mod run;
mod sabotage;
mod specs;

pub(crate) use guard::{guarded, panic_text, quiet_caught_panics};
pub(crate) use output::{write_output, write_text};
pub use pipeline_places::{located_error, mention_places};
pub(crate) use pipeline_text::{
    Known, MAX_ALIGNMENT, alignment_error, check_options, check_pipeline, report_error,
};
pub use pipeline_text::{Mention, TextError};
pub(crate) use run::PassRun;
pub(crate) use sabotage::{kind_of_error, remark_nothing_to_break};
pub(crate) use specs::{OptionKind, OptionSpec, OptionValues, PassSpec, PipelineSpec};

pub(crate) use crate::ir::{Failed, PassResult};

/// The options of each pass, generated from `Passes.td`.
pub(crate) mod options {
    use super::OptionValues;

    include!(concat!(env!("OUT_DIR"), "/options.rs"));
}

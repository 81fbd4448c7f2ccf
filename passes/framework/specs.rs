//! Declarations of passes and pipelines, and the values of their options.

use std::ffi::CStr;

use super::PassRun;
use super::pipeline_text::parse_size;
use crate::ir::PassResult;
use crate::ir::ffi::{
    MemOptionValues, MemPassRun, memShimOptionBoolean, memShimOptionInteger, memShimOptionString,
    memShimRunBoolean, memShimRunInteger, memShimRunString,
};

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionKind {
    String = 0,
    Integer = 1,
    Boolean = 2,
    /// A number of bytes, with or without a unit.
    Size = 3,
    /// One of several names.
    Choice = 4,
    /// The name of a memory hierarchy that ships with the program, or a file.
    Hierarchy = 5,
}

/// An option of a pass or a pipeline.
pub(crate) struct OptionSpec {
    pub name: &'static CStr,
    pub about: &'static CStr,
    pub default: &'static CStr,
    pub kind: OptionKind,
    /// The values of a choice.
    pub choices: &'static [&'static str],
    /// Least and largest value of a number.
    pub range: (i64, i64),
    /// A value, for the help.
    pub example: &'static str,
}

/// A pass, as `Passes.td` declares it.
pub(crate) struct PassSpec {
    pub argument: &'static CStr,
    pub summary: &'static CStr,
    /// Name of the operation that the pass is anchored on.
    pub anchor: &'static CStr,
    pub options: &'static [OptionSpec],
    /// Name and description of each statistic.
    pub statistics: &'static [(&'static CStr, &'static CStr)],
    /// Whether the pass runs upstream's bufferization or partitioning.
    pub bufferizes: bool,
    /// Whether a module with tensors and without buffers is an input like any other. To other
    /// passes it is an error: there is nothing for them to do, which no user expects.
    pub accepts_tensors: bool,
    pub run: fn(&PassRun) -> PassResult,
}

/// A named list of passes.
pub(crate) struct PipelineSpec {
    pub argument: &'static CStr,
    pub summary: &'static CStr,
    pub options: &'static [OptionSpec],
    /// Builds the textual pass pipeline for the given options.
    pub build: fn(&OptionValues) -> String,
}

/// Values of options, indexed in declaration order.
pub(crate) enum OptionValues {
    Pass(*mut MemPassRun),
    Pipeline(*mut MemOptionValues),
}

impl OptionValues {
    pub(crate) fn string(&self, index: usize) -> String {
        // SAFETY: the pointers are valid while the pass runs or the pipeline is built, and `index`
        // comes from the same declaration as the values.
        let raw = unsafe {
            match *self {
                Self::Pass(run) => memShimRunString(run, index),
                Self::Pipeline(values) => memShimOptionString(values, index),
            }
        };
        crate::ir::text(raw, self).to_owned()
    }
    pub(crate) fn integer(&self, index: usize) -> i64 {
        // SAFETY: as above.
        unsafe {
            match *self {
                Self::Pass(run) => memShimRunInteger(run, index),
                Self::Pipeline(values) => memShimOptionInteger(values, index),
            }
        }
    }
    /// The value of a size option. The text has been checked by [`check_options`]; a text that was set
    /// in another way and is no size is a number that every pass refuses.
    ///
    /// [`check_options`]: super::check_options
    pub(crate) fn size(&self, index: usize) -> i64 {
        parse_size(&self.string(index)).unwrap_or(i64::MIN)
    }
    pub(crate) fn boolean(&self, index: usize) -> bool {
        // SAFETY: as above.
        unsafe {
            match *self {
                Self::Pass(run) => memShimRunBoolean(run, index),
                Self::Pipeline(values) => memShimOptionBoolean(values, index),
            }
        }
    }
}

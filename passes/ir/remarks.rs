//! Optimization remarks for MLIR's remark engine: what a plan leaves on the table, by category.
//!
//! They exist beside the diagnostics of severity *remark*. Diagnostics reach every user and are few;
//! remarks are complete, have names and arguments that programs read, and reach only those who ask for
//! a category (`--remarks-filter`). A pass collects those of a category only if the engine accepts them.

use std::sync::Mutex;

use mlir_sys::MlirContext;

use super::ffi::{MemRemark, MemRemarkArgument, memShimEmitRemark, memShimWantsRemarks};
use super::handles::{Context, Location, string_ref};

/// The question that a remark answers. Filters of the engine select remarks by the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// Why a buffer has no planned address.
    NotPlanned,
    /// Why a result does not take over the bytes of an operand.
    NotInPlace,
    /// Why a tensor is not in a faster level, or left it.
    Evicted,
    /// Why a group of operations that run tile by tile has no other operation.
    NotTiled,
    /// Which buffers are live where the most bytes are.
    Peak,
}

impl Category {
    fn name(self) -> &'static str {
        match self {
            Self::NotPlanned => "mem-not-planned",
            Self::NotInPlace => "mem-not-in-place",
            Self::Evicted => "mem-evicted",
            Self::NotTiled => "mem-not-tiled",
            Self::Peak => "mem-peak",
        }
    }

    /// Whether remarks of the category report missed optimizations; otherwise, an analysis.
    fn is_missed(self) -> bool {
        self != Self::Peak
    }
}

/// A remark under construction.
#[must_use = "a remark that is not emitted is lost"]
pub(crate) struct Remark<'a> {
    location: Location,
    category: Category,
    name: &'static str,
    function: &'a str,
    arguments: Vec<(&'static str, String)>,
}

impl<'a> Remark<'a> {
    /// A remark with its name, which programs recognize it by, and the name of the function.
    pub(crate) fn new(
        (category, name): (Category, &'static str),
        location: Location,
        function: &'a str,
    ) -> Self {
        Self {
            location,
            category,
            name,
            function,
            arguments: Vec::new(),
        }
    }

    /// Adds a key and its value.
    pub(crate) fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        let value = value.to_string();
        let value = mem_view::printable_lines(&value).into_owned();
        self.arguments.push((key, value));
        self
    }

    /// Adds a sentence.
    pub(crate) fn text(self, text: impl ToString) -> Self {
        self.with("Remark", text)
    }

    pub(crate) fn emit(self) {
        // The engine writes to one stream, and passes on nested modules run in several threads.
        static ENGINE: Mutex<()> = Mutex::new(());
        let arguments = self.arguments.iter();
        let arguments: Vec<MemRemarkArgument> = arguments
            .map(|(key, value)| MemRemarkArgument {
                key: string_ref(key),
                value: string_ref(value),
            })
            .collect();
        let remark = MemRemark {
            location: self.location.0,
            category: string_ref(self.category.name()),
            name: string_ref(self.name),
            function: string_ref(self.function),
            is_missed: self.category.is_missed(),
            n_arguments: arguments.len(),
            arguments: arguments.as_ptr(),
        };
        let _one_at_a_time = ENGINE.lock();
        c!(memShimEmitRemark(&raw const remark));
    }
}

/// Whether the remark engine of the context accepts remarks of a category. Only then are they worth
/// collecting.
pub(crate) fn are_remarks_enabled(context: Context, category: Category) -> bool {
    let context: MlirContext = context.0;
    let (name, is_missed) = (string_ref(category.name()), category.is_missed());
    c!(memShimWantsRemarks(context, name, is_missed))
}

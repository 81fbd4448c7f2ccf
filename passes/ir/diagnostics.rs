//! Errors, warnings and remarks, with notes.

use std::ffi::c_void;

use mlir_sys::{
    MlirDiagnostic, MlirDiagnosticHandlerID, MlirDiagnosticSeverity,
    MlirDiagnosticSeverity_MlirDiagnosticError, MlirDiagnosticSeverity_MlirDiagnosticRemark,
    MlirDiagnosticSeverity_MlirDiagnosticWarning, MlirLogicalResult,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler,
};

use mem_planner::observe::{self, Event};

use super::ffi::{MemNote, memShimEmit};
use super::handles::{Context, Location, Op, string_ref};
use super::option_places::option_location;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
    Remark,
}

/// A diagnostic under construction.
#[must_use = "a diagnostic that is not emitted is lost"]
pub struct Diagnostic {
    location: Location,
    severity: Severity,
    text: String,
    notes: Vec<(Location, String)>,
}

/// Escapes control characters except line breaks: names in a message come from the program and may
/// contain anything.
fn shown(text: impl Into<String>) -> String {
    mem_view::printable_lines(&text.into()).into_owned()
}

impl Diagnostic {
    pub(crate) fn new(severity: Severity, location: Location, text: impl Into<String>) -> Self {
        Self {
            location: location.in_file(),
            severity,
            text: shown(text),
            notes: Vec::new(),
        }
    }
    /// An error without notes.
    pub fn error(location: Location, text: impl Into<String>) -> Self {
        Self::new(Severity::Error, location, text)
    }
    pub(crate) fn warning(location: Location, text: impl Into<String>) -> Self {
        Self::new(Severity::Warning, location, text)
    }
    pub(crate) fn remark(location: Location, text: impl Into<String>) -> Self {
        Self::new(Severity::Remark, location, text)
    }
    /// What a pass has written at an operation is wrong, as a check of its own has found.
    pub(crate) fn internal_error(pass: &str, op: Op, why: &str) -> Self {
        let text = format!("internal error in {pass}: {why}; please report it with this input");
        Self::error(op.location(), text)
    }
    /// An error about an option of the running pass, at the option if its place is known. `value`: its
    /// text, if known.
    pub(crate) fn option_error(
        module: Op,
        option: &str,
        value: Option<&str>,
        text: impl Into<String>,
    ) -> Self {
        Self::error(option_location(module, option, value), text)
    }
    pub(crate) fn note(mut self, location: Location, text: impl Into<String>) -> Self {
        self.notes.push((location.in_file(), shown(text)));
        self
    }
    pub(crate) fn emit(self) {
        observe::report(|| Event::Print);
        let severity: MlirDiagnosticSeverity = match self.severity {
            Severity::Error => MlirDiagnosticSeverity_MlirDiagnosticError,
            Severity::Warning => MlirDiagnosticSeverity_MlirDiagnosticWarning,
            Severity::Remark => MlirDiagnosticSeverity_MlirDiagnosticRemark,
        };
        let notes: Vec<MemNote> = self
            .notes
            .iter()
            .map(|(at, text)| MemNote {
                location: at.0,
                text: string_ref(text),
            })
            .collect();
        c!(memShimEmit(
            self.location.0,
            severity,
            string_ref(&self.text),
            notes.len(),
            notes.as_ptr()
        ));
    }
}

/// Discards all diagnostics of a context for as long as it exists.
pub(crate) struct Silence {
    context: Context,
    handler: MlirDiagnosticHandlerID,
}

impl Silence {
    pub(crate) fn new(context: Context) -> Self {
        extern "C" fn discard(_: MlirDiagnostic, _: *mut c_void) -> MlirLogicalResult {
            MlirLogicalResult { value: 1 }
        }
        let nothing = std::ptr::null_mut();
        let handler = c!(mlirContextAttachDiagnosticHandler(
            context.0,
            Some(discard),
            nothing,
            None
        ));
        Self { context, handler }
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        c!(mlirContextDetachDiagnosticHandler(
            self.context.0,
            self.handler
        ));
    }
}

/// Marker of a failed pass whose diagnostic has been emitted.
#[derive(Debug)]
pub struct Failed;

impl Failed {
    /// Emits an error at an operation.
    pub(crate) fn at(op: Op, text: &str) -> Self {
        Diagnostic::error(op.location(), text).emit();
        Self
    }
    /// Emits an error about an option of the running pass.
    pub(crate) fn at_option(module: Op, option: &str, text: &str) -> Self {
        Diagnostic::option_error(module, option, None, text).emit();
        Self
    }
}

/// The result of a pass. Code that creates a `Failed` must have emitted a diagnostic.
pub(crate) type PassResult = Result<(), Failed>;

impl Diagnostic {
    /// Emits an error and fails.
    pub fn fail<T>(self) -> Result<T, Failed> {
        self.emit();
        Err(Failed)
    }
}

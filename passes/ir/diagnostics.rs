//! Errors, warnings and remarks, with notes.

use mlir_sys::{
    MlirDiagnosticSeverity, MlirDiagnosticSeverity_MlirDiagnosticError,
    MlirDiagnosticSeverity_MlirDiagnosticRemark, MlirDiagnosticSeverity_MlirDiagnosticWarning,
};

use super::ffi::{MemNote, memShimEmit};
use super::handles::{Location, Op, string_ref};

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
            location,
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
    pub(crate) fn note(mut self, location: Location, text: impl Into<String>) -> Self {
        self.notes.push((location, shown(text)));
        self
    }
    pub(crate) fn emit(self) {
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

/// Marker of a failed pass whose diagnostic has been emitted.
#[derive(Debug)]
pub struct Failed;

impl Failed {
    /// Emits an error at an operation.
    pub(crate) fn at(op: Op, text: &str) -> Self {
        Diagnostic::error(op.location(), text).emit();
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

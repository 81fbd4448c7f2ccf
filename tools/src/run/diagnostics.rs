//! Prints diagnostics to standard error in the format of `mlir-opt`: location, text, source line,
//! caret.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticHandlerId, DiagnosticSeverity};
use melior::ir::Location;
use mem_opt::internals::text;
use mlir_sys::*;

/// Prints the diagnostics of a context during its lifetime.
pub(super) struct Printer<'c> {
    context: &'c Context,
    handler: Option<DiagnosticHandlerId>,
}

impl<'c> Printer<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        let mut sources = Sources::default();
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            eprint!("{}", sources.render(&diagnostic));
            true
        });
        let handler = Some(handler);
        Self { context, handler }
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        if let Some(handler) = self.handler.take() {
            self.context.detach_diagnostic_handler(handler);
        }
    }
}

/// A position in a file. Lines and columns count from 1.
struct Place {
    file: String,
    line: usize,
    column: usize,
}

/// The first file position that a location refers to.
fn place(location: MlirLocation) -> Option<Place> {
    // SAFETY: the location belongs to a diagnostic that is being handled, and each accessor is
    // called on the kind of location it applies to.
    unsafe {
        if mlirLocationIsAFileLineColRange(location) {
            let file = mlirLocationFileLineColRangeGetFilename(location);
            let file = text(mlirIdentifierStr(file), &file).to_owned();
            let line = mlirLocationFileLineColRangeGetStartLine(location);
            let column = mlirLocationFileLineColRangeGetStartColumn(location);
            let (line, column) = (usize::try_from(line).ok()?, usize::try_from(column).ok()?);
            return Some(Place { file, line, column });
        }
        if mlirLocationIsAName(location) {
            return place(mlirLocationNameGetChildLoc(location));
        }
        if mlirLocationIsACallSite(location) {
            return place(mlirLocationCallSiteGetCallee(location));
        }
        if mlirLocationIsAFused(location) {
            let n = mlirLocationFusedGetNumLocations(location) as usize;
            let null = MlirLocation {
                ptr: std::ptr::null(),
            };
            let mut parts = vec![null; n];
            mlirLocationFusedGetLocations(location, parts.as_mut_ptr());
            return parts.into_iter().find_map(place);
        }
    }
    None
}

/// Cached lines of the files that diagnostics refer to.
#[derive(Default)]
struct Sources {
    lines: HashMap<String, Vec<String>>,
}

impl Sources {
    fn line(&mut self, place: &Place) -> Option<&str> {
        let lines = self.lines.entry(place.file.clone()).or_insert_with(|| {
            let source = fs::read_to_string(&place.file).unwrap_or_default();
            source.lines().map(str::to_owned).collect()
        });
        lines.get(place.line.checked_sub(1)?).map(String::as_str)
    }

    fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let mut out = String::new();
        let severity = match diagnostic.severity() {
            DiagnosticSeverity::Error => "error",
            DiagnosticSeverity::Warning => "warning",
            DiagnosticSeverity::Note => "note",
            DiagnosticSeverity::Remark => "remark",
        };
        self.head(&diagnostic.location(), severity, diagnostic, &mut out);
        for i in 0..diagnostic.note_count() {
            if let Ok(note) = diagnostic.note(i) {
                self.head(&note.location(), "note", &note, &mut out);
            }
        }
        out
    }

    fn head(&mut self, at: &Location, severity: &str, message: &Diagnostic, out: &mut String) {
        let Some(place) = place(at.to_raw()) else {
            let _ = writeln!(out, "{severity}: {message}");
            return;
        };
        let (file, line, column) = (&place.file, place.line, place.column);
        let _ = writeln!(out, "{file}:{line}:{column}: {severity}: {message}");
        if let Some(source) = self.line(&place) {
            let caret = " ".repeat(column.saturating_sub(1));
            let _ = writeln!(out, "{source}\n{caret}^");
        }
    }
}

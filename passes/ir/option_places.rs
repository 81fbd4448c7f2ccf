//! Where the options of passes are in the text of the pipeline, for diagnostics about them.
//!
//! A pass knows the values of its options, not where they were written: MLIR parses the text and keeps
//! nothing of it. `mem-opt` remembers the places here, once, before it runs passes. In other tools with
//! mlir-opt's command line, which load the plugin, the text is the value of their option
//! `--pass-pipeline`, and is read when the first diagnostic needs it. Hosts without a command line have
//! no text: there, diagnostics about options are at the module.
//!
//! They are at the module with `--verify-diagnostics` as well. MLIR then compares each diagnostic with a
//! comment in the file of the diagnostic, and no file has comments if the diagnostic is in the command line.

use std::cell::Cell;
use std::sync::OnceLock;

use mlir_sys::{
    mlirIdentifierStr, mlirLocationFileLineColGet, mlirLocationFileLineColRangeGetFilename,
    mlirLocationFileLineColRangeGetStartLine, mlirLocationGetContext,
    mlirLocationIsAFileLineColRange,
};

use super::ffi::memShimVerifiesDiagnostics;
use super::handles::{Location, Op, string_ref};

impl Location {
    /// This location, or the first line of its file if it has no line: the parser gives none to modules
    /// that the text does not name.
    pub(crate) fn in_file(self) -> Self {
        let is_in_file = c!(mlirLocationIsAFileLineColRange(self.0));
        if !is_in_file || c!(mlirLocationFileLineColRangeGetStartLine(self.0)) != 0 {
            return self;
        }
        let file = c!(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(
            self.0
        )));
        let context = c!(mlirLocationGetContext(self.0));
        Self(c!(mlirLocationFileLineColGet(context, file, 1, 1)))
    }
}

/// A pass or pipeline in a text, or one of its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionPlace {
    /// The name of the pass or pipeline.
    pub owner: String,
    /// The name of the option and its value; `None` for the name of the pass or pipeline.
    pub option: Option<(String, String)>,
    /// What the text is called, as in `--pass-pipeline`.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1.
    pub column: u32,
}

static PLACES: OnceLock<Vec<OptionPlace>> = OnceLock::new();

/// Finds the places in the command line of the host.
pub(crate) type HostPlaces = fn() -> Vec<OptionPlace>;

thread_local! {
    /// The pass that runs on this thread.
    static RUNNING: Cell<Option<(&'static str, HostPlaces)>> = const { Cell::new(None) };
}

/// Remembers the places of all options, of which there is one at least. Later calls have no effect.
pub fn remember_options(places: Vec<OptionPlace>) {
    let _ = PLACES.set(places);
}

/// A pass runs on this thread until this is dropped.
pub(crate) struct Running {
    outer: Option<(&'static str, HostPlaces)>,
}

impl Running {
    /// `places`: for a host that has not remembered any.
    pub(crate) fn new(pass: &'static str, places: HostPlaces) -> Self {
        Self {
            outer: RUNNING.replace(Some((pass, places))),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(self.outer);
    }
}

/// The location of an option of the running pass; that of the module if it is not known. `value`: the
/// value of the option, if its text is known. It tells several runs of a pass apart, and finds options of
/// pipelines that hand their value on under another name.
pub(crate) fn option_location(module: Op, option: &str, value: Option<&str>) -> Location {
    let find_place = || {
        let (pass, host_places) = RUNNING.get()?;
        if c!(memShimVerifiesDiagnostics()) {
            return None;
        }
        find(PLACES.get_or_init(host_places), pass, option, value)
    };
    match find_place() {
        None => module.location(),
        Some(place) => Location(c!(mlirLocationFileLineColGet(
            module.context().0,
            string_ref(&place.file),
            place.line,
            place.column
        ))),
    }
}

/// The place that a diagnostic about an option of `pass` should point at: the option of this pass; the
/// option of a pipeline with the same name, or else the same value; the name of the pass; the only pass or
/// pipeline that there is.
fn find<'a>(
    places: &'a [OptionPlace],
    pass: &str,
    option: &str,
    value: Option<&str>,
) -> Option<&'a OptionPlace> {
    let has_value = |own: &str| value.is_none_or(|value| value == own);
    let first = |is_wanted: &dyn Fn(&str, &str, &str) -> bool| {
        places.iter().find(|place| {
            let own = place.option.as_ref();
            own.is_some_and(|(key, text)| is_wanted(&place.owner, key, text))
        })
    };
    let names = || places.iter().filter(|place| place.option.is_none());
    let only = || names().next().filter(|_| names().count() == 1);
    first(&|owner, key, own| owner == pass && key == option && has_value(own))
        .or_else(|| first(&|_, key, own| key == option && has_value(own)))
        .or_else(|| {
            first(&|_, _, own| value.is_some_and(|value| !value.is_empty() && value == own))
        })
        .or_else(|| names().find(|place| place.owner == pass))
        .or_else(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(owner: &str, option: Option<(&str, &str)>, column: u32) -> OptionPlace {
        OptionPlace {
            owner: owner.to_owned(),
            option: option.map(|(key, value)| (key.to_owned(), value.to_owned())),
            file: "--pass-pipeline".to_owned(),
            line: 1,
            column,
        }
    }

    #[test]
    fn options_are_found_in_passes_and_in_pipelines() {
        let places = [
            place("pipeline", None, 1),
            place("pipeline", Some(("report", "a.svg")), 2),
            place("pipeline", Some(("budget", "1KiB")), 3),
            place("print", None, 4),
            place("print", Some(("output", "b.svg")), 5),
            place("print", None, 6),
            place("print", Some(("output", "c.svg")), 7),
        ];
        let column = |pass: &str, option: &str, value: Option<&str>| {
            find(&places, pass, option, value).map(|place| place.column)
        };
        assert_eq!(column("print", "output", Some("b.svg")), Some(5));
        assert_eq!(column("print", "output", Some("c.svg")), Some(7));
        assert_eq!(column("print", "output", None), Some(5));
        assert_eq!(
            column("print", "output", Some("a.svg")),
            Some(2),
            "of the pipeline"
        );
        assert_eq!(
            column("offload", "budget", None),
            Some(3),
            "of the pipeline"
        );
        assert_eq!(
            column("print", "unknown", None),
            Some(4),
            "the name of the pass"
        );
        assert_eq!(column("tile", "target", None), None);
        assert_eq!(
            find(&places[..3], "tile", "target", None).map(|place| place.column),
            Some(1)
        );
        assert_eq!(find(&[], "print", "output", None), None);
    }
}

//! `MEM_OPT_TRACE`: what the planners and extraction decide, one line a decision, on standard
//! error.
//!
//! The environment variable lists targets, separated by commas: `extract`, `plan`, `levels`,
//! `offload`, `tiles`. Decisions are records of the `log` crate with one of these names as their target, at
//! level `debug`, so that an embedding program can install a logger of its own instead. While no
//! logger is installed, a decision costs one comparison and formats nothing.
//!
//! Lines of searches that run on several threads may appear in any order.

use std::io::Write as _;

use log::{LevelFilter, Log, Metadata, Record};

/// The environment variable.
const VARIABLE: &str = "MEM_OPT_TRACE";

/// What can be traced: extraction from IR, addresses in one arena, placement in several levels,
/// budgets, and tiles.
const TARGETS: [&str; 6] = ["extract", "plan", "levels", "offload", "tiles", "order"];

/// Why tracing could not be enabled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The variable names something that is not a target.
    #[error("unknown value '{0}' for {VARIABLE}: expected {list}", list = TARGETS.join(", "))]
    UnknownTarget(String),
    /// The variable is not valid UTF-8.
    #[error("{VARIABLE} is not valid UTF-8")]
    NotText,
}

/// Installs a logger that prints the decisions selected by `MEM_OPT_TRACE`. Does nothing if the
/// variable is unset or empty, or if a logger is installed already.
///
/// # Errors
/// If the variable names an unknown target; nothing is installed then.
pub fn install_trace() -> Result<(), TraceError> {
    let value = match std::env::var(VARIABLE) {
        Ok(value) => value,
        Err(std::env::VarError::NotPresent) => return Ok(()),
        Err(std::env::VarError::NotUnicode(_)) => return Err(TraceError::NotText),
    };
    let selected = parse(&value)?;
    // If the embedding program has a logger, that logger decides.
    if !selected.is_empty() && log::set_boxed_logger(Box::new(Printer { selected })).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
    Ok(())
}

fn parse(value: &str) -> Result<Vec<&'static str>, TraceError> {
    let names = value.split(',').map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    let target = |name: &str| {
        let known = TARGETS.into_iter().find(|target| *target == name);
        known.ok_or_else(|| TraceError::UnknownTarget(name.to_owned()))
    };
    names.map(target).collect()
}

struct Printer {
    selected: Vec<&'static str>,
}

impl Log for Printer {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.selected.contains(&metadata.target())
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = printable(&record.args().to_string());
            // A closed standard error must not end planning.
            let _ = writeln!(std::io::stderr(), "{}: {text}", record.target());
        }
    }

    fn flush(&self) {}
}

/// Escapes control characters: names come from programs, and must not control the terminal.
fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }

    #[test]
    fn targets_are_separated_by_commas() {
        assert_eq!(parse("plan, levels,"), Ok(vec!["plan", "levels"]));
        assert_eq!(parse(""), Ok(Vec::new()));
    }

    #[test]
    fn unknown_targets_are_refused_with_the_known_ones() {
        let error = parse("plan,all").expect_err("'all' is not a target");
        let text = "unknown value 'all' for MEM_OPT_TRACE: expected extract, plan, levels, \
             offload, tiles, order";
        assert_eq!(error.to_string(), text);
    }
}

//! `mem-validate`: checks that a module still computes what it did.
//!
//! The crate `crates/mem-equivalence` documents the comparison and its guarantees.

use std::path::Path;

use mem_equivalence::program::Location as LocationId;
use mem_equivalence::{Difference, Observed, Outcome, compare_modules};

use crate::analyze::validation::{Names, Snapshot, take, translate};
use crate::framework::options::MemValidateOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{Diagnostic, Op};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let kept = take(module);
    let original = match (options.original.is_empty(), kept) {
        (false, _) => read(module, Path::new(&options.original))?,
        (true, Some(kept)) => kept,
        (true, None) => {
            let text = "mem-validate: no program to compare with: run mem-snapshot first, or give the option 'original'";
            return Diagnostic::option_error(module, "original", None, text).fail();
        }
    };
    let Snapshot {
        module: before,
        names,
    } = original;
    let after = translate(module, names);
    let outcomes = compare_modules(&before, &after.module, options.noalias_arguments);
    let (mut n_equal, mut n_unknown) = (0, 0);
    let mut result = Ok(());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => n_equal += 1,
            Outcome::Unknown { location, why, .. } => {
                n_unknown += 1;
                let at = location.map_or(module.location(), |id| after.names.location(id));
                let text = format!("mem-validate: {name} is not validated: {why}");
                Diagnostic::warning(at, text).emit();
            }
            Outcome::Different(difference) => result = report(&after.names, name, difference),
            Outcome::Undefined {
                location,
                why,
                cause,
            } => {
                let at = |id: Option<LocationId>| {
                    id.map_or(module.location(), |id| after.names.location(id))
                };
                let text = format!("mem-validate: in {name}, {why}");
                let error = Diagnostic::error(at(*location), text);
                result = error.note(at(cause.location), cause.what).fail();
            }
        }
    }
    run.set_statistic(Options::NUM_EQUAL, n_equal);
    run.set_statistic(Options::NUM_UNKNOWN, n_unknown);
    run.changed_nothing();
    result
}

/// Reads the original module.
fn read(module: Op, path: &Path) -> Result<Snapshot, Failed> {
    let shown = path.display().to_string();
    let error =
        |text: String| Diagnostic::option_error(module, "original", Some(&shown), text).fail();
    if let Err(cause) = std::fs::File::open(path) {
        return error(format!("mem-validate: cannot read {shown}: {cause}"));
    }
    let Some(original) = Op::parse_module(module.context(), &shown.to_string()) else {
        return error(format!("mem-validate: {shown} is not a module"));
    };
    let snapshot = translate(original, Names::default());
    original.erase();
    Ok(snapshot)
}

/// Reports a difference, with the operations that computed the two values.
fn report(names: &Names, function: &str, difference: &Difference) -> PassResult {
    let at = |id: LocationId| names.location(id);
    let what = match difference.what {
        Observed::Control => "control flow differs from the original".to_owned(),
        Observed::Operand(index) => format!("operand {index} differs from the original"),
        Observed::Memory => "memory at the end differs from the original".to_owned(),
        Observed::Exchanged => {
            "what is exchanged with other ranks, or freed for the caller, differs from the original"
                .to_owned()
        }
        Observed::Awaited => {
            "what is waited for before this operation differs from the original".to_owned()
        }
        Observed::Event => "what this operation is given differs from the original".to_owned(),
    };
    let bytes = difference
        .bytes
        .map(|(start, end)| format!(", in bytes [{start}, {end}) of a value"));
    let text = format!(
        "mem-validate: in {function}, {what}{}",
        bytes.unwrap_or_default()
    );
    let mut error = Diagnostic::error(at(difference.observed[1]), text);
    let [original, planned] = difference.made;
    if let Some(id) = original {
        error = error.note(
            at(id),
            "in the original, the value comes from this operation",
        );
    }
    if let Some(id) = planned {
        error = error.note(at(id), "now, it comes from this operation");
    }
    error.fail()
}

//! `mem-forward-stores`: replaces loads by the stored value, and reads of a copy by reads of its
//! source.
//!
//! Loads come first. A load whose bytes all come from one store or one fill, on every path, yields
//! the value that was stored. This holds in loops, too: the store is the last one of its kind to
//! execute before the load, and control cannot recompute the value without passing the store
//! again. Copies come second. An operand that reads exactly the target of one copy reads the source
//! instead, if the source has not changed between the copy and the operation.

use mem_flow::dependence::{Dependence, Reaching, Source};
use mem_model::AccessKind;

use super::constants::Constants;
use super::forward::{forward_copies_in, replace_loads};
use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemForwardStoresOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::is_visible;
use crate::ir::{Op, Value};

/// Maximum number of rounds for copies of copies: one follows each chain for as far as it is certain that the
/// first source is unchanged, and the next one what is left.
const MAX_ROUNDS: usize = 4;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let mut subject = Subject::new(run, options.noalias_arguments);
    let constants = Constants::new(run.operation());
    let (mut n_loads, mut n_operands) = (0, 0);
    let mut is_first = true;
    for _ in 0..=MAX_ROUNDS {
        let mut changed = false;
        for function in subject.functions() {
            let dependence = function.analyze();
            let forwarded = match is_first {
                true => forward_loads(function, &dependence, &constants),
                false => 0,
            };
            n_loads += forwarded;
            // Not both in one round: the dependence analysis still refers to the loads that were
            // just erased.
            let n_copied = match forwarded {
                0 => forward_copies_in(function, &dependence),
                _ => 0,
            };
            n_operands += n_copied;
            changed |= forwarded + n_copied > 0;
            if is_first {
                function.report_limits(&dependence.limits());
            }
        }
        is_first = false;
        if !changed {
            break;
        }
        subject.changed();
    }
    subject.finish();
    run.set_statistic(Options::NUM_LOADS, n_loads);
    run.set_statistic(Options::NUM_OPERANDS, n_operands);
    Ok(())
}

/// Replaces loads by the stored value or by the contents of a constant global. Returns the number
/// of loads replaced.
fn forward_loads(function: &Extracted, dependence: &Dependence<'_>, constants: &Constants) -> u64 {
    let mut found = Vec::new();
    for (id, access) in function.accesses() {
        let load = function.op(id);
        if access.kind != AccessKind::Use || load.name() != "memref.load" {
            continue;
        }
        let stored = match dependence.sole_source(id) {
            Some(Source::Definition(from)) => stored_value(function.op(from), load),
            Some(Source::Entry) => constants.loaded(load),
            Some(Source::Undefined) => None,
            None => same_value(function, &dependence.reaching(id), load),
        };
        found.extend(stored.map(|value| (load, value)));
    }
    replace_loads(found)
}

/// The value that `load` yields, if all stores that reach it store the same value.
fn same_value(function: &Extracted, reaching: &[Reaching], load: Op) -> Option<Value> {
    let values = reaching.iter().map(|reaching| match reaching.source {
        Source::Definition(from) => stored_value(function.op(from), load),
        Source::Undefined | Source::Entry => None,
    });
    let values: Option<Vec<Value>> = values.collect();
    let values = values?;
    let first = *values.first()?;
    values.iter().all(|value| *value == first).then_some(first)
}

/// The value that `from` wrote to each element, if `load` can use it.
fn stored_value(from: Op, load: Op) -> Option<Value> {
    let value = match from.name() {
        "memref.store" | "linalg.fill" => from.operand(0),
        _ => return None,
    };
    (value.ty() == load.result().ty() && is_visible(value, load)).then_some(value)
}

//! `mem-forward-stores`: replaces loads by the stored value, and reads of a copy by reads of its
//! source.
//!
//! Loads come first. A load whose bytes all come from one store or one fill, on every path, yields
//! the value that was stored. This holds in loops, too: the store is the last one of its kind to
//! execute before the load, and control cannot recompute the value without passing the store
//! again. A load of parts of two elements yields neither. Copies come second. An operand that reads
//! exactly the target of one copy reads the source instead, if the source has not changed between the
//! copy and the operation.

use std::cell::OnceCell;

use mem_flow::dependence::{AccessId, Dependence, Reaching, Source};
use mem_model::AccessKind;

use super::constants::Constants;
use super::forward::{forward_copies_in, replace_loads};
use crate::extract::dependence::{Extracted, Subject};
use crate::extract::descriptor_bounds;
use crate::framework::options::MemForwardStoresOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::is_visible;
use crate::ir::{Attribute, Value, chain, element_type, memref_layout, view_source};

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
    let elements = Elements::new(function);
    for (id, access) in function.accesses() {
        let load = function.op(id);
        if access.kind != AccessKind::Use || load.name() != "memref.load" {
            continue;
        }
        let stored = match dependence.sole_source(id) {
            Some(Source::Definition(from)) => elements.stored_value(from, id),
            Some(Source::Entry) => constants.loaded(load),
            Some(Source::Undefined) => None,
            None => elements.same_value(&dependence.reaching(id), id),
        };
        found.extend(stored.map(|value| (load, value)));
    }
    replace_loads(found)
}

/// The elements that a function stores and loads.
struct Elements<'f> {
    function: &'f Extracted,
    /// Whether elements may begin inside of others.
    overlap: OnceCell<bool>,
}

impl<'f> Elements<'f> {
    const fn new(function: &'f Extracted) -> Self {
        Self {
            function,
            overlap: OnceCell::new(),
        }
    }

    /// The value that a load yields, if all stores that reach it store the same value.
    fn same_value(&self, reaching: &[Reaching], load: AccessId) -> Option<Value> {
        let values = reaching.iter().map(|reaching| match reaching.source {
            Source::Definition(from) => self.stored_value(from, load),
            Source::Undefined | Source::Entry => None,
        });
        let values: Option<Vec<Value>> = values.collect();
        let values = values?;
        let first = *values.first()?;
        values.iter().all(|value| *value == first).then_some(first)
    }

    /// The value that a store or a fill wrote to each element, if a load can use it.
    fn stored_value(&self, from: AccessId, load: AccessId) -> Option<Value> {
        let [store, op] = [from, load].map(|own| self.function.op(own));
        let value = match store.name() {
            "memref.store" | "linalg.fill" => store.operand(0),
            _ => return None,
        };
        let is_usable = value.ty() == op.result().ty() && is_visible(value, op);
        (is_usable && self.begin_together(from, load)).then_some(value)
    }

    /// Whether no element of one access begins inside an element of the other, both of one type.
    fn begin_together(&self, a: AccessId, b: AccessId) -> bool {
        let mut accesses = self.function.accesses();
        let is_shifted = |(id, _)| {
            self.function
                .value(id)
                .is_some_and(|own| is_shifted(whole(own)))
        };
        let overlap = *self.overlap.get_or_init(|| accesses.any(is_shifted));
        let [a, b] = [a, b].map(|own| self.function.value(own).map(whole));
        !overlap || a.is_some() && a == b
    }
}

/// The value that a view of whole elements is a view of.
fn whole(value: Value) -> Value {
    let source = |own: Value| {
        let source = view_source(own.owner()?)?;
        (element_type(source.ty()) == element_type(own.ty())).then_some(source)
    };
    chain(value, source).last().unwrap_or(value)
}

/// Whether elements of a view of bytes may begin anywhere.
fn is_shifted(value: Value) -> bool {
    let Some(op) = value.owner() else {
        return false;
    };
    let offset = match op.name() {
        "mem.descriptor" => descriptor_bounds(op)[0],
        "mem.view" => op.attribute("offset").and_then(Attribute::integer),
        "memref.view" => op.operand(1).constant(),
        _ => return false,
    };
    let size = memref_layout(value.ty()).map_or(1, |own| own.element);
    offset.is_none_or(|offset| offset % size.max(1) != 0) && size > 1
}

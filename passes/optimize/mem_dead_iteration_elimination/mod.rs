//! `mem-dead-iteration-elimination`: removes the iterations of structured operations that compute what is never
//! read.
//!
//! A convolution with a window of one element and a stride reads every other element of a tensor. Front ends
//! compute all of them. Which elements of a buffer are read is determined backwards, as one arithmetic progression
//! for each dimension: from what operations read to the iterations that compute it, and to what these read. Then
//! buffers have the elements that are read only, and operations the iterations that compute them.
//!
//! Extract, plan, materialize, check: `analysis` knows operations and indices, the new operations are written
//! beside the original ones, `check` compares both, and only then are the original ones erased.

mod analysis;
mod check;
mod progression;

use rustc_hash::FxHashMap as HashMap;

use crate::framework::options::MemDeadIterationEliminationOptions as Options;
use crate::framework::{PassResult, PassRun, kind_of_error, remark_nothing_to_break};
use crate::ir::structured::{generic_like, map_of};
use crate::ir::{
    Attribute, Diagnostic, Linear, Op, Value, identity_memref, indexing_map_attributes,
    memref_layout,
};

use analysis::{Analysis, Change, Form, Operation, set_strides};
use check::{Pair, check};
use progression::Progression;

/// The pass, in messages.
const NAME: &str = "mem-dead-iteration-elimination";

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let sabotage = kind_of_error(module, NAME, &KINDS, &options.break_iterations)?;
    let analysis = Analysis::of(module);
    let mut written = Written::default();
    for (at, buffer) in analysis.buffers.iter().enumerate() {
        if analysis.is_shrunk(at) {
            written.allocate(buffer.value, analysis.elements(at), sabotage);
        }
    }
    let mut removed = 0;
    for operation in &analysis.operations {
        if let Change::Into(form, domain) = analysis.change(operation) {
            let left = domain.iter().map(|own| own.count());
            removed += iterations(operation.extents.iter().copied()) - iterations(left);
            written.operate(operation, form, domain, sabotage);
        }
    }
    if sabotage.is_some() && !written.is_broken {
        remark_nothing_to_break(module, NAME, &options.break_iterations);
    }
    if written.buffers.is_empty() {
        run.changed_nothing();
        return Ok(());
    }
    if let Err((op, why)) = check(&written.buffers, &written.operations) {
        return Diagnostic::internal_error(NAME, op, &why.to_string()).fail();
    }
    if written.is_broken {
        let op = written.operations[0].old;
        return Diagnostic::internal_error(NAME, op, "the check accepts wrong iterations").fail();
    }
    run.set_statistic(Options::NUM_BUFFERS, written.buffers.len() as u64);
    run.set_statistic(Options::NUM_BYTES, written.saved_bytes());
    run.set_statistic(Options::NUM_OPERATIONS, written.operations.len() as u64);
    run.set_statistic(Options::NUM_ITERATIONS, removed);
    written.replace();
    Ok(())
}

/// The number of iterations of dimensions with these numbers of them.
fn iterations(extents: impl Iterator<Item = i64>) -> u64 {
    extents.map(i64::unsigned_abs).fold(1, u64::saturating_mul)
}

/// What has been written beside the original operations.
#[derive(Default)]
struct Written {
    buffers: Vec<Pair<Value>>,
    operations: Vec<Pair<Op>>,
    /// The new buffer of each original one.
    counterparts: HashMap<Value, Value>,
    is_broken: bool,
}

impl Written {
    /// Writes an allocation of some elements of a buffer, and what frees it.
    fn allocate(&mut self, old: Value, indices: Vec<Progression>, sabotage: Option<Sabotage>) {
        let Some(owner) = old.owner() else {
            return;
        };
        let mut shape: Vec<i64> = indices.iter().map(|own| own.count()).collect();
        if sabotage == Some(Sabotage::ShortBuffer) && !self.is_broken {
            let longest = shape.iter_mut().max();
            if let Some(own) = longest.filter(|own| **own > 1) {
                *own -= 1;
                self.is_broken = true;
            }
        }
        let new = owner.copied_before(owner, |own| own).result();
        new.set_type(identity_memref(old.ty(), &shape));
        self.counterparts.insert(old, new);
        let users = old.users().into_iter();
        for dealloc in users.filter(|user| user.name() == "memref.dealloc") {
            dealloc.copied_before(dealloc, |_| new);
        }
        self.buffers.push(Pair { old, new, indices });
    }

    /// Writes an operation.
    fn operate(
        &mut self,
        operation: &Operation,
        form: Form,
        indices: Vec<Progression>,
        sabotage: Option<Sabotage>,
    ) {
        let old = operation.own.op;
        let counterpart = |own: Value| self.counterparts.get(&own).copied().unwrap_or(own);
        let new = match form {
            Form::Generic(mut indices) => {
                if sabotage == Some(Sabotage::OtherElements) && !self.is_broken {
                    let inputs = indices[..operation.own.n_inputs].iter_mut().flatten();
                    let is_sparse = |own: &&mut Linear| own.coefficients.iter().any(|own| *own > 1);
                    if let Some(index) = { inputs }.find(is_sparse) {
                        index.constant += 1;
                        self.is_broken = true;
                    }
                }
                let maps = maps(operation, &indices);
                let operands = old.operands().map(counterpart).collect();
                generic_like(old, (operands, &maps), 0)
            }
            Form::Strides(strides) => {
                let new = old.copied_before(old, counterpart);
                match sabotage {
                    Some(Sabotage::OldStrides) => self.is_broken = true,
                    _ => set_strides(new, strides),
                }
                new
            }
            Form::Same => old.copied_before(old, counterpart),
        };
        self.operations.push(Pair { old, new, indices });
    }

    /// The bytes of buffers, less those of the ones that take their place.
    fn saved_bytes(&self) -> u64 {
        let bytes = |own: Value| memref_layout(own.ty()).and_then(|own| own.known_bytes());
        let saved = self.buffers.iter().filter_map(|own| {
            let saved = bytes(own.old)?.checked_sub(bytes(own.new)?)?;
            u64::try_from(saved).ok()
        });
        saved.fold(0, u64::saturating_add)
    }

    /// Erases the original operations and buffers.
    fn replace(self) {
        self.operations.into_iter().for_each(|own| own.old.erase());
        for buffer in self.buffers {
            // Only deallocations are left.
            buffer.old.users().into_iter().for_each(Op::erase);
            buffer.old.owner().into_iter().for_each(Op::erase);
        }
    }
}

/// The indexing maps of an operation with other indices. Those that are what they were keep their form.
fn maps(operation: &Operation, indices: &[Vec<Linear>]) -> Vec<Attribute> {
    let op = operation.own.op;
    let before = indexing_map_attributes(op).and_then(Attribute::elements);
    let before = before.unwrap_or_default().into_iter();
    let pairs = before.zip(operation.own.indices.iter().zip(indices));
    let maps = pairs.map(|(map, (before, after))| match before == after {
        true => map,
        false => map_of(op, after),
    });
    maps.collect()
}

/// An error in what is written, which the check has to find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sabotage {
    /// A buffer lacks the last elements that are read.
    ShortBuffer,
    /// An operation reads elements beside those that it should.
    OtherElements,
    /// A convolution moves its window as before.
    OldStrides,
}

/// All kinds, by name.
const KINDS: [(&str, Sabotage); 3] = [
    ("short-buffer", Sabotage::ShortBuffer),
    ("other-elements", Sabotage::OtherElements),
    ("old-strides", Sabotage::OldStrides),
];

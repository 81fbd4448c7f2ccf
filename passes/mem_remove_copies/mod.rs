//! `mem-remove-copies`: what is only copied elsewhere is computed there.
//!
//! The source of a copy and its target become one if they are never both needed. With `first` the
//! first operation beside the copy in which the source is accessed: from `first` to the copy nobody
//! else touches the target's bytes, and from the copy to the last access to the source nobody
//! changes them. Then each byte of the target that was read before `first` is read as before, and
//! from `first` on it holds what the source held.
//!
//! A fill of the whole target between the two, as padding has it, comes before `first` if nothing
//! that it overwrites is accessed earlier.

mod candidate;
mod profile;

use std::collections::HashSet;

use mem_flow::dependence::{AccessId, Dependence};

use crate::dependence::{Extracted, extract_functions};
use crate::mem_dead_store_elimination::written_bytes;
use crate::mlir::Op;
use crate::registry::generated::MemRemoveCopiesOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::rewrite::{erase_unused, is_plain_copy};
use candidate::{Candidate, Order};
use profile::Profile;

/// Times the whole is repeated: in each round a buffer takes part in one merge. Chains of copies
/// double in length with each; a target with more sources than this keeps the rest for the next run.
const MAX_ROUNDS: usize = 64;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut counts = Counts::default();
    for _ in 0..MAX_ROUNDS {
        counts.kept = 0;
        let mut changed = false;
        for function in extract_functions(module, options.noalias_arguments) {
            changed |= merge(&function, &mut counts);
        }
        if !changed {
            break;
        }
    }
    run.set_statistic(Options::NUM_COPIES, counts.copies);
    run.set_statistic(Options::NUM_BYTES, counts.bytes);
    run.set_statistic(Options::NUM_KEPT, counts.kept);
    Ok(())
}

#[derive(Default)]
struct Counts {
    copies: u64,
    bytes: u64,
    kept: u64,
}

/// One round over one function. Returns whether another may find more.
fn merge(function: &Extracted, counts: &mut Counts) -> bool {
    let mut steps = function.extraction.step_ops.iter();
    if !steps.any(|op| is_plain_copy(*op)) {
        return false;
    }
    let dependence = function.analyze();
    let order = Order::new(function);
    let Some(mut profile) = Profile::new(&function.extraction.program) else {
        return false;
    };
    let mut merged = HashSet::new();
    let mut has_more = false;
    let mut accepted: Vec<Candidate> = Vec::new();
    for (step, op) in order.copies() {
        let Some(candidate) = Candidate::new(function, &dependence, &order, step, op) else {
            continue;
        };
        // Two arguments that share bytes may be two targets.
        let meets = |other: &Candidate| dependence.may_overlap(candidate.copied(), other.copied());
        if candidate.buffers().any(|b| merged.contains(&b)) || accepted.iter().any(meets) {
            has_more = true;
            continue;
        }
        if !profile.accept(&candidate.change()) {
            counts.kept += 1;
            continue;
        }
        merged.extend(candidate.buffers());
        counts.copies += 1;
        counts.bytes += written_bytes(&function.extraction.program.steps[step.index()].accesses);
        accepted.push(candidate);
    }
    if !accepted.is_empty() {
        accepted.into_iter().for_each(Candidate::apply);
        erase_unused(function.function.op);
    }
    has_more
}

/// Whether an access may take place any time until its token is waited for.
fn is_asynchronous(function: &Extracted, id: AccessId) -> bool {
    let step = &function.extraction.program.steps[id.step.index()];
    step.accesses[id.index as usize].token().is_some()
}

/// Whether two accesses of `function` may touch a common byte, views of one buffer told apart.
fn may_overlap(
    function: &Extracted,
    dependence: &Dependence<'_>,
    a: AccessId,
    b: AccessId,
) -> bool {
    dependence.may_overlap(a, b)
        && !candidate::are_disjoint_views(function.value(a), function.value(b))
}

/// The operation, if it is a `mem.buffer`, that a value is a descriptor of.
fn described_buffer(descriptor: Op) -> Option<Op> {
    let buffer = (descriptor.name() == "mem.descriptor").then(|| descriptor.operand(0))?;
    buffer.owner().filter(|op| op.name() == "mem.buffer")
}

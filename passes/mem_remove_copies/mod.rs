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

use crate::dependence::{Extracted, Subject};
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
    let mut subject = Subject::new(run, options.noalias_arguments);
    let mut counts = Counts::default();
    for _ in 0..MAX_ROUNDS {
        counts.kept = 0;
        let (mut has_more, before) = (false, counts.copies);
        for function in subject.functions() {
            has_more |= merge(function, &mut counts);
        }
        if counts.copies > before {
            subject.changed();
        }
        if !has_more {
            break;
        }
    }
    subject.finish();
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
    let Some(profile) = Profile::new(&function.extraction.program) else {
        return false;
    };
    let candidates = order.copies().filter_map(|(step, op)| {
        let candidate = Candidate::new(function, &dependence, &order, step, op)?;
        Some((step, op, candidate))
    });
    let mut candidates: Vec<_> = candidates.collect();
    let all: Vec<&Candidate> = candidates.iter().map(|(.., candidate)| candidate).collect();
    let choice = choose(&dependence, &all, profile);
    counts.kept += choice.n_kept;
    let mut is_chosen = choice.chosen.into_iter();
    candidates.retain(|_| is_chosen.next().unwrap_or(false));
    for (step, op, _) in &candidates {
        counts.copies += 1;
        let accesses = &function.extraction.program.steps[step.index()].accesses;
        counts.bytes += written_bytes(*op, accesses);
    }
    if !candidates.is_empty() {
        candidates.into_iter().for_each(|(.., c)| c.apply());
        erase_unused(function.function.op);
    }
    choice.has_more
}

/// Which candidates of a round are merged.
#[derive(Default)]
struct Choice {
    chosen: Vec<bool>,
    /// Candidates that would take more memory.
    n_kept: u64,
    /// Some may be merged in the next round.
    has_more: bool,
}

/// Chooses candidates that have nothing to do with each other. Unless all of them together have the
/// best plan that there can be, each is planned by itself, those before it included.
fn choose(dependence: &Dependence<'_>, candidates: &[&Candidate], profile: Profile) -> Choice {
    let mut together = profile.clone();
    let choice = choose_each(dependence, candidates, |candidate| {
        together.accept(&candidate.change())
    });
    if !choice.chosen.contains(&true) || together.is_best() {
        return choice;
    }
    let mut one_by_one = profile;
    choose_each(dependence, candidates, |candidate| {
        one_by_one.accept_planned(&candidate.change())
    })
}

fn choose_each(
    dependence: &Dependence<'_>,
    candidates: &[&Candidate],
    mut accept: impl FnMut(&Candidate) -> bool,
) -> Choice {
    let mut choice = Choice {
        chosen: vec![false; candidates.len()],
        ..Choice::default()
    };
    let mut merged = HashSet::new();
    let mut accepted: Vec<&Candidate> = Vec::new();
    // What moves the most bytes comes first: a smaller one may stand in its way.
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(candidates[*index].bytes()));
    for index in order {
        let candidate = candidates[index];
        // Two arguments that share bytes may be two targets.
        let meets = |other: &&Candidate| dependence.may_overlap(candidate.copied(), other.copied());
        let is_taken =
            candidate.buffers().any(|b| merged.contains(&b)) || accepted.iter().any(meets);
        let is_chosen = !is_taken && accept(candidate);
        choice.has_more |= is_taken;
        choice.n_kept += u64::from(!is_taken && !is_chosen);
        choice.chosen[index] = is_chosen;
        if is_chosen {
            merged.extend(candidate.buffers());
            accepted.push(candidate);
        }
    }
    choice
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

/// The size of the buffer that a value is a descriptor of.
fn described_buffer_size(value: crate::mlir::Value) -> Option<u64> {
    let buffer = described_buffer(value.owner()?)?;
    u64::try_from(crate::mlir::buffer_size(buffer.result().ty())?).ok()
}

//! Which steps can be repeated, and until when.

use std::collections::BTreeMap;

use mem_flow::LevelExtract;
use mem_model::{
    Access, AccessKind, BufferId, Bytes, Interval, LevelStep, PointerId, PointerKind, Program, Step,
};
use mem_planner::Repeatable;

use crate::extract::Extraction;
use crate::ir::{Op, describe};

/// Indexed by step: whether and how the step can be repeated.
pub(crate) fn repeatable(extraction: &Extraction, extract: &LevelExtract) -> Vec<Repeatable> {
    let program = &extraction.program;
    let buffer = |pointer: PointerId| program.pointers[pointer.index()].kind.buffer();
    let steps = program.steps.iter().zip(&extraction.step_ops);
    let of_step = |(((step, op), at), until): (((&Step, &Op), &LevelStep), Option<usize>)| {
        let index = |pointer: PointerId| {
            let buffer = buffer(pointer)?;
            let mut uses = at.uses.iter();
            uses.position(|used| extract.origins[used.tensor.index()].buffer == buffer)
        };
        // A result begins where the operand does, so it takes the bytes over that are read in turn.
        let is_same = |(operand, result): &&(PointerId, PointerId)| {
            let pair = buffer(*operand).zip(buffer(*result));
            pair.is_some_and(|(operand, result)| {
                accesses_same_bytes(program, step, operand, result)
            })
        };
        let pairs = step.in_place.iter().filter(is_same);
        Repeatable {
            is_pure: is_repeatable(op)
                && step.accesses.iter().all(is_certain)
                // A pointer that may denote several buffers has no version that could be compared.
                && step.accesses.iter().all(|access| buffer(access.pointer).is_some()),
            until,
            in_place: pairs
                .filter_map(|(operand, result)| index(*operand).zip(index(*result)))
                // Two views of one buffer: nothing is taken over.
                .filter(|(operand, result)| operand != result)
                .collect(),
        }
    };
    let steps = steps.zip(&extract.problem.steps);
    steps.zip(changed_unseen(program)).map(of_step).collect()
}

/// Whether all accesses of a step to two buffers, of which it reads one and writes the other, are to the same leading
/// bytes.
fn accesses_same_bytes(
    program: &Program,
    step: &Step,
    operand: BufferId,
    result: BufferId,
) -> bool {
    let own = step.accesses.iter().filter_map(|access| {
        let buffer = program.pointers[access.pointer.index()].kind.buffer()?;
        let whole = Interval::new(Bytes::ZERO, program.buffers[buffer.index()].size);
        [operand, result]
            .contains(&buffer)
            .then_some(access.may.unwrap_or(whole))
    });
    let mut own = own.peekable();
    let first = own.peek().copied();
    first.is_some_and(|first| first.start == Bytes::ZERO && own.all(|bytes| bytes == first))
}

/// Indexed by step: the first later step that may change what the step reads, through an alias or
/// in a call; `None` if there is none. The planner models writes to a tensor as versions of that
/// tensor and does not see such writes: after them, a repetition would compute something else.
/// O(accesses * buffers visible outside of the function).
fn changed_unseen(program: &Program) -> Vec<Option<usize>> {
    let buffer = |access: &Access| program.pointers[access.pointer.index()].kind;
    let aliasing = |buffer: BufferId| program.buffers[buffer.index()].aliasing;
    // The next step that writes to each buffer visible outside of the function; `None` stands for a
    // pointer that may denote any of them.
    let mut writes: BTreeMap<Option<BufferId>, usize> = BTreeMap::new();
    let mut until = vec![None; program.steps.len()];
    for (index, step) in program.steps.iter().enumerate().rev() {
        // The step's own writes count: they precede a repetition.
        for access in step
            .accesses
            .iter()
            .filter(|own| own.kind == AccessKind::Define)
        {
            match buffer(access) {
                PointerKind::Buffer(own) if !aliasing(own).is_visible_outside() => {}
                PointerKind::Buffer(own) => {
                    // Steps are visited backwards, so this is the earliest later write.
                    writes.insert(Some(own), index);
                }
                PointerKind::Merge => {
                    writes.insert(None, index);
                }
            }
        }
        let reads = step
            .accesses
            .iter()
            .filter(|own| own.kind == AccessKind::Use);
        for access in reads {
            // `is_pure` is false for steps that read through such a pointer.
            let PointerKind::Buffer(own) = buffer(access) else {
                continue;
            };
            let meets = |(other, _): &(&Option<BufferId>, &usize)| match other {
                // Writes to the buffer itself are versions of its tensor, which the planner sees.
                Some(other) => *other != own && aliasing(own).may_overlap(aliasing(*other)),
                None => aliasing(own).is_visible_outside(),
            };
            let first = writes.iter().filter(meets).map(|(_, step)| *step).min();
            until[index] = until[index].into_iter().chain(first).min();
        }
    }
    until
}

/// Whether the written bytes are known exactly. Reads always qualify.
fn is_certain(access: &Access) -> bool {
    access.kind != AccessKind::Define || access.may.is_some() && access.certain() == access.may
}

/// Whether an operation computes the same result each time, from its operands alone.
fn is_repeatable(op: &Op) -> bool {
    // A repetition restores the contents of storage; the users of an SSA result would not see it.
    let is_known = op.name().starts_with("linalg.") || op.name() == "memref.copy";
    is_known && op.results().next().is_none() && !describe(*op).has_unknown_effects()
}

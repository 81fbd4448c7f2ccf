//! In-place reuse: results that may take over the bytes of an operand that dies at the same step.

use rustc_hash::FxHashSet as HashSet;

use mem_model::{
    Access, AccessKind, Block, BufferId, Bytes, Interval, Point, PointerId, Program, StepId,
    Storage,
};

use crate::{Lifetimes, Obstacle};

/// Pairs `(operand, result)` of buffers: some step works in place on the same leading bytes of
/// both, the operand is dead after the step, the result is not live before it, and both are live at
/// no other common point. Each pair appears once.
pub(crate) fn reuses(program: &Program, lifetimes: &Lifetimes) -> Vec<(BufferId, BufferId)> {
    let mut pairs = Vec::new();
    let mut seen = HashSet::default();
    for block in &program.blocks {
        for id in block.steps.start.index()..block.steps.end.index() {
            for &(operand, result) in &program.steps[id].in_place {
                let pair = (buffer_of(program, operand), buffer_of(program, result));
                if let (Some(operand), Some(result)) = pair
                    && takes_over(program, lifetimes, block, StepId::new(id), operand, result)
                    && meet_only_at(lifetimes, StepId::new(id), operand, result)
                    && seen.insert((operand, result))
                {
                    pairs.push((operand, result));
                }
            }
        }
    }
    pairs
}

pub(crate) fn buffer_of(program: &Program, pointer: PointerId) -> Option<BufferId> {
    program.pointers[pointer.index()].kind.buffer()
}

/// Whether `result` may take over the bytes of `operand` at one step: the operand is dead after the
/// step, and the result is not live before it. Both may still be live together at other points, if
/// they are in different places there.
pub(crate) fn takes_over(
    program: &Program,
    lifetimes: &Lifetimes,
    block: &Block,
    id: StepId,
    operand: BufferId,
    result: BufferId,
) -> bool {
    obstacle(program, lifetimes, (block, id), operand, result).is_none()
}

/// Why `result` may not take over the bytes of `operand` at a step that works in place on both;
/// `None`: it may.
pub(crate) fn obstacle(
    program: &Program,
    lifetimes: &Lifetimes,
    (block, id): (&Block, StepId),
    operand: BufferId,
    result: BufferId,
) -> Option<Obstacle> {
    let has_place = |buffer: BufferId| {
        let is_placed = program.buffers[buffer.index()].storage != Storage::External;
        is_placed && lifetimes.slots[buffer.index()] == 1
    };
    let pair = (operand.min(result), operand.max(result));
    if operand == result || !has_place(operand) || !has_place(result) {
        return Some(Obstacle::NoPlace);
    }
    if lifetimes.unordered.contains(&pair) {
        return Some(Obstacle::Unordered);
    }
    // The point after the last step of a block belongs to another block, so it does not tell what
    // is live after the step.
    if id.index() + 1 == block.steps.end.index() {
        return Some(Obstacle::EndOfBlock);
    }
    let (before, after) = (Point::early(id), Point::late(id).next());
    if lifetimes.live(operand).contains(after) {
        return Some(Obstacle::OperandNeeded);
    }
    if lifetimes.live(result).contains(before) {
        return Some(Obstacle::ResultLive);
    }
    // Both accesses cover the same bytes from offset 0, and are the step's only accesses to their
    // buffers.
    let (read, written) = (
        only_access(program, id, operand, AccessKind::Use),
        only_access(program, id, result, AccessKind::Define),
    );
    let from_start = |bytes: &Interval<Bytes>| bytes.start == Bytes::ZERO;
    if read != written || !read.as_ref().is_some_and(from_start) {
        return Some(Obstacle::DifferentBytes);
    }
    None
}

/// Whether two buffers are live at no common point except those of one step.
pub(crate) fn meet_only_at(
    lifetimes: &Lifetimes,
    id: StepId,
    operand: BufferId,
    result: BufferId,
) -> bool {
    let mut common = lifetimes
        .live(operand)
        .intersection(&lifetimes.live(result));
    common.remove(Interval::new(Point::early(id), Point::late(id).next()));
    common.is_empty()
}

/// The bytes of the step's only access to a buffer; `None` if the step has several accesses to it,
/// or one of another kind.
fn only_access(
    program: &Program,
    id: StepId,
    buffer: BufferId,
    kind: AccessKind,
) -> Option<Interval<Bytes>> {
    // A merge may denote any buffer.
    let may_be = |access: &&Access| buffer_of(program, access.pointer).is_none_or(|b| b == buffer);
    let mut accesses = program.steps[id.index()].accesses.iter().filter(may_be);
    let access = accesses.next()?;
    let is_only = accesses.next().is_none() && access.kind == kind && access.is_unconditional();
    access.may.filter(|_| is_only)
}

#[cfg(test)]
pub(crate) mod tests {
    use mem_model::{Program, parse_programs};

    use crate::{analyze_lifetimes, problem};

    /// A program of three buffers of 64 bytes. The second step reads `b0` and writes `b1`. `in_place` is
    /// its line that says that it works in place, or nothing; `last` is the text of the last step.
    pub(crate) fn three_steps(in_place: &str, last: &str) -> Program {
        let mut text = "mem-program 1\nprogram \"f\"\n".to_owned();
        for b in 0..3 {
            text += &format!("buffer b{b} \"b{b}\" size 64 align 1 intermediate planned\n");
        }
        for b in 0..3 {
            text += &format!("pointer p{b} \"b{b}\" buffer b{b} size 64\n");
        }
        text += "region r0 function\nblock bb0 in r0\n";
        text += "step s0 \"make\"\ndefine p0 may 0..64 must 0..64\n";
        text += &format!("step s1 \"own\"\n{in_place}");
        text += "use p0 may 0..64 must 0..64\ndefine p1 may 0..64 must 0..64\n";
        text += last;
        let programs = parse_programs(&(text + "end\n")).expect("a program");
        programs.into_iter().next().expect("one program")
    }

    /// The pairs of buffers that may share an address if the second step works in place.
    fn reuses(last: &str) -> Vec<(usize, usize)> {
        let program = three_steps("in-place p0 p1\n", last);
        let lifetimes = analyze_lifetimes(&program).expect("valid");
        let found = problem(&program, &lifetimes).reuses;
        found
            .iter()
            .map(|reuse| (reuse.operand, reuse.result))
            .collect()
    }

    #[test]
    fn an_operand_that_is_not_needed_any_more_is_taken_over() {
        assert_eq!(
            reuses("step s2 \"end\"\nuse p1 may 0..64 must 0..64\n"),
            [(0, 1)]
        );
    }

    #[test]
    fn an_operand_that_is_read_again_is_not() {
        let last = "step s2 \"end\"\nuse p1 may 0..64 must 0..64\nuse p0 may 0..64 must 0..64\n";
        assert_eq!(reuses(last), []);
        // Even if the result is dead.
        assert_eq!(reuses("step s2 \"end\"\nuse p0 may 0..64 must 0..64\n"), []);
        assert_eq!(reuses("step s2 \"end\"\nuse p0 may 60..64\n"), []);
    }
}

//! Results that do not take over the bytes of an operand, and why: what reuse in place misses.
//!
//! A pair of an operand and a result is *missed* if a step reads the operand and writes the result,
//! both are planned, and no plan may give both the same address, although one of two holds:
//!
//! * the step works in place on the two, so only the accesses of other steps, or their order, are in
//!   the way;
//! * the lifetimes would permit it, i.e. the operand is dead after the step, the result is not live
//!   before it and fits into the operand, but the step is not known to read each byte before it
//!   writes it.
//!
//! Linear in the accesses, apart from steps with many operands and results, whose pairs are all
//! looked at.

use rustc_hash::FxHashSet as HashSet;

use mem_model::{AccessKind, Block, BufferId, Program, StepId, Storage};

use crate::Lifetimes;
use crate::in_place::{buffer_of, meet_only_at, obstacle};

/// A result that no plan puts in the place of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissedReuse {
    /// The step.
    pub step: StepId,
    /// The buffer that the step reads.
    pub operand: BufferId,
    /// The buffer that the step writes.
    pub result: BufferId,
    /// The reason.
    pub obstacle: Obstacle,
}

/// Why a result may not take over the bytes of an operand. The text is a clause about the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// One of the buffers belongs to callers, or its instances rotate through several addresses.
    #[error("one of them has no address, or several")]
    NoPlace,
    /// Lifetimes do not order the accesses.
    #[error("steps on different cores may use both at the same time")]
    Unordered,
    /// Lifetimes do not tell what is live after the step.
    #[error("the operation is the last one of its block")]
    EndOfBlock,
    /// A later step reads the operand.
    #[error("the operand is read again later")]
    OperandNeeded,
    /// The result has contents before the step.
    #[error("the result is in use before")]
    ResultLive,
    /// The step accesses other bytes of the operand than of the result, or either more than once.
    #[error("the operation does not access the same bytes of both, once")]
    DifferentBytes,
    /// Other steps need both at once.
    #[error("both are live at once elsewhere")]
    LiveElsewhere,
    /// The step may read bytes of the operand after it has overwritten them.
    #[error("the operation may read bytes of the operand after it has written those of the result")]
    OrderOfBytes,
}

/// The missed pairs of a program, in the order of the steps. `lifetimes` are those of `program`.
#[must_use]
pub fn missed_reuses(program: &Program, lifetimes: &Lifetimes) -> Vec<MissedReuse> {
    let reused: HashSet<(BufferId, BufferId)> = lifetimes.reuses.iter().copied().collect();
    let mut missed = Vec::new();
    for block in &program.blocks {
        for index in block.steps.start.index()..block.steps.end.index() {
            let step = StepId::new(index);
            for (operand, result, works_in_place) in pairs(program, step) {
                if reused.contains(&(operand, result)) {
                    continue;
                }
                let buffers = (operand, result);
                let found = why(program, lifetimes, (block, step), buffers, works_in_place);
                missed.extend(found.map(|obstacle| MissedReuse {
                    step,
                    operand,
                    result,
                    obstacle,
                }));
            }
        }
    }
    missed
}

/// Why a pair is missed; `None` if it is not, because it is no candidate.
fn why(
    program: &Program,
    lifetimes: &Lifetimes,
    at: (&Block, StepId),
    (operand, result): (BufferId, BufferId),
    works_in_place: bool,
) -> Option<Obstacle> {
    let found = obstacle(program, lifetimes, at, operand, result);
    if works_in_place {
        let meets = !meet_only_at(lifetimes, at.1, operand, result);
        return found.or(meets.then_some(Obstacle::LiveElsewhere));
    }
    // Lifetimes come before bytes: what remains is a question of the bytes alone.
    let is_candidate = matches!(found, None | Some(Obstacle::DifferentBytes));
    let size = |buffer: BufferId| program.buffers[buffer.index()].size;
    let fits = size(result) <= size(operand);
    (is_candidate && fits && meet_only_at(lifetimes, at.1, operand, result))
        .then_some(Obstacle::OrderOfBytes)
}

/// The pairs of planned buffers that a step reads and writes, each once, and whether the step works
/// in place on them.
fn pairs(program: &Program, step: StepId) -> Vec<(BufferId, BufferId, bool)> {
    let own = &program.steps[step.index()];
    let is_planned =
        |buffer: &BufferId| program.buffers[buffer.index()].storage == Storage::Planned;
    let accessed = |kind: AccessKind| {
        let accesses = own
            .accesses
            .iter()
            .filter(move |access| access.kind == kind);
        let buffers = accesses.filter_map(|access| buffer_of(program, access.pointer));
        buffers.filter(is_planned)
    };
    let in_place = own.in_place.iter().filter_map(|&(operand, result)| {
        let operand = buffer_of(program, operand).filter(is_planned)?;
        let result = buffer_of(program, result).filter(is_planned)?;
        Some((operand, result, true))
    });
    let others = accessed(AccessKind::Use).flat_map(|operand| {
        accessed(AccessKind::Define).map(move |result| (operand, result, false))
    });
    let mut seen = HashSet::default();
    let all = in_place.chain(others);
    all.filter(|&(operand, result, _)| operand != result && seen.insert((operand, result)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{MissedReuse, Obstacle, missed_reuses};
    use crate::analyze_lifetimes;
    use crate::in_place::tests::three_steps;

    /// What the second step misses.
    fn missed(in_place: &str, last: &str) -> Vec<(usize, usize, Obstacle)> {
        let program = three_steps(in_place, last);
        let lifetimes = analyze_lifetimes(&program).expect("valid");
        let found = missed_reuses(&program, &lifetimes).into_iter();
        let pair = |own: MissedReuse| (own.operand.index(), own.result.index(), own.obstacle);
        found.map(pair).collect()
    }

    const END: &str = "step s2 \"end\"\nuse p1 may 0..64 must 0..64\n";

    #[test]
    fn a_pair_that_is_reused_is_not_missed() {
        assert_eq!(missed("in-place p0 p1\n", END), []);
    }

    #[test]
    fn the_order_of_bytes_is_the_obstacle_where_the_step_is_not_in_place() {
        assert_eq!(missed("", END), [(0, 1, Obstacle::OrderOfBytes)]);
    }

    #[test]
    fn an_operand_that_is_read_again_is_the_obstacle() {
        let last = format!("{END}use p0 may 0..64 must 0..64\n");
        let expected = [(0, 1, Obstacle::OperandNeeded)];
        assert_eq!(missed("in-place p0 p1\n", &last), expected);
        // No other step order would help one that is not in place: it is no candidate.
        assert_eq!(missed("", &last), []);
    }

    #[test]
    fn the_end_of_a_block_is_an_obstacle() {
        assert_eq!(
            missed("in-place p0 p1\n", ""),
            [(0, 1, Obstacle::EndOfBlock)]
        );
    }
}

//! The serial cost model, as the checker states it: the cycles of one access and of one copy, and
//! how often a copy runs. `mem-cost` is not used, so that an error in its costs cannot hide from
//! the checker.

use mem_model::{Bytes, LevelId, LevelProblem, TensorId, TensorUse};

/// Cycles of one execution of a step's accesses to a tensor in `level`.
pub(crate) fn use_cost(problem: &LevelProblem, used: &TensorUse, level: LevelId) -> u64 {
    let level = &problem.hierarchy.levels[level.index()];
    let read = level.read.cycles(used.reads);
    read.saturating_add(level.write.cycles(used.writes))
}

/// Cycles of one execution of a copy: `size` bytes are read from `from` and written to `to`.
pub(crate) fn transfer_cost(
    problem: &LevelProblem,
    size: Bytes,
    from: LevelId,
    to: LevelId,
) -> u64 {
    let level = |id: LevelId| &problem.hierarchy.levels[id.index()];
    let read = level(from).read.cycles(size);
    read.saturating_add(level(to).write.cycles(size))
}

/// Number of executions of a copy of `tensor` before `step`. A copy of a tensor that is local to a
/// block is part of the block. Any other copy moves to the less frequent of the two steps around
/// it.
pub(crate) fn repeats_before(problem: &LevelProblem, tensor: TensorId, step: usize) -> u64 {
    let repeats_of = |step: usize| problem.steps.get(step).map_or(1, |own| own.repeats.max(1));
    let next = repeats_of(step);
    let is_inside = problem.tensors[tensor.index()]
        .within
        .is_some_and(|within| within.contains(step));
    match step.checked_sub(1) {
        _ if is_inside => next,
        Some(previous) => next.min(repeats_of(previous)),
        // The code before the first step runs once.
        None => next.min(1),
    }
}

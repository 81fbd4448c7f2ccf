//! The serial cost model: computation, accesses and copies take place one after the other. It
//! prices one access and one copy, from which `schedule` derives the overlapped model.
//!
//! A step or copy that repeats takes a multiple of its time. Sums saturate.

use mem_model::{
    Bytes, Hierarchy, LevelId, LevelPlan, LevelProblem, LevelStep, PlacementId, TensorId,
    TensorUse, Transfer,
};

use crate::step_times;

/// Cycles to copy a tensor of `size` bytes between two levels: reading it from `from` and writing
/// it to `to`.
#[must_use]
pub fn transfer_cost(hierarchy: &Hierarchy, size: Bytes, from: LevelId, to: LevelId) -> u64 {
    let level = |id: LevelId| &hierarchy.levels[id.index()];
    let read = level(from).read.cycles(size);
    read.saturating_add(level(to).write.cycles(size))
}

/// Number of executions of each transfer of a plan, indexed by transfer. The first load of a tensor
/// that is loaded before the program starts does not count. Linear.
#[must_use]
pub fn transfer_repeats(problem: &LevelProblem, plan: &LevelPlan) -> Vec<u64> {
    let mut is_loaded = vec![false; problem.tensors.len()];
    let lifetimes = problem.lifetimes();
    let repeats = |transfer: &Transfer| {
        let from = &plan.placements[transfer.from.index()];
        let tensor = &problem.tensors[from.tensor.index()];
        let mut times = repeats_before(problem, from.tensor, transfer.before);
        if from.offset.is_none() && !std::mem::replace(&mut is_loaded[from.tensor.index()], true) {
            let is_unused =
                lifetimes[from.tensor.index()].is_none_or(|life| transfer.before <= life.start);
            times -= u64::from(tensor.is_preloaded && is_unused);
        }
        times
    };
    plan.transfers.iter().map(repeats).collect()
}

/// Cycles of each transfer of a plan, over all its executions, indexed by transfer. Linear.
#[must_use]
pub fn transfer_cycles(problem: &LevelProblem, plan: &LevelPlan) -> Vec<u64> {
    let cycles = |(transfer, times): (&Transfer, u64)| {
        let [from, to] = [transfer.from, transfer.to].map(|id| &plan.placements[id.index()]);
        let tensor = &problem.tensors[from.tensor.index()];
        let cycles = transfer_cost(&problem.hierarchy, tensor.size, from.level, to.level);
        cycles.saturating_mul(times)
    };
    let repeats = transfer_repeats(problem, plan);
    plan.transfers.iter().zip(repeats).map(cycles).collect()
}

/// Bytes that all accesses and transfers of a plan read from the slowest level and write to it.
/// Linear.
#[must_use]
pub fn slowest_traffic(problem: &LevelProblem, plan: &LevelPlan) -> Bytes {
    let slowest = problem.hierarchy.levels.len().saturating_sub(1);
    let is_slowest = |id: PlacementId| plan.placements[id.index()].level.index() == slowest;
    let mut bytes = 0_u64;
    let mut add = |size: Bytes, times: u64| {
        bytes = bytes.saturating_add(size.get().saturating_mul(times));
    };
    for (step, accessed) in problem.steps.iter().zip(&plan.accessed) {
        for (used, _) in step
            .uses
            .iter()
            .zip(accessed)
            .filter(|own| is_slowest(*own.1))
        {
            add(used.reads, step.repeats.max(1));
            add(used.writes, step.repeats.max(1));
        }
    }
    for (transfer, times) in plan.transfers.iter().zip(transfer_repeats(problem, plan)) {
        let tensor = plan.placements[transfer.from.index()].tensor;
        for _ in [transfer.from, transfer.to]
            .into_iter()
            .filter(|id| is_slowest(*id))
        {
            add(problem.tensors[tensor.index()].size, times);
        }
    }
    Bytes::new(bytes)
}

/// Cycles of a step's accesses to one tensor that resides in `level`.
#[must_use]
pub fn use_cost(hierarchy: &Hierarchy, used: &TensorUse, level: LevelId) -> u64 {
    let level = &hierarchy.levels[level.index()];
    let read = level.read.cycles(used.reads);
    read.saturating_add(level.write.cycles(used.writes))
}

/// Cycles of all accesses of one execution of a step. `level` maps the index of a use to the level
/// of its placement.
pub fn access_cost(
    hierarchy: &Hierarchy,
    step: &LevelStep,
    level: impl Fn(usize) -> LevelId,
) -> u64 {
    let uses = step.uses.iter().enumerate();
    let costs = uses.map(|(index, used)| use_cost(hierarchy, used, level(index)));
    costs.fold(0, u64::saturating_add)
}

/// Cycles of all executions of each step with every tensor in the fastest level, indexed by step.
/// An execution takes the longer of computation and accesses. Waiting for messages is not included:
/// it depends on the other steps.
#[must_use]
pub fn fastest_cycles(problem: &LevelProblem) -> Vec<u64> {
    let cycles = |step: &LevelStep| {
        let accesses = access_cost(&problem.hierarchy, step, |_| LevelId::FASTEST);
        let each = step.computing().max(accesses);
        each.saturating_mul(step.repeats.max(1))
    };
    problem.steps.iter().map(cycles).collect()
}

/// Start of each step, and the end of the program, with every tensor in the fastest level. Messages
/// are on their way beside computation.
#[must_use]
pub fn ideal_times(problem: &LevelProblem) -> Vec<u64> {
    step_times(problem, &fastest_cycles(problem))
}

/// Cycles of the whole program with every tensor in the fastest level, waiting for messages included.
/// A lower bound on the makespan of every schedule: no step takes less time than here, and a step or
/// a message that ends later lets no other one end earlier.
#[must_use]
pub fn ideal_cycles(problem: &LevelProblem) -> u64 {
    ideal_times(problem).pop().unwrap_or(0)
}

/// Cycles to copy a tensor from the device (level 0) to the host (level 1), and back.
#[must_use]
pub fn swap_cost(hierarchy: &Hierarchy, size: Bytes) -> [u64; 2] {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    [
        transfer_cost(hierarchy, size, device, host),
        transfer_cost(hierarchy, size, host, device),
    ]
}

/// Number of executions of a transfer of `tensor` before `step`: that of `step` if the tensor is
/// local to a block with that step, otherwise that of the less frequent of the two adjacent steps.
#[must_use]
pub fn repeats_before(problem: &LevelProblem, tensor: TensorId, step: usize) -> u64 {
    let repeats = |step: Option<usize>| {
        let step = step.and_then(|step| problem.steps.get(step));
        step.map_or(1, |step| step.repeats.max(1))
    };
    match problem.tensors[tensor.index()].within {
        Some(within) if within.contains(step) => repeats(Some(step)),
        _ => repeats(step.checked_sub(1)).min(repeats(Some(step))),
    }
}

/// Cycles of all accesses, computation and transfers of a plan, one after the other: the serial
/// cost model. Linear.
#[must_use]
pub fn serial_cost(problem: &LevelProblem, plan: &LevelPlan) -> u64 {
    let mut cost = 0_u64;
    let mut add = |cycles: u64, times: u64| {
        cost = cost.saturating_add(cycles.saturating_mul(times));
    };
    for (step, accessed) in problem.steps.iter().zip(&plan.accessed) {
        let level = |index: usize| plan.placements[accessed[index].index()].level;
        let accesses = access_cost(&problem.hierarchy, step, level);
        add(step.cycles.saturating_add(accesses), step.repeats.max(1));
    }
    for cycles in transfer_cycles(problem, plan) {
        add(cycles, 1);
    }
    cost
}

//! What exhaustive searches over plans have in common: states are the places of all tensors before
//! a step.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::Hash;

use mem_model::{Bytes, LevelProblem, TensorId};

/// Transitions from a state: cost, step and places after each.
pub(crate) type Next<P> = Vec<(u64, usize, P)>;

/// The least cost of any way from `start`, before step 0, to a final state; `None` if there is none.
/// By Dijkstra's algorithm: the first final state taken off the heap is the cheapest.
pub(crate) fn least_cost<P: Clone + Hash + Ord>(
    start: P,
    is_final: impl Fn(usize, &P) -> bool,
    next: impl Fn(usize, &P) -> Next<P>,
) -> Option<u64> {
    let mut known = HashSet::new();
    let mut heap = BinaryHeap::from([Reverse((0_u64, 0_usize, start))]);
    while let Some(Reverse((cost, step, places))) = heap.pop() {
        if !known.insert((step, places.clone())) {
            continue;
        }
        if is_final(step, &places) {
            return Some(cost);
        }
        for (more, step, places) in next(step, &places) {
            heap.push(Reverse((cost.saturating_add(more), step, places)));
        }
    }
    None
}

/// Per tensor: one more than the last step that uses it; 0 if there is none.
pub(crate) fn ends(problem: &LevelProblem) -> Vec<usize> {
    let lifetimes = problem.lifetimes().into_iter();
    lifetimes
        .map(|life| life.map_or(0, |life| life.end))
        .collect()
}

/// Whether a tensor has contents before a step.
pub(crate) fn is_defined(problem: &LevelProblem, tensor: TensorId, step: usize) -> bool {
    let before = problem.steps[..step].iter().flat_map(|step| &step.uses);
    let mut writes = before.filter(|used| used.tensor == tensor && used.writes > Bytes::ZERO);
    problem.tensors[tensor.index()].home.is_some() || writes.next().is_some()
}

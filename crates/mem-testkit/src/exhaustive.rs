//! What exhaustive searches over plans have in common: states are the places of all tensors before
//! a step.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::Hash;

use mem_model::{Bytes, LevelProblem, Tensor, TensorId};

/// Transitions from a state: cost, step and places after each.
pub(crate) type Next<C> = Vec<(u64, usize, Vec<C>)>;

/// The ways to go on from a state.
pub(crate) trait Moves {
    /// Where a tensor is.
    type Copies: Clone + Hash + Ord;

    fn problem(&self) -> &LevelProblem;

    /// Whether a tensor is where it has to be after the last step.
    fn is_done(&self, tensor: &Tensor, copies: &Self::Copies) -> bool;

    /// Adds the ways to execute a step.
    fn run(&self, step: usize, places: &[Self::Copies], next: &mut Next<Self::Copies>);

    /// Adds the ways to make or drop one copy before a step.
    fn transfer(&self, step: usize, places: &[Self::Copies], next: &mut Next<Self::Copies>);
}

/// The least cost of any way from `start`, before step 0, to a state after the last step in which all
/// tensors are done; `None` if there is none. By Dijkstra's algorithm: the first such state taken off
/// the heap is the cheapest.
pub(crate) fn least_cost<M: Moves>(moves: &M, start: Vec<M::Copies>) -> Option<u64> {
    let tensors = &moves.problem().tensors;
    let n_steps = moves.problem().steps.len();
    let mut known = HashSet::new();
    let mut heap = BinaryHeap::from([Reverse((0_u64, 0_usize, start))]);
    while let Some(Reverse((cost, step, places))) = heap.pop() {
        if !known.insert((step, places.clone())) {
            continue;
        }
        let mut next = Vec::new();
        if step < n_steps {
            moves.run(step, &places, &mut next);
        } else if tensors
            .iter()
            .zip(&places)
            .all(|(tensor, own)| moves.is_done(tensor, own))
        {
            return Some(cost);
        }
        moves.transfer(step, &places, &mut next);
        for (more, step, places) in next {
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

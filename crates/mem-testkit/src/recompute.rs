//! Small operation graphs, and the least cost of executing one within a budget by recomputation, by
//! exhaustive search.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use mem_model::{Bytes, Operation, OperationGraph, TensorId};

use crate::Rng;

/// Generates a graph with a forward part of up to `n_layers` operations that may branch, and a
/// backward part that reads their results in reverse order. Each operation writes one tensor.
pub fn random_operation_graph(rng: &mut Rng, n_layers: usize) -> OperationGraph {
    let n = rng.between(2, n_layers.max(2));
    let mut graph = OperationGraph::default();
    let mut add = |rng: &mut Rng, reads: Vec<usize>| {
        let id = graph.operations.len();
        let mut reads: Vec<TensorId> = reads.into_iter().map(TensorId::new).collect();
        reads.sort_unstable();
        reads.dedup();
        graph.tensors.push(Bytes::new(rng.between(1, 4) as u64));
        graph.operations.push(Operation {
            cost: rng.between(1, 30) as u64,
            is_pure: rng.chance(95),
            reads,
            writes: vec![TensorId::new(id)],
        });
        id
    };
    for layer in 0..n {
        let mut reads = Vec::new();
        if layer > 0 {
            reads.push(layer - 1);
            if rng.chance(25) {
                reads.push(rng.below(layer));
            }
        }
        add(rng, reads);
    }
    let mut last = n - 1;
    for layer in (0..n).rev() {
        let mut reads = vec![last];
        if rng.chance(80) {
            reads.push(layer);
        }
        if layer > 0 && rng.chance(50) {
            reads.push(layer - 1);
        }
        last = add(rng, reads);
    }
    graph
}

/// The least cost of executing a graph within `budget` bytes, whatever the addresses; `None` if there
/// is no way. The operations keep their order, and pure ones are repeated at any time. Requires that
/// each operation writes one tensor, that with its own number. Exponential in the operations, of
/// which there are at most 32.
#[must_use]
pub fn least_recomputation(graph: &OperationGraph, budget: u64) -> Option<u64> {
    let operations = &graph.operations;
    let size = |id: usize| graph.tensors[id].get();
    let bytes = |resident: u32| -> u64 {
        let ids = (0..operations.len()).filter(|id| resident >> id & 1 == 1);
        ids.map(size).sum()
    };
    let reads: Vec<u32> = operations
        .iter()
        .map(|own| own.reads.iter().fold(0, |mask, id| mask | 1 << id.index()))
        .collect();
    let mut known: HashMap<(usize, u32), u64> = HashMap::new();
    // Dijkstra's algorithm over the next operation and the resident tensors.
    let mut heap = BinaryHeap::from([Reverse((0_u64, 0_usize, 0_u32))]);
    while let Some(Reverse((cost, next, resident))) = heap.pop() {
        if next == operations.len() {
            return Some(cost);
        }
        if known.get(&(next, resident)).is_some_and(|own| *own < cost) {
            continue;
        }
        let mut reach = |cost: u64, next: usize, resident: u32| {
            let known = known.entry((next, resident)).or_insert(u64::MAX);
            if cost < *known {
                *known = cost;
                heap.push(Reverse((cost, next, resident)));
            }
        };
        let can_run = |id: usize| {
            let with = resident | 1 << id;
            reads[id] & !resident == 0 && bytes(with) <= budget
        };
        if can_run(next) {
            reach(cost + operations[next].cost, next + 1, resident | 1 << next);
        }
        for (id, own) in operations[..next].iter().enumerate() {
            if resident >> id & 1 == 1 {
                reach(cost, next, resident & !(1 << id));
            } else if own.is_pure && can_run(id) {
                reach(cost + own.cost, next, resident | 1 << id);
            }
        }
    }
    None
}

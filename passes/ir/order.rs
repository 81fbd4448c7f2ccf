//! Traversal orders: blocks in control-flow order, values from use to definition.
//!
//! MLIR requires that a definition dominates its uses, not that it is printed before them. In
//! unreachable code it requires neither: there, a value may be defined in terms of itself. This
//! module hides both from the rest of the crate:
//!
//! * [`Region::blocks`] yields each block after its predecessors, except for back edges;
//! * [`chain`] follows a chain of values and terminates on cycles;
//! * [`Op::erase_all`] destroys nested operations, visiting each of them once.

use rustc_hash::FxHashMap as HashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use mlir_sys::{
    mlirBlockGetNextInRegion, mlirOperationDestroy, mlirOperationSetOperands,
    mlirRegionGetFirstBlock,
};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use super::handles::{Block, Op, Region};

impl Region {
    /// The blocks of the region, each after all its predecessors except those it dominates; the
    /// edges that go backwards in this order are thus back edges of loops. The printed order is
    /// kept if it satisfies this. Otherwise the blocks of a loop are contiguous, in printed order
    /// where possible, and unreachable blocks come last. If a cycle has several entries
    /// (irreducible control flow), no such order exists, and each block only follows its
    /// dominators.
    ///
    /// Linear if no block is printed before one of its predecessors. Otherwise linear in the number
    /// of blocks times the loop depth, provided that few blocks are ready at a time.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        let first = self.first_block();
        let has_more = first.is_some_and(|first| next_printed(first).is_some());
        let rest = match has_more {
            true => ordered(self.printed_blocks().collect()),
            false => Vec::new(),
        };
        let only = first.filter(|_| !has_more);
        only.into_iter().chain(rest)
    }

    /// The entry block.
    pub fn first_block(self) -> Option<Block> {
        Block::new(c!(mlirRegionGetFirstBlock(self.0)))
    }

    fn printed_blocks(self) -> impl Iterator<Item = Block> {
        std::iter::successors(self.first_block(), |block| next_printed(*block))
    }
}

impl Op {
    /// Destroys the operation and everything nested in it; nothing else may use their results.
    /// Linear, whereas MLIR's own destructor visits each operation once per enclosing region.
    pub(crate) fn erase_all(self) {
        let mut inside = Vec::new();
        self.walk(&mut |op| inside.push(op));
        // In unreachable code, uses may come before definitions.
        for op in &inside {
            c!(mlirOperationSetOperands(op.0, 0, std::ptr::null()));
        }
        for op in inside.into_iter().rev() {
            c!(mlirOperationDestroy(op.0));
        }
        c!(mlirOperationDestroy(self.0));
    }
}

fn next_printed(block: Block) -> Option<Block> {
    Block::new(c!(mlirBlockGetNextInRegion(block.0)))
}

/// Sorts the blocks of one region as [`Region::blocks`] specifies. The first block is the entry.
fn ordered(blocks: Vec<Block>) -> Vec<Block> {
    let numbers: HashMap<Block, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let mut edges = Vec::new();
    for (from, block) in blocks.iter().enumerate() {
        let targets = block
            .terminator()
            .into_iter()
            .flat_map(|op| op.successors());
        let targets = targets.filter_map(|target| numbers.get(&target).copied());
        edges.extend(targets.map(|to| (from, to)));
    }
    if edges.iter().all(|(from, to)| from < to) {
        return blocks;
    }
    let order = Flow::new(blocks.len(), edges).order();
    order.into_iter().map(|index| blocks[index]).collect()
}

/// The CFG of one region. Blocks are numbered in printed order; 0 is the entry.
struct Flow {
    edges: Vec<(usize, usize)>,
    dominators: Dominators<NodeIndex>,
    n_blocks: usize,
}

impl Flow {
    fn new(n_blocks: usize, edges: Vec<(usize, usize)>) -> Self {
        let mut graph = DiGraph::<(), ()>::with_capacity(n_blocks, edges.len());
        let nodes: Vec<NodeIndex> = (0..n_blocks).map(|_| graph.add_node(())).collect();
        for (from, to) in &edges {
            graph.add_edge(nodes[*from], nodes[*to], ());
        }
        Self {
            edges,
            dominators: simple_fast(&graph, nodes[0]),
            n_blocks,
        }
    }

    /// The dominators of a block, starting with itself; empty if the block is unreachable.
    fn dominators_of(&self, block: usize) -> impl Iterator<Item = usize> {
        let all = self.dominators.dominators(NodeIndex::new(block));
        all.into_iter().flatten().map(NodeIndex::index)
    }

    fn is_reached(&self, block: usize) -> bool {
        self.dominators_of(block).next().is_some()
    }

    fn closes_loop(&self, (from, to): (usize, usize)) -> bool {
        self.dominators_of(from).any(|dominator| dominator == to)
    }

    fn order(&self) -> Vec<usize> {
        // The printed order is suitable if all its backward edges are back edges of loops.
        let backwards = self.edges.iter().filter(|(from, to)| from >= to);
        let mut reached = backwards.filter(|(from, _)| self.is_reached(*from));
        if reached.all(|edge| self.closes_loop(*edge)) {
            return (0..self.n_blocks).collect();
        }
        let loops = self.loops();
        let mut targets = vec![Vec::new(); self.n_blocks];
        let mut n_missing = vec![0_usize; self.n_blocks];
        for edge in &self.edges {
            if self.is_reached(edge.0) && !self.closes_loop(*edge) {
                targets[edge.0].push(edge.1);
                n_missing[edge.1] += 1;
            }
        }
        let mut is_placed = vec![false; self.n_blocks];
        let mut order: Vec<usize> = Vec::with_capacity(self.n_blocks);
        let mut ready = vec![0];
        loop {
            // Prefer the block that shares most loops with the last one, so that loops stay
            // contiguous; ties are broken by printed order.
            let last = order.last().map_or(&[][..], |last| &loops[*last][..]);
            let common = |block: usize| loops[block].iter().filter(|l| last.contains(l)).count();
            let best = (0..ready.len()).max_by_key(|at| (common(ready[*at]), Reverse(ready[*at])));
            let next = match best {
                Some(at) => ready.swap_remove(at),
                None => match self.entry_of_cycle(&is_placed) {
                    Some(next) => next,
                    None => break,
                },
            };
            if std::mem::replace(&mut is_placed[next], true) {
                continue;
            }
            order.push(next);
            for target in &targets[next] {
                n_missing[*target] -= 1;
                if n_missing[*target] == 0 {
                    ready.push(*target);
                }
            }
        }
        order.extend((0..self.n_blocks).filter(|block| !is_placed[*block]));
        order
    }

    /// A block whose dominators have all been placed, although some predecessor has not.
    fn entry_of_cycle(&self, is_placed: &[bool]) -> Option<usize> {
        let mut missing = (0..self.n_blocks).filter(|block| !is_placed[*block]);
        missing.find(|block| {
            let mut dominators = self.dominators_of(*block);
            dominators.next().is_some() && dominators.all(|dominator| is_placed[dominator])
        })
    }

    /// Per block: the headers of the loops that contain it.
    fn loops(&self) -> Vec<Vec<usize>> {
        let mut sources = vec![Vec::new(); self.n_blocks];
        let mut closing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in self.edges.iter().copied() {
            if !self.is_reached(from) {
                continue;
            }
            sources[to].push(from);
            if self.closes_loop((from, to)) {
                closing.entry(to).or_default().push(from);
            }
        }
        let mut loops = vec![Vec::new(); self.n_blocks];
        for (first, mut left) in closing {
            loops[first].push(first);
            while let Some(block) = left.pop() {
                if loops[block].last() != Some(&first) {
                    loops[block].push(first);
                    left.extend(&sources[block]);
                }
            }
        }
        loops
    }
}

/// Yields `first` and then repeatedly applies `next`, until it returns `None`. On a cycle, which
/// only occurs in unreachable code, the iterator ends after at most three rounds (Brent's cycle
/// detection): constant memory, and no overhead for chains that end.
pub(crate) fn chain<T: Copy + PartialEq>(
    first: T,
    mut next: impl FnMut(T) -> Option<T>,
) -> impl Iterator<Item = T> {
    let (mut mark, mut n_steps, mut limit) = (first, 0_usize, 1_usize);
    std::iter::successors(Some(first), move |at| {
        let found = next(*at).filter(|found| *found != mark)?;
        n_steps += 1;
        if n_steps == limit {
            (mark, n_steps) = (found, 0);
            limit = limit.saturating_mul(2);
        }
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::{Flow, chain};

    fn order(n_blocks: usize, edges: &[(usize, usize)]) -> Vec<usize> {
        Flow::new(n_blocks, edges.to_vec()).order()
    }

    #[test]
    fn a_block_follows_all_its_predecessors() {
        // Printed: entry, one arm, where they meet, the other arm.
        let edges = [(0, 1), (0, 3), (1, 2), (3, 2)];
        assert_eq!(order(4, &edges), [0, 1, 3, 2]);
        assert_eq!(order(3, &[(0, 2), (2, 1)]), [0, 2, 1]);
    }

    #[test]
    fn an_order_in_which_only_loops_jump_backwards_stays() {
        assert_eq!(order(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]), [0, 1, 2, 3]);
        assert_eq!(order(4, &[(0, 1), (1, 3), (3, 1), (1, 2)]), [0, 1, 2, 3]);
        assert_eq!(order(2, &[(0, 1), (1, 1)]), [0, 1]);
    }

    #[test]
    fn blocks_of_a_loop_follow_one_another() {
        // Printed: entry, exit, body, head.
        assert_eq!(order(4, &[(0, 3), (3, 2), (2, 3), (3, 1)]), [0, 3, 2, 1]);
        // Two loops one after the other, the second one printed first.
        let edges = [(0, 3), (3, 4), (4, 3), (3, 1), (1, 2), (2, 1), (1, 5)];
        assert_eq!(order(6, &edges), [0, 3, 4, 1, 2, 5]);
    }

    #[test]
    fn cycles_with_two_entries_and_unreached_blocks_are_kept() {
        let edges = [(0, 2), (0, 1), (1, 2), (2, 1), (4, 2), (2, 5), (5, 3)];
        let order = order(6, &edges);
        assert_eq!(order[0], 0);
        assert_eq!(order[5], 4);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        let place = |block| order.iter().position(|b| *b == block);
        assert!(place(2) < place(5) && place(5) < place(3));
    }

    #[test]
    fn a_chain_that_ends_is_complete() {
        for length in 0..100 {
            let values: Vec<u32> = chain(0, |at| (at < length).then_some(at + 1)).collect();
            assert_eq!(values, (0..=length).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_chain_into_a_cycle_ends_after_all_its_values() {
        for tail in 0..20 {
            for cycle in 1..20 {
                let last = tail + cycle - 1;
                let next = |at| Some(if at == last { tail } else { at + 1 });
                let values: Vec<u32> = chain(0, next).collect();
                assert!(values.len() <= 4 * (tail + cycle) as usize + 4);
                assert!((0..=last).all(|value| values.contains(&value)));
            }
        }
    }
}

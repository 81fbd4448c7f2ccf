//! Orders that programs may be visited in: blocks as control comes to them, values from use to definition.
//!
//! MLIR demands that a definition dominates its uses, not that it is printed before them, and in
//! code that cannot be reached it demands neither: there, values may be defined by themselves. What
//! is here hides both from everything else:
//!
//! * [`Region::blocks`] yields each block after those that control comes from, except around loops;
//! * [`chain`] follows values from one to the next, and ends on cycles;
//! * [`Op::erase_all`] takes apart what is nested without looking at the same operation twice.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use mlir_sys::{
    mlirBlockGetNextInRegion, mlirOperationDestroy, mlirOperationSetOperands,
    mlirRegionGetFirstBlock,
};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use super::ir::{Block, Op, Region};

impl Region {
    /// Its blocks, each after all its predecessors but those that it dominates: what jumps backwards in this
    /// order is a loop. They are yielded as printed if that is such an order; otherwise blocks of a loop follow one
    /// another, as far as possible as they are printed, and those that cannot be reached come last. Where control
    /// enters a cycle in several places, no such order exists, and each block only follows its
    /// dominators.
    ///
    /// Linear if no block is printed before one that control comes from. Otherwise linear in blocks times the depth of loops, if few
    /// blocks can come next at a time.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block> {
        let first = self.first_block();
        let has_more = first.is_some_and(|first| next_printed(first).is_some());
        let rest = match has_more {
            true => ordered(self.printed_blocks().collect()),
            false => Vec::new(),
        };
        let only = first.filter(|_| !has_more);
        only.into_iter().chain(rest)
    }

    /// The block in which control enters.
    pub(crate) fn first_block(self) -> Option<Block> {
        Block::new(c!(mlirRegionGetFirstBlock(self.0)))
    }

    fn printed_blocks(self) -> impl Iterator<Item = Block> {
        std::iter::successors(self.first_block(), |block| next_printed(*block))
    }
}

impl Op {
    /// Destroys it and all inside it, which nothing else uses. Linear; MLIR's own destructor looks at each operation once for
    /// every region around it.
    pub(crate) fn erase_all(self) {
        let mut inside = Vec::new();
        self.walk(&mut |op| inside.push(op));
        // In code that cannot be reached, uses may come before definitions.
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

/// Blocks of one region, in the order that [`Region::blocks`] promises. The first is the entry.
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

/// How control flows between blocks, which are numbered as printed; 0 is the entry.
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

    /// The blocks that dominate one, itself first; none if it cannot be reached.
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

    /// A block behind its dominators, although not behind all its predecessors.
    fn entry_of_cycle(&self, is_placed: &[bool]) -> Option<usize> {
        let mut missing = (0..self.n_blocks).filter(|block| !is_placed[*block]);
        missing.find(|block| {
            let mut dominators = self.dominators_of(*block);
            dominators.next().is_some() && dominators.all(|dominator| is_placed[dominator])
        })
    }

    /// By block: the loops that it is in, by their first blocks.
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

/// `first`, and then what `next` makes of the one before, until it makes nothing. On a cycle, which
/// only code that cannot be reached has, it ends after three rounds at most (Brent's algorithm):
/// constant memory, and no cost on chains that end.
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

//! Orders that programs may be visited in: blocks by dominance, values from use to definition.
//!
//! MLIR demands that a definition dominates its uses, not that it is printed before them, and in
//! code that cannot be reached it demands neither: there, values may be defined by themselves. What
//! is here hides both from everything else:
//!
//! * [`Region::blocks`] yields each block after the blocks that dominate it;
//! * [`chain`] follows values from one to the next, and ends on cycles;
//! * [`Op::erase_all`] takes apart what is nested without looking at the same operation twice.

use std::collections::HashMap;

use mlir_sys::{
    mlirBlockGetNextInRegion, mlirOperationDestroy, mlirOperationSetOperands,
    mlirRegionGetFirstBlock,
};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use super::ir::{Block, Op, Region};

impl Region {
    /// Its blocks, each after those that dominate it, and otherwise as they are printed. Blocks
    /// that cannot be reached keep their place.
    ///
    /// Linear if they are printed in such an order, as most programs are.
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

/// Blocks of one region, the entry first, so that each follows its dominators.
fn ordered(blocks: Vec<Block>) -> Vec<Block> {
    let numbers: HashMap<Block, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let mut edges = Vec::new();
    // The entry needs no predecessor.
    let mut has_earlier = vec![false; blocks.len()];
    has_earlier[0] = true;
    for (from, block) in blocks.iter().enumerate() {
        let targets = block
            .terminator()
            .into_iter()
            .flat_map(|op| op.successors());
        for to in targets.filter_map(|target| numbers.get(&target).copied()) {
            edges.push((from, to));
            has_earlier[to] |= from < to;
        }
    }
    // A way from the entry through earlier blocks alone: all dominators are on it.
    if has_earlier.iter().all(|has| *has) {
        return blocks;
    }
    let mut graph = DiGraph::<(), ()>::with_capacity(blocks.len(), edges.len());
    let nodes: Vec<NodeIndex> = blocks.iter().map(|_| graph.add_node(())).collect();
    for (from, to) in edges {
        graph.add_edge(nodes[from], nodes[to], ());
    }
    let dominators = simple_fast(&graph, nodes[0]);
    let order = dominators_first(&dominators, &nodes);
    order.into_iter().map(|index| blocks[index]).collect()
}

/// All nodes in their order, but none before its immediate dominator.
fn dominators_first(dominators: &Dominators<NodeIndex>, nodes: &[NodeIndex]) -> Vec<usize> {
    let mut is_placed = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    for node in nodes {
        let missing =
            std::iter::successors(Some(*node), |node| dominators.immediate_dominator(*node));
        let missing = missing.take_while(|node| !is_placed[node.index()]);
        let missing: Vec<usize> = missing.map(NodeIndex::index).collect();
        for index in missing.into_iter().rev() {
            is_placed[index] = true;
            order.push(index);
        }
    }
    order
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
    use super::chain;

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

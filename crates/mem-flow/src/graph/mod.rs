//! The control-flow graph of a program: block orders, dominators, dominance frontiers, cycles.
//!
//! Unreachable blocks are allowed: they are in no order, dominate nothing and are dominated by
//! nothing. Construction is O((blocks + edges) log blocks), plus the total size of the dominance
//! frontiers. Nothing recurses.

mod cycles;
mod dominators;

use mem_model::{BlockId, Program};

const NONE: u32 = u32::MAX;

/// A list of lists in compressed form: `first[i]..first[i + 1]` is the range of list `i` in
/// `items`.
#[derive(Clone, Debug, Default)]
struct Lists {
    first: Vec<u32>,
    items: Vec<BlockId>,
}

impl Lists {
    /// Groups `(list, item)` pairs by list. Stable: items keep their order.
    fn new(n_lists: usize, pairs: &[(u32, u32)]) -> Self {
        let mut first = vec![0_u32; n_lists + 1];
        for (list, _) in pairs {
            first[*list as usize + 1] += 1;
        }
        for index in 0..n_lists {
            first[index + 1] += first[index];
        }
        let mut next = first.clone();
        let mut items = vec![BlockId::new(0); pairs.len()];
        for (list, item) in pairs {
            items[next[*list as usize] as usize] = BlockId::new(*item as usize);
            next[*list as usize] += 1;
        }
        Self { first, items }
    }

    fn of(&self, block: BlockId) -> &[BlockId] {
        let first = self.first[block.index()] as usize;
        let after = self.first[block.index() + 1] as usize;
        &self.items[first..after]
    }
}

/// A control-flow graph with the analyses derived from it. Block 0 is the entry.
#[derive(Clone, Debug)]
pub struct Graph {
    successors: Lists,
    predecessors: Lists,
    /// Reachable blocks in reverse postorder.
    order: Vec<BlockId>,
    /// Indexed by block: position in `order`, or `NONE`.
    position: Vec<u32>,
    /// Indexed by block: its immediate dominator, or `NONE`.
    dominator: Vec<u32>,
    children: Lists,
    /// Indexed by block: preorder number in the dominator tree. A block dominates exactly the
    /// blocks whose numbers lie between its own and `last`, the largest number in its subtree.
    preorder: Vec<u32>,
    last: Vec<u32>,
    frontiers: Lists,
    in_cycle: Vec<bool>,
    reaches_exit: Vec<bool>,
}

impl Graph {
    /// Builds the graph of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let targets = |block: &mem_model::Block| {
            let edges = block.successors.iter();
            edges.map(|edge| edge.target.index() as u32).collect()
        };
        let successors: Vec<Vec<u32>> = program.blocks.iter().map(targets).collect();
        Self::from_successors(&successors)
    }

    /// Builds the graph from the successors of each block. Parallel edges are kept.
    #[must_use]
    pub fn from_successors(successors: &[Vec<u32>]) -> Self {
        let n_blocks = successors.len();
        let mut edges = Vec::new();
        for (from, targets) in (0..).zip(successors) {
            edges.extend(targets.iter().map(|&to| (from, to)));
        }
        let successors = Lists::new(n_blocks, &edges);
        let order = reverse_postorder(&successors, n_blocks);
        let mut position = vec![NONE; n_blocks];
        for (index, block) in (0..).zip(&order) {
            position[block.index()] = index;
        }
        edges.retain(|(from, _)| position[*from as usize] != NONE);
        // `edges` is sorted by source block, so predecessors are in ascending order.
        let reversed: Vec<(u32, u32)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
        let predecessors = Lists::new(n_blocks, &reversed);
        let dominator = dominators::immediate_dominators(&successors, &predecessors, n_blocks);
        let children = {
            let child = |block: &BlockId| {
                let above = dominator[block.index()];
                (above != NONE).then_some((above, block.index() as u32))
            };
            let pairs: Vec<(u32, u32)> = order.iter().filter_map(child).collect();
            Lists::new(n_blocks, &pairs)
        };
        let (preorder, last) = dominators::number_tree(&children, n_blocks);
        let frontiers = dominators::frontiers(&order, &predecessors, &dominator, n_blocks);
        let in_cycle = cycles::in_cycle(&successors, n_blocks);
        let reaches_exit = cycles::reaches_exit(&successors, &predecessors, n_blocks);
        Self {
            successors,
            predecessors,
            order,
            position,
            dominator,
            children,
            preorder,
            last,
            frontiers,
            in_cycle,
            reaches_exit,
        }
    }

    /// The successors of `block`, one entry per edge.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// The reachable predecessors of `block`, one entry per edge.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }

    /// The reachable blocks in reverse postorder; the entry is first.
    #[must_use]
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// Whether some path leads from the entry to `block`.
    #[must_use]
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()] != NONE
    }

    /// The immediate dominator of `block`: the nearest other block on every path from the entry to
    /// `block`. `None` for the entry and for unreachable blocks.
    #[must_use]
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        let dominator = self.dominator[block.index()];
        (dominator != NONE).then(|| BlockId::new(dominator as usize))
    }

    /// The children of `block` in the dominator tree, in reverse postorder.
    #[must_use]
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        self.children.of(block)
    }

    /// The number of `block` in a preorder walk over the dominator tree; `u32::MAX` if it is
    /// unreachable.
    #[must_use]
    pub fn preorder(&self, block: BlockId) -> u32 {
        self.preorder[block.index()]
    }

    /// Whether every path from the entry to `b` passes through `a`. A reachable block dominates
    /// itself; unreachable blocks dominate nothing. O(1).
    #[must_use]
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (number, own) = (self.preorder[b.index()], self.preorder[a.index()]);
        number != NONE && own <= number && number <= self.last[a.index()]
    }

    /// Whether `a` dominates `b` and differs from it. O(1).
    #[must_use]
    pub fn strictly_dominates(&self, a: BlockId, b: BlockId) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The dominance frontier of `block`: the blocks that it does not strictly dominate although it
    /// dominates one of their predecessors. In reverse postorder.
    #[must_use]
    pub fn frontier(&self, block: BlockId) -> &[BlockId] {
        self.frontiers.of(block)
    }

    /// Whether `block` is on a cycle.
    #[must_use]
    pub fn is_in_cycle(&self, block: BlockId) -> bool {
        self.in_cycle[block.index()]
    }

    /// Whether some path from `block`, which must be reachable, leads to a block without
    /// successors.
    #[must_use]
    pub fn reaches_exit(&self, block: BlockId) -> bool {
        self.reaches_exit[block.index()]
    }
}

fn reverse_postorder(successors: &Lists, n_blocks: usize) -> Vec<BlockId> {
    let mut order = Vec::new();
    if n_blocks == 0 {
        return order;
    }
    let mut is_visited = vec![false; n_blocks];
    is_visited[0] = true;
    // An explicit stack of blocks, each with the number of successors visited.
    let mut stack = vec![(BlockId::new(0), 0)];
    while let Some((block, n_done)) = stack.last_mut() {
        match successors.of(*block).get(*n_done) {
            Some(&next) => {
                *n_done += 1;
                if !std::mem::replace(&mut is_visited[next.index()], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

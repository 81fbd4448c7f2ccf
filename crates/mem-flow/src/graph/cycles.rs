//! Blocks on cycles, by strongly connected components (Tarjan, 1972, iterative), and blocks that
//! can reach an exit, by a backward search from the exits.

use mem_model::BlockId;

use super::{Lists, NONE};

/// Indexed by block: whether some non-empty path leads from the block back to itself.
pub(super) fn in_cycle(successors: &Lists, n_blocks: usize) -> Vec<bool> {
    let mut search = Search {
        successors,
        index: vec![NONE; n_blocks],
        low: vec![0; n_blocks],
        on_stack: vec![false; n_blocks],
        stack: Vec::new(),
        next: 0,
        in_cycle: vec![false; n_blocks],
    };
    for block in (0..n_blocks).map(BlockId::new) {
        if search.index[block.index()] == NONE {
            search.run(block);
        }
    }
    search.in_cycle
}

struct Search<'a> {
    successors: &'a Lists,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<BlockId>,
    next: u32,
    in_cycle: Vec<bool>,
}

impl Search<'_> {
    fn run(&mut self, start: BlockId) {
        self.open(start);
        let mut work = vec![(start, 0)];
        while let Some((block, n_done)) = work.last_mut() {
            let block = *block;
            let Some(&next) = self.successors.of(block).get(*n_done) else {
                work.pop();
                if let Some((above, _)) = work.last() {
                    let low = self.low[block.index()];
                    self.low[above.index()] = self.low[above.index()].min(low);
                }
                self.close(block);
                continue;
            };
            *n_done += 1;
            // A component of a single block is a cycle only if it has an edge to itself.
            if next == block {
                self.in_cycle[block.index()] = true;
            }
            if self.index[next.index()] == NONE {
                self.open(next);
                work.push((next, 0));
            } else if self.on_stack[next.index()] {
                let index = self.index[next.index()];
                self.low[block.index()] = self.low[block.index()].min(index);
            }
        }
    }

    fn open(&mut self, block: BlockId) {
        self.index[block.index()] = self.next;
        self.low[block.index()] = self.next;
        self.next += 1;
        self.stack.push(block);
        self.on_stack[block.index()] = true;
    }

    /// Finishes `block`. If it is the root of a component, pops the component off the stack.
    fn close(&mut self, block: BlockId) {
        if self.low[block.index()] != self.index[block.index()] {
            return;
        }
        let is_alone = self.stack.last() == Some(&block);
        while let Some(member) = self.stack.pop() {
            self.on_stack[member.index()] = false;
            self.in_cycle[member.index()] |= !is_alone;
            if member == block {
                break;
            }
        }
    }
}

/// Indexed by block: whether some path leads to a block without successors. `predecessors` omits
/// edges from unreachable blocks, so an unreachable block only counts if it has no successors
/// itself.
pub(super) fn reaches_exit(successors: &Lists, predecessors: &Lists, n_blocks: usize) -> Vec<bool> {
    let blocks = (0..n_blocks).map(BlockId::new);
    let mut work: Vec<BlockId> = blocks.filter(|b| successors.of(*b).is_empty()).collect();
    let mut reaches = vec![false; n_blocks];
    for block in &work {
        reaches[block.index()] = true;
    }
    while let Some(block) = work.pop() {
        for &predecessor in predecessors.of(block) {
            if !std::mem::replace(&mut reaches[predecessor.index()], true) {
                work.push(predecessor);
            }
        }
    }
    reaches
}

//! The reachable control-flow graph in the order of data-flow analysis, a backward solver, and
//! address liveness: the names that are accessed later, regardless of their content.

use fixedbitset::FixedBitSet;
use mem_model::{Binding, BlockId, BufferId, PointerId, PointerKind, Program, SharedSet};

use crate::effects::Effects;

/// A program with its reachable blocks in order.
pub(crate) struct Flow<'a> {
    /// The program, which is valid.
    pub program: &'a Program,
    /// The reachable blocks in reverse postorder; the entry is first.
    pub order: Vec<BlockId>,
    /// Indexed by buffer: the pointers to its start.
    names_of: Vec<Vec<PointerId>>,
    /// Buffers from which some merge is bound.
    bound: FixedBitSet,
}

impl<'a> Flow<'a> {
    /// Orders the blocks of a valid program. O(blocks + edges).
    pub(crate) fn new(program: &'a Program) -> Self {
        let mut names_of = vec![Vec::new(); program.buffers.len()];
        for (index, pointer) in program.pointers.iter().enumerate() {
            if let PointerKind::Buffer(buffer) = pointer.kind {
                names_of[buffer.index()].push(PointerId::new(index));
            }
        }
        Self {
            program,
            order: reverse_postorder(program),
            bound: program.bound_buffers(),
            names_of,
        }
    }

    /// Whether some merge may ever denote `buffer`.
    pub(crate) fn is_bound(&self, buffer: BufferId) -> bool {
        self.bound.contains(buffer.index())
    }

    /// The steps of a block, as indices.
    pub(crate) fn steps(&self, block: BlockId) -> std::ops::Range<usize> {
        let steps = self.program.blocks[block.index()].steps;
        steps.start.index()..steps.end.index()
    }

    /// The names that are addresses of `buffer`.
    pub(crate) fn names_of(&self, buffer: BufferId) -> &[PointerId] {
        &self.names_of[buffer.index()]
    }

    /// Runs a backward analysis over sets of names to its fixed point. `through_block` transfers
    /// the set at the end of a block to its start; bindings on edges are applied in between.
    /// Returns the sets at the starts of the blocks.
    pub(crate) fn solve_backward(
        &self,
        mut through_block: impl FnMut(BlockId, &mut SharedSet),
    ) -> Vec<SharedSet> {
        let mut at_start = vec![SharedSet::default(); self.program.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            // In postorder, most successors come before their predecessors, so that few rounds
            // suffice.
            for &block in self.order.iter().rev() {
                let mut names = self.at_end_of(block, &at_start);
                through_block(block, &mut names);
                changed |= at_start[block.index()].join(&names);
            }
        }
        at_start
    }

    /// The set at the end of `block`, given the sets at the starts of all blocks.
    pub(crate) fn at_end_of(&self, block: BlockId, at_start: &[SharedSet]) -> SharedSet {
        let mut names = SharedSet::default();
        for edge in &self.program.blocks[block.index()].successors {
            let mut on_edge = at_start[edge.target.index()].clone();
            unbind(&edge.bindings, &mut on_edge);
            names.join(&on_edge);
        }
        names
    }
}

/// Transfers a set of names backwards over simultaneous bindings: each target in the set is
/// replaced by its sources.
pub(crate) fn unbind(bindings: &[Binding], names: &mut SharedSet) {
    // Removes all targets before inserting any source: in a swap, each name is both.
    let wanted: Vec<&Binding> = bindings
        .iter()
        .filter(|b| names.take(b.target.index()))
        .collect();
    for source in wanted.iter().flat_map(|b| &b.sources) {
        names.insert(source.index());
    }
}

/// Indexed by block: the names that some path from its start accesses, directly or through a name
/// bound from them.
pub(crate) fn accessed_later(flow: &Flow<'_>, effects: &[Effects]) -> Vec<SharedSet> {
    flow.solve_backward(|block, names| {
        for step in flow.steps(block).rev() {
            accessed_before_step(flow, effects, step, names);
        }
    })
}

/// Transfers the set of names accessed later backwards over the accesses and bindings of a step, to
/// the moment between its allocations and its bindings.
pub(crate) fn accessed_before_step(
    flow: &Flow<'_>,
    effects: &[Effects],
    step: usize,
    names: &mut SharedSet,
) {
    for name in effects[step].accessed() {
        names.insert(name.index());
    }
    unbind(&flow.program.steps[step].bindings, names);
}

fn reverse_postorder(program: &Program) -> Vec<BlockId> {
    let mut visited = FixedBitSet::with_capacity(program.blocks.len());
    visited.insert(0);
    let mut postorder = Vec::new();
    // An explicit stack of (block, successors visited), because graphs can be deep.
    let mut stack = vec![(BlockId::new(0), 0)];
    while let Some((block, done)) = stack.last_mut() {
        match program.blocks[block.index()].successors.get(*done) {
            Some(edge) => {
                *done += 1;
                if !visited.put(edge.target.index()) {
                    stack.push((edge.target, 0));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

//! Which values may still be used.

use fixedbitset::FixedBitSet;

use crate::flatten::{Flat, FlatBlock, Value};

/// The values that may be used after the start of each block.
pub(crate) struct Live {
    /// Indexed by block.
    starts: Vec<FixedBitSet>,
}

/// Maximum number of pairs of a block and a value, which take a bit each.
const MAX_BITS: usize = 1 << 28;

impl Flat<'_> {
    /// Finds the values that may still be used, if allocations alternate and the function is not too large.
    pub(crate) fn find_live(&mut self) {
        let is_small = self.blocks.len().saturating_mul(self.types.len()) <= MAX_BITS;
        self.live = (is_small && !self.owners.is_empty()).then(|| Live::new(self));
    }
}

impl Live {
    /// Solves the data-flow equations. O(blocks · values) for each nesting depth of loops.
    pub(crate) fn new(flat: &Flat<'_>) -> Self {
        let empty = FixedBitSet::with_capacity(flat.types.len());
        let mut live = Self {
            starts: vec![empty; flat.blocks.len()],
        };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for index in flat.order.iter().rev() {
                let block = &flat.blocks[*index];
                let start = live.after(flat, block, 0);
                has_changed |= start != live.starts[*index];
                live.starts[*index] = start;
            }
        }
        live
    }

    /// Returns the values that may be used by the steps of a block from number `step` on, or after
    /// the block.
    pub(crate) fn after(&self, flat: &Flat<'_>, block: &FlatBlock<'_>, step: usize) -> FixedBitSet {
        let mut live = FixedBitSet::with_capacity(flat.types.len());
        for edge in &block.edges {
            let mut start = self.starts[edge.to].clone();
            for (_, to) in &edge.values {
                start.remove(*to);
            }
            live.union_with(&start);
        }
        let passed = block.edges.iter().flat_map(|edge| &edge.values);
        live.extend(passed.filter_map(|(from, _)| *from));
        let value = |own: crate::program::ValueId| -> Value { block.frame.value(own) };
        live.extend(
            block
                .end
                .iter()
                .flat_map(|end| end.operands.iter().map(|own| value(*own))),
        );
        for own in block.steps[step..].iter().rev() {
            for result in own.kind.results() {
                live.remove(value(result));
            }
            live.extend(own.kind.operands().into_iter().map(value));
        }
        live
    }
}

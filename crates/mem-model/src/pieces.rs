//! Where buffers can be cut so that every access touches whole pieces.

use std::collections::BTreeSet;

use crate::{BitSet, BufferId, Bytes, Interval, PointerKind, Program, Storage};

/// Most pieces that one buffer is cut into.
pub const MAX_PIECES: usize = 64;

/// Offsets at which buffers are cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutPoints {
    /// By buffer: offsets inside of it, in bytes, ascending; fewer than [`MAX_PIECES`].
    pub of_buffer: Vec<Vec<Bytes>>,
    /// Buffers for which accesses ask for more: some offsets were left out.
    pub coarse: Vec<BufferId>,
}

impl Program {
    /// The offsets at which accesses to each buffer begin or end. None for buffers that some merge
    /// is bound from, which are accessed by other names, too, and for those whose bytes are not the
    /// planner's. Cutting at any offsets whatsoever is correct; at these it pays.
    ///
    /// O(n log n) in accesses.
    #[must_use]
    pub fn cut_points(&self) -> CutPoints {
        let is_bound = self.bound_buffers();
        let mut offsets = vec![BTreeSet::new(); self.buffers.len()];
        for access in self.steps.iter().flat_map(|step| &step.accesses) {
            let pointer = &self.pointers[access.pointer.index()];
            let PointerKind::Buffer(buffer) = pointer.kind else {
                continue;
            };
            let is_external = self.buffers[buffer.index()].storage == Storage::External;
            if is_bound.contains(buffer.index()) || is_external {
                continue;
            }
            let all = Interval::new(Bytes::ZERO, pointer.size.unwrap_or_default());
            let ranges = [access.may.unwrap_or(all)].into_iter().chain(access.must);
            for range in ranges {
                offsets[buffer.index()].extend([range.start, range.end]);
            }
        }
        let mut cuts = CutPoints::default();
        for (index, offsets) in offsets.into_iter().enumerate() {
            let size = self.buffers[index].size;
            let inside = offsets
                .into_iter()
                .filter(|at| *at > Bytes::ZERO && *at < size);
            let mut inside: Vec<Bytes> = inside.collect();
            if inside.len() >= MAX_PIECES {
                cuts.coarse.push(BufferId::new(index));
                let n_offsets = inside.len();
                inside = (1..MAX_PIECES)
                    .map(|i| inside[i * n_offsets / MAX_PIECES])
                    .collect();
            }
            cuts.of_buffer.push(inside);
        }
        cuts
    }

    /// Buffers that some merge is bound from.
    #[must_use]
    pub fn bound_buffers(&self) -> BitSet {
        let mut bound = BitSet::new(self.buffers.len());
        let on_edges = self.blocks.iter().flat_map(|b| &b.successors);
        let bindings = on_edges.flat_map(|e| &e.bindings);
        let bindings = bindings.chain(self.steps.iter().flat_map(|s| &s.bindings));
        for source in bindings.flat_map(|binding| &binding.sources) {
            if let PointerKind::Buffer(buffer) = self.pointers[source.index()].kind {
                bound.insert(buffer.index());
            }
        }
        bound
    }
}

//! Offsets at which buffers can be cut so that every access covers whole pieces.

use std::collections::BTreeSet;

use crate::{BufferId, Bytes, Interval, PointerKind, Program, Storage};
use fixedbitset::FixedBitSet;

/// Maximum number of pieces that a buffer is cut into.
pub const MAX_PIECES: usize = 64;

/// Offsets at which to cut each buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutPoints {
    /// Indexed by buffer: cut offsets strictly inside the buffer, in bytes, ascending; fewer than
    /// [`MAX_PIECES`].
    pub of_buffer: Vec<Vec<Bytes>>,
    /// Buffers whose accesses have more boundaries than [`MAX_PIECES`] allows: some offsets were
    /// dropped.
    pub coarse: Vec<BufferId>,
}

impl Program {
    /// Returns the offsets at which accesses to each buffer begin or end. A buffer that is a source
    /// of some merge has no cut points, because it is also accessed through other pointers; neither
    /// has external storage, which is not the planner's to place. Cuts affect precision only: any
    /// set of offsets is correct.
    ///
    /// O(n log n) in the number of accesses.
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
            let size = self.buffers[buffer.index()].size;
            let ends = ranges.flat_map(|range| [range.start, range.end]);
            // Most accesses cover whole buffers, which then need no set.
            offsets[buffer.index()].extend(ends.filter(|at| *at > Bytes::ZERO && *at < size));
        }
        let mut cuts = CutPoints::default();
        for (index, offsets) in offsets.into_iter().enumerate() {
            let mut inside: Vec<Bytes> = offsets.into_iter().collect();
            if inside.len() >= MAX_PIECES {
                cuts.coarse.push(BufferId::new(index));
                // Keep boundaries at evenly spaced ranks, so that no run of them is dropped
                // altogether.
                let n_offsets = inside.len();
                inside = (1..MAX_PIECES)
                    .map(|i| inside[i * n_offsets / MAX_PIECES])
                    .collect();
            }
            cuts.of_buffer.push(inside);
        }
        cuts
    }

    /// Returns the buffers whose address is a source of some merge.
    #[must_use]
    pub fn bound_buffers(&self) -> FixedBitSet {
        let mut bound = FixedBitSet::with_capacity(self.buffers.len());
        for source in self.bindings().flat_map(|binding| &binding.sources) {
            if let PointerKind::Buffer(buffer) = self.pointers[source.index()].kind {
                bound.insert(buffer.index());
            }
        }
        bound
    }
}

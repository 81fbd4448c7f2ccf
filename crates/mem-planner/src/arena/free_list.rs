//! An arena with a free list: best fit, coalescing, and growth in the middle.
//!
//! Live items and free blocks tile the arena without gaps. Growth in the middle at address `end`
//! moves every item at or above `end` up by the same distance, released items included. Of two
//! disjoint items the lower one never moves unless the upper one does, so disjoint items stay
//! disjoint.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::Bytes;

use super::tuning;
use crate::MAX_BYTES;

/// Items at offsets, by index, and the free blocks between them.
pub(crate) struct Arena {
    items: Vec<Option<Block>>,
    /// Free blocks: size by offset.
    free: BTreeMap<u64, u64>,
    /// The free blocks as (size, offset), for best fit.
    by_size: BTreeSet<(u64, u64)>,
    end: u64,
    /// Items examined by moves so far.
    n_moved: usize,
}

#[derive(Clone, Copy)]
struct Block {
    offset: u64,
    size: u64,
    alignment: u64,
}

impl Arena {
    /// Creates an empty arena for items with indices below `n_items`.
    pub(super) fn new(n_items: usize) -> Self {
        Self {
            items: vec![None; n_items],
            free: BTreeMap::new(),
            by_size: BTreeSet::new(),
            end: 0,
            n_moved: 0,
        }
    }

    /// Allocates `size` bytes, which must not be zero, for an item. Returns `None` if an address
    /// exceeds [`MAX_BYTES`].
    pub(super) fn place(&mut self, item: usize, size: Bytes, alignment: Bytes) -> Option<()> {
        let (size, alignment) = (size.get(), alignment.get());
        // Growth moves others, so it is the last resort.
        let offset = match self.best_fit(size, alignment) {
            Some(offset) => offset,
            None => self.grow(size, alignment)?,
        };
        self.take(offset, size);
        self.items[item] = Some(Block {
            offset,
            size,
            alignment,
        });
        Some(())
    }

    /// Returns the bytes of a placed item to the free list.
    pub(super) fn release(&mut self, item: usize) {
        // The block stays in `items`: its offset is part of the answer, and still moves with
        // growth.
        if let Some(block) = self.items[item] {
            self.insert_free(block.offset, block.size);
        }
    }

    /// Returns the offset of each item; 0 for items that were never placed.
    pub(super) fn into_offsets(self) -> Vec<Bytes> {
        let offset = |item: Option<Block>| Bytes::new(item.map_or(0, |block| block.offset));
        self.items.into_iter().map(offset).collect()
    }

    /// Returns an aligned offset in the smallest free block that has room for `size` bytes.
    fn best_fit(&self, size: u64, alignment: u64) -> Option<u64> {
        // Blocks that are large enough, the smallest first. Alignment may use up the difference, so
        // the first need not be the one.
        self.by_size.range((size, 0)..).find_map(|&(free, offset)| {
            let aligned = offset.checked_next_multiple_of(alignment)?;
            let fits = aligned - offset <= free - size;
            fits.then_some(aligned)
        })
    }

    /// Makes room in the largest free block, or at the end of the arena. Returns the aligned
    /// offset.
    fn grow(&mut self, size: u64, alignment: u64) -> Option<u64> {
        let at_end = || {
            let last = self
                .free
                .last_key_value()
                .map(|(&offset, &free)| (free, offset));
            last.filter(|(free, offset)| offset + free == self.end)
        };
        // The largest block needs the least extension, and so shifts the others the least.
        let largest = match self.n_moved < tuning::MAX_MOVED {
            true => self.by_size.last().copied(),
            false => at_end(),
        };
        let (free, offset) = largest.unwrap_or((0, self.end));
        let aligned = offset.checked_next_multiple_of(alignment)?;
        let old_end = offset + free;
        let new_end = aligned
            .checked_add(size)
            .filter(|&end| end <= MAX_BYTES.get())?;
        let distance = new_end - old_end;
        // The last block has nothing above it to move.
        if old_end == self.end {
            self.end = new_end;
            self.insert_free(old_end, distance);
        } else {
            self.shift_up(old_end, distance)?;
        }
        Some(aligned)
    }

    /// Moves everything at or above `from` up by `distance`, rounded up to the largest alignment
    /// moved, and adds the freed bytes to the free block that ends at `from`.
    fn shift_up(&mut self, from: u64, distance: u64) -> Option<()> {
        self.n_moved += self.items.len();
        let above = |block: &&mut Block| block.offset >= from;
        let movers = || {
            self.items
                .iter()
                .flatten()
                .filter(|block| block.offset >= from)
        };
        let alignment = movers().map(|block| block.alignment).max().unwrap_or(1);
        // Alignments are powers of two, so a multiple of the largest preserves all of them.
        let distance = distance.checked_next_multiple_of(alignment)?;
        self.end = self
            .end
            .checked_add(distance)
            .filter(|&end| end <= MAX_BYTES.get())?;
        for block in self.items.iter_mut().flatten().filter(above) {
            block.offset += distance;
        }
        // The order of free blocks stays the same: all of them move by the same distance.
        for (offset, size) in self.free.split_off(&from) {
            self.by_size.remove(&(size, offset));
            self.by_size.insert((size, offset + distance));
            self.free.insert(offset + distance, size);
        }
        self.insert_free(from, distance);
        Some(())
    }

    /// Removes `size` bytes at `offset` from the free block that contains them.
    fn take(&mut self, offset: u64, size: u64) {
        let around = self.free.range(..=offset).next_back();
        let Some((start, free)) = around.map(|(&start, &free)| (start, free)) else {
            return;
        };
        self.remove_free(start, free);
        // Alignment may leave bytes free below the item as well.
        self.insert_free(start, offset - start);
        self.insert_free(offset + size, start + free - (offset + size));
    }

    fn insert_free(&mut self, mut offset: u64, mut size: u64) {
        if size == 0 {
            return;
        }
        let below = self.free.range(..offset).next_back().map(|(&o, &s)| (o, s));
        if let Some((start, free)) = below.filter(|&(start, free)| start + free == offset) {
            self.remove_free(start, free);
            (offset, size) = (start, free + size);
        }
        if let Some(&free) = self.free.get(&(offset + size)) {
            self.remove_free(offset + size, free);
            size += free;
        }
        self.free.insert(offset, size);
        self.by_size.insert((size, offset));
    }

    fn remove_free(&mut self, offset: u64, size: u64) {
        self.free.remove(&offset);
        self.by_size.remove(&(size, offset));
    }
}

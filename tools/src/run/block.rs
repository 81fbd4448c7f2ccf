//! Guarded memory: an allocation between two guard zones, filled with garbage.
//!
//! A write up to 64 bytes before or after the allocation damages a guard zone, which
//! [`Block::damage`] reports. A read of unwritten bytes yields garbage that differs between runs,
//! so results differ. The address has exactly the requested alignment, so code that relies on more
//! fails. Not detected: reads out of bounds, and writes that skip the guard zone.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

/// Size in bytes from which a block begins at the start of a page, apart from its guard zone: that from which
/// glibc gives a block pages of its own by default. Where it gets them from depends on what the process has
/// allocated before, which must not decide how fast programs run.
const LARGE: usize = 128 << 10;

/// Size of a page in bytes.
const PAGE: usize = 4096;

/// Minimum size of a guard zone in bytes.
const GUARD: usize = 64;

/// The contents of guard zones.
const GUARD_BYTE: u8 = 0xC5;

/// An eight-byte pattern that memory is filled with repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern(pub u64);

impl Pattern {
    pub(super) fn fill(self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.to_le_bytes()[..chunk.len()]);
        }
    }

    fn fills(self, bytes: &[u8]) -> bool {
        let word = self.0.to_le_bytes();
        bytes.chunks(8).all(|chunk| *chunk == word[..chunk.len()])
    }
}

/// A guarded allocation.
pub(super) struct Block {
    base: NonNull<u8>,
    layout: Layout,
    /// Bytes from `base` to the first usable byte.
    lead: usize,
    size: usize,
}

impl Block {
    /// Allocates `size` bytes of garbage at a multiple of `alignment`, a power of two, but not at a
    /// multiple of twice that. `None` if memory is exhausted or the size overflows.
    pub(super) fn new(size: usize, alignment: usize, garbage: Pattern) -> Option<Self> {
        let alignment = alignment.max(1);
        // An odd multiple of the alignment, so that the address is not aligned to twice that.
        let lead = if alignment < GUARD {
            GUARD + alignment
        } else {
            alignment
        };
        let total = lead.checked_add(size)?.checked_add(GUARD)?;
        let unit = if size < LARGE { 1 } else { PAGE };
        let layout = Layout::from_size_align(total, alignment.checked_mul(2)?.max(unit)).ok()?;
        // SAFETY: the layout is not empty, since it includes the guard zones.
        let base = NonNull::new(unsafe { alloc(layout) })?;
        // SAFETY: the allocation has `total` bytes and is owned exclusively; all of them are
        // written before a slice of them is created.
        unsafe { base.as_ptr().write_bytes(GUARD_BYTE, total) };
        let mut block = Self {
            base,
            layout,
            lead,
            size,
        };
        block.fill(garbage);
        Some(block)
    }

    /// The first usable byte.
    pub(super) fn address(&self) -> *mut u8 {
        // SAFETY: `lead` is inside the allocation.
        unsafe { self.base.as_ptr().add(self.lead) }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The usable bytes. Compiled code must not be running.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.everything()[self.lead..self.lead + self.size]
    }

    /// The usable bytes. Compiled code must not be running.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the range is inside the allocation, was initialized when the block was created,
        // and is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.address(), self.size) }
    }

    pub(super) fn fill(&mut self, pattern: Pattern) {
        pattern.fill(self.bytes_mut());
    }

    /// Whether every usable byte is as `fill` left it.
    pub(super) fn is_filled_with(&self, pattern: Pattern) -> bool {
        pattern.fills(self.bytes())
    }

    /// Byte offset of the nearest damage from the start of the block, negative before the start.
    /// `None` if both guard zones are intact. Damage after the end takes precedence.
    pub(super) fn damage(&self) -> Option<i64> {
        let (before, rest) = self.everything().split_at(self.lead);
        let after = &rest[self.size..];
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        if let Some(n) = after.iter().position(|byte| *byte != GUARD_BYTE) {
            return Some(signed(self.size + n));
        }
        let n = before.iter().rev().position(|byte| *byte != GUARD_BYTE)?;
        Some(-1 - signed(n))
    }

    fn everything(&self) -> &[u8] {
        // SAFETY: the allocation has that size, and every byte was initialized when it was created.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.layout.size()) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and freed only here.
        unsafe { dealloc(self.base.as_ptr(), self.layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GARBAGE: Pattern = Pattern(0x0123_4567_89AB_CDEF);

    #[test]
    fn large_blocks_begin_at_equal_offsets_in_a_page() {
        let blocks = [LARGE, LARGE, 3 * LARGE].map(|size| Block::new(size, 64, GARBAGE).unwrap());
        for block in blocks {
            assert_eq!(block.address() as usize % PAGE, 64);
        }
    }

    #[test]
    fn alignment_is_honoured_and_not_exceeded() {
        for alignment in [1, 2, 16, 64, 4096] {
            let block = Block::new(10, alignment, GARBAGE).unwrap();
            let address = block.address() as usize;
            assert_eq!(address % alignment, 0);
            assert_ne!(address % (2 * alignment), 0);
        }
    }

    #[test]
    fn writes_past_either_end_are_noticed() {
        for (offset, expected) in [(-1, Some(-1)), (10, Some(10)), (9, None), (73, Some(73))] {
            let block = Block::new(10, 16, GARBAGE).unwrap();
            assert_eq!(block.damage(), None);
            // SAFETY: guard zones belong to the allocation.
            unsafe { block.address().offset(offset).write(0) };
            assert_eq!(block.damage(), expected);
        }
    }

    #[test]
    fn a_fill_that_is_written_over_is_noticed() {
        let mut block = Block::new(13, 16, GARBAGE).unwrap();
        assert!(block.is_filled_with(GARBAGE));
        block.bytes_mut()[12] = 0;
        assert!(!block.is_filled_with(GARBAGE));
    }

    #[test]
    fn requests_that_no_heap_can_satisfy_are_refused() {
        assert!(Block::new(usize::MAX - 100, 64, GARBAGE).is_none());
        assert!(Block::new(8, 1 << 63, GARBAGE).is_none());
    }
}

//! The memory that a group takes, and how rows are kept between tiles.

use mem_model::RowMap;

use super::schedule::{Schedule, Step};

/// Where rows are kept that the next tile needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// In a buffer of their own, from which the next tile copies them to its window. Only these rows
    /// take memory outside the operations that access the window.
    Apart,
    /// In the window, at the start of which the next tile expects them. That takes one copy instead
    /// of two.
    InPlace,
    /// Nowhere, as far as they can be computed again. Others are kept apart.
    Recompute,
}

/// Memory that a group takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Footprint {
    /// The most bytes of windows and kept rows in use at once.
    pub(super) peak: u64,
    /// Bytes of the rows that one tile copies, to keep or to restore them.
    pub(super) copied: u64,
    /// Number of these copies.
    pub(super) copies: u64,
    /// Number of tiles.
    pub(super) tiles: i64,
}

/// The most rows that a window has, and the most that are kept of it.
pub(super) type Rows = (i64, i64);

/// Number of copies that move the kept rows of a window to its start, whose sources and targets do not overlap:
/// about as often is each row copied.
pub(super) fn moves((rows, kept): Rows) -> i64 {
    let step = (rows - kept).max(1);
    (kept + step - 1) / step
}

impl Schedule<'_> {
    /// Memory of the group with given windows, whose rows are all kept in the same way. Linear.
    pub(super) fn footprint_of(&self, windows: &[Rows], tiles: i64, keep: Keep) -> Footprint {
        self.footprint_with(windows, tiles, |_| keep == Keep::InPlace)
    }

    /// The windows whose rows are kept in place, and the memory of the group. If rows are kept
    /// apart to save memory, those of which that saves none are kept in place nevertheless. Takes
    /// time O(windows · operations).
    pub(super) fn choose_in_place(
        &self,
        windows: &[Rows],
        tiles: i64,
        keep: Keep,
    ) -> (Vec<bool>, Footprint) {
        let mut chosen = vec![keep == Keep::InPlace; windows.len()];
        let mut best = self.footprint_with(windows, tiles, |slot| chosen[slot]);
        for slot in (0..windows.len()).filter(|slot| windows[*slot].1 > 0) {
            if chosen[slot] {
                continue;
            }
            chosen[slot] = true;
            let own = self.footprint_with(windows, tiles, |slot| chosen[slot]);
            match own.peak <= best.peak {
                true => best = own,
                false => chosen[slot] = false,
            }
        }
        (chosen, best)
    }

    /// The most bytes in use while a tile is executed. Linear.
    fn footprint_with(
        &self,
        windows: &[Rows],
        tiles: i64,
        is_in_place: impl Fn(usize) -> bool,
    ) -> Footprint {
        let n = self.operations.len();
        // Changes before and after each operation, and the rows that are in use twice before it,
        // while they are restored.
        let (mut opened, mut closed, mut restored) = (vec![0; n], vec![0; n], vec![0; n]);
        let mut current = 0;
        let (mut copied, mut copies) = (0, 0);
        for (index, (slot, own)) in self.buffers.iter().zip(windows).enumerate() {
            if !slot.is_window {
                continue;
            }
            let (rows, kept) = (
                self.window_bytes(index, own.0),
                self.window_bytes(index, own.1),
            );
            if own.1 > 0 && is_in_place(index) {
                current += rows;
                copied += kept;
                // Rows are moved in steps that do not overlap.
                copies += moves(*own);
                continue;
            }
            current += kept;
            copied += 2 * kept;
            copies += 2 * i64::from(kept > 0);
            restored[slot.first] += kept;
            // While the window is in use, the rows that are kept between tiles are in the window.
            opened[slot.first] += rows - kept;
            closed[slot.last] += rows - kept;
        }
        let mut peak = 0;
        for (at, step) in self.operations.iter().enumerate() {
            peak = peak.max(current + restored[at]);
            current += opened[at];
            peak = peak.max(current - self.reused(at, step, windows));
            current -= closed[at];
        }
        Footprint {
            peak: peak.unsigned_abs(),
            copied: copied.unsigned_abs(),
            copies: copies.unsigned_abs(),
            tiles,
        }
    }

    /// Bytes of rows of a window.
    fn window_bytes(&self, slot: usize, rows: i64) -> i64 {
        let own = &self.buffers[slot];
        let buffer = &self.program.buffers[own.buffer.index()];
        buffer.rows_bytes(own.dimension, rows).get() as i64
    }

    /// Bytes of an operand that a result of the operation can take over.
    fn reused(&self, at: usize, step: &Step, windows: &[Rows]) -> i64 {
        let bytes = |slot: usize| self.window_bytes(slot, windows[slot].0);
        let ends = |slot: usize| {
            let own = &self.buffers[slot];
            own.is_window && own.last == at && windows[slot].1 == 0
        };
        let starts = |slot: usize| {
            let own = &self.buffers[slot];
            own.is_window && own.first == at && windows[slot].1 == 0
        };
        let pair = |(write, map): &(usize, RowMap)| {
            let same = |(read, other): &&(usize, RowMap)| {
                ends(*read) && other.scale == map.scale && bytes(*read) == bytes(*write)
            };
            let found = step.reads.iter().find(same).filter(|_| starts(*write));
            found.map_or(0, |_| bytes(*write))
        };
        step.writes.iter().map(pair).sum()
    }
}

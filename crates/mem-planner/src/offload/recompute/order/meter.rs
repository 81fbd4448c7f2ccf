//! Bytes in excess of the room, and how they change if more or fewer bytes are in use.
//!
//! A change adds bytes to long stretches of an order, of which most positions are far from the room, or
//! far above it. Summaries of blocks tell where the excess does not change, so that only the other
//! positions are looked at.

use std::cell::Cell;

use super::Excess;

/// Number of positions in a block.
const BLOCK: usize = 32;

/// Number of positions that are looked at together.
const LANES: usize = 8;

/// Counts bytes in excess.
pub(super) struct Meter {
    excess: Excess,
    /// Granules in excess at the last position.
    last: i32,
    pub sum: i64,
}

impl Meter {
    pub(super) fn new(excess: Excess, last: Option<i32>) -> Self {
        Self {
            excess,
            last: last.map_or(0, |last| last.max(0)),
            sum: 0,
        }
    }

    /// Adds positions.
    pub(super) fn add(&mut self, over: &[i32]) {
        for over in over {
            let over = (*over).max(0);
            self.sum += i64::from(match self.excess {
                Excess::Forbidden => over,
                Excess::Copied { .. } => (over - self.last).max(0),
            });
            self.last = over;
        }
    }
}

/// Least and most granules in excess, per block of positions; `None` if they are not known.
#[derive(Default)]
pub(super) struct Blocks(Vec<Cell<Option<(i32, i32)>>>);

impl Blocks {
    /// There are so many positions now, and those in `[from, until)` are others. Their summaries follow when they
    /// are asked for: changes follow each other, and each looks at few of them.
    pub(super) fn forget(&mut self, n_positions: usize, from: usize, until: usize) {
        let n_blocks = n_positions.div_ceil(BLOCK);
        self.0.resize(n_blocks, Cell::new(None));
        let end = until.div_ceil(BLOCK).min(n_blocks);
        if let Some(changed) = self.0.get_mut(from / BLOCK..end) {
            changed.fill(Cell::new(None));
        }
    }

    /// So many granules more are in use at the positions `[start, end)`.
    pub(super) fn add(&self, start: usize, end: usize, added: i32) {
        for block in start / BLOCK..end.div_ceil(BLOCK).min(self.0.len()) {
            let is_whole = start <= block * BLOCK && (block + 1) * BLOCK <= end;
            let known = self.0[block].get().filter(|_| is_whole);
            let ends = known.map(|(least, most)| (least + added, most + added));
            self.0[block].set(ends);
        }
    }

    fn ends(&self, over: &[i32], block: usize) -> (i32, i32) {
        self.0[block].get().unwrap_or_else(|| {
            let end = over.len().min((block + 1) * BLOCK);
            let found = ends(&over[block * BLOCK..end]);
            self.0[block].set(Some(found));
            found
        })
    }

    /// Change of the excess, as [`Meter`] counts it, if `added` granules more are in use at the
    /// positions `[start, end)`; where increases are counted, without that at `start`. Calls `stop` with
    /// the changes up to the end of each block that is looked at, and ends if it returns true.
    pub(super) fn change(
        &self,
        excess: Excess,
        over: &[i32],
        (start, end): (usize, usize),
        added: i32,
        mut stop: impl FnMut(i64) -> bool,
    ) -> i64 {
        if added == 0 || start >= end {
            return 0;
        }
        let counts_rises = matches!(excess, Excess::Copied { .. });
        let mut at = start + usize::from(counts_rises);
        let mut sum = 0;
        while at < end {
            let next = end.min((at / BLOCK + 1) * BLOCK);
            let (mut least, mut most) = self.ends(over, at / BLOCK);
            // The first position is compared with the one before.
            if counts_rises {
                (least, most) = (least.min(over[at - 1]), most.max(over[at - 1]));
            }
            let stays = most.saturating_add(added.max(0)) <= 0;
            let is_above = least.saturating_add(added.min(0)) >= 0;
            if !stays && is_above && !counts_rises {
                sum += i64::from(added) * (next - at) as i64;
            } else if !stays && !is_above {
                sum += match counts_rises {
                    true => rises(&over[at - 1..next - 1], &over[at..next], added),
                    false => increase(&over[at..next], added),
                };
                if stop(sum) {
                    break;
                }
            }
            at = next;
        }
        sum
    }
}

/// The least and the most. Lanes, which the compiler vectorizes.
fn ends(over: &[i32]) -> (i32, i32) {
    let mut ends = [[i32::MAX; LANES], [i32::MIN; LANES]];
    for own in over.chunks(LANES) {
        let [least, most] = &mut ends;
        for ((least, most), own) in least.iter_mut().zip(most).zip(own) {
            *least = (*least).min(*own);
            *most = (*most).max(*own);
        }
    }
    let [least, most] = ends;
    let least = least.into_iter().min().unwrap_or_default();
    (least, most.into_iter().max().unwrap_or_default())
}

/// Change of the sum of what is above zero.
fn increase(over: &[i32], added: i32) -> i64 {
    sum_of(over, over, |over, _| (over + added).max(0) - over.max(0))
}

/// Change of the sum by which what is above zero increases, from each of `ones` to the one of `others`.
fn rises(ones: &[i32], others: &[i32], added: i32) -> i64 {
    sum_of(ones, others, |one, other| {
        let rise = |added: i32| ((other + added).max(0) - (one + added).max(0)).max(0);
        rise(added) - rise(0)
    })
}

/// Sum of a function over pairs of elements at equal indices, at most a [`BLOCK`] of them.
///
/// Partial sums of 32 bits, which the compiler vectorizes: most of the search for orders is spent here.
/// They do not overflow, because all values together have less than 2^29 granules.
fn sum_of(ones: &[i32], others: &[i32], each: impl Fn(i32, i32) -> i32) -> i64 {
    let (ones, others) = (ones.chunks_exact(LANES), others.chunks_exact(LANES));
    let rest: i64 = (ones.remainder().iter().zip(others.remainder()))
        .map(|(one, other)| i64::from(each(*one, *other)))
        .sum();
    let mut sums = [0_i32; LANES];
    for (ones, others) in ones.zip(others) {
        for (sum, (one, other)) in sums.iter_mut().zip(ones.iter().zip(others)) {
            *sum += each(*one, *other);
        }
    }
    sums.iter().copied().map(i64::from).sum::<i64>() + rest
}

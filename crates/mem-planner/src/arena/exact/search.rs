//! Decides whether all blocks fit a capacity: a search over canonical placements.
//!
//! In a canonical placement every block lies at 0, on top of a neighbour, or on top of something
//! fixed (rounded up to its alignment), and blocks are placed in ascending order of offset, then of
//! rank. Pushing the blocks of any placement down makes it canonical. Each step therefore places a
//! block at its lowest offset above the blocks placed so far, and never below the last one placed.
//! A block that is passed over at its lowest offset must be raised by a neighbour later.
//!
//! A branch is pruned if, in some section, the lowest offset of the remaining blocks plus the sum
//! of their sizes exceeds the capacity. A block that fits below all its remaining neighbours is
//! placed without an alternative. The remaining blocks split into groups that share no section;
//! each group is searched on its own. Related work: Moffitt, "MiniMalloc: a lightweight memory
//! allocator for hardware-accelerated machine learning", 2023.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::shape::{Block, Shape};
use crate::arena::limits::Clock;
use crate::arena::tuning;

/// A placement: its offset and its rank. Placements are in ascending order of their keys.
type Key = (u64, u32);

/// A candidate for the next placement: lowest offset, rank, block.
type Candidate = (u64, u32, u32);

/// Candidates, the lowest first.
type Candidates = BinaryHeap<Reverse<Candidate>>;

/// Outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Fits,
    DoesNotFit,
    OutOfBudget,
}

pub(super) struct Search<'s> {
    shape: &'s Shape,
    capacity: u64,
    /// Per block: its rank, which breaks ties; lower ranks come first.
    rank: Vec<u32>,
    /// Per block: its lowest offset above the blocks placed so far.
    lowest: Vec<u64>,
    is_placed: Vec<bool>,
    offsets: Vec<u64>,
    /// Per section: number of bytes not placed yet.
    left: Vec<u64>,
    /// Per boundary before a section: number of unplaced blocks whose reach crosses it.
    crossing: Vec<u32>,
    /// Undo log: blocks and the previous values of `lowest`.
    trail: Vec<(u32, u64)>,
    /// Scratch, per block: lower bound on its offset in any completion of the current placement.
    bounds: Vec<u64>,
    /// Scratch, per section: the smallest of those bounds among the blocks live in it.
    floors: Vec<u64>,
    /// Scratch, per section and past the last one: see [`Search::paint_floors`].
    next: Vec<u32>,
    /// Per block: number of sections in which it is live.
    widths: Vec<u64>,
    /// Per block: number of pruned branches it was involved in.
    failures: Vec<u32>,
    work: u64,
    budget: u64,
    clock: Clock<'s>,
    n_steps: u32,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        shape: &'s Shape,
        capacity: u64,
        rank: Vec<u32>,
        budget: u64,
        clock: Clock<'s>,
    ) -> Self {
        let n = shape.items.len();
        let mut crossing = vec![0; shape.n_sections + 1];
        for hull in &shape.reach {
            // Only inner boundaries: at an end of its hull, a block lies on one side alone.
            for boundary in hull.start + 1..hull.end {
                crossing[boundary as usize] += 1;
            }
        }
        Self {
            shape,
            capacity,
            rank,
            // A wall may rule out offset 0.
            lowest: shape.items.iter().map(|item| item.settle(0)).collect(),
            is_placed: vec![false; n],
            offsets: vec![0; n],
            left: shape.live_bytes(),
            crossing,
            trail: Vec::new(),
            bounds: vec![0; n],
            floors: vec![0; shape.n_sections],
            next: vec![0; shape.n_sections + 1],
            widths: shape.items.iter().map(Block::width).collect(),
            failures: vec![0; n],
            work: 0,
            budget,
            clock,
            n_steps: 0,
        }
    }

    pub(super) fn run(&mut self) -> Answer {
        let mut all: Vec<u32> = (0..self.shape.items.len() as u32).collect();
        all.sort_unstable_by_key(|block| self.rank[*block as usize]);
        // The problem may consist of independent parts from the beginning.
        self.groups(all, None)
    }

    pub(super) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    pub(super) fn failures(&self) -> &[u32] {
        &self.failures
    }

    /// Work done so far, in examined blocks.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Splits the remaining blocks into groups that share no section, and searches each group.
    fn groups(&mut self, blocks: Vec<u32>, last: Option<Key>) -> Answer {
        let mut groups = self.split(blocks);
        // Smallest first: if one group does not fit, the others need not be searched.
        groups.sort_by_key(Vec::len);
        let mark = self.trail.len();
        let mut solved: Vec<u32> = Vec::new();
        for mut group in groups {
            group.sort_unstable_by_key(|block| self.rank[*block as usize]);
            let answer = match self.universal(&group, last) {
                Some(block) => self.bottom(block, &group),
                None => self.group(&group, last),
            };
            if answer != Answer::Fits {
                // Groups do not influence each other: other placements of the solved ones would not
                // help this one.
                self.take_back(&solved, mark);
                return answer;
            }
            solved.extend(group);
        }
        Answer::Fits
    }

    /// Splits blocks at the boundaries that no block crosses.
    fn split(&self, mut blocks: Vec<u32>) -> Vec<Vec<u32>> {
        let hull = |block: u32| self.shape.reach[block as usize];
        blocks.sort_unstable_by_key(|block| hull(*block).start);
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut end = 0;
        for block in blocks {
            // Nothing seen so far reaches this block, or a later one: they are sorted by start.
            if groups.is_empty() || hull(block).start >= end {
                groups.push(Vec::new());
            }
            end = end.max(hull(block).end);
            groups.last_mut().expect("just pushed").push(block);
        }
        groups
    }

    /// Returns a block that conflicts completely with every other block of the group and may be
    /// placed at the bottom without loss of generality: every other block lies above or below it,
    /// and exchanging it with what lies below keeps the placement valid. The exchange requires that
    /// all blocks start at the same level and that the block's size preserves alignments.
    fn universal(&self, group: &[u32], last: Option<Key>) -> Option<u32> {
        let shape = self.shape;
        let item = |block: u32| &shape.items[block as usize];
        let base = self.lowest[group[0] as usize];
        let is_level =
            |block: &u32| self.lowest[*block as usize] == base && item(*block).walls.is_empty();
        // A base below the last placement would break the canonical order.
        if group.len() > tuning::MAX_UNIVERSAL
            || last.is_some_and(|last| base < last.0)
            || !group.iter().all(is_level)
        {
            return None;
        }
        let alignment = group.iter().map(|block| item(*block).alignment).max()?;
        let is_above_or_below_all = |block: &&u32| {
            let size = item(**block).size;
            let neighbours = shape.neighbours[**block as usize].iter();
            let whole = neighbours.filter(|other| {
                let index = other.block as usize;
                let is_left = !self.is_placed[index] && group.contains(&other.block);
                // At a smaller distance, the two may overlap in part, and neither lies above the
                // other.
                is_left && other.rise == size && other.fall == shape.items[index].size
            });
            size.is_multiple_of(alignment)
                && base.is_multiple_of(alignment)
                && whole.count() == group.len() - 1
        };
        // A universal block has all others as neighbours, so none has more: one candidate suffices.
        let longest = group
            .iter()
            .max_by_key(|block| shape.neighbours[**block as usize].len());
        longest.filter(is_above_or_below_all).copied()
    }

    /// Places a block of a group at the bottom, and searches the rest.
    fn bottom(&mut self, block: u32, group: &[u32]) -> Answer {
        let mark = self.trail.len();
        let offset = self.lowest[block as usize];
        self.work += group.len() as u64;
        // A block that does not fit at its lowest offset fits nowhere.
        if offset + self.shape.items[block as usize].size > self.capacity {
            self.failures[block as usize] += 1;
            return Answer::DoesNotFit;
        }
        self.place(block, offset);
        let rest: Vec<u32> = group.iter().copied().filter(|b| *b != block).collect();
        if rest.is_empty() {
            return Answer::Fits;
        }
        // There is no alternative to try if this fails: any placement can be exchanged into this one.
        let answer = self.groups(rest, Some((offset, self.rank[block as usize])));
        if answer != Answer::Fits {
            self.take_back(&[block], mark);
        }
        answer
    }

    /// Searches placements of `group` that come after `last` in canonical order.
    fn group(&mut self, group: &[u32], last: Option<Key>) -> Answer {
        self.work += group.len() as u64;
        if self.work > self.budget || self.is_late() {
            return Answer::OutOfBudget;
        }
        let Some((mut candidates, lowest_top)) = self.candidates(group, last) else {
            return Answer::DoesNotFit;
        };
        while let Some(Reverse((offset, rank, block))) = candidates.pop() {
            // All remaining blocks would lie at or above `offset`, although one of them fits
            // entirely below it. Such a placement is not canonical.
            if offset >= lowest_top {
                break;
            }
            let is_below_all = self.is_below_all(block, offset);
            let mark = self.trail.len();
            self.place(block, offset);
            let answer = self.rest(group, block, (offset, rank));
            if answer == Answer::Fits {
                return answer;
            }
            self.take_back(&[block], mark);
            // If the block restricts no other block there, no alternative can do better.
            if answer == Answer::OutOfBudget || is_below_all {
                return answer;
            }
        }
        Answer::DoesNotFit
    }

    /// Whether a block at an offset ends below all of its neighbours that are not placed yet.
    fn is_below_all(&self, block: u32, offset: u64) -> bool {
        // In canonical order, later placements lie at or above `offset`, even where a neighbour's
        // lowest offset is below it.
        let mut neighbours = self.shape.neighbours[block as usize].iter();
        neighbours.all(|other| {
            let index = other.block as usize;
            self.is_placed[index] || self.lowest[index].max(offset) >= offset + other.rise
        })
    }

    /// Searches the blocks of a group other than the one that was just placed.
    fn rest(&mut self, group: &[u32], block: u32, last: Key) -> Answer {
        let rest: Vec<u32> = group.iter().copied().filter(|b| *b != block).collect();
        let hull = self.shape.reach[block as usize];
        // The group falls apart if no remaining block crosses some boundary of this hull.
        let is_cut = (hull.start + 1..hull.end).any(|at| self.crossing[at as usize] == 0);
        // Only a cut is worth a call of `groups`, which sorts and splits the group.
        match (rest.is_empty(), is_cut) {
            (true, _) => Answer::Fits,
            (_, true) => self.groups(rest, Some(last)),
            (_, false) => self.group(&rest, Some(last)),
        }
    }

    /// Returns whether the time is up. Looks at the clock only every
    /// [`tuning::STEPS_PER_CLOCK`] calls.
    fn is_late(&mut self) -> bool {
        self.n_steps += 1;
        self.n_steps.is_multiple_of(tuning::STEPS_PER_CLOCK) && self.clock.is_over()
    }

    /// Returns the blocks that may be placed next, lowest offset first, and the lowest top that any
    /// remaining block may have. `None` if the remaining blocks cannot fit. Most searches ask for the
    /// first few candidates only, which a heap finds without sorting all.
    fn candidates(&mut self, group: &[u32], last: Option<Key>) -> Option<(Candidates, u64)> {
        // No remaining block is placed below the last one.
        let base = last.map_or(0, |(offset, _)| offset);
        for &block in group {
            let bound = self.lowest[block as usize].max(base);
            self.bounds[block as usize] = self.settled(block as usize, bound);
        }
        let mut candidates = Vec::with_capacity(group.len());
        let mut raised: Vec<(usize, u64)> = Vec::new();
        for &block in group {
            let index = block as usize;
            let key = (self.lowest[index], self.rank[index]);
            // A key below the last one: the search has passed over this block at its lowest offset.
            match last.is_none_or(|last| key > last) {
                true => candidates.push(Reverse((key.0, key.1, block))),
                false => raised.push((index, self.raised(index)?)),
            }
        }
        // Only now: the bounds of raised blocks are derived from those of their neighbours, and must
        // not depend on the order of the group.
        for (index, bound) in raised {
            self.bounds[index] = self.bounds[index].max(bound);
        }
        let lowest_top = self.check_sections(group)?;
        // Ranks are unique, so the order is total and the search deterministic.
        Some((candidates.into(), lowest_top))
    }

    /// Lower bound on the offset of a block that was passed over at its lowest offset: a neighbour
    /// has to be placed below it first. `None` if it would not fit then.
    fn raised(&mut self, index: usize) -> Option<u64> {
        let others = self.shape.neighbours[index].iter();
        let tops = others
            .filter(|other| !self.is_placed[other.block as usize])
            .map(|other| self.bounds[other.block as usize] + other.fall);
        // Any of them may be the one below, so only the lowest top is certain. Without an unplaced
        // neighbour, nothing raises the block any more.
        let bound = tops.min().map(|top| self.settled(index, top));
        let bound = bound.filter(|b| b + self.shape.items[index].size <= self.capacity);
        if bound.is_none() {
            self.failures[index] += 1;
        }
        bound
    }

    /// Checks that, in every section, the blocks of a group fit above the lowest of their bounds.
    /// Returns the lowest top of any block; `None` if some section is full.
    fn check_sections(&mut self, group: &[u32]) -> Option<u64> {
        let shape = self.shape;
        let hulls = group
            .iter()
            .map(|block| shape.items[*block as usize].hull());
        let (start, end) = hulls.fold((u32::MAX, 0), |(start, end), hull| {
            (start.min(hull.start), end.max(hull.end))
        });
        // The neutral element of the minimum: sections in which no block of the group is live.
        self.floors[start as usize..end as usize].fill(u64::MAX);
        let tops = group.iter().map(|block| {
            let index = *block as usize;
            self.bounds[index] + shape.items[index].size
        });
        let lowest_top = tops.min().unwrap_or(u64::MAX);
        let width = |block: &u32| self.widths[*block as usize];
        let total_width: u64 = group.iter().map(width).sum();
        match total_width > tuning::WIDE * group.len() as u64 {
            true => self.paint_floors(group, start, end),
            false => self.lower_floors(group),
        }
        // Unplaced blocks that share a section are in one group, so `left` counts only blocks of
        // this group.
        let is_full = |section: &u32| {
            let floor = self.floors[*section as usize];
            floor != u64::MAX && floor + self.left[*section as usize] > self.capacity
        };
        match (start..end).find(is_full) {
            Some(section) => {
                self.blame(group, section);
                None
            }
            None => Some(lowest_top),
        }
    }

    /// Lowers the floor of each section to the bounds of the blocks that are live in it.
    fn lower_floors(&mut self, group: &[u32]) {
        for &block in group {
            let bound = self.bounds[block as usize];
            for range in &self.shape.items[block as usize].live {
                for floor in &mut self.floors[range.start as usize..range.end as usize] {
                    *floor = bound.min(*floor);
                }
            }
        }
    }

    /// As [`lower_floors`](Self::lower_floors), for sections `[start, end)`: visits each section once,
    /// at the block with the lowest bound. O(n log n) for n blocks, however long they are live.
    fn paint_floors(&mut self, group: &[u32], start: u32, end: u32) {
        let mut by_bound: Vec<(u64, u32)> = Vec::with_capacity(group.len());
        by_bound.extend(
            group
                .iter()
                .map(|block| (self.bounds[*block as usize], *block)),
        );
        by_bound.sort_unstable();
        // Per section: itself if it has no floor yet, or else a section between itself and the next one
        // without a floor. The section past the end never gets one.
        for section in start..=end {
            self.next[section as usize] = section;
        }
        for (bound, block) in by_bound {
            for range in &self.shape.items[block as usize].live {
                let mut section = next_free(&mut self.next, range.start);
                while section < range.end {
                    self.floors[section as usize] = bound;
                    self.next[section as usize] = section + 1;
                    section = next_free(&mut self.next, section + 1);
                }
            }
        }
    }

    fn blame(&mut self, group: &[u32], section: u32) {
        // The blocks live in the full section compete for its bytes; others are not to blame.
        for &block in group {
            let live = &self.shape.items[block as usize].live;
            if live
                .iter()
                .any(|range| range.start <= section && section < range.end)
            {
                self.failures[block as usize] += 1;
            }
        }
    }

    fn settled(&self, block: usize, offset: u64) -> u64 {
        self.shape.items[block].settle(offset)
    }

    fn place(&mut self, block: u32, offset: u64) {
        let shape = self.shape;
        let item = &shape.items[block as usize];
        self.is_placed[block as usize] = true;
        self.offsets[block as usize] = offset;
        for range in &item.live {
            for left in &mut self.left[range.start as usize..range.end as usize] {
                *left -= range.bytes;
            }
        }
        let hull = shape.reach[block as usize];
        for boundary in hull.start + 1..hull.end {
            self.crossing[boundary as usize] -= 1;
        }
        // Neighbours that are placed later lie above this block. `lowest` only rises on the way down
        // the search tree; the trail restores it.
        for other in &shape.neighbours[block as usize] {
            let index = other.block as usize;
            let top = self.settled(index, offset + other.rise);
            if !self.is_placed[index] && self.lowest[index] < top {
                self.trail.push((other.block, self.lowest[index]));
                self.lowest[index] = top;
            }
        }
    }

    fn take_back(&mut self, blocks: &[u32], mark: usize) {
        // In reverse, since a block may have been raised several times.
        for (block, lowest) in self.trail.drain(mark..).rev() {
            self.lowest[block as usize] = lowest;
        }
        for &block in blocks {
            let item = &self.shape.items[block as usize];
            self.is_placed[block as usize] = false;
            for range in &item.live {
                for left in &mut self.left[range.start as usize..range.end as usize] {
                    *left += range.bytes;
                }
            }
            let hull = self.shape.reach[block as usize];
            for boundary in hull.start + 1..hull.end {
                self.crossing[boundary as usize] += 1;
            }
        }
    }
}

/// The first section from `section` on that has no floor yet. Shortens the path for the next question.
fn next_free(next: &mut [u32], section: u32) -> u32 {
    let mut free = section;
    while next[free as usize] != free {
        // Path halving keeps paths short without a second walk.
        next[free as usize] = next[next[free as usize] as usize];
        free = next[free as usize];
    }
    free
}

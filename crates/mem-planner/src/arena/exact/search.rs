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

use super::shape::{Block, Shape};
use crate::arena::limits::Clock;
use crate::arena::tuning;

/// A placement: its offset and its rank. Placements are in ascending order of their keys.
type Key = (u64, u32);

/// Outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Fits,
    DoesNotFit,
    OutOfBudget,
}

/// What each step reads of every remaining block.
#[derive(Clone, Copy)]
struct Outline {
    size: u64,
    width: u64,
    start: u32,
    end: u32,
}

pub(super) struct Search<'s> {
    shape: &'s Shape,
    capacity: u64,
    /// Per block: its lowest offset above the blocks placed so far, and its rank, which breaks ties;
    /// lower ranks come first. Ranks are unique, so the order is total and the search deterministic.
    ///
    /// Groups are in ascending order of these keys: a placement changes the keys of few blocks, so that
    /// the candidates for the next one need not be sorted at each step.
    keys: Vec<Key>,
    is_placed: Vec<bool>,
    offsets: Vec<u64>,
    /// Per section: number of bytes not placed yet.
    left: Vec<u64>,
    /// Per boundary before a section: number of unplaced blocks whose reach crosses it.
    crossing: Vec<u32>,
    /// Undo log: blocks and their previous lowest offsets.
    trail: Vec<(u32, u64)>,
    /// Scratch: a lower bound on the offset of each block of a group, in any completion of the current
    /// placement.
    bounds: Vec<(u64, u32)>,
    /// Scratch, per section: the smallest of those bounds among the blocks live in it.
    floors: Vec<u64>,
    /// Scratch, per section and past the last one: see [`Search::paint_floors`].
    next: Vec<u32>,
    /// Scratch, per block: whether the last placement has raised it.
    is_moved: Vec<bool>,
    /// Per block: its size, the hull of its live sections, and the number of them. Beside each other
    /// they are read without following the pointers of `shape`.
    outlines: Vec<Outline>,
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
            // A wall may rule out offset 0.
            keys: shape
                .items
                .iter()
                .zip(rank)
                .map(|(item, rank)| (item.settle(0), rank))
                .collect(),
            is_placed: vec![false; n],
            offsets: vec![0; n],
            left: shape.live_bytes(),
            crossing,
            trail: Vec::new(),
            bounds: Vec::new(),
            floors: vec![0; shape.n_sections],
            next: vec![0; shape.n_sections + 1],
            is_moved: vec![false; n],
            outlines: shape.items.iter().map(Outline::of).collect(),
            failures: vec![0; n],
            work: 0,
            budget,
            clock,
            n_steps: 0,
        }
    }

    pub(super) fn run(&mut self) -> Answer {
        let all = (0..self.shape.items.len() as u32).collect();
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
            self.sort(&mut group);
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

    fn sort(&self, blocks: &mut [u32]) {
        blocks.sort_unstable_by_key(|block| self.keys[*block as usize]);
    }

    /// Returns a block that conflicts completely with every other block of the group and may be
    /// placed at the bottom without loss of generality: every other block lies above or below it,
    /// and exchanging it with what lies below keeps the placement valid. The exchange requires that
    /// all blocks start at the same level and that the block's size preserves alignments.
    fn universal(&self, group: &[u32], last: Option<Key>) -> Option<u32> {
        let shape = self.shape;
        let item = |block: u32| &shape.items[block as usize];
        let base = self.lowest(group[0]);
        let is_level = |block: &u32| self.lowest(*block) == base && item(*block).walls.is_empty();
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
            let neighbours = shape.neighbours(**block as usize);
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
            .max_by_key(|block| shape.n_neighbours(**block as usize));
        longest.filter(is_above_or_below_all).copied()
    }

    /// Places a block of a group at the bottom, and searches the rest.
    fn bottom(&mut self, block: u32, group: &[u32]) -> Answer {
        let mark = self.trail.len();
        let (offset, rank) = self.keys[block as usize];
        self.work += group.len() as u64;
        // A block that does not fit at its lowest offset fits nowhere.
        if offset + self.shape.items[block as usize].size > self.capacity {
            self.failures[block as usize] += 1;
            return Answer::DoesNotFit;
        }
        self.place(block, offset);
        let rest = self.remaining(group, block, mark);
        if rest.is_empty() {
            return Answer::Fits;
        }
        // There is no alternative to try if this fails: any placement can be exchanged into this one.
        let answer = self.groups(rest, Some((offset, rank)));
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
        // Keys up to the last one: the search has passed over these blocks at their lowest offsets.
        let n_raised = last.map_or(0, |last| {
            group.partition_point(|block| self.keys[*block as usize] <= last)
        });
        let (raised, candidates) = group.split_at(n_raised);
        let Some(lowest_top) = self.lowest_top(raised, candidates, last) else {
            return Answer::DoesNotFit;
        };
        for &block in candidates {
            let (offset, rank) = self.keys[block as usize];
            // All remaining blocks would lie at or above `offset`, although one of them fits
            // entirely below it. Such a placement is not canonical.
            if offset >= lowest_top {
                break;
            }
            let is_below_all = self.is_below_all(block, offset);
            let mark = self.trail.len();
            self.place(block, offset);
            let answer = self.rest(group, block, (offset, rank), mark);
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
        let mut neighbours = self.shape.neighbours(block as usize);
        neighbours.all(|other| {
            let index = other.block as usize;
            self.is_placed[index] || self.lowest(other.block).max(offset) >= offset + other.rise
        })
    }

    /// Searches the blocks of a group other than the one that was just placed; `mark`: the length of
    /// the trail before.
    fn rest(&mut self, group: &[u32], block: u32, last: Key, mark: usize) -> Answer {
        let rest = self.remaining(group, block, mark);
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

    /// A group without the block that was just placed, in ascending order. `mark`: the length of the
    /// trail before, past which are the blocks that the placement has raised. O(n + k log k) for k of
    /// them.
    fn remaining(&mut self, group: &[u32], block: u32, mark: usize) -> Vec<u32> {
        // A key and its block in one number, so that sorting follows no pointers.
        let packed = |block: u32| {
            let (offset, rank) = self.keys[block as usize];
            u128::from(offset) << 64 | u128::from(rank) << 32 | u128::from(block)
        };
        let raised = self.trail[mark..].iter();
        let mut moved: Vec<u128> = raised.map(|(block, _)| packed(*block)).collect();
        moved.sort_unstable();
        let block_of = |packed: u128| packed as u32;
        for packed in &moved {
            self.is_moved[block_of(*packed) as usize] = true;
        }
        let mut rest = Vec::with_capacity(group.len() - 1);
        let mut next = 0;
        for &own in group {
            if own == block || self.is_moved[own as usize] {
                continue;
            }
            let key = packed(own);
            while next < moved.len() && moved[next] < key {
                rest.push(block_of(moved[next]));
                next += 1;
            }
            rest.push(own);
        }
        rest.extend(moved[next..].iter().copied().map(block_of));
        for packed in moved {
            self.is_moved[block_of(packed) as usize] = false;
        }
        rest
    }

    /// Returns whether the time is up. Looks at the clock only every
    /// [`tuning::STEPS_PER_CLOCK`] calls.
    fn is_late(&mut self) -> bool {
        self.n_steps += 1;
        self.n_steps.is_multiple_of(tuning::STEPS_PER_CLOCK) && self.clock.is_over()
    }

    /// Returns the lowest top that any remaining block may have; `None` if the remaining blocks cannot
    /// fit. A group consists of the blocks that were passed over at their lowest offsets, and of the
    /// candidates for the next placement.
    fn lowest_top(&mut self, raised: &[u32], candidates: &[u32], last: Option<Key>) -> Option<u64> {
        // No remaining block is placed below the last one. Candidates lie at or above it anyway.
        let base = last.map_or(0, |(offset, _)| offset);
        let mut bounds = std::mem::take(&mut self.bounds);
        bounds.clear();
        if !raised.is_empty() {
            // In the order of ranks: the first one that does not fit is to blame.
            let mut by_rank = raised.to_vec();
            by_rank.sort_unstable_by_key(|block| self.keys[*block as usize].1);
            for block in by_rank {
                bounds.push((self.raised(block as usize, base)?, block));
            }
            bounds.sort_unstable();
        }
        bounds.extend(candidates.iter().map(|block| (self.lowest(*block), *block)));
        if !raised.is_empty() {
            // Two ascending runs, which this sort merges.
            bounds.sort();
        }
        let tops = bounds.iter();
        let tops = tops.map(|(bound, block)| bound + self.outlines[*block as usize].size);
        let lowest_top = tops.min().unwrap_or(u64::MAX);
        let full = self.full_section(&bounds);
        self.bounds = bounds;
        match full {
            Some(section) => {
                self.blame(raised.iter().chain(candidates), section);
                None
            }
            None => Some(lowest_top),
        }
    }

    /// Lower bound on the offset of a block that was passed over at its lowest offset: a neighbour
    /// has to be placed below it first. `base`: no remaining block is placed below it. `None` if the
    /// block would not fit then.
    fn raised(&mut self, index: usize, base: u64) -> Option<u64> {
        // Not the bounds of raised neighbours: a bound must not depend on the order of the group.
        let bound_of = |index: usize| match self.keys[index].0 >= base {
            true => self.keys[index].0,
            false => self.settled(index, base),
        };
        let others = self.shape.neighbours(index);
        let tops = others
            .filter(|other| !self.is_placed[other.block as usize])
            .map(|other| bound_of(other.block as usize) + other.fall);
        // Any of them may be the one below, so only the lowest top is certain. Without an unplaced
        // neighbour, nothing raises the block any more.
        let bound = tops.min().map(|top| self.settled(index, top));
        let bound = bound.filter(|b| b + self.shape.items[index].size <= self.capacity);
        let bound = bound.map(|bound| bound.max(bound_of(index)));
        if bound.is_none() {
            self.failures[index] += 1;
        }
        bound
    }

    /// Returns the first section in which the blocks of a group do not fit above the lowest of their
    /// bounds. `bounds`: the bound of each block, ascending.
    fn full_section(&mut self, bounds: &[(u64, u32)]) -> Option<u32> {
        let (mut start, mut end, mut total_width) = (u32::MAX, 0, 0);
        for (_, block) in bounds {
            let own = &self.outlines[*block as usize];
            (start, end) = (start.min(own.start), end.max(own.end));
            total_width += own.width;
        }
        // The neutral element of the minimum: sections in which no block of the group is live.
        self.floors[start as usize..end as usize].fill(u64::MAX);
        match total_width > tuning::WIDE * bounds.len() as u64 {
            true => self.paint_floors(bounds, start, end),
            false => self.lower_floors(bounds),
        }
        // Unplaced blocks that share a section are in one group, so `left` counts only blocks of
        // this group.
        let is_full = |section: &u32| {
            let floor = self.floors[*section as usize];
            floor != u64::MAX && floor + self.left[*section as usize] > self.capacity
        };
        (start..end).find(is_full)
    }

    /// Lowers the floor of each section to the bounds of the blocks that are live in it.
    fn lower_floors(&mut self, bounds: &[(u64, u32)]) {
        for &(bound, block) in bounds {
            for range in &self.shape.items[block as usize].live {
                for floor in &mut self.floors[range.start as usize..range.end as usize] {
                    *floor = bound.min(*floor);
                }
            }
        }
    }

    /// As [`lower_floors`](Self::lower_floors), for sections `[start, end)`: visits each section once,
    /// at the block with the lowest bound, and stops when each has a floor. O(n) for n blocks, however
    /// long they are live.
    fn paint_floors(&mut self, bounds: &[(u64, u32)], start: u32, end: u32) {
        // Per section: itself if it has no floor yet, or else a section between itself and the next one
        // without a floor. The section past the end never gets one.
        for section in start..=end {
            self.next[section as usize] = section;
        }
        let left = &self.left[start as usize..end as usize];
        let mut n_open = left.iter().filter(|bytes| **bytes > 0).count();
        for &(bound, block) in bounds {
            if n_open == 0 {
                return;
            }
            for range in &self.shape.items[block as usize].live {
                let mut section = next_free(&mut self.next, range.start);
                while section < range.end {
                    self.floors[section as usize] = bound;
                    self.next[section as usize] = section + 1;
                    n_open -= 1;
                    section = next_free(&mut self.next, section + 1);
                }
            }
        }
    }

    fn blame<'b>(&mut self, group: impl Iterator<Item = &'b u32>, section: u32) {
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

    /// The lowest offset of a block above the blocks placed so far.
    fn lowest(&self, block: u32) -> u64 {
        self.keys[block as usize].0
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
        // Neighbours that are placed later lie above this block. Their lowest offsets only rise on the way down
        // the search tree; the trail restores it.
        for other in shape.neighbours(block as usize) {
            let index = other.block as usize;
            let top = self.settled(index, offset + other.rise);
            let lowest = self.keys[index].0;
            if !self.is_placed[index] && lowest < top {
                self.trail.push((other.block, lowest));
                self.keys[index].0 = top;
            }
        }
    }

    fn take_back(&mut self, blocks: &[u32], mark: usize) {
        // In reverse, since a block may have been raised several times.
        for (block, lowest) in self.trail.drain(mark..).rev() {
            self.keys[block as usize].0 = lowest;
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

impl Outline {
    fn of(block: &Block) -> Self {
        let hull = block.hull();
        Self {
            size: block.size,
            width: block.width(),
            start: hull.start,
            end: hull.end,
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

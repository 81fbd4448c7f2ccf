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

mod backjump;
mod pruning;

use super::group::{Group, Key, Keyed, Outline, PLACED, replaced};
use super::shape::Shape;
use crate::arena::limits::Clock;
use crate::arena::tuning;
use backjump::{Backjump, Sections};

/// Outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Fits,
    DoesNotFit,
    OutOfBudget,
    /// Nothing is left to try, but [`backjump`] passed over placements.
    Exhausted,
}

pub(super) struct Search<'s> {
    shape: &'s Shape,
    capacity: u64,
    /// Per block: its lowest offset above the blocks placed so far, and its rank, which breaks ties;
    /// lower ranks come first. Ranks are unique, so the order is total and the search deterministic.
    /// Placed blocks have the offset [`PLACED`], which nothing raises.
    keys: Vec<Key>,
    offsets: Vec<u64>,
    /// Per section: number of bytes not placed yet.
    left: Vec<u64>,
    /// Per boundary before a section: number of unplaced blocks whose reach crosses it.
    crossing: Vec<u32>,
    /// Undo log: blocks and their previous lowest offsets.
    trail: Vec<(u32, u64)>,
    /// Scratch: a lower bound on the offset of each block that was passed over, in any completion of the
    /// current placement; ascending.
    bounds: Vec<(u64, u32)>,
    /// Scratch, per section: the smallest lower bound on the offsets of the blocks live in it.
    floors: Vec<u64>,
    /// Scratch, per section and past the last one: see [`Search::full_section_of_wide`].
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
    /// For a search that need not prove anything.
    backjump: Option<Backjump>,
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
            backjump: None,
        }
    }

    /// Lets the search find placements sooner, and prove nothing unless it never jumps: see
    /// [`backjump`].
    pub(super) fn with_backjumping(mut self) -> Self {
        self.backjump = Some(Backjump::new(self.shape));
        self
    }

    pub(super) fn run(&mut self) -> Answer {
        let all = (0..self.shape.items.len() as u32).collect();
        // The problem may consist of independent parts from the beginning.
        let answer = self.groups(all, None);
        let has_jumped = self.backjump.as_ref().is_some_and(|own| own.has_jumped);
        match answer {
            Answer::DoesNotFit if has_jumped => Answer::Exhausted,
            answer => answer,
        }
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
        for blocks in groups {
            let group = self.group_of(&blocks);
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
            solved.extend(blocks);
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

    fn group_of(&self, blocks: &[u32]) -> Group {
        let (mut start, mut end, mut width) = (u32::MAX, 0, 0);
        for block in blocks {
            let own = &self.outlines[*block as usize];
            (start, end) = (start.min(own.start), end.max(own.end));
            width += own.width;
        }
        let mut items = blocks
            .iter()
            .map(|block| &self.shape.items[*block as usize]);
        let is_plain = !self.shape.has_explicit && items.all(|item| item.is_whole);
        let mut blocks: Vec<Keyed> = blocks.iter().map(|block| self.keyed(*block)).collect();
        blocks.sort_unstable();
        Group {
            blocks,
            start,
            end,
            width,
            is_plain,
        }
    }

    fn keyed(&self, block: u32) -> Keyed {
        Keyed::new(self.keys[block as usize], block)
    }

    /// Returns a block that conflicts completely with every other block of the group and may be
    /// placed at the bottom without loss of generality: every other block lies above or below it,
    /// and exchanging it with what lies below keeps the placement valid. The exchange requires that
    /// all blocks start at the same level and that the block's size preserves alignments.
    fn universal(&self, of: &Group, last: Option<Key>) -> Option<u32> {
        let (shape, group) = (self.shape, &of.blocks);
        let item = |own: Keyed| &shape.items[own.block() as usize];
        let base = group[0].offset();
        let is_level = |own: &Keyed| own.offset() == base && item(*own).walls.is_empty();
        // A base below the last placement would break the canonical order.
        if group.len() > tuning::MAX_UNIVERSAL
            || last.is_some_and(|last| base < last.0)
            || !group.iter().all(is_level)
        {
            return None;
        }
        let alignment = group.iter().map(|own| item(*own).alignment).max()?;
        let is_above_or_below_all = |own: &Keyed| {
            let size = item(*own).size;
            size.is_multiple_of(alignment)
                && base.is_multiple_of(alignment)
                && self.conflicts_with_all(own.block(), of)
        };
        // A universal block has all others as neighbours, so none has more: one candidate suffices.
        let longest =
            (group.iter().copied()).max_by_key(|own| shape.n_neighbours(own.block() as usize));
        longest.filter(is_above_or_below_all).map(Keyed::block)
    }

    /// Whether a block of a group conflicts completely with every other block of it.
    fn conflicts_with_all(&self, block: u32, of: &Group) -> bool {
        let (shape, group) = (self.shape, &of.blocks);
        if of.is_plain {
            let mut others = group.iter().map(|own| own.block());
            return others.all(|other| other == block || shape.are_live_at_once(block, other));
        }
        let size = shape.items[block as usize].size;
        let whole = shape.neighbours(block as usize).filter(|other| {
            let index = other.block as usize;
            let is_left =
                !self.is_placed(index) && group.iter().any(|own| own.block() == other.block);
            // At a smaller distance, the two may overlap in part, and neither lies above the other.
            is_left && other.rise == size && other.fall == shape.items[index].size
        });
        whole.count() == group.len() - 1
    }

    /// Places a block of a group at the bottom, and searches the rest.
    fn bottom(&mut self, block: u32, group: &Group) -> Answer {
        let mark = self.trail.len();
        let (offset, rank) = self.keys[block as usize];
        self.work += group.blocks.len() as u64;
        if self.exceeds(block, offset) {
            return Answer::DoesNotFit;
        }
        self.place(block, offset, group);
        if group.blocks.len() == 1 {
            return Answer::Fits;
        }
        let rest = group.blocks.iter().map(|own| own.block());
        let rest = rest.filter(|other| *other != block).collect();
        // There is no alternative to try if this fails: any placement can be exchanged into this one.
        let answer = self.groups(rest, Some((offset, rank)));
        if answer != Answer::Fits {
            self.take_back(&[block], mark);
        }
        answer
    }

    /// Searches placements of `group` that come after `last` in canonical order.
    fn group(&mut self, group: &Group, last: Option<Key>) -> Answer {
        self.work += group.blocks.len() as u64;
        if self.work > self.budget || self.is_late() {
            return Answer::OutOfBudget;
        }
        // Keys up to the last one: the search has passed over these blocks at their lowest offsets.
        let n_raised = last.map_or(0, |last| {
            group.blocks.partition_point(|own| own.key() <= last)
        });
        let Some(lowest_top) = self.lowest_top(group, n_raised, last) else {
            return Answer::DoesNotFit;
        };
        let mut failed = Sections::default();
        for own in &group.blocks[n_raised..] {
            let (block, offset) = (own.block(), own.offset());
            // All remaining blocks would lie at or above `offset`, although one of them fits
            // entirely below it. Such a placement is not canonical.
            if offset >= lowest_top {
                break;
            }
            // Sums of live bytes do not show it if its upper bytes are never live.
            if self.exceeds(block, offset) {
                return Answer::DoesNotFit;
            }
            let is_below_all = self.is_below_all(block, offset);
            let mark = self.trail.len();
            self.place(block, offset, group);
            let answer = self.rest(group, *own, mark);
            if answer == Answer::Fits {
                return answer;
            }
            let jumps = answer == Answer::DoesNotFit && self.jumps_over(block, mark);
            self.take_back(&[block], mark);
            // If the block restricts no other block there, no alternative can do better.
            if jumps || answer == Answer::OutOfBudget || is_below_all {
                return answer;
            }
            failed = self.failed_with(failed);
        }
        if let Some(backjump) = &mut self.backjump {
            match failed == Sections::default() {
                true => backjump.fail_everywhere(),
                false => backjump.failed = failed,
            }
        }
        Answer::DoesNotFit
    }

    /// Returns whether the last failure has nothing to do with the block that was placed last. `mark`:
    /// the length of the trail before it was placed.
    fn jumps_over(&mut self, block: u32, mark: usize) -> bool {
        let Some(backjump) = &mut self.backjump else {
            return false;
        };
        let jumps = !backjump.concerns(block, &self.trail[mark..]);
        backjump.has_jumped |= jumps;
        jumps
    }

    /// The sections of earlier failures of a group, with those of the last one.
    fn failed_with(&self, others: Sections) -> Sections {
        let last = self.backjump.as_ref().map(|own| own.failed);
        others.with(last.unwrap_or_default())
    }

    /// Whether a block ends above the capacity at its lowest offset, so that it fits nowhere: a failure of
    /// the block.
    fn exceeds(&mut self, block: u32, offset: u64) -> bool {
        let exceeds = offset + self.outlines[block as usize].size > self.capacity;
        if exceeds {
            self.fail_of(block);
        }
        exceeds
    }

    /// A block fits nowhere.
    fn fail_of(&mut self, block: u32) {
        self.failures[block as usize] += 1;
        if let Some(backjump) = &mut self.backjump {
            backjump.fail_of(block);
        }
    }

    /// Whether a block at an offset ends below all of its neighbours that are not placed yet.
    fn is_below_all(&self, block: u32, offset: u64) -> bool {
        // In canonical order, later placements lie at or above `offset`, even where a neighbour's
        // lowest offset is below it.
        let mut neighbours = self.shape.neighbours(block as usize);
        neighbours.all(|other| self.lowest(other.block).max(offset) >= offset + other.rise)
    }

    /// Searches the blocks of a group other than the one that was just placed; `mark`: the length of
    /// the trail before.
    fn rest(&mut self, group: &Group, placed: Keyed, mark: usize) -> Answer {
        if group.blocks.len() == 1 {
            return Answer::Fits;
        }
        let last = Some(placed.key());
        let hull = self.shape.reach[placed.block() as usize];
        // The group falls apart if no remaining block crosses some boundary of this hull.
        let is_cut = (hull.start + 1..hull.end).any(|at| self.crossing[at as usize] == 0);
        // Only a cut is worth a call of `groups`, which sorts and splits the group.
        if is_cut {
            let rest = group.blocks.iter().map(|own| own.block());
            return self.groups(
                rest.filter(|other| *other != placed.block()).collect(),
                last,
            );
        }
        let rest = Group {
            blocks: self.remaining(&group.blocks, placed.block(), mark),
            width: group.width - self.outlines[placed.block() as usize].width,
            ..*group
        };
        self.group(&rest, last)
    }

    /// A group without the block that was just placed, in ascending order. `mark`: the length of the
    /// trail before, past which are the blocks that the placement has raised. O(n + k log k) for k of
    /// them.
    fn remaining(&mut self, group: &[Keyed], placed: u32, mark: usize) -> Vec<Keyed> {
        let raised = self.trail[mark..].iter();
        let mut moved: Vec<Keyed> = raised.map(|(block, _)| self.keyed(*block)).collect();
        moved.sort_unstable();
        for own in &moved {
            self.is_moved[own.block() as usize] = true;
        }
        let is_gone = |block: u32| block == placed || self.is_moved[block as usize];
        let rest = replaced(group, is_gone, &moved);
        for own in moved {
            self.is_moved[own.block() as usize] = false;
        }
        rest
    }

    /// Returns whether the time is up. Looks at the clock only every
    /// [`tuning::STEPS_PER_CLOCK`] calls.
    fn is_late(&mut self) -> bool {
        self.n_steps += 1;
        self.n_steps.is_multiple_of(tuning::STEPS_PER_CLOCK) && self.clock.is_over()
    }

    fn is_placed(&self, block: usize) -> bool {
        self.keys[block].0 == PLACED
    }

    /// The lowest offset of a block above the blocks placed so far; [`PLACED`] if it is one of them.
    fn lowest(&self, block: u32) -> u64 {
        self.keys[block as usize].0
    }

    fn settled(&self, block: usize, offset: u64) -> u64 {
        self.shape.items[block].settle(offset)
    }

    /// Places a block of a group.
    fn place(&mut self, block: u32, offset: u64, group: &Group) {
        let shape = self.shape;
        let item = &shape.items[block as usize];
        self.keys[block as usize].0 = PLACED;
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
        // Neighbours that are placed later lie above this block. They are in the same group.
        if group.is_plain && group.blocks.len() < shape.n_neighbours(block as usize) {
            for own in &group.blocks {
                if shape.are_live_at_once(block, own.block()) {
                    self.raise(own.block(), offset + item.size);
                }
            }
        } else {
            for other in shape.neighbours(block as usize) {
                self.raise(other.block, offset + other.rise);
            }
        }
    }

    /// Raises a block to an offset, unless it has been placed. Lowest offsets only rise on the way down the
    /// search tree; the trail restores them.
    // Inlined, because this is the innermost loop of the search.
    #[inline(always)]
    fn raise(&mut self, block: u32, top: u64) {
        let lowest = self.lowest(block);
        // The lowest offset is settled: no settled offset lies between `top` and itself.
        if lowest < top {
            self.trail.push((block, lowest));
            self.keys[block as usize].0 = self.settled(block as usize, top);
        }
    }

    fn take_back(&mut self, blocks: &[u32], mark: usize) {
        for &block in blocks {
            let item = &self.shape.items[block as usize];
            // The lowest offset at which it was placed, which the trail may have to lower.
            self.keys[block as usize].0 = self.offsets[block as usize];
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
        // In reverse, since a block may have been raised several times.
        for (block, lowest) in self.trail.drain(mark..).rev() {
            self.keys[block as usize].0 = lowest;
        }
    }
}

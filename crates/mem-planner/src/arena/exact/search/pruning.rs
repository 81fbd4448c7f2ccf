//! Which branches of the search are pruned: those in which a block that was passed over cannot be raised any
//! more, or some section has no room for its remaining blocks.

use super::super::group::{Group, Key, Keyed, next_open};
use super::Search;
use crate::arena::tuning;

impl Search<'_> {
    /// Returns the lowest top that any block of a group may have; `None` if the blocks cannot fit. The
    /// first `n_raised` blocks were passed over at their lowest offsets; the others are the candidates
    /// for the next placement.
    pub(super) fn lowest_top(
        &mut self,
        group: &Group,
        n_raised: usize,
        last: Option<Key>,
    ) -> Option<u64> {
        let (raised, candidates) = group.blocks.split_at(n_raised);
        // No remaining block is placed below the last one. Candidates lie at or above it anyway.
        let base = last.map_or(0, |(offset, _)| offset);
        let mut bounds = std::mem::take(&mut self.bounds);
        bounds.clear();
        if !raised.is_empty() {
            // In the order of ranks: the first one that does not fit is to blame.
            let mut by_rank = raised.to_vec();
            by_rank.sort_unstable_by_key(|own| own.rank());
            for own in by_rank {
                let block = own.block();
                bounds.push((self.raised(block as usize, base)?, block));
            }
            bounds.sort_unstable();
        }
        let size = |block: u32| self.outlines[block as usize].size;
        let tops = bounds.iter().map(|(bound, block)| bound + size(*block));
        let mut lowest_top = tops.min().unwrap_or(u64::MAX);
        for own in candidates {
            // Their offsets ascend.
            if own.offset() >= lowest_top {
                break;
            }
            lowest_top = lowest_top.min(own.offset() + size(own.block()));
        }
        let full = match group.width > tuning::WIDE * group.blocks.len() as u64 {
            true => self.full_section_of_wide(group, &bounds, candidates),
            false => self.full_section(group, &bounds, candidates),
        };
        self.bounds = bounds;
        match full {
            Some(section) => {
                self.blame(&group.blocks, section);
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
            .filter(|other| !self.is_placed(other.block as usize))
            .map(|other| bound_of(other.block as usize) + other.fall);
        // Any of them may be the one below, so only the lowest top is certain. Without an unplaced
        // neighbour, nothing raises the block any more.
        let bound = tops.min().map(|top| self.settled(index, top));
        let bound = bound.filter(|b| b + self.shape.items[index].size <= self.capacity);
        let bound = bound.map(|bound| bound.max(bound_of(index)));
        if bound.is_none() {
            self.fail_of(index as u32);
        }
        bound
    }

    /// Returns the first section in which the blocks of a group do not fit above the lowest of their
    /// bounds: `bounds` of those that were passed over, and the lowest offsets of the candidates.
    fn full_section(
        &mut self,
        group: &Group,
        bounds: &[(u64, u32)],
        candidates: &[Keyed],
    ) -> Option<u32> {
        let sections = group.start as usize..group.end as usize;
        // The neutral element of the minimum: sections in which no block of the group is live.
        self.floors[sections].fill(u64::MAX);
        for &(bound, block) in bounds {
            self.lower_floors(bound, block);
        }
        for own in candidates {
            self.lower_floors(own.offset(), own.block());
        }
        // Unplaced blocks that share a section are in one group, so `left` counts only blocks of
        // this group.
        let is_full = |section: &u32| {
            let floor = self.floors[*section as usize];
            floor != u64::MAX && floor + self.left[*section as usize] > self.capacity
        };
        (group.start..group.end).find(is_full)
    }

    /// Lowers the floor of each section in which a block is live to its bound.
    fn lower_floors(&mut self, bound: u64, block: u32) {
        for range in &self.shape.items[block as usize].live {
            for floor in &mut self.floors[range.start as usize..range.end as usize] {
                *floor = bound.min(*floor);
            }
        }
    }

    /// As [`full_section`](Self::full_section): visits each section once, at the block with the lowest
    /// bound, and none that has room even above the highest bound. O(n) for n blocks, however long they
    /// are live.
    fn full_section_of_wide(
        &mut self,
        group: &Group,
        bounds: &[(u64, u32)],
        candidates: &[Keyed],
    ) -> Option<u32> {
        let highest = [
            bounds.last().map(|(bound, _)| *bound),
            candidates.last().map(|own| own.offset()),
        ];
        let room = self.capacity - highest.into_iter().flatten().max()?.min(self.capacity);
        // Per section: the first one from there on that has to be visited; the one past the end if
        // there is none.
        let (mut next, mut n_open) = (group.end, 0);
        self.next[group.end as usize] = group.end;
        for section in (group.start..group.end).rev() {
            if self.left[section as usize] > room {
                (next, n_open) = (section, n_open + 1);
            }
            self.next[section as usize] = next;
        }
        let mut first_full = u32::MAX;
        let mut bounds = bounds.iter().copied().peekable();
        let mut candidates = candidates.iter().map(|own| (own.offset(), own.block()));
        while n_open > 0 {
            // Two ascending runs. The order of blocks with equal bounds does not matter.
            let candidate = candidates.clone().next();
            let is_first = |own: &(u64, u32)| candidate.is_none_or(|other| own.0 <= other.0);
            let lowest = bounds.next_if(is_first).or_else(|| candidates.next());
            let Some((bound, block)) = lowest else {
                break;
            };
            for range in &self.shape.items[block as usize].live {
                let mut section = next_open(&mut self.next, range.start);
                while section < range.end {
                    if bound + self.left[section as usize] > self.capacity {
                        first_full = first_full.min(section);
                    }
                    n_open -= 1;
                    let after = next_open(&mut self.next, section + 1);
                    self.next[section as usize] = after;
                    section = after;
                }
            }
        }
        (first_full != u32::MAX).then_some(first_full)
    }

    fn blame(&mut self, group: &[Keyed], section: u32) {
        // The blocks live in the full section compete for its bytes; others are not to blame.
        for own in group {
            let block = own.block();
            let live = &self.shape.items[block as usize].live;
            if live
                .iter()
                .any(|range| range.start <= section && section < range.end)
            {
                self.failures[block as usize] += 1;
            }
        }
        if let Some(backjump) = &mut self.backjump {
            backjump.fail_in(section);
        }
    }
}

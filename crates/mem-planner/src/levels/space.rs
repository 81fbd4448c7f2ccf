//! Free and busy addresses of one level.

use mem_model::PlacementId;
use std::collections::BTreeMap;

/// A busy interval `[start, end)`, and the placement that occupies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Busy {
    pub start: u64,
    pub end: u64,
    pub placement: PlacementId,
    /// The first step that no longer needs it.
    pub until: usize,
}

/// The addresses of a level. Adjacent free bytes always form one gap.
#[derive(Clone, Debug)]
pub(super) struct Space {
    capacity: u64,
    alignment: u64,
    /// Keyed by start.
    busy: BTreeMap<u64, Busy>,
}

impl Space {
    pub(super) fn new(capacity: Option<u64>, alignment: u64) -> Self {
        Self {
            capacity: capacity.unwrap_or(crate::MAX_BYTES.get()),
            alignment: alignment.max(1),
            busy: BTreeMap::new(),
        }
    }

    pub(super) fn capacity(&self) -> u64 {
        self.capacity
    }

    fn aligned(&self, address: u64, alignment: u64) -> Option<u64> {
        address.checked_next_multiple_of(self.alignment.max(alignment.max(1)))
    }

    /// All gaps `[start, end)`, with their neighbours below and above.
    fn gaps(&self) -> Vec<(u64, u64, Option<Busy>, Option<Busy>)> {
        let mut gaps = Vec::new();
        let mut below: Option<Busy> = None;
        for busy in self.busy.values() {
            let start = below.map_or(0, |below| below.end);
            if start < busy.start {
                gaps.push((start, busy.start, below, Some(*busy)));
            }
            below = Some(*busy);
        }
        let start = below.map_or(0, |below| below.end);
        if start < self.capacity {
            gaps.push((start, self.capacity, below, None));
        }
        gaps
    }

    /// An address in the smallest gap that is large enough: next to the neighbour that dies later,
    /// where an end of the level counts as dying last; if both die together, next to the one that
    /// is nearer to an end of the level. O(n log n) for n busy intervals.
    pub(super) fn find(&self, size: u64, alignment: u64) -> Option<u64> {
        self.find_number(size, alignment, 0)
    }

    /// Like [`Self::find`], but in the gap with index `number` among those that are large enough.
    pub(super) fn find_number(&self, size: u64, alignment: u64, number: usize) -> Option<u64> {
        let mut gaps = self.gaps();
        // Stable: among gaps of equal size, the lowest comes first.
        gaps.sort_by_key(|(start, end, ..)| end - start);
        let mut places = gaps.into_iter().filter_map(|(start, end, below, above)| {
            let low = self.aligned(start, alignment)?;
            let fits = low.checked_add(size)? <= end;
            if !fits {
                return None;
            }
            let step = self.alignment.max(alignment.max(1));
            // Not below `low`, which is an aligned address that fits as well.
            let high = (end - size) / step * step;
            let is_low = match [below, above].map(|busy| busy.map(|busy| busy.until)) {
                // An unbounded level has no upper end.
                [_, None] if self.capacity == crate::MAX_BYTES.get() => true,
                // Next to the neighbour that dies later, so that the bytes between the tensor and
                // the other one merge with those that become free first.
                [Some(below), Some(above)] if below != above => below > above,
                // An end of the level never dies.
                [None, Some(_)] => true,
                [Some(_), None] => false,
                // Toward the nearer end of the level.
                _ => start <= self.capacity - end,
            };
            Some(if is_low { low } else { high })
        });
        places.nth(number)
    }

    /// Addresses at which `size` bytes could start after evictions: 0, and the aligned ends of busy
    /// intervals.
    pub(super) fn candidates(&self, size: u64, alignment: u64) -> Vec<u64> {
        let mut starts = vec![0];
        for busy in self.busy.values() {
            starts.extend(self.aligned(busy.start, alignment));
            starts.extend(self.aligned(busy.end, alignment));
        }
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|start| {
            start
                .checked_add(size)
                .is_some_and(|end| end <= self.capacity)
        });
        starts
    }

    /// Busy intervals with bytes in `[start, end)`.
    pub(super) fn within(&self, start: u64, end: u64) -> impl Iterator<Item = Busy> + '_ {
        // Busy intervals do not overlap, so only the last one that starts before can extend into
        // the range.
        let before = self.busy.range(..start).next_back();
        let before = before
            .map(|(_, busy)| *busy)
            .filter(move |busy| busy.end > start);
        let inside = self.busy.range(start..end).map(|(_, busy)| *busy);
        before.into_iter().chain(inside)
    }

    pub(super) fn take(&mut self, start: u64, size: u64, placement: PlacementId, until: usize) {
        let end = start + size;
        // A placement without bytes conflicts with nothing.
        if size > 0 {
            self.busy.insert(
                start,
                Busy {
                    start,
                    end,
                    placement,
                    until,
                },
            );
        }
    }

    /// Whether a placement occupies the bytes from `start` on.
    pub(super) fn has(&self, start: u64, placement: PlacementId) -> bool {
        self.busy
            .get(&start)
            .is_some_and(|busy| busy.placement == placement)
    }

    /// Frees the bytes of a placement. Returns the interval, if there was one.
    pub(super) fn leave(&mut self, start: u64, placement: PlacementId) -> Option<Busy> {
        match self.has(start, placement) {
            true => self.busy.remove(&start),
            false => None,
        }
    }

    /// Restores an interval that was freed.
    pub(super) fn put_back(&mut self, busy: Busy) {
        self.busy.insert(busy.start, busy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules of the initial policy: the smallest gap, next to the neighbour that dies later.
    #[test]
    fn the_smallest_gap_and_the_neighbour_that_dies_later() {
        let mut space = Space::new(Some(100), 1);
        assert_eq!(space.find(10, 1), Some(0));
        space.take(0, 10, PlacementId::new(0), 5);
        space.take(30, 10, PlacementId::new(1), 9);
        space.take(80, 20, PlacementId::new(2), 3);
        // [10, 30) is between a neighbour that dies at 5 and one that dies at 9: next to the
        // latter.
        assert_eq!(space.find(8, 1), Some(22));
        // Only [40, 80) is large enough; its lower neighbour dies earlier than the end of the
        // level.
        assert_eq!(space.find(25, 1), Some(40));
        assert_eq!(space.find(41, 1), None);
        assert_eq!(space.find(8, 16), Some(16));
        space.leave(30, PlacementId::new(1));
        // The gaps are merged.
        assert_eq!(space.find(60, 1), Some(10));
    }

    #[test]
    fn an_end_of_the_level_if_both_die_together() {
        let mut space = Space::new(Some(100), 1);
        space.take(0, 10, PlacementId::new(0), 5);
        space.take(40, 60, PlacementId::new(1), 5);
        assert_eq!(space.find(20, 1), Some(10));
        let mut space = Space::new(Some(100), 1);
        space.take(0, 60, PlacementId::new(0), 5);
        space.take(90, 10, PlacementId::new(1), 5);
        assert_eq!(space.find(20, 1), Some(70));
        // A gap at an end of the level is filled from that end.
        let mut space = Space::new(Some(100), 1);
        space.take(40, 60, PlacementId::new(0), 5);
        assert_eq!(space.find(20, 1), Some(0));
    }

    #[test]
    fn occupants_are_found_by_address_range() {
        let mut space = Space::new(Some(100), 1);
        space.take(10, 10, PlacementId::new(7), 5);
        space.take(30, 10, PlacementId::new(8), 5);
        let within = |start, end| {
            space
                .within(start, end)
                .map(|busy| busy.placement.index())
                .collect::<Vec<_>>()
        };
        assert!(within(0, 10).is_empty());
        assert_eq!(within(19, 30), [7]);
        assert_eq!(within(15, 31), [7, 8]);
    }
}

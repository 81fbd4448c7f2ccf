//! Busy times of a copy engine.

use std::collections::BTreeMap;

/// Busy intervals of an engine, in cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Link {
    /// Start to end of each interval. Intervals neither overlap nor touch.
    busy: BTreeMap<u64, u64>,
}

impl Link {
    /// First time no earlier than `from` at which `cycles` cycles are free. Linear in the number of
    /// busy intervals.
    pub(super) fn first_free(&self, from: u64, cycles: u64) -> u64 {
        let mut start = from;
        // Intervals do not touch, so only the last one before can contain `from`.
        let before = self.busy.range(..=from).next_back();
        if let Some((_, end)) = before {
            start = start.max(*end);
        }
        for (other, end) in self.busy.range(from.saturating_add(1)..) {
            if start.saturating_add(cycles) <= *other {
                break;
            }
            start = start.max(*end);
        }
        start
    }

    /// Latest start of `cycles` free cycles that end by `until`; `None` if it is before `from`.
    pub(super) fn last_free(&self, from: u64, until: u64, cycles: u64) -> Option<u64> {
        let mut end = until;
        for (start, other) in self.busy.range(..until).rev() {
            // The cycles fit above this interval.
            if *other <= end.saturating_sub(cycles) {
                break;
            }
            end = end.min(*start);
            if end < from {
                return None;
            }
        }
        end.checked_sub(cycles).filter(|start| *start >= from)
    }

    /// Marks cycles as busy.
    pub(super) fn take(&mut self, start: u64, cycles: u64) {
        if cycles == 0 {
            return;
        }
        let (mut first, mut last) = (start, start.saturating_add(cycles));
        if let Some((other, end)) = self.busy.range(..=start).next_back()
            && *end >= start
        {
            first = *other;
            last = last.max(*end);
        }
        // Intervals that touch are merged: `first_free` relies on it.
        let touching: Vec<u64> = self.busy.range(first..=last).map(|(key, _)| *key).collect();
        for key in touching {
            last = last.max(self.busy.remove(&key).unwrap_or(last));
        }
        self.busy.insert(first, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_intervals_are_found_from_both_sides() {
        let mut link = Link::default();
        link.take(10, 10);
        link.take(30, 10);
        assert_eq!(link.first_free(0, 10), 0);
        assert_eq!(link.first_free(0, 11), 40);
        assert_eq!(link.first_free(15, 10), 20);
        assert_eq!(link.last_free(0, 40, 10), Some(20));
        assert_eq!(link.last_free(0, 40, 11), None);
        assert_eq!(link.last_free(0, 25, 5), Some(20));
        assert_eq!(link.last_free(0, 25, 10), Some(0));
        assert_eq!(link.last_free(1, 25, 10), None);
        assert_eq!(link.last_free(0, 100, 20), Some(80));
        // Adjacent intervals merge.
        link.take(20, 10);
        assert_eq!(link.busy, BTreeMap::from([(10, 40)]));
        assert_eq!(link.first_free(12, 1), 40);
    }
}

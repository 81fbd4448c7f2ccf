//! Half-open intervals, and sets of them. Sets are sorted, disjoint and coalesced, so sets with
//! equal elements compare equal.

/// The half-open interval `[start, end)`. Empty if `end <= start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval<T> {
    /// First element.
    pub start: T,
    /// One past the last element.
    pub end: T,
}

impl<T: Copy + Ord> Interval<T> {
    /// Creates `[start, end)`.
    #[must_use]
    pub const fn new(start: T, end: T) -> Self {
        Self { start, end }
    }

    /// Whether the interval has no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether `element` lies in the interval.
    #[must_use]
    pub fn contains(self, element: T) -> bool {
        self.start <= element && element < self.end
    }

    /// Whether the interval contains all of `other`; always true if `other` is empty.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        other.is_empty() || (self.start <= other.start && other.end <= self.end)
    }

    /// Whether the intervals have a common element.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Returns the common part of both intervals; may be empty.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self::new(self.start.max(other.start), self.end.min(other.end))
    }
}

/// A set of elements, stored as sorted, disjoint, non-empty and non-adjacent intervals.
///
/// In complexities, `n` is the number of intervals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntervalSet<T> {
    intervals: Vec<Interval<T>>,
}

impl<T> Default for IntervalSet<T> {
    fn default() -> Self {
        Self {
            intervals: Vec::new(),
        }
    }
}

impl<T: Copy + Ord> IntervalSet<T> {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            intervals: Vec::new(),
        }
    }

    /// Adds all of `interval`. O(n); O(log n) amortized if it follows or extends the last interval.
    pub fn insert(&mut self, interval: Interval<T>) {
        if interval.is_empty() {
            return;
        }
        // Adjacent intervals are merged too, to keep the set coalesced.
        let first = self.intervals.partition_point(|i| i.end < interval.start);
        let after = first + self.intervals[first..].partition_point(|i| i.start <= interval.end);
        let merged = self.intervals[first..after].iter().fold(interval, |a, b| {
            Interval::new(a.start.min(b.start), a.end.max(b.end))
        });
        self.intervals.splice(first..after, [merged]);
    }

    /// Removes all of `interval`. O(n).
    pub fn remove(&mut self, interval: Interval<T>) {
        if interval.is_empty() {
            return;
        }
        let first = self.intervals.partition_point(|i| i.end <= interval.start);
        let after = first + self.intervals[first..].partition_point(|i| i.start < interval.end);
        if first == after {
            return;
        }
        let before = Interval::new(self.intervals[first].start, interval.start);
        let after_it = Interval::new(interval.end, self.intervals[after - 1].end);
        let kept = [before, after_it].into_iter().filter(|i| !i.is_empty());
        self.intervals.splice(first..after, kept);
    }

    /// Iterates over the parts of `interval` that are in the set, in ascending order. O(log n) to
    /// the first.
    pub fn within(&self, interval: Interval<T>) -> impl Iterator<Item = Interval<T>> + '_ {
        let first = self.intervals.partition_point(|i| i.end <= interval.start);
        self.intervals[first..]
            .iter()
            .map(move |i| i.intersection(interval))
            .take_while(|i| !i.is_empty())
    }

    /// Returns the elements in both sets. O(n log m + result).
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let intervals = self.iter().flat_map(|i| other.within(i)).collect();
        Self { intervals }
    }

    /// Returns the elements that are not in `other`. O(n log m + n + m), unlike the removal of one
    /// interval after the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut intervals = Vec::new();
        for own in self.iter() {
            let mut start = own.start;
            for removed in other.within(own) {
                intervals.push(Interval::new(start, removed.start));
                start = removed.end;
            }
            intervals.push(Interval::new(start, own.end));
        }
        intervals.retain(|own| !own.is_empty());
        Self { intervals }
    }

    /// Whether the set contains all of `interval`. O(log n).
    #[must_use]
    pub fn covers(&self, interval: Interval<T>) -> bool {
        interval.is_empty() || self.within(interval).next() == Some(interval)
    }

    /// Whether the set contains `element`. O(log n).
    #[must_use]
    pub fn contains(&self, element: T) -> bool {
        let next = self.intervals.partition_point(|i| i.end <= element);
        self.intervals
            .get(next)
            .is_some_and(|i| i.contains(element))
    }

    /// Whether the sets have a common element. O(n + m).
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first_common(other).is_some()
    }

    /// Returns the first element in both sets. O(n + m).
    #[must_use]
    pub fn first_common(&self, other: &Self) -> Option<T> {
        let (mut mine, mut theirs) = (self.intervals.iter(), other.intervals.iter());
        let (mut a, mut b) = (mine.next()?, theirs.next()?);
        loop {
            let both = a.intersection(*b);
            if !both.is_empty() {
                return Some(both.start);
            }
            if a.end <= b.end {
                a = mine.next()?;
            } else {
                b = theirs.next()?;
            }
        }
    }

    /// Returns the elements in either set. O((n + m) log (n + m)).
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    /// Whether the set has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the number of intervals.
    #[must_use]
    pub fn n_intervals(&self) -> usize {
        self.intervals.len()
    }

    /// Iterates over the intervals in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Interval<T>> + ExactSizeIterator + '_ {
        self.intervals.iter().copied()
    }

    /// Returns the smallest interval that contains the set; `None` if the set is empty.
    #[must_use]
    pub fn hull(&self) -> Option<Interval<T>> {
        let (first, last) = (self.intervals.first()?, self.intervals.last()?);
        Some(Interval::new(first.start, last.end))
    }
}

impl<T: Copy + Ord> FromIterator<Interval<T>> for IntervalSet<T> {
    /// Collects intervals in any order, overlapping or not. O(n log n).
    fn from_iter<I: IntoIterator<Item = Interval<T>>>(intervals: I) -> Self {
        let mut sorted: Vec<_> = intervals.into_iter().filter(|i| !i.is_empty()).collect();
        sorted.sort_unstable();
        sorted.dedup_by(|interval, last| {
            let meets = interval.start <= last.end;
            if meets {
                last.end = last.end.max(interval.end);
            }
            meets
        });
        // Sets are many and seldom grow.
        sorted.shrink_to_fit();
        Self { intervals: sorted }
    }
}

#[cfg(test)]
mod tests {
    //! Compares sets against sets of plain integers, over all pairs of small intervals: merging is
    //! where off-by-one errors hide.

    use super::*;

    fn set(intervals: &[(u32, u32)]) -> IntervalSet<u32> {
        intervals
            .iter()
            .map(|&(a, b)| Interval::new(a, b))
            .collect()
    }

    fn elements(set: &IntervalSet<u32>) -> Vec<u32> {
        set.iter().flat_map(|i| i.start..i.end).collect()
    }

    #[test]
    fn inserting_merges_intervals_that_overlap_or_touch() {
        for a in 0..7 {
            for b in a..8 {
                let mut one = set(&[(1, 2), (3, 5), (6, 7)]);
                one.insert(Interval::new(a, b));
                let wanted: Vec<u32> = (0..8)
                    .filter(|x| [1, 3, 4, 6].contains(x) || (a..b).contains(x))
                    .collect();
                assert_eq!(elements(&one), wanted, "inserting {a}..{b}");
                let again = one.iter().rev().collect::<IntervalSet<u32>>();
                assert_eq!(one, again, "coalesced after inserting {a}..{b}");
                assert!((0..9).all(|x| one.contains(x) == wanted.contains(&x)));
            }
        }
    }

    #[test]
    fn overlap_is_having_a_common_element() {
        let a = set(&[(0, 2), (4, 6), (8, 9)]);
        for (b, common) in [
            (set(&[]), None),
            (set(&[(2, 4)]), None),
            (set(&[(2, 4), (6, 8)]), None),
            (set(&[(2, 5)]), Some(4)),
            (set(&[(6, 8), (8, 20)]), Some(8)),
            (set(&[(1, 2)]), Some(1)),
        ] {
            assert_eq!(a.first_common(&b), common);
            assert_eq!(b.first_common(&a), common);
            assert_eq!(a.overlaps(&b), common.is_some());
        }
    }

    #[test]
    fn removing_and_restricting_agree_with_plain_numbers() {
        let members = [1, 3, 4, 6];
        for a in 0..8 {
            for b in 0..8 {
                let before = set(&[(1, 2), (3, 5), (6, 7)]);
                let mut rest = before.clone();
                rest.remove(Interval::new(a, b));
                let outside: Vec<u32> = members
                    .into_iter()
                    .filter(|x| !(a..b).contains(x))
                    .collect();
                assert_eq!(elements(&rest), outside, "removing {a}..{b}");
                for other in [set(&[(a, b)]), set(&[(a, b), (4, 5), (7, 9)])] {
                    let mut rest = before.clone();
                    other.iter().for_each(|removed| rest.remove(removed));
                    assert_eq!(before.difference(&other), rest, "without {other:?}");
                }
                let inside: Vec<u32> = members.into_iter().filter(|x| (a..b).contains(x)).collect();
                assert_eq!(
                    elements(&before.within(Interval::new(a, b)).collect()),
                    inside
                );
                assert_eq!(elements(&before.intersection(&set(&[(a, b)]))), inside);
                let is_covered = (a..b).all(|x| members.contains(&x));
                assert_eq!(
                    before.covers(Interval::new(a, b)),
                    is_covered,
                    "covers {a}..{b}"
                );
            }
        }
    }

    #[test]
    fn union_and_hull() {
        let a = set(&[(0, 2), (8, 9)]);
        let b = set(&[(2, 4), (3, 3)]);
        assert_eq!(a.union(&b), set(&[(0, 4), (8, 9)]));
        assert_eq!(a.hull(), Some(Interval::new(0, 9)));
        assert_eq!(IntervalSet::<u32>::new().hull(), None);
    }
}

//! Maps from addresses that allocate only for a second entry: most storages hold one tensor, and a
//! program has many.

use std::collections::BTreeMap;

/// A map from addresses, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct AddressMap<T> {
    /// The entry of a map that has had no second one since it was last empty.
    only: Option<(i64, T)>,
    /// All other entries; empty if there is an `only` one.
    many: BTreeMap<i64, T>,
}

impl<T> Default for AddressMap<T> {
    fn default() -> Self {
        Self {
            only: None,
            many: BTreeMap::new(),
        }
    }
}

impl<T> AddressMap<T> {
    /// Iterates over the entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &T)> {
        let only = self.only.iter().map(|(at, entry)| (*at, entry));
        only.chain(self.many.iter().map(|(at, entry)| (*at, entry)))
    }

    /// Iterates over the entries in `[start, end)`. O(log n + entries).
    pub(crate) fn range(&self, start: i64, end: i64) -> impl Iterator<Item = (i64, &T)> {
        let only = self.only.iter().map(|(at, entry)| (*at, entry));
        let many = self.many.range(start..end.max(start));
        only.filter(move |(at, _)| (start..end).contains(at))
            .chain(many.map(|(at, entry)| (*at, entry)))
    }

    /// Returns the last entry up to an address. O(log n).
    pub(crate) fn last_to(&self, address: i64) -> Option<(i64, &T)> {
        match &self.only {
            Some((at, entry)) => (*at <= address).then_some((*at, entry)),
            None => {
                let (at, entry) = self.many.range(..=address).next_back()?;
                Some((*at, entry))
            }
        }
    }

    /// Returns the last entry before an address. O(log n).
    pub(crate) fn last_before_mut(&mut self, address: i64) -> Option<&mut T> {
        match &mut self.only {
            Some((at, entry)) => (*at < address).then_some(entry),
            None => {
                let (_, entry) = self.many.range_mut(..address).next_back()?;
                Some(entry)
            }
        }
    }

    /// Inserts an entry. O(log n).
    pub(crate) fn insert(&mut self, address: i64, entry: T) {
        if self.only.is_none() && self.many.is_empty() {
            self.only = Some((address, entry));
        } else {
            self.many.extend(self.only.take());
            self.many.insert(address, entry);
        }
    }

    /// Removes the first entry in `[start, end)`, and returns it. O(log n).
    pub(crate) fn remove_first(&mut self, start: i64, end: i64) -> Option<T> {
        if let Some((_, entry)) = self.only.take_if(|(at, _)| (start..end).contains(at)) {
            return Some(entry);
        }
        let (at, _) = self.many.range(start..end.max(start)).next()?;
        let at = *at;
        self.many.remove(&at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn random_operations_agree_with_a_tree() {
        for seed in 0..200 {
            let mut rng = SplitMix64::seed_from_u64(seed);
            let mut below = |n: u64| (rng.next_u64() % n).cast_signed();
            let mut own = AddressMap::default();
            let mut tree = BTreeMap::new();
            for entry in 0..40 {
                let start = below(8);
                let end = start + below(4) - 1;
                // Mostly removals, so that maps become empty and have a single entry again.
                if below(3) == 0 {
                    own.insert(start, entry);
                    tree.insert(start, entry);
                } else {
                    let first = tree.range(start..end.max(start)).next().map(|(at, _)| *at);
                    let removed = first.and_then(|at| tree.remove(&at));
                    assert_eq!(own.remove_first(start, end), removed);
                }
                let all: Vec<_> = tree.iter().map(|(at, entry)| (*at, entry)).collect();
                assert_eq!(own.iter().collect::<Vec<_>>(), all);
                let within = |(at, _): &(i64, &i32)| (start..end).contains(at);
                let some: Vec<_> = all.iter().copied().filter(within).collect();
                assert_eq!(own.range(start, end).collect::<Vec<_>>(), some);
                let last = all.iter().copied().rfind(|(at, _)| *at <= end);
                assert_eq!(own.last_to(end), last);
                let before = all.iter().rfind(|(at, _)| *at < end).map(|(_, own)| **own);
                assert_eq!(own.last_before_mut(end).copied(), before);
            }
        }
    }
}

//! A dense bit set of small integers, for data-flow facts at block boundaries.

/// A set of integers below a bound that is fixed at construction.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Creates an empty set for the integers below `n_elements`.
    #[must_use]
    pub fn new(n_elements: usize) -> Self {
        Self {
            words: vec![0; n_elements.div_ceil(64)],
        }
    }

    /// Whether `element` is in the set; false for elements past the bound.
    #[must_use]
    pub fn contains(&self, element: usize) -> bool {
        self.words
            .get(element / 64)
            .is_some_and(|word| word >> (element % 64) & 1 == 1)
    }

    /// Adds `element`; returns true if it is new.
    ///
    /// # Panics
    /// If `element` is not below the bound rounded up to a multiple of 64.
    pub fn insert(&mut self, element: usize) -> bool {
        let (word, bit) = (&mut self.words[element / 64], 1 << (element % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes `element`; returns true if it was present.
    ///
    /// # Panics
    /// If `element` is not below the bound rounded up to a multiple of 64.
    pub fn remove(&mut self, element: usize) -> bool {
        let (word, bit) = (&mut self.words[element / 64], 1 << (element % 64));
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }

    /// Adds all elements of `other`, which must have the same bound; returns true if any of them is
    /// new. O(bound / 64).
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Iterates over the elements in ascending order. O(bound / 64 + elements).
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            // Each iteration clears the lowest set bit.
            let next = |rest: u64| (rest != 0).then_some(rest);
            std::iter::successors(next(word), move |rest| next(rest & (rest - 1)))
                .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_in_order() {
        let mut set = BitSet::new(130);
        for element in [129, 0, 63, 64, 5] {
            assert!(set.insert(element));
            assert!(!set.insert(element));
        }
        assert!(set.remove(5) && !set.remove(5));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        let mut other = BitSet::new(130);
        assert!(other.union_with(&set) && !other.union_with(&set));
        assert!(!other.contains(1) && !other.contains(1000));
    }
}

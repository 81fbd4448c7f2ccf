//! A set of small numbers as bits: the facts that hold at a block boundary.

/// A set of numbers below a bound that is fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `n_elements`.
    #[must_use]
    pub fn new(n_elements: usize) -> Self {
        Self {
            words: vec![0; n_elements.div_ceil(64)],
        }
    }

    /// Whether `element` is in the set.
    #[must_use]
    pub fn contains(&self, element: usize) -> bool {
        self.words
            .get(element / 64)
            .is_some_and(|word| word >> (element % 64) & 1 == 1)
    }

    /// Adds `element`; true if it is new.
    ///
    /// # Panics
    /// If `element` is beyond the bound.
    pub fn insert(&mut self, element: usize) -> bool {
        let (word, bit) = (&mut self.words[element / 64], 1 << (element % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes `element` out; true if it was in.
    ///
    /// # Panics
    /// If `element` is beyond the bound.
    pub fn remove(&mut self, element: usize) -> bool {
        let (word, bit) = (&mut self.words[element / 64], 1 << (element % 64));
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }

    /// Adds all of `other`, which has the same bound; true if anything is new. O(bound / 64).
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// The elements in ascending order. O(bound / 64 + elements).
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            // Each step clears the lowest bit that is set.
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

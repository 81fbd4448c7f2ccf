//! Operations on bit sets that report whether they changed the set, which data-flow analysis needs
//! to detect its fixed point. Those of `FixedBitSet` do not.

use fixedbitset::FixedBitSet;

/// Removes `element`; returns true if it was present.
pub(crate) fn take(set: &mut FixedBitSet, element: usize) -> bool {
    let was_in = set.contains(element);
    if was_in {
        set.remove(element);
    }
    was_in
}

/// Adds all elements of `other`, which must have the same bound; returns true if any of them is
/// new.
pub(crate) fn join(set: &mut FixedBitSet, other: &FixedBitSet) -> bool {
    let has_new = !other.is_subset(set);
    if has_new {
        set.union_with(other);
    }
    has_new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_reported_once() {
        let mut set = FixedBitSet::with_capacity(130);
        let other: FixedBitSet = [0, 63, 64, 129].into_iter().collect();
        assert!(join(&mut set, &other) && !join(&mut set, &other));
        assert!(take(&mut set, 63) && !take(&mut set, 63));
        assert_eq!(set.ones().collect::<Vec<_>>(), [0, 64, 129]);
        // A subset brings nothing new, and an element past the bound is never present.
        assert!(!join(&mut other.clone(), &set));
        assert!(!take(&mut set, 1000));
    }
}

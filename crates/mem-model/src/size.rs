//! Sizes known only at run time, and plans that hold for every value of them.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Bytes, Item, Placement, Plan, Problem};

/// A size in bytes that depends on non-negative integers known only at run time: a polynomial in
/// these unknowns with non-negative coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Coefficients, indexed by product of unknowns (ascending numbers, one per factor). No
    /// coefficient is zero. The empty product is the constant term.
    terms: BTreeMap<Vec<u32>, u64>,
}

impl Size {
    /// Creates a constant size of `bytes` bytes.
    #[must_use]
    pub fn constant(bytes: u64) -> Self {
        let terms = (bytes > 0).then(|| (Vec::new(), bytes));
        Self {
            terms: terms.into_iter().collect(),
        }
    }

    /// Creates a size of as many bytes as the value of the unknown `number`.
    #[must_use]
    pub fn unknown(number: u32) -> Self {
        Self {
            terms: BTreeMap::from([(vec![number], 1)]),
        }
    }

    /// Returns the sum; `None` if a coefficient does not fit in 64 bits.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Option<Self> {
        for (product, coefficient) in &other.terms {
            let sum = self.terms.entry(product.clone()).or_default();
            *sum = sum.checked_add(*coefficient)?;
        }
        Some(self)
    }

    /// Returns the product; `None` if a coefficient does not fit in 64 bits.
    #[must_use]
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, n) in &self.terms {
            for (b, m) in &other.terms {
                let mut unknowns = [a.as_slice(), b].concat();
                unknowns.sort_unstable();
                let coefficient = product.terms.entry(unknowns).or_default();
                *coefficient = coefficient.checked_add(n.checked_mul(*m)?)?;
            }
        }
        Some(product)
    }

    /// Iterates over the terms: the unknowns of the product and its coefficient. The constant term
    /// has no unknowns.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.terms.iter().map(|(product, n)| (&product[..], *n))
    }

    /// Returns the number of bytes if the size is constant.
    #[must_use]
    pub fn known(&self) -> Option<Bytes> {
        match self.terms.len() {
            0 => Some(Bytes::ZERO),
            1 => self.terms.get(&[][..]).copied().map(Bytes::new),
            _ => None,
        }
    }

    /// Returns the number of bytes if every unknown equals `value`; `None` if it does not fit in 64
    /// bits.
    #[must_use]
    pub fn at(&self, value: u64) -> Option<Bytes> {
        let mut sum = 0_u64;
        for (product, n) in &self.terms {
            let power = value.checked_pow(product.len().try_into().ok()?)?;
            sum = sum.checked_add(n.checked_mul(power)?)?;
        }
        Some(Bytes::new(sum))
    }

    /// Whether the size is at least `other` for all values of the unknowns. Compares coefficient by
    /// coefficient, which is sufficient but not necessary.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let mut terms = other.terms.iter();
        terms.all(|(product, n)| self.terms.get(product).is_some_and(|own| own >= n))
    }

    /// Whether the size is a multiple of `alignment` for all values of the unknowns. Tests the
    /// coefficients, which is sufficient but not necessary.
    #[must_use]
    pub fn is_aligned_to(&self, alignment: Bytes) -> bool {
        let mut coefficients = self.terms.values();
        coefficients.all(|n| Bytes::new(*n).is_aligned_to(alignment))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (index, (product, n)) in self.terms.iter().enumerate() {
            f.write_str(if index > 0 { " + " } else { "" })?;
            write!(f, "{n}")?;
            for unknown in product {
                write!(f, "*n{unknown}")?;
            }
        }
        Ok(())
    }
}

/// A plan for sizes known only at run time: a relation that says which items lie above which
/// others. Given concrete sizes, each item gets the lowest offset that the items below it permit.
///
/// The plan solves a problem for all sizes if, of any two conflicting items, one is above the
/// other, directly or transitively. Conflicting items that may share storage (aliases, reuse in
/// place) need not be ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelativePlan {
    /// Items by index, in topological order: each item follows all items that it is above.
    pub order: Vec<usize>,
    /// Indexed by item: the item whose offset it shares. An item with an offset of its own refers
    /// to itself.
    pub place: Vec<usize>,
    /// Indexed by item with an offset of its own: the items with offsets of their own that it is
    /// directly above.
    pub above: Vec<Vec<usize>>,
}

impl RelativePlan {
    /// Computes the offsets, in bytes, for the current sizes and alignments of the problem's items,
    /// and the highest address used. Returns `None` if an offset or the peak does not fit in 64
    /// bits. Linear.
    #[must_use]
    pub fn offsets(&self, problem: &Problem) -> Option<(Vec<Bytes>, Bytes)> {
        let items = &problem.items;
        // Items that share an offset need room for the largest of them, at the strictest alignment.
        let (mut size, mut alignment) = (vec![Bytes::ZERO; items.len()], vec![1; items.len()]);
        for (index, item) in items.iter().enumerate() {
            let place = self.place[index];
            size[place] = size[place].max(item.size);
            alignment[place] = alignment[place].max(item.alignment.get());
        }
        let mut offsets = vec![Bytes::ZERO; items.len()];
        let mut peak = Bytes::ZERO;
        for &index in &self.order {
            if self.place[index] != index {
                continue;
            }
            let ends = self.above[index].iter();
            let ends = ends.map(|&other| offsets[other].checked_add(size[other]));
            let lowest = ends.collect::<Option<Vec<Bytes>>>()?.into_iter().max();
            let lowest = lowest.unwrap_or_default().get();
            let offset = lowest.checked_next_multiple_of(alignment[index])?;
            offsets[index] = Bytes::new(offset);
            peak = peak.max(offsets[index].checked_add(size[index])?);
        }
        for index in 0..items.len() {
            offsets[index] = offsets[self.place[index]];
        }
        Some((offsets, peak))
    }

    /// Returns the plan for the current sizes and alignments, attributed to `strategy` and without
    /// a lower bound. Returns `None` if an address does not fit in 64 bits. Linear.
    #[must_use]
    pub fn plan(&self, problem: &Problem, strategy: &str) -> Option<Plan> {
        let (offsets, peak) = self.offsets(problem)?;
        let placement = |(item, offset): (&Item, Bytes)| Placement {
            buffer: item.buffer,
            slot: item.slot,
            offset,
        };
        Some(Plan {
            strategy: strategy.to_owned(),
            placements: problem.items.iter().zip(offsets).map(placement).collect(),
            peak,
            lower_bound: Bytes::ZERO,
            proven_bound: Bytes::ZERO,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_polynomials() {
        let (n, m) = (Size::unknown(0), Size::unknown(1));
        let row = n.times(&Size::constant(4)).unwrap();
        let tile = row.times(&m).unwrap().plus(&Size::constant(64)).unwrap();
        assert_eq!(tile.to_string(), "64 + 4*n0*n1");
        assert_eq!(
            tile,
            m.times(&row).unwrap().plus(&Size::constant(64)).unwrap()
        );
        assert_eq!(tile.at(3), Some(Bytes::new(100)));
        assert_eq!(tile.known(), None);
        assert_eq!(Size::constant(0).known(), Some(Bytes::ZERO));
        assert_eq!(Size::constant(7).known(), Some(Bytes::new(7)));
        assert!(tile.is_aligned_to(Bytes::new(4)) && !tile.is_aligned_to(Bytes::new(8)));
        assert!(tile.covers(&Size::constant(64)) && !tile.covers(&row));
        assert!(!Size::constant(1 << 40).covers(&tile));
    }

    #[test]
    fn offsets_that_do_not_fit_are_not_wrapped() {
        let large = Size::constant(u64::MAX);
        assert_eq!(large.clone().plus(&Size::constant(1)), None);
        assert_eq!(large.times(&Size::constant(2)), None);
        assert_eq!(Size::unknown(0).times(&large).unwrap().at(2), None);
    }
}

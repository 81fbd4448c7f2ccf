//! Sizes known only at run time, and plans that hold whatever they turn out to be.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Bytes, Item, Placement, Plan, Problem};

/// A number of bytes that depends on numbers known only at run time, none of which is negative: a polynomial
/// in them whose coefficients are not negative either.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// By product of unknowns, each by its number, ascending: how often. None is zero; the empty product is the
    /// constant.
    terms: BTreeMap<Vec<u32>, u64>,
}

impl Size {
    /// So many bytes.
    #[must_use]
    pub fn constant(bytes: u64) -> Self {
        let terms = (bytes > 0).then(|| (Vec::new(), bytes));
        Self {
            terms: terms.into_iter().collect(),
        }
    }

    /// As many bytes as the unknown of that number says.
    #[must_use]
    pub fn unknown(number: u32) -> Self {
        Self {
            terms: BTreeMap::from([(vec![number], 1)]),
        }
    }

    /// The sum; `None` if a coefficient does not fit 64 bits.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Option<Self> {
        for (product, coefficient) in &other.terms {
            let sum = self.terms.entry(product.clone()).or_default();
            *sum = sum.checked_add(*coefficient)?;
        }
        Some(self)
    }

    /// The product; `None` if a coefficient does not fit 64 bits.
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

    /// Its terms: products of unknowns by their numbers, and how often each; the constant has no unknowns.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.terms.iter().map(|(product, n)| (&product[..], *n))
    }

    /// The number of bytes, if it depends on nothing.
    #[must_use]
    pub fn known(&self) -> Option<Bytes> {
        match self.terms.len() {
            0 => Some(Bytes::ZERO),
            1 => self.terms.get(&[][..]).copied().map(Bytes::new),
            _ => None,
        }
    }

    /// The number of bytes where every unknown is `value`; `None` if it does not fit 64 bits.
    #[must_use]
    pub fn at(&self, value: u64) -> Option<Bytes> {
        let mut sum = 0_u64;
        for (product, n) in &self.terms {
            let power = value.checked_pow(product.len().try_into().ok()?)?;
            sum = sum.checked_add(n.checked_mul(power)?)?;
        }
        Some(Bytes::new(sum))
    }

    /// Whether it is at least `other` whatever the unknowns are, as far as coefficients show it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let mut terms = other.terms.iter();
        terms.all(|(product, n)| self.terms.get(product).is_some_and(|own| own >= n))
    }

    /// Whether it is a multiple of `alignment` whatever the unknowns are.
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

/// A plan for sizes that are not known yet: which items lie above which others. Every choice of sizes makes
/// offsets of it: each item lies as low as those below it let it.
///
/// It answers a problem, whatever its sizes, if of any two items that conflict one is above the other, directly
/// or over others between them; but for those that may be in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelativePlan {
    /// Items by index, each behind all that it depends on.
    pub order: Vec<usize>,
    /// By item: whose offset it has. Itself, or one that has its own.
    pub place: Vec<usize>,
    /// By item that has an offset of its own: the items with offsets of their own that it is directly above.
    pub above: Vec<Vec<usize>>,
}

impl RelativePlan {
    /// Offsets in bytes for the sizes and alignments that the problem's items have now, and the highest
    /// address used; `None` if one does not fit 64 bits. Linear.
    #[must_use]
    pub fn offsets(&self, problem: &Problem) -> Option<(Vec<Bytes>, Bytes)> {
        let items = &problem.items;
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

    /// The plan for those sizes and alignments, by a strategy of that name, which claims no lower bound;
    /// `None` if an address does not fit 64 bits. Linear.
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
    fn what_does_not_fit_is_not_wrapped() {
        let large = Size::constant(u64::MAX);
        assert_eq!(large.clone().plus(&Size::constant(1)), None);
        assert_eq!(large.times(&Size::constant(2)), None);
        assert_eq!(Size::unknown(0).times(&large).unwrap().at(2), None);
    }
}

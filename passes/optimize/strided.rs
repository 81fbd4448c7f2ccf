//! Strided boxes of elements: the bytes that static memref layouts denote.

use crate::extract::descriptor_bounds;
use crate::ir::{Builder, Op, Value, identity_memref, memref_layout, strided_memref};

/// A box of elements: indices `[0, size)` in each dimension, `stride` bytes apart, starting at byte
/// `start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strided {
    /// The first byte of the first element.
    pub start: i64,
    /// Outermost dimension first. Sizes are positive, strides are non-negative.
    pub dims: Vec<Dim>,
    /// Size of an element in bytes.
    pub element: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    pub size: i64,
    pub stride: i64,
}

/// A dimension of the same elements in two layouts.
struct Pair {
    size: i64,
    from: i64,
    to: i64,
}

impl Strided {
    /// The elements of a `mem.descriptor` with constant bounds and a static layout, relative to its
    /// buffer. `None` for other descriptors, and if there are no elements.
    pub(super) fn of_descriptor(op: Op) -> Option<Self> {
        let [start, size] = descriptor_bounds(op);
        let start = start.filter(|_| size.is_some())?;
        let layout = memref_layout(op.result().ty())?;
        let dims = layout.shape.iter().zip(&layout.strides);
        let dims: Option<Vec<Dim>> = dims
            .map(|(size, stride)| {
                let stride = (*stride)?.checked_mul(layout.element)?;
                let size = (*size)?;
                (size > 0 && stride >= 0).then_some(Dim { size, stride })
            })
            .collect();
        Some(Self {
            start,
            dims: dims?,
            element: layout.element,
        })
    }

    /// Whether `op` is a `mem.descriptor` that [`Self::of_descriptor`] supports.
    pub(super) fn is_descriptor(op: Op) -> bool {
        op.name() == "mem.descriptor" && Self::of_descriptor(op).is_some()
    }

    /// Size in bytes of the range from the first element to the end of the last one; `None` on
    /// overflow.
    pub(super) fn span(&self) -> Option<i64> {
        let last = self.dims.iter().try_fold(0_i64, |last, dim| {
            last.checked_add((dim.size - 1).checked_mul(dim.stride)?)
        });
        last?.checked_add(self.element)
    }

    /// Whether the elements are in row-major order without gaps.
    pub(super) fn is_row_major(&self) -> bool {
        let mut bytes = self.element;
        self.dims.iter().rev().all(|dim| {
            let fits = dim.size == 1 || dim.stride == bytes;
            bytes = bytes.saturating_mul(dim.size);
            fits
        })
    }

    /// Builds a descriptor of these elements of `buffer` to replace `old`, which has the same
    /// shape. The new descriptor has the identity layout if the elements are row-major.
    pub(super) fn describe(&self, old: Op, buffer: Value, before: Op) -> Value {
        let shape: Vec<i64> = self.dims.iter().map(|d| d.size).collect();
        let strides = self.dims.iter().map(|d| d.stride / self.element);
        let new = match self.is_row_major() {
            true => identity_memref(old.result().ty(), &shape),
            false => strided_memref(old.result().ty(), &shape, 0, &strides.collect::<Vec<_>>()),
        };
        let size = self.span().unwrap_or(self.element);
        Builder::new("mem.descriptor", old.location())
            .operands([buffer])
            .result(new)
            .integers(old.context(), "static_bounds", &[self.start, size])
            .before(before)
            .result()
    }

    /// Whether two boxes of the same storage are known to share no byte, i.e. are disjoint in some
    /// dimension of a grid that fits both. O(dimensions²).
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        let mut strides: Vec<i64> = vec![1];
        for dim in self.dims.iter().chain(&other.dims).filter(|d| d.size > 1) {
            strides.push(dim.stride);
        }
        strides.sort_unstable_by(|a, b| b.cmp(a));
        strides.dedup();
        let (Some(a), Some(b)) = (self.digits(&strides), other.digits(&strides)) else {
            return false;
        };
        // A byte has exactly one digit per position, so boxes whose digit ranges are disjoint at
        // some position share no byte.
        a.iter()
            .zip(&b)
            .any(|(a, b)| a.end <= b.start || b.end <= a.start)
    }

    /// The box as a range of digits in the mixed-radix number system with these weights, largest
    /// first and the last one 1. `None` if the box does not fit, i.e. a range carries into the next
    /// digit.
    fn digits(&self, weights: &[i64]) -> Option<Vec<std::ops::Range<i64>>> {
        let mut rest = self.start;
        let mut digits = Vec::new();
        for (position, &weight) in weights.iter().enumerate() {
            let above = position.checked_sub(1).map(|above| weights[above]);
            if weight == 0 || above.is_some_and(|above| above % weight != 0) {
                return None;
            }
            let start = rest / weight;
            rest %= weight;
            let same = self
                .dims
                .iter()
                .filter(|d| d.size > 1 && d.stride == weight);
            let mut last = same.map(|d| d.size - 1).sum::<i64>();
            if weight == 1 {
                last += self.element - 1;
            }
            let end = start.checked_add(last)?.checked_add(1)?;
            if above.is_some_and(|above| end > above / weight) {
                return None;
            }
            digits.push(start..end);
        }
        Some(digits)
    }

    /// As [`moved`](Self::moved); `None` as well if the first byte is not a multiple of the size of an
    /// element, which a descriptor requires.
    pub(super) fn moved_to_elements(&self, from: &Self, to: &Self) -> Option<Self> {
        let moved = self.moved(from, to)?;
        (moved.start % moved.element == 0).then_some(moved)
    }

    /// Maps these elements by the relocation of `from`, which must be row-major without gaps, to
    /// `to`, which has the same shape. `None` if some of these elements are not in `from`, or if
    /// the result has no constant strides. O(dimensions²).
    pub(super) fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        if !from.is_row_major() || self.element != from.element || to.element != from.element {
            return None;
        }
        let pairs = pairs(from, to)?;
        let mut rest = self.start.checked_sub(from.start).filter(|r| *r >= 0)?;
        // Per dimension: the first index, later the last index.
        let mut last = Vec::new();
        let mut start = to.start;
        for pair in &pairs {
            let digit = rest / pair.from;
            rest %= pair.from;
            start = start.checked_add(digit.checked_mul(pair.to)?)?;
            last.push(digit);
        }
        if rest != 0 {
            return None;
        }
        let mut dims = Vec::new();
        for dim in &self.dims {
            if dim.size == 1 {
                dims.push(Dim {
                    size: 1,
                    stride: self.element,
                });
                continue;
            }
            let fits = |pair: &Pair| pair.from <= dim.stride && dim.stride % pair.from == 0;
            let k = pairs.iter().position(fits)?;
            let step = dim.stride / pairs[k].from;
            last[k] += (dim.size - 1).checked_mul(step)?;
            let stride = step.checked_mul(pairs[k].to)?;
            dims.push(Dim {
                size: dim.size,
                stride,
            });
        }
        let inside = pairs
            .iter()
            .zip(&last)
            .all(|(pair, last)| *last < pair.size);
        inside.then_some(Self {
            start,
            dims,
            element: self.element,
        })
    }
}

/// The dimensions of two layouts of the same elements. Dimensions of size 1 are dropped, and
/// adjacent dimensions that are contiguous in both layouts are merged. Innermost last; at least
/// one.
fn pairs(from: &Strided, to: &Strided) -> Option<Vec<Pair>> {
    let sizes = |box_: &Strided| box_.dims.iter().map(|d| d.size).collect::<Vec<_>>();
    if sizes(from) != sizes(to) {
        return None;
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (a, b) in from.dims.iter().zip(&to.dims).filter(|(a, _)| a.size > 1) {
        let inner = Pair {
            size: a.size,
            from: a.stride,
            to: b.stride,
        };
        match pairs.last_mut() {
            Some(outer)
                if outer.from == inner.from * inner.size && outer.to == inner.to * inner.size =>
            {
                outer.size *= inner.size;
                (outer.from, outer.to) = (inner.from, inner.to);
            }
            _ => pairs.push(inner),
        }
    }
    if pairs.is_empty() {
        pairs.push(Pair {
            size: 1,
            from: from.element,
            to: to.element,
        });
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn strided(start: i64, element: i64, dims: &[(i64, i64)]) -> Strided {
        let dims = dims.iter().map(|&(size, stride)| Dim { size, stride });
        Strided {
            start,
            dims: dims.collect(),
            element,
        }
    }

    /// The first byte of each element, in index order.
    fn starts(of: &Strided) -> Vec<i64> {
        of.dims.iter().fold(vec![of.start], |starts, dim| {
            let along = |start| (0..dim.size).map(move |i| start + i * dim.stride);
            starts.into_iter().flat_map(along).collect()
        })
    }

    fn bytes(of: &Strided) -> BTreeSet<i64> {
        let elements = starts(of).into_iter();
        elements.flat_map(|s| s..s + of.element).collect()
    }

    fn any_box() -> impl Strategy<Value = Strided> {
        let dims = prop::collection::vec((1_i64..5, 0_i64..40), 0..4);
        (0_i64..60, prop::sample::select(vec![1, 2, 4]), dims)
            .prop_map(|(start, element, dims)| strided(start, element, &dims))
    }

    /// A row-major box, a padded target for it, and a view of the box.
    fn any_move() -> impl Strategy<Value = (Strided, Strided, Strided)> {
        let sizes = prop::collection::vec((1_i64..5, 0_i64..3), 1..4);
        let view = prop::collection::vec((1_i64..5, 0_i64..24), 0..4);
        (sizes, 0_i64..8, view, 0_i64..30).prop_map(|(sizes, base, view, start)| {
            let element = 4;
            let (mut from, mut to) = (Vec::new(), Vec::new());
            let (mut dense, mut padded) = (element, element);
            for &(size, padding) in sizes.iter().rev() {
                from.push((size, dense));
                to.push((size, padded));
                dense *= size;
                padded *= size + padding;
            }
            from.reverse();
            to.reverse();
            let view: Vec<_> = view.iter().map(|&(n, s)| (n, s * element)).collect();
            (
                strided(base * 4, element, &from),
                strided(12, element, &to),
                strided((base + start) * 4, element, &view),
            )
        })
    }

    proptest! {
        #[test]
        fn disjoint_boxes_share_no_byte(a in any_box(), b in any_box()) {
            if a.is_disjoint(&b) {
                prop_assert!(bytes(&a).is_disjoint(&bytes(&b)), "{a:?} {b:?}");
            }
        }

        #[test]
        fn moved_elements_are_where_the_box_went((from, to, view) in any_move()) {
            let places: BTreeMap<i64, i64> =
                starts(&from).into_iter().zip(starts(&to)).collect();
            if let Some(moved) = view.moved(&from, &to) {
                let expected: Option<Vec<i64>> =
                    starts(&view).iter().map(|s| places.get(s).copied()).collect();
                prop_assert_eq!(Some(starts(&moved)), expected);
            }
        }

        #[test]
        fn a_box_moves_to_where_it_is_told((from, to, _) in any_move()) {
            let moved = from.moved(&from, &to).map(|moved| starts(&moved));
            prop_assert_eq!(moved, Some(starts(&to)));
        }
    }

    #[test]
    fn columns_of_one_matrix_are_disjoint() {
        let left = strided(0, 4, &[(56, 512), (64, 4)]);
        let right = strided(256, 4, &[(56, 512), (64, 4)]);
        let middle = strided(128, 4, &[(56, 512), (64, 4)]);
        assert!(left.is_disjoint(&right));
        assert!(!left.is_disjoint(&middle));
        assert!(!left.is_disjoint(&strided(0, 4, &[(7168, 4)])));
    }
}

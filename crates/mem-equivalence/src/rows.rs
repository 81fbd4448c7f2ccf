//! Rows: the bytes of a strided region whose position is known, as runs of consecutive bytes.

use crate::value::Region;

/// Maximum number of rows that one access is split into. Beyond that, the elements of the access
/// are treated as a whole.
pub(crate) const MAX_ROWS: i64 = 1 << 16;

/// Rows of the same length at regular distances. Regions that consist of the same bytes in the same
/// order have the same rows, whatever the number of their dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rows {
    /// Offset of the first row, in bytes.
    pub start: i64,
    /// Bytes per row.
    pub length: i64,
    /// Number of rows.
    pub n: i64,
    /// Number of rows and distance between their starts in bytes, outermost dimension first. No
    /// dimension has only one row, and none continues the next one.
    pub dims: Vec<(i64, i64)>,
}

impl Rows {
    /// Returns the rows of a region in element order; `None` if its layout is known only at run
    /// time.
    pub(crate) fn of(region: &Region) -> Option<Self> {
        let dims = region.dims.iter();
        let known = dims.map(|(size, stride)| Some((size.known()?, stride.known()?)));
        let dims = known.collect::<Option<Vec<_>>>()?;
        Self::new(region.start.known()?, region.element, &dims)
    }

    /// Returns one row of `length` bytes at offset 0.
    pub(crate) fn dense(length: i64) -> Self {
        Self {
            start: 0,
            length,
            n: 1,
            dims: Vec::new(),
        }
    }

    /// Returns rows of `length` bytes, with contiguous dimensions and rows merged.
    /// `None` if there are too many bytes to count or to address.
    fn new(start: i64, mut length: i64, all: &[(i64, i64)]) -> Option<Self> {
        let mut dims: Vec<(i64, i64)> = Vec::new();
        for (size, stride) in all.iter().copied().filter(|(size, _)| *size != 1) {
            match dims.last_mut() {
                Some((outer, distance)) if size.checked_mul(stride) == Some(*distance) => {
                    *outer = outer.checked_mul(size)?;
                    *distance = stride;
                }
                _ => dims.push((size, stride)),
            }
        }
        if let Some((size, stride)) = dims.last().copied()
            && stride == length
        {
            length = length.checked_mul(size)?;
            dims.pop();
        }
        let mut sizes = dims.iter().map(|(size, _)| *size);
        let n = sizes.try_fold(1_i64, i64::checked_mul)?;
        n.checked_mul(length)?;
        let distance = |(size, stride): &(i64, i64)| (size - 1).checked_mul(*stride)?.checked_abs();
        let mut distances = dims.iter().map(distance);
        let reach = distances.try_fold(length, |sum, own| sum.checked_add(own?))?;
        start.checked_abs()?.checked_add(reach)?;
        Some(Self {
            start,
            length,
            n,
            dims,
        })
    }

    /// Returns the rows as `(first byte, bytes)`, in element order. O(rows).
    pub(crate) fn runs(&self) -> Vec<(i64, i64)> {
        if self.n == 0 || self.length == 0 {
            return Vec::new();
        }
        let mut runs = Vec::with_capacity(self.n as usize);
        runs.push((self.start, self.length));
        // From the innermost dimension outwards, each repeats the runs so far.
        for (size, stride) in self.dims.iter().rev() {
            let n_inner = runs.len();
            for index in 1..*size {
                for inner in 0..n_inner {
                    let (first, length) = runs[inner];
                    runs.push((first + index * stride, length));
                }
            }
        }
        runs
    }

    /// Returns the number of bytes in all rows.
    pub(crate) fn bytes(&self) -> i64 {
        self.n * self.length
    }

    /// Returns the same rows, `distance` bytes further on.
    pub(crate) fn shifted(&self, distance: i64) -> Self {
        Self {
            start: self.start + distance,
            ..self.clone()
        }
    }

    /// Returns the rows in address order, with adjacent rows merged. `None` if rows may overlap or
    /// if a distance is not positive.
    pub(crate) fn in_address_order(&self) -> Option<Self> {
        let mut dims = self.dims.clone();
        dims.sort_by_key(|(_, stride)| *stride);
        let (mut length, mut span) = (self.length, self.length);
        let mut outer: Vec<(i64, i64)> = Vec::new();
        for (size, stride) in dims {
            if stride <= 0 || stride < span {
                return None;
            }
            span = (size - 1).checked_mul(stride)?.checked_add(span)?;
            match outer.is_empty() && stride == length {
                true => length = span,
                false => outer.push((size, stride)),
            }
        }
        self.start.checked_add(span)?;
        outer.reverse();
        Some(Self {
            start: self.start,
            length,
            n: outer.iter().map(|(size, _)| size).product(),
            dims: outer,
        })
    }

    /// Returns the byte range `[start, end)` from the first row to the last, if distances are
    /// positive.
    pub(crate) fn hull(&self) -> (i64, i64) {
        let spans = self.dims.iter().map(|(size, stride)| (size - 1) * stride);
        (self.start, self.start + spans.sum::<i64>() + self.length)
    }

    /// Returns the dimensions that a position in the byte string of these rows consists of, least
    /// significant first: how many positions there are, the bytes from one to the next in the byte
    /// string, and the bytes from one to the next in storage. The first one counts bytes in a row.
    fn digits(&self) -> Vec<(i64, i64, i64)> {
        let mut digits = vec![(self.length, 1, 1)];
        let mut weight = self.length;
        for (size, stride) in self.dims.iter().rev() {
            digits.push((*size, weight, *stride));
            weight *= size;
        }
        digits
    }

    /// Returns where rows of the byte string of these rows are in storage: `inner` selects from the
    /// bytes of `self`. `None` unless they are rows there, too. O(dimensions²).
    pub(crate) fn compose(&self, inner: &Self) -> Option<Self> {
        let digits = self.digits();
        // The highest position in each digit. Positions add up digit by digit only without carries.
        let mut last = vec![0; digits.len()];
        let (mut start, mut rest) = (self.start, inner.start);
        for (highest, (_, weight, stride)) in last.iter_mut().zip(&digits).rev() {
            *highest = rest / weight;
            start += *highest * stride;
            rest %= weight;
        }
        let mut dims = Vec::new();
        for (size, distance) in inner.dims.iter().chain(&[(inner.length, 1)]) {
            // The parts of the dimension in different digits, least significant first.
            let (mut parts, mut left, mut distance) = (Vec::new(), *size, *distance);
            while left > 1 {
                let index = digits.iter().rposition(|own| own.1 <= distance)?;
                let (positions, weight, stride) = digits[index];
                let step = distance / weight;
                let fits = (left - 1) * step < positions;
                let own = if fits { left } else { positions / step };
                let is_even = distance % weight == 0 && left % own.max(1) == 0;
                if !is_even || own < 2 || !fits && positions % step != 0 {
                    return None;
                }
                last[index] += (own - 1) * step;
                parts.push((own, step * stride));
                (left, distance) = (left / own, distance * own);
            }
            dims.extend(parts.into_iter().rev());
        }
        let mut highest = last.iter().zip(&digits);
        if highest.any(|(last, (positions, ..))| last >= positions) {
            return None;
        }
        let length = dims.pop_if(|(_, stride)| *stride == 1);
        Self::new(start, length.map_or(1, |(bytes, _)| bytes), &dims)
    }

    /// Returns which rows of the byte string of these rows `other` is; `None` if it is not known to
    /// consist of such rows. O(dimensions²).
    pub(crate) fn locate(&self, other: &Self) -> Option<Self> {
        let mut digits = self.digits();
        digits.sort_by_key(|(_, _, stride)| *stride);
        let mut rest = other.start.checked_sub(self.start)?;
        let mut start = 0;
        for (size, weight, stride) in digits.iter().rev() {
            let position = (rest / stride).min(size - 1);
            start += position * weight;
            rest -= position * stride;
        }
        let moved = |(size, distance): &(i64, i64)| {
            let mut digits = digits.iter().rev();
            let own = digits.find(|(_, _, stride)| distance % stride == 0 && *stride <= *distance);
            let (_, weight, stride) = own?;
            Some((*size, distance / stride * weight))
        };
        let dims = other.dims.iter().map(moved).collect::<Option<Vec<_>>>()?;
        let inner = Self::new(start, other.length, &dims)?;
        (start >= 0 && self.compose(&inner)? == *other).then_some(inner)
    }

    /// Whether two sets of rows share no byte because they interleave: modulo a common divisor of
    /// all distances, each set is one interval, and the intervals are disjoint. O(dimensions).
    pub(crate) fn interleave(&self, other: &Self) -> bool {
        let strides = self.dims.iter().chain(&other.dims);
        let period = strides.fold(0, |common, (_, stride)| gcd(common, *stride));
        if period == 0 {
            return false;
        }
        let distance = (other.start.wrapping_sub(self.start)).rem_euclid(period);
        let back = (self.start.wrapping_sub(other.start)).rem_euclid(period);
        distance >= self.length && back >= other.length
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::linear::Linear;

    fn rows(start: i64, dims: &[(i64, i64)], element: i64) -> Rows {
        let known =
            |(size, stride): &(i64, i64)| (Linear::constant(*size), Linear::constant(*stride));
        let region = Region {
            start: Linear::constant(start),
            dims: dims.iter().map(known).collect(),
            element,
        };
        Rows::of(&region).expect("the region is known")
    }

    #[test]
    fn dimensions_that_continue_each_other_are_one() {
        let own = rows(0, &[(1, 99), (3, 64), (4, 16), (2, 4)], 4);
        assert_eq!(own, rows(0, &[(12, 16), (1, 7), (2, 4)], 4));
        assert_eq!((own.length, own.dims.as_slice()), (8, &[(12, 16)][..]));
    }

    #[test]
    fn rows_beyond_all_addresses_are_unknown() {
        let region = |start, size, stride| Region {
            start: Linear::constant(start),
            dims: vec![(Linear::constant(size), Linear::constant(stride))],
            element: 4,
        };
        for own in [
            region(0, 4, i64::MAX / 2),
            region(0, 4, i64::MIN),
            region(i64::MAX - 8, 2, 16),
            region(i64::MIN, 2, 16),
        ] {
            assert_eq!(Rows::of(&own), None, "{own:?}");
        }
    }

    #[test]
    fn a_transposed_block_has_one_row_per_line_in_address_order() {
        let own = rows(8, &[(2, 4), (3, 16)], 4);
        let sorted = own.in_address_order().expect("the rows are disjoint");
        assert_eq!(sorted.runs(), [(8, 8), (24, 8), (40, 8)]);
        assert_eq!((own.hull(), sorted.hull()), ((8, 48), (8, 48)));
    }

    #[test]
    fn overlapping_and_reversed_rows_have_no_address_order() {
        assert_eq!(rows(0, &[(3, 4)], 8).in_address_order(), None);
        assert_eq!(rows(64, &[(3, -16), (2, 4)], 4).in_address_order(), None);
        assert_eq!(rows(0, &[(3, 0), (2, 4)], 4).in_address_order(), None);
    }

    #[test]
    fn interleaved_rows_share_no_byte() {
        let blocks = |start, columns| rows(start, &[(5, 64), (columns, 4)], 4);
        assert!(blocks(0, 8).interleave(&blocks(32, 8)));
        assert!(blocks(320, 8).interleave(&blocks(32, 8)));
        assert!(!blocks(0, 9).interleave(&blocks(32, 8)));
        assert!(!blocks(48, 8).interleave(&blocks(0, 8)));
        assert!(!rows(0, &[(8, 4)], 4).interleave(&rows(64, &[(8, 4)], 4)));
    }

    #[test]
    fn halves_of_padded_rows_are_rows_of_the_storage() {
        // The interior of 4 x 6 pixels of 16 bytes in a padded tensor, and a half of each pixel.
        let interior = rows(112, &[(4, 96), (4, 16), (4, 4)], 4);
        assert_eq!((interior.n, interior.length), (4, 64));
        let half = rows(8, &[(16, 16), (2, 4)], 4);
        let expected = rows(120, &[(4, 96), (4, 16), (2, 4)], 4);
        assert_eq!(interior.compose(&half), Some(expected.clone()));
        assert_eq!(interior.locate(&expected), Some(half));
    }

    #[test]
    fn rows_that_cross_the_end_of_a_row_are_no_rows_of_the_storage() {
        let own = rows(0, &[(4, 32), (4, 4)], 4);
        assert_eq!(own.compose(&rows(12, &[(3, 16), (2, 4)], 4)), None);
        assert_eq!(own.compose(&rows(0, &[(3, 24), (2, 4)], 4)), None);
        assert_eq!(own.locate(&rows(12, &[(3, 32), (2, 4)], 4)), None);
    }

    /// Compares the composition of random rows with the bytes that it selects.
    #[test]
    fn random_compositions_select_the_same_bytes() {
        let mut source = SplitMix64::seed_from_u64(11);
        let mut random = |below: u64| (source.next_u64() % below) as i64;
        let bytes = |own: &Rows| {
            let runs = own.runs().into_iter();
            runs.flat_map(|(start, length)| start..start + length)
                .collect::<Vec<_>>()
        };
        let (mut n_composed, mut n_located) = (0, 0);
        for _ in 0..20_000 {
            let sizes = [0; 3].map(|_| 1 + random(4));
            let pitch = 4 * (sizes[2] + random(2));
            let outer = [
                (sizes[0], pitch * (sizes[1] + random(2))),
                (sizes[1], pitch),
                (sizes[2], 4),
            ];
            let outer = rows(4 * random(4), &outer, 4);
            let parts = [0; 2].map(|_| (1 + random(4), 4 * (1 + random(8))));
            let inner = rows(4 * random(4), &parts, 4);
            if inner.hull().1 > outer.bytes() {
                continue;
            }
            let all = bytes(&outer);
            let selected = bytes(&inner).into_iter().map(|at| all[at as usize]);
            let Some(found) = outer.compose(&inner) else {
                continue;
            };
            n_composed += 1;
            assert_eq!(bytes(&found), selected.collect::<Vec<_>>());
            if let Some(back) = outer.locate(&found) {
                n_located += 1;
                assert_eq!(bytes(&back), bytes(&inner));
            }
        }
        assert!(
            n_composed > 2000 && n_located > 1000,
            "{n_composed} {n_located}"
        );
    }

    /// Compares with the bytes themselves.
    #[test]
    fn random_rows_interleave_only_if_their_bytes_are_distinct() {
        let mut source = SplitMix64::seed_from_u64(7);
        let mut random = |below: u64| (source.next_u64() % below) as i64;
        let mut n_interleaved = 0;
        for _ in 0..4000 {
            let mut draw = || {
                let dims = [0; 2].map(|_| (1 + random(4), 4 * (1 + random(12))));
                rows(4 * random(12), &dims, 4)
            };
            let (a, b) = (draw(), draw());
            let bytes = |own: &Rows| {
                let runs = own.runs().into_iter();
                runs.flat_map(|(start, length)| start..start + length)
                    .collect::<Vec<_>>()
            };
            if let Some(sorted) = a.in_address_order() {
                let mut expected = bytes(&a);
                expected.sort_unstable();
                assert_eq!(bytes(&sorted), expected);
                assert_eq!(a.hull().1, expected[expected.len() - 1] + 1);
            }
            if a.interleave(&b) {
                n_interleaved += 1;
                let of_b = bytes(&b);
                assert!(bytes(&a).iter().all(|byte| !of_b.contains(byte)));
            }
        }
        assert!(n_interleaved > 100);
    }
}

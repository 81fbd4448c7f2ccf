//! Arithmetic progressions of indices.

use crate::ir::Linear;

/// The indices `first, first + step, ..., last`. `step` is at least 1, and 1 if there is only one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progression {
    pub first: i64,
    pub last: i64,
    pub step: i64,
}

impl Progression {
    /// All indices of a dimension of `size`, which is not empty.
    pub(super) const fn all(size: i64) -> Self {
        Self {
            first: 0,
            last: size - 1,
            step: 1,
        }
    }

    /// The progression from `first` to `last` whose indices differ by multiples of `step`.
    fn new(first: i64, last: i64, step: i64) -> Self {
        let step = step.max(1);
        Self { first, last, step }
    }

    /// The number of indices.
    pub(super) const fn count(self) -> i64 {
        (self.last - self.first) / self.step + 1
    }

    /// The difference of indices; 0 if there is only one.
    const fn difference(self) -> i64 {
        match self.first == self.last {
            true => 0,
            false => self.step,
        }
    }

    /// A progression with the indices of both, and as few others as possible.
    pub(super) fn join(self, other: Self) -> Self {
        let distance = (self.first - other.first).abs();
        let step = gcd(gcd(self.difference(), other.difference()), distance);
        let (first, last) = (self.first.min(other.first), self.last.max(other.last));
        Self::new(first, last, step)
    }

    /// A progression with the values of an expression for all values of its dimensions; `None` if a number is too
    /// large.
    pub(super) fn of(expression: &Linear, dimensions: &[Self]) -> Option<Self> {
        let constant = Self::new(expression.constant, expression.constant, 1);
        let mut terms = expression.coefficients.iter().zip(dimensions);
        terms.try_fold(constant, |sum, (factor, own)| {
            let ends = [
                own.first.checked_mul(*factor)?,
                own.last.checked_mul(*factor)?,
            ];
            let first = sum.first.checked_add(ends[0].min(ends[1]))?;
            let last = sum.last.checked_add(ends[0].max(ends[1]))?;
            let difference = own.difference().checked_mul(*factor)?;
            Some(Self::new(first, last, gcd(sum.difference(), difference)))
        })
    }
}

/// The greatest common divisor of the absolute values.
fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a.abs(),
        b => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(own: Progression) -> Vec<i64> {
        (0..own.count())
            .map(|at| own.first + at * own.step)
            .collect()
    }

    #[test]
    fn joins_contain_both_and_are_exact_where_possible() {
        let all = |size: i64| {
            let firsts = 0..size;
            let lasts = move |first| (first..size).map(move |last| (first, last));
            let steps = |(first, last)| (1..4).map(move |step| (first, last, step));
            let progressions = firsts.flat_map(lasts).flat_map(steps);
            let is_whole = |(first, last, step): &(i64, i64, i64)| (last - first) % step == 0;
            let is_single = |(first, last, step): &(i64, i64, i64)| first != last || *step == 1;
            { progressions.filter(is_whole).filter(is_single) }
                .map(|(first, last, step)| Progression { first, last, step })
                .collect::<Vec<_>>()
        };
        for one in all(7) {
            for other in all(7) {
                let joined = one.join(other);
                let contained = [indices(one), indices(other)].concat();
                let of_join = indices(joined);
                assert!(
                    contained.iter().all(|own| of_join.contains(own)),
                    "{one:?} {other:?}"
                );
                // No progression with fewer indices contains both.
                let smaller = all(7)
                    .into_iter()
                    .filter(|own| own.count() < joined.count());
                for own in smaller {
                    let own = indices(own);
                    assert!(!contained.iter().all(|index| own.contains(index)));
                }
            }
        }
    }

    #[test]
    fn values_of_expressions() {
        let linear = |constant, coefficients: &[i64]| Linear {
            constant,
            coefficients: coefficients.to_vec(),
        };
        let (rows, window) = (Progression::all(4), Progression::all(3));
        // A strided convolution reads all rows, one with a window of one row every other.
        let dense = Progression::of(&linear(0, &[2, 1]), &[rows, window]).unwrap();
        assert_eq!(
            dense,
            Progression {
                first: 0,
                last: 8,
                step: 1
            }
        );
        let sparse = Progression::of(&linear(0, &[2, 1]), &[rows, Progression::all(1)]).unwrap();
        assert_eq!(
            sparse,
            Progression {
                first: 0,
                last: 6,
                step: 2
            }
        );
        // Backwards, and every third of every other one.
        let own = Progression::of(&linear(9, &[-3]), &[sparse]).unwrap();
        assert_eq!(
            own,
            Progression {
                first: -9,
                last: 9,
                step: 6
            }
        );
        assert_eq!(Progression::of(&linear(0, &[i64::MAX]), &[sparse]), None);
    }
}

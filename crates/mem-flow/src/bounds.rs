//! Bounds on integers that are known only at run time, from how they are computed.
//!
//! # Definitions
//!
//! A *number* is defined by bounds, or as the minimum, maximum, quotient, remainder, product or one of
//! several linear *forms* over the numbers before it. Sums need no numbers: they are forms.
//!
//! # Algorithm
//!
//! A form is bounded from above by eliminating its last number. `2 * min(a, b) + c` is at most `2a + c`
//! and at most `2b + c`, so the smaller of their bounds is a bound. In `c - min(a, b)`, the minimum is
//! `a` or `b`, so the larger of the bounds of `c - a` and `c - b` is one. Forms are added before they
//! are bounded, so what their numbers have in common cancels: `min(n, 8) - n + 4` is at most 4, whereas
//! intervals know only that it is at most `12 - n`. A lower bound is the negated upper bound of the
//! negated form.
//!
//! # Guarantees
//!
//! No value of a form exceeds its upper bound, provided that neither the program nor the definitions
//! overflow. The bound need not be the least one.
//!
//! # Complexity
//!
//! Exponential in the depth of minima and maxima. After `MAX_STEPS` eliminations, intervals bound
//! what is left, which is linear in the size of the forms.

use std::collections::HashMap;

/// Maximum number of eliminations for one bound.
const MAX_STEPS: u32 = 4096;

/// Maximum number of terms of a form. Longer forms are not represented.
const MAX_TERMS: usize = 32;

/// A number of [`Numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct NumberId(u32);

/// A linear combination of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    constant: i64,
    /// Numbers in ascending order, with coefficients other than 0.
    terms: Vec<(NumberId, i64)>,
}

impl Form {
    /// The constant `value`.
    #[must_use]
    pub const fn constant(value: i64) -> Self {
        Self {
            constant: value,
            terms: Vec::new(),
        }
    }

    /// The value, if it is constant.
    #[must_use]
    pub const fn value(&self) -> Option<i64> {
        match self.terms.is_empty() {
            true => Some(self.constant),
            false => None,
        }
    }

    /// The sum; `None` if a coefficient overflows or the sum has too many terms.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.as_slice(), other.terms.as_slice());
        loop {
            let (term, from_left, from_right) = match (left, right) {
                ([], []) => break,
                ([a, ..], [b, ..]) if a.0 == b.0 => ((a.0, a.1.checked_add(b.1)?), 1, 1),
                ([a, ..], [b, ..]) if a.0 > b.0 => (*b, 0, 1),
                ([a, ..], _) => (*a, 1, 0),
                ([], [b, ..]) => (*b, 0, 1),
            };
            terms.extend(Some(term).filter(|(_, coefficient)| *coefficient != 0));
            (left, right) = (&left[from_left..], &right[from_right..]);
        }
        let constant = self.constant.checked_add(other.constant)?;
        (terms.len() <= MAX_TERMS).then_some(Self { constant, terms })
    }

    /// The product with a constant; `None` if it overflows.
    #[must_use]
    pub fn times(&self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::default());
        }
        let scaled = |(number, own): &(NumberId, i64)| Some((*number, own.checked_mul(factor)?));
        Some(Self {
            constant: self.constant.checked_mul(factor)?,
            terms: self.terms.iter().map(scaled).collect::<Option<_>>()?,
        })
    }

    /// The difference; `None` if it overflows or has too many terms.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(-1)?)
    }
}

/// Direction in which a quotient is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards negative infinity.
    Down,
    /// Towards positive infinity.
    Up,
}

/// How a number is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Any number that is at least and at most as large as these forms.
    Bounded {
        /// Lower bounds.
        at_least: Vec<Form>,
        /// Upper bounds.
        at_most: Vec<Form>,
    },
    /// The smallest of these forms, at least one.
    Minimum(Vec<Form>),
    /// The largest of these forms, at least one.
    Maximum(Vec<Form>),
    /// One of these forms, at least one.
    OneOf(Vec<Form>),
    /// A quotient. Unbounded unless the divisor is positive.
    Quotient {
        /// The dividend.
        of: Form,
        /// The divisor.
        by: i64,
        /// The direction of rounding.
        rounding: Rounding,
    },
    /// The remainder of a division rounded down. Unbounded unless the divisor is positive.
    Remainder {
        /// The dividend.
        of: Form,
        /// The divisor.
        by: i64,
    },
    /// A product.
    Product(Form, Form),
}

/// Bounds of a number.
#[derive(Clone, Debug)]
enum Limit {
    /// Each form is a bound.
    Every(Vec<Form>),
    /// The number is equal to one of the forms.
    Some(Vec<Form>),
}

/// The least and the largest value, if known.
type Interval = (Option<i64>, Option<i64>);

struct Number {
    lower: Limit,
    upper: Limit,
    /// Bounds by intervals alone.
    interval: Interval,
    /// The dividend, the divisor and the direction of rounding, if the number is a quotient.
    quotient: Option<(Form, i64, Rounding)>,
}

/// Numbers, and the bounds found so far.
#[derive(Default)]
pub struct Numbers {
    numbers: Vec<Number>,
    /// Memoized upper bounds.
    bounds: HashMap<Form, Option<i64>>,
    /// Number of eliminations left.
    steps: u32,
}

impl Numbers {
    /// A number of which nothing is known.
    pub fn unknown(&mut self) -> Form {
        self.define(Definition::Bounded {
            at_least: Vec::new(),
            at_most: Vec::new(),
        })
    }

    /// Adds a number and returns it as a form, which is constant if the definition is.
    pub fn define(&mut self, definition: Definition) -> Form {
        let every =
            |bound: Option<i64>| Limit::Every(bound.map(Form::constant).into_iter().collect());
        let (lower, upper, quotient) = match definition {
            Definition::Bounded { at_least, at_most } => {
                (Limit::Every(at_least), Limit::Every(at_most), None)
            }
            Definition::Minimum(forms) => (Limit::Some(forms.clone()), Limit::Every(forms), None),
            Definition::Maximum(forms) => (Limit::Every(forms.clone()), Limit::Some(forms), None),
            Definition::OneOf(forms) => (Limit::Some(forms.clone()), Limit::Some(forms), None),
            Definition::Quotient { by: ..=0, .. } | Definition::Remainder { by: ..=0, .. } => {
                return self.unknown();
            }
            Definition::Quotient { of, by, rounding } => {
                let (least, most) = self.interval(&of);
                let divided = |value: Option<i64>| value.map(|value| divide(value, by, rounding));
                let quotient = Some((of, by, rounding));
                (every(divided(least)), every(divided(most)), quotient)
            }
            Definition::Remainder { of, by } => {
                // The dividend itself is a bound if it is not negative.
                let is_natural = self.least(&of).is_some_and(|least| least >= 0);
                let upper = Some(Form::constant(by - 1)).into_iter();
                let upper = upper.chain(Some(of).filter(|_| is_natural)).collect();
                (every(Some(0)), Limit::Every(upper), None)
            }
            Definition::Product(a, b) => {
                let (least, most) = self.product(&a, &b);
                (every(least), every(most), None)
            }
        };
        self.add(lower, upper, quotient)
    }

    fn add(&mut self, lower: Limit, upper: Limit, quotient: Option<(Form, i64, Rounding)>) -> Form {
        let least = self.limit(&lower, |own, form| own.interval(form).0, i64::max, i64::min);
        let most = self.limit(&upper, |own, form| own.interval(form).1, i64::min, i64::max);
        if let Some(value) = least.filter(|least| Some(*least) == most) {
            return Form::constant(value);
        }
        let id = NumberId(u32::try_from(self.numbers.len()).expect("fewer numbers than values"));
        self.numbers.push(Number {
            lower,
            upper,
            interval: (least, most),
            quotient,
        });
        Form {
            constant: 0,
            terms: vec![(id, 1)],
        }
    }

    /// The bound that a limit gives, if each form has the bound that `of` finds.
    fn limit(
        &self,
        limit: &Limit,
        of: impl Fn(&Self, &Form) -> Option<i64>,
        tighter: fn(i64, i64) -> i64,
        looser: fn(i64, i64) -> i64,
    ) -> Option<i64> {
        match limit {
            Limit::Every(forms) => forms
                .iter()
                .filter_map(|form| of(self, form))
                .reduce(tighter),
            Limit::Some(forms) => {
                let bounds = forms.iter().map(|form| of(self, form));
                bounds
                    .collect::<Option<Vec<i64>>>()?
                    .into_iter()
                    .reduce(looser)
            }
        }
    }

    /// The bounds of a form by intervals alone.
    fn interval(&self, form: &Form) -> Interval {
        let end = |is_upper: bool| {
            form.terms
                .iter()
                .try_fold(form.constant, |sum, (id, coefficient)| {
                    let (least, most) = self.numbers[id.0 as usize].interval;
                    let bound = if (*coefficient > 0) == is_upper {
                        most
                    } else {
                        least
                    };
                    sum.checked_add(bound?.checked_mul(*coefficient)?)
                })
        };
        (end(false), end(true))
    }

    fn product(&mut self, a: &Form, b: &Form) -> Interval {
        let ends = [self.least(a), self.most(a), self.least(b), self.most(b)];
        let [Some(a), Some(b), Some(c), Some(d)] = ends else {
            return (None, None);
        };
        let corners = [
            a.checked_mul(c),
            a.checked_mul(d),
            b.checked_mul(c),
            b.checked_mul(d),
        ];
        let corners: Option<Vec<i64>> = corners.into_iter().collect();
        let corners = corners.unwrap_or_default();
        (corners.iter().min().copied(), corners.iter().max().copied())
    }

    /// An upper bound of a form, if one is found.
    pub fn most(&mut self, form: &Form) -> Option<i64> {
        self.steps = MAX_STEPS;
        self.upper(form)
    }

    /// A lower bound of a form, if one is found.
    pub fn least(&mut self, form: &Form) -> Option<i64> {
        self.most(&form.times(-1)?)?.checked_neg()
    }

    fn upper(&mut self, form: &Form) -> Option<i64> {
        let Some((id, coefficient)) = form.terms.last().copied() else {
            return Some(form.constant);
        };
        if let Some(bound) = self.bounds.get(form) {
            return *bound;
        }
        let interval = self.interval(form).1;
        if self.steps == 0 {
            return interval;
        }
        self.steps -= 1;
        let mut rest = form.clone();
        rest.terms.pop();
        let with = |own: &mut Self, form: &Form| {
            let scaled = form.times(coefficient)?;
            own.upper(&rest.plus(&scaled)?)
        };
        let number = &self.numbers[id.0 as usize];
        let limit = match coefficient > 0 {
            true => number.upper.clone(),
            false => number.lower.clone(),
        };
        let divided = number.quotient.as_ref();
        let divided = divided.and_then(|own| of_quotient(own, coefficient)?.plus(&rest));
        let by_limit = match limit {
            Limit::Every(forms) => {
                let bounds = forms.iter().filter_map(|form| with(self, form));
                bounds.min()
            }
            Limit::Some(forms) => {
                let bounds = forms.iter().map(|form| with(self, form));
                let bounds: Option<Vec<i64>> = bounds.collect();
                bounds.and_then(|bounds| bounds.into_iter().max())
            }
        };
        let by_quotient = divided.and_then(|form| self.upper(&form));
        let bound = [interval, by_limit, by_quotient]
            .into_iter()
            .flatten()
            .min();
        self.bounds.insert(form.clone(), bound);
        bound
    }
}

fn divide(value: i64, by: i64, rounding: Rounding) -> i64 {
    let quotient = value.div_euclid(by);
    match rounding {
        Rounding::Up if value.rem_euclid(by) != 0 => quotient + 1,
        _ => quotient,
    }
}

/// An upper bound of `coefficient` times a quotient that does not divide: `8 * (n / 4)` is at most
/// `2 * n`.
fn of_quotient((of, by, rounding): &(Form, i64, Rounding), coefficient: i64) -> Option<Form> {
    (coefficient % by == 0).then_some(())?;
    // A quotient differs from the exact one by less than `by` units, in the direction of rounding.
    let error = match (rounding, coefficient > 0) {
        (Rounding::Down, true) | (Rounding::Up, false) => 0,
        (Rounding::Down, false) => 1 - by,
        (Rounding::Up, true) => by - 1,
    };
    of.plus(&Form::constant(error))?.times(coefficient / by)
}

//! Bounds on numbers known only at run time: examples that intervals do not bound as tightly, numbers
//! that must not get a bound, and random definitions, whose values must stay within their bounds.
//!
//! `BOUNDS_CASES` and `BOUNDS_SEED` set the number of random definitions and the first seed.

use mem_flow::bounds::{Definition, Form, Numbers, Rounding};
use mem_testkit::{Rng, number};

fn between(numbers: &mut Numbers, least: i64, most: i64) -> Form {
    numbers.define(Definition::Bounded {
        at_least: vec![Form::constant(least)],
        at_most: vec![Form::constant(most)],
    })
}

fn minimum(numbers: &mut Numbers, forms: &[&Form]) -> Form {
    numbers.define(Definition::Minimum(
        forms.iter().copied().cloned().collect(),
    ))
}

fn maximum(numbers: &mut Numbers, forms: &[&Form]) -> Form {
    numbers.define(Definition::Maximum(
        forms.iter().copied().cloned().collect(),
    ))
}

fn sum(a: &Form, b: &Form) -> Form {
    a.plus(b).expect("small numbers")
}

fn difference(a: &Form, b: &Form) -> Form {
    a.minus(b).expect("small numbers")
}

#[test]
fn a_tile_is_never_larger_than_its_size() {
    let mut numbers = Numbers::default();
    let start = numbers.unknown();
    let rest = difference(&Form::constant(100), &start);
    let size = minimum(&mut numbers, &[&Form::constant(32), &rest]);
    assert_eq!(numbers.most(&size), Some(32));
    assert_eq!(numbers.least(&size), None);
}

/// The rows that a window of three rows needs around a tile, clipped at both borders.
#[test]
fn what_is_clipped_at_the_border_cancels() {
    let mut numbers = Numbers::default();
    let start = between(&mut numbers, 0, 96);
    let zero = Form::constant(0);
    let above = difference(&Form::constant(1), &start);
    let above = maximum(&mut numbers, &[&above, &zero]);
    let first = maximum(&mut numbers, &[&zero, &sum(&start, &Form::constant(-1))]);
    let wanted = difference(&Form::constant(6), &above);
    let left = difference(&Form::constant(100), &first);
    let rows = minimum(&mut numbers, &[&left, &wanted]);
    // Rows above the tensor, rows of the tensor, and rows below it.
    let below = difference(&Form::constant(6), &sum(&above, &rows));
    let all = sum(&sum(&above, &rows), &below);
    assert_eq!(numbers.most(&all), Some(6));
    assert_eq!(numbers.least(&all), Some(6));
    assert_eq!(numbers.most(&above), Some(1));
    assert_eq!(numbers.most(&rows), Some(6));
}

#[test]
fn a_quotient_times_its_divisor_is_no_more_than_the_dividend() {
    let mut numbers = Numbers::default();
    let n = numbers.unknown();
    let quotient = |numbers: &mut Numbers, rounding| {
        let of = n.clone();
        numbers.define(Definition::Quotient {
            of,
            by: 4,
            rounding,
        })
    };
    let down = quotient(&mut numbers, Rounding::Down);
    let up = quotient(&mut numbers, Rounding::Up);
    let rest = difference(&n, &down.times(4).expect("small"));
    assert_eq!(
        (numbers.least(&rest), numbers.most(&rest)),
        (Some(0), Some(3))
    );
    let rest = difference(&up.times(4).expect("small"), &n);
    assert_eq!(
        (numbers.least(&rest), numbers.most(&rest)),
        (Some(0), Some(3))
    );
}

#[test]
fn what_has_no_bound_gets_none() {
    let mut numbers = Numbers::default();
    let n = numbers.unknown();
    let eight = Form::constant(8);
    let largest = maximum(&mut numbers, &[&n, &eight]);
    assert_eq!(
        (numbers.least(&largest), numbers.most(&largest)),
        (Some(8), None)
    );
    let smallest = minimum(&mut numbers, &[&n, &eight]);
    assert_eq!(
        (numbers.least(&smallest), numbers.most(&smallest)),
        (None, Some(8))
    );
    let negated = difference(&eight, &smallest);
    assert_eq!(numbers.most(&negated), None);
    let chosen = numbers.define(Definition::OneOf(vec![n.clone(), eight.clone()]));
    assert_eq!(numbers.most(&chosen), None);
    let product = numbers.define(Definition::Product(smallest, n));
    assert_eq!(numbers.most(&product), None);
}

#[test]
fn what_overflows_has_no_bound() {
    let mut numbers = Numbers::default();
    let n = between(&mut numbers, 0, i64::MAX);
    let product = numbers.define(Definition::Product(n.clone(), n.clone()));
    assert_eq!(numbers.most(&product), None);
    assert_eq!(n.times(3).and_then(|form| numbers.most(&form)), None);
    assert_eq!(Form::constant(i64::MAX).plus(&Form::constant(1)), None);
}

#[test]
fn deep_chains_get_a_bound_in_few_steps() {
    let mut numbers = Numbers::default();
    let mut last = between(&mut numbers, 0, 1);
    for _ in 0..500 {
        let other = between(&mut numbers, 0, 1);
        let sum = sum(&last, &other);
        let small = minimum(&mut numbers, &[&sum, &Form::constant(1)]);
        let large = maximum(&mut numbers, &[&last, &other]);
        last = numbers.define(Definition::OneOf(vec![small, large]));
    }
    assert_eq!(numbers.most(&last), Some(1));
}

/// How a number of a random program is computed: the forms of the definition, as lists of factors of
/// the numbers before it, with a constant at the end.
struct Made {
    kind: usize,
    forms: Vec<Vec<i64>>,
    by: i64,
}

fn random_form(rng: &mut Rng, n_numbers: usize) -> Vec<i64> {
    let mut factors = vec![0; n_numbers + 1];
    for _ in 0..rng.between(1, 2) {
        factors[rng.below(n_numbers)] += rng.between(0, 6) as i64 - 3;
    }
    factors[n_numbers] = rng.between(0, 20) as i64 - 10;
    factors
}

fn random_definition(rng: &mut Rng, n_numbers: usize) -> Made {
    let n_forms = rng.between(1, 3);
    Made {
        kind: rng.below(8),
        forms: (0..n_forms).map(|_| random_form(rng, n_numbers)).collect(),
        by: rng.between(1, 5) as i64,
    }
}

fn form(factors: &[i64], numbers: &[Form]) -> Form {
    let constant = Form::constant(factors[numbers.len()]);
    let terms = numbers.iter().zip(factors);
    terms.fold(constant, |all, (number, factor)| {
        sum(&all, &number.times(*factor).expect("small"))
    })
}

fn value(factors: &[i64], values: &[i64]) -> i64 {
    let terms = values
        .iter()
        .zip(factors)
        .map(|(value, factor)| value * factor);
    terms.sum::<i64>() + factors[values.len()]
}

fn define(made: &Made, known: &[Form], numbers: &mut Numbers) -> Form {
    let forms: Vec<Form> = made.forms.iter().map(|own| form(own, known)).collect();
    let (of, by) = (forms[0].clone(), made.by);
    let definition = match made.kind {
        0 | 1 => Definition::Minimum(forms),
        2 | 3 => Definition::Maximum(forms),
        4 => Definition::OneOf(forms),
        5 => {
            let rounding = if by % 2 == 0 {
                Rounding::Up
            } else {
                Rounding::Down
            };
            Definition::Quotient { of, by, rounding }
        }
        6 => Definition::Remainder { of, by },
        _ => Definition::Product(of, forms[forms.len() - 1].clone()),
    };
    numbers.define(definition)
}

fn compute(made: &Made, values: &[i64], choice: usize) -> i64 {
    let all: Vec<i64> = made.forms.iter().map(|own| value(own, values)).collect();
    let (of, by) = (all[0], made.by);
    match made.kind {
        0 | 1 => *all.iter().min().expect("a form"),
        2 | 3 => *all.iter().max().expect("a form"),
        4 => all[choice % all.len()],
        5 if by % 2 == 0 => of.div_euclid(by) + i64::from(of.rem_euclid(by) != 0),
        5 => of.div_euclid(by),
        6 => of.rem_euclid(by),
        _ => of * all[all.len() - 1],
    }
}

/// Checks the bounds of the last number of a random program against its values for all inputs.
/// Returns whether both bounds are values.
fn check(seed: u64) -> bool {
    const MOST: i64 = 6;
    let mut rng = Rng::new(seed);
    let n_inputs = rng.between(1, 3);
    let program: Vec<Made> = (0..rng.between(1, 6))
        .map(|at| random_definition(&mut rng, n_inputs + at))
        .collect();
    let mut numbers = Numbers::default();
    let mut known: Vec<Form> = (0..n_inputs)
        .map(|_| between(&mut numbers, 0, MOST))
        .collect();
    for made in &program {
        let defined = define(made, &known, &mut numbers);
        known.push(defined);
    }
    let last = known.last().expect("an input");
    let bounds = (numbers.least(last), numbers.most(last));
    let (least, most) = (bounds.0.expect("bounded"), bounds.1.expect("bounded"));
    let mut seen = (i64::MAX, i64::MIN);
    for inputs in 0..(MOST + 1).pow(n_inputs as u32) {
        for _ in 0..3 {
            let digit = |at: usize| inputs / (MOST + 1).pow(at as u32) % (MOST + 1);
            let mut values: Vec<i64> = (0..n_inputs).map(digit).collect();
            for made in &program {
                let next = compute(made, &values, rng.below(3));
                values.push(next);
            }
            let value = values[values.len() - 1];
            assert!(
                (least..=most).contains(&value),
                "seed {seed}: {value} is not in {least}..={most} for {values:?}"
            );
            seen = (seen.0.min(value), seen.1.max(value));
        }
    }
    seen == (least, most)
}

#[test]
fn values_of_random_definitions_stay_within_their_bounds() {
    let (first, cases) = (number("BOUNDS_SEED", 0), number("BOUNDS_CASES", 3000));
    let n_exact = (first..first + cases).filter(|seed| check(*seed)).count() as u64;
    println!("both bounds of {n_exact} of {cases} numbers are values");
    assert!(n_exact * 2 >= cases, "only {n_exact} of {cases} are exact");
}

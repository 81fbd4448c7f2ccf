//! Inputs: values read from files, or random numbers, determined by seed, argument number and type.
//!
//! Random numbers are chosen such that networks compute something meaningful: no infinities, no square
//! roots of negative numbers, no out-of-range table indices.
//!
//! * Floating point, rank 0 or 1: from [0.5, 1). Such arguments are scales, biases and variances.
//! * Floating point, higher rank: from [-w, w) with w = sqrt(3 / n), where n is the product of all
//!   dimensions but the last, at most 4096. A dot product along those dimensions then has about the
//!   variance of its other factor, as with He or Glorot initialization.
//! * Integers: from [0, 8), or from [1, 8) for a single number, since it may be a length. If they index a
//!   table of fewer rows, only from its indices.
//! * i1: 0 or 1.

use super::signature::{Argument, Element};
use crate::random::Random;

/// Cap on the fan-in that narrows the range.
const MOST_FAN_IN: usize = 4096;

/// Exclusive upper bound of integers.
const INTEGERS: u64 = 8;

/// The interval `[low, low + width)`.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    width: f64,
}

fn float_range(argument: &Argument, scale: f64) -> Range {
    let shape = argument.shape.as_deref().unwrap_or_default();
    let (low, high) = match shape.split_last() {
        Some((_, outer)) if !outer.is_empty() => {
            let fan_in = outer.iter().product::<usize>().clamp(1, MOST_FAN_IN);
            let w = (3.0 / fan_in as f64).sqrt().min(1.0);
            (-w, w)
        }
        _ => (0.5, 1.0),
    };
    Range {
        low: low * scale,
        width: (high - low) * scale,
    }
}

/// Writes the value of argument `number`. `scale` is a factor for random floating-point numbers.
pub(super) fn fill(argument: &Argument, number: usize, seed: u64, scale: f64, bytes: &mut [u8]) {
    if let Some(value) = &argument.value {
        // Both sizes are those of the argument's type.
        bytes.copy_from_slice(value);
        return;
    }
    let mut random = Random::new(seed, number as u64);
    let range = float_range(argument, scale);
    let mut float = move || range.low + random.unit() * range.width;
    let mut random = Random::new(seed, number as u64);
    let end = argument
        .table
        .map_or(INTEGERS, |rows| rows.clamp(1, INTEGERS));
    let least = u64::from(argument.n_elements() == 1 && end > 1);
    let mut integer = move || least + random.next() % (end - least);
    let chunks = bytes.chunks_exact_mut(argument.element.size());
    match argument.element {
        Element::F32 => chunks.for_each(|c| c.copy_from_slice(&(float() as f32).to_le_bytes())),
        Element::F64 => chunks.for_each(|c| c.copy_from_slice(&float().to_le_bytes())),
        Element::F16 => chunks.for_each(|c| c.copy_from_slice(&f16(float() as f32).to_le_bytes())),
        Element::Bf16 => {
            chunks.for_each(|c| c.copy_from_slice(&(float() as f32).to_le_bytes()[2..]));
        }
        Element::Integer(1) => chunks.for_each(|c| c[0] = (integer() & 1) as u8),
        Element::Integer(_) | Element::Index => chunks.for_each(|c| {
            let size = c.len();
            c.copy_from_slice(&integer().to_le_bytes()[..size]);
        }),
    }
}

/// Converts to half precision, rounding towards zero. Results below the smallest normal number
/// become zero, and results that are too large become the largest finite number.
fn f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let exponent = (bits >> 23 & 0xFF) as i32 - 127 + 15;
    let mantissa = (bits >> 13) as u16 & 0x3FF;
    match exponent {
        ..=0 => sign,
        1..=30 => sign | (exponent as u16) << 10 | mantissa,
        _ => sign | 0x7BFF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(element: Element, shape: &[usize], seed: u64) -> Vec<u8> {
        let argument = Argument {
            element,
            shape: Some(shape.to_vec()),
            run_time: Vec::new(),
            ty: String::new(),
            is_result: false,
            value: None,
            table: None,
        };
        let mut bytes = vec![0; argument.n_elements() * element.size()];
        fill(&argument, 3, seed, 1.0, &mut bytes);
        bytes
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(values(Element::F32, &[9], 1), values(Element::F32, &[9], 1));
        assert_ne!(values(Element::F32, &[9], 1), values(Element::F32, &[9], 2));
    }

    #[test]
    fn vectors_are_positive_and_matrices_have_both_signs() {
        let floats = |shape: &[usize]| -> Vec<f32> {
            let bytes = values(Element::F32, shape, 7);
            let chunks = bytes.chunks_exact(4);
            chunks
                .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
                .collect()
        };
        assert!(floats(&[100]).iter().all(|x| (0.5..1.0).contains(x)));
        let matrix = floats(&[300, 4]);
        assert!(matrix.iter().all(|x| x.abs() <= 0.1));
        assert!(matrix.iter().any(|x| *x < 0.0) && matrix.iter().any(|x| *x > 0.0));
    }

    #[test]
    fn one_integer_is_not_zero() {
        for seed in 0..100 {
            let bytes = values(Element::Integer(32), &[1], seed);
            assert!((1..8).contains(&bytes[0]) && bytes[1..] == [0; 3]);
        }
    }

    #[test]
    fn half_precision_has_known_bits() {
        assert_eq!(f16(1.0), 0x3C00);
        assert_eq!(f16(-0.5), 0xB800);
        assert_eq!(f16(1e-9), 0);
        assert_eq!(f16(1e9), 0x7BFF);
    }
}

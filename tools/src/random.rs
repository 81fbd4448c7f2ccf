//! Pseudo-random numbers for inputs and choices. A seed and a stream determine them.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let seed = SplitMix64::seed_from_u64(seed).next_u64();
        let stream = stream.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        Self(SplitMix64::seed_from_u64(seed ^ stream))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1) with 24 bits, which is exact in f32.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 40) as f64 / f64::from(1_u32 << 24)
    }
}

//! Random choices for tests, from a seed (SplitMix64) or from the bytes of a fuzzer.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Number of low bits that choices discard.
const SHIFT: u32 = 11;

/// Random numbers from a seed, equal on all machines.
#[derive(Clone, Debug)]
pub struct Rng {
    source: SplitMix64,
    /// Bytes that determine the first choices, in reverse order.
    tape: Vec<u8>,
}

impl Rng {
    /// The sequence of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            source: SplitMix64::seed_from_u64(seed),
            tape: Vec::new(),
        }
    }

    /// Takes two bytes of `tape` per choice, then continues with the sequence of seed 0. A fuzzer
    /// can thus change one choice and keep the others.
    #[must_use]
    pub fn from_tape(tape: &[u8]) -> Self {
        Self {
            tape: tape.iter().rev().copied().collect(),
            ..Self::new(0)
        }
    }

    /// 64 random bits. While the tape lasts, only the 16 bits from `SHIFT` on are set.
    pub fn bits(&mut self) -> u64 {
        if let Some(low) = self.tape.pop() {
            let high = self.tape.pop().unwrap_or(0);
            return u64::from(u16::from_le_bytes([low, high])) << SHIFT;
        }
        self.source.next_u64()
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The modulo bias does not matter for tests.
        (self.bits() >> SHIFT) as usize % bound.max(1)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.get(self.below(choices.len())).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Failing tests report seeds, and other tests record them, so a seed must keep its sequence.
    #[test]
    fn a_seed_keeps_its_sequence() {
        let first = |mut rng: Rng| [(); 3].map(|()| rng.bits());
        let zero = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!(first(Rng::new(0)), zero);
        assert_eq!(first(Rng::from_tape(&[])), zero);
        let taped = first(Rng::from_tape(&[1, 2]));
        assert_eq!(taped, [0x0201 << SHIFT, zero[0], zero[1]]);
    }
}

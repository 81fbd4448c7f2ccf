//! A small deterministic random number generator (SplitMix64).

/// Number of low bits that choices discard.
const SHIFT: u32 = 11;

/// Random numbers from a seed, equal on all machines.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// Bytes that determine the first choices, in reverse order.
    tape: Vec<u8>,
}

impl Rng {
    /// The sequence of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            state: seed,
            tape: Vec::new(),
        }
    }

    /// Takes two bytes of `tape` per choice, then continues with the sequence of seed 0. A fuzzer
    /// can thus change one choice and keep the others.
    #[must_use]
    pub fn from_tape(tape: &[u8]) -> Self {
        Self {
            state: 0,
            tape: tape.iter().rev().copied().collect(),
        }
    }

    /// 64 random bits. While the tape lasts, only the 16 bits from `SHIFT` on are set.
    pub fn bits(&mut self) -> u64 {
        if let Some(low) = self.tape.pop() {
            let high = self.tape.pop().unwrap_or(0);
            return u64::from(u16::from_le_bytes([low, high])) << SHIFT;
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
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

//! A small deterministic random number generator (SplitMix64).

/// Bits that choices leave out.
const SHIFT: u32 = 11;

/// Random numbers from a seed; the same on every machine.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// Choices that come first, the next one last.
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

    /// Two bytes of `tape` for each choice, then the sequence of 0: so that a fuzzer can change one
    /// choice and keep the others.
    #[must_use]
    pub fn from_tape(tape: &[u8]) -> Self {
        Self {
            state: 0,
            tape: tape.iter().rev().copied().collect(),
        }
    }

    /// Any 64 bits; 16 of them from the tape while there is one.
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

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias is of no concern to tests.
        (self.bits() >> SHIFT) as usize % bound.max(1)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`, if there are any.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.get(self.below(choices.len())).copied()
    }
}

//! Sizes and addresses in bytes. There is no unchecked arithmetic: a size that comes from a file
//! or from IR can be anything.

use serde::{Deserialize, Serialize};

/// A number of bytes: a size, an offset or an alignment.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(u64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Self = Self(0);

    /// `bytes` bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The plain number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum, if it fits 64 bits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, if it is not negative.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// `count` times as many, if that fits 64 bits.
    #[must_use]
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }

    /// The next multiple of `alignment`, which must be a power of two: `None` if it is not, or if
    /// the result does not fit 64 bits.
    #[must_use]
    pub fn checked_align_up(self, alignment: Self) -> Option<Self> {
        if !alignment.0.is_power_of_two() {
            return None;
        }
        self.0.checked_next_multiple_of(alignment.0).map(Self)
    }

    /// Whether this is a multiple of `alignment`; false for alignment zero.
    #[must_use]
    pub const fn is_aligned_to(self, alignment: Self) -> bool {
        alignment.0 != 0 && self.0.is_multiple_of(alignment.0)
    }

    /// Whether this can be an alignment.
    #[must_use]
    pub const fn is_power_of_two(self) -> bool {
        self.0.is_power_of_two()
    }

    /// For people: `5.0 KiB`, `6.2 MiB`; below 1 KiB exact.
    #[must_use]
    pub const fn human(self) -> HumanBytes {
        HumanBytes(self)
    }
}

impl From<u64> for Bytes {
    fn from(bytes: u64) -> Self {
        Self(bytes)
    }
}

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

/// Shows [`Bytes`] with a binary unit and one decimal.
#[derive(Clone, Copy, Debug)]
pub struct HumanBytes(Bytes);

impl std::fmt::Display for HumanBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let bytes = self.0.get();
        if bytes < 1024 {
            return f.pad(&format!("{bytes} B"));
        }
        // The loss of precision beyond 2^53 is far below the one decimal shown.
        let mut value = bytes as f64 / 1024.0;
        let mut unit = 0;
        // 1023.95 would be rounded to "1024.0" of the smaller unit.
        while value >= 1023.95 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        f.pad(&format!("{value:.1} {}", UNITS[unit]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn align_up_refuses_overflow_and_odd_alignments() {
        let align = |value, alignment| Bytes(value).checked_align_up(Bytes(alignment));
        assert_eq!(align(0, 64), Some(Bytes(0)));
        assert_eq!(align(1, 64), Some(Bytes(64)));
        assert_eq!(align(64, 64), Some(Bytes(64)));
        assert_eq!(align(u64::MAX, 64), None);
        assert_eq!(align(1, 0), None);
        assert_eq!(align(1, 48), None);
    }

    #[test]
    fn human_form_has_one_decimal_and_rounds_into_the_next_unit() {
        let human = |value: u64| Bytes(value).human().to_string();
        assert_eq!(human(0), "0 B");
        assert_eq!(human(1023), "1023 B");
        assert_eq!(human(5120), "5.0 KiB");
        assert_eq!(human(6_501_171), "6.2 MiB");
        assert_eq!(human((1 << 20) - 1), "1.0 MiB");
        assert_eq!(human(u64::MAX), "16.0 EiB");
    }
}

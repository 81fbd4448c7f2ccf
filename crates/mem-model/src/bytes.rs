//! Sizes and addresses in bytes. Sizes that come from files or IR are untrusted, so all arithmetic
//! is checked.

use serde::{Deserialize, Serialize};

/// A number of bytes: a size, an offset or an alignment.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(u64);

impl Bytes {
    /// Zero bytes.
    pub const ZERO: Self = Self(0);

    /// Creates a size of `bytes` bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Returns the raw number of bytes.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Adds `other`; `None` if the sum does not fit in 64 bits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// Subtracts `other`; `None` if the difference is negative.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Multiplies by `count`; `None` if the product does not fit in 64 bits.
    #[must_use]
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }

    /// Rounds up to the next multiple of `alignment`. Returns `None` if `alignment` is not a power
    /// of two, or if the result does not fit in 64 bits.
    #[must_use]
    pub fn checked_align_up(self, alignment: Self) -> Option<Self> {
        if !alignment.0.is_power_of_two() {
            return None;
        }
        self.0.checked_next_multiple_of(alignment.0).map(Self)
    }

    /// Whether the value is a multiple of `alignment`; false if `alignment` is zero.
    #[must_use]
    pub const fn is_aligned_to(self, alignment: Self) -> bool {
        alignment.0 != 0 && self.0.is_multiple_of(alignment.0)
    }

    /// Whether the value is a power of two, and hence a valid alignment.
    #[must_use]
    pub const fn is_power_of_two(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Returns a human-readable form such as `5.0 KiB` or `6.2 MiB`; exact below 1 KiB.
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

/// Displays [`Bytes`] with a binary unit and one decimal.
#[derive(Clone, Copy, Debug)]
pub struct HumanBytes(Bytes);

impl std::fmt::Display for HumanBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let bytes = self.0.get();
        if bytes < 1024 {
            return f.pad(&format!("{bytes} B"));
        }
        // The conversion is inexact above 2^53, but the error is far below the single decimal
        // shown.
        let mut value = bytes as f64 / 1024.0;
        let mut unit = 0;
        // From 1023.95 on, the value would print as "1024.0" of the smaller unit.
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

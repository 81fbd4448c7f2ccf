//! Limits on the growth of a peak: a percentage of the peak before, or a number of bytes.

use std::str::FromStr;

use mem_model::{Bytes, SizeError};

/// By how much a peak may grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PeakLimit {
    /// Percent of the peak before.
    Percent(f64),
    /// Bytes.
    Bytes(Bytes),
}

/// Why a text is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// What precedes the percent sign is not a number.
    #[error("'{0}' is not a percentage: expected a number that is not negative, as in 1% or 0.5%")]
    Percentage(String),
    /// There is no percent sign, and the text is not a size.
    #[error("{0}; or a percentage, as in 1%")]
    Size(#[from] SizeError),
}

impl FromStr for PeakLimit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let Some(number) = text.strip_suffix('%') else {
            return Ok(Self::Bytes(Bytes::limit(text)?));
        };
        let percent = number.parse().ok();
        let percent = percent.filter(|n: &f64| n.is_finite() && n.is_sign_positive());
        let error = || LimitError::Percentage(text.to_owned());
        percent.map(Self::Percent).ok_or_else(error)
    }
}

impl PeakLimit {
    /// Returns whether a peak of `before` bytes may grow to `after` bytes. A peak that has not
    /// existed before counts as 0 bytes.
    #[must_use]
    pub fn allows(self, before: u64, after: u64) -> bool {
        let allowed = match self {
            // The conversion rounds down, as whole bytes require, and saturates.
            Self::Percent(percent) => (before as f64 * percent / 100.0) as u64,
            Self::Bytes(bytes) => bytes.get(),
        };
        after.saturating_sub(before) <= allowed
    }
}

impl std::fmt::Display for PeakLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Percent(percent) => write!(f, "{percent} %"),
            Self::Bytes(bytes) => write!(f, "{bytes} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> PeakLimit {
        text.parse().expect("a limit")
    }

    #[test]
    fn a_percentage_is_of_the_peak_before() {
        assert!(limit("1%").allows(10_000, 10_100));
        assert!(!limit("1%").allows(10_000, 10_101));
        assert!(limit("0.5%").allows(1_000, 1_005));
        assert!(!limit("0.5%").allows(1_000, 1_006));
        assert!(!limit("0%").allows(7, 8));
        assert!(limit("0%").allows(7, 7));
        assert!(limit("0%").allows(7, 3));
    }

    #[test]
    fn a_peak_from_nothing_exceeds_every_percentage() {
        assert!(!limit("1000%").allows(0, 1));
        assert!(limit("64KiB").allows(0, 65_536));
    }

    #[test]
    fn bytes_have_units() {
        assert!(limit("1KiB").allows(10, 1_034));
        assert!(!limit("1KiB").allows(10, 1_035));
        assert_eq!(limit("1KiB").to_string(), "1024 bytes");
        assert_eq!(limit("0.3KiB").to_string(), "307 bytes");
        assert_eq!(limit("0.5%").to_string(), "0.5 %");
    }

    #[test]
    fn nonsense_is_no_limit() {
        for text in ["", "%", "-1%", "nan%", "inf%", "1 %%", "x%", "1M", "-0%"] {
            assert!(text.parse::<PeakLimit>().is_err(), "'{text}'");
        }
    }
}

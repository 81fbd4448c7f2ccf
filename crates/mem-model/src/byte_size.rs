//! Sizes as people write them: `4096`, `64KiB`, `1.5MiB`, `2GB`. The one parser of every option that
//! takes a size, and hence of one syntax.
//!
//! A size is a number and a unit, without a blank between them. Binary units (`KiB`, `MiB`, …) are
//! powers of 1024, decimal units (`kB`, `KB`, `MB`, …) powers of 1000; `B`, and no unit at all, are
//! bytes. `1M` is none: it means different numbers to different people.
//!
//! `14.03MiB` is not a whole number of bytes. As a limit, such as a budget, it is rounded down; as the
//! size or the address of something, it is an error. A fraction of a byte without a larger unit, such as
//! `1.5`, is always an error: the unit has been forgotten.

use std::str::FromStr;

use crate::Bytes;

/// Names of the units, and the bytes of each.
const UNITS: [(&str, u64); 14] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("PiB", 1 << 50),
    ("EiB", 1 << 60),
    ("kB", 1_000),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("PB", 1_000_000_000_000_000),
    ("EB", 1_000_000_000_000_000_000),
];

/// Why a text is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// There is no number in front of the unit.
    #[error("'{0}' is not a size: expected bytes, as in 4096, 64KiB or 1.5MiB")]
    NotANumber(String),
    /// The unit does not exist, or is ambiguous.
    #[error("unknown unit '{unit}' in '{text}': {hint}")]
    Unit {
        /// The whole text.
        text: String,
        /// What follows the number.
        unit: String,
        /// Units to write instead.
        hint: String,
    },
    /// A fraction of a byte.
    #[error("'{0}' is not a whole number of bytes")]
    Fraction(String),
    /// The size exceeds the bits of its type.
    #[error("'{0}' is too large: sizes are below {1}")]
    TooLarge(String, &'static str),
}

impl FromStr for Bytes {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let size = Size::parse(text)?;
        match size.is_whole {
            true => Ok(size.bytes),
            false => Err(SizeError::Fraction(text.to_owned())),
        }
    }
}

impl Bytes {
    /// Parses a limit: a size in which a fraction of a byte does not count, as in `14.03MiB`, which is
    /// 14 711 521 bytes.
    ///
    /// # Errors
    /// If the text is not a size, is too large, or is a fraction of a byte without a larger unit.
    pub fn limit(text: &str) -> Result<Self, SizeError> {
        Size::parse(text).map(|size| size.bytes)
    }
}

/// A parsed size.
struct Size {
    /// The whole bytes.
    bytes: Bytes,
    /// Whether there is no fraction of a byte in addition.
    is_whole: bool,
}

impl Size {
    fn parse(text: &str) -> Result<Self, SizeError> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, unit) = text.split_at(end.unwrap_or(text.len()));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let has_digits = |part: &str| !part.is_empty() && !part.contains('.');
        if !has_digits(whole) || !has_digits(fraction) {
            return Err(SizeError::NotANumber(text.to_owned()));
        }
        let scale = scale(text, unit)?;
        let too_large = || SizeError::TooLarge(text.to_owned(), "16EiB");
        let whole: u64 = whole.parse().map_err(|_| too_large())?;
        let whole = whole.checked_mul(scale).ok_or_else(too_large)?;
        let (fraction, is_whole) = fraction_of(scale, fraction.trim_end_matches('0'));
        if !is_whole && scale == 1 {
            return Err(SizeError::Fraction(text.to_owned()));
        }
        let bytes = whole.checked_add(fraction).ok_or_else(too_large)?;
        Ok(Self {
            bytes: Bytes::new(bytes),
            is_whole,
        })
    }
}

/// The bytes of a unit.
fn scale(text: &str, unit: &str) -> Result<u64, SizeError> {
    if unit.is_empty() {
        return Ok(1);
    }
    if let Some((_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) {
        return Ok(*scale);
    }
    // `1M` and `1m` may mean either unit of that letter.
    let similar = UNITS.iter().map(|(name, _)| *name).filter(|name| {
        let letter = unit.chars().next();
        let first = name.chars().next();
        let is_same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
        *name != "KB" && letter.zip(first).is_some_and(|(a, b)| is_same(a, b))
    });
    let similar: Vec<String> = similar.map(|name| format!("'{name}'")).collect();
    let is_close = unit.len() <= 3 && !similar.is_empty();
    let hint = match is_close {
        true => format!("did you mean {}?", similar.join(" or ")),
        false => "expected B, KiB, MiB, GiB, TiB, kB, MB, GB or TB".to_owned(),
    };
    Err(SizeError::Unit {
        text: text.to_owned(),
        unit: unit.to_owned(),
        hint,
    })
}

/// The whole bytes of a fraction of a unit with these decimals, and whether nothing is left over.
fn fraction_of(scale: u64, decimals: &str) -> (u64, bool) {
    // Horner's scheme from the last decimal: floors of floors are the floor of the whole.
    let (mut carry, mut is_whole) = (0, true);
    for digit in decimals.bytes().rev() {
        let parts = u128::from(digit - b'0') * u128::from(scale) + carry;
        is_whole &= parts % 10 == 0;
        carry = parts / 10;
    }
    // Less than `scale`.
    (u64::try_from(carry).unwrap_or(u64::MAX), is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<u64, String> {
        let bytes: Result<Bytes, SizeError> = text.parse();
        bytes.map(Bytes::get).map_err(|error| error.to_string())
    }

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        let wanted = [
            ("0", 0),
            ("4096", 4096),
            ("4096B", 4096),
            ("64KiB", 65_536),
            ("1MiB", 1_048_576),
            ("1.5MiB", 1_572_864),
            ("0.25KiB", 256),
            ("1.50MiB", 1_572_864),
            ("2GiB", 2 << 30),
            ("1kB", 1_000),
            ("1KB", 1_000),
            ("1MB", 1_000_000),
            ("2.5GB", 2_500_000_000),
            ("18446744073709551615", u64::MAX),
            ("15.5EiB", 31 << 59),
        ];
        for (text, bytes) in wanted {
            assert_eq!(parsed(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_size() {
        for text in [
            "", "KiB", "-1", "+1", "1 KiB", " 1", ".", ".5KiB", "1.", "1.2.3KiB", "0x10", "1e3",
            "1_000", "١",
        ] {
            assert!(parsed(text).is_err(), "'{text}'");
        }
        assert_eq!(
            parsed("many"),
            Err("'many' is not a size: expected bytes, as in 4096, 64KiB or 1.5MiB".to_owned())
        );
    }

    #[test]
    fn ambiguous_units_are_errors_that_name_both() {
        let hint = "unknown unit 'M' in '1M': did you mean 'MiB' or 'MB'?";
        assert_eq!(parsed("1M"), Err(hint.to_owned()));
        let hint = "unknown unit 'mib' in '1mib': did you mean 'MiB' or 'MB'?";
        assert_eq!(parsed("1mib"), Err(hint.to_owned()));
        let hint = "unknown unit 'k' in '1k': did you mean 'KiB' or 'kB'?";
        assert_eq!(parsed("1k"), Err(hint.to_owned()));
        let hint = "unknown unit 'x' in '1x': expected B, KiB, MiB, GiB, TiB, kB, MB, GB or TB";
        assert_eq!(parsed("1x"), Err(hint.to_owned()));
    }

    #[test]
    fn sizes_above_64_bits_and_fractions_of_bytes_are_errors() {
        let too_large = |text: &str| Err(format!("'{text}' is too large: sizes are below 16EiB"));
        for text in [
            "18446744073709551616",
            "16EiB",
            "99999999999999999999999KiB",
        ] {
            assert_eq!(parsed(text), too_large(text));
        }
        assert_eq!(
            parsed("1.5"),
            Err("'1.5' is not a whole number of bytes".to_owned())
        );
        assert_eq!(
            parsed("0.3KiB"),
            Err("'0.3KiB' is not a whole number of bytes".to_owned())
        );
        assert_eq!(
            parsed("1.5B"),
            Err("'1.5B' is not a whole number of bytes".to_owned())
        );
        assert_eq!(
            parsed("15.999999999999999999EiB"),
            Err("'15.999999999999999999EiB' is not a whole number of bytes".to_owned())
        );
    }

    #[test]
    fn limits_are_rounded_down() {
        let limit = |text: &str| Bytes::limit(text).map(Bytes::get);
        assert_eq!(limit("14.03MiB"), Ok(14_711_521));
        assert_eq!(limit("0.3KiB"), Ok(307));
        assert_eq!(limit("0.0001KiB"), Ok(0));
        assert_eq!(limit("1.5MiB"), Ok(1_572_864));
        assert_eq!(limit("4096"), Ok(4096));
        assert_eq!(limit("1.0000000000000000000000000001KiB"), Ok(1024));
        assert_eq!(limit("0.33333333333333333333333333333kB"), Ok(333));
        assert_eq!(limit("15.9999999999999999999EiB"), Ok(u64::MAX));
        let forgotten = SizeError::Fraction("1.5".to_owned());
        assert_eq!(limit("1.5"), Err(forgotten));
        assert!(limit("16EiB").is_err());
        assert!(limit("1M").is_err());
    }

    /// Against exact arithmetic on fractions of few decimals.
    #[test]
    fn limits_are_the_floor_of_the_exact_number() {
        for thousandths in 0_u64..3_000 {
            let (whole, decimals) = (thousandths / 1_000, thousandths % 1_000);
            for (unit, scale) in [("KiB", 1_u64 << 10), ("MB", 1_000_000), ("GiB", 1 << 30)] {
                let text = format!("{whole}.{decimals:03}{unit}");
                let exact = thousandths * scale;
                assert_eq!(
                    Bytes::limit(&text).map(Bytes::get),
                    Ok(exact / 1_000),
                    "{text}"
                );
                assert_eq!(
                    text.parse::<Bytes>().is_ok(),
                    exact.is_multiple_of(1_000),
                    "{text}"
                );
            }
        }
    }
}

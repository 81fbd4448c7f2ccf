//! Numbers that all planners share: the limit on addresses, and greatest common divisors.

use mem_model::Bytes;

/// Upper limit for sizes and addresses: offsets are signed 64-bit integers in the IR.
pub const MAX_BYTES: Bytes = Bytes::new(i64::MAX as u64);

/// Greatest common divisor; that of a number and 0 is the number.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

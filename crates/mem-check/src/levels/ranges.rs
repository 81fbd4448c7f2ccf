//! Byte set helpers.

use mem_model::{Access, Bytes, Interval, IntervalSet};

/// All bytes that can exist.
pub(super) fn everything() -> IntervalSet<Bytes> {
    whole(Bytes::new(u64::MAX))
}

pub(super) fn whole(size: Bytes) -> IntervalSet<Bytes> {
    IntervalSet::from_iter([Interval::new(Bytes::ZERO, size)])
}

pub(super) fn shift(bytes: Interval<Bytes>, by: Bytes) -> Interval<Bytes> {
    let add = |byte: Bytes| Bytes::new(byte.get().saturating_add(by.get()));
    Interval::new(add(bytes.start), add(bytes.end))
}

/// Returns the bytes of a buffer of `size` bytes that an access may touch, and those that it is
/// guaranteed to touch.
pub(super) fn bytes_of(access: &Access, size: Bytes) -> (IntervalSet<Bytes>, IntervalSet<Bytes>) {
    let rows = access.rows();
    let may = match (rows, access.may) {
        (Some(rows), _) => rows.bytes.clone(),
        (None, Some(may)) => IntervalSet::from_iter([may]),
        (None, None) => whole(size),
    };
    // Tokens need no case of their own: only transfers have them, and those take effect when they
    // are waited for.
    if !access.predicate().is_empty() {
        return (may, IntervalSet::new());
    }
    let must = match rows {
        Some(rows) if rows.all => rows.bytes.clone(),
        _ => access.must.into_iter().collect(),
    };
    (may, must)
}

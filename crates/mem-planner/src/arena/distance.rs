//! Distances between the offsets of two items: the single definition of which bytes collide.

use mem_model::{Bytes, Interval, Item};

/// An open interval of ruled out distances or offsets: everything strictly between the two ends.
pub(crate) type Range = (i64, i64);

/// Visits the distances of an item's offset from another item's offset at which the two share a
/// byte that both need. For an explicit conflict, any shared byte counts. Sizes are at most
/// [`MAX_BYTES`](crate::MAX_BYTES).
pub(crate) fn ruled_out(
    item: &Item,
    other: &Item,
    is_explicit: bool,
    mut visit: impl FnMut(Range),
) {
    let mut rule_out = |own: Interval<Bytes>, theirs: Interval<Bytes>| {
        let at = |bytes: Bytes| bytes.get() as i64;
        visit((
            at(theirs.start) - at(own.end),
            at(theirs.end) - at(own.start),
        ));
    };
    if is_explicit {
        let all = |item: &Item| Interval::new(Bytes::ZERO, item.size);
        rule_out(all(item), all(other));
        return;
    }
    for theirs in &other.parts {
        for own in &item.parts {
            let have_bytes = !own.bytes.is_empty() && !theirs.bytes.is_empty();
            if have_bytes && own.live.overlaps(&theirs.live) {
                rule_out(own.bytes, theirs.bytes);
            }
        }
    }
}

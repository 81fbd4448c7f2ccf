//! `first-fit`: items in the order in which they become live, each at the lowest feasible offset.
//!
//! A baseline: the placement of a run-time allocator that knows no future.

use super::decode::Decoder;

/// Returns the placement order.
pub(crate) fn order(decoder: &Decoder<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_key(|&item| (decoder.hull(item).start, item));
    order
}

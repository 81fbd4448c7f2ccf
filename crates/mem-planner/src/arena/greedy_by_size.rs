//! `greedy-by-size`: largest items first, each at the lowest feasible offset.
//!
//! Ties are broken by the start of the lifetime, then by index. Known as greedy by size from
//! TensorFlow Lite's planners (Pisarchyk and Lee, "Efficient memory management for deep neural net
//! inference", 2020), which have no parts.

use std::cmp::Reverse;

use super::decode::Decoder;

/// Returns the placement order.
pub(crate) fn order(decoder: &Decoder<'_>) -> Vec<u32> {
    let items = &decoder.problem().items;
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_key(|&item| {
        let size = items[item as usize].size;
        (Reverse(size), decoder.hull(item).start, item)
    });
    order
}

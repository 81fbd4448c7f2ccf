//! `greedy-by-size`: the largest items first, each as low as it can be.
//!
//! Items come in the order of their sizes, of the start of their lifetimes where those are the same,
//! and of the problem after that. Known as greedy by size from TensorFlow Lite's planners (Pisarchyk
//! and Lee, "Efficient memory management for deep neural net inference", 2020), there without parts.

use std::cmp::Reverse;

use crate::decode::Decoder;

/// The order in which items are placed.
pub(crate) fn order(decoder: &Decoder<'_>) -> Vec<u32> {
    let items = &decoder.problem().items;
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_key(|&item| {
        let size = items[item as usize].size;
        (Reverse(size), decoder.hull(item).start, item)
    });
    order
}

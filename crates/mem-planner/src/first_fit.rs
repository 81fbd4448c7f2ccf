//! `first-fit`: items in the order in which they come to life, each as low as it can be.
//!
//! What an allocator at run time would do that knows no future; a baseline.

use crate::decode::Decoder;

/// The order in which items are placed.
pub(crate) fn order(decoder: &Decoder<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_key(|&item| (decoder.hull(item).start, item));
    order
}

//! `greedy-by-conflict`: the items with the most bytes in their way first, each as low as it can be.
//!
//! The bytes of an item's neighbours, those that are live at a common point, say how hard it will be to
//! place later; its own size decides between equals. The order is that of greedy graph colouring by
//! degree (Welsh and Powell, "An upper bound for the chromatic number of a graph", 1967), with degrees
//! in bytes.

use std::cmp::Reverse;

use mem_model::Point;

use crate::decode::Decoder;

/// The order in which items are placed.
pub(crate) fn order(decoder: &Decoder<'_>) -> Vec<u32> {
    let degrees = degrees(decoder);
    let items = &decoder.problem().items;
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_key(|&item| {
        let index = item as usize;
        (Reverse((degrees[index], items[index].size)), item)
    });
    order
}

/// By item: the bytes of all whose lifetimes, gaps included, overlap its own, and of those that it
/// conflicts with for other reasons. O(n log n): all bytes less those that end before it begins or begin after it
/// ends.
fn degrees(decoder: &Decoder<'_>) -> Vec<u128> {
    let problem = decoder.problem();
    let size_of = |index: usize| u128::from(problem.items[index].size.get());
    let live = || {
        let all = (0..problem.items.len()).map(|index| (index, decoder.hull(index as u32)));
        all.filter(|(_, hull)| !hull.is_empty())
    };
    let mut starts: Vec<(Point, u128)> = Vec::new();
    let mut ends: Vec<(Point, u128)> = Vec::new();
    for (index, hull) in live() {
        starts.push((hull.start, size_of(index)));
        ends.push((hull.end, size_of(index)));
    }
    let (started, ended) = (sums(&mut starts), sums(&mut ends));
    let mut degrees = vec![0; problem.items.len()];
    for (index, hull) in live() {
        let n_started = starts.partition_point(|(start, _)| *start < hull.end);
        let n_ended = ends.partition_point(|(end, _)| *end <= hull.start);
        degrees[index] = started[n_started] - ended[n_ended];
    }
    for &(a, b) in &problem.conflicts {
        degrees[a] += size_of(b);
        degrees[b] += size_of(a);
    }
    degrees
}

/// Sorts by point; the sums of sizes up to each.
fn sums(sizes: &mut [(Point, u128)]) -> Vec<u128> {
    sizes.sort_unstable();
    let mut sums = vec![0];
    for (_, size) in sizes {
        sums.push(sums[sums.len() - 1] + *size);
    }
    sums
}

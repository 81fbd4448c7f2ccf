//! `greedy-by-conflict`: items with the most conflicting bytes first, each at the lowest feasible
//! offset.
//!
//! The total size of an item and its neighbours in the conflict graph predicts how hard the item will
//! be to place later; ties are broken by the item's own size. The order is that of greedy graph
//! colouring by degree (Welsh and Powell, "An upper bound for the chromatic number of a graph",
//! 1967), with degrees in bytes.

use std::cmp::Reverse;

use mem_model::Point;

use super::decode::Decoder;

/// Returns the placement order.
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

/// Per item: the bytes of all items, itself included, whose lifetimes, gaps included, overlap its
/// own, plus those of its explicit conflicts. O(n log n): the bytes of all items that start before it ends, minus
/// those that end before it starts.
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
    // Two intervals overlap unless one ends before the other starts.
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

/// Sorts by point, and returns the prefix sums of the sizes.
fn sums(sizes: &mut [(Point, u128)]) -> Vec<u128> {
    sizes.sort_unstable();
    let mut sums = vec![0];
    for (_, size) in sizes {
        sums.push(sums[sums.len() - 1] + *size);
    }
    sums
}

//! `greedy-by-conflict`: the items with the most bytes in their way first, each as low as it can be.
//!
//! The bytes of an item's neighbours, those that are live at a common point, say how hard it will be to
//! place later; its own size decides between equals. The order is that of greedy graph colouring by
//! degree (Welsh and Powell, "An upper bound for the chromatic number of a graph", 1967), with degrees
//! in bytes.

use std::cmp::Reverse;

use mem_model::{Bytes, Interval, Point, Problem};

use crate::{PlanError, lowest_fit};

/// An offset for each item.
pub(crate) fn offsets(problem: &Problem, alignments: &[Bytes]) -> Result<Vec<Bytes>, PlanError> {
    let mut order = lowest_fit::live_items(problem);
    let degrees = degrees(problem, &order);
    order.sort_by_key(|&(index, _)| (Reverse((degrees[index], problem.items[index].size)), index));
    lowest_fit::offsets(problem, alignments, order)
}

/// By item: the bytes of all whose lifetimes, gaps included, overlap its own. O(n log n): all bytes
/// less those that end before it begins or begin after it ends.
fn degrees(problem: &Problem, items: &[(usize, Interval<Point>)]) -> Vec<u128> {
    let mut starts: Vec<(Point, u128)> = Vec::new();
    let mut ends: Vec<(Point, u128)> = Vec::new();
    for &(index, hull) in items {
        let size = u128::from(problem.items[index].size.get());
        starts.push((hull.start, size));
        ends.push((hull.end, size));
    }
    let (started, ended) = (sums(&mut starts), sums(&mut ends));
    let mut degrees = vec![0; problem.items.len()];
    for &(index, hull) in items {
        let n_started = starts.partition_point(|(start, _)| *start < hull.end);
        let n_ended = ends.partition_point(|(end, _)| *end <= hull.start);
        degrees[index] = started[n_started] - ended[n_ended];
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

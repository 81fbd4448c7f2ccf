//! `greedy-by-size`: the largest items first, each as low as it can be.
//!
//! Items come in the order of their sizes, of the start of their lifetimes where those are the same,
//! and of the problem after that. Known as greedy by size from TensorFlow Lite's planners (Pisarchyk
//! and Lee, "Efficient memory management for deep neural net inference", 2020), there without parts.

use std::cmp::Reverse;

use mem_model::{Bytes, Problem};

use crate::{PlanError, lowest_fit};

/// An offset for each item.
pub(crate) fn offsets(problem: &Problem, alignments: &[Bytes]) -> Result<Vec<Bytes>, PlanError> {
    let mut order = lowest_fit::live_items(problem);
    order.sort_by_key(|&(index, hull)| (Reverse(problem.items[index].size), hull.start, index));
    lowest_fit::offsets(problem, alignments, order)
}

//! `first-fit`: items in the order in which they come to life, each as low as it can be.
//!
//! What an allocator at run time would do that knows no future; a baseline.

use mem_model::{Bytes, Problem};

use crate::{PlanError, lowest_fit};

/// An offset for each item.
pub(crate) fn offsets(problem: &Problem, alignments: &[Bytes]) -> Result<Vec<Bytes>, PlanError> {
    let mut order = lowest_fit::live_items(problem);
    order.sort_by_key(|&(index, hull)| (hull.start, index));
    lowest_fit::offsets(problem, alignments, order)
}

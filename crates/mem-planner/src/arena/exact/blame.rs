//! Finds a small set of items that provably do not fit together.
//!
//! Drops ever smaller runs of items while the rest still provably does not fit: delta debugging
//! (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002) with the
//! search as the test. Items that the budget does not allow to drop stay in the set.

use mem_model::{Bytes, Problem};

use super::Question;
use super::descent::Descent;
use super::search::{Answer, Search};
use super::shape::Shape;
use crate::arena::limits::Limits;
use crate::arena::{Pressure, bound, tuning};

/// Returns the items to blame if `problem` provably does not fit `capacity`. `None` if there is no
/// proof beyond the live sum, if the problem has aliases or reuses, or if it has too many items.
pub(crate) fn blame(
    problem: &Problem,
    alignments: &[Bytes],
    capacity: Bytes,
    pressure: &Pressure,
    proven: Bytes,
    limits: &mut Limits<'_>,
) -> Option<Vec<usize>> {
    // A part of a problem lacks its aliases and reuses, so a proof about the part would prove
    // nothing.
    let is_simple = problem.aliases.is_empty() && problem.reuses.is_empty();
    let n_items = problem.items.len();
    // If the live bytes do not fit, the live items are the explanation.
    let is_packing = proven > capacity && pressure.bytes <= capacity;
    if !is_packing || !is_simple || n_items > tuning::MAX_BLOCKS {
        return None;
    }
    let question = Question {
        problem,
        alignments,
    };
    let mut left = tuning::MAX_BLAME_WORK;
    let mut kept: Vec<usize> = (0..n_items).collect();
    // Wide runs first: dropping half of the items takes a single proof.
    let mut width = n_items.div_ceil(2);
    loop {
        shrink(&question, capacity, width, &mut kept, &mut left, limits);
        if width == 1 || left == 0 {
            break;
        }
        // Half as wide: in the end, no single item can be dropped.
        width = width.div_ceil(2);
    }
    Some(kept)
}

/// Drops runs of `width` items that the proof does not need.
fn shrink(
    question: &Question<'_>,
    capacity: Bytes,
    width: usize,
    kept: &mut Vec<usize>,
    left: &mut u64,
    limits: &Limits<'_>,
) {
    let mut start = 0;
    while start < kept.len() && *left > 0 && !limits.clock().is_over() {
        let end = (start + width).min(kept.len());
        let rest: Vec<usize> = [&kept[..start], &kept[end..]].concat();
        let (is_impossible, work) = is_impossible(question, &rest, capacity, *left, limits);
        *left = left.saturating_sub(work.max(1));
        // Once a run is dropped, the next one begins at the same index.
        match is_impossible {
            true => *kept = rest,
            false => start = end,
        }
    }
}

/// Returns whether the search proves within `budget` that these items do not fit, and the work it
/// took.
fn is_impossible(
    question: &Question<'_>,
    items: &[usize],
    capacity: Bytes,
    budget: u64,
    limits: &Limits<'_>,
) -> (bool, u64) {
    let (part, alignments) = question.part(items);
    let pressure = bound::lower_bound(&part).unwrap_or_default();
    // The cheapest proof comes first: it needs no search.
    if bound::proven(&part, &alignments, pressure) > capacity {
        return (true, items.len() as u64);
    }
    let Some(shape) = Shape::new(&part, &alignments) else {
        return (false, items.len() as u64);
    };
    // If distances are conservative, a failed search proves nothing.
    if !shape.is_exact {
        return (false, items.len() as u64);
    }
    let descent = Descent::for_ranks(&shape);
    // Proofs are found soon or not at all.
    let budget = budget.min(tuning::BLAME_ATTEMPTS * descent.attempt());
    let ranks = descent.ranks_of_attempt(0);
    let mut search = Search::new(&shape, capacity.get(), ranks, budget, limits.clock());
    let answer = search.run();
    (answer == Answer::DoesNotFit, search.work())
}

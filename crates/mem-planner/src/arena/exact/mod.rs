//! `exact`: a search that proves optimality, or returns the best plan within its budget.
//!
//! The search decides whether everything fits a capacity ([`search`]), for capacities between the
//! lower bound and the best known peak. The lower bound comes first: most real problems meet it.
//! Capacities are multiples of the common divisor of all sizes and alignments. A question that
//! exceeds its budget is asked again with other ranks: blocks involved in failed branches come
//! first. This is restarting with weights learned from failures, as in constraint solvers
//! (Boussemart et al., "Boosting systematic search by weighting constraints", 2004).
//!
//! Where parts of two items conflict, one item has to lie above the other by less than its size. If
//! such a distance does not describe all feasible offsets (one item may fit a hole of the other),
//! plans remain valid, but the search no longer proves that a lower peak is impossible.
//!
//! Exponential in the worst case. Work is counted in examined blocks, so that a budget means the
//! same on every machine.

mod blame;
mod descent;
mod group;
mod search;
mod shape;
mod window;

use mem_model::{Bytes, Item, Problem};

use crate::arena::limits::Limits;
use crate::arena::measure::{end_of, peak_of};
use crate::arena::tuning;
pub(crate) use blame::blame;
use descent::Descent;
use shape::Shape;

/// Result of the search.
pub(crate) struct Found {
    /// Offsets with a lower peak than the known ones, if the search found any.
    pub offsets: Option<Vec<Bytes>>,
    /// Proven lower bound on the peak.
    pub bound: Bytes,
}

/// Searches for a plan with a lower peak than that of `otherwise`, but not below `bound`. The number of
/// threads, 0 for one per core, changes the time only.
pub(crate) fn improve(
    problem: &Problem,
    alignments: &[Bytes],
    bound: Bytes,
    otherwise: &[Bytes],
    n_threads: usize,
    limits: &mut Limits<'_>,
) -> Found {
    let mut found = Found {
        offsets: None,
        bound,
    };
    let peak = peak_of(problem, otherwise);
    // The caller stops at a peak of `enough`, so a lower one is of no use.
    let is_good = peak <= bound || peak.get() <= limits.enough();
    if is_good || is_too_large(problem) || limits.is_over() {
        return found;
    }
    // Items that are never live may lie anywhere: there may be nothing to search.
    let shape = Shape::new(problem, alignments).filter(|shape| !shape.items.is_empty());
    let Some(shape) = shape else {
        return found;
    };
    let question = Question {
        problem,
        alignments,
    };
    let outside = top_of_others(problem, &shape, otherwise);
    let descent = Descent::new(&shape, bound.get(), peak.get(), outside.get());
    let mut descent = descent.with_threads(n_threads);
    descent.run(&question, limits);
    found.bound = Bytes::new(descent.proven());
    if let Some(offsets) = descent.offsets {
        // Fixed items, and items that are never live, are not blocks: they keep their offsets.
        let mut all = otherwise.to_vec();
        for (item, offset) in shape.items.iter().zip(offsets) {
            all[item.index] = Bytes::new(offset);
        }
        found.offsets = Some(all);
    }
    found
}

/// Whether a problem has too many items to place for a search.
pub(crate) fn is_too_large(problem: &Problem) -> bool {
    let is_free = |item: &&Item| item.fixed.is_none();
    problem.items.iter().filter(is_free).count() > tuning::MAX_BLOCKS
}

/// Returns the highest end of the items that are not blocks: those that are fixed or never live.
fn top_of_others(problem: &Problem, shape: &Shape, offsets: &[Bytes]) -> Bytes {
    let mut is_block = vec![false; problem.items.len()];
    for block in &shape.items {
        is_block[block.index] = true;
    }
    let others = problem.items.iter().zip(offsets).zip(is_block);
    let others = others.filter(|(_, is_block)| !is_block);
    let ends = others.map(|((item, offset), _)| end_of(item, *offset));
    ends.max().unwrap_or_default()
}

/// The problem to solve.
struct Question<'p> {
    problem: &'p Problem,
    alignments: &'p [Bytes],
}

impl Question<'_> {
    /// Restricts the problem to `items`. Returns the subproblem and its alignments.
    fn part(&self, items: &[usize]) -> (Problem, Vec<Bytes>) {
        part(self.problem, self.alignments, items)
    }
}

/// Restricts a problem to `items`, without aliases, reuses and penalties. Returns the subproblem and its alignments.
pub(crate) fn part(
    problem: &Problem,
    alignments: &[Bytes],
    items: &[usize],
) -> (Problem, Vec<Bytes>) {
    let mut position = vec![None; problem.items.len()];
    for (index, item) in items.iter().enumerate() {
        position[*item] = Some(index);
    }
    // Conflicts with other items are dropped, which can only make the part easier to place.
    let pair = |&(a, b): &(usize, usize)| Some((position[a]?, position[b]?));
    let part = Problem {
        items: (items.iter().map(|item| problem.items[*item].clone())).collect(),
        conflicts: problem.conflicts.iter().filter_map(pair).collect(),
        reserved: problem.reserved.clone(),
        ..Problem::default()
    };
    let alignments = items.iter().map(|item| alignments[*item]);
    (part, alignments.collect())
}

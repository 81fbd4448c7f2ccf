//! Normalizes a problem before it is planned: one list of conflicts, and one alignment per item.

use std::borrow::Cow;

use mem_model::{Bytes, Item, Problem};

use super::{PlanError, PlanOptions};

/// Normalizes conflicts: each pair once, sorted, the smaller index first. Drops conflicts of items
/// that are never live or have no bytes; such items may lie anywhere.
pub(super) fn with_plain_conflicts(problem: &Problem) -> Cow<'_, Problem> {
    let is_idle = |item: usize| {
        let item = &problem.items[item];
        item.size == Bytes::ZERO || item.hull().is_none()
    };
    let real = problem.conflicts.iter().copied();
    let real = real.filter(|&(a, b)| a != b && !is_idle(a) && !is_idle(b));
    let mut real: Vec<(usize, usize)> = real.map(|(a, b)| (a.min(b), a.max(b))).collect();
    real.sort_unstable();
    real.dedup();
    // Most problems are normal already: they are borrowed, since items can be a million.
    let mut problem = Cow::Borrowed(problem);
    if problem.conflicts != real {
        problem.to_mut().conflicts = real;
    }
    problem
}

/// Per item: the alignment of its offset, which is the larger one of its own and of the options'.
///
/// # Errors
/// If an alignment is not a power of two: only then is the larger of two alignments a multiple of
/// the smaller one.
pub(super) fn alignments(
    problem: &Problem,
    options: &PlanOptions,
) -> Result<Vec<Bytes>, PlanError> {
    let common = options.alignment.max(Bytes::new(1));
    let of_item = |item: &Item| {
        let alignment = item.alignment.max(common);
        let is_valid = item.alignment.is_power_of_two() && common.is_power_of_two();
        is_valid
            .then_some(alignment)
            .ok_or(PlanError::Alignment(alignment))
    };
    problem.items.iter().map(of_item).collect()
}

//! Among plans of equal peak, prefers a cheaper one: keeps pairs with a penalty apart where that
//! does not raise the peak.
//!
//! To keep a pair apart, the search treats the pair as a conflict. It tries all pairs at once, then
//! halves of them, the most expensive half first. For k pairs of which f cannot be kept apart this
//! takes O(f log k) searches, each with a share of the effort.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use mem_model::{Bytes, Penalty, Problem};

use super::limits::Limits;
use super::measure::peak_of;
use super::{PlanError, search, tuning};

/// Total penalty of the pairs that share an address.
pub(crate) fn cost_of(problem: &Problem, offsets: &[Bytes]) -> u64 {
    let shares = |penalty: &&Penalty| {
        let [(start, size), (other, its_size)] = [penalty.first, penalty.second]
            .map(|item| (offsets[item].get(), problem.items[item].size.get()));
        start < other.saturating_add(its_size) && other < start.saturating_add(size)
    };
    let costs = problem.penalties.iter().filter(shares).map(|p| p.cost);
    costs.fold(0, u64::saturating_add)
}

/// Returns cheaper offsets with the same or a lower peak, if the search finds any.
pub(crate) fn reduce(
    problem: &Problem,
    alignments: &[Bytes],
    offsets: &[Bytes],
    limits: &mut Limits<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let before = cost_of(problem, offsets);
    if before == 0 {
        return Ok(None);
    }
    // All of them: another placement could bring pairs together that are apart now.
    let mut pairs: Vec<Penalty> = problem.penalties.clone();
    pairs.sort_by_key(|pair| (Reverse(pair.cost), *pair));
    let mut apart = Apart {
        conflicts: problem.conflicts.iter().copied().collect(),
        problem: Problem {
            penalties: Vec::new(),
            ..problem.clone()
        },
        alignments,
        peak: peak_of(problem, offsets),
        effort: limits.work_left() / tuning::MAX_PENALTY_SEARCHES,
        n_searches: 0,
        best: None,
    };
    apart.keep(&pairs, limits)?;
    // Pairs that could not be kept apart may share bytes only now, so the sum decides.
    Ok(apart
        .best
        .filter(|better| cost_of(problem, better) < before))
}

struct Apart<'a> {
    conflicts: BTreeSet<(usize, usize)>,
    problem: Problem,
    alignments: &'a [Bytes],
    peak: Bytes,
    effort: u64,
    n_searches: u64,
    best: Option<Vec<Bytes>>,
}

impl Apart<'_> {
    /// Keeps as many of `pairs` apart as possible.
    fn keep(&mut self, pairs: &[Penalty], limits: &mut Limits<'_>) -> Result<(), PlanError> {
        let is_over = limits.clock().is_over() || self.n_searches == tuning::MAX_PENALTY_SEARCHES;
        if pairs.is_empty() || is_over || self.are_apart(pairs, limits)? {
            return Ok(());
        }
        if pairs.len() > 1 {
            // The expensive half first: what it gains, the cheap half must not take away.
            let (dear, cheap) = pairs.split_at(pairs.len() / 2);
            self.keep(dear, limits)?;
            self.keep(cheap, limits)?;
        }
        Ok(())
    }

    /// Searches for a plan with all `pairs` apart, in addition to those kept apart already, and
    /// keeps them if there is one.
    fn are_apart(&mut self, pairs: &[Penalty], limits: &mut Limits<'_>) -> Result<bool, PlanError> {
        self.n_searches += 1;
        let mut conflicts = self.conflicts.clone();
        let pair = |p: &Penalty| (p.first.min(p.second), p.first.max(p.second));
        conflicts.extend(pairs.iter().map(pair));
        self.problem.conflicts = conflicts.iter().copied().collect();
        // A lower peak is of no use here: the search stops at the known one.
        let mut own = limits.part(self.effort, self.peak);
        match search::cheap_then_exact(&self.problem, self.alignments, &mut own) {
            Ok(offsets) if peak_of(&self.problem, &offsets) <= self.peak => {
                self.conflicts = conflicts;
                self.best = Some(offsets);
                Ok(true)
            }
            // For example, both items of a pair may be fixed.
            Ok(_) | Err(PlanError::Clash(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }
}

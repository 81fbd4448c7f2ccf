//! Proofs from parts of a problem: if the items of one time window do not fit, the whole problem
//! does not fit either.
//!
//! A long-lived item couples early parts of the problem with late ones, and a search of the whole
//! problem would combine every solution of the one with every solution of the other. Windows are
//! cut where few items cross, recursively.

use std::collections::VecDeque;

use mem_model::Interval;

use super::Question;
use super::descent::Descent;
use super::search::{Answer, Search};
use super::shape::Shape;
use crate::arena::limits::Clock;
use crate::arena::tuning;

/// The items of a time window.
pub(super) struct Window {
    shape: Shape,
    n_attempts: usize,
}

/// Returns proper windows of a problem, those with the fewest items first.
pub(super) fn windows(question: &Question<'_>, shape: &Shape) -> Vec<Window> {
    let mut sets = sets(shape);
    // Small windows are proven or refuted soonest.
    sets.sort_by_key(Vec::len);
    let shapes = sets.iter().filter_map(|blocks| {
        let items: Vec<usize> = blocks
            .iter()
            .map(|b| shape.items[*b as usize].index)
            .collect();
        let (part, alignments) = question.part(&items);
        Shape::new(&part, &alignments)
    });
    // Only exact shapes prove anything.
    let exact = shapes.filter(|shape| shape.is_exact);
    let window = |shape| Window {
        shape,
        n_attempts: 0,
    };
    exact.map(window).collect()
}

/// The blocks of each window, coarse windows first: time is cut in two where the fewest blocks cross,
/// near the middle on a tie, and both halves are cut again.
fn sets(shape: &Shape) -> Vec<Vec<u32>> {
    let mut crossing = vec![0_u32; shape.n_sections + 1];
    for hull in &shape.reach {
        for boundary in hull.start + 1..hull.end {
            crossing[boundary as usize] += 1;
        }
    }
    let mut ranges = VecDeque::from([Interval::new(0, shape.n_sections as u32)]);
    let mut sets: Vec<Vec<u32>> = Vec::new();
    // Breadth first, so that the limit on windows drops the finest ones.
    while let Some(range) = ranges.pop_front()
        && sets.len() < tuning::MAX_WINDOWS
        && shape.items.len() <= tuning::MAX_WINDOW_ITEMS
    {
        let is_inside = |block: &u32| shape.items[*block as usize].hull().overlaps(range);
        let blocks: Vec<u32> = (0..shape.items.len() as u32).filter(is_inside).collect();
        if blocks.len() < tuning::MIN_WINDOW_ITEMS {
            continue;
        }
        let middle = range.start + (range.end - range.start) / 2;
        let cut = (range.start + 1..range.end)
            .min_by_key(|boundary| (crossing[*boundary as usize], boundary.abs_diff(middle)));
        if let Some(cut) = cut {
            ranges.push_back(Interval::new(range.start, cut));
            ranges.push_back(Interval::new(cut, range.end));
        }
        // The whole problem is no window, and a cut may leave all blocks on one side.
        if blocks.len() < shape.items.len() && !sets.contains(&blocks) {
            sets.push(blocks);
        }
    }
    sets
}

/// Returns whether the search proves that the items of some window do not fit `capacity`, and the work
/// done. The windows share the budget.
pub(super) fn prove(
    windows: &mut [Window],
    capacity: u64,
    budget: u64,
    clock: Clock<'_>,
) -> (bool, u64) {
    let share = budget / windows.len().max(1) as u64;
    let mut work = 0;
    let mut proofs = windows.iter_mut();
    let is_proven = proofs.any(|window| window.is_impossible(capacity, (share, &mut work), clock));
    (is_proven, work)
}

impl Window {
    /// Returns whether the search proves within a budget that the items of this window do not fit
    /// `capacity`. Adds its effort to `work`.
    fn is_impossible(
        &mut self,
        capacity: u64,
        (budget, work): (u64, &mut u64),
        clock: Clock<'_>,
    ) -> bool {
        // Live sums need no search.
        let live = self.shape.live_bytes().into_iter().max().unwrap_or(0);
        if live > capacity {
            return true;
        }
        let descent = Descent::for_ranks(&self.shape);
        // Another order each time, as in the descent.
        let ranks = descent.ranks_of_attempt(self.n_attempts);
        self.n_attempts += 1;
        let mut search = Search::new(&self.shape, capacity, ranks, budget, clock);
        let answer = search.run();
        *work += search.work();
        answer == Answer::DoesNotFit
    }
}

//! Repairs a plan of a problem that is too large for the exact search. Items that end above the bound
//! are taken out of the plan. For one after the other, the exact search makes room in a window of time around
//! the point of its lifetime with the most live bytes: items that are only live within the window may move, and
//! all others are walls. Windows grow until the item fits.
//!
//! This is a large neighbourhood search (Shaw, "Using constraint programming and local search methods
//! to solve vehicle routing problems", 1998). It proves nothing: if it fails, there may be a plan all
//! the same. Besides the search, a window costs O(n + w f) for w items that may move and f walls.

use std::cmp::Reverse;

use mem_model::{Bytes, IntervalSet, Point, Problem};

use super::decode::Decoder;
use super::limits::Limits;
use super::measure::{end_of, peak_of};
use super::orders::Profile;
use super::{PlanError, exact, tuning};

/// Returns offsets of a plan in which no item ends above `goal`, if the search finds any. The number of
/// threads, 0 for one per core, changes the time only.
///
/// The items that did not fit are the first to be placed in the next round, in their group: squeaky wheel
/// optimization (Joslin and Clements, 1999).
///
/// # Errors
/// If sizes add up to too much.
pub(super) fn search(
    decoder: &Decoder<'_>,
    alignments: &[Bytes],
    goal: Bytes,
    (n_threads, rounds): (usize, u64),
    limits: &mut Limits<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let mut failures = vec![0_u32; decoder.n_items()];
    let profile = Profile::new(decoder);
    for _ in 0..tuning::REPACK_ROUNDS.min(rounds) {
        let order = order(decoder, &profile, &failures);
        let Some(decoded) = decoder.decode(&order, limits.clock())? else {
            break;
        };
        let mut repack = Repack::new(
            decoder,
            alignments,
            &profile,
            decoded.offsets,
            goal,
            n_threads,
        );
        let above = repack.out();
        if above.len() <= tuning::MAX_REPACKED
            && above.iter().all(|item| repack.place(*item, limits))
        {
            return Ok(Some(repack.offsets));
        }
        if limits.is_over() {
            break;
        }
        for item in above {
            failures[item] += 1;
        }
    }
    Ok(None)
}

/// Items live at the tightest point first. Within both groups, items that failed more often come first, then those
/// live where memory is tightest, then the longest lifetimes: where lifetimes are nested, as those of what a
/// forward pass leaves to the backward pass, nothing is lost between them.
fn order(decoder: &Decoder<'_>, profile: &Profile, failures: &[u32]) -> Vec<u32> {
    let tightest = profile.tightest();
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_cached_key(|&item| {
        let hull = decoder.hull(item);
        let is_there = tightest.is_some_and(|point| hull.contains(point));
        let highest = profile.highest(hull).map_or(0, |(_, live)| live);
        let width = hull.end.index() - hull.start.index();
        (
            !is_there,
            Reverse((failures[item as usize], highest, width)),
            item,
        )
    });
    order
}

struct Repack<'a> {
    decoder: &'a Decoder<'a>,
    alignments: &'a [Bytes],
    goal: Bytes,
    n_threads: usize,
    profile: &'a Profile,
    is_placed: Vec<bool>,
    offsets: Vec<Bytes>,
}

impl<'a> Repack<'a> {
    /// Takes what ends above `goal` out of a plan.
    fn new(
        decoder: &'a Decoder<'a>,
        alignments: &'a [Bytes],
        profile: &'a Profile,
        offsets: Vec<Bytes>,
        goal: Bytes,
        n_threads: usize,
    ) -> Self {
        let ends = decoder.problem().items.iter().zip(&offsets);
        let is_placed = ends
            .map(|(item, offset)| end_of(item, *offset) <= goal)
            .collect();
        Self {
            decoder,
            alignments,
            goal,
            n_threads,
            profile,
            is_placed,
            offsets,
        }
    }

    /// The items that are not placed, largest first.
    fn out(&self) -> Vec<usize> {
        let items = &self.decoder.problem().items;
        let mut out: Vec<usize> = (0..items.len())
            .filter(|item| !self.is_placed[*item])
            .collect();
        out.sort_by_key(|item| (Reverse(items[*item].size), *item));
        out
    }

    /// Makes room for an item. Returns `false` if it does not fit any window, or if the effort is spent.
    fn place(&mut self, item: usize, limits: &mut Limits<'_>) -> bool {
        let hull = self.decoder.hull(item as u32);
        let Some((point, _)) = self.profile.highest(hull) else {
            return false;
        };
        let is_placed = tuning::WINDOW_SIZES.into_iter().any(|size| {
            let movable = self.around(point, size);
            !limits.is_over() && self.make_room(item, &movable, limits)
        });
        self.is_placed[item] |= is_placed;
        is_placed
    }

    /// The `n` free items whose lifetimes reach least far from a point, those that are placed.
    fn around(&self, point: Point, n: usize) -> Vec<usize> {
        let reach = |item: &u32| {
            let (hull, at) = (self.decoder.hull(*item), point.index());
            at.abs_diff(hull.start.index())
                .max(at.abs_diff(hull.end.index()))
        };
        let is_placed = |item: &u32| self.is_placed[*item as usize];
        let mut items: Vec<u32> = self.decoder.free_items().filter(is_placed).collect();
        if n < items.len() {
            items.select_nth_unstable_by_key(n, |item| (reach(item), *item));
            items.truncate(n);
        }
        items.into_iter().map(|item| item as usize).collect()
    }

    /// Searches for offsets of an item and of those that may move beside all others. Keeps them if no item
    /// ends above the goal.
    fn make_room(&mut self, item: usize, movable: &[usize], limits: &mut Limits<'_>) -> bool {
        let mut free = movable.to_vec();
        free.push(item);
        let (part, included) = self.part(&free);
        let alignments: Vec<Bytes> = included.iter().map(|item| self.alignments[*item]).collect();
        let present: Vec<Bytes> = included.iter().map(|item| self.offsets[*item]).collect();
        let effort = limits.effort() / tuning::MAX_REPACK_SEARCHES;
        let mut own = limits.part(effort, self.goal);
        let bound = Bytes::ZERO;
        let found = exact::improve(
            &part,
            &alignments,
            bound,
            &present,
            self.n_threads,
            &mut own,
        );
        limits.spend(own.effort() - own.work_left());
        let Some(offsets) = found
            .offsets
            .filter(|offsets| peak_of(&part, offsets) <= self.goal)
        else {
            return false;
        };
        for (item, offset) in included.into_iter().zip(offsets) {
            self.offsets[item] = offset;
        }
        true
    }

    /// The problem of placing `free` beside all placed items that may conflict with them, which are fixed,
    /// and the items of the problem.
    fn part(&self, free: &[usize]) -> (Problem, Vec<usize>) {
        let problem = self.decoder.problem();
        let mut is_free = vec![false; problem.items.len()];
        for item in free {
            is_free[*item] = true;
        }
        let hull = |item: usize| self.decoder.hull(item as u32);
        let live: IntervalSet<Point> = free.iter().map(|item| hull(*item)).collect();
        let mut is_included = is_free.clone();
        for item in 0..problem.items.len() {
            let its = [hull(item)].into_iter().collect();
            is_included[item] |= self.is_placed[item] && live.overlaps(&its);
        }
        for &(a, b) in &problem.conflicts {
            is_included[a] |= is_free[b] && self.is_placed[a];
            is_included[b] |= is_free[a] && self.is_placed[b];
        }
        let included: Vec<usize> = (0..is_included.len())
            .filter(|item| is_included[*item])
            .collect();
        let mut part = exact::part(problem, &included);
        for (item, own) in included.iter().zip(&mut part.items) {
            if !is_free[*item] {
                own.fixed = Some(self.offsets[*item]);
            }
        }
        (part, included)
    }
}

#[cfg(test)]
mod tests {
    use mem_model::{Bytes, Problem};
    use mem_testkit::{Rng, cut_rectangle, random_problem};

    use super::{end_of, peak_of, search};
    use crate::PlanOptions;
    use crate::arena::Watch;
    use crate::arena::decode::Decoder;
    use crate::arena::limits::Limits;

    /// Whether the search finds a plan in which no item ends above `goal`.
    fn finds(problem: &Problem, goal: Bytes) -> bool {
        let alignments: Vec<Bytes> = problem.items.iter().map(|item| item.alignment).collect();
        let decoder = Decoder::new(problem, &alignments);
        let mut limits = Limits::new(&PlanOptions::default(), Watch::default());
        let found = search(&decoder, &alignments, goal, (1, 4), &mut limits).expect("no overflow");
        if let Some(offsets) = &found {
            assert!(decoder.admits(offsets), "{problem:?}: {offsets:?}");
            let mut ends = problem.items.iter().zip(offsets);
            assert!(ends.all(|(item, offset)| end_of(item, *offset) <= goal));
        }
        found.is_some()
    }

    #[test]
    fn cut_rectangles_are_put_together_again() {
        let mut rng = Rng::new(5);
        let height = 1000;
        let found = (0..40).filter(|_| {
            let problem = cut_rectangle(&mut rng, 60, 40, height);
            let is_too_low = finds(&problem, Bytes::new(height - 1));
            assert!(!is_too_low, "below the live bytes");
            finds(&problem, Bytes::new(height))
        });
        // Without windows, one of them.
        assert!(found.count() >= 30);
    }

    #[test]
    fn plans_are_correct_beside_fixed_items_conflicts_and_reserved_regions() {
        let mut rng = Rng::new(6);
        let mut n_found = 0;
        for _ in 0..60 {
            let mut problem = random_problem(&mut rng, 40, 30);
            let n_items = problem.items.len();
            for _ in 0..rng.below(6) {
                let (a, b) = (rng.below(n_items.max(1)), rng.below(n_items.max(1)));
                problem.conflicts.extend((a < b).then_some((a, b)));
            }
            problem.conflicts.sort_unstable();
            problem.conflicts.dedup();
            let alignments: Vec<Bytes> = problem.items.iter().map(|item| item.alignment).collect();
            let decoder = Decoder::new(&problem, &alignments);
            let order: Vec<u32> = decoder.free_items().collect();
            let clock = Limits::new(&PlanOptions::default(), Watch::default()).clock();
            let offsets = decoder
                .decode(&order, clock)
                .expect("no overflow")
                .expect("no limit")
                .offsets;
            let peak = peak_of(&problem, &offsets).get();
            let mut fixed = problem.clone();
            for (item, offset) in fixed.items.iter_mut().zip(&offsets) {
                item.fixed = rng.chance(10).then_some(*offset);
            }
            for percent in [60, 80, 90, 100] {
                n_found += usize::from(finds(&fixed, Bytes::new(peak * percent / 100)));
            }
        }
        assert!(n_found >= 60, "{n_found}");
    }
}

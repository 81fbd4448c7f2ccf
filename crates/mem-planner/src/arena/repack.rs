//! Plans of problems that are too large for the exact search: it packs windows of time instead.
//!
//! Greedy orders leave few items above the bound. These are taken out of the plan. For one after the other, the
//! search makes room in a window around the point of its lifetime with the most live bytes: items that are only
//! live within the window may move, and all others are walls. Windows grow until it fits. If that fails, the window
//! around the tightest point of all is packed first, and all other items are placed after it.
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
/// threads, 0 for one per core, changes the time only. At most `rounds` orders of all items are tried.
///
/// The first order is that of `start`, the offsets of a plan to continue from. Two follow in which items are placed by
/// their lifetimes, those that did not fit before first: squeaky wheel optimization (Joslin and Clements, 1999). In the
/// others, the window around the tightest point comes first, packed by the exact search.
///
/// # Errors
/// If sizes add up to too much.
pub(super) fn search(
    decoder: &Decoder<'_>,
    alignments: &[Bytes],
    (goal, start): (Bytes, Option<&[Bytes]>),
    (n_threads, rounds): (usize, u64),
    limits: &mut Limits<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let n_items = decoder.n_items();
    let mut repack = Repack {
        decoder,
        alignments,
        goal,
        n_threads,
        profile: Profile::new(decoder),
        failures: vec![0; n_items],
        is_placed: vec![false; n_items],
        offsets: vec![Bytes::ZERO; n_items],
    };
    let given = start.map(|offsets| First::Given(decoder.by_address(offsets)));
    let orders = given.into_iter().chain([First::None, First::None]);
    let orders = orders.chain(tuning::CORE_SIZES.map(First::Core));
    for first in orders.take(rounds as usize) {
        if limits.is_over() {
            break;
        }
        let first = match first {
            First::Given(items) => Some(items),
            First::None => Some(Vec::new()),
            First::Core(size) => repack.core(size, limits)?,
        };
        if let Some(first) = first
            && repack.decode(&first, limits)?
            && repack.place_all(limits)
        {
            return Ok(Some(repack.offsets));
        }
    }
    Ok(None)
}

/// Which items come first in an order, before those that the order of lifetimes places.
enum First {
    Given(Vec<u32>),
    None,
    /// Those around the tightest point, of which this many are packed.
    Core(usize),
}

struct Repack<'a> {
    decoder: &'a Decoder<'a>,
    alignments: &'a [Bytes],
    goal: Bytes,
    n_threads: usize,
    profile: Profile,
    /// Per item: the number of orders in which it ended above the goal.
    failures: Vec<u32>,
    /// Whether items have their place, at `offsets`. The others are to be placed, and conflict with none.
    is_placed: Vec<bool>,
    offsets: Vec<Bytes>,
}

impl Repack<'_> {
    /// Places the items of `first` in that order, then all others, and takes out what ends above the goal.
    /// Returns `false` if the time is up.
    fn decode(&mut self, first: &[u32], limits: &Limits<'_>) -> Result<bool, PlanError> {
        let mut order = first.to_vec();
        order.extend(self.others(first));
        let Some(decoded) = self.decoder.decode(&order, limits.clock())? else {
            return Ok(false);
        };
        self.offsets = decoded.offsets;
        for (index, item) in self.decoder.problem().items.iter().enumerate() {
            self.is_placed[index] = end_of(item, self.offsets[index]) <= self.goal;
        }
        Ok(true)
    }

    /// All items but those of `first`: those live at the tightest point first. Within both groups, items that failed
    /// more often come first, then those live where memory is tightest, then the longest lifetimes: where lifetimes
    /// are nested, as those of what a forward pass leaves to the backward pass, nothing is lost between them.
    fn others(&self, first: &[u32]) -> Vec<u32> {
        let mut is_first = vec![false; self.failures.len()];
        for item in first {
            is_first[*item as usize] = true;
        }
        let tightest = self.profile.tightest();
        let others = self.decoder.free_items();
        let mut others: Vec<u32> = others.filter(|item| !is_first[*item as usize]).collect();
        others.sort_by_cached_key(|&item| {
            let hull = self.decoder.hull(item);
            let is_there = tightest.is_some_and(|point| hull.contains(point));
            let highest = self.profile.most(hull);
            let width = self.decoder.width(item);
            let rank = (self.failures[item as usize], highest, width);
            (!is_there, Reverse(rank), item)
        });
        others
    }

    /// Packs what is live in a window around the tightest point: items that are live throughout it at the bottom, the
    /// longest lifetimes first, and `size` others by the exact search. Returns these items in the order of
    /// their addresses, if none ends above the goal.
    fn core(
        &mut self,
        size: usize,
        limits: &mut Limits<'_>,
    ) -> Result<Option<Vec<u32>>, PlanError> {
        let Some(point) = self.profile.tightest() else {
            return Ok(None);
        };
        let (mut throughout, partly) = self.window(point, size);
        throughout.sort_by_key(|item| (Reverse(self.decoder.width(*item)), *item));
        let first: Vec<u32> = throughout.iter().chain(&partly).copied().collect();
        if !self.decode(&first, limits)? {
            return Ok(None);
        }
        self.is_placed.fill(false);
        for item in throughout {
            self.is_placed[item as usize] = true;
        }
        let partly: Vec<usize> = partly.into_iter().map(|item| item as usize).collect();
        let is_packed = self.arrange(&partly, limits);
        log::debug!(target: "plan", "windows: {} items around {point:?}, packed: {is_packed}", partly.len());
        Ok(is_packed.then(|| {
            let mut by_address = first;
            by_address.sort_by_key(|item| (self.offsets[*item as usize], *item));
            by_address
        }))
    }

    /// The free items that are live throughout the largest window around a point in which at most `size` others
    /// are live, and these others.
    fn window(&self, point: Point, size: usize) -> (Vec<u32>, Vec<u32>) {
        let at = point.index();
        let within = |radius: u64| {
            let (start, end) = (at.saturating_sub(radius), at.saturating_add(radius));
            let hull = |item: &u32| self.decoder.hull(*item);
            let live = self.decoder.free_items();
            let live = live
                .filter(|item| hull(item).start.index() <= end && start < hull(item).end.index());
            live.partition::<Vec<u32>, _>(|item| {
                hull(item).start.index() <= start && end < hull(item).end.index()
            })
        };
        // The number of others grows with the window, up to that of all time.
        let ends = self.decoder.free_items();
        let ends = ends.map(|item| self.decoder.hull(item).end.index());
        let (mut low, mut high) = (0, ends.max().unwrap_or(0));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match within(middle).1.len() <= size {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        within(low)
    }

    /// Makes room for all items that are not placed, largest first. Returns `false` if it fails.
    fn place_all(&mut self, limits: &mut Limits<'_>) -> bool {
        let items = &self.decoder.problem().items;
        let is_out = |item: &usize| !self.is_placed[*item];
        let mut out: Vec<usize> = (0..items.len()).filter(is_out).collect();
        log::debug!(target: "plan", "windows: {} items above {}", out.len(), self.goal);
        for item in &out {
            self.failures[*item] += 1;
        }
        out.sort_by_key(|item| (Reverse(items[*item].size), *item));
        out.len() <= tuning::MAX_REPACKED && out.into_iter().all(|item| self.place(item, limits))
    }

    /// Makes room for an item. Returns `false` if it does not fit any window, or if the effort is spent.
    fn place(&mut self, item: usize, limits: &mut Limits<'_>) -> bool {
        let hull = self.decoder.hull(item as u32);
        let Some((point, _)) = self.profile.highest(hull) else {
            return false;
        };
        let is_placed = tuning::WINDOW_SIZES.into_iter().any(|size| {
            let mut free = self.around(point, size);
            free.push(item);
            !limits.is_over() && self.arrange(&free, limits)
        });
        let size = self.decoder.problem().items[item].size;
        log::debug!(target: "plan", "windows: item {item} of {size} at {point:?}, room: {is_placed}");
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

    /// Searches for offsets of `free` items beside all others that are placed. Places them if none ends above the
    /// goal.
    fn arrange(&mut self, free: &[usize], limits: &mut Limits<'_>) -> bool {
        let (included, part, alignments) = self.part(free);
        let present: Vec<Bytes> = included.iter().map(|item| self.offsets[*item]).collect();
        let fits = |offsets: &Vec<Bytes>| peak_of(&part, offsets) <= self.goal;
        let found = if fits(&present) {
            Some(present)
        } else {
            let effort = limits.effort() / tuning::MAX_REPACK_SEARCHES;
            let mut own = limits.part(effort, self.goal);
            let (bound, n_threads) = (Bytes::ZERO, self.n_threads);
            let found = exact::improve(&part, &alignments, bound, &present, n_threads, &mut own);
            limits.spend(own.effort() - own.work_left());
            found.offsets.filter(fits)
        };
        let Some(offsets) = found else {
            return false;
        };
        for (item, offset) in included.into_iter().zip(offsets) {
            self.offsets[item] = offset;
            self.is_placed[item] = true;
        }
        true
    }

    /// The problem of placing `free` items beside all placed ones that may conflict with them, which are fixed.
    /// Returns the items of this problem, the problem, and its alignments.
    fn part(&self, free: &[usize]) -> (Vec<usize>, Problem, Vec<Bytes>) {
        let problem = self.decoder.problem();
        let mut is_free = vec![false; problem.items.len()];
        for item in free {
            is_free[*item] = true;
        }
        let hull = |item: usize| self.decoder.hull(item as u32);
        let live: IntervalSet<Point> = free.iter().map(|item| hull(*item)).collect();
        let mut is_included = is_free.clone();
        for (item, is_included) in is_included.iter_mut().enumerate() {
            let its = [hull(item)].into_iter().collect();
            *is_included |= self.is_placed[item] && live.overlaps(&its);
        }
        for &(a, b) in &problem.conflicts {
            is_included[a] |= is_free[b] && self.is_placed[a];
            is_included[b] |= is_free[a] && self.is_placed[b];
        }
        let included: Vec<usize> = (0..is_included.len())
            .filter(|item| is_included[*item])
            .collect();
        let (mut part, alignments) = exact::part(problem, self.alignments, &included);
        for (item, own) in included.iter().zip(&mut part.items) {
            if !is_free[*item] {
                own.fixed = Some(self.offsets[*item]);
            }
        }
        (included, part, alignments)
    }
}

#[cfg(test)]
mod tests {
    use mem_model::{Bytes, Problem};
    use mem_testkit::{Rng, cut_rectangle, random_problem};

    use super::{end_of, peak_of, search};
    use crate::arena::Watch;
    use crate::arena::decode::Decoder;
    use crate::arena::limits::Limits;
    use crate::{PlanOptions, Strategy, plan};

    /// Whether the search finds a plan in which no item ends above `goal`, with all orders.
    fn finds(problem: &Problem, goal: Bytes) -> bool {
        finds_in(problem, (goal, None), 5)
    }

    fn finds_in(
        problem: &Problem,
        (goal, start): (Bytes, Option<&[Bytes]>),
        n_orders: u64,
    ) -> bool {
        let alignments: Vec<Bytes> = problem.items.iter().map(|item| item.alignment).collect();
        let decoder = Decoder::new(problem, &alignments);
        let mut limits = Limits::new(&PlanOptions::default(), Watch::default());
        let found = search(
            &decoder,
            &alignments,
            (goal, start),
            (1, n_orders),
            &mut limits,
        )
        .expect("no overflow");
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
        let problems: Vec<Problem> = (0..40)
            .map(|_| cut_rectangle(&mut rng, 60, 40, height))
            .collect();
        let n_found = |n_orders| {
            let found =
                |problem: &&Problem| finds_in(problem, (Bytes::new(height), None), n_orders);
            problems.iter().filter(found).count()
        };
        // Without windows, one of them.
        let without_core = n_found(2);
        assert!(without_core >= 20, "{without_core}");
        let with_core = n_found(5);
        assert!(with_core > without_core && with_core >= 30, "{with_core}");
        // Below the live bytes.
        assert!(
            !problems
                .iter()
                .any(|problem| finds(problem, Bytes::new(height - 1)))
        );
    }

    #[test]
    fn the_search_continues_from_a_plan() {
        let mut rng = Rng::new(7);
        let height = Bytes::new(1000);
        for _ in 0..20 {
            let problem = cut_rectangle(&mut rng, 30, 20, height.get());
            let solution = plan(&problem, Strategy::Exact, &PlanOptions::default());
            let solution = solution.expect("no capacity");
            let mut offsets: Vec<Bytes> = solution.placements.iter().map(|p| p.offset).collect();
            assert_eq!(solution.peak, height);
            // One item is above all others, and the hole that it leaves is the only room for it.
            offsets[rng.below(problem.items.len())] = height;
            assert!(finds_in(&problem, (height, Some(&offsets)), 1));
        }
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

//! Plans for sizes that are known only at run time.
//!
//! For a given choice of the unknowns the problem is numeric, and any strategy solves it. Of that
//! plan only the vertical order survives: which of two conflicting items lies above the other.
//! Placing each item as low as the items below it permit yields no overlaps for any sizes. If all
//! sizes are proportional, a plan that is optimal for one choice is optimal for all. Each choice of
//! the unknowns contributes a plan; the plan with the smallest worst-case ratio to the lower bound
//! over all choices wins.
//!
//! The order is an acyclic orientation of the conflict graph, and offsets are longest paths in it:
//! the weighted interval colouring of Gallai, Hasse, Roy and Vitaver.

use std::collections::HashSet;

use mem_model::{Bytes, Part, Plan, Problem, RelativePlan, Size};

use super::decode::Decoder;
use super::{PlanError, PlanOptions, Strategy, bound, plan, tuning};

/// A plan for sizes known only at run time.
#[derive(Clone, Debug)]
pub struct SizedPlan {
    /// Which items lie above which.
    pub relative: RelativePlan,
    /// The problem with every unknown set to 1 and without capacity, and the plan for it.
    pub example: (Problem, Plan),
    /// Largest ratio of the peak to the lower bound over the values tried; 1.0 means optimal for
    /// all.
    pub worst_ratio: f64,
}

/// Plans items some of which have sizes known only at run time, given by `sizes` for each item. An
/// item of unknown size has a single lifetime for all its bytes.
///
/// Costs a few calls of [`plan`](plan()), plus O(conflicts) pairs.
///
/// # Errors
/// Same as [`plan`](plan()) with every unknown set to 1; there is no capacity.
///
/// # Panics
/// If there are not as many sizes as items, if an item is fixed, or if addresses are reserved:
/// fixed and reserved addresses are numbers, while the offsets of the other items are not known
/// yet.
pub fn plan_sizes(
    problem: &Problem,
    sizes: &[Size],
    strategy: Strategy,
    options: &PlanOptions,
) -> Result<SizedPlan, PlanError> {
    assert_eq!(sizes.len(), problem.items.len(), "one size an item");
    let is_free = problem.items.iter().all(|item| item.fixed.is_none());
    assert!(is_free && problem.reserved.is_empty(), "no addresses yet");
    // Large values may overflow; the plan for the others holds for those, too.
    let choices = tuning::UNKNOWN_CHOICES.iter().filter_map(|value| {
        let problem = resized(problem, sizes, *value)?;
        let bound = bound::lower_bound(&problem)?;
        Some((problem, bound))
    });
    let choices: Vec<(Problem, Bytes)> = choices.collect();
    let (first, first_bound) = choices.first().ok_or(PlanError::Overflow)?;
    let mut best: Option<SizedPlan> = None;
    for (index, (problem, _)) in choices.iter().enumerate() {
        let found = match plan(problem, strategy, options) {
            Ok(plan) => plan,
            // Only the first choice is what the caller asked for.
            Err(error) if index == 0 => return Err(error),
            Err(_) => continue,
        };
        let relative = relative(problem, &found);
        let Some(mut plan) = relative.plan(first, &found.strategy) else {
            continue;
        };
        (plan.lower_bound, plan.proven_bound) = (*first_bound, *first_bound);
        let worst_ratio = worst_ratio(&relative, &choices);
        if best.as_ref().is_none_or(|b| worst_ratio < b.worst_ratio) {
            best = Some(SizedPlan {
                relative,
                example: (first.clone(), plan),
                worst_ratio,
            });
        }
    }
    best.ok_or(PlanError::Overflow)
}

/// Largest ratio of the peak to the lower bound over problems and their bounds.
fn worst_ratio(relative: &RelativePlan, choices: &[(Problem, Bytes)]) -> f64 {
    let ratios = choices.iter().map(|(problem, bound)| {
        let peak = relative.offsets(problem).map(|(_, peak)| peak);
        peak.map_or(f64::INFINITY, |peak| ratio(peak, *bound))
    });
    ratios.fold(1.0, f64::max)
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for comparison")]
fn ratio(peak: Bytes, bound: Bytes) -> f64 {
    match bound.get() {
        0 => 1.0,
        bound => peak.get() as f64 / bound as f64,
    }
}

/// Returns the problem with every unknown set to `value`; `None` if a size exceeds
/// [`MAX_BYTES`](crate::MAX_BYTES).
fn resized(problem: &Problem, sizes: &[Size], value: u64) -> Option<Problem> {
    let mut problem = problem.clone();
    problem.capacity = None;
    for (item, size) in problem.items.iter_mut().zip(sizes) {
        // Parts are byte ranges, which mean nothing for an unknown size.
        if size.known().is_none() {
            item.size = size.at(value).filter(|size| *size <= crate::MAX_BYTES)?;
            item.parts = vec![Part::whole(item.size, item.live())];
        }
    }
    Some(problem)
}

/// Extracts the vertical order of the items from a plan.
fn relative(problem: &Problem, plan: &Plan) -> RelativePlan {
    let n_items = problem.items.len();
    let offset = |item: usize| plan.placements[item].offset;
    let pairs = conflicts(problem);
    let place = places(problem, &pairs, offset);
    // Items without conflict may have equal offsets: the index breaks ties.
    let mut order: Vec<usize> = (0..n_items).filter(|item| place[*item] == *item).collect();
    order.sort_by_key(|item| (offset(*item), *item));
    let mut rank = vec![0; n_items];
    for (position, item) in order.iter().enumerate() {
        rank[*item] = position;
    }
    let below = below(pairs, order.len(), |item| rank[place[item]]);
    let mut above = vec![Vec::new(); n_items];
    for (position, ranks) in below.iter().enumerate() {
        let direct = direct(ranks, &below);
        above[order[position]] = direct.into_iter().rev().map(|rank| order[rank]).collect();
    }
    RelativePlan {
        order,
        place,
        above,
    }
}

/// Indexed by rank: the ranks of all conflicting items below, ascending.
fn below(
    pairs: Vec<(usize, usize)>,
    n_ranks: usize,
    rank: impl Fn(usize) -> usize,
) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n_ranks];
    for (a, b) in pairs {
        let (a, b) = (rank(a), rank(b));
        // Members of one place may share bytes, so they need no order.
        if a != b {
            below[a.max(b)].push(a.min(b));
        }
    }
    for ranks in &mut below {
        ranks.sort_unstable();
        ranks.dedup();
    }
    below
}

/// The ranks that no other one implies, in descending order: a transitive reduction. Descending, so
/// that an item implied by a higher one is dropped.
fn direct(ranks: &[usize], below: &[Vec<usize>]) -> Vec<usize> {
    let mut direct: Vec<usize> = Vec::new();
    for rank in ranks.iter().rev() {
        let is_implied = |other: &usize| below[*other].binary_search(rank).is_ok();
        if !direct.iter().any(is_implied) {
            direct.push(*rank);
        }
    }
    direct
}

/// Returns the pairs that may not share bytes, in-place reuse aside, with the smaller index first.
/// O(n log n), plus the pairs whose lifetimes overlap, gaps included.
fn conflicts(problem: &Problem) -> Vec<(usize, usize)> {
    let alignments: Vec<Bytes> = problem.items.iter().map(|item| item.alignment).collect();
    let decoder = Decoder::new(problem, &alignments);
    let hull = |item: &u32| decoder.hull(*item);
    let mut by_start: Vec<u32> = decoder.free_items().collect();
    by_start.sort_by_key(|item| hull(item).start);
    let mut pairs = Vec::new();
    let mut active: Vec<u32> = Vec::new();
    for item in by_start {
        // A sweep over starts: only items that are still live can conflict.
        active.retain(|other| hull(other).end > hull(&item).start);
        let others = active
            .iter()
            .filter(|other| decoder.conflict(item, **other));
        pairs.extend(others.map(|other| (item.min(*other) as usize, item.max(*other) as usize)));
        active.push(item);
    }
    let is_live = |item: usize| !hull(&(item as u32)).is_empty();
    // Items that are never live conflict with nothing.
    let explicit = problem.conflicts.iter().copied();
    pairs.extend(explicit.filter(|(a, b)| is_live(*a) && is_live(*b)));
    pairs
}

/// Per item: the representative of its place, which is the smallest index among its aliases and the
/// items that it shares bytes with by in-place reuse. Apart from reuse pairs, conflicting items
/// never join one place, not even if the bytes that are live at once happen to be disjoint for
/// these sizes.
fn places(
    problem: &Problem,
    conflicts: &[(usize, usize)],
    offset: impl Fn(usize) -> Bytes,
) -> Vec<usize> {
    let mut place: Vec<usize> = (0..problem.items.len()).collect();
    let mut members: Vec<Vec<usize>> = place.iter().map(|item| vec![*item]).collect();
    let mut join = |a: usize, b: usize, may_join: &dyn Fn(usize, usize) -> bool| {
        let (into, from) = (place[a].min(place[b]), place[a].max(place[b]));
        let mut pairs = (members[into].iter()).flat_map(|x| members[from].iter().map(|y| (*x, *y)));
        if into == from || !pairs.all(|(x, y)| may_join(x, y)) {
            return;
        }
        for item in std::mem::take(&mut members[from]) {
            place[item] = into;
            members[into].push(item);
        }
    };
    for group in &problem.aliases {
        (group.windows(2)).for_each(|pair| join(pair[0], pair[1], &|_, _| true));
    }
    let pair = |a: usize, b: usize| (a.min(b), a.max(b));
    let in_conflict: HashSet<_> = conflicts.iter().copied().collect();
    let reuses = problem.reuses.iter();
    let is_reuse: HashSet<_> = reuses.map(|r| pair(r.operand, r.result)).collect();
    let may_join = |x, y| !in_conflict.contains(&pair(x, y)) || is_reuse.contains(&pair(x, y));
    for reuse in &problem.reuses {
        let (a, b) = (reuse.operand, reuse.result);
        // Without a conflict, the two need no order, whether their offsets are equal or not.
        if offset(a) == offset(b) && in_conflict.contains(&pair(a, b)) {
            join(a, b, &may_join);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_model::{BufferId, Interval, IntervalSet, Item, Point, StepId};

    fn item(index: usize, live: (usize, usize)) -> Item {
        let early = |step| Point::early(StepId::new(step));
        let live = IntervalSet::from_iter([Interval::new(early(live.0), early(live.1))]);
        let part = Part::whole(Bytes::new(1), live);
        Item::new(
            BufferId::new(index),
            Bytes::new(1),
            Bytes::new(64),
            vec![part],
        )
    }

    fn times(n: u64) -> Size {
        Size::unknown(0).times(&Size::constant(n)).unwrap()
    }

    #[test]
    fn optimal_plans_stay_optimal_for_proportional_sizes() {
        let lives = [(0, 2), (1, 4), (2, 3), (3, 5), (4, 6), (5, 6)];
        let items = lives.iter().enumerate().map(|(i, live)| item(i, *live));
        let problem = Problem::of_items(items.collect());
        let sizes = [2048, 2048, 1024, 2048, 1024, 4096].map(times);
        let planned = plan_sizes(&problem, &sizes, Strategy::Auto, &PlanOptions::default());
        let planned = planned.expect("a plan");
        assert_eq!(planned.worst_ratio, 1.0);
        for n in [0, 1, 2, 3, 1000] {
            let problem = resized(&problem, &sizes, n).unwrap();
            let (_, peak) = planned.relative.offsets(&problem).unwrap();
            assert_eq!(Some(peak), bound::lower_bound(&problem));
        }
    }

    #[test]
    fn an_operand_is_taken_over_whatever_the_sizes_are() {
        let mut problem = Problem::of_items(vec![item(0, (0, 3)), item(1, (2, 5))]);
        problem.reuses = vec![mem_model::Reuse {
            operand: 0,
            result: 1,
        }];
        let peaks = |sizes: [Size; 2]| {
            let options = PlanOptions::default();
            let mut problem = problem.clone();
            for (item, size) in problem.items.iter_mut().zip(&sizes) {
                item.size = size.known().unwrap_or(item.size);
            }
            let planned = plan_sizes(&problem, &sizes, Strategy::Auto, &options).unwrap();
            [0, 1, 8].map(|n| {
                let problem = resized(&problem, &sizes, n).unwrap();
                planned.relative.offsets(&problem).unwrap().1.get()
            })
        };
        assert_eq!(peaks([times(64), times(64)]), [0, 64, 512]);
        assert_eq!(peaks([times(64), Size::constant(128)]), [128, 128, 512]);
    }
}

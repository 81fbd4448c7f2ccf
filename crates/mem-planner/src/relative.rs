//! Plans for sizes that are known only at run time.
//!
//! For some choices of the unknowns the problem is one of numbers, and any strategy solves it. Of such a plan only
//! this is kept: which of two items that conflict is above the other. Placed by that alone, each item as low as
//! those below it let it, nothing overlaps whatever the sizes are; and where all sizes grow alike, a plan that
//! is optimal once stays so. Each plan is tried with all choices, and the one that is never far from the lower bound
//! is taken.
//!
//! The order is one of the orientations of the conflict graph without cycles, and offsets are longest paths in it:
//! the interval colouring of Gallai, Hasse, Roy and Vitaver with weights.

use std::collections::HashSet;

use mem_model::{Bytes, Part, Plan, Problem, RelativePlan, Size};

use crate::decode::Decoder;
use crate::{PlanError, PlanOptions, Strategy, bound, plan};

/// What the unknowns are tried with: alone, a few, many.
const CHOICES: [u64; 3] = [1, 8, 128];

/// A plan for whatever sizes there will be.
#[derive(Clone, Debug)]
pub struct SizedPlan {
    /// Which items are above which.
    pub relative: RelativePlan,
    /// The plan that comes of it, and the problem it answers, where every unknown is 1; without capacity.
    pub example: (Problem, Plan),
    /// How far above the lower bound its peak is at most, of what was tried: 1 is optimal there.
    pub worst_ratio: f64,
}

/// Plans items of which some have sizes known only at run time, as `sizes` says of each item. Those items have one
/// lifetime, for all their bytes.
///
/// A few times the cost of [`plan`](plan()), and O(conflicts) pairs are looked at.
///
/// # Errors
/// As for [`plan`](plan()), if every unknown is 1; there is no capacity.
///
/// # Panics
/// If there are not as many sizes as items, if an item is fixed, or if addresses are reserved: those are numbers, and
/// nobody knows yet what else will be there.
pub fn plan_sizes(
    problem: &Problem,
    sizes: &[Size],
    strategy: Strategy,
    options: &PlanOptions,
) -> Result<SizedPlan, PlanError> {
    assert_eq!(sizes.len(), problem.items.len(), "one size an item");
    let is_free = problem.items.iter().all(|item| item.fixed.is_none());
    assert!(is_free && problem.reserved.is_empty(), "no addresses yet");
    let choices = CHOICES.iter().filter_map(|value| {
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
            Err(error) if index == 0 => return Err(error),
            Err(_) => continue,
        };
        let relative = relative(problem, &found);
        let Some(mut plan) = relative.plan(first, &found.strategy) else {
            continue;
        };
        (plan.lower_bound, plan.proven_bound) = (*first_bound, *first_bound);
        let ratios = choices.iter().map(|(problem, bound)| {
            let peak = relative.offsets(problem).map(|(_, peak)| peak);
            peak.map_or(f64::INFINITY, |peak| ratio(peak, *bound))
        });
        let worst_ratio = ratios.fold(1.0, f64::max);
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

#[expect(clippy::cast_precision_loss, reason = "a ratio for comparison")]
fn ratio(peak: Bytes, bound: Bytes) -> f64 {
    match bound.get() {
        0 => 1.0,
        bound => peak.get() as f64 / bound as f64,
    }
}

/// The problem where every unknown is `value`; `None` if a size does not fit 64 bits.
fn resized(problem: &Problem, sizes: &[Size], value: u64) -> Option<Problem> {
    let mut problem = problem.clone();
    problem.capacity = None;
    for (item, size) in problem.items.iter_mut().zip(sizes) {
        if size.known().is_none() {
            item.size = size.at(value).filter(|size| *size <= crate::MAX_BYTES)?;
            item.parts = vec![Part::whole(item.size, item.live())];
        }
    }
    Some(problem)
}

/// Who is above whom in a plan.
fn relative(problem: &Problem, plan: &Plan) -> RelativePlan {
    let n_items = problem.items.len();
    let offset = |item: usize| plan.placements[item].offset;
    let pairs = conflicts(problem);
    let place = places(problem, &pairs, offset);
    let mut order: Vec<usize> = (0..n_items).filter(|item| place[*item] == *item).collect();
    order.sort_by_key(|item| (offset(*item), *item));
    let mut rank = vec![0; n_items];
    for (position, item) in order.iter().enumerate() {
        rank[*item] = position;
    }
    // By rank: the ranks of all that are below, ascending.
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (a, b) in pairs {
        let (a, b) = (rank[place[a]], rank[place[b]]);
        if a != b {
            below[a.max(b)].push(a.min(b));
        }
    }
    for ranks in &mut below {
        ranks.sort_unstable();
        ranks.dedup();
    }
    let mut above = vec![Vec::new(); n_items];
    for (position, ranks) in below.iter().enumerate() {
        // The highest first: what they are above need not be mentioned.
        let mut direct: Vec<usize> = Vec::new();
        for rank in ranks.iter().rev() {
            let is_implied = |other: &usize| below[*other].binary_search(rank).is_ok();
            if !direct.iter().any(is_implied) {
                direct.push(*rank);
            }
        }
        above[order[position]] = direct.into_iter().rev().map(|rank| order[rank]).collect();
    }
    RelativePlan {
        order,
        place,
        above,
    }
}

/// Pairs that may not share bytes, reuse aside; the smaller index first. O(n log n) and the pairs whose lives,
/// gaps counted, overlap.
fn conflicts(problem: &Problem) -> Vec<(usize, usize)> {
    let alignments: Vec<Bytes> = problem.items.iter().map(|item| item.alignment).collect();
    let decoder = Decoder::new(problem, &alignments);
    let hull = |item: &u32| decoder.hull(*item);
    let mut by_start: Vec<u32> = decoder.free_items().collect();
    by_start.sort_by_key(|item| hull(item).start);
    let mut pairs = Vec::new();
    let mut active: Vec<u32> = Vec::new();
    for item in by_start {
        active.retain(|other| hull(other).end > hull(&item).start);
        let others = active
            .iter()
            .filter(|other| decoder.conflict(item, **other));
        pairs.extend(others.map(|other| (item.min(*other) as usize, item.max(*other) as usize)));
        active.push(item);
    }
    let is_live = |item: usize| !hull(&(item as u32)).is_empty();
    let explicit = problem.conflicts.iter().copied();
    pairs.extend(explicit.filter(|(a, b)| is_live(*a) && is_live(*b)));
    pairs
}

/// By item: itself, or the first of those that are one storage, or took over each other's bytes. What is in one
/// place conflicts with nothing else there, not even where its bytes just happen to be others.
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
    fn what_is_optimal_once_is_optimal_for_proportional_sizes() {
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

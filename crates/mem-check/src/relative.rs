//! Checks plans for sizes known only at run time, for all values of the sizes.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use mem_model::{Bytes, IntervalSet, Item, Point, Problem, RelativePlan};

use crate::packing::slot_of;
use crate::{CheckError, Violation};

/// Checks that `plan` solves `problem` whatever the sizes of its items are: of two conflicting
/// items, one is above the other. Conflicting items may share a place if they are aliases, or if
/// one takes over the bytes of the other.
///
/// O(n²) time for the pairs of n items, and n²/8 bytes.
///
/// # Errors
/// The violations, at most [`MAX_VIOLATIONS`](crate::MAX_VIOLATIONS).
pub fn check_relative_plan(problem: &Problem, plan: &RelativePlan) -> Result<(), CheckError> {
    let n_items = problem.items.len();
    let mut is_known = vec![false; n_items];
    // Indexed by item: all items below it, transitively.
    let mut below: Vec<FixedBitSet> = vec![FixedBitSet::with_capacity(n_items); n_items];
    let has_place = |item: usize| plan.place.get(item).is_some_and(|place| *place < n_items);
    let is_complete = plan.place.len() == n_items
        && plan.above.len() == n_items
        && (0..n_items)
            .all(|item| has_place(item) && plan.place[plan.place[item]] == plan.place[item]);
    if !is_complete {
        return CheckError::result(vec![Violation::Count {
            n_items,
            n_placements: plan.place.len(),
        }]);
    }
    let mut violations = Vec::new();
    for &item in &plan.order {
        if item >= n_items || is_known[item] {
            return CheckError::result(vec![Violation::Order]);
        }
        let mut all = FixedBitSet::with_capacity(n_items);
        for &other in &plan.above[item] {
            // Offsets are computed in this order, so the items below must come first.
            if other >= n_items || !is_known[other] || plan.place[other] != other {
                return CheckError::result(vec![Violation::Order]);
            }
            all.insert(other);
            all.union_with(&below[other]);
        }
        below[item] = all;
        is_known[item] = true;
    }
    if (0..n_items).any(|item| !is_known[plan.place[item]]) {
        return CheckError::result(vec![Violation::Order]);
    }
    let relations = Relations::new(problem);
    for second in 0..n_items {
        for first in 0..second {
            let (a, b) = (plan.place[first], plan.place[second]);
            let is_ordered = match a == b {
                true => relations.may_share.contains(&(first, second)),
                false => below[a].contains(b) || below[b].contains(a),
            };
            if !is_ordered && relations.conflict(first, second) {
                let [first, second] = [first, second].map(|item| slot_of(&problem.items[item]));
                violations.push(Violation::Unordered { first, second });
            }
        }
    }
    CheckError::result(violations)
}

/// Relations between items. Pairs have the smaller index first.
struct Relations {
    /// Indexed by item: its lifetime; empty if the item has no bytes.
    live: Vec<IntervalSet<Point>>,
    explicit: HashSet<(usize, usize)>,
    /// Pairs that may share a place although they conflict.
    may_share: HashSet<(usize, usize)>,
}

impl Relations {
    fn new(problem: &Problem) -> Self {
        let pair = |a: usize, b: usize| (a.min(b), a.max(b));
        let live = |item: &Item| match item.size {
            Bytes::ZERO => IntervalSet::new(),
            _ => item.live(),
        };
        let reuses = problem.reuses.iter();
        let mut may_share: HashSet<_> = reuses.map(|r| pair(r.operand, r.result)).collect();
        for group in &problem.aliases {
            for (index, a) in group.iter().enumerate() {
                may_share.extend(group[..index].iter().map(|b| pair(*a, *b)));
            }
        }
        let explicit = problem.conflicts.iter();
        Self {
            live: problem.items.iter().map(live).collect(),
            explicit: explicit.map(|&(a, b)| pair(a, b)).collect(),
            may_share,
        }
    }

    /// Whether two items may be live at the same time.
    fn conflict(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.live[a], &self.live[b]);
        let is_explicit = self.explicit.contains(&(a, b));
        x.overlaps(y) || is_explicit && !x.is_empty() && !y.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use mem_model::{BufferId, Interval, Part, StepId};

    use super::*;

    fn item(index: usize, live: (usize, usize)) -> Item {
        let early = |step| Point::early(StepId::new(step));
        let live = IntervalSet::from_iter([Interval::new(early(live.0), early(live.1))]);
        let (one, part) = (Bytes::new(1), Part::whole(Bytes::new(1), live));
        Item::new(BufferId::new(index), one, one, vec![part])
    }

    /// Three items; each is live at the same time as the next.
    fn problem() -> Problem {
        Problem::of_items(vec![item(0, (0, 2)), item(1, (1, 4)), item(2, (3, 5))])
    }

    fn plan(place: [usize; 3], above: [&[usize]; 3]) -> RelativePlan {
        RelativePlan {
            order: (0..3).filter(|item| place[*item] == *item).collect(),
            place: place.to_vec(),
            above: above.map(<[usize]>::to_vec).to_vec(),
        }
    }

    #[test]
    fn of_two_that_conflict_one_is_above_the_other() {
        let check = |plan: RelativePlan| check_relative_plan(&problem(), &plan);
        assert_eq!(check(plan([0, 1, 2], [&[], &[0], &[1]])), Ok(()));
        assert_eq!(check(plan([0, 1, 0], [&[], &[0], &[]])), Ok(()));
        let wrong = check(plan([0, 1, 2], [&[], &[0], &[0]])).expect_err("1 and 2");
        assert_eq!(
            wrong.to_string(),
            "b1 and b2 conflict, and neither is above the other"
        );
        let wrong = check(plan([0, 0, 2], [&[], &[], &[0]])).expect_err("0 and 1");
        assert_eq!(wrong.violations.len(), 1);
    }

    #[test]
    fn offsets_can_be_computed_in_order() {
        let mut backwards = plan([0, 1, 2], [&[], &[0], &[1]]);
        backwards.order.reverse();
        let check = |plan: &RelativePlan| check_relative_plan(&problem(), plan);
        assert!(check(&backwards).is_err());
        backwards.order = vec![0, 1];
        assert!(check(&backwards).is_err());
        let mut short = plan([0, 1, 2], [&[], &[0], &[1]]);
        short.place.pop();
        assert!(check(&short).is_err());
    }

    #[test]
    fn bytes_that_are_taken_over_may_coincide() {
        let mut problem = problem();
        problem.reuses = vec![mem_model::Reuse {
            operand: 0,
            result: 1,
        }];
        let plan = plan([0, 0, 2], [&[], &[], &[0]]);
        assert_eq!(check_relative_plan(&problem, &plan), Ok(()));
        problem.reuses.clear();
        assert!(check_relative_plan(&problem, &plan).is_err());
        problem.aliases = vec![vec![0, 1]];
        assert_eq!(check_relative_plan(&problem, &plan), Ok(()));
    }

    #[test]
    fn explicit_conflicts_count() {
        let mut problem = problem();
        let plan = plan([0, 1, 0], [&[], &[0], &[]]);
        problem.conflicts = vec![(2, 0)];
        assert!(check_relative_plan(&problem, &plan).is_err());
    }
}

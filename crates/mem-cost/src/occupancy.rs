//! Occupancy of a level at each step of a plan.
//!
//! # Definitions
//!
//! A placement *holds* its bytes of a level during its steps. All figures refer to the arena of the
//! level; tensors at home have memory of their own outside the arena.
//!
//! * The *occupancy* of a step is the number of distinct addresses that placements hold during it.
//!   A result in the place of an operand occupies the addresses of both once.
//! * The *lower bound* of a step is the sum of the sizes of the placements that hold bytes during
//!   it, minus the bytes that results of the step may share with operands that die there: each
//!   operand shares with at most one result, and at most the size of the smaller of the two. It is
//!   a lower bound on the peak of every plan with the same residence (which tensors are in the
//!   level during which steps) and the same transfers, whatever its addresses are. A plan that
//!   moves tensors to another level may need less.
//! * The *peak* is the highest address in use at any time, including copies after the last step.
//!
//! At each step the lower bound is at most the occupancy, and the occupancy is at most the peak.
//!
//! # Complexity
//!
//! O(p log p) for p placements in the level, plus the number of accesses.

use mem_model::{Bytes, Interval, LevelId, LevelPlan, LevelProblem, PlacementId};

/// Occupancy of one level, indexed by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of distinct bytes held.
    pub held: Vec<Bytes>,
    /// Lower bound on the bytes held, for any addresses of the same placements.
    pub lower_bound: Vec<Bytes>,
}

impl Occupancy {
    /// Computes the occupancy of a level under a plan.
    #[must_use]
    pub fn new(problem: &LevelProblem, plan: &LevelPlan, level: LevelId) -> Self {
        let own = placed(problem, plan, level);
        Self {
            held: held(problem.steps.len(), &own),
            lower_bound: lower_bound(problem, plan, level, &own),
        }
    }

    /// Returns the first step at which the most bytes are held, and their number; `None` if no step
    /// holds any.
    #[must_use]
    pub fn fullest(&self) -> Option<(usize, Bytes)> {
        let steps = self.held.iter().copied().enumerate();
        let most = steps.max_by_key(|(step, bytes)| (*bytes, usize::MAX - step))?;
        (most.1 > Bytes::ZERO).then_some(most)
    }

    /// Returns the largest lower bound of all steps.
    #[must_use]
    pub fn largest_lower_bound(&self) -> Bytes {
        self.lower_bound.iter().copied().max().unwrap_or_default()
    }
}

/// Addresses held for some steps.
struct Placed {
    addresses: Interval<u64>,
    steps: Interval<usize>,
}

/// Returns the placements of a level that have an address and bytes.
fn placed(problem: &LevelProblem, plan: &LevelPlan, level: LevelId) -> Vec<Placed> {
    let own = plan.placements.iter().filter(|own| own.level == level);
    let placed = own.filter_map(|own| {
        let start = own.offset?.get();
        let end = start.saturating_add(problem.tensors[own.tensor.index()].size.get());
        Some(Placed {
            addresses: Interval::new(start, end),
            steps: own.steps,
        })
    });
    placed
        .filter(|own| own.addresses.start < own.addresses.end)
        .collect()
}

/// Per step: the size of the union of all held addresses.
fn held(n_steps: usize, placed: &[Placed]) -> Vec<Bytes> {
    // (step, begins, placement): a placement begins or ends just before the step.
    let mut changes: Vec<(usize, bool, usize)> = Vec::with_capacity(2 * placed.len());
    for (index, own) in placed.iter().enumerate() {
        if own.steps.start < own.steps.end {
            changes.push((own.steps.start, true, index));
            changes.push((own.steps.end, false, index));
        }
    }
    changes.sort_unstable();
    let mut cover = Cover::new(placed);
    let mut changes = changes.into_iter().peekable();
    let of_step = |step: usize| {
        while let Some((_, begins, index)) = changes.next_if(|(at, ..)| *at <= step) {
            cover.change(placed[index].addresses, begins);
        }
        Bytes::new(cover.size())
    };
    (0..n_steps).map(of_step).collect()
}

/// Per step: the sum of sizes minus the bytes that results may share with operands.
fn lower_bound(
    problem: &LevelProblem,
    plan: &LevelPlan,
    level: LevelId,
    placed: &[Placed],
) -> Vec<Bytes> {
    let n_steps = problem.steps.len();
    let mut changes = vec![0_i128; n_steps + 1];
    for own in placed {
        let size = i128::from(own.addresses.end - own.addresses.start);
        changes[own.steps.start.min(n_steps)] += size;
        changes[own.steps.end.min(n_steps)] -= size;
    }
    let mut sum = 0_i128;
    let of_step = |step: usize| {
        sum += changes[step];
        let shared = i128::from(shared(problem, plan, level, step));
        Bytes::new(u64::try_from(sum - shared).unwrap_or(u64::MAX))
    };
    (0..n_steps).map(of_step).collect()
}

/// Returns the maximum number of bytes that results of a step can share with its operands.
fn shared(problem: &LevelProblem, plan: &LevelPlan, level: LevelId, step: usize) -> u64 {
    let mut by_operand: Vec<(PlacementId, u64)> = Vec::new();
    for (operand, result) in taken_over(problem, plan, step) {
        let [from, to] = [operand, result].map(|id| &plan.placements[id.index()]);
        if from.level != level || to.level != level {
            continue;
        }
        let [theirs, own] = [from, to].map(|own| problem.tensors[own.tensor.index()].size.get());
        let both = theirs.min(own);
        match by_operand.iter_mut().find(|(known, _)| *known == operand) {
            Some((_, most)) => *most = both.max(*most),
            None => by_operand.push((operand, both)),
        }
    }
    by_operand.iter().map(|(_, bytes)| bytes).sum()
}

/// Returns the pairs of an operand's placement that ends with a step, and a result's placement that
/// begins with the step and may be in the operand's place.
pub(crate) fn taken_over<'a>(
    problem: &'a LevelProblem,
    plan: &'a LevelPlan,
    step: usize,
) -> impl Iterator<Item = (PlacementId, PlacementId)> + 'a {
    let uses = problem.steps[step].uses.iter().zip(&plan.accessed[step]);
    uses.filter_map(move |(used, result)| {
        let operand = *plan.accessed[step].get(used.takes_over?)?;
        let [from, to] = [operand, *result].map(|id| &plan.placements[id.index()]);
        let is_placed = from.offset.is_some() && to.offset.is_some() && from.level == to.level;
        let is_over = from.steps.end == step + 1 && to.steps.start == step;
        (is_placed && is_over && operand != *result).then_some((operand, *result))
    })
}

/// A set of addresses under insertion and removal of intervals: a segment tree over their ends.
/// Each node counts the intervals that cover the node but not its parent, and stores how many of
/// its addresses are covered.
struct Cover {
    /// Ends of intervals, ascending; leaf `i` holds the addresses `[ends[i], ends[i + 1])`.
    ends: Vec<u64>,
    counts: Vec<u32>,
    covered: Vec<u64>,
}

impl Cover {
    fn new(placed: &[Placed]) -> Self {
        let ends = placed
            .iter()
            .flat_map(|own| [own.addresses.start, own.addresses.end]);
        let mut ends: Vec<u64> = ends.collect();
        ends.sort_unstable();
        ends.dedup();
        let n_nodes = 4 * ends.len().max(1);
        Self {
            ends,
            counts: vec![0; n_nodes],
            covered: vec![0; n_nodes],
        }
    }

    fn size(&self) -> u64 {
        self.covered[0]
    }

    fn change(&mut self, addresses: Interval<u64>, insert: bool) {
        let leaf = |address: u64| self.ends.partition_point(|end| *end < address);
        let leaves = Interval::new(leaf(addresses.start), leaf(addresses.end));
        self.visit(0, Interval::new(0, self.ends.len() - 1), leaves, insert);
    }

    fn visit(&mut self, node: usize, own: Interval<usize>, leaves: Interval<usize>, insert: bool) {
        if !own.overlaps(leaves) {
            return;
        }
        let children = [2 * node + 1, 2 * node + 2];
        if leaves.covers(own) {
            match insert {
                true => self.counts[node] += 1,
                false => self.counts[node] -= 1,
            }
        } else {
            let middle = own.start.midpoint(own.end);
            self.visit(
                children[0],
                Interval::new(own.start, middle),
                leaves,
                insert,
            );
            self.visit(children[1], Interval::new(middle, own.end), leaves, insert);
        }
        self.covered[node] = match (self.counts[node], own.end - own.start) {
            (1.., _) => self.ends[own.end] - self.ends[own.start],
            (0, 1) => 0,
            (0, _) => children.iter().map(|child| self.covered[*child]).sum(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Cover, Interval, Placed, held};

    fn placed(addresses: (u64, u64), steps: (usize, usize)) -> Placed {
        Placed {
            addresses: Interval::new(addresses.0, addresses.1),
            steps: Interval::new(steps.0, steps.1),
        }
    }

    #[test]
    fn common_addresses_count_once() {
        let placed = [
            placed((0, 64), (0, 2)),
            placed((0, 64), (1, 3)),
            placed((32, 128), (1, 2)),
            placed((200, 300), (2, 9)),
        ];
        let bytes: Vec<u64> = held(4, &placed).iter().map(|own| own.get()).collect();
        assert_eq!(bytes, [64, 128, 164, 100]);
    }

    #[test]
    fn a_cover_is_the_union_of_its_intervals() {
        // A few hundred changes of overlapping intervals, checked by counting addresses.
        let own = |n: u64| {
            let start = n * 37 % 101;
            placed((start, start + 1 + n * 13 % 29), (0, 1))
        };
        let all: Vec<Placed> = (0..150).map(own).collect();
        let mut cover = Cover::new(&all);
        let mut counts = [0_u32; 200];
        let inserted = (0..150).map(|n| (n, true));
        let removed = (0..150).map(|n| (n * 7 % 150, false));
        for (index, insert) in inserted.chain(removed) {
            let addresses = all[index].addresses;
            cover.change(addresses, insert);
            for count in &mut counts[addresses.start as usize..addresses.end as usize] {
                *count = if insert { *count + 1 } else { *count - 1 };
            }
            let union = counts.iter().filter(|count| **count > 0).count();
            assert_eq!(cover.size(), union as u64);
        }
        assert_eq!(cover.size(), 0);
    }

    #[test]
    fn empty_placements_hold_nothing() {
        assert_eq!(held(2, &[]), [mem_model::Bytes::ZERO; 2]);
        let empty = [placed((0, 64), (1, 1))];
        assert_eq!(held(2, &empty), [mem_model::Bytes::ZERO; 2]);
    }
}

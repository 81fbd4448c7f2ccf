//! Lowers residences to a plan: placements, transfers in an executable order, and the placement
//! that each use accesses.

use std::collections::BTreeSet;

use mem_cost::serial_cost;
use mem_model::{
    Bytes, LevelId, LevelPlacement, LevelPlan, LevelProblem, PlacementId, TensorId, Transfer,
};

use super::residence::{Copying, Resident, Settled};

/// Marks the last transfer out of a dead placement as one that does not keep its source: a swap
/// rather than a store.
pub(super) fn take_along(plan: &mut LevelPlan) {
    // Backward, so that the first transfer seen from a placement is the last one out of it.
    let mut is_read_later = BTreeSet::new();
    for transfer in plan.transfers.iter_mut().rev() {
        let is_last = is_read_later.insert(transfer.from);
        let source = &plan.placements[transfer.from.index()];
        let is_over = source.offset.is_some() && source.steps.end <= transfer.before;
        transfer.keeps_source = !(is_last && is_over);
    }
}

/// Drops transfers into placements that are never accessed, and these placements. They cost time,
/// and while they are in flight, the bytes of their source cannot be reused. O(n).
pub(super) fn drop_unused(problem: &LevelProblem, mut plan: LevelPlan) -> LevelPlan {
    let is_home = |own: &LevelPlacement| own.offset.is_none();
    let mut is_used: Vec<bool> = plan.placements.iter().map(is_home).collect();
    for placement in plan.accessed.iter().flatten() {
        is_used[placement.index()] = true;
    }
    // Backward, since a placement is also used if it is copied to one that is.
    let mut kept: Vec<Transfer> = Vec::with_capacity(plan.transfers.len());
    for transfer in plan.transfers.iter().rev() {
        if is_used[transfer.to.index()] {
            is_used[transfer.from.index()] = true;
            kept.push(*transfer);
        }
    }
    if kept.len() == plan.transfers.len() {
        return plan;
    }
    kept.reverse();
    plan.transfers = kept;
    renumber(&mut plan, &is_used);
    plan.cost = serial_cost(problem, &plan);
    plan
}

/// Removes placements that are not used, and renumbers the others.
fn renumber(plan: &mut LevelPlan, is_used: &[bool]) {
    let mut numbers = Vec::with_capacity(is_used.len());
    let mut n_used = 0;
    for used in is_used {
        numbers.push(PlacementId::new(n_used));
        n_used += usize::from(*used);
    }
    let mut of_placement = is_used.iter();
    plan.placements
        .retain(|_| of_placement.next() == Some(&true));
    for placement in plan.accessed.iter_mut().flatten() {
        *placement = numbers[placement.index()];
    }
    for transfer in &mut plan.transfers {
        transfer.from = numbers[transfer.from.index()];
        transfer.to = numbers[transfer.to.index()];
    }
}

impl Resident<'_> {
    /// The plan; `None` if copies would have to wait for each other.
    pub(super) fn plan(&self) -> Option<LevelPlan> {
        let mut plan = LevelPlan::at_home(self.problem);
        let mut homes: Vec<Option<PlacementId>> = vec![None; self.problem.tensors.len()];
        for (placement, own) in plan.placements.iter().enumerate() {
            homes[own.tensor.index()] = Some(PlacementId::new(placement));
        }
        let mut accessed: Vec<Vec<(TensorId, PlacementId)>> =
            vec![Vec::new(); self.problem.steps.len()];
        let mut transfers: Vec<Transfer> = Vec::new();
        for (tensor, settled) in self.settled.iter().enumerate() {
            let Some(settled) = settled else { continue };
            let tensor = TensorId::new(tensor);
            let first = plan.placements.len();
            // A tensor without a home never refers to it.
            let home = homes[tensor.index()].unwrap_or(PlacementId::new(first));
            plan.placements.extend(self.placements(tensor, settled));
            let placement =
                |own: Option<usize>| own.map_or(home, |own| PlacementId::new(first + own));
            for (step, own) in &settled.accessed {
                accessed[*step].push((tensor, placement(*own)));
            }
            // `take_along` decides afterwards which transfers release their source.
            let transfer = |copy: &Copying| Transfer {
                before: copy.gap,
                from: placement(copy.from),
                to: placement(copy.to),
                keeps_source: true,
                until: copy.gap,
            };
            transfers.extend(settled.copies.iter().map(transfer));
        }
        plan.transfers = self.in_order(&plan, transfers)?;
        take_along(&mut plan);
        plan.accessed = self.by_use(accessed);
        plan.cost = serial_cost(self.problem, &plan);
        Some(plan)
    }

    /// The placements of a tensor, one for each residence, in order.
    fn placements(
        &self,
        tensor: TensorId,
        settled: &Settled,
    ) -> impl Iterator<Item = LevelPlacement> {
        let numbers = settled.residences.iter();
        let residences = numbers.filter_map(|number| self.space.residences[*number]);
        residences.map(move |residence| LevelPlacement {
            tensor,
            level: LevelId::new(residence.level),
            offset: Some(Bytes::new(residence.offset)),
            steps: residence.steps,
        })
    }

    /// Orders the accesses of each step, given as (tensor, placement), as its uses.
    fn by_use(&self, accessed: Vec<Vec<(TensorId, PlacementId)>>) -> Vec<Vec<PlacementId>> {
        let steps = self.problem.steps.iter().zip(accessed);
        let placements = steps.map(|(step, own)| {
            let find = |tensor: TensorId| own.iter().find(|(other, _)| *other == tensor);
            let uses = step.uses.iter();
            uses.map(|used| {
                find(used.tensor).map_or(PlacementId::new(0), |(_, placement)| *placement)
            })
            .collect()
        });
        placements.collect()
    }

    /// Orders transfers so that they can be executed: those of a tensor as given, and transfers out
    /// of bytes before those into them. Returns `None` if the order has a cycle.
    fn in_order(&self, plan: &LevelPlan, mut transfers: Vec<Transfer>) -> Option<Vec<Transfer>> {
        // Stable: the transfers of a tensor stay in the order of its walk.
        transfers.sort_by_key(|transfer| transfer.before);
        let mut ordered = Vec::with_capacity(transfers.len());
        // Only transfers in the same gap can get in each other's way.
        for together in transfers.chunk_by(|a, b| a.before == b.before) {
            let order = topological(together.len(), |first, second| {
                self.comes_first(plan, (&together[first], first), (&together[second], second))
            });
            ordered.extend(order?.into_iter().map(|index| together[index]));
        }
        Some(ordered)
    }

    /// Whether a transfer has to run before another one in the same gap. Each comes with its index,
    /// which is the order of the transfers of one tensor.
    fn comes_first(
        &self,
        plan: &LevelPlan,
        (a, first): (&Transfer, usize),
        (b, second): (&Transfer, usize),
    ) -> bool {
        let bytes = |placement: &LevelPlacement| {
            let start = placement.offset?.get();
            Some((
                start,
                start + self.problem.tensors[placement.tensor.index()].size.get(),
            ))
        };
        let (source, target) = (
            &plan.placements[a.from.index()],
            &plan.placements[b.to.index()],
        );
        if source.tensor == target.tensor {
            return first < second;
        }
        // The second one must not overwrite bytes that the first one still has to read.
        let (theirs, own) = (bytes(source), bytes(target));
        source.level == target.level && theirs.zip(own).is_some_and(|(x, y)| x.0 < y.1 && y.0 < x.1)
    }
}

/// Sorts `n` things topologically, the smallest first of those that are ready; `None` if there is a
/// cycle. O(n²).
fn topological(n: usize, comes_first: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut n_before = vec![0_usize; n];
    for (first, followers) in followers.iter_mut().enumerate() {
        for second in (0..n).filter(|second| *second != first) {
            if comes_first(first, second) {
                followers.push(second);
                n_before[second] += 1;
            }
        }
    }
    // An ordered set: with several indices ready, the order is still determined.
    let mut ready: BTreeSet<usize> = (0..n).filter(|index| n_before[*index] == 0).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for follower in &followers[next] {
            n_before[*follower] -= 1;
            if n_before[*follower] == 0 {
                ready.insert(*follower);
            }
        }
    }
    (order.len() == n).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_model::Interval;
    use mem_testkit::{Rng, random_level_problem};

    /// An unaccessed copy that is copied once more, before one that is accessed.
    #[test]
    fn unused_copies_are_dropped() {
        let mut problem = random_level_problem(&mut Rng::new(0), 4);
        problem.tensors.truncate(1);
        problem.tensors[0].home = Some(LevelId::new(0));
        let placement = |offset: Option<u64>| LevelPlacement {
            tensor: TensorId::new(0),
            level: LevelId::new(0),
            offset: offset.map(Bytes::new),
            steps: Interval::new(0, 2),
        };
        let transfer = |from, to| Transfer {
            before: 0,
            from: PlacementId::new(from),
            to: PlacementId::new(to),
            keeps_source: true,
            until: 0,
        };
        let plan = LevelPlan {
            placements: [None, Some(0), Some(64), Some(128)].map(placement).to_vec(),
            accessed: vec![Vec::new(), vec![PlacementId::new(3)]],
            transfers: vec![transfer(0, 1), transfer(1, 2), transfer(0, 3)],
            cost: 0,
        };
        problem.steps.clear();
        let plan = drop_unused(&problem, plan);
        assert_eq!(plan.placements, [None, Some(128)].map(placement));
        assert_eq!(plan.transfers, [transfer(0, 1)]);
        assert_eq!(plan.accessed, [Vec::new(), vec![PlacementId::new(1)]]);
    }
}

//! Lowers residences to a plan: placements, transfers in an executable order, and the placement
//! that each use accesses.

use std::collections::BTreeSet;

use mem_model::{Bytes, LevelId, LevelPlacement, LevelPlan, LevelProblem, Transfer, serial_cost};

use super::residence::Resident;

/// Marks the last transfer out of a dead placement as one that does not keep its source: a swap
/// rather than a store.
pub(super) fn take_along(plan: &mut LevelPlan) {
    let mut is_read_later = BTreeSet::new();
    for transfer in plan.transfers.iter_mut().rev() {
        let is_last = is_read_later.insert(transfer.from);
        let source = &plan.placements[transfer.from];
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
        is_used[*placement] = true;
    }
    let mut kept: Vec<Transfer> = Vec::with_capacity(plan.transfers.len());
    for transfer in plan.transfers.iter().rev() {
        if is_used[transfer.to] {
            is_used[transfer.from] = true;
            kept.push(*transfer);
        }
    }
    if kept.len() == plan.transfers.len() {
        return plan;
    }
    kept.reverse();
    let mut numbers = Vec::with_capacity(is_used.len());
    let mut n_used = 0;
    for used in &is_used {
        numbers.push(n_used);
        n_used += usize::from(*used);
    }
    let mut of_placement = is_used.iter();
    plan.placements
        .retain(|_| of_placement.next() == Some(&true));
    for placement in plan.accessed.iter_mut().flatten() {
        *placement = numbers[*placement];
    }
    for transfer in &mut kept {
        transfer.from = numbers[transfer.from];
        transfer.to = numbers[transfer.to];
    }
    plan.transfers = kept;
    plan.cost = serial_cost(problem, &plan);
    plan
}

impl Resident<'_> {
    /// The plan; `None` if copies would have to wait for each other.
    pub fn plan(&self) -> Option<LevelPlan> {
        let mut plan = LevelPlan::at_home(self.problem);
        let mut homes: Vec<Option<usize>> = vec![None; self.problem.tensors.len()];
        for (placement, own) in plan.placements.iter().enumerate() {
            homes[own.tensor] = Some(placement);
        }
        let mut accessed: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.problem.steps.len()];
        let mut transfers: Vec<Transfer> = Vec::new();
        for (tensor, settled) in self.settled.iter().enumerate() {
            let Some(settled) = settled else { continue };
            let first = plan.placements.len();
            let home = homes[tensor].unwrap_or(first);
            for number in &settled.residences {
                let Some(residence) = self.space.residences[*number] else {
                    continue;
                };
                plan.placements.push(LevelPlacement {
                    tensor,
                    level: LevelId::new(residence.level),
                    offset: Some(Bytes::new(residence.offset)),
                    steps: residence.steps,
                });
            }
            let placement = |own: Option<usize>| own.map_or(home, |own| first + own);
            for (step, own) in &settled.accessed {
                accessed[*step].push((tensor, placement(*own)));
            }
            for copy in &settled.copies {
                let (from, to) = (placement(copy.from), placement(copy.to));
                transfers.push(Transfer {
                    before: copy.gap,
                    from,
                    to,
                    keeps_source: true,
                    until: copy.gap,
                });
            }
        }
        plan.transfers = self.in_order(&plan, transfers)?;
        take_along(&mut plan);
        for (step, own) in accessed.into_iter().enumerate() {
            let uses = self.problem.steps[step].uses.iter();
            let find = |tensor: usize| own.iter().find(|(other, _)| *other == tensor);
            let placements =
                uses.map(|used| find(used.tensor).map_or(0, |(_, placement)| *placement));
            plan.accessed.push(placements.collect());
        }
        plan.cost = serial_cost(self.problem, &plan);
        Some(plan)
    }

    /// Orders transfers so that they can be executed: those of a tensor as given, and transfers out
    /// of bytes before those into them. Returns `None` if the order has a cycle.
    fn in_order(&self, plan: &LevelPlan, mut transfers: Vec<Transfer>) -> Option<Vec<Transfer>> {
        transfers.sort_by_key(|transfer| transfer.before);
        let bytes = |placement: &LevelPlacement| {
            let start = placement.offset?.get();
            Some((
                start,
                start + self.problem.tensors[placement.tensor].size.get(),
            ))
        };
        let comes_first = |(a, first): (&Transfer, usize), (b, second): (&Transfer, usize)| {
            let (source, target) = (&plan.placements[a.from], &plan.placements[b.to]);
            if source.tensor == target.tensor {
                return first < second;
            }
            let (theirs, own) = (bytes(source), bytes(target));
            source.level == target.level
                && theirs.zip(own).is_some_and(|(x, y)| x.0 < y.1 && y.0 < x.1)
        };
        let mut ordered = Vec::with_capacity(transfers.len());
        for together in transfers.chunk_by(|a, b| a.before == b.before) {
            let n = together.len();
            let mut followers: Vec<Vec<usize>> = vec![Vec::new(); n];
            let mut n_before = vec![0_usize; n];
            for first in 0..n {
                for second in (0..n).filter(|second| *second != first) {
                    if comes_first((&together[first], first), (&together[second], second)) {
                        followers[first].push(second);
                        n_before[second] += 1;
                    }
                }
            }
            let mut ready: BTreeSet<usize> = (0..n).filter(|index| n_before[*index] == 0).collect();
            let done = ordered.len();
            while let Some(next) = ready.pop_first() {
                ordered.push(together[next]);
                for follower in &followers[next] {
                    n_before[*follower] -= 1;
                    if n_before[*follower] == 0 {
                        ready.insert(*follower);
                    }
                }
            }
            if ordered.len() < done + n {
                return None;
            }
        }
        Some(ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_model::Interval;
    use mem_testkit::{Rng, random_level_problem};

    /// An unaccessed copy that is copied once more, before one that is accessed.
    #[test]
    fn copies_that_nobody_accesses_are_dropped() {
        let mut problem = random_level_problem(&mut Rng::new(0), 4);
        problem.tensors.truncate(1);
        problem.tensors[0].home = Some(LevelId::new(0));
        let placement = |offset: Option<u64>| LevelPlacement {
            tensor: 0,
            level: LevelId::new(0),
            offset: offset.map(Bytes::new),
            steps: Interval::new(0, 2),
        };
        let transfer = |from, to| Transfer {
            before: 0,
            from,
            to,
            keeps_source: true,
            until: 0,
        };
        let plan = LevelPlan {
            placements: [None, Some(0), Some(64), Some(128)].map(placement).to_vec(),
            accessed: vec![Vec::new(), vec![3]],
            transfers: vec![transfer(0, 1), transfer(1, 2), transfer(0, 3)],
            cost: 0,
        };
        problem.steps.clear();
        let plan = drop_unused(&problem, plan);
        assert_eq!(plan.placements, [None, Some(128)].map(placement));
        assert_eq!(plan.transfers, [transfer(0, 1)]);
        assert_eq!(plan.accessed, [Vec::new(), vec![1]]);
    }
}

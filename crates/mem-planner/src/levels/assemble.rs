//! From residences to a plan: placements, copies in an order in which they can be made, and what each step accesses.

use std::collections::BTreeSet;

use mem_model::{Bytes, LevelId, LevelPlacement, LevelPlan, Transfer, serial_cost};

use super::residence::Resident;

/// The last copy of what is over takes it along: a swap, and no store.
pub(super) fn take_along(plan: &mut LevelPlan) {
    let mut is_read_later = BTreeSet::new();
    for transfer in plan.transfers.iter_mut().rev() {
        let is_last = is_read_later.insert(transfer.from);
        let source = &plan.placements[transfer.from];
        let is_over = source.offset.is_some() && source.steps.end <= transfer.before;
        transfer.keeps_source = !(is_last && is_over);
    }
}

impl Resident<'_> {
    /// The plan; none if copies would have to wait for each other.
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

    /// Copies in an order in which they can be made: those of a tensor as they are, and out of bytes before others into them.
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

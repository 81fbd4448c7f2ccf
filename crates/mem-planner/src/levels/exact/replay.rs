//! The plan that a sequence of transitions of the search makes.

use super::{Action, Search, Spot, State};
use crate::levels::assemble::take_along;
use mem_cost::serial_cost;
use mem_model::{
    Bytes, Interval, LevelId, LevelPlacement, LevelPlan, PlacementId, TensorId, Transfer,
};

/// A plan under construction from a sequence of actions.
pub(super) struct Replay<'a> {
    search: &'a Search<'a>,
    plan: LevelPlan,
    /// Indexed by tensor and level: the open placement.
    open: Vec<Option<PlacementId>>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(search: &'a Search) -> Self {
        let n_slots = search.problem.tensors.len() * search.n_levels;
        let plan = LevelPlan::at_home(search.problem);
        let mut open = vec![None; n_slots];
        for (placement, own) in plan.placements.iter().enumerate() {
            open[search.slot(own.tensor, own.level.index())] = Some(PlacementId::new(placement));
        }
        Self { search, plan, open }
    }

    /// Opens a placement at an address from a step on.
    fn add(&mut self, slot: usize, address: u64, step: usize) {
        self.open[slot] = Some(PlacementId::new(self.plan.placements.len()));
        self.plan.placements.push(LevelPlacement {
            tensor: TensorId::new(slot / self.search.n_levels),
            level: LevelId::new(slot % self.search.n_levels),
            offset: Some(Bytes::new(address)),
            steps: Interval::new(step, self.search.problem.steps.len() + 1),
        });
    }

    /// Ends the placement in a slot, unless it is a home.
    fn close(&mut self, slot: usize, step: usize) {
        let known =
            self.open[slot].filter(|known| self.plan.placements[known.index()].offset.is_some());
        if let Some(known) = known {
            self.plan.placements[known.index()].steps.end = step;
            self.open[slot] = None;
        }
    }

    pub(super) fn play(&mut self, step: usize, action: &Action, after: &State) {
        match action {
            Action::Forget => self.close_all(after, step),
            Action::Copy { tensor, from, to } => self.copy(step, (*tensor, *from, *to), after),
            Action::Run(operands) => {
                self.access(step, operands);
                // What the step made stale still exists while it runs.
                self.close_all(after, step + 1);
            }
        }
    }

    /// Ends the placements of all copies that a state no longer has.
    fn close_all(&mut self, after: &State, step: usize) {
        for slot in (0..after.len()).filter(|slot| after[*slot] == Spot::Nowhere) {
            self.close(slot, step);
        }
    }

    fn copy(&mut self, step: usize, (tensor, from, to): (TensorId, usize, usize), after: &State) {
        let [from, to] = [from, to].map(|level| self.search.slot(tensor, level));
        // Read first: within one level, the target replaces the source.
        let source = self.open[from];
        self.close(to, step);
        if let Spot::At(address) = after[to] {
            self.add(to, address, step);
        }
        if let (Some(from), Some(to)) = (source, self.open[to]) {
            self.plan.transfers.push(Transfer {
                before: step,
                from,
                to,
                keeps_source: true,
                until: step,
            });
        }
    }

    /// Records the placements that a step accesses, and opens those of new tensors.
    fn access(&mut self, step: usize, operands: &[(usize, Spot)]) {
        let uses = self.search.problem.steps[step].uses.iter().zip(operands);
        let mut accessed = Vec::new();
        for (used, (level, spot)) in uses {
            let slot = self.search.slot(used.tensor, *level);
            if let (None, Spot::At(address)) = (self.open[slot], spot) {
                self.add(slot, *address, step);
            }
            accessed.extend(self.open[slot]);
        }
        self.plan.accessed.push(accessed);
    }

    pub(super) fn finish(mut self) -> LevelPlan {
        take_along(&mut self.plan);
        self.plan.cost = serial_cost(self.search.problem, &self.plan);
        self.plan
    }
}

//! Converts the outcome of a search to the answer: a plan, or the memory map of the failure.

use mem_model::{Bytes, Item, Placement, Plan, Point, Problem, StepId};

use super::bound::Pressure;
use super::limits::Limits;
use super::measure::end_of;
use super::search::Outcome;
use super::{NoFit, Occupant, PlanError, exact};
use crate::MAX_BYTES;

/// Builds the plan from an outcome, and checks it against the capacity.
///
/// # Errors
/// If the peak exceeds the capacity or [`MAX_BYTES`].
pub(super) fn finish(
    problem: &Problem,
    alignments: &[Bytes],
    outcome: Outcome,
    pressure: &Pressure,
    limits: &mut Limits<'_>,
) -> Result<Plan, PlanError> {
    if outcome.peak > MAX_BYTES {
        return Err(PlanError::Overflow);
    }
    let plan = plan_of(problem, outcome, pressure);
    match problem.capacity.filter(|capacity| plan.peak > *capacity) {
        None => Ok(plan),
        Some(capacity) => {
            // The items to blame cost a search of their own, which only a failure is worth.
            let bound = plan.proven_bound;
            let blamed = exact::blame(problem, alignments, capacity, pressure, bound, limits);
            let failure = Failure::new(problem, plan, capacity, pressure);
            Err(failure.into_error(blamed.as_deref()))
        }
    }
}

fn plan_of(problem: &Problem, outcome: Outcome, pressure: &Pressure) -> Plan {
    let placement = |(item, offset): (&Item, Bytes)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset,
    };
    let items = problem.items.iter();
    Plan {
        strategy: outcome.strategy.name().to_owned(),
        placements: items.zip(outcome.offsets).map(placement).collect(),
        peak: outcome.peak,
        lower_bound: pressure.bytes,
        proven_bound: outcome.bound,
    }
}

/// A plan that exceeds the capacity, and where it does.
struct Failure<'a> {
    problem: &'a Problem,
    plan: Plan,
    capacity: Bytes,
    pressure: &'a Pressure,
    /// The item with the highest end.
    highest: Option<usize>,
    /// Point to report.
    point: Point,
}

impl<'a> Failure<'a> {
    fn new(problem: &'a Problem, plan: Plan, capacity: Bytes, pressure: &'a Pressure) -> Self {
        let items = problem.items.iter().zip(&plan.placements);
        let ends = items.map(|(item, placement)| end_of(item, placement.offset));
        let highest = ends.enumerate().max_by_key(|(_, end)| *end);
        let highest = highest.map(|(index, _)| index);
        let start_of = |index: usize| problem.items[index].hull().map(|hull| hull.start);
        // If the live bytes fit, the packing fails: report the item with the highest end.
        let point = match pressure.bytes > capacity {
            true => pressure.point,
            false => highest.and_then(start_of),
        };
        Self {
            problem,
            plan,
            capacity,
            pressure,
            highest,
            point: point.unwrap_or(Point::early(StepId::new(0))),
        }
    }

    /// Whether the bytes live at one point alone exceed the capacity.
    fn is_live_sum(&self) -> bool {
        self.pressure.bytes > self.capacity
    }

    /// Bytes to report as needed. A proven number comes first: the peak is only what this plan
    /// needs, and another strategy may need less.
    fn needed(&self) -> Bytes {
        let bound = self.plan.proven_bound;
        match (self.is_live_sum(), bound > self.capacity) {
            (true, _) => self.pressure.bytes,
            (false, true) => bound,
            (false, false) => self.plan.peak,
        }
    }

    /// The memory map, in ascending order of offset: the items that provably do not fit together,
    /// if known; otherwise the items live at the reported point, and the item with the highest end
    /// unless the live bytes explain the failure.
    fn occupants(&self, blamed: Option<&[usize]>) -> Vec<Occupant> {
        let items = &self.problem.items;
        let is_shown = |index: &usize| match blamed {
            Some(blamed) => blamed.contains(index),
            None => {
                let is_highest = Some(*index) == self.highest && !self.is_live_sum();
                is_highest || items[*index].live().contains(self.point)
            }
        };
        let occupant =
            |index: usize| Occupant::of(&items[index], self.plan.placements[index].offset);
        let mut live: Vec<Occupant> = (0..items.len()).filter(is_shown).map(occupant).collect();
        live.sort_by_key(|occupant| (occupant.offset, occupant.buffer, occupant.slot));
        live
    }

    fn into_error(self, blamed: Option<&[usize]>) -> PlanError {
        let live = self.occupants(blamed);
        let needed = self.needed();
        PlanError::NoFit(Box::new(NoFit {
            capacity: self.capacity,
            needed,
            missing: needed.checked_sub(self.capacity).unwrap_or_default(),
            is_proven: self.plan.proven_bound > self.capacity,
            is_live_sum: self.is_live_sum(),
            point: self.point,
            live,
            plan: self.plan,
        }))
    }
}

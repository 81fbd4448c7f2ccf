//! Introduces one error into an order, so that tests can show that the check finds it.

use mem_model::{Bytes, StepId};
use mem_planner::OrderPlan;

use crate::extract::order::{OrderBlock, Reason};
use crate::framework::{Failed, kind_of_error};
use crate::ir::Op;

/// An error to be introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sabotage {
    /// A step runs before another one on which it depends, for this reason only.
    Dependence(Reason),
    /// The plan claims one byte less than its peak.
    Peak,
}

/// All kinds, by name.
const KINDS: [(&str, Sabotage); 4] = [
    ("value", Sabotage::Dependence(Reason::Value)),
    ("memory", Sabotage::Dependence(Reason::Memory)),
    ("barrier", Sabotage::Dependence(Reason::Barrier)),
    ("peak", Sabotage::Peak),
];

impl Sabotage {
    /// The kind with a name; `None` for the empty name.
    pub(super) fn named(module: Op, name: &str) -> Result<Option<Self>, Failed> {
        kind_of_error(module, "mem-reorder", &KINDS, name)
    }

    /// The plan with the error; `None` if the error is impossible.
    pub(super) fn of(self, block: &OrderBlock, plan: &OrderPlan) -> Option<OrderPlan> {
        let mut broken = plan.clone();
        let Self::Dependence(reason) = self else {
            broken.peak = Bytes::new(plan.peak.get().checked_sub(1)?);
            return Some(broken);
        };
        let mut places = vec![0; plan.order.len()];
        for (place, step) in plan.order.iter().enumerate() {
            places[step.index()] = place;
        }
        let is_only = |from: StepId, to: StepId| {
            let mut edges = block.edges.iter();
            edges.all(|edge| (edge.0, edge.1) != (from, to) || edge.2 == reason)
        };
        let edges = block.edges.iter().filter(|edge| edge.2 == reason);
        // The closest pair: others between them may depend on either.
        let close = edges.min_by_key(|edge| {
            let distance = places[edge.1.index()].abs_diff(places[edge.0.index()]);
            (!is_only(edge.0, edge.1), distance)
        });
        let (from, to, _) = *close?;
        let [from, to] = [from, to].map(|step| places[step.index()]);
        broken.order[from..=to].rotate_right(1);
        Some(broken)
    }
}

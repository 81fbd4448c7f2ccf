//! Optimization remarks on plans over several levels: what fills a level, and why tensors are not in the
//! fastest one.

use mem_cost::{Cause, Decision, Explanation, Reason, Tightest, Way};
use mem_model::TensorId;

use super::PlannedLevels;
use crate::ir::{Category, Op, Remark};

/// The step at which a level is fullest.
pub(super) fn fullest(planned: &PlannedLevels, own: &Tightest, text: &str) {
    let level = &planned.extract.problem.hierarchy.levels[own.level.index()];
    of(
        planned,
        (Category::Peak, "FullestStep"),
        planned.op(own.step),
    )
    .text(text)
    .with("Level", &level.name)
    .with("Bytes", own.bytes)
    .emit();
}

/// A tensor that leaves the device.
pub(super) fn decision(planned: &PlannedLevels, own: &Decision, text: &str) {
    let name = match own.way {
        Way::Swap { .. } => "Swapped",
        Way::Recompute { .. } => "Recomputed",
    };
    let remark = of(planned, (Category::Evicted, name), planned.op(own.before)).text(text);
    about(remark, planned, own.tensor).emit();
}

/// Cycles that are lost because a tensor is not in the fastest level.
pub(super) fn explanation(planned: &PlannedLevels, own: &Explanation, op: Op, text: &str) {
    let name = match &own.cause {
        Cause::Stall { .. } => "Stall",
        Cause::Slower { reason, .. } => match reason {
            Reason::InPlace => "UsedInPlace",
            Reason::NotAccepted => "NotAccepted",
            Reason::TooLarge { .. } => "TooLarge",
            Reason::NoRoom { .. } => "NoRoom",
            Reason::UsedOnce => "UsedOnce",
            Reason::NotWorthwhile => "NotWorthwhile",
        },
    };
    let remark = of(planned, (Category::Evicted, name), op).text(text);
    about(remark, planned, own.tensor)
        .with("Cycles", own.cycles)
        .emit();
}

fn of<'a>(planned: &'a PlannedLevels, what: (Category, &'static str), op: Op) -> Remark<'a> {
    Remark::new(what, op.location(), &planned.function.name)
}

fn about<'a>(remark: Remark<'a>, planned: &PlannedLevels, tensor: TensorId) -> Remark<'a> {
    let tensor = &planned.extract.problem.tensors[tensor.index()];
    remark
        .with("Tensor", &tensor.name)
        .with("Bytes", tensor.size)
}

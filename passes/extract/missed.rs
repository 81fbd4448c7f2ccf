//! Optimization remarks on results that do not take over the bytes of an operand.

use mem_flow::{Lifetimes, MissedReuse, Obstacle, missed_reuses};
use mem_model::{BufferId, StepId};

use super::Extraction;
use crate::ir::{Category, Remark, are_remarks_enabled};

/// Remarks on the results that no plan puts in the place of an operand, with the reason.
pub(crate) fn remark_missed_reuses(extraction: &Extraction, lifetimes: &Lifetimes) {
    let Some(op) = extraction.step_ops.first() else {
        return;
    };
    if !are_remarks_enabled(op.context(), Category::NotInPlace) {
        return;
    }
    for own in missed_reuses(&extraction.program, lifetimes) {
        let MissedReuse {
            step,
            operand,
            result,
            obstacle,
        } = own;
        not_in_place(name(obstacle), extraction, step, (operand, result))
            .with("Reason", obstacle)
            .emit();
    }
}

/// A remark that a result of a step does not take over the bytes of an operand. `name` identifies the
/// kind of reason.
pub(crate) fn not_in_place<'a>(
    name: &'static str,
    extraction: &'a Extraction,
    step: StepId,
    (operand, result): (BufferId, BufferId),
) -> Remark<'a> {
    let location = extraction.step_ops[step.index()].location();
    let function = &extraction.program.name;
    let [operand, result] = [operand, result].map(|b| &extraction.program.buffers[b.index()]);
    Remark::new((Category::NotInPlace, name), location, function)
        .with("Operand", &operand.name)
        .with("Result", &result.name)
        .with("Bytes", result.size)
}

/// The name of an obstacle in remarks.
fn name(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::NoPlace => "NoPlace",
        Obstacle::Unordered => "Unordered",
        Obstacle::EndOfBlock => "EndOfBlock",
        Obstacle::OperandNeeded => "OperandNeeded",
        Obstacle::ResultLive => "ResultLive",
        Obstacle::DifferentBytes => "DifferentBytes",
        Obstacle::LiveElsewhere => "LiveElsewhere",
        Obstacle::OrderOfBytes => "OrderOfBytes",
    }
}

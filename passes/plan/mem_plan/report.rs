//! Diagnostics and remarks of `mem-plan`.

use mem_check::CheckError;
use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Plan};
use mem_planner::PlanError;

use crate::extract::{Extraction, Function, location_of};
use crate::ir::{Diagnostic, Op};

/// Remarks on buffers that are treated as one lifetime although parts of them may die earlier.
pub(super) fn remark_coarse(extraction: &Extraction, lifetimes: &Lifetimes) {
    for buffer in &lifetimes.coarse {
        let Some(op) = extraction.buffer_ops[buffer.index()] else {
            continue;
        };
        let name = &extraction.program.buffers[buffer.index()].name;
        let text = format!(
            "accesses to '{name}' begin and end at more than {} different bytes; \
             parts of it are told apart less finely than they could be",
            mem_model::MAX_PIECES
        );
        Diagnostic::remark(op.location(), text).emit();
    }
}

/// Warns about recursion, because any number of arenas may exist at once.
pub(super) fn warn_recursive(function: &Function, plan: &Plan) {
    let text = format!(
        "function @{} calls itself, directly or not: every activation allocates an arena of {} bytes \
         of its own, and the peak counts one",
        function.name, plan.peak
    );
    Diagnostic::warning(function.op.location(), text).emit();
}

/// Warns that a size known only at run time cannot be checked against a capacity.
pub(super) fn warn_unbounded(function: Op, capacity: u64) {
    let text = format!(
        "the arena's size is known only at run time: that it is within the capacity of {capacity} bytes is \
         not checked"
    );
    Diagnostic::warning(function.location(), text).emit();
}

/// Remarks on a function that allocates its own arena: its callers cannot provide one if the
/// function may be active more than once, if its size is known only at run time, or if it is not
/// only called directly.
pub(super) fn remark_own_arena(function: &Function, is_sized_late: bool) {
    let why = match function.recursive {
        true => "it calls itself",
        false if is_sized_late => "how large it is depends on sizes known only at run time",
        false => "not all that mentions it are direct calls",
    };
    let text = format!("@{} allocates its own arena: {why}", function.name);
    Diagnostic::remark(function.op.location(), text).emit();
}

/// The error if no plan is within the capacity: the live buffers at the step where planning fails,
/// and the number of bytes missing. `in_tiles`: bytes of the arena without a capacity, if operations run tile by
/// tile.
pub(super) fn no_plan(
    function: Op,
    extraction: &Extraction,
    error: &PlanError,
    in_tiles: Option<Bytes>,
) -> Diagnostic {
    let PlanError::NoFit(no_fit) = error else {
        return Diagnostic::error(function.location(), error.to_string());
    };
    let step = no_fit.point.step();
    let name = &extraction.program.steps[step.index()].name;
    // A program can be divided in many ways, and not all of them have been tried. `mem-tile` has found these
    // tiles to need the least memory, and uses them with this capacity.
    let in_tiles =
        in_tiles.map(|peak| format!("; in tiles, capacity={peak} is the smallest found that runs"));
    let hedge = match in_tiles {
        Some(in_tiles) => in_tiles,
        None if no_fit.is_proven => String::new(),
        None => "; another strategy may need fewer".to_owned(),
    };
    let text = format!(
        "{} bytes are needed at step {} ('{name}'), {} more than the capacity of {}{hedge}",
        no_fit.needed,
        step.index(),
        no_fit.missing,
        no_fit.capacity
    );
    let mut diagnostic = Diagnostic::error(extraction.step_ops[step.index()].location(), text);
    for occupant in &no_fit.live {
        let name = &extraction.program.buffers[occupant.buffer.index()].name;
        let text = format!(
            "'{name}' holds {} bytes there, at offset {}",
            occupant.size, occupant.offset
        );
        diagnostic = diagnostic.note(location_of(extraction, occupant.buffer), text);
    }
    diagnostic
}

/// The error if the checker rejects a plan. That is a bug, and the plan must not reach the IR.
pub(super) fn wrong_plan(function: Op, extraction: &Extraction, error: &CheckError) -> Diagnostic {
    let text = "internal error: the checker refuses the plan; please report it with this input";
    let mut diagnostic = Diagnostic::error(function.location(), text);
    for violation in error.violations.iter().take(8) {
        diagnostic = diagnostic.note(function.location(), violation.to_string());
    }
    for (index, buffer) in extraction.program.buffers.iter().enumerate().take(32) {
        let text = format!("{} is '{}'", BufferId::new(index), buffer.name);
        diagnostic = diagnostic.note(function.location(), text);
    }
    diagnostic
}

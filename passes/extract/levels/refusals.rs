//! Programs that cannot be planned over several levels: the reasons, and their diagnostics.

use mem_model::{Access, Buffer, BufferId, PointerKind, StepId, Storage};

use crate::extract::Extraction;
use crate::ir::{Diagnostic, PassResult};

/// Why a program cannot be planned over several levels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum LevelRefusal {
    /// The address of the named buffer was chosen without regard to the plan.
    #[error("'{0}' has a place in an arena already")]
    Placed(String),
    /// Plans assume that steps execute one after another.
    #[error("runs on a core of its own: levels are assigned to programs of one core only")]
    OnCore,
    /// The hierarchy accepts two operands in different levels, and both are in the named buffer.
    #[error(
        "accepts '{0}' in no level: its operands in that buffer have to be in different levels"
    )]
    Contradiction(String),
}

/// Whether a program has been planned: buffers have addresses, and no other buffer is accessed.
pub(super) fn is_planned(extraction: &Extraction) -> bool {
    let program = &extraction.program;
    let is_placed = |buffer: &Buffer| matches!(buffer.storage, Storage::Placed { .. });
    let is_open = |access: &Access| match program.pointers[access.pointer.index()].kind {
        // Buffers of unknown size and those whose address escapes have no place.
        PointerKind::Buffer(buffer) => {
            program.buffers[buffer.index()].storage == Storage::Planned
                && !extraction.sizes.contains_key(&buffer)
                && !extraction.refusals.contains_key(&buffer)
        }
        PointerKind::Merge => false,
    };
    let accesses = program.steps.iter().flat_map(|step| &step.accesses);
    program.buffers.iter().any(is_placed) && !accesses.into_iter().any(is_open)
}

/// Refuses programs in which a buffer already has an address.
pub(super) fn refuse_placed(extraction: &Extraction) -> PassResult {
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        if let (Storage::Placed { .. }, Some(op)) = (&buffer.storage, extraction.buffer_ops[index])
        {
            let reason = LevelRefusal::Placed(buffer.name.to_string());
            return Diagnostic::error(op.location(), reason.to_string()).fail();
        }
    }
    Ok(())
}

/// Refuses programs for several cores.
pub(super) fn refuse_cores(extraction: &Extraction) -> PassResult {
    let steps = extraction.program.steps.iter().zip(&extraction.step_ops);
    let mut on_cores = steps.filter(|(step, _)| step.core.is_some());
    match on_cores.next() {
        Some((_, op)) => Diagnostic::error(op.location(), LevelRefusal::OnCore.to_string()).fail(),
        None => Ok(()),
    }
}

/// Refuses programs in which a step accepts a buffer in no level.
pub(super) fn refuse_contradiction(
    extraction: &Extraction,
    contradiction: Option<(StepId, BufferId)>,
) -> PassResult {
    let Some((step, buffer)) = contradiction else {
        return Ok(());
    };
    let name = extraction.program.buffers[buffer.index()].name.to_string();
    let reason = LevelRefusal::Contradiction(name);
    let op = extraction.step_ops[step.index()];
    Diagnostic::error(op.location(), reason.to_string()).fail()
}

//! Programs that cannot be planned over several levels: the reasons, and their diagnostics.

use mem_model::Storage;

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
}

/// Refuses programs in which a buffer already has an address.
pub(super) fn refuse_placed(extraction: &Extraction) -> PassResult {
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        if let (Storage::Placed { .. }, Some(op)) = (&buffer.storage, extraction.buffer_ops[index])
        {
            let reason = LevelRefusal::Placed(buffer.name.clone());
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

//! Programs that cannot be planned over several levels, as diagnostics.

use mem_model::Storage;

use crate::extract::Extraction;
use crate::ir::{Diagnostic, PassResult};

/// Refuses programs in which a buffer already has an address.
pub(super) fn refuse_placed(extraction: &Extraction) -> PassResult {
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        if let (Storage::Placed { .. }, Some(op)) = (&buffer.storage, extraction.buffer_ops[index])
        {
            let text = format!("'{}' has a place in an arena already", buffer.name);
            return Diagnostic::error(op.location(), text).fail();
        }
    }
    Ok(())
}

/// Refuses programs for several cores: plans assume that steps execute one after another.
pub(super) fn refuse_cores(extraction: &Extraction) -> PassResult {
    let steps = extraction.program.steps.iter().zip(&extraction.step_ops);
    let mut on_cores = steps.filter(|(step, _)| step.core.is_some());
    match on_cores.next() {
        Some((_, op)) => {
            let text =
                "runs on a core of its own: levels are assigned to programs of one core only";
            Diagnostic::error(op.location(), text).fail()
        }
        None => Ok(()),
    }
}

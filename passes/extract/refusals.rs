//! What cannot be planned, as diagnostics; and the alignment that an option asks for.

use mem_flow::Lifetimes;
use mem_model::{BufferId, Storage};

use super::{Extraction, MAX_ALIGNMENT};
use crate::ir::{Diagnostic, Failed, Location, Op, PassResult};

/// Validates an alignment option, in bytes: 0 means no requirement.
pub(crate) fn checked_alignment(module: Op, alignment: i64) -> Result<u64, Failed> {
    match u64::try_from(alignment) {
        Ok(0) => Ok(1),
        Ok(bytes) if bytes.is_power_of_two() && bytes <= MAX_ALIGNMENT => Ok(bytes),
        _ => {
            let text = format!(
                "an alignment of {alignment} bytes is not a power of two between 1 and {MAX_ALIGNMENT}"
            );
            Diagnostic::error(module.location(), text).fail()
        }
    }
}

/// Refuses buffers whose address escapes: a holder of the address could access the bytes while they
/// belong to another buffer.
pub(crate) fn refuse_escaping(extraction: &Extraction) -> PassResult {
    let mut result = Ok(());
    for (buffer, refusal) in &extraction.refusals {
        let model = &extraction.program.buffers[buffer.index()];
        let Some(op) = extraction.buffer_ops[buffer.index()] else {
            continue;
        };
        if model.storage != Storage::Planned {
            continue;
        }
        let text = format!(
            "buffer '{}' cannot be planned: {}",
            model.name, refusal.reason
        );
        let mut error = Diagnostic::error(op.location(), text);
        if let Some(blame) = refusal.blame {
            error = error.note(blame.location(), format!("by this '{}'", blame.name()));
        }
        result = error.fail();
    }
    result
}

/// Remarks on buffers for which no fixed number of addresses is known to suffice. Such a buffer
/// stays a buffer, which is correct: it is lowered to an allocation.
pub(crate) fn remark_unplannable(extraction: &Extraction, lifetimes: &Lifetimes) {
    for unplannable in &lifetimes.unplannable {
        let name = &extraction.program.buffers[unplannable.buffer.index()].name;
        let text = format!("buffer '{name}' gets no address: {}", unplannable.reason);
        Diagnostic::remark(location_of(extraction, unplannable.buffer), text).emit();
    }
    for (op, refusal) in &extraction.misfits {
        let text = format!("buffer gets no address: {}", refusal.reason);
        Diagnostic::remark(op.location(), text).emit();
    }
}

/// The location of a buffer's definition; for a workspace, that of the call.
pub(crate) fn location_of(extraction: &Extraction, buffer: BufferId) -> Location {
    let op = extraction.buffer_ops[buffer.index()];
    let call = extraction
        .workspaces
        .iter()
        .find(|w| w.1 == buffer)
        .map(|w| w.0);
    op.or(call)
        .expect("planned buffers come from an operation or a call")
        .location()
}

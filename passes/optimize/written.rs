//! How many bytes an operation writes.

use mem_model::{Access, AccessKind, Bytes, Interval};

use crate::ir::{Op, memref_layout};

pub(super) fn is_copy(op: Op) -> bool {
    matches!(
        op.name(),
        "memref.copy" | "linalg.copy" | "mem.load" | "mem.store"
    )
}

/// Estimate of the bytes that an operation writes per execution. Accesses with unknown bounds count
/// as zero.
pub(super) fn written_bytes(op: Op, accesses: &[Access]) -> u64 {
    // The position of a view may be known only at run time although its number of elements is
    // static.
    let copied = is_copy(op).then(|| op.operands().last()).flatten();
    let layout = copied.and_then(|target| memref_layout(target.ty()));
    let bytes = layout.and_then(|layout| layout.elements()?.checked_mul(layout.element));
    if let Some(bytes) = bytes.and_then(|bytes| u64::try_from(bytes).ok()) {
        return bytes;
    }
    let defines = accesses.iter().filter(|a| a.kind == AccessKind::Define);
    let bytes = |access: &Access| match access.rows() {
        Some(rows) => rows.bytes.iter().map(length).sum(),
        None => access.may.map_or(0, length),
    };
    defines.map(bytes).fold(0, u64::saturating_add)
}

pub(super) fn length(range: Interval<Bytes>) -> u64 {
    range.end.get().saturating_sub(range.start.get())
}

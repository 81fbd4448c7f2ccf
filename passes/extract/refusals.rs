//! Buffers that cannot be planned: the reasons, their texts and the diagnostics. Also validates the
//! alignment that an option asks for.

use std::fmt::Display;

use mem_flow::Lifetimes;
use mem_model::{BufferId, Storage};

use super::Extraction;
use crate::framework::alignment_error;
use crate::ir::{Category, Diagnostic, Failed, Location, Op, PassResult, Remark};

/// A buffer that cannot be planned.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub reason: RefusalReason,
    /// The operation that causes the refusal, if it is not the allocation itself.
    pub blame: Option<Op>,
}

/// Why a buffer cannot be planned. The text is a clause whose subject, "it", is the allocation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RefusalReason {
    /// A holder of the address could access the bytes while they belong to another buffer.
    #[error(transparent)]
    Escapes(#[from] Escape),
    /// Erasing the deallocation would leak the storage that is not planned; keeping it would free
    /// part of an arena.
    #[error("it is freed by an operation that may free storage which is not planned")]
    FreedWithOthers,
    /// No buffer of the model represents the allocation.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

impl RefusalReason {
    /// The name of the kind of reason in optimization remarks.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Escapes(_) => "Escapes",
            Self::FreedWithOthers => "FreedWithOthers",
            Self::Misfit(_) => "Misfit",
        }
    }
}

/// How the address of a buffer, or an access to it, escapes from what the model sees.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Escape {
    /// A terminator returns the address to the callers. For an argument this is no escape: the
    /// summary tells the callers which arguments a result may alias.
    #[error("its address is returned")]
    Returned,
    /// The operation may store the address in memory.
    #[error("its address may be stored")]
    Stored,
    /// The number is not only compared, so an address may be made from it again.
    #[error("its address is turned into a number")]
    Number,
    /// An operation without effects, which is not known to look at the shape only, has a number as
    /// its result.
    #[error("its address may be turned into a number")]
    MayBeNumber,
    /// The operation is no view, and its result may be a pointer or hide one.
    #[error("another value that may hold its address is made from it")]
    HeldByResult,
    /// The operation does not implement the interfaces that describe its effects.
    #[error("it is an operand of an operation with unknown effects")]
    UnknownEffects,
    /// The operation neither describes its effects nor where control goes.
    #[error("the effects of its user are unknown")]
    UnknownUser,
    /// A terminator that is known as neither a branch nor a return passes the address on.
    #[error("it is passed to an unknown branch")]
    UnknownBranch,
    /// The callee is not in the module, or recursive.
    #[error("it is passed to @{0}, which may keep it")]
    UnknownCallee(String),
    /// An indirect call.
    #[error("it is passed to a callee that is known only at run time, which may keep it")]
    IndirectCallee,
    /// The argument of the callee escapes.
    #[error("it is passed to @{0}, which does not keep it to itself")]
    Callee(String),
    /// Only `memref.dealloc` can be erased along with the allocation.
    #[error("it is freed by an operation other than memref.dealloc")]
    Freed,
    /// The time of the deallocation is unknown.
    #[error("it is freed inside an operation that may run its regions concurrently")]
    FreedConcurrently,
    /// A call or a branch in a region whose steps are not ordered.
    #[error("its address is passed on inside an operation that may run its regions concurrently")]
    PassedOnConcurrently,
    /// The accesses in the regions of the operation may take place at any time.
    #[error("it is used inside an operation with unknown effects")]
    InsideUnknown,
    /// The end of the accesses in the regions of an asynchronous operation is unknown.
    #[error("it is used inside an operation that is not waited for on every path")]
    InsideUnawaited,
    /// The end of the transfer is unknown.
    #[error("it is used by a transfer that is not waited for on every path")]
    UnawaitedTransfer,
    /// A new instance needs another address than the one that the request accesses, and no value holds
    /// the latter.
    #[error("it is used by a request that is carried without it while it is allocated again")]
    NamelessRequest,
    /// The end of an asynchronous access is unknown.
    #[error("it is accessed by an operation that may still run when the next one starts")]
    StillRunning,
}

/// Why no buffer of the model represents an allocation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Misfit {
    /// The bytes of an element are unknown.
    #[error("its element type has no size known here, or its layout is not strided")]
    Type,
    /// Plans assume that the elements are contiguous, in row-major order.
    #[error("its layout is not the identity")]
    Layout,
    /// The storage is not in the memory that the arena is in.
    #[error("it is in a memory space of its own")]
    MemorySpace,
    /// Sizes are 64-bit numbers.
    #[error("its size in bytes does not fit 64 bits")]
    Size,
    /// The size of the arena cannot depend on the size of the buffer.
    #[error("its size is not known before buffers are needed")]
    SizedLate,
    /// The alignment in bytes exceeds [`MAX_ALIGNMENT`](super::MAX_ALIGNMENT).
    #[error("its alignment of {0} bytes is above 1 MiB")]
    Alignment(u64),
    /// Several instances may be live at once.
    #[error("it is inside an operation that may run its regions concurrently")]
    Concurrent,
}

/// Validates an alignment option, in bytes: 0 means no requirement.
pub(crate) fn checked_alignment(module: Op, alignment: i64) -> Result<u64, Failed> {
    match alignment_error(alignment) {
        None => Ok(alignment.unsigned_abs().max(1)),
        Some(text) => Diagnostic::error(module.location(), text).fail(),
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
        // Storage that already has a place, or that belongs to callers, needs no address.
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
        // All buffers are reported, not only the first.
        result = error.fail();
    }
    result
}

/// Remarks on buffers for which no fixed number of addresses is known to suffice. Such a buffer
/// stays a buffer, which is correct: it is lowered to an allocation.
pub(crate) fn remark_unplannable(extraction: &Extraction, lifetimes: &Lifetimes) {
    let function = &extraction.program.name;
    for unplannable in &lifetimes.unplannable {
        let buffer = &extraction.program.buffers[unplannable.buffer.index()];
        let (name, reason) = (&buffer.name, &unplannable.reason);
        let location = location_of(extraction, unplannable.buffer);
        let text = format!("buffer '{name}' gets no address: {reason}");
        not_planned("Instances", location, function, reason)
            .with("Buffer", name)
            .with("Bytes", buffer.size)
            .emit();
        Diagnostic::remark(location, text).emit();
    }
    for (op, refusal) in &extraction.misfits {
        let reason = &refusal.reason;
        let text = format!("buffer gets no address: {reason}");
        not_planned(reason.name(), op.location(), function, reason).emit();
        Diagnostic::remark(op.location(), text).emit();
    }
}

/// The optimization remark on a buffer or an allocation that is not planned. `name` identifies the
/// kind of reason.
pub(crate) fn not_planned<'a>(
    name: &'static str,
    location: Location,
    function: &'a str,
    reason: &impl Display,
) -> Remark<'a> {
    Remark::new((Category::NotPlanned, name), location, function).with("Reason", reason)
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

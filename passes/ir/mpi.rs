//! The operations of the `mpi` dialect: what each does with memory, and when.
//!
//! Upstream's operations implement no effect interface, so without this table, every buffer that is
//! sent, received or reduced would be one that an unknown operation may keep. The table states for
//! each operation
//!
//! * which memref operands it reads and which it writes;
//! * whether it *communicates*: other ranks observe it, or it depends on what others do. Such an
//!   operation is never removed, repeated or executed speculatively, and keeps its order among all
//!   others that communicate. All ranks execute one program, so the operations of two ranks that
//!   match before planning match afterwards;
//! * whether it starts a *request*, which accesses the operands until an `mpi.wait`, or waits for
//!   one.
//!
//! [`describe`](super::describe) applies the table, so whatever asks for effects obtains them.
//! `tools/tests/mpi.rs` compares the table with the installed `MPIOps.td`. An operation that is not
//! in the table has unknown effects.

use std::collections::HashSet;

use super::handles::{Op, Type, Value};
use super::interfaces::{EffectKind, Forwarded, branch_edges, describe, region_edges};

/// What an operation has to do with requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Its accesses are over when it is.
    None,
    /// Its last result is a request, and it accesses its operands until the request is waited for.
    Starts,
    /// Waits for its operand.
    Awaits,
}

/// What an operation does with one memref operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandEffect {
    /// Reads every element.
    Reads,
    /// Writes every element.
    Writes,
    /// Writes some elements: a message may be shorter than the buffer that receives it.
    WritesSome,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct MpiOp {
    /// The full name.
    pub name: &'static str,
    /// The effects on the first operands; all others are scalars.
    pub operands: &'static [OperandEffect],
    /// Whether other ranks observe the operation, or it depends on them or on the state of the
    /// library.
    pub communicates: bool,
    /// Its part in requests.
    pub request: Request,
}

impl MpiOp {
    const fn new(name: &'static str, operands: &'static [OperandEffect]) -> Self {
        Self {
            name,
            operands,
            communicates: true,
            request: Request::None,
        }
    }

    const fn local(name: &'static str) -> Self {
        Self {
            communicates: false,
            ..Self::new(name, &[])
        }
    }

    const fn with(self, request: Request) -> Self {
        Self { request, ..self }
    }
}

use OperandEffect::{Reads, Writes, WritesSome};

/// All operations of the dialect, in the order of `MPIOps.td`.
pub const MPI_OPS: [MpiOp; 15] = [
    MpiOp::new("mpi.init", &[]),
    MpiOp::local("mpi.comm_world"),
    // Before `mpi.init`, the library has no rank, so these two keep their places although they
    // send no message. Upstream declares them, and even the split, to be pure.
    MpiOp::new("mpi.comm_rank", &[]),
    MpiOp::new("mpi.comm_size", &[]),
    MpiOp::new("mpi.comm_split", &[]),
    MpiOp::new("mpi.send", &[Reads]),
    MpiOp::new("mpi.isend", &[Reads]).with(Request::Starts),
    MpiOp::new("mpi.recv", &[WritesSome]),
    MpiOp::new("mpi.irecv", &[WritesSome]).with(Request::Starts),
    MpiOp::new("mpi.allreduce", &[Reads, Writes]),
    MpiOp::new("mpi.barrier", &[]),
    MpiOp::new("mpi.wait", &[]).with(Request::Awaits),
    MpiOp::new("mpi.finalize", &[]),
    MpiOp::local("mpi.retval_check"),
    MpiOp::local("mpi.error_class"),
];

impl OperandEffect {
    /// The kind of the effect, and whether it covers every element.
    pub(super) fn kind(self) -> (EffectKind, bool) {
        match self {
            Self::Reads => (EffectKind::Read, true),
            Self::Writes => (EffectKind::Write, true),
            Self::WritesSome => (EffectKind::Write, false),
        }
    }
}

/// The row of an operation; `None` for any other dialect.
pub(crate) fn mpi_op(op: Op) -> Option<&'static MpiOp> {
    let name = op.name();
    // Nearly all operations are of other dialects, and every one of them is asked for.
    name.starts_with("mpi.")
        .then(|| MPI_OPS.iter().find(|row| row.name == name))?
}

/// Whether an operation starts a request.
pub(crate) fn starts_request(op: Op) -> bool {
    mpi_op(op).is_some_and(|row| row.request == Request::Starts)
}

/// Whether an operation waits for a request.
pub(crate) fn awaits_request(op: Op) -> bool {
    mpi_op(op).is_some_and(|row| row.request == Request::Awaits)
}

/// A message, sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The operation that returns when its buffer may be used again.
    pub blocking: &'static str,
    /// The operation that starts a request.
    pub starting: &'static str,
}

const MESSAGES: [Message; 2] = [
    Message {
        blocking: "mpi.send",
        starting: "mpi.isend",
    },
    Message {
        blocking: "mpi.recv",
        starting: "mpi.irecv",
    },
];

/// The message that an operation sends or receives. A blocking operation is the same as one that
/// starts a request and a wait for it, except that there is one status instead of two.
pub(crate) fn message_of(op: Op) -> Option<&'static Message> {
    let row = mpi_op(op)?;
    let mut all = MESSAGES.iter();
    all.find(|own| [own.blocking, own.starting].contains(&row.name))
}

/// Whether anything depends on the status that an operation returns.
pub(crate) fn has_used_status(op: Op) -> bool {
    let mut results = op.results();
    results.any(|own| own.ty().to_string() == "!mpi.retval" && own.is_used())
}

/// A receive of `module` that may be matched by messages of several ranks, if there is one: its source is a
/// negative constant, such as `MPI_ANY_SOURCE`. The dialect has no name for it. Any other source, also one
/// computed at run time, is taken to be a rank. Which message such a receive gets may depend on when any
/// rank waits, so no wait of the program may change places with a message.
pub(crate) fn receive_from_any(module: Op) -> Option<Op> {
    let mut found = None;
    module.walk(&mut |op| {
        let takes_any = message_of(op).is_some_and(|own| own.blocking == "mpi.recv")
            && op.operand(2).constant().is_some_and(|source| source < 0);
        if takes_any {
            found = found.or(Some(op));
        }
    });
    found
}

/// The first operation that carries the request of a message to another value, through a loop, a branch, a
/// select or a call. Then it is not known which request a wait is for, and it keeps its place among all
/// messages.
pub(crate) fn carrier_of_request(start: Op) -> Option<Op> {
    let request = start.results().find(|own| is_request(own.ty()));
    let request = request.filter(|_| starts_request(start))?;
    let mut users = request.users().into_iter();
    users.find(|user| !awaits_request(*user))
}

/// Whether an operation starts a request that is carried to its wait, or waits for one that may have been.
pub(crate) fn is_carried(op: Op) -> bool {
    if !awaits_request(op) {
        return carrier_of_request(op).is_some();
    }
    let start = op.operand(0).owner().filter(|own| starts_request(*own));
    start.is_none_or(|own| carrier_of_request(own).is_some())
}

/// Whether other ranks observe an operation.
pub(crate) fn communicates(op: Op) -> bool {
    mpi_op(op).is_some_and(|row| row.communicates)
}

/// The values that may hold one of some requests: these, and all that branches and loops make of them, in the
/// order in which they are reached. Linear in their uses.
pub(crate) fn holders(requests: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut left: Vec<Value> = requests.collect();
    let mut seen: HashSet<Value> = left.iter().copied().collect();
    let mut holders = Vec::new();
    while let Some(request) = left.pop() {
        holders.push(request);
        let users = request.users().into_iter();
        let new = users.flat_map(|user| passed_on(user, request));
        left.extend(new.filter(|own| seen.insert(*own)));
    }
    holders
}

/// The values that an operation makes of a request: arguments of blocks, results of operations with control
/// flow, and of a select.
pub(crate) fn passed_on(user: Op, request: Value) -> Vec<Value> {
    if selects_request(user) {
        return vec![user.result()];
    }
    let facts = describe(user);
    let edges = |of: Op, end: Option<Op>| {
        let edges = region_edges(of).into_iter();
        let edges = edges.filter(move |edge| edge.terminator == end);
        edges.flat_map(|edge| edge.values).collect()
    };
    let values: Forwarded = if facts.is_branch() {
        let edges = branch_edges(user).into_iter();
        edges.flat_map(|(_, values)| values).collect()
    } else if facts.is_region_branch() {
        edges(user, None)
    } else if facts.is_terminator() {
        let around = user
            .parent()
            .filter(|own| describe(*own).is_region_branch());
        around.map_or_else(Vec::new, |own| edges(own, Some(user)))
    } else {
        Vec::new()
    };
    let own = values
        .into_iter()
        .filter(|(from, _)| *from == Some(request));
    own.map(|(_, to)| to).collect()
}

/// Whether an operation selects one of two requests.
pub(crate) fn selects_request(op: Op) -> bool {
    op.name() == "arith.select" && is_request(op.result().ty())
}

/// Whether a type is `!mpi.request`.
pub(crate) fn is_request(ty: Type) -> bool {
    // Printing a type takes longer than most other questions, and nearly all types are of other
    // dialects. Without its dialect, the type is opaque.
    let is_opaque = || c!(mlir_sys::mlirTypeIsAOpaque(ty.0));
    (ty.dialect() == "mpi" || is_opaque()) && ty.to_string() == "!mpi.request"
}

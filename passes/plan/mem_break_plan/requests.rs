//! Breaks of exchanges with other ranks: of requests in flight, and of the order in which results
//! are read.

use super::contents::{place, put, touched, whole_view};
use super::{Break, Kind};
use crate::ir::mpi::{
    awaits_request, communicates, holders, is_request, message_of, mpi_op, starts_request,
};
use crate::ir::tensors::root_of;
use crate::ir::{Block, EffectKind, Op, Value};

/// The way to break an operation, if `kind` applies to it.
pub(super) fn break_op(op: Op, kind: Kind) -> Option<Break> {
    match kind {
        Kind::LostRequestWait => {
            let is_lost = awaits_request(op) && !op.results().any(Value::is_used);
            is_lost.then(|| -> Break { Box::new(move || op.erase()) })
        }
        Kind::LateRequestWait => late_wait(op),
        Kind::OntoRequest => onto_request(op),
        Kind::EarlyResult => early_result(op),
        Kind::EarlyRequestWait => early_wait(op),
        Kind::SwappedMessages => swapped(op),
        _ => None,
    }
}

/// The operation of the same block that waits for the request that `op` starts, and for no other.
fn wait_of(op: Op) -> Option<Op> {
    let requests: Vec<Value> = op.results().filter(|own| is_request(own.ty())).collect();
    following(op).find(|later| awaits_request(*later) && requests.contains(&later.operand(0)))
}

/// All operations that may wait for the request that `op` starts, in this block and in others, also
/// where a loop or a branch has carried it.
fn waits_of(op: Op) -> Vec<Op> {
    if !starts_request(op) {
        return Vec::new();
    }
    let held = holders(op.results().filter(|own| is_request(own.ty())));
    let users = held.into_iter().flat_map(Value::users);
    users.filter(|user| awaits_request(*user)).collect()
}

fn following(op: Op) -> impl Iterator<Item = Op> {
    std::iter::successors(op.next(), |op| op.next())
}

/// The operation of `block` that is or contains `op`.
fn ancestor_in(op: Op, block: Block) -> Option<Op> {
    let mut around = std::iter::successors(Some(op), |own| own.parent());
    around.find(|own| own.block() == Some(block))
}

/// Whether an operation must not run while a request accesses `operand`.
fn disturbs(op: Op, operand: Value, is_written: bool) -> bool {
    let root = root_of(operand);
    let touches = |kind| {
        touched(op, kind)
            .into_iter()
            .any(|own| root_of(own) == root)
    };
    touches(EffectKind::Write) || is_written && touches(EffectKind::Read)
}

/// Moves a wait behind an operation that reads what is received, or overwrites what is sent.
fn late_wait(op: Op) -> Option<Break> {
    let waits = waits_of(op);
    let operand = op.operands().next().filter(|_| !waits.is_empty())?;
    let is_written = !touched(op, EffectKind::Write).is_empty();
    let (wait, next) = waits.into_iter().find_map(|wait| {
        let first = following(wait).find(|later| disturbs(*later, operand, is_written))?;
        Some((wait, first.next()?))
    })?;
    // A terminator may stand for a read by the caller.
    (!wait.results().any(Value::is_used))
        .then(|| -> Break { Box::new(move || wait.move_before(next)) })
}

/// Moves a wait in front of the next message: if all ranks do so, none starts it.
fn early_wait(op: Op) -> Option<Break> {
    let wait = wait_of(op)?;
    let mut during = following(op).take_while(|other| *other != wait);
    let first = during.find(|other| communicates(*other) && !awaits_request(*other))?;
    (!wait.results().any(Value::is_used))
        .then(|| -> Break { Box::new(move || wait.move_before(first)) })
}

/// Moves a message in front of the one before.
fn swapped(op: Op) -> Option<Break> {
    message_of(op)?;
    let next = following(op).find(|other| communicates(*other) && !awaits_request(*other))?;
    message_of(next)?;
    // Equal messages may change places.
    let is_same = next.name() == op.name() && next.operands().eq(op.operands());
    let between = || following(op).take_while(move |other| *other != next);
    let is_defined = next.operands().all(|operand| {
        let owner = operand.owner();
        owner.is_none_or(|owner| owner != op && !between().any(|other| other == owner))
    });
    (!is_same && is_defined).then(|| -> Break { Box::new(move || next.move_before(op)) })
}

/// Moves a place that is written while a request is in flight onto its operand.
fn onto_request(op: Op) -> Option<Break> {
    let waits = waits_of(op);
    let operand = op.operands().next().filter(|_| !waits.is_empty())?;
    let view = whole_view(operand)?;
    let (arena, offset, size) = place(view).filter(|(.., size)| *size > 0)?;
    // If other blocks wait, or this one when it runs again, the request is in flight until the end of this
    // block, and before the wait: from the start of its block on, or from the operation on that contains `op`.
    let is_before = |other: &Op| !waits.contains(other);
    let is_here = wait_of(op).is_some();
    let others = waits.iter().filter(|_| !is_here);
    let before = others.flat_map(|wait| {
        let block = wait.block();
        let around = block.and_then(|block| ancestor_in(op, block));
        let around = around.filter(|own| following(*own).any(|later| later == *wait));
        let first = match around {
            Some(around) => around.next(),
            None => block.and_then(Block::first_op),
        };
        std::iter::successors(first, |own| own.next()).take_while(is_before)
    });
    let during = following(op).take_while(is_before).chain(before);
    let written = during.flat_map(|other| touched(other, EffectKind::Write));
    let mut places = written.filter_map(whole_view);
    let moved = places.find(|other| {
        let own = place(*other);
        *other != view && own.is_some_and(|(of, _, bytes)| of == arena && bytes > 0 && size > 0)
    })?;
    Some(Box::new(move || put(moved, offset)))
}

/// Moves an operation that reads what an exchange writes in front of the exchange, or of the wait
/// for it.
fn early_result(op: Op) -> Option<Break> {
    mpi_op(op)?;
    let result = touched(op, EffectKind::Write).into_iter().next()?;
    let ends = match (starts_request(op), wait_of(op)) {
        (true, None) => waits_of(op),
        (true, Some(wait)) => vec![wait],
        (false, _) => vec![op],
    };
    let root = root_of(result);
    let reads = |other: &Op| {
        let mut own = touched(*other, EffectKind::Read).into_iter();
        mpi_op(*other).is_none() && own.any(|value| root_of(value) == root)
    };
    let (until, reader) = ends
        .into_iter()
        .find_map(|end| Some((end, following(end).find(reads)?)))?;
    let between = || following(until).take_while(move |other| *other != reader);
    let is_defined = reader.operands().all(|operand| {
        let owner = operand.owner();
        owner.is_none_or(|owner| owner != until && !between().any(|other| other == owner))
    });
    is_defined.then(|| -> Break { Box::new(move || reader.move_before(until)) })
}

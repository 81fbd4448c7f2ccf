//! Breaks of the program around a plan: of computations, transfers and waits.

use super::{Break, Kind};
use crate::ir::dialect::{ViewOp, is_transfer};
use crate::ir::tensors::{RECOMPUTE, root_of};
use crate::ir::{Builder, Op, Value, is_storage};

/// The way to break an operation, if `kind` applies to it.
pub(super) fn break_op(op: Op, kind: Kind) -> Option<Break> {
    let is_transfer = is_transfer(op);
    match kind {
        Kind::OtherTensor => other_tensor(op),
        Kind::LostOperation => {
            let is_known = op.name().starts_with("linalg.") && op.results().next().is_none()
                || matches!(op.name(), "memref.copy" | "mem.kernel");
            (is_known && op.attribute(RECOMPUTE).is_none() && is_of_function(op))
                .then(|| -> Break { Box::new(move || op.erase()) })
        }
        Kind::LostTransfer => {
            let waits: Vec<Op> = op.results().flat_map(Value::users).collect();
            is_transfer.then(|| -> Break {
                Box::new(move || {
                    waits.into_iter().for_each(Op::erase);
                    op.erase();
                })
            })
        }
        Kind::LostWait => {
            (op.name() == "mem.wait").then(|| -> Break { Box::new(move || op.erase()) })
        }
        Kind::LateWait => {
            let last = op.block()?.terminator()?;
            let is_wait = op.name() == "mem.wait" && op.next() != Some(last);
            is_wait.then(|| -> Break { Box::new(move || op.move_before(last)) })
        }
        Kind::OtherDirection => is_transfer.then(|| -> Break {
            Box::new(move || op.set_operands(&[op.operand(1), op.operand(0)]))
        }),
        Kind::NothingLeft => {
            let is_copy = matches!(op.name(), "mem.load" | "mem.store");
            (is_copy && is_read_after(op)).then(|| -> Break { Box::new(move || into_swap(op)) })
        }
        Kind::RepeatsNothing => {
            let mut before = op.block()?.ops().take_while(|other| *other != op);
            let original = before.find(|other| other.name() == op.name())?;
            (op.attribute(RECOMPUTE).is_some())
                .then(|| -> Break { Box::new(move || original.erase()) })
        }
        _ => None,
    }
}

/// Whether an operation is directly in a function, a loop or a branch, and not in the body of a
/// structured operation.
fn is_of_function(op: Op) -> bool {
    let parent = op.parent();
    parent.is_some_and(|parent| ["func.func", "scf.for", "scf.if"].contains(&parent.name()))
}

/// Makes a descriptor refer to another buffer of the same size.
fn other_tensor(op: Op) -> Option<Break> {
    let is_used = |op: Op| op.results().any(Value::is_used);
    let own = op
        .operands()
        .next()
        .filter(|_| op.name() == "mem.descriptor" && is_used(op))?;
    let view = own.owner().and_then(ViewOp::of)?;
    let before = op.block()?.ops().take_while(|other| *other != op);
    let mut others = before.filter(|other| ViewOp::of(*other).is_some());
    let other = others.find(|other| {
        let name = ViewOp::of(*other).and_then(ViewOp::name);
        name != view.name() && other.result().ty() == own.ty()
    })?;
    let operands: Vec<Value> = op.operands().skip(1).collect();
    Some(Box::new(move || {
        let operands: Vec<Value> = [other.result()].into_iter().chain(operands).collect();
        op.set_operands(&operands);
    }))
}

/// Whether the source of a transfer is needed afterwards: by a later kernel in the same block, or
/// by the caller.
fn is_read_after(transfer: Op) -> bool {
    let source = root_of(transfer.operand(0));
    let reads = |op: Op| {
        let mut operands = op.operands().filter(|value| is_storage(value.ty()));
        op.name() == "mem.kernel" && operands.any(|value| root_of(value) == source)
    };
    let later = std::iter::successors(transfer.next(), |op| op.next());
    source.owner().is_none() || later.into_iter().any(reads)
}

fn into_swap(copy: Op) {
    let mut swap = Builder::new("mem.swap", copy.location()).operands(copy.operands());
    for token in copy.results() {
        swap = swap.result(token.ty());
    }
    let swap = swap.before(copy);
    for (old, new) in copy.results().zip(swap.results()) {
        old.replace_with(new);
    }
    copy.erase();
}

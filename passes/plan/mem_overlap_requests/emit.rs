//! Writes a planned sequence to the IR.

use rustc_hash::FxHashMap as HashMap;

use crate::ir::mpi::message_of;
use crate::ir::{Builder, Op, Type, Value};

use super::sequence::{Item, Message, MessageId, Sequence};

/// Moves the operations of a block into the planned order. Messages that are in flight beside
/// something become requests. Returns the number of new requests.
pub(super) fn emit(sequence: &Sequence) -> u64 {
    let Some(last) = last_op(sequence) else {
        return 0;
    };
    let mut requests: HashMap<MessageId, Value> = HashMap::default();
    for item in &sequence.items {
        match item {
            Item::Op(id) if sequence.other(*id).op == last => {}
            Item::Op(id) => sequence.other(*id).op.move_before(last),
            Item::Start(id) => {
                let message = sequence.message(*id);
                let is_new = message.wait.is_none() && sequence.is_overlapped(*id);
                match is_new.then(|| start(message, last)).flatten() {
                    Some(request) => drop(requests.insert(*id, request)),
                    None => message.op.move_before(last),
                }
            }
            Item::Wait(id) => {
                let message = sequence.message(*id);
                if let Some(wait) = message.wait {
                    wait.move_before(last);
                } else if let Some(request) = requests.get(id) {
                    let wait = Builder::new("mpi.wait", message.op.location());
                    wait.operands([*request]).before(last);
                }
            }
        }
    }
    let is_replaced = |id: &MessageId| requests.contains_key(id);
    for id in sequence.message_ids().filter(is_replaced) {
        sequence.message(id).op.erase();
    }
    requests.len() as u64
}

/// Starts the request that replaces a blocking operation.
fn start(message: &Message, last: Op) -> Option<Value> {
    let op = message.op;
    let mut builder = Builder::new(message_of(op)?.starting, op.location())
        .operands(op.operands())
        .result(Type::parse(op.context(), "!mpi.request"));
    for (name, value) in op.attributes() {
        builder = builder.attribute(name, value);
    }
    Some(builder.before(last).result())
}

fn last_op(sequence: &Sequence) -> Option<Op> {
    match sequence.original.last()? {
        Item::Op(id) => Some(sequence.other(*id).op),
        Item::Start(_) | Item::Wait(_) => None,
    }
}

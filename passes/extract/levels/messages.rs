//! What steps do with the link to the other ranks.
//!
//! The link of a hierarchy is an engine of its own: it carries the messages of a rank one after the
//! other, each in `latency + bytes / bandwidth` cycles, beside computation and copies. A request is a
//! message that the step of its wait waits for; a blocking message is waited for where it starts, and a
//! reduction takes two messages, as in a ring of many ranks, and blocks. A wait for a request that
//! arrives through a branch or a loop may be for any message, so it waits for all of them: the model
//! waits rather too long.

use std::collections::HashMap;

use mem_model::{Bytes, LinkUse, MessageId, Port};

use crate::extract::Extraction;
use crate::ir::mpi::{awaits_request, is_request, message_of, starts_request};
use crate::ir::{Op, Value, storage_bytes};

/// Cycles for which one execution of an operation occupies the link; `None`: not at all.
fn cycles(op: Op, link: Port) -> Option<u64> {
    // A message of unknown size has a latency at least.
    let bytes = |value: Value| storage_bytes(value.ty()).unwrap_or(0);
    let (bytes, n_messages) = match op.name() {
        "mpi.allreduce" => (bytes(op.operand(1)).saturating_mul(2), 2),
        _ => (message_of(op).map(|_| bytes(op.operand(0)))?, 1),
    };
    let streaming = Port { latency: 0, ..link }.cycles(Bytes::new(bytes));
    let latency = link.latency.saturating_mul(n_messages);
    Some(latency.saturating_add(streaming))
}

/// The part of each step in messages, indexed by step.
pub(super) fn link_uses(extraction: &Extraction, link: Port) -> Vec<LinkUse> {
    let mut messages: HashMap<Value, MessageId> = HashMap::new();
    let uses = extraction.step_ops.iter().map(|op| {
        if awaits_request(*op) {
            return LinkUse::Awaits(messages.get(&op.operand(0)).copied());
        }
        let Some(cycles) = cycles(*op, link) else {
            return LinkUse::None;
        };
        if !starts_request(*op) {
            return LinkUse::Blocks(cycles);
        }
        let message = MessageId::new(messages.len());
        let request = op.results().find(|own| is_request(own.ty()));
        messages.extend(request.map(|own| (own, message)));
        LinkUse::Starts { message, cycles }
    });
    uses.collect()
}

//! How long a rank waits for messages, as a part of the durations of steps.
//!
//! The link of a hierarchy is an engine of its own: it carries the messages of a rank one after the
//! other, each in `latency + bytes / bandwidth` cycles, from the step that starts it or when the link is
//! free. A wait lasts until its message is complete. Computation between start and wait is
//! hidden; accesses and copies in between hide nothing, so the model waits rather too long. A blocking
//! message is waited for where it starts, and a reduction takes two messages, as in a ring of many
//! ranks. The other ranks are taken to be as far.
//!
//! One pass over the steps of a function, in order. A message is started and waited for in one block,
//! so both are executed equally often.

use std::collections::HashMap;

use mem_model::{Bytes, Port};

use crate::extract::Extraction;
use crate::ir::mpi::{awaits_request, is_request, message_of, starts_request};
use crate::ir::{Op, Value, storage_bytes};

/// The messages in flight: when each of them is complete, in cycles of all executions.
type Flights = HashMap<Value, u128>;

/// Bytes that the link carries for an operation, all messages together.
fn carried(op: Op) -> Option<u64> {
    let bytes = |value: Value| storage_bytes(value.ty());
    match op.name() {
        "mpi.allreduce" => bytes(op.operand(1))?.checked_mul(2),
        _ => message_of(op).and_then(|_| bytes(op.operand(0))),
    }
}

/// Adds the cycles that each step waits for messages. `repeats` and `cycles` are indexed by step:
/// executions, and cycles of one execution.
pub(super) fn add_waits(extraction: &Extraction, link: Port, repeats: &[u64], cycles: &mut [u64]) {
    let (mut now, mut free) = (0_u128, 0_u128);
    let mut flights = Flights::new();
    for (step, op) in extraction.step_ops.iter().enumerate() {
        let times = u128::from(repeats[step].max(1));
        let mut end = now;
        if let Some(bytes) = carried(*op) {
            let n_messages = if op.name() == "mpi.allreduce" { 2 } else { 1 };
            let streaming = Port { latency: 0, ..link }.cycles(Bytes::new(bytes));
            let each = u128::from(link.latency) * n_messages + u128::from(streaming);
            free = free.max(now) + each * times;
            match starts_request(*op) {
                true => {
                    let request = op.results().find(|own| is_request(own.ty()));
                    flights.extend(request.map(|own| (own, free)));
                }
                false => end = free,
            }
        }
        if awaits_request(*op) {
            let known = flights.remove(&op.operand(0));
            end = known.map_or(now, |over| over.max(now));
        }
        let waited = (end - now).div_ceil(times);
        let waited = u64::try_from(waited).unwrap_or(u64::MAX);
        cycles[step] = cycles[step].saturating_add(waited);
        now += u128::from(cycles[step]) * times;
    }
}

//! What steps do with the links to the other ranks, and which start copies that the program itself makes
//! beside computation.
//!
//! A link of a hierarchy is an engine of its own, or one for each direction: it carries the messages of a
//! rank one after the other, each in `latency + bytes / bandwidth` cycles, beside computation, copies and
//! the messages of other links. A request is a message that the step of its wait waits for; a blocking message is
//! waited for where it starts, and a reduction takes two messages, as in a ring of many ranks, and blocks.
//! A wait for a request that arrives through a branch or a loop may be for any message, so it waits for all of
//! them: the model waits rather too long.
//!
//! Routes say which link a message travels over. They ask between which ranks it travels, which is
//! evaluated for each rank (`per_rank.rs`).

use std::collections::HashMap;

use mem_cost::{Traffic, carrier};
use mem_model::{Bytes, Carrier, Hierarchy, LinkUse, MessageId, MessageKind, Port};

use super::per_rank::PerRank;
use crate::extract::Extraction;
use crate::ir::dialect::is_transfer;
use crate::ir::mpi::{awaits_request, is_request, message_of, starts_request};
use crate::ir::{Op, Value, storage_bytes};

/// What an operation sends, for the rank that executes it.
fn kind_of(op: Op) -> Option<MessageKind> {
    match op.name() {
        "mpi.allreduce" => Some(MessageKind::Collective),
        _ => message_of(op).map(|own| match own.blocking {
            "mpi.send" => MessageKind::Send,
            _ => MessageKind::Receive,
        }),
    }
}

/// Cycles for which one execution of an operation occupies a link.
fn cycles(op: Op, kind: MessageKind, link: Port) -> u64 {
    // A message of unknown size has a latency at least.
    let bytes = |value: Value| storage_bytes(value.ty()).unwrap_or(0);
    let (bytes, n_messages) = match kind {
        MessageKind::Collective => (bytes(op.operand(1)).saturating_mul(2), 2),
        MessageKind::Send | MessageKind::Receive => (bytes(op.operand(0)), 1),
    };
    let streaming = Port { latency: 0, ..link }.cycles(Bytes::new(bytes));
    let latency = link.latency.saturating_mul(n_messages);
    latency.saturating_add(streaming)
}

/// The ends of a message on each rank that starts it; `None` if they are not known. See [`Traffic`].
fn ends(op: Op, kind: MessageKind, per_rank: &mut PerRank) -> Option<Vec<(u64, u64)>> {
    let groups = per_rank.groups(op.operands().last()?)?;
    let others = match kind {
        MessageKind::Collective => None,
        MessageKind::Send | MessageKind::Receive => Some(per_rank.numbers(op.operand(2))?),
    };
    let mut ends = Vec::new();
    let executes = per_rank.executes(op);
    for (rank, group) in groups
        .iter()
        .enumerate()
        .filter(|(rank, _)| executes[*rank])
    {
        let Some(group) = group else { continue };
        let other = match &others {
            None => group.first(),
            // A number outside of the communicator is no rank: no message is sent.
            Some(others) => match usize::try_from(others[rank]?) {
                Ok(number) => group.get(number),
                Err(_) => None,
            },
        };
        ends.extend(other.map(|other| (rank as u64, *other)));
    }
    Some(ends)
}

/// Where a message travels.
fn carrier_of(
    op: Op,
    kind: MessageKind,
    hierarchy: &Hierarchy,
    per_rank: &mut Option<PerRank>,
) -> Carrier {
    let is_to_constant = kind != MessageKind::Collective
        && (op.operands().last())
            .and_then(Value::owner)
            .is_some_and(|own| own.name() == "mpi.comm_world");
    let peer = is_to_constant.then(|| op.operand(2).constant()).flatten();
    let message = Traffic {
        kind,
        ends: per_rank.as_mut().and_then(|own| ends(op, kind, own)),
        peer: peer.and_then(|own| u64::try_from(own).ok()),
    };
    carrier(hierarchy, &message)
}

/// The part of each step in messages and copies, indexed by step. Empty if there are none.
pub(super) fn link_uses(extraction: &Extraction, hierarchy: &Hierarchy) -> Vec<LinkUse> {
    let has_links = !hierarchy.links.is_empty();
    // Ranks matter to routes only.
    let n_ranks = hierarchy.ranks.iter().product::<u64>();
    let has_ranks = !hierarchy.ranks.is_empty() && !hierarchy.routes.is_empty();
    let n_ranks = usize::try_from(n_ranks).ok().filter(|_| has_ranks);
    let mut per_rank = n_ranks.map(PerRank::new);
    let mut messages: HashMap<Value, MessageId> = HashMap::new();
    let uses = extraction.step_ops.iter().map(|op| {
        if op.name() == "mem.wait" {
            let mut tokens = op.operands();
            // Of several tokens, the model does not know which one is the last.
            return match (tokens.next(), tokens.next()) {
                (Some(token), None) => LinkUse::Awaits(messages.get(&token).copied()),
                (None, _) => LinkUse::None,
                _ => LinkUse::Awaits(None),
            };
        }
        if is_transfer(*op)
            && let Some(token) = op.results().next()
        {
            let message = MessageId::new(messages.len());
            messages.insert(token, message);
            return LinkUse::Copies(message);
        }
        if awaits_request(*op) && has_links {
            return LinkUse::Awaits(messages.get(&op.operand(0)).copied());
        }
        let Some(kind) = kind_of(*op).filter(|_| has_links) else {
            return LinkUse::None;
        };
        let on = carrier_of(*op, kind, hierarchy, &mut per_rank);
        let cycles = cycles(*op, kind, hierarchy.links[on.link.index()].port);
        if !starts_request(*op) {
            return LinkUse::Blocks { cycles, on };
        }
        let message = MessageId::new(messages.len());
        let request = op.results().find(|own| is_request(own.ty()));
        messages.extend(request.map(|own| (own, message)));
        LinkUse::Starts {
            message,
            cycles,
            on,
        }
    });
    let uses: Vec<LinkUse> = uses.collect();
    let has_some = uses.iter().any(|own| *own != LinkUse::None);
    if has_links || has_some {
        uses
    } else {
        Vec::new()
    }
}

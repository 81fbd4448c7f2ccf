//! The link to the other ranks while a program runs: an engine that carries messages one after the
//! other, beside computation and beside the copies of other engines.
//!
//! A message occupies the link from the step that starts it, or from when the link is free, for the
//! cycles that the step states. A step that waits for a message lasts until the message is complete,
//! and so does a step that blocks. A step that is executed several times sends as many messages, and
//! its link time is that of all of them, as its own time is that of all executions: a loop takes the
//! longer of its computation and its messages. The other ranks are taken to be as far.

use std::collections::HashMap;

use mem_model::{LevelProblem, LinkUse, MessageId};

use crate::Span;

/// The state of the link at a point of the program.
#[derive(Debug, Default)]
pub(crate) struct RankLink {
    /// When the last message that has been started is complete.
    free: u64,
    /// When each message is complete.
    ends: HashMap<MessageId, u64>,
}

impl RankLink {
    /// Runs all executions of a step, `repeats` of them, that begin at `now` and take `cycles` without
    /// waiting. `each` is what one of them does with the link. Returns when they end, and when the step
    /// occupies the link.
    pub(crate) fn run(
        &mut self,
        (each, repeats): (LinkUse, u64),
        now: u64,
        cycles: u64,
    ) -> (u64, Option<Span>) {
        let all = each.cycles().saturating_mul(repeats.max(1));
        let mut carry = || {
            let start = self.free.max(now);
            self.free = start.saturating_add(all);
            Span {
                start,
                end: self.free,
            }
        };
        let end = now.saturating_add(cycles);
        match each {
            LinkUse::None => (end, None),
            LinkUse::Starts { message, .. } => {
                let span = carry();
                self.ends.insert(message, span.end);
                (end, Some(span))
            }
            LinkUse::Blocks(_) => {
                let span = carry();
                (end.max(span.end), Some(span))
            }
            LinkUse::Awaits(message) => {
                let complete = match message {
                    Some(message) => self.ends.get(&message).copied().unwrap_or(0),
                    None => self.free,
                };
                (now.max(complete).saturating_add(cycles), None)
            }
        }
    }

    /// When the last message is complete.
    pub(crate) fn end(&self) -> u64 {
        self.free
    }
}

/// Start of each step, and the end of the program, if all executions of a step take as many cycles
/// without waiting for messages, and nothing is copied. `cycles` is indexed by step.
#[must_use]
pub fn step_times(problem: &LevelProblem, cycles: &[u64]) -> Vec<u64> {
    let mut link = RankLink::default();
    let mut times = vec![0_u64];
    let mut now = 0;
    for (step, cycles) in problem.steps.iter().zip(cycles) {
        (now, _) = link.run((step.link, step.repeats), now, *cycles);
        times.push(now);
    }
    // The program ends when its last message does. Without messages, the link has never been used.
    times[problem.steps.len()] = now.max(link.end());
    times
}

/// Cycles in which one execution of each step waits for messages if computation alone hides them,
/// and accesses and copies do not: those of the serial model. `repeats` and `cycles` are indexed by
/// step: executions, and computation of one execution.
#[must_use]
pub fn serial_waits(links: &[LinkUse], repeats: &[u64], cycles: &[u64]) -> Vec<u64> {
    let mut link = RankLink::default();
    let mut now = 0_u64;
    let steps = links.iter().zip(repeats).zip(cycles);
    let waits = steps.map(|((own, repeats), cycles)| {
        let (ready, _) = link.run((*own, *repeats), now, 0);
        let repeats = (*repeats).max(1);
        let waits = (ready - now).div_ceil(repeats);
        let each = cycles.saturating_add(waits);
        now = now.saturating_add(each.saturating_mul(repeats));
        waits
    });
    waits.collect()
}

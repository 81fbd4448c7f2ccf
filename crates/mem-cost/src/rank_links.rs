//! The links to the other ranks while a program runs: each is an engine that carries messages one after
//! the other, or one for each direction, beside computation and beside the copies of other engines.
//!
//! A message occupies its link from the step that starts it, or from when the link is free, for the
//! cycles that the step states. Messages on different links, and on the two directions of a duplex link,
//! travel at the same time; one that needs both directions waits until both are free. A step that waits for a message lasts until the message is complete,
//! and so does a step that blocks. A step that is executed several times sends as many messages, and
//! its link time is that of all of them, as its own time is that of all executions: a loop takes the
//! longer of its computation and its messages. The other ranks are taken to be as far.

use std::collections::HashMap;

use mem_model::{Carrier, LevelProblem, LinkUse, MessageId};

use crate::Span;

/// The state of the links at a point of the program.
#[derive(Debug, Default)]
pub(crate) struct RankLinks {
    /// Indexed by link: when its engines for sending and for receiving are free.
    free: Vec<[u64; 2]>,
    /// When each message is complete.
    ends: HashMap<MessageId, u64>,
    /// When the last of the copies is complete.
    last: u64,
}

impl RankLinks {
    /// Runs all executions of a step, `repeats` of them, that begin at `now` and take `cycles` without
    /// waiting. `each` is what one of them does with a link. Returns when they end, and when the step
    /// occupies the link.
    pub(crate) fn run(
        &mut self,
        (each, repeats): (LinkUse, u64),
        now: u64,
        cycles: u64,
    ) -> (u64, Option<Span>) {
        let all = each.cycles().saturating_mul(repeats.max(1));
        let end = now.saturating_add(cycles);
        match each {
            LinkUse::None => (end, None),
            // The step is the copy.
            LinkUse::Copies(message) => {
                self.complete(message, end);
                (end, None)
            }
            LinkUse::Starts { message, on, .. } => {
                let span = self.carry(on, now, all);
                self.ends.insert(message, span.end);
                (end, Some(span))
            }
            LinkUse::Blocks { on, .. } => {
                let span = self.carry(on, now, all);
                (end.max(span.end), Some(span))
            }
            LinkUse::Awaits(message) => {
                let complete = match message {
                    Some(message) => self.ends.get(&message).copied().unwrap_or(0),
                    None => self.end(),
                };
                (now.max(complete).saturating_add(cycles), None)
            }
        }
    }

    /// Records when a message is complete, or a copy that is waited for as one.
    pub(crate) fn complete(&mut self, message: MessageId, end: u64) {
        self.ends.insert(message, end);
        self.last = self.last.max(end);
    }

    /// Occupies a link for `cycles`, from `now` or from when it is free.
    fn carry(&mut self, on: Carrier, now: u64, cycles: u64) -> Span {
        let link = on.link.index();
        if link >= self.free.len() {
            self.free.resize(link + 1, [0; 2]);
        }
        let lanes = self.free[link].iter_mut().zip(on.lanes.occupied());
        let lanes: Vec<&mut u64> = lanes.filter(|own| own.1).map(|own| own.0).collect();
        let start = lanes.iter().fold(now, |start, free| start.max(**free));
        let end = start.saturating_add(cycles);
        for lane in lanes {
            *lane = end;
        }
        Span { start, end }
    }

    /// When the last message and the last copy are complete.
    pub(crate) fn end(&self) -> u64 {
        let links = self.free.iter().flatten().copied().max();
        links.unwrap_or(0).max(self.last)
    }
}

/// Start of each step, and the end of the program, if all executions of a step take as many cycles
/// without waiting for messages, and nothing is copied. `cycles` is indexed by step.
#[must_use]
pub fn step_times(problem: &LevelProblem, cycles: &[u64]) -> Vec<u64> {
    let mut links_of_rank = RankLinks::default();
    let mut times = vec![0_u64];
    let mut now = 0;
    for (step, cycles) in problem.steps.iter().zip(cycles) {
        (now, _) = links_of_rank.run((step.link, step.repeats), now, *cycles);
        times.push(now);
    }
    // The program ends when its last message does. Without messages, no link has ever been used.
    times[problem.steps.len()] = now.max(links_of_rank.end());
    times
}

/// Cycles in which one execution of each step waits for messages if computation alone hides them,
/// and accesses and copies do not: those of the serial model. `repeats` and `cycles` are indexed by
/// step: executions, and computation of one execution.
#[must_use]
pub fn serial_waits(links: &[LinkUse], repeats: &[u64], cycles: &[u64]) -> Vec<u64> {
    let mut links_of_rank = RankLinks::default();
    let mut now = 0_u64;
    let steps = links.iter().zip(repeats).zip(cycles);
    let waits = steps.map(|((own, repeats), cycles)| {
        let (ready, _) = links_of_rank.run((*own, *repeats), now, 0);
        let repeats = (*repeats).max(1);
        let waits = (ready - now).div_ceil(repeats);
        let each = cycles.saturating_add(waits);
        now = now.saturating_add(each.saturating_mul(repeats));
        waits
    });
    waits.collect()
}

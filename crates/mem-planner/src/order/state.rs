//! States of a search, and moves between them that are never wrong.
//!
//! A unit is *free* in a state if it takes no more bytes than the peak so far, and leaves no more
//! in memory than before. It may run at once: what a unit adds to a larger state is at most what it
//! adds to this one, so every unit that runs later takes at most as many bytes as it would if the
//! free unit ran after it. The same holds for a chain of units, each a successor of the one before,
//! that takes no more than the peak so far, and leaves no more in memory after its last unit than
//! before the first one, but does after all others.

use super::reach::{has, insert, remove};
use super::task::{Effect, Outside, Task};
use super::tuning;

/// Units that have run, and those that can run next.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) done: Box<[u64]>,
    pub(super) n_done: usize,
    /// Units whose predecessors have all run, in ascending order, with their effects.
    pub(super) ready: Vec<(u32, Effect)>,
    /// Bytes in memory.
    pub(super) bytes: u64,
    /// The most bytes so far.
    pub(super) peak: u64,
    /// Equal for states with equal units.
    pub(super) hash: u64,
    /// The units in order: the last of them, as an index of the trail.
    pub(super) trail: Option<u32>,
}

impl State {
    /// The most bytes while a ready unit runs.
    pub(super) const fn bytes_during(&self, effect: Effect) -> u64 {
        self.bytes.saturating_add_signed(effect.rise)
    }
}

/// The states of a task.
pub(super) struct Space<'a> {
    pub(super) task: &'a Task,
    /// Units that have run, each with the entry of the one before.
    trail: Vec<(Option<u32>, u32)>,
    /// Number of words read so far, about.
    pub(super) effort: u64,
    outside: Outside,
}

impl<'a> Space<'a> {
    pub(super) const fn new(task: &'a Task) -> Self {
        Self {
            task,
            trail: Vec::new(),
            effort: 0,
            outside: Outside::new(),
        }
    }

    /// The state before the first unit.
    pub(super) fn start(&mut self) -> State {
        let n = self.task.units.len();
        let done = vec![0; n.div_ceil(64)].into_boxed_slice();
        let ready = (0..n).filter(|unit| self.task.units[*unit].preds.is_empty());
        let ready: Vec<usize> = ready.collect();
        let ready = ready.into_iter();
        let bytes = self.task.bytes_at_start();
        State {
            ready: ready
                .map(|unit| (unit as u32, self.effect(unit, &done)))
                .collect(),
            done,
            n_done: 0,
            bytes,
            peak: bytes,
            hash: 0,
            trail: None,
        }
    }

    fn effect(&mut self, unit: usize, done: &[u64]) -> Effect {
        self.effort += 4 * self.task.units[unit].uses.len() as u64;
        self.task.effect(unit, done, &mut self.outside)
    }

    /// The state after a ready unit. Linear in the state and the users of the unit's buffers.
    pub(super) fn after(&mut self, state: &State, unit: u32) -> State {
        let mut next = state.clone();
        self.effort += (state.done.len() + 3 * state.ready.len()) as u64;
        self.run(&mut next, unit);
        next
    }

    /// Runs a ready unit.
    fn run(&mut self, state: &mut State, unit: u32) {
        let at = state.ready.binary_search_by_key(&unit, |own| own.0);
        let (_, effect) = state.ready.remove(at.expect("the unit is ready"));
        state.peak = state.peak.max(state.bytes_during(effect));
        state.bytes = state.bytes.saturating_add_signed(effect.change);
        insert(&mut state.done, unit as usize);
        state.n_done += 1;
        state.hash ^= mix(u64::from(unit));
        self.trail.push((state.trail, unit));
        state.trail = Some(self.trail.len() as u32 - 1);
        self.update_ready(state, unit as usize);
    }

    /// Adds what has become ready, and updates the effects that have changed.
    fn update_ready(&mut self, state: &mut State, unit: usize) {
        let task = self.task;
        let mut changed = Vec::new();
        for own in &task.units[unit].uses {
            let buffer = &task.buffers[own.buffer as usize];
            let others = buffer.users.iter().filter(|user| **user as usize != unit);
            self.effort += buffer.users.len() as u64 / 8;
            let (done, open): (Vec<u32>, Vec<u32>) =
                others.partition(|user| has(&state.done, **user as usize));
            // If it was live before, and others still need it, it is neither born nor dies at any
            // of them.
            let is_born = done.is_empty() && !buffer.from_start;
            if is_born || (open.len() == 1 && !buffer.to_end) {
                changed.extend(open);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for user in changed {
            if let Ok(at) = state.ready.binary_search_by_key(&user, |own| own.0) {
                state.ready[at].1 = self.effect(user as usize, &state.done);
            }
        }
        for &succ in &task.units[unit].succs {
            if self.is_ready(succ as usize, &state.done) {
                let effect = self.effect(succ as usize, &state.done);
                let at = state.ready.partition_point(|own| own.0 < succ);
                state.ready.insert(at, (succ, effect));
            }
        }
    }

    fn is_ready(&mut self, unit: usize, done: &[u64]) -> bool {
        let preds = &self.task.units[unit].preds;
        self.effort += 1 + preds.len() as u64 / 8;
        preds.iter().all(|pred| has(done, *pred as usize))
    }

    /// Runs units and chains that are free if the peak may be `floor`, until none is left.
    pub(super) fn settle(&mut self, state: &mut State, floor: u64) {
        loop {
            let limit = state.peak.max(floor);
            let is_free = |(_, effect): &&(u32, Effect)| {
                effect.change <= 0 && state.bytes_during(*effect) <= limit
            };
            self.effort += state.ready.len() as u64;
            let free = state.ready.iter().find(is_free).map(|own| vec![own.0]);
            let Some(units) = free.or_else(|| self.free_chain(state, limit)) else {
                return;
            };
            units.into_iter().for_each(|unit| self.run(state, unit));
        }
    }

    /// A free chain of several units.
    fn free_chain(&mut self, state: &mut State, limit: u64) -> Option<Vec<u32>> {
        if state.ready.len() > tuning::MAX_CHAIN * tuning::MAX_CHAIN {
            return None;
        }
        (0..state.ready.len()).find_map(|at| {
            let (first, effect) = state.ready[at];
            let is_low = state.bytes_during(effect) <= limit;
            let chain = is_low.then(|| self.chain(state, (first, effect), limit));
            chain
                .filter(|(_, is_free)| *is_free)
                .map(|(units, _)| units)
        })
    }

    /// The chain that begins with a unit, and whether it is free.
    fn chain(
        &mut self,
        state: &mut State,
        (first, effect): (u32, Effect),
        limit: u64,
    ) -> (Vec<u32>, bool) {
        let mut units = vec![first];
        let mut change = effect.change;
        insert(&mut state.done, first as usize);
        while change > 0 && units.len() < tuning::MAX_CHAIN {
            let last = units[units.len() - 1] as usize;
            let task = self.task;
            let mut succs = task.units[last].succs.iter().copied();
            let Some(next) = succs.find(|succ| self.is_ready(*succ as usize, &state.done)) else {
                break;
            };
            let effect = self.effect(next as usize, &state.done);
            let bytes = state.bytes.saturating_add_signed(change);
            if bytes.saturating_add_signed(effect.rise) > limit {
                break;
            }
            units.push(next);
            insert(&mut state.done, next as usize);
            change += effect.change;
        }
        units
            .iter()
            .for_each(|unit| remove(&mut state.done, *unit as usize));
        (units, change <= 0)
    }

    /// The units that lead to a state, in order.
    pub(super) fn order(&self, state: &State) -> Vec<u32> {
        let mut units = Vec::with_capacity(state.n_done);
        let mut next = state.trail;
        while let Some(at) = next {
            let (before, unit) = self.trail[at as usize];
            units.push(unit);
            next = before;
        }
        units.reverse();
        units
    }
}

/// A hash of a number (SplitMix64).
const fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

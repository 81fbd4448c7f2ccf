//! Orders in which few bytes leave a memory of limited capacity and come back.
//!
//! A buffer is in the memory as a whole or not at all, so the bytes that are live above the capacity say
//! little where buffers are large: one byte too many evicts all of a buffer. Therefore orders are
//! evaluated by running them: before each unit, the buffers whose next use is farthest are evicted until
//! there is room (Bélády, 1966). The cost of an order is the bytes that are evicted and loaded.
//!
//! The own order, or the one in which lives end early if it costs less, is improved by moves: for each
//! buffer that is evicted and loaded, what uses it next runs before the unit that needs the room or right
//! after an earlier use, with all that it depends on; or the unit that needs the room runs after it, with
//! all that depends on the unit. The first move that costs less is made, the largest buffers first.
//!
//! Takes O(accesses · log buffers) for each order that is evaluated, and a bounded effort in all.

use std::collections::BTreeSet;

use super::task::{Task, Use};
use super::{early, tuning};

/// A buffer that is evicted and used again, by positions in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Eviction {
    buffer: u32,
    size: u64,
    /// The unit that needs the room.
    at: usize,
    /// The next use.
    next: usize,
}

/// What happens if units run in an order.
struct Traffic {
    /// Bytes that are evicted and loaded.
    bytes: u64,
    /// The evictions of buffers that are used again.
    evictions: Vec<Eviction>,
}

/// All units, in an order that the dependences permit.
pub(super) fn order_units(task: &Task, capacity: u64) -> Vec<u32> {
    let own: Vec<u32> = (0..task.units.len() as u32).collect();
    let early = early::order_units(task);
    let (own, early) = (
        (Traffic::of(task, &own, capacity), own),
        (Traffic::of(task, &early, capacity), early),
    );
    // Of equal ones, the order in which lives end early.
    let (traffic, order) = match early.0.bytes <= own.0.bytes {
        true => early,
        false => own,
    };
    improved(task, capacity, order, traffic)
}

/// Makes moves that cost less until there are none, or the effort is spent.
fn improved(task: &Task, capacity: u64, mut order: Vec<u32>, mut traffic: Traffic) -> Vec<u32> {
    let accesses: usize = task.units.iter().map(|own| own.uses.len()).sum();
    let mut trials = tuning::EVICTION_EFFORT / (accesses as u64 + 1);
    loop {
        traffic.evictions.sort_by_key(|own| {
            let distance = own.next - own.at;
            (std::cmp::Reverse(own.size), distance, own.at)
        });
        let better = 'found: {
            for eviction in &traffic.evictions {
                // Finding the moves takes about as long as evaluating one of them.
                trials = trials.saturating_sub(1);
                for moved in moves(task, &order, *eviction) {
                    if trials == 0 {
                        break 'found None;
                    }
                    trials -= 1;
                    let other = Traffic::of(task, &moved, capacity);
                    if other.bytes < traffic.bytes {
                        break 'found Some((moved, other));
                    }
                }
            }
            None
        };
        match better {
            Some(better) => (order, traffic) = better,
            None => return order,
        }
    }
}

/// The orders in which a buffer may not have to be evicted.
fn moves(task: &Task, order: &[u32], eviction: Eviction) -> Vec<Vec<u32>> {
    let Eviction {
        buffer, at, next, ..
    } = eviction;
    let users = &task.buffers[buffer as usize].users;
    let used = (0..at)
        .rev()
        .filter(|at| users.binary_search(&order[*at]).is_ok());
    // After each of its last uses, the next one may come.
    let mut targets = vec![at];
    targets.extend(used.map(|at| at + 1).take(tuning::MAX_TARGETS));
    targets.dedup();
    let earlier = targets.iter().map(|to| run_earlier(task, order, *to, next));
    let later = run_later(task, order, at, next);
    earlier.chain([later]).flatten().collect()
}

/// Runs the unit at `from` at position `to` before it, with all that it depends on in between. `None` if it
/// depends on the unit at `to`.
fn run_earlier(task: &Task, order: &[u32], to: usize, from: usize) -> Option<Vec<u32>> {
    let preds = |unit: u32| &task.units[unit as usize].preds;
    let is_moved = connected(task.units.len(), order[to..=from].iter().rev(), preds);
    (!is_moved[order[to] as usize]).then_some(())?;
    let (moved, stay): (Vec<u32>, Vec<u32>) = order[to..=from]
        .iter()
        .partition(|unit| is_moved[**unit as usize]);
    Some([&order[..to], &moved, &stay, &order[from + 1..]].concat())
}

/// Runs the unit at `from` after that at `to`, with all in between that depends on it. `None` if the unit at
/// `to` does.
fn run_later(task: &Task, order: &[u32], from: usize, to: usize) -> Option<Vec<u32>> {
    let succs = |unit: u32| &task.units[unit as usize].succs;
    let is_moved = connected(task.units.len(), order[from..=to].iter(), succs);
    (!is_moved[order[to] as usize]).then_some(())?;
    let (moved, stay): (Vec<u32>, Vec<u32>) = order[from..=to]
        .iter()
        .partition(|unit| is_moved[**unit as usize]);
    Some([&order[..from], &stay, &moved, &order[to + 1..]].concat())
}

/// The first of `units` and those that are neighbors of one before.
fn connected<'a, 't>(
    n: usize,
    units: impl Iterator<Item = &'a u32>,
    neighbors: impl Fn(u32) -> &'t Vec<u32>,
) -> Vec<bool> {
    let mut is_reached = vec![false; n];
    for (index, unit) in units.enumerate() {
        if index == 0 || is_reached[*unit as usize] {
            is_reached[*unit as usize] = true;
            for other in neighbors(*unit) {
                is_reached[*other as usize] = true;
            }
        }
    }
    is_reached
}

/// A memory while units run.
struct Memory<'a> {
    task: &'a Task,
    capacity: u64,
    bytes: u64,
    state: Vec<State>,
    /// The buffers in the memory by their next use.
    by_next: BTreeSet<(usize, u32)>,
    traffic: Traffic,
}

#[derive(Clone, Copy, Default)]
struct State {
    is_born: bool,
    is_here: bool,
    /// Position of the next use.
    next: usize,
}

impl Traffic {
    /// Runs units in an order.
    fn of(task: &Task, order: &[u32], capacity: u64) -> Self {
        let (first, nexts) = uses(task, order);
        let mut memory = Memory {
            task,
            capacity: capacity.saturating_sub(task.base),
            bytes: 0,
            state: vec![State::default(); task.buffers.len()],
            by_next: BTreeSet::new(),
            traffic: Self {
                bytes: 0,
                evictions: Vec::new(),
            },
        };
        memory.start(&first);
        let mut from = 0;
        for (at, unit) in order.iter().enumerate() {
            let to = from + task.units[*unit as usize].uses.len();
            memory.run(*unit, at, &nexts[from..to]);
            from = to;
        }
        memory.traffic
    }
}

/// The position of the first use of each buffer; and for each use in an order, that of the next one, or the
/// number of units.
fn uses(task: &Task, order: &[u32]) -> (Vec<usize>, Vec<usize>) {
    let mut next = vec![order.len(); task.buffers.len()];
    let mut found = Vec::new();
    for (at, unit) in order.iter().enumerate().rev() {
        for own in task.units[*unit as usize].uses.iter().rev() {
            found.push(std::mem::replace(&mut next[own.buffer as usize], at));
        }
    }
    found.reverse();
    (next, found)
}

impl Memory<'_> {
    /// Buffers that are live at the start are in the memory. `first` are their first uses.
    fn start(&mut self, first: &[usize]) {
        for (buffer, own) in self.task.buffers.iter().enumerate() {
            if own.from_start {
                self.bytes += own.size;
                self.by_next.insert((first[buffer], buffer as u32));
                self.state[buffer] = State {
                    is_born: true,
                    is_here: true,
                    next: first[buffer],
                };
            }
        }
    }

    /// Runs a unit; `nexts` are the next uses of what it accesses.
    fn run(&mut self, unit: u32, at: usize, nexts: &[usize]) {
        let task = self.task;
        let own = &task.units[unit as usize];
        let is_last = |index: usize| {
            let buffer = &task.buffers[own.uses[index].buffer as usize];
            nexts[index] == task.units.len() && !buffer.to_end
        };
        let is_first = |index: usize| !self.state[own.uses[index].buffer as usize].is_born;
        let taken = own
            .pairs
            .iter()
            .filter(|pair| is_last(pair.operand as usize) && is_first(pair.result as usize));
        // Units of one step have few pairs, and most often one.
        let mut room: u64 = taken.map(|pair| pair.bytes).sum();
        for used in &own.uses {
            let state = self.state[used.buffer as usize];
            let size = task.buffers[used.buffer as usize].size;
            if state.is_here {
                self.by_next.remove(&(state.next, used.buffer));
            } else {
                self.bytes += size;
                if state.is_born {
                    self.traffic.bytes += size;
                }
            }
        }
        room = room.saturating_add(self.capacity);
        self.evict(room, at);
        for (index, (used, next)) in own.uses.iter().zip(nexts).enumerate() {
            self.finish(used, *next, is_last(index));
        }
    }

    /// Evicts what is used last until `room` bytes are enough.
    fn evict(&mut self, room: u64, at: usize) {
        while self.bytes > room {
            let Some((next, buffer)) = self.by_next.pop_last() else {
                return;
            };
            let state = &mut self.state[buffer as usize];
            let size = self.task.buffers[buffer as usize].size;
            state.is_here = false;
            self.bytes -= size;
            self.traffic.bytes += size;
            if next < self.task.units.len() {
                self.traffic.evictions.push(Eviction {
                    buffer,
                    size,
                    at,
                    next,
                });
            }
        }
    }

    fn finish(&mut self, used: &Use, next: usize, is_last: bool) {
        let state = &mut self.state[used.buffer as usize];
        *state = State {
            is_born: true,
            is_here: !is_last,
            next,
        };
        match is_last {
            true => self.bytes -= self.task.buffers[used.buffer as usize].size,
            false => {
                self.by_next.insert((next, used.buffer));
            }
        }
    }
}

/// Bytes that are evicted and loaded if units run in an order.
#[cfg(test)]
pub(super) fn traffic(task: &Task, order: &[u32], capacity: u64) -> u64 {
    Traffic::of(task, order, capacity).bytes
}

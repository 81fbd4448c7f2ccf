//! The exact search: states in ascending order of the least peak with which they can be reached.
//!
//! Dynamic programming over states, as in Serenity (Ahn et al., MLSys 2020): of all ways to reach a
//! state, one of least peak suffices, since what follows depends on the state alone. States are
//! visited like the nodes of a shortest path whose length is that of its longest edge, so the first
//! way to the last state is the best one, and at any time the next peak is a lower bound. This
//! replaces Serenity's search for a budget: no state is visited that takes more than the best
//! order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::state::{Space, State};
use super::task::Task;

/// What the search has found out.
pub(super) struct Exact {
    /// An order of least peak; `None` if none has a peak below the limit, or the effort was spent.
    pub(super) order: Option<Vec<u32>>,
    /// No order has a lower peak than this, or than the limit.
    pub(super) bound: u64,
    pub(super) effort: u64,
}

/// Searches for an order with a peak below `limit`. Peaks below `floor` count as `floor`. Ends
/// after about `effort` words. Exponential in the number of units that can run in any order.
pub(super) fn search(task: &Task, floor: u64, limit: u64, effort: u64) -> Exact {
    let mut space = Space::new(task);
    let mut start = space.start();
    space.settle(&mut start, floor);
    let mut queue = Queue::default();
    queue.offer(start, floor, limit);
    while let Some((peak, state)) = queue.next() {
        let is_last = state.n_done == task.units.len();
        if is_last || space.effort > effort {
            return Exact {
                order: is_last.then(|| space.order(&state)),
                bound: peak,
                effort: space.effort,
            };
        }
        for &(unit, effect) in &state.ready {
            if state.bytes_during(effect) < limit {
                let mut next = space.after(&state, unit);
                space.settle(&mut next, floor.max(peak));
                queue.offer(next, floor, limit);
            }
        }
    }
    Exact {
        order: None,
        bound: limit,
        effort: space.effort,
    }
}

/// Peak, number of units that have not run as its negation, bytes in memory, index of the state.
type Key = (u64, Reverse<usize>, u64, usize);

/// States to visit, and the best peak of each state that has been reached.
#[derive(Default)]
struct Queue {
    heap: BinaryHeap<Reverse<Key>>,
    states: Vec<Option<State>>,
    best: HashMap<Box<[u64]>, u64>,
}

impl Queue {
    fn offer(&mut self, state: State, floor: u64, limit: u64) {
        let peak = state.peak.max(floor);
        if peak >= limit {
            return;
        }
        match self.best.get_mut(&state.done) {
            Some(best) if *best <= peak => return,
            Some(best) => *best = peak,
            None => {
                self.best.insert(state.done.clone(), peak);
            }
        }
        let key = (peak, Reverse(state.n_done), state.bytes, self.states.len());
        self.heap.push(Reverse(key));
        self.states.push(Some(state));
    }

    fn next(&mut self) -> Option<(u64, State)> {
        loop {
            let Reverse((peak, .., index)) = self.heap.pop()?;
            // Each state is in the queue once.
            let state = self.states[index].take()?;
            if self.best.get(&state.done) == Some(&peak) {
                return Some((peak, state));
            }
        }
    }
}

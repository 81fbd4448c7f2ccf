//! The shortest makespan of executing a small operation graph within a budget by copies to a host and
//! recomputation, by exhaustive search.
//!
//! The rules are those of plans and of their simulation. One engine copies to the host and one back,
//! each one tensor at a time, in the order in which copies are issued. Before each step, control first
//! waits for copies that were issued before earlier steps; then it drops tensors and issues copies,
//! and may wait for each of those at once. A tensor that is copied out can be read meanwhile, but keeps
//! its bytes until control has noticed that the copy has completed. One that is copied back has bytes
//! from the issue of its copy on, and can be used when control has noticed its end. The contents of a
//! tensor on the host are valid until the tensor is written again.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use mem_model::{OperationGraph, TensorId};

/// The discrete part of a state: masks of tensors, and the tensors of copies in flight, in the order
/// of their issue.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    next: usize,
    /// Control has finished waiting before the next execution.
    has_waited: bool,
    resident: u32,
    on_host: u32,
    outs: Vec<u8>,
    backs: Vec<u8>,
}

/// Cycles at which control is there, and at which the copies in flight end.
type Times = Vec<u64>;

/// The shortest makespan of executing a graph within `budget` bytes, whatever the addresses, if that is
/// less than `most`; `None` otherwise. `copies`: cycles to copy each tensor to the host, and as many
/// back. The operations keep their order, and pure ones are repeated at any time. Requires that each
/// operation writes one tensor, that with its own number. Exponential in the operations, of which
/// there are at most 32.
#[must_use]
pub(super) fn least_offloading(
    graph: &OperationGraph,
    budget: u64,
    copies: &[u64],
    most: u64,
) -> Option<u64> {
    let n = graph.operations.len();
    let mut remaining = vec![0; n + 1];
    for (id, own) in graph.operations.iter().enumerate().rev() {
        remaining[id] = remaining[id + 1] + own.cost;
    }
    let mask = |reads: &[TensorId]| reads.iter().fold(0, |mask, id| mask | 1 << id.index());
    let mut search = Search {
        sizes: graph.tensors.iter().map(|own| own.get()).collect(),
        costs: graph.operations.iter().map(|own| own.cost).collect(),
        reads: graph
            .operations
            .iter()
            .map(|own| mask(&own.reads))
            .collect(),
        is_pure: graph.operations.iter().map(|own| own.is_pure).collect(),
        needed: vec![0; n + 1],
        remaining,
        budget,
        copies,
        most,
        known: HashMap::new(),
        heap: BinaryHeap::new(),
    };
    for next in (0..n).rev() {
        search.needed[next] = search.needed[next + 1] | search.reads[next];
    }
    search.run()
}

/// A state to leave: a lower bound on the makespan, the step, and the state.
type Open = Reverse<(u64, Reverse<usize>, Place, Times)>;

struct Search<'a> {
    sizes: Vec<u64>,
    costs: Vec<u64>,
    /// Per operation: mask of the tensors that it reads.
    reads: Vec<u32>,
    is_pure: Vec<bool>,
    /// Per operation: mask of the tensors that it or a later one reads.
    needed: Vec<u32>,
    /// Per operation: its cycles and those of all later ones.
    remaining: Vec<u64>,
    budget: u64,
    copies: &'a [u64],
    most: u64,
    /// Per place: times at which it can be reached, of which none is later in all parts than another.
    known: HashMap<Place, Vec<Times>>,
    /// Ascending by a lower bound on the makespan.
    heap: BinaryHeap<Open>,
}

impl Search<'_> {
    /// The A* algorithm (P. Hart, N. Nilsson, B. Raphael, 1968).
    fn run(&mut self) -> Option<u64> {
        let start = Place {
            next: 0,
            has_waited: false,
            resident: 0,
            on_host: 0,
            outs: Vec::new(),
            backs: Vec::new(),
        };
        self.reach(start, vec![0]);
        while let Some(Reverse((_, _, place, times))) = self.heap.pop() {
            if place.next == self.costs.len() {
                return Some(times[0]);
            }
            // Another way there is at least as early.
            if self
                .known
                .get(&place)
                .is_some_and(|known| known.contains(&times))
            {
                self.leave(&place, &times);
            }
        }
        None
    }

    fn bytes(&self, resident: u32) -> u64 {
        let ids = (0..self.sizes.len()).filter(|id| resident >> id & 1 == 1);
        ids.map(|id| self.sizes[id]).sum()
    }

    /// Tensors that the remaining operations may need, if contents of `available` are: operands of
    /// theirs, and what may be needed to compute those again.
    fn wanted(&self, next: usize, available: u32) -> u32 {
        let mut wanted = 0;
        let mut open = self.needed[next] & ((1 << next) - 1);
        while open != 0 {
            wanted |= open;
            let ids = (0..next).filter(|id| open >> id & 1 == 1 && self.is_pure[*id]);
            let operands = ids
                .filter(|id| available >> id & 1 == 0)
                .fold(0, |all, id| all | self.reads[id]);
            open = operands & !wanted;
        }
        wanted
    }

    /// Adds a state, unless it is known not to be better than others.
    fn reach(&mut self, mut place: Place, mut times: Times) {
        // Control notices what has ended before the next execution, which is never a loss.
        if !place.has_waited {
            self.land(&mut place, &mut times);
        }
        let wanted = self.wanted(place.next, 0);
        let flying = place
            .outs
            .iter()
            .chain(&place.backs)
            .fold(0, |mask, id| mask | 1 << id);
        place.resident &= wanted | flying;
        place.on_host &= wanted;
        // What is nowhere has to be computed again.
        let missing = self.wanted(place.next, place.resident | place.on_host)
            & !(place.resident | place.on_host);
        let mut least = times[0] + self.remaining[place.next];
        for id in (0..place.next).filter(|id| missing >> id & 1 == 1) {
            if !self.is_pure[id] {
                return;
            }
            least += self.costs[id];
        }
        if least >= self.most {
            return;
        }
        let known = self.known.entry(place.clone()).or_default();
        let is_later = |a: &Times, b: &Times| a.iter().zip(b).all(|(a, b)| a >= b);
        if known.iter().any(|own| is_later(&times, own)) {
            return;
        }
        known.retain(|own| !is_later(own, &times));
        known.push(times.clone());
        self.heap
            .push(Reverse((least, Reverse(place.next), place, times)));
    }

    fn land(&self, place: &mut Place, times: &mut Times) {
        let now = times[0];
        while times
            .get(1)
            .is_some_and(|end| !place.outs.is_empty() && *end <= now)
        {
            place.on_host |= 1 << place.outs.remove(0);
            times.remove(1);
        }
        let first = 1 + place.outs.len();
        while times.get(first).is_some_and(|end| *end <= now) {
            place.backs.remove(0);
            times.remove(first);
        }
    }

    /// Reaches all states after one decision.
    fn leave(&mut self, place: &Place, times: &Times) {
        let n_outs = place.outs.len();
        if !place.has_waited {
            let ends: BTreeSet<u64> = times[1..].iter().copied().collect();
            for end in ends {
                let mut later = times.clone();
                later[0] = end;
                self.reach(place.clone(), later);
            }
            let waited = Place {
                has_waited: true,
                ..place.clone()
            };
            self.reach(waited, times.clone());
            return;
        }
        let in_flight = |all: &[u8]| all.iter().fold(0_u32, |mask, id| mask | 1 << id);
        let [outs, backs] = [in_flight(&place.outs), in_flight(&place.backs)];
        let wanted = self.wanted(place.next, 0);
        for id in 0..place.next {
            let bit = 1_u32 << id;
            if wanted & bit == 0 {
                continue;
            }
            if place.resident & bit == 0 {
                let fits = self.bytes(place.resident | bit) <= self.budget;
                if place.on_host & bit != 0 && fits {
                    self.copy(place, times, id, false);
                }
                if self.is_pure[id] {
                    self.execute(place, times, id, backs, outs);
                }
                continue;
            }
            if (outs | backs) & bit == 0 {
                let dropped = Place {
                    resident: place.resident & !bit,
                    ..place.clone()
                };
                self.reach(dropped, times.clone());
            }
            if (outs | backs | place.on_host) & bit == 0 {
                self.copy(place, times, id, true);
            }
        }
        debug_assert_eq!(times.len(), 1 + n_outs + place.backs.len());
        self.execute(place, times, place.next, backs, outs);
    }

    /// Issues a copy, and waits for it at once or later.
    fn copy(&mut self, place: &Place, times: &Times, id: usize, is_out: bool) {
        let mut copied = place.clone();
        let mut later = times.clone();
        let n_outs = place.outs.len();
        let at = if is_out { 1 + n_outs } else { times.len() };
        // The engine finishes its other copies first.
        let has_others = if is_out {
            n_outs > 0
        } else {
            !place.backs.is_empty()
        };
        let begin = if has_others {
            times[at - 1].max(times[0])
        } else {
            times[0]
        };
        let end = begin + self.copies[id];
        // At once: control notices nothing else before the next execution.
        let mut waited = place.clone();
        match is_out {
            true => waited.on_host |= 1 << id,
            false => waited.resident |= 1 << id,
        }
        let mut at_once = times.clone();
        at_once[0] = end;
        self.reach(waited, at_once);
        if !is_out {
            copied.resident |= 1 << id;
        }
        let queue = if is_out {
            &mut copied.outs
        } else {
            &mut copied.backs
        };
        queue.push(id as u8);
        later.insert(at, end);
        self.reach(copied, later);
    }

    /// Executes an operation, for the first time or again.
    fn execute(&mut self, place: &Place, times: &Times, id: usize, backs: u32, outs: u32) {
        let resident = place.resident | 1 << id;
        let ready = place.resident & !backs;
        let is_possible = self.reads[id] & !ready == 0
            && (place.resident | backs | outs) >> id & 1 == 0
            && self.bytes(resident) <= self.budget;
        if !is_possible {
            return;
        }
        let mut after = Place {
            next: place.next + usize::from(id == place.next),
            has_waited: false,
            resident,
            ..place.clone()
        };
        // What the host has is not the latest any more.
        after.on_host &= !(1 << id);
        let mut later = times.clone();
        later[0] += self.costs[id];
        self.reach(after, later);
    }
}

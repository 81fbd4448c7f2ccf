//! Search over the states of an execution, layer by layer.
//!
//! A layer has the states before a step of the program: everything that has been executed, and all
//! copies that have been issued, differ between them. Within a layer, the state with the least lower
//! bound on the makespan is left first, as in the A* algorithm (P. Hart, N. Nilsson, B. Raphael,
//! 1968). A layer leaves only so many states, so that the search is exact for small programs, and a
//! beam search for larger ones.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::observe;

use super::super::tuning;
use super::bound::least_with_copies;
use super::state::{Flight, Mask, Place, Program, mask, members, only};

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Control waits for copies that were issued before earlier steps, or stops doing so.
    Wait,
    /// A value is dropped. The other decisions drop values as well.
    Drop,
    /// A copy is issued.
    Copy(Flight),
    /// The next step of the program is executed.
    Step,
    /// A group is repeated.
    Again(u32),
}

/// A state, and how it was reached.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub place: Place,
    /// Cycles at which control is there, and at which the copies in flight end.
    times: Vec<u64>,
    pub parent: Option<u32>,
    pub action: Action,
    is_dominated: bool,
}

impl Node {
    /// The address of a value, if it is on the device and has one.
    pub(super) fn offset(&self, value: usize) -> Option<i32> {
        let is_there = self.place.resident & only(value) != 0;
        let rank = self.place.rank(value);
        self.place.offsets.get(rank).copied().filter(|_| is_there)
    }
}

/// A search for the fastest execution.
pub(super) struct Search<'p, 'a> {
    program: &'p Program<'a>,
    has_addresses: bool,
    nodes: Vec<Node>,
    /// Per step, and for the end, and per place: its nodes, of which none is later in all times than another.
    known: Vec<HashMap<Place, Vec<u32>>>,
    /// Per step, and for the end: nodes by their lower bounds, ascending.
    layers: Vec<BinaryHeap<Reverse<(u64, u32)>>>,
    /// Makespan that is to be undercut.
    most: u64,
    best: Option<u32>,
}

impl<'p, 'a> Search<'p, 'a> {
    /// The nodes of the fastest execution that takes less than `most` cycles, the first one first,
    /// leaving at most `n_states` states of each layer.
    pub(super) fn run(
        program: &'p Program<'a>,
        has_addresses: bool,
        most: u64,
        n_states: usize,
    ) -> Option<Vec<Node>> {
        let mut own = Self {
            program,
            has_addresses,
            nodes: Vec::new(),
            known: vec![HashMap::new(); program.n_steps + 1],
            layers: vec![BinaryHeap::new(); program.n_steps + 1],
            most,
            best: None,
        };
        let start = Place {
            next: 0,
            is_issuing: program.copies.is_none(),
            resident: 0,
            on_host: 0,
            flights: Vec::new(),
            offsets: Vec::new(),
        };
        own.reach(start, vec![0], None, Action::Wait);
        let (mut n_left, mut is_cut) = (0, false);
        for layer in 0..program.n_steps {
            let mut n_here = 0;
            while let Some(Reverse((least, node))) = own.layers[layer].pop() {
                if own.nodes[node as usize].is_dominated || least >= own.most {
                    continue;
                }
                if n_here == n_states || observe::is_stopped() {
                    is_cut = true;
                    break;
                }
                n_here += 1;
                own.leave(node);
            }
            n_left += n_here;
            // No state of a later layer leads back.
            own.known[layer] = HashMap::new();
        }
        log::trace!(
            target: "offload",
            "exact search: {n_left} of {} states, {}", own.nodes.len(),
            if is_cut { "cut" } else { "all" },
        );
        own.path()
    }

    /// The nodes that lead to the best one.
    fn path(&self) -> Option<Vec<Node>> {
        let mut path = Vec::new();
        let mut next = self.best;
        while let Some(node) = next {
            let node = self.nodes[node as usize].clone();
            next = node.parent;
            path.push(node);
        }
        path.reverse();
        (!path.is_empty()).then_some(path)
    }

    /// Adds a state, unless others are at least as good.
    fn reach(
        &mut self,
        mut place: Place,
        mut times: Vec<u64>,
        parent: Option<u32>,
        action: Action,
    ) {
        if !place.is_issuing {
            // What has ended does not keep control waiting.
            land(&mut place, &mut times);
        }
        let wanted = self.program.wanted(place.next);
        let flying = place.flying(true) | place.flying(false);
        place.drop_all(!(wanted | flying));
        place.on_host &= wanted;
        let Some(least) = self.least(&place, &times) else {
            return;
        };
        let id = self.nodes.len() as u32;
        let is_later = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a >= b);
        let known = self.known[place.next].entry(place.clone()).or_default();
        if known
            .iter()
            .any(|own| is_later(&times, &self.nodes[*own as usize].times))
        {
            return;
        }
        for own in known.iter() {
            let own = &mut self.nodes[*own as usize];
            own.is_dominated = is_later(&own.times, &times);
        }
        known.retain(|own| !self.nodes[*own as usize].is_dominated);
        known.push(id);
        if place.next == self.program.n_steps {
            (self.most, self.best) = (least, Some(id));
        }
        self.layers[place.next].push(Reverse((least, id)));
        self.nodes.push(Node {
            place,
            times,
            parent,
            action,
            is_dominated: false,
        });
    }

    /// Lower bound on the makespan of executions that continue a state; `None` if there are none, or
    /// none that is short enough.
    fn least(&self, place: &Place, times: &[u64]) -> Option<u64> {
        let available = place.resident | place.on_host;
        let least = self.program.least(place.next, available)?;
        let least = least.saturating_add(times[0]);
        let least = least.max(least_with_copies(self.program, place, times));
        (least < self.most).then_some(least)
    }

    /// Reaches all states after one more decision.
    fn leave(&mut self, node: u32) {
        let Node { place, times, .. } = self.nodes[node as usize].clone();
        if place.is_issuing {
            self.issue(node, &place, &times);
            return;
        }
        let mut ends = times[1..].to_vec();
        ends.sort_unstable();
        ends.dedup();
        for end in ends {
            let mut later = times.clone();
            later[0] = end;
            self.reach(place.clone(), later, Some(node), Action::Wait);
        }
        let issuing = Place {
            is_issuing: true,
            ..place
        };
        self.reach(issuing, times, Some(node), Action::Wait);
    }

    /// Issues a copy, or executes something.
    fn issue(&mut self, node: u32, place: &Place, times: &[u64]) {
        let program = self.program;
        let wanted = program.wanted(place.next);
        let flying = place.flying(true) | place.flying(false);
        for value in members(wanted & place.resident & !flying) {
            // Without addresses, values are dropped when bytes are missing.
            if self.has_addresses {
                let mut dropped = place.clone();
                dropped.drop_all(only(value));
                self.reach(dropped, times.to_vec(), Some(node), Action::Drop);
            }
            if place.on_host & only(value) == 0 {
                self.copy_out(place, times, node, value);
            }
        }
        for value in members(wanted & place.on_host & !place.resident) {
            self.copy_back(place, times, node, value);
        }
        for (number, group) in program.values.groups.iter().enumerate() {
            let number = number as u32;
            let defines = mask(&group.defines);
            let is_useful = defines & place.resident == 0 && defines & wanted != 0;
            if is_useful && program.is_allowed(number, place.next) {
                self.execute(place, times, node, &group.steps, Some(number));
            }
        }
        self.execute(place, times, node, &[place.next as u32], None);
    }

    fn copy_out(&mut self, place: &Place, times: &[u64], node: u32, value: usize) {
        let flight = Flight {
            value: value as u8,
            is_out: true,
        };
        self.copy(place, times, node, flight);
    }

    fn copy_back(&mut self, place: &Place, times: &[u64], node: u32, value: usize) {
        let flight = Flight {
            value: value as u8,
            is_out: false,
        };
        let with = self.program.granules(place.resident | only(value));
        if !self.has_addresses {
            for dropped in self.room(place, with, 0) {
                let mut target = place.clone();
                target.drop_all(dropped);
                target.put(value, None);
                self.copy(&target, times, node, flight);
            }
            return;
        }
        for offset in self.offsets(place, value, None) {
            let mut target = place.clone();
            target.put(value, Some(offset));
            self.copy(&target, times, node, flight);
        }
    }

    /// Minimal sets of values to drop so that `bytes` granules in use, theirs included, fit. Those of
    /// `kept` are not dropped.
    fn room(&self, place: &Place, bytes: i64, kept: Mask) -> Vec<Mask> {
        let missing = bytes - i64::from(self.program.capacity);
        if missing <= 0 {
            return vec![0];
        }
        // With addresses, values are dropped one by one: more bytes than are missing may be needed.
        if self.has_addresses {
            return Vec::new();
        }
        let flying = place.flying(true) | place.flying(false);
        let size = |value: usize| i64::from(self.program.values.sizes[value]);
        let mut found = Vec::new();
        // Sets that are not enough yet, with their bytes and the next value to add.
        let mut open = vec![(0_u64, 0_i64, place.resident & !kept & !flying)];
        while let Some((set, sum, rest)) = open.pop() {
            if found.len() >= tuning::EXACT_DROPS {
                break;
            }
            let Some(value) = members(rest).next() else {
                continue;
            };
            let rest = rest & !only(value);
            let (larger, more) = (set | only(value), sum + size(value));
            if more < missing {
                if more + self.program.granules(rest) >= missing {
                    open.push((larger, more, rest));
                }
            } else if members(larger).all(|own| more - size(own) < missing) {
                found.push(larger);
            }
            open.push((set, sum, rest));
        }
        found
    }

    /// Issues a copy, and waits for it at once or later. The target has its bytes.
    fn copy(&mut self, place: &Place, times: &[u64], node: u32, flight: Flight) {
        let program = self.program;
        let Some(copies) = &program.copies else {
            return;
        };
        let cycles = copies[flight.value as usize][usize::from(!flight.is_out)];
        // The engine completes its other copies first.
        let others = place.flights.iter().zip(&times[1..]);
        let others =
            others.filter(|(own, _)| program.has_one_engine || own.is_out == flight.is_out);
        let free = others.map(|(_, end)| *end).max().unwrap_or(0);
        let end = times[0].max(free).saturating_add(cycles);
        let mut waited = (place.clone(), times.to_vec());
        waited.1[0] = end;
        if flight.is_out {
            waited.0.on_host |= only(flight.value.into());
        }
        self.reach(waited.0, waited.1, Some(node), Action::Copy(flight));
        let mut issued = (place.clone(), times.to_vec());
        issued.0.flights.push(flight);
        issued.1.push(end);
        self.reach(issued.0, issued.1, Some(node), Action::Copy(flight));
    }

    /// Executes the next step, or the steps of a group again.
    fn execute(
        &mut self,
        place: &Place,
        times: &[u64],
        node: u32,
        steps: &[u32],
        group: Option<u32>,
    ) {
        let program = self.program;
        let is_again = group.is_some();
        let next = place.next + usize::from(!is_again);
        let action = group.map_or(Action::Step, Action::Again);
        let mut open = vec![(place.clone(), times[0])];
        for (index, step) in steps.iter().enumerate() {
            let is_last = index + 1 == steps.len();
            let kept = if is_last {
                program.wanted(next)
            } else {
                u64::MAX
            };
            let mut after = Vec::new();
            for (place, now) in open {
                let now = now.saturating_add(program.values.cycles[*step as usize]);
                let places = self.after(&place, *step as usize, is_again, kept);
                after.extend(places.into_iter().map(|own| (own, now)));
            }
            open = after;
        }
        for (mut place, now) in open {
            place.next = next;
            place.is_issuing = program.copies.is_none();
            let mut times = times.to_vec();
            times[0] = now;
            self.reach(place, times, Some(node), action);
        }
    }

    /// The states after the execution of a step. `kept`: values that may be needed afterwards.
    fn after(&self, place: &Place, step: usize, is_again: bool, kept: Mask) -> Vec<Place> {
        let program = self.program;
        let [outs, backs] = [true, false].map(|is_out| place.flying(is_out));
        let (uses, defines) = (program.uses[step], program.defines[step]);
        let replaced = program.replaces[step];
        let written = defines | program.changes[step];
        let is_possible = uses & !(place.resident & !backs) == 0
            && defines & place.resident == 0
            && uses & replaced == 0
            && (written | replaced) & (outs | backs) == 0;
        if !is_possible {
            return Vec::new();
        }
        // Other contents of the same tensor have the same bytes.
        let mut place = place.clone();
        place.drop_all(replaced);
        place.on_host &= !replaced;
        // Operands that may give their bytes to results, also if they may be needed again.
        let operands = program.operands_in_place(step, is_again) & !(outs | backs);
        let mut killed = vec![0, operands & kept];
        killed.dedup();
        let mut found = Vec::new();
        for killed in killed {
            let dead = operands & (killed | !kept);
            let taken = program.taken_over(step, is_again, dead);
            let shared: i64 = taken.iter().map(|own| i64::from(own.2)).sum();
            let with = program.granules(place.resident | defines) - shared;
            for dropped in self.room(&place, with, uses) {
                let mut place = place.clone();
                place.drop_all(dropped);
                let mut places = vec![place.clone()];
                for value in members(defines) {
                    let operand = taken.iter().find(|own| own.1 == value).map(|own| own.0);
                    places = self.with(places, &place, value, operand);
                }
                for mut own in places {
                    own.on_host &= !(written | killed);
                    own.drop_all(killed);
                    found.push(own);
                }
            }
        }
        found
    }

    /// The states with one more value on the device. `before`: the state before the step.
    fn with(
        &self,
        places: Vec<Place>,
        before: &Place,
        value: usize,
        operand: Option<usize>,
    ) -> Vec<Place> {
        let mut found = Vec::new();
        for place in places {
            if !self.has_addresses {
                let mut own = place;
                own.put(value, None);
                found.push(own);
                continue;
            }
            let offset = operand.map(|operand| before.offsets[before.rank(operand)]);
            for offset in self.offsets(&place, value, offset.zip(operand)) {
                let mut own = place.clone();
                own.put(value, Some(offset));
                found.push(own);
            }
        }
        found
    }

    /// Addresses for a value, next to others or to an end of the device. `in_place`: the address of an
    /// operand that the value takes over.
    fn offsets(&self, place: &Place, value: usize, in_place: Option<(i32, usize)>) -> Vec<i32> {
        let sizes = &self.program.values.sizes;
        let size = sizes[value];
        let held = |without: Option<usize>| {
            let all = members(place.resident).zip(&place.offsets);
            let all = all.filter(move |(own, _)| Some(*own) != without && sizes[*own] > 0);
            let mut all: Vec<(i32, i32)> = all.map(|(own, at)| (*at, *at + sizes[own])).collect();
            all.sort_unstable();
            all
        };
        let mut found = Vec::new();
        if let Some((offset, operand)) = in_place {
            let others = held(Some(operand));
            let end = offset + size;
            let is_free = others.iter().all(|own| own.1 <= offset || own.0 >= end);
            if is_free && end <= self.program.capacity {
                found.push(offset);
            }
        }
        let mut start = 0;
        let end = (self.program.capacity, self.program.capacity);
        for (next, until) in held(None).into_iter().chain([end]) {
            if next - start >= size {
                found.push(start);
                if next - start > size {
                    found.push(next - size);
                }
            }
            start = start.max(until);
        }
        found
    }
}

/// Removes copies that have ended from those in flight.
fn land(place: &mut Place, times: &mut Vec<u64>) {
    let now = times[0];
    let mut index = 0;
    while index < place.flights.len() {
        if times[index + 1] > now {
            index += 1;
            continue;
        }
        let flight = place.flights.remove(index);
        times.remove(index + 1);
        if flight.is_out {
            place.on_host |= only(flight.value.into());
        }
    }
}

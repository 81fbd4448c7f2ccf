//! Orders that end lives early: the own order, in which units that free bytes run as soon as they can.
//!
//! Before each unit of the own order, units that could run are examined. A unit runs at once if more bytes
//! end with it than begin; if it begins the life of no buffer, so that others may end the lives of those
//! that it accesses; or if it is the first of a chain of units, each a successor of the one before, that
//! frees bytes as a whole.
//!
//! Such an order keeps the structure of a program. A training step becomes one in which every parameter is
//! updated when its gradient is known. Its peak, if it is early in the program, stays as it is, so that
//! orders of low peak do not differ from the own order. Within a budget, the difference is large, because
//! gradients need not leave the device and come back.
//!
//! Takes O(accesses + dependences) times the length of a chain for programs whose buffers have few users.

use std::collections::BTreeSet;

use super::task::Task;
use super::tuning;

/// All units, in an order that the dependences permit.
pub(super) fn order_units(task: &Task) -> Vec<u32> {
    let mut walk = Walk::new(task);
    for unit in 0..task.units.len() as u32 {
        walk.settle();
        if !walk.is_done[unit as usize] {
            walk.run(unit);
        }
    }
    walk.order
}

/// The units that have run.
struct Walk<'a> {
    task: &'a Task,
    order: Vec<u32>,
    is_done: Vec<bool>,
    state: Changing,
    /// Units that could run, and that have not been examined since their effect changed.
    unexamined: BTreeSet<u32>,
}

/// What changes while a chain is examined, and is restored afterwards.
struct Changing {
    /// Number of predecessors of each unit that have not run.
    n_preds: Vec<u32>,
    /// Number of units that have not run and access each buffer; one more if it is live at the end.
    n_users: Vec<u32>,
    /// Whether the life of each buffer has begun.
    is_born: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn new(task: &'a Task) -> Self {
        let n_preds: Vec<u32> = task
            .units
            .iter()
            .map(|own| own.preds.len() as u32)
            .collect();
        let ready = (0..task.units.len() as u32).filter(|unit| n_preds[*unit as usize] == 0);
        let buffers = task.buffers.iter();
        Self {
            task,
            order: Vec::with_capacity(task.units.len()),
            is_done: vec![false; task.units.len()],
            unexamined: ready.collect(),
            state: Changing {
                n_users: buffers
                    .clone()
                    .map(|own| own.users.len() as u32 + u32::from(own.to_end))
                    .collect(),
                is_born: buffers.map(|own| own.from_start).collect(),
                n_preds,
            },
        }
    }

    /// Runs units that free bytes until there are none.
    fn settle(&mut self) {
        while let Some(unit) = self.unexamined.pop_first() {
            for unit in self.chain(unit) {
                self.run(unit);
            }
        }
    }

    /// Runs a unit whose predecessors have run.
    fn run(&mut self, unit: u32) {
        let own = &self.task.units[unit as usize];
        self.is_done[unit as usize] = true;
        self.order.push(unit);
        self.unexamined.remove(&unit);
        self.state.begin(self.task, unit, &mut Vec::new());
        let ready = own
            .succs
            .iter()
            .filter(|succ| self.state.n_preds[**succ as usize] == 0);
        self.unexamined.extend(ready);
        for accessed in &own.uses {
            // The users of other buffers have the effects that they had.
            if self.state.n_users[accessed.buffer as usize] == 1 {
                let users = self.task.buffers[accessed.buffer as usize].users.iter();
                let is_open = |user: &&u32| {
                    let user = **user as usize;
                    !self.is_done[user] && self.state.n_preds[user] == 0
                };
                self.unexamined.extend(users.filter(is_open));
            }
        }
    }

    /// The shortest chain from a ready unit that frees bytes; empty if there is none.
    fn chain(&mut self, first: u32) -> Vec<u32> {
        let mut chain = vec![first];
        let mut born = Vec::new();
        let mut change = 0;
        let is_free = loop {
            let last = chain[chain.len() - 1];
            change += self.state.begin(self.task, last, &mut born);
            if change < 0 || (change == 0 && born.is_empty()) {
                break true;
            }
            let succs = &self.task.units[last as usize].succs;
            let mut ready = succs
                .iter()
                .filter(|succ| self.state.n_preds[**succ as usize] == 0);
            match ready.next() {
                Some(next) if chain.len() < tuning::MAX_CHAIN => chain.push(*next),
                _ => break false,
            }
        };
        chain
            .iter()
            .for_each(|unit| self.state.undo(self.task, *unit));
        for buffer in born {
            self.state.is_born[buffer as usize] = false;
        }
        if !is_free {
            chain.clear();
        }
        chain
    }
}

impl Changing {
    /// Runs a unit. Returns by how many bytes those in memory change, and adds the buffers whose lives begin
    /// to `born`.
    fn begin(&mut self, task: &Task, unit: u32, born: &mut Vec<u32>) -> i64 {
        let own = &task.units[unit as usize];
        let mut change = 0;
        for accessed in &own.uses {
            let buffer = accessed.buffer as usize;
            let size = task.buffers[buffer].size as i64;
            if !std::mem::replace(&mut self.is_born[buffer], true) {
                born.push(accessed.buffer);
                change += size;
            }
            self.n_users[buffer] -= 1;
            if self.n_users[buffer] == 0 {
                change -= size;
            }
        }
        for succ in &own.succs {
            self.n_preds[*succ as usize] -= 1;
        }
        change
    }

    /// Takes back that a unit ran, except for the buffers whose lives began.
    fn undo(&mut self, task: &Task, unit: u32) {
        let own = &task.units[unit as usize];
        for accessed in &own.uses {
            self.n_users[accessed.buffer as usize] += 1;
        }
        for succ in &own.succs {
            self.n_preds[*succ as usize] += 1;
        }
    }
}

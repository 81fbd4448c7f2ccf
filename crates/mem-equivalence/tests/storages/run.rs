//! Execution of statements.

use super::Statement::{self, Choose, Event, Exchange, Free, If, Loop, Move, Renew, Store};
use super::{N, Place, SLOTS, Times, VARIABLES, places};

/// An execution of a program. The arena comes first in memory.
pub(crate) struct Run {
    memory: Vec<u32>,
    variables: [usize; VARIABLES],
    arguments: [u64; 2],
    index: u64,
    /// Whether anything has been accessed or freed that had been freed, and where these storages begin.
    is_undefined: bool,
    freed: Vec<usize>,
}

impl Run {
    /// Returns what a program leaves in the storages that its variables denote at the end; `None` if it is not
    /// defined.
    pub(crate) fn of(statements: &[Statement], arguments: [u64; 2]) -> Option<Vec<u32>> {
        let mut run = Self {
            memory: vec![99; N * SLOTS],
            variables: [0; VARIABLES],
            arguments,
            index: arguments[0],
            is_undefined: false,
            freed: Vec::new(),
        };
        for variable in 0..VARIABLES {
            run.list(&[Renew(variable, variable as u32, None)]);
        }
        run.list(statements);
        let left = places().map(|own| run.at(own)).collect::<Vec<usize>>();
        let left = left.into_iter().map(|own| run.memory[own]).collect();
        (!run.is_undefined).then_some(left)
    }

    fn at(&mut self, (variable, element): Place) -> usize {
        let storage = self.storage(variable);
        self.is_undefined |= self.freed.contains(&storage);
        self.variables[variable] + element
    }

    /// Where the storage begins that a variable denotes. All slots are one storage.
    fn storage(&self, variable: usize) -> usize {
        let start = self.variables[variable];
        if start < N * SLOTS { 0 } else { start }
    }

    fn holds(&self, by: usize) -> bool {
        match by {
            3 => self.index < 3,
            _ => *self.arguments.get(by).unwrap_or(&self.index) > 1,
        }
    }

    fn list(&mut self, statements: &[Statement]) {
        for own in statements {
            match own {
                Store(value, to) => {
                    let to = self.at(*to);
                    self.memory[to] = *value;
                }
                Move(from, to) => {
                    let [from, to] = [from, to].map(|own| self.at(*own));
                    self.memory[to] = self.memory[from];
                }
                Exchange(a, b) => self.variables.swap(*a, *b),
                Renew(variable, value, slot) => {
                    let start = match slot {
                        Some(slot) => N * slot,
                        None => self.memory.len(),
                    };
                    self.memory.resize(self.memory.len().max(start + N), 0);
                    self.memory[start..start + N].fill(*value);
                    self.variables[*variable] = start;
                    self.at((*variable, 0));
                }
                Free(variable) => {
                    self.at((*variable, 0));
                    self.freed.push(self.storage(*variable));
                }
                Choose(by, to, [yes, no]) => {
                    let of = if self.holds(*by) { yes } else { no };
                    self.variables[*to] = self.variables[*of];
                }
                If(by, yes, no) => match self.holds(*by) {
                    true => self.list(yes),
                    false => self.list(no),
                },
                Loop(times, body) => {
                    let n = match times {
                        Times::Known(n) | Times::Below(n) => *n as u64,
                        Times::Argument | Times::While => self.arguments[1],
                        Times::Forever => unreachable!("it is not executed"),
                    };
                    let outer = self.index;
                    for index in 0..n {
                        self.index = index;
                        self.list(body);
                    }
                    self.index = outer;
                }
                Event(_) => {}
            }
        }
    }
}

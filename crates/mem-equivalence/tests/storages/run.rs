//! Execution of statements.

use super::Statement::{self, Choose, Event, Exchange, If, Loop, Move, Renew, Store};
use super::{N, Place, SLOTS, Times, VARIABLES, places};

/// An execution of a program. The arena comes first in memory.
pub(crate) struct Run {
    memory: Vec<u32>,
    variables: [usize; VARIABLES],
    arguments: [u64; 2],
    index: u64,
}

impl Run {
    /// Returns what a program leaves in the storages that its variables denote at the end.
    pub(crate) fn of(statements: &[Statement], arguments: [u64; 2]) -> Vec<u32> {
        let mut run = Self {
            memory: vec![99; N * SLOTS],
            variables: [0; VARIABLES],
            arguments,
            index: arguments[0],
        };
        for variable in 0..VARIABLES {
            run.list(&[Renew(variable, variable as u32, None)]);
        }
        run.list(statements);
        places().map(|own| run.memory[run.at(own)]).collect()
    }

    fn at(&self, (variable, element): Place) -> usize {
        self.variables[variable] + element
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

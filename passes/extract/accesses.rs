//! The accesses of one step while they are collected, each with the operand it goes through.

use mem_model::{Access, Step};

use super::Extractor;
use crate::mlir::{Op, Value};

/// Accesses, and beside each the value it goes through; `None` for what no operand stands for.
#[derive(Default)]
pub(super) struct Accesses {
    list: Vec<Access>,
    values: Vec<Option<Value>>,
}

impl Accesses {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an access, unless the same one is there already.
    pub fn push(&mut self, access: Access, value: Option<Value>) {
        if !self.list.contains(&access) {
            self.list.push(access);
            self.values.push(value);
        }
    }

    /// The accesses added so far.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.list.iter_mut()
    }
}

impl Extractor<'_> {
    /// Adds a step with these accesses.
    pub(super) fn add_access_step(&mut self, op: Op, accesses: Accesses) -> &mut Step {
        self.add_step(op);
        self.access_values.pop();
        self.access_values.push(accesses.values);
        let step = self.steps.last_mut().expect("just pushed");
        step.accesses = accesses.list;
        step
    }
}

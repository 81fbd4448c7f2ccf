//! The accesses of one step while they are collected, each with the operand it goes through.

use mem_model::{Access, PointerId, Step};

use super::{Extractor, sharing};
use crate::mlir::{Op, Value, is_storage};

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
        let in_place = self.in_place(op);
        let step = self.steps.last_mut().expect("just pushed");
        step.accesses = accesses.list;
        step.in_place = in_place;
        step
    }

    /// What an operation's results may take over, as pointers.
    fn in_place(&mut self, op: Op) -> Vec<(PointerId, PointerId)> {
        let mut pairs = Vec::new();
        for pair in sharing::pairs(op) {
            let operand = self.place(pair.operand).pointer;
            let result = self.place(pair.result).pointer;
            let others = pair
                .others
                .into_iter()
                .filter(|value| is_storage(value.ty()));
            let others: Vec<PointerId> = others.map(|value| self.place(value).pointer).collect();
            // What may be any storage may be the operand's.
            let is_apart =
                |other: &PointerId| *other != operand && self.buffer_of(*other).is_some();
            if others.iter().all(is_apart) && !pairs.contains(&(operand, result)) {
                pairs.push((operand, result));
            }
        }
        pairs
    }
}

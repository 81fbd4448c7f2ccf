//! The accesses of one step under construction, each with the operand it goes through.

use mem_flow::dependence::AccessId;
use mem_model::{Access, PointerId, Step};

use super::{Extractor, sharing};
use crate::ir::{Op, Value, is_storage};

/// Accesses, and in parallel the value each goes through; `None` for accesses that go through no
/// operand.
#[derive(Default)]
pub(super) struct Accesses {
    list: Vec<Access>,
    values: Vec<Option<Value>>,
}

impl Accesses {
    /// No accesses yet, with room for `n`: there are as many as effects, in most steps.
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            list: Vec::with_capacity(n),
            values: Vec::with_capacity(n),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an access unless an identical one is present.
    pub(super) fn push(&mut self, access: Access, value: Option<Value>) {
        if !self.list.contains(&access) {
            self.list.push(access);
            self.values.push(value);
        }
    }

    /// Iterates mutably over the accesses added so far.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.list.iter_mut()
    }
}

/// The values that accesses go through, of all steps in one list. Accesses that a step gets later go
/// through none.
#[derive(Default)]
pub(crate) struct AccessValues {
    values: Vec<Option<Value>>,
    /// Per step, where its values end in the list.
    ends: Vec<usize>,
}

impl AccessValues {
    /// Makes room for the values of further steps.
    pub(super) fn reserve(&mut self, n_steps: usize) {
        self.ends.reserve(n_steps);
    }

    /// Adds a step without accesses.
    pub(super) fn add_step(&mut self) {
        self.ends.push(self.values.len());
    }

    /// Adds the values that the accesses of the last step go through.
    fn add(&mut self, values: Vec<Option<Value>>) {
        self.values.extend(values);
        if let Some(end) = self.ends.last_mut() {
            *end = self.values.len();
        }
    }

    /// The value that an access goes through; `None` if it goes through no operand.
    pub(crate) fn get(&self, access: AccessId) -> Option<Value> {
        let step = access.step.index();
        let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
        let own = &self.values[start..self.ends[step]];
        own.get(access.index as usize).copied().flatten()
    }
}

impl Extractor<'_> {
    /// Adds a step with these accesses.
    pub(super) fn add_access_step(&mut self, op: Op, accesses: Accesses) -> &mut Step {
        self.add_step(op);
        self.access_values.add(accesses.values);
        let in_place = self.in_place(op);
        let step = self.steps.last_mut().expect("just pushed");
        step.accesses = accesses.list;
        step.in_place = in_place.into();
        step
    }

    /// The (operand, result) pairs whose result may reuse the bytes of the operand, as pointers.
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
            // A merge may denote the operand's storage, so only distinct buffers count as disjoint.
            let is_apart =
                |other: &PointerId| *other != operand && self.buffer_of(*other).is_some();
            // If one of `others` were in the bytes of the operand, the step would overwrite
            // elements that it has yet to read through it.
            if others.iter().all(is_apart) && !pairs.contains(&(operand, result)) {
                pairs.push((operand, result));
            }
        }
        pairs
    }
}

//! Which tensor a value is a place of. Places of one tensor have one name.

use std::collections::HashMap;

use crate::dialect::{SliceOp, ViewOp};
use crate::extract::view_source;
use crate::mlir::{Op, Value, chain};

/// Marks an operation that computes again what another has computed.
pub(crate) const RECOMPUTE: &str = "mem.recompute";

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Name(String),
    Value(Value),
}

/// The tensors of one function, numbered as they are met.
pub(super) struct Tensors {
    function: Op,
    numbers: HashMap<Key, u32>,
}

impl Tensors {
    pub fn new(function: Op) -> Self {
        Self {
            function,
            numbers: HashMap::new(),
        }
    }

    /// The tensor of storage that is no view of other storage.
    pub fn of_root(&mut self, root: Value) -> u32 {
        let name = self.name(root);
        let key = name.map_or(Key::Value(root), Key::Name);
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    /// The tensor that a value shows bytes of.
    pub fn of(&mut self, value: Value) -> u32 {
        self.of_root(root_of(value))
    }

    /// What all places of a tensor are called; a value that is the only one needs no name.
    fn name(&self, root: Value) -> Option<String> {
        let Some(op) = root.owner() else {
            let mut arguments = arguments(self.function);
            let own = arguments.find(|(argument, _)| *argument == root);
            return own.map(|(_, name)| name);
        };
        match op.name() {
            "memref.get_global" => {
                let name = op.attribute("name")?.symbol()?.to_owned();
                Some(format!("@{name}"))
            }
            _ => ViewOp::of(op)?.name(),
        }
    }
}

/// The arguments of a function, and what they are called.
pub(super) fn arguments(function: Op) -> impl Iterator<Item = (Value, String)> {
    let entry = function.regions().next().and_then(|r| r.first_block());
    let arguments = entry.into_iter().flat_map(|entry| entry.arguments());
    arguments.enumerate().map(|(index, argument)| {
        let stated = argument.location().name().map(str::to_owned);
        let name = stated.unwrap_or_else(|| format!("arg{index}"));
        (argument, name)
    })
}

/// What `op` shows bytes of, if it is a view and its result no place by itself.
pub(super) fn shown_by(op: Op) -> Option<Value> {
    let is_place = ViewOp::of(op).is_some() || SliceOp::of(op).is_some();
    match is_place {
        true => None,
        false => view_source(op),
    }
}

/// The storage that `value` is a view of.
pub(crate) fn root_of(value: Value) -> Value {
    let views = chain(value, |value| value.owner().and_then(shown_by));
    views.last().unwrap_or(value)
}

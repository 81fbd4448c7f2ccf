//! Maps values to the tensors that they are places of. All places of a tensor have the same name.
//!
//! Names that are derived from others are made and taken apart here only: those of globals
//! ([`global_name`]), and those of the slots of a rotating buffer ([`slot_name`]).

use rustc_hash::FxHashMap as HashMap;

use crate::ir::dialect::{SliceOp, ViewOp};
use crate::ir::spaces::without_space;
use crate::ir::{Op, Value, chain, view_source};

/// Marks an operation that recomputes what another one has computed.
pub(crate) const RECOMPUTE: &str = "mem.recompute";

/// Marks the operations of a group that runs tile by tile, with the number of the group in its function.
pub(crate) const GROUP: &str = "mem.group";

/// What an operation accessed before it ran tile by tile: its number in its block, the bytes of buffers that it
/// accessed, and those that were live.
pub(crate) const UNTILED: &str = "mem.untiled";

/// Attributes that do not affect what an operation computes.
pub(crate) const NOTES: [&str; 3] = [RECOMPUTE, GROUP, UNTILED];

/// Argument attribute: the name of an argument that has places in addition to its own.
pub(crate) const ARGUMENT_NAME: &str = "mem.name";

/// Prefix of the names of globals. No other tensor has a name with this prefix.
const GLOBAL: char = '@';

/// Precedes the number in the name of a slot.
const SLOT: &str = ".slot";

/// The name of all places of the global `symbol`.
pub(crate) fn global_name(symbol: &str) -> String {
    format!("{GLOBAL}{symbol}")
}

/// The symbol of the global whose places have this name; `None` if it is no name of a global.
pub(crate) fn global_symbol(name: &str) -> Option<&str> {
    name.strip_prefix(GLOBAL)
}

/// The name of a tensor that is no global: `stated`, unless that is reserved for globals.
pub(crate) fn own_name(stated: &str) -> String {
    match global_symbol(stated) {
        Some(rest) => format!("_{rest}"),
        None => stated.to_owned(),
    }
}

/// The name of one of the slots that a buffer rotates between.
pub(crate) fn slot_name(buffer: &str, slot: u64) -> String {
    format!("{buffer}{SLOT}{slot}")
}

/// The name of the buffer whose first slot has this name; the name itself if it is no first slot.
pub(crate) fn rotating_name(first_slot: &str) -> &str {
    let name = first_slot.strip_suffix('0');
    let name = name.and_then(|name| name.strip_suffix(SLOT));
    name.unwrap_or(first_slot)
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Name(String),
    Value(Value),
}

/// The tensors of one function, numbered in the order in which they are found.
pub(crate) struct Tensors {
    /// The arguments that have a name.
    arguments: HashMap<Value, String>,
    numbers: HashMap<Key, u32>,
}

impl Tensors {
    pub(crate) fn new(function: Op) -> Self {
        Self {
            arguments: named_arguments(function).collect(),
            numbers: HashMap::default(),
        }
    }

    /// The tensor of storage that is not a view of other storage.
    pub(crate) fn of_root(&mut self, root: Value) -> u32 {
        let name = self.name(root);
        let key = name.map_or(Key::Value(root), Key::Name);
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    /// The tensor whose bytes a value shows.
    pub(crate) fn of(&mut self, value: Value) -> u32 {
        self.of_root(root_of(value))
    }

    /// The common name of all places of a tensor. A value that is the only place needs no name.
    pub(crate) fn name(&self, root: Value) -> Option<String> {
        let Some(op) = root.owner() else {
            return self.arguments.get(&root).cloned();
        };
        match op.name() {
            "memref.get_global" => Some(global_name(op.attribute("name")?.symbol()?)),
            _ => ViewOp::of(op)?.name(),
        }
    }
}

/// The arguments of a function that have a name, with the name. Locations cannot serve as names,
/// because printing drops them.
pub(crate) fn named_arguments(function: Op) -> impl Iterator<Item = (Value, String)> {
    let entry = function.regions().next().and_then(|r| r.first_block());
    let arguments = entry.into_iter().flat_map(|entry| entry.arguments());
    let attributes = function.attribute("arg_attrs").and_then(|a| a.elements());
    let named = arguments.zip(attributes.unwrap_or_default());
    named.filter_map(|(argument, attributes)| {
        let name = attributes.entry(ARGUMENT_NAME)?;
        Some((argument, name.string()?.to_owned()))
    })
}

/// Whether two values show the same bytes of the storage that they are views of, provided that it
/// is the same tensor.
pub(crate) fn shows_the_same(a: Value, b: Value) -> bool {
    let (mut a, mut b) = (a, b);
    loop {
        let views = [a, b].map(|value| value.owner().filter(|op| shown_by(*op).is_some()));
        let [Some(first), Some(second)] = views else {
            return views == [None, None];
        };
        let (Some(of_first), Some(of_second)) = (shown_by(first), shown_by(second)) else {
            return false;
        };
        let others = |op: Op, source: Value| op.operands().filter(move |v| *v != source);
        let is_same = first.name() == second.name()
            && without_space(a.ty()) == without_space(b.ty())
            && first.has_equal_attributes(second)
            && others(first, of_first).eq(others(second, of_second));
        if !is_same {
            return false;
        }
        (a, b) = (of_first, of_second);
    }
}

/// The value before casts between memory spaces, which change only its type.
pub(crate) fn uncast(value: Value) -> Value {
    let source = |value: Value| {
        let cast = value.owner();
        let cast = cast.filter(|op| op.name() == "memref.memory_space_cast");
        cast.map(|cast| cast.operand(0))
    };
    chain(value, source).last().unwrap_or(value)
}

/// The value whose bytes `op` shows, if `op` is a view and its result is not a place of its own.
pub(crate) fn shown_by(op: Op) -> Option<Value> {
    let is_place = ViewOp::of(op).is_some() || SliceOp::of(op).is_some();
    match is_place {
        true => None,
        false => view_source(op),
    }
}

/// The storage that `value` is a view of.
pub fn root_of(value: Value) -> Value {
    let views = chain(value, |value| value.owner().and_then(shown_by));
    views.last().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slot_names_its_buffer() {
        for buffer in ["x", "x.slot0", "x.slot1", ".slot0", ""] {
            assert_eq!(rotating_name(&slot_name(buffer, 0)), buffer);
        }
        for name in ["x", "x.slot1", "x.slot10", "x.slot00", "slot0", "0"] {
            assert_eq!(rotating_name(name), name);
        }
    }

    #[test]
    fn no_other_tensor_has_the_name_of_a_global() {
        assert_eq!(global_symbol(&global_name("g")), Some("g"));
        for stated in ["g", "@g", "@@g", "_g", ""] {
            assert_eq!(global_symbol(&own_name(stated)), None, "{stated}");
        }
    }
}

//! External storage, for dependence analysis: globals, and which storage an argument may alias.

use rustc_hash::FxHashMap as HashMap;

use mem_model::{Aliasing, Buffer, Bytes, PointerId, Role, Storage};

use super::{Extractor, Place};
use crate::ir::tensors::global_name;
use crate::ir::{Attribute, Op};

impl Extractor<'_> {
    /// `memref.get_global`: one buffer per symbol.
    pub(super) fn scan_global(&mut self, op: Op) {
        let Some(name) = op
            .attribute("name")
            .and_then(|a| a.symbol().map(str::to_owned))
        else {
            return;
        };
        let pointer = match self.globals.get(&name) {
            Some(pointer) => *pointer,
            None => self.add_global(op, name),
        };
        self.places
            .insert(op.result(), Place::new(pointer, Some(0)));
    }

    fn add_global(&mut self, op: Op, name: String) -> PointerId {
        let is_constant = self.constants().get(&name).copied().unwrap_or(false);
        let size = self.layout(op.result().ty()).and_then(|l| l.span());
        let size = size.and_then(|n| u64::try_from(n).ok());
        let buffer = Buffer {
            name: global_name(&name).into(),
            size: Bytes::new(size.unwrap_or(0)),
            alignment: Bytes::new(1),
            role: if is_constant {
                Role::Constant
            } else {
                Role::Input
            },
            storage: Storage::External,
            // A constant is never written; any code may write another global.
            aliasing: match is_constant {
                true => Aliasing::Private,
                false => Aliasing::Unknown,
            },
            location: self.location_text(op.location()),
        };
        // Each `memref.get_global` of the symbol yields a value of its own, so the pointer has
        // none. `scan_global` records the place of each value.
        let (_, pointer) = self.add_buffer(buffer, Some(op), None);
        if size.is_none() {
            self.pointers[pointer.index()].size = None;
        }
        self.globals.insert(name, pointer);
        pointer
    }

    /// Per global, by name: whether it is constant.
    fn constants(&mut self) -> &HashMap<String, bool> {
        let function = self.function;
        self.constants.get_or_insert_with(|| {
            // A name means the symbol of the nearest module, which a function is directly in.
            let ops = function.parent().into_iter().flat_map(Op::direct_ops);
            let globals = ops.filter(|op| op.name() == "memref.global");
            let entry = |op: Op| Some((op.symbol()?, op.attribute("constant").is_some()));
            globals.filter_map(entry).collect()
        })
    }
}

/// The storage that an argument may share bytes with.
pub(super) fn argument_aliasing(attributes: Option<Attribute>, asserted: bool) -> Aliasing {
    const DISJOINT: [&str; 3] = ["mem.noalias", "llvm.noalias", "bufferize.result"];
    let says = |name: &str| attributes.is_some_and(|a| a.entry(name).is_some());
    match asserted || DISJOINT.into_iter().any(says) {
        true => Aliasing::Reachable,
        false => Aliasing::Argument,
    }
}

//! Values that denote all of a tensor that the program did not allocate: arguments and globals.

use std::collections::HashMap;

use mem_model::{BufferId, PointerKind};

use crate::extract::Extraction;
use crate::ir::Value;
use crate::ir::tensors::global_name;

/// For each buffer, a value that denotes it.
pub(crate) fn roots(extraction: &Extraction) -> HashMap<BufferId, Value> {
    let pointers = extraction
        .program
        .pointers
        .iter()
        .zip(&extraction.pointer_values);
    let mut roots = HashMap::new();
    for (pointer, value) in pointers {
        if let (PointerKind::Buffer(buffer), Some(value)) = (pointer.kind, value) {
            roots.insert(buffer, *value);
        }
    }
    for (index, op) in extraction.buffer_ops.iter().enumerate() {
        // The pointer of a global has no value, so one of its `memref.get_global` represents it.
        if let Some(op) = op {
            roots.entry(BufferId::new(index)).or_insert(op.result());
        }
    }
    roots
}

/// The name that all other places of the storage denoted by `root` must have.
pub(crate) fn root_name(extraction: &Extraction, root: Value) -> Option<String> {
    match root.owner() {
        Some(op) if op.name() == "memref.get_global" => {
            Some(global_name(op.attribute("name")?.symbol()?))
        }
        // The name of an argument is attached to it as an attribute, in `name_arguments`.
        _ => {
            let place = extraction.places.get(&root)?;
            let kind = extraction.program.pointers[place.pointer.index()].kind;
            let buffer = kind.buffer()?;
            Some(extraction.program.buffers[buffer.index()].name.to_string())
        }
    }
}

//! Which tables the integers of an argument index, so that random ones stay within them.

use std::collections::HashSet;

use mem_opt::internals::{Op, Value, memref_layout, view_source};

/// Size of the smallest dimension that an element of the argument `value` indexes in a `memref.load`;
/// `None` if there is none of known size. Follows elements through views, bodies of `linalg` operations and
/// conversions, but not through memory or arithmetic. Linear in the uses of what it follows.
pub(super) fn smallest_table(value: Value) -> Option<u64> {
    let mut smallest: Option<u64> = None;
    let mut reached = vec![value];
    let mut known = HashSet::new();
    while let Some(value) = reached.pop() {
        if !known.insert(value) {
            continue;
        }
        for user in value.users() {
            let indexed = indexed(user, value);
            smallest = smallest.into_iter().chain(indexed).min();
            reached.extend(followed(user, value));
        }
    }
    smallest
}

/// Size of the smallest dimension that a load accesses at the index `value`.
fn indexed(load: Op, value: Value) -> Option<u64> {
    if load.name() != "memref.load" {
        return None;
    }
    let shape = memref_layout(load.operand(0).ty())?.shape;
    let indices = load.operands().skip(1).zip(shape);
    let sizes = indices.filter(|(index, _)| *index == value);
    sizes.filter_map(|(_, size)| size?.try_into().ok()).min()
}

/// The values with the same elements as the operand `value` of an operation.
fn followed(op: Op, value: Value) -> Vec<Value> {
    match op.name() {
        "memref.load" if op.operand(0) == value => op.results().collect(),
        "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui"
        | "arith.trunci" => op.results().collect(),
        name if name.starts_with("linalg.") => {
            let body = op.regions().next().and_then(|own| own.first_block());
            let arguments = body
                .into_iter()
                .flat_map(|own| own.arguments().collect::<Vec<_>>());
            let elements = op.operands().zip(arguments);
            elements
                .filter(|(own, _)| *own == value)
                .map(|(_, element)| element)
                .collect()
        }
        _ if view_source(op) == Some(value) => op.results().collect(),
        _ => Vec::new(),
    }
}

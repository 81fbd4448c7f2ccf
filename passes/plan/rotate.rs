//! Slots of buffers with several instances.

use mem_model::PointerId;

use crate::extract::Extraction;
use crate::ir::{Builder, Op, Type, Value, buffer_size, is_buffer};

/// Selects the first slot that no older instance occupies.
pub(super) fn rotate(
    extraction: &Extraction,
    op: Op,
    slots: &[Value],
    avoid: &[PointerId],
) -> Value {
    let context = op.context();
    let values = avoid
        .iter()
        .filter_map(|p| extraction.pointer_values[p.index()]);
    let avoid: Vec<Value> = values.map(|v| as_memref(v, op)).collect();
    Builder::new("mem.rotate", op.location())
        .operands(slots.iter().copied())
        .operands(avoid.iter().copied())
        .segments(context, &[slots.len() as i32, avoid.len() as i32])
        .result(op.result().ty())
        .before(op)
        .result()
}

/// A value that denotes storage, as a memref.
fn as_memref(value: Value, op: Op) -> Value {
    if !is_buffer(value.ty()) {
        return value;
    }
    // Only the address matters, so an unknown size can be zero.
    let size = buffer_size(value.ty()).unwrap_or(0);
    let context = op.context();
    Builder::new("mem.descriptor", op.location())
        .operands([value])
        .result(Type::parse(context, &format!("memref<{size}xi8>")))
        .integers(context, "static_bounds", &[0, size])
        .before(op)
        .result()
}

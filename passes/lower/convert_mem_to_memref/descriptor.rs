//! Lowers descriptors: bytes at an offset, seen as a memref of a given type.

use super::{Lowering, unsupported};
use crate::extract::descriptor_bounds;
use crate::framework::{Failed, PassResult};
use crate::ir::spaces::{in_space, space_of};
use crate::ir::{
    Builder, MemrefLayout, Op, Type, Value, binary, constant_index, dense_memref, element_type,
    memref_layout,
};

/// Distance from a pointer, in bytes: a constant plus an optional value known at run time.
#[derive(Clone, Copy, Default)]
pub(super) struct Start {
    pub constant: i64,
    pub dynamic: Option<Value>,
}

impl Start {
    /// The distance as a value of type `index`, before `op`.
    pub(super) fn at(self, op: Op) -> Value {
        match self.dynamic {
            None => constant_index(op, self.constant),
            Some(dynamic) if self.constant == 0 => dynamic,
            Some(dynamic) => binary(op, "arith.addi", dynamic, constant_index(op, self.constant)),
        }
    }

    /// The distance increased by a constant and an optional run-time value, in bytes.
    fn further(self, op: Op, constant: i64, dynamic: Option<Value>) -> Self {
        let dynamic = match (self.dynamic, dynamic) {
            (Some(a), Some(b)) => Some(binary(op, "arith.addi", a, b)),
            (a, b) => a.or(b),
        };
        let constant = self.constant + constant;
        Self { constant, dynamic }
    }
}

impl Lowering {
    pub(super) fn lower_descriptor(&mut self, op: Op) -> PassResult {
        let [offset, size] = descriptor_bounds(op);
        let mut dynamic = op.operands().skip(1);
        let dynamic_offset = if offset.is_none() {
            dynamic.next()
        } else {
            None
        };
        let dynamic_size = if size.is_none() { dynamic.next() } else { None };
        let buffer = op.operand(0);
        let (base, shift) = match self.placed.get(&buffer) {
            Some((arena, offset)) => (*arena, *offset),
            None => (self.bytes_of(buffer, op), Start::default()),
        };
        let start = shift.further(op, offset.unwrap_or(0), dynamic_offset);
        let ty = op.result().ty();
        let layout = known_layout(op, ty)?;
        let size = size.map_or_else(
            || dynamic_size,
            |n| layout_is_dynamic(&layout).then(|| constant_index(op, n)),
        );
        let memref = build(op, base, start, (ty, &layout), size)?;
        op.result().replace_with(memref);
        self.dead.push(op);
        self.n_views += 1;
        Ok(())
    }

    /// Builds a memref of static shape that starts `offset` bytes after `base`.
    pub(super) fn memref_at(
        &mut self,
        op: Op,
        base: Value,
        offset: Start,
        ty: Type,
    ) -> Result<Value, Failed> {
        let layout = known_layout(op, ty)?;
        if layout_is_dynamic(&layout) {
            return unsupported(op, "its shape is known only at run time").fail();
        }
        build(op, base, offset, (ty, &layout), None)
    }
}

fn known_layout(op: Op, ty: Type) -> Result<MemrefLayout, Failed> {
    let unknown = || unsupported(op, "the size of its elements is unknown").fail();
    memref_layout(ty).map_or_else(unknown, Ok)
}

fn layout_is_dynamic(layout: &MemrefLayout) -> bool {
    layout.shape.contains(&None)
}

/// Builds the memref of type `ty` whose first element is `start` bytes after `base`. `size`: its
/// size in bytes, from which a dynamic dimension is computed.
fn build(
    op: Op,
    base: Value,
    start: Start,
    (ty, layout): (Type, &MemrefLayout),
    size: Option<Value>,
) -> Result<Value, Failed> {
    // A view has the memory space of its source. Where a program states levels only for some
    // types, a cast follows.
    let plain = in_space(ty, space_of(base.ty()).flatten());
    let memref = if layout.identity {
        let sizes = dynamic_sizes(op, layout, size)?;
        view(op, base, start.at(op), &sizes, plain)
    } else {
        strided(op, base, start, (plain, layout))?
    };
    if plain == ty {
        return Ok(memref);
    }
    let cast = Builder::new("memref.memory_space_cast", op.location()).operands([memref]);
    Ok(cast.result(ty).before(op).result())
}

/// Computes the only dynamic dimension from the number of bytes.
fn dynamic_sizes(op: Op, layout: &MemrefLayout, size: Option<Value>) -> Result<Vec<Value>, Failed> {
    match layout.shape.iter().filter(|d| d.is_none()).count() {
        0 => return Ok(Vec::new()),
        1 => {}
        _ => return unsupported(op, "more than one dimension is known only at run time").fail(),
    }
    let Some(size) = size else {
        return unsupported(op, "its size is unknown").fail();
    };
    let Some(row) = layout.known_bytes().filter(|row| *row > 0) else {
        return unsupported(op, "a dimension is zero and another known only at run time").fail();
    };
    // With rows of one byte there is nothing to divide.
    if row == 1 {
        return Ok(vec![size]);
    }
    let row = constant_index(op, row);
    let count = Builder::new("arith.divui", op.location())
        .operands([size, row])
        .result(size.ty())
        .before(op)
        .result();
    Ok(vec![count])
}

fn view(op: Op, base: Value, shift: Value, sizes: &[Value], ty: Type) -> Value {
    Builder::new("memref.view", op.location())
        .operands([base, shift])
        .operands(sizes.iter().copied())
        .result(ty)
        .before(op)
        .result()
}

/// Builds a strided memref: the elements that it spans, reinterpreted with its offset and strides.
/// A constant layout offset of `o` means that the pointer is `o` elements before the first one.
fn strided(
    op: Op,
    base: Value,
    start: Start,
    (ty, layout): (Type, &MemrefLayout),
) -> Result<Value, Failed> {
    let all_static = layout
        .shape
        .iter()
        .chain(&layout.strides)
        .all(Option::is_some);
    let (true, Some(span)) = (all_static, layout.span()) else {
        return unsupported(op, "its shape or strides are known only at run time").fail();
    };
    let element = element_type(ty).ok_or(Failed)?;
    let numbers = |list: &[Option<i64>]| list.iter().flatten().copied().collect::<Vec<_>>();
    let (sizes, strides) = (numbers(&layout.shape), numbers(&layout.strides));
    let context = op.context();
    let cast = Builder::new("memref.reinterpret_cast", op.location())
        .result(ty)
        .integers(context, "static_sizes", &sizes)
        .integers(context, "static_strides", &strides);
    // A layout whose offset is known only at run time may as well have offset zero.
    let before = layout.offset.unwrap_or(0);
    let space = space_of(ty).flatten();
    let source = dense_memref(element, &[Some(before + span / layout.element)], space);
    let row = view(
        op,
        base,
        start.further(op, -before * layout.element, None).at(op),
        &[],
        source,
    );
    let cast = match layout.offset {
        Some(offset) => cast
            .operands([row])
            .segments(context, &[1, 0, 0, 0])
            .integers(context, "static_offsets", &[offset]),
        None => cast
            .operands([row, constant_index(op, 0)])
            .segments(context, &[1, 1, 0, 0])
            .integers(context, "static_offsets", &[i64::MIN]),
    };
    Ok(cast.before(op).result())
}

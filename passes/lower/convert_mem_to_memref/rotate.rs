//! Lowers `mem.rotate` to comparisons of addresses that find a free slot.

use super::Lowering;
use crate::ir::dialect::rotation;
use crate::ir::{Builder, Op, Type, Value, binary, buffer_size, constant_index};

impl Lowering {
    /// Selects the first slot that none of the avoided memrefs points into. The last slot needs no
    /// test: there are more slots than memrefs to avoid.
    pub(super) fn lower_rotate(&mut self, op: Op) {
        let size = buffer_size(op.result().ty());
        let (slots, avoided) = rotation(op);
        let slots: Vec<Value> = slots.into_iter().map(|v| self.bytes_of(v, op)).collect();
        let pointers: Vec<Value> = avoided.into_iter().map(|v| pointer(op, v)).collect();
        let (last, others) = slots
            .split_last()
            .expect("a rotation has at least two slots");
        let size = match size {
            Some(size) => constant_index(op, size),
            None => n_bytes(op, *last),
        };
        let mut chosen = *last;
        for slot in others.iter().rev() {
            let base = pointer(op, *slot);
            let hits = pointers.iter().map(|p| points_into(op, *p, base, size));
            let Some(busy) = hits.reduce(|a, b| binary(op, "arith.ori", a, b)) else {
                chosen = *slot;
                continue;
            };
            chosen = Builder::new("arith.select", op.location())
                .operands([busy, chosen, *slot])
                .result(slot.ty())
                .before(op)
                .result();
        }
        self.replace(op, chosen);
    }
}

/// The size of a memref of bytes, read at run time.
fn n_bytes(op: Op, memref: Value) -> Value {
    Builder::new("memref.dim", op.location())
        .operands([memref, constant_index(op, 0)])
        .result(Type::index(op.context()))
        .before(op)
        .result()
}

fn pointer(op: Op, memref: Value) -> Value {
    Builder::new("memref.extract_aligned_pointer_as_index", op.location())
        .operands([memref])
        .result(Type::index(op.context()))
        .before(op)
        .result()
}

/// Whether `pointer` is in `[base, base + size)`: one unsigned comparison of the distance.
fn points_into(op: Op, pointer: Value, base: Value, size: Value) -> Value {
    const UNSIGNED_LESS: i64 = 6;
    let distance = binary(op, "arith.subi", pointer, base);
    let context = op.context();
    Builder::new("arith.cmpi", op.location())
        .operands([distance, size])
        .integer(context, "predicate", UNSIGNED_LESS)
        .result(Type::parse(context, "i1"))
        .before(op)
        .result()
}

//! Translates views into steps of the programs that are compared.

use mem_equivalence::program::{Number, ViewKind};

use super::translate::Body;
use crate::ir::dialect::{DescriptorOp, SliceOp};
use crate::ir::{Attribute, Op, SEGMENTS, Value, is_arena, memref_layout, storage_bytes};

/// Marks a number that is an operand.
const DYNAMIC: i64 = i64::MIN;

impl Body<'_> {
    /// The relation of an operation's result to its first operand, if the operation is a view and
    /// the relation is known.
    pub(super) fn view(&mut self, op: Op) -> Option<ViewKind> {
        match op.name() {
            "memref.cast"
            | "memref.memory_space_cast"
            | "memref.assume_alignment"
            | "memref.distinct_objects" => (op.results().count() == 1).then_some(ViewKind::Same),
            "memref.expand_shape" | "memref.collapse_shape" => Some(ViewKind::Reshape),
            "memref.transpose" => Some(ViewKind::Permute(
                op.attribute("permutation")?.affine_map()?.projection()?,
            )),
            "memref.subview" => {
                let [offsets, sizes, strides] = self.mixed(op)?;
                Some(ViewKind::Slice {
                    offsets,
                    sizes,
                    strides,
                })
            }
            "memref.reinterpret_cast" => {
                let [offsets, sizes, strides] = self.mixed(op)?;
                let offset = *offsets.first()?;
                Some(ViewKind::Reinterpret {
                    offset,
                    sizes,
                    strides,
                })
            }
            "memref.view" => {
                let mut operands = op.operands().skip(1);
                let start = Number::Value(self.value(operands.next()?));
                let sizes: Vec<Value> = operands.collect();
                let sizes = sizes
                    .into_iter()
                    .map(|size| Number::Value(self.value(size)));
                Some(ViewKind::Bytes {
                    start,
                    sizes: sizes.collect(),
                    bytes: None,
                    limit: span(op.result()),
                })
            }
            "mem.descriptor" => self.descriptor(op),
            "mem.view" => self.placed(op),
            "mem.slice" => {
                let size = SliceOp::of(op).and_then(|slice| i64::try_from(slice.size()).ok());
                Some(ViewKind::Bytes {
                    start: self.offset(op)?,
                    sizes: size.map(Number::Constant).into_iter().collect(),
                    bytes: None,
                    limit: None,
                })
            }
            _ => None,
        }
    }

    fn descriptor(&mut self, op: Op) -> Option<ViewKind> {
        let bounds = DescriptorOp::of(op)?.static_bounds();
        let mut dynamic = op.operands().skip(1);
        let mut number = |bound: i64| match bound {
            DYNAMIC => Some(Number::Value(self.value(dynamic.next()?))),
            known => Some(Number::Constant(known)),
        };
        let (start, size) = (number(*bounds.first()?)?, number(*bounds.get(1)?)?);
        let limit = match size {
            Number::Constant(size) => Some(size),
            Number::Value(_) => None,
        };
        Some(ViewKind::Bytes {
            start,
            sizes: Vec::new(),
            bytes: Some(size),
            limit,
        })
    }

    /// The offset of a view or a slice.
    fn offset(&mut self, op: Op) -> Option<Number> {
        match op.attribute("offset").and_then(Attribute::integer) {
            Some(offset) => Some(Number::Constant(offset)),
            None => Some(Number::Value(self.value(op.operands().nth(1)?))),
        }
    }

    fn placed(&mut self, op: Op) -> Option<ViewKind> {
        let start = self.offset(op)?;
        let limit = storage_bytes(op.result().ty()).and_then(|bytes| i64::try_from(bytes).ok());
        let is_offset_known = matches!(start, Number::Constant(_));
        let rest: Vec<Value> = op
            .operands()
            .skip(if is_offset_known { 1 } else { 2 })
            .collect();
        let sizes = rest.into_iter().map(|size| Number::Value(self.value(size)));
        Some(ViewKind::Bytes {
            start,
            sizes: sizes.collect(),
            bytes: None,
            limit,
        })
    }

    /// Offsets, sizes and strides, each either constant or an operand.
    fn mixed(&mut self, op: Op) -> Option<[Vec<Number>; 3]> {
        let segments = op.attribute(SEGMENTS)?.small_integers()?;
        let mut operands = op
            .operands()
            .skip(usize::try_from(*segments.first()?).ok()?);
        let mut lists: [Vec<Number>; 3] = Default::default();
        for (list, name) in
            lists
                .iter_mut()
                .zip(["static_offsets", "static_sizes", "static_strides"])
        {
            for known in op.attribute(name)?.integers()? {
                list.push(match known {
                    DYNAMIC => Number::Value(self.value(operands.next()?)),
                    known => Number::Constant(known),
                });
            }
        }
        Some(lists)
    }
}

/// The bytes that a memref spans, if known.
fn span(value: Value) -> Option<i64> {
    match is_arena(value.ty()) {
        true => None,
        false => memref_layout(value.ty())?.span(),
    }
}

//! The rows of a window that a tile accesses, seen as the operand of the original is.

use crate::extract::views::reassociation;
use crate::ir::{
    Builder, Op, Type, Value, identity_memref, memref_layout, strided_memref, subview,
};

/// A value that has only the indices `[start, end)` of one dimension of the original.
pub(super) struct Place {
    pub value: Value,
    pub dimension: usize,
    pub start: i64,
    pub end: i64,
}

impl Place {
    /// The view that `op` makes of the original, of this value.
    pub(super) fn through(self, op: Op, before: Op) -> Option<Self> {
        match op.name() {
            "memref.subview" => self.subview(op, before),
            "memref.expand_shape" => self.expanded(op, before),
            "memref.collapse_shape" => self.collapsed(op, before),
            // The layout that a cast makes less specific is known here.
            "memref.cast" => Some(self),
            _ => None,
        }
    }

    fn subview(self, op: Op, before: Op) -> Option<Self> {
        let entries = |name: &str| op.attribute(name)?.integers();
        let (mut offsets, mut sizes) = (entries("static_offsets")?, entries("static_sizes")?);
        let steps = entries("static_strides")?;
        let result = memref_layout(op.result().ty())?.static_shape()?;
        let layout = memref_layout(self.value.ty())?;
        let (shift, step) = (offsets[self.dimension], steps[self.dimension]);
        offsets[self.dimension] = 0;
        let start = self.start - shift;
        (step > 0 && start % step == 0).then_some(())?;
        let n = (self.end - self.start + step - 1) / step;
        let (mut shape, mut strides) = (Vec::new(), Vec::new());
        let mut offset = layout.offset?;
        let mut dimension = None;
        for (at, size) in sizes.iter_mut().enumerate() {
            let stride = layout.strides[at]?;
            offset += offsets[at] * stride;
            let is_dropped = result.get(shape.len()) != Some(size);
            if at == self.dimension {
                *size = n;
                dimension = Some(shape.len());
            }
            if !is_dropped {
                shape.push(*size);
                strides.push(stride * steps[at]);
            }
        }
        let ty = strided_memref(self.value.ty(), &shape, offset, &strides);
        Some(Self {
            value: subview(before, self.value, &[], [&offsets, &sizes, &steps], ty),
            dimension: dimension?,
            start: start / step,
            end: start / step + n,
        })
    }

    fn expanded(self, op: Op, before: Op) -> Option<Self> {
        let mut shape = memref_layout(op.result().ty())?.static_shape()?;
        let layout = memref_layout(self.value.ty())?;
        let groups = reassociation(op)?;
        let group = &groups[self.dimension];
        let dimension = group
            .iter()
            .copied()
            .find(|dimension| shape[*dimension] > 1)?;
        let inner: i64 = group
            .iter()
            .map(|dimension| shape[*dimension])
            .product::<i64>()
            / shape[dimension];
        (self.start % inner == 0 && self.end % inner == 0).then_some(())?;
        shape[dimension] = (self.end - self.start) / inner;
        let mut strides = vec![0; shape.len()];
        for (source, group) in groups.iter().enumerate() {
            let mut stride = layout.strides[source]?;
            for dimension in group.iter().rev() {
                strides[*dimension] = stride;
                stride *= shape[*dimension];
            }
        }
        let ty = retyped(self.value, &shape, layout.offset?, &strides);
        let value = Builder::new("memref.expand_shape", before.location())
            .operands([self.value])
            .result(ty)
            .attribute("reassociation", op.attribute("reassociation")?)
            .integers(before.context(), "static_output_shape", &shape)
            .before(before)
            .result();
        Some(Self {
            value,
            dimension,
            start: self.start / inner,
            end: self.end / inner,
        })
    }

    fn collapsed(self, op: Op, before: Op) -> Option<Self> {
        let mut shape = memref_layout(op.result().ty())?.static_shape()?;
        let layout = memref_layout(self.value.ty())?;
        let groups = reassociation(op)?;
        let dimension = groups
            .iter()
            .position(|group| group.contains(&self.dimension))?;
        shape[dimension] = self.end - self.start;
        let mut strides = Vec::new();
        for group in &groups {
            // As in upstream's verifier: the stride of the last dimension that is not 1.
            let last = group
                .iter()
                .rev()
                .find(|own| layout.shape[**own] != Some(1));
            strides.push(layout.strides[*last.or(group.first())?]?);
        }
        let ty = retyped(self.value, &shape, layout.offset?, &strides);
        let value = Builder::new("memref.collapse_shape", before.location())
            .operands([self.value])
            .result(ty)
            .attribute("reassociation", op.attribute("reassociation")?)
            .before(before)
            .result();
        Some(Self {
            value,
            dimension,
            ..self
        })
    }
}

/// The type of a reshaped value: with the identity layout if the value has it, as upstream infers.
fn retyped(value: Value, shape: &[i64], offset: i64, strides: &[i64]) -> Type {
    match memref_layout(value.ty()).is_some_and(|layout| layout.identity) {
        true => identity_memref(value.ty(), shape),
        false => strided_memref(value.ty(), shape, offset, strides),
    }
}

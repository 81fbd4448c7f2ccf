//! `mem-lower-expand-shape`: lowers the reshapes on which upstream's `expand-strided-metadata`
//! crashes.
//!
//! That pass derives one size of each group from the others and assumes that no other size of the
//! group is a run-time value. Since `memref.expand_shape` has an operand for each run-time size,
//! all sizes are known here, and so are the strides: products of the stride of the split dimension
//! and the sizes that follow in the group.

use crate::framework::options::MemLowerExpandShapeOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{
    Attribute, Builder, MemrefLayout, Op, Type, Value, binary, constant_index, identity_memref,
    memref_layout,
};

/// Marks a run-time value in an attribute of static sizes, strides or offsets.
const RUN_TIME: i64 = i64::MIN;

pub(crate) fn run(run: &PassRun, _options: &Options) -> PassResult {
    let mut found = Vec::new();
    run.operation().walk(&mut |op| {
        if op.name() == "memref.expand_shape" && has_several_sizes(op) {
            found.push(op);
        }
    });
    for op in &found {
        let lowered = lower(*op)
            .ok_or_else(|| Failed::at(*op, {
            "cannot be lowered: its layout is not strided, or the size of its elements is unknown"
        }))?;
        op.result().replace_with(lowered);
        op.erase();
    }
    run.set_statistic(Options::NUM_LOWERED, found.len() as u64);
    Ok(())
}

/// The dimensions of the result into which each dimension of the source is split.
fn groups(op: Op) -> Option<Vec<Vec<usize>>> {
    let groups = op.attribute("reassociation")?.elements()?;
    let members = |group: &Attribute| -> Option<Vec<usize>> {
        let members = group.elements()?.into_iter();
        members
            .map(|member| usize::try_from(member.integer()?).ok())
            .collect()
    };
    groups.iter().map(members).collect()
}

/// Whether two sizes of a group are known only at run time.
fn has_several_sizes(op: Op) -> bool {
    let shape = op.attribute("static_output_shape");
    let Some((groups, shape)) = groups(op).zip(shape.and_then(Attribute::integers)) else {
        return false;
    };
    groups.iter().any(|group| {
        let sizes = group.iter().filter(|d| shape[**d] == RUN_TIME);
        sizes.count() > 1
    })
}

/// Builds the `memref.reinterpret_cast` that is equivalent to `op` before it; `None` if
/// `memref_layout` has no layout for it.
fn lower(op: Op) -> Option<Value> {
    let (source, ty) = (op.operand(0), op.result().ty());
    let (from, to) = (memref_layout(source.ty())?, memref_layout(ty)?);
    let (offset, source_strides) = metadata(op, source, &from)?;
    let mut operands = op.operands().skip(1);
    let sizes: Option<Vec<Value>> = to
        .shape
        .iter()
        .map(|size| match size {
            Some(size) => Some(constant_index(op, *size)),
            None => operands.next(),
        })
        .collect();
    let sizes = sizes?;
    let mut strides = Vec::new();
    // From the innermost dimension outwards.
    for (group, source_stride) in groups(op)?.into_iter().zip(source_strides).rev() {
        let mut stride = source_stride;
        for (position, dimension) in group.iter().enumerate().rev() {
            strides.push(stride);
            if position > 0 {
                stride = binary(op, "arith.muli", stride, sizes[*dimension]);
            }
        }
    }
    strides.reverse();
    // Only what the type leaves open is an operand.
    let open = |values: &[Value], known: &[Option<i64>]| -> Vec<Value> {
        let pairs = values.iter().zip(known);
        pairs
            .filter(|(_, known)| known.is_none())
            .map(|(v, _)| *v)
            .collect()
    };
    let fixed = |known: &[Option<i64>]| -> Vec<i64> {
        known.iter().map(|n| n.unwrap_or(RUN_TIME)).collect()
    };
    let offsets = open(&[offset], &[to.offset]);
    let (sizes, strides) = (open(&sizes, &to.shape), open(&strides, &to.strides));
    let segments = [1, offsets.len(), sizes.len(), strides.len()].map(|n| n as i32);
    let context = op.context();
    let cast = Builder::new("memref.reinterpret_cast", op.location())
        .operands([source])
        .operands(offsets)
        .operands(sizes)
        .operands(strides)
        .result(ty)
        .integers(context, "static_offsets", &fixed(&[to.offset]))
        .integers(context, "static_sizes", &fixed(&to.shape))
        .integers(context, "static_strides", &fixed(&to.strides))
        .segments(context, &segments);
    Some(cast.before(op).result())
}

/// The offset and the strides of `source`, built before `op`.
fn metadata(op: Op, source: Value, layout: &MemrefLayout) -> Option<(Value, Vec<Value>)> {
    let index = Type::index(op.context());
    let rank = layout.shape.len();
    let mut metadata = Builder::new("memref.extract_strided_metadata", op.location())
        .operands([source])
        .result(identity_memref(source.ty(), &[]));
    for _ in 0..=2 * rank {
        metadata = metadata.result(index);
    }
    let results: Vec<Value> = metadata.before(op).results().collect();
    let strides = results.get(2 + rank..)?.to_vec();
    Some((*results.get(1)?, strides))
}

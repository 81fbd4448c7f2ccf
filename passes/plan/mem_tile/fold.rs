//! Reads the elements of a copy in another order where the original ones are, so that the copy need not exist.
//!
//! Front ends write a transposed convolution as a convolution with reversed weights, which a copy holds. Each
//! operation that reads such a copy becomes a `linalg.generic` with the same body, whose indexing map composes
//! that of the operation and those of the copy. Only copies of what exists in any case are removed, such as
//! arguments of the function: others would live longer.
//!
//! Extract, check, materialize: the operations that replace others are written beside them, `check` reads both back,
//! and only then are the original ones erased.

mod check;

use std::ops::Range;

use rustc_hash::FxHashMap as HashMap;

use mem_model::{BufferId, TileOperation};

use crate::extract::tiles::{TileBlock, is_disjoint_argument};
use crate::framework::Failed;
use crate::ir::rewrite::{root_of_views, yields_input};
use crate::ir::structured::{extents, generic_like, is_within, map_of};
use crate::ir::{
    Attribute, Linear, Op, Type, Value, indexing_map_attributes, indexing_maps, memref_layout,
    n_inputs, strided_memref, subview,
};

use super::internal_error;
use super::sabotage::Sabotage;
use check::check;

/// An operation that only copies elements, to a buffer of its own.
struct Copy {
    buffer: Value,
    source: Value,
    /// The indices in the source, as expressions in those in the buffer.
    from: Vec<Linear>,
}

/// What replaces an operation that reads a copy.
struct Reader {
    op: Op,
    operands: Vec<Value>,
    maps: Vec<Attribute>,
    n_inputs: usize,
    shape: Option<Shape>,
}

/// A view of the source whose elements are not read. It states the number of iterations of dimensions that no
/// other operand has as an index.
struct Shape {
    source: Value,
    sizes: Vec<i64>,
    ty: Type,
    map: Attribute,
}

/// Removes copies whose readers can read the source. Returns their number.
///
/// Linear in the operations, times those between each copy and its last reader.
pub(super) fn fold_copies(
    block: &TileBlock,
    noalias: bool,
    sabotage: Option<Sabotage>,
) -> Result<usize, Failed> {
    let steps = block.ops.iter().enumerate();
    let mut steps: HashMap<Op, usize> = steps.map(|(step, op)| (*op, step)).collect();
    let mut ops = block.ops.clone();
    let mut n_folded = 0;
    for step in 0..ops.len() {
        let Some((copy, readers)) = foldable(block, &ops, &steps, step, (noalias, sabotage)) else {
            continue;
        };
        for reader in readers {
            let (original, at) = (reader.op, steps[&reader.op]);
            let new = reader.write();
            if let Err(why) = check(original, new, noalias) {
                return internal_error(original, &why.to_string()).fail();
            }
            steps.remove(&original);
            original.erase();
            ops[at] = new;
            steps.insert(new, at);
        }
        if sabotage.is_some_and(Sabotage::is_of_copies) {
            return internal_error(ops[step], "the check accepts broken tiles").fail();
        }
        steps.remove(&ops[step]);
        ops[step].erase();
        // Only deallocations are left.
        copy.buffer.users().into_iter().for_each(Op::erase);
        n_folded += 1;
    }
    Ok(n_folded)
}

/// The copy at `step`, and what replaces its readers; `None` if it has to stay.
fn foldable(
    block: &TileBlock,
    ops: &[Op],
    steps: &HashMap<Op, usize>,
    step: usize,
    (noalias, sabotage): (bool, Option<Sabotage>),
) -> Option<(Copy, Vec<Reader>)> {
    let copy = Copy::of(ops[step])?;
    let buffers = &block.program.buffers;
    let id = |value: Value| block.roots.iter().position(|root| *root == value);
    buffers[id(copy.buffer)?].is_private.then_some(())?;
    let source = root_of_views(copy.source);
    let is_global = |op: Op| op.name() == "memref.get_global";
    let is_argument = is_disjoint_argument(source, noalias).is_some();
    (is_argument || source.owner().is_some_and(is_global)).then_some(())?;
    let source = BufferId::new(id(source)?);

    let users = copy.buffer.users().into_iter();
    let users = users.filter(|user| *user != ops[step] && user.name() != "memref.dealloc");
    let readers: Option<Vec<usize>> = users.map(|user| steps.get(&user).copied()).collect();
    let mut readers = readers?;
    readers.sort_unstable();
    readers.dedup();
    let (first, last) = (*readers.first()?, *readers.last()?);
    (first > step).then_some(())?;
    let between = step + 1..last + 1;
    let program = &block.program;
    let are_structured = || {
        let mut all = program.operations[between.clone()].iter();
        all.all(TileOperation::can_be_tiled)
    };
    let is_folded = match sabotage {
        Some(Sabotage::LateRead) => is_overwritten(block, source, between),
        _ => are_structured() && program.is_unchanged(source, between),
    };
    is_folded.then_some(())?;
    let readers = readers.into_iter();
    let readers = readers.map(|at| copy.reader(ops[at], sabotage));
    let readers = readers.collect::<Option<_>>()?;
    Some((copy, readers))
}

/// Whether a structured operation of `steps` overwrites a buffer.
fn is_overwritten(block: &TileBlock, buffer: BufferId, steps: Range<usize>) -> bool {
    block.program.operations[steps].iter().any(|operation| {
        let mut written = operation.writes();
        operation.can_be_tiled() && written.any(|own| own.buffer == buffer)
    })
}

impl Copy {
    fn of(op: Op) -> Option<Self> {
        let maps = indexing_maps(op)?;
        let operands: Vec<Value> = op.operands().collect();
        let (&[source, buffer], [read, written]) = (operands.as_slice(), maps.as_slice()) else {
            return None;
        };
        yields_input(op).then_some(())?;
        memref_layout(source.ty())?.static_shape()?;

        let n = written.n_dimensions;
        let positions = written.projection()?;
        let index = |dimension: usize| {
            let position = positions.iter().position(|own| *own == dimension)?;
            Linear::dimension(position, n)
        };
        let indices: Vec<Linear> = (0..n).map(index).collect::<Option<_>>()?;
        (positions.len() == n).then_some(())?;
        let from = read.results.iter();
        let from = from.map(|own| own.linear(n)?.of(&indices, n));
        let from: Vec<Linear> = from.collect::<Option<_>>()?;
        (!from.is_empty()).then_some(Self {
            buffer,
            source,
            from,
        })
    }

    /// What replaces an operation that reads the copy; `None` if there is nothing.
    fn reader(&self, op: Op, sabotage: Option<Sabotage>) -> Option<Reader> {
        // The check compares bodies operation by operation.
        let body = op.regions().next()?.first_block()?;
        let mut all = body.ops();
        all.all(|own| own.regions().next().is_none())
            .then_some(())?;
        let maps = indexing_maps(op)?;
        let mut attributes = indexing_map_attributes(op)?.elements()?;
        let mut operands: Vec<Value> = op.operands().collect();
        let n_inputs = n_inputs(op)?;
        let extents = extents(op)?;
        let n = extents.len();
        let layout = memref_layout(self.source.ty())?;
        let sizes = layout.static_shape()?;
        let is_own = |at: &usize| operands[*at] == self.buffer;
        let own: Vec<usize> = (0..operands.len()).filter(is_own).collect();
        own.iter().all(|at| *at < n_inputs).then_some(())?;

        // Dimensions that are indices of an operand.
        let mut is_index = vec![false; n];
        let mut composed = Vec::new();
        for (at, map) in maps.iter().enumerate() {
            let indices = map.results.iter().map(|own| own.linear(n));
            let mut indices: Vec<Linear> = indices.collect::<Option<_>>()?;
            if own.contains(&at) {
                let from = self.from.iter().map(|own| own.of(&indices, n));
                indices = from.collect::<Option<_>>()?;
                if sabotage == Some(Sabotage::WrongOrder) {
                    reorder(&mut indices, &sizes)?;
                }
                let mut pairs = indices.iter().zip(&sizes);
                pairs
                    .all(|(own, size)| is_within(own, &extents, *size))
                    .then_some(())?;
                attributes[at] = map_of(op, &indices);
                operands[at] = self.source;
                composed.clone_from(&indices);
            }
            let dimensions = indices.iter().filter_map(Linear::as_dimension);
            dimensions.for_each(|own| is_index[own] = true);
        }
        let lost: Vec<usize> = (0..n).filter(|own| !is_index[*own]).collect();
        let shape = match lost.is_empty() {
            true => None,
            false => Some(self.shape(op, &composed, &lost, &extents)?),
        };
        Some(Reader {
            op,
            operands,
            maps: attributes,
            n_inputs,
            shape,
        })
    }

    /// A view of the source with the iterations of the dimensions `lost`, given the `indices` that an operation
    /// reads in the source.
    fn shape(&self, op: Op, indices: &[Linear], lost: &[usize], extents: &[i64]) -> Option<Shape> {
        let layout = memref_layout(self.source.ty())?;
        let size = layout.static_shape()?;
        let n = extents.len();
        let mut sizes = vec![1; size.len()];
        let (mut shape, mut strides, mut map) = (Vec::new(), Vec::new(), Vec::new());
        for (at, index) in indices.iter().enumerate() {
            // The dimension that is counted in this index. A size of 1 would be dropped from the type.
            let is_counted =
                |own: &&usize| index.coefficients[**own].abs() == 1 && extents[**own] == size[at];
            let own = Linear::dimension(*lost.iter().find(is_counted).unwrap_or(&n), n);
            let Some(own) = own.filter(|own| !map.contains(own) && size[at] > 1) else {
                continue;
            };
            sizes[at] = size[at];
            shape.push(size[at]);
            strides.push(layout.strides[at]?);
            map.push(own);
        }
        (map.len() == lost.len()).then_some(())?;
        Some(Shape {
            source: self.source,
            sizes,
            ty: strided_memref(self.source.ty(), &shape, layout.offset?, &strides),
            map: map_of(op, &map),
        })
    }
}

/// Reads elements in another order: an index that runs backwards runs forwards, or two indices change places.
fn reorder(indices: &mut [Linear], sizes: &[i64]) -> Option<()> {
    let is_backwards = |own: &&mut Linear| own.constant > 0 && own.coefficients.contains(&-1);
    if let Some(own) = indices.iter_mut().find(is_backwards) {
        own.constant = 0;
        own.coefficients.iter_mut().for_each(|own| *own = own.abs());
        return Some(());
    }
    let pairs = (0..sizes.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let is_other = |(one, other): &(usize, usize)| {
        sizes[*one] == sizes[*other] && sizes[*one] > 1 && indices[*one] != indices[*other]
    };
    let (one, other) = { pairs }.find(is_other)?;
    indices.swap(one, other);
    Some(())
}

impl Reader {
    /// Writes the operation before the original one.
    fn write(mut self) -> Op {
        let op = self.op;
        let added = usize::from(self.shape.is_some());
        if let Some(shape) = self.shape {
            let sizes = shape.sizes;
            let (zeros, ones) = (vec![0; sizes.len()], vec![1; sizes.len()]);
            let view = subview(op, shape.source, &[], [&zeros, &sizes, &ones], shape.ty);
            self.operands.insert(self.n_inputs, view);
            self.maps.insert(self.n_inputs, shape.map);
        }
        generic_like(op, (self.operands, &self.maps), added)
    }
}

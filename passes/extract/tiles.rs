//! From the operations of a block to the problem of tiling them: iteration spaces, and the rows of
//! the buffers that iterations access.

use rustc_hash::FxHashMap as HashMap;

use mem_model::{
    Aliasing, Along, BufferId, Bytes, IterationDimension, MAX_EXTENT, RowMap, TileAccess,
    TileBuffer, TileOperand, TileOperation, TileProgram,
};

use crate::ir::rewrite::{ancestor_beside, is_allocation, is_plain_copy};
use crate::ir::{
    Affine, AffineMap, Block, Facts, Linear, Op, Value, describe, indexing_maps, is_storage,
    memref_layout, n_inputs,
};

use super::globals::argument_aliasing;
use super::views::{TileDimension, TileView};

/// A block as a problem of tiling.
#[derive(Default)]
pub(crate) struct TileBlock {
    pub program: TileProgram,
    /// The operation of each step.
    pub ops: Vec<Op>,
    /// The first value of each buffer: the allocation, or a value from outside the block.
    pub roots: Vec<Value>,
    /// The operands of each step, in the order of [`TileOperation::operands`]: the positions among
    /// the operands of the operation. Memrefs from which its body loads elements follow, and have no
    /// position.
    pub positions: Vec<Vec<usize>>,
}

/// Extracts the operations of a block. `noalias_arguments` asserts that no two arguments of a function
/// share a byte.
pub(crate) fn extract_tiles(block: Block, noalias_arguments: bool) -> TileBlock {
    let mut extraction = Extraction::default();
    for op in block.ops() {
        extraction.visit(op);
    }
    extraction.confine(block);
    extraction.keep_undefined();
    extraction.distinguish(noalias_arguments);
    extraction.block
}

#[derive(Default)]
struct Extraction {
    block: TileBlock,
    /// What each value shows; the view is `None` if it is unknown.
    values: HashMap<Value, (BufferId, Option<TileView>)>,
    /// The values in the order in which they were found.
    order: Vec<Value>,
    /// The results of operations in the block that a value depends on, not through memory.
    sources: HashMap<Value, Vec<BufferId>>,
}

impl Extraction {
    fn visit(&mut self, op: Op) {
        self.follow(op);
        match op.name() {
            "memref.alloc" | "memref.alloca" => {
                let is_static = op.operands().next().is_none();
                let layout = memref_layout(op.result().ty());
                let is_plain = is_static && layout.is_some_and(|layout| layout.identity);
                self.buffer(op.result(), is_plain);
            }
            // Deallocations are moved behind the tiles.
            "memref.dealloc" => {}
            _ if self.view(op) => {}
            _ => self.operation(op),
        }
    }

    /// Adds a buffer; one that is not private if its shape is unknown.
    fn buffer(&mut self, value: Value, is_private: bool) -> BufferId {
        let id = BufferId::new(self.block.roots.len());
        let view = TileView::of_buffer(value);
        let element = memref_layout(value.ty()).map_or(1, |layout| layout.element);
        self.block.program.buffers.push(TileBuffer {
            name: format!("tensor {}", id.index()),
            shape: view
                .as_ref()
                .map_or_else(Vec::new, |view| view.shape.clone()),
            element: Bytes::new(element.unsigned_abs()),
            is_private: is_private && view.is_some(),
            is_distinct: false,
        });
        self.block.roots.push(value);
        self.values.insert(value, (id, view));
        self.order.push(value);
        id
    }

    /// Records a known view; false if `op` is none.
    fn view(&mut self, op: Op) -> bool {
        let is_known = matches!(
            op.name(),
            "memref.subview" | "memref.expand_shape" | "memref.collapse_shape" | "memref.cast"
        );
        if !is_known {
            return false;
        }
        let (buffer, source) = self.value(op.operand(0));
        let view = source.and_then(|source| source.through(op, &mut Value::constant));
        self.values.insert(op.result(), (buffer, view));
        self.order.push(op.result());
        true
    }

    fn value(&mut self, value: Value) -> (BufferId, Option<TileView>) {
        if !self.values.contains_key(&value) {
            self.buffer(value, false);
        }
        self.values[&value].clone()
    }

    /// Records on which results the results of an operation depend, as those of an operation that accesses
    /// no memory do.
    fn follow(&mut self, op: Op) {
        let sources = self.sources_of(op);
        if !sources.is_empty() {
            for result in op.results() {
                self.sources.insert(result, sources.clone());
            }
        }
    }

    fn sources_of(&self, op: Op) -> Vec<BufferId> {
        let mut sources = Vec::new();
        let mut add = |op: Op| {
            let known = op.operands().filter_map(|value| self.sources.get(&value));
            sources.extend(known.flatten().copied());
        };
        if !self.sources.is_empty() {
            add(op);
            op.walk(&mut add);
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// Results of an operation are buffers of their own, which take no memory: the operations that use
    /// them access these. So their order is known as that of other accesses.
    fn results(&mut self, op: Op, operation: &mut TileOperation, sources: Vec<BufferId>) {
        let n = operation.dimensions.len();
        let operand = |buffer: BufferId, access: TileAccess| TileOperand {
            buffer,
            access,
            bytes: Bytes::ZERO,
            covers_rows: false,
            along: vec![Along::Independent; n],
        };
        let read = sources
            .into_iter()
            .map(|own| operand(own, TileAccess::Read));
        operation.operands.extend(read);
        let is_scalar = |result: &Value| result.is_used() && !is_storage(result.ty());
        for result in op.results().filter(is_scalar) {
            let id = BufferId::new(self.block.roots.len());
            self.block.program.buffers.push(TileBuffer {
                name: format!("result {}", id.index()),
                shape: Vec::new(),
                element: Bytes::ZERO,
                is_private: true,
                is_distinct: true,
            });
            self.block.roots.push(result);
            self.sources.insert(result, vec![id]);
            operation.operands.push(operand(id, TileAccess::Write));
        }
    }

    /// Adds an operation that accesses memory. Others may be executed anywhere after their operands.
    fn operation(&mut self, op: Op) {
        let sources = self.sources_of(op);
        let mut operation = self.structured(op).unwrap_or_default();
        if !operation.0.can_be_tiled() {
            let Some(whole) = self.whole(op) else {
                return;
            };
            let can_be_delayed =
                operation.0.can_be_delayed || matches!(op.name(), "memref.load" | "memref.store");
            let whole = TileOperation {
                can_be_delayed,
                ..whole
            };
            operation = (whole, Vec::new());
        }
        op.name().clone_into(&mut operation.0.name);
        self.results(op, &mut operation.0, sources);
        self.block.program.operations.push(operation.0);
        self.block.positions.push(operation.1);
        self.block.ops.push(op);
    }

    /// An operation that is executed as a whole; `None` if it accesses no memory.
    fn whole(&mut self, op: Op) -> Option<TileOperation> {
        let mut accessed: Vec<Value> = op.operands().collect();
        let mut ops = vec![op];
        op.walk(&mut |nested| ops.push(nested));
        accessed.extend(ops[1..].iter().flat_map(|nested| nested.operands()));
        accessed.retain(|value| is_storage(value.ty()) && !is_inside(*value, op));
        let operands = accessed.iter().map(|value| self.value(*value).0);
        let operands: Vec<BufferId> = operands.collect();
        let facts: Vec<Facts> = ops.iter().map(|op| describe(*op)).collect();
        // Storage that other values may denote from now on is not private.
        let is_shared = facts.iter().any(|facts| {
            facts.is_call() || facts.has_opaque_result() || facts.has_unknown_effects()
        }) || op.results().any(|result| is_storage(result.ty()));
        if is_shared && !facts[0].is_terminator() {
            for buffer in &operands {
                self.block.program.buffers[buffer.index()].is_private = false;
            }
        }
        let has_effects = |facts: &Facts| {
            facts.has_unknown_effects()
                || facts.is_call()
                || facts.communicates()
                || !facts.effects.is_empty()
        };
        let operand = |buffer: &BufferId| TileOperand {
            buffer: *buffer,
            access: TileAccess::Update,
            bytes: self.block.program.buffers[buffer.index()].bytes(),
            covers_rows: false,
            along: Vec::new(),
        };
        let touches = !operands.is_empty() || facts.iter().any(has_effects);
        touches.then(|| TileOperation {
            operands: operands.iter().map(operand).collect(),
            ..TileOperation::default()
        })
    }

    /// Finds the buffers that no other shares bytes with: what the block allocates, and arguments of the
    /// function that say so, unless it is not known what some value of the block denotes.
    fn distinguish(&mut self, noalias_arguments: bool) {
        let is_distinct = |root: &Value| match !is_storage(root.ty()) || is_allocation(*root) {
            true => Some(true),
            false => is_disjoint_argument(*root, noalias_arguments),
        };
        let all: Vec<Option<bool>> = self.block.roots.iter().map(is_distinct).collect();
        let is_known = all.iter().all(Option::is_some);
        for (buffer, own) in self.block.program.buffers.iter_mut().zip(&all) {
            buffer.is_distinct = buffer.is_private || is_known && *own == Some(true);
        }
    }

    /// Buffers that operations outside the block access are not private.
    fn confine(&mut self, block: Block) {
        let Some(last) = block.terminator() else {
            return;
        };
        let values: Vec<(Value, BufferId)> = self
            .order
            .iter()
            .map(|value| (*value, self.values[value].0))
            .collect();
        for (value, buffer) in values {
            let is_here = |user: Op| ancestor_beside(user, last).is_some();
            if !value.users().into_iter().all(is_here) {
                self.block.program.buffers[buffer.index()].is_private = false;
            }
        }
    }

    /// Buffers that an operation updates before anything is written to them are not private: it reads the
    /// same bytes with tiles and without, although they are undefined.
    fn keep_undefined(&mut self) {
        let program = &mut self.block.program;
        let mut is_known = vec![false; program.buffers.len()];
        for operation in &program.operations {
            // Other operations may write before they read.
            let is_structured = operation.can_be_tiled();
            for operand in &operation.operands {
                let index = operand.buffer.index();
                let is_read = operand.access == TileAccess::Update && is_structured;
                if is_read && !is_known[index] {
                    program.buffers[index].is_private = false;
                }
            }
            for operand in operation.writes() {
                is_known[operand.buffer.index()] = true;
            }
        }
    }

    /// A structured operation or a copy; `None` if `op` is neither, or if its shapes are unknown.
    fn structured(&mut self, op: Op) -> Option<(TileOperation, Vec<usize>)> {
        if op.results().next().is_some() {
            return None;
        }
        let maps = match op.name() == "memref.copy" && is_plain_copy(op) {
            true => vec![identity(op.operand(0))?; 2],
            false => indexing_maps(op)?,
        };
        let operands: Vec<Value> = op.operands().collect();
        if maps.len() != operands.len() {
            return None;
        }
        let mut views = Vec::new();
        let mut positions = Vec::new();
        let mut buffers = Vec::new();
        for (position, value) in operands.iter().enumerate() {
            if is_storage(value.ty()) {
                let (buffer, view) = self.value(*value);
                views.push(view?);
                positions.push(position);
                buffers.push(buffer);
            } else if memref_layout(value.ty()).is_some() {
                return None;
            }
        }
        let loaded = loaded(op)?;
        let maps: Vec<&AffineMap> = positions.iter().map(|position| &maps[*position]).collect();
        let accesses = accesses(op, &positions)?;
        let extents = extents(&maps, &views)?;
        let is_parallel = |dimension: usize| {
            let mut written = maps
                .iter()
                .zip(&accesses)
                .filter(|(_, access)| **access != TileAccess::Read);
            written.all(|(map, _)| map.results.contains(&Affine::Dimension(dimension)))
        };
        let dimension = |(dimension, extent): (usize, &i64)| IterationDimension {
            extent: *extent,
            is_parallel: is_parallel(dimension),
        };
        let dimensions = extents.iter().enumerate().map(dimension).collect();
        let mut own = Vec::new();
        for (index, map) in maps.iter().enumerate() {
            let buffer = &self.block.program.buffers[buffers[index].index()];
            let is_all = buffer.shape.iter().product::<i64>() == views[index].elements();
            own.push(TileOperand {
                buffer: buffers[index],
                access: accesses[index],
                bytes: Bytes::new(
                    (views[index].elements() as u64).saturating_mul(buffer.element.get()),
                ),
                covers_rows: is_all && is_permutation(map, &extents, &views[index]),
                along: along(map, &extents, &views[index])?,
            });
        }
        own.extend(loaded.into_iter().map(|value| {
            let buffer = self.value(value).0;
            TileOperand {
                buffer,
                access: TileAccess::Read,
                bytes: self.block.program.buffers[buffer.index()].bytes(),
                covers_rows: false,
                // Any iteration may load any element.
                along: vec![Along::Independent; extents.len()],
            }
        }));
        let operation = TileOperation {
            name: String::new(),
            dimensions,
            operands: own,
            is_copy: is_plain_copy(op),
            can_be_delayed: true,
        };
        Some((operation, positions))
    }
}

/// Whether no other argument of its function shares a byte with an argument; `None` for other values.
pub(crate) fn is_disjoint_argument(value: Value, noalias_arguments: bool) -> Option<bool> {
    let block = value.argument_block()?;
    let function = block.terminator()?.parent()?;
    (function.name() == "func.func").then_some(())?;
    let mut arguments = function.regions().next()?.first_block()?.arguments();
    let at = arguments.position(|own| own == value)?;
    let attributes = function.attribute("arg_attrs");
    let attributes = attributes.and_then(|all| all.elements()?.get(at).copied());
    let own = argument_aliasing(attributes, noalias_arguments);
    Some(own == Aliasing::Reachable)
}

/// Whether a value is defined inside an operation.
fn is_inside(value: Value, op: Op) -> bool {
    let owner = match value.owner() {
        Some(owner) => owner.parent(),
        None => value
            .argument_block()
            .and_then(|block| block.terminator()?.parent()),
    };
    std::iter::successors(owner, |owner| owner.parent()).any(|around| around == op)
}

/// The memrefs that the body of a structured operation loads elements from, beside its operands.
/// `None` if the body accesses memory in any other way.
fn loaded(op: Op) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    let mut is_known = true;
    op.walk(&mut |nested| {
        if nested.name() == "memref.load" {
            is_known &= !is_inside(nested.operand(0), op);
            values.push(nested.operand(0));
        } else {
            let facts = describe(nested);
            let has_effects = facts.has_unknown_effects() || !facts.effects.is_empty();
            is_known &= !has_effects && !facts.is_call() && !facts.communicates();
        }
    });
    is_known.then_some(values)
}

/// The identity map of a memref's shape.
fn identity(value: Value) -> Option<AffineMap> {
    let rank = memref_layout(value.ty())?.shape.len();
    Some(AffineMap {
        n_dimensions: rank,
        results: (0..rank).map(Affine::Dimension).collect(),
    })
}

/// What an operation does with its operands at `positions`. A result is read if the body uses its
/// previous element.
fn accesses(op: Op, positions: &[usize]) -> Option<Vec<TileAccess>> {
    if op.name() == "memref.copy" {
        return Some(vec![TileAccess::Read, TileAccess::Write]);
    }
    let body = op.regions().next()?.first_block()?;
    let elements: Vec<Value> = body.arguments().collect();
    let n_inputs = n_inputs(op)?;
    let access = |position: &usize| match *position < n_inputs {
        true => Some(TileAccess::Read),
        false if elements.get(*position)?.is_used() => Some(TileAccess::Update),
        false => Some(TileAccess::Write),
    };
    positions.iter().map(access).collect()
}

/// The number of iterations of each dimension, from the shapes of the operands.
fn extents(maps: &[&AffineMap], views: &[TileView]) -> Option<Vec<i64>> {
    let n = maps.first()?.n_dimensions;
    let mut extents: Vec<Option<i64>> = vec![None; n];
    for (map, view) in maps.iter().zip(views) {
        for (result, extent) in map.results.iter().zip(&view.shape) {
            if let Affine::Dimension(dimension) = result {
                extents[*dimension] = Some(*extent);
            }
        }
    }
    extents.into_iter().collect()
}

/// Whether each index of an operand is a dimension of its own, with all its iterations.
fn is_permutation(map: &AffineMap, extents: &[i64], view: &TileView) -> bool {
    let mut seen = vec![false; extents.len()];
    map.results
        .iter()
        .zip(&view.shape)
        .all(|(result, extent)| match result {
            Affine::Dimension(dimension) => {
                !std::mem::replace(&mut seen[*dimension], true) && extents[*dimension] == *extent
            }
            // An index 0 into a dimension of size 1.
            Affine::Constant(0) => *extent == 1,
            _ => false,
        })
}

/// How the elements of an operand depend on each dimension of the iteration space. `None` if
/// numbers are too large.
fn along(map: &AffineMap, extents: &[i64], view: &TileView) -> Option<Vec<Along>> {
    let n = extents.len();
    let indices: Vec<Option<Linear>> = map.results.iter().map(|result| result.linear(n)).collect();
    let along = |dimension: usize| {
        let mut own = None;
        for (index, linear) in indices.iter().enumerate() {
            let Some(linear) = linear else {
                return Along::Unknown;
            };
            if linear.coefficients[dimension] == 0 {
                continue;
            }
            if own.is_some() {
                return Along::Unknown;
            }
            own = Some((index, linear));
        }
        match own {
            None => Along::Independent,
            Some((index, linear)) => {
                let indices = TileDimension::all(index);
                let (own, is_row) = match view.dimensions[index] {
                    Some(own) => (own, true),
                    // The only iteration accesses all elements.
                    None if extents[dimension] == 1 => return Along::Independent,
                    None => (indices, false),
                };
                match (rows(dimension, linear, extents, own), is_row) {
                    (None, _) => Along::Unknown,
                    (Some(map), true) => Along::Rows(map),
                    (Some(map), false) => Along::Indices(map),
                }
            }
        }
    };
    let all: Vec<Along> = (0..n).map(along).collect();
    let is_small = |along: &Along| match along {
        Along::Rows(rows) | Along::Indices(rows) => [rows.scale, rows.first, rows.last]
            .iter()
            .all(|own| own.abs() <= MAX_EXTENT),
        _ => true,
    };
    all.iter().all(is_small).then_some(all)
}

/// The rows of a buffer that iterations of a dimension access.
fn rows(dimension: usize, linear: &Linear, extents: &[i64], view: TileDimension) -> Option<RowMap> {
    let (mut least, mut most) = (linear.constant, linear.constant);
    for (other, coefficient) in linear.coefficients.iter().enumerate() {
        if other != dimension {
            let reach = coefficient.checked_mul(extents[other] - 1)?;
            least = least.checked_add(reach.min(0))?;
            most = most.checked_add(reach.max(0))?;
        }
    }
    let coefficient = linear.coefficients[dimension];
    // A tile is given a view that starts at its first row. Its indices have to start at 0, too.
    (coefficient > 0 && least == 0).then_some(())?;
    Some(RowMap {
        dimension: view.dimension,
        scale: view.scale.checked_mul(coefficient)?,
        first: view.scale.checked_mul(least)?.checked_add(view.offset)?,
        last: view
            .scale
            .checked_mul(most)?
            .checked_add(view.offset.checked_add(view.width)?)?,
    })
}

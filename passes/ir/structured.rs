//! Structured operations of `linalg` on memrefs: iteration spaces, and how one takes the place of another.

use rustc_hash::FxHashMap as HashMap;

use super::{
    Affine, AffineMap, Attribute, Block, Builder, Linear, Op, Value, element_type, indexing_maps,
    is_pure, memref_layout, n_inits, n_inputs,
};

/// A structured operation whose indices are all linear.
pub(crate) struct Structured {
    pub op: Op,
    pub operands: Vec<Value>,
    /// One map for each operand.
    pub maps: Vec<AffineMap>,
    /// The results of the maps.
    pub indices: Vec<Vec<Linear>>,
    /// The number of operands that are only read. They precede the others.
    pub n_inputs: usize,
    pub body: Block,
}

impl Structured {
    pub(crate) fn of(op: Op) -> Option<Self> {
        let operands: Vec<Value> = op.operands().collect();
        let maps = indexing_maps(op)?;
        (maps.len() == operands.len()).then_some(())?;
        Some(Self {
            op,
            n_inputs: n_inputs(op)?,
            operands,
            indices: linear_indices(&maps)?,
            maps,
            body: op.regions().next()?.first_block()?,
        })
    }

    /// Whether a dimension is an index of every result.
    pub(crate) fn is_index_of_results(&self, dimension: usize) -> bool {
        is_index_of_all(&self.maps[self.n_inputs..], dimension)
    }

    /// Whether the dimensions of `new` are what they were. Where this operation does not state it, they are parallel
    /// only if every result has an element for each of their iterations.
    pub(crate) fn has_iterators_of(&self, new: &Self) -> bool {
        let kinds = |own: Op| {
            own.attribute("iterator_types")
                .and_then(Attribute::elements)
        };
        let Some(of_new) = kinds(new.op) else {
            return false;
        };
        let parallel = Attribute::parse(new.op.context(), "#linalg.iterator_type<parallel>");
        let is_index = || {
            let mut all = of_new.iter().enumerate();
            all.all(|(at, kind)| *kind != parallel || new.is_index_of_results(at))
        };
        kinds(self.op).map_or_else(is_index, |own| own == of_new)
    }

    /// Whether an iteration computes elements from elements and does nothing else, whatever its number is: each of
    /// them may be left out.
    pub(crate) fn has_free_body(&self) -> bool {
        let is_free = |own: Op| {
            let is_end = self.body.terminator() == Some(own);
            let has_regions = own.regions().next().is_some();
            !has_regions && own.name() != "linalg.index" && (is_end || is_pure(own))
        };
        self.body.ops().all(is_free)
    }

    /// Whether two bodies are equal, and that of `new` uses none of the elements of `added` operands, which follow
    /// the other inputs.
    pub(crate) fn has_body_of(&self, new: &Self, added: usize) -> bool {
        let arguments: Vec<Value> = new.body.arguments().collect();
        let rest = arguments.get(self.n_inputs..self.n_inputs + added);
        let is_unused = rest.is_some_and(|own| own.iter().all(|own| !own.is_used()));
        let kept = arguments[..self.n_inputs.min(arguments.len())].iter();
        let kept = kept.chain(arguments.iter().skip(self.n_inputs + added));
        let mut counterparts: HashMap<Value, Value> =
            self.body.arguments().zip(kept.copied()).collect();
        let (mut one, mut other) = (self.body.ops(), new.body.ops());
        loop {
            let (a, b) = match (one.next(), other.next()) {
                (None, None) => return is_unused,
                (Some(a), Some(b)) => (a, b),
                _ => return false,
            };
            let counterpart = |own: Value| counterparts.get(&own).copied().unwrap_or(own);
            let is_equal = a.name() == b.name()
                && a.has_equal_attributes(b)
                && a.operands().map(counterpart).eq(b.operands())
                && a.results().map(Value::ty).eq(b.results().map(Value::ty))
                && a.regions().next().is_none()
                && b.regions().next().is_none();
            if !is_equal {
                return false;
            }
            counterparts.extend(a.results().zip(b.results()));
        }
    }
}

/// The results of maps; `None` unless all of them are linear.
pub(crate) fn linear_indices(maps: &[AffineMap]) -> Option<Vec<Vec<Linear>>> {
    let of_map = |map: &AffineMap| {
        let results = map.results.iter();
        results.map(|own| own.linear(map.n_dimensions)).collect()
    };
    maps.iter().map(of_map).collect()
}

/// Whether a dimension is a result of every map.
fn is_index_of_all(maps: &[AffineMap], dimension: usize) -> bool {
    let own = Affine::Dimension(dimension);
    maps.iter().all(|map| map.results.contains(&own))
}

/// Iterations that determine linear expressions: the first one, the next one in each dimension, and the last one.
pub(crate) fn determining_points(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0; sizes.len()]; sizes.len() + 1];
    (0..sizes.len()).for_each(|at| points[at][at] = 1.min(sizes[at] - 1));
    points.push(sizes.iter().map(|size| size - 1).collect());
    points
}

/// The number of iterations of each dimension.
pub(crate) fn extents(op: Op) -> Option<Vec<i64>> {
    let maps = indexing_maps(op)?;
    let mut extents = vec![None; maps.first()?.n_dimensions];
    for (map, operand) in maps.iter().zip(op.operands()) {
        let Some(layout) = memref_layout(operand.ty()) else {
            continue;
        };
        for (result, extent) in map.results.iter().zip(layout.static_shape()?) {
            if let Affine::Dimension(dimension) = result {
                extents[*dimension] = Some(extent);
            }
        }
    }
    extents.into_iter().collect()
}

/// Whether a linear index is within a dimension of a memref in all iterations. The verifier of
/// structured operations demands that an index which is a single dimension covers all of it.
pub(crate) fn is_within(linear: &Linear, extents: &[i64], size: i64) -> bool {
    let (mut least, mut most) = (linear.constant, linear.constant);
    for (coefficient, extent) in linear.coefficients.iter().zip(extents) {
        let Some(reach) = coefficient.checked_mul(extent - 1) else {
            return false;
        };
        least = least.saturating_add(reach.min(0));
        most = most.saturating_add(reach.max(0));
    }
    let is_single = linear.as_dimension().is_some();
    least >= 0 && most < size && (!is_single || most == size - 1)
}

/// An indexing map with these results.
pub(crate) fn map_of(op: Op, linear: &[Linear]) -> Attribute {
    let n = linear.first().map_or(0, |own| own.coefficients.len());
    let expression = |own: &Linear| {
        let terms = own.coefficients.iter().enumerate();
        let terms = terms.filter(|(_, own)| **own != 0);
        let terms = terms.map(|(dimension, own)| format!("d{dimension} * {own} + "));
        terms.chain([own.constant.to_string()]).collect::<String>()
    };
    let dimensions: Vec<String> = (0..n).map(|at| format!("d{at}")).collect();
    let results: Vec<String> = linear.iter().map(expression).collect();
    let text = format!(
        "affine_map<({}) -> ({})>",
        dimensions.join(", "),
        results.join(", ")
    );
    Attribute::parse(op.context(), &text)
}

/// A `linalg.generic` before a structured operation with the same body, attributes of other dialects and kinds of
/// dimensions, and with other operands and maps. `added`: the number of operands after the inputs of `op`, which
/// the body does not use.
pub(crate) fn generic_like(
    op: Op,
    (operands, maps): (Vec<Value>, &[Attribute]),
    added: usize,
) -> Op {
    let context = op.context();
    let copy = op.copied();
    let region = copy.regions().next();
    let body = region.and_then(|region| region.first_block());
    let body = body.map(Block::detached);
    copy.erase();
    let own = n_inputs(op).unwrap_or(0);
    let n_inputs = own + added;
    if let Some(body) = body {
        for (at, operand) in operands.iter().enumerate().take(n_inputs).skip(own) {
            let ty = operand.ty();
            body.insert_argument(at, element_type(ty).unwrap_or(ty), op.location());
        }
    }
    let n_outputs = operands.len() - n_inputs;
    let iterators = op
        .attribute("iterator_types")
        .unwrap_or_else(|| iterators(op));
    let mut new = Builder::new("linalg.generic", op.location())
        .operands(operands)
        .attribute("indexing_maps", Attribute::array(context, maps))
        .attribute("iterator_types", iterators)
        .segments(context, &[n_inputs as i32, n_outputs as i32])
        .body(body);
    // Those of other dialects. An operation's own ones, and indexing maps that MLIR has noted, belong to its
    // kind.
    let others = op.attributes();
    let is_other = |name: &str| name.contains('.') && !name.starts_with("linalg.");
    for (name, value) in others.into_iter().filter(|(name, _)| is_other(name)) {
        new = new.attribute(name, value);
    }
    new.before(op)
}

/// The kinds of dimensions of a named operation: those that are indices of every result are parallel.
fn iterators(op: Op) -> Attribute {
    let maps = indexing_maps(op).unwrap_or_default();
    let n_inits = n_inits(op).unwrap_or(0);
    let outputs = &maps[maps.len() - n_inits..];
    let n = maps.first().map_or(0, |map| map.n_dimensions);
    let kinds = (0..n).map(|dimension| {
        let kind = match is_index_of_all(outputs, dimension) {
            true => "parallel",
            false => "reduction",
        };
        Attribute::parse(op.context(), &format!("#linalg.iterator_type<{kind}>"))
    });
    Attribute::array(op.context(), &kinds.collect::<Vec<_>>())
}

//! Makes loads in the bodies of structured operations operands, where indices are known.
//!
//! Front ends write some operations, such as reversing the weights of a transposed convolution, as a
//! body that computes indices and loads an element. A load at indices that are linear in those of the
//! iteration is an operand with an indexing map, which tells which rows a tile accesses.

use crate::ir::structured::{extents, is_within, map_of};
use crate::ir::{
    AffineMap, Attribute, Block, Linear, Op, SEGMENTS, Value, describe, memref_layout,
};

/// Raises loads in all structured operations of a function. Returns their number.
pub(super) fn raise_loads(function: Op) -> usize {
    let mut generics = Vec::new();
    function.walk(&mut |op| {
        if op.name() == "linalg.generic" && op.results().next().is_none() {
            generics.push(op);
        }
    });
    let raised = generics.into_iter().map(|op| raise_all(op).unwrap_or(0));
    raised.sum()
}

/// Raises the loads of one operation.
fn raise_all(op: Op) -> Option<usize> {
    let body = op.regions().next()?.first_block()?;
    // Of operations with other effects, loads cannot be moved to the start of an iteration.
    let is_load = |op: &Op| op.name() == "memref.load";
    let is_pure = |op: &Op| {
        let facts = describe(*op);
        let has_effects =
            facts.has_unknown_effects() || facts.communicates() || !facts.effects.is_empty();
        !has_effects && !facts.is_call() && op.regions().next().is_none()
    };
    let is_simple = |op: &Op| op.successors().next().is_none() && (is_load(op) || is_pure(op));
    body.ops().all(|op| is_simple(&op)).then_some(())?;
    let loads: Vec<Op> = body.ops().filter(is_load).collect();
    let raised = loads.into_iter().filter_map(|load| raise(op, body, load));
    Some(raised.count())
}

/// Replaces a load by an operand.
fn raise(op: Op, body: Block, load: Op) -> Option<()> {
    let extents = extents(op)?;
    let source = load.operand(0);
    let shape = memref_layout(source.ty())?.static_shape()?;
    let indices: Vec<Value> = load.operands().skip(1).collect();
    let linear = indices.iter().map(|index| linear(*index, extents.len()));
    let linear: Vec<Linear> = linear.collect::<Option<_>>()?;
    let is_inside = |(own, extent): (&Linear, &i64)| is_within(own, &extents, *extent);
    linear.iter().zip(&shape).all(is_inside).then_some(())?;
    let map = map_of(op, &linear);
    // The map that has been written has to compute what the body does.
    agrees(&map.affine_map()?, &indices, extents.len()).then_some(())?;

    let segments = op.attribute(SEGMENTS)?.small_integers()?;
    let (n_inputs, n_outputs) = (*segments.first()?, *segments.get(1)?);
    let at = usize::try_from(n_inputs).ok()?;
    let mut maps = op.attribute("indexing_maps")?.elements()?;
    let mut operands: Vec<Value> = op.operands().collect();
    maps.insert(at, map);
    operands.insert(at, source);
    let context = op.context();
    op.set_operands(&operands);
    op.set_attribute("indexing_maps", Attribute::array(context, &maps));
    let segments = Attribute::small_integers_attribute(context, &[n_inputs + 1, n_outputs]);
    op.set_attribute(SEGMENTS, segments);
    let element = body.insert_argument(at, load.result().ty(), load.location());
    load.result().replace_with(element);
    load.erase();
    for index in indices {
        erase_unused_index(index);
    }
    Some(())
}

/// Erases the computation of an index that nothing uses.
fn erase_unused_index(index: Value) {
    let is_unused = |op: &Op| {
        let is_index = matches!(
            op.name(),
            "linalg.index" | "arith.addi" | "arith.subi" | "arith.muli"
        );
        is_index && !op.result().is_used()
    };
    if let Some(op) = index.owner().filter(is_unused) {
        let operands: Vec<Value> = op.operands().collect();
        op.erase();
        operands.into_iter().for_each(erase_unused_index);
    }
}

/// An index as a linear expression in the dimensions of the iteration space; `None` if it is not linear, or if
/// it is not known.
fn linear(index: Value, n: usize) -> Option<Linear> {
    if let Some(constant) = index.constant() {
        return Some(Linear::constant(constant, n));
    }
    let op = index.owner()?;
    let operand = |at: usize| linear(op.operand(at), n);
    match op.name() {
        "linalg.index" => {
            let dimension = usize::try_from(op.attribute("dim")?.integer()?).ok()?;
            Linear::dimension(dimension, n)
        }
        "arith.addi" => operand(0)?.combined(&operand(1)?, i64::checked_add),
        "arith.subi" => operand(0)?.combined(&operand(1)?, i64::checked_sub),
        "arith.muli" => {
            let (left, right) = (op.operand(0), op.operand(1));
            let (factor, other) = match left.constant() {
                Some(factor) => (factor, right),
                None => (right.constant()?, left),
            };
            linear(other, n)?.times(factor)
        }
        _ => None,
    }
}

/// Whether a map computes the indices at iteration 0 and at iteration 1 of each dimension, which
/// determines linear indices. The indices are evaluated one operation at a time.
fn agrees(map: &AffineMap, indices: &[Value], n: usize) -> bool {
    let mut points = vec![vec![0; n]; n + 1];
    (0..n).for_each(|dimension| points[dimension][dimension] = 1);
    map.results.len() == indices.len()
        && points.iter().all(|point| {
            let mut pairs = map.results.iter().zip(indices);
            pairs.all(|(result, index)| {
                let wanted = evaluate(*index, point);
                wanted.is_some() && result.at(point) == wanted
            })
        })
}

/// The value of an index in an iteration.
fn evaluate(index: Value, point: &[i64]) -> Option<i64> {
    let op = index.owner()?;
    let operand = |at: usize| evaluate(op.operand(at), point);
    match op.name() {
        "linalg.index" => {
            let dimension = usize::try_from(op.attribute("dim")?.integer()?).ok()?;
            point.get(dimension).copied()
        }
        "arith.addi" => operand(0)?.checked_add(operand(1)?),
        "arith.subi" => operand(0)?.checked_sub(operand(1)?),
        "arith.muli" => operand(0)?.checked_mul(operand(1)?),
        _ => index.constant(),
    }
}

//! The check of operations that read the source of a copy: they compute the same as the original ones.
//!
//! Knows neither the copies that were chosen nor how indexing maps were composed. Both operations are evaluated: for
//! enough iterations to determine linear maps, each operand of both must be the same element, followed through copies
//! to where it was before. In between, nothing may have been written there.

use rustc_hash::FxHashMap as HashMap;

use crate::extract::tiles::is_disjoint_argument;
use crate::ir::rewrite::{is_allocation, root_of_views, yields_input};
use crate::ir::{
    Affine, AffineMap, Attribute, Block, EffectKind, Op, Value, describe, indexing_maps, n_inputs,
};

use super::super::raise::extents;

/// Why an operation does not replace another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FoldError {
    #[error("an operation that reads the source of a copy has another form")]
    OtherForm,
    #[error("an operation that reads the source of a copy computes something else")]
    OtherBody,
    #[error("operand {operand} of an operation that reads the source of a copy is another element")]
    OtherElement { operand: usize },
    #[error("an operation reads the source of a copy before the copy does")]
    EarlyRead,
    #[error("the source of a copy may be overwritten by '{by}' before it is read")]
    Overwritten { by: String },
}

/// A structured operation.
struct Structured {
    op: Op,
    operands: Vec<Value>,
    maps: Vec<AffineMap>,
    n_inputs: usize,
    body: Block,
}

impl Structured {
    fn of(op: Op) -> Option<Self> {
        let operands: Vec<Value> = op.operands().collect();
        let maps = indexing_maps(op)?;
        // Evaluating a few iterations says nothing of other maps.
        let is_linear = |map: &AffineMap| {
            let mut results = map.results.iter();
            results.all(|own| own.linear(map.n_dimensions).is_some())
        };
        (maps.len() == operands.len() && maps.iter().all(is_linear)).then_some(())?;
        Some(Self {
            op,
            n_inputs: n_inputs(op)?,
            operands,
            maps,
            body: op.regions().next()?.first_block()?,
        })
    }
}

/// Checks that `folded`, which precedes `original` in its block, computes the same.
pub(super) fn check(original: Op, folded: Op, noalias: bool) -> Result<(), FoldError> {
    let both = Structured::of(original).zip(Structured::of(folded));
    let (original, folded) = both.ok_or(FoldError::OtherForm)?;
    let sizes = extents(original.op).ok_or(FoldError::OtherForm)?;
    let added = folded.n_inputs.checked_sub(original.n_inputs);
    let added = added.ok_or(FoldError::OtherForm)?;
    let outputs = |own: &Structured| own.operands[own.n_inputs..].to_vec();
    let maps = |own: &Structured| -> Vec<Vec<Affine>> {
        let maps = own.maps[own.n_inputs..].iter();
        maps.map(|map| map.results.clone()).collect()
    };
    let is_alike = extents(folded.op).as_ref() == Some(&sizes)
        && outputs(&original) == outputs(&folded)
        && maps(&original) == maps(&folded)
        && has_iterators(&original, &folded);
    is_alike.then_some(()).ok_or(FoldError::OtherForm)?;
    is_same_body(&original, &folded, added)
        .then_some(())
        .ok_or(FoldError::OtherBody)?;

    let mut copies = Vec::new();
    for operand in 0..original.n_inputs {
        for point in points(&sizes) {
            let mut element = |own: &Structured| {
                let index = own.maps[operand].at(&point)?;
                Some(before_copies(own.operands[operand], index, &mut copies))
            };
            let pair = element(&original).zip(element(&folded));
            pair.is_some_and(|(one, other)| one == other)
                .then_some(())
                .ok_or(FoldError::OtherElement { operand })?;
        }
    }
    let mut copies = copies.into_iter();
    copies.try_for_each(|(copy, source)| is_unchanged(copy, source, folded.op, noalias))
}

/// Iterations that determine linear expressions: the first one, the next one in each dimension, and the last one.
fn points(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0; sizes.len()]; sizes.len() + 1];
    (0..sizes.len()).for_each(|at| points[at][at] = 1.min(sizes[at] - 1));
    points.push(sizes.iter().map(|size| size - 1).collect());
    points
}

/// Whether dimensions are parallel only if every result has an element for each of their iterations, and all
/// are what they were.
fn has_iterators(original: &Structured, folded: &Structured) -> bool {
    let kinds = |own: Op| {
        own.attribute("iterator_types")
            .and_then(Attribute::elements)
    };
    let Some(new) = kinds(folded.op) else {
        return false;
    };
    let parallel = Attribute::parse(folded.op.context(), "#linalg.iterator_type<parallel>");
    let is_result = |dimension: usize| {
        let own = Affine::Dimension(dimension);
        let mut outputs = folded.maps[folded.n_inputs..].iter();
        outputs.all(|map| map.results.contains(&own))
    };
    let mut all = new.iter().enumerate();
    kinds(original.op).is_none_or(|own| own == new)
        && all.all(|(dimension, kind)| *kind != parallel || is_result(dimension))
}

/// Whether two bodies are equal, and that of `folded` uses none of the elements of `added` operands.
fn is_same_body(original: &Structured, folded: &Structured, added: usize) -> bool {
    let new: Vec<Value> = folded.body.arguments().collect();
    let rest = new.get(original.n_inputs..original.n_inputs + added);
    let is_unused = rest.is_some_and(|own| own.iter().all(|own| !own.is_used()));
    let kept = new[..original.n_inputs.min(new.len())].iter();
    let kept = kept.chain(new.iter().skip(original.n_inputs + added));
    let mut counterparts: HashMap<Value, Value> =
        original.body.arguments().zip(kept.copied()).collect();
    let (mut one, mut other) = (original.body.ops(), folded.body.ops());
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

/// The memref of an element and its indices before it was copied. Adds the copies that were followed to `copies`,
/// with their sources.
fn before_copies(
    value: Value,
    index: Vec<i64>,
    copies: &mut Vec<(Op, Value)>,
) -> (Value, Vec<i64>) {
    let mut element = (value, index);
    while let Some((copy, source, index)) = origin(element.0, &element.1) {
        if !copies.contains(&(copy, source)) {
            copies.push((copy, source));
        }
        element = (source, index);
    }
    element
}

/// The copy that has written an element of an allocation, and the element that it has read. `None` unless it is
/// the only operation that may have written the allocation.
fn origin(value: Value, index: &[i64]) -> Option<(Op, Value, Vec<i64>)> {
    is_allocation(value).then_some(())?;
    let users = value.users().into_iter();
    let mut writer = None;
    for user in users.filter(|user| user.name() != "memref.dealloc") {
        let own = Structured::of(user)?;
        if own.operands[own.n_inputs..].contains(&value) {
            writer.replace(own).is_none().then_some(())?;
        }
    }
    let copy = writer?;
    let (&[source, _], [read, written]) = (copy.operands.as_slice(), copy.maps.as_slice()) else {
        return None;
    };
    yields_input(copy.op).then_some(())?;
    let mut iteration = vec![None; written.n_dimensions];
    for (dimension, index) in written.projection()?.into_iter().zip(index) {
        iteration[dimension] = Some(*index);
    }
    let iteration: Vec<i64> = iteration.into_iter().collect::<Option<_>>()?;
    Some((copy.op, source, read.at(&iteration)?))
}

/// Checks that nothing writes to the source of a copy between the copy and `reader`, which follows it and must not
/// do so, either.
fn is_unchanged(copy: Op, source: Value, reader: Op, noalias: bool) -> Result<(), FoldError> {
    let mut next = copy.next();
    while let Some(op) = next {
        let mut is_harmless = !may_write(op, source, noalias);
        op.walk(&mut |nested| is_harmless &= !may_write(nested, source, noalias));
        if !is_harmless {
            let by = op.name().to_owned();
            return Err(FoldError::Overwritten { by });
        }
        if op == reader {
            return Ok(());
        }
        next = op.next();
    }
    Err(FoldError::EarlyRead)
}

/// Whether an operation, not those in its regions, may write to the memory of a memref or free it.
fn may_write(op: Op, memref: Value, noalias: bool) -> bool {
    let facts = describe(op);
    let mut changed = facts.effects.iter();
    let is_changing = |kind: EffectKind| matches!(kind, EffectKind::Write | EffectKind::Free);
    facts.has_unknown_effects()
        || facts.is_call()
        || facts.communicates()
        || changed.any(|own| {
            let [one, other] = [own.value, memref].map(root_of_views);
            is_changing(own.kind) && !are_distinct(one, other, noalias)
        })
}

/// Whether two values that are no views never denote the same memory.
fn are_distinct(one: Value, other: Value, noalias: bool) -> bool {
    let disjoint = [one, other].map(|own| is_disjoint_argument(own, noalias));
    let is_global = |own: Value| {
        let owner = own.owner();
        owner.is_some_and(|op| op.name() == "memref.get_global")
    };
    // Of values of another kind, it is not known what they denote.
    let is_known = |own: Value| is_allocation(own) || is_global(own);
    let are_known =
        (is_known(one) || disjoint[0].is_some()) && (is_known(other) || disjoint[1].is_some());
    let are_arguments = disjoint.iter().all(Option::is_some) && disjoint.contains(&Some(true));
    one != other && are_known && (is_allocation(one) || is_allocation(other) || are_arguments)
}

//! The check of operations that read the source of a copy: they compute the same as the original ones.
//!
//! Knows neither the copies that were chosen nor how indexing maps were composed. Both operations are evaluated: for
//! enough iterations to determine linear maps, each operand of the original must be the same element as that of the
//! other, or a copy of it. After such a copy, nothing may have been written to its source.

use crate::extract::tiles::is_disjoint_argument;
use crate::ir::rewrite::{is_allocation, root_of_views, yields_input};
use crate::ir::structured::{Structured, determining_points, extents};
use crate::ir::{Affine, EffectKind, Op, Value, describe};

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
        && original.has_iterators_of(&folded);
    is_alike.then_some(()).ok_or(FoldError::OtherForm)?;
    original
        .has_body_of(&folded, added)
        .then_some(())
        .ok_or(FoldError::OtherBody)?;

    let mut copies = Vec::new();
    for operand in 0..original.n_inputs {
        for point in determining_points(&sizes) {
            let element = |own: &Structured| {
                let index = own.maps[operand].at(&point)?;
                Some((own.operands[operand], index))
            };
            let pair = element(&original).zip(element(&folded));
            pair.is_some_and(|(one, other)| leads_to(one, &other, &mut copies))
                .then_some(())
                .ok_or(FoldError::OtherElement { operand })?;
        }
    }
    let mut copies = copies.into_iter();
    copies.try_for_each(|(copy, source)| is_unchanged(copy, source, folded.op, noalias))
}

/// Whether an element, given by memref and indices, is a copy of another one, over any number of copies, or that one
/// itself. Adds the copies in between to `copies`, with their sources: what others read may be overwritten.
fn leads_to(
    mut element: (Value, Vec<i64>),
    source: &(Value, Vec<i64>),
    copies: &mut Vec<(Op, Value)>,
) -> bool {
    let mut passed = Vec::new();
    while element != *source {
        let Some((copy, from, index)) = origin(element.0, &element.1) else {
            return false;
        };
        // Two allocations may be copied to each other.
        if passed.contains(&copy) {
            return false;
        }
        passed.push(copy);
        if !copies.contains(&(copy, from)) {
            copies.push((copy, from));
        }
        element = (from, index);
    }
    true
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

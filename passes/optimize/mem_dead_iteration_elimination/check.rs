//! The check of operations with fewer iterations: they compute the same elements.
//!
//! Knows neither what is read nor how indices were rewritten. Iteration by iteration, an operation does what one
//! iteration of the original operation does, to corresponding elements, and iterations that have no counterpart
//! write elements that have none. So all elements that have a counterpart have the same values in both programs, and
//! only those are read. Indices are linear, and compared in as many iterations as determine them.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::progression::Progression;
use crate::ir::rewrite::is_allocation;
use crate::ir::structured::{Structured, determining_points, extents, is_within};
use crate::ir::{Affine, Op, Value, element_type, memref_layout};

/// What takes the place of a buffer or of an operation.
pub(super) struct Pair<T> {
    pub old: T,
    pub new: T,
    /// The indices of the old one, in each dimension, that those of the new one stand for.
    pub indices: Vec<Progression>,
}

/// Why operations do not compute the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum IterationError {
    #[error("a buffer with fewer elements has another form")]
    OtherBuffer,
    #[error("'{by}' accesses a buffer with fewer elements, and is what it was")]
    OtherUser { by: String },
    #[error("an operation with fewer iterations has another form")]
    OtherForm,
    #[error("an operation with fewer iterations computes something else")]
    OtherBody,
    #[error("operand {operand} of an operation with fewer iterations is another element")]
    OtherElement { operand: usize },
    #[error("an operation with fewer iterations lacks one whose result is read")]
    LostIteration,
}

/// Checks that the new buffers and operations compute what the old ones do, before which they are.
pub(super) fn check(
    buffers: &[Pair<Value>],
    operations: &[Pair<Op>],
) -> Result<(), (Op, IterationError)> {
    let news = operations.iter().map(|own| (own.old, own.new));
    let news: HashMap<Op, Op> = news.collect();
    for buffer in buffers {
        let owner = buffer.old.owner();
        let at = owner.unwrap_or_else(|| operations[0].old);
        check_buffer(buffer, &news).map_err(|why| (at, why))?;
    }
    let shrunk = buffers.iter().map(|own| (own.old, own));
    let shrunk: HashMap<Value, &Pair<Value>> = shrunk.collect();
    operations
        .iter()
        .try_for_each(|own| check_operation(own, &shrunk).map_err(|why| (own.old, why)))
}

/// Checks a buffer, and that everything that accesses it has a counterpart.
fn check_buffer(pair: &Pair<Value>, news: &HashMap<Op, Op>) -> Result<(), IterationError> {
    let layouts = memref_layout(pair.old.ty()).zip(memref_layout(pair.new.ty()));
    let (old, new) = layouts.ok_or(IterationError::OtherBuffer)?;
    let shapes = old.static_shape().zip(new.static_shape());
    let (old_shape, new_shape) = shapes.ok_or(IterationError::OtherBuffer)?;
    let counts = pair.indices.iter().map(|own| own.count());
    let mut sizes = pair.indices.iter().zip(&old_shape);
    let owners = [pair.new, pair.old].map(Value::owner);
    let is_alike = is_allocation(pair.old)
        && is_allocation(pair.new)
        && owners[0].and_then(Op::next) == owners[1]
        && element_type(pair.old.ty()) == element_type(pair.new.ty())
        && pair.indices.len() == old_shape.len()
        && counts.eq(new_shape.iter().copied())
        && sizes.all(|(own, size)| own.first >= 0 && own.last < *size);
    is_alike.then_some(()).ok_or(IterationError::OtherBuffer)?;
    let mut expected = HashSet::default();
    for user in pair.old.users() {
        let counterpart = match user.name() {
            "memref.dealloc" => Some(user),
            _ => news.get(&user).copied(),
        };
        let by = user.name().to_owned();
        expected.insert(counterpart.ok_or(IterationError::OtherUser { by })?);
    }
    // What frees the new buffer is beside what frees the old one.
    let users = pair.new.users().into_iter().map(|user| match user.name() {
        "memref.dealloc" => user.next().unwrap_or(user),
        _ => user,
    });
    let users: HashSet<Op> = users.collect();
    (users == expected)
        .then_some(())
        .ok_or(IterationError::OtherBuffer)
}

/// Checks an operation.
fn check_operation(
    pair: &Pair<Op>,
    shrunk: &HashMap<Value, &Pair<Value>>,
) -> Result<(), IterationError> {
    let both = Structured::of(pair.old).zip(Structured::of(pair.new));
    let (old, new) = both.ok_or(IterationError::OtherForm)?;
    let sizes = extents(pair.old).zip(extents(pair.new));
    let (old_sizes, new_sizes) = sizes.ok_or(IterationError::OtherForm)?;
    let counts = pair.indices.iter().map(|own| own.count());
    let is_whole = |(own, size): (&Progression, &i64)| own.first >= 0 && own.last < *size;
    let is_alike = pair.new.next() == Some(pair.old)
        && old.n_inputs == new.n_inputs
        && old.operands.len() == new.operands.len()
        && pair.indices.len() == old_sizes.len()
        && counts.eq(new_sizes.iter().copied())
        && pair.indices.iter().zip(&old_sizes).all(is_whole)
        && has_kind(&old, &new);
    is_alike.then_some(()).ok_or(IterationError::OtherForm)?;
    (old.has_free_body() && old.has_body_of(&new, 0))
        .then_some(())
        .ok_or(IterationError::OtherBody)?;

    let image = |point: &[i64], indices: &[Progression]| -> Vec<i64> {
        let pairs = point.iter().zip(indices);
        pairs.map(|(at, own)| own.first + at * own.step).collect()
    };
    for operand in 0..old.operands.len() {
        let counterpart = shrunk.get(&old.operands[operand]);
        let new_value = counterpart.map_or(old.operands[operand], |own| own.new);
        let is_same = new.operands[operand] == new_value
            && has_elements(&new, operand, &new_sizes)
            && determining_points(&new_sizes).iter().all(|point| {
                let before = old.maps[operand].at(&image(point, &pair.indices));
                let after = new.maps[operand].at(point);
                before
                    .zip(after)
                    .is_some_and(|(before, after)| match counterpart {
                        Some(own) => image(&after, &own.indices) == before,
                        None => after == before,
                    })
            });
        is_same
            .then_some(())
            .ok_or(IterationError::OtherElement { operand })?;
    }
    // Iterations are left out only in dimensions that are indices of all results, and those of elements that have
    // no counterparts.
    for (dimension, size) in old_sizes.iter().enumerate() {
        let own = pair.indices[dimension];
        let is_unread = |output: usize| {
            let results = old.maps[output].results.iter();
            let at = { results }.position(|own| *own == Affine::Dimension(dimension));
            let pair = shrunk.get(&old.operands[output]);
            at.zip(pair)
                .is_some_and(|(at, pair)| pair.indices[at] == own)
        };
        let mut outputs = old.n_inputs..old.operands.len();
        (own == Progression::all(*size) || outputs.all(is_unread))
            .then_some(())
            .ok_or(IterationError::LostIteration)?;
    }
    Ok(())
}

/// Whether an operation is of the same kind as another one, or what it is in general.
fn has_kind(old: &Structured, new: &Structured) -> bool {
    match old.op.name() == new.op.name() {
        // Indices and bodies are compared, which is all that attributes of these operations determine, except for
        // the kinds of dimensions.
        true => {
            let kinds = |own: Op| own.attribute("iterator_types");
            kinds(old.op) == kinds(new.op)
        }
        false => new.op.name() == "linalg.generic" && old.has_iterators_of(new),
    }
}

/// Whether all indices of an operand are within it.
fn has_elements(own: &Structured, operand: usize, sizes: &[i64]) -> bool {
    let Some(layout) = memref_layout(own.operands[operand].ty()) else {
        return true;
    };
    let Some(shape) = layout.static_shape() else {
        return false;
    };
    let mut pairs = own.indices[operand].iter().zip(shape);
    pairs.all(|(index, size)| is_within(index, sizes, size))
}

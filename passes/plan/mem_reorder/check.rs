//! Checks an order that was written to the IR.
//!
//! Two operations that are in their original order cannot be wrong, whatever they do. So the check
//! looks at pairs that have changed places: neither may be a barrier, and they must not access a
//! common byte unless both only read it. That includes all dependences through third operations: of a
//! chain of dependences whose ends have changed places, two neighbours have. Each value must be defined
//! before its uses. The check takes the classes of operations and the overlap of accesses from the
//! dependence analysis, and nothing from the planner or from its problem.
//!
//! Takes time O(a · w) for each place with a accesses and w writes, and linear time otherwise.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

use crate::extract::order::{OrderFunction, Place, Touch, operands_of};
use crate::ir::rewrite::ancestor_beside;
use crate::ir::{Block, Op};

/// Why a written order is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WrittenError {
    /// Each operation must be in the block once.
    #[error("the block has other operations than before")]
    Operations,
    /// A value must be defined before it is used.
    #[error("a value is used before it is defined")]
    Value([Op; 2]),
    /// Calls, transfers and unknown operations must keep their places.
    #[error("an operation has changed places with one that must keep its place")]
    Barrier([Op; 2]),
    /// The bytes that an operation reads must be those that it read before.
    #[error("two operations that access the same bytes have changed places")]
    Memory([Op; 2]),
}

impl WrittenError {
    /// The operations that it is about: the one that comes first now, and the other one.
    pub(super) const fn ops(&self) -> Option<[Op; 2]> {
        match self {
            Self::Operations => None,
            Self::Value(ops) | Self::Barrier(ops) | Self::Memory(ops) => Some(*ops),
        }
    }
}

/// An operation, with its places before and now.
#[derive(Clone, Copy)]
struct Moved {
    op: Op,
    before: usize,
    now: usize,
}

/// Checks the order of `block`, whose operations were `original` before.
///
/// # Errors
/// The first violation.
pub(super) fn check_written(
    function: &OrderFunction<'_>,
    block: Block,
    original: &[Op],
) -> Result<(), WrittenError> {
    let now: HashMap<Op, usize> = block.ops().zip(0..).collect();
    if now.len() != original.len() || block.ops().last() != original.last().copied() {
        return Err(WrittenError::Operations);
    }
    let moved = original.iter().enumerate().map(|(before, op)| {
        let now = now.get(op).copied().ok_or(WrittenError::Operations)?;
        let op = *op;
        Ok(Moved { op, before, now })
    });
    let moved: Vec<Moved> = moved.collect::<Result<_, _>>()?;
    check_values(&now, original)?;
    check_barriers(function, &moved)?;
    check_memory(function, &moved)
}

fn check_values(now: &HashMap<Op, usize>, original: &[Op]) -> Result<(), WrittenError> {
    let Some(last) = original.last() else {
        return Ok(());
    };
    for op in original {
        for value in operands_of(*op) {
            let source = value.owner().and_then(|own| ancestor_beside(own, *last));
            if let Some(source) = source.filter(|source| now[source] > now[op]) {
                return Err(WrittenError::Value([*op, source]));
            }
        }
    }
    Ok(())
}

/// Operations before a barrier must still be before it, and those after it after it, unless they
/// float.
fn check_barriers(function: &OrderFunction<'_>, moved: &[Moved]) -> Result<(), WrittenError> {
    let is_fixed = |own: &&Moved| {
        let op = own.op;
        let has_regions = op.regions().next().is_some();
        let is_free = op.name() == "memref.dealloc";
        function.was_barrier(op) || has_regions || is_free || !function.touches(op).is_empty()
    };
    let fixed: Vec<Moved> = moved.iter().filter(is_fixed).copied().collect();
    // The last of all operations before a barrier, and the barrier before an operation.
    let mut latest: Option<Moved> = None;
    let mut barrier: Option<Moved> = None;
    for own in fixed {
        if let Some(barrier) = barrier.filter(|barrier| barrier.now > own.now) {
            return Err(WrittenError::Barrier([own.op, barrier.op]));
        }
        if function.was_barrier(own.op) {
            if let Some(other) = latest.filter(|other| other.now > own.now) {
                return Err(WrittenError::Barrier([own.op, other.op]));
            }
            barrier = Some(own);
        }
        if latest.is_none_or(|latest| latest.now < own.now) {
            latest = Some(own);
        }
    }
    Ok(())
}

fn check_memory(function: &OrderFunction<'_>, moved: &[Moved]) -> Result<(), WrittenError> {
    let mut places: BTreeMap<Place, Vec<(Moved, Touch)>> = BTreeMap::new();
    for own in moved {
        for touch in function.touches(own.op) {
            places.entry(touch.place).or_default().push((*own, touch));
        }
    }
    for touches in places.values() {
        let writes = touches.iter().filter(|(_, touch)| touch.is_write);
        for (writer, written) in writes {
            let has_passed = |other: &Moved| {
                (writer.before < other.before) != (writer.now < other.now)
                    && writer.before != other.before
            };
            let passed = touches.iter().filter(|(other, _)| has_passed(other));
            for (other, touch) in passed {
                if function.conflict(*written, *touch) {
                    let ops = match other.now < writer.now {
                        true => [other.op, writer.op],
                        false => [writer.op, other.op],
                    };
                    return Err(WrittenError::Memory(ops));
                }
            }
        }
    }
    Ok(())
}

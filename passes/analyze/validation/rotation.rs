//! Recognizes what `mem.rotate` is lowered to: a slot selected by comparing addresses.

use mem_equivalence::program::{ChoiceStep, StepKind};

use super::translate::Body;
use crate::ir::{Attribute, Op, Value};

/// The predicate "less than, unsigned" of `arith.cmpi`.
const UNSIGNED_LESS: i64 = 6;

/// Maximum number of comparisons that decide whether one slot is in use.
const MAX_AVOIDED: usize = 64;

/// The condition under which a slot is in use: one of `pointers` is in `[base, base + bytes)`.
struct Busy {
    base: Value,
    /// The memrefs with these aligned pointers, without repetition.
    pointers: Vec<Value>,
    bytes: i64,
}

impl Body<'_> {
    /// What is known of the result of a select between memrefs, if the select is the outermost of a
    /// rotation.
    pub(super) fn rotated(&mut self, select: Op) -> Option<StepKind> {
        let mut slots = Vec::new();
        let mut rest = select.result();
        let mut known: Option<Busy> = None;
        while let Some((busy, slot)) = rest.owner().and_then(choice) {
            let is_alike = |first: &Busy| {
                let mut pointers = busy.pointers.iter();
                first.bytes == busy.bytes
                    && first.pointers.len() == busy.pointers.len()
                    && pointers.all(|own| first.pointers.contains(own))
            };
            if busy.base != slot || !known.as_ref().is_none_or(is_alike) {
                break;
            }
            slots.push(slot);
            rest = rest.owner()?.operand(1);
            known.get_or_insert(busy);
        }
        slots.push(rest);
        let Busy {
            pointers, bytes, ..
        } = known?;
        Some(StepKind::Choice(ChoiceStep::Rotated {
            result: self.value(select.result()),
            slots: self.values(slots),
            avoiding: self.values(pointers),
            bytes,
        }))
    }
}

/// For a select of a slot unless it is in use: when it is, and the slot.
fn choice(op: Op) -> Option<(Busy, Value)> {
    let is_select = op.name() == "arith.select";
    let condition = is_select.then(|| op.operand(0))?;
    Some((busy(condition)?, op.operand(2)))
}

/// Reads a disjunction of comparisons.
fn busy(condition: Value) -> Option<Busy> {
    let mut work = vec![condition];
    let mut found: Option<Busy> = None;
    let mut n_left = MAX_AVOIDED;
    while let Some(op) = work.pop() {
        let op = op.owner()?;
        n_left = n_left.checked_sub(1)?;
        if op.name() == "arith.ori" {
            work.extend([op.operand(0), op.operand(1)]);
            continue;
        }
        let (pointer, base, bytes) = points_into(op)?;
        let known = found.get_or_insert(Busy {
            base,
            pointers: Vec::new(),
            bytes,
        });
        if (known.base, known.bytes) != (base, bytes) {
            return None;
        }
        if !known.pointers.contains(&pointer) {
            known.pointers.push(pointer);
        }
    }
    found
}

/// Reads a comparison of an address with a range: the memref that the address belongs to, the
/// memref where the range starts, and the size of the range.
fn points_into(compare: Op) -> Option<(Value, Value, i64)> {
    let is_unsigned = compare.name() == "arith.cmpi"
        && compare.attribute("predicate").and_then(Attribute::integer) == Some(UNSIGNED_LESS);
    let distance = is_unsigned.then(|| compare.operand(0))?.owner()?;
    let is_distance = distance.name() == "arith.subi";
    let [pointer, base] =
        [0, 1].map(|index| is_distance.then(|| pointed_to(distance.operand(index)))?);
    Some((pointer?, base?, compare.operand(1).constant()?))
}

/// The memref whose aligned pointer a value is.
fn pointed_to(value: Value) -> Option<Value> {
    let op = value.owner()?;
    (op.name() == "memref.extract_aligned_pointer_as_index").then(|| op.operand(0))
}

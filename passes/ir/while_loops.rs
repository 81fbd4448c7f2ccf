//! Memory of the tensors that an `scf.while` carries from round to round.
//!
//! Upstream's bufferization takes the memory of a carried tensor to be the loop's own, and writes it
//! in place. That holds if the second region, which computes the values of the next round, yields a
//! tensor in the memory of the argument with the same number, or in memory that is new in each
//! round. Upstream requires the first, unless a loop may yield new allocations; then it checks
//! nothing. A tensor from outside of the loop, for example, would be overwritten.
//!
//! This module copies what a loop yields in any other memory. The search follows the operands that
//! operations write in place. It knows few operations, and copies what it does not know.

use rustc_hash::FxHashSet as HashSet;

use super::{Block, Builder, Op, Value, is_tensor, n_inits};

/// Copies the tensors that loops in `function` yield, if they may be in memory that is not the loop's.
pub(crate) fn separate_carried(function: Op) {
    let mut loops = Vec::new();
    function.walk(&mut |op| {
        if op.name() == "scf.while" {
            loops.push(op);
        }
    });
    loops.into_iter().for_each(separate);
}

fn separate(op: Op) {
    let Some(body) = op.regions().nth(1).and_then(|r| r.first_block()) else {
        return;
    };
    let Some(yields) = body.terminator() else {
        return;
    };
    // New memory that another yielded value has already.
    let mut taken = HashSet::default();
    let values: Vec<Value> = yields
        .operands()
        .zip(body.arguments().map(Some).chain(std::iter::repeat(None)))
        .map(|(value, own)| {
            let is_own = |root: &Value| match root.owner() {
                Some(_) => !taken.contains(root),
                None => Some(*root) == own,
            };
            match roots(value, body).filter(|found| found.iter().all(is_own)) {
                _ if !is_tensor(value.ty()) => value,
                Some(found) => {
                    taken.extend(found);
                    value
                }
                None => copy_of(yields, value),
            }
        })
        .collect();
    yields.set_operands(&values);
}

/// The arguments of `body`, and the values in new memory, in whose memory a value may be. `None` if
/// it may be in other memory.
fn roots(value: Value, body: Block) -> Option<Vec<Value>> {
    let (mut found, mut known, mut open) = (Vec::new(), HashSet::default(), vec![value]);
    while let Some(value) = open.pop() {
        if !known.insert(value) {
            continue;
        }
        let Some(op) = value.owner() else {
            if value.argument_block() != Some(body) {
                return None;
            }
            found.push(value);
            continue;
        };
        let mut around = std::iter::successors(Some(op), |op| op.parent());
        if !around.any(|op| op.block() == Some(body)) {
            return None;
        }
        let number = op.results().position(|result| result == value)?;
        match op.name() {
            "tensor.empty" | "bufferization.alloc_tensor" | "tensor.from_elements" => {
                found.push(value);
            }
            "tensor.insert" | "tensor.insert_slice" => open.push(op.operand(1)),
            "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape" => {
                open.push(op.operand(0));
            }
            // Bounds and step come first. A loop's result is in the memory of the initial value, or
            // in new memory.
            "scf.for" => open.push(op.operand(3 + number)),
            "scf.if" | "scf.index_switch" => {
                for block in op.regions().filter_map(|r| r.first_block()) {
                    open.push(block.terminator()?.operand(number));
                }
            }
            _ => open.push(op.operand(op.operands().count() - n_inits(op)? + number)),
        }
    }
    Some(found)
}

/// A copy of a tensor, before `other`.
fn copy_of(other: Op, value: Value) -> Value {
    Builder::new("bufferization.alloc_tensor", other.location())
        .operands([value])
        .result(value.ty())
        .segments(other.context(), &[0, 1, 0])
        .before(other)
        .result()
}

//! Writes an order: steps in the planned order, and before each step the operations that it needs and
//! that are no steps.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::StepId;

use crate::extract::order::{OrderBlock, operands_of};
use crate::ir::Op;
use crate::ir::rewrite::ancestor_beside;

/// Moves the operations of a block, which are `original` in their order so far. Takes time
/// O(n log n) in operations and operands.
pub(super) fn emit(original: &[Op], block: &OrderBlock, order: &[StepId]) {
    let Some((last, others)) = original.split_last() else {
        return;
    };
    let steps: HashSet<Op> = block.ops.iter().flatten().copied().collect();
    let floating = others.iter().enumerate();
    let floating = floating.filter(|(_, op)| !steps.contains(op));
    let mut left: HashMap<Op, usize> = floating.map(|(at, op)| (*op, at)).collect();
    let mut sequence = Vec::with_capacity(others.len());
    for op in order.iter().flat_map(|step| &block.ops[step.index()]) {
        let mut needed: Vec<usize> = take_needed(*op, *last, &mut left);
        needed.sort_unstable();
        sequence.extend(needed.into_iter().map(|at| original[at]));
        sequence.push(*op);
    }
    // What no step needs is needed by the terminator, or by other blocks.
    sequence.extend(others.iter().filter(|op| left.contains_key(op)));
    for op in sequence {
        op.move_before(*last);
    }
}

/// The positions of the operations among `left` that `op` needs, directly or not, which are no longer
/// left then.
fn take_needed(op: Op, last: Op, left: &mut HashMap<Op, usize>) -> Vec<usize> {
    let mut taken = Vec::new();
    let mut todo = vec![op];
    while let Some(op) = todo.pop() {
        for value in operands_of(op) {
            let source = value.owner().and_then(|own| ancestor_beside(own, last));
            let Some((source, at)) = source.and_then(|own| left.remove_entry(&own)) else {
                continue;
            };
            taken.push(at);
            todo.push(source);
        }
    }
    taken
}

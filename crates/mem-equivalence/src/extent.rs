//! Up to where the storage that a value denotes may be used, so that nothing has to be known of it beyond.

use std::cmp::Reverse;

use crate::flatten::{Flat, Value};
use crate::nest::Nest;
use crate::program::ValueId;

/// Positions of steps in the order of evaluation, and the last one at which each value is needed.
///
/// A value is *needed* up to the last use of any value that may denote its storage: of itself, of views of it, of
/// choices that it takes part in, and of block arguments that it is passed to. A use in a loop counts at the end of the
/// outermost loop around it that does not contain the definition. Control cannot lead from a position after the last
/// one back to a use without passing through the definition again: it would have to go back to the head of a loop
/// around both, which contains the definition (else, the use counts at the end of that loop); and the definition
/// dominates its uses, so it is on the way from the head.
pub(crate) struct Extents {
    /// Indexed by block: the position of its first step. That of its end follows its last step.
    starts: Vec<usize>,
    /// Indexed by value: the last position at which it is needed, if it denotes storage.
    last: Vec<usize>,
}

/// A loop: the positions of its first and of its last step, and the loop directly around it.
struct Around {
    first: usize,
    last: usize,
    outer: Option<usize>,
}

impl Extents {
    /// Finds the positions. O(n log n + uses · nesting depth of loops), where n counts the values.
    pub(crate) fn new(flat: &Flat<'_>) -> Self {
        let (mut starts, mut next) = (vec![0; flat.blocks.len()], 0);
        for block in &flat.nest.blocks {
            starts[*block] = next;
            next += flat.blocks[*block].steps.len() + 1;
        }
        let (loops, innermost) = loops(&flat.nest, &starts, next);
        let (defined, mut sources) = (
            definitions(flat, &starts),
            vec![Vec::new(); flat.types.len()],
        );
        let mut last = vec![0; flat.types.len()];
        for block in &flat.nest.blocks {
            let own = &flat.blocks[*block];
            let mut is_used = |value: Value, position: usize| {
                let (mut at, mut around) = (position, innermost[*block]);
                while let Some(own) = around.map(|own| &loops[own])
                    && !(own.first..=own.last).contains(&defined[value])
                {
                    (at, around) = (own.last, own.outer);
                }
                last[value] = last[value].max(at);
            };
            let value = |own: ValueId| own_value(flat, *block, own);
            let is_storage = |own: &Value| flat.is_storage(*own);
            for (position, step) in (starts[*block]..).zip(own.steps) {
                let operands = step.kind.operands().into_iter().map(value);
                let operands: Vec<Value> = operands.filter(is_storage).collect();
                for operand in &operands {
                    is_used(*operand, position);
                }
                for result in step
                    .kind
                    .results()
                    .into_iter()
                    .map(value)
                    .filter(is_storage)
                {
                    sources[result].extend(&operands);
                }
            }
            let end = starts[*block] + own.steps.len();
            let operands = own.end.iter().flat_map(|own| &own.operands);
            for used in operands.map(|own| value(*own)).filter(is_storage) {
                is_used(used, end);
            }
            let passed = own.edges.iter().flat_map(|edge| &edge.values);
            let passed = passed.filter_map(|(from, to)| Some(((*from)?, *to)));
            for (from, to) in passed.filter(|(from, _)| is_storage(from)) {
                is_used(from, end);
                sources[to].push(from);
            }
        }
        // An address that is known outside may be used at any time.
        for (own, _) in last.iter_mut().zip(&flat.escapes).filter(|own| *own.1) {
            *own = usize::MAX;
        }
        // From the last position on, so that each value is visited once.
        let mut order: Vec<Value> = (0..last.len()).collect();
        order.sort_by_key(|own| Reverse(last[*own]));
        let mut is_done = vec![false; last.len()];
        for value in order {
            let mut work = vec![value];
            while let Some(own) = work.pop() {
                if !std::mem::replace(&mut is_done[own], true) {
                    last[own] = last[value];
                    work.extend(&sources[own]);
                }
            }
        }
        Self { starts, last }
    }

    /// The position of a step of a block, or of its end, whose number follows that of its last step.
    pub(crate) fn position(&self, (block, step): (usize, usize)) -> usize {
        self.starts[block] + step
    }

    /// The last position at which a value that denotes storage is needed.
    pub(crate) fn last(&self, value: Value) -> usize {
        self.last[value]
    }
}

fn own_value(flat: &Flat<'_>, block: usize, own: ValueId) -> Value {
    flat.blocks[block].frame.value(own)
}

/// By value: the position where it is defined; that of the first step of a block for its arguments, and for what edges
/// to it define.
fn definitions(flat: &Flat<'_>, starts: &[usize]) -> Vec<usize> {
    let mut defined = vec![0; flat.types.len()];
    for block in &flat.nest.blocks {
        let own = &flat.blocks[*block];
        for argument in &own.arguments {
            defined[*argument] = starts[*block];
        }
        for edge in &own.edges {
            for (_, to) in &edge.values {
                defined[*to] = starts[edge.to];
            }
        }
        for (position, step) in (starts[*block]..).zip(own.steps) {
            for result in step.kind.results() {
                defined[own_value(flat, *block, result)] = position;
            }
        }
    }
    defined
}

/// The loops, and by block the innermost one around it. `n`: number of positions.
fn loops(nest: &Nest, starts: &[usize], n: usize) -> (Vec<Around>, Vec<Option<usize>>) {
    let mut loops: Vec<Around> = Vec::new();
    let mut innermost = vec![None; starts.len()];
    let mut around = None;
    for block in &nest.blocks {
        while let Some(own) = around.map(|own: usize| &loops[own])
            && own.last < starts[*block]
        {
            around = own.outer;
        }
        if let Some(own) = &nest.loops[*block] {
            let end = nest.blocks.get(own.end).map_or(n, |block| starts[*block]);
            loops.push(Around {
                first: starts[*block],
                last: end - 1,
                outer: around,
            });
            around = Some(loops.len() - 1);
        }
        innermost[*block] = around;
    }
    (loops, innermost)
}

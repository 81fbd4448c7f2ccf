//! `lifetime-queue`: one pass in execution order, best fit with coalescing.
//!
//! Items come in the order of their first live point, and of the problem where that is the same.
//! Before one is placed, those whose lifetime is over return to the free list. It gets the
//! smallest free block that fits, the lowest of equals; the rest stays free. If none fits, the
//! largest free block, the highest of equals (fewest items lie above it), is extended to the size
//! wanted: all that lies above shifts up by the difference, rounded up to keep its alignment. If
//! nothing is free the arena grows at its end.
//!
//! Only the hull of the lifetimes of all bytes counts; the gaps inside stay reserved. Items that are never live,
//! or have no bytes, get offset 0.
//!
//! O(n log n) plus O(n) for each extension of a block that is not the last. Should those add up to minutes, the
//! arena grows at its end from then on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mem_model::{Bytes, Point, Problem};

use crate::PlanError;
use crate::arena::Arena;

/// An offset for each item.
pub(crate) fn offsets(problem: &Problem, alignments: &[Bytes]) -> Result<Vec<Bytes>, PlanError> {
    let mut queue: Vec<(Point, usize)> = Vec::new();
    for (index, item) in problem.items.iter().enumerate() {
        if let Some(hull) = item.hull().filter(|_| item.size > Bytes::ZERO) {
            queue.push((hull.start, index));
        }
    }
    queue.sort_unstable();
    let mut arena = Arena::new(problem.items.len());
    let mut ending: BinaryHeap<Reverse<(Point, usize)>> = BinaryHeap::new();
    for (start, index) in queue {
        while let Some(&Reverse((end, over))) = ending.peek() {
            if end > start {
                break;
            }
            ending.pop();
            arena.release(over);
        }
        let item = &problem.items[index];
        arena
            .place(index, item.size, alignments[index])
            .ok_or(PlanError::Overflow)?;
        if let Some(hull) = item.hull() {
            ending.push(Reverse((hull.end, index)));
        }
    }
    Ok(arena.into_offsets())
}

#[cfg(test)]
mod tests;

//! `lifetime-queue`: one pass in execution order, best fit with coalescing.
//!
//! Items are placed in the order of their first live point, ties broken by index. Before an item is
//! placed, items whose lifetime has ended return to the free list. The item gets the smallest free
//! block that fits, the lowest one on a tie; the rest of the block stays free. If no block fits,
//! the largest free block, the highest one on a tie (fewest items lie above it), grows to the
//! requested size: everything above it shifts up by the difference, rounded up to preserve
//! alignments. If nothing is free, the arena grows at its end.
//!
//! Only the hull of an item's lifetime counts; gaps stay reserved. Items that are never live or
//! have no bytes get offset 0.
//!
//! O(n log n), plus O(n) for each extension of a block that is not the last one. Once these
//! extensions would add up to minutes, the arena only grows at its end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mem_model::{Bytes, Point, Problem};

use super::PlanError;
use super::free_list::Arena;

/// Returns an offset for each item.
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
        // Lifetimes are half-open: an item that ends where this one starts makes room for it.
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

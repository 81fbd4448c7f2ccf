//! From lifetimes to the problem a planner solves, and its conflicts.

use std::collections::BTreeSet;

use mem_model::{BufferId, Item, Problem, Program, Storage};

use crate::Lifetimes;

/// The planning problem of `program`: an item for each slot of each buffer that the planner is to
/// place, in the order of the buffers. Buffers that are never accessed have items without a
/// lifetime; unplannable buffers have none. Without a capacity.
#[must_use]
pub fn problem(program: &Program, lifetimes: &Lifetimes) -> Problem {
    let mut problem = Problem::default();
    for (index, buffer) in program.buffers.iter().enumerate() {
        if buffer.storage != Storage::Planned {
            continue;
        }
        for slot in 0..lifetimes.slots[index] {
            problem.items.push(Item {
                buffer: BufferId::new(index),
                slot,
                size: buffer.size,
                alignment: buffer.alignment,
                live: lifetimes.live[index].clone(),
            });
        }
    }
    problem
}

/// The pairs of items, as indices with the smaller first, that are live at a common point; each
/// pair once, in the order of that point.
///
/// A sweep: O(n log n + k) time for n intervals and k pairs that overlap, and O(n) memory.
pub fn conflicts(problem: &Problem) -> impl Iterator<Item = (usize, usize)> + '_ {
    let items = &problem.items;
    let mut events = Vec::new();
    for (index, item) in items.iter().enumerate() {
        for interval in item.live.iter() {
            // Ends come before births at the same point: intervals are half-open.
            events.push((interval.end, false, index));
            events.push((interval.start, true, index));
        }
    }
    events.sort_unstable();
    let mut active = BTreeSet::new();
    events
        .into_iter()
        .flat_map(move |(point, is_birth, index)| {
            let mut pairs = Vec::new();
            if is_birth {
                let is_first = |other: &&usize| {
                    items[index].live.first_common(&items[**other].live) == Some(point)
                };
                let others = active.iter().filter(is_first);
                pairs.extend(others.map(|&other: &usize| (index.min(other), index.max(other))));
                active.insert(index);
            } else {
                active.remove(&index);
            }
            pairs
        })
}

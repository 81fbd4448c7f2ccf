//! Builds the planning problem from lifetimes, and enumerates its conflicts.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use mem_model::{BufferId, IntervalSet, Item, Point, Problem, Program, Reuse, Storage};

use crate::Lifetimes;

/// The planning problem of `program`: one item per slot of each planned buffer, in the order of the
/// buffers. The item of a buffer that is never accessed has an empty lifetime; an unplannable
/// buffer has no item. The problem has no capacity.
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
                parts: lifetimes.parts[index].clone(),
                fixed: None,
            });
        }
    }
    relate(&mut problem, lifetimes);
    problem
}

/// Adds the pairwise relations of `lifetimes` to a problem that contains some of the slots:
/// conflicts between buffers that different cores may use at the same time, and reuses by steps
/// that work in place. Linear in the number of relations.
pub fn relate(problem: &mut Problem, lifetimes: &Lifetimes) {
    let mut slots: HashMap<BufferId, Vec<usize>> = HashMap::default();
    for (index, item) in problem.items.iter().enumerate() {
        slots.entry(item.buffer).or_default().push(index);
    }
    let only = |buffer: &BufferId| slots.get(buffer).and_then(|slots| slots.first().copied());
    for (operand, result) in &lifetimes.reuses {
        if let (Some(operand), Some(result)) = (only(operand), only(result)) {
            problem.reuses.push(Reuse { operand, result });
        }
    }
    for (a, b) in &lifetimes.unordered {
        for &x in slots.get(a).into_iter().flatten() {
            for &y in slots.get(b).into_iter().flatten() {
                problem.conflicts.push((x.min(y), x.max(y)));
            }
        }
    }
}

/// The pairs of items, as indices with the smaller first, that are live at a common point,
/// regardless of their bytes. Each pair appears once; pairs are ordered by first common point.
///
/// A sweep over the intervals: O(n log n + k) time for n intervals and k overlapping pairs, and
/// O(n) memory.
pub fn conflicts(problem: &Problem) -> impl Iterator<Item = (usize, usize)> + '_ {
    let live: Vec<IntervalSet<Point>> = problem.items.iter().map(Item::live).collect();
    let mut events = Vec::new();
    for (index, live) in live.iter().enumerate() {
        for interval in live.iter() {
            // Intervals are half-open: at one point, ends sort before births.
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
                let is_first =
                    |other: &&usize| live[index].first_common(&live[**other]) == Some(point);
                let others = active.iter().filter(is_first);
                pairs.extend(others.map(|&other: &usize| (index.min(other), index.max(other))));
                active.insert(index);
            } else {
                active.remove(&index);
            }
            pairs
        })
}

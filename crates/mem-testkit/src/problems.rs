//! Random planning problems.

use mem_model::{BufferId, Bytes, Interval, Item, Point, Problem, StepId};

use crate::Rng;

/// Up to `n_items` items with a few live intervals each within `n_steps` steps; some without
/// lifetime, some without bytes, some strictly aligned.
#[must_use]
pub fn random_problem(rng: &mut Rng, n_items: usize, n_steps: usize) -> Problem {
    let n_items = rng.between(0, n_items);
    let items = (0..n_items)
        .map(|index| random_item(rng, index, n_steps))
        .collect();
    Problem {
        items,
        capacity: None,
    }
}

fn random_item(rng: &mut Rng, index: usize, n_steps: usize) -> Item {
    let n_intervals = if rng.chance(70) { 1 } else { rng.below(4) };
    let live = (0..n_intervals)
        .map(|_| {
            let first = rng.below(n_steps);
            let last = rng.between(first, (first + n_steps / 4).min(n_steps - 1));
            let start = match rng.chance(50) {
                true => Point::early(StepId::new(first)),
                false => Point::late(StepId::new(first)),
            };
            Interval::new(start, Point::late(StepId::new(last)).next())
        })
        .collect();
    let exponent = if rng.chance(50) { 0 } else { rng.below(8) };
    Item {
        buffer: BufferId::new(index),
        slot: 0,
        size: Bytes::new(if rng.chance(5) {
            0
        } else {
            rng.between(1, 300)
        } as u64),
        alignment: Bytes::new(1 << exponent),
        live,
    }
}

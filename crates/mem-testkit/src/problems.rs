//! Random planning problems.

use mem_model::{BufferId, Bytes, Interval, IntervalSet, Item, Part, Point, Problem, StepId};

use crate::Rng;

/// Generates up to `n_items` items with a few live intervals each within `n_steps` steps. Some have
/// an empty lifetime, some have no bytes, some are strictly aligned.
#[must_use]
pub fn random_problem(rng: &mut Rng, n_items: usize, n_steps: usize) -> Problem {
    let n_items = rng.between(0, n_items);
    let items = (0..n_items)
        .map(|index| random_item(rng, index, n_steps))
        .collect();
    Problem::of_items(items)
}

fn random_item(rng: &mut Rng, index: usize, n_steps: usize) -> Item {
    let n_intervals = if rng.chance(70) { 1 } else { rng.below(4) };
    let live = |rng: &mut Rng| -> IntervalSet<Point> {
        let interval = |_| {
            let first = rng.below(n_steps);
            let last = rng.between(first, (first + n_steps / 4).min(n_steps - 1));
            let start = match rng.chance(50) {
                true => Point::early(StepId::new(first)),
                false => Point::late(StepId::new(first)),
            };
            Interval::new(start, Point::late(StepId::new(last)).next())
        };
        (0..n_intervals).map(interval).collect()
    };
    let exponent = if rng.chance(50) { 0 } else { rng.below(8) };
    let size = if rng.chance(5) {
        0
    } else {
        rng.between(1, 300)
    };
    // In some items, byte ranges have separate lifetimes, and some bytes are never live.
    let mut parts = Vec::new();
    let mut start = 0;
    while rng.chance(25) && start < size {
        let end = rng.between(start, size);
        let bytes = Interval::new(Bytes::new(start as u64), Bytes::new(end as u64));
        let live = live(rng);
        parts.push(Part { bytes, live });
        start = rng.between(end, size);
    }
    if parts.is_empty() {
        parts.push(Part::whole(Bytes::new(size as u64), live(rng)));
    }
    Item::new(
        BufferId::new(index),
        Bytes::new(size as u64),
        Bytes::new(1 << exponent),
        parts,
    )
}

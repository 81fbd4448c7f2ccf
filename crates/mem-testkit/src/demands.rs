//! Random constraints and preferences of planning problems beyond lifetimes.

use mem_model::{Bytes, Interval, Penalty, Problem, Reuse};

use crate::Rng;

/// Adds any number of fixed items, reserved regions, explicit conflicts, aliases, reuses and
/// penalties. Fixed offsets are at most `height`, and may clash.
pub fn add_demands(rng: &mut Rng, problem: &mut Problem, height: u64) {
    let n = problem.items.len();
    if n < 2 {
        return;
    }
    let pair = |rng: &mut Rng| {
        let a = rng.below(n);
        let b = (a + 1 + rng.below(n - 1)) % n;
        (a, b)
    };
    while rng.chance(30) {
        let item = &mut problem.items[rng.below(n)];
        let offset = rng.below(height as usize + 1) as u64;
        let aligned = offset / item.alignment.get() * item.alignment.get();
        item.fixed = Some(Bytes::new(aligned));
    }
    while rng.chance(25) {
        let start = rng.below(height as usize) as u64;
        let end = start + 1 + rng.below(height as usize / 3 + 1) as u64;
        let region = Interval::new(Bytes::new(start), Bytes::new(end));
        problem.reserved.push(region);
    }
    while rng.chance(50) {
        let (a, b) = pair(rng);
        let key = (a.min(b), a.max(b));
        if !problem.conflicts.contains(&key) {
            problem.conflicts.push(key);
        }
    }
    if rng.chance(20) {
        let (a, b) = pair(rng);
        let mut group = vec![a, b];
        let third = rng.below(n);
        if rng.chance(30) && !group.contains(&third) {
            group.push(third);
        }
        problem.aliases.push(group);
    }
    while rng.chance(30) {
        let (operand, result) = pair(rng);
        problem.reuses.push(Reuse { operand, result });
    }
    while rng.chance(30) {
        let (first, second) = pair(rng);
        let cost = 1 + rng.below(9) as u64;
        problem.penalties.push(Penalty {
            first,
            second,
            cost,
        });
    }
}

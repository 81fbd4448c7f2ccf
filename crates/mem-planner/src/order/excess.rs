//! Orders with few bytes above a capacity, step by step.
//!
//! Beam searches continue the states with the fewest bytes in memory, as long as no peak is above that
//! of the own order: forwards, and backwards in time. Of both results and the own order, the one with
//! the lowest excess is taken, segment by segment. Segments that never exceed the capacity stay as they
//! are.
//!
//! Takes a bounded effort for the whole task, of which segments have shares by their size, and at least
//! one state is continued after each unit.

use super::bound::divisions;
use super::contract::contract;
use super::reach::Reach;
use super::task::Task;
use super::{Found, beam, tuning};

/// Orders units so that few bytes are live above `above`. The bound is 0: nothing is proven.
pub(super) fn order_units(task: &Task, own_peak: u64, above: u64) -> Found {
    let own: Vec<u32> = (0..task.units.len() as u32).collect();
    if own_peak <= above {
        let steps = task.steps(&own);
        return Found { steps, bound: 0 };
    }
    let (contracted, reach) = contract(task.clone(), Reach::new(task));
    let n = contracted.units.len().max(1) as u64;
    let mut steps = Vec::new();
    for ends in divisions(&contracted, &reach).windows(2) {
        let segment = contracted.segment(ends[0], ends[1]);
        let effort = tuning::EXCESS_EFFORT / n * segment.units.len() as u64;
        let order = order_segment(&segment, own_peak, above, effort);
        steps.extend(segment.steps(&order));
    }
    Found { steps, bound: 0 }
}

fn order_segment(task: &Task, own_peak: u64, above: u64, effort: u64) -> Vec<u32> {
    let own: Vec<u32> = (0..task.units.len() as u32).collect();
    if own.len() < 2 || task.peak(&own) <= above {
        return own;
    }
    let limit = own_peak.saturating_add(1);
    let forwards = beam::search(task, own_peak, limit, effort);
    let backwards = beam::search(&task.reversed(), own_peak, limit, effort);
    let backwards = backwards.map(|order| {
        let last = order.len() as u32 - 1;
        order.iter().rev().map(|unit| last - unit).collect()
    });
    let all = [Some(own), forwards, backwards].into_iter().flatten();
    // The own order is the first, and kept if it is as good.
    let best = all.min_by_key(|order| task.excess(order, above));
    best.unwrap_or_default()
}

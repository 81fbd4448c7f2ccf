//! Beam search: of the states with equally many units, only the best are continued.
//!
//! Width follows from the effort that is left, so the search takes about as long for a long program
//! as for a short one.

use std::collections::HashSet;

use super::state::{Space, State};
use super::task::Task;
use super::tuning;

/// An order with a peak below `limit`, if the search finds one. Peaks up to `floor` count as equal:
/// among them, states with fewer bytes in memory are better. At least one state is continued in
/// each round, whatever the effort.
pub(super) fn search(task: &Task, floor: u64, limit: u64, effort: u64) -> Option<Vec<u32>> {
    let n = task.units.len();
    let mut space = Space::new(task);
    let mut start = space.start();
    space.settle(&mut start, floor);
    let mut rounds: Vec<Vec<State>> = vec![Vec::new(); n + 1];
    rounds[start.n_done].push(start);
    for round in 0..n {
        let mut states = std::mem::take(&mut rounds[round]);
        states.sort_by_key(|state| (state.peak.max(floor), state.bytes, state.hash));
        let mut seen = HashSet::new();
        states.retain(|state| seen.insert(state.hash));
        states.truncate(tuning::MAX_WIDTH);
        let share = effort.saturating_sub(space.effort) / (n - round) as u64;
        let end = space.effort + share;
        for state in &states {
            expand(&mut space, state, (floor, limit), &mut rounds);
            if space.effort > end {
                break;
            }
        }
    }
    let best = rounds[n].iter().min_by_key(|state| state.peak)?;
    Some(space.order(best))
}

/// Continues a state with its best units.
fn expand(
    space: &mut Space<'_>,
    state: &State,
    (floor, limit): (u64, u64),
    rounds: &mut [Vec<State>],
) {
    let ready = state.ready.iter();
    let possible = ready.filter(|(_, effect)| state.bytes_during(*effect) < limit);
    let mut units: Vec<_> = possible
        .map(|(unit, effect)| {
            let peak = state.bytes_during(*effect).max(state.peak).max(floor);
            (peak, effect.change, *unit)
        })
        .collect();
    space.effort += state.ready.len() as u64;
    if units.len() > tuning::MAX_BRANCHES {
        units.select_nth_unstable(tuning::MAX_BRANCHES);
        units.truncate(tuning::MAX_BRANCHES);
    }
    for (.., unit) in units {
        let mut next = space.after(state, unit);
        space.settle(&mut next, floor);
        if next.peak < limit {
            rounds[next.n_done].push(next);
        }
    }
}

//! A lower bound on the peak over all orders.
//!
//! Whatever the order, a buffer is live at a unit if it is accessed by a unit that always runs
//! before and by one that always runs after, or by the unit itself. In all other respects, the
//! unit runs in the state that is best for it.

use super::reach::{Reach, has, remove};
use super::task::{Outside, Task};

/// The bytes in memory while each unit runs, at least, in every order. Takes time
/// O(accesses · units / 64), and what is live in addition.
pub(super) fn least_bytes(task: &Task, reach: &Reach) -> Vec<u64> {
    let n = task.units.len();
    let words = n.div_ceil(64);
    let mut least = vec![task.base; n];
    for buffer in &task.buffers {
        let join = |set: &mut [u64], row: &[u64]| {
            set.iter_mut()
                .zip(row)
                .for_each(|(bits, other)| *bits |= other);
        };
        let fill = |is_all: bool| vec![if is_all { u64::MAX } else { 0 }; words];
        let (mut begun, mut needed) = (fill(buffer.from_start), fill(buffer.to_end));
        for &user in &buffer.users {
            join(&mut begun, reach.after(user as usize));
            join(&mut needed, reach.before(user as usize));
        }
        let mut live: Vec<u64> = begun.iter().zip(&needed).map(|(a, b)| a & b).collect();
        buffer
            .users
            .iter()
            .for_each(|user| remove(&mut live, *user as usize));
        for (word, bits) in live.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let unit = word * 64 + bits.trailing_zeros() as usize;
                if let Some(least) = least.get_mut(unit) {
                    *least += buffer.size;
                }
                bits &= bits - 1;
            }
        }
    }
    for (unit, least) in least.iter_mut().enumerate() {
        *least += own_bytes(task, reach, unit);
    }
    least
}

/// The bytes of its own buffers while a unit runs, at least.
fn own_bytes(task: &Task, reach: &Reach, unit: usize) -> u64 {
    let mut outside = Outside::new();
    let mut bytes = 0;
    for own in &task.units[unit].uses {
        let buffer = &task.buffers[own.buffer as usize];
        let users = || buffer.users.iter().map(|user| *user as usize);
        let before = buffer.from_start || users().any(|user| reach.is_before(user, unit));
        let after = buffer.to_end || users().any(|user| reach.is_before(unit, user));
        if before {
            bytes += buffer.size;
        }
        outside.push((before, after));
    }
    let effect = task.effect_within(unit, &outside);
    bytes.saturating_add_signed(effect.rise)
}

/// Positions where every order is divided: all units before each of them run before all units after
/// it. The first is 0, and the last is the number of units. Takes time O(units² / 64).
pub(super) fn divisions(task: &Task, reach: &Reach) -> Vec<usize> {
    let n = task.units.len();
    let mut divisions = vec![0];
    // First position such that all units before the current one precede all units from there on.
    let mut clear = 0;
    for unit in 0..n {
        if unit > 0 && clear <= unit {
            divisions.push(unit);
        }
        let after = reach.after(unit);
        let start = (unit + 1..n).rev().find(|other| !has(after, *other));
        clear = clear.max(start.map_or(unit + 1, |other| other + 1));
    }
    if n > 0 {
        divisions.push(n);
    }
    divisions
}

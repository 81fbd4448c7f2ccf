//! Merges units that run one right after the other in some best order, so that searches have fewer
//! units to order.
//!
//! A unit *rises* if none of its steps takes more bytes than are in memory after the step, in any
//! state: what may end at it is taken over by results that are as large. A unit *falls* if none of
//! its steps takes more bytes than were in memory before it, in any state. Fills of accumulators
//! rise, and operations in place fall.
//!
//! * A unit that rises, and whose successors all follow from one of them, runs right before that
//!   one: later, it keeps fewer bytes in memory while others run, and at its new place it takes no
//!   more than its successor, which runs there in any case.
//! * A unit that falls, and whose predecessors all follow from one of them, runs right after that
//!   one, by the same argument with time reversed.
//!
//! Both need that bytes in memory are a submodular function of the state: what a unit adds to a
//! state is at least what it adds to a larger one. The number of live buffers is the cut function
//! of a hypergraph, which is submodular.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::reach::Reach;
use super::task::{Task, Unit};

/// Merges units until none is left to be merged. Each round takes time
/// O(dependences · units / 64). `reach` is that of the task, and the result has its own.
pub(super) fn contract(mut task: Task, mut reach: Reach) -> (Task, Reach) {
    while let Some(groups) = merges(&task, &reach) {
        task = task.grouped(&in_order(&task, &groups));
        reach = Reach::new(&task);
    }
    (task, reach)
}

/// Groups of units to merge, each in its order; `None` if no units are merged.
fn merges(task: &Task, reach: &Reach) -> Option<Vec<Vec<u32>>> {
    let n = task.units.len();
    // A unit that others are merged with is not merged into another one in the same round.
    let (mut is_target, mut target) = (vec![false; n], vec![None; n]);
    for unit in 0..n {
        if is_target[unit] {
            continue;
        }
        let next = only_successor(task, reach, unit).filter(|_| rises(task, reach, unit));
        let next = next.map(|other| (other, true));
        let into = next.or_else(|| {
            let other = only_predecessor(task, reach, unit).filter(|_| falls(task, reach, unit));
            other.map(|other| (other, false))
        });
        if let Some((other, is_before)) = into.filter(|(other, _)| target[*other].is_none()) {
            is_target[other] = true;
            target[unit] = Some((other, is_before));
        }
    }
    if target.iter().all(Option::is_none) {
        return None;
    }
    let (mut before, mut after) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for (unit, into) in target.iter().enumerate() {
        match into {
            Some((other, true)) => before[*other].push(unit as u32),
            Some((other, false)) => after[*other].push(unit as u32),
            None => {}
        }
    }
    let roots = (0..n).filter(|unit| target[*unit].is_none());
    let group = |unit: usize| {
        let mut units = std::mem::take(&mut before[unit]);
        units.push(unit as u32);
        units.append(&mut after[unit]);
        units
    };
    Some(roots.map(group).collect())
}

/// The groups in an order that the dependences permit, as close as possible to the own order of
/// the units that others are merged with.
fn in_order(task: &Task, groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut group_of = vec![0; task.units.len()];
    for (group, units) in groups.iter().enumerate() {
        units
            .iter()
            .for_each(|unit| group_of[*unit as usize] = group);
    }
    let mut succs: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    let mut missing = vec![0; groups.len()];
    for (group, units) in groups.iter().enumerate() {
        for unit in units {
            let all = task.units[*unit as usize].succs.iter();
            let others = all.map(|succ| group_of[*succ as usize]);
            succs[group].extend(others.filter(|other| *other != group));
        }
        succs[group].sort_unstable();
        succs[group].dedup();
        succs[group].iter().for_each(|other| missing[*other] += 1);
    }
    let ready = (0..groups.len()).filter(|group| missing[*group] == 0);
    let mut ready: BinaryHeap<_> = ready.map(Reverse).collect();
    let mut order = Vec::new();
    while let Some(Reverse(group)) = ready.pop() {
        order.push(groups[group].clone());
        for &other in &succs[group] {
            missing[other] -= 1;
            if missing[other] == 0 {
                ready.push(Reverse(other));
            }
        }
    }
    order
}

/// The successor from which all others follow.
fn only_successor(task: &Task, reach: &Reach, unit: usize) -> Option<usize> {
    let (first, others) = task.units[unit].succs.split_first()?;
    let first = *first as usize;
    let mut others = others.iter();
    others
        .all(|other| reach.is_before(first, *other as usize))
        .then_some(first)
}

/// The predecessor that follows from all others.
fn only_predecessor(task: &Task, reach: &Reach, unit: usize) -> Option<usize> {
    let (last, others) = task.units[unit].preds.split_last()?;
    let last = *last as usize;
    let mut others = others.iter();
    others
        .all(|other| reach.is_before(*other as usize, last))
        .then_some(last)
}

/// What is known of a buffer that a unit accesses, in every state in which it is the next one.
struct Lives {
    /// No other unit accesses the buffer before, or all do.
    never_before: bool,
    maybe_not_before: bool,
    /// No other unit accesses the buffer after, or all do.
    never_after: bool,
    maybe_not_after: bool,
}

fn lives(task: &Task, reach: &Reach, unit: usize, at: usize) -> Lives {
    let buffer = &task.buffers[task.units[unit].uses[at].buffer as usize];
    let others = || {
        let users = buffer.users.iter().map(|user| *user as usize);
        users.filter(|user| *user != unit)
    };
    Lives {
        never_before: !buffer.from_start && others().all(|other| reach.is_before(unit, other)),
        maybe_not_before: !buffer.from_start && !others().any(|other| reach.is_before(other, unit)),
        never_after: !buffer.to_end && others().all(|other| reach.is_before(other, unit)),
        maybe_not_after: !buffer.to_end && !others().any(|other| reach.is_before(unit, other)),
    }
}

fn rises(task: &Task, reach: &Reach, unit: usize) -> bool {
    let own = &task.units[unit];
    let lives: Vec<Lives> = all_lives(task, reach, unit);
    let mut is_used = vec![false; own.uses.len()];
    // Each buffer that may end is taken over by one that always begins, and is as large.
    (0..own.uses.len())
        .filter(|at| lives[*at].maybe_not_after)
        .all(|at| {
            let pairs = own.pairs.iter().filter(|pair| pair.operand as usize == at);
            let mut takers = pairs.filter(|pair| {
                let result = pair.result as usize;
                let is_then = own.uses[at].last == pair.step && own.uses[result].first == pair.step;
                let is_enough = pair.bytes == size(task, own, at);
                is_then && is_enough && lives[result].never_before && !is_used[result]
            });
            let taker = takers.next().map(|pair| pair.result as usize);
            taker.is_some_and(|result| !std::mem::replace(&mut is_used[result], true))
        })
}

fn falls(task: &Task, reach: &Reach, unit: usize) -> bool {
    let own = &task.units[unit];
    let lives: Vec<Lives> = all_lives(task, reach, unit);
    let mut is_used = vec![false; own.uses.len()];
    // Each buffer that may begin takes over one that always ends, and is as large.
    (0..own.uses.len())
        .filter(|at| lives[*at].maybe_not_before)
        .all(|at| {
            let pairs = own.pairs.iter().filter(|pair| pair.result as usize == at);
            let mut givers = pairs.filter(|pair| {
                let operand = pair.operand as usize;
                let is_then =
                    own.uses[operand].last == pair.step && own.uses[at].first == pair.step;
                let is_enough = pair.bytes == size(task, own, at);
                is_then && is_enough && lives[operand].never_after && !is_used[operand]
            });
            let giver = givers.next().map(|pair| pair.operand as usize);
            giver.is_some_and(|operand| !std::mem::replace(&mut is_used[operand], true))
        })
}

fn all_lives(task: &Task, reach: &Reach, unit: usize) -> Vec<Lives> {
    let uses = 0..task.units[unit].uses.len();
    uses.map(|at| lives(task, reach, unit, at)).collect()
}

fn size(task: &Task, unit: &Unit, at: usize) -> u64 {
    task.buffers[unit.uses[at].buffer as usize].size
}

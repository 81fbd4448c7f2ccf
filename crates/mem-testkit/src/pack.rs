//! A packer that is as tight as lifetimes allow, so that a lifetime that is too short causes a
//! failure.

use mem_model::{Bytes, Interval, Item, Placement, Plan, Problem};

use crate::Rng;

/// Places items in random order, each at the lowest aligned offset at which it shares no address
/// with bytes that are live at a common point. Fills gaps inside lifetimes. O(n³).
#[must_use]
pub fn pack_tightly(problem: &Problem, rng: &mut Rng) -> Plan {
    let items = &problem.items;
    let mut order: Vec<usize> = (0..items.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last + 1));
    }
    let mut offsets: Vec<Option<u64>> = vec![None; items.len()];
    for index in order {
        // Tries offsets in ascending order until nothing clashes.
        let item = &items[index];
        let clashes = |at: u64| {
            let placed = offsets.iter().enumerate();
            let mut others = placed.filter_map(|(other, offset)| Some((other, (*offset)?)));
            others.find_map(|(other, offset)| {
                let is_it = |a: usize, b: usize| {
                    (a.min(b), a.max(b)) == (index.min(other), index.max(other))
                };
                let is_taken = || problem.reuses.iter().any(|r| is_it(r.operand, r.result));
                if at == offset && is_taken() {
                    return None;
                }
                let is_explicit = problem.conflicts.iter().any(|&(a, b)| is_it(a, b));
                clash(item, at, &items[other], offset, is_explicit)
            })
        };
        let mut at = 0;
        // Usually takes over the address of an operand, if the item may.
        let operands = problem.reuses.iter().filter(|reuse| reuse.result == index);
        let mut taken = operands.filter_map(|reuse| offsets[reuse.operand]);
        if let Some(offset) = taken.next().filter(|_| rng.chance(70)) {
            at = offset.next_multiple_of(item.alignment.get());
        }
        if clashes(at).is_some() {
            at = 0;
        }
        while let Some(next) = clashes(at) {
            at = next.next_multiple_of(item.alignment.get());
        }
        offsets[index] = Some(at);
    }
    let offsets: Vec<u64> = offsets.into_iter().flatten().collect();
    plan_at(problem, &offsets)
}

/// The plan with these offsets, indexed by item.
fn plan_at(problem: &Problem, offsets: &[u64]) -> Plan {
    let items = &problem.items;
    let ends = items
        .iter()
        .zip(offsets)
        .map(|(item, offset)| offset + item.size.get());
    Plan {
        strategy: "pack-tightly".to_owned(),
        peak: Bytes::new(ends.max().unwrap_or(0)),
        lower_bound: Bytes::new(largest_sum(problem)),
        proven_bound: Bytes::new(largest_sum(problem)),
        placements: items
            .iter()
            .zip(offsets)
            .map(|(item, &offset)| Placement {
                buffer: item.buffer,
                slot: item.slot,
                offset: Bytes::new(offset),
            })
            .collect(),
    }
}

/// The next offset to try if `item` at `at` clashes with `other` at `offset`, that is, if two bytes
/// have the same address while both are live, or at any time for an explicit conflict. `None`: no
/// clash.
fn clash(item: &Item, at: u64, other: &Item, offset: u64, is_explicit: bool) -> Option<u64> {
    let (own, theirs) = (item.size.get(), other.size.get());
    let are_real = !item.live().is_empty() && !other.live().is_empty();
    if is_explicit && are_real && at < offset + theirs && offset < at + own {
        return Some(offset + theirs);
    }
    let pairs = item
        .parts
        .iter()
        .flat_map(|own| other.parts.iter().map(move |o| (own, o)));
    let clashing = pairs.filter(|(own, theirs)| {
        let [own, theirs] = [(own, at), (theirs, offset)].map(|(part, at)| {
            Interval::new(at + part.bytes.start.get(), at + part.bytes.end.get())
        });
        own.overlaps(theirs)
    });
    let mut clashing = clashing.filter(|(own, theirs)| own.live.overlaps(&theirs.live));
    let (own, theirs) = clashing.next()?;
    Some(offset + theirs.bytes.end.get() - own.bytes.start.get())
}

fn largest_sum(problem: &Problem) -> u64 {
    let parts = || problem.items.iter().flat_map(|item| &item.parts);
    let starts = parts().flat_map(|part| part.live.iter()).map(|i| i.start);
    let sum_at = |point| -> u64 {
        let live = parts().filter(|part| part.live.contains(point));
        live.map(|part| part.size().get()).sum()
    };
    starts.map(sum_at).max().unwrap_or(0)
}

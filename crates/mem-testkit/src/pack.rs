//! A packer that is as tight as lifetimes allow, so that a lifetime that is too short shows.

use mem_model::{Bytes, Item, Placement, Plan, Problem};

use crate::Rng;

/// Places items in random order, each at the lowest aligned offset where it shares no byte with an
/// item that is live at a common point; gaps inside lifetimes are used. O(n²).
#[must_use]
pub fn pack_tightly(problem: &Problem, rng: &mut Rng) -> Plan {
    let items = &problem.items;
    let mut order: Vec<usize> = (0..items.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last + 1));
    }
    let mut offsets: Vec<Option<u64>> = vec![None; items.len()];
    for index in order {
        let taken = items.iter().zip(&offsets).filter_map(|(other, offset)| {
            let start = (*offset)?;
            let conflicts = other.live.overlaps(&items[index].live);
            conflicts.then(|| (start, start + other.size.get()))
        });
        let mut taken: Vec<(u64, u64)> = taken.collect();
        taken.sort_unstable();
        offsets[index] = Some(lowest_gap(&items[index], &taken));
    }
    let offsets: Vec<u64> = offsets.into_iter().flatten().collect();
    let ends = items
        .iter()
        .zip(&offsets)
        .map(|(item, offset)| offset + item.size.get());
    Plan {
        strategy: "pack-tightly".to_owned(),
        peak: Bytes::new(ends.max().unwrap_or(0)),
        lower_bound: Bytes::new(largest_sum(problem)),
        placements: items
            .iter()
            .zip(&offsets)
            .map(|(item, &offset)| Placement {
                buffer: item.buffer,
                slot: item.slot,
                offset: Bytes::new(offset),
            })
            .collect(),
    }
}

fn lowest_gap(item: &Item, taken: &[(u64, u64)]) -> u64 {
    let mut offset = 0_u64;
    for &(start, end) in taken {
        if offset + item.size.get() > start && end > offset {
            offset = end.next_multiple_of(item.alignment.get());
        }
    }
    offset
}

fn largest_sum(problem: &Problem) -> u64 {
    let starts = problem
        .items
        .iter()
        .flat_map(|item| item.live.iter())
        .map(|i| i.start);
    let sum_at = |point| -> u64 {
        let live = problem
            .items
            .iter()
            .filter(|item| item.live.contains(point));
        live.map(|item| item.size.get()).sum()
    };
    starts.map(sum_at).max().unwrap_or(0)
}

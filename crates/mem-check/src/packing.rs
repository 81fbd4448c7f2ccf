//! Addresses against lifetimes.
//!
//! A sweep over the points keeps the live parts of items in an ordered map by address; what is in the
//! map is pairwise disjoint, so a part that comes to life can overlap only a contiguous run of it.
//! Parts that overlap are reported with each neighbour and kept out of the map: every part that
//! overlaps one in the map is found, a pair of two that both overlap a third may not be.
//!
//! O(k log k) in the number k of live intervals, plus the violations.

use std::collections::BTreeMap;

use mem_model::{Bytes, Item, Placement, Plan, Point, Problem};

use crate::{CheckError, MAX_VIOLATIONS, Slot, Violation};

/// Checks that `plan` answers `problem`: one placement for each item, in order, aligned, within
/// the capacity; no two items have bytes live at a common point at the same address; peak and lower
/// bound are exactly what the plan claims.
///
/// # Errors
/// What is wrong, in no more than [`MAX_VIOLATIONS`] parts.
pub fn check_plan(problem: &Problem, plan: &Plan) -> Result<(), CheckError> {
    let mut violations = Vec::new();
    check_identities(problem, plan, &mut violations);
    if violations.is_empty() {
        check_parts(problem, &mut violations);
        check_addresses(problem, plan, &mut violations);
        check_overlaps(problem, plan, &mut violations);
        check_lower_bound(problem, plan, &mut violations);
    }
    CheckError::result(violations)
}

fn check_identities(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    let (n_items, n_placements) = (problem.items.len(), plan.placements.len());
    if n_items != n_placements {
        violations.push(Violation::Count {
            n_items,
            n_placements,
        });
    }
    for (index, (item, placement)) in problem.items.iter().zip(&plan.placements).enumerate() {
        let (wanted, found) = (slot_of(item), placed_slot(placement));
        if wanted != found {
            violations.push(Violation::Identity {
                index,
                wanted,
                found,
            });
        }
    }
}

/// The parts of an item are in ascending order, apart from each other and inside of it.
fn check_parts(problem: &Problem, violations: &mut Vec<Violation>) {
    for item in &problem.items {
        let mut end = Bytes::ZERO;
        let mut are_valid = !item.parts.is_empty();
        for part in &item.parts {
            are_valid &= end <= part.bytes.start && part.bytes.start <= part.bytes.end;
            end = part.bytes.end;
        }
        if !are_valid || end > item.size {
            violations.push(Violation::Parts(slot_of(item)));
        }
    }
}

fn check_addresses(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    let mut peak = Bytes::ZERO;
    for (item, placement) in problem.items.iter().zip(&plan.placements) {
        let (offset, alignment) = (placement.offset, item.alignment);
        let item_slot = slot_of(item);
        if !offset.is_aligned_to(alignment) {
            violations.push(Violation::Alignment {
                item: item_slot,
                offset,
                alignment,
            });
        }
        match offset.checked_add(item.size) {
            Some(end) => peak = peak.max(end),
            None => violations.push(Violation::Overflow {
                item: item_slot,
                offset,
            }),
        }
    }
    if plan.peak != peak {
        violations.push(Violation::Peak {
            claimed: plan.peak,
            actual: peak,
        });
    }
    if let Some(capacity) = problem.capacity.filter(|&capacity| peak > capacity) {
        violations.push(Violation::Capacity { peak, capacity });
    }
}

/// A part of an item: the item's index, and its bytes as they lie in the item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PartOf {
    item: usize,
    start: u64,
    end: u64,
}

/// Births and deaths of parts in order; deaths first, because lifetimes are half-open.
fn events(problem: &Problem) -> Vec<(Point, bool, PartOf)> {
    let mut events = Vec::new();
    for (item, parts) in problem.items.iter().map(|item| &item.parts).enumerate() {
        for part in parts {
            let (start, end) = (part.bytes.start.get(), part.bytes.end.get());
            let of = PartOf { item, start, end };
            for interval in part.live.iter() {
                events.push((interval.start, true, of));
                events.push((interval.end, false, of));
            }
        }
    }
    events.sort_unstable();
    events
}

fn check_overlaps(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    // Of live parts: end and item by address.
    let mut live: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for (point, is_birth, part) in events(problem) {
        let index = part.item;
        let offset = plan.placements[index].offset.get();
        let start = offset.saturating_add(part.start);
        let end = offset.saturating_add(part.end);
        if start == end {
            continue;
        }
        if !is_birth {
            if live.get(&start).is_some_and(|&(_, owner)| owner == index) {
                live.remove(&start);
            }
            continue;
        }
        let overlapping: Vec<(u64, usize)> = live
            .range(..end)
            .rev()
            .take_while(|(_, (other_end, _))| *other_end > start)
            .map(|(&other_start, &(_, other))| (other_start.max(start), other))
            .collect();
        if overlapping.is_empty() {
            live.insert(start, (end, index));
        }
        for (offset, other) in overlapping {
            if violations.len() >= MAX_VIOLATIONS {
                return;
            }
            violations.push(Violation::Overlap {
                first: slot_of(&problem.items[other]),
                second: slot_of(&problem.items[index]),
                offset: Bytes::new(offset),
                point,
            });
        }
    }
}

fn check_lower_bound(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    // Wider than an address, so that the sum of sizes that fit one each cannot overflow.
    let (mut live, mut highest) = (0_u128, 0_u128);
    for (_, is_birth, part) in events(problem) {
        let size = u128::from(part.end.saturating_sub(part.start));
        live = if is_birth { live + size } else { live - size };
        highest = highest.max(live);
    }
    if highest != u128::from(plan.lower_bound.get()) {
        let actual = u64::try_from(highest).unwrap_or(u64::MAX);
        violations.push(Violation::LowerBound {
            claimed: plan.lower_bound,
            actual: Bytes::new(actual),
        });
    }
}

fn slot_of(item: &Item) -> Slot {
    Slot {
        buffer: item.buffer,
        slot: item.slot,
    }
}

fn placed_slot(placement: &Placement) -> Slot {
    Slot {
        buffer: placement.buffer,
        slot: placement.slot,
    }
}

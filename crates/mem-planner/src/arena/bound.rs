//! Lower bounds on the peak: the bytes live at once, and bounds that conflicts and alignment prove.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use mem_model::{Bytes, Interval, IntervalSet, Item, Part, Point, Problem, StepId};

use super::contract::Contracted;
use super::measure::padding;
use super::tuning;
use crate::MAX_BYTES;

/// Maximum memory pressure, and the point where it occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressure {
    /// Largest number of bytes live at one point. Alignment padding does not count.
    pub bytes: Bytes,
    /// First point with that pressure; `None` if nothing is ever live.
    pub point: Option<Point>,
}

/// Returns the largest number of bytes live at one point, over the parts of all items; `None` if a
/// sum exceeds [`MAX_BYTES`]. Aliases count once. A result that may reuse an operand's bytes in
/// place counts only for the bytes that the operand does not provide. No plan without transfers has
/// a lower peak.
///
/// O(n log n) in the number of live intervals.
#[must_use]
pub fn lower_bound(problem: &Problem) -> Option<Bytes> {
    pressure(problem).map(|pressure| pressure.bytes)
}

/// Like [`lower_bound`], but also returns the point where the maximum occurs.
#[must_use]
pub fn pressure(problem: &Problem) -> Option<Pressure> {
    let is_free = |item: &Item| item.fixed.is_none();
    // Without aliases, only fixed items share an offset in every plan, so that nothing is contracted.
    if problem.aliases.is_empty() && problem.items.iter().all(is_free) {
        return pressure_without_aliases(problem);
    }
    let mut problem = Cow::Borrowed(problem);
    for reuse in problem.reuses.clone() {
        let [operand, result] = [reuse.operand, reuse.result].map(|item| &problem.items[item]);
        let parts = without(&result.parts, &(operand.size, operand.live()));
        problem.to_mut().items[reuse.result].parts = parts;
    }
    let alignments = vec![Bytes::new(1); problem.items.len()];
    // Contraction only fails if aliases are fixed at different offsets; such a problem has no plan.
    match Contracted::new(&problem, &alignments, false) {
        Ok(contracted) => pressure_of(&contracted.problem.items),
        Err(_) => pressure_of(&problem.items),
    }
}

/// As [`pressure`], for problems without aliases and fixed items, which need not be copied.
fn pressure_without_aliases(problem: &Problem) -> Option<Pressure> {
    let items = &problem.items;
    // Per result: its parts, less what operands provide. An operand may be a result itself.
    let mut left: Vec<Option<Vec<Part>>> = vec![None; items.len()];
    for reuse in &problem.reuses {
        let parts = |item: usize| left[item].as_ref().unwrap_or(&items[item].parts);
        let operand = (
            items[reuse.operand].size,
            Part::union_of(parts(reuse.operand)),
        );
        let parts = without(parts(reuse.result), &operand);
        left[reuse.result] = Some(parts);
    }
    let parts = items.iter().zip(&left);
    let parts = parts.map(|(own, left)| (own.size, left.as_ref().unwrap_or(&own.parts)));
    pressure_of_parts(parts.map(|(size, parts)| (size, &parts[..])))
}

/// Returns the parts of a result minus the bytes and times at which the operand's bytes can be
/// reused. `operand`: its size, and when it is live.
fn without(result: &[Part], operand: &(Bytes, IntervalSet<Point>)) -> Vec<Part> {
    let mut parts = Vec::with_capacity(2 * result.len());
    let (size, operand_live) = operand;
    for part in result {
        // Both lie at one offset, so the operand provides the bytes up to its own size.
        let at = (*size).clamp(part.bytes.start, part.bytes.end);
        // The bytes that the operand provides count for the operand while it is live.
        parts.push(Part {
            bytes: Interval::new(part.bytes.start, at),
            live: part.live.difference(operand_live),
        });
        parts.push(Part {
            bytes: Interval::new(at, part.bytes.end),
            live: part.live.clone(),
        });
    }
    parts
}

fn pressure_of(items: &[Item]) -> Option<Pressure> {
    pressure_of_parts(items.iter().map(|item| (item.size, &item.parts[..])))
}

/// `items`: the size of each, and its parts.
fn pressure_of_parts<'p>(items: impl Iterator<Item = (Bytes, &'p [Part])>) -> Option<Pressure> {
    let mut lives: Vec<(Interval<Point>, Bytes)> = Vec::new();
    for (size, parts) in items {
        if size > MAX_BYTES {
            return None;
        }
        for part in parts {
            let live = part.live.iter();
            lives.extend(live.map(|interval| (interval, part.size())));
        }
    }
    let last = lives.iter().map(|(live, _)| live.end.index()).max();
    let last = last.and_then(|last| usize::try_from(last).ok());
    match last.filter(|last| *last / tuning::POINTS_PER_INTERVAL <= lives.len()) {
        Some(last) => highest_by_point(&lives, last),
        None => highest_by_event(&lives),
    }
}

/// The highest sum of the sizes that are live at once, from the changes at each point up to `last`. Linear in
/// the points and intervals.
fn highest_by_point(lives: &[(Interval<Point>, Bytes)], last: usize) -> Option<Pressure> {
    let mut changes = vec![0_i128; last + 1];
    let mut is_start = vec![false; last + 1];
    for (live, size) in lives {
        let [start, end] = [live.start, live.end].map(|point| point.index() as usize);
        changes[start] += i128::from(size.get());
        changes[end] -= i128::from(size.get());
        is_start[start] = true;
    }
    let mut highest: Option<(i128, usize)> = None;
    let mut live = 0;
    for (index, (change, is_start)) in changes.into_iter().zip(is_start).enumerate() {
        live += change;
        // Only at a start can the sum be higher than before.
        if is_start && highest.is_none_or(|(bytes, _)| live > bytes) {
            highest = Some((live, index));
        }
    }
    let Some((bytes, index)) = highest else {
        return Some(Pressure::default());
    };
    let bytes = u64::try_from(bytes).ok().map(Bytes::new);
    let step = StepId::new(index / 2);
    let point = match index % 2 {
        0 => Point::early(step),
        _ => Point::late(step),
    };
    bytes
        .filter(|bytes| *bytes <= MAX_BYTES)
        .map(|bytes| Pressure {
            bytes,
            point: Some(point),
        })
}

/// As [`highest_by_point`], in O(n log n) for n intervals, however far apart they are.
fn highest_by_event(lives: &[(Interval<Point>, Bytes)]) -> Option<Pressure> {
    let mut events = Vec::with_capacity(2 * lives.len());
    for (live, size) in lives {
        // Ends sort before starts at the same point: intervals are half-open.
        events.push((live.end, false, *size));
        events.push((live.start, true, *size));
    }
    events.sort_unstable();
    let mut live = Bytes::ZERO;
    let mut highest = Pressure::default();
    for (point, is_start, size) in events {
        if is_start {
            live = live.checked_add(size).filter(|&sum| sum <= MAX_BYTES)?;
        } else {
            live = live.checked_sub(size)?;
        }
        if is_start && (live > highest.bytes || highest.point.is_none()) {
            highest = Pressure {
                bytes: live,
                point: Some(point),
            };
        }
    }
    Some(highest)
}

/// Strengthens `pressure` to a lower bound on the peak that live sums do not show: padding between
/// aligned items, fixed and reserved addresses, and items that conflict without being live at once.
/// The problem must have no aliases and no reuses.
///
/// O(n log n), plus O(n k) for each explicit conflict whose clique has k members.
pub(crate) fn proven(problem: &Problem, alignments: &[Bytes], pressure: Bytes) -> Bytes {
    let sizes = problem.items.iter().map(|item| item.size);
    let mut bytes = sizes.fold(pressure, Bytes::max);
    bytes = bytes.max(padded(problem, alignments));
    bytes = bytes.max(clique(problem));
    // The bounds so far count bytes, which reserved regions push up; ends are addresses already.
    let ends = (problem.items.iter()).filter_map(|item| item.fixed?.checked_add(item.size));
    let highest = ends.fold(beyond_reserved(problem, bytes), Bytes::max);
    highest.min(MAX_BYTES)
}

/// Largest sum of live sizes at one point, each rounded up to the smallest alignment of all items.
/// The topmost item needs no padding, so the largest padding at the point is not counted. Items
/// with several parts do not count.
fn padded(problem: &Problem, alignments: &[Bytes]) -> Bytes {
    let counts = |item: &Item| item.size > Bytes::ZERO && item.is_whole();
    let pairs = problem.items.iter().zip(alignments);
    let items = || pairs.clone().filter(|(item, _)| counts(item));
    let Some(least) = items().map(|(_, alignment)| *alignment).min() else {
        return Bytes::ZERO;
    };
    // Without padding, the sums are those of the pressure.
    if least == Bytes::new(1) {
        return Bytes::ZERO;
    }
    let mut events = Vec::new();
    for (item, _) in items() {
        // Leaving an item out weakens the bound, but keeps it valid.
        let Some(pad) = padding(item.size, least).map(Bytes::get) else {
            continue;
        };
        let rounded = item.size.get() + pad;
        for interval in item.parts[0].live.iter() {
            events.push((interval.end, false, rounded, pad));
            events.push((interval.start, true, rounded, pad));
        }
    }
    // Ends sort before starts at the same point: intervals are half-open.
    events.sort_unstable();
    let highest = highest_padded_sum(&events);
    Bytes::new(u64::try_from(highest).unwrap_or(u64::MAX))
}

/// Largest sum of rounded sizes less the largest padding among them. An event is a point, whether an
/// item starts there, its rounded size, and its padding.
fn highest_padded_sum(events: &[(Point, bool, u64, u64)]) -> u128 {
    // The paddings of the live items, with multiplicity: the largest changes as items die.
    let mut pads: BTreeMap<u64, u32> = BTreeMap::new();
    let (mut live, mut highest) = (0_u128, 0_u128);
    for &(_, is_start, rounded, pad) in events {
        if is_start {
            live += u128::from(rounded);
            *pads.entry(pad).or_default() += 1;
            let top = pads.last_key_value().map_or(0, |(pad, _)| *pad);
            highest = highest.max(live - u128::from(top));
            continue;
        }
        live -= u128::from(rounded);
        if let Some(count) = pads.get_mut(&pad) {
            *count -= 1;
            if *count == 0 {
                pads.remove(&pad);
            }
        }
    }
    highest
}

/// Sum of sizes of a large clique of the conflict graph. Grows a clique greedily from each explicit
/// conflict, largest items first.
fn clique(problem: &Problem) -> Bytes {
    if problem.conflicts.is_empty() {
        return Bytes::ZERO;
    }
    let explicit: HashSet<(usize, usize)> = problem.conflicts.iter().copied().collect();
    let live: Vec<_> = problem.items.iter().map(Item::live).collect();
    let is_whole = |item: usize| problem.items[item].is_whole();
    let conflict = |a: usize, b: usize| {
        let pair = (a.min(b), a.max(b));
        // Where only parts conflict, two items may overlap, and their sizes do not add up.
        explicit.contains(&pair) || is_whole(a) && is_whole(b) && live[a].overlaps(&live[b])
    };
    let mut by_size: Vec<usize> = (0..problem.items.len()).collect();
    by_size.sort_by_key(|item| Reverse(problem.items[*item].size));
    let (mut highest, mut work) = (0_u64, 0);
    // Cliques without an explicit conflict are rarely more than the live sums, which count all items
    // that are live at a common point.
    for &(a, b) in &problem.conflicts {
        let mut members = vec![a, b];
        for &item in &by_size {
            work += members.len();
            if !members.contains(&item) && members.iter().all(|other| conflict(*other, item)) {
                members.push(item);
            }
        }
        let sizes = members.iter().map(|item| problem.items[*item].size.get());
        highest = highest.max(sizes.fold(0, u64::saturating_add));
        if work > tuning::MAX_CLIQUE_WORK {
            break;
        }
    }
    Bytes::new(highest)
}

/// Returns the lowest address that has `bytes` unreserved bytes below it.
fn beyond_reserved(problem: &Problem, bytes: Bytes) -> Bytes {
    let mut regions = problem.reserved.clone();
    regions.sort_unstable_by_key(|region| (region.start, region.end));
    let (mut end, mut seen) = (bytes.get(), 0);
    for region in regions {
        // Regions may overlap; bytes that an earlier one reserved are counted already.
        let start = region.start.get().max(seen);
        if start >= end {
            break;
        }
        end = end.saturating_add(region.end.get().saturating_sub(start));
        seen = seen.max(region.end.get());
    }
    Bytes::new(end)
}

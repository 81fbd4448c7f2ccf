//! Checks addresses against lifetimes.
//!
//! A sweep over the points keeps the live parts in an ordered map by address. The parts in the map
//! are pairwise disjoint, so a part that becomes live can overlap only a contiguous run of them. A
//! part that overlaps is reported against each neighbor and not inserted. Hence every part that
//! overlaps one in the map is found, but a pair of parts that both overlap a third may go
//! unreported.
//!
//! Items that are one storage (aliases, and results that took over the bytes of an operand) are
//! compared pairwise first, and then swept as one.
//!
//! O(k log k) in the number k of live intervals, plus the violations, plus the pairs within
//! storages.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mem_model::{Bytes, Interval, Item, Part, Placement, Plan, Point, Problem};

use crate::{CheckError, MAX_VIOLATIONS, Slot, Violation};

/// Checks that `plan` solves `problem`: one placement per item, in order, aligned and within the
/// capacity; conflicting items share no address; fixed offsets, reserved addresses and aliases are
/// respected; peak and lower bound are exactly as claimed.
///
/// # Errors
/// The violations, at most [`MAX_VIOLATIONS`].
pub fn check_plan(problem: &Problem, plan: &Plan) -> Result<(), CheckError> {
    let mut violations = Vec::new();
    check_identities(problem, plan, &mut violations);
    // The other checks rely on placements and items having the same indices.
    if violations.is_empty() {
        check_parts(problem, &mut violations);
        check_addresses(problem, plan, &mut violations);
        let storages = Storages::new(problem, plan);
        check_demands(problem, plan, &storages, &mut violations);
        check_overlaps(problem, &storages, &mut violations);
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

/// The parts of an item must be ascending, disjoint and within the item.
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

/// The parts of items or storages: of each, those of its only item, or pieces of its own.
type Parts<'p> = Vec<Cow<'p, [Part]>>;

/// Returns the births and deaths of parts in order, each with the index of the part's owner. At one
/// point, deaths come first, because lifetimes are half-open.
fn events<'p>(owners: &'p Parts) -> impl Iterator<Item = (Point, bool, usize, &'p Part)> {
    let owned = owners.iter().enumerate();
    let parts: Vec<(usize, &Part)> = owned
        .flat_map(|(owner, parts)| parts.iter().map(move |part| (owner, part)))
        .collect();
    // Their indices are sorted, since there can be millions, and parts are large.
    let mut events = Vec::with_capacity(2 * parts.len());
    for (index, (_, part)) in parts.iter().enumerate() {
        for interval in part.live.iter() {
            events.push((interval.start, true, index));
            events.push((interval.end, false, index));
        }
    }
    events.sort_unstable();
    events.into_iter().map(move |(point, is_birth, index)| {
        let (owner, part) = parts[index];
        (point, is_birth, owner, part)
    })
}

fn check_overlaps(problem: &Problem, storages: &Storages, violations: &mut Vec<Violation>) {
    storages.check_members(problem, violations);
    // Live parts by start address, each with its end and its storage.
    let mut live: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for (point, is_birth, index, part) in events(&storages.parts) {
        let offset = storages.offsets[index].get();
        let start = offset.saturating_add(part.bytes.start.get());
        let end = offset.saturating_add(part.bytes.end.get());
        if start == end {
            continue;
        }
        if !is_birth {
            // A part that overlapped another was never inserted, so the entry may have another
            // owner.
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
                first: slot_of(&problem.items[storages.members[other][0]]),
                second: slot_of(&problem.items[storages.members[index][0]]),
                offset: Bytes::new(offset),
                point,
            });
        }
    }
}

/// Groups of items that are one storage: aliases, and results at the address of their operand.
struct Storages<'p> {
    members: Vec<Vec<usize>>,
    offsets: Vec<Bytes>,
    /// Indexed by storage: the parts of all its members, cut wherever one begins or ends.
    parts: Parts<'p>,
    /// By item: the groups of aliases that it is in. Pairs would be quadratically many.
    groups: HashMap<usize, Vec<usize>>,
    /// Pairs of operands and results at one address, smaller index first.
    in_place: HashSet<(usize, usize)>,
}

impl<'p> Storages<'p> {
    fn new(problem: &'p Problem, plan: &Plan) -> Self {
        let offset = |item: usize| plan.placements[item].offset;
        let mut in_place = HashSet::new();
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut links = Vec::new();
        for (group, aliases) in problem.aliases.iter().enumerate() {
            links.extend(aliases.windows(2).map(|pair| (pair[0], pair[1])));
            for &item in aliases {
                groups.entry(item).or_default().push(group);
            }
        }
        for reuse in &problem.reuses {
            if offset(reuse.operand) == offset(reuse.result) {
                let (a, b) = (reuse.operand, reuse.result);
                links.push((a, b));
                in_place.insert((a.min(b), a.max(b)));
            }
        }
        let members = components(problem.items.len(), &links);
        let parts = members.iter().map(|members| match members[..] {
            [only] => Cow::Borrowed(problem.items[only].parts.as_slice()),
            _ => union_of(members.iter().flat_map(|item| &problem.items[*item].parts)).into(),
        });
        Self {
            offsets: members.iter().map(|members| offset(members[0])).collect(),
            parts: parts.collect(),
            members,
            groups,
            in_place,
        }
    }

    /// Whether two items may share bytes.
    fn may_share(&self, a: usize, b: usize) -> bool {
        let groups = |item| self.groups.get(&item).into_iter().flatten();
        groups(a).any(|group| groups(b).any(|other| other == group))
            || self.in_place.contains(&(a.min(b), a.max(b)))
    }

    /// Checks that members that must not share bytes have no common byte that is live in both at
    /// one point.
    fn check_members(&self, problem: &Problem, violations: &mut Vec<Violation>) {
        let storages = self.members.iter().zip(&self.offsets);
        for (members, &plan_offset) in storages.filter(|(members, _)| members.len() > 1) {
            let hulls = members
                .iter()
                .filter_map(|&item| Some((problem.items[item].hull()?, item)));
            let mut by_start: Vec<(Interval<Point>, usize)> = hulls.collect();
            by_start.sort_unstable_by_key(|(hull, item)| (hull.start, hull.end, *item));
            // Items that may be live at the same time as later ones.
            let mut active: Vec<(Point, usize)> = Vec::new();
            for (hull, b) in by_start {
                active.retain(|(end, _)| *end > hull.start);
                for &(_, a) in &active {
                    let point = match self.may_share(a, b) {
                        true => None,
                        false => first_collision(&problem.items[a], &problem.items[b]),
                    };
                    if let Some((offset, point)) = point {
                        violations.push(Violation::Overlap {
                            first: slot_of(&problem.items[a.min(b)]),
                            second: slot_of(&problem.items[a.max(b)]),
                            offset: plan_offset.checked_add(offset).unwrap_or(plan_offset),
                            point,
                        });
                    }
                }
                active.push((hull.end, b));
            }
        }
    }
}

/// Returns the connected components of items under `links`, ordered by their smallest item.
fn components(n_items: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut neighbours: HashMap<usize, Vec<usize>> = HashMap::new();
    for &(a, b) in links {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let mut is_seen = vec![false; n_items];
    let mut components = Vec::new();
    for first in 0..n_items {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut members = vec![first];
        let mut next = 0;
        while let Some(item) = members.get(next) {
            for &other in neighbours.get(item).into_iter().flatten() {
                if !std::mem::replace(&mut is_seen[other], true) {
                    members.push(other);
                }
            }
            next += 1;
        }
        components.push(members);
    }
    components
}

/// Cuts parts into disjoint pieces, each with the union of the lifetimes of the parts that cover
/// it.
fn union_of<'p>(parts: impl Iterator<Item = &'p Part> + Clone) -> Vec<Part> {
    let ends = parts.clone().flat_map(|p| [p.bytes.start, p.bytes.end]);
    let ends: Vec<Bytes> = ends.collect::<BTreeSet<Bytes>>().into_iter().collect();
    let piece = |pair: &[Bytes]| {
        let bytes = Interval::new(pair[0], pair[1]);
        let around = parts.clone().filter(|part| part.bytes.covers(bytes));
        Part {
            bytes,
            live: around.flat_map(|part| part.live.iter()).collect(),
        }
    };
    ends.windows(2).map(piece).collect()
}

/// Returns the first byte and point at which two items at the same offset conflict.
fn first_collision(a: &Item, b: &Item) -> Option<(Bytes, Point)> {
    let pairs = a
        .parts
        .iter()
        .flat_map(|x| b.parts.iter().map(move |y| (x, y)));
    let mut collisions = pairs.filter_map(|(x, y)| {
        let bytes = x.bytes.intersection(y.bytes);
        let point = x.live.first_common(&y.live)?;
        (!bytes.is_empty()).then_some((bytes.start, point))
    });
    collisions.next()
}

/// Checks demands that lifetimes do not express: fixed offsets, reserved addresses, explicit
/// conflicts and aliases.
fn check_demands(
    problem: &Problem,
    plan: &Plan,
    storages: &Storages,
    violations: &mut Vec<Violation>,
) {
    let offset = |item: usize| plan.placements[item].offset;
    let bytes = |item: usize| {
        let start = offset(item);
        let end = start.checked_add(problem.items[item].size);
        Interval::new(start, end.unwrap_or(Bytes::new(u64::MAX)))
    };
    let slot = |item: usize| slot_of(&problem.items[item]);
    for (index, item) in problem.items.iter().enumerate() {
        if let Some(wanted) = item.fixed.filter(|wanted| *wanted != offset(index)) {
            violations.push(Violation::Moved {
                item: slot(index),
                offset: offset(index),
                wanted,
            });
        }
        let region = problem
            .reserved
            .iter()
            .find(|region| region.overlaps(bytes(index)));
        if let Some(region) = region.filter(|_| item.size > Bytes::ZERO) {
            violations.push(Violation::Reserved {
                item: slot(index),
                offset: offset(index),
                region: *region,
            });
        }
    }
    for &(a, b) in &problem.conflicts {
        let are_live = [a, b]
            .iter()
            .all(|item| problem.items[*item].hull().is_some());
        if are_live && bytes(a).overlaps(bytes(b)) && !storages.may_share(a, b) {
            violations.push(Violation::Conflict {
                first: slot(a),
                second: slot(b),
                offset: bytes(a).intersection(bytes(b)).start,
            });
        }
    }
    for group in &problem.aliases {
        for pair in group
            .windows(2)
            .filter(|pair| offset(pair[0]) != offset(pair[1]))
        {
            violations.push(Violation::Apart {
                first: slot(pair[0]),
                second: slot(pair[1]),
            });
        }
    }
}

fn check_lower_bound(problem: &Problem, plan: &Plan, violations: &mut Vec<Violation>) {
    // Aliases count once. A result counts only where it cannot take over its operand's bytes.
    let links: Vec<(usize, usize)> = (problem.aliases.iter())
        .flat_map(|group| group.windows(2).map(|pair| (pair[0], pair[1])))
        .collect();
    let items = problem.items.iter();
    let mut own: Parts = items.map(|item| item.parts.as_slice().into()).collect();
    for reuse in &problem.reuses {
        let operand = &problem.items[reuse.operand];
        let parts = std::mem::take(&mut own[reuse.result]).into_owned();
        own[reuse.result] = (parts.into_iter())
            .flat_map(|part| without_operand(part, operand))
            .collect();
    }
    let storages = components(problem.items.len(), &links);
    let parts: Parts = (storages.into_iter())
        .map(|members| match members[..] {
            [only] => std::mem::take(&mut own[only]),
            _ => union_of(members.iter().flat_map(|item| own[*item].iter())).into(),
        })
        .collect();
    // Wider than an address, so that the sum of sizes cannot overflow.
    let (mut live, mut highest) = (0_u128, 0_u128);
    for (_, is_birth, _, part) in events(&parts) {
        let (start, end) = (part.bytes.start.get(), part.bytes.end.get());
        let size = u128::from(end.saturating_sub(start));
        live = if is_birth { live + size } else { live - size };
        highest = highest.max(live);
    }
    if plan.proven_bound < plan.lower_bound || plan.proven_bound > plan.peak {
        violations.push(Violation::ProvenBound {
            claimed: plan.proven_bound,
            peak: plan.peak,
        });
    }
    if highest != u128::from(plan.lower_bound.get()) {
        let actual = u64::try_from(highest).unwrap_or(u64::MAX);
        violations.push(Violation::LowerBound {
            claimed: plan.lower_bound,
            actual: Bytes::new(actual),
        });
    }
}

/// Splits a part of a result at the size of its operand. The piece below loses the points at which
/// the operand is live; the piece above keeps its lifetime.
fn without_operand(part: Part, operand: &Item) -> [Part; 2] {
    let at = operand.size.clamp(part.bytes.start, part.bytes.end);
    let live = part.live.difference(&operand.live());
    let below = Part {
        bytes: Interval::new(part.bytes.start, at),
        live,
    };
    let above = Part {
        bytes: Interval::new(at, part.bytes.end),
        live: part.live,
    };
    [below, above]
}

pub(crate) fn slot_of(item: &Item) -> Slot {
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

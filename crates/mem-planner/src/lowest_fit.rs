//! Items in some order, each as low as it can be: what several strategies have in common.
//!
//! Each item gets the lowest aligned offset at which no part of it shares a byte with a part of a
//! placed item that is live at a common point: gaps in lifetimes are used, and bytes of an item that
//! are not needed any more, or not yet. Items that are never live, or have no bytes, get offset 0.
//!
//! O(n² log n) for n items, times the pairs of parts where items have several.

use mem_model::{Bytes, Interval, Item, Point, Problem};

use crate::{MAX_BYTES, PlanError};

/// Offsets that a conflict rules out: those above the first and below the second.
type Forbidden = (i128, i128);

struct Placed<'a> {
    item: &'a Item,
    hull: Interval<Point>,
    offset: u64,
}

/// The items that need a place: position, and from the first point they are live at to the last.
pub(crate) fn live_items(problem: &Problem) -> Vec<(usize, Interval<Point>)> {
    let items = problem.items.iter().enumerate();
    let live = items.filter(|(_, item)| item.size > Bytes::ZERO);
    live.filter_map(|(index, item)| Some((index, item.hull()?)))
        .collect()
}

/// An offset for each item, placed in this order.
pub(crate) fn offsets(
    problem: &Problem,
    alignments: &[Bytes],
    order: Vec<(usize, Interval<Point>)>,
) -> Result<Vec<Bytes>, PlanError> {
    let mut offsets = vec![Bytes::ZERO; problem.items.len()];
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let mut forbidden: Vec<Forbidden> = Vec::new();
    for (index, hull) in order {
        let item = &problem.items[index];
        forbidden.clear();
        for other in placed.iter().filter(|other| other.hull.overlaps(hull)) {
            add_forbidden(item, other, &mut forbidden);
        }
        let offset = lowest(&mut forbidden, alignments[index]).ok_or(PlanError::Overflow)?;
        let end = offset.checked_add(item.size.get());
        if end.is_none_or(|end| end > MAX_BYTES.get()) {
            return Err(PlanError::Overflow);
        }
        offsets[index] = Bytes::new(offset);
        placed.push(Placed { item, hull, offset });
    }
    Ok(offsets)
}

/// Adds the offsets at which `item` would share a byte with `other` while both need it.
fn add_forbidden(item: &Item, other: &Placed<'_>, forbidden: &mut Vec<Forbidden>) {
    for theirs in &other.item.parts {
        for own in &item.parts {
            if own.size() > Bytes::ZERO
                && theirs.size() > Bytes::ZERO
                && own.live.overlaps(&theirs.live)
            {
                let at = |bytes: Bytes| i128::from(bytes.get());
                let (start, end) = (at(theirs.bytes.start), at(theirs.bytes.end));
                let offset = i128::from(other.offset);
                forbidden.push((
                    offset + start - at(own.bytes.end),
                    offset + end - at(own.bytes.start),
                ));
            }
        }
    }
}

/// The lowest multiple of `alignment` that nothing rules out.
fn lowest(forbidden: &mut [Forbidden], alignment: Bytes) -> Option<u64> {
    forbidden.sort_unstable();
    let mut offset = 0_u64;
    for &(low, high) in forbidden.iter() {
        // Those that follow begin no lower.
        if low >= i128::from(offset) {
            break;
        }
        if high > i128::from(offset) {
            offset = u64::try_from(high).ok()?;
            offset = offset.checked_next_multiple_of(alignment.get())?;
        }
    }
    Some(offset)
}

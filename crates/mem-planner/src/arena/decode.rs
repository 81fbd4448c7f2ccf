//! Places items in a given order, each at the lowest feasible offset: the core of all strategies
//! but two.
//!
//! Each item gets the lowest aligned offset at which it shares no byte with a conflicting item that
//! is already placed. Conflicts are those of parts: gaps in lifetimes are reused, and so are bytes
//! of an item that are dead or not yet live. Fixed items are placed before all others. Items that
//! are never live or have no bytes get the lowest offset that is not reserved.
//!
//! An interval index finds neighbours in time: positions in the order of starts, and above them a
//! tree of the latest ends. O((k + log n) log k) for an item with k neighbours, times the pairs of
//! parts where items have several.

use mem_model::{Bytes, Interval, Item, Point, Problem};

use super::distance::{Range, ruled_out};
use super::limits::Clock;
use super::{Misplaced, Occupant, PlanError, tuning};
use crate::MAX_BYTES;

/// A problem preprocessed for decoding many orders.
pub(crate) struct Decoder<'p> {
    problem: &'p Problem,
    alignments: &'p [Bytes],
    /// Per item: from the first point at which it is live to the last. Empty for items without
    /// bytes.
    hulls: Vec<Interval<Point>>,
    /// Items that are ever live, by start.
    by_start: Vec<u32>,
    /// Per item: its position in `by_start`; `None` if it is never live.
    positions: Vec<Option<u32>>,
    /// Per position: whether all bytes of the item are live at the same points, without gaps.
    is_plain: Vec<bool>,
    /// Per item: its explicit conflicts, sorted. Empty if the problem has none.
    partners: Vec<Vec<u32>>,
}

/// The items placed so far.
struct Placed {
    offsets: Vec<u64>,
    is_placed: Vec<bool>,
    /// A complete binary tree over positions: the latest end of the placed items below each node.
    /// The root is node 1.
    latest: Vec<Point>,
    /// Per position: the addresses of the item, `[start, end)`, if it is placed.
    spans: Vec<(i64, i64)>,
}

/// Result of decoding an order.
pub(crate) struct Decoded {
    pub offsets: Vec<Bytes>,
    /// Number of neighbours examined, plus the number of items.
    pub work: u64,
}

impl<'p> Decoder<'p> {
    /// Preprocesses `problem`. O(n log n).
    pub(super) fn new(problem: &'p Problem, alignments: &'p [Bytes]) -> Self {
        let nothing = Interval::new(start_of_time(), start_of_time());
        let hull_of = |item: &Item| {
            // Without bytes, an item conflicts with nothing, as if it were never live.
            let hull = item.hull().filter(|_| item.size > Bytes::ZERO);
            hull.unwrap_or(nothing)
        };
        let hulls: Vec<Interval<Point>> = problem.items.iter().map(hull_of).collect();
        let live = (0..hulls.len() as u32).filter(|item| !hulls[*item as usize].is_empty());
        let mut by_start: Vec<u32> = live.collect();
        by_start.sort_by_key(|item| (hulls[*item as usize].start, *item));
        let mut positions = vec![None; hulls.len()];
        for (position, item) in by_start.iter().enumerate() {
            positions[*item as usize] = Some(position as u32);
        }
        let is_plain = |item: &u32| {
            let item = &problem.items[*item as usize];
            item.is_whole() && item.parts[0].live.n_intervals() == 1
        };
        Self {
            problem,
            alignments,
            is_plain: by_start.iter().map(is_plain).collect(),
            partners: partners(problem),
            hulls,
            by_start,
            positions,
        }
    }

    /// Items to place: live, with bytes, and not fixed.
    pub(super) fn free_items(&self) -> impl Iterator<Item = u32> + '_ {
        let is_free = |item: &u32| {
            let index = *item as usize;
            !self.hulls[index].is_empty() && self.problem.items[index].fixed.is_none()
        };
        (0..self.hulls.len() as u32).filter(is_free)
    }

    /// Estimates the number of neighbours that decoding one order examines: the pairs of items
    /// whose lifetimes overlap, gaps included. O(n log n).
    pub(super) fn work(&self) -> u64 {
        let hulls = self.hulls.iter().filter(|hull| !hull.is_empty());
        let mut ends: Vec<Point> = hulls.clone().map(|hull| hull.end).collect();
        ends.sort_unstable();
        let starts = self.by_start.iter().enumerate();
        // Per item: those that start before it, less those that end before it starts.
        let pairs = starts.map(|(n_before, item)| {
            let start = self.hulls[*item as usize].start;
            n_before - ends.partition_point(|end| *end <= start)
        });
        pairs.sum::<usize>() as u64 + self.hulls.len() as u64
    }

    /// Returns the items to place, by their addresses in `offsets`.
    pub(super) fn by_address(&self, offsets: &[Bytes]) -> Vec<u32> {
        let mut order: Vec<u32> = self.free_items().collect();
        order.sort_by_key(|item| (offsets[*item as usize], *item));
        order
    }

    /// From the first point at which an item is live to the last.
    pub(super) fn hull(&self, item: u32) -> Interval<Point> {
        self.hulls[item as usize]
    }

    /// The problem.
    pub(super) fn problem(&self) -> &'p Problem {
        self.problem
    }

    /// Returns whether parts of two items conflict, in time or explicitly.
    pub(super) fn conflict(&self, a: u32, b: u32) -> bool {
        let parts = |item: u32| &self.problem.items[item as usize].parts;
        let live_at_once = || {
            let mut pairs = parts(a)
                .iter()
                .flat_map(|x| parts(b).iter().map(move |y| (x, y)));
            pairs.any(|(x, y)| x.live.overlaps(&y.live))
        };
        self.is_explicit(a, b) || self.hull(a).overlaps(self.hull(b)) && live_at_once()
    }

    /// Checks that fixed items are aligned, off reserved regions, and do not clash with each other.
    pub(super) fn check_fixed(&self) -> Result<(), PlanError> {
        let mut placed = Placed::new(self);
        for (index, item) in self.problem.items.iter().enumerate() {
            let Some(offset) = item.fixed else { continue };
            self.check_place(index, offset)?;
            // Only those before it are placed, so each pair is compared once.
            if let Some(other) = self.clash(index, offset, &placed) {
                let other = &self.problem.items[other];
                let first = Occupant::of(other, other.fixed.unwrap_or_default());
                let second = Occupant::of(item, offset);
                return Err(PlanError::Clash(Box::new([first, second])));
            }
            placed.put(self, index, offset.get());
        }
        Ok(())
    }

    /// Checks that an item may be at its fixed offset, whatever the others are.
    fn check_place(&self, index: usize, offset: Bytes) -> Result<(), PlanError> {
        let item = &self.problem.items[index];
        let misplaced = |why| PlanError::Misplaced(Box::new(Occupant::of(item, offset)), why);
        if !offset.is_aligned_to(self.alignments[index]) {
            return Err(misplaced(Misplaced::Alignment(self.alignments[index])));
        }
        let end = offset.checked_add(item.size);
        let end = end
            .filter(|end| *end <= MAX_BYTES)
            .ok_or(PlanError::Overflow)?;
        let bytes = Interval::new(offset, end);
        match self.problem.reserved.iter().find(|r| r.overlaps(bytes)) {
            Some(region) => Err(misplaced(Misplaced::Reserved(region.start, region.end))),
            None => Ok(()),
        }
    }

    /// A placed item that an item at `offset` would share a byte with, the first in visiting order.
    fn clash(&self, index: usize, offset: Bytes, placed: &Placed) -> Option<usize> {
        let mut forbidden = Vec::new();
        let mut clash = None;
        self.neighbours(index, placed, |other| {
            let other = other.item(self);
            forbidden.clear();
            self.add_forbidden(index, other, placed, &mut forbidden);
            let at = offset.get() as i64;
            if forbidden.iter().any(|(low, high)| *low < at && at < *high) {
                clash.get_or_insert(other);
            }
        });
        clash
    }

    /// Places the items in `order`; returns `None` if the time runs out first. The order may omit
    /// fixed items and must contain all other items that are live and have bytes.
    pub(super) fn decode(
        &self,
        order: &[u32],
        clock: Clock<'_>,
    ) -> Result<Option<Decoded>, PlanError> {
        self.decode_suffix(order, 0, &[], MAX_BYTES, clock)
    }

    /// Like [`Self::decode`], but reuses the offsets of a common prefix: `known`, indexed by item,
    /// gives the offsets that the first `n_known` items of the order would get. Also returns `None`
    /// if an item would end above `highest`.
    pub(super) fn decode_suffix(
        &self,
        order: &[u32],
        n_known: usize,
        known: &[Bytes],
        highest: Bytes,
        clock: Clock<'_>,
    ) -> Result<Option<Decoded>, PlanError> {
        let mut placed = self.with_known(&order[..n_known], known);
        let mut forbidden: Vec<Range> = Vec::new();
        let mut work = 0;
        let is_idle = |item: &u32| self.hulls[*item as usize].is_empty();
        let idle = (0..self.hulls.len() as u32).filter(is_idle);
        let rest = order[n_known..].iter().copied();
        // Idle items come last: they hinder none, but every item needs an offset.
        for (n, item) in rest.chain(idle).enumerate() {
            if n % tuning::ITEMS_PER_CLOCK == tuning::ITEMS_PER_CLOCK - 1 && clock.is_over() {
                return Ok(None);
            }
            let index = item as usize;
            // The order may contain fixed items.
            if placed.is_placed[index] {
                continue;
            }
            work += self.forbid(index, &placed, &mut forbidden);
            let offset = lowest(&mut forbidden, self.alignments[index]);
            let offset = offset.ok_or(PlanError::Overflow)?;
            let end = offset.checked_add(self.problem.items[index].size.get());
            let end = end.filter(|end| *end <= MAX_BYTES.get());
            // Overflow comes first: it is an error, whatever the caller would accept.
            if end.ok_or(PlanError::Overflow)? > highest.get() {
                return Ok(None);
            }
            placed.put(self, index, offset);
        }
        Ok(Some(Decoded {
            offsets: placed.offsets.into_iter().map(Bytes::new).collect(),
            work: work + self.hulls.len() as u64,
        }))
    }

    /// The placement before any item is decoded: a known prefix of the order, and the fixed items.
    fn with_known(&self, prefix: &[u32], known: &[Bytes]) -> Placed {
        let mut placed = Placed::new(self);
        for &item in prefix {
            placed.put(self, item as usize, known[item as usize].get());
        }
        for (index, item) in self.problem.items.iter().enumerate() {
            if let Some(offset) = item.fixed {
                placed.put(self, index, offset.get());
            }
        }
        placed
    }

    /// Collects the offsets that reserved regions and placed items rule out for an item. Returns
    /// the number of neighbours examined.
    fn forbid(&self, index: usize, placed: &Placed, forbidden: &mut Vec<Range>) -> u64 {
        forbidden.clear();
        let size = self.problem.items[index].size.get();
        for region in &self.problem.reserved {
            // Without bytes, an item conflicts with nothing.
            if size > 0 && !region.is_empty() {
                let at = |bytes: Bytes| bytes.min(MAX_BYTES).get() as i64;
                let (start, end) = (at(region.start), at(region.end));
                forbidden.push((start - size as i64, end));
            }
        }
        let position = self.positions[index];
        let is_plain = position.is_some_and(|position| self.is_plain[position as usize]);
        let mut work = 0;
        self.neighbours(index, placed, |other| {
            work += 1;
            match other {
                // The common case: both items are live as a whole, without gaps.
                Neighbour::At(position) if is_plain && self.is_plain[position] => {
                    let (start, end) = placed.spans[position];
                    forbidden.push((start - size as i64, end));
                }
                other => self.add_forbidden(index, other.item(self), placed, forbidden),
            }
        });
        work
    }

    /// Visits the placed items that may conflict with an item.
    fn neighbours(&self, index: usize, placed: &Placed, mut visit: impl FnMut(Neighbour)) {
        let hull = self.hulls[index];
        if !hull.is_empty() {
            // Items that start later cannot overlap; the tree excludes those that end earlier.
            let before = |item: &u32| self.hulls[*item as usize].start < hull.end;
            let limit = self.by_start.partition_point(before);
            placed.visit(limit, hull.start, &mut |position| {
                visit(match self.partners.is_empty() {
                    true => Neighbour::At(position),
                    false => Neighbour::Item(self.by_start[position] as usize),
                });
            });
        }
        // Partners with overlapping hulls were visited above.
        for &other in self.partners.get(index).into_iter().flatten() {
            if placed.is_placed[other as usize] && !self.hulls[other as usize].overlaps(hull) {
                visit(Neighbour::Item(other as usize));
            }
        }
    }

    /// Adds the offsets at which an item would share a byte with a conflicting item.
    fn add_forbidden(
        &self,
        index: usize,
        other: usize,
        placed: &Placed,
        forbidden: &mut Vec<Range>,
    ) {
        let (own, theirs) = (&self.problem.items[index], &self.problem.items[other]);
        let offset = placed.offsets[other] as i64;
        let is_explicit = self.is_explicit(index as u32, other as u32);
        ruled_out(own, theirs, is_explicit, |(low, high)| {
            forbidden.push((offset + low, offset + high));
        });
    }

    /// Returns whether two items conflict regardless of their lifetimes.
    fn is_explicit(&self, a: u32, b: u32) -> bool {
        let partners = self.partners.get(a as usize);
        partners.is_some_and(|others| others.binary_search(&b).is_ok())
    }
}

/// A placed item that may conflict.
enum Neighbour {
    /// By position. The hulls overlap, and the problem has no explicit conflicts.
    At(usize),
    /// By index.
    Item(usize),
}

impl Neighbour {
    fn item(&self, decoder: &Decoder<'_>) -> usize {
        match *self {
            Self::At(position) => decoder.by_start[position] as usize,
            Self::Item(index) => index,
        }
    }
}

/// Per item: its explicit conflicts, sorted. Empty if the problem has none, which most have.
fn partners(problem: &Problem) -> Vec<Vec<u32>> {
    if problem.conflicts.is_empty() {
        return Vec::new();
    }
    let mut partners = vec![Vec::new(); problem.items.len()];
    for &(a, b) in &problem.conflicts {
        partners[a].push(b as u32);
        partners[b].push(a as u32);
    }
    for others in &mut partners {
        others.sort_unstable();
    }
    partners
}

/// The earliest point.
fn start_of_time() -> Point {
    Point::early(mem_model::StepId::new(0))
}

impl Placed {
    fn new(decoder: &Decoder<'_>) -> Self {
        let n_items = decoder.hulls.len();
        let n_leaves = decoder.by_start.len().next_power_of_two();
        Self {
            offsets: vec![0; n_items],
            is_placed: vec![false; n_items],
            latest: vec![start_of_time(); 2 * n_leaves],
            spans: vec![(0, 0); decoder.by_start.len()],
        }
    }

    fn put(&mut self, decoder: &Decoder<'_>, index: usize, offset: u64) {
        self.offsets[index] = offset;
        self.is_placed[index] = true;
        // An item that is never live has no neighbours.
        let Some(position) = decoder.positions[index] else {
            return;
        };
        let position = position as usize;
        let end = decoder.hulls[index].end;
        // Does not overflow: no item ends above 2^63-1.
        let end_offset = offset + decoder.problem.items[index].size.get();
        self.spans[position] = (offset as i64, end_offset as i64);
        // Ends above grow monotonically towards the root, so the first that is late enough ends the
        // climb.
        let mut node = self.latest.len() / 2 + position;
        while node > 0 && self.latest[node] < end {
            self.latest[node] = end;
            node /= 2;
        }
    }

    /// Visits the positions below `limit` whose items are placed and end after `start`.
    fn visit(&self, limit: usize, start: Point, visit: &mut impl FnMut(usize)) {
        let n_leaves = self.latest.len() / 2;
        // An explicit stack: the tree is at most 32 levels deep, and this is the innermost loop of
        // all strategies. Worklist: nodes with the first position below each and the number of positions.
        let mut stack = [(1_usize, 0_usize, n_leaves); 64];
        let mut n = 1;
        while n > 0 {
            n -= 1;
            let (node, first, width) = stack[n];
            if first >= limit || self.latest[node] <= start {
                continue;
            }
            if width == 1 {
                visit(first);
                continue;
            }
            // The left half is popped first: neighbours are visited in the order of their starts.
            let half = width / 2;
            stack[n] = (2 * node + 1, first + half, half);
            stack[n + 1] = (2 * node, first, half);
            n += 2;
        }
    }
}

/// Returns the lowest multiple of `alignment` that no range rules out.
fn lowest(forbidden: &mut [Range], alignment: Bytes) -> Option<u64> {
    forbidden.sort_unstable_by_key(|(low, _)| *low);
    let mut offset = 0_u64;
    for &(low, high) in forbidden.iter() {
        let at = i64::try_from(offset).ok()?;
        // All further ranges start at or above this one.
        if low >= at {
            break;
        }
        if high > at {
            offset = u64::try_from(high).ok()?;
            offset = offset.checked_next_multiple_of(alignment.get())?;
        }
    }
    Some(offset)
}

//! Places items in a given order, each at the lowest feasible offset: the core of all strategies
//! but two.
//!
//! Each item gets the lowest aligned offset at which it shares no byte with a conflicting item that
//! is already placed. Conflicts are those of parts: gaps in lifetimes are reused, and so are bytes
//! of an item that are dead or not yet live. Fixed items are placed before all others. Items that
//! are never live or have no bytes get the lowest offset that is not reserved.
//!
//! [`placed`](super::placed) finds neighbours in time, and reads items in the order of their
//! addresses. O((k + log n) log k) for an item with k neighbours, times the pairs of parts where items
//! have several.

use mem_model::{Bytes, Interval, Item, Point, Problem};

use super::distance::{Range, ruled_out};
use super::limits::Clock;
use super::measure::padding;
use super::placed::Placed;
use super::{Misplaced, Occupant, PlanError, tuning};
use crate::MAX_BYTES;

/// A problem preprocessed for decoding many orders.
pub(crate) struct Decoder<'p> {
    problem: &'p Problem,
    alignments: &'p [Bytes],
    /// Smallest alignment of all items.
    least_alignment: Bytes,
    /// Per item: from the first point at which it is live to the last. Empty for items without
    /// bytes.
    hulls: Vec<Interval<Point>>,
    /// Items that are ever live, by start.
    by_start: Vec<u32>,
    /// Per item: its position in `by_start`; `None` if it is never live.
    positions: Vec<Option<u32>>,
    /// Per position: whether all bytes of the item are live at the same points, without gaps.
    is_plain: Vec<bool>,
    /// The ends of the items that are ever live, ascending.
    ends: Vec<Point>,
    /// Per position: the rank of the item's end among all ends.
    end_ranks: Vec<u32>,
    /// Per item: its explicit conflicts, sorted. Empty if the problem has none.
    partners: Vec<Vec<u32>>,
    /// The pairs of items whose lifetimes overlap, gaps included, plus the number of items.
    work: u64,
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
        let end_of = |position: &u32| hulls[by_start[*position as usize] as usize].end;
        let mut by_end: Vec<u32> = (0..by_start.len() as u32).collect();
        by_end.sort_by_key(end_of);
        let mut end_ranks = vec![0; by_end.len()];
        for (rank, position) in by_end.iter().enumerate() {
            end_ranks[*position as usize] = rank as u32;
        }
        let ends: Vec<Point> = by_end.iter().map(end_of).collect();
        // Per item: those that start before it, less those that end before it starts. Both ascend.
        let (mut n_pairs, mut n_ended) = (0, 0);
        for (n_started, item) in by_start.iter().enumerate() {
            let start = hulls[*item as usize].start;
            while ends.get(n_ended).is_some_and(|end| *end <= start) {
                n_ended += 1;
            }
            n_pairs += n_started - n_ended;
        }
        Self {
            problem,
            alignments,
            work: (n_pairs + hulls.len()) as u64,
            least_alignment: alignments.iter().copied().min().unwrap_or(Bytes::new(1)),
            ends,
            end_ranks,
            is_plain: by_start.iter().map(is_plain).collect(),
            partners: partners(problem),
            hulls,
            by_start,
            positions,
        }
    }

    /// Bytes above an item that are lost unless it is the topmost one: any other item begins at a
    /// multiple of the smallest alignment.
    pub(super) fn padding(&self, item: u32) -> Bytes {
        let size = self.problem.items[item as usize].size;
        padding(size, self.least_alignment).unwrap_or_default()
    }

    /// Items to place: live, with bytes, and not fixed.
    pub(super) fn free_items(&self) -> impl Iterator<Item = u32> + '_ {
        let is_free = |item: &u32| {
            let index = *item as usize;
            !self.hulls[index].is_empty() && self.problem.items[index].fixed.is_none()
        };
        (0..self.hulls.len() as u32).filter(is_free)
    }

    /// An estimate of the number of neighbours that decoding one order examines: the pairs of items
    /// whose lifetimes overlap, gaps included, plus the number of items.
    pub(super) fn work(&self) -> u64 {
        self.work
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

    /// Number of points from the first at which an item is live to the last.
    pub(super) fn width(&self, item: u32) -> u64 {
        let hull = self.hull(item);
        hull.end.index() - hull.start.index()
    }

    /// Number of items.
    pub(super) fn n_items(&self) -> usize {
        self.hulls.len()
    }

    /// Number of items that are ever live.
    pub(super) fn n_live(&self) -> usize {
        self.by_start.len()
    }

    /// The position of an item in the order of starts; `None` if it is never live.
    pub(super) fn position(&self, index: usize) -> Option<usize> {
        self.positions[index].map(|position| position as usize)
    }

    /// The item at a position.
    pub(super) fn item_at(&self, position: usize) -> usize {
        self.by_start[position] as usize
    }

    /// Whether all bytes of the item at a position are live at the same points, without gaps.
    pub(super) fn is_plain(&self, position: usize) -> bool {
        self.is_plain[position]
    }

    /// The rank of the end of the item at a position among all ends.
    pub(super) fn end_rank(&self, position: usize) -> usize {
        self.end_ranks[position] as usize
    }

    /// Number of items that start before a point.
    pub(super) fn n_starts_before(&self, point: Point) -> usize {
        let before = |item: &u32| self.hulls[*item as usize].start < point;
        self.by_start.partition_point(before)
    }

    /// Number of items that end at a point or before.
    pub(super) fn n_ends_until(&self, point: Point) -> usize {
        self.ends.partition_point(|end| *end <= point)
    }

    /// Whether the problem has explicit conflicts.
    pub(super) fn has_partners(&self) -> bool {
        !self.partners.is_empty()
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

    /// Whether offsets, one per item, are those of a plan: fixed items are in place, all are aligned and
    /// off reserved regions, and no two conflicting items share a byte.
    pub(super) fn admits(&self, offsets: &[Bytes]) -> bool {
        let items = &self.problem.items;
        let mut placed = Placed::new(self);
        let mut fits = |index: usize, offset: Bytes| {
            let is_fixed_elsewhere = items[index].fixed.is_some_and(|fixed| fixed != offset);
            let is_possible = !is_fixed_elsewhere && self.check_place(index, offset).is_ok();
            // Only those before it are placed, so each pair is compared once.
            let fits = is_possible && self.clash(index, offset, &placed).is_none();
            if fits {
                placed.put(self, index, offset.get());
            }
            fits
        };
        let mut numbered = offsets.iter().enumerate();
        offsets.len() == items.len() && numbered.all(|(index, offset)| fits(index, *offset))
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
            let (offset, n_examined) = self.lowest(index, &placed, &mut forbidden);
            work += n_examined;
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
        let known = prefix.iter().map(|item| {
            let index = *item as usize;
            (index, known[index].get())
        });
        placed.put_all(self, known);
        for (index, item) in self.problem.items.iter().enumerate() {
            if let Some(offset) = item.fixed {
                placed.put(self, index, offset.get());
            }
        }
        placed
    }

    /// The lowest offset of an item, `None` if there is none, and the number of its neighbours.
    fn lowest(
        &self,
        index: usize,
        placed: &Placed,
        forbidden: &mut Vec<Range>,
    ) -> (Option<u64>, u64) {
        let alignment = self.alignments[index];
        let position = self.position(index);
        let is_plain = position.is_some_and(|position| self.is_plain[position]);
        let n_neighbours = is_plain.then(|| placed.neighbours_to_read(self, index));
        let Some(n_neighbours) = n_neighbours.flatten() else {
            let n_examined = self.forbid(index, placed, forbidden);
            return (lowest(forbidden, alignment), n_examined);
        };
        forbidden.clear();
        self.forbid_reserved(index, forbidden);
        for position in placed.others() {
            self.add_forbidden(index, self.item_at(*position), placed, forbidden);
        }
        forbidden.sort_unstable_by_key(|(low, _)| *low);
        let align = |offset: i64| {
            let offset = u64::try_from(offset).ok()?;
            let offset = offset.checked_next_multiple_of(alignment.get())?;
            i64::try_from(offset).ok()
        };
        let offset = placed.lowest(self, index, forbidden, align);
        (offset, n_neighbours as u64)
    }

    /// Adds the offsets that reserved regions rule out for an item.
    fn forbid_reserved(&self, index: usize, forbidden: &mut Vec<Range>) {
        let size = self.problem.items[index].size.get();
        for region in &self.problem.reserved {
            // Without bytes, an item conflicts with nothing.
            if size > 0 && !region.is_empty() {
                let at = |bytes: Bytes| bytes.min(MAX_BYTES).get() as i64;
                let (start, end) = (at(region.start), at(region.end));
                forbidden.push((start - size as i64, end));
            }
        }
    }

    /// Collects the offsets that reserved regions and placed items rule out for an item. Returns
    /// the number of neighbours examined.
    fn forbid(&self, index: usize, placed: &Placed, forbidden: &mut Vec<Range>) -> u64 {
        forbidden.clear();
        self.forbid_reserved(index, forbidden);
        let size = self.problem.items[index].size.get();
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
            let limit = self.n_starts_before(hull.end);
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
pub(super) fn start_of_time() -> Point {
    Point::early(mem_model::StepId::new(0))
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

//! The search's view of a problem: time divided into sections, and the conflict graph.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;

use mem_model::{Bytes, Interval, Item, Part, Point, Problem};

use crate::arena::distance::{Range, ruled_out};
use crate::arena::tuning;

/// A problem reduced to the facts that determine addresses.
pub(super) struct Shape {
    pub items: Vec<Block>,
    pub n_sections: usize,
    /// Per block: the blocks that it conflicts with.
    links: Vec<Vec<Link>>,
    /// The rise and the fall of links between blocks of which only some bytes conflict.
    partial: Vec<(u64, u64)>,
    /// Whether the distances to neighbours describe the feasible offsets exactly. Where parts of
    /// items conflict, the distances may be conservative.
    pub is_exact: bool,
    /// Whether blocks conflict that need not be live in a common section.
    pub has_explicit: bool,
    /// Per block: the hull of the sections of the block and of its explicit conflicts, as a
    /// half-open range of sections.
    pub reach: Vec<Interval<u32>>,
}

/// A neighbour in the conflict graph, as seen from a block.
#[derive(Clone, Copy)]
pub(super) struct Neighbour {
    pub block: u32,
    /// Minimum distance from this block up to the neighbour, if the neighbour lies above. The size
    /// of this block, or less if only some bytes conflict.
    pub rise: u64,
    /// Minimum distance from this block down to the neighbour, if the neighbour lies below.
    pub fall: u64,
}

/// A neighbour as it is stored: there may be millions, and nearly all are of whole blocks, whose
/// distances are their sizes.
struct Link {
    block: u32,
    /// One past the index of the distances, if only some bytes conflict.
    partial: Option<NonZeroU32>,
}

/// Sections `[start, end)` with the same number of live bytes of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub start: u32,
    pub end: u32,
    /// Number of live bytes.
    pub bytes: u64,
}

/// An item to place: live at some point, with bytes, and not fixed.
pub(super) struct Block {
    /// Index of the item in the problem.
    pub index: usize,
    pub size: u64,
    pub alignment: u64,
    /// Whether all of its bytes are live at the same points.
    pub is_whole: bool,
    /// Live bytes over time, ascending.
    pub live: Vec<Run>,
    /// Offsets that fixed items and reserved regions rule out, as open intervals; ascending and
    /// disjoint.
    pub walls: Vec<Range>,
}

impl Block {
    /// From the first live section to the end of the last one.
    pub(super) fn hull(&self) -> Interval<u32> {
        let end = self.live.last().map_or(0, |range| range.end);
        Interval::new(self.live.first().map_or(0, |range| range.start), end)
    }

    /// Returns the lowest feasible offset at or above `offset`: aligned, and not ruled out by a
    /// wall.
    pub(super) fn settle(&self, offset: u64) -> u64 {
        let mut offset = self.aligned(offset);
        if self.walls.is_empty() {
            return offset;
        }
        // Walls that end at or below the offset cannot raise it.
        let first = self
            .walls
            .partition_point(|(_, high)| *high <= offset as i64);
        // Walls are ascending open intervals: an offset equal to either end is feasible.
        for &(low, high) in &self.walls[first..] {
            if low >= offset as i64 {
                break;
            }
            if high > offset as i64 {
                offset = self.aligned(high as u64);
            }
        }
        offset
    }

    /// The next multiple of the alignment, which is a power of two. A division here would take most of
    /// the time of the search.
    fn aligned(&self, offset: u64) -> u64 {
        debug_assert!(self.alignment.is_power_of_two());
        (offset + (self.alignment - 1)) & !(self.alignment - 1)
    }

    /// Number of sections in which the block is live.
    pub(super) fn width(&self) -> u64 {
        let widths = self
            .live
            .iter()
            .map(|range| u64::from(range.end - range.start));
        widths.sum()
    }
}

impl Shape {
    /// Builds the shape; returns `None` if the conflicts are too many to list. O(n log n +
    /// conflicts).
    pub(super) fn new(problem: &Problem, alignments: &[Bytes]) -> Option<Self> {
        let is_needed = |part: &Part| !part.bytes.is_empty() && !part.live.is_empty();
        let is_live = |item: &Item| item.parts.iter().any(is_needed);
        let items = problem.items.iter().enumerate();
        // Fixed items become walls; items that are never live conflict with nothing.
        let is_free = |(_, item): &(usize, &Item)| is_live(item) && item.fixed.is_none();
        let items: Vec<(usize, &Item)> = items.filter(is_free).collect();
        let walls = Walls::new(problem);
        let parts = items.iter().flat_map(|(_, item)| &item.parts);
        let parts = parts.filter(|part| !part.bytes.is_empty());
        let ends = sections(parts.flat_map(|part| part.live.iter()));
        let section = |point: Point| ends.partition_point(|end| *end <= point) as u32;
        let blocks = items.iter().map(|(index, item)| Block {
            index: *index,
            size: item.size.get(),
            alignment: alignments[*index].get(),
            is_whole: item.is_whole(),
            live: runs(item, &section),
            walls: walls.around(*index),
        });
        let mut shape = Self {
            items: blocks.collect(),
            n_sections: ends.len(),
            links: Vec::new(),
            partial: Vec::new(),
            is_exact: true,
            has_explicit: !problem.conflicts.is_empty(),
            reach: Vec::new(),
        };
        shape.find_neighbours(problem).then_some(shape)
    }

    /// The blocks that a block conflicts with.
    pub(super) fn neighbours(&self, block: usize) -> impl Iterator<Item = Neighbour> + '_ {
        let size = self.items[block].size;
        self.links[block].iter().map(move |link| {
            let (rise, fall) = match link.partial {
                Some(index) => self.partial[index.get() as usize - 1],
                None => (size, self.items[link.block as usize].size),
            };
            Neighbour {
                block: link.block,
                rise,
                fall,
            }
        })
    }

    /// Whether two blocks are live in a common section.
    pub(super) fn are_live_at_once(&self, a: u32, b: u32) -> bool {
        let [own, other] = [a, b].map(|block| &self.items[block as usize].live);
        let (mut own, mut other) = (own.iter().peekable(), other.iter().peekable());
        while let (Some(x), Some(y)) = (own.peek(), other.peek()) {
            if x.start < y.end && y.start < x.end {
                return true;
            }
            match x.end <= y.end {
                true => own.next(),
                false => other.next(),
            };
        }
        false
    }

    /// The number of blocks that a block conflicts with.
    pub(super) fn n_neighbours(&self, block: usize) -> usize {
        self.links[block].len()
    }

    /// Lists all conflicts; returns `false` if they are too many.
    fn find_neighbours(&mut self, problem: &Problem) -> bool {
        let Some(mut pairs) = self.pairs_at_once() else {
            return false;
        };
        self.reach = self.items.iter().map(Block::hull).collect();
        let explicit = self.explicit_pairs(problem);
        for &(a, b) in &explicit {
            // Blocks in explicit conflict belong to one group, even if they share no section.
            self.extend_reach(a as usize, b as usize);
        }
        pairs.extend(&explicit);
        // A pair with several common ranges was found several times.
        let is_once = |block: &Block| {
            let mut runs = block.live.windows(2);
            runs.all(|pair| pair[0].end >= pair[1].start)
        };
        if !explicit.is_empty() || !self.items.iter().all(is_once) {
            pairs.sort_unstable();
            pairs.dedup();
        }
        let mut n_neighbours = vec![0; self.items.len()];
        for (a, b) in &pairs {
            n_neighbours[*a as usize] += 1;
            n_neighbours[*b as usize] += 1;
        }
        self.links = n_neighbours.into_iter().map(Vec::with_capacity).collect();
        let explicit: HashSet<(u32, u32)> = explicit.into_iter().collect();
        for pair in pairs {
            self.add_pair(problem, pair, explicit.contains(&pair));
        }
        true
    }

    /// Pairs of blocks that are live in a common section; `None` if they are too many.
    fn pairs_at_once(&self) -> Option<Vec<(u32, u32)>> {
        let mut starts: Vec<(u32, u32, u32)> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            // Neighbouring runs differ in their bytes only, and one range for both yields fewer
            // pairs.
            let runs = item.live.iter();
            let ranges = merged(runs.map(|run| Interval::new(run.start, run.end)));
            let range = |range: &Interval<u32>| (range.start, range.end, index as u32);
            starts.extend(ranges.iter().map(range));
        }
        starts.sort_unstable();
        // The number of pairs can be quadratic, so they are counted before they are stored: at each start,
        // the ranges that have started before, less those that have ended.
        let mut ends: Vec<u32> = starts.iter().map(|(_, end, _)| *end).collect();
        ends.sort_unstable();
        let (mut n_pairs, mut n_ended) = (0, 0);
        for (n_started, &(start, ..)) in starts.iter().enumerate() {
            while ends[n_ended] <= start {
                n_ended += 1;
            }
            n_pairs += n_started - n_ended;
            if n_pairs > tuning::MAX_CONFLICTS {
                return None;
            }
        }
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(n_pairs);
        let mut active: Vec<(u32, u32)> = Vec::new();
        for (start, end, index) in starts {
            active.retain(|(other_end, _)| *other_end > start);
            let others = active.iter().map(|&(_, other)| other);
            pairs.extend(others.map(|other| (index.min(other), index.max(other))));
            active.push((end, index));
        }
        Some(pairs)
    }

    /// Explicit conflicts of blocks. Those with fixed items are walls instead.
    fn explicit_pairs(&self, problem: &Problem) -> Vec<(u32, u32)> {
        if problem.conflicts.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![None; problem.items.len()];
        for (block, item) in self.items.iter().enumerate() {
            blocks[item.index] = Some(block as u32);
        }
        let pair = |&(a, b): &(usize, usize)| {
            let (a, b): (u32, u32) = (blocks[a]?, blocks[b]?);
            Some((a.min(b), a.max(b)))
        };
        problem.conflicts.iter().filter_map(pair).collect()
    }

    fn extend_reach(&mut self, a: usize, b: usize) {
        let hulls = [self.items[a].hull(), self.items[b].hull()];
        for block in [a, b] {
            for hull in hulls {
                let reach = &mut self.reach[block];
                reach.start = reach.start.min(hull.start);
                reach.end = reach.end.max(hull.end);
            }
        }
    }

    /// Records two blocks that are live at a common point, or conflict explicitly.
    fn add_pair(&mut self, problem: &Problem, (a, b): (u32, u32), is_explicit: bool) {
        let [block, other] = [a, b].map(|block| &self.items[block as usize]);
        let [item, its] = [block, other].map(|block| &problem.items[block.index]);
        // Of two whole items that are live at once, all bytes conflict, as in an explicit conflict.
        let all_conflict = is_explicit || item.is_whole() && its.is_whole();
        let mut rises = (block.size, other.size);
        if !all_conflict {
            let (found, is_exact) = rises_of(item, its);
            self.is_exact &= is_exact;
            let Some(found) = found else {
                return;
            };
            rises = found;
        }
        let is_whole = rises == (block.size, other.size);
        self.link(a, b, (!is_whole).then_some(rises));
        self.link(b, a, (!is_whole).then_some((rises.1, rises.0)));
    }

    /// Adds a neighbour to a block. `partial`: its distances, unless they are the sizes of the two.
    fn link(&mut self, block: u32, neighbour: u32, partial: Option<(u64, u64)>) {
        self.partial.extend(partial);
        // The number of conflicts is limited to far fewer than 2^31, so that the index has a number.
        let index = partial.and_then(|_| NonZeroU32::new(self.partial.len() as u32));
        self.links[block as usize].push(Link {
            block: neighbour,
            partial: index,
        });
    }

    /// Per section: the number of live bytes.
    pub(super) fn live_bytes(&self) -> Vec<u64> {
        let mut bytes = vec![0; self.n_sections];
        for item in &self.items {
            for run in &item.live {
                for section in run.start..run.end {
                    bytes[section as usize] += run.bytes;
                }
            }
        }
        bytes
    }
}

/// Returns the number of live bytes of an item over time, in sections.
fn runs(item: &Item, section: &impl Fn(Point) -> u32) -> Vec<Run> {
    let ranges = |part: &Part| {
        let ranges = part.live.iter();
        merged(ranges.map(|i| Interval::new(section(i.start), section(i.end))))
    };
    // Most items have one part, which needs no sums.
    if let [part] = &item.parts[..] {
        let run = |range: Interval<u32>| Run {
            start: range.start,
            end: range.end,
            bytes: part.size().get(),
        };
        return ranges(part).into_iter().map(run).collect();
    }
    let mut changes: BTreeMap<u32, i128> = BTreeMap::new();
    for part in &item.parts {
        let bytes = i128::from(part.size().get());
        for range in ranges(part) {
            *changes.entry(range.start).or_default() += bytes;
            *changes.entry(range.end).or_default() -= bytes;
        }
    }
    summed(changes)
}

/// Runs between changes of the number of live bytes.
fn summed(changes: BTreeMap<u32, i128>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let (mut since, mut bytes) = (0, 0_i128);
    for (at, change) in changes {
        // A gap in the lifetime is no run.
        if bytes > 0 {
            runs.push(Run {
                start: since,
                end: at,
                bytes: bytes as u64,
            });
        }
        (since, bytes) = (at, bytes + change);
    }
    runs
}

/// Returns how far the second item has to lie above the first, and the first above the second;
/// `None` if the two never conflict. The flag tells whether these distances are exact: if only some
/// bytes conflict, more offsets may be feasible.
fn rises_of(a: &Item, b: &Item) -> (Option<(u64, u64)>, bool) {
    // Ruled out distances of the second item from the first, as open intervals.
    let mut distances: Vec<Range> = Vec::new();
    ruled_out(b, a, false, |range| distances.push(range));
    distances.sort_unstable();
    // If the ruled out distances form one interval around zero, its ends are the rises. Otherwise the
    // hull of the intervals is conservative.
    let Some(&(low, mut high)) = distances.first() else {
        return (None, true);
    };
    let mut is_exact = true;
    for &(next, end) in &distances {
        // Open intervals that only touch leave a feasible distance between them.
        is_exact &= next < high || next == low;
        high = high.max(end);
    }
    // Placement by ascending offset requires that neither item may share the other's offset.
    is_exact &= low < 0 && 0 < high;
    // If an item may share the offset of the other, a distance of 1 is conservative.
    let rise = |distance: i64| distance.max(1) as u64;
    (Some((rise(high), rise(-low))), is_exact)
}

/// Fixed items and reserved regions.
struct Walls<'p> {
    problem: &'p Problem,
    fixed: Vec<usize>,
    /// Explicit conflicts.
    conflicts: HashSet<(usize, usize)>,
}

impl<'p> Walls<'p> {
    fn new(problem: &'p Problem) -> Self {
        let is_fixed = |index: &usize| problem.items[*index].fixed.is_some();
        Self {
            problem,
            fixed: (0..problem.items.len()).filter(is_fixed).collect(),
            conflicts: problem.conflicts.iter().copied().collect(),
        }
    }

    /// Returns the offsets ruled out for an item, ascending.
    fn around(&self, index: usize) -> Vec<Range> {
        let item = &self.problem.items[index];
        let at = |bytes: Bytes| bytes.get().min(i64::MAX as u64) as i64;
        let mut walls = Vec::new();
        for region in self
            .problem
            .reserved
            .iter()
            .filter(|region| !region.is_empty())
        {
            // An item that starts strictly between these two offsets shares a byte with the region.
            walls.push((at(region.start) - at(item.size), at(region.end)));
        }
        // What a fixed item rules out does not depend on the search.
        for &other in &self.fixed {
            let fixed = &self.problem.items[other];
            let offset = at(fixed.fixed.unwrap_or_default());
            let is_explicit = self
                .conflicts
                .contains(&(index.min(other), index.max(other)));
            ruled_out(item, fixed, is_explicit, |(low, high)| {
                walls.push((offset + low, offset + high));
            });
        }
        walls.sort_unstable();
        let mut merged: Vec<Range> = Vec::new();
        for (low, high) in walls {
            match merged.last_mut() {
                // Open intervals that only share an end leave that offset feasible.
                Some(last) if low < last.1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        merged
    }
}

/// Returns the ends of the sections. A section ends at the first end after a start: there the set
/// of live items is maximal, and the live set at any other point is a subset of a neighbouring
/// maximal one.
fn sections(live: impl Iterator<Item = Interval<Point>>) -> Vec<Point> {
    let mut events: Vec<(Point, bool)> = Vec::new();
    for interval in live {
        events.push((interval.start, true));
        events.push((interval.end, false));
    }
    // Ends come before starts at the same point: intervals are half-open.
    events.sort_unstable();
    let mut ends = Vec::new();
    let mut has_started = false;
    for (point, is_start) in events {
        if is_start {
            has_started = true;
        } else if std::mem::take(&mut has_started) {
            ends.push(point);
        }
    }
    ends
}

/// Drops empty ranges, and joins overlapping and adjacent ones. The ranges must be ascending.
fn merged(ranges: impl Iterator<Item = Interval<u32>>) -> Vec<Interval<u32>> {
    let mut merged: Vec<Interval<u32>> = Vec::new();
    for range in ranges.filter(|range| range.start < range.end) {
        match merged.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

//! The items that a decoder has placed, indexed by time and by address.
//!
//! By time: positions in the order of starts, and above them a tree of the latest ends, which finds
//! the k neighbours of an item among n in O(k + log n). By address: a list in the order of offsets,
//! which an item reads up to the first gap that is large enough. Reading takes O(n), but no sorting;
//! it is faster if an item has many neighbours, whose number is counted first.

use mem_model::Point;

use super::decode::{Decoder, start_of_time};
use super::distance::Range;

/// Number of live items up to which they are always indexed by address.
const FEW: usize = 4096;

/// Number of placed items per neighbour up to which reading all of them is faster than sorting the
/// neighbours.
const ITEMS_PER_NEIGHBOUR: usize = 32;

/// The items placed so far.
pub(super) struct Placed {
    pub(super) offsets: Vec<u64>,
    pub(super) is_placed: Vec<bool>,
    /// A complete binary tree over positions: the latest end of the placed items below each node.
    /// The root is node 1.
    latest: Vec<Point>,
    /// Per position: the addresses of the item, `[start, end)`, if it is placed.
    pub(super) spans: Vec<(i64, i64)>,
    by_address: Option<ByAddress>,
}

/// A placed item that is live as a whole and without gaps.
struct Entry {
    /// Its addresses.
    start: i64,
    end: i64,
    /// Its lifetime.
    from: Point,
    to: Point,
}

/// The placed items in the order of their addresses.
struct ByAddress {
    entries: Vec<Entry>,
    /// Positions of the other placed items: those with several parts or with gaps.
    others: Vec<usize>,
    /// Number of placed items by position, and by the order of ends.
    started: Counts,
    ended: Counts,
}

/// Sums of counters up to an index, as a Fenwick tree: both operations are O(log n).
struct Counts(Vec<u32>);

impl Counts {
    fn new(n: usize) -> Self {
        Self(vec![0; n + 1])
    }

    fn add(&mut self, index: usize) {
        let mut node = index + 1;
        while node < self.0.len() {
            self.0[node] += 1;
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the counters below `index`.
    fn below(&self, index: usize) -> usize {
        let (mut node, mut sum) = (index, 0);
        while node > 0 {
            sum += self.0[node] as usize;
            node &= node - 1;
        }
        sum
    }
}

/// Whether placed items are indexed by address. Each insertion moves all that lie above, so items must be few or
/// have so many neighbours that reading all placed items is mostly faster.
pub(super) fn is_indexed(decoder: &Decoder<'_>) -> bool {
    let n_live = decoder.n_live() as u64;
    // When an item is placed, half of the others and half of its neighbours are, on average.
    let readable = (ITEMS_PER_NEIGHBOUR as u64).saturating_mul(2 * decoder.work());
    let is_worth_it = n_live <= FEW as u64 || n_live.saturating_mul(n_live) <= readable;
    // Neighbours that are in explicit conflict are not neighbours in time.
    is_worth_it && !decoder.has_partners()
}

impl Placed {
    pub(super) fn new(decoder: &Decoder<'_>) -> Self {
        let (n_items, n_live) = (decoder.n_items(), decoder.n_live());
        let is_indexed = is_indexed(decoder);
        let n_indexed = if is_indexed { n_live } else { 0 };
        let by_address = ByAddress {
            entries: Vec::with_capacity(n_indexed),
            others: Vec::new(),
            started: Counts::new(n_indexed),
            ended: Counts::new(n_indexed),
        };
        Self {
            offsets: vec![0; n_items],
            is_placed: vec![false; n_items],
            latest: vec![start_of_time(); 2 * n_live.next_power_of_two()],
            spans: vec![(0, 0); n_live],
            by_address: is_indexed.then_some(by_address),
        }
    }

    /// Places an item.
    pub(super) fn put(&mut self, decoder: &Decoder<'_>, index: usize, offset: u64) {
        let Some(position) = self.note(decoder, index, offset) else {
            return;
        };
        let Some(all) = &mut self.by_address else {
            return;
        };
        match all.entry(decoder, position, self.spans[position]) {
            Some(entry) => {
                let at = (all.entries).partition_point(|other| other.start <= entry.start);
                all.entries.insert(at, entry);
            }
            None => all.others.push(position),
        }
    }

    /// Places items at known offsets.
    pub(super) fn put_all(
        &mut self,
        decoder: &Decoder<'_>,
        known: impl Iterator<Item = (usize, u64)>,
    ) {
        for (index, offset) in known {
            let Some(position) = self.note(decoder, index, offset) else {
                continue;
            };
            if let Some(all) = &mut self.by_address {
                match all.entry(decoder, position, self.spans[position]) {
                    Some(entry) => all.entries.push(entry),
                    None => all.others.push(position),
                }
            }
        }
        // Once for all items, since each insertion would move others.
        if let Some(all) = &mut self.by_address {
            all.entries.sort_unstable_by_key(|entry| entry.start);
        }
    }

    /// Records where an item is. Returns its position, which items that are never live have not.
    fn note(&mut self, decoder: &Decoder<'_>, index: usize, offset: u64) -> Option<usize> {
        self.offsets[index] = offset;
        self.is_placed[index] = true;
        // An item that is never live has no neighbours.
        let position = decoder.position(index)?;
        let end = decoder.hull(index as u32).end;
        // Does not overflow: no item ends above 2^63-1.
        let end_offset = offset + decoder.problem().items[index].size.get();
        self.spans[position] = (offset as i64, end_offset as i64);
        // Ends above grow monotonically towards the root, so the first that is late enough ends the
        // climb.
        let mut node = self.latest.len() / 2 + position;
        while node > 0 && self.latest[node] < end {
            self.latest[node] = end;
            node /= 2;
        }
        Some(position)
    }

    /// Visits the positions below `limit` whose items are placed and end after `start`.
    pub(super) fn visit(&self, limit: usize, start: Point, visit: &mut impl FnMut(usize)) {
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

    /// Returns the number of neighbours of an item that is live as a whole and without gaps, if reading
    /// the list by address is the faster way to place it.
    pub(super) fn neighbours_to_read(&self, decoder: &Decoder<'_>, index: usize) -> Option<usize> {
        let all = self.by_address.as_ref()?;
        let hull = decoder.hull(index as u32);
        // Those that start before the end, less those that end before the start.
        let n_started = all.started.below(decoder.n_starts_before(hull.end));
        let n_neighbours = n_started - all.ended.below(decoder.n_ends_until(hull.start));
        let n_placed = all.entries.len();
        (n_placed <= ITEMS_PER_NEIGHBOUR * n_neighbours).then_some(n_neighbours)
    }

    /// Visits the placed items with several parts or with gaps.
    pub(super) fn others(&self) -> &[usize] {
        (self.by_address.as_ref()).map_or(&[], |all| &all.others)
    }

    /// Returns the lowest offset of an item that is live as a whole and without gaps that neither placed
    /// items of the same kind nor `ruled_out` offsets exclude, the latter in ascending order. An offset
    /// that is not a multiple of the alignment is rounded up by `align`. `None` if there is no such
    /// offset.
    pub(super) fn lowest(
        &self,
        decoder: &Decoder<'_>,
        index: usize,
        ruled_out: &[Range],
        align: impl Fn(i64) -> Option<i64>,
    ) -> Option<u64> {
        let hull = decoder.hull(index as u32);
        let size = decoder.problem().items[index].size.get() as i64;
        let all = self.by_address.as_ref()?;
        let mut offset = 0;
        let mut rest = ruled_out;
        for entry in &all.entries {
            // Only items in the way matter, and most are not: a gap ends at the next one that is.
            let is_live = entry.from < hull.end && entry.to > hull.start;
            if !is_live || entry.end <= offset {
                continue;
            }
            let low = entry.start - size;
            // Both lists are read in ascending order: what is left starts at or above what was read.
            while let [(other, high), others @ ..] = rest
                && *other <= low
            {
                if *other >= offset {
                    return u64::try_from(offset).ok();
                }
                if *high > offset {
                    offset = align(*high)?;
                }
                rest = others;
            }
            if low >= offset {
                return u64::try_from(offset).ok();
            }
            // An offset that was ruled out may have led above the item.
            if entry.end > offset {
                offset = align(entry.end)?;
            }
        }
        for (other, high) in rest {
            if *other >= offset {
                break;
            }
            if *high > offset {
                offset = align(*high)?;
            }
        }
        u64::try_from(offset).ok()
    }
}

impl ByAddress {
    /// Counts an item. Returns its entry if it is live as a whole and without gaps.
    fn entry(
        &mut self,
        decoder: &Decoder<'_>,
        position: usize,
        (start, end): (i64, i64),
    ) -> Option<Entry> {
        let hull = decoder.hull(decoder.item_at(position) as u32);
        self.started.add(position);
        self.ended.add(decoder.end_rank(position));
        decoder.is_plain(position).then_some(Entry {
            start,
            end,
            from: hull.start,
            to: hull.end,
        })
    }
}

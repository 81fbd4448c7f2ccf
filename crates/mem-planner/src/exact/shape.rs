//! Items as the search sees them: time cut into sections, and who conflicts with whom.

use mem_model::{Bytes, Interval, Item, Point, Problem};

/// A problem without what does not matter to addresses.
pub(super) struct Shape {
    pub items: Vec<Block>,
    pub n_sections: usize,
    /// By item: those that are live in a common section.
    pub neighbours: Vec<Vec<u32>>,
}

/// An item that is live at some point and has bytes.
pub(super) struct Block {
    /// Its position in the problem.
    pub index: usize,
    pub size: u64,
    pub alignment: u64,
    /// When it is live: half-open ranges of sections, ascending.
    pub live: Vec<Interval<u32>>,
}

impl Block {
    /// From its first section to behind its last.
    pub fn hull(&self) -> Interval<u32> {
        let end = self.live.last().map_or(0, |range| range.end);
        Interval::new(self.live.first().map_or(0, |range| range.start), end)
    }

    /// How many sections it is live in.
    pub fn width(&self) -> u64 {
        let widths = self
            .live
            .iter()
            .map(|range| u64::from(range.end - range.start));
        widths.sum()
    }
}

impl Shape {
    /// `None` if there are too many conflicts to list. Items whose parts have different lifetimes are
    /// taken to be needed whole while any part is. O(n log n + conflicts).
    pub fn new(problem: &Problem, alignments: &[Bytes]) -> Option<Self> {
        let is_placed =
            |item: &&(usize, &Item)| item.1.size > Bytes::ZERO && item.1.hull().is_some();
        let items = problem.items.iter().enumerate();
        let items: Vec<(usize, &Item)> = items.filter(|item| is_placed(&item)).collect();
        let live: Vec<Vec<Interval<Point>>> = items
            .iter()
            .map(|(_, item)| item.live().iter().collect())
            .collect();
        let ends = sections(live.iter().flatten());
        let section = |point: Point| ends.partition_point(|end| *end <= point) as u32;
        let items = items.iter().zip(&live).map(|((index, item), live)| Block {
            index: *index,
            size: item.size.get(),
            alignment: alignments[*index].get(),
            live: merged(
                live.iter()
                    .map(|i| Interval::new(section(i.start), section(i.end))),
            ),
        });
        let mut shape = Self {
            items: items.collect(),
            n_sections: ends.len(),
            neighbours: Vec::new(),
        };
        shape.find_neighbours().then_some(shape)
    }

    fn find_neighbours(&mut self) -> bool {
        const MAX_CONFLICTS: usize = 40_000_000;
        self.neighbours = vec![Vec::new(); self.items.len()];
        let mut starts: Vec<(u32, u32, u32)> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            let ranges = item.live.iter();
            starts.extend(ranges.map(|range| (range.start, range.end, index as u32)));
        }
        starts.sort_unstable();
        let mut active: Vec<(u32, u32)> = Vec::new();
        let mut n_conflicts = 0;
        for (start, end, index) in starts {
            active.retain(|(other_end, _)| *other_end > start);
            n_conflicts += active.len();
            if n_conflicts > MAX_CONFLICTS {
                return false;
            }
            for &(_, other) in &active {
                self.neighbours[index as usize].push(other);
                self.neighbours[other as usize].push(index);
            }
            active.push((end, index));
        }
        for list in &mut self.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        true
    }

    /// By section: the bytes live in it.
    pub fn live_bytes(&self) -> Vec<u64> {
        let mut bytes = vec![0; self.n_sections];
        for item in &self.items {
            for range in &item.live {
                for section in range.start..range.end {
                    bytes[section as usize] += item.size;
                }
            }
        }
        bytes
    }
}

/// The ends of sections: of all points between two changes, only those matter at which as many
/// items are live as in no neighbouring ones, and that is where a start is followed by an end.
fn sections<'a>(live: impl Iterator<Item = &'a Interval<Point>>) -> Vec<Point> {
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

/// Ascending ranges without those that are empty, neighbours joined.
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

//! Placement orders without a strategy name of their own: starting points of a search.

use std::cmp::Reverse;

use mem_model::{Interval, Point};

use super::decode::Decoder;
use crate::sparse_table::SparseTable;

/// Orders by the maximum pressure during an item's lifetime, then by size, width or area: items
/// live where memory is tightest come first. The last two orders ignore pressure.
pub(crate) fn by_pressure(decoder: &Decoder<'_>) -> Vec<Vec<u32>> {
    let pressure = pressure(decoder);
    let items = &decoder.problem().items;
    let size = |item: u32| items[item as usize].size.get();
    let width = |item: u32| decoder.width(item);
    let area = |item: u32| u128::from(size(item)) * u128::from(width(item));
    let keys: [&dyn Fn(u32) -> (u128, u128, u128); 5] = [
        &|item| (pressure[item as usize], u128::from(size(item)), area(item)),
        &|item| (pressure[item as usize], u128::from(width(item)), area(item)),
        &|item| (pressure[item as usize], area(item), 0),
        &|item| (area(item), 0, 0),
        &|item| (u128::from(width(item)), u128::from(size(item)), 0),
    ];
    let order = |key: &dyn Fn(u32) -> (u128, u128, u128)| {
        let mut order: Vec<u32> = decoder.free_items().collect();
        order.sort_by_cached_key(|item| (Reverse(key(*item)), *item));
        order
    };
    keys.into_iter().map(order).collect()
}

/// Per item: the most bytes live at a point of its lifetime, gaps included. O(n log n).
fn pressure(decoder: &Decoder<'_>) -> Vec<u128> {
    let profile = Profile::new(decoder);
    let items = 0..decoder.problem().items.len() as u32;
    items.map(|item| profile.most(decoder.hull(item))).collect()
}

/// The change with more live bytes, the first one on a tie.
fn fuller(live: &[u128], a: u32, b: u32) -> u32 {
    match live[b as usize] > live[a as usize] {
        true => b,
        false => a,
    }
}

/// The points at which the live bytes change, and the bytes live from there on.
fn live_bytes(decoder: &Decoder<'_>) -> (Vec<Point>, Vec<u128>) {
    let items = &decoder.problem().items;
    let mut events: Vec<(Point, bool, u64)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let hull = decoder.hull(index as u32);
        if !hull.is_empty() {
            events.push((hull.end, false, item.size.get()));
            events.push((hull.start, true, item.size.get()));
        }
    }
    // Ends sort before starts at the same point, so the sum never exceeds the live bytes.
    events.sort_unstable();
    let (mut points, mut live) = (Vec::new(), Vec::new());
    let mut sum = 0_u128;
    for (point, is_start, size) in events {
        sum = match is_start {
            true => sum + u128::from(size),
            false => sum - u128::from(size),
        };
        // One entry per point: the sum after all events there.
        if points.last() == Some(&point) {
            live.pop();
        } else {
            points.push(point);
        }
        live.push(sum);
    }
    (points, live)
}

/// Live bytes over time, gaps of lifetimes included.
pub(crate) struct Profile {
    /// Points at which the live bytes change.
    points: Vec<Point>,
    /// The change with the most live bytes in each range. It holds indices rather than bytes, since
    /// there are many ranges and an index takes a quarter of the room.
    highest: SparseTable<u32>,
    /// Per change: the bytes live from there to the next change.
    live: Vec<u128>,
}

impl Profile {
    /// O(n log n).
    pub(super) fn new(decoder: &Decoder<'_>) -> Self {
        let (points, live) = live_bytes(decoder);
        let changes = (0..live.len() as u32).collect();
        let highest = SparseTable::new(changes, |a, b| fuller(&live, a, b));
        Self {
            points,
            highest,
            live,
        }
    }

    /// Returns the first point of an interval at which the most bytes are live, and their number.
    /// O(log n).
    pub(super) fn highest(&self, within: Interval<Point>) -> Option<(Point, u128)> {
        let from = self.points.partition_point(|point| *point < within.start);
        let to = self.points.partition_point(|point| *point < within.end);
        let fuller = |a, b| fuller(&self.live, a, b);
        let at = self.highest.best(from, to, fuller)? as usize;
        Some((self.points[at], self.live[at]))
    }

    /// Returns the most bytes live at a point of an interval. O(log n).
    pub(super) fn most(&self, within: Interval<Point>) -> u128 {
        self.highest(within).map_or(0, |(_, live)| live)
    }

    /// Returns the first point at which the most bytes are live. O(n).
    pub(super) fn tightest(&self) -> Option<Point> {
        let most = self.live.iter().max()?;
        let at = self.live.iter().position(|live| live == most)?;
        Some(self.points[at])
    }
}

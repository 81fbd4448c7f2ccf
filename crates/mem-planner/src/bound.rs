//! How much must be live at once: no plan without transfers has a lower peak.

use mem_model::{Bytes, Point, Problem};

use crate::MAX_BYTES;

/// Where the most bytes are live at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressure {
    /// The largest number of bytes live at one point; alignment is not counted.
    pub bytes: Bytes,
    /// The first point with that sum; `None` if nothing is ever live.
    pub point: Option<Point>,
}

/// The largest number of bytes that are live at one point, over all parts of items; `None` if a sum
/// exceeds [`MAX_BYTES`]. O(n log n) in the number of live intervals.
#[must_use]
pub fn lower_bound(problem: &Problem) -> Option<Bytes> {
    pressure(problem).map(|pressure| pressure.bytes)
}

/// The same with the point where it is.
#[must_use]
pub fn pressure(problem: &Problem) -> Option<Pressure> {
    let mut events = Vec::new();
    for item in &problem.items {
        if item.size > MAX_BYTES {
            return None;
        }
        for part in &item.parts {
            for interval in part.live.iter() {
                // Ends sort before starts at the same point: intervals are half-open.
                events.push((interval.end, false, part.size()));
                events.push((interval.start, true, part.size()));
            }
        }
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

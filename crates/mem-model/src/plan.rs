//! What planning works on once flow is known, and what comes out: items with lifetimes in,
//! placements out.

use crate::{BufferId, Bytes, Interval, IntervalSet, Point, PointerId, StepId};

/// One thing that needs an address: a buffer, or one of the slots of a buffer whose instances
/// overlap in time (a loop writes the next one while the one before is still read).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The buffer it belongs to.
    pub buffer: BufferId,
    /// 0, 1, … for the slots of one buffer; 0 if there is only one.
    pub slot: u32,
    /// Bytes needed.
    pub size: Bytes,
    /// Power of two that divides the offset.
    pub alignment: Bytes,
    /// When which of its bytes matter. Two items conflict where parts of theirs are live at a
    /// common point; those parts must not share an address. Never empty: ascending, disjoint,
    /// within the item's size. Bytes in no part never matter.
    pub parts: Vec<Part>,
}

/// Consecutive bytes of a buffer that matter at the same points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which bytes, from the buffer's start. Empty only if it is all of a buffer without bytes.
    pub bytes: Interval<Bytes>,
    /// When they matter: half-open intervals of points; empty: never.
    pub live: IntervalSet<Point>,
}

impl Part {
    /// All `size` bytes of a buffer at once.
    #[must_use]
    pub const fn whole(size: Bytes, live: IntervalSet<Point>) -> Self {
        Self {
            bytes: Interval::new(Bytes::ZERO, size),
            live,
        }
    }

    /// Its number of bytes.
    #[must_use]
    pub fn size(&self) -> Bytes {
        let size = self.bytes.end.checked_sub(self.bytes.start);
        size.unwrap_or_default()
    }

    /// When any of `parts` matters.
    #[must_use]
    pub fn union_of(parts: &[Self]) -> IntervalSet<Point> {
        match parts {
            [only] => only.live.clone(),
            _ => parts.iter().flat_map(|part| part.live.iter()).collect(),
        }
    }
}

impl Item {
    /// When any of its bytes matters.
    #[must_use]
    pub fn live(&self) -> IntervalSet<Point> {
        Part::union_of(&self.parts)
    }

    /// From the first point at which any of its bytes matters to the last; `None`: never.
    #[must_use]
    pub fn hull(&self) -> Option<Interval<Point>> {
        let hulls = self.parts.iter().filter_map(|part| part.live.hull());
        hulls.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end)))
    }

    /// Whether all its bytes matter at the same points.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(&self.parts[..], [part] if part.bytes == Interval::new(Bytes::ZERO, self.size))
    }
}

/// A static planning problem: one level, known lifetimes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Problem {
    /// In the order of the buffers they belong to.
    pub items: Vec<Item>,
    /// Bytes available; `None`: unbounded.
    pub capacity: Option<Bytes>,
}

impl Problem {
    /// What the start of the arena must be a multiple of: the largest alignment of an item.
    #[must_use]
    pub fn alignment(&self) -> Bytes {
        let alignments = self.items.iter().map(|item| item.alignment);
        alignments.max().unwrap_or(Bytes::new(1))
    }
}

/// Where an item lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The buffer.
    pub buffer: BufferId,
    /// Which of its slots.
    pub slot: u32,
    /// Bytes from the start of the arena.
    pub offset: Bytes,
}

/// An answer to a `Problem`, with what it claims of itself; `mem-check` recomputes the claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Name of the strategy that made it.
    pub strategy: String,
    /// One for each item, in the problem's order.
    pub placements: Vec<Placement>,
    /// Highest address used: the size of the arena in bytes.
    pub peak: Bytes,
    /// Largest number of bytes live at one point: no plan without transfers has a lower peak.
    pub lower_bound: Bytes,
}

/// What code generated for an allocating step must do for a buffer with several slots: give the
/// new instance the first slot in which nothing lies that one of `avoid` denotes just then: a name
/// can denote a view, so its address is to be compared with the whole range of the slot.
///
/// The analysis guarantees that there are more slots than names in `avoid`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The step that allocates.
    pub step: StepId,
    /// The buffer of which it makes a new instance.
    pub buffer: BufferId,
    /// Names that may denote older instances of `buffer`, and that are accessed later on; in
    /// ascending order. Their values are those before the step binds any merge.
    pub avoid: Vec<PointerId>,
}

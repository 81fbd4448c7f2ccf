//! What planning works on once flow is known, and what comes out: items with lifetimes in,
//! placements out.

use crate::{BufferId, Bytes, IntervalSet, Point, PointerId, StepId};

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
    /// When its bytes matter: half-open intervals of points. Items whose sets share a point
    /// conflict.
    pub live: IntervalSet<Point>,
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
    /// Largest sum of sizes live at one point: no plan without transfers has a lower peak.
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

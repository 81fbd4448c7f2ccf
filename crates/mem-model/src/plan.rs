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
    /// The offset it has to have; `None`: the planner chooses.
    pub fixed: Option<Bytes>,
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
    /// The only slot of a buffer, to be placed anywhere.
    #[must_use]
    pub const fn new(buffer: BufferId, size: Bytes, alignment: Bytes, parts: Vec<Part>) -> Self {
        Self {
            buffer,
            slot: 0,
            size,
            alignment,
            parts,
            fixed: None,
        }
    }

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
///
/// Two items *conflict* if parts of theirs are live at a common point, or if they are in `conflicts`;
/// but not if they are aliases. What conflicts shares no address, unless `reuses` allows it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Problem {
    /// In the order of the buffers they belong to.
    pub items: Vec<Item>,
    /// Bytes available; `None`: unbounded.
    pub capacity: Option<Bytes>,
    /// Addresses that no item may have at any time. They do not count for the peak.
    pub reserved: Vec<Interval<Bytes>>,
    /// Items, by index, that conflict with all their bytes, whenever they are live: what a partial order
    /// of steps leaves open cannot be seen from lifetimes. An item that is never live conflicts with none.
    pub conflicts: Vec<(usize, usize)>,
    /// Groups of items, by index, that are one storage: all of a group get the same offset, and may
    /// share bytes.
    pub aliases: Vec<Vec<usize>>,
    /// Where a result may take over the bytes of an operand.
    pub reuses: Vec<Reuse>,
    /// Pairs that had better not share addresses.
    pub penalties: Vec<Penalty>,
}

/// Reuse in place: two items that conflict may have the same offset all the same, since the step at which
/// both are live reads each byte of the one before it writes that of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reuse {
    /// The operand, by index.
    pub operand: usize,
    /// The result, by index.
    pub result: usize,
}

/// What it costs if two items that do not conflict share an address: a wait, say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Penalty {
    /// One item, by index.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// In units of the caller's, as all others.
    pub cost: u64,
}

impl Problem {
    /// A problem of items and their lifetimes alone.
    #[must_use]
    pub fn of_items(items: Vec<Item>) -> Self {
        Self {
            items,
            ..Self::default()
        }
    }

    /// Whether lifetimes say all there is: the planner may put anything anywhere else.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.reserved.is_empty()
            && self.conflicts.is_empty()
            && self.aliases.is_empty()
            && self.reuses.is_empty()
            && self.items.iter().all(|item| item.fixed.is_none())
    }

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
    /// Largest number of bytes live at one point, aliases counted once and a result that may take over
    /// an operand's bytes only as far as it is larger: no plan without transfers has a lower peak.
    pub lower_bound: Bytes,
    /// What was proven beyond that: no plan without transfers has a lower peak than this. Never below
    /// `lower_bound`.
    pub proven_bound: Bytes,
}

impl Plan {
    /// Whether no plan has a lower peak.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.peak <= self.proven_bound
    }
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

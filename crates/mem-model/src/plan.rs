//! Input and output of single-level planning: a problem of items with lifetimes, and a plan of
//! placements.

use crate::{BufferId, Bytes, Interval, IntervalSet, Point, PointerId, StepId};

/// One unit of placement: a buffer, or one slot of a buffer whose instances overlap in time (a loop
/// writes the next instance while the previous one is still read).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The buffer that it belongs to.
    pub buffer: BufferId,
    /// Number of the slot, from 0; 0 if the buffer has one slot.
    pub slot: u32,
    /// Size in bytes.
    pub size: Bytes,
    /// Power of two that divides the offset.
    pub alignment: Bytes,
    /// Byte ranges with their lifetimes. Two items conflict where parts of both are live at a
    /// common point; those parts must not share an address. Never empty; ascending, disjoint and
    /// within the item's size. Bytes outside of all parts are never live.
    pub parts: Vec<Part>,
    /// Required offset; `None`: the planner chooses.
    pub fixed: Option<Bytes>,
}

/// Consecutive bytes of a buffer with the same lifetime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes, relative to the start of the buffer. Empty only for the whole of a zero-sized
    /// buffer.
    pub bytes: Interval<Bytes>,
    /// The lifetime, as half-open intervals of points; empty: never live.
    pub live: IntervalSet<Point>,
}

impl Part {
    /// Creates one part for all `size` bytes of a buffer.
    #[must_use]
    pub const fn whole(size: Bytes, live: IntervalSet<Point>) -> Self {
        Self {
            bytes: Interval::new(Bytes::ZERO, size),
            live,
        }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn size(&self) -> Bytes {
        let size = self.bytes.end.checked_sub(self.bytes.start);
        size.unwrap_or_default()
    }

    /// Returns the points at which any of `parts` is live.
    #[must_use]
    pub fn union_of(parts: &[Self]) -> IntervalSet<Point> {
        match parts {
            [only] => only.live.clone(),
            _ => parts.iter().flat_map(|part| part.live.iter()).collect(),
        }
    }
}

impl Item {
    /// Creates the only slot of a buffer, without a fixed offset.
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

    /// Returns the points at which any byte is live.
    #[must_use]
    pub fn live(&self) -> IntervalSet<Point> {
        Part::union_of(&self.parts)
    }

    /// Returns the interval from the first to the last point at which any byte is live; `None` if
    /// no byte is ever live.
    #[must_use]
    pub fn hull(&self) -> Option<Interval<Point>> {
        let hulls = self.parts.iter().filter_map(|part| part.live.hull());
        hulls.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end)))
    }

    /// Whether all bytes have the same lifetime.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(&self.parts[..], [part] if part.bytes == Interval::new(Bytes::ZERO, self.size))
    }
}

/// A static planning problem: one level, known lifetimes.
///
/// Two items *conflict* if parts of both are live at a common point, or if the pair is in
/// `conflicts`, unless the two are aliases. Conflicting items share no address unless `reuses`
/// permits it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Problem {
    /// Items, in the order of their buffers.
    pub items: Vec<Item>,
    /// Available bytes; `None`: unbounded.
    pub capacity: Option<Bytes>,
    /// Addresses that no item may occupy at any time. They do not count towards the peak.
    pub reserved: Vec<Interval<Bytes>>,
    /// Pairs of items, by index, that conflict as a whole even if no point has both live: steps on
    /// different cores are only partially ordered, which lifetimes in layout order cannot express.
    /// An item that is never live conflicts with no other.
    pub conflicts: Vec<(usize, usize)>,
    /// Groups of items, by index, that are the same storage: all items of a group get the same
    /// offset and may share bytes.
    pub aliases: Vec<Vec<usize>>,
    /// Pairs in which a result may take over the bytes of an operand.
    pub reuses: Vec<Reuse>,
    /// Pairs that should preferably not share addresses.
    pub penalties: Vec<Penalty>,
}

/// Reuse in place: two conflicting items may nevertheless have the same offset, because the step at
/// which both are live reads each byte of the operand before it writes the same byte of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reuse {
    /// Index of the operand.
    pub operand: usize,
    /// Index of the result.
    pub result: usize,
}

/// The cost of letting two items that do not conflict share an address, such as a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Penalty {
    /// Index of one item.
    pub first: usize,
    /// Index of the other item.
    pub second: usize,
    /// Cost, in a unit chosen by the caller for all penalties.
    pub cost: u64,
}

impl Problem {
    /// Creates a problem of items and lifetimes only.
    #[must_use]
    pub fn of_items(items: Vec<Item>) -> Self {
        Self {
            items,
            ..Self::default()
        }
    }

    /// Whether lifetimes are the only constraint on offsets.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.reserved.is_empty()
            && self.conflicts.is_empty()
            && self.aliases.is_empty()
            && self.reuses.is_empty()
            && self.items.iter().all(|item| item.fixed.is_none())
    }

    /// Returns the alignment that the arena needs: the largest alignment of an item.
    #[must_use]
    pub fn alignment(&self) -> Bytes {
        let alignments = self.items.iter().map(|item| item.alignment);
        alignments.max().unwrap_or(Bytes::new(1))
    }
}

/// Address of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The buffer.
    pub buffer: BufferId,
    /// Number of the slot.
    pub slot: u32,
    /// Offset from the start of the arena, in bytes.
    pub offset: Bytes,
}

/// A solution of a [`Problem`], with claims about its quality; `mem-check` recomputes the claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Name of the strategy that produced it.
    pub strategy: String,
    /// One placement per item, in the problem's order.
    pub placements: Vec<Placement>,
    /// End of the highest placement: the size of the arena in bytes.
    pub peak: Bytes,
    /// Largest number of bytes live at one point: a lower bound on the peak of every plan without
    /// transfers. Aliases count once. A result that may take over an operand's bytes counts only
    /// with the bytes beyond the operand's size while the operand is live.
    pub lower_bound: Bytes,
    /// Best proven lower bound on the peak of every plan without transfers; at least `lower_bound`.
    pub proven_bound: Bytes,
}

impl Plan {
    /// Whether the peak is proven optimal.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.peak <= self.proven_bound
    }
}

/// The run-time choice of a slot, which code generated for an allocating step must perform if the
/// buffer has several slots. The new instance takes the first slot that overlaps no storage denoted
/// by a name in `avoid` at that moment. A name can denote a view, so its address is compared with
/// the whole range of the slot.
///
/// The analysis guarantees more slots than names in `avoid`, so a free slot always exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The allocating step.
    pub step: StepId,
    /// The buffer of which the step creates a new instance.
    pub buffer: BufferId,
    /// Names that may denote older instances of `buffer` and are accessed later, in ascending
    /// order. Their values are those before the step binds any merge.
    pub avoid: Vec<PointerId>,
}

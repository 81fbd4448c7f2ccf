//! Errors of the planner.

use mem_model::{BufferId, Bytes, Item, Plan, Point};

/// Why a problem has no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The arena would be larger than the level.
    #[error(transparent)]
    NoFit(Box<NoFit>),
    /// Offsets are signed 64-bit numbers; the sizes add up to more.
    #[error("sizes add up to more than 2^63-1 bytes")]
    Overflow,
    /// Addresses are rounded up by masking, which requires powers of two.
    #[error("alignment {0} is not a power of two")]
    Alignment(Bytes),
    /// Two conflicting items are fixed at overlapping addresses.
    #[error("{} and {} are fixed at addresses that overlap, and conflict", .0[0], .0[1])]
    Clash(Box<[Occupant; 2]>),
    /// An item cannot be placed at its fixed offset.
    #[error("{0} cannot be there: {1}")]
    Misplaced(Box<Occupant>, Misplaced),
}

/// Why an item cannot be placed at its fixed offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// The offset is not a multiple of the item's alignment, in bytes.
    #[error("that is no multiple of its alignment of {0}")]
    Alignment(Bytes),
    /// The item overlaps a reserved region, given as `[start, end)`.
    #[error("bytes {0} to {1} are reserved")]
    Reserved(Bytes, Bytes),
    /// An alias of the item is fixed at another offset.
    #[error("it is an alias of {0}, which has to be at {1}")]
    Alias(BufferId, Bytes),
}

/// The memory map of a plan that exceeds the capacity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{needed} bytes are needed at {point}, {missing} more than the capacity of {capacity}{}",
    if *.is_proven { "" } else { " (another strategy may need fewer)" }
)]
pub struct NoFit {
    /// Bytes available.
    pub capacity: Bytes,
    /// Bytes needed: the lower bound if that exceeds the capacity, otherwise the peak of `plan`.
    pub needed: Bytes,
    /// `needed` minus `capacity`.
    pub missing: Bytes,
    /// Whether it is proven that no plan fits.
    pub is_proven: bool,
    /// Whether the bytes live at `point` alone exceed the capacity.
    pub is_live_sum: bool,
    /// Point at which that many bytes are needed.
    pub point: Point,
    /// Items to report, in ascending order of offset: those live at `point`, or a set that provably
    /// does not fit together if the search found one.
    pub live: Vec<Occupant>,
    /// The best plan found.
    pub plan: Plan,
}

/// An item in a memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The buffer.
    pub buffer: BufferId,
    /// Index of the buffer's slot.
    pub slot: u32,
    /// Size in bytes.
    pub size: Bytes,
    /// Offset in bytes from the start of the arena.
    pub offset: Bytes,
}

impl Occupant {
    pub(crate) fn of(item: &Item, offset: Bytes) -> Self {
        Self {
            buffer: item.buffer,
            slot: item.slot,
            size: item.size,
            offset,
        }
    }
}

impl std::fmt::Display for Occupant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            buffer,
            offset,
            size,
            ..
        } = self;
        write!(f, "{buffer} ({size} bytes at {offset})")
    }
}

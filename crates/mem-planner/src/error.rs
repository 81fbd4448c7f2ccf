//! Why there is no plan.

use mem_model::{BufferId, Bytes, Item, Plan, Point};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The arena would be larger than the level.
    #[error(transparent)]
    NoFit(Box<NoFit>),
    /// Offsets are signed 64-bit numbers; these sizes do not add up to one.
    #[error("sizes add up to more than 2^63-1 bytes")]
    Overflow,
    /// Addresses are rounded up by masking.
    #[error("alignment {0} is not a power of two")]
    Alignment(Bytes),
    /// Two items conflict, and have to be where they share an address.
    #[error("{} and {} are fixed at addresses that overlap, and conflict", .0[0], .0[1])]
    Clash(Box<[Occupant; 2]>),
    /// An item cannot be where it has to be.
    #[error("{0} cannot be there: {1}")]
    Misplaced(Box<Occupant>, Misplaced),
}

/// Why an item cannot be where it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// Its alignment.
    #[error("that is no multiple of its alignment of {0}")]
    Alignment(Bytes),
    /// A reserved region.
    #[error("bytes {0} to {1} are reserved")]
    Reserved(Bytes, Bytes),
    /// An alias that has to be elsewhere.
    #[error("it is an alias of {0}, which has to be at {1}")]
    Alias(BufferId, Bytes),
}

/// Who holds which bytes where a plan does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{needed} bytes are needed at {point}, {missing} more than the capacity of {capacity}{}",
    if *.is_proven { "" } else { " (another strategy may need fewer)" }
)]
pub struct NoFit {
    /// Bytes available.
    pub capacity: Bytes,
    /// Bytes needed: the lower bound if that exceeds the capacity, or else the plan's peak.
    pub needed: Bytes,
    /// `needed` less `capacity`.
    pub missing: Bytes,
    /// Whether no plan whatsoever fits.
    pub is_proven: bool,
    /// Whether more bytes are live at `point` than there are.
    pub is_live_sum: bool,
    /// Where that many bytes are needed.
    pub point: Point,
    /// The items that are live there, by offset; or those that do not fit together, if a search has
    /// proven that.
    pub live: Vec<Occupant>,
    /// The best plan there is.
    pub plan: Plan,
}

/// An item in a memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The buffer.
    pub buffer: BufferId,
    /// Which of its slots.
    pub slot: u32,
    /// Its size in bytes.
    pub size: Bytes,
    /// Where it is to be, in bytes from the start of the arena.
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

//! Checkers for plans. They share no code with what they check, neither data-flow analysis nor
//! planners.
//!
//! * [`check_plan`] checks addresses against lifetimes: the contract of every packing algorithm.
//! * [`check_program_plan`] checks addresses against the program itself. It ignores lifetimes, so
//!   it also detects a lifetime that is too short.
//! * [`check_relative_plan`] checks plans for sizes known only at run time.
//! * [`check_level_plan`] checks where tensors reside in a hierarchy at each step, and the cost.
//! * [`check_levels`] checks programs that keep tensors at several sites and transfer them.
//! * [`check_order`] checks an order of execution, and its peak.
//! * [`check_tiles`] checks operations that are executed tile by tile.

#![forbid(unsafe_code)]

mod content;
mod cores;
mod level_cost;
mod level_plan;
mod levels;
mod order;
mod packing;
mod relative;
mod tiles;

pub use content::check_program_plan;
pub use level_plan::{LevelError, check_level_plan};
pub use levels::{Levels, Residence, TransferKind, check_levels};
pub use order::{OrderError, check_order, order_peak};
pub use packing::check_plan;
pub use relative::check_relative_plan;
pub use tiles::{TileError, TileRows, TileStep, TileStorage, check_tiles};

use mem_model::{BufferId, Bytes, Interval, Point, PointerId, StepId};

/// Maximum number of violations reported for one plan.
pub const MAX_VIOLATIONS: usize = 20;

/// The plan is invalid and must not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", join(violations))]
#[non_exhaustive]
pub struct CheckError {
    /// The violations: at least one, at most [`MAX_VIOLATIONS`].
    pub violations: Vec<Violation>,
}

impl CheckError {
    fn result(mut violations: Vec<Violation>) -> Result<(), Self> {
        violations.truncate(MAX_VIOLATIONS);
        if violations.is_empty() {
            Ok(())
        } else {
            Err(Self { violations })
        }
    }
}

fn join(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    lines.join("; ")
}

/// A slot of a buffer, as named in messages: `b3`, or `b3.1` for slots other than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The buffer.
    pub buffer: BufferId,
    /// Number of the slot.
    pub slot: u32,
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.slot {
            0 => write!(f, "{}", self.buffer),
            slot => write!(f, "{}.{slot}", self.buffer),
        }
    }
}

/// A violation of a plan's contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The number of placements differs from the number of items.
    #[error("{n_items} items have {n_placements} placements")]
    Count {
        /// Number of items in the problem.
        n_items: usize,
        /// Number of placements in the plan.
        n_placements: usize,
    },
    /// Placements must be in the order of the items.
    #[error("placement {index} is of {found}, item {index} is {wanted}")]
    Identity {
        /// Position in both lists.
        index: usize,
        /// The item.
        wanted: Slot,
        /// The slot that is placed instead.
        found: Slot,
    },
    /// The parts of an item must be ascending, disjoint and within the item.
    #[error("the parts of {0} are not in order, overlap or end beyond it")]
    Parts(Slot),
    /// The offset of an item is not a multiple of its alignment.
    #[error("{item} at offset {offset} is not aligned to {alignment}")]
    Alignment {
        /// The item.
        item: Slot,
        /// Offset of the item.
        offset: Bytes,
        /// Required alignment.
        alignment: Bytes,
    },
    /// The end of an item does not fit in an address.
    #[error("{item} at offset {offset} ends beyond 2^64")]
    Overflow {
        /// The item.
        item: Slot,
        /// Offset of the item.
        offset: Bytes,
    },
    /// Two items that are live at a common point share bytes.
    #[error("{first} and {second} share bytes from {offset} on and are both live at {point}")]
    Overlap {
        /// The item that became live first, or the one with the smaller index.
        first: Slot,
        /// The other item.
        second: Slot,
        /// First common byte.
        offset: Bytes,
        /// Point at which both are live.
        point: Point,
    },
    /// An item with a fixed offset is placed elsewhere.
    #[error("{item} is at offset {offset}, but fixed at {wanted}")]
    Moved {
        /// The item.
        item: Slot,
        /// Offset of the item.
        offset: Bytes,
        /// Required offset.
        wanted: Bytes,
    },
    /// An item occupies reserved addresses.
    #[error("{item} at offset {offset} has addresses of {}..{} that are reserved", region.start, region.end)]
    Reserved {
        /// The item.
        item: Slot,
        /// Offset of the item.
        offset: Bytes,
        /// The reserved addresses.
        region: Interval<Bytes>,
    },
    /// Two items share bytes although an explicit conflict forbids it.
    #[error("{first} and {second} share bytes from {offset} on, and conflict")]
    Conflict {
        /// One item.
        first: Slot,
        /// The other item.
        second: Slot,
        /// First common byte.
        offset: Bytes,
    },
    /// Two aliases, which are one storage, have different addresses.
    #[error("{first} and {second} are aliases, and are apart")]
    Apart {
        /// One item.
        first: Slot,
        /// The other item.
        second: Slot,
    },
    /// The claimed peak is not the end of the highest item. The arena has the size of the peak: too
    /// small a peak corrupts memory, too large a peak wastes it.
    #[error("the plan claims a peak of {claimed}, its highest address is {actual}")]
    Peak {
        /// Peak according to the plan.
        claimed: Bytes,
        /// End of the highest item.
        actual: Bytes,
    },
    /// The peak exceeds the capacity.
    #[error("the highest address is {peak}, the capacity {capacity}")]
    Capacity {
        /// End of the highest item.
        peak: Bytes,
        /// Available bytes.
        capacity: Bytes,
    },
    /// The claimed lower bound is wrong. Users rely on it to judge the quality of a plan.
    #[error("the plan claims a lower bound of {claimed}, recomputed it is {actual}")]
    LowerBound {
        /// Lower bound according to the plan.
        claimed: Bytes,
        /// Largest number of bytes live at one point.
        actual: Bytes,
    },
    /// The claimed proven bound is above the plan's own peak, or below its lower bound.
    #[error("the plan claims that no peak is below {claimed}; its own is {peak}")]
    ProvenBound {
        /// Proven bound according to the plan.
        claimed: Bytes,
        /// Peak of the plan.
        peak: Bytes,
    },
    /// Two conflicting items are unordered, so that they share bytes for some sizes.
    #[error("{first} and {second} conflict, and neither is above the other")]
    Unordered {
        /// One item.
        first: Slot,
        /// The other item.
        second: Slot,
    },
    /// Offsets cannot be computed in the given order.
    #[error("an item has no place, or is above one that has none yet")]
    Order,
    /// A placement of a buffer that is not the planner's to place, or does not exist.
    #[error("{0} is placed, but it is not the planner's, or it does not exist")]
    Unknown(Slot),
    /// The slots of a buffer must be numbered 0, 1, … without gaps, and must not overlap.
    #[error("the slots of {0} are not numbered in order, or overlap")]
    Slots(BufferId),
    /// A rotation must avoid so many names that all slots may be taken.
    #[error("step {step} must keep {buffer} away from {n_names} names with only {n_slots} slots")]
    TooFewSlots {
        /// The allocating step.
        step: StepId,
        /// The buffer.
        buffer: BufferId,
        /// Number of names to avoid.
        n_names: usize,
        /// Number of slots.
        n_slots: usize,
    },
    /// A step may read bytes that another step has overwritten with something else.
    #[error(
        "step {reader} reads {buffer} through {pointer}, but step {clobberer} may have written \
         {written} over it"
    )]
    Clobbered {
        /// The reading step.
        reader: StepId,
        /// Pointer through which it reads.
        pointer: PointerId,
        /// Buffer that it reads.
        buffer: BufferId,
        /// The overwriting step.
        clobberer: StepId,
        /// Buffer that it writes; equal to `buffer` if it writes another instance.
        written: BufferId,
    },
    /// Two unordered steps on different cores touch a common address: a race.
    #[error(
        "steps {first} and {second} may run at the same time on different cores, and {buffer} of the one shares \
         bytes with {other} of the other"
    )]
    Concurrent {
        /// The step that comes first in layout order.
        first: StepId,
        /// The other step.
        second: StepId,
        /// Buffer that the first step touches.
        buffer: BufferId,
        /// Buffer that the other step touches; equal to `buffer` if it touches another instance.
        other: BufferId,
    },
    /// A step reads bytes of a site that may differ from those of the tensor.
    #[error("step {reader} reads {buffer}, whose bytes {}..{} are stale since step {since}", bytes.start, bytes.end)]
    Stale {
        /// The reading step.
        reader: StepId,
        /// Buffer at the stale site.
        buffer: BufferId,
        /// The step that changed the tensor elsewhere, or overwrote the site.
        since: StepId,
        /// Some of the stale bytes, relative to the start of the tensor.
        bytes: Interval<Bytes>,
    },
    /// A step reads storage by another name, which may alias a home that is not up to date.
    #[error("step {reader} reads {through}, which may be {buffer}, whose bytes {}..{} are stale since step {since}", bytes.start, bytes.end)]
    StaleElsewhere {
        /// The reading step.
        reader: StepId,
        /// Buffer that it reads.
        through: BufferId,
        /// Home that `through` may alias.
        buffer: BufferId,
        /// The step that changed the tensor elsewhere.
        since: StepId,
        /// Some of the stale bytes, relative to the start of the tensor.
        bytes: Interval<Bytes>,
    },
    /// An operand overlaps a result, and the operation may write before it reads.
    #[error("step {step} may write {result} over {operand} before it has read that")]
    OperandOverwritten {
        /// The step.
        step: StepId,
        /// Buffer that it reads.
        operand: BufferId,
        /// Overlapping buffer that it writes.
        result: BufferId,
    },
    /// Operand and result may be the same bytes in the original program, but not in the plan. The
    /// original may then read what it has just written; the planned program cannot.
    #[error(
        "step {step} reads {operand} and writes {result}, which may be the same bytes in the original program"
    )]
    Torn {
        /// The step.
        step: StepId,
        /// Buffer that it reads.
        operand: BufferId,
        /// Buffer that it writes.
        result: BufferId,
    },
    /// The source and the destination of a transfer overlap, and the order of copying is unknown.
    #[error("the transfer of step {step} copies {from} to {to}, which have common bytes")]
    TransferOverlap {
        /// The step.
        step: StepId,
        /// Source buffer.
        from: BufferId,
        /// Destination buffer.
        to: BufferId,
    },
    /// A step touches bytes of a transfer in flight.
    #[error(
        "step {step} touches bytes of {locked} through {buffer} before the transfer of step {transfer} is waited for"
    )]
    InFlight {
        /// The step.
        step: StepId,
        /// Buffer that it touches.
        buffer: BufferId,
        /// The end of the transfer that the bytes belong to.
        locked: BufferId,
        /// The step that issues the transfer.
        transfer: StepId,
    },
    /// Some path never waits for a transfer.
    #[error("the transfer of step {step} may never be waited for")]
    NeverAwaited {
        /// The step that issues the transfer.
        step: StepId,
    },
    /// Storage that is visible to callers is stale when the function returns.
    #[error("{buffer} is not up to date when the function returns, since step {since}")]
    NotWrittenBack {
        /// Buffer that callers can see.
        buffer: BufferId,
        /// The step that changed the tensor elsewhere.
        since: StepId,
    },
    /// A recomputation may yield another result than the original computation.
    #[error("step {step} repeats step {original}, whose operands may have changed since")]
    Recomputed {
        /// The recomputing step.
        step: StepId,
        /// The original step.
        original: StepId,
        /// The changed operand, if that is the reason.
        lapse: Option<Lapse>,
    },
}

/// An operand of a step that may have changed since the step ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// The tensor, by the caller's number.
    pub tensor: u32,
    /// The step that may have written it.
    pub by: StepId,
    /// External buffer that the step wrote, if that may only alias the tensor's storage.
    pub through: Option<BufferId>,
}

//! Checks of plans, sharing nothing with what makes them: neither data-flow nor planner code.
//!
//! [`check_plan`] checks addresses against lifetimes: what any packing algorithm owes.
//! [`check_program_plan`] checks addresses against the program itself, without lifetimes, so that
//! it also finds a lifetime that is too short.
//! [`check_relative_plan`] checks plans for sizes that are not known yet.
//! [`check_level_plan`] checks where tensors are when, over several levels, and what that costs.
//! [`check_levels`] checks programs that keep tensors in several places, and move them.

#![forbid(unsafe_code)]

mod content;
mod cores;
mod level_plan;
mod levels;
mod packing;
mod relative;

pub use content::check_program_plan;
pub use level_plan::{LevelError, check_level_plan};
pub use levels::{Levels, Residence, TransferKind, check_levels};
pub use packing::check_plan;
pub use relative::check_relative_plan;

use mem_model::{BufferId, Bytes, Interval, Point, PointerId, StepId};

/// Most violations that are reported of one plan.
pub const MAX_VIOLATIONS: usize = 20;

/// A plan that must not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", join(violations))]
#[non_exhaustive]
pub struct CheckError {
    /// What is wrong with it: at least one, at most [`MAX_VIOLATIONS`].
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

/// A slot of a buffer, as messages name it: `b3`, or `b3.1` for slots other than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The buffer.
    pub buffer: BufferId,
    /// Which of its slots.
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

/// Something that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Every item has one placement.
    #[error("{n_items} items have {n_placements} placements")]
    Count {
        /// Items of the problem.
        n_items: usize,
        /// Placements of the plan.
        n_placements: usize,
    },
    /// Placements come in the order of the items.
    #[error("placement {index} is of {found}, item {index} is {wanted}")]
    Identity {
        /// Position in both lists.
        index: usize,
        /// The item.
        wanted: Slot,
        /// What is placed.
        found: Slot,
    },
    /// Parts of an item are disjoint, ascending and inside of it.
    #[error("the parts of {0} are not in order, overlap or end beyond it")]
    Parts(Slot),
    /// The hardware, or vector code, would fault.
    #[error("{item} at offset {offset} is not aligned to {alignment}")]
    Alignment {
        /// The item.
        item: Slot,
        /// Its offset.
        offset: Bytes,
        /// What that must be a multiple of.
        alignment: Bytes,
    },
    /// Its end is not an address.
    #[error("{item} at offset {offset} ends beyond 2^64")]
    Overflow {
        /// The item.
        item: Slot,
        /// Its offset.
        offset: Bytes,
    },
    /// Two items that are live at once share bytes.
    #[error("{first} and {second} share bytes from {offset} on and are both live at {point}")]
    Overlap {
        /// The item that was live before, or has the smaller id.
        first: Slot,
        /// The other.
        second: Slot,
        /// Where.
        offset: Bytes,
        /// When.
        point: Point,
    },
    /// Something outside relies on its address.
    #[error("{item} is at offset {offset}, but fixed at {wanted}")]
    Moved {
        /// The item.
        item: Slot,
        /// Its offset.
        offset: Bytes,
        /// What that has to be.
        wanted: Bytes,
    },
    /// The addresses are somebody else's.
    #[error("{item} at offset {offset} has addresses of {}..{} that are reserved", region.start, region.end)]
    Reserved {
        /// The item.
        item: Slot,
        /// Its offset.
        offset: Bytes,
        /// The reserved addresses.
        region: Interval<Bytes>,
    },
    /// Two items that conflict, though never live at a common point, share bytes.
    #[error("{first} and {second} share bytes from {offset} on, and conflict")]
    Conflict {
        /// One item.
        first: Slot,
        /// The other.
        second: Slot,
        /// Where.
        offset: Bytes,
    },
    /// Two names of one storage have different addresses.
    #[error("{first} and {second} are aliases, and are apart")]
    Apart {
        /// One item.
        first: Slot,
        /// The other.
        second: Slot,
    },
    /// Arenas are as large as the peak says: too small is memory corruption, too large is waste.
    #[error("the plan claims a peak of {claimed}, its highest address is {actual}")]
    Peak {
        /// What the plan says.
        claimed: Bytes,
        /// The highest end of an item.
        actual: Bytes,
    },
    /// The level has no such addresses.
    #[error("the highest address is {peak}, the capacity {capacity}")]
    Capacity {
        /// The highest end of an item.
        peak: Bytes,
        /// Bytes there are.
        capacity: Bytes,
    },
    /// People trust it to tell how good a plan is.
    #[error("the plan claims a lower bound of {claimed}, recomputed it is {actual}")]
    LowerBound {
        /// What the plan says.
        claimed: Bytes,
        /// The largest number of live bytes.
        actual: Bytes,
    },
    /// Nobody can have proven what this plan refutes, or less than what lifetimes show.
    #[error("the plan claims that no peak is below {claimed}; its own is {peak}")]
    ProvenBound {
        /// What the plan says.
        claimed: Bytes,
        /// Its peak.
        peak: Bytes,
    },
    /// Sizes may turn out such that they share bytes.
    #[error("{first} and {second} conflict, and neither is above the other")]
    Unordered {
        /// One item.
        first: Slot,
        /// The other.
        second: Slot,
    },
    /// Offsets cannot be computed one after the other.
    #[error("an item has no place, or is above one that has none yet")]
    Order,
    /// A placement of something that is not to be placed.
    #[error("{0} is placed, but it is not the planner's, or it does not exist")]
    Unknown(Slot),
    /// The slots of a buffer are 0, 1, … without gaps, and share no bytes.
    #[error("the slots of {0} are not numbered in order, or overlap")]
    Slots(BufferId),
    /// At a rotation every slot can be taken.
    #[error("step {step} must keep {buffer} away from {n_names} names with only {n_slots} slots")]
    TooFewSlots {
        /// The allocating step.
        step: StepId,
        /// The buffer.
        buffer: BufferId,
        /// Names to keep away from.
        n_names: usize,
        /// Slots there are.
        n_slots: usize,
    },
    /// A step may read bytes that another step wrote for something else.
    #[error(
        "step {reader} reads {buffer} through {pointer}, but step {clobberer} may have written \
         {written} over it"
    )]
    Clobbered {
        /// The step that reads.
        reader: StepId,
        /// Through what.
        pointer: PointerId,
        /// What it reads.
        buffer: BufferId,
        /// The step that wrote.
        clobberer: StepId,
        /// What that wrote; the same as `buffer` if it was another instance.
        written: BufferId,
    },
    /// Nobody knows who is first.
    #[error(
        "steps {first} and {second} may run at the same time on different cores, and {buffer} of the one shares \
         bytes with {other} of the other"
    )]
    Concurrent {
        /// The step that comes first in the program.
        first: StepId,
        /// The other.
        second: StepId,
        /// What the first touches.
        buffer: BufferId,
        /// What the other touches; the same as `buffer` if it is another instance.
        other: BufferId,
    },
    /// A place does not hold what the tensor holds.
    #[error("step {reader} reads {buffer}, whose bytes {}..{} are stale since step {since}", bytes.start, bytes.end)]
    Stale {
        /// The step that reads.
        reader: StepId,
        /// The place.
        buffer: BufferId,
        /// What changed the tensor elsewhere, or the place.
        since: StepId,
        /// Some of these bytes, of the tensor.
        bytes: Interval<Bytes>,
    },
    /// Code that finds its storage by another name does not find the newest bytes.
    #[error("step {reader} reads {through}, which may be {buffer}, whose bytes {}..{} are stale since step {since}", bytes.start, bytes.end)]
    StaleElsewhere {
        /// The step that reads.
        reader: StepId,
        /// By what name.
        through: BufferId,
        /// What that may be.
        buffer: BufferId,
        /// What changed the tensor elsewhere.
        since: StepId,
        /// Some of these bytes, of the tensor.
        bytes: Interval<Bytes>,
    },
    /// In which order an operation reads and writes is not known.
    #[error("step {step} may write {result} over {operand} before it has read that")]
    OperandOverwritten {
        /// The step.
        step: StepId,
        /// What it reads.
        operand: BufferId,
        /// What it writes there.
        result: BufferId,
    },
    /// The original may read what it has just written; the planned program cannot.
    #[error(
        "step {step} reads {operand} and writes {result}, which may be the same bytes in the original program"
    )]
    Torn {
        /// The step.
        step: StepId,
        /// What it reads.
        operand: BufferId,
        /// What it writes.
        result: BufferId,
    },
    /// In which order a transfer copies bytes is not known.
    #[error("the transfer of step {step} copies {from} to {to}, which have common bytes")]
    TransferOverlap {
        /// The step.
        step: StepId,
        /// What it reads.
        from: BufferId,
        /// What it writes.
        to: BufferId,
    },
    /// Bytes are touched while they are on their way.
    #[error(
        "step {step} touches bytes of {locked} through {buffer} before the transfer of step {transfer} is waited for"
    )]
    InFlight {
        /// The step.
        step: StepId,
        /// What it touches.
        buffer: BufferId,
        /// Which end of the transfer those bytes are.
        locked: BufferId,
        /// Where the transfer starts.
        transfer: StepId,
    },
    /// Nobody waits for a transfer.
    #[error("the transfer of step {step} may never be waited for")]
    NeverAwaited {
        /// Where it starts.
        step: StepId,
    },
    /// Others see something else than the result.
    #[error("{buffer} is not up to date when the function returns, since step {since}")]
    NotWrittenBack {
        /// What others can see.
        buffer: BufferId,
        /// What changed the tensor elsewhere.
        since: StepId,
    },
    /// To compute something again may yield something else.
    #[error("step {step} repeats step {original}, whose operands may have changed since")]
    Recomputed {
        /// The step.
        step: StepId,
        /// What it repeats.
        original: StepId,
        /// Why that would come out differently, if it is because of an operand.
        lapse: Option<Lapse>,
    },
}

/// An operand of a step that is not what it was when the step ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// The tensor, by the caller's number.
    pub tensor: u32,
    /// The step that may have written it.
    pub by: StepId,
    /// What that wrote, if it is storage that only may be the tensor's.
    pub through: Option<BufferId>,
}

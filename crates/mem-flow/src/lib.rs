//! Content lifetimes: when the bytes of each buffer matter.
//!
//! # Definitions
//!
//! A *name* is a pointer of the program: the address of a buffer, or a merge. A buffer that is
//! allocated in a loop has *instances*, one for each time its allocating step ran; the buffer's
//! own name denotes the newest, merges can denote older ones.
//!
//! A name is *live* where some path leads from it to a read through it, or through a name bound
//! from it, before a definition through it that is sure to cover all it reaches. A buffer is
//! *occupied* at a point if a live name may denote an instance of it that may be defined there,
//! where a step writes it (a dead write destroys bytes, too), and where a step reads it.
//! Operands are kept until the late point of the step; where a result may take over an operand's bytes
//! all the same is listed apart.
//!
//! # Guarantees
//!
//! If no two buffers overlap in memory at a point where both are occupied, and instances of one
//! buffer get their slots as its [`Rotation`]s say, every read of defined bytes sees what it would
//! see if each instance had memory of its own. Control flow may be arbitrary: nested and
//! irreducible loops, infinite loops, unreachable blocks.
//!
//! # Not claimed
//!
//! Bytes are told apart where accesses begin and end, but not in buffers that merges denote: there,
//! partial definitions never end a lifetime. Paths are not correlated, and which of several older
//! instances a name denotes is not known. What a merge reaches must lie within what its
//! sources reach, as it does for every chain of views.
//!
//! # Complexity
//!
//! Straight-line code is near-linear in steps and accesses. With `B` blocks and `N` names there
//! are `B × N` bits, and as many passes over the steps as loops are nested, plus two.

#![forbid(unsafe_code)]

pub mod dependence;
pub mod graph;

mod conflicts;
mod content;
mod cores;
mod cut;
mod effects;
mod in_place;
mod instances;
mod levels;
mod occupancy;
mod reach;
mod slots;

pub use conflicts::{conflicts, problem, relate};
pub use levels::{LevelContext, LevelExtract, TensorOrigin, level_problem};

use mem_model::{BufferId, IntervalSet, Part, Point, Program, ProgramError, Rotation, StepId};

/// Most names that the allocation of one instance can be kept away from.
pub const MAX_AVOIDED_NAMES: usize = 8;

/// When the bytes of each buffer matter, and how many copies of it that takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// By buffer: the points at which its bytes are occupied, as an [`Item`](mem_model::Item) has
    /// them: never empty, one part without points if the buffer is never accessed.
    pub parts: Vec<Vec<Part>>,
    /// By buffer: how many addresses its instances take turns at. 1, unless it rotates; every
    /// slot has the lifetime of the buffer. 0 for a buffer that is `unplannable`.
    pub slots: Vec<u32>,
    /// What the allocating steps of buffers with several slots must do, by buffer, then step.
    pub rotations: Vec<Rotation>,
    /// Buffers that no fixed number of addresses is known to be enough for.
    pub unplannable: Vec<Unplannable>,
    /// Pairs of buffers, the smaller first, that may be in use at the same time although no point has both
    /// live: steps on different cores.
    pub unordered: Vec<(BufferId, BufferId)>,
    /// Pairs of an operand's buffer and a result's that may take over its bytes, if they have the same
    /// address.
    pub reuses: Vec<(BufferId, BufferId)>,
    /// Buffers whose accesses begin and end at more places than
    /// [`MAX_PIECES`](mem_model::MAX_PIECES) parts can tell apart.
    pub coarse: Vec<BufferId>,
}

impl Lifetimes {
    /// When any byte of `buffer` is occupied.
    #[must_use]
    pub fn live(&self, buffer: BufferId) -> IntervalSet<Point> {
        Part::union_of(&self.parts[buffer.index()])
    }
}

/// A buffer that must be left to a run-time allocator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplannable {
    /// The buffer.
    pub buffer: BufferId,
    /// Why.
    pub reason: UnplannableReason,
}

/// Why a buffer cannot be given addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnplannableReason {
    /// The new instance would have to be compared with too many others, each time.
    #[error(
        "when step {step} allocates it, {n_names} names may still denote older instances, \
         which is more than {MAX_AVOIDED_NAMES}"
    )]
    TooManyNames {
        /// The allocating step.
        step: StepId,
        /// How many names there are.
        n_names: usize,
    },
    /// Lifetimes say nothing of how instances on different cores follow each other.
    #[error("steps on different cores may access two instances of it at the same time")]
    SeveralCores,
}

/// Why there are no lifetimes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// The analysis relies on what validation checks.
    #[error("the program is not well-formed: {0}")]
    Program(#[from] ProgramError),
}

/// Finds out when the bytes of each buffer of `program` matter.
///
/// # Errors
/// If the program is not well-formed.
pub fn analyze_lifetimes(program: &Program) -> Result<Lifetimes, FlowError> {
    program.validate()?;
    let cut = cut::Cut::new(program);
    let flow = reach::Flow::new(&cut.program);
    let effects = effects::effects_of(&cut.program);
    let accessed = reach::accessed_later(&flow, &effects);
    let content = content::live_into_blocks(&flow, &effects);
    let instances = instances::on_entry_to_blocks(&flow, &effects, &accessed);
    let occupancy = occupancy::sweep(&flow, &effects, &content, &instances);
    let mut slots = slots::count_slots(&flow, &effects, &accessed, &occupancy);
    // Pieces have one slot each.
    slots.slots.truncate(program.buffers.len());
    let unordered = cores::unordered(program);
    slots.leave_out(program, &unordered.instances);
    let mut lifetimes = Lifetimes {
        parts: cut.parts(&occupancy.live),
        slots: slots.slots,
        rotations: slots.rotations,
        unplannable: slots.unplannable,
        unordered: unordered.pairs.into_iter().collect(),
        reuses: Vec::new(),
        coarse: cut.coarse,
    };
    lifetimes.reuses = in_place::reuses(program, &lifetimes);
    Ok(lifetimes)
}

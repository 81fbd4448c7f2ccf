//! Content lifetimes: the program points at which the bytes of each buffer matter.
//!
//! # Definitions
//!
//! A *name* is a pointer of the program: the address of a buffer, or a merge. A buffer that is
//! allocated in a loop has one *instance* per execution of its allocating step. The buffer's own
//! name denotes the newest instance; merges can denote older ones.
//!
//! A name is *live* at a point if some path from there reaches a read through the name, or through
//! a name bound from it, before a definition that is guaranteed to overwrite everything the name
//! reaches. A buffer is *occupied* at a point if a live name may denote an instance of it that may
//! have been accessed before: written, or read although it is undefined, as a transfer may do that
//! goes on until a later step. It is also occupied where a step writes it (even a dead write
//! destroys bytes) and where a step reads it. Operands stay occupied until the late point of the step. Results that
//! may take over the bytes of an operand all the same are listed separately, in
//! [`Lifetimes::reuses`].
//!
//! # Guarantees
//!
//! Suppose that no two buffers overlap in memory at a point where both are occupied, that
//! [`Lifetimes::unordered`] pairs never overlap, and that the instances of a buffer get their slots
//! as its [`Rotation`]s prescribe. Then every read of defined bytes sees the value it would see if
//! each instance had memory of its own. Control flow may be arbitrary: nested and irreducible
//! loops, infinite loops, unreachable blocks.
//!
//! # Limitations
//!
//! Byte ranges of a buffer have separate lifetimes, cut where accesses begin and end, unless a
//! merge denotes the buffer: then a partial definition never ends a lifetime. The analysis is
//! path-insensitive, and does not distinguish between the older instances of a buffer. The bytes
//! that a merge reaches must lie within the bytes that its sources reach, as they do in every chain
//! of views.
//!
//! # Complexity
//!
//! Near-linear in steps and accesses for straight-line code. With `B` blocks and `N` names, the
//! analysis keeps `B × N` bits and makes `d + 2` passes over the steps, where `d` is the nesting
//! depth of loops.

#![forbid(unsafe_code)]

pub mod bounds;
pub mod dependence;
pub mod graph;

mod bits;
mod conflicts;
mod contacts;
mod content;
mod cores;
mod cut;
mod denoted;
mod effects;
mod in_place;
mod instances;
mod levels;
mod missed;
mod occupancy;
mod reach;
mod slots;

pub use conflicts::{conflicts, problem, relate};
pub use contacts::contacts;
pub use denoted::Denoted;
pub use levels::{LevelContext, LevelExtract, TensorOrigin, level_problem};
pub use missed::{MissedReuse, Obstacle, missed_reuses};

use std::collections::BTreeMap;

use mem_model::{
    BufferId, IntervalSet, Part, Point, PointerId, Program, ProgramError, Rotation, StepId,
};

/// Maximum number of names that the allocation of one instance can avoid.
pub const MAX_AVOIDED_NAMES: usize = 8;

/// Lifetime and number of slots of each buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// Per buffer: the points at which its bytes are occupied, in the form of an
    /// [`Item`](mem_model::Item). Never empty: a buffer that is never accessed has one part without
    /// points.
    pub parts: Vec<Vec<Part>>,
    /// Per buffer: the number of addresses that its instances rotate through. 1 unless the buffer
    /// rotates; each slot has the lifetime of the buffer. 0 for a buffer that is `unplannable`.
    pub slots: Vec<u32>,
    /// Slot selection rules for the allocating steps of buffers with several slots, ordered by
    /// buffer, then step.
    pub rotations: Vec<Rotation>,
    /// Buffers for which no fixed number of addresses is known to suffice.
    pub unplannable: Vec<Unplannable>,
    /// Pairs of buffers, the smaller first, that steps on different cores may use at the same time,
    /// even if both are live at no common point.
    pub unordered: Vec<(BufferId, BufferId)>,
    /// Pairs `(operand, result)`: the result may take over the operand's bytes if both buffers have
    /// the same address.
    pub reuses: Vec<(BufferId, BufferId)>,
    /// Buffers whose accesses begin and end at more offsets than
    /// [`MAX_PIECES`](mem_model::MAX_PIECES) parts can separate.
    pub coarse: Vec<BufferId>,
}

impl Lifetimes {
    /// The points at which any byte of `buffer` is occupied.
    #[must_use]
    pub fn live(&self, buffer: BufferId) -> IntervalSet<Point> {
        Part::union_of(&self.parts[buffer.index()])
    }

    /// Marks the buffers unplannable whose new instances would have to be kept away from names without
    /// a value that the address of a slot could be compared with. Linear in rotations and reuses.
    pub fn leave_out_nameless(&mut self, is_nameless: impl Fn(PointerId) -> bool) {
        let mut steps = BTreeMap::new();
        for rotation in &self.rotations {
            if rotation.avoid.iter().any(|name| is_nameless(*name)) {
                steps.entry(rotation.buffer).or_insert(rotation.step);
            }
        }
        for (&buffer, &step) in &steps {
            self.slots[buffer.index()] = 0;
            let reason = UnplannableReason::Nameless { step };
            self.unplannable.push(Unplannable { buffer, reason });
        }
        self.rotations
            .retain(|own| !steps.contains_key(&own.buffer));
        self.reuses
            .retain(|(from, to)| !steps.contains_key(from) && !steps.contains_key(to));
    }
}

/// A buffer that must be left to a run-time allocator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplannable {
    /// The buffer.
    pub buffer: BufferId,
    /// The reason.
    pub reason: UnplannableReason,
}

/// Reason why a buffer cannot be given addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnplannableReason {
    /// Each new instance would have to be compared with too many older ones.
    #[error(
        "when step {step} allocates it, {n_names} names may still denote older instances, \
         which is more than {MAX_AVOIDED_NAMES}"
    )]
    TooManyNames {
        /// The allocating step.
        step: StepId,
        /// The number of such names.
        n_names: usize,
    },
    /// A new instance would have to be compared with an older one whose address no value of the
    /// program holds.
    #[error(
        "when step {step} allocates it, a request that is carried without it may access an older instance"
    )]
    Nameless {
        /// The allocating step.
        step: StepId,
    },
    /// Lifetimes do not order the instances that steps on different cores use.
    #[error("steps on different cores may access two instances of it at the same time")]
    SeveralCores,
}

/// Reason why lifetimes could not be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// The program fails the validation that the analysis relies on.
    #[error("the program is not well-formed: {0}")]
    Program(#[from] ProgramError),
}

/// Computes the lifetimes of all buffers of `program`.
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
    // Only buffers that no merge denotes are cut, so each piece has one slot: dropping the slots of
    // additional pieces loses nothing.
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

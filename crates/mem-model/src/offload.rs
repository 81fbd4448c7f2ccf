//! Planning within a memory budget: the input that it takes in addition to a [`LevelProblem`], and
//! the repetitions that it adds to a plan.
//!
//! A *device* runs the program, and a *host* stores tensors that the device has no room for. The
//! budget is what tensors with a home leave of the capacity of the device. A tensor that has to
//! leave the device is copied to the host and back, or dropped and recomputed by repeating the steps
//! that wrote it.
//!
//! [`LevelProblem`]: crate::LevelProblem

use std::collections::{BTreeMap, BTreeSet};

use crate::LevelId;

/// How the planner makes room on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Mixes copies and recomputation for the shortest makespan found.
    #[default]
    Auto,
    /// Copies only, and recomputes nothing.
    Swap,
    /// Recomputes where possible, and copies the rest.
    Recompute,
    /// Recomputes between checkpoints at regular distances.
    Checkpoints,
    /// Evicts the tensor with the farthest next use.
    FarthestNextUse,
}

impl OffloadPolicy {
    /// All policies.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Swap,
        Self::Recompute,
        Self::Checkpoints,
        Self::FarthestNextUse,
    ];

    /// Name of the policy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Swap => "swap",
            Self::Recompute => "recompute",
            Self::Checkpoints => "checkpoints",
            Self::FarthestNextUse => "farthest-next-use",
        }
    }
}

/// Conditions under which a step may be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeatable {
    /// It computes the same results from the same operands, and has no other effects.
    pub is_pure: bool,
    /// First later step that may change an operand without being a writer of that tensor; the step
    /// must not be repeated after that one.
    pub until: Option<usize>,
    /// Pairs of use indices: an operand, and a result that may take over its bytes if the operand
    /// is dead.
    pub in_place: Vec<(usize, usize)>,
}

/// A step that is executed a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repetition {
    /// Step before which it is repeated.
    pub before: usize,
    /// The repeated step, an earlier one.
    pub step: usize,
}

/// Decisions and measurements from outside the planner. Tensors and steps are those of the problem,
/// without repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Tensors that stay on the device from their first use to their last.
    pub stay: BTreeSet<usize>,
    /// Tensors that are on the host whenever no step uses them.
    pub leave: BTreeSet<usize>,
    /// Tensors that are not recomputed.
    pub keep: BTreeSet<usize>,
    /// Prefetch leads in cycles, keyed by tensor and the step that needs it back; a negative lead
    /// delays the copy.
    pub leads: BTreeMap<(usize, usize), i64>,
}

/// The input of planning within a budget, in addition to the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffloadInput {
    /// Level in which every step finds its operands.
    pub device: LevelId,
    /// Level to which tensors are evicted.
    pub host: LevelId,
    /// How to make room.
    pub policy: OffloadPolicy,
    /// Indexed by step.
    pub repeatable: Vec<Repeatable>,
    /// Decisions and measurements.
    pub advice: Advice,
}

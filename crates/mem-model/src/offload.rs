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

use crate::{LevelId, TensorId, UnknownName, named};

/// How the planner makes room on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Mixes swapping and recomputing for the shortest makespan found.
    #[default]
    Auto,
    /// Swaps only, and recomputes nothing.
    Swap,
    /// Minimizes the bytes copied: recomputes where possible, and swaps the rest.
    Recompute,
    /// Keeps every ⌊√n⌋-th of the n tensors that could be dropped, and recomputes those in between
    /// (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016); for comparison.
    Checkpoints,
    /// Evicts the tensor with the farthest next use when there is no room, and brings it back when
    /// it is needed; for comparison.
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

    /// Name of the policy, as parsed by [`FromStr`](std::str::FromStr).
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

impl std::str::FromStr for OffloadPolicy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named("policy", &Self::ALL, Self::name, name)
    }
}

/// A step that is executed a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repetition {
    /// Step before which it is repeated; repetitions before the same step are in execution order.
    pub before: usize,
    /// The repeated step, an earlier one.
    pub step: usize,
}

impl Repetition {
    /// Whether this is a repetition, rather than the step of the program itself.
    #[must_use]
    pub const fn is_again(self) -> bool {
        self.step != self.before
    }
}

/// Conditions under which a step may be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeatable {
    /// It computes the same results from the same operands, and has no other effects.
    pub is_pure: bool,
    /// First later step that may change an operand without being a writer of that tensor, such as a
    /// write through memory that may overlap it: the step must not be repeated after that one.
    pub until: Option<usize>,
    /// Pairs of use indices: an operand, and a result that may take over its bytes if the operand
    /// is dead.
    pub in_place: Vec<(usize, usize)>,
}

/// Decisions and measurements from outside the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Tensors pinned to the device from their first use to their last.
    pub stay: BTreeSet<TensorId>,
    /// Tensors swapped to the host in every gap between uses.
    pub leave: BTreeSet<TensorId>,
    /// Tensors that are not recomputed.
    pub keep: BTreeSet<TensorId>,
    /// Prefetch leads, keyed by tensor and the step that needs it back: cycles by which the copy
    /// back is brought forward; negative values delay it.
    pub leads: BTreeMap<(TensorId, usize), i64>,
}

impl Advice {
    /// Whether the decision for any tensor is restricted.
    #[must_use]
    pub fn has_pins(&self) -> bool {
        !(self.stay.is_empty() && self.leave.is_empty() && self.keep.is_empty())
    }

    /// The same advice for the problem that `mem_planner::repeated` returns: repetitions shift
    /// the numbers of the steps. `repetitions` is sorted by the step before which each runs.
    #[must_use]
    pub fn repeated(&self, repetitions: &[Repetition]) -> Self {
        let shifted = |step: usize| {
            let earlier = repetitions.iter().filter(|own| own.before <= step);
            step + earlier.count()
        };
        let leads = self.leads.iter();
        let leads = leads.map(|((tensor, step), cycles)| ((*tensor, shifted(*step)), *cycles));
        Self {
            leads: leads.collect(),
            ..self.clone()
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_follow_their_steps() {
        let [first, second] = [0, 1].map(TensorId::new);
        let advice = Advice {
            leads: BTreeMap::from([((first, 2), 10), ((first, 5), -3), ((second, 9), 7)]),
            ..Advice::default()
        };
        let again = |before: usize| Repetition { before, step: 0 };
        let repeated = advice.repeated(&[again(3), again(5), again(5)]);
        let expected = BTreeMap::from([((first, 2), 10), ((first, 8), -3), ((second, 12), 7)]);
        assert_eq!(repeated.leads, expected);
    }
}

//! Pins of tensors and prefetch leads, from users or from measurements.

use std::collections::{BTreeSet, HashMap};

use mem_model::LevelProblem;

use super::timetable::Wishes;

/// Decisions and measurements from outside the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Tensors pinned to the device from their first use to their last.
    pub stay: BTreeSet<usize>,
    /// Tensors swapped to the host in every gap between uses.
    pub leave: BTreeSet<usize>,
    /// Tensors that are not recomputed.
    pub keep: BTreeSet<usize>,
    /// Prefetch leads, keyed by tensor and the step that needs it back: cycles by which the copy
    /// back is brought forward; negative values delay it.
    pub leads: HashMap<(usize, usize), i64>,
}

impl Advice {
    /// Whether the decision for any tensor is restricted.
    #[must_use]
    pub fn has_pins(&self) -> bool {
        !(self.stay.is_empty() && self.leave.is_empty() && self.keep.is_empty())
    }

    /// The advice on the tensors of a problem, as timetables need it.
    pub(super) fn wishes(&self, problem: &LevelProblem) -> Wishes {
        let list = |tensors: &BTreeSet<usize>| {
            let all = 0..problem.tensors.len();
            all.map(|tensor| tensors.contains(&tensor)).collect()
        };
        Wishes {
            stays: list(&self.stay),
            leaves: list(&self.leave),
            leads: self.leads.clone(),
        }
    }
}

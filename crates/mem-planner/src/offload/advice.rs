//! Pins of tensors and prefetch leads, from users or from measurements.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::LevelProblem;

use super::repeat::Repetition;
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
    pub leads: BTreeMap<(usize, usize), i64>,
}

impl Advice {
    /// Whether the decision for any tensor is restricted.
    #[must_use]
    pub fn has_pins(&self) -> bool {
        !(self.stay.is_empty() && self.leave.is_empty() && self.keep.is_empty())
    }

    /// The same advice for the problem that [`repeated`](super::repeated) returns: repetitions shift
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_follow_their_steps() {
        let advice = Advice {
            leads: BTreeMap::from([((0, 2), 10), ((0, 5), -3), ((1, 9), 7)]),
            ..Advice::default()
        };
        let again = |before: usize| Repetition { before, step: 0 };
        let repeated = advice.repeated(&[again(3), again(5), again(5)]);
        let expected = BTreeMap::from([((0, 2), 10), ((0, 8), -3), ((1, 12), 7)]);
        assert_eq!(repeated.leads, expected);
    }
}

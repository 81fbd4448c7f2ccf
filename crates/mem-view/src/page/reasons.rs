//! Why tensors are in slow levels and what stalls wait for, grouped: a program of a thousand steps
//! has thousands of explanations, and few reasons.

use std::collections::BTreeMap;

use mem_cost::{Cause, Explanation, Reason, explain};
use mem_model::LevelProblem;

use super::data::{Cases, Group};
use crate::LevelView;
use crate::levels::{explanation_text, grouped};

/// Maximum number of tensors listed for one reason.
const MOST: usize = 100;

/// Kinds of reasons, by the order in which ties are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    TooLarge,
    NoRoom,
    NotAccepted,
    InPlace,
    UsedOnce,
    NotWorthwhile,
    Stall,
}

impl Why {
    fn of(cause: &Cause) -> Self {
        let Cause::Slower { reason, .. } = cause else {
            return Self::Stall;
        };
        match reason {
            Reason::TooLarge { .. } => Self::TooLarge,
            Reason::NoRoom { .. } => Self::NoRoom,
            Reason::NotAccepted => Self::NotAccepted,
            Reason::InPlace => Self::InPlace,
            Reason::UsedOnce => Self::UsedOnce,
            Reason::NotWorthwhile => Self::NotWorthwhile,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::TooLarge => "larger than the level",
            Self::NoRoom => "without room beside more valuable tensors",
            Self::NotAccepted => "not accepted there by a step",
            Self::InPlace => "that have to be used in place",
            Self::UsedOnce => "used only once",
            Self::NotWorthwhile => {
                "whose copy would cost more than it saves, or finds only fragments"
            }
            Self::Stall => "copied while the program waits",
        }
    }
}

/// All explanations of one reason for one tensor.
struct Case<'a> {
    cycles: u64,
    n_steps: usize,
    /// The explanation with the highest cost.
    worst: Explanation,
    problem: &'a LevelProblem,
}

impl Case<'_> {
    fn row(&self) -> (usize, u64, usize, usize, String) {
        let text = explanation_text(&self.worst, self.problem);
        let tensor = self.worst.tensor.index();
        (tensor, self.cycles, self.n_steps, self.worst.step, text)
    }
}

/// Cases by their reason, then by their tensor.
type Kinds<'a> = BTreeMap<Why, BTreeMap<usize, Case<'a>>>;

/// The reasons of a plan in groups: one for each pair of levels, and one for stalls, each in
/// descending order of cycles.
///
/// O(e log e) for e explanations.
pub(super) fn reasons(view: &LevelView<'_>) -> Vec<Group> {
    // By the levels; `None` for stalls.
    let mut groups: BTreeMap<Option<(usize, usize)>, Kinds<'_>> = BTreeMap::new();
    for own in explain(view.problem, view.plan) {
        let levels = match own.cause {
            Cause::Slower { level, best, .. } => Some((level.index(), best.index())),
            Cause::Stall { .. } => None,
        };
        let kinds = groups.entry(levels).or_default();
        let cases = kinds.entry(Why::of(&own.cause)).or_default();
        // Explanations come in descending order of cycles, so the first of a case is the worst.
        let case = cases.entry(own.tensor.index()).or_insert_with(|| Case {
            cycles: 0,
            n_steps: 0,
            worst: own.clone(),
            problem: view.problem,
        });
        case.cycles = case.cycles.saturating_add(own.cycles);
        case.n_steps += 1;
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(levels, kinds)| group(view, levels, kinds))
        .collect();
    groups.sort_by_key(|own| std::cmp::Reverse(own.cycles));
    groups
}

fn group(view: &LevelView<'_>, levels: Option<(usize, usize)>, kinds: Kinds<'_>) -> Group {
    let mut n_tensors: Vec<usize> = kinds.values().flat_map(BTreeMap::keys).copied().collect();
    n_tensors.sort_unstable();
    n_tensors.dedup();
    let n_tensors = n_tensors.len();
    let mut kinds: Vec<Cases> = kinds
        .into_iter()
        .map(|(why, own)| cases(why, own))
        .collect();
    kinds.sort_by_key(|own| std::cmp::Reverse(own.cycles));
    let cycles = kinds
        .iter()
        .fold(0_u64, |sum, own| sum.saturating_add(own.cycles));
    let noun = if n_tensors == 1 { "tensor" } else { "tensors" };
    let name = |level: usize| &view.problem.hierarchy.levels[level].name;
    let title = match levels {
        Some((level, best)) => format!(
            "{n_tensors} {noun} in '{}' at some step rather than in '{}', which costs {} cycles",
            name(level),
            name(best),
            grouped(cycles)
        ),
        None => format!(
            "the program waits {} cycles for copies of {n_tensors} {noun}",
            grouped(cycles)
        ),
    };
    Group {
        title,
        cycles,
        kinds,
    }
}

fn cases(why: Why, cases: BTreeMap<usize, Case<'_>>) -> Cases {
    let n_tensors = cases.len();
    let mut cases: Vec<Case<'_>> = cases.into_values().collect();
    cases.sort_by_key(|own| (std::cmp::Reverse(own.cycles), own.worst.tensor));
    let cycles = cases
        .iter()
        .fold(0_u64, |sum, own| sum.saturating_add(own.cycles));
    Cases {
        title: format!("{n_tensors} {}", why.text()),
        cycles,
        tensors: cases.iter().take(MOST).map(Case::row).collect(),
        more: n_tensors.saturating_sub(MOST),
    }
}

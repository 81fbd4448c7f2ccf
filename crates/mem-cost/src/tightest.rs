//! The step at which each level holds the most bytes, and what holds them.

use std::collections::HashMap;

use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, PlacementId, TensorId};

use crate::occupancy::{Occupancy, taken_over};

/// The contents of a level at its fullest step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tightest {
    /// The level.
    pub level: LevelId,
    /// The first step at which the most bytes are held.
    pub step: usize,
    /// Number of distinct bytes held.
    pub bytes: Bytes,
    /// The tensors that hold the bytes, by ascending address.
    pub map: Vec<Held>,
}

/// A tensor that holds bytes of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// Address of its first byte.
    pub offset: Bytes,
    /// The tensor.
    pub tensor: TensorId,
    /// The operand that the tensor is in place of: both hold the bytes that they have in common.
    pub in_place_of: Option<TensorId>,
}

/// Returns the fullest step of each level that holds anything; see [`Occupancy`]. O(p log p) for p
/// placements, plus the number of accesses.
#[must_use]
pub fn tightest(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Tightest> {
    let levels = (0..problem.hierarchy.levels.len()).map(LevelId::new);
    let of_level = |level: LevelId| {
        let (step, bytes) = Occupancy::new(problem, plan, level).fullest()?;
        Some(Tightest {
            level,
            step,
            bytes,
            map: map(problem, plan, level, step),
        })
    };
    levels.filter_map(of_level).collect()
}

/// Returns the tensors that hold bytes of a level during a step, by ascending address.
fn map(problem: &LevelProblem, plan: &LevelPlan, level: LevelId, step: usize) -> Vec<Held> {
    let mut operands = HashMap::new();
    for (operand, result) in taken_over(problem, plan, step) {
        let [from, to] = [operand, result].map(|id| &plan.placements[id.index()]);
        if from.offset == to.offset {
            operands.insert(result, from.tensor);
        }
    }
    let all = plan.placements.iter().enumerate();
    let at_step = all.filter(|(_, own)| own.level == level && own.steps.contains(step));
    let held = at_step.filter_map(|(index, own)| {
        Some(Held {
            offset: own.offset?,
            tensor: own.tensor,
            in_place_of: operands.get(&PlacementId::new(index)).copied(),
        })
    });
    let mut map: Vec<Held> = held.collect();
    map.sort_unstable();
    map
}

//! The step that needs the most bytes of the device: no plan has a lower peak.

use mem_model::{LevelId, LevelProblem, TensorId};

use super::Advice;
use super::profile::{Profile, shared};
use super::timetable::Wishes;
use crate::levels::LevelNoFit;

/// Bytes of level 0 that the widest step needs after all possible evictions, and the peak of live
/// bytes without any. `None` if level 0 is unbounded, or if steps use tensors outside of it.
/// Linear.
#[must_use]
pub fn widths(problem: &LevelProblem) -> Option<(u64, u64)> {
    let profile = Profile::new(problem)?;
    let none = vec![false; problem.tensors.len()];
    let widest = least(problem, &profile, &none).into_iter().max();
    let widest = widest.unwrap_or(0);
    Some((widest, profile.used.iter().copied().max().unwrap_or(0)))
}

/// The step that needs the most bytes of level 0 after evicting all other tensors: a lower bound on
/// the peak of any plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidestStep {
    /// The first such step.
    pub step: usize,
    /// Bytes that the step needs; results that take over the bytes of operands count once. The last
    /// of its tensors needs no padding.
    pub bytes: u64,
    /// Bytes available in level 0.
    pub capacity: u64,
    /// Tensors that cannot leave, with the bytes that each occupies if another one follows;
    /// ascending by tensor.
    pub tensors: Vec<(TensorId, u64)>,
    /// Operands whose bytes results take over, as (operand, result, bytes).
    pub taken_over: Vec<(TensorId, TensorId, u64)>,
}

/// The widest step, with the tensors that `advice` pins. `None` if level 0 is unbounded, or if
/// steps use tensors outside of it. Linear.
#[must_use]
pub fn widest_step(problem: &LevelProblem, advice: &Advice) -> Option<WidestStep> {
    widest(problem, &Wishes::new(advice, problem).stays)
}

fn widest(problem: &LevelProblem, stays: &[bool]) -> Option<WidestStep> {
    let profile = Profile::new(problem)?;
    let least = least(problem, &profile, stays);
    let steps = least.iter().copied().enumerate();
    let (step, bytes) = steps.max_by_key(|(step, used)| (*used, usize::MAX - step))?;
    let is_there = |tensor: &TensorId| {
        let life = profile.lives[tensor.index()];
        let gaps = profile.gaps_of(*tensor);
        let mut gaps = gaps.map(|gap| &profile.gaps[gap.index()]);
        life.is_some_and(|life| life.contains(step))
            // Even a tensor that must stay has no contents to keep in a dead gap.
            && !gaps.any(|gap| gap.steps.contains(step) && (gap.is_dead || !stays[tensor.index()]))
    };
    let tensors = (0..problem.tensors.len()).map(TensorId::new);
    let tensors = tensors.filter(is_there);
    let tensors = tensors.map(|tensor| (tensor, profile.sizes[tensor.index()]));
    Some(WidestStep {
        step,
        bytes,
        capacity: profile.capacity,
        tensors: tensors.collect(),
        taken_over: shared(problem, &profile.sizes, step),
    })
}

/// Per step: the least bytes that hold the tensors which cannot leave, at any addresses. `stays` is
/// indexed by tensor: it never leaves.
fn least(problem: &LevelProblem, profile: &Profile, stays: &[bool]) -> Vec<u64> {
    let mut least = profile.needed(stays);
    // Only the last tensor needs no padding; which one that is depends on the addresses.
    let mut padding = vec![0; least.len()];
    for (index, life) in profile.lives.iter().enumerate() {
        let own = profile.sizes[index] - problem.tensors[index].size.get();
        let Some(life) = life.filter(|_| own > 0) else {
            continue;
        };
        let gaps = profile.gaps_of(TensorId::new(index));
        let gaps = gaps.map(|gap| &profile.gaps[gap.index()]);
        let absent = gaps.filter(|gap| gap.is_dead || !stays[index]);
        let mut start = life.start;
        let ends = absent.map(|gap| (gap.steps.start, gap.steps.end));
        for (end, next) in ends.chain([(life.end, life.end)]) {
            for padding in &mut padding[start..end] {
                *padding = own.max(*padding);
            }
            start = next;
        }
    }
    for (least, padding) in least.iter_mut().zip(padding) {
        *least = least.saturating_sub(padding);
    }
    least
}

/// Checks that each step has room for the tensors that cannot leave.
///
/// # Errors
/// The widest step, if it does not fit.
pub(super) fn check(problem: &LevelProblem, wishes: &Wishes) -> Result<(), LevelNoFit> {
    let widest = widest(problem, &wishes.stays);
    let Some(widest) = widest.filter(|own| own.bytes > own.capacity) else {
        return Ok(());
    };
    let largest = widest.tensors.iter().max_by_key(|(_, bytes)| *bytes);
    Err(LevelNoFit {
        step: widest.step,
        tensor: largest.map_or(TensorId::new(0), |(tensor, _)| *tensor),
        level: LevelId::DEVICE,
        missing: widest.bytes - widest.capacity,
        alive: widest.tensors.iter().map(|(tensor, _)| *tensor).collect(),
    })
}

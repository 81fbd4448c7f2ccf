//! Local search: what if a tensor were elsewhere for a while?
//!
//! A plan follows from wishes, one for each use of each tensor: where it is used, and where it is until the next one. One wish
//! at a time is changed, and the program planned anew; what is cheaper stays. Sweeps go on until one of them finds nothing, or
//! until the effort is spent: accesses that were planned. Each trial takes as long as a plan does, so that large
//! problems get few of them: the most expensive uses first.

use mem_model::{LevelId, LevelPlan, LevelProblem, use_cost};

use super::CostModel;
use super::engine::Engine;
use super::walk::Set;

/// What a tensor wants at one of its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// The level to be used in.
    pub level: LevelId,
    /// The levels that hold it afterwards.
    pub kept: Set,
}

/// Improves a plan; returns a cheaper one, or the same.
pub(super) fn improve(
    problem: &LevelProblem,
    model: CostModel,
    mut wishes: Vec<Vec<Wish>>,
    mut best: LevelPlan,
    effort: u64,
) -> LevelPlan {
    let n_accesses: usize = problem.steps.iter().map(|step| step.uses.len() + 1).sum();
    let mut left = effort / (n_accesses as u64).max(1);
    let order = order(problem);
    let mut least = model.cycles(problem, &best);
    let n_levels = problem.hierarchy.levels.len().min(4);
    loop {
        let mut has_improved = false;
        for (tensor, number) in &order {
            let before = wishes[*tensor][*number];
            let levels = (0..n_levels).map(LevelId::new);
            let others = levels
                .flat_map(|level| (0..1_u8 << n_levels).map(move |kept| Wish { level, kept }));
            for wish in others.filter(|wish| *wish != before) {
                if left == 0 {
                    return best;
                }
                left -= 1;
                let kept = wishes[*tensor][*number];
                wishes[*tensor][*number] = wish;
                let plan = Engine::with_wishes(problem, wishes.clone()).run();
                let cycles = plan.as_ref().ok().map(|plan| model.cycles(problem, plan));
                match (plan, cycles) {
                    (Ok(plan), Some(cycles)) if cycles < least => {
                        (best, least) = (plan, cycles);
                        has_improved = true;
                    }
                    _ => wishes[*tensor][*number] = kept,
                }
            }
        }
        if !has_improved {
            return best;
        }
    }
}

/// All uses as (tensor, number of its use): those first that have most to lose in the slowest level.
fn order(problem: &LevelProblem) -> Vec<(usize, usize)> {
    let slowest = LevelId::new(problem.hierarchy.levels.len().saturating_sub(1));
    let mut numbers = vec![0; problem.tensors.len()];
    let mut uses = Vec::new();
    for step in &problem.steps {
        for used in &step.uses {
            let cost = use_cost(&problem.hierarchy, used, slowest);
            let number = numbers[used.tensor];
            numbers[used.tensor] += 1;
            uses.push((
                std::cmp::Reverse(cost.saturating_mul(step.repeats.max(1))),
                used.tensor,
                number,
            ));
        }
    }
    uses.sort_unstable();
    uses.into_iter()
        .map(|(_, tensor, number)| (tensor, number))
        .collect()
}

/// The wishes that a plan grants.
pub(super) fn granted(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Vec<Wish>> {
    let mut of_tensor = vec![Vec::new(); problem.tensors.len()];
    for (index, placement) in plan.placements.iter().enumerate() {
        of_tensor[placement.tensor].push(index);
    }
    let mut wishes = vec![Vec::new(); problem.tensors.len()];
    for (step, (at, accessed)) in problem.steps.iter().zip(&plan.accessed).enumerate() {
        for (used, placement) in at.uses.iter().zip(accessed) {
            let mut kept = 0;
            for index in &of_tensor[used.tensor] {
                let placement = &plan.placements[*index];
                if placement.steps.contains(step + 1) {
                    kept |= 1_u8
                        .checked_shl(placement.level.index() as u32)
                        .unwrap_or(0);
                }
            }
            let level = plan.placements[*placement].level;
            wishes[used.tensor].push(Wish { level, kept });
        }
    }
    wishes
}

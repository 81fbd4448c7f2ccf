//! Plans over several memory levels: which level holds each tensor while each step runs, and what
//! is copied in between.
//!
//! * [`walk`] is the view of one tensor: its uses in order, and the cheapest levels between them.
//! * [`engine`] walks the steps of a program once and tracks the location of every tensor: the
//!   *policies*. [`segments`] is local search on top of it, by undoing and replaying steps.
//! * [`residence`] assigns levels over time tensor by tensor ([`realize`]), with addresses
//!   ([`space_time`]), and improves the result by large neighbourhood search; [`assemble`] lowers
//!   it to a plan.
//! * [`exact`] finds the cheapest plan of a small problem; [`prices`] proves a lower bound for any,
//!   with the cheapest ways of single tensors ([`relaxed`]).
//! * [`auto`] runs all of them and takes the cheapest plan.
//! * [`packing`] lowers the addresses of a finished plan in the slower levels.
//! * [`overlap`] issues the copies of a finished plan earlier, beside computation.
//!
//! `docs/PlannerLevels.md` describes the design; [`tuning`] has the limits.

mod assemble;
mod auto;
mod engine;
mod error;
mod exact;
mod overlap;
mod packing;
mod prices;
mod realize;
mod relaxed;
mod residence;
mod segments;
mod space;
mod space_time;
mod strategy;
mod tuning;
mod walk;

pub use auto::plan_levels_auto;
pub use error::{LevelNoFit, LevelPlanError};
pub(crate) use overlap::end_late;
pub use overlap::overlap;
pub(crate) use packing::{packing, placed, reuses, taken_over};
pub use strategy::{CostModel, LevelPolicy, LevelStrategy};

use mem_model::{LevelPlan, LevelProblem};

/// A plan, and a lower bound on the cost of any plan.
#[derive(Clone, Debug)]
pub struct LevelAnswer {
    /// The plan.
    pub plan: LevelPlan,
    /// Name of the strategy that found the plan.
    pub strategy: &'static str,
    /// Lower bound on the serial cost of any plan, in cycles, and at most that of this plan; 0 if
    /// the strategy computes none.
    pub lower_bound: u64,
}

/// Plans with one strategy.
///
/// # Errors
/// If the strategy finds no plan.
pub fn plan_levels_with(
    problem: &LevelProblem,
    strategy: LevelStrategy,
    model: CostModel,
) -> Result<LevelAnswer, LevelPlanError> {
    let plan = match strategy {
        LevelStrategy::Auto => return Ok(compact(problem, plan_levels_auto(problem, model)?)),
        LevelStrategy::Exact => return Ok(compact(problem, cheapest(problem)?)),
        LevelStrategy::Policy(policy) => plan_levels(problem, policy)?,
        LevelStrategy::Global => {
            let walks = walk::Walk::all(problem);
            match residence::plan(problem, &walks, tuning::SEED) {
                Some(plan) => plan,
                // Fall back to a policy, which also explains what does not fit.
                None => plan_levels(problem, LevelPolicy::FarthestNextUse)?,
            }
        }
        LevelStrategy::LocalSearch { segment } => {
            let initial = plan_levels(problem, LevelPolicy::Initial)?;
            let found = segments::plan(problem, segment, tuning::SEGMENT_EFFORT);
            // The search lowers the serial cost; overlapped, its plan may be the slower one.
            let cheaper =
                found.filter(|plan| model.cycles(problem, plan) < model.cycles(problem, &initial));
            cheaper.unwrap_or(initial)
        }
    };
    let answer = LevelAnswer {
        plan,
        strategy: strategy.name(),
        lower_bound: 0,
    };
    Ok(compact(problem, answer))
}

/// As [`plan_levels_with`], but strategies that use random numbers search once more with others, which depend
/// on the known plan: each run may improve the plan of the last. The answer may still take more cycles than
/// that plan.
///
/// # Errors
/// As [`plan_levels_with`].
pub fn plan_levels_from(
    problem: &LevelProblem,
    strategy: LevelStrategy,
    model: CostModel,
    known: &LevelPlan,
) -> Result<LevelAnswer, LevelPlanError> {
    let mut answer = plan_levels_with(problem, strategy, model)?;
    if !matches!(strategy, LevelStrategy::Auto | LevelStrategy::Global) {
        return Ok(answer);
    }
    let walks = walk::Walk::all(problem);
    let seed = tuning::SEED ^ model.cycles(problem, known);
    let again = residence::plan(problem, &walks, seed);
    let again = again.map(|plan| packing::compact(problem, plan));
    let is_better =
        |plan: &LevelPlan| model.cycles(problem, plan) < model.cycles(problem, &answer.plan);
    if let Some(plan) = again.filter(is_better) {
        answer = LevelAnswer {
            // Rounding may lift the bound above the cost of an optimal plan.
            lower_bound: answer.lower_bound.min(plan.cost),
            plan,
            strategy: LevelStrategy::Global.name(),
        };
    }
    Ok(answer)
}

fn compact(problem: &LevelProblem, answer: LevelAnswer) -> LevelAnswer {
    LevelAnswer {
        plan: packing::compact(problem, answer.plan),
        ..answer
    }
}

/// The cheapest plan of all, which is its own lower bound.
fn cheapest(problem: &LevelProblem) -> Result<LevelAnswer, LevelPlanError> {
    let Some(plan) = exact::cheapest(problem, tuning::EXACT_STATES) else {
        // If nothing fits, report that instead.
        plan_levels(problem, LevelPolicy::FarthestNextUse)?;
        return Err(LevelPlanError::NotExact {
            max_states: tuning::EXACT_STATES,
        });
    };
    Ok(LevelAnswer {
        lower_bound: plan.cost,
        plan,
        strategy: LevelStrategy::Exact.name(),
    })
}

/// Plans with one policy. Policies that evict take O(accesses * tensors in a level).
///
/// # Errors
/// If an operand fits in no level in which its step accepts it.
pub fn plan_levels(problem: &LevelProblem, policy: LevelPolicy) -> Result<LevelPlan, LevelNoFit> {
    let plan = engine::Engine::new(problem, policy).run()?;
    Ok(assemble::drop_unused(problem, plan))
}
/// The plan to compare others with: that of the initial policy, or, if the fastest level has too little
/// room for it, the one that it makes with as much room as it needs. `None` if there is neither.
#[must_use]
pub fn plan_for_comparison(problem: &LevelProblem) -> Option<LevelPlan> {
    let initial = |problem: &LevelProblem| plan_levels(problem, LevelPolicy::Initial).ok();
    let plan = initial(problem).or_else(|| {
        let mut roomy = problem.clone();
        roomy.hierarchy.levels.first_mut()?.capacity = None;
        initial(&roomy)
    });
    plan.map(|own| overlap(problem, &own))
}

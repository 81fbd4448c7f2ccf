//! `auto`: runs all strategies, takes the cheapest plan, and proves a lower bound.
//!
//! The strategies fail on different programs: policies on reuse far apart, `global` where copies
//! would wait for each other, `exact` on all but small programs. All together take little longer
//! than `global` alone, which has most of the effort.

use mem_model::{LevelPlan, LevelProblem};

use super::walk::Walk;
use super::{
    CostModel, LevelAnswer, LevelNoFit, LevelPolicy, LevelStrategy, exact, plan_levels, prices,
    residence, segments, tuning,
};

/// Plan of a strategy, by name.
type Candidate = (&'static str, Result<LevelPlan, LevelNoFit>);

/// Plans with every strategy, and returns the cheapest plan.
///
/// # Errors
/// If no strategy finds a plan; the error is that of the first policy.
pub fn plan_levels_auto(
    problem: &LevelProblem,
    model: CostModel,
) -> Result<LevelAnswer, LevelNoFit> {
    let walks = Walk::all(problem);
    let found = candidates(problem, &walks);
    let costs = found
        .iter()
        .filter_map(|(_, plan)| Some(plan.as_ref().ok()?.cost));
    // The prices move in steps that are proportional to the distance from a known cost. Without
    // one, any large number serves that is exact as a floating-point number.
    let known = costs.min().unwrap_or(tuning::UNKNOWN_COST);
    let lower_bound =
        prices::lower_bound(problem, &walks, known, tuning::PRICE_ROUNDS).unwrap_or(0);
    trace(problem, model, &found);
    let (strategy, plan) = cheapest(problem, model, found)?;
    log::debug!(
        target: "levels",
        "chosen: {strategy}, serial cost {}, lower bound {lower_bound}", plan.cost,
    );
    Ok(LevelAnswer {
        // Rounding may lift the bound above the cost of an optimal plan.
        lower_bound: lower_bound.min(plan.cost),
        plan,
        strategy,
    })
}

/// The plans of all strategies, in a fixed order: the first of equals is chosen.
fn candidates(problem: &LevelProblem, walks: &[Walk<'_>]) -> Vec<Candidate> {
    let of_policy = |policy: LevelPolicy| (policy.name(), plan_levels(problem, policy));
    let mut found: Vec<_> = LevelPolicy::ALL.into_iter().map(of_policy).collect();
    for segment in tuning::AUTO_SEGMENTS {
        let plan = segments::plan(problem, segment, tuning::AUTO_SEGMENT_EFFORT);
        let strategy = LevelStrategy::LocalSearch { segment };
        found.extend(plan.map(|plan| (strategy.name(), Ok(plan))));
    }
    // It gives up after few states, so large programs lose hardly any time to it.
    let exact = exact::cheapest(problem, tuning::AUTO_STATES);
    found.extend(exact.map(|plan| (LevelStrategy::Exact.name(), Ok(plan))));
    let global = residence::plan(problem, walks, tuning::SEED);
    found.extend(global.map(|plan| (LevelStrategy::Global.name(), Ok(plan))));
    found
}

/// The cheapest plan, the first one on a tie; or the error of the first policy.
fn cheapest(
    problem: &LevelProblem,
    model: CostModel,
    found: Vec<Candidate>,
) -> Result<(&'static str, LevelPlan), LevelNoFit> {
    // Policies come first in the list, and the other strategies have no errors.
    let mut errors = found.iter().filter_map(|(_, plan)| plan.as_ref().err());
    let error = errors.next().cloned();
    // Strategies minimize the serial cost, under which the tensors are separable; the chosen model
    // decides between their finished plans.
    let plans = found
        .into_iter()
        .filter_map(|(strategy, plan)| Some((strategy, plan.ok()?)));
    let cheapest = plans.min_by_key(|(_, plan)| model.cycles(problem, plan));
    cheapest.ok_or_else(|| {
        error.unwrap_or_else(|| unreachable!("there are policies, and each has an answer"))
    })
}

fn trace(problem: &LevelProblem, model: CostModel, found: &[Candidate]) {
    for (strategy, plan) in found {
        match plan {
            // The arguments are evaluated only if the line is printed: a simulation takes time.
            Ok(plan) => log::debug!(
                target: "levels",
                "{strategy}: {} cycles ({}), {} placements, {} transfers",
                model.cycles(problem, plan), model.name(),
                plan.placements.len(), plan.transfers.len(),
            ),
            Err(error) => log::debug!(target: "levels", "{strategy}: no plan: {error}"),
        }
    }
}

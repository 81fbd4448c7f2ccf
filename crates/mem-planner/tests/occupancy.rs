//! Checks the occupancy of levels by counting every byte at every step, on plans of all strategies
//! for random problems.
//!
//! `LEVEL_CASES` sets the number of problems, `LEVEL_SEED` the first seed.

use std::collections::HashSet;

use mem_cost::{Occupancy, tightest};
use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, PlacementId, TensorId};
use mem_planner::{CostModel, LevelPolicy, LevelStrategy, overlap, plan_levels_with};
use mem_testkit::{Rng, number, random_level_problem};

/// Enumerates the addresses that placements of a level hold during a step.
fn addresses(
    problem: &LevelProblem,
    plan: &LevelPlan,
    level: LevelId,
    step: usize,
) -> HashSet<u64> {
    let own = plan.placements.iter();
    let held = own.filter(|own| own.level == level && own.steps.contains(step));
    held.filter_map(|own| {
        let start = own.offset?.get();
        Some(start..start + problem.tensors[own.tensor.index()].size.get())
    })
    .flatten()
    .collect()
}

/// Brute-force lower bound of a step: placements are disjoint, except for an operand that dies and
/// one result that may be in its place. Tries every choice of these results.
fn least(problem: &LevelProblem, plan: &LevelPlan, level: LevelId, step: usize) -> u64 {
    let all = plan.placements.iter();
    let held =
        all.filter(|own| own.level == level && own.offset.is_some() && own.steps.contains(step));
    let size = |tensor: TensorId| problem.tensors[tensor.index()].size.get();
    let sum: u64 = held.map(|own| size(own.tensor)).sum();
    let uses = &problem.steps[step].uses;
    let pair = |index: usize| {
        let operand = plan.accessed[step][uses[index].takes_over?];
        let result = plan.accessed[step][index];
        let [from, to] = [operand, result].map(|own| &plan.placements[own.index()]);
        let is_here = [from, to]
            .iter()
            .all(|own| own.level == level && own.offset.is_some());
        let meets = from.steps.end == step + 1 && to.steps.start == step;
        (is_here && meets).then(|| (operand, size(from.tensor).min(size(to.tensor))))
    };
    let pairs: Vec<(PlacementId, u64)> = (0..uses.len()).filter_map(pair).collect();
    let mut most = 0;
    for chosen in 0..1_u32 << pairs.len() {
        let chosen: Vec<(PlacementId, u64)> = pairs
            .iter()
            .enumerate()
            .filter(|(index, _)| chosen >> index & 1 == 1)
            .map(|(_, pair)| *pair)
            .collect();
        let operands: HashSet<PlacementId> = chosen.iter().map(|(operand, _)| *operand).collect();
        if operands.len() == chosen.len() {
            most = most.max(chosen.iter().map(|(_, bytes)| bytes).sum());
        }
    }
    sum - most
}

#[test]
fn no_byte_counts_twice() {
    let strategies = LevelPolicy::ALL.map(LevelStrategy::Policy).into_iter();
    let others = [
        LevelStrategy::LocalSearch { segment: 2 },
        LevelStrategy::Global,
    ];
    let strategies: Vec<LevelStrategy> = strategies.chain(others).collect();
    let (mut n_shared, mut n_transfers) = (0, 0);
    let first = number("LEVEL_SEED", 0);
    for seed in first..first + number("LEVEL_CASES", 80) {
        let problem = random_level_problem(&mut Rng::new(seed), 2 + seed as usize % 20);
        for strategy in &strategies {
            let Ok(answer) = plan_levels_with(&problem, *strategy, CostModel::Serial) else {
                continue;
            };
            for plan in [overlap(&problem, &answer.plan), answer.plan] {
                n_transfers += plan.transfers.len();
                n_shared += check(&problem, &plan, seed);
            }
        }
    }
    // Otherwise the test exercises nothing.
    assert!(n_shared > 0 && n_transfers > 0);
}

/// Returns the number of steps at which placements share bytes.
fn check(problem: &LevelProblem, plan: &LevelPlan, seed: u64) -> usize {
    let mut n_shared = 0;
    let fullest = tightest(problem, plan);
    for level in (0..problem.hierarchy.levels.len()).map(LevelId::new) {
        let occupancy = Occupancy::new(problem, plan, level);
        let peak = plan.peak(problem, level).unwrap_or_default();
        let mut most = 0;
        for step in 0..problem.steps.len() {
            let held = addresses(problem, plan, level, step).len() as u64;
            most = most.max(held);
            assert_eq!(
                occupancy.held[step],
                Bytes::new(held),
                "seed {seed}, step {step}"
            );
            let least = least(problem, plan, level, step);
            assert_eq!(
                occupancy.lower_bound[step],
                Bytes::new(least),
                "seed {seed}, step {step}"
            );
            assert!(
                least <= held && held <= peak.get(),
                "seed {seed}, step {step} of {level}\n{problem:#?}\n{plan:#?}"
            );
            let all = plan.placements.iter();
            let all = all.filter(|own| {
                own.level == level && own.steps.contains(step) && own.offset.is_some()
            });
            let sum: u64 = all
                .map(|own| problem.tensors[own.tensor.index()].size.get())
                .sum();
            n_shared += usize::from(sum > held);
        }
        let own = fullest.iter().find(|own| own.level == level);
        assert_eq!(own.map_or(0, |own| own.bytes.get()), most, "seed {seed}");
        let capacity = problem.capacities().expect("it fits")[level.index()];
        assert!(
            capacity.is_none_or(|capacity| peak <= capacity),
            "seed {seed}"
        );
    }
    n_shared
}

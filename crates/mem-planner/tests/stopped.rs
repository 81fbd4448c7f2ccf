//! Searches that are stopped: what they return is a plan all the same, and bounds are bounds. Stopping
//! concerns the whole process, so this file has a single test.

use std::sync::atomic::{AtomicUsize, Ordering};

use mem_check::{check_level_plan, check_plan};
use mem_cost::simulate;
use mem_planner::observe::{Event, is_stopped, observe, stop_searches};
use mem_planner::{
    CostModel, LevelStrategy, OffloadPolicy, PlanError, PlanOptions, Strategy, plan,
    plan_levels_with, plan_offload,
};
use mem_testkit::{
    Rng, random_level_problem, random_offload_function, random_problem, random_small_level_problem,
};

static REPORTS: AtomicUsize = AtomicUsize::new(0);

fn arenas() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        // Large ones look at the clock while they are decoded.
        let n = if seed % 50 == 0 { 5000 } else { 40 };
        let problem = random_problem(&mut rng, n, n);
        let options = PlanOptions::default();
        let found = match plan(&problem, Strategy::Auto, &options) {
            Ok(found) => found,
            Err(PlanError::NoFit(_)) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        check_plan(&problem, &found).expect("a valid plan");
        assert!(found.lower_bound <= found.peak, "seed {seed}");
    }
}

fn levels() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let problem = match seed % 2 {
            0 => random_level_problem(&mut rng, 20),
            _ => random_small_level_problem(&mut rng),
        };
        let (strategy, model) = (LevelStrategy::Auto, CostModel::Serial);
        let Ok(found) = plan_levels_with(&problem, strategy, model) else {
            continue;
        };
        check_level_plan(&problem, &found.plan).expect("a valid plan");
        assert!(found.lower_bound <= found.plan.cost, "seed {seed}");
    }
}

/// Returns the number of programs with a plan.
fn budgets() -> usize {
    let mut n_planned = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let function = random_offload_function(&mut rng, 8);
        let input = function.offload.expect("a budget");
        let policy = OffloadPolicy::Auto;
        let found = plan_offload(&function.problem, &input.repeatable, policy, &input.advice);
        let Ok((answer, found)) = found.map(|found| (found.plan.clone(), found)) else {
            continue;
        };
        let Ok(answer) = answer else { continue };
        check_level_plan(&found.problem, &answer.plan).expect("a valid plan");
        let makespan = simulate(&found.problem, &answer.plan).makespan;
        assert!(found.least <= makespan, "seed {seed}");
        n_planned += 1;
    }
    n_planned
}

#[test]
fn stopped_searches_return_plans() {
    observe(|event| {
        if matches!(event, Event::Search(_)) {
            REPORTS.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(!is_stopped());
    let n_planned = budgets();
    assert!(REPORTS.load(Ordering::Relaxed) > 100);
    stop_searches();
    assert!(is_stopped());
    arenas();
    levels();
    // A stopped search goes on until it has a plan.
    assert!(budgets() * 10 >= n_planned * 9, "{n_planned}");
}

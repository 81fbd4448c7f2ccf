//! Planned orders against the checker and against every order.

use mem_check::{OrderError, check_order};
use mem_model::{Bytes, OrderProblem, OrderProblemError, OrderStep, StepId};
use mem_planner::{OrderOptions, OrderPlan, plan_order};
use mem_testkit::{Rng, for_each_order, number, random_order_problem};

fn plan(problem: &OrderProblem) -> OrderPlan {
    let plan = plan_order(problem, &OrderOptions::default()).expect("a valid problem");
    check_order(problem, &plan.order, plan.peak).expect("a valid order");
    let own: Vec<StepId> = (0..problem.steps.len()).map(StepId::new).collect();
    check_order(problem, &own, plan.own_peak).expect("the peak of the own order");
    assert!(plan.lower_bound <= plan.peak && plan.peak <= plan.own_peak);
    assert_eq!(plan.is_changed(), plan.order != own);
    assert!(
        !plan.is_changed() || plan.peak < plan.own_peak,
        "changed for nothing"
    );
    plan
}

fn peak(problem: &OrderProblem, order: &[StepId]) -> u64 {
    match check_order(problem, order, Bytes::new(u64::MAX)) {
        Err(OrderError::Peak { actual, .. }) => u64::try_from(actual).expect("a small peak"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn small_problems_get_the_lowest_peak_of_all_orders() {
    let mut n_changed = 0;
    for seed in 0..number("ORDER_CASES", 2000) {
        let problem = random_order_problem(&mut Rng::new(seed), 8);
        let mut least = u64::MAX;
        for_each_order(&problem, &mut |order| {
            least = least.min(peak(&problem, order))
        });
        let plan = plan(&problem);
        assert_eq!(plan.peak.get(), least, "seed {seed}");
        assert_eq!(plan.lower_bound.get(), least, "seed {seed}");
        n_changed += u32::from(plan.is_changed());
    }
    assert!(n_changed > 0, "no own order could be improved");
}

#[test]
fn large_problems_get_valid_orders_again_and_again() {
    for seed in 0..6 {
        let problem = random_order_problem(&mut Rng::new(seed), 300);
        assert_eq!(plan(&problem), plan(&problem), "seed {seed}");
    }
}

#[test]
fn the_own_order_is_kept_unless_enough_is_saved() {
    let is_improved = |problem: &OrderProblem| plan(problem).is_changed();
    let mut problems = (0..).map(|seed| random_order_problem(&mut Rng::new(seed), 8));
    let problem = problems.find(is_improved).expect("endless");
    let better = plan(&problem);
    let saved = better.own_peak.get() - better.peak.get();
    let thousandths = saved * 1000 / better.own_peak.get();
    let with = |threshold: u64| {
        let threshold = u32::try_from(threshold).expect("at most 1000");
        plan_order(&problem, &OrderOptions { threshold }).expect("valid")
    };
    assert_eq!(with(thousandths.saturating_sub(1)), better);
    let kept = with(thousandths + 1);
    assert!(!kept.is_changed());
    assert_eq!(kept.peak, better.own_peak);
}

#[test]
fn programs_without_steps_have_a_plan() {
    let plan = plan(&OrderProblem::default());
    assert_eq!(plan, OrderPlan::default());
}

#[test]
fn invalid_problems_are_refused() {
    let first = StepId::new(0);
    let problem = OrderProblem {
        steps: vec![OrderStep {
            after: vec![first],
            ..OrderStep::default()
        }],
        ..OrderProblem::default()
    };
    let error = plan_order(&problem, &OrderOptions::default()).expect_err("a cycle");
    let (step, after) = (first, first);
    assert_eq!(error, OrderProblemError::Dependence { step, after });
}

//! Planned orders against the checker and against every order.

use mem_check::{OrderError, check_order};
use mem_model::{Bytes, OrderBuffer, OrderProblem, OrderProblemError, OrderStep, StepId, TensorId};
use mem_planner::{OrderAim, OrderOptions, OrderPlan, order_excess, plan_order};
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
        let options = OrderOptions {
            threshold,
            ..OrderOptions::default()
        };
        plan_order(&problem, &options).expect("valid")
    };
    assert_eq!(with(thousandths.saturating_sub(1)), better);
    let kept = with(thousandths + 1);
    assert!(!kept.is_changed());
    assert_eq!(kept.peak, better.own_peak);
}

fn plan_excess(problem: &OrderProblem, above: Bytes) -> OrderPlan {
    let options = OrderOptions {
        aim: OrderAim::Excess(above),
        ..OrderOptions::default()
    };
    let plan = plan_order(problem, &options).expect("a valid problem");
    check_order(problem, &plan.order, plan.peak).expect("a valid order");
    plan
}

/// Three gradients are computed from each other, and each is used by an update that writes a parameter
/// outside of the problem. The updates run when the gradients are known, and the last step of a chain
/// follows the one that made it possible.
#[test]
fn lives_end_early() {
    let sizes = [64, 64, 64, 16];
    let buffer = |size: u64| OrderBuffer {
        size: Bytes::new(size),
        ..OrderBuffer::default()
    };
    let step = |after: &[usize], buffers: &[usize]| OrderStep {
        after: after.iter().copied().map(StepId::new).collect(),
        buffers: buffers.iter().copied().map(TensorId::new).collect(),
        ..OrderStep::default()
    };
    let problem = OrderProblem {
        buffers: sizes.map(buffer).to_vec(),
        steps: vec![
            step(&[], &[0]),
            step(&[0], &[0, 1]),
            step(&[1], &[1, 2]),
            step(&[0], &[0]),
            step(&[1], &[1]),
            // An update in two steps, with a small intermediate result.
            step(&[2], &[2, 3]),
            step(&[5], &[3]),
        ],
    };
    let options = OrderOptions {
        aim: OrderAim::EarlyEnds,
        ..OrderOptions::default()
    };
    let plan = plan_order(&problem, &options).expect("a valid problem");
    check_order(&problem, &plan.order, plan.peak).expect("a valid order");
    let order: Vec<usize> = plan.order.iter().map(|id| id.index()).collect();
    assert_eq!(order, [0, 3, 1, 4, 2, 5, 6]);
}

/// Most often, no order of a small problem has fewer bytes above half of its peak.
#[test]
fn few_bytes_are_above_a_capacity() {
    let (mut n_changed, mut n_least) = (0, 0);
    let cases = number("ORDER_CASES", 1000);
    for seed in 0..cases {
        let problem = random_order_problem(&mut Rng::new(seed), 8);
        let own: Vec<StepId> = (0..problem.steps.len()).map(StepId::new).collect();
        let above = Bytes::new(plan(&problem).own_peak.get() / 2);
        let excess = |order: &[StepId]| order_excess(&problem, order, above).expect("valid");
        let found = plan_excess(&problem, above);
        assert!(found.peak <= found.own_peak, "seed {seed}");
        assert!(
            !found.is_changed() || excess(&found.order) < excess(&own),
            "seed {seed}: changed for nothing"
        );
        n_changed += u64::from(found.is_changed());
        let mut least = u64::MAX;
        for_each_order(&problem, &mut |order| {
            if peak(&problem, order) <= found.own_peak.get() {
                least = least.min(excess(order));
            }
        });
        assert!(excess(&found.order) >= least, "seed {seed}");
        n_least += u64::from(excess(&found.order) == least);
    }
    println!("{n_changed} of {cases} changed, {n_least} with the least excess");
    assert!(n_changed * 4 > cases, "{n_changed}");
    assert!(n_least * 20 >= cases * 17, "{n_least}");
}

#[test]
fn nothing_changes_below_the_capacity() {
    for seed in 0..100 {
        let problem = random_order_problem(&mut Rng::new(seed), 40);
        let own = plan(&problem).own_peak;
        assert!(!plan_excess(&problem, own).is_changed(), "seed {seed}");
    }
}

/// The searches are bounded by what they count, so that they end for ten thousand steps. `docs/Order.md` has
/// the time that they take.
#[test]
fn ten_thousand_steps_are_ordered() {
    let mut problems = (0..).map(|seed| random_order_problem(&mut Rng::new(seed), 12_000));
    let problem = problems.find(|own| own.steps.len() >= 10_000);
    let problem = problem.expect("endless");
    let above = Bytes::new(plan(&problem).own_peak.get() / 2);
    assert!(plan_excess(&problem, above).peak.get() > 0);
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

//! Plans for sizes that are unknown at planning time, instantiated with sizes of every kind.

use mem_check::{check_plan, check_relative_plan};
use mem_model::{Bytes, Part, Problem, RelativePlan, Size};
use mem_planner::{PlanOptions, Strategy, lower_bound, plan_sizes};
use mem_testkit::{Rng, add_demands, number, random_problem};

/// Random sizes of items; some are polynomials in two unknowns.
fn random_sizes(rng: &mut Rng, problem: &Problem) -> Vec<Size> {
    let monomial = |rng: &mut Rng| {
        let unknown = Size::unknown(rng.below(2) as u32);
        let factor = Size::constant([1, 4, 64, 100][rng.below(4)]);
        unknown.times(&factor).expect("small")
    };
    let size = |item: &mem_model::Item| {
        if rng.chance(40) || item.size == Bytes::ZERO {
            return Size::constant(item.size.get());
        }
        let mut size = monomial(rng);
        while rng.chance(30) {
            size = match rng.chance(50) {
                true => size.plus(&monomial(rng)),
                false => size.times(&Size::unknown(0)),
            }
            .expect("small");
        }
        size
    };
    problem.items.iter().map(size).collect()
}

/// The problem with other sizes.
fn with_sizes(problem: &Problem, size: impl Fn(usize) -> Option<Bytes>) -> Problem {
    let mut problem = problem.clone();
    for (index, item) in problem.items.iter_mut().enumerate() {
        if let Some(size) = size(index) {
            item.size = size;
            item.parts = vec![Part::whole(size, item.live())];
        }
    }
    problem
}

/// Checks the addresses that result from a plan, independently of the planner.
fn check(problem: &Problem, relative: &RelativePlan, case: u64) {
    let mut plan = relative.plan(problem, "relative").expect("addresses fit");
    plan.lower_bound = lower_bound(problem).expect("sizes fit");
    plan.proven_bound = plan.lower_bound;
    if let Err(error) = check_plan(problem, &plan) {
        panic!("case {case}: {error}\n{problem:?}\n{relative:?}");
    }
}

#[test]
fn nothing_overlaps_whatever_the_sizes_are() {
    for case in
        number("RELATIVE_SEED", 0)..number("RELATIVE_SEED", 0) + number("RELATIVE_CASES", 400)
    {
        let rng = &mut Rng::new(case);
        let mut problem = random_problem(rng, 12, 10);
        add_demands(rng, &mut problem, 1000);
        problem.items.iter_mut().for_each(|item| item.fixed = None);
        problem.reserved.clear();
        let sizes = random_sizes(rng, &problem);
        let mut options = PlanOptions::default();
        options.effort = 20_000;
        let planned = plan_sizes(&problem, &sizes, Strategy::Auto, &options);
        let planned = planned.unwrap_or_else(|error| panic!("case {case}: {error}"));
        let relative = &planned.relative;
        let stand_ins = with_sizes(&problem, |item| {
            let is_known = sizes[item].known().is_some();
            (!is_known).then_some(Bytes::new(1 << 40))
        });
        if let Err(error) = check_relative_plan(&stand_ins, relative) {
            panic!("case {case}: {error}\n{problem:?}\n{relative:?}");
        }
        check_plan(&planned.example.0, &planned.example.1).expect("what it came from");
        for value in [0, 1, 2, 3, 17, 1000] {
            let known = with_sizes(&problem, |item| match sizes[item].known() {
                Some(_) => None,
                None => sizes[item].at(value),
            });
            check(&known, relative, case);
        }
        // Also sizes that are unrelated to each other.
        for _ in 0..5 {
            let any: Vec<u64> = sizes.iter().map(|_| rng.below(5000) as u64).collect();
            let any = with_sizes(&problem, |item| {
                let is_known = sizes[item].known().is_some();
                (!is_known).then_some(Bytes::new(any[item]))
            });
            check(&any, relative, case);
        }
    }
}

/// If all sizes are proportional to one unknown, a plan that is optimal for one value is optimal
/// for all.
#[test]
fn proportional_sizes_lose_nothing() {
    let mut n_optimal = 0;
    for case in 0..200 {
        let rng = &mut Rng::new(case);
        let mut problem = random_problem(rng, 10, 12);
        problem.items.iter_mut().for_each(|item| {
            item.alignment = Bytes::new(1);
        });
        let size = |item: &mem_model::Item| {
            let bytes = Size::constant(item.size.get());
            Size::unknown(0).times(&bytes).expect("small")
        };
        let sizes: Vec<Size> = problem.items.iter().map(size).collect();
        let options = PlanOptions::default();
        let planned = plan_sizes(&problem, &sizes, Strategy::Auto, &options).expect("a plan");
        let peak = |value: u64| {
            let problem = with_sizes(&problem, |item| sizes[item].at(value));
            planned
                .relative
                .offsets(&problem)
                .expect("addresses fit")
                .1
                .get()
        };
        let one = peak(1);
        assert!(
            [0, 2, 5, 999].iter().all(|n| peak(*n) == n * one),
            "case {case}"
        );
        n_optimal += u64::from(planned.worst_ratio == 1.0);
    }
    assert!(n_optimal > 190, "{n_optimal} of 200");
}

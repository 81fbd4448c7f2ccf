//! The phases one by one: contraction keeps a best order, divisions are where every order is
//! divided, bounds are below every order, and both searches agree.

use mem_check::{OrderError, check_order};
use mem_model::{Bytes, OrderProblem, StepId};
use mem_testkit::{Rng, for_each_order, number, random_order_problem};

use super::bound::{divisions, least_bytes};
use super::contract::contract;
use super::early;
use super::exact;
use super::reach::Reach;
use super::segment::{Effort, order_segment};
use super::task::Task;

fn peak(problem: &OrderProblem, order: &[StepId]) -> u64 {
    match check_order(problem, order, Bytes::new(u64::MAX)) {
        Err(OrderError::Peak { actual, .. }) => u64::try_from(actual).expect("a small peak"),
        other => panic!("{other:?}"),
    }
}

/// Problems with at most seven steps, and the peak of their best order.
fn small(visit: impl Fn(u64, &OrderProblem, u64)) {
    for seed in 0..number("ORDER_CASES", 1500) {
        let problem = random_order_problem(&mut Rng::new(seed), 7);
        let mut least = u64::MAX;
        for_each_order(&problem, &mut |order| {
            least = least.min(peak(&problem, order))
        });
        visit(seed, &problem, least);
    }
}

fn contracted(task: Task) -> Task {
    let reach = Reach::new(&task);
    contract(task, reach).0
}

fn exact_peak(task: &Task) -> u64 {
    let found = exact::search(task, 0, u64::MAX, u64::MAX);
    task.peak(&found.order.expect("there is an order"))
}

#[test]
fn effects_of_units_add_up_to_peaks() {
    for seed in 0..500 {
        let problem = random_order_problem(&mut Rng::new(seed), 12);
        let task = Task::new(&problem);
        let own: Vec<u32> = (0..task.units.len() as u32).collect();
        assert_eq!(
            task.peak(&own),
            peak(&problem, &task.steps(&own)),
            "seed {seed}"
        );
        let reversed = task.reversed();
        assert_eq!(
            reversed.peak(&own),
            task.peak(&own),
            "seed {seed}, reversed"
        );
        let one = task.grouped(std::slice::from_ref(&own));
        assert_eq!(one.peak(&[0]), task.peak(&own), "seed {seed}, as one unit");
        assert_eq!(
            one.reversed().peak(&[0]),
            task.peak(&own),
            "seed {seed}, one reversed"
        );
    }
}

#[test]
fn the_exact_search_finds_a_best_order() {
    small(|seed, problem, least| {
        let task = Task::new(problem);
        assert_eq!(exact_peak(&task), least, "seed {seed}");
        assert_eq!(
            exact_peak(&task.reversed()),
            least,
            "seed {seed}, backwards"
        );
        let below = exact::search(&task, 0, least, u64::MAX);
        assert!(
            below.order.is_none(),
            "seed {seed}: nothing is below the least peak"
        );
        assert_eq!(below.bound, least, "seed {seed}");
    });
}

#[test]
fn contraction_keeps_a_best_order() {
    small(|seed, problem, least| {
        let task = contracted(Task::new(problem));
        assert_eq!(exact_peak(&task), least, "seed {seed}");
        let steps: usize = task.units.iter().map(|unit| unit.steps.len()).sum();
        assert_eq!(steps, problem.steps.len(), "seed {seed}");
    });
}

#[test]
fn bounds_are_below_every_order() {
    small(|seed, problem, least| {
        let task = Task::new(problem);
        for task in [contracted(task.clone()), task] {
            let bound = least_bytes(&task, &Reach::new(&task)).into_iter().max();
            assert!(
                bound <= Some(least),
                "seed {seed}: {bound:?} is above {least}"
            );
        }
        let stopped = exact::search(&Task::new(problem), 0, u64::MAX, 0);
        assert!(stopped.bound <= least, "seed {seed}");
    });
}

#[test]
fn every_order_is_divided_at_divisions_only() {
    small(|seed, problem, _| {
        let task = Task::new(problem);
        let n = problem.steps.len();
        let mut is_division = vec![true; n + 1];
        for_each_order(problem, &mut |order| {
            for (at, is_division) in is_division.iter_mut().enumerate() {
                *is_division &= order[..at].iter().all(|step| step.index() < at);
            }
        });
        let expected: Vec<usize> = (0..=n).filter(|at| is_division[*at]).collect();
        assert_eq!(
            divisions(&task, &Reach::new(&task)),
            expected,
            "seed {seed}"
        );
    });
}

#[test]
fn beam_search_is_close_to_exact_search() {
    for seed in 0..number("ORDER_CASES", 300) {
        let problem = random_order_problem(&mut Rng::new(seed), 40);
        let task = Task::new(&problem);
        let best = exact::search(&task, 0, u64::MAX, 2_000_000);
        let Some(best) = best.order.map(|order| task.peak(&order)) else {
            continue;
        };
        let own = (0..task.units.len() as u32).collect();
        // Without effort for exact searches, only beam searches find orders.
        let found = order_segment(&task, own, 0, &mut Effort(0));
        assert!(
            found.bound.unwrap_or(0) <= best,
            "seed {seed}: the bound is none"
        );
        let found = task.peak(&found.order);
        assert!(found >= best, "seed {seed}: the exact search is not exact");
        assert!(
            found * 100 <= best * 102,
            "seed {seed}: {found} instead of {best}"
        );
    }
}

#[test]
fn ends_are_early_and_orders_valid() {
    for seed in 0..number("ORDER_CASES", 1500) {
        let problem = random_order_problem(&mut Rng::new(seed), 30);
        let task = Task::new(&problem);
        let order = early::order_units(&task);
        // Panics unless the order is valid.
        peak(&problem, &task.steps(&order));
    }
}

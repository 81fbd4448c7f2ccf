//! The phases one by one: contraction keeps a best order, divisions are where every order is
//! divided, bounds are below every order, and both searches agree.

use mem_check::{OrderError, check_order};
use mem_model::{Bytes, OrderBuffer, OrderProblem, OrderStep, StepId, TensorId};
use mem_testkit::{Rng, for_each_order, number, random_order_problem};

use super::bound::{divisions, least_bytes};
use super::contract::contract;
use super::early;
use super::evictions;
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

/// The traffic of an order, from its definition: positions are searched for, and nothing is kept.
fn traffic(task: &Task, order: &[u32], capacity: u64) -> u64 {
    let next = |buffer: u32, from: usize| {
        let users = &task.buffers[buffer as usize].users;
        let later = (from..order.len()).find(|at| users.contains(&order[*at]));
        later.unwrap_or(order.len())
    };
    let size = |buffer: &u32| task.buffers[*buffer as usize].size;
    let from_start =
        (0..task.buffers.len() as u32).filter(|buffer| task.buffers[*buffer as usize].from_start);
    let mut here: Vec<u32> = from_start.collect();
    let mut born = here.clone();
    let mut moved = 0;
    for (at, unit) in order.iter().enumerate() {
        let unit = &task.units[*unit as usize];
        let used: Vec<u32> = unit.uses.iter().map(|own| own.buffer).collect();
        let is_dead = |buffer: &u32| {
            next(*buffer, at + 1) == order.len() && !task.buffers[*buffer as usize].to_end
        };
        let takes_over = unit.pairs.iter().filter(|pair| {
            is_dead(&used[pair.operand as usize]) && !born.contains(&used[pair.result as usize])
        });
        let taken: u64 = takes_over.map(|pair| pair.bytes).sum();
        for buffer in used
            .iter()
            .filter(|own| !here.contains(own))
            .copied()
            .collect::<Vec<_>>()
        {
            moved += if born.contains(&buffer) {
                size(&buffer)
            } else {
                0
            };
            here.push(buffer);
        }
        born.extend(&used);
        while task.base + here.iter().map(size).sum::<u64>() > capacity + taken {
            let others = here.iter().filter(|own| !used.contains(own));
            let Some(last) = others.copied().max_by_key(|own| (next(*own, at + 1), *own)) else {
                break;
            };
            here.retain(|own| *own != last);
            moved += size(&last);
        }
        here.retain(|own| !used.contains(own) || !is_dead(own));
    }
    moved
}

/// Searches never make things worse, and most often find what no order of a small problem is below.
#[test]
fn few_bytes_are_evicted() {
    let (mut n_least, mut n_better) = (0, 0);
    let cases = number("ORDER_CASES", 1500);
    for seed in 0..cases {
        let problem = random_order_problem(&mut Rng::new(seed), 7);
        let task = Task::new(&problem);
        let own: Vec<u32> = (0..task.units.len() as u32).collect();
        let capacity = task.peak(&own) / 2;
        let found = evictions::order_units(&task, capacity);
        check_order(&problem, &task.steps(&found), Bytes::new(task.peak(&found)))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let bytes = evictions::traffic(&task, &found, capacity);
        assert_eq!(bytes, traffic(&task, &found, capacity), "seed {seed}");
        let before = evictions::traffic(&task, &own, capacity);
        let early = evictions::traffic(&task, &early::order_units(&task), capacity);
        assert!(bytes <= before.min(early), "seed {seed}: {bytes}");
        let mut least = u64::MAX;
        for_each_order(&problem, &mut |order| {
            let order: Vec<u32> = order.iter().map(|step| step.index() as u32).collect();
            least = least.min(traffic(&task, &order, capacity));
        });
        assert!(
            least <= bytes,
            "seed {seed}: {least} is the least, not {bytes}"
        );
        n_least += u64::from(bytes == least);
        n_better += u64::from(bytes < before);
    }
    assert!(n_least * 10 > cases * 9, "{n_least} of {cases}");
    assert!(n_better * 10 > cases, "{n_better} of {cases}");
}

/// A gradient is read by two products, and the transposed copy that the first one needs fills the memory:
/// the other product runs first.
#[test]
fn a_product_runs_before_the_memory_is_full() {
    let buffers = [
        ("gradient", 8),
        ("transposed", 8),
        ("input", 1),
        ("weight", 2),
    ];
    let uses: [&[usize]; 5] = [&[0], &[0, 1], &[1, 2], &[0, 3], &[2, 3]];
    let after: [&[usize]; 5] = [&[], &[0], &[1], &[0], &[2, 3]];
    let problem = OrderProblem {
        buffers: buffers
            .iter()
            .map(|(_, size)| OrderBuffer {
                size: Bytes::new(*size),
                ..OrderBuffer::default()
            })
            .collect(),
        steps: uses
            .iter()
            .zip(after)
            .map(|(uses, after)| OrderStep {
                buffers: uses.iter().map(|own| TensorId::new(*own)).collect(),
                after: after.iter().map(|own| StepId::new(*own)).collect(),
                in_place: Vec::new(),
            })
            .collect(),
    };
    let task = Task::new(&problem);
    let own = [0, 1, 2, 3, 4];
    // The gradient leaves for the input, and comes back.
    assert_eq!(evictions::traffic(&task, &own, 16), 16);
    let found = evictions::order_units(&task, 16);
    assert_eq!(found, [0, 3, 1, 2, 4]);
    // Only the weight leaves, and comes back.
    assert_eq!(evictions::traffic(&task, &found, 16), 4);
}

//! Small graphs with branches beside a link to a host: plans are nearly as short as the least that an
//! exhaustive search over orders, repetitions and copies finds, and none is shorter, which the search
//! would then have missed.
//!
//! The search ignores addresses, so what it finds is a lower bound.

mod reference;

use mem_check::check_level_plan;
use mem_cost::{ideal_cycles, simulate, swap_cost};
use mem_model::{Advice, Bytes, HostLink, OffloadPolicy};
use mem_planner::{plan_offload, widths};
use mem_testkit::{Rng, number, random_operation_graph};
use rayon::prelude::*;
use reference::least_offloading;

/// A graph and a budget, planned and searched exhaustively.
struct Compared {
    seed: u64,
    planned: u64,
    bound: u64,
    least: u64,
    is_limited: bool,
}

/// Bytes that the link copies in the time of an operation.
const LINKS: [f64; 4] = [0.03, 0.1, 0.25, 1.0];

fn compare(seed: u64) -> Compared {
    let mut rng = Rng::new(seed);
    let layers = number("OFFLOAD_LAYERS", 4);
    let graph = random_operation_graph(&mut rng, layers as usize);
    let link = LINKS[rng.below(LINKS.len())];
    let within = |budget: u64| {
        graph.within(
            "graph".to_owned(),
            Bytes::new(budget),
            Some(HostLink::symmetric(link)),
        )
    };
    // Between what the widest step needs, and what the program needs without a limit.
    let (widest, peak) = widths(&within(1 << 20).problem).expect("one device");
    let budget = rng.between(widest as usize, peak as usize) as u64;
    let function = within(budget);
    let input = function.offload.as_ref().expect("a budget");
    let (auto, advice) = (OffloadPolicy::Auto, Advice::default());
    let found = plan_offload(&function.problem, &input.repeatable, auto, &advice);
    let found = found.expect("the widest step fits");
    let answer = found.plan.expect("the host takes what does not fit");
    check_level_plan(&found.problem, &answer.plan).expect("a plan that holds");
    let planned = simulate(&found.problem, &answer.plan).makespan;
    assert_eq!(planned, found.makespan, "seed {seed}");
    let hierarchy = &function.problem.hierarchy;
    let copies = graph.tensors.iter().map(|size| {
        let [out, back] = swap_cost(hierarchy, *size);
        assert_eq!(out, back, "a link as fast in both directions");
        out
    });
    let copies: Vec<u64> = copies.collect();
    let least = least_offloading(&graph, budget, &copies, planned + 1);
    Compared {
        seed,
        planned,
        bound: found.least,
        least: least.unwrap_or_else(|| panic!("seed {seed}: no schedule takes {planned}")),
        is_limited: planned > ideal_cycles(&function.problem),
    }
}

#[test]
fn small_graphs_are_planned_nearly_optimally_beside_a_link() {
    let first = number("OFFLOAD_SEED", 0);
    let n_cases = number("OFFLOAD_CASES", 300);
    let all: Vec<Compared> = (first..first + n_cases)
        .into_par_iter()
        .map(compare)
        .collect();
    let (mut sum, mut n_limited, mut worst) = (0.0, 0, (1.0_f64, 0));
    for own in all.iter().filter(|own| own.is_limited) {
        let (seed, least) = (own.seed, own.least);
        assert!(own.bound <= least, "seed {seed}: {} > {least}", own.bound);
        let ratio = own.planned as f64 / least as f64;
        (sum, n_limited) = (sum + ratio, n_limited + 1);
        if ratio > worst.0 {
            worst = (ratio, seed);
        }
    }
    let mean = sum / f64::from(n_limited);
    println!("{n_limited} graphs: mean {mean:.5}, worst {worst:?}");
    assert!(n_limited > 50, "{n_limited}");
    assert!(mean < 1.002 && worst.0 <= 1.05, "{mean} {worst:?}");
}

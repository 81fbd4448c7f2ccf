//! Recomputation without a link to a host, for small graphs: plans are nearly as short as the least
//! that an exhaustive search finds, and none is shorter, which the search would then have missed.

use mem_check::check_level_plan;
use mem_cost::ideal_cycles;
use mem_model::{Advice, Bytes, HostLink, OffloadPolicy};
use mem_planner::{plan_offload, widths};
use mem_testkit::{Rng, least_recomputation, number, random_operation_graph};
use rayon::prelude::*;

/// A graph and a budget, planned and searched exhaustively.
struct Compared {
    seed: u64,
    planned: Option<u64>,
    bound: u64,
    least: Option<u64>,
    is_limited: bool,
}

fn compare(seed: u64) -> Compared {
    let mut rng = Rng::new(seed);
    let graph = random_operation_graph(&mut rng, 6);
    let within = |budget: u64| graph.within("graph".to_owned(), Bytes::new(budget), None);
    // Between what the widest step needs, and what the program needs without repetitions.
    let (widest, peak) = widths(&within(1 << 20).problem).expect("one device");
    let budget = rng.between(widest as usize, peak as usize) as u64;
    let function = within(budget);
    let input = function.offload.as_ref().expect("a budget");
    let (auto, advice) = (OffloadPolicy::Auto, Advice::default());
    let found = plan_offload(&function.problem, &input.repeatable, auto, &advice);
    let mut bound = 0;
    let planned = found.ok().and_then(|found| {
        let answer = found.plan.ok()?;
        check_level_plan(&found.problem, &answer.plan).expect("a plan that holds");
        assert!(answer.plan.transfers.is_empty(), "seed {seed}");
        assert_eq!(ideal_cycles(&found.problem), found.makespan, "seed {seed}");
        bound = found.least;
        Some(found.makespan)
    });
    let least = least_recomputation(&graph, budget);
    Compared {
        seed,
        planned,
        bound,
        least,
        is_limited: least.is_none_or(|least| least > ideal_cycles(&function.problem)),
    }
}

#[test]
fn small_graphs_are_planned_nearly_optimally() {
    let first = number("RECOMPUTE_SEED", 0);
    let n_cases = number("RECOMPUTE_CASES", 300);
    let all: Vec<Compared> = (first..first + n_cases)
        .into_par_iter()
        .map(compare)
        .collect();
    let (mut sum, mut n_limited, mut n_missed, mut worst) = (0.0, 0, 0, 1.0_f64);
    for own in all.iter().filter(|own| own.is_limited) {
        let seed = own.seed;
        let Some(least) = own.least else {
            assert_eq!(own.planned, None, "seed {seed}: there is no such plan");
            continue;
        };
        let Some(planned) = own.planned else {
            // By bytes there is a way, but perhaps not by addresses.
            n_missed += 1;
            continue;
        };
        assert!(planned >= least, "seed {seed}: {planned} < {least}");
        assert!(
            own.bound <= least,
            "seed {seed}: bound {} > {least}",
            own.bound
        );
        let ratio = planned as f64 / least as f64;
        (sum, n_limited) = (sum + ratio, n_limited + 1);
        worst = worst.max(ratio);
        if ratio > 1.01 {
            eprintln!("seed {seed} {ratio}");
        }
    }
    let mean = sum / f64::from(n_limited);
    println!("{n_limited} graphs: mean {mean:.5}, worst {worst:.4}, {n_missed} without a plan");
    assert!(n_limited > 50, "{n_limited}");
    assert!(mean < 1.001 && worst <= 1.05, "{mean} {worst}");
    assert!(n_missed * 200 <= n_limited, "{n_missed} of {n_limited}");
}

/// A link adds choices, and recomputation alone stays one of them. Graphs of up to 16 steps are left out:
/// exhaustive search, which need not end, improves their plans with and without a link.
#[test]
fn a_link_never_makes_plans_longer() {
    let seeds: Vec<u64> = (0..number("RECOMPUTE_LINK_CASES", 40)).collect();
    let counts = seeds.into_par_iter().map(|seed| {
        let mut rng = Rng::new(seed);
        let graph = random_operation_graph(&mut rng, 20);
        if graph.operations.len() <= 16 {
            return 0;
        }
        let (widest, peak) = {
            let roomy = graph.within("graph".to_owned(), Bytes::new(1 << 20), None);
            widths(&roomy.problem).expect("one device")
        };
        let budget = Bytes::new(rng.between(widest as usize, peak as usize) as u64);
        let makespan = |link: Option<HostLink>| {
            let function = graph.within("graph".to_owned(), budget, link);
            let input = function.offload.as_ref().expect("a budget");
            let (auto, advice) = (OffloadPolicy::Auto, Advice::default());
            let found = plan_offload(&function.problem, &input.repeatable, auto, &advice).ok()?;
            let answer = found.plan.ok()?;
            check_level_plan(&found.problem, &answer.plan).expect("a plan that holds");
            Some((found.makespan, found.ideal))
        };
        let Some((alone, ideal)) = makespan(None) else {
            return 0;
        };
        let slow = [1e-3, 0.01, 0.1][rng.below(3)];
        let (beside, _) =
            makespan(Some(HostLink::symmetric(slow))).expect("a plan without copies is one");
        assert!(beside <= alone, "seed {seed}: {beside} {alone}");
        usize::from(alone > ideal)
    });
    let n_limited: usize = counts.sum();
    assert!(n_limited > 5, "{n_limited}");
}

//! `refit`: moving a few items of a plan.
//!
//! The oracle is the checker: whatever `refit` returns must be a plan of the changed problem. Small
//! cases state which items have to move, and which must not.

use mem_check::check_plan;
use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Item, Part, Placement, Plan, Point, Problem, Reuse,
    StepId,
};
use mem_planner::{PlanOptions, Strategy, lower_bound, plan, refit};
use mem_testkit::{Rng, add_demands, cut_rectangle, number, random_problem};

fn live(from: usize, to: usize) -> IntervalSet<Point> {
    let point = |step| Point::early(StepId::new(step));
    [Interval::new(point(from), point(to))]
        .into_iter()
        .collect()
}

/// Items that are live from the first step to before the second one, with their sizes.
fn problem(items: &[(usize, usize, u64)]) -> Problem {
    let items = items.iter().enumerate().map(|(index, &(from, to, size))| {
        let (size, one) = (Bytes::new(size), Bytes::new(1));
        let parts = vec![Part::whole(size, live(from, to))];
        Item::new(BufferId::new(index), size, one, parts)
    });
    Problem::of_items(items.collect())
}

fn bytes(offsets: &[u64]) -> Vec<Bytes> {
    offsets.iter().copied().map(Bytes::new).collect()
}

fn refitted(
    problem: &Problem,
    offsets: &[u64],
    changed: &[usize],
    highest: u64,
) -> Option<Vec<u64>> {
    let options = PlanOptions::default();
    let found = refit(
        problem,
        &bytes(offsets),
        changed,
        Bytes::new(highest),
        &options,
    )?;
    check(problem, &found, Bytes::new(highest)).expect("a correct plan");
    Some(found.iter().map(|offset| offset.get()).collect())
}

/// Checks that the offsets solve the problem and that no item ends above `highest`.
fn check(problem: &Problem, offsets: &[Bytes], highest: Bytes) -> Result<(), String> {
    let placed = || problem.items.iter().zip(offsets);
    let placement = |(item, offset): (&Item, &Bytes)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset: *offset,
    };
    let bound = lower_bound(problem).expect("small");
    let peak = placed().map(|(item, offset)| offset.get() + item.size.get());
    let plan = Plan {
        strategy: "refit".to_owned(),
        placements: placed().map(placement).collect(),
        peak: Bytes::new(peak.max().unwrap_or(0)),
        lower_bound: bound,
        proven_bound: bound,
    };
    let is_low = plan.peak <= highest;
    let checked = check_plan(problem, &plan).map_err(|error| error.to_string());
    checked.and(
        is_low
            .then_some(())
            .ok_or_else(|| format!("peak {}", plan.peak)),
    )
}

#[test]
fn what_fits_stays() {
    // Item 0 lives longer than when it was placed, but meets only item 1, which lies beside it.
    let problem = problem(&[(0, 6, 10), (4, 8, 20), (6, 9, 5)]);
    let offsets = [30, 0, 30];
    assert_eq!(
        refitted(&problem, &offsets, &[0], 40),
        Some(offsets.to_vec())
    );
}

#[test]
fn what_collides_moves_alone() {
    let problem = problem(&[(0, 6, 10), (4, 8, 20), (0, 9, 5)]);
    let found = refitted(&problem, &[0, 10, 5], &[2], 40);
    assert_eq!(found, Some(vec![0, 10, 30]));
}

#[test]
fn what_is_in_the_way_moves_on() {
    // The changed item fits nowhere unless the small item above it leaves.
    let problem = problem(&[(0, 9, 20), (0, 9, 10), (0, 9, 10)]);
    let found = refitted(&problem, &[0, 15, 30], &[0, 1], 40);
    assert!(found.is_some());
}

#[test]
fn a_result_takes_the_place_of_its_operand() {
    let mut problem = problem(&[(0, 5, 10), (4, 9, 10)]);
    assert_eq!(refitted(&problem, &[0, 0], &[1], 10), None);
    problem.reuses = vec![Reuse {
        operand: 0,
        result: 1,
    }];
    assert_eq!(refitted(&problem, &[0, 0], &[1], 10), Some(vec![0, 0]));
}

#[test]
fn without_room_or_effort_there_is_no_plan() {
    let problem = problem(&[(0, 6, 10), (4, 8, 20)]);
    assert_eq!(refitted(&problem, &[0, 0], &[0], 29), None);
    assert_eq!(refitted(&problem, &[0, 0], &[0], 9), None);
    let options = PlanOptions::default().with_effort(0);
    let highest = Bytes::new(30);
    assert_eq!(
        refit(&problem, &bytes(&[0, 0]), &[0], highest, &options),
        None
    );
}

#[test]
fn fixed_items_aliases_and_reserved_addresses_are_refused() {
    let plain = problem(&[(0, 6, 10), (6, 8, 20)]);
    assert!(refitted(&plain, &[0, 0], &[], 40).is_some());
    let mut fixed = plain.clone();
    fixed.items[0].fixed = Some(Bytes::ZERO);
    let mut aliases = plain.clone();
    aliases.aliases = vec![vec![0, 1]];
    let mut reserved = plain;
    reserved.reserved = vec![Interval::new(Bytes::new(50), Bytes::new(60))];
    for problem in [fixed, aliases, reserved] {
        assert_eq!(refitted(&problem, &[0, 0], &[], 40), None);
    }
}

/// A random plan, of which some items live longer: the result is a plan, and often there is one.
#[test]
fn changed_plans_stay_plans() {
    let (mut n_found, mut n_moved) = (0, 0);
    let n_cases = number("REFIT_CASES", 500);
    for seed in 0..n_cases {
        let mut rng = Rng::new(seed);
        let mut problem = random_problem(&mut rng, 30, 20);
        add_demands(&mut rng, &mut problem, 600);
        if problem.items.is_empty() {
            continue;
        }
        // What is left are reuses and explicit conflicts; the rest is refused.
        problem.aliases.clear();
        problem.reserved.clear();
        problem.capacity = None;
        for item in &mut problem.items {
            item.fixed = None;
        }
        let options = PlanOptions::default().with_effort(10_000);
        let old = plan(&problem, Strategy::GreedyBySize, &options).expect("no capacity");
        let offsets: Vec<Bytes> = old.placements.iter().map(|p| p.offset).collect();
        let changed: Vec<usize> = (0..2).map(|_| rng.below(problem.items.len())).collect();
        for item in &changed {
            let start = rng.below(20);
            for part in &mut problem.items[*item].parts {
                part.live = part.live.union(&live(start, start + 1 + rng.below(4)));
            }
        }
        let highest = Bytes::new(old.peak.get() + rng.below(3) as u64 * old.peak.get() / 10);
        let found = refit(&problem, &offsets, &changed, highest, &options);
        let Some(found) = found else { continue };
        check(&problem, &found, highest).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        n_found += 1;
        n_moved += u64::from(found != offsets);
    }
    assert!(n_found > n_cases / 3, "{n_found}");
    assert!(n_moved > n_cases / 20, "{n_moved}");
}

/// The pieces of a cut rectangle fit its height; nothing fits less.
#[test]
fn no_peak_is_below_the_optimum() {
    let mut n_optimal = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let problem = cut_rectangle(&mut rng, 30, 60, 100);
        let bound = lower_bound(&problem).expect("small");
        let options = PlanOptions::default();
        let simple = plan(&problem, Strategy::FirstFit, &options).expect("no capacity");
        let offsets: Vec<Bytes> = simple.placements.iter().map(|p| p.offset).collect();
        let below = bound.checked_sub(Bytes::new(1)).expect("has bytes");
        assert_eq!(refit(&problem, &offsets, &[], below, &options), None);
        if let Some(found) = refit(&problem, &offsets, &[], bound, &options) {
            check(&problem, &found, bound).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            n_optimal += 1;
        }
    }
    assert!(n_optimal > 0, "some can be repaired");
}

/// Every strategy continues from a plan: it is no worse, and correct whatever the given offsets are.
#[test]
fn every_strategy_continues_from_a_plan() {
    let mut rng = Rng::new(7);
    for case in 0..60 {
        let mut problem = random_problem(&mut rng, 12, 10);
        if case % 2 == 0 {
            add_demands(&mut rng, &mut problem, 600);
        }
        let options = PlanOptions::default().with_effort(2000);
        let Ok(first) = plan(&problem, Strategy::FirstFit, &options) else {
            continue;
        };
        let best = plan(&problem, Strategy::Auto, &PlanOptions::default()).expect("a plan");
        let offsets = |plan: &Plan| plan.placements.iter().map(|p| p.offset).collect::<Vec<_>>();
        for strategy in Strategy::ALL {
            for start in [&first, &best] {
                let options = options.clone().with_start(offsets(start));
                let found = plan(&problem, strategy, &options).expect("a plan");
                check_plan(&problem, &found).expect("a correct plan");
                // Items that were joined without need may be apart in the given plan.
                let is_kept = problem.aliases.is_empty() && problem.reuses.is_empty();
                assert!(
                    !is_kept || found.peak <= start.peak,
                    "case {case}: {strategy}"
                );
            }
            let nonsense = vec![Bytes::ZERO; problem.items.len()];
            for wrong in [nonsense, Vec::new()] {
                let options = options.clone().with_start(wrong);
                let found = plan(&problem, strategy, &options).expect("a plan");
                check_plan(&problem, &found).expect("a correct plan");
            }
        }
    }
}

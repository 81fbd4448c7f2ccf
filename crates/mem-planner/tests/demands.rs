//! Fixed and reserved addresses, explicit conflicts, aliases, reuse in place, and penalties: every
//! strategy against the checker, and the best plan against all placements.
//!
//! `DEMAND_CASES=20000 cargo test --release -p mem-planner --test demands` runs more cases.

use mem_check::check_plan;
use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Item, Part, Penalty, Placement, Plan, Point, Problem,
    Reuse, StepId,
};
use mem_planner::{Misplaced, PlanError, PlanOptions, Strategy, lower_bound, plan};
use mem_testkit::{Rng, add_demands, number, random_problem};

fn cases(otherwise: u64) -> u64 {
    number("DEMAND_CASES", otherwise)
}

fn item(index: usize, live: (usize, usize), size: u64) -> Item {
    let point = |step| Point::early(StepId::new(step));
    let live = [Interval::new(point(live.0), point(live.1))];
    let size = Bytes::new(size);
    let parts = vec![Part::whole(size, live.into_iter().collect())];
    Item::new(BufferId::new(index), size, Bytes::new(1), parts)
}

fn problem(items: &[(usize, usize, u64)]) -> Problem {
    let items = items.iter().enumerate();
    Problem::of_items(
        items
            .map(|(i, &(from, to, size))| item(i, (from, to), size))
            .collect(),
    )
}

/// Offsets of the default strategy, verified by the checker.
fn offsets(problem: &Problem) -> Vec<u64> {
    let solution = plan(problem, Strategy::Auto, &PlanOptions::default()).expect("a plan");
    check_plan(problem, &solution).expect("a correct plan");
    solution.placements.iter().map(|p| p.offset.get()).collect()
}

fn error(problem: &Problem) -> PlanError {
    plan(problem, Strategy::Auto, &PlanOptions::default()).expect_err("no plan")
}

#[test]
fn fixed_items_stay_and_others_avoid_them() {
    let mut fixed = problem(&[(0, 4, 10), (0, 4, 10), (0, 4, 5)]);
    fixed.items[0].fixed = Some(Bytes::new(7));
    // 5 bytes fit below it, 10 do not.
    assert_eq!(offsets(&fixed), [7, 17, 0]);
}

#[test]
fn fixed_items_that_clash_are_both_named() {
    let mut clash = problem(&[(0, 4, 10), (5, 9, 10), (3, 6, 10)]);
    clash.items[0].fixed = Some(Bytes::new(0));
    clash.items[1].fixed = Some(Bytes::new(0));
    assert_eq!(offsets(&clash), [0, 0, 10], "never live at once");
    clash.items[2].fixed = Some(Bytes::new(5));
    let PlanError::Clash(pair) = error(&clash) else {
        panic!("a clash");
    };
    assert_eq!(pair.map(|occupant| occupant.buffer.index()), [0, 2]);
}

#[test]
fn a_fixed_item_must_be_where_it_can_be() {
    let mut odd = problem(&[(0, 4, 10)]);
    odd.items[0].alignment = Bytes::new(8);
    odd.items[0].fixed = Some(Bytes::new(12));
    let why = |problem: &Problem| match error(problem) {
        PlanError::Misplaced(_, why) => why,
        other => panic!("{other}"),
    };
    assert_eq!(why(&odd), Misplaced::Alignment(Bytes::new(8)));
    odd.items[0].fixed = Some(Bytes::new(16));
    let region = Interval::new(Bytes::new(20), Bytes::new(21));
    odd.reserved.push(region);
    assert_eq!(why(&odd), Misplaced::Reserved(region.start, region.end));
    let mut aliases = problem(&[(0, 4, 10), (0, 4, 10)]);
    aliases.items[0].fixed = Some(Bytes::new(0));
    aliases.items[1].fixed = Some(Bytes::new(10));
    aliases.aliases.push(vec![0, 1]);
    assert_eq!(
        why(&aliases),
        Misplaced::Alias(BufferId::new(0), Bytes::new(0))
    );
}

#[test]
fn reserved_addresses_are_left_alone() {
    let mut reserved = problem(&[(0, 4, 10), (0, 4, 5)]);
    reserved
        .reserved
        .push(Interval::new(Bytes::new(5), Bytes::new(8)));
    assert_eq!(offsets(&reserved), [8, 0]);
    let solution = plan(&reserved, Strategy::Auto, &PlanOptions::default()).expect("a plan");
    assert!(solution.is_optimal(), "15 bytes and 3 that are reserved");
    assert_eq!(solution.peak, Bytes::new(18));
}

#[test]
fn explicit_conflicts_lie_apart() {
    let mut apart = problem(&[(0, 2, 10), (2, 4, 10)]);
    assert_eq!(offsets(&apart), [0, 0]);
    apart.conflicts.push((0, 1));
    let solution = plan(&apart, Strategy::Auto, &PlanOptions::default()).expect("a plan");
    assert_eq!(solution.peak, Bytes::new(20));
    assert_eq!(solution.lower_bound, Bytes::new(10));
    assert_eq!(
        solution.proven_bound,
        Bytes::new(20),
        "conflicts are in the bound"
    );
}

#[test]
fn aliases_are_one_storage() {
    let mut aliases = problem(&[(0, 4, 10), (2, 6, 8), (0, 6, 5)]);
    aliases.aliases.push(vec![0, 1]);
    let found = offsets(&aliases);
    assert_eq!(found[0], found[1]);
    assert_eq!(lower_bound(&aliases), Some(Bytes::new(15)));
}

#[test]
fn a_result_takes_over_its_operand_where_that_is_allowed() {
    // A chain of three items, each the result of the previous one.
    let mut chain = problem(&[(0, 3, 10), (2, 6, 10), (5, 9, 8)]);
    assert_eq!(lower_bound(&chain), Some(Bytes::new(20)));
    let reuse = |operand, result| Reuse { operand, result };
    chain.reuses = vec![reuse(0, 1), reuse(1, 2)];
    assert_eq!(lower_bound(&chain), Some(Bytes::new(10)));
    assert_eq!(offsets(&chain), [0, 0, 0]);
    // A larger result extends beyond its operand.
    chain.items[1] = item(1, (2, 6), 14);
    assert_eq!(lower_bound(&chain), Some(Bytes::new(14)));
    assert_eq!(offsets(&chain), [0, 0, 0]);
}

#[test]
fn two_results_do_not_take_over_the_same_bytes() {
    let mut twins = problem(&[(0, 3, 10), (2, 6, 10), (2, 6, 10)]);
    let reuse = |operand, result| Reuse { operand, result };
    twins.reuses = vec![reuse(0, 1), reuse(0, 2)];
    let found = offsets(&twins);
    assert_ne!(found[1], found[2]);
    assert!(found[1] == found[0] || found[2] == found[0]);
}

#[test]
fn a_padding_that_no_order_avoids_is_in_the_bound() {
    let mut padded = problem(&[(0, 4, 9), (0, 4, 9), (0, 4, 12)]);
    for item in &mut padded.items {
        item.alignment = Bytes::new(16);
    }
    let solution = plan(
        &padded,
        Strategy::Auto,
        &PlanOptions::default().with_effort(0),
    );
    let solution = solution.expect("a plan");
    assert_eq!(solution.peak, Bytes::new(41));
    assert!(solution.is_optimal(), "two of them are followed by another");
}

#[test]
fn of_plans_with_the_same_peak_the_cheaper_one_is_taken() {
    // 20 bytes are live throughout. Items 0 and 1 may each lie in either half of the other 20.
    let mut wait = problem(&[(0, 4, 10), (6, 9, 10), (0, 9, 20), (4, 6, 20)]);
    let penalty = |cost| Penalty {
        first: 0,
        second: 1,
        cost,
    };
    wait.penalties = vec![penalty(3)];
    let found = offsets(&wait);
    assert_ne!(found[0], found[1], "{found:?}");
    let peak = plan(&wait, Strategy::Auto, &PlanOptions::default())
        .expect("a plan")
        .peak;
    assert_eq!(peak, Bytes::new(40), "not more than without");
    // If avoiding the penalty would raise the peak, it is paid.
    let mut tight = problem(&[(0, 4, 10), (6, 9, 10), (0, 9, 20)]);
    tight.penalties = vec![penalty(3)];
    let found = offsets(&tight);
    assert_eq!(found[0], found[1]);
}

/// Every strategy's plan satisfies the checker, whatever the demands; or all strategies return the
/// same error.
#[test]
fn every_strategy_does_as_asked_and_none_beats_auto() {
    let mut n_plans = 0;
    for seed in 0..cases(500) {
        let mut rng = Rng::new(seed);
        let mut problem = random_problem(&mut rng, 20, 20);
        add_demands(&mut rng, &mut problem, 600);
        let options = PlanOptions::default().with_effort(20_000);
        let auto = plan(&problem, Strategy::Auto, &options);
        for strategy in Strategy::ALL {
            let found = plan(&problem, strategy, &options);
            match (&auto, &found) {
                (Ok(auto), Ok(found)) => {
                    let checked = check_plan(&problem, found);
                    checked.unwrap_or_else(|e| panic!("seed {seed}, {strategy}: {e}"));
                    // Avoiding penalties may lower the peak by chance.
                    if problem.penalties.is_empty() {
                        assert!(auto.peak <= found.peak, "seed {seed}: {strategy}");
                    }
                    assert!(
                        found.proven_bound <= auto.peak,
                        "seed {seed}: {strategy} {problem:?}"
                    );
                    n_plans += 1;
                }
                (Err(auto), Err(found)) => assert_eq!(auto, found, "seed {seed}"),
                other => panic!("seed {seed}, {strategy}: {other:?}"),
            }
        }
    }
    assert!(n_plans > 1000, "{n_plans}");
}

/// The plan with these offsets.
fn plan_at(problem: &Problem, offsets: &[u64]) -> Plan {
    let placement = |(item, offset): (&Item, &u64)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset: Bytes::new(*offset),
    };
    let ends = problem.items.iter().zip(offsets);
    Plan {
        strategy: "all".to_owned(),
        placements: problem.items.iter().zip(offsets).map(placement).collect(),
        peak: Bytes::new(
            ends.map(|(item, offset)| offset + item.size.get())
                .max()
                .unwrap_or(0),
        ),
        lower_bound: lower_bound(problem).expect("small"),
        proven_bound: lower_bound(problem).expect("small"),
    }
}

/// The lowest peak of all valid placements below `top`.
fn lowest_peak(problem: &Problem, offsets: &mut Vec<u64>, top: u64) -> Option<u64> {
    let Some(item) = problem.items.get(offsets.len()) else {
        let plan = plan_at(problem, offsets);
        return check_plan(problem, &plan)
            .is_ok()
            .then_some(plan.peak.get());
    };
    let mut lowest = None;
    let last = top.checked_sub(item.size.get())?;
    for offset in (0..=last).step_by(item.alignment.get() as usize) {
        if item.fixed.is_some_and(|fixed| fixed.get() != offset) {
            continue;
        }
        offsets.push(offset);
        let peak = lowest_peak(problem, offsets, top);
        offsets.pop();
        lowest = peak.into_iter().chain(lowest).min();
    }
    lowest
}

#[test]
fn no_placement_beats_a_plan_that_is_proven_optimal() {
    let (mut n_optimal, mut n_impossible) = (0, 0);
    for seed in 0..cases(300) {
        let mut rng = Rng::new(seed);
        let n_items = 2 + rng.below(3);
        let items: Vec<(usize, usize, u64)> = (0..n_items)
            .map(|_| {
                let from = rng.below(5);
                (from, from + 1 + rng.below(3), 1 + rng.below(3) as u64)
            })
            .collect();
        let mut problem = problem(&items);
        add_demands(&mut rng, &mut problem, 5);
        problem.penalties.clear();
        let options = PlanOptions::default().with_effort(1_000_000);
        let found = plan(&problem, Strategy::Auto, &options);
        let top = 14;
        let lowest = lowest_peak(&problem, &mut Vec::new(), top);
        match (&found, lowest) {
            (Ok(found), lowest) => {
                check_plan(&problem, found).expect("a correct plan");
                let lowest = lowest.unwrap_or(u64::MAX).min(found.peak.get());
                assert!(
                    found.proven_bound.get() <= lowest,
                    "seed {seed}: {problem:?}"
                );
                if problem.reuses.is_empty() && problem.aliases.is_empty() {
                    assert_eq!(found.peak.get(), lowest, "seed {seed}: {problem:?}");
                    assert!(found.is_optimal(), "seed {seed}: {problem:?}");
                    n_optimal += 1;
                }
            }
            (Err(error), lowest) => {
                assert_eq!(lowest, None, "seed {seed}: {error}");
                n_impossible += 1;
            }
        }
    }
    assert!(
        n_optimal > 100 && n_impossible > 5,
        "{n_optimal} {n_impossible}"
    );
}

/// An item whose size is a multiple of its alignment, or any number; live in one or two intervals,
/// in parts, or never.
fn odd_item(rng: &mut Rng, index: usize, unit: u64) -> Item {
    let live = |rng: &mut Rng| -> IntervalSet<Point> {
        let n = [0, 1, 1, 1, 2][rng.below(5)];
        let interval = |_| {
            let from = rng.below(5);
            let point = |step| Point::early(StepId::new(step));
            Interval::new(point(from), point(from + 1 + rng.below(3)))
        };
        (0..n).map(interval).collect()
    };
    let units = 1 + rng.below(3) as u64;
    let (size, alignment) = match rng.chance(70) {
        true => (units * unit, unit),
        false => (1 + rng.below(2 * unit as usize) as u64, 1),
    };
    let cut = rng.below(size as usize + 1) as u64;
    let parts = match rng.chance(30) && 0 < cut && cut < size {
        true => [(0, cut), (cut, size)]
            .map(|(start, end)| Part {
                bytes: Interval::new(Bytes::new(start), Bytes::new(end)),
                live: live(rng),
            })
            .to_vec(),
        false => vec![Part::whole(Bytes::new(size), live(rng))],
    };
    let (size, alignment) = (Bytes::new(size), Bytes::new(alignment));
    Item::new(BufferId::new(index), size, alignment, parts)
}

/// With alignments, items that are never live, and parts: no placement is below the proven bound.
#[test]
fn no_placement_is_below_the_proven_bound() {
    let (mut n_plans, mut n_optimal, mut n_above) = (0, 0, 0);
    for seed in 0..cases(300) {
        let mut rng = Rng::new(seed);
        let unit = [1, 2, 4][rng.below(3)];
        let n_items = 2 + rng.below(3);
        let items = (0..n_items).map(|index| odd_item(&mut rng, index, unit));
        let mut problem = Problem::of_items(items.collect());
        add_demands(&mut rng, &mut problem, 5 * unit);
        problem.penalties.clear();
        let options = PlanOptions::default().with_effort(1_000_000);
        let Ok(found) = plan(&problem, Strategy::Auto, &options) else {
            continue;
        };
        check_plan(&problem, &found).expect("a correct plan");
        let top = found.peak.get();
        let lowest = lowest_peak(&problem, &mut Vec::new(), top).unwrap_or(top);
        assert!(
            found.proven_bound.get() <= lowest,
            "seed {seed}: {problem:#?} {found:#?} {lowest}"
        );
        n_plans += 1;
        n_optimal += usize::from(found.is_optimal());
        n_above += usize::from(lowest < top);
    }
    println!("{n_optimal} of {n_plans} plans are proven optimal, {n_above} are not optimal");
    assert!(n_optimal * 2 > n_plans && n_above * 20 < n_plans);
}

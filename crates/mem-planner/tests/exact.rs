//! Exact search: against brute force, on problems with a known optimum, and on published instances.
//!
//! `EXACT_CASES=20000 cargo test --release -p mem-planner --test exact` runs more cases.

use std::path::{Path, PathBuf};

use mem_check::check_plan;
use mem_model::{BufferId, Bytes, Interval, IntervalSet, Item, Part, Plan, Point, Problem, StepId};
use mem_planner::{PlanOptions, Strategy, plan};
use mem_testkit::{Rng, cut_rectangle, number, published_instances};

/// Number of random problems to try.
fn cases(otherwise: u64) -> u64 {
    number("EXACT_CASES", otherwise)
}

fn item(index: usize, live: &[(usize, usize)], size: u64, alignment: u64) -> Item {
    let point = |step| Point::early(StepId::new(step));
    let intervals = live
        .iter()
        .map(|&(from, to)| Interval::new(point(from), point(to)));
    let live: IntervalSet<Point> = intervals.collect();
    let size = Bytes::new(size);
    Item::new(
        BufferId::new(index),
        size,
        Bytes::new(alignment),
        vec![Part::whole(size, live)],
    )
}

fn exact(problem: &Problem, options: &PlanOptions) -> Plan {
    let solution = plan(problem, Strategy::Exact, options).expect("no capacity");
    check_plan(problem, &solution).expect("a correct plan");
    assert!(solution.proven_bound <= solution.peak);
    assert!(solution.proven_bound >= solution.lower_bound);
    solution
}

/// The lowest peak of any order, with each item as low as possible. Some order has the optimal
/// peak: that of the offsets in an optimal plan.
fn lowest_peak(items: &[Item], placed: &mut Vec<(usize, u64)>, best: &mut u64) {
    if placed.len() == items.len() {
        let ends = placed
            .iter()
            .map(|(index, offset)| offset + items[*index].size.get());
        *best = (*best).min(ends.max().unwrap_or(0));
        return;
    }
    for (index, item) in items.iter().enumerate() {
        if placed.iter().any(|(other, _)| *other == index) {
            continue;
        }
        let mut offset = 0;
        while let Some(end) = placed.iter().find_map(|(other, at)| {
            let other = &items[*other];
            let end = at + other.size.get();
            let meets = *at < offset + item.size.get() && offset < end;
            (meets && other.live().overlaps(&item.live())).then_some(end)
        }) {
            offset = end.next_multiple_of(item.alignment.get());
        }
        if offset + item.size.get() < *best {
            placed.push((index, offset));
            lowest_peak(items, placed, best);
            placed.pop();
        }
    }
}

#[test]
fn small_problems_get_the_lowest_peak_that_there_is() {
    let mut n_above = 0;
    for seed in 0..cases(400) {
        let mut rng = Rng::new(seed);
        let items = (0..3 + rng.below(5)).map(|index| {
            let mut live = Vec::new();
            let mut at = rng.below(6);
            for _ in 0..1 + rng.below(2) {
                let end = at + 1 + rng.below(4);
                live.push((at, end));
                at = end + 1 + rng.below(3);
            }
            let alignment = [1, 1, 1, 2, 4][rng.below(5)];
            item(index, &live, 1 + rng.below(9) as u64, alignment)
        });
        let problem = Problem::of_items(items.collect());
        let mut best = u64::MAX;
        lowest_peak(&problem.items, &mut Vec::new(), &mut best);
        let options = PlanOptions::default().with_effort(10_000_000);
        let plan = exact(&problem, &options);
        assert_eq!(plan.peak.get(), best, "seed {seed}: {problem:?}");
        assert_eq!(plan.proven_bound.get(), best, "seed {seed}: it is proven");
        n_above += usize::from(plan.lower_bound.get() < best);
    }
    // Some optima exceed the peak of live bytes.
    assert!(n_above > 20, "{n_above}");
}

/// Blocks end at multiples of their common alignment; fixed items and items that are never live end
/// anywhere. Bounds that come from those were once rounded up as if they concerned blocks.
#[test]
fn items_that_are_not_placed_do_not_raise_the_bound() {
    let mut n_set_by_others = 0;
    for seed in 0..cases(400) {
        let mut rng = Rng::new(seed);
        let mut items: Vec<Item> = (0..3 + rng.below(4))
            .map(|index| {
                let start = rng.below(6);
                let live = [(start, start + 1 + rng.below(4))];
                item(index, &live, 4 * (1 + rng.below(6)) as u64, 4)
            })
            .collect();
        let mut add = |mut new: Item, fixed: Option<u64>| {
            new.fixed = fixed.map(Bytes::new);
            items.push(new);
            items.len() - 1
        };
        if rng.chance(70) {
            add(item(8, &[], 1 + rng.below(60) as u64, 1), None);
        }
        let mut placed = Vec::new();
        if rng.chance(50) {
            let (start, offset) = (rng.below(6), rng.below(40) as u64);
            let fixed = item(9, &[(start, start + 2)], 1 + rng.below(20) as u64, 1);
            placed.push((add(fixed, Some(offset)), offset));
        }
        let problem = Problem::of_items(items);
        let mut best = u64::MAX;
        lowest_peak(&problem.items, &mut placed, &mut best);
        let options = PlanOptions::default().with_effort(10_000_000);
        let plan = exact(&problem, &options);
        assert_eq!(plan.peak.get(), best, "seed {seed}: {problem:?}");
        assert_eq!(plan.proven_bound.get(), best, "seed {seed}: it is proven");
        n_set_by_others += usize::from(best % 4 > 0);
    }
    assert!(n_set_by_others > 50, "{n_set_by_others}");
}

#[test]
fn a_rectangle_that_was_cut_up_is_put_together_again() {
    for seed in 0..cases(60) {
        let mut rng = Rng::new(seed);
        let n_items = 5 + rng.below(40);
        let problem = cut_rectangle(&mut rng, n_items, 40, 1000);
        let options = PlanOptions::default().with_effort(100_000_000);
        let solution = exact(&problem, &options);
        assert_eq!(solution.peak, Bytes::new(1000), "seed {seed}");
    }
}

#[test]
fn a_peak_that_is_low_enough_ends_the_search() {
    let mut rng = Rng::new(7);
    let problem = cut_rectangle(&mut rng, 60, 50, 1000);
    let options = PlanOptions::default().with_effort(100_000_000);
    let solution = exact(&problem, &options.with_enough(Bytes::new(1100)));
    assert!(solution.peak <= Bytes::new(1100));
}

#[test]
fn without_effort_there_is_a_plan_all_the_same() {
    let mut rng = Rng::new(8);
    let problem = cut_rectangle(&mut rng, 60, 50, 1000);
    exact(&problem, &PlanOptions::default().with_effort(0));
}

/// The instances of this repository.
fn own_instances() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances")
}

fn instance(path: &Path) -> Problem {
    let text = std::fs::read_to_string(path).expect("an instance");
    let rows = text.lines().skip(1).enumerate().map(|(index, line)| {
        let numbers = line.split(',').map(|n| n.parse().expect("a number"));
        let numbers: Vec<u64> = numbers.collect();
        let live = (numbers[1] as usize, numbers[2] as usize);
        item(index, &[live], numbers[3], 1)
    });
    Problem::of_items(rows.collect())
}

/// The challenging instances of MiniMalloc.
fn challenging(folder: &Path) -> impl Iterator<Item = (&'static str, Problem)> {
    let names = ["A", "B", "C", "D", "E", "F"].into_iter();
    let folder = folder.join("minimalloc");
    names.map(move |name| {
        let file = folder.join(format!("{name}.1048576.csv"));
        (name, instance(&file))
    })
}

#[test]
fn the_challenging_instances_fit_their_capacity() {
    let Some(folder) = published_instances("the_challenging_instances_fit_their_capacity") else {
        return;
    };
    for (name, problem) in challenging(&folder) {
        let options = PlanOptions::default().with_effort(400_000_000);
        let capacity = Bytes::new(1_048_576);
        let solution = exact(&problem, &options.with_enough(capacity));
        let peak = solution.peak;
        assert!(peak <= capacity, "{name}: {peak}");
    }
}

#[test]
fn networks_need_their_peak_of_live_bytes() {
    let folder = own_instances().join("nets");
    let mut n_nets = 0;
    for entry in std::fs::read_dir(folder).expect("instances") {
        let file = entry.expect("an entry").path();
        let problem = instance(&file);
        let options = PlanOptions::default().with_effort(50_000_000);
        let plan = exact(&problem, &options);
        assert_eq!(plan.peak, plan.lower_bound, "{}", file.display());
        n_nets += 1;
    }
    assert_eq!(n_nets, 17);
}

#[test]
fn a_training_graph_of_eighteen_thousand_buffers_needs_its_peak_of_live_bytes() {
    let name = "a_training_graph_of_eighteen_thousand_buffers_needs_its_peak_of_live_bytes";
    let Some(folder) = published_instances(name) else {
        return;
    };
    let problem = instance(&folder.join("large/pangu_2.6B.csv"));
    let solution = plan(&problem, Strategy::Auto, &PlanOptions::default()).expect("no capacity");
    check_plan(&problem, &solution).expect("a correct plan");
    assert!(solution.is_optimal());
}

#[test]
fn auto_is_as_good_as_any_and_the_number_of_threads_changes_nothing() {
    let mut rng = Rng::new(11);
    let cut = cut_rectangle(&mut rng, 80, 60, 1000);
    let mut problems = vec![cut];
    problems.extend(["150", "200"].map(|name| {
        let file = own_instances().join(format!("cut/{name}.csv"));
        instance(&file)
    }));
    if let Some(folder) = published_instances("auto_is_as_good_as_any, on published instances") {
        problems.extend(challenging(&folder).map(|(_, problem)| problem));
    }
    for (index, problem) in problems.iter().enumerate() {
        let options = PlanOptions::default().with_effort(1_500_000).with_seed(3);
        let auto = plan(problem, Strategy::Auto, &options).expect("no capacity");
        check_plan(problem, &auto).expect("a correct plan");
        for strategy in Strategy::ALL {
            let other = plan(problem, strategy, &options).expect("no capacity");
            check_plan(problem, &other).expect("a correct plan");
            assert!(auto.peak <= other.peak, "{index}: {strategy}");
        }
        let two = plan(problem, Strategy::Auto, &options.with_threads(2)).expect("no capacity");
        assert_eq!(auto, two, "{index}");
    }
}

/// Bytes that are never live may overlap others, but count for the peak: one of two items with 2 live
/// bytes of 10 lies above those of the other.
#[test]
fn a_proof_counts_bytes_that_are_never_live() {
    let mut problem = Problem::of_items(vec![item(0, &[(0, 2)], 10, 1), item(1, &[(0, 2)], 10, 1)]);
    for item in &mut problem.items {
        item.parts[0].bytes = Interval::new(Bytes::new(0), Bytes::new(2));
    }
    let solution = plan(&problem, Strategy::Exact, &PlanOptions::default()).expect("no capacity");
    check_plan(&problem, &solution).expect("a correct plan");
    assert_eq!(solution.peak, Bytes::new(12));
    assert_eq!(solution.proven_bound, solution.peak);
}

#[test]
fn items_that_are_never_live_are_not_searched() {
    let mut problem = Problem::of_items(vec![item(0, &[], 1 << 20, 1), item(1, &[], 48, 64)]);
    problem.conflicts = vec![(0, 1)];
    problem.penalties = vec![mem_model::Penalty {
        first: 1,
        second: 0,
        cost: 9,
    }];
    for strategy in Strategy::ALL {
        let mut options = PlanOptions::default();
        options.effort = 20_000;
        let solution = plan(&problem, strategy, &options).expect("no capacity");
        check_plan(&problem, &solution).expect("a correct plan");
    }
}

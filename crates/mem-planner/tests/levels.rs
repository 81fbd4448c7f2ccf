//! Plans over several levels, executed by a checker that shares no code with the planner.
//!
//! `LEVEL_CASES` and `LEVEL_SEED` set the number of problems and the first seed.

use std::collections::BTreeSet;

use mem_check::{LevelError, check_level_plan};
use mem_cost::simulate;
use mem_model::{
    Bytes, Hierarchy, Level, LevelId, LevelPlan, LevelProblem, LevelStep, PlacementId, Port,
    Tensor, TensorId, TensorUse,
};
use mem_planner::{
    CostModel, LevelPolicy, LevelStrategy, overlap, plan_levels, plan_levels_auto, plan_levels_with,
};
use mem_testkit::{
    Rng, cheapest_level_plan, level, number, random_level_problem, random_small_level_problem,
    tensor,
};

fn seeds() -> std::ops::Range<u64> {
    let first = number("LEVEL_SEED", 0);
    first..first + number("LEVEL_CASES", 400)
}

#[test]
fn plans_are_executed_without_complaint() {
    let (mut n_planned, mut n_transfers, mut n_beside) = (0, 0, 0);
    let (mut n_faster, mut n_slower) = (0, 0);
    for seed in seeds() {
        let problem = random_level_problem(&mut Rng::new(seed), 2 + seed as usize % 20);
        let policies = LevelPolicy::ALL.map(LevelStrategy::Policy);
        for policy in policies
            .into_iter()
            .chain([1, 2].map(|segment| LevelStrategy::LocalSearch { segment }))
            .chain([LevelStrategy::Global])
        {
            let Ok(answer) = plan_levels_with(&problem, policy, CostModel::Serial) else {
                continue;
            };
            let plan = answer.plan;
            n_planned += 1;
            n_transfers += plan.transfers.len();
            if let Err(error) = check_level_plan(&problem, &plan) {
                panic!("seed {seed}, {policy:?}: {error}\n{problem:#?}\n{plan:#?}");
            }
            // Every copy is accessed, copied on, or at home.
            let reads = plan.transfers.iter().map(|transfer| transfer.from);
            let used: BTreeSet<PlacementId> = plan
                .accessed
                .iter()
                .flatten()
                .copied()
                .chain(reads)
                .collect();
            for transfer in &plan.transfers {
                let is_home = plan.placements[transfer.to.index()].offset.is_none();
                assert!(
                    is_home || used.contains(&transfer.to),
                    "seed {seed}, {policy:?}"
                );
            }
            // The same plan with copies that overlap computation, which is rarely slower.
            let beside = overlap(&problem, &plan);
            if let Err(error) = check_level_plan(&problem, &beside) {
                panic!("seed {seed}, {policy:?}: {error}\n{problem:#?}\n{plan:#?}\n{beside:#?}");
            }
            let transfers = beside.transfers.iter();
            n_beside += transfers
                .filter(|transfer| transfer.until > transfer.before)
                .count();
            let makespans = [&plan, &beside].map(|plan| simulate(&problem, plan).makespan);
            assert!(makespans[0] <= plan.cost, "seed {seed}, {policy:?}");
            n_faster += usize::from(makespans[1] < makespans[0]);
            n_slower += usize::from(makespans[1] > makespans[0]);
        }
    }
    println!("{n_beside} of {n_transfers} beside; {n_faster} plans faster, {n_slower} slower");
    assert!(n_planned > 0 && n_transfers > 0 && n_beside > 0 && n_slower < n_faster / 20);
}

/// The bound is at most the cost of any policy's plan, and the plan of `auto` costs no more than
/// those.
/// A strategy by itself takes the first gap that is large enough. What is returned takes no more bytes
/// in any level, no more time, and the same levels.
#[test]
fn addresses_in_slower_levels_are_packed() {
    let mut n_lower = 0;
    for seed in seeds() {
        let problem = random_level_problem(&mut Rng::new(seed), 2 + seed as usize % 30);
        for policy in LevelPolicy::ALL {
            let Ok(before) = plan_levels(&problem, policy) else {
                continue;
            };
            let strategy = LevelStrategy::Policy(policy);
            let answer = plan_levels_with(&problem, strategy, CostModel::Serial);
            let plan = answer.expect("the policy has a plan").plan;
            let about = format!("seed {seed}, {policy:?}");
            assert_eq!(
                check_level_plan(&problem, &plan),
                Ok(before.cost),
                "{about}"
            );
            assert_eq!(plan.transfers, before.transfers, "{about}");
            let makespan = |plan: &LevelPlan| simulate(&problem, &overlap(&problem, plan)).makespan;
            assert!(makespan(&plan) <= makespan(&before), "{about}");
            for level in (0..problem.hierarchy.levels.len()).map(LevelId::new) {
                let peaks = [&plan, &before].map(|plan| plan.peak(&problem, level));
                assert!(peaks[0] <= peaks[1], "{about}: {level}");
                n_lower += usize::from(peaks[0] < peaks[1]);
            }
        }
    }
    assert!(n_lower > 100, "{n_lower}");
}

/// The second of three tensors lies right above the first if it takes the first gap, and the third one then
/// lies above both. If there is a gap between them, the third one fits below the second.
#[test]
fn a_level_with_room_for_everything_is_packed_to_its_bound() {
    let hierarchy = Hierarchy {
        levels: vec![memory("fast", Some(0), 1), memory("slow", None, 10)],
        ..Hierarchy::default()
    };
    let tensors = [("a", 40), ("b", 60), ("c", 60)];
    let problem = LevelProblem {
        hierarchy,
        tensors: tensors
            .map(|(name, size)| tensor(name.to_owned(), size, 1))
            .to_vec(),
        steps: vec![
            step(&[], &[0]),
            step(&[0], &[1]),
            step(&[1], &[2]),
            step(&[2], &[]),
        ],
        blocks: Vec::new(),
    };
    for strategy in LevelStrategy::ALL {
        let Ok(answer) = plan_levels_with(&problem, strategy, CostModel::Overlapped) else {
            continue;
        };
        let found = answer.plan.peak(&problem, LevelId::new(1));
        assert_eq!(found, Some(Bytes::new(120)), "{strategy:?}");
    }
}

#[test]
fn no_strategy_is_below_the_bound() {
    let (mut cost, mut bound, mut others) = (0, 0, 0);
    for seed in seeds() {
        let problem = random_level_problem(&mut Rng::new(seed), 2 + seed as usize % 30);
        let Ok(answer) = plan_levels_auto(&problem, CostModel::Serial) else {
            continue;
        };
        if let Err(error) = check_level_plan(&problem, &answer.plan) {
            panic!(
                "seed {seed}, {}: {error}\n{problem:#?}\n{:#?}",
                answer.strategy, answer.plan
            );
        }
        assert!(answer.lower_bound <= answer.plan.cost, "seed {seed}");
        // Copies that are issued earlier can be cheaper: the first copy of a preloaded tensor is
        // free before the first use.
        let overlapped = overlap(&problem, &answer.plan);
        assert!(answer.lower_bound <= overlapped.cost, "seed {seed}");
        let mut least = u64::MAX;
        for policy in LevelPolicy::ALL {
            if let Ok(plan) = plan_levels(&problem, policy) {
                assert!(
                    answer.lower_bound <= plan.cost && answer.plan.cost <= plan.cost,
                    "seed {seed}"
                );
                least = least.min(plan.cost);
            }
        }
        if least < u64::MAX {
            (cost, bound, others) = (
                cost + answer.plan.cost,
                bound + answer.lower_bound,
                others + least,
            );
        }
    }
    println!("auto {cost}, the best of the others {others}, lower bound {bound}");
    assert!(cost < others);
}

/// A preloaded tensor is copied to a second level before its first use, which does not access it
/// there. The bound once missed such plans.
#[test]
fn the_bound_covers_free_copies_to_levels_that_the_first_use_does_not_access() {
    let problem = random_level_problem(&mut Rng::new(1482), 12);
    let answer = plan_levels_auto(&problem, CostModel::Overlapped).expect("a plan");
    let overlapped = overlap(&problem, &answer.plan);
    assert!(overlapped.cost < answer.plan.cost);
    assert!(answer.lower_bound <= overlapped.cost);
}

/// Against exhaustive search: no plan is below the optimum, the bound does not exceed it, and
/// `auto` is close to it.
#[test]
fn small_problems_against_all_plans() {
    let (mut cost, mut optimum, mut bound, mut global_cost) = (0, 0, 0, 0);
    for seed in seeds().step_by(10) {
        let problem = random_small_level_problem(&mut Rng::new(seed));
        let cheapest = cheapest_level_plan(&problem).expect("the slow level is unbounded");
        let exact = plan_levels_with(&problem, LevelStrategy::Exact, CostModel::Serial);
        let exact = exact.expect("it is small").plan;
        if let Err(error) = check_level_plan(&problem, &exact) {
            panic!("seed {seed}: {error}\n{problem:#?}\n{exact:#?}");
        }
        assert_eq!(exact.cost, cheapest, "seed {seed}");
        let answer = plan_levels_auto(&problem, CostModel::Serial).expect("it is");
        check_level_plan(&problem, &answer.plan).expect("a plan that holds");
        assert!(
            answer.lower_bound <= cheapest,
            "seed {seed}: {} above {cheapest}",
            answer.lower_bound
        );
        assert!(
            cheapest <= answer.plan.cost,
            "seed {seed}: {cheapest} is not the cheapest"
        );
        assert!(
            answer.plan.cost * 100 <= cheapest * 105,
            "seed {seed}: {} for {cheapest}",
            answer.plan.cost
        );
        let global = plan_levels_with(&problem, LevelStrategy::Global, CostModel::Serial);
        global_cost += global.expect("it finds one").plan.cost;
        (cost, optimum, bound) = (
            cost + answer.plan.cost,
            optimum + cheapest,
            bound + answer.lower_bound,
        );
    }
    println!("auto {cost}, global {global_cost}, optimum {optimum}, lower bound {bound}");
    assert!(cost * 100 <= optimum * 101 && global_cost * 100 <= optimum * 101);
}

/// A broken plan has another cost, reads other contents, or has an impossible address.
#[test]
fn broken_plans_are_refused() {
    let mut n_broken = 0;
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let problem = random_level_problem(&mut rng, 2 + seed as usize % 20);
        let Ok(plan) = plan_levels(&problem, LevelPolicy::FarthestNextUse) else {
            continue;
        };
        if let Some(index) = (0..plan.transfers.len()).next_back() {
            let mut without = plan.clone();
            without.transfers.remove(index);
            assert!(
                check_level_plan(&problem, &without).is_err()
                    || plan.cost == 0
                    || is_free(&problem, &plan, index)
            );
            n_broken += 1;
        }
        let placed = plan.placements.iter().position(|placement| {
            placement.offset.is_some()
                && problem.tensors[placement.tensor.index()].size > Bytes::ZERO
        });
        if let Some(index) = placed {
            let mut far = plan.clone();
            far.placements[index].offset = Some(Bytes::new(u64::MAX));
            assert_eq!(
                check_level_plan(&problem, &far),
                Err(LevelError::Address(PlacementId::new(index))),
                "seed {seed}"
            );
            let mut cheaper = plan.clone();
            cheaper.cost += 1;
            let (claimed, cost) = (cheaper.cost, plan.cost);
            let wanted = Err(LevelError::Cost { claimed, cost });
            assert_eq!(check_level_plan(&problem, &cheaper), wanted, "seed {seed}");
        }
    }
    assert!(n_broken > 0);
}

/// A transfer without bytes takes no time.
fn is_free(problem: &LevelProblem, plan: &LevelPlan, index: usize) -> bool {
    let tensor = plan.placements[plan.transfers[index].from.index()].tensor;
    problem.tensors[tensor.index()].size == Bytes::ZERO
}

fn memory(name: &str, capacity: Option<u64>, latency: u64) -> Level {
    let bandwidth = 1.0;
    level(name, capacity, 1, Port { latency, bandwidth })
}

fn block(name: &str, home: Option<usize>) -> Tensor {
    Tensor {
        home: home.map(LevelId::new),
        ..tensor(name.to_owned(), 10, 1)
    }
}

fn step(reads: &[usize], writes: &[usize]) -> LevelStep {
    let used = |tensor: &usize, is_read: bool| TensorUse {
        tensor: TensorId::new(*tensor),
        reads: Bytes::new(if is_read { 10 } else { 0 }),
        writes: Bytes::new(if is_read { 0 } else { 10 }),
        writes_all: !is_read,
        accepted: Vec::new(),
        takes_over: None,
    };
    let reads = reads.iter().map(|tensor| used(tensor, true));
    let writes = writes.iter().map(|tensor| used(tensor, false));
    LevelStep {
        name: String::new(),
        cycles: 0,
        repeats: 1,
        uses: reads.chain(writes).collect(),
        ..LevelStep::default()
    }
}

/// Room for two of three tensors: a and b are written, then c; a is needed next, b much later.
/// Farthest next use evicts b, least recently used evicts a, and the initial policy leaves c in the
/// slow level.
#[test]
fn room_for_two_of_three() {
    let problem = LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![memory("fast", Some(20), 0), memory("slow", None, 100)],
            ..Hierarchy::default()
        },
        tensors: ["a", "b", "c"].map(|name| block(name, None)).to_vec(),
        steps: vec![
            step(&[], &[0]),
            step(&[], &[1]),
            step(&[], &[2]),
            step(&[0, 2], &[]),
            step(&[0, 2], &[]),
            step(&[1], &[]),
        ],
        blocks: Vec::new(),
    };
    let plan = |policy| plan_levels(&problem, policy).expect("the slow level has room");
    let moved = |plan: &LevelPlan| {
        let tensors = plan
            .transfers
            .iter()
            .map(|t| plan.placements[t.from.index()].tensor.index());
        tensors.collect::<Vec<usize>>()
    };
    let initial = plan(LevelPolicy::Initial);
    assert_eq!(moved(&initial), [0; 0]);
    // An access takes 10 cycles in the fast level, 110 in the slow one: c is accessed three times.
    assert_eq!(initial.cost, 5 * 10 + 3 * 110);
    let ahead = plan(LevelPolicy::FarthestNextUse);
    assert_eq!(moved(&ahead), [1, 1]);
    // b moves down in 10 + 110 cycles, and back in 110 + 10.
    assert_eq!(ahead.cost, 8 * 10 + 240);
    let back = plan(LevelPolicy::LeastRecentlyUsed);
    assert_eq!(moved(&back), [0, 1, 0, 1]);
    for plan in [initial, ahead, back] {
        assert_eq!(check_level_plan(&problem, &plan), Ok(plan.cost));
    }
}

/// The error says where a tensor does not fit, which tensors are resident, and how many bytes are
/// missing.
#[test]
fn an_operand_that_does_not_fit_is_an_error() {
    let mut problem = LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![memory("fast", Some(25), 0), memory("slow", None, 100)],
            ..Hierarchy::default()
        },
        tensors: ["a", "b", "c"].map(|name| block(name, Some(1))).to_vec(),
        steps: vec![step(&[0, 1], &[]), step(&[0, 1, 2], &[])],
        blocks: Vec::new(),
    };
    for used in &mut problem.steps[1].uses {
        used.accepted = vec![LevelId::new(0)];
    }
    let error = plan_levels(&problem, LevelPolicy::FarthestNextUse).expect_err("30 bytes in 25");
    assert_eq!(
        (error.step, error.level, error.missing),
        (1, LevelId::new(0), 5)
    );
    assert_eq!(error.alive.len(), 2);
}

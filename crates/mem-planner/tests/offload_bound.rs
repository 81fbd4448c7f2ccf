//! The lower bound on the makespan within a budget: no plan is below it.

use mem_check::check_level_plan;
use mem_cost::{ideal_cycles, simulate};
use mem_model::{Bytes, Hierarchy, LevelId, LevelProblem, LevelStep, OffloadPolicy, Port};
use mem_planner::{
    Advice, Repeatable, Repetition, least_makespan, plan_offload, plan_repeated, plan_swaps, widths,
};
use mem_testkit::{Rng, engine, level, number, tensor, used};

/// A device of some bytes and a host, with links of one byte per cycle.
fn hierarchy(budget: u64) -> Hierarchy {
    let port = |bandwidth: f64| Port {
        latency: 0,
        bandwidth,
    };
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    Hierarchy {
        levels: vec![
            level("device", Some(budget), 1, port(0.0)),
            level("host", None, 1, port(1.0)),
        ],
        engines: vec![engine("in", (host, device)), engine("out", (device, host))],
        ..Hierarchy::default()
    }
}

/// Steps of some cycles that read and write tensors of some sizes.
fn problem(budget: u64, sizes: &[u64], steps: &[(u64, &[usize], &[usize])]) -> LevelProblem {
    let step = |(cycles, reads, writes): &(u64, &[usize], &[usize])| {
        let reads = reads.iter().map(|own| used(*own, sizes[*own], false));
        let writes = writes.iter().map(|own| used(*own, sizes[*own], true));
        LevelStep {
            cycles: *cycles,
            repeats: 1,
            uses: reads.chain(writes).collect(),
            ..LevelStep::default()
        }
    };
    let tensors = sizes.iter().enumerate();
    LevelProblem {
        hierarchy: hierarchy(budget),
        tensors: tensors
            .map(|(index, size)| tensor(format!("t{index}"), *size, 1))
            .collect(),
        steps: steps.iter().map(step).collect(),
        blocks: Vec::new(),
    }
}

/// A tensor that leaves only for the last steps of its gap has all steps before them to be copied.
#[test]
fn a_tensor_may_leave_in_the_middle_of_its_gap() {
    let all: &[usize] = &[0, 1];
    let steps: &[(u64, &[usize], &[usize])] = &[
        (1, &[], all),
        // One byte in excess: the small tensor leaves.
        (1, &[], &[2]),
        (100, &[], &[]),
        // As many bytes as both have: the large one leaves during the step before.
        (1, &[], &[3]),
        (100, &[], &[]),
        (1, all, &[]),
    ];
    let problem = problem(11, &[1, 10, 1, 11], steps);
    let answer = plan_swaps(&problem, OffloadPolicy::Swap, &Advice::default()).expect("it fits");
    check_level_plan(&problem, &answer.plan).expect("it holds");
    let makespan = simulate(&problem, &answer.plan).makespan;
    let repeatable = vec![Repeatable::default(); problem.steps.len()];
    let least = least_makespan(&problem, &repeatable, makespan);
    assert!(least <= makespan, "{least} {makespan}");
}

/// A step that may be repeated only at the start of a gap recomputes the tensor for the rest of it.
#[test]
fn a_tensor_may_be_recomputed_before_it_is_needed() {
    let steps: &[(u64, &[usize], &[usize])] = &[
        (1, &[], &[0]),
        (1, &[], &[1]),
        (1, &[], &[]),
        (1, &[], &[]),
        (1, &[0], &[]),
    ];
    let problem = problem(150, &[100, 100], steps);
    let mut repeatable = vec![Repeatable::default(); problem.steps.len()];
    repeatable[0] = Repeatable {
        is_pure: true,
        until: Some(2),
        ..Repeatable::default()
    };
    let again = Repetition { before: 2, step: 0 };
    let (policy, advice) = (OffloadPolicy::Swap, Advice::default());
    let (extended, answer) = plan_repeated(&problem, &repeatable, policy, &advice, &[again]);
    let plan = answer.expect("it fits").plan;
    check_level_plan(&extended, &plan).expect("it holds");
    let makespan = simulate(&extended, &plan).makespan;
    assert_eq!(makespan, 6);
    let least = least_makespan(&problem, &repeatable, 100);
    assert!(least <= makespan, "{least} {makespan}");
}

/// Two tensors with different alignments, and bytes left over by the larger alignment.
#[test]
fn what_follows_a_tensor_needs_only_its_own_alignment() {
    let steps: &[(u64, &[usize], &[usize])] = &[(1, &[], &[0, 1]), (1, &[0, 1], &[])];
    let mut problem = problem(64, &[1, 60], steps);
    problem.tensors[0].alignment = Bytes::new(64);
    problem.tensors[1].alignment = Bytes::new(4);
    assert!(widths(&problem).is_some_and(|(widest, _)| widest <= 64));
    let answer = plan_swaps(&problem, OffloadPolicy::Swap, &Advice::default()).expect("it fits");
    check_level_plan(&problem, &answer.plan).expect("it holds");
}

/// The last tensor of a level ends anywhere.
#[test]
fn the_last_tensor_needs_no_padding() {
    let steps: &[(u64, &[usize], &[usize])] = &[(1, &[], &[0, 1]), (1, &[0, 1], &[])];
    let mut problem = problem(164, &[100, 64], steps);
    for tensor in &mut problem.tensors {
        tensor.alignment = Bytes::new(64);
    }
    assert_eq!(widths(&problem).map(|(widest, _)| widest), Some(164));
    let answer = plan_swaps(&problem, OffloadPolicy::Swap, &Advice::default()).expect("it fits");
    check_level_plan(&problem, &answer.plan).expect("it holds");
    problem.hierarchy.levels[0].capacity = Some(Bytes::new(163));
    let error = plan_swaps(&problem, OffloadPolicy::Swap, &Advice::default()).expect_err("163");
    assert_eq!(error.missing, 1);
}

/// A program whose tensors are written, and read again much later; steps may be repeated.
fn random_problem(rng: &mut Rng) -> (LevelProblem, Vec<Repeatable>) {
    let n = rng.between(3, 16);
    let sizes: Vec<u64> = (0..n).map(|_| 1 << rng.below(6)).collect();
    let cycles: Vec<u64> = (0..2 * n).map(|_| 1 << rng.below(9)).collect();
    let tensors: Vec<usize> = (0..n).collect();
    let mut steps: Vec<(u64, &[usize], &[usize])> = Vec::new();
    for (step, cycles) in cycles.iter().enumerate() {
        let mirrored = 2 * n - 1 - step;
        steps.push(match step < n {
            true => (
                *cycles,
                &tensors[step.saturating_sub(1)..step],
                &tensors[step..=step],
            ),
            false if rng.chance(80) => (*cycles, &tensors[mirrored..=mirrored], &[]),
            false => {
                let other = rng.below(n);
                (*cycles, &tensors[other..=other], &[])
            }
        });
    }
    let mut problem = problem(1 << 20, &sizes, &steps);
    let (widest, peak) = widths(&problem).expect("all is on the device");
    let budget = widest + (peak - widest) * rng.below(90) as u64 / 100;
    problem.hierarchy.levels[0].capacity = Some(Bytes::new(budget));
    problem.hierarchy.levels[1].read.bandwidth = [0.1, 0.5, 2.0][rng.below(3)];
    let repeatable = (0..2 * n).map(|_| Repeatable {
        is_pure: rng.chance(50),
        ..Repeatable::default()
    });
    let repeatable = repeatable.collect();
    (problem, repeatable)
}

/// No policy has a plan below the bound, even if the bound knows only a much worse one.
#[test]
fn no_plan_is_below_the_bound() {
    let first = number("OFFLOAD_SEED", 0);
    let (mut n_bounded, mut n_met) = (0, 0);
    for seed in first..first + number("OFFLOAD_CASES", 300) {
        let (problem, repeatable) = random_problem(&mut Rng::new(seed));
        let makespans = OffloadPolicy::ALL.iter().filter_map(|policy| {
            let advice = Advice::default();
            let answer = plan_offload(&problem, &repeatable, *policy, &advice).ok()?;
            let plan = answer.plan.ok()?.plan;
            check_level_plan(&answer.problem, &plan).expect("it holds");
            Some(simulate(&answer.problem, &plan).makespan)
        });
        let Some(makespan) = makespans.min() else {
            continue;
        };
        let ideal = ideal_cycles(&problem);
        for known in [makespan, 2 * makespan] {
            let least = least_makespan(&problem, &repeatable, known);
            assert!(least <= makespan, "seed {seed}: {least} {makespan}");
            n_bounded += usize::from(least > ideal);
            n_met += usize::from(least > ideal && least + least / 100 >= makespan);
        }
    }
    println!("{n_bounded} bounds above the ideal, {n_met} within one percent of a plan");
    assert!(n_bounded > 0);
}

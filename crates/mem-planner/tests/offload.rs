//! Plans within a budget: steps are repeated only where that is valid, and copies complete in time.

use mem_check::check_level_plan;
use mem_cost::simulate;
use mem_model::{Carrier, Hierarchy, LevelId, LevelProblem, LevelStep, LinkUse, MessageId, Port};
use mem_planner::{
    Advice, Offload, OffloadPolicy, Repeatable, Repetition, plan_offload, plan_swaps, repeated,
};
use mem_testkit::{Rng, engine, level, number, random_repeatable, tensor, used};

fn device() -> LevelId {
    LevelId::new(0)
}

fn host() -> LevelId {
    LevelId::new(1)
}

fn hierarchy(budget: u64, link: f64) -> Hierarchy {
    let memory = |name: &str, capacity: Option<u64>, bandwidth: f64| {
        let latency = 1;
        level(name, capacity, 1, Port { latency, bandwidth })
    };
    Hierarchy {
        levels: vec![
            memory("device", Some(budget), 100.0),
            memory("host", None, link),
        ],
        engines: vec![
            engine("in", (host(), device())),
            engine("out", (device(), host())),
        ],
        ..Hierarchy::default()
    }
}

/// A step that takes `cycles` and writes one tensor from others; all have ten bytes.
fn step(cycles: u64, reads: &[usize], writes: usize) -> LevelStep {
    let reads = reads.iter().map(|tensor| used(*tensor, 10, false));
    LevelStep {
        name: String::new(),
        cycles,
        repeats: 1,
        uses: reads.chain([used(writes, 10, true)]).collect(),
        ..LevelStep::default()
    }
}

/// A forward pass whose activations are read again in reverse order: step 0 writes t0, step 1
/// writes t1 from t0, …
fn there_and_back(n: usize, cycles: &[u64], budget: u64, link: f64) -> LevelProblem {
    let cycles = |layer: usize| cycles[layer % cycles.len()];
    let mut steps: Vec<LevelStep> = (0..n)
        .map(|layer| match layer {
            0 => step(cycles(0), &[], 0),
            _ => step(cycles(layer), &[layer - 1], layer),
        })
        .collect();
    // Gradients: step n writes that of the last layer, and so on.
    for layer in (0..n).rev() {
        let gradient = 2 * n - 1 - layer;
        let reads = match layer + 1 == n {
            true => vec![layer],
            false => vec![layer, gradient - 1],
        };
        steps.push(step(cycles(layer), &reads, gradient));
    }
    LevelProblem {
        hierarchy: hierarchy(budget, link),
        tensors: (0..2 * n)
            .map(|index| tensor(format!("t{index}"), 10, 1))
            .collect(),
        steps,
        blocks: Vec::new(),
    }
}

/// Steps that can all be repeated, none in place.
fn pure(n: usize) -> Vec<Repeatable> {
    let pure = Repeatable {
        is_pure: true,
        ..Repeatable::default()
    };
    vec![pure; n]
}

fn decided(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
) -> Result<Offload, mem_planner::LevelNoFit> {
    plan_offload(problem, repeatable, policy, &Advice::default())
}

/// With a slow link, cheap tensors are recomputed by the steps that wrote them; with a fast link,
/// they are copied.
#[test]
fn the_cheaper_alternative_is_chosen() {
    let slow = there_and_back(4, &[1], 30, 0.01);
    let all = pure(slow.steps.len());
    let answer = decided(&slow, &all, OffloadPolicy::Auto).expect("a budget of three");
    assert!(!answer.repetitions.is_empty());
    // t0 is needed again by the last step, step 7.
    let again = Repetition { before: 7, step: 0 };
    assert!(answer.repetitions.contains(&again), "{answer:?}");
    let fast = there_and_back(4, &[1000], 30, 100.0);
    let answer = decided(&fast, &all, OffloadPolicy::Auto).expect("a budget of three");
    assert_eq!(answer.repetitions, []);
    assert!(answer.makespan < answer.ideal * 102 / 100, "{answer:?}");
}

/// Steps that must not be repeated are not, and neither are any under `swap`.
#[test]
fn tensors_that_must_not_be_recomputed_are_copied() {
    let problem = there_and_back(6, &[1], 30, 0.01);
    let none = vec![Repeatable::default(); problem.steps.len()];
    for policy in OffloadPolicy::ALL {
        let answer = plan_offload(&problem, &none, policy, &Advice::default()).expect("it fits");
        assert_eq!(answer.repetitions, [], "{policy:?}");
    }
    let all = pure(problem.steps.len());
    let answer =
        plan_offload(&problem, &all, OffloadPolicy::Swap, &Advice::default()).expect("it fits");
    assert_eq!(answer.repetitions, []);
}

#[test]
fn a_budget_smaller_than_one_step_is_an_error() {
    let problem = there_and_back(4, &[1], 29, 1.0);
    let all = pure(problem.steps.len());
    for policy in OffloadPolicy::ALL {
        let error = plan_offload(&problem, &all, policy, &Advice::default())
            .expect_err("three operands of ten bytes");
        assert_eq!(error.missing, 1);
    }
}

/// A random program there and back, and which of its steps may be repeated.
fn random_program(rng: &mut Rng) -> (LevelProblem, Vec<Repeatable>) {
    let n = rng.between(3, 12);
    let cycles: Vec<u64> = (0..rng.between(1, 5)).map(|_| 1 << rng.below(9)).collect();
    let budget = 10 * rng.between(3, n + 1) as u64;
    let link = [0.02, 0.1, 0.5, 2.0][rng.below(4)];
    let problem = there_and_back(n, &cycles, budget, link);
    let repeatable = random_repeatable(rng, problem.steps.len());
    (problem, repeatable)
}

/// Checks that an answer is complete, that its plan holds, and that it repeats only steps that may
/// be. Returns the makespan of the plan when it is executed.
fn check_answer(
    seed: u64,
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    answer: &Offload,
) -> u64 {
    let extended = repeated(problem, repeatable, &answer.repetitions);
    let found = plan_swaps(&extended, policy, &Advice::default()).expect("as before");
    // The answer is complete: nothing has to be planned again.
    assert_eq!(answer.problem, extended, "seed {seed}");
    let planned = answer.plan.as_ref().expect("as found");
    let makespan = simulate(&extended, &planned.plan).makespan;
    if planned.strategy == "exact" {
        let other = simulate(&extended, &found.plan).makespan;
        assert!(makespan <= other, "seed {seed}: {makespan} {other}");
    } else {
        assert_eq!(planned.plan, found.plan, "seed {seed}");
    }
    if let Err(error) = check_level_plan(&extended, &planned.plan) {
        panic!("seed {seed}: {error}");
    }
    for own in &answer.repetitions {
        let of = &repeatable[own.step];
        let is_in_time = of.until.is_none_or(|until| own.before <= until);
        assert!(
            of.is_pure && own.step < own.before && is_in_time,
            "seed {seed}"
        );
    }
    assert!(makespan >= answer.ideal, "seed {seed}");
    assert!(answer.makespan >= answer.ideal, "seed {seed}");
    makespan
}

/// Programs with repeated steps are planned and executed; `auto` has the shortest makespan.
#[test]
fn choices_hold_and_are_not_slower_than_either_alone() {
    let first = number("OFFLOAD_SEED", 0);
    let (mut n_repeated, mut n_mixed) = (0, 0);
    for seed in first..first + number("OFFLOAD_CASES", 300) {
        let (problem, repeatable) = random_program(&mut Rng::new(seed));
        let mut makespans = Vec::new();
        for policy in OffloadPolicy::ALL {
            let answer = decided(&problem, &repeatable, policy).expect("three fit");
            makespans.push(check_answer(seed, &problem, &repeatable, policy, &answer));
            n_repeated += answer.repetitions.len();
        }
        let (auto, others) = makespans.split_first().expect("all policies");
        let best = others.iter().copied().min().unwrap_or(0);
        assert!(*auto <= best, "seed {seed}: {makespans:?}");
        n_mixed += usize::from(*auto < best);
    }
    println!(
        "{n_repeated} steps repeated; {n_mixed} programs for which a mixture is better than all others"
    );
    assert!(n_repeated > 0 && n_mixed > 0);
}

/// Lets some steps send messages to other ranks, and wait for them.
fn add_messages(rng: &mut Rng, problem: &mut LevelProblem, repeatable: &mut [Repeatable]) {
    let n_steps = problem.steps.len();
    for message in 0..rng.between(1, 3) {
        let (start, cycles) = (rng.below(n_steps - 1), rng.below(400) as u64);
        let end = rng.between(start + 1, n_steps - 1);
        if [start, end]
            .iter()
            .any(|step| problem.steps[*step].link != LinkUse::None)
        {
            continue;
        }
        let message = MessageId::new(message);
        problem.steps[start].link = LinkUse::Starts {
            message,
            cycles,
            on: Carrier::default(),
        };
        problem.steps[end].link = LinkUse::Awaits(Some(message));
    }
    let step = &mut problem.steps[rng.below(n_steps)].link;
    if *step == LinkUse::None && rng.chance(30) {
        *step = LinkUse::Blocks {
            cycles: rng.below(100) as u64,
            on: Carrier::default(),
        };
    }
    for (step, own) in problem.steps.iter().zip(repeatable) {
        // Other ranks observe messages.
        own.is_pure &= step.link == LinkUse::None;
    }
}

/// Copies and repetitions beside messages: plans hold, take as long as they say, and no less than the
/// bound. Waiting for messages hides copies, so that it is not added to the time without messages.
#[test]
fn copies_hide_while_ranks_wait_for_messages() {
    let first = number("OFFLOAD_SEED", 0);
    let (mut n_waiting, mut n_hidden) = (0, 0);
    for seed in first..first + number("OFFLOAD_CASES", 300) {
        let rng = &mut Rng::new(seed);
        let (alone, mut repeatable) = random_program(rng);
        let mut problem = alone.clone();
        add_messages(rng, &mut problem, &mut repeatable);
        assert_eq!(problem.validate(), Ok(()), "seed {seed}");
        let mut least = 0;
        for policy in OffloadPolicy::ALL {
            let answer = decided(&problem, &repeatable, policy).expect("three fit");
            let planned = answer.plan.as_ref().expect("it has addresses");
            let extended = repeated(&problem, &repeatable, &answer.repetitions);
            assert_eq!(answer.problem, extended, "seed {seed}");
            if let Err(error) = check_level_plan(&extended, &planned.plan) {
                panic!("seed {seed}: {error}");
            }
            let makespan = simulate(&extended, &planned.plan).makespan;
            least = least.max(answer.least);
            assert!(makespan >= answer.ideal, "seed {seed}");
            assert!(makespan >= least, "seed {seed}: {makespan} {least}");
            if policy != OffloadPolicy::Auto {
                continue;
            }
            assert_eq!(makespan, answer.makespan, "seed {seed}");
            let without = decided(&alone, &repeatable, policy).expect("three fit");
            let waits = answer.ideal - without.ideal;
            n_waiting += usize::from(waits > 0 && without.makespan > without.ideal);
            n_hidden += usize::from(waits > 0 && makespan < without.makespan + waits);
        }
    }
    assert!(n_waiting > 50 && n_hidden > 30, "{n_waiting} {n_hidden}");
}

/// A message of 200 cycles is waited for before the backward pass. Without it, copies stall for 40 cycles.
/// With it, the first two activations leave while the program waits. Each takes 13 cycles to
/// return, and nothing hides that: there is no room for either before the step that needs it.
#[test]
fn a_wait_hides_copies_to_the_host() {
    let mut problem = there_and_back(4, &[1], 30, 1.0);
    let none = vec![Repeatable::default(); problem.steps.len()];
    let alone = decided(&problem, &none, OffloadPolicy::Auto).expect("three fit");
    assert_eq!((alone.ideal, alone.makespan), (36, 36 + 40));
    let message = MessageId::new(0);
    let cycles = 200;
    problem.steps[0].link = LinkUse::Starts {
        message,
        cycles,
        on: Carrier::default(),
    };
    problem.steps[4].link = LinkUse::Awaits(Some(message));
    let answer = decided(&problem, &none, OffloadPolicy::Auto).expect("three fit");
    assert_eq!((answer.ideal, answer.makespan), (222, 222 + 2 * 13));
}

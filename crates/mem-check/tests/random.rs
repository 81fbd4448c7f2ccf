//! The checkers against random programs. Plans from correct lifetimes must pass both checkers.
//! Plans from lifetimes that were cut short, or without the slots that a loop needs, must be
//! rejected whenever the oracle can make them fail.
//!
//! `CHECK_CASES` and `CHECK_SEED` set the number of cases and the first seed.

use mem_check::{check_plan, check_program_plan};
use mem_flow::{Lifetimes, analyze_lifetimes, problem};
use mem_model::{IntervalSet, Plan, PointerId, PointerKind, Program, print_programs};
use mem_planner::{PlanOptions, Strategy};
use mem_testkit::{Rng, execute, number, pack_tightly, random_problem, random_program};

fn seeds() -> std::ops::Range<u64> {
    let first = number("CHECK_SEED", 0);
    first..first + number("CHECK_CASES", 1000)
}

fn describe(program: &Program, plan: &Plan) -> String {
    format!(
        "{}\n{plan:?}",
        print_programs(std::slice::from_ref(program))
    )
}

#[test]
fn plans_from_correct_lifetimes_are_accepted() {
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng, 4 + seed as usize % 30);
        let lifetimes = analyze_lifetimes(&program).expect("a valid program");
        let problem = problem(&program, &lifetimes);
        // There are thousands of searches, so keep them short.
        let options = PlanOptions::default().with_effort(5_000);
        let queue = mem_planner::plan(&problem, Strategy::default(), &options);
        let mut tight = pack_tightly(&problem, &mut rng);
        // The packer ignores reuse in place.
        tight.lower_bound = mem_planner::lower_bound(&problem).expect("small sizes");
        tight.proven_bound = tight.lower_bound;
        for plan in [tight, queue.expect("no capacity")] {
            if let Err(error) = check_plan(&problem, &plan) {
                panic!("seed {seed}: {error}\n{}", describe(&program, &plan));
            }
            if let Err(error) = check_program_plan(&program, &lifetimes.rotations, &plan) {
                panic!("seed {seed}: {error}\n{}", describe(&program, &plan));
            }
        }
    }
}

#[test]
fn any_packing_problem_is_planned_correctly_and_reproducibly() {
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 40, 30);
        let options = PlanOptions::default().with_effort(5_000);
        for strategy in Strategy::ALL {
            let plan = || mem_planner::plan(&problem, strategy, &options);
            let plan_of_problem = plan().expect("no capacity");
            check_plan(&problem, &plan_of_problem).expect("a correct plan");
            assert!(plan_of_problem.peak >= plan_of_problem.lower_bound);
            assert_eq!(plan(), Ok(plan_of_problem), "seed {seed}");
        }
    }
}

/// Breaks a lifetime. A plan made from it may still be correct by chance.
fn cut_short(lifetimes: &mut Lifetimes, rng: &mut Rng) {
    let buffer = rng.below(lifetimes.parts.len());
    let part = rng.below(lifetimes.parts[buffer].len());
    let live = &mut lifetimes.parts[buffer][part].live;
    let removed = rng.below(live.n_intervals());
    let all = live.iter().enumerate();
    let rest = all.filter(|(index, _)| *index != removed);
    *live = rest
        .map(|(_, interval)| interval)
        .collect::<IntervalSet<_>>();
}

/// Drops the last slot of a rotating buffer, and shortens the lists of names to avoid accordingly.
fn drop_slot(lifetimes: &mut Lifetimes, rng: &mut Rng) {
    if lifetimes.rotations.is_empty() {
        return cut_short(lifetimes, rng);
    }
    let index = rng.below(lifetimes.rotations.len());
    let buffer = lifetimes.rotations[index].buffer;
    lifetimes.slots[buffer.index()] -= 1;
    let n_avoided = lifetimes.slots[buffer.index()] as usize - 1;
    for rotation in lifetimes
        .rotations
        .iter_mut()
        .filter(|r| r.buffer == buffer)
    {
        rotation.avoid.truncate(n_avoided);
    }
}

/// Lets every result take over every operand that its step declares in place, even if the operand
/// is needed later.
fn take_over(program: &Program, lifetimes: &mut Lifetimes) {
    let buffer = |pointer: PointerId| match program.pointers[pointer.index()].kind {
        PointerKind::Buffer(buffer) => Some(buffer),
        PointerKind::Merge => None,
    };
    let pairs = program.steps.iter().flat_map(|step| &step.in_place);
    let pairs = pairs.filter_map(|(operand, result)| Some((buffer(*operand)?, buffer(*result)?)));
    lifetimes.reuses = pairs
        .filter(|(operand, result)| operand != result)
        .collect();
}

#[test]
fn whatever_the_oracle_sees_fail_is_refused() {
    let (mut n_wrong, mut n_refused) = (0, 0);
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng, 4 + seed as usize % 30);
        let mut lifetimes = analyze_lifetimes(&program).expect("a valid program");
        match rng.below(4) {
            0 => cut_short(&mut lifetimes, &mut rng),
            1 => drop_slot(&mut lifetimes, &mut rng),
            2 if !lifetimes.unordered.is_empty() => lifetimes.unordered.clear(),
            _ => take_over(&program, &mut lifetimes),
        }
        let plan = pack_tightly(&problem(&program, &lifetimes), &mut rng);
        let rotations = &lifetimes.rotations;
        let is_refused = check_program_plan(&program, rotations, &plan).is_err();
        let is_wrong = (0..8).any(|_| execute(&program, rotations, &plan, &mut rng, 100).is_err());
        n_wrong += usize::from(is_wrong);
        n_refused += usize::from(is_refused);
        let text = || describe(&program, &plan);
        assert!(
            is_refused || !is_wrong,
            "seed {seed} is accepted\n{}",
            text()
        );
    }
    println!("{n_refused} refused, {n_wrong} seen to fail");
    assert!(n_wrong > 0, "the mutations are harmless");
}

//! Copies that the program itself starts, on engines beside computation: schedules worked out by hand.

use mem_cost::{serial_cost, simulate, step_cycles, step_times};
use mem_model::{
    Bytes, Hierarchy, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, LevelStep,
    LinkUse, MessageId, PlacementId, Port, TensorId, Transfer,
};
use mem_testkit::{engine, level, tensor, used};

const FAST: usize = 0;
const SLOW: usize = 1;

/// Copies 64 bytes from one tensor to another, which takes 64 cycles between the levels, and computes meanwhile
/// for 40 cycles; twice, and each time for `repeats` executions.
fn problem(repeats: u64, has_engine: bool) -> LevelProblem {
    let message = MessageId::new;
    let copy = |number: usize| LevelStep {
        link: LinkUse::Copies(message(number)),
        repeats,
        uses: vec![used(0, 64, false), used(1, 64, true)],
        ..LevelStep::default()
    };
    let step = |cycles: u64, link: LinkUse| LevelStep {
        cycles,
        link,
        repeats,
        ..LevelStep::default()
    };
    let slow = Port {
        latency: 0,
        bandwidth: 1.0,
    };
    // A default port costs nothing.
    let levels = vec![
        level("fast", None, 1, Port::default()),
        level("slow", None, 1, slow),
    ];
    let mut hierarchy = Hierarchy {
        levels,
        ..Hierarchy::default()
    };
    if has_engine {
        hierarchy
            .engines
            .push(engine("in", (LevelId::new(SLOW), LevelId::new(FAST))));
    }
    LevelProblem {
        hierarchy,
        tensors: ["x", "y"].map(|own| tensor(own.to_owned(), 64, 1)).to_vec(),
        steps: vec![
            copy(0),
            step(40, LinkUse::None),
            step(0, LinkUse::Awaits(Some(message(0)))),
            copy(1),
            step(100, LinkUse::None),
            step(1, LinkUse::Awaits(Some(message(1)))),
        ],
        blocks: Vec::new(),
    }
}

/// The first tensor in one level and the second one in another, throughout.
fn plan(problem: &LevelProblem, levels: [usize; 2]) -> LevelPlan {
    let n_steps = problem.steps.len();
    let placements = levels
        .iter()
        .enumerate()
        .map(|(tensor, level)| LevelPlacement {
            tensor: TensorId::new(tensor),
            level: LevelId::new(*level),
            offset: Some(Bytes::ZERO),
            steps: Interval::new(0, n_steps),
        });
    let accessed = problem.steps.iter().map(|own| {
        let uses = 0..own.uses.len();
        uses.map(PlacementId::new).collect()
    });
    LevelPlan {
        placements: placements.collect(),
        accessed: accessed.collect(),
        ..LevelPlan::default()
    }
}

fn ends(problem: &LevelProblem, plan: &LevelPlan) -> Vec<u64> {
    simulate(problem, plan)
        .steps
        .iter()
        .map(|own| own.end)
        .collect()
}

#[test]
fn computation_hides_copies() {
    let problem = problem(1, true);
    let plan = plan(&problem, [SLOW, FAST]);
    assert_eq!(ends(&problem, &plan), [0, 40, 64, 64, 164, 165]);
    let schedule = simulate(&problem, &plan);
    let copies: Vec<_> = schedule
        .copies
        .iter()
        .flatten()
        .map(|own| (own.span.start, own.span.end))
        .collect();
    assert_eq!(copies, [(0, 64), (64, 128)]);
    assert_eq!(schedule.makespan, 165);
    assert_eq!(step_cycles(&problem, &plan, 0), 0);
    // The serial model adds both copies.
    assert_eq!(serial_cost(&problem, &plan), 64 + 40 + 64 + 100 + 1);
}

#[test]
fn a_loop_takes_the_longer_of_computation_and_copies() {
    let problem = problem(10, true);
    let plan = plan(&problem, [SLOW, FAST]);
    assert_eq!(ends(&problem, &plan), [0, 400, 640, 640, 1640, 1650]);
}

/// Without an engine between both levels, the step is the copy.
#[test]
fn the_processor_copies_without_an_engine() {
    let without = problem(1, false);
    let from_slow = plan(&without, [SLOW, FAST]);
    assert_eq!(ends(&without, &from_slow), [64, 104, 104, 168, 268, 269]);
    assert!(
        simulate(&without, &from_slow)
            .copies
            .iter()
            .all(Option::is_none)
    );
    // The engine works in the other direction only.
    let with = problem(1, true);
    let to_slow = plan(&with, [FAST, SLOW]);
    assert_eq!(ends(&with, &to_slow), [64, 104, 104, 168, 268, 269]);
    let within = plan(&with, [SLOW, SLOW]);
    assert_eq!(simulate(&with, &within).makespan, 64 + 64 + 40 + 128 + 101);
}

/// An engine makes one copy after the other, those of the plan and those of the program.
#[test]
fn copies_queue_behind_transfers() {
    let problem = problem(1, true);
    let mut plan = plan(&problem, [SLOW, FAST]);
    plan.placements.push(LevelPlacement {
        level: LevelId::new(FAST),
        ..plan.placements[0]
    });
    plan.transfers.push(Transfer {
        from: PlacementId::new(0),
        to: PlacementId::new(2),
        before: 0,
        until: 6,
        keeps_source: true,
    });
    assert_eq!(ends(&problem, &plan), [0, 40, 128, 128, 228, 229]);
}

/// Before there is a plan, copies are taken to be complete when they start.
#[test]
fn times_without_a_plan() {
    let problem = problem(1, true);
    let cycles: Vec<u64> = problem.steps.iter().map(|own| own.cycles).collect();
    assert_eq!(step_times(&problem, &cycles), [0, 0, 40, 40, 40, 140, 141]);
}

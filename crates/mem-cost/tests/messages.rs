//! Messages beside computation and copies: schedules worked out by hand, and random programs against
//! a simulation cycle by cycle.

use mem_cost::{ideal_cycles, ideal_times, serial_waits, simulate, step_times};
use mem_model::{
    Bytes, Hierarchy, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, LevelStep,
    LinkUse, MessageId, PlacementId, Port, TensorId, Transfer,
};
use mem_testkit::{Rng, engine, level, tensor, used};

fn starts(message: usize, cycles: u64) -> LinkUse {
    let message = MessageId::new(message);
    LinkUse::Starts { message, cycles }
}

fn awaits(message: usize) -> LinkUse {
    LinkUse::Awaits(Some(MessageId::new(message)))
}

/// A program without tensors: computation, executions and messages of each step.
fn program(steps: &[(u64, u64, LinkUse)]) -> LevelProblem {
    let steps = steps.iter().map(|(cycles, repeats, link)| LevelStep {
        cycles: *cycles,
        repeats: *repeats,
        link: *link,
        ..LevelStep::default()
    });
    LevelProblem {
        hierarchy: Hierarchy::single(),
        tensors: Vec::new(),
        steps: steps.collect(),
        blocks: Vec::new(),
    }
}

fn without_copies(problem: &LevelProblem) -> LevelPlan {
    LevelPlan {
        accessed: vec![Vec::new(); problem.steps.len()],
        ..LevelPlan::default()
    }
}

const NONE: LinkUse = LinkUse::None;

/// A message of 74 cycles, of which 50 are hidden.
#[test]
fn computation_hides_a_message() {
    let problem = program(&[(0, 1, starts(0, 74)), (50, 1, NONE), (5, 1, awaits(0))]);
    let schedule = simulate(&problem, &without_copies(&problem));
    let spans: Vec<_> = schedule
        .steps
        .iter()
        .map(|own| (own.start, own.end))
        .collect();
    assert_eq!(spans, [(0, 0), (0, 50), (50, 79)]);
    let on_link = schedule.messages[0].map(|own| (own.start, own.end));
    assert_eq!(on_link, Some((0, 74)));
    assert_eq!(schedule.makespan, 79);
    assert_eq!(ideal_times(&problem), [0, 0, 50, 79]);
}

/// The second message starts when the first one has ended, at 30, and ends at 50. Its wait comes first,
/// and the other one costs nothing.
#[test]
fn messages_take_the_link_one_after_the_other() {
    let problem = program(&[
        (0, 1, starts(0, 30)),
        (10, 1, starts(1, 20)),
        (0, 1, awaits(1)),
        (0, 1, awaits(0)),
    ]);
    let schedule = simulate(&problem, &without_copies(&problem));
    let ends: Vec<_> = schedule.steps.iter().map(|own| own.end).collect();
    assert_eq!(ends, [0, 10, 50, 50]);
}

/// A reduction of 40 cycles waits for the link until 30 and ends at 70, although its own computation
/// ends at 15.
#[test]
fn a_blocking_message_waits_for_its_turn() {
    let problem = program(&[
        (10, 1, starts(0, 30)),
        (5, 1, LinkUse::Blocks(40)),
        (1, 1, awaits(0)),
    ]);
    assert_eq!(ideal_times(&problem), [0, 10, 70, 71]);
}

/// A wait for some message waits for all of them, and a program ends when its last message does.
#[test]
fn unknown_messages_are_all_waited_for() {
    let problem = program(&[
        (0, 1, starts(0, 30)),
        (0, 1, starts(1, 5)),
        (0, 1, LinkUse::Awaits(None)),
    ]);
    assert_eq!(ideal_cycles(&problem), 35);
    let problem = program(&[(0, 1, starts(0, 30)), (3, 1, NONE)]);
    assert_eq!(ideal_cycles(&problem), 30);
    assert_eq!(simulate(&problem, &without_copies(&problem)).makespan, 30);
}

/// In each of four iterations, 74 cycles, of which 50 are hidden.
#[test]
fn a_loop_takes_the_longer_of_computation_and_messages() {
    let problem = program(&[(0, 4, starts(0, 74)), (50, 4, NONE), (0, 4, awaits(0))]);
    assert_eq!(ideal_cycles(&problem), 4 * 74);
    let links: Vec<LinkUse> = problem.steps.iter().map(|own| own.link).collect();
    assert_eq!(serial_waits(&links, &[4, 4, 4], &[0, 50, 0]), [0, 0, 24]);
}

/// A copy of 40 cycles between device and host and a message of 30 cycles start at 10: they use different links,
/// and both are complete at 50. If the copy ran on the link of the message, that would be at 80.
#[test]
fn a_copy_travels_beside_a_message() {
    let memory = |name: &str, bandwidth: f64| {
        let latency = 0;
        level(name, None, 1, Port { latency, bandwidth })
    };
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let mut problem = program(&[
        (10, 1, NONE),
        (0, 1, starts(0, 30)),
        (0, 1, awaits(0)),
        (0, 1, NONE),
    ]);
    problem.hierarchy = Hierarchy {
        levels: vec![memory("device", 0.0), memory("host", 1.0)],
        engines: vec![engine("in", (host, device))],
        ..Hierarchy::default()
    };
    problem.tensors = vec![tensor("x".to_owned(), 40, 1)];
    problem.tensors[0].home = Some(host);
    problem.steps[3].uses = vec![used(0, 40, false)];
    let placement = |level, offset: Option<u64>, steps| LevelPlacement {
        tensor: TensorId::new(0),
        level,
        offset: offset.map(Bytes::new),
        steps,
    };
    let plan = LevelPlan {
        placements: vec![
            placement(host, None, Interval::new(0, 5)),
            placement(device, Some(0), Interval::new(1, 4)),
        ],
        accessed: vec![vec![], vec![], vec![], vec![PlacementId::new(1)]],
        transfers: vec![Transfer {
            before: 1,
            from: PlacementId::new(0),
            to: PlacementId::new(1),
            keeps_source: true,
            until: 3,
        }],
        cost: 0,
    };
    let schedule = simulate(&problem, &plan);
    let copy = schedule.transfers[0].span;
    assert_eq!((copy.start, copy.end), (10, 50));
    // The wait ends when the message does, and control then stalls for the rest of the copy.
    assert_eq!(schedule.steps[2].end, 40);
    assert_eq!(schedule.stalls[3].0, 10);
    assert_eq!(schedule.makespan, 50);
}

/// Random steps, of which some send messages.
fn random(rng: &mut Rng) -> LevelProblem {
    let mut started = 0;
    let n_steps = rng.between(1, 20);
    let steps: Vec<_> = (0..n_steps)
        .map(|_| {
            let cycles = rng.below(30) as u64;
            let link = match rng.below(6) {
                0 | 1 => {
                    started += 1;
                    starts(started - 1, rng.below(60) as u64)
                }
                2 if started > 0 => awaits(rng.below(started)),
                3 => LinkUse::Blocks(rng.below(60) as u64),
                4 => LinkUse::Awaits(None),
                _ => NONE,
            };
            (cycles, 1, link)
        })
        .collect();
    program(&steps)
}

/// What happens in each cycle: the processor computes for a step, and then waits for what the step
/// waits for; the link carries the first message that has been started.
fn cycle_by_cycle(problem: &LevelProblem) -> u64 {
    // Started messages in order: id, unless it blocks, and cycles left.
    let mut queue: Vec<(Option<MessageId>, u64)> = Vec::new();
    let (mut step, mut has_begun, mut left) = (0, false, 0);
    let mut now = 0;
    loop {
        // Whatever takes no time happens before the cycle.
        while let Some(own) = problem.steps.get(step) {
            let waits = |message: Option<MessageId>| {
                // The link carries them in order, so a message waits for those before it, even if it
                // has no cycles of its own.
                let known = queue.iter().rposition(|(own, _)| *own == message);
                let last = known.filter(|_| message.is_some()).unwrap_or(queue.len());
                queue.iter().take(last + 1).any(|(_, left)| *left > 0)
            };
            if !has_begun {
                match own.link {
                    LinkUse::Awaits(message) if waits(message) => break,
                    LinkUse::Starts { message, cycles } => queue.push((Some(message), cycles)),
                    LinkUse::Blocks(cycles) => queue.push((None, cycles)),
                    _ => {}
                }
                (has_begun, left) = (true, own.cycles);
            }
            // The last message of the queue is the one that blocks: nothing was started after it.
            let is_blocked =
                matches!(own.link, LinkUse::Blocks(_)) && queue.iter().any(|(_, left)| *left > 0);
            if left > 0 || is_blocked {
                break;
            }
            (step, has_begun) = (step + 1, false);
        }
        let first = queue.iter_mut().find(|(_, left)| *left > 0);
        if step == problem.steps.len() && first.is_none() {
            return now;
        }
        if let Some((_, left)) = first {
            *left -= 1;
        }
        left = left.saturating_sub(1);
        now += 1;
    }
}

#[test]
fn schedules_are_those_of_a_simulation_cycle_by_cycle() {
    let mut n_waiting = 0;
    for seed in 0..2000 {
        let problem = random(&mut Rng::new(seed));
        assert_eq!(problem.validate(), Ok(()), "seed {seed}");
        let makespan = simulate(&problem, &without_copies(&problem)).makespan;
        assert_eq!(
            makespan,
            cycle_by_cycle(&problem),
            "seed {seed}: {problem:?}"
        );
        let cycles: Vec<u64> = problem.steps.iter().map(|own| own.cycles).collect();
        assert_eq!(
            step_times(&problem, &cycles).pop(),
            Some(makespan),
            "seed {seed}"
        );
        n_waiting += usize::from(makespan > cycles.iter().sum());
    }
    assert!(n_waiting > 1000, "{n_waiting}");
}

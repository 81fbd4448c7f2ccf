//! Messages beside computation and copies: schedules worked out by hand, and random programs against
//! a simulation cycle by cycle.

use mem_cost::{ideal_cycles, ideal_times, serial_waits, simulate, step_times};
use mem_model::{
    Bytes, Carrier, Hierarchy, Interval, Lanes, LevelId, LevelPlacement, LevelPlan, LevelProblem,
    LevelStep, Link, LinkId, LinkUse, MessageId, PlacementId, Port, TensorId, Transfer,
};
use mem_testkit::{Rng, engine, level, tensor, used};

fn starts(message: usize, cycles: u64) -> LinkUse {
    starts_on(message, cycles, Carrier::default())
}

fn starts_on(message: usize, cycles: u64, on: Carrier) -> LinkUse {
    let message = MessageId::new(message);
    LinkUse::Starts {
        message,
        cycles,
        on,
    }
}

fn carrier(link: usize, lanes: Lanes) -> Carrier {
    let link = LinkId::new(link);
    Carrier { link, lanes }
}

fn blocks(cycles: u64) -> LinkUse {
    let on = Carrier::default();
    LinkUse::Blocks { cycles, on }
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
        (5, 1, blocks(40)),
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

/// Messages on different links travel at the same time, and so do those in different directions of a
/// duplex link. What needs both directions waits for the later one.
#[test]
fn links_carry_messages_at_the_same_time() {
    let [out, back] = [Lanes::Out, Lanes::In].map(|lanes| carrier(1, lanes));
    let problem = program(&[
        (0, 1, starts_on(0, 30, carrier(0, Lanes::Both))),
        (0, 1, starts_on(1, 20, out)),
        (0, 1, starts_on(2, 50, back)),
        (0, 1, awaits(1)),
        (0, 1, awaits(0)),
        (
            0,
            1,
            LinkUse::Blocks {
                cycles: 5,
                on: carrier(1, Lanes::Both),
            },
        ),
        (0, 1, starts_on(3, 100, carrier(0, Lanes::Both))),
        (0, 1, LinkUse::Awaits(None)),
    ]);
    let schedule = simulate(&problem, &without_copies(&problem));
    let ends: Vec<u64> = schedule.steps.iter().map(|own| own.end).collect();
    assert_eq!(ends, [0, 0, 0, 20, 30, 55, 55, 155]);
}

/// Random steps, of which some send messages on two links.
fn random(rng: &mut Rng) -> LevelProblem {
    let mut started = 0;
    let n_steps = rng.between(1, 20);
    let steps: Vec<_> = (0..n_steps)
        .map(|_| {
            let cycles = rng.below(30) as u64;
            let lanes = [Lanes::Both, Lanes::Out, Lanes::In][rng.below(3)];
            let on = match rng.chance(40) {
                true => carrier(1, lanes),
                false => Carrier::default(),
            };
            let link = match rng.below(6) {
                0 | 1 => {
                    started += 1;
                    starts_on(started - 1, rng.below(60) as u64, on)
                }
                2 if started > 0 => awaits(rng.below(started)),
                3 => LinkUse::Blocks {
                    cycles: rng.below(60) as u64,
                    on,
                },
                4 => LinkUse::Awaits(None),
                _ => NONE,
            };
            (cycles, 1, link)
        })
        .collect();
    program(&steps)
}

/// A message that has been started: its id, unless it blocks, the cycles left, and where it travels.
type Queued = (Option<MessageId>, u64, Carrier);

/// For each message, whether no message before it occupies an engine that it needs, and whether it has
/// arrived.
fn progress(queue: &[Queued]) -> Vec<(bool, bool)> {
    let mut known: Vec<(bool, bool)> = Vec::new();
    for (at, (_, left, own)) in queue.iter().enumerate() {
        let shares = |other: Carrier| {
            let lanes = own.lanes.occupied().into_iter();
            let mut both = lanes.zip(other.lanes.occupied());
            own.link == other.link && both.any(|(a, b)| a && b)
        };
        let has_engines = (0..at).all(|other| !shares(queue[other].2) || known[other].1);
        known.push((has_engines, has_engines && *left == 0));
    }
    known
}

/// What happens in each cycle: the processor computes for a step, and then waits for what the step
/// waits for; each engine of a link carries the first message that has been started.
fn cycle_by_cycle(problem: &LevelProblem) -> u64 {
    // Started messages in order.
    let mut queue: Vec<Queued> = Vec::new();
    let (mut step, mut has_begun, mut left) = (0, false, 0);
    let mut now = 0;
    loop {
        // Whatever takes no time happens before the cycle.
        while let Some(own) = problem.steps.get(step) {
            let waits = |message: Option<MessageId>| {
                let waited = |own: &Queued| message.is_none() || own.0 == message;
                let mut known = queue.iter().zip(progress(&queue));
                known.any(|(own, (_, has_arrived))| waited(own) && !has_arrived)
            };
            if !has_begun {
                match own.link {
                    LinkUse::Awaits(message) if waits(message) => break,
                    LinkUse::Starts {
                        message,
                        cycles,
                        on,
                    } => queue.push((Some(message), cycles, on)),
                    LinkUse::Blocks { cycles, on } => queue.push((None, cycles, on)),
                    _ => {}
                }
                (has_begun, left) = (true, own.cycles);
            }
            // The last message of the queue is the one that blocks: nothing was started after it.
            let is_blocked = matches!(own.link, LinkUse::Blocks { .. })
                && progress(&queue).last().is_some_and(|own| !own.1);
            if left > 0 || is_blocked {
                break;
            }
            (step, has_begun) = (step + 1, false);
        }
        let known = progress(&queue).into_iter().enumerate();
        let moves = known.filter(|(at, (has_engines, _))| *has_engines && queue[*at].1 > 0);
        let moves: Vec<usize> = moves.map(|(at, _)| at).collect();
        if step == problem.steps.len() && moves.is_empty() {
            return now;
        }
        for at in moves {
            queue[at].1 -= 1;
        }
        left = left.saturating_sub(1);
        now += 1;
    }
}

#[test]
fn schedules_are_those_of_a_simulation_cycle_by_cycle() {
    let mut n_waiting = 0;
    for seed in 0..2000 {
        let mut problem = random(&mut Rng::new(seed));
        let link = |name: &str, is_duplex| Link {
            name: Some(name.to_owned()),
            port: Port::default(),
            is_duplex,
        };
        problem.hierarchy.links = vec![link("one", false), link("two", true)];
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

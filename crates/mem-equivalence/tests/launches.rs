//! Launches: computations that proceed by themselves, some of them after others.
//!
//! Each planned program is compared with an original that computes at once. Random programs are compared
//! with an oracle, which knows which steps are ordered. `LAUNCH_CASES` and `LAUNCH_SEED` set their number
//! and the first one.

mod support;

use mem_equivalence::Outcome;
use mem_equivalence::program::{Completed, Fingerprint, Operand, StepKind, ValueId};
use mem_testkit::{Rng, number};
use support::{Program, compare, reason, scalar, undefined};

/// What one step of a test does. Storages are numbered: the two arguments, then temporaries.
#[derive(Clone, Debug)]
enum Do {
    /// Launches a computation of the second storage from the first one, after the launches at these
    /// positions of the program.
    Launch(usize, usize, Vec<usize>),
    /// Computes the second storage from the first one at once.
    Compute(usize, usize),
    /// Waits for the launch at this position.
    Wait(usize),
}

use Do::{Compute, Launch, Wait};

const STORAGES: usize = 5;

/// The program, with launches that proceed by themselves, or with computations in their places.
fn build(steps: &[Do], is_planned: bool) -> Program {
    let mut program = Program::new();
    let mut storages = vec![program.x, program.y];
    storages.extend((2..STORAGES).map(|_| program.temporary()));
    let mut tickets: Vec<Option<ValueId>> = Vec::new();
    for step in steps {
        let mut ticket = None;
        match step {
            Launch(from, to, after) if is_planned => {
                let of = |position: &usize| Completed {
                    ticket: tickets[*position].expect("a launch"),
                    is_only_use: n_uses(steps, *position) == 1,
                };
                let after = after.iter().map(of).collect();
                ticket = Some(program.value(scalar()));
                let kind = launch(storages[*from], storages[*to], after, ticket);
                program.push(kind);
            }
            Launch(from, to, _) => {
                program.push(launch(storages[*from], storages[*to], Box::default(), None));
            }
            Compute(from, to) => program.compute(storages[*from], storages[*to]),
            Wait(position) if is_planned => program.wait(tickets[*position].expect("a launch")),
            Wait(_) => {}
        }
        tickets.push(ticket);
    }
    program
}

/// A launch, or, without a ticket, a computation.
fn launch(
    from: ValueId,
    to: ValueId,
    after: Box<[Completed]>,
    ticket: Option<ValueId>,
) -> StepKind {
    let operand = |value, writes: bool| Operand {
        value,
        reads: !writes,
        writes,
        writes_all: false,
        in_order: true,
    };
    let fingerprint = Fingerprint(9);
    let operands = Box::new([operand(from, false), operand(to, true)]);
    match ticket {
        Some(ticket) => StepKind::Launch {
            fingerprint,
            operands,
            after,
            ticket,
        },
        None => StepKind::Compute {
            fingerprint,
            operands,
            results: Box::default(),
        },
    }
}

fn n_uses(steps: &[Do], launch: usize) -> usize {
    let uses = steps.iter().map(|step| match step {
        Launch(_, _, after) => after.iter().filter(|own| **own == launch).count(),
        Wait(own) => usize::from(*own == launch),
        Compute(..) => 0,
    });
    uses.sum()
}

fn outcome(steps: &[Do]) -> Outcome {
    compare(build(steps, false), build(steps, true))
}

#[test]
fn a_launch_is_over_when_it_has_been_waited_for() {
    let steps = [Launch(0, 2, vec![]), Wait(0), Compute(2, 1)];
    assert_eq!(outcome(&steps), Outcome::Equal);
}

#[test]
fn what_is_in_flight_is_left_alone() {
    let steps = [Launch(0, 2, vec![]), Compute(2, 1), Wait(0)];
    let written = "bytes are read while a transfer writes them";
    assert_eq!(undefined(outcome(&steps)), written);
    let steps = [Launch(0, 2, vec![]), Compute(3, 0), Wait(0)];
    let read = "bytes are written while a transfer reads them";
    assert_eq!(undefined(outcome(&steps)), read);
    // Reading what a launch reads is no race.
    let steps = [Launch(0, 2, vec![]), Compute(0, 3), Wait(0)];
    assert_eq!(outcome(&steps), Outcome::Equal);
}

#[test]
fn a_launch_reads_what_an_earlier_one_has_written() {
    let steps = [Launch(0, 2, vec![]), Launch(2, 1, vec![0]), Wait(1)];
    assert_eq!(outcome(&steps), Outcome::Equal);
    let steps = [Launch(0, 2, vec![]), Launch(2, 1, vec![]), Wait(0), Wait(1)];
    let written = "bytes are read while a transfer writes them";
    assert_eq!(undefined(outcome(&steps)), written);
}

#[test]
fn an_earlier_launch_stays_in_flight_for_others() {
    // Whether or not something else could wait for it.
    for extra in [None, Some(Wait(0))] {
        let mut steps = vec![
            Launch(0, 2, vec![]),
            Launch(3, 1, vec![0]),
            Compute(2, 4),
            Wait(1),
        ];
        steps.extend(extra);
        let written = "bytes are read while a transfer writes them";
        assert_eq!(undefined(outcome(&steps)), written);
    }
}

#[test]
fn a_launch_that_nothing_waits_for_is_a_race() {
    let steps = [Launch(0, 2, vec![]), Launch(2, 1, vec![0])];
    let at_end = "a transfer is in flight when the function returns";
    assert_eq!(undefined(outcome(&steps)), at_end);
    let steps = [
        Launch(0, 2, vec![]),
        Launch(2, 1, vec![0]),
        Launch(2, 3, vec![0]),
        Wait(1),
    ];
    assert_eq!(undefined(outcome(&steps)), at_end);
}

/// Launches on both paths of a branch, the second of them after a launch before the branch, and then
/// waits for whichever has been launched.
#[test]
fn where_control_meets_only_common_orders_count() {
    let program = |is_after: bool| {
        let mut own = Program::new();
        let (a, b) = (own.temporary(), own.temporary());
        let [first, second, third, met] = [0; 4].map(|_| own.value(scalar()));
        own.push(launch(own.x, a, Box::default(), Some(first)));
        let condition = own.opaque();
        own.decide(condition);
        own.edge(1, &[]);
        own.edge(2, &[]);
        for (ticket, is_after) in [(second, true), (third, is_after)] {
            own.block(Vec::new());
            let completed = Completed {
                ticket: first,
                is_only_use: false,
            };
            let after = is_after.then_some(completed).into_iter().collect();
            own.push(launch(own.x, b, after, Some(ticket)));
            own.edge(3, &[(ticket, met)]);
        }
        own.block(vec![met]);
        own.wait(met);
        own.compute(a, own.y);
        own.wait(first);
        own
    };
    // Not even if both are: the two launches are different ones.
    for is_after in [false, true] {
        let outcome = compare(program(is_after), program(is_after));
        assert!(matches!(outcome, Outcome::Unknown { .. }), "{outcome:?}");
    }
}

/// A launch on one of two paths, and one after whichever has been launched. Whether the first one has
/// completed where the host reads is not known, on the path that it is on.
#[test]
fn an_earlier_launch_may_be_in_flight() {
    let program = |is_planned: bool| {
        let mut own = Program::new();
        let (a, b) = (own.temporary(), own.temporary());
        let [first, met, second] = [0; 3].map(|_| own.value(scalar()));
        let (condition, none) = (own.opaque(), own.integer(0));
        own.decide(condition);
        own.edge(1, &[]);
        own.edge(2, &[]);
        own.block(Vec::new());
        let of = is_planned.then_some(first);
        own.push(launch(own.x, a, Box::default(), of));
        own.edge(3, &[(if is_planned { first } else { none }, met)]);
        own.block(Vec::new());
        own.edge(3, &[(none, met)]);
        own.block(vec![met]);
        let completed = Completed {
            ticket: met,
            is_only_use: true,
        };
        let of = is_planned.then_some(second);
        own.push(launch(own.x, b, Box::new([completed]), of));
        own.compute(a, own.y);
        if is_planned {
            own.wait(second);
        }
        own
    };
    let perhaps = "bytes may be read while a transfer writes them";
    assert_eq!(reason(compare(program(false), program(true))), perhaps);
}

#[test]
fn a_launch_in_a_loop_is_waited_for_in_each_iteration() {
    let program = |waits: bool, is_planned: bool| {
        let mut own = Program::new();
        let (a, ticket) = (own.temporary(), own.value(scalar()));
        own.edge(1, &[]);
        own.block(Vec::new());
        let of = is_planned.then_some(ticket);
        own.push(launch(own.x, a, Box::default(), of));
        if is_planned && waits {
            own.wait(ticket);
        }
        let condition = own.opaque();
        own.decide(condition);
        own.edge(1, &[]);
        own.edge(2, &[]);
        own.block(Vec::new());
        if is_planned && !waits {
            own.wait(ticket);
        }
        own.compute(a, own.y);
        own
    };
    let outcome = compare(program(true, false), program(true, true));
    assert_eq!(outcome, Outcome::Equal);
    let outcome = compare(program(false, false), program(false, true));
    let written = "bytes are written while a transfer writes them";
    assert_eq!(undefined(outcome), written);
}

/// Whether two steps that access the same storage, at least one of them writing, are not ordered, or a
/// launch is in flight at the end.
fn races(steps: &[Do]) -> bool {
    // Indexed by step: the launches that have completed when it starts.
    let mut completed: Vec<Vec<bool>> = Vec::new();
    let mut waited = vec![false; steps.len()];
    let accesses = |step: &Do| match step {
        Launch(from, to, _) | Compute(from, to) => Some((*from, *to)),
        Wait(_) => None,
    };
    for (index, step) in steps.iter().enumerate() {
        let mut own = waited.clone();
        let end = |own: &mut Vec<bool>, launch: usize| {
            own[launch] = true;
            let earlier: &Vec<bool> = &completed[launch];
            own.iter_mut()
                .zip(earlier)
                .for_each(|(own, all)| *own |= *all);
        };
        match step {
            Launch(_, _, after) => after.iter().for_each(|launch| end(&mut own, *launch)),
            Wait(launch) => end(&mut waited, *launch),
            Compute(..) => {}
        }
        for (before, other) in steps[..index].iter().enumerate() {
            let is_over = own[before] || !matches!(other, Launch(..));
            if let (Some(a), Some(b), false) = (accesses(step), accesses(other), is_over)
                && (a.1 == b.0 || a.1 == b.1 || a.0 == b.1)
            {
                return true;
            }
        }
        completed.push(own);
    }
    let mut launches = steps.iter().zip(&waited);
    launches.any(|(step, waited)| matches!(step, Launch(..)) && !waited)
}

/// A random program. Most of its launches continue one of two streams.
fn random(seed: u64) -> Vec<Do> {
    let mut random = Rng::new(seed);
    let mut below = |n: usize| random.below(n);
    let mut steps: Vec<Do> = Vec::new();
    let mut launches: Vec<usize> = Vec::new();
    for _ in 0..3 + below(8) {
        let (from, to) = (below(STORAGES), below(STORAGES));
        let step = match below(5) {
            0 => Compute(from, to),
            1 if !launches.is_empty() => Wait(launches[below(launches.len())]),
            _ => {
                let mut after: Vec<usize> = Vec::new();
                for _ in 0..below(3).min(launches.len()) {
                    let back = 1 + below(launches.len().min(2));
                    after.push(launches[launches.len() - back]);
                }
                after.dedup();
                launches.push(steps.len());
                Launch(from, to, after)
            }
        };
        steps.push(step);
    }
    // Most programs wait in the end: for all launches, or for those that no other one is after.
    let waits = below(8);
    launches.retain(|launch| waits > 3 || waits > 0 && n_uses(&steps, *launch) == 0);
    steps.extend(launches.into_iter().filter(|_| waits > 0).map(Wait));
    steps
}

#[test]
fn random_programs_race_where_steps_are_not_ordered() {
    let (mut n_races, mut n_equal) = (0, 0);
    let first = number("LAUNCH_SEED", 0);
    for seed in first..first + number("LAUNCH_CASES", 4000) {
        let steps = random(seed);
        let found = outcome(&steps);
        match races(&steps) {
            true => {
                n_races += 1;
                assert!(
                    matches!(found, Outcome::Undefined { .. }),
                    "{seed}: {steps:?}: {found:?}"
                );
            }
            false => {
                n_equal += 1;
                assert_eq!(found, Outcome::Equal, "{seed}: {steps:?}");
            }
        }
    }
    assert!(n_races > 400 && n_equal > 400, "{n_races} {n_equal}");
}

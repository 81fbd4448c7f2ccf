//! Exchanges with other programs: what is observable, and what may not be touched in flight.

mod support;

use mem_equivalence::program::{Fingerprint, Operand, StepKind, ValueId};
use mem_equivalence::{Observed, Outcome};
use support::{Program, compare, race, scalar};

/// Sends `from`, or receives into it.
fn exchange(program: &mut Program, of: ValueId, writes: bool, ticket: Option<ValueId>) {
    program.push(StepKind::Exchange {
        fingerprint: Fingerprint(20 + u32::from(writes)),
        operands: vec![Operand {
            value: of,
            reads: !writes,
            writes,
            writes_all: writes,
            in_order: false,
        }],
        results: Vec::new(),
        ticket,
    });
}

fn send(program: &mut Program, from: ValueId) {
    exchange(program, from, false, None);
}

fn receive(program: &mut Program, to: ValueId) {
    exchange(program, to, true, None);
}

fn program(build: impl FnOnce(&mut Program)) -> Program {
    let mut program = Program::new();
    build(&mut program);
    program
}

fn what(outcome: Outcome) -> Observed {
    match outcome {
        Outcome::Different(difference) => difference.what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_of_what_is_sent_may_be_sent() {
    let original = program(|own| send(own, own.x));
    let planned = program(|own| {
        let copy = own.temporary();
        own.copy(own.x, copy);
        send(own, copy);
    });
    assert_eq!(compare(original, planned), Outcome::Equal);
}

#[test]
fn messages_keep_their_order_and_their_number() {
    let original = || {
        program(|own| {
            send(own, own.x);
            send(own, own.y);
        })
    };
    let swapped = program(|own| {
        send(own, own.y);
        send(own, own.x);
    });
    assert_eq!(what(compare(original(), swapped)), Observed::Event);
    let fewer = program(|own| send(own, own.x));
    assert_eq!(what(compare(original(), fewer)), Observed::Control);
}

#[test]
fn two_messages_need_not_be_equal() {
    let original = program(|own| {
        receive(own, own.x);
        receive(own, own.y);
    });
    let planned = program(|own| {
        receive(own, own.x);
        receive(own, own.x);
        own.copy(own.x, own.y);
    });
    assert!(matches!(compare(original, planned), Outcome::Different(_)));
}

#[test]
fn an_exchange_does_not_move_into_a_branch() {
    let branches = |before: bool, inside: bool| {
        program(|own| {
            if before {
                send(own, own.x);
            }
            let condition = own.opaque();
            own.decide(condition);
            own.edge(1, &[]);
            own.edge(2, &[]);
            own.block(Vec::new());
            if inside {
                send(own, own.x);
            }
            own.edge(2, &[]);
            own.block(Vec::new());
        })
    };
    let outcome = compare(branches(true, false), branches(true, false));
    assert_eq!(outcome, Outcome::Equal);
    let outcome = compare(branches(true, false), branches(false, true));
    assert_eq!(what(outcome), Observed::Exchanged);
}

#[test]
fn bytes_in_flight_may_not_be_touched() {
    let original = || {
        program(|own| {
            let buffer = own.temporary();
            receive(own, buffer);
            own.compute(buffer, own.y);
        })
    };
    let planned = |is_early: bool, writes: bool| {
        program(|own| {
            let (buffer, ticket) = (own.temporary(), own.value(scalar()));
            exchange(own, buffer, true, Some(ticket));
            match (is_early, writes) {
                (true, true) => own.copy(own.x, buffer),
                (true, false) => own.compute(buffer, own.y),
                _ => {}
            }
            own.wait(ticket);
            own.compute(buffer, own.y);
        })
    };
    assert_eq!(compare(original(), planned(false, false)), Outcome::Equal);
    let read = race(compare(original(), planned(true, false)));
    assert_eq!(read, "bytes are read while a transfer writes them");
    let written = race(compare(original(), planned(true, true)));
    assert_eq!(written, "bytes are written while a transfer writes them");
}

#[test]
fn what_is_sent_may_be_read_but_not_written_before_the_wait() {
    let planned = |writes: bool| {
        program(|own| {
            let ticket = own.value(scalar());
            exchange(own, own.x, false, Some(ticket));
            match writes {
                true => own.compute(own.y, own.x),
                false => own.compute(own.x, own.y),
            }
            own.wait(ticket);
        })
    };
    let original = program(|own| {
        send(own, own.x);
        own.compute(own.x, own.y);
    });
    assert_eq!(compare(original, planned(false)), Outcome::Equal);
    let original = program(|own| send(own, own.x));
    let outcome = race(compare(original, planned(true)));
    assert_eq!(outcome, "bytes are written while a transfer reads them");
}

#[test]
fn a_request_is_waited_for() {
    let original = program(|own| send(own, own.x));
    let planned = program(|own| {
        let ticket = own.value(scalar());
        exchange(own, own.x, false, Some(ticket));
    });
    let outcome = race(compare(original, planned));
    assert_eq!(outcome, "a transfer is in flight when the function returns");
}

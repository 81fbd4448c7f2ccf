//! Exchanges with other programs: what is observable, and what may not be touched in flight.

mod support;

use mem_equivalence::program::{Fingerprint, Operand, StepKind, Ticket, ValueId};
use mem_equivalence::{Observed, Outcome};
use support::{Program, compare, scalar, undefined};

/// Sends `from`, or receives into it.
fn exchange(program: &mut Program, of: ValueId, writes: bool, ticket: Option<ValueId>) {
    program.push(StepKind::Exchange {
        fingerprint: Fingerprint(20 + u32::from(writes)),
        operands: Box::new([Operand {
            value: of,
            reads: !writes,
            writes,
            writes_all: writes,
            in_order: false,
        }]),
        results: Box::default(),
        ticket,
        keeps_waits: false,
        is_last: false,
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
    let read = undefined(compare(original(), planned(true, false)));
    assert_eq!(read, "bytes are read while a transfer writes them");
    let written = undefined(compare(original(), planned(true, true)));
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
    let outcome = undefined(compare(original, planned(true)));
    assert_eq!(outcome, "bytes are written while a transfer reads them");
}

#[test]
fn an_exchange_is_waited_for_once() {
    let twice = |n: usize| {
        program(|own| {
            let ticket = own.value(scalar());
            exchange(own, own.x, false, Some(ticket));
            for _ in 0..n {
                let ticket = Ticket::Exchange(ticket);
                own.push(StepKind::Await {
                    ticket,
                    count: None,
                });
            }
        })
    };
    assert_eq!(compare(twice(1), twice(1)), Outcome::Equal);
    let outcome = compare(twice(1), twice(2));
    let Outcome::Unknown { why, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(why, "an exchange may be waited for again");
}

/// Sends `x` and `y`. Where the first message is waited for: before the second, after it, or, with
/// the last exchange in between, too late. `None`: it is not a request.
fn two_messages(wait: Option<usize>) -> Program {
    program(|own| {
        let ticket = wait.map(|_| own.value(scalar()));
        exchange(own, own.x, false, ticket);
        for place in 0..3 {
            if let Some(ticket) = ticket.filter(|_| wait == Some(place)) {
                own.wait(ticket);
            }
            match place {
                0 => send(own, own.y),
                1 => own.push(StepKind::Exchange {
                    fingerprint: Fingerprint(30),
                    operands: Box::default(),
                    results: Box::default(),
                    ticket: None,
                    keeps_waits: false,
                    is_last: true,
                }),
                _ => {}
            }
        }
    })
}

#[test]
fn exchanges_are_waited_for_later_but_not_earlier() {
    let waits = [None, Some(0), Some(1)];
    for (before, original) in waits.iter().enumerate() {
        for (after, planned) in waits.iter().enumerate() {
            let outcome = compare(two_messages(*original), two_messages(*planned));
            // A blocking exchange is waited for where it is.
            match before == 2 && after < 2 {
                true => assert_eq!(what(outcome), Observed::Awaited),
                false => assert_eq!(outcome, Outcome::Equal),
            }
        }
    }
}

#[test]
fn nothing_is_in_flight_at_the_last_exchange() {
    let outcome = undefined(compare(two_messages(None), two_messages(Some(2))));
    assert_eq!(outcome, "a message is in flight at the last exchange");
}

/// Starts an exchange, waits for it on both paths or behind them, and sends in between if `sends`.
fn waits_behind(is_inside: bool, sends: bool) -> Program {
    waits_in([is_inside; 2], !is_inside, sends)
}

/// As [`waits_behind`], with waits on some of the paths.
fn waits_in(paths: [bool; 2], is_behind: bool, sends: bool) -> Program {
    program(|own| {
        let (ticket, condition) = (own.value(scalar()), own.opaque());
        exchange(own, own.x, false, Some(ticket));
        own.decide(condition);
        own.edge(1, &[]);
        own.edge(2, &[]);
        for is_inside in paths {
            own.block(Vec::new());
            if is_inside {
                own.wait(ticket);
            }
            own.edge(3, &[]);
        }
        own.block(Vec::new());
        if sends {
            send(own, own.y);
        }
        if is_behind {
            own.wait(ticket);
        }
    })
}

#[test]
fn a_wait_on_one_path_is_not_followed() {
    let outcome = compare(
        waits_behind(false, true),
        waits_in([true, false], true, true),
    );
    assert!(matches!(outcome, Outcome::Unknown { .. }), "{outcome:?}");
    let outcome = compare(
        waits_behind(false, false),
        waits_in([true, false], true, false),
    );
    assert_eq!(outcome, Outcome::Equal);
}

#[test]
fn a_wait_moves_out_of_all_paths_but_not_into_them() {
    for sends in [false, true] {
        let outcome = compare(waits_behind(true, sends), waits_behind(false, sends));
        assert_eq!(outcome, Outcome::Equal);
    }
    let outcome = compare(waits_behind(false, false), waits_behind(true, false));
    assert_eq!(outcome, Outcome::Equal);
    let outcome = compare(waits_behind(false, true), waits_behind(true, true));
    assert_eq!(what(outcome), Observed::Awaited);
}

#[test]
fn a_request_is_waited_for() {
    let original = program(|own| send(own, own.x));
    let planned = program(|own| {
        let ticket = own.value(scalar());
        exchange(own, own.x, false, Some(ticket));
    });
    let outcome = undefined(compare(original, planned));
    assert_eq!(outcome, "a transfer is in flight when the function returns");
}

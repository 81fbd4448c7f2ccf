//! Transfers in flight: what is accepted, what is a undefined, and what cannot be followed.
//!
//! Each planned program is compared with an original that copies at once.

mod support;

use mem_equivalence::Outcome;
use mem_equivalence::program::{
    AccessStep, Fingerprint, Layout, StepKind, Tag, Transfer, ValueId, ValueType,
};
use support::{BYTES, COPY, N, Program, compare, elements, reason, scalar, undefined};

/// The program that `x` is computed into `y` by way of a temporary.
fn original() -> Program {
    let mut program = Program::new();
    let temporary = program.temporary();
    program.copy(program.x, temporary);
    program.compute(temporary, program.y);
    program
}

/// The outcome for the same program with a transfer and anything else that `rest` adds after its
/// start.
fn planned(rest: impl FnOnce(&mut Program, ValueId, ValueId)) -> Outcome {
    let mut program = Program::new();
    let temporary = program.temporary();
    let ticket = program.start(program.x, temporary, None);
    rest(&mut program, temporary, ticket);
    compare(original(), program)
}

#[test]
fn bytes_arrive_where_a_transfer_is_waited_for() {
    let outcome = planned(|program, temporary, ticket| {
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    assert_eq!(outcome, Outcome::Equal);
}

#[test]
fn other_bytes_may_be_used_meanwhile() {
    let outcome = planned(|program, temporary, ticket| {
        let other = program.temporary();
        // The source may be read.
        program.copy(program.x, other);
        program.compute(other, program.y);
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    assert_eq!(outcome, Outcome::Equal);
}

#[test]
fn a_wait_may_be_repeated_and_zero_is_no_transfer() {
    let outcome = planned(|program, temporary, ticket| {
        let none = program.integer(0);
        program.wait(none);
        program.wait(ticket);
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    assert_eq!(outcome, Outcome::Equal);
}

#[test]
fn a_read_before_the_wait_is_a_race() {
    let outcome = planned(|program, temporary, ticket| {
        program.compute(temporary, program.y);
        program.wait(ticket);
    });
    assert_eq!(
        undefined(outcome),
        "bytes are read while a transfer writes them"
    );
    let outcome = planned(|program, temporary, ticket| {
        program.copy(temporary, program.y);
        program.wait(ticket);
    });
    assert_eq!(
        undefined(outcome),
        "bytes are read while a transfer writes them"
    );
    // A single element.
    let outcome = planned(|program, temporary, ticket| {
        let (index, result) = (program.integer(3), program.value(scalar()));
        program.push(StepKind::Access(AccessStep::Load {
            from: temporary,
            indices: Box::new([index]),
            result,
        }));
        program.wait(ticket);
    });
    assert_eq!(
        undefined(outcome),
        "bytes are read while a transfer writes them"
    );
}

#[test]
fn writes_to_either_end_before_the_wait_are_races() {
    let outcome = planned(|program, temporary, ticket| {
        let other = program.temporary();
        program.copy(other, temporary);
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    let at_target = "bytes are written while a transfer writes them";
    assert_eq!(undefined(outcome), at_target);
    let outcome = planned(|program, temporary, ticket| {
        let other = program.temporary();
        program.compute(other, program.x);
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    let at_source = "bytes are written while a transfer reads them";
    assert_eq!(undefined(outcome), at_source);
    let outcome = planned(|program, _, ticket| {
        let (index, value) = (program.integer(0), program.integer(7));
        program.push(StepKind::Access(AccessStep::Store {
            value,
            to: program.x,
            indices: Box::new([index]),
        }));
        program.wait(ticket);
    });
    assert_eq!(undefined(outcome), at_source);
    let outcome = planned(|program, temporary, ticket| {
        let value = program.integer(7);
        program.push(StepKind::Access(AccessStep::Fill {
            value,
            to: temporary,
        }));
        program.wait(ticket);
    });
    assert_eq!(undefined(outcome), at_target);
}

#[test]
fn an_element_chosen_at_run_time_may_race() {
    let outcome = planned(|program, temporary, ticket| {
        let (index, result) = (program.opaque(), program.value(scalar()));
        program.push(StepKind::Access(AccessStep::Load {
            from: temporary,
            indices: Box::new([index]),
            result,
        }));
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    let why = "bytes may be read while a transfer writes them";
    assert_eq!(reason(outcome), why);
}

#[test]
fn a_transfer_that_nothing_waits_for_is_a_race() {
    let outcome = planned(|program, _, _| {
        let other = program.temporary();
        program.copy(program.x, other);
        program.compute(other, program.y);
    });
    let why = "a transfer is in flight when the function returns";
    assert_eq!(undefined(outcome), why);
}

#[test]
fn storage_freed_before_the_wait_is_a_race() {
    let outcome = planned(|program, temporary, ticket| {
        program.free(temporary);
        program.wait(ticket);
    });
    let why = "storage is freed while a transfer accesses it";
    assert_eq!(undefined(outcome), why);
}

#[test]
fn an_unknown_ticket_is_not_followed() {
    let outcome = planned(|program, _, _| {
        let other = program.opaque();
        program.wait(other);
    });
    let why = "it is not known which transfer is waited for";
    assert_eq!(reason(outcome), why);
}

/// The ticket of an earlier transfer would look like that of the current one.
#[test]
fn a_stored_ticket_is_not_followed() {
    let outcome = planned(|program, temporary, ticket| {
        program.wait(ticket);
        program.push(StepKind::Access(AccessStep::Fill {
            value: ticket,
            to: temporary,
        }));
    });
    assert_eq!(reason(outcome), "the ticket of a transfer is stored");
    let outcome = planned(|program, temporary, ticket| {
        let index = program.integer(0);
        program.wait(ticket);
        program.push(StepKind::Access(AccessStep::Store {
            value: ticket,
            to: temporary,
            indices: Box::new([index]),
        }));
    });
    assert_eq!(reason(outcome), "the ticket of a transfer is stored");
}

#[test]
fn calls_may_access_memory_that_callers_see() {
    let outcome = planned(|program, temporary, ticket| {
        program.push(StepKind::Event {
            fingerprint: Fingerprint(9),
            operands: Box::default(),
            results: Box::default(),
        });
        program.wait(ticket);
        program.compute(temporary, program.y);
    });
    let why = "a call may access bytes while a transfer moves them";
    assert_eq!(reason(outcome), why);
}

#[test]
fn transfers_of_other_bytes_are_not_followed() {
    let start = |count, is_onto_itself: bool| {
        let mut program = Program::new();
        let arena = program.arena(2 * BYTES);
        let first = program.view(arena, 0, elements());
        let second = program.view(arena, BYTES - 4, elements());
        let result = program.value(scalar());
        let (from, to) = match is_onto_itself {
            true => (first, second),
            false => (program.x, first),
        };
        program.push(StepKind::Start(Box::new(Transfer {
            fingerprint: COPY,
            from,
            to,
            count,
            unit: 4,
            tag: None,
            result,
        })));
        program.wait(result);
        program.compute(first, program.y);
        reason(compare(original(), program))
    };
    let why = "a transfer moves other bytes than those of its operands";
    assert_eq!(start(N - 1, false), why);
    assert_eq!(start(N, true), "both ends of a transfer may share bytes");
    // Elements with gaps between them.
    let mut program = Program::new();
    let arena = program.arena(2 * BYTES);
    let spread = ValueType::Elements(
        Layout {
            element: 4,
            offset: Some(0),
            dims: vec![(Some(N), Some(2))],
        }
        .into(),
    );
    let spread = program.view(arena, 0, spread);
    let ticket = program.start(program.x, spread, None);
    program.wait(ticket);
    program.compute(spread, program.y);
    assert_eq!(reason(compare(original(), program)), why);
}

#[test]
fn a_tag_is_waited_for_by_its_element() {
    let run = |rest: fn(&mut Program, ValueId, &Tag)| {
        let mut program = Program::new();
        let tag = program.tag();
        let temporary = program.temporary();
        program.start(program.x, temporary, Some(tag.clone()));
        rest(&mut program, temporary, &tag);
        compare(original(), program)
    };
    let outcome = run(|program, temporary, tag| {
        program.wait_tag(tag, N);
        program.compute(temporary, program.y);
    });
    assert_eq!(outcome, Outcome::Equal);
    // Another element of the same memref.
    let none = "no transfer with this tag is certain to be in flight";
    let outcome = run(|program, _, tag| {
        let index = program.integer(1);
        let tag = Tag {
            indices: Box::new([index]),
            ..tag.clone()
        };
        program.wait_tag(&tag, N);
    });
    assert_eq!(reason(outcome), none);
    let outcome = run(|program, _, tag| {
        program.wait_tag(tag, N);
        program.wait_tag(tag, N);
    });
    assert_eq!(reason(outcome), none);
    let outcome = run(|program, _, tag| program.wait_tag(tag, N - 1));
    let why = "a wait states another size than the transfer";
    assert_eq!(reason(outcome), why);
    let outcome = run(|program, _, tag| {
        let other = program.temporary();
        program.start(program.x, other, Some(tag.clone()));
        program.wait_tag(tag, N);
    });
    let why = "another transfer with the same tag is in flight";
    assert_eq!(reason(outcome), why);
    let outcome = run(|program, _, tag| {
        let index = program.opaque();
        let tag = Tag {
            indices: Box::new([index]),
            ..tag.clone()
        };
        program.wait_tag(&tag, N);
    });
    let why = "the tag of a transfer is known only at run time";
    assert_eq!(reason(outcome), why);
}

/// A program with a branch; `first` is added to the block that is entered on one path only, `last`
/// to the one that both paths reach.
fn branching(
    transfers: bool,
    first: impl FnOnce(&mut Program, ValueId),
    last: impl FnOnce(&mut Program, ValueId),
) -> Program {
    let mut program = Program::new();
    let temporary = program.temporary();
    let ticket = match transfers {
        true => program.start(program.x, temporary, None),
        false => {
            program.copy(program.x, temporary);
            program.integer(0)
        }
    };
    let condition = program.opaque();
    program.decide(condition);
    program.edge(1, &[]);
    program.edge(2, &[]);
    program.block(Vec::new());
    first(&mut program, ticket);
    program.edge(2, &[]);
    program.block(Vec::new());
    last(&mut program, ticket);
    program.compute(temporary, program.y);
    program
}

#[test]
fn paths_meet_with_the_transfers_of_all_of_them() {
    let same = || branching(false, |_, _| (), |_, _| ());
    let waits = |program: &mut Program, ticket| program.wait(ticket);
    let planned = branching(true, waits, waits);
    assert_eq!(compare(same(), planned), Outcome::Equal);
    let planned = branching(true, |_, _| (), waits);
    assert_eq!(compare(same(), planned), Outcome::Equal);
    let planned = branching(true, waits, |_, _| ());
    let why = "bytes may be read while a transfer writes them";
    assert_eq!(reason(compare(same(), planned)), why);
    let planned = branching(true, |_, _| (), |_, _| ());
    let why = "bytes are read while a transfer writes them";
    assert_eq!(undefined(compare(same(), planned)), why);
}

/// What a loop does with the ticket that it carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carried {
    /// There are no tickets: each copy happens at once.
    Nothing,
    Awaited,
    /// It is waited for after the temporary has been read.
    AwaitedLate,
    Forgotten,
    /// The ticket of the first transfer is carried on.
    Stale,
    /// The next transfer starts before this iteration has waited for its own.
    Early,
}

impl Carried {
    fn moves(self, program: &mut Program, to: ValueId) -> ValueId {
        match self {
            Self::Nothing => {
                program.copy(program.x, to);
                program.integer(0)
            }
            _ => program.start(program.x, to, None),
        }
    }

    fn wait(self, program: &mut Program, ticket: ValueId) {
        if !matches!(self, Self::Nothing | Self::Forgotten) {
            program.wait(ticket);
        }
    }
}

/// A loop in which each iteration starts the transfer that the next one uses.
fn looping(carried: Carried) -> Program {
    let mut program = Program::new();
    let temporary = program.temporary();
    let other = program.temporary();
    let first = carried.moves(&mut program, temporary);
    let own = program.value(scalar());
    program.edge(1, &[(first, own)]);
    program.block(vec![own]);
    let early = (carried == Carried::Early).then(|| carried.moves(&mut program, other));
    if carried != Carried::AwaitedLate {
        carried.wait(&mut program, own);
    }
    program.compute(temporary, program.y);
    if carried == Carried::AwaitedLate {
        carried.wait(&mut program, own);
    }
    let next = early.unwrap_or_else(|| carried.moves(&mut program, temporary));
    let next = if carried == Carried::Stale {
        first
    } else {
        next
    };
    let last = program.value(scalar());
    let condition = program.opaque();
    program.decide(condition);
    program.edge(1, &[(next, own)]);
    program.edge(2, &[(next, last)]);
    program.block(vec![last]);
    carried.wait(&mut program, last);
    program
}

#[test]
fn loops_carry_tickets() {
    let outcome = |carried| compare(looping(Carried::Nothing), looping(carried));
    assert_eq!(outcome(Carried::Awaited), Outcome::Equal);
    let read = "bytes are read while a transfer writes them";
    assert_eq!(undefined(outcome(Carried::AwaitedLate)), read);
    assert_eq!(undefined(outcome(Carried::Forgotten)), read);
    // In the second iteration, nothing has waited for the transfer that the first one started.
    assert_eq!(undefined(outcome(Carried::Stale)), read);
    // Compared by cases, the second transfer is certain to meet the first one.
    let why = "bytes are written while a transfer writes them";
    assert_eq!(undefined(outcome(Carried::Early)), why);
}

/// A transfer is in flight into the earlier instance of a tensor when the next one is allocated.
#[test]
fn loops_carry_instances_that_are_in_flight() {
    let run = |carried: Carried| {
        let mut program = Program::new();
        let first = program.temporary();
        let ticket = carried.moves(&mut program, first);
        carried.wait(&mut program, ticket);
        let [own, from] = [scalar(), elements()].map(|ty| program.value(ty));
        program.edge(1, &[(ticket, own), (first, from)]);
        program.block(vec![own, from]);
        let next = program.temporary();
        if carried == Carried::Awaited {
            carried.wait(&mut program, own);
        }
        program.compute(from, program.y);
        if carried == Carried::AwaitedLate {
            carried.wait(&mut program, own);
        }
        let ticket = carried.moves(&mut program, next);
        let last = program.value(scalar());
        let condition = program.opaque();
        program.decide(condition);
        program.edge(1, &[(ticket, own), (next, from)]);
        program.edge(2, &[(ticket, last)]);
        program.block(vec![last]);
        carried.wait(&mut program, last);
        program
    };
    let outcome = |carried| compare(run(Carried::Nothing), run(carried));
    assert_eq!(outcome(Carried::Awaited), Outcome::Equal);
    let why = "bytes are read while a transfer writes them";
    assert_eq!(undefined(outcome(Carried::AwaitedLate)), why);
}

/// From the second iteration on, the value that the loop carries stands for no transfer.
#[test]
fn a_block_argument_stands_for_its_incoming_values() {
    let run = |transfers: bool| {
        let mut program = Program::new();
        let temporary = program.temporary();
        let first = match transfers {
            true => program.start(program.x, temporary, None),
            false => program.integer(0),
        };
        let own = program.value(scalar());
        program.edge(1, &[(first, own)]);
        program.block(vec![own]);
        let none = program.integer(0);
        let condition = program.opaque();
        program.decide(condition);
        program.edge(1, &[(none, own)]);
        program.edge(2, &[]);
        program.block(Vec::new());
        if transfers {
            program.wait(own);
        }
        program
    };
    let why = "a transfer is in flight when the function returns";
    assert_eq!(reason(compare(run(false), run(true))), why);
}

/// The inner loop's argument stands for the transfer in the first iteration only.
#[test]
fn an_argument_of_a_loop_is_defined_anew() {
    let run = |transfers: bool| {
        let mut program = Program::new();
        let temporary = program.temporary();
        let none = program.integer(0);
        let [outer, inner] = [0, 1].map(|_| program.value(scalar()));
        program.edge(1, &[(none, outer)]);
        program.block(vec![outer]);
        program.edge(2, &[(outer, inner)]);
        program.block(vec![inner]);
        let condition = program.opaque();
        program.decide(condition);
        program.edge(2, &[(none, inner)]);
        program.edge(3, &[]);
        program.block(Vec::new());
        let next = match transfers {
            true => {
                program.wait(inner);
                program.start(program.x, temporary, None)
            }
            false => program.integer(0),
        };
        let condition = program.opaque();
        program.decide(condition);
        let last = program.value(scalar());
        program.edge(1, &[(next, outer)]);
        program.edge(4, &[(next, last)]);
        program.block(vec![last]);
        if transfers {
            program.wait(last);
        }
        program
    };
    let why = "a transfer starts again before it has been waited for";
    assert_eq!(reason(compare(run(false), run(true))), why);
}

#[test]
fn a_tag_is_not_waited_for_where_it_may_be_free() {
    let run = |transfers: bool| {
        let mut program = Program::new();
        let temporary = program.temporary();
        let tag = program.tag();
        if transfers {
            program.start(program.x, temporary, Some(tag.clone()));
        }
        let condition = program.opaque();
        program.decide(condition);
        program.edge(1, &[]);
        program.edge(2, &[]);
        program.block(Vec::new());
        if transfers {
            program.wait_tag(&tag, N);
        }
        program.edge(2, &[]);
        program.block(Vec::new());
        if transfers {
            program.wait_tag(&tag, N);
        }
        program
    };
    let why = "no transfer with this tag is certain to be in flight";
    assert_eq!(reason(compare(run(false), run(true))), why);
}

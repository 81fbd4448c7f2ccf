//! Slots chosen by comparing addresses: when they are apart from what they avoid.

mod support;

use mem_equivalence::Outcome;
use mem_equivalence::program::{ChoiceStep, StepKind, ValueId, ValueType};
use support::{BYTES, Program, compare, elements, reason};

/// Adds the step that says how a slot was chosen: the chosen one, all slots, and what is avoided.
type Select<'a> = dyn Fn(&mut Program, [ValueId; 3], ValueId) + 'a;

/// A loop that computes an instance of a tensor from the previous one, in one of two slots of an
/// arena. The original allocates each instance. `stride`: distance between the slots. `start`:
/// where the first instance is.
fn rotating(stride: i64, start: i64, select: Option<&Select<'_>>) -> Program {
    let mut program = Program::new();
    let arena = program.arena(3 * BYTES);
    let bytes = || ValueType::Bytes(Some(BYTES));
    let slots = [0, 1, 2].map(|index| program.view(arena, index * stride, bytes()));
    let first = match select {
        Some(_) => {
            let view = program.view(arena, start, elements());
            let other = program.temporary();
            let condition = program.of_address(view);
            let result = program.select(condition, [view, other], elements());
            // One of several views, or a single one.
            if start % BYTES == 0 { view } else { result }
        }
        None => program.temporary(),
    };
    program.copy(program.x, first);
    let own = program.value(elements());
    program.edge(1, &[(first, own)]);
    program.block(vec![own]);
    let next = match select {
        None => program.temporary(),
        Some(select) => {
            let condition = program.of_address(own);
            let chosen = program.select(condition, [slots[1], slots[0]], bytes());
            select(&mut program, [chosen, slots[0], slots[1]], own);
            program.view(chosen, 0, elements())
        }
    };
    program.compute(own, next);
    let condition = program.opaque();
    program.decide(condition);
    let last = program.value(elements());
    program.edge(1, &[(next, own)]);
    program.edge(2, &[(next, last)]);
    program.block(vec![last]);
    program.copy(last, program.y);
    program
}

/// The outcome if the slot is selected by comparing `n_avoided` addresses with `bytes` bytes of
/// each of `n_slots` slots.
fn outcome([stride, start, bytes]: [i64; 3], n_slots: usize, n_avoided: usize) -> Outcome {
    let select = move |program: &mut Program, [result, a, b]: [ValueId; 3], own| {
        program.push(StepKind::Choice(ChoiceStep::Rotated {
            result,
            slots: [a, b][..n_slots].into(),
            avoiding: vec![own; n_avoided].into(),
            bytes,
        }));
    };
    let planned = rotating(stride, start, Some(&select));
    compare(rotating(BYTES, 0, None), planned)
}

#[test]
fn a_slot_chosen_by_address_is_apart_from_the_avoided_views() {
    assert_eq!(outcome([BYTES, 0, BYTES], 2, 1), Outcome::Equal);
    assert_eq!(outcome([BYTES, BYTES, BYTES], 2, 1), Outcome::Equal);
    // Not in any slot.
    assert_eq!(outcome([BYTES, 2 * BYTES, BYTES], 2, 1), Outcome::Equal);
}

#[test]
fn addresses_that_do_not_decide_prove_nothing() {
    let why = "an operand may be the storage of a result";
    // Addresses are compared with a part of each slot.
    assert_eq!(reason(outcome([BYTES, 0, BYTES - 4], 2, 1)), why);
    // There are not enough slots.
    assert_eq!(reason(outcome([BYTES, 0, BYTES], 1, 1)), why);
    assert_eq!(reason(outcome([BYTES, 0, BYTES], 2, 2)), why);
    // The slots overlap.
    assert_eq!(reason(outcome([BYTES - 4, 0, BYTES], 2, 1)), why);
    // The first instance is in two slots, and its address only in the first.
    assert_eq!(reason(outcome([BYTES, 4, BYTES], 2, 1)), why);
    // Nothing is compared.
    let planned = rotating(BYTES, 0, Some(&|_, _, _| ()));
    assert_eq!(reason(compare(rotating(BYTES, 0, None), planned)), why);
}

/// Two slots overlap, and an address in both makes both count as taken.
#[test]
fn slots_have_to_be_disjoint() {
    let run = |is_planned: bool, distance: i64| {
        let mut program = Program::new();
        let arena = program.arena(4 * BYTES);
        let bytes = || ValueType::Bytes(Some(BYTES));
        let starts = [0, distance, 2 * BYTES];
        let slots = starts.map(|start| program.view(arena, start, bytes()));
        let own = match is_planned {
            true => program.view(slots[2], 0, elements()),
            false => program.temporary(),
        };
        let other = program.view(slots[1], 0, elements());
        program.copy(program.x, own);
        let condition = program.of_address(own);
        let chosen = program.select(condition, [slots[0], slots[2]], bytes());
        let result = match is_planned {
            true => {
                program.push(StepKind::Choice(ChoiceStep::Rotated {
                    result: chosen,
                    slots: slots.into(),
                    avoiding: Box::new([own, other]),
                    bytes: BYTES,
                }));
                program.view(chosen, 0, elements())
            }
            false => program.temporary(),
        };
        program.compute(own, result);
        program.copy(result, program.y);
        program
    };
    let outcome = |distance| compare(run(false, BYTES), run(true, distance));
    assert_eq!(outcome(BYTES), Outcome::Equal);
    let why = "an operand may be the storage of a result";
    assert_eq!(reason(outcome(BYTES - 4)), why);
}

/// An address of an argument is in no slot, if the slot is within the arena.
#[test]
fn addresses_from_outside_are_in_no_slot() {
    let run = |is_planned: bool, bytes: i64| {
        let mut program = Program::new();
        let arena = program.arena(2 * BYTES);
        let of_bytes = || ValueType::Bytes(Some(BYTES));
        let slots = [0, BYTES].map(|start| program.view(arena, start, of_bytes()));
        let own = match is_planned {
            true => program.view(slots[1], 0, elements()),
            false => program.temporary(),
        };
        program.copy(program.x, own);
        let condition = program.points_into(program.x, slots[1], bytes);
        let chosen = program.select(condition, [slots[1], slots[0]], of_bytes());
        let result = match is_planned {
            true => program.view(chosen, 0, elements()),
            false => program.temporary(),
        };
        program.compute(own, result);
        program.copy(own, program.x);
        program.copy(result, program.y);
        program
    };
    let outcome = |bytes| compare(run(false, bytes), run(true, bytes));
    assert_eq!(outcome(BYTES), Outcome::Equal);
    let why = "an operand may be the storage of a result";
    assert_eq!(reason(outcome(BYTES + 1)), why);
}

/// Adds a view of one of two slots, and one of the slot that is chosen around it. Returns views of both slots, and these two.
fn around(program: &mut Program, is_rotated: bool) -> ([ValueId; 2], ValueId, ValueId) {
    let arena = program.arena(2 * BYTES);
    let bytes = || ValueType::Bytes(Some(BYTES));
    let slots = [0, BYTES].map(|start| program.view(arena, start, bytes()));
    let views = slots.map(|slot| program.view(slot, 0, elements()));
    let own = one_of(program, views, elements());
    let chosen = one_of(program, [slots[1], slots[0]], bytes());
    if is_rotated {
        program.push(StepKind::Choice(ChoiceStep::Rotated {
            result: chosen,
            slots: slots.into(),
            avoiding: Box::new([own]),
            bytes: BYTES,
        }));
    }
    let chosen = program.view(chosen, 0, elements());
    (views, own, chosen)
}

/// Adds a choice of one of two views by an address.
fn one_of(program: &mut Program, of: [ValueId; 2], ty: ValueType) -> ValueId {
    let condition = program.of_address(of[0]);
    program.select(condition, of, ty)
}

/// What the chosen slot avoids may be read while a transfer into the slot is in flight.
#[test]
fn transfers_into_a_slot_do_not_meet_the_avoided_views() {
    let run = |transfers: bool, is_rotated: bool| {
        let mut program = Program::new();
        let (_, own, chosen) = around(&mut program, is_rotated);
        if !transfers {
            program.copy(program.x, chosen);
            program.compute(chosen, program.y);
            return program;
        }
        let ticket = program.start(program.x, chosen, None);
        let other = program.temporary();
        program.compute(own, other);
        program.wait(ticket);
        program.compute(chosen, program.y);
        program
    };
    let outcome = |is_rotated| compare(run(false, true), run(true, is_rotated));
    assert_eq!(outcome(true), Outcome::Equal);
    let why = "bytes may be read while a transfer writes them";
    assert_eq!(reason(outcome(false)), why);
}

/// A slot that a transfer reads is not the one that it avoids, although nothing uses the slot any more when another
/// one is chosen.
#[test]
fn transfers_out_of_a_slot_do_not_meet_the_avoided_views() {
    let run = |transfers: bool, is_rotated: bool| {
        let mut program = Program::new();
        let (views, own, chosen) = around(&mut program, is_rotated);
        program.compute(program.x, chosen);
        let ticket = match transfers {
            true => Some(program.start(chosen, program.y, None)),
            false => {
                program.copy(chosen, program.y);
                None
            }
        };
        one_of(&mut program, views, elements());
        program.compute(program.x, own);
        if let Some(ticket) = ticket {
            program.wait(ticket);
        }
        program.compute(own, program.x);
        program
    };
    let outcome = |is_rotated| compare(run(false, true), run(true, is_rotated));
    assert_eq!(outcome(true), Outcome::Equal);
    let why = "bytes may be written while a transfer reads them";
    assert_eq!(reason(outcome(false)), why);
}

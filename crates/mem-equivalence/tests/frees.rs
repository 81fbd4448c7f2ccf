//! Storage that is freed, once and in time or not. `storages` has random programs.

mod support;

use mem_equivalence::program::{AccessStep, StepKind, ValueType};
use mem_equivalence::{Observed, Outcome};
use support::{Program, compare, elements, reason, scalar, undefined};

const FREED: &str = "bytes are accessed that have been freed";

/// Compares a program that computes `y` from `x` through a temporary with one that does more.
fn planned(build: impl Fn(&mut Program)) -> Outcome {
    let mut original = Program::new();
    let temporary = original.temporary();
    original.compute(original.x, temporary);
    original.compute(temporary, original.y);
    let mut planned = Program::new();
    build(&mut planned);
    compare(original, planned)
}

#[test]
fn storage_is_freed_once_after_its_last_use() {
    let program = |n_before: usize, n_after: usize| {
        planned(|program| {
            let temporary = program.temporary();
            program.compute(program.x, temporary);
            (0..n_before).for_each(|_| program.free(temporary));
            program.compute(temporary, program.y);
            (0..n_after).for_each(|_| program.free(temporary));
        })
    };
    assert_eq!(program(0, 0), Outcome::Equal);
    assert_eq!(program(0, 1), Outcome::Equal);
    assert_eq!(undefined(program(0, 2)), "storage is freed twice");
    assert_eq!(undefined(program(1, 0)), FREED);
}

/// What is written to freed storage is not what is read from there.
#[test]
fn writes_to_freed_storage_are_errors_even_if_nothing_reads_them() {
    let outcome = planned(|program| {
        let temporary = program.temporary();
        program.compute(program.x, temporary);
        program.compute(temporary, program.y);
        program.free(temporary);
        let value = program.integer(7);
        program.push(StepKind::Access(AccessStep::Fill {
            value,
            to: temporary,
        }));
    });
    assert_eq!(undefined(outcome), FREED);
    let outcome = planned(|program| {
        let [temporary, other] = [0, 1].map(|_| program.temporary());
        program.compute(program.x, temporary);
        program.compute(temporary, program.y);
        program.free(temporary);
        let ticket = program.start(temporary, other, None);
        program.wait(ticket);
    });
    assert_eq!(undefined(outcome), FREED);
}

#[test]
fn all_of_an_arena_is_freed_whichever_tensor_is() {
    let program = |[used, freed]: [i64; 2]| {
        planned(|program| {
            let arena = program.arena(128);
            let [used, freed] = [used, freed].map(|start| program.view(arena, start, elements()));
            program.compute(program.x, used);
            program.free(freed);
            program.compute(used, program.y);
        })
    };
    assert_eq!(undefined(program([64, 0])), FREED);
    let why = "storage is freed through a view of a part of it";
    assert_eq!(reason(program([0, 64])), why);
}

#[test]
fn storage_may_be_freed_by_another_name() {
    let program = |is_other: bool| {
        planned(|program| {
            let [temporary, other] = [0, 1].map(|_| program.temporary());
            let condition = program.opaque();
            let chosen = program.select(condition, [temporary, other], elements());
            program.compute(program.x, temporary);
            program.compute(temporary, program.y);
            program.free(chosen);
            if is_other {
                program.free(other);
            }
        })
    };
    assert_eq!(program(false), Outcome::Equal);
    assert_eq!(undefined(program(true)), "storage is freed twice");
}

#[test]
fn one_of_several_storages_has_been_freed() {
    let program = |n_freed: usize| {
        planned(|program| {
            let [temporary, other] = [0, 1].map(|_| program.temporary());
            program.compute(program.x, temporary);
            program.compute(temporary, program.y);
            for freed in [temporary, other].into_iter().take(n_freed) {
                program.free(freed);
            }
            let condition = program.opaque();
            let chosen = program.select(condition, [temporary, other], elements());
            program.compute(program.x, chosen);
        })
    };
    assert_eq!(program(0), Outcome::Equal);
    // In one of two cases.
    assert_eq!(undefined(program(1)), FREED);
    assert_eq!(undefined(program(2)), FREED);
}

/// A caller can tell whether its storage has been freed, and accesses it otherwise.
#[test]
fn storage_of_the_caller_is_freed_as_in_the_original() {
    let program = |frees: &[bool]| {
        let mut program = Program::new();
        program.compute(program.x, program.y);
        for own in frees {
            program.free(if *own { program.x } else { program.y });
        }
        program
    };
    let outcome = |a: &[bool], b: &[bool]| compare(program(a), program(b));
    assert_eq!(outcome(&[true], &[true]), Outcome::Equal);
    for (a, b) in [
        (&[][..], &[true][..]),
        (&[true], &[]),
        (&[true], &[false]),
        (&[true, false], &[false, true]),
    ] {
        let Outcome::Different(difference) = outcome(a, b) else {
            panic!("{a:?} {b:?}");
        };
        assert_eq!(difference.what, Observed::Exchanged);
    }
    let mut early = Program::new();
    early.free(early.x);
    early.compute(early.x, early.y);
    assert_eq!(undefined(compare(program(&[true]), early)), FREED);
}

/// Arguments that the original lacks are arenas.
#[test]
fn an_arena_of_the_caller_is_not_freed() {
    let program = |frees: bool| {
        planned(|program| {
            let arena = program.value(ValueType::Bytes(Some(64)));
            let arguments = program.body.blocks[0].arguments.iter().copied();
            program.body.blocks[0].arguments = arguments.chain([arena]).collect();
            let temporary = program.view(arena, 0, elements());
            program.compute(program.x, temporary);
            program.compute(temporary, program.y);
            if frees {
                program.free(arena);
            }
        })
    };
    assert_eq!(program(false), Outcome::Equal);
    assert_eq!(reason(program(true)), "an arena of the caller is freed");
}

/// A loop may free what another iteration needs.
#[test]
fn iterations_free_what_they_allocate() {
    let program = |is_outside: bool| {
        let mut program = Program::new();
        let outside = program.temporary();
        program.edge(1, &[]);
        program.block(Vec::new());
        let own = match is_outside {
            true => outside,
            false => program.temporary(),
        };
        program.compute(program.x, own);
        program.compute(own, program.y);
        program.free(own);
        let again = program.body.compute(3, &[], scalar());
        program.decide(again);
        program.edge(1, &[]);
        program.edge(2, &[]);
        program.block(Vec::new());
        program
    };
    let outcome = |is_outside| compare(program(false), program(is_outside));
    assert_eq!(outcome(false), Outcome::Equal);
    assert_eq!(undefined(outcome(true)), FREED);
}

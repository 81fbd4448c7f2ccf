//! Results at the addresses of operands: accepted if the step works in place and both start at the
//! same address, rejected otherwise.

use mem_check::{Violation, check_program_plan};
use mem_model::{BufferId, Bytes, Placement, Plan, Program, parse_programs};

/// Computes `b` from `a`, then reads `b`; `last` appends accesses to the last step.
fn program(in_place: &str, last: &str) -> Program {
    let text = format!(
        "mem-program 1\nprogram \"main\"\n\
         buffer b0 \"a\" size 64 align 1 intermediate planned\n\
         buffer b1 \"b\" size 64 align 1 intermediate planned\n\
         pointer p0 \"a\" buffer b0 size 64\npointer p1 \"b\" buffer b1 size 64\n\
         region r0 function\nblock bb0 in r0\n\
         step s0 \"make\"\ndefine p0 may 0..64 must 0..64\n\
         step s1 \"relu\"\n{in_place}\nuse p0 may 0..64 must 0..64\ndefine p1 may 0..64 must 0..64\n\
         step s2 \"end\"\nuse p1 may 0..64 must 0..64\n{last}\nend\n"
    );
    parse_programs(&text).expect("a program").remove(0)
}

fn check(program: &Program, offsets: [u64; 2]) -> Option<Violation> {
    let placement = |(buffer, offset): (usize, u64)| Placement {
        buffer: BufferId::new(buffer),
        slot: 0,
        offset: Bytes::new(offset),
    };
    let plan = Plan {
        strategy: "by-hand".to_owned(),
        placements: offsets.into_iter().enumerate().map(placement).collect(),
        peak: Bytes::new(offsets[0].max(offsets[1]) + 64),
        lower_bound: Bytes::new(64),
        proven_bound: Bytes::new(64),
    };
    let checked = check_program_plan(program, &[], &plan);
    checked.err().map(|error| error.violations[0].clone())
}

#[test]
fn a_step_that_works_in_place_may_write_over_its_operand() {
    let allowed = program("in-place p0 p1", "");
    assert_eq!(check(&allowed, [0, 0]), None);
    assert_eq!(check(&allowed, [0, 64]), None);
}

#[test]
fn it_must_start_where_the_operand_does() {
    let allowed = program("in-place p0 p1", "");
    for offsets in [[0, 1], [1, 0], [0, 63]] {
        let violation = check(&allowed, offsets);
        assert!(
            matches!(violation, Some(Violation::Clobbered { .. })),
            "{offsets:?}"
        );
    }
}

#[test]
fn other_steps_may_not() {
    for in_place in ["", "in-place p1 p0", "in-place p0 p0"] {
        let violation = check(&program(in_place, ""), [0, 0]);
        assert!(
            matches!(violation, Some(Violation::Clobbered { .. })),
            "{in_place}"
        );
    }
}

#[test]
fn an_operand_that_is_gone_is_not_read_again() {
    let again = program("in-place p0 p1", "use p0 may 0..64 must 0..64");
    let Some(Violation::Clobbered { reader, buffer, .. }) = check(&again, [0, 0]) else {
        panic!("it is not there any more");
    };
    assert_eq!((reader.index(), buffer.index()), (2, 0));
    let part = program("in-place p0 p1", "use p0 may 60..61");
    assert!(check(&part, [0, 0]).is_some());
}

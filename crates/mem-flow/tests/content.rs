//! Tests of queries about the content of bytes at two steps: unchanged, rewritten, overwritten.

#[path = "support/text.rs"]
mod text;

use mem_flow::dependence::{Options, Source, analyze_dependence};
use mem_model::{BufferId, StepId};
use text::{bytes, id, program};

#[test]
fn an_unread_argument_may_change_through_another_one() {
    let body = "block bb0 in r0
         step s0 \"first\"
           define p0 may 0..8 must 0..8
         step s1 \"other\"
           define p1 may 0..8 must 0..8
         step s2 \"again\"
           define p0 may 0..8 must 0..8";
    let before = |buffers| {
        let program = program(buffers, body);
        let dependence = analyze_dependence(&program, Options::default());
        assert!(!dependence.is_unchanged(id(2, 0), StepId::new(0), StepId::new(2)));
        let again =
            dependence.is_unchanged_but_for(id(2, 0), id(0, 0).step, id(2, 0).step, &[id(0, 0)]);
        (dependence.sole_source_before(id(2, 0)), again)
    };
    assert_eq!(before("arg:8 arg:8"), (None, false));
    assert_eq!(
        before("arg:8 noalias:8"),
        (Some(Source::Definition(id(0, 0))), true)
    );
}

#[test]
fn contents_rewritten_by_a_loop_are_unchanged() {
    let body = "block bb0 in r0
           step s0 \"read\"
             use p0 may 0..8 must 0..8
           edge bb1
         block bb1 in r0
           step s1 \"same\"
             define p0 may 0..8 must 0..8
           step s2 \"half\"
             define p1 may 0..4 must 0..4
           edge bb1
           edge bb2
         block bb2 in r0";
    let same = |buffers| {
        let program = program(buffers, body);
        let dependence = analyze_dependence(&program, Options::default());
        assert!(!dependence.is_unchanged(id(1, 0), StepId::new(0), StepId::new(1)));
        dependence.is_unchanged_but_for(id(1, 0), StepId::new(0), StepId::new(1), &[id(1, 0)])
    };
    assert!(same("noalias:8 noalias:8"));
    assert!(!same("arg:8 arg:8"));
}

#[test]
fn overwrites_hold_on_every_path_and_before_endless_loops() {
    let overwritten = |rest: &str| {
        let body = format!(
            "block bb0 in r0
               step s0 \"half\"
                 define p0 may 0..4 must 0..4
               edge bb1
               edge bb2
             block bb1 in r0
               step s1 \"other half\"
                 define p0 may 4..8 must 4..8
               edge bb3
             block bb2 in r0
               step s2 \"some\"
                 define p0 may 4..8 must 6..8
               edge bb3
             block bb3 in r0
               {rest}"
        );
        let program = program("noalias:8", &body);
        let dependence = analyze_dependence(&program, Options::default());
        bytes(&dependence.overwritten(BufferId::new(0)))
    };
    assert_eq!(overwritten("step s3 \"end\""), "0..4+6..8");
    let last = "step s3 \"last\"
                 define p0 may 0..8 must 0..8";
    assert_eq!(overwritten(last), "0..8");
    let forever = "edge bb3
               edge bb4
             block bb4 in r0
               step s3 \"last\"
                 define p0 may 0..8 must 0..8";
    assert_eq!(overwritten(forever), "0..8");
    let really_forever = "edge bb4
               edge bb5
             block bb4 in r0
               edge bb4
             block bb5 in r0
               step s3 \"last\"
                 define p0 may 0..8 must 0..8";
    assert_eq!(overwritten(really_forever), "0..4+6..8");
}

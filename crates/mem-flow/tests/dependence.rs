//! Dependences of small programs that can be checked by hand: the worked examples, and one test per
//! rule, including dependences that must not be found.

#[path = "support/text.rs"]
mod text;

use mem_flow::dependence::{Dependence, Options, Source, analyze_dependence};
use mem_model::{Bytes, Interval, PointerId, StepId};
use text::{bytes, id, program};

/// Sources that a use sees: `s1 16..32`, `undefined 32..65`, …; `s1.1` is the access at position 1
/// of its step.
fn sees(dependence: &Dependence<'_>, step: usize, index: u32) -> Vec<String> {
    let shown = |reaching: mem_flow::dependence::Reaching| {
        let source = match reaching.source {
            Source::Undefined => "undefined".to_owned(),
            Source::Entry => "entry".to_owned(),
            Source::Definition(definition) => match definition.index {
                0 => definition.step.to_string(),
                index => format!("{}.{index}", definition.step),
            },
        };
        format!("{source} {}", bytes(&reaching.bytes))
    };
    let reaching = dependence.reaching(id(step, index));
    reaching.into_iter().map(shown).collect()
}

/// The steps of the definitions that a step's first access sees.
fn steps_seen(dependence: &Dependence<'_>, step: usize) -> Vec<usize> {
    let mut steps: Vec<usize> = dependence
        .reaching(id(step, 0))
        .into_iter()
        .filter_map(|reaching| match reaching.source {
            Source::Definition(definition) => Some(definition.step.index()),
            _ => None,
        })
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

fn record(dependence: &Dependence<'_>, step: usize, range: (u64, u64)) -> (Vec<usize>, String) {
    let range = Interval::new(Bytes::new(range.0), Bytes::new(range.1));
    let record = dependence.record(StepId::new(step), PointerId::new(0), range);
    let steps = record.definitions.iter().map(|d| d.step.index());
    (steps.collect(), bytes(&record.kills))
}

#[test]
fn worked_example_a() {
    let program = program(
        "local:65",
        "block bb0 in r0
         step s0 \"-\"
         step s1 \"ir1\"
           define p0 may 0..32 must 0..32
         step s2 \"ir2\"
           use p0 may 0..32 must 0..32
         step s3 \"ir3\"
           define p0 may 0..16 must 0..16
         step s4 \"ir4\"
           use p0 may 0..32 must 0..32
         step s5 \"ir5\"
           define p0 may 16..32 must 16..32
         step s6 \"ir6\"
           use p0 may 0..65 must 0..65",
    );
    let dependence = analyze_dependence(&program, Options::default());
    assert_eq!(sees(&dependence, 2, 0), ["s1 0..32"]);
    assert_eq!(
        record(&dependence, 4, (0, 32)),
        (vec![1], "0..16".to_owned())
    );
    assert_eq!(sees(&dependence, 4, 0), ["s1 16..32", "s3 0..16"]);
    // The record disappears: none of its definitions is visible, and the whole range is killed.
    assert_eq!(
        record(&dependence, 6, (0, 32)),
        (vec![], "0..32".to_owned())
    );
    assert_eq!(bytes(&dependence.kills(id(1, 0), StepId::new(6))), "0..32");
    assert_eq!(
        sees(&dependence, 6, 0),
        ["undefined 32..65", "s3 0..16", "s5 16..32"]
    );
}

#[test]
fn worked_example_b() {
    let program = program(
        "local:32 local:64",
        "symbol y0 \"x\" in bb0
         symbol y1 \"p\" in bb0
         block bb0 in r0
         step s0 \"-\"
         step s1 \"ir1\"
           define p0 may 0..32 must 0..32
         step s2 \"ir2\"
           define p0 may 0..32 between all 0 y0+0
         step s3 \"ir3\"
           use p0 may 0..32 between all 0 y0+0
         step s4 \"ir4\"
           define p0
           define p1
         step s5 \"ir5\"
           define p0 may 0..32 must 0..32 if y1
         step s6 \"ir6\"
           use p0
           use p1
         step s7 \"ir7\"
           use p0 may 0..32 must 0..32",
    );
    let dependence = analyze_dependence(&program, Options::default());
    // By the definition of kills alone, md1 is only possibly killed, so ir1 and ir2 would both
    // reach ir3. The equal symbolic bounds prove that ir2 wrote all bytes that ir3 reads.
    assert_eq!(steps_seen(&dependence, 3), [2]);
    assert_eq!(steps_seen(&dependence, 6), [1, 2, 4, 5]);
    assert_eq!(steps_seen(&dependence, 7), [1, 2, 4, 5]);
    assert_eq!(sees(&dependence, 6, 1), ["undefined 0..64", "s4.1 0..64"]);
}

#[test]
fn worked_example_b_with_incomparable_bounds() {
    let program = program(
        "local:32 local:64",
        "block bb0 in r0
         step s0 \"-\"
         step s1 \"ir1\"
           define p0 may 0..32 must 0..32
         step s2 \"ir2\"
           define p0 may 0..32
         step s3 \"ir3\"
           use p0 may 0..32",
    );
    let dependence = analyze_dependence(&program, Options::default());
    assert_eq!(steps_seen(&dependence, 3), [1, 2]);
}

#[test]
fn worked_example_c() {
    let program = program(
        "local:128",
        "symbol y0 \"p\" in bb0
         block bb0 in r0
           step s0 \"-\"
           edge bb1
           edge bb2
         block bb1 in r0
           step s1 \"ir1\"
             define p0 may 0..128 must 0..128
           step s2 \"ir2\"
             define p0 may 0..128 must 0..128 if y0
           step s3 \"kill\"
             define p0 may 1..128 must 1..128
           edge bb3
         block bb2 in r0
           step s4 \"ir3\"
             define p0 may 0..128 must 0..128
           step s5 \"ir4\"
             define p0 may 0..128 must 0..128 if y0
           step s6 \"kill\"
             define p0 may 32..64 must 32..64
           edge bb3
         block bb3 in r0
           step s7 \"use\"
             use p0 may 0..128 must 0..128",
    );
    let dependence = analyze_dependence(&program, Options::default());
    assert_eq!(
        record(&dependence, 7, (0, 128)),
        (vec![1, 2, 4, 5], "32..64".to_owned())
    );
    let joins: Vec<_> = dependence.joins().collect();
    assert_eq!(joins.len(), 1);
    assert_eq!(joins[0].block.index(), 3);
    assert_eq!(
        (joins[0].bytes.start.get(), joins[0].bytes.end.get()),
        (0, 128)
    );
}

#[track_caller]
fn check(buffers: &str, body: &str, step: usize, wanted: &[&str]) {
    let program = program(buffers, body);
    let dependence = analyze_dependence(&program, Options::default());
    assert_eq!(sees(&dependence, step, 0), wanted);
}

#[test]
fn complementary_predicates_kill_together() {
    let body = "symbol y0 \"p\" in bb0
         block bb0 in r0
         step s0 \"a\"
           define p0 may 0..8 must 0..8
         step s1 \"b\"
           define p0 may 0..8 must 0..8 if y0
         step s2 \"c\"
           define p0 may 0..8 must 0..8 if !y0
         step s3 \"use\"
           use p0 may 0..8 must 0..8";
    check("local:8", body, 3, &["s1 0..8", "s2 0..8"]);
    let dead = program("local:8", body);
    let dependence = analyze_dependence(&dead, Options::default());
    assert!(dependence.live_writes().is_dead(id(0, 0)));
    assert!(!dependence.live_writes().is_dead(id(1, 0)));
}

#[test]
fn a_stronger_condition_sees_a_write_under_a_weaker_one_and_nothing_before() {
    let body = "symbol y0 \"p\" in bb0
         symbol y1 \"q\" in bb0
         block bb0 in r0
         step s0 \"a\"
           define p0 may 0..8 must 0..8
         step s1 \"b\"
           define p0 may 0..8 must 0..8 if y0
         step s2 \"use\"
           use p0 may 0..8 must 0..8 if y0 y1";
    check("local:8", body, 2, &["s1 0..8"]);
}

#[test]
fn a_condition_that_is_computed_anew_proves_nothing() {
    let body = "symbol y0 \"p\" in bb1
         block bb0 in r0
           step s0 \"a\"
             define p0 may 0..8 must 0..8
           edge bb1
         block bb1 in r0
           step s1 \"use\"
             use p0 may 0..8 must 0..8 if y0
           step s2 \"b\"
             define p0 may 0..8 must 0..8 if y0
           edge bb1
           edge bb2
         block bb2 in r0";
    check("local:8", body, 1, &["s0 0..8", "s2 0..8"]);
}

#[test]
fn ranges_on_both_sides_of_one_bound_do_not_meet() {
    let body = "symbol y0 \"n\" in bb0
         block bb0 in r0
         step s0 \"low\"
           define p0 may 0..8 between all 0 y0+0
         step s1 \"high\"
           define p0 may 0..8 between all y0+0 8
         step s2 \"use low\"
           use p0 may 0..8 between all 0 y0+0
         step s3 \"use all\"
           use p0 may 0..8 must 0..8";
    check("local:8", body, 2, &["s0 0..8"]);
    // Together they cover the whole buffer.
    check("local:8", body, 3, &["s0 0..8", "s1 0..8"]);
}

#[test]
fn the_same_unknown_index_twice_kills_with_another_in_between() {
    let body = "symbol y0 \"i\" in bb0
         symbol y1 \"j\" in bb0
         block bb0 in r0
         step s0 \"a[i] = 1\"
           define p0 may 0..64 between all y0+0 y0+4
         step s1 \"a[j] = 2\"
           define p0 may 0..64 between all y1+0 y1+4
         step s2 \"a[i] = 3\"
           define p0 may 0..64 between all y0+0 y0+4
         step s3 \"a[i+1] = 4\"
           define p0 may 0..64 between all y0+4 y0+8
         step s4 \"use a[i]\"
           use p0 may 0..64 between all y0+0 y0+4";
    check("noalias:64", body, 4, &["s2 0..64"]);
    let program = program("noalias:64", body);
    let dependence = analyze_dependence(&program, Options::default());
    let live = dependence.live_writes();
    let dead: Vec<bool> = (0..4).map(|step| live.is_dead(id(step, 0))).collect();
    assert_eq!(dead, [true, false, false, false]);
    assert_eq!(
        dependence.sole_source(id(4, 0)),
        Some(Source::Definition(id(2, 0)))
    );
}

#[test]
fn strided_rows_kill_exactly_the_bytes_they_touch() {
    let body = "block bb0 in r0
         step s0 \"all\"
           define p0 may 0..16 must 0..16
         step s1 \"rows\"
           define p0 may 0..12 rows all 0..4 8..12
         step s2 \"use\"
           use p0 may 0..16 must 0..16";
    check("local:16", body, 2, &["s0 4..8+12..16", "s1 0..4+8..12"]);
}

#[test]
fn two_sided_bounds_kill_must_writes_and_reach_may_writes() {
    let body = "block bb0 in r0
         step s0 \"all\"
           define p0 may 0..16 must 0..16
         step s1 \"some\"
           define p0 may 2..14 must 4..12
         step s2 \"use\"
           use p0 may 0..16 must 0..16";
    check("local:16", body, 2, &["s0 0..4+12..16", "s1 2..14"]);
}

#[test]
fn an_asynchronous_write_has_happened_when_it_was_waited_for() {
    let body = "token t0 \"t\"
         block bb0 in r0
         step s0 \"old\"
           define p0 may 0..8 must 0..8
         step s1 \"copy\"
           define p0 may 0..8 must 0..8 async t0
         step s2 \"early\"
           use p0 may 0..8 must 0..8
         step s3 \"late\"
           waits t0
           use p0 may 0..8 must 0..8";
    check("local:8", body, 2, &["s0 0..8", "s1 0..8"]);
    check("local:8", body, 3, &["s1 0..8"]);
}

#[test]
fn an_asynchronous_read_sees_writes_before_its_wait() {
    let body = "token t0 \"t\"
         block bb0 in r0
         step s0 \"old\"
           define p0 may 0..8 must 0..8
         step s1 \"copy\"
           use p0 may 0..8 must 0..8 async t0
         step s2 \"new\"
           define p0 may 0..8 must 0..8
         step s3 \"wait\"
           waits t0
         step s4 \"newer\"
           define p0 may 0..8 must 0..8";
    check("noalias:8", body, 1, &["s0 0..8", "s2 0..8"]);
}

#[test]
fn arguments_may_share_bytes_unless_they_say_otherwise() {
    let body = "block bb0 in r0
         step s0 \"a\"
           define p0 may 0..8 must 0..8
         step s1 \"b\"
           define p1 may 0..8 must 0..8
         step s2 \"use\"
           use p0 may 0..8 must 0..8";
    check("arg:8 arg:8", body, 2, &["s0 0..8", "s1 0..8"]);
    check("arg:8 noalias:8", body, 2, &["s0 0..8"]);
    check("arg:8 local:8", body, 2, &["s0 0..8"]);
    check("noalias:8 unknown:8", body, 2, &["s0 0..8", "s1 0..8"]);
}

#[test]
fn a_select_writes_one_of_two_and_reads_it_back() {
    let body = "pointer p2 \"either\" merge size 8
         block bb0 in r0
         step s0 \"a\"
           define p0 may 0..8 must 0..8
         step s1 \"select\"
           bind p2 = p0 p1
           define p2 may 0..8 must 0..8
         step s2 \"either\"
           use p2 may 0..8 must 0..8
         step s3 \"one\"
           use p0 may 0..8 must 0..8";
    check("local:8 local:8", body, 2, &["s1 0..8", "s1 0..8"]);
    check("local:8 local:8", body, 3, &["s0 0..8", "s1 0..8"]);
}

#[test]
fn a_loop_sees_its_previous_iteration_and_the_code_before_it() {
    let body = "block bb0 in r0
           step s0 \"first\"
             define p0 may 0..8 must 0..8
           edge bb1
         block bb1 in r0
           step s1 \"use\"
             use p0 may 0..8 must 0..8
           step s2 \"half\"
             define p0 may 0..4 must 0..4
           edge bb1
           edge bb2
         block bb2 in r0";
    check("local:8", body, 1, &["s0 0..8", "s2 0..4"]);
}

#[test]
fn a_new_instance_in_a_loop_has_no_content() {
    let body = "block bb0 in r0
           edge bb1
         block bb1 in r0
           step s0 \"alloc\"
             allocates b0
           step s1 \"use\"
             use p0 may 0..8 must 0..8
           step s2 \"define\"
             define p0 may 0..8 must 0..8
           edge bb1
           edge bb2
         block bb2 in r0";
    check("local:8", body, 1, &["undefined 0..8"]);
}

#[test]
fn an_asynchronous_write_to_an_older_instance_may_come_after_a_write_there() {
    let body = "pointer p1 \"p1\" merge size 8
         token t0 \"t\"
         block bb0 in r0
           step s0 \"alloc\"
             allocates b0
           edge bb1
             bind p1 = p0
         block bb1 in r0
           step s1 \"alloc\"
             allocates b0
           step s2 \"overwrite\"
             define p1 may 0..8 must 0..8
           step s3 \"use\"
             use p1 may 0..8 must 0..8
           step s4 \"copy\"
             waits t0
             define p0 may 0..8 must 0..8 async t0
           edge bb1
             bind p1 = p0
           edge bb2
         block bb2 in r0";
    let program = program("local:8", body);
    let dependence = analyze_dependence(&program, Options::default());
    let seen = steps_seen(&dependence, 3);
    assert!(seen.contains(&2) && seen.contains(&4), "{seen:?}");
}

#[test]
fn writes_before_a_loop_that_never_ends_can_be_seen_from_outside() {
    let body = "block bb0 in r0
           step s0 \"define\"
             define p0 may 0..8 must 0..8
           edge bb1
         block bb1 in r0
           edge bb1";
    let outside = program("noalias:8", body);
    assert!(
        !analyze_dependence(&outside, Options::default())
            .live_writes()
            .is_dead(id(0, 0))
    );
    let inside = program("local:8", body);
    assert!(
        analyze_dependence(&inside, Options::default())
            .live_writes()
            .is_dead(id(0, 0))
    );
}

#[test]
fn unreachable_code_has_no_dependences() {
    let body = "block bb0 in r0
         block bb1 in r0
           step s0 \"define\"
             define p0 may 0..8 must 0..8
           step s1 \"use\"
             use p0 may 0..8 must 0..8";
    check("local:8", body, 1, &[]);
}

#[test]
fn dead_bytes_of_a_write_that_is_read_in_part() {
    let body = "block bb0 in r0
         step s0 \"all\"
           define p0 may 0..16 must 0..16
         step s1 \"end\"
           define p0 may 12..16 must 12..16
         step s2 \"use\"
           use p0 may 4..16 must 4..16";
    let program = program("local:16", body);
    let dependence = analyze_dependence(&program, Options::default());
    let live = dependence.live_writes();
    assert_eq!(bytes(live.dead_bytes(id(0, 0))), "0..4+12..16");
    assert_eq!(bytes(live.dead_bytes(id(1, 0))), "");
}

#[test]
fn a_budget_that_is_hit_is_reported_and_the_answer_larger() {
    let mut body = "symbol y0 \"i\" in bb0\n".to_owned();
    body += "block bb0 in r0\n step s0 \"a\"\n define p0 may 0..64 between all y0+0 y0+4\n";
    body += " step s1 \"b\"\n define p0 may 0..64\n step s2 \"c\"\n define p0 may 0..64\n";
    body += " step s3 \"d\"\n define p0 may 0..64 between all y0+0 y0+4\n";
    body += " step s4 \"e\"\n define p0 may 0..64 \n step s5 \"f\"\n define p0 may 0..64\n";
    body += " step s6 \"use\"\n use p0 may 0..64 between all y0+0 y0+4\n";
    let program = program("local:64", &body);
    let full = analyze_dependence(&program, Options::default());
    assert_eq!(steps_seen(&full, 6), [3, 4, 5]);
    assert_eq!(full.limits(), []);
    let short = analyze_dependence(&program, Options { max_search: 2 });
    assert_eq!(steps_seen(&short, 6), [0, 1, 2, 3, 4, 5]);
    assert_eq!(short.limits().len(), 1);
}

/// A loop writes elements, and the next of many loops reads them.
#[test]
fn the_nearest_readers_are_found_first() {
    let mut body = "symbol y0 \"i\" in bb2\nsymbol y1 \"j\" in bb4\n".to_owned();
    body += "block bb0 in r0\n edge bb1\n";
    for number in 0..50 {
        let (head, inner, next) = (2 * number + 1, 2 * number + 2, 2 * number + 3);
        body += &format!("block bb{head} in r0\n edge bb{inner}\n edge bb{next}\n");
        body += &format!("block bb{inner} in r0\n");
        body += match number {
            0 => "step s0 \"define\"\n define p0 may 0..64 between all y0+0 y0+4\n",
            1 => "step s1 \"use\"\n use p0 may 0..64 between all y1+0 y1+4\n",
            _ => "",
        };
        body += &format!("edge bb{head}\n");
    }
    body += "block bb101 in r0\n";
    let program = program("local:64", &body);
    let dependence = analyze_dependence(&program, Options { max_search: 16 });
    assert!(!dependence.live_writes().is_dead(id(0, 0)));
    assert_eq!(dependence.limits(), []);
}

//! Lifetimes of small programs that can be checked by hand. Each test covers one rule: what ends a
//! lifetime, what a back edge keeps live, what a merge may denote, when instances overlap.

mod support;

use mem_flow::{UnplannableReason, analyze_lifetimes, conflicts, problem};
use support::{program, show};

#[track_caller]
fn check(buffers: &str, merges: &str, text: &str, wanted: &str) {
    let program = program(buffers, merges, text);
    let lifetimes = analyze_lifetimes(&program).expect("a valid program");
    assert_eq!(show(&program, &lifetimes), wanted);
}

#[test]
fn straight_line_lives_from_first_definition_to_last_use() {
    check(
        "!in a b !out",
        "",
        "block
           alloc a
           alloc b
           step in -> a
           step a -> b
           step in
           step b -> out",
        "a 2L-3L; b 3L-5L",
    );
}

#[test]
fn a_use_after_a_gap_that_is_overwritten_leaves_a_hole() {
    check(
        "a",
        "",
        "block
           step -> a
           step a
           step
           step -> a
           step a",
        "a 0L-1L 3L-4L",
    );
}

#[test]
fn a_partial_definition_ends_nothing() {
    check(
        "a",
        "",
        "block
           step -> a
           step -> a/2
           step a",
        "a 0L-2L",
    );
}

#[test]
fn overwriting_an_operand_of_the_same_step_ends_no_lifetime() {
    check(
        "a",
        "",
        "block\n step -> a\n step a -> a\n step a",
        "a 0L-2L",
    );
}

#[test]
fn a_dead_write_occupies_its_late_point() {
    check(
        "a b",
        "",
        "block\n step -> a b\n step a",
        "a 0L-1L; b 0L-0L",
    );
}

#[test]
fn bytes_that_are_read_undefined_are_in_place_for_the_step() {
    check(
        "a b",
        "",
        "block\n alloc a\n step a -> b\n step b",
        "a 1E-1L; b 1L-2L",
    );
}

/// The first read may go on until the second: that of a transfer until the wait.
#[test]
fn bytes_that_are_read_undefined_stay_in_place_until_they_are_read_again() {
    check(
        "a b c !out",
        "",
        "block
           alloc a
           alloc b
           alloc c
           step a -> b
           step -> c
           step c -> out
           step a
           step b",
        "a 3E-6L; b 3L-7L; c 4L-5L",
    );
    check(
        "a !c",
        "",
        "block
           alloc a
           step a
           edge 1
         block
           step -> c
           edge 1
           edge 2
         block
           step a",
        "a 1E-3L",
    );
}

#[test]
fn a_buffer_without_accesses_is_never_occupied() {
    check("a", "", "block\n alloc a", "a");
}

#[test]
fn an_empty_function_is_fine() {
    check("", "", "block", "");
}

#[test]
fn arms_of_a_branch_do_not_meet() {
    let text = "block
           step
           edge 1
           edge 2
         block
           step -> a
           step a
           edge 3
         block
           step -> b
           step b
           edge 3
         block
           step";
    check("a b", "", text, "a 1L-2L; b 3L-4L");
    let program = program("a b", "", text);
    let lifetimes = analyze_lifetimes(&program).expect("valid");
    assert_eq!(conflicts(&problem(&program, &lifetimes)).count(), 0);
}

#[test]
fn a_value_of_one_arm_is_not_live_in_the_other() {
    check(
        "a b",
        "m",
        "block
           edge 1
           edge 2
         block
           step -> a
           edge 3 m=a
         block
           step -> b
           edge 3 m=b
         block
           step m",
        "a 0L-0L 2E-2L; b 1L-2L",
    );
}

#[test]
fn a_value_used_only_after_a_loop_lives_through_it() {
    check(
        "a b",
        "",
        "block
           step -> a
           edge 1
         block
           edge 2
           edge 3
         block
           step -> b
           step b
           edge 1
         block
           step a",
        "a 0L-3L; b 1L-2L",
    );
}

#[test]
fn values_read_by_the_next_iteration_live_through_the_loop() {
    check(
        "a b",
        "",
        "block
           step -> a
           edge 1
         block
           edge 2
           edge 3
         block
           step a
           step -> b
           step b -> a
           edge 1
         block
           step",
        // `a` is not occupied at step 2: its old value is dead there.
        "a 0L-1L 3L-3L; b 2L-3L",
    );
}

#[test]
fn reads_before_any_definition_in_an_iteration_are_carried() {
    check(
        "a b",
        "",
        "block
           step -> a
           edge 1
         block
           edge 2
           edge 3
         block
           step a -> b
           step b a -> a/2
           edge 1
         block
           step",
        "a 0L-2L; b 1L-2L",
    );
}

#[test]
fn hoisting_an_allocation_out_of_a_loop_does_not_make_it_carried() {
    check(
        "a",
        "",
        "block
           alloc a
           edge 1
         block
           step
           edge 2
           edge 3
         block
           step -> a
           step a
           step
           edge 1
         block
           step",
        "a 2L-3L",
    );
}

const LSTM: &str = "block
       step -> init
       edge 1 c=init
     block
       step
       edge 2
       edge 3
     block
       alloc new
       step c -> new
       edge 1 c=new
     block
       step c";

#[test]
fn a_carried_instance_read_while_the_next_is_written_rotates() {
    check(
        "init new",
        "c",
        LSTM,
        "init 0L-4L; new 1E-4L x2 avoiding c at 2",
    );
}

#[test]
fn a_carried_instance_read_before_the_next_is_written_does_not_rotate() {
    let text = LSTM.replace("step c -> new", "step c -> t\n step t -> new");
    check(
        "init new t",
        "c",
        &text,
        "init 0L-3L 5E-5L; new 1E-3L 4L-5L; t 3L-4L",
    );
}

#[test]
fn a_dead_write_to_the_next_instance_makes_room_for_the_carried_one_too() {
    // On one path, the new instance is discarded and the old one is carried on.
    check(
        "init new",
        "c",
        "block
           step -> init
           edge 1 c=init
         block
           edge 2
           edge 3
         block
           alloc new
           step -> new
           step c
           edge 1 c=new
           edge 1 c=c
         block
           step c",
        "init 0L-4L; new 1E-4L x2 avoiding c at 1",
    );
}

#[test]
fn a_later_write_through_an_old_name_keeps_its_slot() {
    // The content that `old` denotes is overwritten before it is read, so `old` is not live when
    // `new` is allocated. Its later write must still not hit `new`.
    check(
        "init new",
        "old",
        "block
           edge 1 old=init
         block
           alloc new
           step -> new
           step -> old
           step old new
           edge 1 old=new",
        "init 2L-3L; new 1L-3L x2 avoiding old at 0",
    );
}

#[test]
fn swapped_values_keep_both_buffers() {
    check(
        "a b",
        "x y",
        "block
           step -> a b
           edge 1 x=a y=b
         block
           step x
           step -> x
           edge 1 x=y y=x
           edge 2
         block
           step x y",
        "a 0L-3L; b 0L-3L",
    );
}

#[test]
fn a_select_keeps_all_it_may_choose() {
    check(
        "a b c",
        "m",
        "block
           step -> a b c
           bind m = a b
           step c
           step m",
        "a 0L-3L; b 0L-3L; c 0L-2L",
    );
}

#[test]
fn a_write_through_a_merge_defines_all_it_may_denote_and_kills_only_the_name() {
    check(
        "a b",
        "m",
        "block
           bind m = a b
           step -> m
           step
           step m",
        "a 1L-3L; b 1L-3L",
    );
}

#[test]
fn a_while_loop_passes_values_through_both_regions() {
    // The first region evaluates the condition; the body computes the next value from the one it
    // receives.
    check(
        "init next",
        "before after result",
        "block
           step -> init
           edge 1 before=init
         block
           step before
           edge 2 after=before
           edge 3 result=before
         block
           alloc next
           step after -> next
           edge 1 before=next
         block
           step result",
        "init 0L-4L; next 1E-4L x2 avoiding after at 2",
    );
}

#[test]
fn a_buffer_of_an_inner_loop_lives_in_it_alone() {
    check(
        "outer inner",
        "",
        "block
           edge 1
         block
           step -> outer
           edge 2
         block
           step -> inner
           step inner
           edge 2
           edge 3
         block
           step outer
           edge 1
           edge 4
         block
           step",
        "outer 0L-3L; inner 1L-2L",
    );
}

#[test]
fn irreducible_loops_keep_the_needs_of_either_entry() {
    check(
        "a",
        "",
        "block
           step -> a
           edge 1
           edge 2
         block
           step a
           edge 2
         block
           step
           edge 1",
        "a 0L-2L",
    );
}

#[test]
fn unreachable_code_occupies_only_its_own_accesses() {
    check(
        "a",
        "m",
        "block
           step
         block
           step -> a
           step m
           step a
           edge 1",
        "a 1E-1L 3E-3L",
    );
}

#[test]
fn too_many_names_of_older_instances_are_reported() {
    let merges = "m0 m1 m2 m3 m4 m5 m6 m7 m8";
    let text = format!(
        "block
           edge 1 {}
         block
           alloc a
           step -> a
           step {merges}
           edge 1 m0=a {}",
        (0..9)
            .map(|i| format!("m{i}=a"))
            .collect::<Vec<_>>()
            .join(" "),
        (1..9)
            .map(|i| format!("m{i}=m{}", i - 1))
            .collect::<Vec<_>>()
            .join(" "),
    );
    let program = program("a", merges, &text);
    let lifetimes = analyze_lifetimes(&program).expect("valid");
    assert_eq!(lifetimes.slots, [0]);
    let reason = &lifetimes.unplannable[0].reason;
    assert!(
        matches!(reason, UnplannableReason::TooManyNames { n_names: 9, .. }),
        "{reason}"
    );
    assert!(problem(&program, &lifetimes).items.is_empty());
}

#[test]
fn an_instance_without_a_name_to_compare_with_gets_no_slot() {
    // The loop passes the older instance on as `m`.
    let program = program(
        "a b",
        "m",
        "block
           alloc a
           alloc b
           step -> a b
           edge 1 m=a
         block
           alloc a
           step b -> a
           step m
           edge 1 m=a",
    );
    let named = analyze_lifetimes(&program).expect("valid");
    assert_eq!(named.slots, [2, 1]);
    let mut lifetimes = named.clone();
    lifetimes.leave_out_nameless(|_| false);
    assert_eq!(lifetimes, named);
    lifetimes.leave_out_nameless(|name| &*program.pointers[name.index()].name == "m");
    assert_eq!(lifetimes.slots, [0, 1]);
    assert!(lifetimes.rotations.is_empty());
    let reason = &lifetimes.unplannable[0].reason;
    assert!(
        matches!(reason, UnplannableReason::Nameless { .. }),
        "{reason}"
    );
    assert_eq!(problem(&program, &lifetimes).items.len(), 1);
}

#[test]
fn conflicts_are_the_pairs_that_share_a_point_each_once() {
    let program = program(
        "a b c",
        "",
        "block
           step -> a
           step a -> b
           step -> a
           step a b
           step -> c
           step c",
    );
    let lifetimes = analyze_lifetimes(&program).expect("valid");
    let pairs: Vec<_> = conflicts(&problem(&program, &lifetimes)).collect();
    assert_eq!(pairs, [(0, 1)], "twice at the same time, but one pair");
}

#[test]
fn long_straight_lines_take_little_time() {
    // Quadratic behavior would take minutes.
    let n_buffers = 20_000;
    let names: Vec<String> = (0..n_buffers).map(|i| format!("t{i}")).collect();
    let mut program = program(&names.join(" "), "", "block");
    let template = support::program("a b", "", "block\n alloc b\n step a -> b");
    for index in 1..n_buffers {
        let [mut alloc, mut step] = [template.steps[0].clone(), template.steps[1].clone()];
        alloc.allocates[0] = mem_model::BufferId::new(index);
        step.accesses[0].pointer = mem_model::PointerId::new(index - 1);
        step.accesses[1].pointer = mem_model::PointerId::new(index);
        program.steps.extend([alloc, step]);
    }
    program.blocks[0].steps.end = mem_model::StepId::new(program.steps.len());
    let start = std::time::Instant::now();
    let lifetimes = analyze_lifetimes(&program).expect("valid");
    assert_eq!(
        conflicts(&problem(&program, &lifetimes)).count(),
        n_buffers - 1
    );
    assert!(start.elapsed().as_secs() < 60, "took {:?}", start.elapsed());
}

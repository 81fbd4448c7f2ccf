//! Plans that are deliberately broken, each in one way: the checker must name the violation.

use mem_check::{Slot, Violation, check_plan, check_program_plan};
use mem_flow::{analyze_lifetimes, problem};
use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Plan, Point, Problem, Program, Rotation, StepId,
    parse_programs,
};
use mem_planner::{PlanOptions, Strategy};

/// `a` is read into `b` and dies; `b` is read into `c`; then a loop carries an instance of `new`.
const TEXT: &str = r#"mem-program 1
program "main"
buffer b0 "a" size 64 align 64 intermediate planned
buffer b1 "b" size 64 align 64 intermediate planned
buffer b2 "c" size 64 align 64 intermediate planned
buffer b3 "new" size 64 align 64 intermediate planned
buffer b4 "given" size 64 align 64 input external
pointer p0 "a" buffer b0 size 64
pointer p1 "b" buffer b1 size 64
pointer p2 "c" buffer b2 size 64
pointer p3 "new" buffer b3 size 64
pointer p4 "given" buffer b4 size 64
pointer p5 "carried" merge size 64
region r0 function
region r1 loop in r0
block bb0 in r0
  step s0 "fill"
    define p0 may 0..64 must 0..64
  step s1 "copy"
    use p0 may 0..64 must 0..64
    define p1 may 0..64 must 0..64
  step s2 "copy"
    use p1 may 0..64 must 0..64
    define p2 may 0..64 must 0..64
  edge bb1
    bind p5 = p2
block bb1 in r1
  step s3 "memref.alloc"
    allocates b3
  step s4 "cell"
    use p5 may 0..64 must 0..64
    define p3 may 0..64 must 0..64
  edge bb1
    bind p5 = p3
  edge bb2
block bb2 in r0
  step s5 "copy"
    use p3 may 0..64 must 0..64
    use p4
end
"#;

struct Planned {
    program: Program,
    rotations: Vec<Rotation>,
    problem: Problem,
    plan: Plan,
}

fn planned() -> Planned {
    let program = parse_programs(TEXT).expect("a program").remove(0);
    let lifetimes = analyze_lifetimes(&program).expect("valid");
    let problem = problem(&program, &lifetimes);
    let plan = mem_planner::plan(&problem, Strategy::default(), &PlanOptions::default());
    Planned {
        program,
        rotations: lifetimes.rotations,
        problem,
        plan: plan.expect("no capacity"),
    }
}

fn slot(buffer: usize, slot: u32) -> Slot {
    let buffer = BufferId::new(buffer);
    Slot { buffer, slot }
}

/// Breaks a valid plan, and expects [`check_plan`] to report a violation that satisfies
/// `is_wanted`.
#[track_caller]
fn check_refused(
    break_it: impl Fn(&mut Problem, &mut Plan),
    is_wanted: impl Fn(&Violation) -> bool,
) {
    let mut good = planned();
    check_plan(&good.problem, &good.plan).expect("the plan is good");
    break_it(&mut good.problem, &mut good.plan);
    let error = check_plan(&good.problem, &good.plan).expect_err("the plan is broken");
    assert!(error.violations.iter().any(is_wanted), "{error}");
}

/// Same as [`check_refused`], for [`check_program_plan`].
#[track_caller]
fn check_program_refused(break_it: impl Fn(&mut Planned), is_wanted: impl Fn(&Violation) -> bool) {
    let mut it = planned();
    check_program_plan(&it.program, &it.rotations, &it.plan).expect("the plan is good");
    break_it(&mut it);
    let error = check_program_plan(&it.program, &it.rotations, &it.plan).expect_err("broken");
    assert!(error.violations.iter().any(is_wanted), "{error}");
}

#[test]
fn the_example_has_the_intended_form() {
    let it = planned();
    assert_eq!(it.problem.items.len(), 5, "new has two slots");
    assert_eq!(it.plan.peak, Bytes::new(192));
    assert_eq!(
        it.plan.placements[0].offset, it.plan.placements[2].offset,
        "c reuses a"
    );
}

#[test]
fn a_missing_placement() {
    check_refused(
        |_, plan| plan.placements.truncate(4),
        |v| {
            matches!(
                v,
                Violation::Count {
                    n_items: 5,
                    n_placements: 4
                }
            )
        },
    );
}

#[test]
fn a_placement_too_many() {
    check_refused(
        |_, plan| plan.placements.push(plan.placements[0].clone()),
        |v| matches!(v, Violation::Count { .. }),
    );
}

#[test]
fn a_placement_of_another_buffer() {
    check_refused(
        |_, plan| plan.placements.swap(0, 1),
        |v| matches!(v, Violation::Identity { index: 0, found, .. } if *found == slot(1, 0)),
    );
}

#[test]
fn a_placement_of_another_slot() {
    check_refused(
        |_, plan| plan.placements[4].slot = 0,
        |v| matches!(v, Violation::Identity { wanted, .. } if *wanted == slot(3, 1)),
    );
}

#[test]
fn an_unaligned_offset() {
    check_refused(
        |_, plan| plan.placements[1].offset = Bytes::new(65),
        |v| matches!(v, Violation::Alignment { item, .. } if *item == slot(1, 0)),
    );
}

#[test]
fn an_end_beyond_all_addresses() {
    check_refused(
        |_, plan| plan.placements[1].offset = Bytes::new(u64::MAX - 63),
        |v| matches!(v, Violation::Overflow { .. }),
    );
}

#[test]
fn two_live_items_in_the_same_place() {
    check_refused(
        |_, plan| plan.placements[1].offset = plan.placements[0].offset,
        |v| {
            let at = Point::late(StepId::new(1));
            let (a, b) = (slot(0, 0), slot(1, 0));
            matches!(v, Violation::Overlap { first, second, point, .. }
                if (*first, *second, *point) == (a, b, at))
        },
    );
}

#[test]
fn items_that_overlap_in_one_byte() {
    check_refused(
        |problem, plan| {
            problem.items[1].alignment = Bytes::new(1);
            let upper = plan.placements[0]
                .offset
                .max(plan.placements[1].offset)
                .get();
            assert_eq!(upper, plan.placements[1].offset.get());
            plan.placements[1].offset = Bytes::new(upper - 1);
        },
        |v| matches!(v, Violation::Overlap { offset, .. } if offset.get() == 63),
    );
}

#[test]
fn overlapping_only_in_a_later_part_of_a_lifetime() {
    check_refused(
        |problem, _| {
            let again = Interval::of_steps(StepId::new(2), StepId::new(2));
            problem.items[0].parts[0].live.insert(again);
        },
        |v| matches!(v, Violation::Overlap { .. }),
    );
}

#[test]
fn a_peak_that_is_too_low() {
    check_refused(
        |_, plan| plan.peak = Bytes::new(128),
        |v| matches!(v, Violation::Peak { claimed, .. } if claimed.get() == 128),
    );
}

#[test]
fn a_peak_that_is_too_high() {
    check_refused(
        |_, plan| plan.peak = Bytes::new(256),
        |v| matches!(v, Violation::Peak { actual, .. } if actual.get() == 192),
    );
}

#[test]
fn more_than_the_capacity() {
    check_refused(
        |problem, _| problem.capacity = Some(Bytes::new(191)),
        |v| matches!(v, Violation::Capacity { .. }),
    );
}

#[test]
fn a_lower_bound_that_is_not() {
    check_refused(
        |_, plan| plan.lower_bound = Bytes::new(191),
        |v| matches!(v, Violation::LowerBound { actual, .. } if actual.get() == 192),
    );
}

#[test]
fn an_operand_overwritten_by_its_own_reader() {
    check_program_refused(
        |it| it.plan.placements[1].offset = it.plan.placements[0].offset,
        |v| {
            let one = StepId::new(1);
            matches!(v, Violation::Clobbered { reader, clobberer, buffer, written, .. }
                if (*reader, *clobberer, buffer.index(), written.index()) == (one, one, 0, 1))
        },
    );
}

#[test]
fn a_lifetime_that_was_cut_short() {
    check_program_refused(
        |it| {
            // The loop reads c. With the lifetime cut short, new may take its place.
            it.problem.items[2].parts[0].live =
                [Interval::of_steps(StepId::new(2), StepId::new(2))]
                    .into_iter()
                    .collect::<IntervalSet<_>>();
            let plan = mem_planner::plan(&it.problem, Strategy::default(), &PlanOptions::default());
            it.plan = plan.expect("no capacity");
        },
        |v| matches!(v, Violation::Clobbered { buffer, .. } if buffer.index() == 2),
    );
}

#[test]
fn a_rotation_without_its_second_slot() {
    check_program_refused(
        |it| it.plan.placements.truncate(4),
        |v| {
            matches!(
                v,
                Violation::TooFewSlots {
                    n_names: 1,
                    n_slots: 1,
                    ..
                }
            )
        },
    );
}

#[test]
fn an_allocation_that_does_not_rotate() {
    check_program_refused(
        |it| it.rotations.clear(),
        |v| {
            matches!(v, Violation::Clobbered { buffer, written, .. }
                if buffer.index() == 3 && written.index() == 3)
        },
    );
}

#[test]
fn slots_that_overlap() {
    check_program_refused(
        |it| it.plan.placements[4].offset = it.plan.placements[3].offset,
        |v| matches!(v, Violation::Slots(buffer) if buffer.index() == 3),
    );
}

#[test]
fn slots_that_are_not_numbered_in_order() {
    check_program_refused(
        |it| it.plan.placements[4].slot = 2,
        |v| matches!(v, Violation::Slots(_)),
    );
}

#[test]
fn a_placement_of_the_callers_buffer() {
    check_program_refused(
        |it| it.plan.placements[0].buffer = BufferId::new(4),
        |v| matches!(v, Violation::Unknown(unknown) if *unknown == slot(4, 0)),
    );
}

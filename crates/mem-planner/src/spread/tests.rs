//! Small plans, whose items move or must not.

use mem_model::{
    BufferId, Bytes, Contact, Interval, IntervalSet, Item, Part, Partner, Placement, Plan, Point,
    Problem, Reuse, StepId,
};

use super::{Spread, spread};

fn live(from: usize, to: usize) -> IntervalSet<Point> {
    let point = |step| Point::early(StepId::new(step));
    [Interval::new(point(from), point(to))]
        .into_iter()
        .collect()
}

/// A problem and a plan of it: items that are live from the first step to before the second one, with
/// their sizes and offsets.
fn placed(items: &[(usize, usize, u64, u64)]) -> (Problem, Plan) {
    let item = |(index, &(from, to, size, _)): (usize, &(usize, usize, u64, u64))| {
        let (size, alignment) = (Bytes::new(size), Bytes::new(64));
        let parts = vec![Part::whole(size, live(from, to))];
        Item::new(BufferId::new(index), size, alignment, parts)
    };
    let problem = Problem::of_items(items.iter().enumerate().map(item).collect());
    let offsets: Vec<u64> = items.iter().map(|(_, _, _, offset)| *offset).collect();
    let plan = plan_of(&problem, &offsets);
    (problem, plan)
}

fn plan_of(problem: &Problem, offsets: &[u64]) -> Plan {
    let placed = problem.items.iter().zip(offsets);
    let ends = placed
        .clone()
        .map(|(item, offset)| offset + item.size.get());
    let placement = |(item, offset): (&Item, &u64)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset: Bytes::new(*offset),
    };
    let bound = crate::lower_bound(problem).expect("small");
    Plan {
        strategy: "given".to_owned(),
        placements: placed.map(placement).collect(),
        peak: Bytes::new(ends.max().unwrap_or(0)),
        lower_bound: bound,
        proven_bound: bound,
    }
}

fn contact(item: usize, other: usize) -> Contact {
    Contact {
        item,
        other: Partner::Item(other),
        weight: 1,
    }
}

fn outside(item: usize) -> Contact {
    Contact {
        item,
        other: Partner::Outside,
        weight: 1,
    }
}

/// The offsets after spreading, and the peak, which a checker has accepted.
fn offsets(
    (problem, plan): &(Problem, Plan),
    contacts: &[Contact],
    extra: u64,
) -> Option<(Vec<u64>, u64)> {
    let moved = spread(problem, contacts, plan, Spread::Within(Bytes::new(extra)))?;
    mem_check::check_plan(problem, &moved).expect("a plan");
    let offsets = moved.placements.iter().map(|p| p.offset.get()).collect();
    Some((offsets, moved.peak.get()))
}

/// Two items of a page each, and a larger one later, below which there is room.
const WITH_ROOM: [(usize, usize, u64, u64); 3] =
    [(0, 2, 4096, 0), (1, 2, 4096, 4096), (3, 4, 9000, 0)];

#[test]
fn items_of_one_step_begin_apart_where_there_is_room() {
    let found = offsets(&placed(&WITH_ROOM), &[contact(0, 1)], 0);
    assert_eq!(found, Some((vec![0, 4096 + 256, 0], 9000)));
}

#[test]
fn items_that_no_step_accesses_together_stay() {
    assert_eq!(offsets(&placed(&WITH_ROOM), &[], 1000), None);
    assert_eq!(
        offsets(&placed(&WITH_ROOM), &[contact(0, 1)], 0).map(|found| found.0[2]),
        Some(0)
    );
    let apart = placed(&[(0, 2, 4096, 0), (1, 2, 4096, 4096 + 1024), (3, 4, 9000, 0)]);
    assert_eq!(offsets(&apart, &[contact(0, 1)], 1000), None);
}

#[test]
fn what_is_above_moves_up() {
    let plan = placed(&[
        (0, 2, 4096, 0),
        (0, 2, 4096, 4096),
        (1, 2, 100, 8192),
        (3, 4, 9000, 0),
    ]);
    let found = offsets(&plan, &[contact(0, 1)], 0);
    assert_eq!(found, Some((vec![0, 4352, 4352 + 4096, 0], 9000)));
}

#[test]
fn arguments_begin_where_the_arena_does() {
    let found = offsets(&placed(&WITH_ROOM), &[outside(1)], 0);
    assert_eq!(found, Some((vec![0, 4096 + 256, 0], 9000)));
    // Both move: the lower one away from the argument, the upper one away from both.
    let found = offsets(
        &placed(&WITH_ROOM),
        &[outside(0), outside(1), contact(0, 1)],
        0,
    );
    assert_eq!(found, Some((vec![256, 4096 + 512, 0], 9000)));
}

#[test]
fn without_room_items_come_as_far_apart_as_they_can() {
    let plan = placed(&[(0, 2, 4096, 0), (1, 2, 4096, 4096), (3, 4, 8192 + 100, 0)]);
    let found = offsets(&plan, &[contact(0, 1)], 0);
    assert_eq!(found, Some((vec![0, 4096 + 64, 0], 8292)));
}

#[test]
fn bytes_are_paid_only_if_allowed_and_no_more_than_needed() {
    let tight = placed(&[(0, 2, 4096, 0), (1, 2, 4096, 4096)]);
    assert_eq!(offsets(&tight, &[contact(0, 1)], 0), None);
    let found = offsets(&tight, &[contact(0, 1)], 4096);
    assert_eq!(found, Some((vec![0, 4096 + 256], 8192 + 256)));
    let found = offsets(&tight, &[contact(0, 1)], 100);
    assert_eq!(found, Some((vec![0, 4096 + 64], 8192 + 64)));
    // With room, nothing is paid.
    let found = offsets(&placed(&WITH_ROOM), &[contact(0, 1)], 4096);
    assert_eq!(found.map(|found| found.1), Some(9000));
}

#[test]
fn the_capacity_limits_what_is_paid() {
    let mut tight = placed(&[(0, 2, 4096, 0), (1, 2, 4096, 4096)]);
    tight.0.capacity = Some(Bytes::new(8192 + 80));
    let found = offsets(&tight, &[contact(0, 1)], 4096);
    assert_eq!(found, Some((vec![0, 4096 + 64], 8192 + 64)));
}

#[test]
fn fixed_items_stay() {
    let mut plan = placed(&WITH_ROOM);
    plan.0.items[1].fixed = Some(Bytes::new(4096));
    assert_eq!(offsets(&plan, &[contact(0, 1)], 0), None);
    // The other one has no room below it.
    plan.0.items[1].fixed = None;
    plan.0.items[0].fixed = Some(Bytes::ZERO);
    let found = offsets(&plan, &[contact(0, 1), outside(0)], 0);
    assert_eq!(found, Some((vec![0, 4352, 0], 9000)));
}

#[test]
fn results_in_place_move_with_their_operands() {
    // The second takes the place of the first, and the third begins a page above.
    let mut plan = placed(&[
        (0, 2, 4096, 0),
        (1, 3, 4096, 0),
        (1, 3, 4096, 4096),
        (4, 5, 9000, 0),
    ]);
    plan.0.reuses = vec![Reuse {
        operand: 0,
        result: 1,
    }];
    plan.1 = plan_of(&plan.0, &[0, 0, 4096, 0]);
    let found = offsets(&plan, &[outside(1)], 0);
    assert_eq!(found, Some((vec![256, 256, 4352, 0], 9000)));
}

#[test]
fn aliases_move_together() {
    let mut plan = placed(&[(0, 1, 4096, 0), (3, 4, 4096, 0), (5, 6, 9000, 0)]);
    plan.0.aliases = vec![vec![0, 1]];
    let found = offsets(&plan, &[outside(1)], 0);
    assert_eq!(found, Some((vec![256, 256, 0], 9000)));
}

#[test]
fn an_item_in_the_hole_of_another_moves_with_it() {
    let mut plan = placed(&[(0, 2, 12288, 0), (0, 2, 4096, 4096), (3, 4, 13000, 0)]);
    let part = |start, end| Part {
        bytes: Interval::new(Bytes::new(start), Bytes::new(end)),
        live: live(0, 2),
    };
    plan.0.items[0].parts = vec![part(0, 4096), part(8192, 12288)];
    plan.1 = plan_of(&plan.0, &[0, 4096, 0]);
    assert_eq!(offsets(&plan, &[contact(0, 1)], 4096), None);
    let found = offsets(&plan, &[outside(0)], 0);
    assert_eq!(found, Some((vec![256, 4352, 0], 13000)));
}

#[test]
fn pairs_in_conflict_stay_apart() {
    // The first two are never live together, and may be accessed at one time all the same.
    let mut plan = placed(&[(0, 1, 4096, 0), (2, 3, 4096, 4096), (4, 5, 9000, 0)]);
    plan.0.conflicts = vec![(0, 1)];
    let found = offsets(&plan, &[outside(0)], 0);
    assert_eq!(found, Some((vec![256, 4352, 0], 9000)));
}

#[test]
fn strict_alignments_are_kept() {
    let mut plan = placed(&WITH_ROOM);
    plan.0.items[1].alignment = Bytes::new(512);
    let found = offsets(&plan, &[contact(0, 1)], 0);
    assert_eq!(found, Some((vec![0, 4096 + 512, 0], 9000)));
    plan.0.items[1].alignment = Bytes::new(4096);
    plan.0.items[0].alignment = Bytes::new(4096);
    assert_eq!(offsets(&plan, &[contact(0, 1)], 8192), None);
}

#[test]
fn values_of_the_option() {
    assert_eq!("off".parse(), Ok(Spread::Off));
    assert_eq!("free".parse(), Ok(Spread::default()));
    assert_eq!("4KiB".parse(), Ok(Spread::Within(Bytes::new(4096))));
    let error = "much".parse::<Spread>().unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown value 'much' for option 'spread': expected off, free, or a size such as 256 or 4KiB"
    );
    let (problem, plan) = placed(&WITH_ROOM);
    assert_eq!(spread(&problem, &[contact(0, 1)], &plan, Spread::Off), None);
}

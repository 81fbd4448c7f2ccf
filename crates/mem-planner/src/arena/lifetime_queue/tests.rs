//! Exact offsets on problems small enough to follow by hand: any change to the order in which
//! blocks are tried, merged or extended shows here.

use mem_model::{BufferId, Bytes, Interval, Item, Part, Point, Problem, StepId};

use crate::{PlanOptions, Strategy, plan};

/// Items as (first step, last step, size, alignment), live from the late point of the first step.
fn problem(items: &[(usize, usize, u64, u64)]) -> Problem {
    let item = |(index, &(first, last, size, alignment)): (usize, &(usize, usize, u64, u64))| {
        let (first, last) = (StepId::new(first), StepId::new(last));
        let live = Interval::new(Point::late(first), Point::late(last).next());
        Item::new(
            BufferId::new(index),
            Bytes::new(size),
            Bytes::new(alignment),
            vec![Part::whole(Bytes::new(size), [live].into_iter().collect())],
        )
    };
    Problem::of_items(items.iter().enumerate().map(item).collect())
}

/// Offsets, peak and lower bound.
fn answer(problem: &Problem) -> (Vec<u64>, u64, u64) {
    let plan = plan(problem, Strategy::LifetimeQueue, &PlanOptions::default()).expect("a plan");
    let offsets = plan.placements.iter().map(|p| p.offset.get()).collect();
    (offsets, plan.peak.get(), plan.lower_bound.get())
}

#[test]
fn six_operations_of_the_specification() {
    // Inputs {} {0} {0} {2} {1,3} {4}.
    let six = problem(&[
        (0, 2, 2048, 1),
        (1, 4, 2048, 1),
        (2, 3, 1024, 1),
        (3, 4, 2048, 1),
        (4, 5, 1024, 1),
        (5, 5, 4096, 1),
    ]);
    assert_eq!(answer(&six), (vec![0, 2048, 4096, 0, 4096, 0], 5120, 5120));
}

#[test]
fn extending_a_free_block_shifts_the_blocks_above() {
    // Steps 0 to 2 stack 100, 50 and 70 bytes: [0,100) [100,150) [150,220). The second item is dead
    // after step 2. At step 3, 80 bytes do not fit the 50 free bytes: the hole grows by 30, and the
    // third item moves from 150 to 180. The fourth item takes [100,180).
    let extended = problem(&[(0, 9, 100, 1), (1, 2, 50, 1), (2, 9, 70, 1), (3, 9, 80, 1)]);
    assert_eq!(answer(&extended), (vec![0, 100, 180, 100], 250, 250));
}

#[test]
fn a_shift_keeps_the_alignment_of_the_moved_blocks() {
    // As above, but the third item is aligned to 64: it starts at 192, with [150,192) free. When
    // the second item dies, [100,192) is free: 92 bytes. 100 bytes do not fit. 8 more would do, but
    // only a shift by 64 keeps the third item aligned, at 256. The last 56 bytes of the hole stay
    // free for the fifth item.
    let aligned = problem(&[
        (0, 9, 100, 1),
        (1, 2, 50, 1),
        (2, 9, 70, 64),
        (3, 9, 100, 1),
        (4, 9, 56, 1),
    ]);
    assert_eq!(answer(&aligned), (vec![0, 100, 256, 100, 200], 326, 326));
}

#[test]
fn the_largest_of_the_blocks_that_do_not_fit_is_extended() {
    // Holes of 10 at 0 and of 30 at 20; 40 wanted. The second hole becomes [20,60).
    let holes = problem(&[
        (0, 1, 10, 1),
        (0, 9, 10, 1),
        (0, 1, 30, 1),
        (0, 9, 10, 1),
        (2, 9, 40, 1),
    ]);
    assert_eq!(answer(&holes), (vec![0, 10, 20, 60, 20], 70, 60));
}

#[test]
fn the_last_block_is_extended_without_moving_anything() {
    let last = problem(&[(0, 9, 10, 1), (0, 1, 30, 1), (2, 9, 40, 1)]);
    assert_eq!(answer(&last), (vec![0, 10, 10], 50, 50));
}

#[test]
fn best_fit_takes_the_smallest_hole_and_the_lowest_of_equals() {
    // Holes: 30 at 0, 20 at 40, 20 at 70.
    let holes = problem(&[
        (0, 1, 30, 1),
        (0, 9, 10, 1),
        (0, 1, 20, 1),
        (0, 9, 10, 1),
        (0, 1, 20, 1),
        (0, 9, 10, 1),
        (2, 9, 20, 1),
        (3, 9, 20, 1),
        (4, 9, 20, 1),
    ]);
    let (offsets, peak, _) = answer(&holes);
    assert_eq!(&offsets[6..], [40, 70, 0]);
    assert_eq!(peak, 100);
}

#[test]
fn padding_for_alignment_stays_free() {
    let padded = problem(&[(0, 9, 3, 1), (1, 9, 16, 16), (2, 9, 13, 1)]);
    assert_eq!(answer(&padded), (vec![0, 16, 3], 32, 32));
}

#[test]
fn alignment_of_a_mebibyte_is_honoured() {
    let aligned = problem(&[(0, 9, 1, 1), (1, 9, 1, 1 << 20)]);
    assert_eq!(answer(&aligned), (vec![0, 1 << 20], (1 << 20) + 1, 2));
}

#[test]
fn items_without_bytes_or_lifetime_are_at_zero() {
    let mut odd = problem(&[(0, 9, 10, 1), (0, 9, 0, 1), (0, 9, 5, 1)]);
    odd.items[2].parts[0].live = Default::default();
    assert_eq!(answer(&odd), (vec![0, 0, 0], 10, 10));
}

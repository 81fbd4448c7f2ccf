//! The checker of orders: what it accepts, and what it must reject.

use mem_check::{OrderError, check_order};
use mem_model::{Bytes, OrderBuffer, OrderProblem, OrderStep, StepId, TensorId};

/// A diamond: step 0 makes buffer 0 (8 bytes), steps 1 and 2 make buffers 1 (100) and 2 (8) of it,
/// step 3 reads both, and makes buffer 3 (8), which stays.
fn diamond() -> OrderProblem {
    let buffer = |size, to_end| OrderBuffer {
        size: Bytes::new(size),
        from_start: false,
        to_end,
    };
    let step = |after: &[usize], buffers: &[usize]| OrderStep {
        after: after.iter().copied().map(StepId::new).collect(),
        buffers: buffers.iter().copied().map(TensorId::new).collect(),
        in_place: Vec::new(),
    };
    OrderProblem {
        buffers: vec![
            buffer(8, false),
            buffer(100, false),
            buffer(8, false),
            buffer(8, true),
        ],
        steps: vec![
            step(&[], &[0]),
            step(&[0], &[0, 1]),
            step(&[0], &[0, 2]),
            step(&[1, 2], &[1, 2, 3]),
        ],
    }
}

fn check(problem: &OrderProblem, order: &[usize], peak: u64) -> Result<(), OrderError> {
    let order: Vec<StepId> = order.iter().copied().map(StepId::new).collect();
    check_order(problem, &order, Bytes::new(peak))
}

#[test]
fn valid_orders_with_their_peak() {
    assert_eq!(check(&diamond(), &[0, 1, 2, 3], 116), Ok(()));
    assert_eq!(check(&diamond(), &[0, 2, 1, 3], 116), Ok(()));
}

#[test]
fn results_that_take_over_operands_need_no_bytes() {
    let pair = |a, b| (TensorId::new(a), TensorId::new(b));
    let mut problem = diamond();
    // Either operand may be taken over, the larger result by one of them only.
    problem.steps[3].in_place = vec![pair(1, 3), pair(2, 3)];
    assert_eq!(check(&problem, &[0, 1, 2, 3], 116), Ok(()));
    problem.steps[2].in_place = vec![pair(0, 2)];
    assert_eq!(check(&problem, &[0, 1, 2, 3], 108), Ok(()));
    // Buffer 0 does not end at step 2 if step 1 follows.
    assert_eq!(check(&problem, &[0, 2, 1, 3], 116), Ok(()));
    problem.buffers[0].to_end = true;
    assert_eq!(check(&problem, &[0, 1, 2, 3], 116), Ok(()));
}

#[test]
fn buffers_that_are_live_at_both_ends_count_always() {
    let mut problem = diamond();
    problem.buffers.push(OrderBuffer {
        size: Bytes::new(1000),
        from_start: true,
        to_end: true,
    });
    assert_eq!(check(&problem, &[0, 1, 2, 3], 1116), Ok(()));
    problem.buffers[4].to_end = false;
    assert_eq!(check(&problem, &[0, 1, 2, 3], 116), Ok(()));
}

#[test]
fn broken_orders_are_rejected() {
    let step = StepId::new;
    let rejected = |order: &[usize], peak| check(&diamond(), order, peak).expect_err("rejected");
    let (n_steps, expected) = (3, 4);
    assert_eq!(
        rejected(&[0, 1, 2], 116),
        OrderError::Count { n_steps, expected }
    );
    assert_eq!(rejected(&[0, 1, 1, 3], 116), OrderError::Step(step(1)));
    assert_eq!(rejected(&[0, 1, 4, 3], 116), OrderError::Step(step(4)));
    let dependence = |a, b| OrderError::Dependence {
        step: step(a),
        after: step(b),
    };
    assert_eq!(rejected(&[1, 0, 2, 3], 116), dependence(1, 0));
    assert_eq!(rejected(&[0, 1, 3, 2], 116), dependence(3, 2));
    let claimed = Bytes::new(115);
    let actual = 116;
    assert_eq!(
        rejected(&[0, 1, 2, 3], 115),
        OrderError::Peak { claimed, actual }
    );
}

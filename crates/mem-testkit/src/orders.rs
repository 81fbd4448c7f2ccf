//! Small problems of ordering steps, and all orders of their steps.

use mem_model::{Bytes, OrderBuffer, OrderProblem, OrderStep, StepId, TensorId};

use crate::Rng;

/// Generates a problem of up to `n_steps` steps: results that later steps read, some of them in
/// place, buffers that several steps write, buffers from outside, and dependences without a buffer.
pub fn random_order_problem(rng: &mut Rng, n_steps: usize) -> OrderProblem {
    let n = rng.between(1, n_steps.max(1));
    let locality = rng.between(1, n);
    let mut problem = OrderProblem::default();
    for _ in 0..rng.below(3) {
        add_buffer(rng, &mut problem, 60);
    }
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); problem.buffers.len()];
    for index in 0..n {
        let mut step = OrderStep::default();
        let mut after = Vec::new();
        for _ in 0..rng.below(4) {
            if !users.is_empty() {
                let recent = users.len() - rng.below(locality.min(users.len())) - 1;
                let buffer = TensorId::new(recent);
                if !step.buffers.contains(&buffer) {
                    step.buffers.push(buffer);
                    // Readers follow the writer. Some steps write, and follow all readers as well.
                    let others = users[recent].iter().copied();
                    match rng.chance(20) {
                        true => after.extend(others),
                        false => after.extend(others.take(1)),
                    }
                    users[recent].push(index);
                }
            }
        }
        let n_operands = step.buffers.len();
        for _ in 0..[1, 1, 1, 0, 2][rng.below(5)] {
            let result = add_buffer(rng, &mut problem, 5);
            users.push(vec![index]);
            step.buffers.push(result);
            for operand in 0..n_operands {
                if rng.chance(40) {
                    step.in_place.push((step.buffers[operand], result));
                }
            }
        }
        if index > 0 && rng.chance(10) {
            after.push(rng.below(index));
        }
        step.after = after.into_iter().map(StepId::new).collect();
        problem.steps.push(step);
    }
    problem
}

fn add_buffer(rng: &mut Rng, problem: &mut OrderProblem, from_start: usize) -> TensorId {
    problem.buffers.push(OrderBuffer {
        size: Bytes::new(rng.below(9) as u64),
        from_start: rng.chance(from_start),
        to_end: rng.chance(10),
    });
    TensorId::new(problem.buffers.len() - 1)
}

/// Visits every order of the steps that respects the dependences. Exponential.
pub fn for_each_order(problem: &OrderProblem, visit: &mut impl FnMut(&[StepId])) {
    let mut order = Vec::new();
    extend(problem, &mut order, visit);
}

fn extend(problem: &OrderProblem, order: &mut Vec<StepId>, visit: &mut impl FnMut(&[StepId])) {
    if order.len() == problem.steps.len() {
        return visit(order);
    }
    for step in (0..problem.steps.len()).map(StepId::new) {
        let mut after = problem.steps[step.index()].after.iter();
        if !order.contains(&step) && after.all(|other| order.contains(other)) {
            order.push(step);
            extend(problem, order, visit);
            order.pop();
        }
    }
}

//! Checks an order of execution: whether the dependences permit it, and whether its peak is the one
//! that is claimed.
//!
//! The checker goes through the order forwards. A step is accepted if each step that it depends on
//! has run. The bytes in memory are those of the buffers between their first and their last access,
//! both included, less the most bytes that the results of the step can take over. Takes time linear
//! in accesses and dependences, and exponential in the pairs of one step, of which there are at
//! most [`MAX_IN_PLACE`](mem_model::MAX_IN_PLACE).

use mem_model::{Bytes, OrderProblem, StepId, TensorId};

/// Why an order is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// Each step must run once.
    #[error("{n_steps} steps are ordered, the program has {expected}")]
    Count {
        /// Number of steps in the order.
        n_steps: usize,
        /// Number of steps of the problem.
        expected: usize,
    },
    /// The step does not exist, or runs twice.
    #[error("{0} does not exist, or runs twice")]
    Step(StepId),
    /// A dependence must be respected.
    #[error("{step} runs before {after}, on which it depends")]
    Dependence {
        /// The step.
        step: StepId,
        /// A step that has to run before it.
        after: StepId,
    },
    /// The claimed peak must be the actual one.
    #[error("the peak is {actual} bytes, not {claimed}")]
    Peak {
        /// The claimed peak.
        claimed: Bytes,
        /// The peak of the order.
        actual: u128,
    },
}

/// Checks that `order` is a valid order of the steps of a valid problem, with a peak of exactly
/// `peak` bytes.
///
/// # Errors
/// The first violation.
pub fn check_order(
    problem: &OrderProblem,
    order: &[StepId],
    peak: Bytes,
) -> Result<(), OrderError> {
    check_dependences(problem, order)?;
    let actual = order_peak(problem, order);
    if actual != u128::from(peak.get()) {
        return Err(OrderError::Peak {
            claimed: peak,
            actual,
        });
    }
    Ok(())
}

fn check_dependences(problem: &OrderProblem, order: &[StepId]) -> Result<(), OrderError> {
    if order.len() != problem.steps.len() {
        return Err(OrderError::Count {
            n_steps: order.len(),
            expected: problem.steps.len(),
        });
    }
    let mut has_run = vec![false; problem.steps.len()];
    for &step in order {
        let run = has_run.get_mut(step.index());
        match run {
            Some(run) if !*run => *run = true,
            _ => return Err(OrderError::Step(step)),
        }
        let mut missing = problem.steps[step.index()].after.iter();
        if let Some(&after) = missing.find(|after| !has_run[after.index()]) {
            return Err(OrderError::Dependence { step, after });
        }
    }
    Ok(())
}

/// Positions of the first and the last access to each buffer; `None` if there is none.
fn ranges(problem: &OrderProblem, order: &[StepId]) -> Vec<Option<(usize, usize)>> {
    let mut ranges = vec![None; problem.buffers.len()];
    for (position, step) in order.iter().enumerate() {
        for buffer in &problem.steps[step.index()].buffers {
            let range: &mut Option<(usize, usize)> = &mut ranges[buffer.index()];
            let first = range.map_or(position, |(first, _)| first);
            *range = Some((first, position));
        }
    }
    ranges
}

/// The peak of a valid order of the steps of a valid problem, in bytes.
#[must_use]
pub fn order_peak(problem: &OrderProblem, order: &[StepId]) -> u128 {
    let ranges = ranges(problem, order);
    let size = |buffer: TensorId| u128::from(problem.buffers[buffer.index()].size.get());
    let begins = |buffer: TensorId, position: usize| {
        let is_first = ranges[buffer.index()].is_some_and(|(first, _)| first == position);
        is_first && !problem.buffers[buffer.index()].from_start
    };
    let ends = |buffer: TensorId, position: usize| {
        let is_last = ranges[buffer.index()].is_some_and(|(_, last)| last == position);
        is_last && !problem.buffers[buffer.index()].to_end
    };
    let all = problem.buffers.iter().zip(&ranges).enumerate();
    // A buffer without accesses is live as long as others only if it is live at both ends.
    let at_start =
        all.filter(|(_, (own, range))| own.from_start && (own.to_end || range.is_some()));
    let mut live: u128 = at_start.map(|(id, _)| size(TensorId::new(id))).sum();
    let mut peak = live;
    for (position, step) in order.iter().enumerate() {
        let own = &problem.steps[step.index()];
        let accessed = || own.buffers.iter().copied();
        live += accessed()
            .filter(|id| begins(*id, position))
            .map(size)
            .sum::<u128>();
        let possible = own.in_place.iter().copied();
        let possible = possible
            .filter(|(operand, result)| ends(*operand, position) && begins(*result, position));
        let taken = most_taken(&possible.collect::<Vec<_>>(), &size);
        peak = peak.max(live - taken);
        live -= accessed()
            .filter(|id| ends(*id, position))
            .map(size)
            .sum::<u128>();
    }
    peak
}

/// The most bytes that pairs of an operand and a result can share, each buffer in one pair at most.
fn most_taken(pairs: &[(TensorId, TensorId)], size: &impl Fn(TensorId) -> u128) -> u128 {
    let Some(&(operand, result)) = pairs.first() else {
        return 0;
    };
    let without = most_taken(&pairs[1..], size);
    let others = pairs[1..].iter().copied();
    let others = others.filter(|(other, taker)| *other != operand && *taker != result);
    let with = most_taken(&others.collect::<Vec<_>>(), size);
    without.max(with + size(operand).min(size(result)))
}

//! Orders: chooses when steps run, so that the peak of live bytes is low.
//!
//! Which orders are valid is given by the dependences between steps. The peak is that after reuse
//! in place: a result that takes over an operand needs no bytes of its own.
//!
//! * `task.rs` has the search space: units of steps, and the bytes that they add to a state,
//! * `reach.rs` determines which units precede which in every order,
//! * `contract.rs` merges units that some best order runs one right after the other,
//! * `bound.rs` bounds the peak of all orders from below, and divides the units where every order
//!   is divided,
//! * `state.rs` has the states of the searches, and the moves that are never wrong,
//! * `exact.rs` finds an order of least peak, if it ends,
//! * `beam.rs` finds a good order of any number of units,
//! * `segment.rs` combines them for the units between two divisions,
//! * `excess.rs` looks for orders with few bytes above a capacity,
//! * `early.rs` ends lives early in the own order,
//! * `evictions.rs` looks for orders in which few bytes leave a memory and come back.
//!
//! The aim can also be that few bytes are live *above* a capacity, step by step, whatever the peak:
//! where memory has several levels, these bytes are copied. Or lives may end as early as in the own order
//! they can, whatever the peak. Such orders are only proposals, and the caller decides by what its own
//! planner makes of them.
//!
//! # Guarantees
//!
//! The planned order respects all dependences, and no order has a lower peak than the lower bound.
//! If peak and bound are equal, the order is optimal. The peak is that of the own order if no lower
//! one has been found, and the order is the own one then. All searches count what they do instead
//! of measuring time, so equal problems have equal plans.
//!
//! # Not guaranteed
//!
//! That addresses for the planned order take as many bytes as are live, and that orders that no
//! search has finished are optimal.
//!
//! # Complexity
//!
//! O(dependences · steps / 64) and two bits for each pair of steps, up to a limit on steps beyond
//! which the program is divided into windows, and a bounded number of states that searches visit.
//!
//! The exact search is that of Serenity (Ahn et al., "Ordering Chaos", MLSys 2020), visited
//! best-first; divisions are its graph partitioning. Merging units as a whole follows the idea of
//! HMCOS (Wang et al., DAC 2022), but only merges what is proven not to raise the peak. Free moves
//! generalize the segments of Liu ("An Application of Generalized Tree Pebbling to Sparse Matrix
//! Factorization", 1987) to graphs.

mod beam;
mod bound;
mod contract;
mod early;
mod evictions;
mod exact;
mod excess;
mod reach;
mod segment;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod tuning;

use std::cmp::Reverse;

use mem_model::{Bytes, OrderProblem, OrderProblemError, StepId};

use bound::{divisions, least_bytes};
use contract::contract;
use reach::Reach;
use segment::Effort;
use task::Task;

/// What an order is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderAim {
    /// The lowest peak.
    #[default]
    Peak,
    /// The lowest [`order_excess`] that is found, with a peak that is no higher than that of the own
    /// order.
    Excess(Bytes),
    /// The own order, in which steps that free bytes run as soon as they can. The threshold does not
    /// matter.
    EarlyEnds,
    /// Few bytes that leave a memory of this capacity and come back, if buffers are there as a whole or
    /// not at all. The threshold does not matter.
    Evictions(Bytes),
}

/// When another order is preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderOptions {
    /// The own order is kept unless another one saves more than this many thousandths of its peak, or
    /// of its excess.
    pub threshold: u32,
    /// What the order is chosen for.
    pub aim: OrderAim,
}

/// An order of execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderPlan {
    /// All steps.
    pub order: Vec<StepId>,
    /// Peak of the own order.
    pub own_peak: Bytes,
    /// Peak of `order`.
    pub peak: Bytes,
    /// No order has a lower peak.
    pub lower_bound: Bytes,
}

impl OrderPlan {
    /// Whether the order is another one than the own order.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.order.windows(2).any(|two| two[0] > two[1])
    }
}

/// Plans an order of low peak. Deterministic.
///
/// # Errors
/// If the problem is invalid.
pub fn plan_order(
    problem: &OrderProblem,
    options: &OrderOptions,
) -> Result<OrderPlan, OrderProblemError> {
    problem.validate()?;
    let task = Task::new(problem);
    let own: Vec<u32> = (0..task.units.len() as u32).collect();
    let own_peak = task.peak(&own);
    let found = order_windows(&task, own_peak, options.aim);
    let order: Vec<u32> = found.steps.iter().map(|id| id.index() as u32).collect();
    let peak = task.peak(&order);
    let [before, after] = match options.aim {
        OrderAim::Peak => [own_peak, peak],
        OrderAim::Excess(_) if peak > own_peak => [0, 0],
        OrderAim::Excess(above) => [&own, &order].map(|order| task.excess(order, above.get())),
        OrderAim::EarlyEnds | OrderAim::Evictions(_) => [1, 0],
    };
    let saved = u128::from(before.saturating_sub(after)) * 1000;
    let is_better = saved > u128::from(before) * u128::from(options.threshold);
    let (order, peak) = match is_better {
        true => (found.steps, peak),
        false => (task.steps(&own), own_peak),
    };
    log::debug!(
        target: "order",
        "{} steps: peak {own_peak} in their own order, {peak} as planned, at least {}",
        order.len(), found.bound,
    );
    let [own_peak, peak, lower_bound] = [own_peak, peak, found.bound].map(Bytes::new);
    Ok(OrderPlan {
        order,
        own_peak,
        peak,
        lower_bound,
    })
}

/// The bytes that are live above a capacity, summed over the steps in an order that the dependences
/// permit.
///
/// # Errors
/// If the problem is invalid.
pub fn order_excess(
    problem: &OrderProblem,
    order: &[StepId],
    above: Bytes,
) -> Result<u64, OrderProblemError> {
    problem.validate()?;
    let order: Vec<u32> = order.iter().map(|id| id.index() as u32).collect();
    Ok(Task::new(problem).excess(&order, above.get()))
}

/// Steps in order, and a lower bound on the peak of all orders.
struct Found {
    steps: Vec<StepId>,
    bound: u64,
}

/// Orders the steps of each window.
fn order_windows(task: &Task, own_peak: u64, aim: OrderAim) -> Found {
    let n = task.units.len();
    let mut effort = Effort::default();
    let mut order_all = |task: &Task, peak: u64| match aim {
        OrderAim::Peak => order_units(task, peak, &mut effort),
        OrderAim::Excess(above) => excess::order_units(task, peak, above.get()),
        OrderAim::EarlyEnds => proposed(task, &early::order_units(task)),
        OrderAim::Evictions(capacity) => {
            proposed(task, &evictions::order_units(task, capacity.get()))
        }
    };
    let is_linear = matches!(aim, OrderAim::EarlyEnds | OrderAim::Evictions(_));
    if n <= tuning::MAX_STEPS || is_linear {
        return order_all(task, own_peak);
    }
    let mut steps = Vec::new();
    for start in (0..n).step_by(tuning::MAX_STEPS) {
        let window = task.segment(start, n.min(start + tuning::MAX_STEPS));
        let own: Vec<u32> = (0..window.units.len() as u32).collect();
        steps.extend(order_all(&window, window.peak(&own)).steps);
    }
    // What is live beside a window depends on the order of all others, so the bounds of windows
    // bound nothing.
    let bound = (0..n).map(|unit| task.bytes_of(unit)).max();
    Found {
        steps,
        bound: bound.unwrap_or(0).max(task.bytes_at_start()),
    }
}

/// An order of which nothing is proven.
fn proposed(task: &Task, order: &[u32]) -> Found {
    Found {
        steps: task.steps(order),
        bound: 0,
    }
}

/// Orders units: contracts them, divides them, and searches for an order of each segment.
fn order_units(task: &Task, own_peak: u64, effort: &mut Effort) -> Found {
    let own: Vec<u32> = (0..task.units.len() as u32).collect();
    let reach = Reach::new(task);
    let least = least_bytes(task, &reach).into_iter().max();
    let bound = least.unwrap_or(0).max(task.bytes_at_start());
    if own_peak <= bound {
        let steps = task.steps(&own);
        return Found { steps, bound };
    }
    let (contracted, reach) = contract(task.clone(), reach);
    let least = least_bytes(&contracted, &reach).into_iter().max();
    let mut bound = bound.max(least.unwrap_or(0));
    let ends = divisions(&contracted, &reach);
    let mut segments: Vec<(Task, Vec<u32>, u64)> = Vec::new();
    for ends in ends.windows(2) {
        let segment = contracted.segment(ends[0], ends[1]);
        let own: Vec<u32> = (0..segment.units.len() as u32).collect();
        let peak = segment.peak(&own);
        segments.push((segment, own, peak));
    }
    log::debug!(
        target: "order",
        "{} steps are {} units in {} segments, at least {bound} bytes",
        task.units.len(), contracted.units.len(), segments.len(),
    );
    let mut by_peak: Vec<usize> = (0..segments.len()).collect();
    by_peak.sort_by_key(|at| Reverse(segments[*at].2));
    // A segment need not be better than the worst one.
    let mut reached = bound;
    for at in by_peak {
        let (segment, order, peak) = &mut segments[at];
        if *peak > reached {
            let better = segment::order_segment(segment, order.clone(), reached, effort);
            bound = bound.max(better.bound.unwrap_or(0));
            (*order, *peak) = (better.order, better.peak);
        }
        reached = reached.max(*peak);
    }
    let steps = segments
        .iter()
        .flat_map(|(segment, order, _)| segment.steps(order));
    Found {
        steps: steps.collect(),
        bound,
    }
}

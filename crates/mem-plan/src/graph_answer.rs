//! Plans of operation graphs as JSON: written, and read again to continue from them.

use mem_cost::{Schedule, serial_cost, simulate};
use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, Interval, LevelId, LevelPlacement, LevelPlan,
    LevelProblem, PlacementId, Repetition, TensorId, Transfer,
};
use mem_planner::execution_order;
use serde::{Deserialize, Serialize};

use crate::diff::PlanFileError;
use crate::graph_plan::PlannedGraph;
use crate::levels::{LevelFailure, with_repeated};

/// A plan of an operation graph as JSON.
#[derive(Serialize)]
struct Answer {
    /// Bytes that the plan was to fit.
    budget: u64,
    /// Highest address in use, in bytes.
    peak: u64,
    /// Sum of the costs of all executed operations, repetitions included.
    operations: u64,
    /// Sum of the costs of all operations, each executed once.
    ideal_operations: u64,
    /// Lower bound on `operations` over all plans within the budget.
    lower_bound_operations: u64,
    /// Time of the plan in arithmetic operations: `operations`, and what copies add to them.
    makespan: u64,
    /// Lower bound on `makespan` over all plans within the budget.
    lower_bound_makespan: u64,
    /// Bytes copied to the host or back.
    copied: u64,
    /// The executed operations by number, in execution order, repetitions included.
    order: Vec<usize>,
    /// Where tensors are on the device. `first` and `end` are positions in `order`, and `end` is not
    /// included.
    placements: Vec<Placed>,
    /// Where tensors are on the host, in the same form.
    host: Vec<Placed>,
    /// Per executed operation: when the model starts it, in arithmetic operations.
    starts: Vec<u64>,
    /// Copies in the order in which they are issued.
    transfers: Vec<Copied>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    /// To the host.
    Out,
    /// Back to the device.
    In,
}

/// A copy of a tensor to the host or back. `before` is the position in `order` before which it is
/// issued, and `until` the one that waits for it; the end of `order` is a position, too.
#[derive(Serialize, Deserialize)]
struct Copied {
    tensor: usize,
    direction: Direction,
    before: usize,
    until: usize,
    /// When the model runs the copy, in arithmetic operations.
    start: u64,
    end: u64,
}

/// A tensor at an address.
#[derive(Serialize, Deserialize)]
struct Placed {
    tensor: usize,
    offset: u64,
    first: usize,
    end: usize,
}

/// Returns the plan of a graph as JSON.
#[must_use]
pub fn graph_json(planned: &PlannedGraph) -> String {
    let PlannedGraph {
        function,
        problem,
        plan: own,
        budget,
    } = planned;
    let cost = |problem: &LevelProblem| problem.steps.iter().map(|step| step.cycles).sum();
    let FunctionLevelPlan { plan, .. } = own;
    let ideal = cost(&function.problem);
    let order = execution_order(function.problem.steps.len(), &own.repetitions);
    let schedule = simulate(problem, plan);
    let has_link = problem.hierarchy.connects(LevelId::DEVICE, LevelId::HOST);
    let answer = Answer {
        budget: budget.get(),
        peak: plan
            .peak(problem, LevelId::DEVICE)
            .unwrap_or_default()
            .get(),
        operations: cost(problem),
        ideal_operations: ideal,
        lower_bound_operations: match has_link {
            // Copies may take the place of all repetitions, if they take long.
            true => ideal,
            false => own.lower_bound.max(ideal),
        },
        makespan: schedule.makespan,
        lower_bound_makespan: own.lower_bound.max(ideal),
        copied: plan.moved(problem).get(),
        order: order.iter().map(|own| own.step).collect(),
        placements: placed(plan, LevelId::DEVICE),
        host: placed(plan, LevelId::HOST),
        starts: schedule.steps.iter().map(|step| step.start).collect(),
        transfers: copies(plan, &schedule),
    };
    // Serializing numbers does not fail.
    let text = serde_json::to_string_pretty(&answer).unwrap_or_default();
    text + "\n"
}

/// The places of a level.
fn placed(plan: &LevelPlan, level: LevelId) -> Vec<Placed> {
    let own = plan.placements.iter().filter(|own| own.level == level);
    let own = own.filter_map(|own| {
        Some(Placed {
            tensor: own.tensor.index(),
            offset: own.offset?.get(),
            first: own.steps.start,
            end: own.steps.end,
        })
    });
    own.collect()
}

/// The copies of a plan with their times in its schedule.
fn copies(plan: &LevelPlan, schedule: &Schedule) -> Vec<Copied> {
    let both = plan.transfers.iter().zip(&schedule.transfers);
    let copied = both.map(|(own, timed)| {
        let from = &plan.placements[own.from.index()];
        Copied {
            tensor: from.tensor.index(),
            direction: match from.level == LevelId::DEVICE {
                true => Direction::Out,
                false => Direction::In,
            },
            before: own.before,
            until: own.until,
            start: timed.span.start,
            end: timed.span.end,
        }
    });
    copied.collect()
}

/// What is read of a plan that [`graph_json`] wrote; the rest follows from it.
#[derive(Deserialize)]
pub struct KnownGraphPlan {
    order: Vec<usize>,
    placements: Vec<Placed>,
    #[serde(default)]
    host: Vec<Placed>,
    transfers: Vec<Copied>,
}

impl KnownGraphPlan {
    /// Parses JSON that [`graph_json`] returned.
    ///
    /// # Errors
    /// If the text is no JSON, or lacks the keys of a plan.
    pub fn parse(text: &str) -> Result<Self, PlanFileError> {
        Ok(serde_json::from_str(text)?)
    }
}

/// The known plan in the form of the planner. It has to be checked: that it can be read does not mean that it is
/// a plan of this graph.
///
/// # Errors
/// If the order is no order of the graph, or if a number stands for nothing.
pub(crate) fn plan_of(
    function: &FunctionLevels,
    known: &KnownGraphPlan,
) -> Result<FunctionLevelPlan, LevelFailure> {
    let repetitions = repetitions_of(&known.order, function.problem.steps.len())?;
    let problem = with_repeated(function, &repetitions)?;
    let mut plan = LevelPlan::at_home(&problem);
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let both = [(device, &known.placements), (host, &known.host)];
    for (level, own) in both
        .into_iter()
        .flat_map(|(level, all)| all.iter().map(move |own| (level, own)))
    {
        if own.tensor >= problem.tensors.len() {
            return Err(LevelFailure::Known(format!(
                "there is no tensor t{}",
                own.tensor
            )));
        }
        if own.first > own.end || own.end > known.order.len() + 1 {
            let Placed {
                tensor, first, end, ..
            } = own;
            let text =
                format!("t{tensor} cannot be in place at steps {first} to {end} of the order");
            return Err(LevelFailure::Known(text));
        }
        plan.placements.push(LevelPlacement {
            tensor: TensorId::new(own.tensor),
            level,
            offset: Some(Bytes::new(own.offset)),
            steps: Interval::new(own.first, own.end),
        });
    }
    for copy in &known.transfers {
        if copy.before > copy.until || copy.until > problem.steps.len() {
            let Copied { before, until, .. } = copy;
            let text = format!(
                "no copy begins before step {before} of the order and ends before step {until}"
            );
            return Err(LevelFailure::Known(text));
        }
        plan.transfers.push(transfer(&plan, copy)?);
    }
    for (step, at) in problem.steps.iter().enumerate() {
        let placement = |tensor: TensorId| {
            let is_there = |own: &LevelPlacement| {
                own.tensor == tensor && own.level == device && own.steps.contains(step)
            };
            let found = plan.placements.iter().position(is_there);
            found.map(PlacementId::new).ok_or_else(|| {
                let tensor = tensor.index();
                LevelFailure::Known(format!(
                    "t{tensor} has no address at step {step} of the order"
                ))
            })
        };
        let accessed: Result<Vec<PlacementId>, LevelFailure> =
            at.uses.iter().map(|used| placement(used.tensor)).collect();
        plan.accessed.push(accessed?);
    }
    plan.cost = serial_cost(&problem, &plan);
    Ok(FunctionLevelPlan {
        function: function.function.clone(),
        strategy: "known".to_owned(),
        lower_bound: 0,
        repetitions,
        plan,
    })
}

/// What an order repeats. Each step runs first in its place.
fn repetitions_of(order: &[usize], n_steps: usize) -> Result<Vec<Repetition>, LevelFailure> {
    let mut next = 0;
    let mut again = Vec::new();
    for (position, step) in order.iter().copied().enumerate() {
        match step {
            own if own == next => next += 1,
            own if own < next => again.push(Repetition { before: next, step }),
            _ => {
                let text = format!("s{step} is at step {position} of the order, before s{next}");
                return Err(LevelFailure::Known(text));
            }
        }
    }
    match next == n_steps {
        true => Ok(again),
        false => Err(LevelFailure::Known(format!(
            "the order ends with s{}, and the graph has {n_steps} operations",
            next.saturating_sub(1)
        ))),
    }
}

/// The copy between the places that begin or end with it.
fn transfer(plan: &LevelPlan, copy: &Copied) -> Result<Transfer, LevelFailure> {
    let find = |level: LevelId, is_it: &dyn Fn(Interval<usize>) -> bool| {
        let is_it = |own: &LevelPlacement| {
            own.tensor.index() == copy.tensor && own.level == level && is_it(own.steps)
        };
        plan.placements.iter().position(is_it).map(PlacementId::new)
    };
    // A place on the device begins with its copy, and ends when the copy out has completed.
    let on_device = |steps: Interval<usize>| match copy.direction {
        Direction::In => steps.start == copy.before,
        Direction::Out => steps.start <= copy.before && copy.until <= steps.end,
    };
    let on_host = |steps: Interval<usize>| steps.start <= copy.before && copy.before <= steps.end;
    let device = find(LevelId::DEVICE, &on_device);
    let (Some(device), Some(host)) = (device, find(LevelId::HOST, &on_host)) else {
        let Copied { tensor, before, .. } = copy;
        let text = format!("the copy of t{tensor} before step {before} of the order has no place");
        return Err(LevelFailure::Known(text));
    };
    let (from, to) = match copy.direction {
        Direction::Out => (device, host),
        Direction::In => (host, device),
    };
    Ok(Transfer {
        before: copy.before,
        from,
        to,
        keeps_source: true,
        until: copy.until,
    })
}

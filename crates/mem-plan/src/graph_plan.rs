//! Plans operation graphs within a budget: the order of execution, with repetitions, and addresses.

use std::collections::BTreeSet;

use mem_cost::{Schedule, simulate};
use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, HostLink, LevelId, LevelPlan, LevelProblem,
    OffloadPolicy, OperationGraph, TensorId,
};
use mem_planner::{execution_order, widest_step};
use serde::Serialize;

use crate::levels::{LevelFailure, LevelSettings, check_function, plan_function};
use crate::report::Failure;

/// How to plan an operation graph.
#[derive(Clone, Debug, Default)]
pub struct GraphSettings {
    /// Bytes available; `None`: as many as all tensors have.
    pub budget: Option<Bytes>,
    /// The link to the host; `None`: there is none.
    pub link: Option<HostLink>,
    /// How to make room; `None`: by any means.
    pub policy: Option<OffloadPolicy>,
    /// Tensors that are neither copied nor recomputed: they stay on the device from their first use
    /// to their last.
    pub stay: BTreeSet<TensorId>,
}

/// A plan of an operation graph; it has passed its check.
#[derive(Clone, Debug)]
pub struct PlannedGraph {
    /// The graph as a problem over two levels.
    pub function: FunctionLevels,
    /// The problem with the steps as they are executed, repetitions included.
    pub problem: LevelProblem,
    /// The plan.
    pub plan: FunctionLevelPlan,
    budget: Bytes,
}

/// Plans `graph` and checks the plan; `name` is for messages.
///
/// # Errors
/// If the graph does not fit the budget, or in case of an internal error.
pub fn plan_graph(
    name: &str,
    graph: &OperationGraph,
    settings: &GraphSettings,
) -> Result<PlannedGraph, Failure> {
    let budget = settings.budget.unwrap_or_else(|| all_bytes(graph));
    let mut function = graph.within(name.to_owned(), budget, settings.link);
    if let Some(offload) = &mut function.offload {
        offload.advice.stay.clone_from(&settings.stay);
    }
    let levels = LevelSettings {
        policy: settings.policy,
        ..LevelSettings::default()
    };
    let plan = plan_function(&function, &levels).map_err(|error| {
        let error = match error {
            LevelFailure::NoFit(no_fit) => LevelFailure::Budget {
                budget,
                advice: advice(&function, &levels),
                no_fit,
            },
            other => other,
        };
        Failure::Levels(function.function.clone(), error)
    })?;
    // A plan that fails its check is a bug in this program, not in the input.
    let problem = check_function(&function, &plan)
        .map_err(|error| Failure::InternalLevels(function.function.clone(), error))?;
    Ok(PlannedGraph {
        function,
        problem,
        plan,
        budget,
    })
}

/// Number of budgets above the bytes of the widest step that are tried. The first is larger by 1/16, and
/// each excess is twice the previous one.
const LARGER: u32 = 5;

/// How much a graph needs, and a budget that is enough: the bytes of the widest step, or the first of some
/// larger ones with a plan.
fn advice(function: &FunctionLevels, settings: &LevelSettings) -> String {
    let advice = function.offload.as_ref().map(|own| own.advice.clone());
    let Some(widest) = widest_step(&function.problem, &advice.unwrap_or_default()) else {
        return "it is too small".to_owned();
    };
    let least = widest.bytes;
    let larger = (0..LARGER).map(|power| least.saturating_add((least / 16).max(1) << power));
    let enough = std::iter::once(least).chain(larger).find(|budget| {
        let mut function = function.clone();
        function.problem.hierarchy.levels[LevelId::DEVICE.index()].capacity =
            Some(Bytes::new(*budget));
        plan_function(&function, settings).is_ok()
    });
    let needs = format!("the widest step, s{}, needs {least}", widest.step);
    match enough {
        Some(budget) => format!("{needs}, and {budget} are enough"),
        None => needs,
    }
}

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
    /// Per executed operation: when the model starts it, in arithmetic operations.
    starts: Vec<u64>,
    /// Copies in the order in which they are issued.
    transfers: Vec<Copied>,
}

/// A copy of a tensor to the host or back. `before` is the position in `order` before which it is
/// issued, and `until` the one that waits for it; the end of `order` is a position, too.
#[derive(Serialize)]
struct Copied {
    tensor: usize,
    /// `out`: to the host; `in`: back.
    direction: &'static str,
    before: usize,
    until: usize,
    /// When the model runs the copy, in arithmetic operations.
    start: u64,
    end: u64,
}

/// A tensor at an address.
#[derive(Serialize)]
struct Placed {
    tensor: usize,
    offset: u64,
    first: usize,
    end: usize,
}

/// Bytes that suffice for all tensors at once.
fn all_bytes(graph: &OperationGraph) -> Bytes {
    let sizes = graph.tensors.iter().map(|size| size.get());
    Bytes::new(sizes.fold(0, u64::saturating_add))
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
    let on_device = plan
        .placements
        .iter()
        .filter(|own| own.level == LevelId::DEVICE);
    let placements = on_device.filter_map(|own| {
        Some(Placed {
            tensor: own.tensor.index(),
            offset: own.offset?.get(),
            first: own.steps.start,
            end: own.steps.end,
        })
    });
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
        placements: placements.collect(),
        starts: schedule.steps.iter().map(|step| step.start).collect(),
        transfers: copies(plan, &schedule),
    };
    // Serializing numbers does not fail.
    let text = serde_json::to_string_pretty(&answer).unwrap_or_default();
    text + "\n"
}

/// The copies of a plan with their times in its schedule.
fn copies(plan: &LevelPlan, schedule: &Schedule) -> Vec<Copied> {
    let both = plan.transfers.iter().zip(&schedule.transfers);
    let copied = both.map(|(own, timed)| {
        let from = &plan.placements[own.from.index()];
        Copied {
            tensor: from.tensor.index(),
            direction: match from.level == LevelId::DEVICE {
                true => "out",
                false => "in",
            },
            before: own.before,
            until: own.until,
            start: timed.span.start,
            end: timed.span.end,
        }
    });
    copied.collect()
}

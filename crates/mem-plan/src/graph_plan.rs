//! Plans operation graphs within a budget: the order of execution, with repetitions, and addresses.

use mem_cost::simulate;
use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, LevelId, LevelProblem, OffloadPolicy, OperationGraph,
};
use mem_planner::execution_order;
use serde::Serialize;

use crate::levels::{LevelSettings, check_function, plan_function};
use crate::report::Failure;

/// How to plan an operation graph.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphSettings {
    /// Bytes available; `None`: as many as all tensors have.
    pub budget: Option<Bytes>,
    /// Bandwidth of the link to the host, in bytes per arithmetic operation; `None`: no link.
    pub link: Option<f64>,
    /// How to make room; `None`: by any means.
    pub policy: Option<OffloadPolicy>,
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
    let function = graph.within(name.to_owned(), budget, settings.link);
    let levels = LevelSettings {
        policy: settings.policy,
        ..LevelSettings::default()
    };
    let failed = |error| Failure::Levels(function.function.clone(), error);
    let plan = plan_function(&function, &levels).map_err(failed)?;
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
        makespan: simulate(problem, plan).makespan,
        lower_bound_makespan: own.lower_bound.max(ideal),
        copied: plan.moved(problem).get(),
        order: order.iter().map(|own| own.step).collect(),
        placements: placements.collect(),
    };
    // Serializing numbers does not fail.
    let text = serde_json::to_string_pretty(&answer).unwrap_or_default();
    text + "\n"
}

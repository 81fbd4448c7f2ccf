//! Plans operation graphs within a budget: the order of execution, with repetitions, and addresses.

use std::collections::BTreeSet;

use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, HostLink, LevelId, LevelProblem, OffloadPolicy,
    OperationGraph, TensorId,
};
use mem_planner::widest_step;

use crate::graph_answer::{KnownGraphPlan, plan_of};
use crate::levels::{LevelFailure, LevelSettings, check_function, improve_function, plan_function};
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
    pub(crate) budget: Bytes,
}

/// Plans `graph` and checks the plan; `name` is for messages. With a known plan of the graph, the search
/// continues from it, and the result takes no more time.
///
/// # Errors
/// If the graph does not fit the budget, if the known plan is none within it, or in case of an internal error.
pub fn plan_graph(
    name: &str,
    graph: &OperationGraph,
    settings: &GraphSettings,
    known: Option<&KnownGraphPlan>,
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
    let known = known.map(|known| {
        let plan = plan_of(&function, known)?;
        check_function(&function, &plan)?;
        Ok(plan)
    });
    let known = known.transpose();
    let known = known.map_err(|error| Failure::KnownPlan(function.function.clone(), error))?;
    let plan = match &known {
        Some(known) => improve_function(&function, &levels, known),
        None => plan_function(&function, &levels),
    };
    let plan = plan.map_err(|error| {
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

/// Bytes that suffice for all tensors at once.
fn all_bytes(graph: &OperationGraph) -> Bytes {
    let sizes = graph.tensors.iter().map(|size| size.get());
    Bytes::new(sizes.fold(0, u64::saturating_add))
}

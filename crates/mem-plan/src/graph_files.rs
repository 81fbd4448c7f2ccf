//! Files with an operation graph: plans it within a budget, and prints the order of execution.

use std::path::Path;

use mem_model::parse_operation_graph;
use mem_plan::{Failure, GraphSettings, graph_json, level_summary, plan_graph};

use crate::output;
use crate::progress;

/// How to plan a graph, and what to print.
pub(crate) struct Request<'a> {
    /// Budget, link and policy.
    pub settings: GraphSettings,
    /// Print JSON instead of a summary.
    pub json: bool,
    /// File for the output.
    pub output: Option<&'a Path>,
}

/// Plans the graph in the file at `path`, checks the plan, and prints it.
pub(crate) fn run(path: &Path, request: &Request<'_>) -> Result<(), Failure> {
    let file = path.display().to_string();
    let text = output::read(path)?;
    let graph = parse_operation_graph(&text).map_err(|error| Failure::Text(file.clone(), error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let planned = progress::shown(|| plan_graph(&name, &graph, &request.settings))?;
    let shown = match request.json {
        true => graph_json(&planned),
        false => level_summary(&planned.function, &planned.problem, &planned.plan),
    };
    output::write(request.output, &shown)
}

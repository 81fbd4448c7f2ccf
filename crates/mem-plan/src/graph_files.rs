//! Files with an operation graph: plans it within a budget, and prints the order of execution.

use std::path::Path;

use mem_model::parse_operation_graph;
use mem_plan::{
    Failure, GraphSettings, KnownGraphPlan, LevelsDrawing, graph_json, level_summary, plan_graph,
};

use crate::output::{self, Form};
use crate::progress;

/// How to plan a graph, and what to print.
pub(crate) struct Request<'a> {
    /// Budget, link and policy.
    pub settings: GraphSettings,
    /// File with a plan to continue from.
    pub from: Option<&'a Path>,
    /// What to print.
    pub form: Form,
    /// File for the output.
    pub output: Option<&'a Path>,
}

/// Plans the graph in the file at `path`, checks the plan, and prints it.
pub(crate) fn run(path: &Path, request: &Request<'_>) -> Result<(), Failure> {
    let file = path.display().to_string();
    let text = output::read(path)?;
    let graph = parse_operation_graph(&text).map_err(|error| Failure::Text(file.clone(), error))?;
    if graph.operations.is_empty() {
        return Err(Failure::NoOperations(file));
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let known = request.from.map(read_plan).transpose()?;
    let planned = progress::shown(|| plan_graph(&name, &graph, &request.settings, known.as_ref()))?;
    let summary = level_summary(&planned.function, &planned.problem, &planned.plan);
    match request.form {
        Form::Text => output::write(request.output, &summary),
        Form::Json => output::write(request.output, &graph_json(&planned)),
        form => {
            let drawing = LevelsDrawing::new(&planned.function, &planned.problem, &planned.plan);
            let drawn = form.draw(&[drawing.view()]).unwrap_or_default();
            output::write(request.output, &drawn)?;
            output::note(summary.trim_end());
            Ok(())
        }
    }
}

/// Reads a plan that `--json` printed.
fn read_plan(path: &Path) -> Result<KnownGraphPlan, Failure> {
    let text = output::read(path)?;
    let file = path.display().to_string();
    KnownGraphPlan::parse(&text).map_err(|error| Failure::PlanFile(file, error))
}

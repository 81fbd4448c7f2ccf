//! Reports and remarks about plans, and diagnostics if there is no plan.

use std::path::Path;

use mem_cost::{explain, tightest};
use mem_model::{BufferId, Bytes, LevelPlan, LevelProblem, TensorId};
use mem_planner::{LevelPlanError, plan_for_comparison};
use mem_view::{
    LevelView, Untiled, decision_text, explanation_text, levels_json, levels_page, levels_svg,
    levels_trace, tightest_text,
};

use super::{PlannedLevels, remarks};
use crate::extract::remark_missed_reuses;
use crate::framework::{PassResult, report_error};
use crate::ir::{Category, Diagnostic, Op, are_remarks_enabled};

/// Maximum number of tensors that a message lists.
const MOST: usize = 8;

/// The view of a plan that reports are rendered from.
fn view<'a>(
    planned: &'a PlannedLevels,
    buffers: &'a [BufferId],
    types: &'a [String],
    (groups, untiled): (&'a [Option<i64>], &'a [Option<Untiled>]),
) -> LevelView<'a> {
    LevelView {
        name: &planned.function.name,
        program: &planned.extraction.program,
        problem: &planned.extract.problem,
        buffers,
        plan: &planned.plan,
        strategy: planned.strategy,
        before: None,
        lower_bound: planned.lower_bound,
        decisions: &planned.decisions,
        steps: &planned.steps,
        types,
        groups,
        untiled,
    }
}

/// Indexed by tensor: its buffer.
fn buffers(planned: &PlannedLevels) -> Vec<BufferId> {
    let origins = planned.extract.origins.iter();
    origins.map(|origin| origin.buffer).collect()
}

/// Writes a report on the plans, if `file` is not empty. The file extension selects the format.
pub(crate) fn write(module: Op, functions: &[PlannedLevels], file: &str) -> PassResult {
    if file.is_empty() {
        return Ok(());
    }
    let path = Path::new(file);
    let error = |text: String| Diagnostic::option_error(module, "report", Some(file), text).fail();
    let mut functions: Vec<&PlannedLevels> = functions.iter().collect();
    functions.sort_by_key(|planned| planned.function.position);
    let extension = path.extension().and_then(|text| text.to_str());
    let buffers: Vec<Vec<BufferId>> = functions.iter().map(|own| buffers(own)).collect();
    let types: Vec<Vec<String>> = functions
        .iter()
        .map(|own| own.extraction.type_names())
        .collect();
    let tiles = functions
        .iter()
        .map(|own| (own.extraction.groups(), own.extraction.untiled()));
    let tiles: Vec<_> = tiles.collect();
    let views = || {
        let own = functions.iter().zip(&buffers).zip(types.iter().zip(&tiles));
        own.map(|((planned, buffers), (types, (groups, untiled)))| {
            view(planned, buffers, types, (groups, untiled))
        })
    };
    let text = match extension {
        Some("svg") => {
            let longest = views().max_by_key(|view| view.problem.steps.len());
            longest.map_or_else(String::new, |view| levels_svg(&view))
        }
        Some("html") => {
            let initial = functions.iter();
            let initial = initial.map(|planned| plan_for_comparison(&planned.extract.problem));
            let initial: Vec<Option<LevelPlan>> = initial.collect();
            let views = views().zip(&initial);
            let with_initial = views.map(|(own, before)| LevelView {
                before: before.as_ref(),
                ..own
            });
            let views: Vec<LevelView<'_>> = with_initial.collect();
            levels_page(&views)
        }
        Some("json") => levels_json(&views().collect::<Vec<_>>()),
        Some("trace") => levels_trace(&views().collect::<Vec<_>>()),
        _ => return error(report_error(file).unwrap_or_default()),
    };
    mem_view::replace_file(path, &text)
        .or_else(|reason| error(format!("cannot write {}: {reason}", path.display())))
}

/// Remarks on the tightest step of each level and, for each function, on up to `most` decisions and
/// `most` avoidable costs, the most expensive first. Optimization remarks are not limited in number.
pub(crate) fn explain_plans(functions: &[PlannedLevels], most: i64) {
    let most = usize::try_from(most).unwrap_or(0);
    for planned in functions {
        let context = planned.function.op.context();
        remark_missed_reuses(&planned.extraction, &planned.lifetimes);
        let mut categories = [Category::Peak, Category::Evicted].into_iter();
        if most == 0 && !categories.any(|own| are_remarks_enabled(context, own)) {
            continue;
        }
        let buffers = buffers(planned);
        let view = view(planned, &buffers, &[], (&[], &[]));
        for own in tightest(view.problem, view.plan) {
            let op = planned.op(own.step);
            let text = tightest_text(&own, view.problem);
            remarks::fullest(planned, &own, &text);
            if most > 0 {
                Diagnostic::remark(op.location(), text).emit();
            }
        }
        let mut decided: Vec<_> = planned.decisions.iter().collect();
        decided.sort_by_key(|own| std::cmp::Reverse((own.overhead(), own.swap)));
        for (index, own) in decided.into_iter().enumerate() {
            let op = planned.op(own.before);
            let text = decision_text(own, view.problem);
            remarks::decision(planned, own, &text);
            if index < most {
                Diagnostic::remark(op.location(), text).emit();
            }
        }
        for (index, own) in explain(view.problem, view.plan).iter().enumerate() {
            let op = match own.step < planned.steps.len() {
                true => planned.op(own.step),
                false => planned.function.op,
            };
            let text = explanation_text(own, view.problem);
            remarks::explanation(planned, own, op, &text);
            if index < most {
                Diagnostic::remark(op.location(), text).emit();
            }
        }
    }
}

/// Refuses a function whose arguments and constants alone exceed a level.
pub(crate) fn refuse_full(function: Op, problem: &LevelProblem) -> PassResult {
    let Err((id, missing)) = problem.capacities() else {
        return Ok(());
    };
    let level = &problem.hierarchy.levels[id.index()];
    let capacity = level.capacity.unwrap_or_default();
    let text = format!(
        "arguments and constants in '{}' are {}, and it has {}: {} are missing",
        level.name,
        Bytes::new(capacity.get().saturating_add(missing.get())).human(),
        capacity.human(),
        missing.human(),
    );
    let all = (0..problem.tensors.len()).map(TensorId::new);
    let at_home = all.filter(|tensor| {
        let own = &problem.tensors[tensor.index()];
        own.within.is_none() && own.home == Some(id)
    });
    let largest = format!("the largest: {}", largest(problem, at_home.collect()));
    Diagnostic::error(function.location(), text)
        .note(function.location(), largest)
        .fail()
}

/// Names and sizes of the largest tensors, in descending order of size.
fn largest(problem: &LevelProblem, mut tensors: Vec<TensorId>) -> String {
    tensors.sort_by_key(|tensor| std::cmp::Reverse(problem.tensors[tensor.index()].size));
    let name = |tensor: &TensorId| {
        let tensor = &problem.tensors[tensor.index()];
        format!("'{}' ({})", tensor.name, tensor.size.human())
    };
    let names: Vec<String> = tensors.iter().take(MOST).map(name).collect();
    let more = match tensors.len() {
        n if n > MOST => format!(" and {} more", n - MOST),
        _ => String::new(),
    };
    format!("{}{more}", names.join(", "))
}

/// The error for a tensor that does not fit where a step needs it. `step_ops`: the operation of
/// each step of the problem. `budget`: the limit of the plan, if it is lower than the capacity of
/// the level.
pub(crate) fn no_fit(
    function: Op,
    step_ops: &[Op],
    problem: &LevelProblem,
    error: &LevelPlanError,
    budget: Option<Bytes>,
) -> Diagnostic {
    let LevelPlanError::NoFit(error) = error else {
        let text = format!("mem-assign-levels: {error}");
        return Diagnostic::error(function.location(), text);
    };
    let tensor = &problem.tensors[error.tensor.index()];
    let level = &problem.hierarchy.levels[error.level.index()];
    let step = step_ops[error.step];
    let within = budget.map_or_else(String::new, |budget| {
        format!("no plan found within a budget of {budget} bytes: ")
    });
    let text = format!(
        "{within}'{}' of {} does not fit into '{}' here: {} are missing",
        tensor.name,
        tensor.size.human(),
        level.name,
        Bytes::new(error.missing).human(),
    );
    let capacity = level.capacity.map_or_else(String::new, |capacity| {
        format!("'{}' has {}", level.name, capacity.human())
    });
    let alive = match error.alive.is_empty() {
        true => format!("{capacity}; nothing else is alive in it"),
        false => {
            let alive = largest(problem, error.alive.clone());
            format!("{capacity}; alive in it: {alive}")
        }
    };
    Diagnostic::error(step.location(), text).note(step.location(), alive)
}

//! Files with problems over several levels: plans them, or checks their plans.

use std::path::Path;

use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, parse_level_plans, parse_level_problems,
    print_level_plans,
};
use mem_plan::{
    Failure, LevelSettings, LevelsDrawing, check_function, improve_function, level_summary,
    limit_capacity, plan_function,
};

use crate::output::{self, Form};
use crate::progress::shown;

/// What to do with the problems of a file.
pub(crate) struct Request<'a> {
    pub settings: LevelSettings,
    /// Limit on the capacity of the fastest level.
    pub capacity: Option<Bytes>,
    /// File with plans to check; `None`: plan the problems.
    pub plans: Option<&'a Path>,
    /// File with plans to continue from.
    pub from: Option<&'a Path>,
    /// What to print.
    pub form: Form,
    /// File for the plans, or for what is drawn of them.
    pub output: Option<&'a Path>,
}

/// Plans or checks all problems in `text`, the contents of `file`. Writes the plans or what is drawn of
/// them, and prints a summary of each; on failure, writes and prints nothing.
pub(crate) fn run(file: &Path, text: &str, request: &Request<'_>) -> Result<(), Failure> {
    let file = file.display().to_string();
    let mut functions =
        parse_level_problems(text).map_err(|error| Failure::Text(file.clone(), error))?;
    if let Some(capacity) = request.capacity {
        for function in &mut functions {
            limit_capacity(function, capacity);
        }
    }
    let plans = match request.plans {
        Some(path) => read_plans(path, &functions)?,
        None => plan_all(&functions, request)?,
    };
    let mut problems = Vec::new();
    let pairs: Vec<_> = functions.iter().zip(&plans).collect();
    for (function, plan) in &pairs {
        let problem = check_function(function, plan).map_err(|error| {
            let name = function.function.clone();
            match request.plans {
                Some(_) => Failure::Levels(name, error),
                None => Failure::InternalLevels(name, error),
            }
        })?;
        problems.push(problem);
    }
    let checked = || pairs.iter().zip(&problems);
    let summaries =
        checked().map(|((function, plan), problem)| level_summary(function, problem, plan));
    let summary = summaries.collect::<Vec<_>>().join("\n");
    if request.form != Form::Text {
        let drawings = checked()
            .map(|((function, plan), problem)| LevelsDrawing::new(function, problem, plan));
        let drawings: Vec<LevelsDrawing<'_>> = drawings.collect();
        let views: Vec<_> = drawings.iter().map(LevelsDrawing::view).collect();
        let drawn = request.form.draw(&views).unwrap_or_default();
        output::write(request.output, &drawn)?;
        // Scripts that read JSON find everything in it.
        if request.form != Form::Json {
            output::note(summary.trim_end());
        }
        return Ok(());
    }
    if request.output.is_some() {
        output::write(request.output, &print_level_plans(&pairs))?;
    }
    // Standard output is that of the plans, which another program reads.
    if request.output.is_some_and(output::is_standard) {
        output::note(&summary);
        return Ok(());
    }
    output::write(None, &summary)
}

fn plan_all(
    functions: &[FunctionLevels],
    request: &Request<'_>,
) -> Result<Vec<FunctionLevelPlan>, Failure> {
    let of_function =
        |function: &FunctionLevels, error| Failure::Levels(function.function.clone(), error);
    let known = match request.from {
        Some(path) => read_plans(path, functions)?,
        None => Vec::new(),
    };
    for (function, known) in functions.iter().zip(&known) {
        check_function(function, known).map_err(|error| of_function(function, error))?;
    }
    let settings = &request.settings;
    let plan = |(index, function): (usize, &FunctionLevels)| {
        let plan = shown(|| match known.get(index) {
            Some(known) => improve_function(function, settings, known),
            None => plan_function(function, settings),
        });
        plan.map_err(|error| of_function(function, error))
    };
    functions.iter().enumerate().map(plan).collect()
}

/// Reads one plan for each problem, in the order of the problems.
fn read_plans(
    path: &Path,
    functions: &[FunctionLevels],
) -> Result<Vec<FunctionLevelPlan>, Failure> {
    let file = path.display().to_string();
    let text = output::read(path)?;
    let plans = parse_level_plans(&text, functions);
    let mut plans = plans.map_err(|error| Failure::Text(file.clone(), error))?;
    let of_function = |function: &FunctionLevels| {
        let found = plans
            .iter()
            .position(|own| own.function == function.function);
        let found =
            found.ok_or_else(|| Failure::NoPlan(file.clone(), function.function.clone()))?;
        Ok(plans.swap_remove(found))
    };
    functions.iter().map(of_function).collect()
}

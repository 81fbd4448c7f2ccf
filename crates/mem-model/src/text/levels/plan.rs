//! Plans over several levels: printer and parser. A plan refers to a problem, and both take it.

use std::collections::HashMap;

use super::super::lines::{Line, Lines};
use super::super::print::{Optional, Quoted, line};
use super::super::{TextError, TextErrorKind};
use super::print::{Named, Steps};
use super::problem::{known, level, steps, tensor};
use super::{FunctionLevelPlan, FunctionLevels, PLANS, VERSION, executed};
use crate::{LevelPlacement, LevelPlan, PlacementId, Repetition, Transfer};

/// Prints plans in the text form, header included. Each plan comes with the problem that it solves.
#[must_use]
pub fn print_level_plans(plans: &[(&FunctionLevels, &FunctionLevelPlan)]) -> String {
    let mut out = format!("{PLANS} {VERSION}\n");
    for (function, plan) in plans {
        print_plan(&mut out, function, plan);
    }
    out
}

fn print_plan(out: &mut String, function: &FunctionLevels, own: &FunctionLevelPlan) {
    let problem = &function.problem;
    let FunctionLevelPlan {
        function: name,
        strategy,
        lower_bound,
        repetitions,
        plan,
    } = own;
    let (name, strategy, cost) = (Quoted(name), Quoted(strategy), plan.cost);
    line(
        out,
        format_args!("plan {name} strategy {strategy} lower-bound {lower_bound} cost {cost}"),
    );
    for Repetition { before, step } in repetitions {
        line(out, format_args!("repeat s{step} before s{before}"));
    }
    for (index, placement) in plan.placements.iter().enumerate() {
        let id = PlacementId::new(index);
        let LevelPlacement {
            tensor,
            level,
            offset,
            steps,
        } = *placement;
        let (name, level) = (
            Quoted(&problem.tensors[tensor.index()].name),
            Named(problem, level),
        );
        let offset = match offset {
            Some(offset) => format!("at {offset}"),
            None => "home".to_owned(),
        };
        let steps = Steps(steps);
        line(
            out,
            format_args!("placement {id} {tensor} {name} in {level} {offset} steps {steps}"),
        );
    }
    let executed = executed(problem.steps.len(), repetitions);
    for (index, (step, placements)) in executed.iter().zip(&plan.accessed).enumerate() {
        let name = Quoted(&problem.steps[*step].name);
        let keyword = if placements.is_empty() { "" } else { " uses" };
        let placements: String = placements.iter().map(|own| format!(" {own}")).collect();
        line(
            out,
            format_args!("step s{index} {name}{keyword}{placements}"),
        );
    }
    print_transfers(out, plan, executed.len());
    line(out, format_args!("end"));
}

fn print_transfers(out: &mut String, plan: &LevelPlan, n_executed: usize) {
    let shown = |step: usize| match step == n_executed {
        true => "end".to_owned(),
        false => format!("s{step}"),
    };
    for transfer in &plan.transfers {
        let Transfer {
            before,
            from,
            to,
            keeps_source,
            until,
        } = *transfer;
        let moves = if keeps_source { "" } else { " moves" };
        let until = Optional(" until ", (until != before).then(|| shown(until)));
        let before = shown(before);
        line(
            out,
            format_args!("transfer {from} to {to} before {before}{until}{moves}"),
        );
    }
}

/// Parses all plans in `text`, which solve `problems`; a problem has at most one plan. Never
/// panics, whatever the input. References are checked; whether a plan holds is for
/// `mem_check::check_level_plan` to decide.
///
/// # Errors
/// The first error, with its line and column.
pub fn parse_level_plans(
    text: &str,
    problems: &[FunctionLevels],
) -> Result<Vec<FunctionLevelPlan>, TextError> {
    let mut open: HashMap<&str, &FunctionLevels> = HashMap::new();
    for problem in problems {
        open.insert(&problem.function, problem);
    }
    let mut lines = Lines::new(text)?;
    lines.header(PLANS, VERSION)?;
    let mut plans = Vec::new();
    while let Some(mut line) = lines.next_starting_with("plan") {
        let before = line.clone();
        let function = line.text("the function's name")?;
        let Some(problem) = open.remove(function.as_str()) else {
            let kind = match problems.iter().any(|own| own.function == function) {
                true => TextErrorKind::Duplicate(function),
                false => TextErrorKind::Unknown(format!("problem '{function}'")),
            };
            return before.error(kind);
        };
        let plan = FunctionLevelPlan {
            function,
            ..FunctionLevelPlan::default()
        };
        plans.push(parse_plan(plan, line, &mut lines, problem)?);
    }
    match lines.next() {
        Some(line) => line.fail("'plan'"),
        None => Ok(plans),
    }
}

fn parse_plan(
    mut own: FunctionLevelPlan,
    mut head: Line,
    lines: &mut Lines,
    function: &FunctionLevels,
) -> Result<FunctionLevelPlan, TextError> {
    head.word("strategy")?;
    own.strategy = head.text("the strategy's name")?;
    head.word("lower-bound")?;
    own.lower_bound = head.number("a number of cycles")?;
    head.word("cost")?;
    let cost = head.number("a number of cycles")?;
    head.end()?;
    own.repetitions = parse_repetitions(lines, function)?;
    let problem = &function.problem;
    let executed = executed(problem.steps.len(), &own.repetitions);
    let mut placements = Vec::new();
    while let Some(line) = lines.next_starting_with("placement") {
        placements.push(parse_placement(
            line,
            placements.len(),
            function,
            executed.len(),
        )?);
    }
    let mut accessed = Vec::new();
    for step in &executed {
        let Some(line) = lines.next_starting_with("step") else {
            return lines.fail("a line for each step, after the placements");
        };
        let step = &problem.steps[*step];
        let wanted = (step.name.as_str(), step.uses.len());
        accessed.push(parse_step(line, accessed.len(), wanted, placements.len())?);
    }
    let mut transfers = Vec::new();
    while let Some(line) = lines.next_starting_with("transfer") {
        transfers.push(parse_transfer(line, placements.len(), executed.len())?);
    }
    match lines.next_starting_with("end") {
        Some(line) => line.end()?,
        None => return lines.fail("a line that belongs here, in order, or 'end'"),
    }
    own.plan = LevelPlan {
        placements,
        accessed,
        transfers,
        cost,
    };
    Ok(own)
}

fn parse_repetitions(
    lines: &mut Lines,
    function: &FunctionLevels,
) -> Result<Vec<Repetition>, TextError> {
    let n_steps = function.problem.steps.len();
    let mut repetitions: Vec<Repetition> = Vec::new();
    while let Some(mut line) = lines.next_starting_with("repeat") {
        let before = line.clone();
        // Without a budget, the problem does not say which steps may be repeated.
        if function.offload.is_none() {
            return line.fail("no repetition, since the problem has no budget");
        }
        let step = known(&mut line, "s", "a step", n_steps)?;
        line.word("before")?;
        let own = Repetition {
            before: known(&mut line, "s", "a step", n_steps)?,
            step,
        };
        line.end()?;
        let is_late = repetitions
            .last()
            .is_none_or(|last| last.before <= own.before);
        if !is_late || own.step >= own.before {
            return before.error(TextErrorKind::Repetition);
        }
        repetitions.push(own);
    }
    Ok(repetitions)
}

fn parse_placement(
    mut line: Line,
    next: usize,
    function: &FunctionLevels,
    n_steps: usize,
) -> Result<LevelPlacement, TextError> {
    let problem = &function.problem;
    line.id_in_order("p", format_args!("p{next}"))?;
    let tensor = tensor(&mut line, problem.tensors.len())?;
    let name = &problem.tensors[tensor.index()].name;
    check_name(&mut line, format_args!("{tensor}"), name)?;
    line.word("in")?;
    let level = level(&mut line, &problem.hierarchy)?;
    let offset = match line.take_word("home") {
        true => None,
        false => {
            line.word("at")?;
            Some(line.bytes("an offset in bytes")?)
        }
    };
    line.word("steps")?;
    let before = line.clone();
    let steps = steps(&mut line)?;
    // The storage of a home exists until after the last step.
    if steps.start > steps.end || steps.end > n_steps + 1 {
        return before.fail("an interval of steps of the program");
    }
    line.end()?;
    Ok(LevelPlacement {
        tensor,
        level,
        offset,
        steps,
    })
}

/// Parses the placements that a step accesses; `wanted` is its name, and the number of its uses.
fn parse_step(
    mut line: Line,
    next: usize,
    wanted: (&str, usize),
    n_placements: usize,
) -> Result<Vec<PlacementId>, TextError> {
    let (name, n_uses) = wanted;
    line.id_in_order("s", format_args!("s{next}"))?;
    check_name(&mut line, format_args!("s{next}"), name)?;
    let mut accessed = Vec::new();
    if n_uses > 0 {
        line.word("uses")?;
        for _ in 0..n_uses {
            let what = "a placement for each use of the step";
            accessed.push(placement(&mut line, what, n_placements)?);
        }
    }
    line.end()?;
    Ok(accessed)
}

/// Parses the id of one of `n` placements.
fn placement(line: &mut Line, what: &'static str, n: usize) -> Result<PlacementId, TextError> {
    known(line, "p", what, n).map(PlacementId::new)
}

fn parse_transfer(
    mut line: Line,
    n_placements: usize,
    n_steps: usize,
) -> Result<Transfer, TextError> {
    let from = placement(&mut line, "a placement", n_placements)?;
    line.word("to")?;
    let to = placement(&mut line, "a placement", n_placements)?;
    line.word("before")?;
    let gap = |line: &mut Line| match line.take_word("end") {
        true => Ok(n_steps),
        false => known(line, "s", "a step, or 'end'", n_steps),
    };
    let before = gap(&mut line)?;
    let until = match line.take_word("until") {
        true => gap(&mut line)?,
        false => before,
    };
    let keeps_source = !line.take_word("moves");
    line.end()?;
    Ok(Transfer {
        before,
        from,
        to,
        keeps_source,
        until,
    })
}

/// Checks that a plan and its problem agree on the name of an entity.
fn check_name(
    line: &mut Line,
    entity: std::fmt::Arguments<'_>,
    wanted: &str,
) -> Result<(), TextError> {
    let before = line.clone();
    if line.text("a name")? == wanted {
        return Ok(());
    }
    before.error(TextErrorKind::Name {
        entity: entity.to_string(),
        wanted: wanted.to_owned(),
    })
}

//! What `mem-assign-levels` says when there is no plan.

use mem_model::{Bytes, LevelProblem, Storage};
use mem_planner::LevelNoFit;

use crate::extract::Extraction;
use crate::mlir::{Diagnostic, Op};
use crate::registry::PassResult;

/// Most tensors that a message lists.
const MOST: usize = 8;

/// What has addresses already keeps them.
pub(super) fn refuse_placed(extraction: &Extraction) -> PassResult {
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        if let (Storage::Placed { .. }, Some(op)) = (&buffer.storage, extraction.buffer_ops[index])
        {
            let text = format!("'{}' has a place in an arena already", buffer.name);
            return Diagnostic::error(op.location(), text).fail();
        }
    }
    Ok(())
}

/// The plan is for one step after the other.
pub(super) fn refuse_cores(extraction: &Extraction) -> PassResult {
    let steps = extraction.program.steps.iter().zip(&extraction.step_ops);
    let mut on_cores = steps.filter(|(step, _)| step.core.is_some());
    match on_cores.next() {
        Some((_, op)) => {
            let text =
                "runs on a core of its own: levels are assigned to programs of one core only";
            Diagnostic::error(op.location(), text).fail()
        }
        None => Ok(()),
    }
}

/// What exists before the program starts has to fit.
pub(super) fn refuse_full(function: Op, problem: &LevelProblem) -> PassResult {
    let Err((level, missing)) = problem.capacities() else {
        return Ok(());
    };
    let level = &problem.hierarchy.levels[level.index()];
    let capacity = level.capacity.unwrap_or_default();
    let text = format!(
        "arguments and constants in '{}' are {}, and it has {}: {} are missing",
        level.name,
        Bytes::new(capacity.get().saturating_add(missing.get())).human(),
        capacity.human(),
        missing.human(),
    );
    Diagnostic::error(function.location(), text).fail()
}

/// A tensor that a step needs where there is no room.
pub(super) fn no_fit(
    extraction: &Extraction,
    problem: &LevelProblem,
    error: &LevelNoFit,
) -> Diagnostic {
    let tensor = &problem.tensors[error.tensor];
    let level = &problem.hierarchy.levels[error.level.index()];
    let step = &extraction.step_ops[error.step];
    let text = format!(
        "'{}' of {} does not fit into '{}' here: {} are missing",
        tensor.name,
        tensor.size.human(),
        level.name,
        Bytes::new(error.missing).human(),
    );
    let mut alive: Vec<usize> = error.alive.clone();
    alive.sort_unstable_by_key(|tensor| std::cmp::Reverse(problem.tensors[*tensor].size));
    let names: Vec<String> = alive
        .iter()
        .take(MOST)
        .map(|index| {
            let tensor = &problem.tensors[*index];
            format!("'{}' ({})", tensor.name, tensor.size.human())
        })
        .collect();
    let more = match alive.len() {
        n if n > MOST => format!(" and {} more", n - MOST),
        _ => String::new(),
    };
    let capacity = level.capacity.map_or_else(String::new, |capacity| {
        format!("'{}' has {}", level.name, capacity.human())
    });
    let alive = match names.is_empty() {
        true => format!("{capacity}; nothing else is alive in it"),
        false => format!("{capacity}; alive in it: {}{more}", names.join(", ")),
    };
    Diagnostic::error(step.location(), text).note(step.location(), alive)
}

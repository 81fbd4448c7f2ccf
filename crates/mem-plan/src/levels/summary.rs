//! Plans over several levels in a few lines.

use std::fmt::Write as _;

use mem_cost::{ideal_cycles, simulate};
use mem_model::{Bytes, FunctionLevelPlan, FunctionLevels, LevelId, LevelProblem};
use mem_view::printable;

use super::with_human;

/// Returns a summary of a plan: cycles, copies, and the peak of each level. `problem` is what
/// [`check_function`](super::check_function) returns for the plan.
#[must_use]
pub fn level_summary(
    function: &FunctionLevels,
    problem: &LevelProblem,
    own: &FunctionLevelPlan,
) -> String {
    let FunctionLevelPlan {
        strategy,
        lower_bound,
        repetitions,
        plan,
        ..
    } = own;
    let (n_tensors, n_steps) = (problem.tensors.len(), function.problem.steps.len());
    let mut out = format!(
        "@{}: {n_tensors} tensors, {n_steps} steps, {}\n",
        printable(&function.function),
        printable(strategy)
    );
    let makespan = simulate(problem, plan).makespan;
    let ideal = ideal_cycles(&function.problem);
    // With a budget, the bound is on the makespan.
    let of_makespan = function.offload.is_some();
    let bound = |is_bounded: bool, cycles: u64| match is_bounded && *lower_bound > 0 {
        true => format!(", lower bound {lower_bound}{}", gap(cycles, *lower_bound)),
        false => String::new(),
    };
    let makespan_bound = bound(of_makespan, makespan);
    let cost_bound = bound(!of_makespan, plan.cost);
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "  makespan {makespan} cycles{makespan_bound}; ideal {ideal}"
    );
    let _ = writeln!(out, "  serial cost {} cycles{cost_bound}", plan.cost);
    if of_makespan {
        let _ = writeln!(out, "  repeated steps: {}", repetitions.len());
    }
    let moved = with_human(plan.moved(problem));
    let _ = writeln!(out, "  transfers: {}, {moved}", plan.transfers.len());
    print_levels(&mut out, problem, own);
    out
}

/// Relative distance of `cycles` from a lower bound.
fn gap(cycles: u64, bound: u64) -> String {
    let gap = (cycles as f64 / bound as f64 - 1.0) * 100.0;
    format!(" (gap {gap:.1} %)")
}

/// A row for each level: its capacity, the bytes of tensors with a home there, and the peak of the
/// plan's own arena.
fn print_levels(out: &mut String, problem: &LevelProblem, own: &FunctionLevelPlan) {
    let levels = problem.hierarchy.levels.iter().enumerate();
    let rows = levels.map(|(index, level)| {
        let id = LevelId::new(index);
        let tensors = problem.tensors.iter();
        let at_home = tensors.filter(|own| own.home == Some(id) && own.within.is_none());
        let homes = at_home.fold(0_u64, |sum, own| sum.saturating_add(own.size.get()));
        let peak = own.plan.peak(problem, id).unwrap_or_default();
        [
            printable(&level.name).to_string(),
            level.capacity.map_or("unbounded".to_owned(), shown),
            homes.to_string(),
            shown(peak),
        ]
    });
    let headings = ["level", "capacity", "homes", "peak"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(headings).chain(rows).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3].map(width);
    for [name, capacity, homes, peak] in &rows {
        let [first, second, third, fourth] = widths;
        let _ = writeln!(
            out,
            "  {name:<first$}  {capacity:>second$}  {homes:>third$}  {peak:>fourth$}"
        );
    }
}

fn shown(bytes: Bytes) -> String {
    bytes.to_string()
}

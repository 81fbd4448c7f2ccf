//! Decisions and explanations as sentences, for remarks and pages.

use mem_cost::{Cause, Decision, Explanation, Held, Overlap, Reason, Tightest, Way};
use mem_model::{Bytes, LevelId, LevelProblem, Tensor};

use super::home_bytes;

/// Maximum number of tensors named in the contents of a level.
const MOST_HELD: usize = 8;

/// Maximum number of tensors named that leave no room for another.
const MOST_OCCUPANTS: usize = 4;

/// Returns a decision as a sentence without a full stop.
#[must_use]
pub fn decision_text(decision: &Decision, problem: &LevelProblem) -> String {
    let tensor = &problem.tensors[decision.tensor.index()];
    let (name, size) = (&tensor.name, tensor.size.human());
    let [away, back] = decision.swap;
    let (after, before, free) = (decision.after, decision.before, decision.free);
    let margin = match u64::try_from(free) {
        Ok(free) => format!("with {free} to spare"),
        Err(_) => format!(
            "{} more than the computation in between",
            free.unsigned_abs()
        ),
    };
    let copying = format!("copying it out takes {away} cycles and back {back}, {margin}");
    match decision.way {
        Way::Swap { trigger, waits } => {
            let again = match decision.again {
                Some(cycles) => format!("recomputing it would take {cycles}"),
                None => "it cannot be recomputed".to_owned(),
            };
            format!(
                "'{name}' ({size}) is on the host from step {after} to step {before}, requested before step {trigger}: \
                 {copying}; the program waits {waits} cycles; {again}"
            )
        }
        Way::Recompute { n_steps } => {
            let cycles = decision.again.unwrap_or(0);
            let steps = if n_steps == 1 { "step" } else { "steps" };
            format!(
                "'{name}' ({size}) is dropped after step {after} and recomputed for step {before}, by {n_steps} {steps} in \
                 {cycles} cycles: {copying}"
            )
        }
    }
}

/// Returns the contents of a level at its fullest step as a sentence without a full stop.
#[must_use]
pub fn tightest_text(tightest: &Tightest, problem: &LevelProblem) -> String {
    let level = &problem.hierarchy.levels[tightest.level.index()];
    let capacity = level.capacity;
    let of = capacity.map_or_else(String::new, |capacity| format!(" of {}", capacity.human()));
    let beside = match home_bytes(problem, tightest.level) {
        Bytes::ZERO => String::new(),
        bytes => format!(
            " in addition to {} of arguments and constants",
            bytes.human()
        ),
    };
    let entry = |held: &Held| {
        let tensor = &problem.tensors[held.tensor.index()];
        let (start, end) = (held.offset.get(), held.offset.get() + tensor.size.get());
        let over = held.in_place_of.map_or_else(String::new, |operand| {
            format!(" in place of '{}'", problem.tensors[operand.index()].name)
        });
        format!("'{}' [{start}, {end}){over}", tensor.name)
    };
    let entries: Vec<String> = tightest.map.iter().take(MOST_HELD).map(entry).collect();
    let more = and_more(tightest.map.len(), MOST_HELD);
    format!(
        "'{}' is fullest here, with {}{of}{beside}: {}{more}",
        level.name,
        tightest.bytes.human(),
        entries.join(", ")
    )
}

/// Returns an explanation as a sentence without a full stop.
#[must_use]
pub fn explanation_text(explanation: &Explanation, problem: &LevelProblem) -> String {
    let tensor = &problem.tensors[explanation.tensor.index()];
    let (name, cycles) = (&tensor.name, explanation.cycles);
    let level_name = |level: LevelId| &problem.hierarchy.levels[level.index()].name;
    match &explanation.cause {
        Cause::Slower {
            level,
            best,
            reason,
        } => format!(
            "'{name}' is in '{}' here rather than in '{}', which costs {cycles} cycles: {}",
            level_name(*level),
            level_name(*best),
            reason_text(reason, tensor, level_name(*best), problem)
        ),
        Cause::Stall { overlap } => {
            format!(
                "waits {cycles} cycles for '{name}': {}",
                overlap_text(*overlap)
            )
        }
    }
}

/// Why `tensor` is not in the level called `level`.
fn reason_text(reason: &Reason, tensor: &Tensor, level: &str, problem: &LevelProblem) -> String {
    let size = tensor.size.human();
    match reason {
        Reason::InPlace => {
            "it has to be used in place: it may be aliased, or has no fixed layout".to_owned()
        }
        Reason::NotAccepted => format!("the step does not accept it in '{level}'"),
        Reason::TooLarge { capacity } => {
            format!("its {size} exceed the capacity of {}", capacity.human())
        }
        Reason::NoRoom { free, occupants } => {
            let names = occupants.iter().take(MOST_OCCUPANTS);
            let names = names.map(|tensor| format!("'{}'", problem.tensors[tensor.index()].name));
            format!(
                "it needs {size} of '{level}', which has {} free: {}{} save more there",
                free.human(),
                names.collect::<Vec<String>>().join(", "),
                and_more(occupants.len(), MOST_OCCUPANTS)
            )
        }
        Reason::UsedOnce => {
            "it is used only once, and a copy would cost more than it saves".to_owned()
        }
        Reason::NotWorthwhile => {
            "a copy would cost more than it saves, or the free bytes are fragmented".to_owned()
        }
    }
}

/// What a copy overlaps that control stalls for.
fn overlap_text(overlap: Option<Overlap>) -> String {
    match overlap {
        Some(Overlap {
            after: Some(after),
            cycles,
        }) => format!(
            "the copy begins after step {after}, as soon as its source is written and its target is free, \
             and overlaps {cycles} cycles of computation"
        ),
        Some(Overlap {
            after: None,
            cycles,
        }) => format!("the copy overlaps {cycles} cycles of computation"),
        None => "the copy overlaps no computation: its source is not written earlier, or its target is not free earlier".to_owned(),
    }
}

/// The end of a list that names `most` of `n` things.
fn and_more(n: usize, most: usize) -> String {
    match n.checked_sub(most) {
        Some(more @ 1..) => format!(" and {more} more"),
        _ => String::new(),
    }
}

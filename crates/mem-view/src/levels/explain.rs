//! Explains why a tensor is not in a faster level, and why a copy stalls.

use std::collections::HashMap;

use mem_cost::{Schedule, simulate, step_cycles, use_cost};
use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem};

use super::LevelView;
use super::occupancy::{Occupancy, taken_over};

/// An explanation attached to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Index of the step; the number of steps for the end of the program.
    pub step: usize,
    /// Index of the tensor.
    pub tensor: usize,
    /// Cycles at stake. Explanations are sorted by them, largest first.
    pub cycles: u64,
    /// A sentence without a full stop.
    pub text: String,
}

/// The contents of a level at its fullest step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tightest {
    /// The level.
    pub level: LevelId,
    /// The first step at which the most bytes are held.
    pub step: usize,
    /// Number of distinct bytes held.
    pub bytes: Bytes,
    /// The tensors that hold the bytes, by ascending address.
    pub map: Vec<Held>,
}

/// A tensor that holds bytes of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// Address of its first byte.
    pub offset: Bytes,
    /// Index of the tensor.
    pub tensor: usize,
    /// The operand that the tensor is in place of: both hold the bytes that they have in common.
    pub in_place_of: Option<usize>,
}

/// Returns the fullest step of each level that holds anything; see [`Occupancy`]. O(p log p) for p
/// placements, plus the number of accesses.
#[must_use]
pub fn tightest(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Tightest> {
    let levels = (0..problem.hierarchy.levels.len()).map(LevelId::new);
    let of_level = |level: LevelId| {
        let (step, bytes) = Occupancy::new(problem, plan, level).fullest()?;
        Some(Tightest {
            level,
            step,
            bytes,
            map: map(problem, plan, level, step),
        })
    };
    levels.filter_map(of_level).collect()
}

/// Returns the tensors that hold bytes of a level during a step, by ascending address.
fn map(problem: &LevelProblem, plan: &LevelPlan, level: LevelId, step: usize) -> Vec<Held> {
    let mut operands = HashMap::new();
    for (operand, result) in taken_over(problem, plan, step) {
        let [from, to] = [operand, result].map(|index| &plan.placements[index]);
        if from.offset == to.offset {
            operands.insert(result, from.tensor);
        }
    }
    let all = plan.placements.iter().enumerate();
    let at_step = all.filter(|(_, own)| own.level == level && own.steps.contains(step));
    let held = at_step.filter_map(|(index, own)| {
        Some(Held {
            offset: own.offset?,
            tensor: own.tensor,
            in_place_of: operands.get(&index).copied(),
        })
    });
    let mut map: Vec<Held> = held.collect();
    map.sort_unstable();
    map
}

impl Tightest {
    /// Returns a sentence without a full stop.
    #[must_use]
    pub fn text(&self, problem: &LevelProblem) -> String {
        const MOST: usize = 8;
        let level = &problem.hierarchy.levels[self.level.index()];
        let capacity = level.capacity;
        let of = capacity.map_or_else(String::new, |capacity| format!(" of {}", capacity.human()));
        let beside = match home_bytes(problem, self.level) {
            Bytes::ZERO => String::new(),
            bytes => format!(
                " in addition to {} of arguments and constants",
                bytes.human()
            ),
        };
        let entry = |held: &Held| {
            let tensor = &problem.tensors[held.tensor];
            let (start, end) = (held.offset.get(), held.offset.get() + tensor.size.get());
            let over = held.in_place_of.map_or_else(String::new, |operand| {
                format!(" in place of '{}'", problem.tensors[operand].name)
            });
            format!("'{}' [{start}, {end}){over}", tensor.name)
        };
        let entries: Vec<String> = self.map.iter().take(MOST).map(entry).collect();
        let more = match self.map.len() {
            n if n > MOST => format!(" and {} more", n - MOST),
            _ => String::new(),
        };
        format!(
            "'{}' is fullest here, with {}{of}{beside}: {}{more}",
            level.name,
            self.bytes.human(),
            entries.join(", ")
        )
    }
}

/// Bytes of a level that tensors occupy before the first step: arguments, results and constants.
pub(super) fn home_bytes(problem: &LevelProblem, level: LevelId) -> Bytes {
    let own = problem.tensors.iter().filter(|own| own.within.is_none());
    let at_home = own.filter(|own| own.home == Some(level));
    Bytes::new(
        at_home
            .map(|own| own.size.get())
            .fold(0, u64::saturating_add),
    )
}

/// Explains each use of a tensor in a level slower than the best one, and each copy that the
/// program stalls for. The most expensive comes first. O(uses times placements in a level).
#[must_use]
pub fn explain(view: &LevelView<'_>) -> Vec<Explanation> {
    let (problem, plan) = (view.problem, view.plan);
    let levels = (0..problem.hierarchy.levels.len()).map(LevelId::new);
    let held: Vec<Occupancy> = levels
        .map(|level| Occupancy::new(problem, plan, level))
        .collect();
    let mut explanations = Vec::new();
    for step in 0..problem.steps.len() {
        let uses = problem.steps[step].uses.iter().zip(&plan.accessed[step]);
        for (used, placement) in uses {
            let level = plan.placements[*placement].level;
            let best = (0..level.index())
                .map(LevelId::new)
                .min_by_key(|level| use_cost(&problem.hierarchy, used, *level));
            let Some(best) = best else { continue };
            let cost = |level: LevelId| use_cost(&problem.hierarchy, used, level);
            let lost = cost(level).saturating_sub(cost(best));
            let lost = lost.saturating_mul(problem.steps[step].repeats.max(1));
            if lost == 0 {
                continue;
            }
            let tensor = &problem.tensors[used.tensor];
            let held = held[best.index()].held[step];
            let why = reason(problem, plan, step, used, best, held);
            let name = |level: LevelId| &problem.hierarchy.levels[level.index()].name;
            explanations.push(Explanation {
                step,
                tensor: used.tensor,
                cycles: lost,
                text: format!(
                    "'{}' is in '{}' here rather than in '{}', which costs {lost} cycles: {why}",
                    tensor.name,
                    name(level),
                    name(best)
                ),
            });
        }
    }
    let schedule = simulate(problem, plan);
    explanations.extend(stalls(problem, plan, &schedule));
    explanations.sort_by_key(|own| (std::cmp::Reverse(own.cycles), own.step, own.tensor));
    explanations
}

/// Returns why a step does not find a tensor in `level`, of which placements hold `held` bytes.
fn reason(
    problem: &LevelProblem,
    plan: &LevelPlan,
    step: usize,
    used: &mem_model::TensorUse,
    level: LevelId,
    held: Bytes,
) -> String {
    let tensor = &problem.tensors[used.tensor];
    let own = &problem.hierarchy.levels[level.index()];
    let capacities = problem.capacities().unwrap_or_default();
    let capacity = capacities.get(level.index()).copied().flatten();
    if !used.accepts(level) {
        return match tensor.home {
            Some(home) if used.accepted == [home] => {
                "it has to be used in place: it may be aliased, or has no fixed layout".to_owned()
            }
            _ => format!("the step does not accept it in '{}'", own.name),
        };
    }
    if let Some(capacity) = capacity.filter(|capacity| tensor.size > *capacity) {
        return format!(
            "its {} exceed the capacity of {}",
            tensor.size.human(),
            capacity.human()
        );
    }
    let mut there: Vec<usize> = Vec::new();
    for placement in &plan.placements {
        let is_there = placement.level == level && placement.offset.is_some();
        if is_there && placement.steps.contains(step) {
            there.push(placement.tensor);
        }
    }
    let free = capacity.map_or(u64::MAX, |capacity| {
        capacity.get().saturating_sub(held.get())
    });
    if free < tensor.size.get() {
        there.sort_unstable_by_key(|tensor| std::cmp::Reverse(problem.tensors[*tensor].size));
        let names: Vec<String> = there
            .iter()
            .take(4)
            .map(|tensor| format!("'{}'", problem.tensors[*tensor].name))
            .collect();
        let more = match there.len() {
            n if n > 4 => format!(" and {} more", n - 4),
            _ => String::new(),
        };
        return format!(
            "it needs {} of '{}', which has {} free: {}{more} save more there",
            tensor.size.human(),
            own.name,
            Bytes::new(free).human(),
            names.join(", ")
        );
    }
    let uses = problem.steps.iter().flat_map(|step| &step.uses);
    match uses.filter(|other| other.tensor == used.tensor).count() {
        0 | 1 => "it is used only once, and a copy would cost more than it saves".to_owned(),
        _ => "a copy would cost more than it saves, or the free bytes are fragmented".to_owned(),
    }
}

/// Explains the stalls of a schedule.
fn stalls<'a>(
    problem: &'a LevelProblem,
    plan: &'a LevelPlan,
    schedule: &'a Schedule,
) -> impl Iterator<Item = Explanation> + 'a {
    let stalls = schedule.stalls.iter().enumerate();
    stalls.filter_map(|(step, (cycles, transfer))| {
        let transfer = (*transfer).filter(|_| *cycles > 0)?;
        let own = &plan.transfers[transfer];
        let tensor = plan.placements[own.from].tensor;
        let before = own.before.checked_sub(1);
        let beside: u64 = (own.before..own.until)
            .map(|step| step_cycles(problem, plan, step))
            .fold(0, u64::saturating_add);
        let when = match before {
            Some(before) if own.until > own.before => format!(
                "the copy begins after step {before}, as soon as its source is written and its target is free, \
                 and overlaps {beside} cycles of computation"
            ),
            _ if own.until > own.before => format!("the copy overlaps {beside} cycles of computation"),
            _ => "the copy overlaps no computation: its source is not written earlier, or its target is not free earlier".to_owned(),
        };
        Some(Explanation {
            step,
            tensor,
            cycles: *cycles,
            text: format!("waits {cycles} cycles for '{}': {when}", problem.tensors[tensor].name),
        })
    })
}

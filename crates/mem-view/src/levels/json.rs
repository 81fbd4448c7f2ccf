//! Plans over several levels as JSON; the schema is in `SCHEMA.md`.

use mem_cost::{Decision, Held, Occupancy, Tightest, Way, explain, simulate, tightest};
use mem_model::{Bytes, Level, LevelId, LevelProblem, Tensor, TensorId};
use serde_json::{Value, json};

use super::sentences::explanation_text;
use super::{LevelView, first_and_last, home_bytes};
use crate::role_name;

/// Version of the schema, shared with plans for one level.
const VERSION: u32 = 1;

/// Maximum number of explanations per function.
const MOST: usize = 200;

/// Returns the plans as one JSON object, indented, with a final newline. Equal plans give equal
/// bytes.
#[must_use]
pub fn levels_json(views: &[LevelView<'_>]) -> String {
    let cost = views
        .iter()
        .map(|view| view.plan.cost)
        .fold(0, u64::saturating_add);
    let document = json!({
        "version": VERSION,
        "tool": "mem-opt",
        "functions": views.iter().map(function).collect::<Vec<_>>(),
        "levels": levels(views),
        "buffers": views.iter().flat_map(buffers).collect::<Vec<_>>(),
        "transfers": views.iter().flat_map(transfers).collect::<Vec<_>>(),
        "decisions": views.iter().flat_map(decided).collect::<Vec<_>>(),
        "explanations": views.iter().flat_map(explanations).collect::<Vec<_>>(),
        "cost": cost,
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn decided<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let own = view.decisions.iter();
    own.map(|own| decision(own, view.problem, view.name))
}

fn decision(own: &Decision, problem: &LevelProblem, function: &str) -> Value {
    let (way, trigger, waits) = match own.way {
        Way::Swap { trigger, waits } => ("swap", Some(trigger), Some(waits)),
        Way::Recompute { .. } => ("recompute", None, None),
    };
    json!({
        "function": function,
        "tensor": problem.tensors[own.tensor.index()].name,
        "size": problem.tensors[own.tensor.index()].size.get(),
        "way": way,
        "after": own.after,
        "before": own.before,
        "trigger": trigger,
        "waits": waits,
        "swap_out": own.swap[0],
        "swap_in": own.swap[1],
        "free": own.free,
        "recompute": own.again,
    })
}

fn function(view: &LevelView<'_>) -> Value {
    json!({
        "name": view.name,
        "strategy": view.strategy,
        "cost": view.plan.cost,
        "makespan": simulate(view.problem, view.plan).makespan,
        "lower_bound": view.lower_bound,
        "steps": view.problem.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
        "levels": function_levels(view).iter().map(FunctionLevel::json).collect::<Vec<_>>(),
    })
}

/// The requirements of one function in a level.
struct FunctionLevel<'a> {
    name: &'a str,
    capacity: Option<Bytes>,
    home: Bytes,
    peak: Bytes,
    occupied: Bytes,
    lower_bound: Bytes,
}

impl FunctionLevel<'_> {
    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "capacity": self.capacity.map(Bytes::get),
            "home": self.home.get(),
            "peak": self.peak.get(),
            "occupied": self.occupied.get(),
            "lower_bound": self.lower_bound.get(),
        })
    }
}

fn function_levels<'a>(view: &LevelView<'a>) -> Vec<FunctionLevel<'a>> {
    let levels = view.problem.hierarchy.levels.iter().enumerate();
    let of_level = |(index, level): (usize, &'a Level)| {
        let id = LevelId::new(index);
        let occupancy = Occupancy::new(view.problem, view.plan, id);
        FunctionLevel {
            name: &level.name,
            capacity: level.capacity,
            home: home_bytes(view.problem, id),
            peak: view.plan.peak(view.problem, id).unwrap_or_default(),
            occupied: occupancy.fullest().map_or(Bytes::ZERO, |(_, bytes)| bytes),
            lower_bound: occupancy.largest_lower_bound(),
        }
    };
    levels.map(of_level).collect()
}

/// Per level: the maximum of each figure over all functions.
fn levels(views: &[LevelView<'_>]) -> Vec<Value> {
    let Some(first) = views.first() else {
        return Vec::new();
    };
    let by_function: Vec<Vec<FunctionLevel<'_>>> = views.iter().map(function_levels).collect();
    let fullest = fullest(views);
    let levels = first
        .problem
        .hierarchy
        .levels
        .iter()
        .zip(fullest)
        .enumerate();
    levels
        .map(|(index, (level, tightest))| {
            let most = |figure: fn(&FunctionLevel<'_>) -> Bytes| {
                let figures = by_function.iter().map(|own| figure(&own[index]));
                figures.max().unwrap_or_default()
            };
            // A callee may have a smaller capacity than its callers.
            let mut capacities = by_function.iter().map(|own| own[index].capacity);
            let all = FunctionLevel {
                name: &level.name,
                capacity: capacities.try_fold(Bytes::ZERO, |most, own| Some(most.max(own?))),
                home: most(|own| own.home),
                peak: most(|own| own.peak),
                occupied: most(|own| own.occupied),
                lower_bound: most(|own| own.lower_bound),
            };
            let mut json = all.json();
            json["tightest"] = tightest.map_or(Value::Null, |(view, own)| map(view, &own));
            json
        })
        .collect()
}

/// Per level: the function and the step at which the most bytes are held.
fn fullest<'a>(views: &'a [LevelView<'a>]) -> Vec<Option<(&'a LevelView<'a>, Tightest)>> {
    let n_levels = views
        .first()
        .map_or(0, |view| view.problem.hierarchy.levels.len());
    let mut fullest: Vec<Option<(&LevelView<'_>, Tightest)>> =
        (0..n_levels).map(|_| None).collect();
    for view in views {
        for own in tightest(view.problem, view.plan) {
            let known = &mut fullest[own.level.index()];
            if known
                .as_ref()
                .is_none_or(|(_, known)| own.bytes > known.bytes)
            {
                *known = Some((view, own));
            }
        }
    }
    fullest
}

fn map(view: &LevelView<'_>, tightest: &Tightest) -> Value {
    let name = |tensor: TensorId| &view.problem.tensors[tensor.index()].name;
    let entry = |held: &Held| {
        json!({
            "buffer": name(held.tensor),
            "offset": held.offset.get(),
            "size": view.problem.tensors[held.tensor.index()].size.get(),
            "in_place_of": held.in_place_of.map(name),
        })
    };
    json!({
        "function": view.name,
        "step": tightest.step,
        "map": tightest.map.iter().map(entry).collect::<Vec<_>>(),
    })
}

/// Each buffer once, with the placements of all its tensors.
fn buffers<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let n_steps = view.problem.steps.len();
    let mut places: Vec<Vec<Value>> = vec![Vec::new(); view.program.buffers.len()];
    for own in &view.plan.placements {
        let level = &view.problem.hierarchy.levels[own.level.index()].name;
        let live = first_and_last(own.steps, n_steps);
        places[view.buffers[own.tensor.index()].index()].push(json!({
            "level": level,
            "offset": own.offset.map(Bytes::get),
            "slot": 0,
            "live": live.into_iter().collect::<Vec<_>>(),
        }));
    }
    let mut tensors: Vec<Option<&Tensor>> = vec![None; view.program.buffers.len()];
    for (tensor, buffer) in view.problem.tensors.iter().zip(view.buffers) {
        tensors[buffer.index()].get_or_insert(tensor);
    }
    let buffers = view.program.buffers.iter().zip(tensors).zip(places);
    buffers.filter_map(|((buffer, tensor), mut placements)| {
        let tensor = tensor?;
        // Each block has its own tensor for a buffer that it only reads. Their homes are the same:
        // keep one.
        let mut is_at_home = false;
        placements
            .retain(|own| !own["offset"].is_null() || !std::mem::replace(&mut is_at_home, true));
        let storage = match tensor.home {
            Some(_) => "external",
            None => "planned",
        };
        Some(json!({
            "function": view.name,
            "name": buffer.name,
            "role": role_name(buffer.role),
            "storage": storage,
            "size": tensor.size.get(),
            "alignment": tensor.alignment.get(),
            "location": buffer.location,
            "placements": placements,
        }))
    })
}

fn transfers<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let schedule = simulate(view.problem, view.plan);
    let transfers = view.plan.transfers.iter().zip(schedule.transfers);
    transfers.map(|(transfer, when)| {
        let [from, to] = [transfer.from, transfer.to].map(|id| &view.plan.placements[id.index()]);
        let level = |id: mem_model::LevelId| &view.problem.hierarchy.levels[id.index()].name;
        let engine = when
            .engine
            .map(|engine| &view.problem.hierarchy.engines[engine].name);
        json!({
            "function": view.name,
            "buffer": view.problem.tensors[from.tensor.index()].name,
            "from": { "level": level(from.level), "offset": from.offset.map(Bytes::get) },
            "to": { "level": level(to.level), "offset": to.offset.map(Bytes::get) },
            "before": transfer.before,
            "until": transfer.until,
            "keeps_source": transfer.keeps_source,
            "engine": engine,
            "start": when.span.start,
            "end": when.span.end,
        })
    })
}

fn explanations<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let explanations = explain(view.problem, view.plan).into_iter().take(MOST);
    explanations.map(|own| {
        json!({
            "function": view.name,
            "step": own.step,
            "buffer": view.problem.tensors[own.tensor.index()].name,
            "cycles": own.cycles,
            "text": explanation_text(&own, view.problem),
        })
    })
}

//! Plans over several levels as JSON; the schema is in `SCHEMA.md`.

use mem_model::{Bytes, LevelId, simulate};
use serde_json::{Value, json};

use super::{LevelView, explain, tightest};

/// Version of the schema: that of plans in one level.
const VERSION: u32 = 1;

/// Most explanations of one function.
const MOST: usize = 200;

/// The plans as one JSON object, indented, with a final newline. The same plans give the same bytes.
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
    own.map(|own| own.json(view.problem, view.name))
}

fn function(view: &LevelView<'_>) -> Value {
    json!({
        "name": view.name,
        "strategy": view.strategy,
        "cost": view.plan.cost,
        "makespan": simulate(view.problem, view.plan).makespan,
        "lower_bound": view.lower_bound,
        "steps": view.problem.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
    })
}

fn levels(views: &[LevelView<'_>]) -> Vec<Value> {
    let Some(first) = views.first() else {
        return Vec::new();
    };
    let levels = first.problem.hierarchy.levels.iter().enumerate();
    levels
        .map(|(index, level)| {
            let id = LevelId::new(index);
            let peaks = views
                .iter()
                .filter_map(|view| view.plan.peak(view.problem, id));
            let fullest = views.iter().flat_map(|view| {
                let own = tightest(view).into_iter();
                own.filter(|own| own.level.index() == index)
                    .map(move |own| (own.bytes, own, view))
            });
            let fullest = fullest.max_by_key(|(bytes, ..)| *bytes);
            json!({
                "name": level.name,
                "capacity": level.capacity.map(Bytes::get),
                "peak": peaks.max().map_or(0, Bytes::get),
                "lower_bound": fullest.as_ref().map_or(0, |(bytes, ..)| bytes.get()),
                "tightest": fullest.map(|(_, own, view)| json!({
                    "function": view.name,
                    "step": own.step,
                    "map": own.map.iter().map(|(start, tensor)| json!({
                        "buffer": view.problem.tensors[*tensor].name,
                        "offset": start.get(),
                        "size": view.problem.tensors[*tensor].size.get(),
                    })).collect::<Vec<_>>(),
                })),
            })
        })
        .collect()
}

fn buffers<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let mut places: Vec<Vec<Value>> = vec![Vec::new(); view.problem.tensors.len()];
    for own in &view.plan.placements {
        let level = &view.problem.hierarchy.levels[own.level.index()].name;
        places[own.tensor].push(json!({
            "level": level,
            "offset": own.offset.map(Bytes::get),
            "live": [[own.steps.start, own.steps.end.saturating_sub(1)]],
        }));
    }
    let tensors = view.problem.tensors.iter().zip(places);
    let used = tensors.filter(|(_, places)| !places.is_empty());
    used.map(|(tensor, places)| {
        json!({
            "function": view.name,
            "name": tensor.name,
            "size": tensor.size.get(),
            "alignment": tensor.alignment.get(),
            "placements": places,
        })
    })
}

fn transfers<'a>(view: &'a LevelView<'_>) -> impl Iterator<Item = Value> + 'a {
    let schedule = simulate(view.problem, view.plan);
    let transfers = view.plan.transfers.iter().zip(schedule.transfers);
    transfers.map(|(transfer, when)| {
        let [from, to] = [transfer.from, transfer.to].map(|index| &view.plan.placements[index]);
        let level = |id: mem_model::LevelId| &view.problem.hierarchy.levels[id.index()].name;
        let engine = when
            .engine
            .map(|engine| &view.problem.hierarchy.engines[engine].name);
        json!({
            "function": view.name,
            "buffer": view.problem.tensors[from.tensor].name,
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
    explain(view).into_iter().take(MOST).map(|own| {
        json!({
            "function": view.name,
            "step": own.step,
            "buffer": view.problem.tensors[own.tensor].name,
            "cycles": own.cycles,
            "text": own.text,
        })
    })
}

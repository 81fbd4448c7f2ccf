//! A schedule as trace events, for Perfetto and Chrome's viewer. The processor and each engine have
//! a track, and so does each engine of a link to other ranks that carries messages. Arrows lead from the point
//! where a copy is issued to the copy, and on to the step that needs it. A counter for each level shows the bytes that are live in it: those of its arena, and of
//! the tensors that are at home there. A cycle is shown as a microsecond.

use std::collections::BTreeMap;

use mem_cost::{Occupancy, Schedule, simulate};
use mem_model::{Carrier, LevelId};
use serde_json::{Value, json};

use super::{LevelView, home_bytes};

/// Track of the processor; engines follow.
const PROCESSOR: usize = 0;

/// Returns the trace as one JSON object, with a final newline.
#[must_use]
pub fn levels_trace(views: &[LevelView<'_>]) -> String {
    let mut events: Vec<Value> = Vec::new();
    for (process, view) in views.iter().enumerate() {
        add_function(process, view, &mut events);
    }
    let document = json!({ "displayTimeUnit": "ms", "otherData": { "unit": "cycles" }, "traceEvents": events });
    let mut text = serde_json::to_string(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn add_function(process: usize, view: &LevelView<'_>, events: &mut Vec<Value>) {
    let name = |track: usize, name: &str| json!({ "ph": "M", "pid": process, "tid": track, "name": "thread_name", "args": { "name": name } });
    events.push(json!({ "ph": "M", "pid": process, "name": "process_name", "args": { "name": format!("@{}", view.name) } }));
    events.push(name(PROCESSOR, "processor"));
    for (engine, own) in view.problem.hierarchy.engines.iter().enumerate() {
        events.push(name(engine + 1, &own.name));
    }
    let schedule = simulate(view.problem, view.plan);
    let mut now = 0;
    for (step, span) in schedule.steps.iter().enumerate() {
        let (stall, _) = schedule.stalls[step];
        if stall > 0 {
            events.push(
                json!({ "ph": "X", "pid": process, "tid": PROCESSOR, "ts": now, "dur": stall,
                "name": "waits", "cname": "terrible" }),
            );
        }
        now = span.end;
        let own = &view.problem.steps[step];
        events.push(
            json!({ "ph": "X", "pid": process, "tid": PROCESSOR, "ts": span.start,
            "dur": span.end - span.start, "name": own.name,
            "args": { "step": step, "repeats": own.repeats, "location": location(view, step) } }),
        );
    }
    add_messages(process, view, &schedule, events);
    add_counters(process, view, &schedule, events);
    for (index, (transfer, when)) in view
        .plan
        .transfers
        .iter()
        .zip(&schedule.transfers)
        .enumerate()
    {
        let [from, to] = [transfer.from, transfer.to].map(|id| &view.plan.placements[id.index()]);
        let tensor = &view.problem.tensors[from.tensor.index()];
        let level = |id: mem_model::LevelId| &view.problem.hierarchy.levels[id.index()].name;
        let track = when.engine.map_or(PROCESSOR, |engine| engine + 1);
        events.push(
            json!({ "ph": "X", "pid": process, "tid": track, "ts": when.span.start,
            "dur": when.span.end - when.span.start, "name": tensor.name,
            "args": { "bytes": tensor.size.get(), "from": level(from.level), "to": level(to.level),
                      "before": transfer.before, "until": transfer.until,
                      "location": view.program.buffers[view.buffers[from.tensor.index()].index()].location } }),
        );
        let id = format!("{process}.{index}");
        let arrow = |phase: &str, track: usize, time: u64| json!({ "ph": phase, "bp": "e", "pid": process, "tid": track, "ts": time, "id": id, "cat": "copy", "name": "copy" });
        events.push(arrow("s", PROCESSOR, when.asked));
        events.push(arrow("t", track, when.span.start));
        // The step before which the copy has to be complete.
        if let Some(step) = schedule.steps.get(transfer.until) {
            events.push(arrow("f", PROCESSOR, step.start));
        }
    }
}

/// The messages, on a track for each engine of a link that carries any. One that needs both directions of a
/// link is on both tracks.
fn add_messages(
    process: usize,
    view: &LevelView<'_>,
    schedule: &Schedule,
    events: &mut Vec<Value>,
) {
    let hierarchy = &view.problem.hierarchy;
    // The tracks of a link: one, or one for each direction.
    let tracks = |on: Carrier| {
        let is_duplex = |link: usize| hierarchy.links.get(link).is_some_and(|own| own.is_duplex);
        let before: usize = (0..on.link.index())
            .map(|link| 1 + usize::from(is_duplex(link)))
            .sum();
        let first = hierarchy.engines.len() + 1 + before;
        let link = hierarchy.links.get(on.link.index());
        let name = link.and_then(|own| own.name.as_deref());
        let name = match name {
            Some(name) => format!("link {name}"),
            None => "link between ranks".to_owned(),
        };
        match is_duplex(on.link.index()) {
            false => vec![(first, name)],
            true => [("out", 0), ("in", 1)]
                .into_iter()
                .zip(on.lanes.occupied())
                .filter(|(_, is_occupied)| *is_occupied)
                .map(|((lane, n), _)| (first + n, format!("{name}, {lane}")))
                .collect(),
        }
    };
    let mut named: BTreeMap<usize, String> = BTreeMap::new();
    let mut spans = Vec::new();
    for (step, message) in schedule.messages.iter().enumerate() {
        let own = &view.problem.steps[step];
        let Some((span, on)) = message.zip(own.link.carrier()) else {
            continue;
        };
        for (track, name) in tracks(on) {
            named.insert(track, name);
            spans.push(
                json!({ "ph": "X", "pid": process, "tid": track, "ts": span.start,
                "dur": span.end - span.start, "name": own.name, "args": { "step": step } }),
            );
        }
    }
    events.extend(named.iter().map(|(track, name)| json!({ "ph": "M", "pid": process, "tid": track, "name": "thread_name", "args": { "name": name } })));
    events.extend(spans);
}

/// The source location of a step; of a repetition, that of the repeated step.
fn location<'a>(view: &LevelView<'a>, step: usize) -> &'a str {
    let executed = view.steps.get(step).map_or(step, |own| own.step);
    let own = view.program.steps.get(executed);
    own.map_or("", |own| own.location.as_str())
}

/// The bytes that are live in each level when a step begins, where their number changes.
fn add_counters(
    process: usize,
    view: &LevelView<'_>,
    schedule: &Schedule,
    events: &mut Vec<Value>,
) {
    for (index, level) in view.problem.hierarchy.levels.iter().enumerate() {
        let id = LevelId::new(index);
        let home = home_bytes(view.problem, id).get();
        let mut event = |time: u64, bytes: u64| {
            events.push(json!({ "ph": "C", "pid": process, "ts": time,
                "name": format!("live in {}", level.name), "args": { "bytes": bytes } }));
        };
        let mut last = None;
        let held = Occupancy::new(view.problem, view.plan, id).held;
        for (span, held) in schedule.steps.iter().zip(held) {
            let bytes = home.saturating_add(held.get());
            if last.replace(bytes) != Some(bytes) {
                event(span.start, bytes);
            }
        }
        event(schedule.makespan, home);
    }
}

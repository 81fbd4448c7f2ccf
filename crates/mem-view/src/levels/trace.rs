//! A schedule as trace events, for Perfetto and Chrome's viewer. The processor and each engine have
//! a track, and so does each engine of a link to other ranks that carries messages. Arrows lead from the
//! point where a copy is issued to the copy, and on to the step that needs it. A counter for each level shows
//! the bytes that are live in it: those of its arena, and of the tensors that are at home there. A cycle is
//! shown as a microsecond.

use std::collections::BTreeMap;

use mem_cost::{Occupancy, Schedule, Span, simulate};
use mem_model::{Carrier, LevelId, LevelProblem, Transfer};
use serde_json::json;

use super::{LevelView, home_bytes};
use crate::trace_events::{Arrow, TraceEvents, Track};

/// Returns the trace as one JSON object, with a final newline.
#[must_use]
pub fn levels_trace(views: &[LevelView<'_>]) -> String {
    let mut trace = TraceEvents::default();
    for view in views {
        let schedule = simulate(view.problem, view.plan);
        let tracks = Tracks::new(view, &schedule, &mut trace);
        add_steps(view, &schedule, &tracks, &mut trace);
        add_counters(view, &schedule, &tracks, &mut trace);
    }
    trace.text(Some("cycles"))
}

/// The tracks of a function.
struct Tracks {
    processor: Track,
    engines: Vec<Track>,
    /// By link and direction: the engines of links to other ranks that carry messages.
    links: BTreeMap<(usize, usize), Track>,
}

impl Tracks {
    fn new(view: &LevelView<'_>, schedule: &Schedule, trace: &mut TraceEvents) -> Self {
        let engines = &view.problem.hierarchy.engines;
        let steps = 0..view.problem.steps.len();
        let carriers = steps.filter_map(|step| Some(message(view.problem, schedule, step)?.1));
        let lanes: BTreeMap<(usize, usize), String> =
            carriers.flat_map(|on| lanes(view.problem, on)).collect();
        let names = engines.iter().map(|own| own.name.as_str());
        let names = std::iter::once("processor").chain(names);
        let names = names.chain(lanes.values().map(String::as_str));
        let all = trace.process(&format!("@{}", view.name), names);
        let (engines, links) = all[1..].split_at(engines.len());
        Self {
            processor: all[0],
            engines: engines.to_vec(),
            links: lanes.into_keys().zip(links.iter().copied()).collect(),
        }
    }

    /// The track of an engine; `None`: of the processor.
    fn of(&self, engine: Option<usize>) -> Track {
        engine.map_or(self.processor, |engine| self.engines[engine])
    }
}

/// Adds what happens before, in and after each step: waits, the step, its messages, and the copies that are
/// issued before it. Their arrows follow the events that they are bound to.
fn add_steps(view: &LevelView<'_>, schedule: &Schedule, tracks: &Tracks, trace: &mut TraceEvents) {
    let n_steps = view.problem.steps.len();
    // Indexed by step, and by the end: the transfers issued before it, and those it needs.
    let (mut issued, mut needed) = (vec![Vec::new(); n_steps + 1], vec![Vec::new(); n_steps + 1]);
    for (index, transfer) in view.plan.transfers.iter().enumerate() {
        issued[transfer.before.min(n_steps)].push(index);
        needed[transfer.until.min(n_steps)].push(index);
    }
    let mut arrows: Vec<Option<Arrow>> = vec![None; view.plan.transfers.len()];
    let mut now = 0;
    for step in 0..=n_steps {
        if let Some((stall @ 1.., _)) = schedule.stalls.get(step) {
            trace.span(
                tracks.processor,
                (now, *stall),
                ("wait", "waits"),
                json!({}),
            );
        }
        let span = schedule.steps.get(step).copied();
        if let Some(span) = span {
            now = span.end;
            let own = &view.problem.steps[step];
            let arguments =
                json!({ "step": step, "repeats": own.repeats, "location": location(view, step) });
            let time = (span.start, span.end - span.start);
            trace.span(tracks.processor, time, ("step", &own.name), arguments);
        }
        if let Some((span, on)) = message(view.problem, schedule, step) {
            let time = (span.start, span.end - span.start);
            let name = &view.problem.steps[step].name;
            for (lane, _) in lanes(view.problem, on) {
                let track = tracks.links[&lane];
                trace.span(track, time, ("message", name), json!({ "step": step }));
            }
        }
        if let Some(copy) = schedule.copies.get(step).copied().flatten() {
            let time = (copy.span.start, copy.span.end - copy.span.start);
            let name = &view.problem.steps[step].name;
            let arguments = json!({ "step": step, "location": location(view, step) });
            trace.span(
                tracks.of(Some(copy.engine)),
                time,
                ("copy", name),
                arguments,
            );
        }
        for index in &issued[step] {
            arrows[*index] = Some(add_copy(view, schedule, *index, tracks, trace));
        }
        // The step before which the copy has to be complete.
        for arrow in needed[step].iter().filter_map(|index| arrows[*index]) {
            if let Some(span) = span {
                trace.arrow_to(arrow, tracks.processor, span.start);
            }
        }
    }
}

/// The message of a step, and what carries it.
fn message(problem: &LevelProblem, schedule: &Schedule, step: usize) -> Option<(Span, Carrier)> {
    let span = schedule.messages.get(step).copied().flatten()?;
    Some((span, problem.steps[step].link.carrier()?))
}

/// The engines of links that carry a message, and their names. One that needs both directions of a duplex link is
/// on both of its engines.
fn lanes(problem: &LevelProblem, on: Carrier) -> Vec<((usize, usize), String)> {
    let index = on.link.index();
    let link = problem.hierarchy.links.get(index);
    let name = match link.and_then(|own| own.name.as_deref()) {
        Some(name) => format!("link {name}"),
        None => "link between ranks".to_owned(),
    };
    if link.is_none_or(|own| !own.is_duplex) {
        return vec![((index, 0), name)];
    }
    let both = ["out", "in"].into_iter().zip(on.lanes.occupied());
    let both = both
        .enumerate()
        .filter(|(_, (_, is_occupied))| *is_occupied);
    both.map(|(lane, (direction, _))| ((index, lane), format!("{name}, {direction}")))
        .collect()
}

/// Adds a copy, and an arrow to it from where it is issued.
fn add_copy(
    view: &LevelView<'_>,
    schedule: &Schedule,
    index: usize,
    tracks: &Tracks,
    trace: &mut TraceEvents,
) -> Arrow {
    let transfer: &Transfer = &view.plan.transfers[index];
    let when = &schedule.transfers[index];
    let [from, to] = [transfer.from, transfer.to].map(|id| &view.plan.placements[id.index()]);
    let tensor = &view.problem.tensors[from.tensor.index()];
    let level = |id: LevelId| &view.problem.hierarchy.levels[id.index()].name;
    let track = tracks.of(when.engine);
    let arrow = trace.arrow_from(tracks.processor, when.asked);
    let buffer = &view.program.buffers[view.buffers[from.tensor.index()].index()];
    let arguments = json!({
        "bytes": tensor.size.get(), "from": level(from.level), "to": level(to.level),
        "before": transfer.before, "until": transfer.until, "location": buffer.location,
    });
    let time = (when.span.start, when.span.end - when.span.start);
    trace.span(track, time, ("copy", &tensor.name), arguments);
    trace.arrow_on(arrow, track, when.span.start);
    arrow
}

/// The source location of a step; of a repetition, that of the repeated step.
fn location<'a>(view: &LevelView<'a>, step: usize) -> &'a str {
    let executed = view.steps.get(step).map_or(step, |own| own.step);
    let own = view.program.steps.get(executed);
    own.map_or("", |own| own.location.as_ref())
}

/// The bytes that are live in each level when a step begins, where their number changes.
fn add_counters(
    view: &LevelView<'_>,
    schedule: &Schedule,
    tracks: &Tracks,
    trace: &mut TraceEvents,
) {
    for (index, level) in view.problem.hierarchy.levels.iter().enumerate() {
        let id = LevelId::new(index);
        let home = home_bytes(view.problem, id).get();
        let name = format!("live in {}", level.name);
        let mut last = None;
        let held = Occupancy::new(view.problem, view.plan, id).held;
        for (span, held) in schedule.steps.iter().zip(held) {
            let bytes = home.saturating_add(held.get());
            if last.replace(bytes) != Some(bytes) {
                trace.counter(tracks.processor, span.start, &name, bytes);
            }
        }
        trace.counter(tracks.processor, schedule.makespan, &name, home);
    }
}

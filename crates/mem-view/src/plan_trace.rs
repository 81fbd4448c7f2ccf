//! Plans for one level as trace events, for Perfetto and Chrome's viewer: the steps on a track, and a
//! counter for the live bytes of each level. A step is shown as a microsecond: there is no schedule.

use serde_json::json;

use crate::FunctionPlan;
use crate::page::live_of;
use crate::trace_events::{TraceEvents, Track};

/// Returns the trace as one JSON object, with a final newline.
#[must_use]
pub fn plan_trace(functions: &[FunctionPlan<'_>]) -> String {
    let mut trace = TraceEvents::default();
    let mut tracks = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        // The levels of one function share a process.
        if !function.is_one_of_several(&functions[..index]) {
            tracks = trace.process(&format!("@{}", function.program.name), ["steps"]);
            add_steps(tracks[0], function, &mut trace);
        }
        for (point, bytes) in live_of(function) {
            let name = format!("live in {}", function.level);
            trace.counter(tracks[0], point as f64 / 2.0, &name, bytes);
        }
    }
    trace.text(Some("steps"))
}

fn add_steps(track: Track, function: &FunctionPlan<'_>, trace: &mut TraceEvents) {
    for (step, own) in function.program.steps.iter().enumerate() {
        let arguments = json!({ "step": step, "location": own.location });
        trace.span(track, (step, 1), ("step", &own.name), arguments);
    }
}

//! Plans for one level as trace events, for Perfetto and Chrome's viewer: the steps on a track, and a
//! counter for the live bytes of each level. A step is shown as a microsecond: there is no schedule.

use serde_json::{Value, json};

use crate::FunctionPlan;
use crate::page::live_of;

/// Returns the trace as one JSON object, with a final newline.
#[must_use]
pub fn plan_trace(functions: &[FunctionPlan<'_>]) -> String {
    let mut events: Vec<Value> = Vec::new();
    let mut n_functions = 0_usize;
    for (index, function) in functions.iter().enumerate() {
        // The levels of one function share a process.
        if !function.is_one_of_several(&functions[..index]) {
            n_functions += 1;
            add_steps(n_functions - 1, function, &mut events);
        }
        for (point, bytes) in live_of(function) {
            events.push(
                json!({ "ph": "C", "pid": n_functions - 1, "ts": point as f64 / 2.0,
                "name": format!("live in {}", function.level), "args": { "bytes": bytes } }),
            );
        }
    }
    let document =
        json!({ "displayTimeUnit": "ms", "otherData": { "unit": "steps" }, "traceEvents": events });
    let mut text = serde_json::to_string(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn add_steps(process: usize, function: &FunctionPlan<'_>, events: &mut Vec<Value>) {
    let name = |what: &str, name: &str| json!({ "ph": "M", "pid": process, "tid": 0, "name": what, "args": { "name": name } });
    events.push(name("process_name", &format!("@{}", function.program.name)));
    events.push(name("thread_name", "steps"));
    for (step, own) in function.program.steps.iter().enumerate() {
        events.push(
            json!({ "ph": "X", "pid": process, "tid": 0, "ts": step, "dur": 1, "name": own.name,
            "args": { "step": step, "location": own.location } }),
        );
    }
}

//! Events in the format of Chrome's trace viewer, as Perfetto imports it.
//!
//! The format leaves open what Perfetto decides, so this writes what both take:
//!
//! * Processes and tracks share one sequence of ids from 1. The first track of a process has the id of its
//!   process, which makes it the main thread; 0 is the idle process of a system trace.
//! * Arrows have numbers as ids, since Perfetto reads text as hexadecimal and drops the arrow otherwise.
//!   They are bound to the last event of their track that precedes them in the file.
//! * Events are sorted by time. Of several at one time, those added first are first: an event around
//!   others has to be added before them.
//! * Events of a track either follow each other or enclose each other. Perfetto drops one that overlaps the
//!   end of another one.

use serde_json::{Value, json};

/// Events of a trace, in the order in which they are added.
#[derive(Debug)]
pub struct TraceEvents {
    /// Names, which precede everything else.
    names: Vec<Value>,
    events: Vec<Value>,
    next_id: u64,
    n_arrows: u64,
}

/// A track of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track {
    process: u64,
    id: u64,
}

/// An arrow from one track to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow(u64);

impl Default for TraceEvents {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            events: Vec::new(),
            next_id: 1,
            n_arrows: 0,
        }
    }
}

impl TraceEvents {
    /// Adds a process with tracks, from top to bottom.
    pub fn process<'a>(
        &mut self,
        name: &str,
        tracks: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Track> {
        let process = self.next_id;
        let mut named = |kind: &str, track: u64, arguments: Value| {
            self.names.push(
                json!({ "ph": "M", "pid": process, "tid": track, "name": kind, "args": arguments }),
            );
        };
        named("process_name", process, json!({ "name": name }));
        let mut own = Vec::new();
        for (index, name) in tracks.into_iter().enumerate() {
            let id = process + index as u64;
            named("thread_name", id, json!({ "name": name }));
            named("thread_sort_index", id, json!({ "sort_index": index }));
            own.push(Track { process, id });
        }
        self.next_id += own.len().max(1) as u64;
        own
    }

    /// Adds an event of a category that lasts for some time. `arguments` is an object.
    pub fn span(
        &mut self,
        track: Track,
        (start, duration): (impl Into<Value>, impl Into<Value>),
        (category, name): (&str, &str),
        arguments: Value,
    ) {
        self.events.push(json!({
            "ph": "X", "pid": track.process, "tid": track.id, "ts": start.into(), "dur": duration.into(),
            "cat": category, "name": name, "args": arguments,
        }));
    }

    /// Adds the value of a counter of the process of a track, from a time on.
    pub fn counter(&mut self, track: Track, time: impl Into<Value>, name: &str, bytes: u64) {
        self.events.push(json!({
            "ph": "C", "pid": track.process, "tid": track.id, "ts": time.into(), "name": name,
            "args": { "bytes": bytes },
        }));
    }

    /// Starts an arrow in the event on `track`.
    pub fn arrow_from(&mut self, track: Track, time: impl Into<Value>) -> Arrow {
        self.n_arrows += 1;
        let arrow = Arrow(self.n_arrows);
        self.arrow(arrow, "s", track, time.into());
        arrow
    }

    /// Leads an arrow on to the event on `track`.
    pub fn arrow_on(&mut self, arrow: Arrow, track: Track, time: impl Into<Value>) {
        self.arrow(arrow, "t", track, time.into());
    }

    /// Ends an arrow in the event on `track`.
    pub fn arrow_to(&mut self, arrow: Arrow, track: Track, time: impl Into<Value>) {
        self.arrow(arrow, "f", track, time.into());
    }

    fn arrow(&mut self, arrow: Arrow, phase: &str, track: Track, time: Value) {
        self.events.push(json!({
            "ph": phase, "bp": "e", "pid": track.process, "tid": track.id, "ts": time, "id": arrow.0,
            "cat": "copy", "name": "copy",
        }));
    }

    /// Returns the trace as one JSON object, with a final newline. `unit`: what is shown as a microsecond, if it
    /// is something else.
    #[must_use]
    pub fn text(self, unit: Option<&str>) -> String {
        let mut all = self.names;
        let mut events = self.events;
        let time = |event: &Value| event["ts"].as_f64().unwrap_or_default();
        events.sort_by(|a, b| time(a).total_cmp(&time(b)));
        all.append(&mut events);
        let mut document = json!({ "displayTimeUnit": "ms", "traceEvents": all });
        if let Some(unit) = unit {
            document["otherData"] = json!({ "unit": unit });
        }
        let mut text = serde_json::to_string(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// A time as microseconds with a fraction. Perfetto cuts off what is below a nanosecond, and would cut off a
/// whole one from a number that is slightly too small, so that an event might start in the one before it.
#[must_use]
pub fn trace_time(nanoseconds: u64) -> f64 {
    (nanoseconds as f64 + 0.25) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_events_in_order() {
        let mut trace = TraceEvents::default();
        let first = trace.process("@a", ["processor", "dma"]);
        let second = trace.process("@b", ["processor"]);
        assert_eq!(first, [1, 2].map(|id| Track { process: 1, id }));
        assert_eq!(second, [Track { process: 3, id: 3 }]);
        trace.span(first[0], (5, 2), ("step", "late"), json!({}));
        trace.span(first[1], (1, 2), ("copy", "early"), json!({}));
        let arrow = trace.arrow_from(first[1], 1);
        trace.arrow_to(arrow, first[0], 5);
        let next = trace.arrow_from(first[0], 5);
        assert_ne!(arrow, next);
        let text = trace.text(Some("cycles"));
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let events = document["traceEvents"].as_array().expect("events");
        let phases: Vec<&str> = events.iter().filter_map(|own| own["ph"].as_str()).collect();
        assert_eq!(phases[8..], ["X", "s", "X", "f", "s"]);
        assert!(phases[..8].iter().all(|own| *own == "M"));
        assert_eq!(document["otherData"]["unit"], "cycles");
    }

    #[test]
    fn times_keep_their_nanoseconds() {
        // As Perfetto converts them.
        let read = |time: f64| (time * 1000.0) as u64;
        let mut time = 1_u64;
        for step in 0..200_000 {
            assert_eq!(read(trace_time(time)), time);
            time += 1 + step * 7919 % 100_003;
        }
    }
}

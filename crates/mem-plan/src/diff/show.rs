//! A comparison as text for people, and as JSON for programs.

use std::fmt::Write as _;

use mem_view::printable;
use serde_json::{Value, json};

use super::compare::{BufferChange, Change, Changed, PeakChange, PlanDiff, grouped};
use super::limit::PeakLimit;
use super::read::SizedBuffer;

/// Version of the JSON document; its schema is `crates/mem-view/schema/diff.json`.
const VERSION: u32 = 1;

/// Returns a comparison as text. Of each kind of change the `most` buffers that matter most are
/// listed.
#[must_use]
pub fn diff_text(diff: &PlanDiff, most: usize) -> String {
    let mut out = String::new();
    print_peaks(&mut out, diff);
    // Writing to a string does not fail.
    for (name, changed) in &diff.makespans {
        let name = printable(name);
        let _ = writeln!(out, "makespan of @{name} {} cycles", transition(*changed));
    }
    for (what, changed) in [("cost", diff.cost), ("transfers", diff.transfers)] {
        if changed.is_change() {
            let _ = writeln!(out, "{what} {}", transition(changed));
        }
    }
    let counted = Change::ALL.map(|change| (diff.count(change), title(change)));
    let counted = counted.iter().filter(|(n, _)| *n > 0);
    let counted: String = counted.map(|(n, title)| format!(", {n} {title}")).collect();
    let _ = writeln!(
        out,
        "buffers: {} in both{}",
        diff.n_paired,
        match counted.is_empty() {
            true => ", none differs",
            false => &counted,
        }
    );
    for (change, group) in grouped(diff) {
        let _ = writeln!(out, "{}", title(change));
        for own in group.iter().take(most) {
            let _ = writeln!(out, "  {}", sentence(own));
        }
        if group.len() > most {
            let more = group.len() - most;
            let _ = writeln!(out, "  and {more} more; --all lists them");
        }
    }
    out
}

/// Headings and words of a change.
const fn title(change: Change) -> &'static str {
    match change {
        Change::LivesLonger => "live longer",
        Change::LivesShorter => "live shorter",
        other => other.name(),
    }
}

/// A row for each level, and for each function if a level has several.
fn print_peaks(out: &mut String, diff: &PlanDiff) {
    let mut rows = vec![["peak", "before", "after", "change"].map(str::to_owned)];
    let shown = |number: Option<u64>| number.map_or("-".to_owned(), |n| n.to_string());
    for own in diff.levels.iter().chain(diff.functions_of_several()) {
        rows.push([
            subject(own),
            shown(own.peak.before),
            shown(own.peak.after),
            growth(own.peak),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let [first, second, third] = [0, 1, 2].map(|column| width(column).unwrap_or(0));
    for [what, before, after, change] in &rows {
        let line = format!("{what:<first$}  {before:>second$}  {after:>third$}  {change}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for own in &diff.levels {
        if own.lower_bound.is_change() {
            let level = printable(&own.level);
            let bound = transition(own.lower_bound);
            let _ = writeln!(out, "lower bound in {level} {bound}");
        }
    }
}

/// The level of a peak, and its function.
fn subject(own: &PeakChange) -> String {
    let level = printable(&own.level);
    match &own.function {
        Some(function) => format!("@{} in {level}", printable(function)),
        None => level.into_owned(),
    }
}

/// The growth of a peak, in bytes and in percent.
fn growth(changed: Changed) -> String {
    match (changed.before, changed.after) {
        (Some(before), Some(after)) if before == after => String::new(),
        (Some(before), Some(after)) => {
            let sign = if after > before { '+' } else { '-' };
            let bytes = after.abs_diff(before);
            match before {
                0 => format!("{sign}{bytes}"),
                before => {
                    let percent = bytes as f64 / before as f64 * 100.0;
                    format!("{sign}{bytes} ({sign}{percent:.2} %)")
                }
            }
        }
        (None, Some(_)) => "appeared".to_owned(),
        _ => "disappeared".to_owned(),
    }
}

fn transition(changed: Changed) -> String {
    let shown = |number: Option<u64>| number.map_or("unknown".to_owned(), |n| n.to_string());
    match changed.is_change() {
        true => format!("{} -> {}", shown(changed.before), shown(changed.after)),
        false => shown(changed.after),
    }
}

/// A buffer and everything that differs.
fn sentence(own: &BufferChange) -> String {
    let buffer = own.buffer();
    let mut text = format!(
        "@{} '{}': ",
        printable(&buffer.function),
        printable(&buffer.name)
    );
    match (&own.before, &own.after) {
        (Some(before), Some(after)) => {
            let mut parts = Vec::new();
            if before.size != after.size {
                parts.push(format!("{} -> {} bytes", before.size, after.size));
            } else {
                parts.push(format!("{} bytes", after.size));
            }
            if before.places != after.places {
                parts.push(format!("{} -> {}", places(before), places(after)));
            }
            if let (Some(b), Some(a)) = (before.n_steps, after.n_steps)
                && b != a
            {
                parts.push(format!("{b} -> {a} steps"));
            }
            text += &parts.join(", ");
        }
        _ => text += &format!("{} bytes, {}", buffer.size, places(buffer)),
    }
    if !buffer.location.is_empty() {
        text += &format!(" ({})", printable(&buffer.location));
    }
    text
}

/// Maximum number of places of a buffer in a sentence.
const MAX_PLACES: usize = 4;

fn places(own: &SizedBuffer) -> String {
    if own.places.is_empty() {
        return "no place".to_owned();
    }
    let place = |(level, offset): &(String, Option<u64>)| match offset {
        Some(offset) => format!("{}[{offset}]", printable(level)),
        None => format!("home in {}", printable(level)),
    };
    let shown = own.places.iter().take(MAX_PLACES).map(place);
    let mut shown = shown.collect::<Vec<_>>().join(" ");
    if own.places.len() > MAX_PLACES {
        shown += &format!(" and {} more", own.places.len() - MAX_PLACES);
    }
    shown
}

/// Returns a comparison of the plans in the files `names` as JSON, with the peaks that exceed `limit`.
#[must_use]
pub fn diff_json(diff: &PlanDiff, names: [&str; 2], limit: Option<PeakLimit>) -> String {
    let regressions = limit.map(|limit| {
        let found = diff.regressions(limit);
        found.into_iter().map(peak).collect::<Vec<_>>()
    });
    let makespans = diff.makespans.iter();
    let document = json!({
        "version": VERSION,
        "tool": "mem-plan",
        "before": names[0],
        "after": names[1],
        "levels": diff.levels.iter().map(peak).collect::<Vec<_>>(),
        "functions": diff.functions.iter().map(peak).collect::<Vec<_>>(),
        "makespans": makespans
            .map(|(function, own)| json!({"function": function, "makespan": changed(*own)}))
            .collect::<Vec<_>>(),
        "cost": changed(diff.cost),
        "transfers": changed(diff.transfers),
        "paired": diff.n_paired,
        "buffers": diff.buffers.iter().map(buffer).collect::<Vec<_>>(),
        "regressions": regressions,
    });
    // Serialization only fails for maps whose keys are not strings; the document has none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn changed(own: Changed) -> Value {
    json!({"before": own.before, "after": own.after})
}

fn peak(own: &PeakChange) -> Value {
    json!({
        "function": own.function,
        "level": own.level,
        "peak": changed(own.peak),
        "lower_bound": changed(own.lower_bound),
    })
}

fn buffer(own: &BufferChange) -> Value {
    let side = |side: &Option<SizedBuffer>| {
        side.as_ref().map(|own| {
            let places = own.places.iter();
            json!({
                "size": own.size,
                "steps": own.n_steps,
                "location": own.location,
                "placements": places
                    .map(|(level, offset)| json!({"level": level, "offset": offset}))
                    .collect::<Vec<_>>(),
            })
        })
    };
    json!({
        "function": own.buffer().function,
        "name": own.buffer().name,
        "changes": own.changes.iter().map(|own| own.name()).collect::<Vec<_>>(),
        "before": side(&own.before),
        "after": side(&own.after),
    })
}

//! Plans for one level as CSV, in the columns of MiniMalloc's benchmark: `id,lower,upper,size,offset`,
//! with `alignment` and `gaps`. `mem-plan` reads it as well.
//!
//! A time is a point, of which a step has two: at the first one its operands are read, at the second
//! one its results are written. A result that takes over the bytes of an operand therefore begins
//! where the operand ends. Functions do not run at the same time, so each begins where the one before
//! ends. A gap is `FROM-TO` if no byte is live, and `FROM-TO@LOW:HIGH` if only those are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use mem_model::{BufferId, Part};

use crate::FunctionPlan;

/// Returns a row for each placement of each function, in the order of the functions and buffers.
/// Equal plans give equal bytes.
#[must_use]
pub fn plan_csv(functions: &[FunctionPlan<'_>]) -> String {
    let mut out = String::from("id,lower,upper,size,alignment,gaps,offset\n");
    let mut used = BTreeSet::new();
    let mut start = 0;
    for (index, function) in functions.iter().enumerate() {
        // The levels of one function are at the same time.
        let is_same = index > 0 && function.is_other_level_of(&functions[index - 1]);
        if index > 0 && !is_same {
            start += n_points(functions[index - 1].program.steps.len());
        }
        let is_only = functions.len() == 1;
        for (buffer, placements) in function.placements().iter().enumerate() {
            for own in placements {
                let id = unique(
                    function,
                    BufferId::new(buffer),
                    own.slot,
                    is_only,
                    &mut used,
                );
                add_row(&mut out, function, &id, own, start);
            }
        }
    }
    out
}

fn n_points(n_steps: usize) -> u64 {
    2 * n_steps as u64
}

/// An id that no other row has: the name of the buffer, with what tells it from its namesakes.
fn unique(
    function: &FunctionPlan<'_>,
    buffer: BufferId,
    slot: u32,
    is_only: bool,
    used: &mut BTreeSet<String>,
) -> String {
    let name = &function.program.buffers[buffer.index()].name;
    // What separates columns, quotes and formulas is no part of an id.
    let clean = |text: &str| -> String {
        let plain = |c: char| c.is_alphanumeric() || "_-.#%$/".contains(c);
        text.chars()
            .map(|c| if plain(c) { c } else { '_' })
            .collect()
    };
    let mut id = match is_only {
        true => clean(name),
        false => format!(
            "{}/{}/{}",
            clean(&function.program.name),
            clean(function.level),
            clean(name)
        ),
    };
    // Spreadsheets take these for the start of a formula or a number.
    if id.is_empty() || id.starts_with(['-', '%', '$']) {
        id.insert(0, '_');
    }
    if slot > 0 {
        let _ = write!(id, "#{slot}");
    }
    let first = id.clone();
    let mut number = 2;
    while !used.insert(id.clone()) {
        id = format!("{first}.{number}");
        number += 1;
    }
    id
}

fn add_row(
    out: &mut String,
    function: &FunctionPlan<'_>,
    id: &str,
    own: &mem_model::Placement,
    start: u64,
) {
    let buffer = &function.program.buffers[own.buffer.index()];
    let windows = windows(function.parts_of(own.buffer));
    let (Some(first), Some(last)) = (windows.first(), windows.last()) else {
        // It is never live, so its bytes are free all the time.
        return;
    };
    let (lower, upper) = (first.from, last.to);
    let whole = (0, buffer.size.get());
    let mut gaps = Vec::new();
    let mut at = lower;
    for window in &windows {
        if window.from > at {
            gaps.push(format!("{}-{}", start + at, start + window.from));
        }
        if window.bytes != whole {
            let (low, high) = window.bytes;
            let (from, to) = (start + window.from, start + window.to);
            gaps.push(format!("{from}-{to}@{low}:{high}"));
        }
        at = window.to;
    }
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "{id},{},{},{},{},{},{}",
        start + lower,
        start + upper,
        buffer.size,
        buffer.alignment,
        gaps.join(" "),
        own.offset
    );
}

/// A period and the bytes that are live in it: from the first to the end of the last one.
struct Window {
    from: u64,
    to: u64,
    bytes: (u64, u64),
}

/// The periods in which the same bytes of a buffer are live, in order. O(n²) in the intervals of its
/// parts.
fn windows(parts: &[Part]) -> Vec<Window> {
    let mut lives = Vec::new();
    for part in parts {
        let bytes = (part.bytes.start.get(), part.bytes.end.get());
        let own = part.live.iter().filter(|_| bytes.0 < bytes.1);
        lives.extend(own.map(|live| (live.start.index(), live.end.index(), bytes)));
    }
    let ends = lives.iter().flat_map(|(from, to, _)| [*from, *to]);
    let ends: BTreeSet<u64> = ends.collect();
    let mut at: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for (from, to, bytes) in lives {
        for point in ends.range(from..to) {
            let own = at.entry(*point).or_insert(bytes);
            *own = (own.0.min(bytes.0), own.1.max(bytes.1));
        }
    }
    let next: BTreeMap<u64, u64> = ends
        .iter()
        .copied()
        .zip(ends.iter().copied().skip(1))
        .collect();
    let mut windows: Vec<Window> = Vec::new();
    for (from, bytes) in at {
        let Some(&to) = next.get(&from) else { continue };
        match windows.last_mut() {
            Some(last) if last.to == from && last.bytes == bytes => last.to = to,
            _ => windows.push(Window { from, to, bytes }),
        }
    }
    windows
}

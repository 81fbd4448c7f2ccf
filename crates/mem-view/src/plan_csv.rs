//! Plans for one level as CSV, in the columns of MiniMalloc's benchmark: `id,lower,upper,size,offset`,
//! with `alignment`, `gaps` and `in_place`. `mem-plan` reads it as well.
//!
//! A time is a point, of which a step has two: at the first one its operands are read, at the second
//! one its results are written. Functions do not run at the same time, so each begins where the one
//! before ends. A gap is `FROM-TO` if no byte is live, and `FROM-TO@LOW:HIGH` if only those are. A
//! buffer that the plan has in the bytes of another one while both are live, as a result in the place
//! of its operand, names that one in `in_place`; to a tool that ignores the column, both are live at
//! once, which is a harder problem.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use mem_model::{BufferId, Part, Point};

use crate::FunctionPlan;

/// A line of the table.
struct Row {
    id: String,
    size: u64,
    alignment: u64,
    offset: u64,
    /// What is live when, ascending; not empty.
    windows: Vec<Window>,
    /// Rows whose bytes this one shares.
    in_place: Vec<usize>,
}

impl Row {
    fn lower(&self) -> u64 {
        self.windows.first().map_or(0, |own| own.from)
    }

    fn upper(&self) -> u64 {
        self.windows.last().map_or(0, |own| own.to)
    }

    /// Whether a byte of the arena belongs to both rows at a time.
    fn shares(&self, other: &Self) -> bool {
        let at = |own: &Self, window: &Window| {
            let (low, high) = window.bytes;
            (
                own.offset.saturating_add(low),
                own.offset.saturating_add(high),
            )
        };
        self.windows.iter().any(|own| {
            let (low, high) = at(self, own);
            let others = other.windows.iter();
            let mut others = others.filter(|its| own.from < its.to && its.from < own.to);
            others.any(|its| {
                let (its_low, its_high) = at(other, its);
                low < its_high && its_low < high
            })
        })
    }
}

/// Returns a row for each placement of each function, in the order of the functions and buffers.
/// Equal plans give equal bytes. O(n²) in the rows that are live at a time.
#[must_use]
pub fn plan_csv(functions: &[FunctionPlan<'_>]) -> String {
    let (mut rows, mut used, mut start) = (Vec::new(), BTreeSet::new(), 0);
    for (index, function) in functions.iter().enumerate() {
        // The levels of one function are at the same time, but not in the same memory.
        let is_same = index > 0 && function.is_other_level_of(&functions[index - 1]);
        if index > 0 && !is_same {
            start += n_points(functions[index - 1].program.steps.len());
        }
        let first = rows.len();
        add_rows(&mut rows, function, functions.len() == 1, &mut used, start);
        share(&mut rows[first..], first);
    }
    print(&rows)
}

fn add_rows(
    rows: &mut Vec<Row>,
    function: &FunctionPlan<'_>,
    is_only: bool,
    used: &mut BTreeSet<String>,
    start: u64,
) {
    for (index, placements) in function.placements().iter().enumerate() {
        let id = BufferId::new(index);
        let buffer = &function.program.buffers[index];
        for own in placements {
            let windows = windows(function.parts_of(id), start);
            // The bytes of a buffer that is never live are free all the time.
            if windows.is_empty() {
                continue;
            }
            rows.push(Row {
                id: unique(function, id, own.slot, is_only, used),
                size: buffer.size.get(),
                alignment: buffer.alignment.get(),
                offset: own.offset.get(),
                windows,
                in_place: Vec::new(),
            });
        }
    }
}

/// Finds the rows that share bytes; `first` is the number of the first of `rows`. The later one of two
/// names the earlier one.
fn share(rows: &mut [Row], first: usize) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|index| (rows[*index].lower(), *index));
    let mut live: Vec<usize> = Vec::new();
    for index in order {
        let lower = rows[index].lower();
        live.retain(|other| rows[*other].upper() > lower);
        let shared = live.iter().copied();
        let shared: Vec<usize> = shared
            .filter(|other| rows[index].shares(&rows[*other]))
            .map(|other| first + other)
            .collect();
        rows[index].in_place = shared;
        live.push(index);
    }
}

fn print(rows: &[Row]) -> String {
    let mut out = String::from("id,lower,upper,size,alignment,gaps,in_place,offset\n");
    for row in rows {
        let in_place = row.in_place.iter().map(|other| rows[*other].id.as_str());
        let in_place: Vec<&str> = in_place.collect();
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{}",
            row.id,
            row.lower(),
            row.upper(),
            row.size,
            row.alignment,
            gaps(row),
            in_place.join(" "),
            row.offset
        );
    }
    out
}

/// The periods in which not all bytes of a row are live.
fn gaps(row: &Row) -> String {
    let (mut gaps, mut at) = (Vec::new(), row.lower());
    for window in &row.windows {
        let (from, to) = (window.from, window.to);
        if from > at {
            gaps.push(format!("{at}-{from}"));
        }
        if window.bytes != (0, row.size) {
            let (low, high) = window.bytes;
            gaps.push(format!("{from}-{to}@{low}:{high}"));
        }
        at = to;
    }
    gaps.join(" ")
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

/// A period and the bytes that are live in it: from the first to the end of the last one.
struct Window {
    from: u64,
    to: u64,
    bytes: (u64, u64),
}

/// The periods in which the same bytes of a buffer are live, in order. O(n²) in the intervals of its
/// parts. `start`: the time at which the function begins.
fn windows(parts: &[Part], start: u64) -> Vec<Window> {
    let mut lives = Vec::new();
    for part in parts {
        let bytes = (part.bytes.start.get(), part.bytes.end.get());
        let own = part.live.iter().filter(|_| bytes.0 < bytes.1);
        let at = |point: Point| start + point.index();
        lives.extend(own.map(|live| (at(live.start), at(live.end), bytes)));
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

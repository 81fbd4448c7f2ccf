//! Plans as tables. Numbers are bytes; lifetimes are steps, both ends included.

use std::fmt::Write as _;

use mem_model::{BufferId, Bytes, Part, Plan, Storage};

use crate::page::places_of;
use crate::tiled::{TiledOperation, tiled_operations};
use crate::{FunctionPlan, printable, role_name, storage_name, stretches};

const HEADINGS: [&str; 7] = [
    "buffer", "role", "size", "offset", "slot", "live", "location",
];
/// Whether a column is numeric, and therefore right-aligned.
const IS_NUMBER: [bool; 7] = [false, false, true, true, true, false, false];

/// Maximum number of parts of a buffer whose lifetimes are listed separately.
const MAX_PARTS: usize = 4;

/// Returns the plans as tables: for each function a summary, and a row for each slot of each
/// planned buffer in the order of first use, then of offset. Other buffers follow, without an
/// offset.
///
/// O(n log n) in buffers and placements.
#[must_use]
pub fn plan_table(functions: &[FunctionPlan<'_>]) -> String {
    let mut out = String::new();
    for (index, function) in functions.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        print_summary(&mut out, function);
        print_rows(&mut out, &rows(function));
        print_tiled(&mut out, function);
    }
    out
}

fn print_summary(out: &mut String, function: &FunctionPlan<'_>) {
    let plan = function.plan;
    let sizes = plan
        .placements
        .iter()
        .map(|p| function.program.buffers[p.buffer.index()].size);
    let sum: u128 = sizes.map(|size| u128::from(size.get())).sum();
    let n_buffers = plan.placements.len();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "@{}: {n_buffers} {} in {}, {}",
        printable(&function.program.name),
        if n_buffers == 1 { "buffer" } else { "buffers" },
        printable(function.level),
        printable(&plan.strategy),
    );
    let _ = writeln!(
        out,
        "  peak {}, lower bound {}, gap {}, sum of sizes {sum}{}",
        with_human(plan.peak),
        plan.lower_bound,
        gap(plan),
        function
            .capacity
            .map_or(String::new(), |c| format!(", capacity {c}")),
    );
    if let Some(unknown) = function.unknown {
        let _ = writeln!(out, "  if numbers known only at run time are {unknown}");
    }
    let external = external_bytes(function);
    if external > 0 {
        let _ = writeln!(out, "  outside of the arena: {external} bytes");
    }
}

fn external_bytes(function: &FunctionPlan<'_>) -> u128 {
    let buffers = function.program.buffers.iter();
    let external = buffers.filter(|buffer| buffer.storage == Storage::External);
    external.map(|buffer| u128::from(buffer.size.get())).sum()
}

fn with_human(bytes: Bytes) -> String {
    if bytes.get() < 1024 {
        return bytes.to_string();
    }
    format!("{bytes} ({})", bytes.human())
}

/// Gap between the peak and the lower bound, and whether the gap is known to be unavoidable.
fn gap(plan: &Plan) -> String {
    let (peak, bound) = (plan.peak.get(), plan.lower_bound.get());
    if peak == bound {
        return "0 %".to_owned();
    }
    // No byte is ever live: there is nothing to relate the peak to.
    let percent = match bound {
        0 => "-".to_owned(),
        _ => format!("{:.2} %", (peak as f64 / bound as f64 - 1.0) * 100.0),
    };
    match plan.is_optimal() {
        true => format!("{percent} (no plan has a lower peak)"),
        false => percent,
    }
}

type Row = [String; 7];

fn rows(function: &FunctionPlan<'_>) -> Vec<Row> {
    // Unplanned buffers last, then by first live step and offset; buffer and slot break ties.
    let mut keyed = Vec::new();
    for (index, placements) in function.placements().into_iter().enumerate() {
        let buffer = BufferId::new(index);
        if function.is_elsewhere(buffer) {
            continue;
        }
        let first_step = function
            .lifetime_of(buffer)
            .first()
            .map_or(usize::MAX, |part| part.0);
        if placements.is_empty() {
            let key = (true, first_step, Bytes::ZERO, index, 0);
            keyed.push((key, row(function, buffer, None)));
        }
        let is_single = placements.len() == 1;
        for placement in placements {
            let key = (false, first_step, placement.offset, index, placement.slot);
            let slot = if is_single {
                String::new()
            } else {
                placement.slot.to_string()
            };
            keyed.push((key, row(function, buffer, Some((placement.offset, slot)))));
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, row)| row).collect()
}

fn row(function: &FunctionPlan<'_>, id: BufferId, place: Option<(Bytes, String)>) -> Row {
    let buffer = &function.program.buffers[id.index()];
    let (offset, slot) = match place {
        Some((offset, slot)) => (offset.to_string(), slot),
        None => (storage_name(&buffer.storage).to_owned(), String::new()),
    };
    let live = lifetime(function, id);
    [
        printable(&buffer.name).into_owned(),
        role_name(buffer.role).to_owned(),
        buffer.size.to_string(),
        offset,
        slot,
        live,
        printable(&buffer.location).into_owned(),
    ]
}

/// `0..3 5`, or `[0, 64) 0..3, [64, 128) 0..9` if parts of the buffer have lifetimes of their own.
fn lifetime(function: &FunctionPlan<'_>, id: BufferId) -> String {
    match function.parts_of(id) {
        parts @ [_, _, ..] if parts.len() <= MAX_PARTS => {
            let part = |part: &Part| {
                let (start, end) = (part.bytes.start, part.bytes.end);
                format!("[{start}, {end}) {}", steps(&stretches(&part.live)))
            };
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        parts @ [_, _, ..] => {
            let all = steps(&function.lifetime_of(id));
            format!("{all}, in {} parts", parts.len())
        }
        _ => steps(&function.lifetime_of(id)),
    }
}

fn steps(stretches: &[(usize, usize)]) -> String {
    if stretches.is_empty() {
        return "never".to_owned();
    }
    let stretch = |&(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}..{last}"),
    };
    stretches.iter().map(stretch).collect::<Vec<_>>().join(" ")
}

/// What tiles bought: for each operation of a group, the bytes that it accesses and those that are live,
/// whole and in tiles. The operation during which most bytes are live now is marked.
fn print_tiled(out: &mut String, function: &FunctionPlan<'_>) {
    let program = function.program;
    let operations = tiled_operations(program, function.groups, function.untiled);
    if operations.is_empty() {
        return;
    }
    let live = most_live(function);
    let most = live.iter().copied().max().unwrap_or(0);
    let row = |own: &TiledOperation| {
        let at = own.steps.iter().copied();
        let widest = at.max_by_key(|step| (live[*step], usize::MAX - step));
        let widest = widest.unwrap_or_default();
        let step = &program.steps[widest];
        let mark = if live[widest] == most { "* " } else { "" };
        [
            own.group.to_string(),
            printable(&step.name).into_owned(),
            own.untiled.accessed.to_string(),
            own.accessed.to_string(),
            own.untiled.live.to_string(),
            format!("{mark}{}", live[widest]),
            printable(&step.location).into_owned(),
        ]
    };
    let rows: Vec<[String; 7]> = operations.iter().map(row).collect();
    let headings = [
        "group",
        "operation in tiles",
        "accessed whole",
        "in a tile",
        "live whole",
        "in tiles",
        "location",
    ];
    out.push('\n');
    print_columns(
        out,
        &headings,
        [true, false, true, true, true, true, false],
        &rows,
    );
    if let Some(widest) = live.iter().position(|bytes| *bytes == most) {
        let name = printable(&program.steps[widest].name);
        let group = function.groups[widest];
        let group = group.map_or("outside of groups".to_owned(), |own| {
            format!("in group {own}")
        });
        let _ = writeln!(
            out,
            "  most bytes are live, {most}, at step {widest} ('{name}'), {group}"
        );
    }
}

/// Per step: the most bytes of the plan that are live during it. Bytes that several buffers share count
/// once. Takes time O(steps · buffers that are live at once).
fn most_live(function: &FunctionPlan<'_>) -> Vec<u64> {
    let mut places = places_of(function);
    places.sort_unstable_by_key(|(_, _, start, ..)| *start);
    let mut places = places.into_iter().peekable();
    // Bytes and the points at which they die, by address.
    let mut live: Vec<(u64, u64, u64)> = Vec::new();
    let mut bytes_at = |point: u64| {
        live.retain(|(.., end)| *end > point);
        while let Some((.., end, low, high)) = places.next_if(|(_, _, start, ..)| *start <= point) {
            let at = live.partition_point(|own| *own < (low, high, end));
            live.insert(at, (low, high, end));
        }
        let mut free = 0;
        let mut bytes = 0;
        for (low, high, end) in &live {
            if *end > point && *high > free {
                bytes += high - free.max(*low);
                free = *high;
            }
        }
        bytes
    };
    let of_step = |step: usize| {
        let point = 2 * step as u64;
        bytes_at(point).max(bytes_at(point + 1))
    };
    (0..function.program.steps.len()).map(of_step).collect()
}

fn print_rows(out: &mut String, rows: &[Row]) {
    print_columns(out, &HEADINGS, IS_NUMBER, rows);
}

fn print_columns(out: &mut String, headings: &[&str; 7], is_number: [bool; 7], rows: &[Row]) {
    let headings = headings.map(str::to_owned);
    let all = || std::iter::once(&headings).chain(rows);
    let width = |column: usize| all().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let is_used = |column: usize| rows.iter().any(|row| !row[column].is_empty());
    let columns: Vec<usize> = (0..7).filter(|&c| is_used(c)).collect();
    if rows.is_empty() {
        return;
    }
    for row in all() {
        let mut line = String::from(" ");
        for &column in &columns {
            let (text, width) = (&row[column], widths[column]);
            let _ = match is_number[column] {
                true => write!(line, " {text:>width$} "),
                false => write!(line, " {text:<width$} "),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

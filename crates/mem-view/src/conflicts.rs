//! Which buffers may not share bytes, as a matrix.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use mem_model::{IntervalSet, Part, Point};

use crate::FunctionPlan;

/// Larger matrices are lists.
const MAX_COLUMNS: usize = 64;

/// The conflicts of each function's buffers: `x` where two are live at a common point, `o` where steps on
/// different cores leave open which is over first, `.` where they may share bytes; buffers in
/// the order of the program. Beyond 64 buffers each line lists those that conflict instead.
///
/// O(n²) for n buffers, times the intervals of their lifetimes.
#[must_use]
pub fn plan_conflicts(functions: &[FunctionPlan<'_>]) -> String {
    let mut out = String::new();
    for (index, function) in functions.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        print_function(&mut out, function);
    }
    out
}

fn print_function(out: &mut String, function: &FunctionPlan<'_>) {
    let placed: BTreeSet<usize> = (function.plan.placements.iter())
        .map(|placement| placement.buffer.index())
        .collect();
    let buffers: Vec<usize> = placed.into_iter().collect();
    let name = |buffer: usize| function.program.buffers[buffer].name.as_str();
    let live: Vec<IntervalSet<Point>> = (buffers.iter())
        .map(|buffer| Part::union_of(function.parts.get(*buffer).map_or(&[], Vec::as_slice)))
        .collect();
    let unordered: BTreeSet<(usize, usize)> = (function.unordered.iter())
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    let relation = |x: usize, y: usize| {
        let pair = (buffers[x].min(buffers[y]), buffers[x].max(buffers[y]));
        match (live[x].overlaps(&live[y]), unordered.contains(&pair)) {
            (true, _) => 'x',
            (false, true) => 'o',
            (false, false) => '.',
        }
    };
    let n_pairs = |wanted: char| {
        let rows = 0..buffers.len();
        let pairs = rows.flat_map(|x| (0..x).map(move |y| (x, y)));
        pairs.filter(|(x, y)| relation(*x, *y) == wanted).count()
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "@{}: {} buffers, {} pairs live at once, {} with no order between cores",
        function.program.name,
        buffers.len(),
        n_pairs('x'),
        n_pairs('o'),
    );
    let width = buffers
        .iter()
        .map(|buffer| name(*buffer).len())
        .max()
        .unwrap_or(0);
    for x in 0..buffers.len() {
        let _ = write!(out, "  {:<width$} ", name(buffers[x]));
        let others = (0..buffers.len()).filter(|y| *y != x);
        if buffers.len() > MAX_COLUMNS {
            for y in others.filter(|y| relation(x, *y) != '.') {
                let _ = write!(out, " {}", name(buffers[y]));
            }
        } else {
            for y in 0..buffers.len() {
                let mark = if x == y { '-' } else { relation(x, y) };
                let _ = write!(out, " {mark}");
            }
        }
        out.push('\n');
    }
}

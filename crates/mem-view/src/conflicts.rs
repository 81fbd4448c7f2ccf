//! The conflict graph of buffers, as a matrix.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use mem_model::{IntervalSet, Part, Point};

use crate::{FunctionPlan, printable};

/// Functions with more buffers get lists instead of a matrix.
const MAX_COLUMNS: usize = 64;

/// Returns the conflicts of each function's buffers: `x` if two are live at a common point, `o` if
/// steps on different cores leave open which one dies first, `.` if they may share bytes. Buffers
/// appear in program order. Beyond 64 buffers, each line lists the conflicting buffers instead.
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
    let name = |buffer: usize| printable(&function.program.buffers[buffer].name);
    let live: Vec<IntervalSet<Point>> = (buffers.iter())
        .map(|buffer| Part::union_of(function.parts.get(*buffer).map_or(&[], Vec::as_slice)))
        .collect();
    let unordered: BTreeSet<(usize, usize)> = (function.unordered.iter())
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    let relation = |x: usize, y: usize| {
        let pair = (buffers[x].min(buffers[y]), buffers[x].max(buffers[y]));
        match (live[x].overlaps(&live[y]), unordered.contains(&pair)) {
            _ if x == y => '-',
            (true, _) => 'x',
            (false, true) => 'o',
            (false, false) => '.',
        }
    };
    let all = 0..buffers.len();
    let row = |x: usize| all.clone().map(|y| relation(x, y)).collect();
    let rows: Vec<Vec<char>> = all.clone().map(row).collect();
    // Each pair appears in two rows.
    let n_pairs = |wanted: char| {
        rows.iter()
            .flatten()
            .filter(|mark| **mark == wanted)
            .count()
            / 2
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "@{}: {} buffers, {} pairs live at once, {} with no order between cores",
        printable(&function.program.name),
        buffers.len(),
        n_pairs('x'),
        n_pairs('o'),
    );
    let width = buffers
        .iter()
        .map(|buffer| name(*buffer).len())
        .max()
        .unwrap_or(0);
    for (buffer, row) in buffers.iter().zip(&rows) {
        let _ = write!(out, "  {:<width$} ", name(*buffer));
        for (other, mark) in buffers.iter().zip(row) {
            if buffers.len() <= MAX_COLUMNS {
                let _ = write!(out, " {mark}");
            } else if matches!(mark, 'x' | 'o') {
                let _ = write!(out, " {}", name(*other));
            }
        }
        out.push('\n');
    }
}

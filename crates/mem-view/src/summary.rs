//! A table of plan quality, one line per function.

use mem_model::{Bytes, Placement};

use crate::{FunctionPlan, printable};

/// Returns a table with one row per function and level: the number of placed buffers, the sum of
/// their sizes, the peak, the lower bound, and the gap between peak and bound.
#[must_use]
pub fn plan_summary(functions: &[FunctionPlan<'_>]) -> String {
    let mut out = format!(
        "{:<24} {:>8} {:>16} {:>16} {:>16} {:>8}\n",
        "function", "buffers", "sum [bytes]", "peak [bytes]", "bound [bytes]", "gap"
    );
    for function in functions {
        let name = match function.is_one_of_several(functions) {
            true => format!("@{} in {}", function.program.name, function.level),
            false => format!("@{}", function.program.name),
        };
        out.push_str(&row(&name, function));
    }
    if functions.is_empty() {
        out.push_str("no function has a plan\n");
    }
    out
}

fn row(name: &str, function: &FunctionPlan<'_>) -> String {
    let placed = function.plan.placements.iter();
    let size = |own: &Placement| function.program.buffers[own.buffer.index()].size;
    let sizes: Vec<Bytes> = placed.map(size).collect();
    let sum = sizes
        .iter()
        .fold(0_u64, |sum, size| sum.saturating_add(size.get()));
    let (peak, bound) = (function.plan.peak.get(), function.plan.lower_bound.get());
    #[allow(clippy::cast_precision_loss, reason = "a percentage for people")]
    let gap = if bound == 0 {
        0.0
    } else {
        100.0 * (peak as f64 / bound as f64 - 1.0)
    };
    format!(
        "{:<24} {:>8} {sum:>16} {peak:>16} {bound:>16} {gap:>7.2}%\n",
        printable(name),
        sizes.len(),
    )
}

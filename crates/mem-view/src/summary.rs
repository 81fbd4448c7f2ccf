//! One line a function: how good the plan is.

use mem_model::{Bytes, Storage};

use crate::{FunctionPlan, printable};

/// A table with one row a function: buffers, the sum of their sizes, the peak, the lower bound and
/// how far apart the two are.
#[must_use]
pub fn plan_summary(functions: &[FunctionPlan<'_>]) -> String {
    let mut out = format!(
        "{:<24} {:>8} {:>16} {:>16} {:>16} {:>8}\n",
        "function", "buffers", "sum [bytes]", "peak [bytes]", "bound [bytes]", "gap"
    );
    for function in functions {
        out.push_str(&row(function));
    }
    if functions.is_empty() {
        out.push_str("no function has a plan\n");
    }
    out
}

fn row(function: &FunctionPlan<'_>) -> String {
    let placed = function
        .program
        .buffers
        .iter()
        .filter(|b| b.storage != Storage::External);
    let sizes: Vec<Bytes> = placed.map(|b| b.size).collect();
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
        format!("@{}", printable(&function.program.name)),
        sizes.len(),
    )
}

//! How long operations compute: what they say, or what their iteration space says.

use crate::dialect::KernelOp;
use crate::mlir::{Op, iterations};

/// Cycles at so many arithmetic operations per cycle; 0 for an operation of which nobody knows, and if the rate is not
/// stated.
pub(crate) fn cycles(op: Op, rate: f64) -> u64 {
    if let Some(cycles) = KernelOp::of(op).and_then(KernelOp::cycles) {
        return cycles;
    }
    let Some(iterations) = iterations(op).filter(|_| rate > 0.0) else {
        return 0;
    };
    let body = op.regions().next().and_then(|region| region.first_block());
    let is_arithmetic = |op: &Op| !matches!(op.name(), "linalg.yield" | "linalg.index");
    let each = body.map_or(0, |body| body.ops().filter(is_arithmetic).count());
    // Saturates, and is nothing for nothing.
    (iterations as f64 * each as f64 / rate).ceil() as u64
}

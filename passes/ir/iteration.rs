//! Compute time of operations: as stated, or estimated from the iteration space.

use crate::ir::dialect::KernelOp;
use crate::ir::{Op, iterations};

/// Compute time in cycles: as stated by a kernel, or estimated at `rate` arithmetic operations per
/// cycle. The estimate is 0 if the iteration space is unknown or the rate is 0, i.e. not stated.
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
    // The conversion saturates. An empty iteration space or body takes 0 cycles.
    (iterations as f64 * each as f64 / rate).ceil() as u64
}

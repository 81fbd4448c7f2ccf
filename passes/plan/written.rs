//! Writes a plan to a module, and checks the module that results.

use crate::framework::{PassResult, PassRun};
use crate::ir::compare::{Claims, compare_modules};

/// Changes the module of a run by `write`, verifies it, and compares it with what it was before.
pub(super) fn write_compared(
    run: &PassRun,
    claims: Claims,
    write: impl FnOnce() -> PassResult,
) -> PassResult {
    let module = run.operation();
    let original = module.copied();
    // In large programs, the comparison and MLIR's verifier take as long as planning. The verifier takes
    // longer, so that the original is erased meanwhile.
    let check = || {
        let compared = compare_modules(original, module, claims);
        original.erase_all();
        compared
    };
    match write() {
        Ok(()) => run.verify_during(check),
        Err(failed) => {
            original.erase_all();
            Err(failed)
        }
    }
}

//! What the passes share that divide programs into tiles, or prepare that.

use crate::ir::{Diagnostic, Failed, Op};

/// The functions of a module, those inside nested modules included.
pub(super) fn functions_of(module: Op) -> Vec<Op> {
    let mut functions = Vec::new();
    module.walk(&mut |op| {
        if op.name() == "func.func" {
            functions.push(op);
        }
    });
    functions
}

/// The option `extra-work` of a pass: a percentage.
///
/// # Errors
/// If it is negative or too large.
pub(super) fn extra_work(module: Op, pass: &str, value: i64) -> Result<u32, Failed> {
    u32::try_from(value).or_else(|_| {
        let text = format!(
            "{pass}: option 'extra-work' is a percentage from 0 to {}, not {value}",
            u32::MAX,
        );
        Diagnostic::error(module.location(), &text).fail()
    })
}

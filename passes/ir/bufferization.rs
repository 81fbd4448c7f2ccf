//! Upstream's bufferization, as far as it cannot be run by the name of a pass, and the search for
//! values on tensors.

use std::ffi::c_void;

use mlir_sys::MlirOperation;

use super::ffi::{
    memShimDropEquivalentResults, memShimFirstWith, memShimIsBufferizable, memShimLowerPads,
    memShimResultsToArguments,
};
use super::handles::Op;
use super::{Failed, PassResult};

/// What memory values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Tensors: values without an address.
    Tensor = 0,
    /// Memrefs, buffers and arenas.
    Storage = 1,
}

/// The first operation in `scope`, including itself, with an operand, a result or an argument of a
/// block of this kind.
pub(crate) fn first_with(scope: Op, kind: ValueKind) -> Option<Op> {
    Op::new(c!(memShimFirstWith(scope.0, kind as u32)))
}

/// Whether the module has tensors, but no storage that could be planned.
pub(crate) fn has_only_tensors(module: Op) -> bool {
    first_with(module, ValueKind::Storage).is_none()
        && first_with(module, ValueKind::Tensor).is_some()
}

/// Whether one-shot bufferization knows how to convert an operation. Its dialects must be loaded.
pub(crate) fn is_bufferizable(op: Op) -> bool {
    c!(memShimIsBufferizable(op.0))
}

/// A failure has been reported.
fn checked(is_success: bool) -> PassResult {
    is_success.then_some(()).ok_or(Failed)
}

/// Replaces every `tensor.pad` in a function by operations that can be bufferized.
pub(crate) fn lower_pads(function: Op) -> PassResult {
    checked(c!(memShimLowerPads(function.0)))
}

/// Removes the results of the private functions of a module that are always the same argument.
pub(crate) fn drop_equivalent_results(module: Op) -> PassResult {
    checked(c!(memShimDropEquivalentResults(module.0)))
}

/// Replaces the memrefs that `functions`, which are functions of `module`, return by arguments.
pub(crate) fn results_to_arguments(module: Op, functions: &[Op]) -> PassResult {
    extern "C" fn is_listed(user: *mut c_void, function: MlirOperation) -> bool {
        // SAFETY: `user` is the slice below, which outlives the call.
        let functions = unsafe { *user.cast::<&[Op]>() };
        functions.contains(&Op(function))
    }
    let mut functions = functions;
    let user = (&raw mut functions).cast();
    checked(c!(memShimResultsToArguments(module.0, is_listed, user)))
}

//! Dependence analysis for C: the functions that `include/mem-opt.h` declares besides registration.
//!
//! Every function tolerates any argument value: ids and positions that do not exist, and null
//! handles, get the answer for an empty list. No panic unwinds into C.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mlir_sys::MlirOperation;

use crate::extract::chains::{AccessChains, FunctionChains, Origin, chains_of};
use crate::extract::dependence::extract_functions;
use crate::ir::{Op, with_data_layout};

/// `MemOptDependence`: the chains of one function, or null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MemOptDependence {
    ptr: *mut c_void,
}

/// `MemOptSource`: the origin of a byte range that is read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MemOptSource {
    /// 0: never written; 1: present at function entry or written outside the function; 2: written
    /// by `definition`.
    kind: u32,
    /// Id of the defining access, or -1.
    definition: isize,
    /// First byte, relative to the start of the buffer.
    start: u64,
    /// End of the range, exclusive; `UINT64_MAX`: the end of the buffer.
    end: u64,
}

type Chains = FunctionChains<'static, 'static>;

/// Dereferences a handle.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
unsafe fn chains<'a>(handle: MemOptDependence) -> Option<&'a Chains> {
    // SAFETY: guaranteed by the caller.
    unsafe { handle.ptr.cast::<Chains>().as_ref() }
}

/// The access with the given id.
///
/// # Safety
/// As for [`chains`].
unsafe fn access<'a>(handle: MemOptDependence, id: isize) -> Option<&'a AccessChains> {
    // SAFETY: guaranteed by the caller.
    let chains = unsafe { chains(handle) }?;
    chains.accesses.get(usize::try_from(id).ok()?)
}

/// The byte ranges of all sources of an access, flattened.
fn sources(access: &AccessChains) -> impl Iterator<Item = MemOptSource> + '_ {
    access.sources.iter().flat_map(|source| {
        let (kind, definition) = match source.origin {
            Origin::Undefined => (0, -1),
            Origin::Entry => (1, -1),
            Origin::Definition(id) => (2, id as isize),
        };
        source.bytes.iter().map(move |bytes| MemOptSource {
            kind,
            definition,
            start: bytes.start,
            end: bytes.end,
        })
    })
}

/// Analyzes a function of a module. Returns a null handle if `function` is not a function or has no
/// body.
///
/// # Safety
/// `function` must be a valid operation.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptAnalyzeDependence(
    function: MlirOperation,
    noalias_arguments: bool,
) -> MemOptDependence {
    let analyze = || {
        let function = Op::new(function)?;
        let around = std::iter::successors(Some(function), |op| op.parent());
        let module = around
            .into_iter()
            .find(|op| op.name() == "builtin.module")?;
        let functions = with_data_layout(module, || extract_functions(module, noalias_arguments));
        let mut functions = functions.into_iter();
        let found = functions.find(|f| f.function.op == function)?;
        let chains: Chains = chains_of(&found, |_| ());
        Some(Box::into_raw(Box::new(chains)).cast::<c_void>())
    };
    let answer = catch_unwind(AssertUnwindSafe(analyze));
    MemOptDependence {
        ptr: answer.ok().flatten().unwrap_or(std::ptr::null_mut()),
    }
}

/// Frees the result of [`memOptAnalyzeDependence`].
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceDestroy(dependence: MemOptDependence) {
    if !dependence.ptr.is_null() {
        // SAFETY: created from a box and not destroyed before, as the caller guarantees.
        drop(unsafe { Box::from_raw(dependence.ptr.cast::<Chains>()) });
    }
}

/// Number of accesses. Their ids are `0..n`.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumAccesses(dependence: MemOptDependence) -> isize {
    // SAFETY: guaranteed by the caller.
    let chains = unsafe { chains(dependence) };
    chains.map_or(0, |chains| chains.accesses.len() as isize)
}

/// The operation that performs an access; null if there is no such access.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetOperation(
    dependence: MemOptDependence,
    id: isize,
) -> MlirOperation {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    let null = MlirOperation {
        ptr: std::ptr::null_mut(),
    };
    access.map_or(null, |access| access.op.0)
}

/// Index of the operand that an access goes through, or -1.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetOperand(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    let operand = access.and_then(|access| access.operand);
    operand.map_or(-1, |operand| operand as isize)
}

/// Whether an access is a write.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceIsDefinition(
    dependence: MemOptDependence,
    id: isize,
) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { access(dependence, id) }.is_some_and(|access| access.is_definition)
}

/// Whether an access is a dead write, i.e. none of its bytes is ever read.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceIsDead(dependence: MemOptDependence, id: isize) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { access(dependence, id) }.is_some_and(|access| access.is_dead)
}

/// Number of byte ranges that make up the sources of a use.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumSources(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    access.map_or(0, |access| sources(access).count() as isize)
}

/// The source range at `position`; an empty, undefined range if there is none.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetSource(
    dependence: MemOptDependence,
    id: isize,
    position: isize,
) -> MemOptSource {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    let position = usize::try_from(position).ok();
    let source = access.zip(position).and_then(|(a, p)| sources(a).nth(p));
    source.unwrap_or(MemOptSource {
        kind: 0,
        definition: -1,
        start: 0,
        end: 0,
    })
}

/// Number of uses that a definition may reach.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumReaders(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    access.map_or(0, |access| access.readers.len() as isize)
}

/// The id of the reader at `position`, or -1.
///
/// # Safety
/// The handle must be null, or have been created and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetReader(
    dependence: MemOptDependence,
    id: isize,
    position: isize,
) -> isize {
    // SAFETY: guaranteed by the caller.
    let access = unsafe { access(dependence, id) };
    let position = usize::try_from(position).ok();
    let reader = access.zip(position).and_then(|(a, p)| a.readers.get(p));
    reader.map_or(-1, |reader| *reader as isize)
}

//! Dependences for C: what `include/mem-opt.h` declares beside registration.
//!
//! Every function takes what it is given: ids and positions that do not exist, and null handles, get
//! the answer that an empty list would. Nothing unwinds into C.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mlir_sys::MlirOperation;

use crate::chains::{AccessChains, FunctionChains, Origin, chains_of};
use crate::dependence::extract_functions;
use crate::mlir::{Op, with_data_layout};

/// `MemOptDependence`: the chains of one function, or null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MemOptDependence {
    ptr: *mut c_void,
}

/// `MemOptSource`: where some bytes come from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MemOptSource {
    /// 0: nobody wrote them; 1: they were there before the function; 2: `definition` wrote them.
    kind: u32,
    /// The id of an access, or -1.
    definition: isize,
    /// The first byte, relative to the start of the buffer.
    start: u64,
    /// The one after the last; `UINT64_MAX`: wherever the buffer ends.
    end: u64,
}

type Chains = FunctionChains<'static, 'static>;

/// The chains behind a handle.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
unsafe fn chains<'a>(handle: MemOptDependence) -> Option<&'a Chains> {
    // SAFETY: as the caller promises.
    unsafe { handle.ptr.cast::<Chains>().as_ref() }
}

/// The access with that id.
///
/// # Safety
/// As for [`chains`].
unsafe fn access<'a>(handle: MemOptDependence, id: isize) -> Option<&'a AccessChains> {
    // SAFETY: as the caller promises.
    let chains = unsafe { chains(handle) }?;
    chains.accesses.get(usize::try_from(id).ok()?)
}

/// The bytes of all sources of an access, one range after the other.
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

/// Analyzes a function in a module. Null if it is none, or has no body.
///
/// # Safety
/// `function` is an operation.
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

/// Frees what [`memOptAnalyzeDependence`] returned.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceDestroy(dependence: MemOptDependence) {
    if !dependence.ptr.is_null() {
        // SAFETY: made from a box, and not destroyed before, as the caller promises.
        drop(unsafe { Box::from_raw(dependence.ptr.cast::<Chains>()) });
    }
}

/// How many accesses there are; their ids are the numbers below that.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumAccesses(dependence: MemOptDependence) -> isize {
    // SAFETY: as the caller promises.
    let chains = unsafe { chains(dependence) };
    chains.map_or(0, |chains| chains.accesses.len() as isize)
}

/// The operation that makes an access; null if there is no such access.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetOperation(
    dependence: MemOptDependence,
    id: isize,
) -> MlirOperation {
    // SAFETY: as the caller promises.
    let access = unsafe { access(dependence, id) };
    let null = MlirOperation {
        ptr: std::ptr::null_mut(),
    };
    access.map_or(null, |access| access.op.0)
}

/// The number of the operand that an access goes through, or -1.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetOperand(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: as the caller promises.
    let access = unsafe { access(dependence, id) };
    let operand = access.and_then(|access| access.operand);
    operand.map_or(-1, |operand| operand as isize)
}

/// Whether an access writes.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceIsDefinition(
    dependence: MemOptDependence,
    id: isize,
) -> bool {
    // SAFETY: as the caller promises.
    unsafe { access(dependence, id) }.is_some_and(|access| access.is_definition)
}

/// Whether an access writes what nobody reads.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceIsDead(dependence: MemOptDependence, id: isize) -> bool {
    // SAFETY: as the caller promises.
    unsafe { access(dependence, id) }.is_some_and(|access| access.is_dead)
}

/// How many byte ranges with a source an access reads.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumSources(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: as the caller promises.
    let access = unsafe { access(dependence, id) };
    access.map_or(0, |access| sources(access).count() as isize)
}

/// One of those; undefined bytes, none, if there is no such.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetSource(
    dependence: MemOptDependence,
    id: isize,
    position: isize,
) -> MemOptSource {
    // SAFETY: as the caller promises.
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

/// How many accesses may see what an access writes.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetNumReaders(
    dependence: MemOptDependence,
    id: isize,
) -> isize {
    // SAFETY: as the caller promises.
    let access = unsafe { access(dependence, id) };
    access.map_or(0, |access| access.readers.len() as isize)
}

/// The id of one of them, or -1.
///
/// # Safety
/// The handle is null, or one that was made and not destroyed.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memOptDependenceGetReader(
    dependence: MemOptDependence,
    id: isize,
    position: isize,
) -> isize {
    // SAFETY: as the caller promises.
    let access = unsafe { access(dependence, id) };
    let position = usize::try_from(position).ok();
    let reader = access.zip(position).and_then(|(a, p)| a.readers.get(p));
    reader.map_or(-1, |reader| *reader as isize)
}

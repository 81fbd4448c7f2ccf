//! What the shared library exports: the entry points that `mlir-opt --load-dialect-plugin` and
//! `--load-pass-plugin` look for, and those of `include/mem-opt.h`.

use std::ffi::{CStr, c_char};

use mlir_sys::{MlirDialectHandle, MlirDialectRegistry};

use crate::mlir::ffi::{memShimDialectHandle, memShimRegisterDialect};

const API_VERSION: u32 = 1;
const NAME: &CStr = c"mem-opt";
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version without NUL"),
    };

/// `mlir::PassPluginLibraryInfo`.
#[repr(C)]
pub struct PassPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(),
}

/// `mlir::DialectPluginLibraryInfo`.
#[repr(C)]
pub struct DialectPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(*mut std::ffi::c_void),
}

extern "C" fn register_passes() {
    // Registration allocates and calls MLIR; were it to panic, nothing could be registered twice.
    let _ = std::panic::catch_unwind(crate::register_passes);
}

extern "C" fn register_dialect(registry: *mut std::ffi::c_void) {
    // SAFETY: the host hands its DialectRegistry, which the C API wraps as a pointer.
    unsafe { memShimRegisterDialect(MlirDialectRegistry { ptr: registry }) }
}

/// Tells a host how to register the passes.
#[allow(non_snake_case, reason = "the name MLIR looks for")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginInfo {
    let (name, version) = (NAME.as_ptr(), VERSION.as_ptr());
    PassPluginInfo {
        api_version: API_VERSION,
        name,
        version,
        register: register_passes,
    }
}

/// Tells a host how to register the dialect.
#[allow(non_snake_case, reason = "the name MLIR looks for")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginInfo {
    let (name, version) = (NAME.as_ptr(), VERSION.as_ptr());
    DialectPluginInfo {
        api_version: API_VERSION,
        name,
        version,
        register: register_dialect,
    }
}

/// The dialect's handle, as MLIR's C API has one for each of its own dialects.
#[allow(non_snake_case, reason = "the name MLIR's macros give it")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectHandle__mem__() -> MlirDialectHandle {
    // SAFETY: returns a pointer to a constant.
    unsafe { memShimDialectHandle() }
}

/// Registers every pass and pipeline, once a process: from then on pipelines can name them.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub extern "C" fn memOptRegisterPasses() {
    register_passes();
}

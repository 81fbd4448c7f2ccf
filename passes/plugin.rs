//! Registration of the dialect, and exports of the shared library: the entry points that `mlir-opt
//! --load-dialect-plugin` and `--load-pass-plugin` look up, and those declared in
//! `include/mem-opt.h`.

use std::ffi::{CStr, c_char};

use melior::dialect::DialectRegistry;
use mlir_sys::{MlirDialectHandle, MlirDialectRegistry};

use crate::host;
use crate::ir::ffi::{memShimDialectHandle, memShimRegisterDialect};

const API_VERSION: u32 = 1;
/// Hosts refuse plugins of this version.
const REFUSED: u32 = 0;
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

/// Adds the mem dialect to a registry.
pub fn register_dialect(registry: &DialectRegistry) {
    // SAFETY: the registry is alive.
    unsafe { memShimRegisterDialect(registry.to_raw()) }
}

extern "C" fn register_passes() {
    // No panic may unwind into the host, and there is no way to report one here.
    let _ = std::panic::catch_unwind(|| {
        if let Err(error) = mem_planner::install_trace() {
            eprintln!("mem-opt: error: {error}; nothing is traced");
        }
        crate::register_passes();
    });
}

extern "C" fn add_dialect(registry: *mut std::ffi::c_void) {
    // SAFETY: the host passes its DialectRegistry, which the C API wraps as a pointer.
    unsafe { memShimRegisterDialect(MlirDialectRegistry { ptr: registry }) }
}

/// The version to state: a host with another copy of MLIR, to which the reason has been reported,
/// must not use the plugin.
fn api_version() -> u32 {
    // No panic may unwind into the host.
    match std::panic::catch_unwind(host::is_compatible) {
        Ok(false) => REFUSED,
        Ok(true) | Err(_) => API_VERSION,
    }
}

/// Describes the pass plugin to the host.
#[allow(non_snake_case, reason = "the name MLIR looks for")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginInfo {
    let (name, version) = (NAME.as_ptr(), VERSION.as_ptr());
    PassPluginInfo {
        api_version: api_version(),
        name,
        version,
        register: register_passes,
    }
}

/// Describes the dialect plugin to the host.
#[allow(non_snake_case, reason = "the name MLIR looks for")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginInfo {
    let (name, version) = (NAME.as_ptr(), VERSION.as_ptr());
    DialectPluginInfo {
        api_version: api_version(),
        name,
        version,
        register: add_dialect,
    }
}

/// The handle of the dialect, like those that MLIR's C API has for its own dialects.
#[allow(non_snake_case, reason = "the name MLIR's macros give it")]
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectHandle__mem__() -> MlirDialectHandle {
    // SAFETY: returns a pointer to a constant.
    unsafe { memShimDialectHandle() }
}

/// Registers every pass and pipeline, so that pipelines can name them. Repeated calls have no
/// effect.
#[allow(non_snake_case, reason = "a name in the style of MLIR's C API")]
#[unsafe(no_mangle)]
pub extern "C" fn memOptRegisterPasses() {
    register_passes();
}

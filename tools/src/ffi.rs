//! Rust declarations of `Shim.h`.

use std::ffi::{c_char, c_int};

use mlir_sys::{MlirDialectRegistry, MlirExecutionEngine, MlirModule};

#[allow(non_snake_case, reason = "the names of Shim.h")]
unsafe extern "C" {
    pub(crate) fn memToolsRegisterUpstream(registry: MlirDialectRegistry);
    pub(crate) fn memToolsRegisterUpstreamPasses();
    pub(crate) fn memToolsOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        name: *const c_char,
        registry: MlirDialectRegistry,
    ) -> c_int;
    pub(crate) fn memToolsCompile(
        module: MlirModule,
        optimization_level: c_int,
    ) -> MlirExecutionEngine;
}

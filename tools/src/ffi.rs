//! Rust declarations of `Shim.h`.

use std::ffi::{c_char, c_int, c_void};

use mlir_sys::{MlirDialectRegistry, MlirExecutionEngine, MlirModule, MlirStringRef};

#[allow(non_snake_case, reason = "the names of Shim.h")]
unsafe extern "C" {
    pub(crate) fn memToolsRegisterUpstream(registry: MlirDialectRegistry);
    pub(crate) fn memToolsRegisterUpstreamPasses();
    pub(crate) fn memToolsOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        name: *const c_char,
        registry: MlirDialectRegistry,
        check: extern "C" fn(MlirStringRef) -> bool,
    ) -> c_int;
    pub(crate) fn memToolsRemoveOutput();
    pub(crate) fn memToolsLspServerMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
    ) -> c_int;
    pub(crate) fn memToolsReduceMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
    ) -> c_int;
    pub(crate) fn memToolsIsPass(name: MlirStringRef) -> bool;
    pub(crate) fn memToolsPassNames(
        sink: extern "C" fn(MlirStringRef, *mut c_void),
        user: *mut c_void,
    );
    pub(crate) fn memToolsCompile(
        module: MlirModule,
        optimization_level: c_int,
    ) -> MlirExecutionEngine;
}

//! Machine code in memory: an MLIR execution engine without event listeners, which would leave
//! files behind.

use std::ffi::c_void;

use melior::ir::Module;
use mem_opt::internals::string_ref;
use mlir_sys::{
    MlirExecutionEngine, mlirExecutionEngineDestroy, mlirExecutionEngineInvokePacked,
    mlirExecutionEngineLookup, mlirExecutionEngineRegisterSymbol,
};

use crate::ffi::memToolsCompile;

/// A compiled module.
pub(super) struct Engine(MlirExecutionEngine);

impl Engine {
    /// Compiles a module of the LLVM dialect; `None` on failure.
    pub(super) fn new(module: &Module, optimization_level: u8) -> Option<Self> {
        // SAFETY: the module is alive; the engine keeps no reference to it.
        let raw = unsafe { memToolsCompile(module.to_raw(), optimization_level.into()) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    /// Compiles a function and returns its address; null if there is no such function.
    pub(super) fn lookup(&self, name: &str) -> *mut c_void {
        // SAFETY: the engine is alive, and only reads the name.
        unsafe { mlirExecutionEngineLookup(self.0, string_ref(name)) }
    }

    /// Calls a function through its packed interface. Returns whether the function exists.
    ///
    /// # Safety
    /// `arguments` must contain a valid pointer for each argument and result of the function.
    pub(super) unsafe fn invoke_packed(&self, name: &str, arguments: &mut [*mut ()]) -> bool {
        let arguments = arguments.as_mut_ptr().cast();
        // SAFETY: the engine is alive, and the caller guarantees valid arguments.
        let result =
            unsafe { mlirExecutionEngineInvokePacked(self.0, string_ref(name), arguments) };
        result.value != 0
    }

    /// Defines a symbol that compiled code calls.
    ///
    /// # Safety
    /// `address` must be a function with the signature that compiled code calls it with.
    pub(super) unsafe fn register_symbol(&self, name: &str, address: *const c_void) {
        // SAFETY: the engine is alive, and the caller guarantees a valid address.
        unsafe {
            mlirExecutionEngineRegisterSymbol(self.0, string_ref(name), address.cast_mut());
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the engine is alive, and it is destroyed only here.
        unsafe { mlirExecutionEngineDestroy(self.0) };
    }
}

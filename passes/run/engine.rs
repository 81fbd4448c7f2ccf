//! Machine code in memory: an execution engine of MLIR's without listeners, which leaves no file behind.

use std::ffi::c_void;

use melior::ir::Module;
use mlir_sys::{
    MlirExecutionEngine, mlirExecutionEngineDestroy, mlirExecutionEngineInvokePacked,
    mlirExecutionEngineLookup, mlirExecutionEngineRegisterSymbol,
};

use crate::mlir::ffi::memShimCompile;
use crate::mlir::string_ref;

/// A compiled module.
pub(super) struct Engine(MlirExecutionEngine);

impl Engine {
    /// Compiles a module of the LLVM dialect; `None` if that fails.
    pub fn new(module: &Module, optimization_level: u8) -> Option<Self> {
        // SAFETY: the module is alive; the engine keeps nothing of it.
        let raw = unsafe { memShimCompile(module.to_raw(), optimization_level.into()) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    /// The address of a function, which compiles it; null if there is none.
    pub fn lookup(&self, name: &str) -> *mut c_void {
        // SAFETY: the engine is alive, and reads the name only.
        unsafe { mlirExecutionEngineLookup(self.0, string_ref(name)) }
    }

    /// Calls a function through its packed interface; whether there is one.
    ///
    /// # Safety
    /// `arguments` has a pointer for each argument and result of the function.
    pub unsafe fn invoke_packed(&self, name: &str, arguments: &mut [*mut ()]) -> bool {
        let arguments = arguments.as_mut_ptr().cast();
        // SAFETY: the engine is alive, and the caller answers for the arguments.
        let result =
            unsafe { mlirExecutionEngineInvokePacked(self.0, string_ref(name), arguments) };
        result.value != 0
    }

    /// Names a function that compiled code calls.
    ///
    /// # Safety
    /// `address` is a function with the signature that the code calls it with.
    pub unsafe fn register_symbol(&self, name: &str, address: *const c_void) {
        // SAFETY: the engine is alive, and the caller answers for the address.
        unsafe {
            mlirExecutionEngineRegisterSymbol(self.0, string_ref(name), address.cast_mut());
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the engine is alive until now, and nobody else destroys it.
        unsafe { mlirExecutionEngineDestroy(self.0) };
    }
}

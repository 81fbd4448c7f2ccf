//! `main` of `mem-opt`.

use std::ffi::{CString, c_char, c_int};

use melior::dialect::DialectRegistry;

use crate::ffi::memToolsOptMain;
use crate::upstream::register_upstream;

/// Stack size for parsing, passes and printing. MLIR recurses once per level of nesting, and
/// thousands of levels exceed the usual 8 MiB of the main thread.
const STACK_BYTES: usize = 1 << 30;

/// `mlir-opt` with all upstream dialects and passes and those of this project. Returns the exit
/// status.
#[must_use]
pub fn opt_main(arguments: Vec<CString>) -> i32 {
    if let Err(error) = mem_planner::install_trace() {
        eprintln!("mem-opt: error: {error}");
        return 1;
    }
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || run_opt(&arguments));
    match spawned.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The thread could not be created, or it panicked, which has been reported.
        _ => 1,
    }
}

fn run_opt(arguments: &[CString]) -> i32 {
    let registry = DialectRegistry::new();
    register_upstream(&registry);
    mem_opt::register_dialect(&registry);
    mem_opt::register_passes();
    let mut raw: Vec<*mut c_char> = arguments.iter().map(|a| a.as_ptr().cast_mut()).collect();
    let n = c_int::try_from(raw.len()).unwrap_or(c_int::MAX);
    raw.push(std::ptr::null_mut());
    // SAFETY: `raw` is an argument vector in the form that `main` receives, i.e. NUL-terminated
    // strings followed by a null pointer, and it outlives the call.
    unsafe { memToolsOptMain(n, raw.as_mut_ptr(), c"mem-opt".as_ptr(), registry.to_raw()) }
}

//! `mem-opt`: `mlir-opt` with the memory planner.

use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;

/// The allocator of the whole process, MLIR included: a compiler allocates many small objects, which
/// takes a tenth of its time with the allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments = std::env::args_os()
        .filter_map(|a| CString::new(a.into_vec()).ok())
        .collect();
    std::process::exit(mem_tools::opt_main(arguments));
}

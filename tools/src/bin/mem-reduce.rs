//! `mem-reduce`: mlir-reduce with the `mem` dialect and the passes of `mem-opt`.

use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;

fn main() {
    let arguments = std::env::args_os()
        .filter_map(|a| CString::new(a.into_vec()).ok())
        .collect();
    std::process::exit(mem_tools::reduce_main(arguments));
}

//! `mem-lsp-server`: MLIR's language server with the `mem` dialect: diagnostics, hover and navigation in editors.

use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;

fn main() {
    let arguments = std::env::args_os()
        .filter_map(|a| CString::new(a.into_vec()).ok())
        .collect();
    std::process::exit(mem_tools::lsp_server_main(arguments));
}

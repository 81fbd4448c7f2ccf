//! Compiles the C++ of the tools, sets the run path to MLIR's libraries, and names the commit.

use std::path::Path;

#[path = "../build/commit.rs"]
mod commit;
#[path = "../build/llvm.rs"]
mod llvm;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../build/commit.rs");
    println!("cargo:rerun-if-changed=../build/llvm.rs");
    println!("cargo:rerun-if-changed=Shim.cpp");
    println!("cargo:rerun-if-changed=Shim.h");
    let prefix = llvm::prefix();
    // Named before the libraries of the C++ code, MLIR's libraries come before libstdc++, too: the dynamic linker looks
    // most symbols up for MLIR, and searches the libraries in this order.
    for library in ["MLIR", "LLVM"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
    llvm::compile_glue(&prefix, "mem_tools_glue", &["Shim.cpp"], &[]);
    // Everything else that the tools link, the library of the passes links as well.
    println!("cargo:rustc-link-lib=dylib=MLIRExecutionEngineShared");
    llvm::set_run_path(&prefix);
    commit::set_commit(Path::new(".."));
}

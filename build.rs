//! Builds what cargo cannot: the dialect's mlir-tblgen output, the C++ glue, the pass table from
//! `Passes.td`, and a linker script that takes the place of the shared MLIR C API.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tblgen::{RecordKeeper, TableGenParser};

#[path = "build/details.rs"]
mod details;
#[path = "build/llvm.rs"]
mod llvm;
#[path = "build/passes.rs"]
mod passes;
#[path = "build/views.rs"]
mod views;

use llvm::capture;

fn main() {
    let prefix = llvm::prefix();
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=dialects");
    println!("cargo:rerun-if-changed=passes/Passes.td");
    println!("cargo:rerun-if-changed=passes/Conversions.td");
    println!("cargo:rerun-if-changed=passes/Orders.td");
    println!("cargo:rerun-if-changed=passes/Pipelines.td");
    println!("cargo:rerun-if-changed=passes/Options.td");

    generate_dialect(&prefix, &out);
    let write = |file: &str, text: String| {
        fs::write(out.join(file), text).expect("OUT_DIR is writable");
    };
    let (options, table) = passes::generate(&records(&prefix, "passes/Passes.td"));
    write("options.rs", options);
    write("table.rs", table);
    write(
        "views.rs",
        views::generate(&records(&prefix, "dialects/mem/MemOps.td")),
    );
    let glue = [
        "dialects/mem/Bufferize.cpp",
        "dialects/mem/Cloning.cpp",
        "dialects/mem/Inlining.cpp",
        "dialects/mem/MemDialect.cpp",
        "dialects/mem/MemLinks.cpp",
        "dialects/mem/MemOps.cpp",
        "dialects/mem/MemTypes.cpp",
        "dialects/mem/Queries.cpp",
        "dialects/mem/Shim.cpp",
    ];
    let includes = [out.as_path(), Path::new("dialects/mem")];
    llvm::compile_glue(&prefix, "mem_glue", &glue, &includes);
    link(&prefix, &out);
    llvm::set_run_path(&prefix);
    let version = capture(&prefix.join("bin/llvm-config"), &["--version"]);
    println!("cargo:rustc-env=MEM_OPT_LLVM_VERSION={}", version.trim());
}

fn generate_dialect(prefix: &Path, out: &Path) {
    let tblgen = prefix.join("bin/mlir-tblgen");
    let include = format!("-I{}", prefix.join("include").display());
    for (file, generator) in [
        ("MemDialect.h.inc", "-gen-dialect-decls -dialect=mem"),
        ("MemDialect.cpp.inc", "-gen-dialect-defs -dialect=mem"),
        ("MemEnums.h.inc", "-gen-enum-decls"),
        ("MemEnums.cpp.inc", "-gen-enum-defs"),
        ("MemAttrs.h.inc", "-gen-attrdef-decls -attrdefs-dialect=mem"),
        (
            "MemAttrs.cpp.inc",
            "-gen-attrdef-defs -attrdefs-dialect=mem",
        ),
        ("MemTypes.h.inc", "-gen-typedef-decls -typedefs-dialect=mem"),
        (
            "MemTypes.cpp.inc",
            "-gen-typedef-defs -typedefs-dialect=mem",
        ),
        ("MemOps.h.inc", "-gen-op-decls"),
        ("MemOps.cpp.inc", "-gen-op-defs"),
    ] {
        let mut arguments: Vec<&str> = generator.split(' ').collect();
        arguments.extend([&*include, "-Idialects/mem", "dialects/mem/MemOps.td"]);
        let text = capture(&tblgen, &arguments);
        fs::write(out.join(file), text).expect("OUT_DIR is writable");
    }
}

/// The records of a .td file. The build fails if TableGen refuses the file, and shows why.
fn records(prefix: &Path, file: &str) -> RecordKeeper<'static> {
    let include = prefix.join("include");
    let include = include.to_str().expect("the prefix of LLVM is UTF-8");
    let parser = TableGenParser::new()
        .add_include_directory(include)
        .add_include_directory("dialects/mem")
        .add_include_directory("passes")
        .add_source_file(file);
    parser
        .parse()
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Debian ships the C API only as static archives, but mlir-sys links with `-lMLIR-C`. A linker
/// script of that name groups the archives, which take MLIR itself from the shared library.
fn link(prefix: &Path, out: &Path) {
    let libraries = prefix.join("lib");
    let mut archives: Vec<String> = fs::read_dir(&libraries)
        .expect("LLVM's library folder is readable")
        .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
        .filter(|path| path.contains("/libMLIRCAPI") && path.ends_with(".a"))
        .collect();
    archives.sort();
    let script = format!("GROUP( {} )\n", archives.join(" "));
    fs::write(out.join("libMLIR-C.so"), script).expect("OUT_DIR is writable");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", libraries.display());
    for library in ["MLIR", "LLVM", "stdc++"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}

//! Builds what cargo cannot: the dialect's mlir-tblgen output, the C++ glue, the pass table from
//! `Passes.td`, and a linker script that takes the place of the shared MLIR C API.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tblgen::{RecordKeeper, TableGenParser};

#[path = "build/passes.rs"]
mod passes;
#[path = "build/views.rs"]
mod views;

fn main() {
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let prefix = PathBuf::from(prefix);
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=dialects");
    println!("cargo:rerun-if-changed=passes/Passes.td");
    println!("cargo:rerun-if-changed=passes/Conversions.td");
    println!("cargo:rerun-if-changed=passes/Pipelines.td");

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
    // Clippy does not link, and its wrapper gives the build script another OUT_DIR.
    let wrapper = env::var("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    if !wrapper.contains("clippy") {
        compile_glue(&prefix, &out);
    }
    link(&prefix, &out);
}

/// Runs a tool and returns its standard output. The build fails if the tool is missing or fails.
fn capture(tool: &Path, arguments: &[&str]) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| {
            panic!(
                "{}: {error}; `make setup` installs LLVM/MLIR 22",
                tool.display()
            )
        });
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{} {arguments:?}: {complaint}",
        tool.display()
    );
    String::from_utf8(output.stdout).expect("the tool writes UTF-8")
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

fn compile_glue(prefix: &Path, out: &Path) {
    let flags = capture(&prefix.join("bin/llvm-config"), &["--cxxflags"]);
    let rtti = capture(&prefix.join("bin/llvm-config"), &["--has-rtti"]);
    let mut build = cc::Build::new();
    // Use the compiler that built LLVM. MLIR identifies traits by type names as printed by the
    // compiler, and GCC prints them differently, so `hasTrait` would silently return false.
    build.compiler(prefix.join("bin/clang++"));
    build
        .cpp(true)
        .file("dialects/mem/MemDialect.cpp")
        .file("dialects/mem/MemOps.cpp")
        .file("dialects/mem/Shim.cpp");
    build
        .include(out)
        .include("dialects/mem")
        .opt_level(1)
        .warnings(true)
        .extra_warnings(true);
    for flag in flags.split_whitespace() {
        // Suppress warnings in LLVM's headers.
        match flag.strip_prefix("-I") {
            Some(path) => build.flag("-isystem").flag(path),
            None => build.flag(flag),
        };
    }
    // Some LLVM classes have a different layout if assertions are enabled.
    let assertions = capture(&prefix.join("bin/llvm-config"), &["--assertion-mode"]);
    if assertions.trim() == "OFF" {
        build.define("NDEBUG", None);
    }
    if rtti.trim() == "NO" {
        build.flag("-fno-rtti");
    }
    build.flag_if_supported("-Wno-unused-parameter");
    build.compile("mem_glue");
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
    for library in ["MLIRExecutionEngineShared", "MLIR", "LLVM", "stdc++"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
}

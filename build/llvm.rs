//! Shared by the build scripts of the packages that link MLIR: LLVM's tools, the C++ compiler, and
//! the run path.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory that LLVM is installed in.
pub(crate) fn prefix() -> PathBuf {
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    PathBuf::from(prefix)
}

/// Runs a tool and returns its standard output. The build fails if the tool is missing or fails.
pub(crate) fn capture(tool: &Path, arguments: &[&str]) -> String {
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

/// Compiles C++ against MLIR to the static library `name`, which cargo links.
pub(crate) fn compile_glue(prefix: &Path, name: &str, sources: &[&str], includes: &[&Path]) {
    // Clippy does not link, and its wrapper gives the build script another OUT_DIR.
    let wrapper = env::var("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    if wrapper.contains("clippy") {
        return;
    }
    let flags = capture(&prefix.join("bin/llvm-config"), &["--cxxflags"]);
    let rtti = capture(&prefix.join("bin/llvm-config"), &["--has-rtti"]);
    let mut build = cc::Build::new();
    // Use the compiler that built LLVM. MLIR identifies traits by type names as printed by the
    // compiler, and GCC prints them differently, so `hasTrait` would silently return false.
    build.compiler(prefix.join("bin/clang++"));
    build
        .cpp(true)
        .files(sources)
        .includes(includes)
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
    build.compile(name);
}

/// The shared libraries that the package's binaries, tests and plugin load are found in LLVM's
/// library folder. Cargo applies link arguments to the package of the build script only.
pub(crate) fn set_run_path(prefix: &Path) {
    let libraries = prefix.join("lib");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
}

//! Builds what cargo cannot: the dialect's mlir-tblgen output, the C++ glue, the pass table from
//! `Passes.td`, and a linker script that takes the place of the shared MLIR C API.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

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

    generate_dialect(&prefix, &out);
    generate_pass_table(&prefix, &out);
    generate_views(&prefix, &out);
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

/// The records of a .td file, as dumped by TableGen.
fn records(prefix: &Path, file: &str) -> Value {
    let tblgen = prefix.join("bin/llvm-tblgen");
    let include = format!("-I{}", prefix.join("include").display());
    let json = capture(
        &tblgen,
        &["--dump-json", &include, "-Idialects/mem", "-Ipasses", file],
    );
    serde_json::from_str(&json).expect("llvm-tblgen writes JSON")
}

/// Generates one typed Rust view per operation of the dialect.
fn generate_views(prefix: &Path, out: &Path) {
    let views = views::generate(&records(prefix, "dialects/mem/MemOps.td"));
    fs::write(out.join("views.rs"), views).expect("OUT_DIR is writable");
}

/// Generates the pass table. `Passes.td` is the single source of truth for passes, their options
/// and statistics; each pass gets a Rust options struct and an entry in the table that the C++ pass
/// class reads.
fn generate_pass_table(prefix: &Path, out: &Path) {
    let records = records(prefix, "passes/Passes.td");
    let mut names: Vec<&str> = records["!instanceof"]["PassBase"]
        .as_array()
        .expect("Passes.td includes PassBase.td")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    names.sort_unstable();
    let mut code = String::new();
    let mut table = String::new();
    for name in names {
        generate_pass(&records, name, &mut code, &mut table);
    }
    let table = format!(
        "/// Every pass, in the order of its name.\n\
         pub(crate) static PASSES: &[PassSpec] = &[\n{table}];\n"
    );
    fs::write(out.join("options.rs"), code).expect("OUT_DIR is writable");
    fs::write(out.join("table.rs"), table).expect("OUT_DIR is writable");
}

fn generate_pass(records: &Value, name: &str, code: &mut String, table: &mut String) {
    let record = &records[name];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |key: &str| -> Vec<&Value> {
        let items = record[key]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        items
            .iter()
            .map(|item| &records[item["def"].as_str().expect("a def")])
            .collect()
    };
    let argument = text(&record["argument"]);
    let [mut fields, mut reads, mut options, mut statistics] = [const { String::new() }; 4];
    for (index, option) in list("options").iter().enumerate() {
        let (field, kind) = (text(&option["cppName"]), text(&option["type"]));
        let (rust, variant, read) = match kind.as_str() {
            "std::string" => ("String", "String", "string"),
            "int64_t" => ("i64", "Integer", "integer"),
            "bool" => ("bool", "Boolean", "boolean"),
            other => panic!("option {field} of {argument}: no Rust type for {other}"),
        };
        let about = text(&option["description"]);
        let field = snake(&field);
        writeln!(fields, "    /// {about}\n    pub {field}: {rust},").unwrap();
        writeln!(reads, "            {field}: options.{read}({index}),").unwrap();
        let default = text(&option["defaultValue"]);
        let default = default.trim_matches('"');
        writeln!(
            options,
            "        OptionSpec {{ name: c{:?}, about: c{about:?}, default: c{default:?}, kind: OptionKind::{variant} }},",
            text(&option["argument"])
        )
        .unwrap();
    }
    let mut constants = String::new();
    for (index, statistic) in list("statistics").iter().enumerate() {
        let (id, about) = (text(&statistic["name"]), text(&statistic["description"]));
        let constant = snake(&text(&statistic["cppName"])).to_uppercase();
        writeln!(
            constants,
            "    /// {about}\n    pub const {constant}: usize = {index};"
        )
        .unwrap();
        writeln!(statistics, "        (c{id:?}, c{about:?}),").unwrap();
    }
    let summary = text(&record["summary"]);
    writeln!(
        code,
        "/// Options of `{argument}`: {summary}.\n#[derive(Clone, Debug)]\npub struct {name}Options {{\n{fields}}}\n\
         impl {name}Options {{\n{constants}    pub(crate) fn read(#[allow(unused_variables, reason = \"generated\")] options: &OptionValues) -> Self {{\n        Self {{\n{reads}        }}\n    }}\n}}\n"
    )
    .unwrap();
    writeln!(
        table,
        "    PassSpec {{\n    argument: c{argument:?}, summary: c{summary:?}, anchor: c{:?},\n    options: &[\n{options}    ],\n    statistics: &[\n{statistics}    ],\n    run: |run| {}::run(run, &{name}Options::read(&run.options())),\n    }},",
        anchor(&text(&record["baseClass"])),
        snake(name)
    )
    .unwrap();
}

/// The operation that a pass with this C++ base class is anchored on.
fn anchor(base_class: &str) -> &'static str {
    match base_class {
        "::mlir::OperationPass<::mlir::ModuleOp>" => "builtin.module",
        "::mlir::OperationPass<::mlir::func::FuncOp>" => "func.func",
        other => panic!("no anchor for a pass of class {other}"),
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            if !out.is_empty() {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else {
            out.push(if c == '-' { '_' } else { c });
        }
    }
    out
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

//! Invariants of the sources that no compiler checks, as docs/ARCHITECTURE.md lists them.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{files, has_extension, read, root};
use serde_json::Value;

const MAX_LINES: usize = 600;

/// Fails if any file violates an invariant. `advice`: how to fix it.
fn assert_none(offenders: Vec<String>, advice: &str) {
    assert!(
        offenders.is_empty(),
        "{advice}:\n  {}",
        offenders.join("\n  ")
    );
}

fn sources(extensions: &[&str]) -> Vec<PathBuf> {
    files()
        .into_iter()
        .filter(|path| has_extension(path, extensions))
        .collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn every_rust_file_has_a_head() {
    let silent = |path: &PathBuf| !read(path).starts_with("//!");
    let offenders = sources(&["rs"])
        .iter()
        .filter(|p| silent(p))
        .map(|p| shown(p))
        .collect();
    assert_none(offenders, "these do not start with `//!`");
}

#[test]
fn sources_have_at_most_600_lines() {
    let mut offenders = Vec::new();
    for path in sources(&["rs", "cpp", "h", "c", "td", "py"]) {
        let n_lines = read(&path).lines().count();
        if n_lines > MAX_LINES {
            offenders.push(format!("{}: {n_lines} lines", shown(&path)));
        }
    }
    assert_none(
        offenders,
        &format!("these have more than {MAX_LINES} lines; split them"),
    );
}

#[test]
fn sources_know_no_particular_machine() {
    // In pieces, so that this file does not contain them itself.
    let forbidden = [
        ["/wo", "rk/"],
        ["../sha", "red"],
        ["/ho", "me/"],
        ["/ro", "ot/"],
        ["/tm", "p/"],
    ];
    let mut offenders = Vec::new();
    // Only the script of continuous integration refers to paths outside of the repository.
    let sources = files()
        .into_iter()
        .filter(|path| path != Path::new(".ci/run"));
    for path in sources {
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            if forbidden
                .iter()
                .any(|pieces| line.contains(&pieces.concat()))
            {
                offenders.push(format!("{}:{}: {}", shown(&path), number + 1, line.trim()));
            }
        }
    }
    assert_none(offenders, "these name paths of somebody's machine");
}

#[test]
fn crates_forbid_unsafe_code() {
    let is_top = |path: &PathBuf| path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    let lax = |path: &&PathBuf| !read(path).contains("#![forbid(unsafe_code)]");
    let tops: Vec<PathBuf> = sources(&["rs"])
        .into_iter()
        .filter(|path| path.starts_with("crates") && is_top(path))
        // The runtime copies between addresses and needs unsafe code.
        .filter(|path| !path.starts_with("crates/mem-runtime"))
        .collect();
    assert!(tops.len() > 5, "found {} crates only", tops.len());
    let offenders = tops.iter().filter(lax).map(|path| shown(path)).collect();
    assert_none(offenders, "these lack #![forbid(unsafe_code)]");
}

#[test]
fn every_crate_has_the_lints_of_the_workspace() {
    let lax = |path: &PathBuf| {
        let manifest = read(path);
        // The fuzz targets are a workspace of their own.
        !manifest.contains("[lints]\nworkspace = true") && !manifest.contains("[lints.clippy]")
    };
    let manifests = files()
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml"));
    let offenders = manifests.filter(lax).map(|path| shown(&path)).collect();
    assert_none(offenders, "these do not inherit the lints of the workspace");
}

/// What a command of cargo prints about the packages as they are locked.
fn cargo(command: &str, options: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args([command, "--offline", "--locked"])
        .args(options)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "cargo {command}: {complaint}");
    String::from_utf8(done.stdout).expect("cargo writes UTF-8")
}

/// For each package of the workspace: the names of all packages that it depends on to be built,
/// transitively.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    // Packages for other platforms were never downloaded.
    let metadata = cargo(
        "metadata",
        &["--format-version=1", "--filter-platform", &platform],
    );
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let names: BTreeMap<String, String> = packages
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let mut direct: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let is_needed = |dependency: &Value| {
            list(&dependency["dep_kinds"])
                .iter()
                .any(|k| k["kind"] != "dev")
        };
        let needed = list(&node["deps"]).into_iter().filter(is_needed);
        direct.insert(text(&node["id"]), needed.map(|d| text(&d["pkg"])).collect());
    }
    let reach = |member: String| {
        let mut reached = BTreeSet::new();
        let mut stack = direct[&member].clone();
        while let Some(next) = stack.pop() {
            if reached.insert(names[&next].clone()) {
                stack.extend(direct[&next].iter().cloned());
            }
        }
        (names[&member].clone(), reached)
    };
    list(&metadata["workspace_members"])
        .iter()
        .map(|member| reach(text(member)))
        .collect()
}

#[test]
fn crates_know_no_mlir() {
    let mlir = ["melior", "mlir-sys", "tblgen", "mem-opt"];
    let mut offenders = Vec::new();
    for (package, reached) in dependencies() {
        if !["mem-opt", "mem-tools"].contains(&&*package) {
            let known = mlir.iter().filter(|name| reached.contains(**name));
            offenders.extend(known.map(|name| format!("{package} depends on {name}")));
        }
    }
    assert_none(offenders, "crates build without LLVM");
}

#[test]
fn the_checker_shares_no_code_with_the_planner() {
    let ours = |name: &&String| name.starts_with("mem-");
    let dependencies = dependencies();
    let known: Vec<&String> = dependencies["mem-check"].iter().filter(ours).collect();
    assert_eq!(known, ["mem-model"]);
}

/// No other test builds the fuzz targets: they are a workspace of their own, for a nightly compiler.
#[test]
fn the_lock_file_of_the_fuzz_targets_is_current() {
    let (manifest, lock) = (read("fuzz/Cargo.toml"), read("fuzz/Cargo.lock"));
    let is_locked = |name: &&String| lock.contains(&format!("\nname = \"{name}\"\n"));
    let dependencies = dependencies();
    let used: Vec<_> = dependencies
        .iter()
        .filter(|(package, _)| manifest.contains(&format!("\n{package} = ")))
        .collect();
    assert!(
        !used.is_empty(),
        "the fuzz targets use crates of the project"
    );
    let needed: BTreeSet<&String> = used
        .into_iter()
        .flat_map(|(package, reached)| reached.iter().chain([package]))
        .collect();
    let missing = needed.into_iter().filter(|name| !is_locked(name)).cloned();
    assert_none(
        missing.collect(),
        "fuzz/Cargo.lock lacks these; run `cargo update --workspace` in `fuzz`",
    );
}

/// Cargo builds a crate again for each set of features: for tests if they want others, and for all commands if they do
/// not apply to the same packages.
#[test]
fn tests_want_the_features_that_are_built() {
    let features = |edges: &str| -> BTreeSet<String> {
        let shape = ["--depth=1", "--no-dedupe", "--prefix=none"];
        let shown = ["--format={p} {f}", "--edges", edges];
        let lines = cargo("tree", &[shape, shown].concat());
        lines.lines().map(str::to_owned).collect()
    };
    let built = features("normal");
    assert!(
        ["mem-python", "mem-testkit", "mem-tools"]
            .iter()
            .all(|name| built.iter().any(|line| line.starts_with(name))),
        "commands in the root apply to all packages"
    );
    let tested = features("normal,dev");
    assert_none(
        built.difference(&tested).cloned().collect(),
        "tests want other features of these; let mem-testkit want them, too",
    );
}

/// The plugin is the library of the passes and all that the library depends on.
#[test]
fn the_plugin_contains_nothing_of_the_tools() {
    let reached = &dependencies()["mem-opt"];
    let unneeded = ["clap", "mem-runtime", "mem-tools"];
    let known = unneeded.iter().filter(|name| reached.contains(**name));
    let offenders = known.map(|name| format!("mem-opt depends on {name}"));
    assert_none(
        offenders.collect(),
        "hosts of the plugin need none of these",
    );
}

/// The folders of `passes` with the folders that they may import, besides themselves.
const ROOMS: [(&str, &[&str]); 8] = [
    ("ir", &[]),
    ("framework", &["ir"]),
    ("extract", &["ir", "framework"]),
    ("analyze", &["ir", "framework", "extract"]),
    ("optimize", &["ir", "framework", "extract"]),
    ("plan", &["ir", "framework", "extract"]),
    ("lower", &["ir", "framework", "extract"]),
    ("print", &["ir", "framework", "extract"]),
];

/// As `ROOMS`, of `tools/src`.
const TOOL_ROOMS: [(&str, &[&str]); 2] = [
    ("run", &["ffi", "random", "upstream"]),
    ("interpret", &["random"]),
];

/// The Rust files of a folder, with the code in them: no comments.
fn code_of(folder: &Path) -> Vec<(PathBuf, String)> {
    let files = sources(&["rs"])
        .into_iter()
        .filter(|path| path.starts_with(folder));
    let code = |path: &PathBuf| {
        let text = read(path);
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    files
        .map(|path| {
            let code = code(&path);
            (path, code)
        })
        .collect()
}

#[test]
fn folders_import_only_lower_folders() {
    let mut offenders = Vec::new();
    let in_passes = ROOMS.map(|(room, below)| ("passes", room, below));
    let in_tools = TOOL_ROOMS.map(|(room, below)| ("tools/src", room, below));
    for (parent, room, below) in in_passes.into_iter().chain(in_tools) {
        let files = code_of(&Path::new(parent).join(room));
        assert!(files.len() > 2, "{parent}/{room} has {} files", files.len());
        for (path, code) in files {
            let imported = code.split("crate::").skip(1).filter_map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
                Some(&rest[..end])
            });
            let above = imported.filter(|name| *name != room && !below.contains(name));
            offenders.extend(above.map(|name| format!("{}: crate::{name}", shown(&path))));
        }
    }
    assert_none(offenders, "these import what is not below them");
}

#[test]
fn no_pass_imports_another() {
    let mut offenders = Vec::new();
    for (room, _) in &ROOMS[3..] {
        let files = code_of(&Path::new("passes").join(room));
        // A pass is a file or a folder with the name of the pass.
        let pass_of = |path: &Path| {
            let name = path.strip_prefix(Path::new("passes").join(room)).ok()?;
            let name = name
                .iter()
                .next()?
                .to_str()?
                .trim_end_matches(".rs")
                .to_owned();
            (name.starts_with("mem_") || name.starts_with("convert_")).then_some(name)
        };
        let passes: BTreeSet<String> = files.iter().filter_map(|(path, _)| pass_of(path)).collect();
        assert!(
            passes.len() > 2,
            "passes/{room} has {} passes",
            passes.len()
        );
        for (path, code) in &files {
            if path.ends_with(Path::new(room).join("mod.rs")) {
                continue;
            }
            let own = pass_of(path);
            let others = passes.iter().filter(|name| own.as_ref() != Some(name));
            let named = others.filter(|name| {
                code.contains(&format!("{name}::")) || code.contains(&format!("::{name}"))
            });
            offenders.extend(named.map(|name| format!("{} imports {name}", shown(path))));
        }
    }
    assert_none(
        offenders,
        "passes share code through files that are no passes",
    );
}

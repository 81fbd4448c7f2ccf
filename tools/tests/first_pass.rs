//! Follows `docs/FirstPass.md`: applies every step to a copy of the sources, builds the copy, and
//! runs the test that the page ends with, with the plugin in `mlir-opt`.

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{files, read, root};

/// One step of the page: a block of code, and where it goes.
struct Step {
    path: String,
    is_appended: bool,
    code: String,
}

/// The steps of the page, in order. A step is announced by "Append to `FILE`:" or "Write `FILE`:".
fn steps(page: &str) -> Vec<Step> {
    let announced = |text: &str| {
        // The announcement may be wrapped.
        let sentence = text.trim_end().replace('\n', " ");
        let last = |words: &str| {
            let rest = sentence.rsplit(words).next()?;
            let path = rest.strip_prefix('`')?.strip_suffix("`:")?;
            (!path.contains('`')).then(|| path.to_owned())
        };
        let appended = last("Append to ").map(|path| (path, true));
        appended.or_else(|| last("Write ").map(|path| (path, false)))
    };
    let mut steps = Vec::new();
    let mut parts = page.split("```");
    while let (Some(text), Some(block)) = (parts.next(), parts.next()) {
        let (_, code) = block.split_once('\n').expect("a block has lines");
        let (path, is_appended) =
            announced(text).unwrap_or_else(|| panic!("it is not said where this goes: {code}"));
        let code = code.to_owned();
        steps.push(Step {
            path,
            is_appended,
            code,
        });
    }
    steps
}

/// The manifest of the copy: it builds a plugin with a name of its own, against the crates of this
/// repository. Cargo finds what is already built in the target folder if the dependencies have the
/// same features, and if paths within the workspace are the same.
fn manifest() -> String {
    let text = read("Cargo.toml");
    let (text, rest) = text
        .split_once("[dev-dependencies]")
        .expect("tests need crates");
    let (_, build) = rest
        .split_once("[build-dependencies]")
        .expect("so does the build");
    let mut text = text.to_owned();
    for (old, new) in [
        (", \"tools\"]", "]"),
        // What the tools need of dependencies that others have, too.
        (
            "[dependencies]\n",
            "[dependencies]\nnpyz.workspace = true\n",
        ),
        ("name = \"mem-opt\"", "name = \"first-pass\""),
        ("name = \"mem_opt\"", "name = \"first_pass\""),
        ("[\"rlib\", \"cdylib\"]", "[\"cdylib\"]"),
    ] {
        assert!(text.contains(old), "the manifest has no {old}");
        text = text.replace(old, new);
    }
    // Optimizing it would take longer than everything else here.
    let fast = "[profile.release.package.first-pass]\nopt-level = 0\n";
    format!("{text}[build-dependencies]{build}\n{fast}")
}

/// Copies what the plugin is built from, with links to the other packages.
fn copy_sources(copy: &Path) {
    let is_needed = |path: &PathBuf| {
        [
            "passes",
            "dialects",
            "build",
            "build.rs",
            "include",
            "README.md",
        ]
        .iter()
        .any(|folder| path.starts_with(folder))
    };
    for path in files().iter().filter(|path| is_needed(path)) {
        let to = copy.join(path);
        fs::create_dir_all(to.parent().expect("a file is in a folder")).expect("it is writable");
        fs::copy(root().join(path), to).expect("it is writable");
    }
    for package in ["crates", "python"] {
        symlink(root().join(package), copy.join(package)).expect("links are possible");
    }
    fs::copy(root().join("Cargo.lock"), copy.join("Cargo.lock")).expect("it is writable");
    fs::write(copy.join("Cargo.toml"), manifest()).expect("it is writable");
}

/// Writes the command `mem-opt` to a folder: `mlir-opt` with the plugin.
fn write_command(folder: &Path, llvm: &str, plugin: &Path) {
    let plugin = plugin.display();
    let text = format!(
        "#!/bin/sh\nexec '{llvm}/bin/mlir-opt' '--load-dialect-plugin={plugin}' \
         '--load-pass-plugin={plugin}' \"$@\"\n"
    );
    fs::create_dir_all(folder).expect("it is writable");
    let command = folder.join("mem-opt");
    fs::write(&command, text).expect("it is writable");
    fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn the_page_your_first_pass_builds_the_pass_that_it_describes() {
    let target = root().join(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into()));
    let copy = target.join("first-pass");
    let _ = fs::remove_dir_all(&copy);
    copy_sources(&copy);
    let steps = steps(&read("docs/FirstPass.md"));
    assert!(steps.len() > 3, "the page has {} steps", steps.len());
    for step in &steps {
        let path = copy.join(&step.path);
        let old = match step.is_appended {
            true => fs::read_to_string(&path).expect("what is appended to exists") + "\n",
            false => {
                assert!(!path.exists(), "{} is new", step.path);
                fs::create_dir_all(path.parent().expect("it is in a folder")).expect("writable");
                String::new()
            }
        };
        fs::write(&path, old + &step.code).expect("it is writable");
    }
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--lib"])
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .expect("cargo runs");
    let complaint = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{complaint}");
    // The page promises code without warnings, like all of the project's.
    assert!(!complaint.contains("warning"), "{complaint}");

    let llvm = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let commands = copy.join("commands");
    write_command(&commands, &llvm, &target.join("release/libfirst_pass.so"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{llvm}/bin:{path}", commands.display());
    let test = steps.last().expect("there are steps");
    let runs = test
        .code
        .lines()
        .filter_map(|line| line.strip_prefix("// RUN: "));
    let mut n_runs = 0;
    for run in runs {
        let run = run.replace("%s", &test.path);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &run])
            .current_dir(&copy)
            .env("PATH", &path);
        let output = shell.output().expect("sh runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{run}: {complaint}");
        n_runs += 1;
    }
    assert!(n_runs > 0, "the last step is no test");
}

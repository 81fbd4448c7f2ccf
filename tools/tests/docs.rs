//! The documents are accurate: commands run and print what is shown; the paths, targets, passes,
//! options and operations that are named exist; and generated documents are current.
//!
//! A block marked `sh` is run by bash, in an empty directory with links to the repository's
//! directories, and writes only to the folder `target`. If `<!-- prints -->` and another block follow, the
//! command must print exactly that block, standard error included. Blocks with other marks are not run.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{files, has_extension, read, root};
use tempfile::TempDir;

/// A fenced block: its position, its mark and its text.
struct Block {
    place: String,
    mark: String,
    text: String,
    /// The last nonempty line before it.
    before: String,
}

fn documents() -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| {
        has_extension(path, &["md"])
            && (path.starts_with("docs") || path.parent() == Some("".as_ref()))
    };
    files().into_iter().filter(is_document).collect()
}

/// The blocks of a document, and the rest of its text.
fn parse(path: &Path) -> (Vec<Block>, String) {
    let (mut blocks, mut prose, mut before) = (Vec::new(), String::new(), String::new());
    let text = read(path);
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(mark) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| *line != "```")
                .collect();
            let place = format!("{}:{}", path.display(), number + 1);
            let (mark, text) = (mark.to_owned(), inside.join("\n"));
            blocks.push(Block {
                place,
                mark,
                text,
                before: std::mem::take(&mut before),
            });
        } else {
            prose.push_str(line);
            prose.push('\n');
            if !line.is_empty() {
                line.clone_into(&mut before);
            }
        }
    }
    (blocks, prose)
}

/// The text between backticks in prose.
fn code_words(prose: &str) -> Vec<&str> {
    prose.split('`').skip(1).step_by(2).collect()
}

/// An empty directory that looks like the root of the repository.
fn workplace() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let link = |from: &Path, to: &Path| {
        std::os::unix::fs::symlink(from, to).expect("links are possible");
    };
    for name in [
        "examples",
        "include",
        "instances",
        "lit-tests",
        "models",
        "docs",
        "scripts",
        "crates",
    ] {
        link(&root().join(name), &folder.path().join(name));
    }
    fs::create_dir(folder.path().join("target")).expect("the folder is empty");
    link(binaries(), &folder.path().join("target/release"));
    folder
}

/// The names of what is in a directory.
fn entries(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    let all = fs::read_dir(folder).expect("a directory");
    all.map(|own| own.expect("an entry").file_name()).collect()
}

fn binaries() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_mem-opt"))
        .parent()
        .expect("it is in a folder")
}

fn bash(command: &str, folder: &Path) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("bash")
        .args(["-c", &format!("set -euo pipefail\nexec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binaries().display()))
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("bash runs")
}

/// Runs a command, and returns the directory in which it ran.
fn assert_runs(place: &str, command: &str, expected: Option<&str>) -> TempDir {
    let folder = workplace();
    // Cargo needs the real root, and chooses its own target directory.
    let is_cargo = command.trim_start().starts_with("cargo ");
    let output = bash(command, if is_cargo { root() } else { folder.path() });
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{place}: {}\n{command}\n{printed}",
        output.status
    );
    if let Some(expected) = expected {
        assert_eq!(
            printed.trim_end(),
            expected.trim_end(),
            "{place} prints something else"
        );
    }
    folder
}

fn assert_commands_work(path: &Path) {
    let (blocks, _) = parse(path);
    for (index, block) in blocks.iter().enumerate() {
        if block.mark == "sh" {
            let next = blocks.get(index + 1);
            let expected = next.filter(|next| next.before == "<!-- prints -->");
            let folder = assert_runs(&block.place, &block.text, expected.map(|next| &*next.text));
            assert_eq!(
                entries(folder.path()),
                entries(workplace().path()),
                "{} leaves files outside of target",
                block.place
            );
        }
    }
}

#[test]
fn commands_in_the_readme_print_the_shown_output() {
    assert_commands_work(Path::new("README.md"));
}

#[test]
fn commands_in_the_documents_print_the_shown_output() {
    for path in documents() {
        if path.starts_with("docs") {
            assert_commands_work(&path);
        }
    }
}

/// Runs the examples in the descriptions of passes, with a file in place of `in.mlir`.
#[test]
fn commands_in_the_pass_reference_work() {
    let (_, prose) = parse(Path::new("docs/Passes.md"));
    let commands: Vec<&str> = code_words(&prose)
        .into_iter()
        .filter(|word| word.starts_with("mem-opt "))
        .collect();
    assert!(!commands.is_empty());
    for command in commands {
        let command = command.replace("in.mlir", "examples/chain.mlir");
        assert_runs("docs/Passes.md", &command, None);
    }
}

#[test]
fn generated_references_are_current() {
    let folder = TempDir::new().expect("a temporary folder");
    let status = Command::new(root().join("scripts/docs.sh"))
        .arg(folder.path())
        .status();
    assert!(status.expect("bash runs").success());
    for name in ["Dialect.md", "Passes.md"] {
        let fresh = fs::read_to_string(folder.path().join(name)).expect("the script writes it");
        let current = read(Path::new("docs").join(name));
        assert!(
            fresh == current,
            "docs/{name} is out of date; `make docs` regenerates it"
        );
    }
}

#[test]
fn every_check_that_is_removed_is_in_the_sources() {
    let output = Command::new(root().join("scripts/remove-checks.py"))
        .arg("--find")
        .output()
        .expect("python3 runs");
    let missing = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{missing}");
}

#[test]
fn the_table_of_models_is_current() {
    let output = Command::new(root().join("scripts/models.py"))
        .env("CARGO_TARGET_DIR", binaries().parent().expect("a folder"))
        .output()
        .expect("python3 runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_demo_runs() {
    let target = TempDir::new().expect("a temporary folder");
    std::os::unix::fs::symlink(binaries(), target.path().join("release")).expect("links work");
    let output = Command::new(root().join("scripts/demo.sh"))
        .arg("models/bufferized/squeezenet11_b1.mlir")
        .env("CARGO_TARGET_DIR", target.path())
        .output()
        .expect("bash runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(printed.contains("@main"), "{printed}");
    assert!(
        target
            .path()
            .join("demo/squeezenet11_b1.plan.json")
            .exists()
    );
}

/// Whether a word is a path in the repository: it has a slash, and starts with a directory that the
/// repository has.
fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-*".contains(c);
    let (first, rest) = word.split_once('/').unwrap_or_default();
    !first.is_empty() && !rest.is_empty() && word.chars().all(plain) && root().join(first).is_dir()
}

fn exists(path: &str) -> bool {
    match path.split_once('*') {
        // A pattern exists if the directory before the star does.
        Some((start, _)) => start
            .rsplit_once('/')
            .is_some_and(|(parent, _)| exists(parent)),
        None => root().join(path).exists(),
    }
}

#[test]
fn paths_that_documents_name_exist() {
    let mut missing = Vec::new();
    for document in documents() {
        let (_, prose) = parse(&document);
        // The files that the reader of a tutorial writes.
        let text = prose.replace('\n', " ");
        let written = between(&text, "Write `", '`');
        let named = code_words(&prose)
            .into_iter()
            .filter(|w| is_path(w) && !w.starts_with("target/") && !written.contains(w));
        let links = prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        let folder = document.parent().expect("a document is in a folder");
        let links = links.filter(|link| !link.is_empty() && !link.contains("://"));
        let linked = links.map(|link| folder.join(link).display().to_string());
        for path in named.map(str::to_owned).chain(linked) {
            if !exists(&path) {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "there is no such file:\n  {}",
        missing.join("\n  ")
    );
}

/// The fragment of a heading, as GitHub and mdBook form it: lower case, spaces become dashes, and other
/// punctuation is dropped.
fn fragment(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_to_headings_lead_to_headings() {
    let mut missing = Vec::new();
    for document in documents() {
        let (_, prose) = parse(&document);
        let links = prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next()?.split_once('#'));
        for (path, name) in links.filter(|(path, _)| !path.contains("://")) {
            let folder = document.parent().expect("a document is in a folder");
            let path = match path {
                "" => document.clone(),
                path => folder.join(path),
            };
            if !has_extension(&path, &["md"]) {
                continue;
            }
            let (_, text) = parse(&path);
            let headings = text.lines().filter(|line| line.starts_with('#'));
            if !headings.map(fragment).any(|own| own == name) {
                missing.push(format!("{}: {}#{name}", document.display(), path.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "there is no such heading:\n  {}",
        missing.join("\n  ")
    );
}

/// All texts between `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: char) -> BTreeSet<&'a str> {
    text.split(start)
        .skip(1)
        .filter_map(|rest| rest.split(end).next())
        .collect()
}

#[test]
fn names_that_documents_use_exist() {
    let passes = ["Passes.td", "Conversions.td", "Orders.td", "Pipelines.td"]
        .map(|file| read(Path::new("passes").join(file)))
        .concat();
    let mut names = between(&passes, "Pass<\"", '"');
    names.extend(between(&passes, ": Pipeline<\"", '"'));
    // A tutorial declares a pass of its own.
    let tutorial = read("docs/FirstPass.md");
    names.extend(between(&tutorial, "Pass<\"", '"'));
    let crates: Vec<String> = fs::read_dir(root().join("crates"))
        .expect("it is readable")
        .map(|entry| {
            entry
                .expect("it is readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.extend(crates.iter().map(String::as_str));
    names.extend([
        "mem-opt",
        "mem-run",
        "mem-tools",
        "mem-lsp-server",
        "mem-reduce",
    ]);
    let dialect = ["MemOps.td", "MemAttrs.td", "MemTypes.td", "MemDialect.td"]
        .map(|file| read(Path::new("dialects/mem").join(file)))
        .concat();
    let remarks = read("passes/ir/remarks.rs");
    names.extend(between(&remarks, "=> \"", '"'));
    let mut operations = between(&dialect, "Op<\"", '"');
    operations.extend(between(&dialect, "AttrName = \"mem.", '"'));

    let mut unknown = Vec::new();
    for document in documents() {
        let (_, prose) = parse(&document);
        for word in code_words(&prose) {
            let stem = word.split(['{', ' ', '<', '(']).next().unwrap_or_default();
            let is_name = stem.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            let is_ours = stem.starts_with("mem-") || stem.starts_with("convert-mem");
            let is_known = match stem.strip_prefix("mem.") {
                Some(operation) => operation.is_empty() || operations.contains(operation),
                None => !(is_name && is_ours) || names.contains(stem),
            };
            if !is_known {
                unknown.push(format!("{}: {word}", document.display()));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "there is no such name:\n  {}",
        unknown.join("\n  ")
    );
}

#[test]
fn make_targets_that_documents_name_exist() {
    let makefile = read("Makefile");
    for document in documents() {
        let (blocks, prose) = parse(&document);
        let text = blocks
            .iter()
            .map(|b| &*b.text)
            .chain(code_words(&prose))
            .collect::<Vec<_>>();
        for target in text
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|l| l.strip_prefix("make "))
        {
            let target = target.split_whitespace().next().unwrap_or_default();
            let rule = format!("\n{target}:");
            assert!(
                makefile.contains(&rule),
                "{}: make {target}",
                document.display()
            );
        }
    }
}

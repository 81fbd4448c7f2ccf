//! The same input and options give the same bytes, in every process and with any number of threads.
//!
//! The seeds of hash maps and the addresses of operations differ between processes, so output that
//! depends on either differs as well. Each model is planned in three concurrent processes, one of
//! them single-threaded. The program, the report and the diagnostics have to be equal, and so do
//! refusals.
//!
//! The slow tests plan small models only; with `DETERMINISM_ALL=1`, all tests plan all models.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use common::root;
use mem_testkit::number;

/// Largest model file, in bytes, that the slow tests plan by default.
const SMALL: u64 = 60_000;

/// The result of running `mem-opt` on a model.
#[derive(PartialEq, Eq)]
struct Outcome {
    is_planned: bool,
    program: String,
    said: String,
}

fn run(model: &Path, options: &str, has_threads: bool) -> Outcome {
    let passes =
        format!("builtin.module(mem-default-pipeline{{{options}}},mem-print-plan{{format=json}})");
    let threads = (!has_threads).then_some("--mlir-disable-threading");
    let output = Command::new(env!("CARGO_BIN_EXE_mem-opt"))
        .arg(model)
        .arg(format!("--pass-pipeline={passes}"))
        .args(threads)
        .stdin(Stdio::null())
        .output()
        .expect("mem-opt runs");
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{} with '{options}': {}",
        model.display(),
        output.status
    );
    Outcome {
        is_planned: code == Some(0),
        program: String::from_utf8(output.stdout).expect("MLIR is UTF-8"),
        said: String::from_utf8(output.stderr).expect("diagnostics are UTF-8"),
    }
}

/// The first line that differs, in both texts.
fn difference(a: &str, b: &str) -> String {
    let mut lines = a.lines().zip(b.lines()).zip(1..);
    match lines.find(|((a, b), _)| a != b) {
        Some(((a, b), number)) => format!("line {number}:\n  {a}\n  {b}"),
        None => format!("{} and {} bytes", a.len(), b.len()),
    }
}

/// Plans a model in three processes and compares the results. Returns whether there is a plan.
fn is_planned_equally(model: &Path, options: &str) -> bool {
    let outcomes = thread::scope(|scope| {
        let runs =
            [true, true, false].map(|threads| scope.spawn(move || run(model, options, threads)));
        runs.map(|run| run.join().expect("mem-opt has been run"))
    });
    let [first, others @ ..] = outcomes;
    for (other, which) in others.iter().zip(["another process", "a single thread"]) {
        let said = difference(&first.said, &other.said);
        let program = difference(&first.program, &other.program);
        let (model, is_equal) = (model.display(), first == *other);
        assert!(
            is_equal,
            "{model} with '{options}' differs in {which}\ndiagnostics, {said}\nprogram, {program}"
        );
    }
    first.is_planned
}

/// The files in `models/` of at most `largest` bytes, in sorted order.
fn models(largest: u64) -> Vec<PathBuf> {
    let list = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("the folder is readable");
        entries.map(|entry| entry.expect("the folder is readable").path())
    };
    let folder = root().join("models");
    let files = list(&folder).filter(|path| path.is_dir());
    let files = files.flat_map(|folder| list(&folder).collect::<Vec<_>>());
    let is_small = |path: &PathBuf| {
        path.extension().is_some_and(|own| own == "mlir")
            && fs::metadata(path).is_ok_and(|own| own.len() <= largest)
    };
    let mut files: Vec<PathBuf> = files.filter(is_small).collect();
    files.sort();
    assert!(files.len() >= 10, "found {} models", files.len());
    files
}

/// Largest file, in bytes, that a slow test plans.
fn largest() -> u64 {
    match number("DETERMINISM_ALL", 0) {
        0 => SMALL,
        _ => u64::MAX,
    }
}

/// The peak of a model with one level, in bytes: the maximum over its functions.
fn peak(model: &Path) -> Option<u64> {
    let outcome = run(model, "", true);
    // Remarks quote lines of the program, which may end with a brace as well.
    let ends = outcome.said.match_indices('\n');
    let mut begins = std::iter::once(0).chain(ends.map(|(end, _)| end + 1));
    let begin = begins.find(|at| outcome.said[*at..].starts_with("{\n"))?;
    let report = &outcome.said[begin..];
    let mut documents = serde_json::Deserializer::from_str(report).into_iter();
    let report: serde_json::Value = documents.next()?.ok()?;
    let functions = report["functions"].as_array()?;
    functions.iter().filter_map(peak_of).max()
}

/// The largest `peak` anywhere in a report.
fn peak_of(value: &serde_json::Value) -> Option<u64> {
    match value {
        serde_json::Value::Object(entries) => {
            let own = entries.get("peak").and_then(serde_json::Value::as_u64);
            entries.values().filter_map(peak_of).chain(own).max()
        }
        serde_json::Value::Array(values) => values.iter().filter_map(peak_of).max(),
        _ => None,
    }
}

/// Networks of which another order is better.
#[test]
fn other_orders() {
    let folder = tempfile::tempdir().expect("a folder");
    for (kind, options) in [
        ("randwire-cell", "order=auto"),
        ("randwire-ws", "order=auto strategy=greedy-by-size"),
        ("pnasnet", "order=auto strategy=greedy-by-size"),
        ("randwire-cell", "order=auto hierarchy=gpu budget=190000"),
    ] {
        let script = root().join("scripts/wired-network.py");
        let network = Command::new("python3")
            .arg(script)
            .args([kind, "--form", "mlir"])
            .output()
            .expect("python3 runs");
        let file = folder.path().join("network.mlir");
        fs::write(&file, network.stdout).expect("the folder is writable");
        assert!(is_planned_equally(&file, options), "{kind}");
        let kept = run(&file, &options.replace("auto", "keep"), true);
        let other = run(&file, options, true);
        assert!(
            kept.program != other.program,
            "{kind}: the own order is kept"
        );
    }
}

#[test]
fn one_level() {
    for model in models(u64::MAX) {
        assert!(is_planned_equally(&model, ""), "{}", model.display());
    }
}

#[test]
fn two_levels() {
    for model in models(largest()) {
        let is_planned = is_planned_equally(&model, "hierarchy=npu");
        assert!(is_planned, "{}", model.display());
    }
}

/// Few models have a plan within half of their peak. The test also covers that the others are
/// refused in the same words.
#[test]
fn a_budget() {
    let mut n_planned = 0;
    for model in models(largest()) {
        let peak = peak(&model).unwrap_or_else(|| panic!("{}: no peak", model.display()));
        for budget in [peak / 2, peak] {
            let options = format!("hierarchy=gpu budget={budget}");
            n_planned += u32::from(is_planned_equally(&model, &options));
        }
    }
    assert!(n_planned >= 5, "{n_planned} models have a plan");
}

/// Half of the peak is enough, with copies to the host and repeated operations.
#[test]
fn a_budget_of_a_training_step() {
    let model = root().join("models/small/mini_gpt_train_d64.mlir");
    let peak = peak(&model).expect("it has a plan");
    let options = format!("hierarchy=gpu budget={}", peak / 2);
    assert!(is_planned_equally(&model, &options));
}

//! Snapshots of what people and programs read: tables, JSON documents, dumps, memory maps in
//! diagnostics, explanations and help texts. A change of any of them has to be deliberate.
//!
//! `INSTA_UPDATE=always cargo nextest run --release --test snapshots` rewrites the snapshots.
//! Review the difference like any other.

mod common;

use std::path::Path;
use std::process::Command;

use common::root;

/// Standard output and standard error of a command, run in the root of the repository.
fn said(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let [output, complaint] = [done.stdout, done.stderr].map(|bytes| {
        let text = String::from_utf8(bytes).expect("the command writes UTF-8");
        // The root is another one on another machine.
        text.replace(&format!("{}/", root().display()), "")
    });
    let status = done
        .status
        .code()
        .map_or("none".to_owned(), |code| code.to_string());
    format!("exit status {status}\n--- output\n{output}--- errors\n{complaint}")
}

/// What `mem-opt` says when it runs `passes` on a file of the repository.
fn planned(file: &str, passes: &str) -> String {
    assert!(Path::new(file).is_relative());
    let pipeline = format!("--pass-pipeline=builtin.module({passes})");
    let program = env!("CARGO_BIN_EXE_mem-opt");
    said(program, &[file, &pipeline, "-o", "/dev/null"])
}

const CHAIN: &str = "examples/chain.mlir";
const BRANCHES: &str = "lit-tests/passes/mem-plan/branches.mlir";
const LEVELS: &str = "lit-tests/passes/mem-assign-levels/report.mlir";
const DEVICE: &str = "hierarchy=lit-tests/passes/mem-offload/inputs/device.mlir";
const BUDGET: &str = "lit-tests/passes/mem-offload/recompute.mlir";

#[test]
fn plans_as_tables() {
    let passes = "mem-default-pipeline,mem-print-plan";
    insta::assert_snapshot!("plan-table", planned(CHAIN, passes));
    insta::assert_snapshot!("plan-table-of-branches", planned(BRANCHES, passes));
    let passes = "mem-default-pipeline,mem-print-plan{format=summary}";
    insta::assert_snapshot!("plan-summary", planned(CHAIN, passes));
}

#[test]
fn plans_as_json() {
    let passes = "mem-default-pipeline,mem-print-plan{format=json output=-}";
    insta::assert_snapshot!("plan-json", planned(CHAIN, passes));
}

#[test]
fn dumped_problems() {
    let passes = "convert-memref-to-mem,mem-plan{dump=-}";
    insta::assert_snapshot!("dump", planned(CHAIN, passes));
}

#[test]
fn dependences() {
    let passes = "mem-print-dependence";
    insta::assert_snapshot!("dependences", planned("examples/dependence.mlir", passes));
}

#[test]
fn memory_maps_of_plans_that_do_not_fit() {
    let one_level = "mem-default-pipeline{capacity=1024}";
    insta::assert_snapshot!("no-plan", planned(CHAIN, one_level));
    let capacity = "mem-assign-levels{capacity=100 strategy=exact}";
    insta::assert_snapshot!("level-too-small", planned(LEVELS, capacity));
    let budget = format!("convert-memref-to-mem,mem-offload{{{DEVICE} budget=64}}");
    insta::assert_snapshot!("no-budget-plan", planned(BUDGET, &budget));
}

#[test]
fn explanations() {
    let levels = "mem-assign-levels{explain=3}";
    insta::assert_snapshot!("explained-levels", planned(LEVELS, levels));
    let budget = format!("convert-memref-to-mem,mem-offload{{{DEVICE} budget=2048 explain=3}}");
    insta::assert_snapshot!("explained-budget", planned(BUDGET, &budget));
}

#[test]
fn trade_offs() {
    let passes = format!("convert-memref-to-mem,mem-print-tradeoff{{{DEVICE} points=4}}");
    insta::assert_snapshot!("tradeoff", planned(BUDGET, &passes));
}

#[test]
fn help_texts() {
    insta::assert_snapshot!(
        "mem-run-help",
        said(env!("CARGO_BIN_EXE_mem-run"), &["--help"])
    );
}

//! Long searches of `mem-opt`: their progress on a terminal, and interrupts. The search is that of a
//! training step within a budget, which takes seconds.

mod common;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::root;
use tempfile::TempDir;

// Nothing is shown in the first second, in which a fast machine plans smaller training steps.
const PIPELINE: &str = "builtin.module(mem-default-pipeline{hierarchy=gpu budget=600MiB})";
const MODEL: &str = "models/bufferized/gpt2_small_train_s256_b4.mlir";

fn mem_opt() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-opt"));
    command.current_dir(root());
    command
}

/// Starts a search, which traces its decisions on standard error.
fn start(model: &str, pipeline: &str, output: &Path) -> Child {
    mem_opt()
        .env("MEM_OPT_TRACE", "offload,tiles")
        .arg(model)
        .arg(format!("--pass-pipeline={pipeline}"))
        .arg("-o")
        .arg(output)
        .stderr(Stdio::piped())
        .spawn()
        .expect("mem-opt runs")
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn an_interrupt_ends_the_search_with_a_verified_plan() {
    // The first decision: there is a plan, and seconds of search are to come.
    ends_with_a_verified_plan(MODEL, PIPELINE, "copies alone");
}

/// The search for tiles that take little time visits all groups of operations, and says where they end.
#[test]
fn an_interrupt_ends_the_search_for_tiles_with_a_verified_plan() {
    let model = "models/bufferized/resnet50_train_b32.mlir";
    let pipeline = "builtin.module(mem-default-pipeline{tile=fit hierarchy=npu})";
    ends_with_a_verified_plan(model, pipeline, "tiles: dimension ");
}

/// Interrupts a search as soon as it says `decision`.
fn ends_with_a_verified_plan(model: &str, pipeline: &str, decision: &str) {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("planned.mlir");
    let mut child = start(model, pipeline, &output);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let mut first = lines.by_ref().map(|line| line.expect("text"));
    assert!(first.any(|line| line.contains(decision)));
    interrupt(&child);
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    let status = child.wait().expect("it ends");
    let text = rest.join("\n");
    assert!(status.success(), "{text}");
    assert!(
        text.contains("mem-opt: interrupted: ending the search"),
        "{text}"
    );
    assert!(text.contains("best found so far, and verified"), "{text}");
    let verified = mem_opt()
        .arg(&output)
        .arg("--pass-pipeline=builtin.module(mem-verify-plan)")
        .args(["-o", "/dev/null"])
        .output()
        .expect("mem-opt runs");
    let text = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success(), "{text}");
}

#[test]
fn a_terminal_shows_the_pass_the_best_plan_and_the_bound() {
    let folder = TempDir::new().expect("a folder");
    let command = format!(
        "{} {MODEL} '--pass-pipeline={PIPELINE}' -o {}",
        env!("CARGO_BIN_EXE_mem-opt"),
        folder.path().join("planned.mlir").display()
    );
    // `script` runs a command in a terminal of its own.
    let done = Command::new("script")
        .current_dir(root())
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("script runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    assert!(text.contains("mem-offload: best "), "{text}");
    assert!(text.contains(" cycles, bound "), "{text}");
    assert!(text.contains(" s left"), "{text}");
}

#[test]
fn nothing_is_shown_without_a_terminal() {
    let folder = TempDir::new().expect("a folder");
    let done = mem_opt()
        .arg(MODEL)
        .arg(format!("--pass-pipeline={PIPELINE}"))
        .arg("-o")
        .arg(folder.path().join("planned.mlir"))
        .output()
        .expect("mem-opt runs");
    assert!(done.status.success());
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

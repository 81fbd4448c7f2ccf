//! Interrupts of the command: they end a search, and the best plan so far is written.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const INTERRUPTED: &str =
    "mem-plan: interrupted: the plans are the best found so far, and verified";

/// Returns an empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// An interrupt ends the search, not the program: the best plan so far is written.
#[test]
fn an_interrupt_keeps_the_best_plan() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/cut/150.csv");
    let out = directory("interrupt").join("plan.csv");
    let child = Command::new(env!("CARGO_BIN_EXE_mem-plan"))
        .args(["--strategy", "genetic", "--time-limit", "600", "-o"])
        .args([&out, &file])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains(INTERRUPTED),
        "{}",
        text(&output.stderr)
    );
    let plan = std::fs::read_to_string(&out).expect("a plan");
    assert_eq!(plan.lines().count(), 152);
}

/// As for tables.
#[test]
fn an_interrupt_keeps_the_best_plan_of_a_graph() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/remat");
    let out = directory("interrupt-graph").join("plan.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mem-plan"))
        .env("MEM_OPT_TRACE", "offload")
        .args(["--budget", "20MiB", "--link", "0.001", "--json", "-o"])
        .args([&out, &folder.join("resnet50_64px_b4.fx")])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    // The first decision: there is a plan, and seconds of search are to come.
    let mut said = lines.by_ref().map(|line| line.expect("text"));
    assert!(said.any(|line| line.contains("copies alone")));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill runs").success());
    let said: Vec<String> = lines.map(|line| line.expect("text")).collect();
    let said = said.join("\n");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
    assert!(said.contains(INTERRUPTED), "{said}");
    let plan = std::fs::read_to_string(&out).expect("a plan");
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    assert!(plan["peak"].as_u64() <= Some(20 << 20), "{said}");
}

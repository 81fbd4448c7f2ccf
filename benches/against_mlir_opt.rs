//! What planning costs beside MLIR itself: `mem-opt` with the default pipeline against
//! `mlir-opt --canonicalize --cse`, on every model, in one run.
//!
//! Each command runs `ROUNDS` times in turn with the other; the table shows the median wall time of
//! whole processes, start-up, parsing and printing included. `cargo bench --bench against_mlir_opt`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 7;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mem_opt = env!("CARGO_BIN_EXE_mem-opt");
    let mlir_opt = "/usr/lib/llvm-22/bin/mlir-opt";
    println!(
        "{:<44} {:>10} {:>10} {:>7}",
        "model", "mem-opt", "mlir-opt", "ratio"
    );
    let mut ratios = Vec::new();
    let (mut total_ours, mut total_theirs) = (0.0, 0.0);
    for model in models(root) {
        let path = model.to_str().expect("models have UTF-8 names");
        let ours = [
            mem_opt,
            "--pass-pipeline=builtin.module(mem-default-pipeline)",
            path,
        ];
        let theirs = [mlir_opt, "--canonicalize", "--cse", path];
        let (mut a, mut b): (Vec<f64>, Vec<f64>) = (0..ROUNDS)
            .map(|_| (milliseconds(&ours), milliseconds(&theirs)))
            .unzip();
        let (a, b) = (median(&mut a), median(&mut b));
        let name = model
            .strip_prefix(root.join("models"))
            .unwrap_or(&model)
            .display();
        println!(
            "{:<44} {a:>7.1} ms {b:>7.1} ms {:>7.2}",
            name.to_string(),
            a / b
        );
        ratios.push(a / b);
        total_ours += a;
        total_theirs += b;
    }
    println!(
        "{:<44} {total_ours:>7.1} ms {total_theirs:>7.1} ms {:>7.2}  (median ratio {:.2})",
        "all",
        total_ours / total_theirs,
        median(&mut ratios)
    );
}

fn models(root: &Path) -> Vec<PathBuf> {
    let mut models: Vec<PathBuf> = ["bufferized", "bufferized_cf"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join("models").join(folder)).expect("models"))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    models.sort();
    models
}

fn milliseconds(command: &[&str]) -> f64 {
    let start = Instant::now();
    let status = Command::new(command[0])
        .args(&command[1..])
        .args(["-o", "/dev/null"])
        .stderr(Stdio::null())
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", command[0]));
    assert!(status.success(), "{command:?} failed");
    start.elapsed().as_secs_f64() * 1e3
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

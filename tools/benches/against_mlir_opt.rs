//! Cost of analysis and planning relative to MLIR itself, on every model, in one run. `mem-opt`
//! with `mem-check-reads`, which queries the dependence analysis for every use, is compared with
//! `mlir-opt --cse`. The default pipeline, without and with its optimizations, is compared with
//! `mlir-opt --canonicalize --cse`.
//!
//! Each command runs `ROUNDS` times, interleaved with the others. The table shows the median wall
//! time of whole processes, including start-up, parsing and printing. Run it with `cargo bench
//! --bench against_mlir_opt`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 7;

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.parent().expect("the package is in the repository");
    let mem_opt = env!("CARGO_BIN_EXE_mem-opt");
    let mlir_opt = "/usr/lib/llvm-22/bin/mlir-opt";
    let commands = [
        ("reads", vec![mem_opt, "--mem-check-reads"]),
        ("cse", vec![mlir_opt, "--cse"]),
        (
            "plan",
            vec![mem_opt, "--mem-default-pipeline=optimize=false"],
        ),
        ("default", vec![mem_opt, "--mem-default-pipeline"]),
        ("both", vec![mlir_opt, "--canonicalize", "--cse"]),
    ];
    println!("milliseconds; ratios: reads / cse, plan / both, default / both");
    print!("{:<44}", "model");
    for (name, _) in &commands {
        print!(" {name:>7}");
    }
    println!(" {:>7} {:>7} {:>7}", "ratio", "ratio", "ratio");
    let mut totals = vec![0.0; commands.len()];
    for model in models(root) {
        let path = model.to_str().expect("models have UTF-8 names");
        let mut times = vec![Vec::new(); commands.len()];
        for _ in 0..ROUNDS {
            for ((_, command), times) in commands.iter().zip(&mut times) {
                times.push(milliseconds(command, path));
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        let name = model.strip_prefix(root.join("models")).unwrap_or(&model);
        report(&name.display().to_string(), &medians);
        for (total, time) in totals.iter_mut().zip(&medians) {
            *total += time;
        }
    }
    report("all", &totals);
}

fn report(name: &str, times: &[f64]) {
    print!("{name:<44}");
    for time in times {
        print!(" {time:>7.1}");
    }
    let ratios = [
        times[0] / times[1],
        times[2] / times[4],
        times[3] / times[4],
    ];
    println!(" {:>7.2} {:>7.2} {:>7.2}", ratios[0], ratios[1], ratios[2]);
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

fn milliseconds(command: &[&str], path: &str) -> f64 {
    let start = Instant::now();
    let status = Command::new(command[0])
        .args(&command[1..])
        .args([path, "-o", "/dev/null"])
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

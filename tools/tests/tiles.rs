//! Random networks, with and without tiles: everything that they write has to stay the same. Tiles
//! with an error that is introduced on purpose have to be rejected.
//!
//! `TILES_CASES` and `TILES_SEED` set the number of networks and the first seed; `TILES_PRINT=1`
//! prints the networks.

use std::path::Path;
use std::process::Command;

use melior::Context;
use melior::ir::Module;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{Rng, number, random_layers, random_sparse_layers};
use mem_tools::interpret::{Settings, interpret};
use mlir::{context, copy_of, run, said};
use tempfile::TempDir;

/// A hierarchy in which small tiles take less time, and copies beside them: without latencies.
const HIERARCHY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/inputs/hierarchy-without-latency.mlir"
);

/// Random options of `mem-tile`.
fn tile_options(rng: &mut Rng) -> String {
    let capacity = rng.between(100, 3000);
    let target = match rng.below(5) {
        0 => format!("target=capacity capacity={capacity}"),
        4 => format!("target=budget budget={capacity} stream={}", rng.chance(50)),
        1 => {
            let stream = rng.chance(60);
            let hierarchy = if stream { HIERARCHY } else { "npu" };
            format!("target=time hierarchy={hierarchy} capacity={capacity} stream={stream}")
        }
        _ => "target=peak".to_owned(),
    };
    let overlap = ["auto", "keep", "recompute"][rng.below(3)];
    let extra_work = [0, 10, 1000][rng.below(3)];
    format!("{target} overlap={overlap} extra-work={extra_work}")
}

/// Pipelines that tile and plan a network, one after the other.
fn pipelines(rng: &mut Rng) -> Vec<String> {
    let planned = "mem-default-pipeline";
    let tiled = format!("mem-tile{{{}}}", tile_options(rng));
    let mut pipelines = match rng.below(6) {
        5 => {
            let budget = rng.between(100, 2000);
            let tiled = format!("mem-tile{{target=budget budget={budget} stream=true}}");
            let moved = "mem-snapshot,mem-offload-streams{hierarchy=gpu},mem-validate";
            let planned = format!("{planned}{{hierarchy=gpu budget=1000000}}");
            vec![tiled, moved.to_owned(), planned]
        }
        4 => {
            let budget = rng.between(100, 2000);
            let narrow =
                format!("mem-snapshot,mem-narrow{{budget={budget} extra-work=1000}},mem-validate");
            let tiled = format!("mem-tile{{target=budget budget={budget} extra-work=1000}}");
            vec![narrow, tiled, planned.to_owned()]
        }
        0 => {
            let capacity = rng.between(200, 3000);
            let options =
                format!("hierarchy=npu tile=fit capacity={capacity} noalias-arguments=true");
            vec![format!("{planned}{{{options}}}")]
        }
        1 => vec![tiled, format!("{planned}{{hierarchy=npu}}")],
        _ => vec![tiled, planned.to_owned()],
    };
    if rng.chance(50) {
        pipelines.insert(0, DEAD_ITERATIONS.to_owned());
    }
    pipelines
}

/// What a random network went through.
#[derive(Default)]
struct Changes {
    has_lost_iterations: bool,
    is_tiled: bool,
}

/// Tiles a random network and interprets it before and after. Returns what has changed.
fn check(context: &Context, seed: u64) -> Result<Changes, String> {
    let mut rng = Rng::new(seed);
    let n_layers = rng.between(2, 9);
    let text = match seed % 4 {
        3 => random_sparse_layers(&mut rng, n_layers),
        _ => random_layers(&mut rng, n_layers),
    };
    if number("TILES_PRINT", 0) > 0 {
        println!("// seed {seed}\n{text}");
    }
    let failure = |report: String| format!("seed {seed}: {report}\n{text}");
    let module = Module::parse(context, &text);
    let module = module.ok_or_else(|| failure(format!("not valid: {}", said())))?;
    let settings = Settings {
        inputs: seed,
        choices: 2 * seed + 1,
    };
    let outcome = |module: &Module| interpret(module, "main", settings);
    let wanted = outcome(&module).map_err(|fault| failure(format!("the original: {fault}")))?;
    let mut tiled = copy_of(&module);
    let mut changes = Changes::default();
    let pipelines = pipelines(&mut rng);
    let all = pipelines.join(", then ");
    for pipeline in &pipelines {
        let before = tiled.as_operation().to_string();
        let done = run(context, &mut tiled, pipeline);
        done.map_err(|error| failure(format!("{all}: {pipeline}: {error}")))?;
        let after = tiled.as_operation().to_string();
        changes.is_tiled |= after.contains("scf.for");
        changes.has_lost_iterations |= pipeline == DEAD_ITERATIONS && after != before;
        let found = outcome(&tiled);
        let found = found.map_err(|fault| failure(format!("{all}: {pipeline}: {fault}")))?;
        if found != wanted {
            return Err(failure(format!(
                "{all}: {pipeline}: another outcome\n{}",
                tiled.as_operation()
            )));
        }
    }
    Ok(changes)
}

/// The pass that removes iterations. Tiles of the pipelines come after it.
const DEAD_ITERATIONS: &str = "mem-dead-iteration-elimination";

/// Errors in the iterations that are left.
const KINDS_OF_ITERATIONS: [&str; 3] = ["short-buffer", "other-elements", "old-strides"];

const KINDS: [&str; 9] = [
    "short-halo",
    "reverse-order",
    "lost-remainder",
    "wrong-side",
    "early-reader",
    "late-wait",
    "wrong-takeover",
    "wrong-order",
    "late-read",
];

/// Breaks the tiles of a random network, or the iterations that are left. Returns whether there was anything to
/// break.
fn check_broken(context: &Context, seed: u64, kind: &str) -> Result<bool, String> {
    let mut rng = Rng::new(seed);
    let n_layers = rng.between(2, 9);
    let is_of_iterations = KINDS_OF_ITERATIONS.contains(&kind);
    let text = match is_of_iterations {
        true => random_sparse_layers(&mut rng, n_layers),
        false => random_layers(&mut rng, n_layers),
    };
    let mut options = tile_options(&mut rng);
    if matches!(kind, "wrong-order" | "late-read") {
        options = "target=peak".to_owned();
    }
    if kind == "late-wait" {
        // Only engines copy what can be waited for.
        let capacity = rng.between(300, 3000);
        options = format!("target=time hierarchy={HIERARCHY} capacity={capacity} stream=true");
    }
    let mut module = Module::parse(context, &text).expect("the networks are valid");
    let pipeline = match is_of_iterations {
        true => format!("{DEAD_ITERATIONS}{{break={kind}}}"),
        false => format!("mem-tile{{{options} break={kind}}}"),
    };
    match run(context, &mut module, &pipeline) {
        Ok(()) => Ok(false),
        Err(error) if error.contains("the check accepts") => {
            Err(format!("seed {seed}: {pipeline}: {error}\n{text}"))
        }
        Err(_) => Ok(true),
    }
}

/// Tiles with an error must be rejected, and each kind of error must be possible in many networks.
#[test]
fn the_check_rejects_broken_tiles() {
    let context = context();
    let (first, cases) = (number("TILES_SEED", 0), number("TILES_CASES", 400));
    for kind in KINDS.into_iter().chain(KINDS_OF_ITERATIONS) {
        let checked = (first..first + cases).map(|seed| check_broken(&context, seed, kind));
        let found: Result<Vec<bool>, String> = checked.collect();
        let found = found.unwrap_or_else(|report| panic!("{report}"));
        let n_broken = found.into_iter().filter(|is_broken| *is_broken).count() as u64;
        println!("{kind}: {n_broken} of {cases} networks");
        // A window seldom has room beside the rows that a copy writes.
        assert!(
            n_broken * 100 >= cases,
            "{kind} is possible in {n_broken} only"
        );
    }
}

#[test]
fn tiled_networks_compute_the_same() {
    let context = context();
    let (first, cases) = (number("TILES_SEED", 0), number("TILES_CASES", 400));
    let (mut n_tiled, mut n_lost) = (0, 0);
    let mut failures = Vec::new();
    for seed in first..first + cases {
        match check(&context, seed) {
            Ok(changes) => {
                n_tiled += u64::from(changes.is_tiled);
                n_lost += u64::from(changes.has_lost_iterations);
            }
            Err(failure) => failures.push(failure),
        }
        if failures.len() > 3 {
            break;
        }
    }
    println!("{n_tiled} of {cases} networks have loops over tiles, {n_lost} fewer iterations");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // A quarter of the networks are too small, or have nothing between their widest layers.
    assert!(
        n_tiled * 4 >= cases,
        "only {n_tiled} of {cases} networks are tiled"
    );
    // Half of them try, and few read every other element.
    assert!(
        n_lost * 50 >= cases,
        "only {n_lost} of {cases} networks have fewer iterations"
    );
}

/// A statistic of the last pass that has it.
fn statistic(name: &str, options: &str, program: &Path) -> u64 {
    let done = Command::new(env!("CARGO_BIN_EXE_mem-opt"))
        .arg(program)
        .arg(format!(
            "--pass-pipeline=builtin.module(mem-default-pipeline{{hierarchy=npu {options}}})"
        ))
        .args(["--mlir-pass-statistics", "-o", "/dev/null"])
        .output()
        .expect("mem-opt runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{options}: {said}");
    let lines = said
        .lines()
        .filter(|line| line.contains(&format!(" {name} - ")));
    let mut numbers =
        lines.filter_map(|line| line.split_whitespace().find_map(|word| word.parse().ok()));
    numbers
        .next_back()
        .unwrap_or_else(|| panic!("no {name}: {said}"))
}

/// Tiles are chosen by an estimate, and stay only if the plan takes less time with them.
#[test]
fn tiles_never_take_longer() {
    let (first, cases) = (number("TILES_SEED", 0), number("TILES_CASES", 400) / 8);
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("network.mlir");
    let (mut n_tiled, mut n_restored) = (0, 0);
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let n_layers = rng.between(2, 9);
        let text = random_layers(&mut rng, n_layers);
        std::fs::write(&file, &text).expect("written");
        let options = format!(
            "capacity={} order={}",
            rng.between(200, 3000),
            ["keep", "auto"][rng.below(2)]
        );
        let tiled = format!("{options} tile=fit");
        let makespan = |options: &str| statistic("makespan", options, &file);
        let (with, without) = (makespan(&tiled), makespan(&options));
        assert!(
            with <= without,
            "seed {seed}: {options}: {with} > {without}\n{text}"
        );
        n_tiled += u64::from(with < without);
        n_restored += statistic("restored", &tiled, &file);
    }
    println!(
        "{n_tiled} of {cases} networks take less time with tiles; {n_restored} lost their tiles"
    );
    assert!(n_tiled > 0 && n_restored > 0, "{n_tiled} {n_restored}");
}

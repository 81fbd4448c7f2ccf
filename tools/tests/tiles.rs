//! Random networks, with and without tiles: everything that they write has to stay the same, and
//! tiles must never raise the estimated peak.
//!
//! `TILES_CASES` and `TILES_SEED` set the number of networks and the first seed; `TILES_PRINT=1`
//! prints the networks.

use melior::Context;
use melior::ir::Module;
use melior::ir::operation::Operation;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{Rng, number, random_layers};
use mem_tools::interpret::{Settings, interpret};
use mlir::{context, said};

fn run(context: &Context, module: &mut Module, pipeline: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(true);
    let pipeline = format!("builtin.module({pipeline})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)
        .unwrap_or_else(|error| panic!("{pipeline}: {error}"));
    said();
    manager.run(module).map_err(|_| said())
}

/// Tiles a random network and interprets it before and after. Returns whether anything was tiled.
fn check(context: &Context, seed: u64) -> Result<bool, String> {
    let mut rng = Rng::new(seed);
    let n_layers = rng.between(2, 9);
    let text = random_layers(&mut rng, n_layers);
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
    let copy = Operation::clone(&module.as_operation());
    let mut tiled = Module::from_operation(copy).expect("a module");
    let capacity = rng.between(100, 3000);
    let options = match rng.below(3) {
        0 => format!("target=capacity capacity={capacity}"),
        _ => "target=peak".to_owned(),
    };
    let overlap = ["auto", "keep", "recompute"][rng.below(3)];
    let extra_work = [0, 10, 1000][rng.below(3)];
    let options = format!("{options} overlap={overlap} extra-work={extra_work}");
    let pipelines = [
        format!("mem-tile{{{options}}}"),
        "mem-default-pipeline".to_owned(),
    ];
    let mut is_tiled = false;
    for (index, pipeline) in pipelines.iter().enumerate() {
        let done = run(context, &mut tiled, pipeline);
        done.map_err(|error| failure(format!("{options}: {pipeline}: {error}")))?;
        if index == 0 {
            is_tiled = tiled.as_operation().to_string().contains("scf.for");
        }
        let found = outcome(&tiled);
        let found = found.map_err(|fault| failure(format!("{options}: {pipeline}: {fault}")))?;
        if found != wanted {
            return Err(failure(format!(
                "{options}: {pipeline}: another outcome\n{}",
                tiled.as_operation()
            )));
        }
    }
    Ok(is_tiled)
}

#[test]
fn tiled_networks_compute_the_same() {
    let context = context();
    let (first, cases) = (number("TILES_SEED", 0), number("TILES_CASES", 400));
    let mut n_tiled = 0;
    let mut failures = Vec::new();
    for seed in first..first + cases {
        match check(&context, seed) {
            Ok(is_tiled) => n_tiled += u64::from(is_tiled),
            Err(failure) => failures.push(failure),
        }
        if failures.len() > 3 {
            break;
        }
    }
    println!("{n_tiled} of {cases} networks have loops over tiles");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // A quarter of the networks are too small, or have nothing between their widest layers.
    assert!(
        n_tiled * 4 >= cases,
        "only {n_tiled} of {cases} networks are tiled"
    );
}

//! Random programs, in their own order and as `mem-reorder` orders them: everything that they write and
//! return has to stay the same. Orders with an error that is introduced on purpose have to be rejected.
//!
//! `ORDER_CASES` and `ORDER_SEED` set the number of programs and the first seed; `ORDER_PRINT=1`
//! prints the programs.

use melior::Context;
use melior::ir::Module;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{MlirShape, Rng, number, random_layers, random_mlir};
use mem_tools::interpret::{Outcome, Settings, interpret};
use mlir::{context, copy_of, run, said};

/// A random program: statements of all kinds, or layers of a network.
fn program(rng: &mut Rng, seed: u64) -> String {
    if seed % 4 == 3 {
        let n_layers = rng.between(2, 9);
        return random_layers(rng, n_layers);
    }
    let shape = MlirShape {
        n_statements: 8 + seed as usize % 40,
        own_operations: !seed.is_multiple_of(3),
        aliasing: seed.is_multiple_of(2),
    };
    random_mlir(rng, shape)
}

/// The outcomes of a program, whatever uninitialized memory holds.
fn outcomes(module: &Module, seed: u64) -> Result<[Outcome; 2], String> {
    let outcome = |choices| {
        let inputs = seed;
        let settings = Settings { inputs, choices };
        interpret(module, "main", settings).map_err(|fault| fault.to_string())
    };
    Ok([outcome(2 * seed + 1)?, outcome(2 * seed + 2)?])
}

/// Orders a random program and interprets it before and after. Returns whether anything has moved.
fn check(context: &Context, seed: u64) -> Result<bool, String> {
    let mut rng = Rng::new(seed);
    let text = program(&mut rng, seed);
    if number("ORDER_PRINT", 0) > 0 {
        println!("// seed {seed}\n{text}");
    }
    let failure = |report: String| format!("seed {seed}: {report}\n{text}");
    let module = Module::parse(context, &text);
    let mut module = module.ok_or_else(|| failure(format!("not valid: {}", said())))?;
    let wanted = outcomes(&module, seed).map_err(failure)?;
    if rng.chance(50) {
        let passes = "convert-memref-to-mem,mem-split-buffers";
        run(context, &mut module, passes).map_err(failure)?;
    }
    let before = module.as_operation().to_string();
    let mut ordered = copy_of(&module);
    let all = [
        "mem-snapshot,mem-reorder,mem-validate",
        "mem-default-pipeline{strategy=greedy-by-size}",
    ];
    let mut is_changed = false;
    for passes in all {
        let done = run(context, &mut ordered, passes);
        done.map_err(|error| failure(format!("{passes}: {error}")))?;
        let now = ordered.as_operation().to_string();
        is_changed |= passes == all[0] && now != before;
        let found = outcomes(&ordered, seed);
        let found = found.map_err(|fault| failure(format!("{passes}: {fault}\n{now}")))?;
        if found != wanted {
            return Err(failure(format!("{passes}: another outcome\n{now}")));
        }
    }
    Ok(is_changed)
}

const KINDS: [&str; 4] = ["value", "memory", "barrier", "peak"];

/// Breaks the order of a random program. Returns whether there was anything to break.
fn check_broken(context: &Context, seed: u64, kind: &str) -> Result<bool, String> {
    let mut rng = Rng::new(seed);
    let text = program(&mut rng, seed);
    let mut module = Module::parse(context, &text).expect("the programs are valid");
    let pipeline = format!("mem-reorder{{break={kind}}}");
    match run(context, &mut module, &pipeline) {
        Ok(()) => Ok(false),
        Err(error) if error.contains("the check accepts") => {
            Err(format!("seed {seed}: {pipeline}: {error}\n{text}"))
        }
        Err(_) => Ok(true),
    }
}

/// Orders with an error must be rejected, and each kind of error must be possible in many programs.
#[test]
fn the_check_rejects_broken_orders() {
    let context = context();
    let (first, cases) = (number("ORDER_SEED", 0), number("ORDER_CASES", 400));
    for kind in KINDS {
        let checked = (first..first + cases).map(|seed| check_broken(&context, seed, kind));
        let found: Result<Vec<bool>, String> = checked.collect();
        let found = found.unwrap_or_else(|report| panic!("{report}"));
        let n_broken = found.into_iter().filter(|is_broken| *is_broken).count() as u64;
        println!("{kind}: {n_broken} of {cases} programs");
        assert!(
            n_broken * 10 >= cases,
            "{kind} is possible in {n_broken} only"
        );
    }
}

#[test]
fn ordered_programs_compute_the_same() {
    let context = context();
    let (first, cases) = (number("ORDER_SEED", 0), number("ORDER_CASES", 200));
    let mut n_changed = 0;
    let mut failures = Vec::new();
    for seed in first..first + cases {
        match check(&context, seed) {
            Ok(is_changed) => n_changed += u64::from(is_changed),
            Err(failure) => failures.push(failure),
        }
        if failures.len() > 3 {
            break;
        }
    }
    println!("{n_changed} of {cases} programs have another order");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // Most programs have their peak at one operation with regions, or at arguments.
    assert!(
        n_changed * 4 >= cases,
        "only {n_changed} of {cases} programs have another order"
    );
}

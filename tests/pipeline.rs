//! The whole pipeline on random programs: planned with random options, verified, and interpreted before and after. All
//! that a program writes and returns is the same, whatever garbage there is and whatever it leaves open.
//!
//! `PIPELINE_CASES` and `PIPELINE_SEED` set how many programs are tried, and from where; `PIPELINE_PRINT=1` prints them.

use melior::Context;
use melior::ir::Module;
use melior::ir::operation::Operation;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
#[path = "common/mlir.rs"]
mod mlir;

use mem_opt::interpret::{Fault, Outcome, Settings, interpret};
use mem_testkit::{MlirShape, Rng, number, random_mlir};
use mlir::{context, said};

const STRATEGIES: [&str; 8] = [
    "auto",
    "exact",
    "first-fit",
    "genetic",
    "greedy-by-conflict",
    "greedy-by-size",
    "lifetime-queue",
    "tightest-first",
];

fn run(context: &Context, module: &mut Module, passes: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(true);
    let pipeline = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)
        .unwrap_or_else(|error| panic!("{pipeline}: {error}"));
    said();
    manager.run(module).map_err(|_| said())
}

/// What a program does, if it does so whatever is chosen.
fn outcome(module: &Module, seed: u64) -> Result<Outcome, Fault> {
    let run = |choices| {
        let inputs = seed;
        interpret(module, "main", Settings { inputs, choices })
    };
    let (first, second) = (run(2 * seed + 1)?, run(2 * seed + 2)?);
    assert_eq!(
        first, second,
        "seed {seed}: it depends on what is left open"
    );
    Ok(first)
}

/// The budget that an error names does, and one byte less does not.
fn check_named_budget(context: &Context, module: &Module, options: &str, error: &str) {
    let named = |text: &str| {
        text.split_once("; budget=")?
            .1
            .split_once(" is the smallest")?
            .0
            .parse()
            .ok()
    };
    let (Some(smallest), Some((before, after))) = (named(error), options.split_once("budget="))
    else {
        return;
    };
    let smallest: u64 = smallest;
    let after = after.split_once(' ').map_or("", |(_, after)| after);
    for (budget, runs) in [(smallest, true), (smallest - 1, false)] {
        let options = format!("{before}budget={budget} {after}");
        let copy = Operation::clone(&module.as_operation());
        let mut module = Module::from_operation(copy).expect("a module");
        let planned = run(
            context,
            &mut module,
            &format!("mem-default-pipeline{{{options}}}"),
        );
        assert_eq!(planned.is_ok(), runs, "{options}: {planned:?}\n{error}");
    }
}

const LEVEL_STRATEGIES: [&str; 6] = [
    "auto",
    "farthest-next-use",
    "global",
    "initial",
    "least-recently-used",
    "local-search",
];

/// A random hierarchy of memories, as a file.
fn hierarchy(rng: &mut Rng) -> tempfile::NamedTempFile {
    let n = rng.between(1, 3);
    let mut parts = Vec::new();
    for level in 0..n {
        let capacity = match level + 1 < n {
            true => format!("capacity = {}, ", rng.between(16, 400) * (1 + 3 * level)),
            false => String::new(),
        };
        let cost = |rng: &mut Rng| {
            let (latency, bandwidth) = (
                rng.below(9) * (1 + 9 * level),
                64.0 / f64::from(1 << (2 * level)),
            );
            format!("(latency = {latency}, bandwidth = {bandwidth:?})")
        };
        let (read, write) = (cost(rng), cost(rng));
        let alignment = 1 << rng.below(5);
        parts.push(format!(
            "#mem.level<\"l{level}\", {capacity}alignment = {alignment}, read = {read}, write = {write}>"
        ));
    }
    if n > 1 && rng.chance(70) {
        let links = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .filter(|(a, b)| a != b);
        let links: Vec<String> = links
            .map(|(a, b)| format!("\"l{a}\" to \"l{b}\""))
            .collect();
        parts.push(format!(
            "engines = [#mem.engine<\"dma\", {}>]",
            links.join(", ")
        ));
    }
    if rng.chance(50) {
        parts.push("compute = 2.0".to_owned());
    }
    let file = tempfile::NamedTempFile::with_suffix(".mlir").expect("a file");
    let text = format!(
        "module attributes {{mem.hierarchy = #mem.hierarchy<{}>}} {{}}",
        parts.join(", ")
    );
    std::fs::write(file.path(), text).expect("the file is writable");
    file
}

/// Options for planning over several levels.
fn level_options(rng: &mut Rng, hierarchy: &tempfile::NamedTempFile) -> String {
    let strategy = rng.pick(&LEVEL_STRATEGIES).unwrap_or("auto");
    let alignment = rng.pick(&[0, 1, 16]).unwrap_or(0);
    let (optimize, noalias) = (rng.chance(50), rng.chance(80));
    let text = std::fs::read_to_string(hierarchy.path()).expect("it has been written");
    let budget = match text.matches("#mem.level").count() == 2 && rng.chance(60) {
        true => rng.between(16, 800) as i64,
        false => -1,
    };
    format!(
        "hierarchy={} strategy={strategy} alignment={alignment} optimize={optimize} noalias-arguments={noalias} \
         budget={budget}",
        hierarchy.path().display()
    )
}

/// Options for planning, and whether there is a plan for sure.
fn options(rng: &mut Rng) -> (String, bool) {
    let strategy = rng.pick(&STRATEGIES).unwrap_or("auto");
    let alignment = rng.pick(&[0, 1, 4, 16, 64]).unwrap_or(0);
    let (optimize, noalias) = (rng.chance(70), rng.chance(50));
    let budget = match rng.chance(15) {
        true => rng.below(600) as i64,
        false => -1,
    };
    let text = format!(
        "strategy={strategy} alignment={alignment} optimize={optimize} noalias-arguments={noalias} capacity={budget}"
    );
    (text, budget < 0)
}

/// A hierarchy, or none; and whether what is planned, its slowest level, is bounded.
fn levels(rng: &mut Rng) -> Option<(String, bool)> {
    let slowest = match rng.below(4) {
        0 => format!("#mem.level<\"dram\", capacity = {}>", rng.between(1, 900)),
        1 => "#mem.level<\"dram\", alignment = 32>".to_owned(),
        _ => return None,
    };
    let is_bounded = slowest.contains("capacity");
    let hierarchy = format!("#mem.hierarchy<#mem.level<\"sram\", capacity = 64>, {slowest}>");
    Some((hierarchy, is_bounded))
}

/// Tries one program. Returns whether it was planned.
fn check(context: &Context, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let shape = MlirShape {
        n_statements: 2 + seed as usize % 24,
        own_operations: !seed.is_multiple_of(3),
    };
    let mut text = random_mlir(&mut rng, shape);
    let levels = levels(&mut rng);
    if let Some((hierarchy, _)) = &levels {
        text = format!("module attributes {{mem.hierarchy = {hierarchy}}} {{\n{text}}}\n");
    }
    if number("PIPELINE_PRINT", 0) > 0 {
        println!("// seed {seed}\n{text}");
        println!("// END");
    }
    let module = Module::parse(context, &text);
    let module = module.unwrap_or_else(|| panic!("seed {seed}: not valid\n{text}"));
    let wanted = outcome(&module, seed)
        .unwrap_or_else(|fault| panic!("seed {seed}: the original: {fault}\n{text}"));
    let (mut options, mut has_plan) = options(&mut rng);
    has_plan &= levels.is_none_or(|(_, is_bounded)| !is_bounded);
    let hierarchy = hierarchy(&mut rng);
    if rng.chance(50) {
        options = level_options(&mut rng, &hierarchy);
        if number("PIPELINE_PRINT", 0) > 0 {
            let text = std::fs::read_to_string(hierarchy.path()).unwrap_or_default();
            println!("// {options}\n{text}\n// END");
        }
        // What runs on cores is refused.
        has_plan = !text.contains("core = ");
    }
    let copy = Operation::clone(&module.as_operation());
    let mut planned = Module::from_operation(copy).expect("a module");
    if let Err(error) = run(
        context,
        &mut planned,
        &format!("mem-default-pipeline{{{options}}}"),
    ) {
        // A budget may be too small, and nothing else may be wrong.
        let is_too_small = options.contains("budget=")
            && !options.contains("budget=-1")
            && (error.contains("within a budget of")
                || error.contains("is called and not inlined")
                || error.contains("arguments and constants in"));
        assert!(
            !has_plan || is_too_small,
            "seed {seed}, {options}: {error}\n{text}"
        );
        check_named_budget(context, &module, &options, &error);
        return false;
    }
    let lowered = "convert-mem-to-memref";
    for passes in ["", lowered] {
        if !passes.is_empty() {
            run(context, &mut planned, passes).unwrap_or_else(|error| {
                panic!("seed {seed}, {options}, {passes}: {error}\n{text}")
            });
        }
        let found = outcome(&planned, seed);
        let is_same = found.as_ref() == Ok(&wanted);
        let now = planned.as_operation();
        assert!(
            is_same,
            "seed {seed}, {options}, {passes}: not what it was: {:?}\n{text}\n{now}",
            found.err()
        );
    }
    true
}

#[test]
fn planned_programs_do_what_they_did() {
    let first = number("PIPELINE_SEED", 0);
    let n_cases = number("PIPELINE_CASES", 400);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let n_planned: u64 = std::thread::scope(|scope| {
        let share = |thread| {
            scope.spawn(move || {
                let mut n_planned = 0;
                let seeds = (first + thread..first + n_cases).step_by(n_threads as usize);
                let mut seeds = seeds.peekable();
                while seeds.peek().is_some() {
                    // A context keeps every attribute that it has ever seen.
                    let context = context();
                    let of_context = seeds.by_ref().take(500);
                    n_planned += of_context.filter(|seed| check(&context, *seed)).count() as u64;
                }
                n_planned
            })
        };
        let threads: Vec<_> = (0..n_threads).map(share).collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().expect("all is well"));
        joined.sum()
    });
    println!("{n_planned} of {n_cases} programs planned");
    assert!(n_planned > 0 || n_cases == 0);
}

/// The same with code that LLVM has compiled, for programs that it can: a few, for that takes longer.
#[test]
fn compiled_programs_do_what_they_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.mlir");
    let first = number("PIPELINE_SEED", 0);
    for seed in first..first + number("COMPILED_CASES", 12) {
        let mut rng = Rng::new(seed);
        let shape = MlirShape {
            n_statements: 2 + seed as usize % 24,
            own_operations: false,
        };
        let text = random_mlir(&mut rng, shape);
        std::fs::write(&file, &text).expect("the folder is writable");
        let (mut pipeline_options, has_plan) = options(&mut rng);
        let hierarchy = hierarchy(&mut rng);
        if rng.chance(50) {
            pipeline_options = level_options(&mut rng, &hierarchy);
        }
        let options = mem_opt::run::Options {
            file: file.clone(),
            function: "main".to_owned(),
            compare: true,
            pipeline_options,
            seed,
            scale: 1.0,
            dim: 2,
            optimize: (seed % 2) as u8,
            clock: None,
            poison: true,
            all: false,
            fail_copy: None,
        };
        match mem_opt::run::run(&options) {
            Ok(report) => assert!(
                report.is_success(),
                "seed {seed}: {options:?}\n{report}\n{text}"
            ),
            Err(error) => assert!(
                !has_plan || options.pipeline_options.contains("budget="),
                "seed {seed}: {options:?}\n{error}\n{text}"
            ),
        }
    }
}

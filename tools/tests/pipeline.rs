//! The whole pipeline on random programs: each is planned with random options, verified, and
//! interpreted before and after. Everything that a program writes and returns has to stay the same,
//! whatever uninitialized memory holds and however unspecified choices are made.
//!
//! `PIPELINE_CASES` and `PIPELINE_SEED` set the number of programs and the first seed;
//! `PIPELINE_PRINT=1` prints the programs, and why validation does not follow some of them.
//! `PIPELINE_PROGRAM=FILE PIPELINE_OPTIONS=OPTIONS` tests the program in a file instead.

use melior::Context;
use melior::ir::Module;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{MlirShape, Rng, number, random_mlir};
use mem_tools::interpret::Outcome;
use mlir::{context, copy_of, for_each_seed, run, said, warned, why};

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

/// As [`mlir::outcome`], with the reason why there is none.
fn outcome(module: &Module, seed: u64) -> Result<Outcome, String> {
    mlir::outcome(module, seed).map_err(why)
}

/// Checks that the budget named by an error has a plan, and that one byte less has none.
fn check_named_budget(
    context: &Context,
    module: &Module,
    options: &str,
    error: &str,
) -> Result<(), String> {
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
        return Ok(());
    };
    let smallest: u64 = smallest;
    let after = after.split_once(' ').map_or("", |(_, after)| after);
    for (budget, runs) in [(smallest, true), (smallest - 1, false)] {
        let options = format!("{before}budget={budget} {after}");
        let mut module = copy_of(module);
        let pipeline = format!("mem-default-pipeline{{{options}}}");
        let planned = run(context, &mut module, &pipeline);
        // The budget is checked before the types of what is planned.
        let has_no_type = runs && planned.as_ref().is_err_and(|error| has_no_type(error));
        if planned.is_ok() != runs && !has_no_type {
            return Err(format!("{options}: {planned:?}, although {error}"));
        }
    }
    Ok(())
}

const LEVEL_STRATEGIES: [&str; 6] = [
    "auto",
    "farthest-next-use",
    "global",
    "initial",
    "least-recently-used",
    "local-search",
];

/// The memory space of a level, or none. One number may be that of several levels.
fn space(rng: &mut Rng, level: usize) -> String {
    match rng.below(6) {
        0 => String::new(),
        1 => format!(", space = #mem.space<\"l{level}\">"),
        2 => ", space = #gpu.address_space<workgroup>".to_owned(),
        _ => format!(", space = {}", rng.below(4)),
    }
}

/// A random hierarchy of memories, as a file; half state memory spaces, from their own generator.
fn hierarchy(rng: &mut Rng, spaces: &mut Rng) -> tempfile::NamedTempFile {
    let n = rng.between(1, 3);
    let has_spaces = spaces.chance(50);
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
        let space = match has_spaces {
            true => space(spaces, level),
            false => String::new(),
        };
        parts.push(format!(
            "#mem.level<\"l{level}\", {capacity}alignment = {alignment}, read = {read}, write = {write}{space}>"
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
    if has_spaces && spaces.chance(50) {
        parts.push("generic = 0".to_owned());
    }
    let file = tempfile::NamedTempFile::with_suffix(".mlir").expect("a file");
    let text = format!(
        "module attributes {{mem.hierarchy = #mem.hierarchy<{}>}} {{}}",
        parts.join(", ")
    );
    std::fs::write(file.path(), text).expect("the file is writable");
    file
}

/// Random options for tiles.
fn tile(rng: &mut Rng, has_capacity: bool) -> &'static str {
    let forms = ["", "", " tile=peak", " tile=fit"];
    forms[rng.below(3 + usize::from(has_capacity))]
}

/// Random options for planning over several levels.
fn level_options(
    rng: &mut Rng,
    spaces: &mut Rng,
    shape: MlirShape,
    hierarchy: &tempfile::NamedTempFile,
) -> String {
    let forms = ["keep", "keep", "keep", "name", "none", "number"];
    let form = spaces.pick(&forms).unwrap_or("keep");
    let strategy = rng.pick(&LEVEL_STRATEGIES).unwrap_or("auto");
    let tile = tile(spaces, true);
    let alignment = rng.pick(&[0, 1, 16]).unwrap_or(0);
    let (optimize, noalias) = (rng.chance(50), rng.chance(80) && !shape.aliasing);
    let text = std::fs::read_to_string(hierarchy.path()).expect("it has been written");
    let budget = match text.matches("#mem.level").count() == 2 && rng.chance(60) {
        true => rng.between(16, 800) as i64,
        false => -1,
    };
    format!(
        "hierarchy={} strategy={strategy} alignment={alignment} optimize={optimize} noalias-arguments={noalias} \
         budget={budget} spaces={form}{tile}",
        hierarchy.path().display()
    )
}

/// Random options for planning, and whether a plan is guaranteed to exist.
fn options(rng: &mut Rng, tiles: &mut Rng, shape: MlirShape) -> (String, bool) {
    let strategy = rng.pick(&STRATEGIES).unwrap_or("auto");
    let alignment = rng.pick(&[0, 1, 4, 16, 64]).unwrap_or(0);
    let (optimize, noalias) = (rng.chance(70), rng.chance(50) && !shape.aliasing);
    let budget = match rng.chance(15) {
        true => rng.below(600) as i64,
        false => -1,
    };
    let tile = tile(tiles, budget >= 0);
    let text = format!(
        "strategy={strategy} alignment={alignment} optimize={optimize} noalias-arguments={noalias} \
         capacity={budget}{tile}"
    );
    (text, budget < 0)
}

/// A random hierarchy or none, and whether its slowest level, which is planned, is bounded.
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

/// The arguments, globals and results that differ, each with the first byte that does.
fn differences(wanted: &Outcome, found: &Outcome) -> String {
    let mut all = Vec::new();
    let mut compare = |what: String, wanted: &[u64], found: Option<&Vec<u64>>| {
        let pairs = found.map(|found| wanted.iter().zip(found));
        match pairs.map(|mut pairs| pairs.position(|(a, b)| a != b)) {
            Some(None) => {}
            Some(Some(byte)) => all.push(format!("{what} from byte {byte}")),
            None => all.push(format!("{what} is gone")),
        }
    };
    for (index, bytes) in wanted.arguments.iter().enumerate() {
        compare(format!("memref {index}"), bytes, found.arguments.get(index));
    }
    for (name, bytes) in &wanted.globals {
        compare(format!("@{name}"), bytes, found.globals.get(name));
    }
    compare("results".to_owned(), &wanted.results, Some(&found.results));
    all.join(", ")
}

/// The outcome of planning a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Planned {
        /// Whether validation followed all functions.
        is_validated: bool,
        /// Whether it did, or does so after transfers and rotations have been lowered, too.
        is_followed_further: bool,
    },
    /// No plan had to exist.
    Refused,
}

/// A program for which the test failed.
struct Failure {
    seed: u64,
    /// The options, the failure and the program.
    report: String,
}

/// Checks that a lowering of transfers behaves like the original. Programs take turns with the way
/// in which transfers are lowered. Returns whether validation follows the result, or does not even
/// follow the planned program.
fn check_lowered(
    context: &Context,
    planned: &Module,
    seed: u64,
    text: &str,
    options: &str,
) -> Result<bool, String> {
    let original = tempfile::NamedTempFile::with_suffix(".mlir").expect("a file");
    std::fs::write(original.path(), text).expect("the file is writable");
    let validate = format!(
        "mem-validate{{original={} noalias-arguments={}}}",
        original.path().display(),
        options.contains("noalias-arguments=true")
    );
    let warnings = |passes: &str| {
        let mut module = copy_of(planned);
        warned();
        run(context, &mut module, &format!("{passes}{validate}")).map(|()| warned())
    };
    let target = ["runtime", "dma", "copy"][(seed / 7 % 3) as usize];
    let lowered = warnings(&format!("convert-mem-to-memref{{transfers={target}}},"));
    match lowered {
        Ok(lowered) => Ok(lowered.is_empty() || !warnings("")?.is_empty()),
        // A DMA can only be waited for where it started.
        Err(error) if error.contains("its token is handed on") => Ok(true),
        Err(error) => Err(format!("{target}: {error}")),
    }
}

/// Tests one program.
fn check(context: &Context, seed: u64) -> Result<Verdict, Failure> {
    let mut rng = Rng::new(seed);
    let shape = MlirShape {
        n_statements: 2 + seed as usize % 24,
        own_operations: !seed.is_multiple_of(3),
        aliasing: seed.is_multiple_of(2),
    };
    let mut text = random_mlir(&mut rng, shape);
    let levels = levels(&mut rng);
    if let Some((hierarchy, _)) = &levels {
        text = format!("module attributes {{mem.hierarchy = {hierarchy}}} {{\n{text}}}\n");
    }
    if number("PIPELINE_PRINT", 0) > 0 {
        println!("// seed {seed}\n{text}\n// END");
    }
    let mut spaces = Rng::new(!seed);
    let (mut options, mut has_plan) = options(&mut rng, &mut spaces, shape);
    has_plan &= levels.is_none_or(|(_, is_bounded)| !is_bounded);
    let hierarchy = hierarchy(&mut rng, &mut spaces);
    if rng.chance(50) {
        options = level_options(&mut rng, &mut spaces, shape, &hierarchy);
        if number("PIPELINE_PRINT", 0) > 0 {
            let text = std::fs::read_to_string(hierarchy.path()).unwrap_or_default();
            println!("// {options}\n{text}\n// END");
        }
        // Programs for several cores are refused.
        has_plan = !text.contains("core = ");
    }
    if Rng::new(seed ^ 0x006f_7264_6572).chance(50) {
        options += " order=auto";
    }
    check_program(context, seed, &text, &options, has_plan)
}

/// Plans a program with the given options, and compares its outcome before and after.
fn check_program(
    context: &Context,
    seed: u64,
    text: &str,
    options: &str,
    has_plan: bool,
) -> Result<Verdict, Failure> {
    let failure = |report: String| Failure {
        seed,
        report: format!("{report}\n{text}"),
    };
    let module = Module::parse(context, text);
    let module = module.ok_or_else(|| failure(format!("not valid: {}", said())))?;
    let wanted =
        outcome(&module, seed).map_err(|fault| failure(format!("the original: {fault}")))?;
    let mut planned = copy_of(&module);
    let pipeline = format!("mem-default-pipeline{{{options}}}");
    warned();
    if let Err(error) = run(context, &mut planned, &pipeline) {
        if has_plan && !has_no_type(&error) && !is_budget_too_small(options, &error) {
            return Err(failure(format!("{options}: {error}")));
        }
        check_named_budget(context, &module, options, &error).map_err(failure)?;
        return Ok(Verdict::Refused);
    }
    let is_validated = is_validated(seed, &warned());
    // The control flow of a tiled program differs from that of the original.
    let is_followed_further = options.contains("tile=")
        || check_lowered(context, &planned, seed, text, options)
            .map_err(|report| failure(format!("{options}, {report}")))?;
    check_outcomes(context, &mut planned, seed, &wanted)
        .map_err(|report| failure(format!("{options}, {report}")))?;
    Ok(Verdict::Planned {
        is_validated,
        is_followed_further,
    })
}

/// Whether planning failed because a value of two memory spaces has a type only if the hierarchy names
/// a generic space.
fn has_no_type(error: &str) -> bool {
    error.contains("names no generic memory space")
}

/// Whether planning failed only because of its budget.
fn is_budget_too_small(options: &str, error: &str) -> bool {
    options.contains("budget=")
        && !options.contains("budget=-1")
        && (error.contains("within a budget of")
            || error.contains("is called and not inlined")
            || error.contains("arguments and constants in"))
}

/// Whether no warning says that a function is not validated.
fn is_validated(seed: u64, warnings: &[String]) -> bool {
    let vague: Vec<&str> = warnings
        .iter()
        .map(String::as_str)
        .filter(|own| own.contains("is not validated"))
        .collect();
    if number("PIPELINE_PRINT", 0) > 0 && !vague.is_empty() {
        println!("// seed {seed} is not followed: {}", vague.join("; "));
    }
    vague.is_empty()
}

/// Checks that a planned program has the outcome of the original, before and after its lowering.
fn check_outcomes(
    context: &Context,
    planned: &mut Module,
    seed: u64,
    wanted: &Outcome,
) -> Result<(), String> {
    for passes in ["", "convert-mem-to-memref", "mem-erase-spaces"] {
        if !passes.is_empty() {
            run(context, planned, passes).map_err(|error| format!("{passes}: {error}"))?;
        }
        let difference = match outcome(planned, seed) {
            Ok(found) if found == *wanted => continue,
            Ok(found) => differences(wanted, &found),
            Err(fault) => fault,
        };
        let now = planned.as_operation();
        return Err(format!("{passes}: not what it was: {difference}\n{now}"));
    }
    Ok(())
}

#[test]
fn planned_programs_keep_their_behavior() {
    if let Ok(file) = std::env::var("PIPELINE_PROGRAM") {
        let text = std::fs::read_to_string(&file).expect("PIPELINE_PROGRAM is a file");
        let options = std::env::var("PIPELINE_OPTIONS").unwrap_or_default();
        let seed = number("PIPELINE_SEED", 0);
        let found = check_program(&context(), seed, &text, &options, true);
        return found.map_or_else(|failure| panic!("{file}, {}", failure.report), |_| ());
    }
    let first = number("PIPELINE_SEED", 0);
    let n_cases = number("PIPELINE_CASES", 250);
    let ([mut n_planned, mut n_validated, mut n_lost], mut failures) = ([0; 3], Vec::new());
    for found in for_each_seed(first..first + n_cases, check) {
        match found {
            Ok(Verdict::Planned {
                is_validated,
                is_followed_further,
            }) => {
                n_planned += 1;
                n_validated += u64::from(is_validated);
                n_lost += u64::from(!is_followed_further);
            }
            Ok(Verdict::Refused) => {}
            Err(failure) => failures.push(failure),
        }
    }
    println!(
        "{n_planned} of {n_cases} programs planned, {n_validated} of them validated, {n_lost} of these \
         not any more after lowering"
    );
    for failure in &failures {
        println!("// FAILED: seed {}, {}\n", failure.seed, failure.report);
    }
    let seeds: Vec<u64> = failures.iter().map(|failure| failure.seed).collect();
    assert!(seeds.is_empty(), "seeds {seeds:?}");
    assert!(n_planned > 0 || n_cases < 100);
    assert!(n_validated * 10 > n_planned * 9 || n_cases < 100);
    assert!(n_lost * 50 < n_planned || n_cases < 100);
}

/// The same with code compiled by LLVM, for fewer programs, because compilation takes longer.
#[test]
fn compiled_programs_keep_their_behavior() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.mlir");
    let first = number("PIPELINE_SEED", 0);
    let mut failed = Vec::new();
    for seed in first..first + number("COMPILED_CASES", 12) {
        let mut rng = Rng::new(seed);
        let shape = MlirShape {
            n_statements: 2 + seed as usize % 24,
            own_operations: false,
            aliasing: seed % 4 < 2,
        };
        let text = random_mlir(&mut rng, shape);
        std::fs::write(&file, &text).expect("the folder is writable");
        let mut spaces = Rng::new(!seed);
        let (mut pipeline_options, mut has_plan) = options(&mut rng, &mut spaces, shape);
        let hierarchy = hierarchy(&mut rng, &mut spaces);
        if rng.chance(50) {
            pipeline_options = level_options(&mut rng, &mut spaces, shape, &hierarchy);
            // A value of two memory spaces has a type only if the hierarchy names a generic one.
            let levels = std::fs::read_to_string(hierarchy.path()).unwrap_or_default();
            has_plan &= !levels.contains("space = ") || levels.contains("generic = ");
        }
        let options = mem_tools::run::Options {
            file: file.clone(),
            function: "main".to_owned(),
            compare: true,
            pipeline_options,
            seed,
            scale: 1.0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            dim: None,
            optimize: (seed % 2) as u8,
            clock: None,
            poison: true,
            all: false,
            fail_copy: None,
            repeat: 1,
        };
        let problem = match mem_tools::run::run(&options) {
            Ok(report) if report.is_success() => continue,
            Ok(report) => report.to_string(),
            Err(_) if !has_plan || options.pipeline_options.contains("budget=") => continue,
            Err(error) => error.to_string(),
        };
        let levels = std::fs::read_to_string(hierarchy.path()).unwrap_or_default();
        println!("// FAILED: seed {seed}: {options:?}\n{problem}\n{levels}\n{text}// END");
        failed.push(seed);
    }
    assert!(failed.is_empty(), "seeds {failed:?}");
}

/// The outcome of a program, or why it cannot run.
fn interpreted(program: &str) -> Result<Outcome, String> {
    let context = context();
    let module = Module::parse(&context, program).unwrap_or_else(|| panic!("{}", said()));
    outcome(&module, 7)
}

/// The interpreter has to tell these programs apart; otherwise random programs would prove nothing.
#[test]
fn overlapping_operands_compute_something_else() {
    let main = |body: &str| {
        format!("func.func @main(%z: memref<4x4xf32>, %y: memref<9xf32>) {{ {body} return }}")
    };
    let through_temporary = |read: &str, of: &str, ty: &str| {
        let copy =
            format!("%t = memref.alloc() : {ty} memref.copy {of}, %t : {ty} to {ty} {read} ");
        (main(&copy), main(&read.replace("%t", of)))
    };
    let transpose = "linalg.transpose ins(%t : memref<4x4xf32>) outs(%z : memref<4x4xf32>) permutation = [1, 0]";
    let reverse = "linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 8)>, affine_map<(d0) -> (d0)>], \
                   iterator_types = [\"parallel\"]} ins(%t : memref<9xf32>) outs(%y : memref<9xf32>) { \
                   ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }";
    let product =
        "linalg.matmul ins(%t, %t : memref<4x4xf32>, memref<4x4xf32>) outs(%z : memref<4x4xf32>)";
    for (read, of, ty) in [
        (transpose, "%z", "memref<4x4xf32>"),
        (reverse, "%y", "memref<9xf32>"),
        (product, "%z", "memref<4x4xf32>"),
    ] {
        let (kept, removed) = through_temporary(read, of, ty);
        let (kept, removed) = (interpreted(&kept), interpreted(&removed));
        assert!(kept.is_ok() && removed.is_ok(), "{kept:?}, {removed:?}");
        assert_ne!(kept, removed, "{read}");
    }
    let elementwise = "linalg.exp ins(%t : memref<9xf32>) outs(%y : memref<9xf32>)";
    let (kept, removed) = through_temporary(elementwise, "%y", "memref<9xf32>");
    assert_eq!(interpreted(&kept), interpreted(&removed));
}

/// `linalg.copy` is a loop over elements, whereas `memref.copy` is undefined if its operands
/// overlap in part.
#[test]
fn partly_overlapping_copies_are_loops_or_undefined() {
    let program = |copy: &str| {
        format!(
            "func.func @main(%y: memref<9xf32>) {{ \
             %a = memref.subview %y[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>> \
             %b = memref.subview %y[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>> \
             {copy} return }}"
        )
    };
    let (a, b) = (
        "memref<8xf32, strided<[1]>>",
        "memref<8xf32, strided<[1], offset: 1>>",
    );
    let copied = interpreted(&program(&format!("memref.copy %a, %b : {a} to {b}")));
    assert!(copied.is_err_and(|fault| fault.contains("overlap partly")));
    let filled = interpreted(&program(&format!(
        "linalg.copy ins(%a : {a}) outs(%b : {b})"
    )));
    let bytes = filled.expect("a loop").arguments.remove(0);
    assert!(bytes.chunks(4).all(|element| element == &bytes[..4]));
    let same = interpreted(&program(&format!("memref.copy %a, %a : {a} to {a}")));
    assert_eq!(same, interpreted(&program("")));
}

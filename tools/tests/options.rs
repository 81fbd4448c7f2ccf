//! Invalid options: each pass and pipeline is run with random option values, on a program that
//! exercises most of them. Each run is refused with a message or does its work; none ends in an
//! internal error.
//!
//! `OPTION_CASES` and `OPTION_SEED` set the number of cases and the first seed.

#[path = "common/mlir.rs"]
mod mlir;

use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mem_testkit::{Rng, number};
use mlir::{context, said};

const PROGRAM: &str = r#"
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 4096, alignment = 16>, #mem.level<"dram">>} {
  func.func private @callee(%x: memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%x: memref<16xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    call @callee(%a) : (memref<16xf32>) -> ()
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%c0] : memref<16xf32>
      memref.store %v, %b[%i] : memref<?xf32>
    }
    %v = memref.load %b[%c0] : memref<?xf32>
    memref.store %v, %x[%c0] : memref<16xf32>
    return
  }
}
"#;

const VALUES: [&str; 29] = [
    "",
    "0",
    "1",
    "-1",
    "64",
    "63",
    "1048577",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "99999999999999999999",
    "1.5",
    "true",
    "maybe",
    "auto",
    "exact",
    "sram",
    "64KiB",
    "1M",
    "keep",
    "npu",
    "json",
    "\"\"",
    "\"a b\"",
    "{",
    "}",
    "a=b",
    "=",
    ",",
];

/// Passes and their options, as declared; and pipelines.
fn passes() -> Vec<(String, Vec<String>)> {
    let declared = concat!(
        include_str!("../../passes/Passes.td"),
        include_str!("../../passes/Orders.td"),
        include_str!("../../passes/Conversions.td")
    );
    let mut passes: Vec<(String, Vec<String>)> = Vec::new();
    let mut shared: Vec<(String, String)> = Vec::new();
    for line in declared.lines() {
        let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let name = line.split_whitespace().nth(1).unwrap_or("").to_owned();
        if line.contains(": Pass<\"") {
            passes.push((quoted[0].to_owned(), Vec::new()));
        } else if line.starts_with("def") && line.contains(": Option<\"") {
            shared.push((name, quoted[1].to_owned()));
        } else if line.trim_start().starts_with("Option<\"")
            && let Some((_, options)) = passes.last_mut()
        {
            options.push(quoted[1].to_owned());
        }
        for (name, option) in &shared {
            if let Some((_, options)) = passes.last_mut()
                && line.contains(name.as_str())
                && !line.starts_with("def")
            {
                options.push(option.clone());
            }
        }
    }
    let declared = include_str!("../../passes/Pipelines.td");
    let options = declared.split("    Option<").skip(1);
    let options: Vec<String> = options
        .filter_map(|rest| Some(rest.split('"').nth(3)?.to_owned()))
        .collect();
    assert!(options.contains(&"strategy".to_owned()));
    for pipeline in ["mem-default-pipeline", "mem-to-memref-pipeline"] {
        passes.push((pipeline.to_owned(), options.clone()));
    }
    passes
}

/// A pass with random options, except those that write files.
fn random_pass(rng: &mut Rng, passes: &[(String, Vec<String>)]) -> String {
    let (name, options) = &passes[rng.below(passes.len())];
    let mut text = format!("{name}{{");
    for _ in 0..rng.below(4) {
        let option = match rng.chance(90) && !options.is_empty() {
            true => options[rng.below(options.len())].as_str(),
            false => "nothing",
        };
        if !["output", "dump"].contains(&option) {
            let value = rng.pick(&VALUES).unwrap_or("");
            text += &format!(" {option}={value}");
        }
    }
    text + "}"
}

#[test]
fn any_options_are_refused_or_work() {
    let passes = passes();
    assert!(
        passes
            .iter()
            .any(|(name, options)| name == "mem-plan" && options.contains(&"capacity".to_owned()))
    );
    let context = context();
    let first = number("OPTION_SEED", 0);
    let (mut n_ran, n_cases) = (0, number("OPTION_CASES", 1500));
    for seed in first..first + n_cases {
        let mut rng = Rng::new(seed);
        let before = if rng.chance(50) {
            "convert-memref-to-mem,"
        } else {
            ""
        };
        let pipeline = format!("builtin.module({before}{})", random_pass(&mut rng, &passes));
        let mut module = Module::parse(&context, PROGRAM).expect("valid MLIR");
        let manager = PassManager::new(&context);
        said();
        let parsed = parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline);
        if parsed.is_ok() {
            n_ran += 1;
            let is_well = manager.run(&mut module).is_ok();
            let said = said();
            assert!(
                is_well || !said.is_empty(),
                "seed {seed}: {pipeline}: refused without a word"
            );
            assert!(
                !said.contains("internal error"),
                "seed {seed}: {pipeline}: {said}"
            );
        }
    }
    assert!(n_ran > n_cases / 10);
}

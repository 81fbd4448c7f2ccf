//! Random programs that are changed at random, before or after planning, so that few of them are what a planner would
//! write. `mem-validate` may find a changed program equal only if the reference interpreter finds the same outcome. A
//! changed program that the interpreter executes is planned like any other.
//!
//! `MUTANT_CASES` and `MUTANT_SEED` set the number of programs and the first seed. Each is changed
//! [`N_MUTANTS`] times. `MUTANT_FOLDER=FOLDER` writes programs for which the test fails.

use melior::Context;
use melior::ir::Module;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{MlirShape, Rng, mutated_mlir, number, random_exchanges, random_mlir};
use mem_tools::interpret::{Fault, Outcome, Sends, interpret_ranks};
use mlir::{context, copy_of, for_each_seed, outcome, run, said, same_outcome, warned};

/// Number of changed programs for each program.
const N_MUTANTS: usize = 30;

/// A random program.
struct Program {
    shape: MlirShape,
    text: String,
}

impl Program {
    fn new(rng: &mut Rng, seed: u64, generate: impl Fn(&mut Rng, MlirShape) -> String) -> Self {
        let shape = MlirShape {
            n_statements: 2 + seed as usize % 24,
            own_operations: !seed.is_multiple_of(3),
            aliasing: seed.is_multiple_of(2),
        };
        let text = generate(rng, shape);
        Self { shape, text }
    }
}

/// Checks `n_cases` programs, unless `MUTANT_CASES` says how many, and adds up the numbers that are returned for each.
fn total<const N: usize>(
    n_cases: u64,
    check: impl Fn(&Context, u64) -> [u64; N] + Sync,
) -> [u64; N] {
    let first = number("MUTANT_SEED", 0);
    let counts = for_each_seed(first..first + number("MUTANT_CASES", n_cases), check);
    std::array::from_fn(|index| counts.iter().map(|own| own[index]).sum())
}

/// A changed module, and its text, if it is valid.
fn mutant<'c>(context: &'c Context, rng: &mut Rng, text: &str) -> Option<(Module<'c>, String)> {
    let mut changed = text.to_owned();
    let mut n_left = rng.between(1, 3);
    // Many changes are not possible.
    for _ in 0..10 * n_left {
        if let Some(next) = mutated_mlir(rng, &changed).filter(|_| n_left > 0) {
            changed = next;
            n_left -= 1;
        }
    }
    let module = (changed != text).then(|| Module::parse(context, &changed))?;
    said();
    Some((module?, changed))
}

/// Reports a failure, and writes its programs to the folder that `MUTANT_FOLDER` names.
fn report(seed: u64, what: &str, programs: &[(&str, &str)]) {
    println!("// FAILED: seed {seed}, {what}");
    for (name, text) in programs {
        match std::env::var("MUTANT_FOLDER") {
            Ok(folder) => {
                let file = format!("{folder}/{seed}.{name}.mlir");
                std::fs::write(file, text).expect("MUTANT_FOLDER is a folder");
            }
            Err(_) => println!("// {name}\n{text}// END"),
        }
    }
}

/// Whether the outcomes of all ranks agree. Globals are private: they count where the program uses them, unless both
/// programs have them with the same initial value.
fn agree([wanted, found]: [&[Outcome]; 2], texts: [&str; 2]) -> bool {
    let is_kept = |name: &str| {
        let [own, theirs] = texts.map(|text| {
            let mut lines = text.lines().map(str::trim);
            let name = format!(" @{name} ");
            lines.find(|own| own.starts_with("memref.global") && own.contains(&name))
        });
        own == theirs
    };
    let agree_in_one = |(wanted, found): (&Outcome, &Outcome)| {
        let agree_in = |(name, bytes): (&String, &Vec<u64>)| {
            let found = found.globals.get(name);
            found.is_none_or(|own| own == bytes || !is_kept(name))
        };
        wanted.arguments == found.arguments
            && wanted.results == found.results
            && wanted.globals.iter().all(agree_in)
    };
    wanted.iter().zip(found).all(agree_in_one)
}

/// Whether the fault of a changed program that is found equal tells nothing about the validation; `None`: the outcome
/// depends on what is left open. `docs/Trust.md` states what the validation assumes.
fn is_beyond(fault: Option<&Fault>, text: &str) -> bool {
    match fault {
        // Accesses are assumed to be in bounds, operands to have fitting shapes, and iterations to run in order.
        Some(Fault::OutOfBounds { .. } | Fault::TooLarge { .. } | Fault::Shapes) => true,
        None if text.contains("parallel") => true,
        // Operations of which nothing is used may be undefined: divisions, and copies to bytes that are overwritten.
        Some(Fault::Division | Fault::Overlap) => true,
        _ => false,
    }
}

/// The outcomes of all ranks, for each way in which a program may be executed.
type Outcomes = Vec<Result<Vec<Outcome>, Option<Fault>>>;

/// Changes a program, before and after it is planned and lowered. Returns the numbers of changed programs that are valid,
/// found equal, found different, and found equal although they have another outcome. `options`: of the pipeline and of
/// the validation, and of the pipeline only.
fn check_found_equal(
    context: &Context,
    (rng, seed): (&mut Rng, u64),
    program: &str,
    options: [&str; 2],
    execute: impl Fn(&Module) -> Outcomes,
) -> [u64; 4] {
    let module = Module::parse(context, program).expect("a valid program");
    let wanted = execute(&module);
    let original = tempfile::NamedTempFile::with_suffix(".mlir").expect("a file");
    std::fs::write(original.path(), program).expect("the file is writable");
    let [common, own] = options;
    let validate = format!(
        "mem-validate{{original={} {common}}}",
        original.path().display()
    );
    let plan = format!("mem-default-pipeline{{{common} {own}}}");
    let lower = format!("{plan},convert-mem-to-memref{{transfers=copy}}");
    let [mut n_valid, mut n_equal, mut n_different, mut n_wrong] = [0; 4];
    for passes in ["canonicalize", &plan, &lower] {
        let mut planned = copy_of(&module);
        if run(context, &mut planned, passes).is_err() {
            continue;
        }
        let text = planned.as_operation().to_string();
        for _ in 0..N_MUTANTS {
            let Some((mut changed, mutant)) = mutant(context, rng, &text) else {
                continue;
            };
            n_valid += 1;
            warned();
            let is_equal = run(context, &mut changed, &validate).is_ok();
            let is_open = warned().iter().any(|own| own.contains("is not validated"));
            n_different += u64::from(!is_equal);
            if !is_equal || is_open {
                continue;
            }
            n_equal += 1;
            // The dialect's own transfers are assumed to happen when they start.
            if mutant.contains(" async ") {
                continue;
            }
            let pairs = wanted.iter().zip(execute(&changed));
            // A program may be defined for some of the ways only.
            for (wanted, found) in
                pairs.filter_map(|(wanted, found)| Some((wanted.as_ref().ok()?, found)))
            {
                let what = match found {
                    Ok(found) if agree([wanted, &found], [&text, &mutant]) => continue,
                    Ok(_) => "another outcome".to_owned(),
                    Err(fault) if is_beyond(fault.as_ref(), &mutant) => continue,
                    Err(fault) => format!("{fault:?}"),
                };
                n_wrong += 1;
                let programs = [
                    ("original", program),
                    ("planned", &text),
                    ("changed", &mutant),
                ];
                report(seed, &format!("found equal: {what}"), &programs);
            }
        }
    }
    [n_valid, n_equal, n_different, n_wrong]
}

/// Checks that enough programs were found equal and different, and none of them wrongly.
fn check_counts([n_valid, n_equal, n_different, n_wrong]: [u64; 4]) {
    println!(
        "{n_valid} changed programs are valid, {n_equal} of them found equal and {n_different} different"
    );
    assert_eq!(n_wrong, 0);
    assert!(n_equal * 5 > n_valid && n_different * 5 > n_valid);
}

#[test]
fn mutants_that_are_found_equal_have_the_same_outcome() {
    check_counts(total(60, |context, seed| {
        let mut rng = Rng::new(seed);
        let program = Program::new(&mut rng, seed, random_mlir);
        let common = format!(
            "noalias-arguments={}",
            !program.shape.aliasing && rng.chance(50)
        );
        let own = format!("optimize={}", rng.chance(70));
        let options = [common.as_str(), &own];
        check_found_equal(
            context,
            (&mut rng, seed),
            &program.text,
            options,
            |module| vec![outcome(module, seed).map(|own| vec![own])],
        )
    }));
}

/// As above, for programs that exchange messages.
#[test]
fn mutants_that_are_found_equal_exchange_the_same_messages() {
    check_counts(total(30, |context, seed| {
        let mut rng = Rng::new(seed);
        let program = Program::new(&mut rng, seed, random_exchanges);
        let own = format!(
            "overlap={}",
            rng.pick(&["off", "keep", "any"]).unwrap_or_default()
        );
        check_found_equal(
            context,
            (&mut rng, seed),
            &program.text,
            ["", &own],
            |module| {
                let execute = |sends| {
                    same_outcome(seed, |settings| {
                        interpret_ranks(module, "main", (2, sends), settings)
                    })
                };
                [Sends::Synchronous, Sends::Buffered].map(execute).into()
            },
        )
    }));
}

/// Options of the pipeline, some of which leave programs without a plan.
const OPTIONS: [&str; 8] = [
    "",
    "order=auto",
    "tile=peak",
    "spread=64",
    "hierarchy=npu",
    "hierarchy=npu-3 budget=200",
    "hierarchy=gpu budget=120",
    "hierarchy=gpu budget=300",
];

#[test]
fn planned_mutants_keep_their_behavior() {
    let check = |context: &Context, seed: u64| {
        let mut rng = Rng::new(seed);
        let program = Program::new(&mut rng, seed, random_mlir);
        let module = Module::parse(context, &program.text).expect("a valid program");
        let text = module.as_operation().to_string();
        let [mut n_planned, mut n_wrong] = [0; 2];
        for _ in 0..N_MUTANTS {
            let Some((mut changed, mutant)) = mutant(context, &mut rng, &text) else {
                continue;
            };
            let Ok(wanted) = outcome(&changed, seed) else {
                continue;
            };
            let noalias = !program.shape.aliasing && rng.chance(50);
            let optimize = rng.chance(80);
            let options = rng.pick(&OPTIONS).unwrap_or_default();
            let pipeline = format!(
                "mem-default-pipeline{{noalias-arguments={noalias} optimize={optimize} {options}}}"
            );
            let mut problem = None;
            match run(context, &mut changed, &pipeline) {
                // A race of the program's own is refused, but no plan may introduce one.
                Err(error)
                    if error.contains("mem-validate")
                        || error.contains("which shares bytes")
                            && !error.contains("before the transfer of its bytes") =>
                {
                    problem = Some(error);
                }
                Err(_) => {}
                Ok(()) => {
                    n_planned += 1;
                    for passes in ["", "convert-mem-to-memref"] {
                        if !passes.is_empty() {
                            run(context, &mut changed, passes)
                                .expect("a planned program is lowered");
                        }
                        match outcome(&changed, seed) {
                            Ok(found) if found == wanted => {}
                            Ok(_) => problem = Some(format!("{passes}: another outcome")),
                            Err(fault) => problem = Some(format!("{passes}: {fault:?}")),
                        }
                    }
                }
            }
            if let Some(problem) = problem {
                n_wrong += 1;
                report(
                    seed,
                    &format!("{pipeline}: {problem}"),
                    &[("program", &mutant)],
                );
            }
        }
        [n_planned, n_wrong]
    };
    let [n_planned, n_wrong] = total(40, check);
    println!("{n_planned} changed programs are planned");
    assert_eq!(n_wrong, 0);
    assert!(n_planned > 0);
}

/// The interpreter has to find what is not defined; otherwise changed programs would prove nothing.
#[test]
fn programs_that_are_not_defined_have_no_outcome() {
    let context = context();
    let fault = |body: &str| {
        let text = format!(
            "func.func @main(%x: memref<8xf32>, %b: memref<32xi8>, %n: index) {{ \
             %c0 = arith.constant 0 : index \
             %c3 = arith.constant 3 : index \
             %v = arith.constant 1.0 : f32 {body} return }}"
        );
        let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{}", said()));
        outcome(&module, 7)
            .map(|_| ())
            .map_err(|own| own.map(|own| own.to_string()))
    };
    let undefined = |body: &str, why: &str| {
        let found = fault(body);
        assert!(
            matches!(&found, Err(Some(own)) if own.contains(why)),
            "{body}: {found:?}"
        );
    };
    assert_eq!(
        fault(
            "%s = memref.subview %x[3] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1], offset: 3>>"
        ),
        Ok(())
    );
    undefined(
        "%s = memref.subview %x[%c3] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1], offset: ?>>",
        "bytes [8, 8 + 1) of 8",
    );
    assert_eq!(
        fault("%s = memref.view %b[%c0][] : memref<32xi8> to memref<8xf32>"),
        Ok(())
    );
    undefined(
        "%s = memref.view %b[%c3][] : memref<32xi8> to memref<8xf32>",
        "bytes [3, 3 + 32) of 32",
    );
    undefined("%r = arith.remui %n, %c0 : index", "divided by zero");
    let freed = "%a = memref.alloc() : memref<8xf32> memref.dealloc %a : memref<8xf32>";
    undefined(
        &format!("{freed} memref.store %v, %a[%c0] : memref<8xf32>"),
        "after they were freed",
    );
    undefined(
        &format!("{freed} memref.dealloc %a : memref<8xf32>"),
        "freed",
    );
    undefined(
        "%a = memref.alloc(%c3) : memref<?xf32> %d = memref.alloc() : memref<8xf32> \
         %t = memref.cast %d : memref<8xf32> to memref<?xf32> \
         memref.copy %t, %a : memref<?xf32> to memref<?xf32>",
        "different shapes",
    );
}

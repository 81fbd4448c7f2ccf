//! Problems over several levels without MLIR: plans survive the text form, checks accept plans of
//! the planner and reject others, and the command plans, writes and checks.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mem_flow::{LevelContext, analyze_lifetimes, level_problem};
use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, Repetition, TensorId, parse_level_plans,
    parse_level_problems, print_level_plans, print_level_problems,
};
use mem_plan::{
    LevelFailure, LevelSettings, RepetitionError, check_function, level_summary, plan_function,
};
use mem_planner::{LevelPolicy, LevelStrategy};
use mem_testkit::{Rng, number, random_level_problem, random_offload_function, random_program};

const EXAMPLE: &str = include_str!("../examples/two.levels");

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two.levels");
    path.to_str().expect("a path").to_owned()
}

/// Plans a problem that was printed and parsed; checks the plan after printing and parsing it.
fn replay(function: &FunctionLevels, settings: &LevelSettings) -> Option<FunctionLevelPlan> {
    let text = print_level_problems(std::slice::from_ref(function));
    let functions = parse_level_problems(&text).expect("printed");
    assert_eq!(&functions[..], std::slice::from_ref(function));
    let plan = match plan_function(&functions[0], settings) {
        Ok(plan) => plan,
        Err(LevelFailure::NoFit(_) | LevelFailure::Full { .. }) => return None,
        Err(error) => panic!("{error}\n{text}"),
    };
    let printed = print_level_plans(&[(function, &plan)]);
    let again = parse_level_plans(&printed, &functions).expect("printed");
    assert_eq!(again, std::slice::from_ref(&plan), "{text}{printed}");
    match check_function(&functions[0], &again[0]) {
        Ok(problem) => assert!(level_summary(function, &problem, &plan).contains("makespan")),
        Err(error) => panic!("{error}\n{text}{printed}"),
    }
    Some(plan)
}

#[test]
fn plans_of_random_problems_survive_the_text_form() {
    let first = number("LEVEL_TEXT_SEED", 0);
    let (mut n_plans, mut n_transfers) = (0, 0);
    for seed in first..first + number("LEVEL_TEXT_CASES", 100) {
        let mut rng = Rng::new(seed);
        let function = FunctionLevels {
            function: format!("seed{seed}"),
            problem: random_level_problem(&mut rng, 12),
            offload: None,
        };
        for strategy in [
            LevelStrategy::Auto,
            LevelStrategy::Policy(LevelPolicy::LeastRecentlyUsed),
            LevelStrategy::LocalSearch { segment: 2 },
        ] {
            let settings = LevelSettings {
                strategy,
                ..LevelSettings::default()
            };
            if let Some(plan) = replay(&function, &settings) {
                n_plans += 1;
                n_transfers += plan.plan.transfers.len();
            }
        }
    }
    assert!(
        n_plans > 0 && n_transfers > n_plans,
        "{n_plans}, {n_transfers}"
    );
}

#[test]
fn plans_within_a_budget_survive_the_text_form() {
    let first = number("LEVEL_TEXT_SEED", 0);
    let (mut n_repetitions, mut n_transfers) = (0, 0);
    for seed in first..first + number("LEVEL_TEXT_CASES", 100) {
        let function = random_offload_function(&mut Rng::new(seed), 10);
        let plan = replay(&function, &LevelSettings::default()).expect("three tensors fit");
        n_repetitions += plan.repetitions.len();
        n_transfers += plan.plan.transfers.len();
    }
    assert!(n_repetitions > 0 && n_transfers > 0);
}

/// Whatever extraction makes of a program with loops and branches is well-formed.
#[test]
fn extracted_problems_survive_the_text_form() {
    let mut n_problems = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng, 20);
        let hierarchy = random_level_problem(&mut rng, 1).hierarchy;
        let Ok(lifetimes) = analyze_lifetimes(&program) else {
            continue;
        };
        let n_steps = program.steps.len();
        let context = LevelContext {
            waits: Vec::new(),
            links: Vec::new(),
            touched: Vec::new(),
            hierarchy,
            homes: Default::default(),
            immovable: Default::default(),
            fixed: Default::default(),
            repeats: vec![1; n_steps],
            cycles: vec![10; n_steps],
            // As the passes number gaps without a position.
            blocks: (0..=n_steps).map(|gap| usize::MAX - gap).collect(),
            accepted: Default::default(),
            streams: rng.chance(50),
        };
        let functions = [FunctionLevels {
            function: program.name.clone(),
            problem: level_problem(&program, &lifetimes, &context).problem,
            offload: None,
        }];
        assert_eq!(functions[0].validate(), Ok(()), "seed {seed}");
        let text = print_level_problems(&functions);
        let again = parse_level_problems(&text);
        assert_eq!(again.as_deref(), Ok(&functions[..]), "seed {seed}\n{text}");
        let settings = LevelSettings {
            strategy: LevelStrategy::Policy(LevelPolicy::FarthestNextUse),
            ..LevelSettings::default()
        };
        replay(&functions[0], &settings);
        n_problems += 1;
    }
    assert!(n_problems > 100, "{n_problems}");
}

/// The budget problem of the example and its plan, which repeats s0 before s7.
fn budget_example() -> (FunctionLevels, FunctionLevelPlan) {
    let function = parse_level_problems(EXAMPLE).expect("a good example");
    let function = function.into_iter().find(|own| own.offload.is_some());
    let function = function.expect("a problem with a budget");
    let plan = plan_function(&function, &LevelSettings::default()).expect("a plan");
    assert_eq!(plan.repetitions, [Repetition { before: 7, step: 0 }]);
    (function, plan)
}

#[test]
fn a_step_that_is_not_pure_is_not_repeated() {
    let (mut function, plan) = budget_example();
    let input = function.offload.as_mut().expect("a budget");
    input.repeatable[0].is_pure = false;
    let error = check_function(&function, &plan).expect_err("s0 is repeated");
    assert_eq!(error, LevelFailure::Repetition(RepetitionError::Impure(0)));
}

#[test]
fn a_step_is_not_repeated_after_its_operands_may_have_changed() {
    let (mut function, plan) = budget_example();
    let input = function.offload.as_mut().expect("a budget");
    input.repeatable[0].until = Some(6);
    let error = check_function(&function, &plan).expect_err("s0 is repeated before s7");
    let late = RepetitionError::Late {
        step: 0,
        before: 7,
        until: 6,
    };
    assert_eq!(error, LevelFailure::Repetition(late));
}

/// s1 writes t1 from t0. If s4 writes t0 again, the repetition of s1 before s7 would read that.
#[test]
fn a_step_is_not_repeated_on_other_contents() {
    let (mut function, mut plan) = budget_example();
    let mut again = function.problem.steps[0].uses[0].clone();
    again.takes_over = None;
    function.problem.steps[4].uses.push(again);
    plan.repetitions = vec![Repetition { before: 7, step: 1 }];
    let error = check_function(&function, &plan).expect_err("t0 has changed");
    let changed = RepetitionError::Changed {
        step: 1,
        tensor: TensorId::new(0),
    };
    assert_eq!(error, LevelFailure::Repetition(changed));
}

/// A step that other steps follow on the same tensor must not be repeated after them.
#[test]
fn a_repetition_does_not_undo_a_later_write() {
    let (mut function, mut plan) = budget_example();
    let mut again = function.problem.steps[0].uses[0].clone();
    again.takes_over = None;
    function.problem.steps[4].uses.push(again);
    let error = check_function(&function, &plan).expect_err("s7 reads what s4 wrote");
    let changed = RepetitionError::Changed {
        step: 7,
        tensor: TensorId::new(0),
    };
    assert_eq!(error, LevelFailure::Repetition(changed));
    // Without a later read, only a result would show the difference.
    function.problem.steps[7].uses.remove(0);
    let home = function.offload.as_ref().expect("a budget").device;
    function.problem.tensors[0].home = Some(home);
    function.problem.tensors[0].is_result = true;
    plan.repetitions[0].before = 5;
    let error = check_function(&function, &plan).expect_err("a result");
    assert_eq!(
        error,
        LevelFailure::Repetition(RepetitionError::Result(TensorId::new(0)))
    );
}

#[test]
fn numbers_that_add_up_to_too_much_are_an_error() {
    let functions = parse_level_problems(EXAMPLE).expect("a good example");
    for function in functions {
        let plan = plan_function(&function, &LevelSettings::default()).expect("a plan");
        let mut large = function.clone();
        large.problem.tensors[2].size = Bytes::new(1 << 63);
        let error = plan_function(&large, &LevelSettings::default());
        assert_eq!(error, Err(LevelFailure::TooManyBytes));
        let mut long = function.clone();
        long.problem.steps[1].repeats = u64::MAX;
        assert_eq!(
            check_function(&long, &plan),
            Err(LevelFailure::TooManyCycles)
        );
    }
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let command = command.args(arguments).stdin(Stdio::null());
    command.output().expect("the command runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Returns an empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("levels_{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

/// Writes a file in a directory of its own, and returns its path.
fn file(name: &str, contents: &str) -> String {
    let path = directory(name).join("file");
    std::fs::write(&path, contents).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// Plans the example, and returns the text of the plans.
fn planned(name: &str) -> String {
    let out = directory(name).join("plans");
    let output = run(&[&example(), "-o", out.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::read_to_string(out).expect("plans")
}

#[test]
fn the_command_prints_a_summary_of_each_problem() {
    let output = run(&[&example()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let wanted = "\
@infer: 6 tensors, 4 steps, exact
  makespan 2302 cycles; ideal 2000
  serial cost 3816 cycles, lower bound 3816 (gap 0.0 %)
  transfers: 1, 1024 bytes (1.0 KiB)
  level   capacity  homes  peak
  sram        8192      0  2048
  dram   unbounded  10240     0

@train: 8 tensors, 8 steps, timetable
  makespan 4189 cycles, lower bound 3880 (gap 8.0 %); ideal 3880
  serial cost 4515 cycles
  repeated steps: 1
  transfers: 2, 2048 bytes (2.0 KiB)
  level   capacity  homes  peak
  hbm         3072      0  3072
  ram    unbounded      0  1024
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn problems_are_read_from_standard_input() {
    let problems = std::fs::File::open(example()).expect("the example");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let output = command.arg("-").stdin(problems).output();
    let output = output.expect("the command runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), text(&run(&[&example()]).stdout));
}

#[test]
fn plans_to_check_are_read_from_standard_input() {
    let plans = directory("plans_piped").join("plans");
    let planned = run(&[&example(), "-o", plans.to_str().expect("a path")]);
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned.stderr));
    let plans = std::fs::File::open(plans).expect("the plans");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let checked = command.args([&example(), "--check", "-"]).stdin(plans);
    let checked = checked.output().expect("the command runs");
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    assert_eq!(text(&checked.stdout), text(&planned.stdout));
}

/// A fast memory for one tensor: the step writes its result over its operand, and nothing is copied.
/// `exact` once did not know of such steps, and claimed that copies are cheapest.
#[test]
fn the_cheapest_plan_takes_over_an_operand() {
    let problem = "\
mem-levels 1
problem \"f\"
level \"sram\" capacity 64 align 1 read latency 1 bandwidth 64 write latency 1 bandwidth 64
level \"dram\" align 1 read latency 100 bandwidth 8 write latency 100 bandwidth 8
engine \"in\" link \"dram\" \"sram\"
engine \"out\" link \"sram\" \"dram\"
tensor t0 \"a\" size 64 align 1
tensor t1 \"b\" size 64 align 1
step s0 \"write\" cycles 1
  use t0 writes 64 all
step s1 \"in-place\" cycles 1
  use t0 reads 64
  use t1 writes 64 all takes-over t0
step s2 \"read\" cycles 1
  use t1 reads 64
end
";
    let output = run(&[&file("in_place", problem), "--strategy", "exact"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    let wanted = "serial cost 11 cycles, lower bound 11 (gap 0.0 %)";
    assert!(summary.contains(wanted), "{summary}");
}

#[test]
fn a_written_plan_is_checked_and_summarized_alike() {
    let folder = directory("written");
    let plans = folder.join("plans");
    let plans = plans.to_str().expect("a path");
    let planned = run(&[&example(), "-o", plans]);
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned.stderr));
    assert_eq!(std::fs::read_dir(&folder).expect("readable").count(), 1);
    let checked = run(&[&example(), "--check", plans]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    assert_eq!(text(&checked.stdout), text(&planned.stdout));
    // Writing the checked plans yields the same text.
    let again = folder.join("again");
    let output = run(&[
        &example(),
        "--check",
        plans,
        "-o",
        again.to_str().expect("a path"),
    ]);
    assert_eq!(output.status.code(), Some(0));
    let [first, second] = [Path::new(plans), &again].map(std::fs::read);
    assert_eq!(first.expect("plans"), second.expect("plans"));
}

/// A text of the plans of the example, what replaces it, and how the error begins.
const CORRUPTIONS: &[(&str, &str, &str)] = &[
    // An operand on top of a result that does not take over its bytes.
    (
        "\"active\" in \"sram\" at 1024",
        "\"active\" in \"sram\" at 0",
        "error: @infer: step 2 uses placements 5 and 6, which have common bytes",
    ),
    (
        "at 2048",
        "at 2049",
        "error: @train: placement 6 is not within its level, or not aligned",
    ),
    (
        "cost 3816",
        "cost 3815",
        "error: @infer: the plan says that it costs 3815 cycles, and costs 3816",
    ),
    (
        "lower-bound 3880",
        "lower-bound 9999",
        "error: @train: the plan claims a lower bound of 9999 cycles, and takes 4189",
    ),
    (
        "transfer p6 to p3 before end\n",
        "",
        "error: @infer: the home of tensor 5 is not up to date after the last step",
    ),
];

/// A plan that does not hold is status 1, and nothing is printed or written.
#[test]
fn a_corrupted_plan_is_rejected() {
    let plans = planned("corrupted");
    let out = directory("corrupted_out").join("plans");
    for (index, &(old, new, wanted)) in CORRUPTIONS.iter().enumerate() {
        assert!(plans.contains(old), "{old} is not in\n{plans}");
        let corrupted = plans.replacen(old, new, 1);
        let bad = file(&format!("corrupted_{index}"), &corrupted);
        let output = run(&[
            &example(),
            "--check",
            &bad,
            "-o",
            out.to_str().expect("a path"),
        ]);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{old}: {}",
            text(&output.stderr)
        );
        assert!(
            text(&output.stderr).starts_with(wanted),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty() && !out.exists());
    }
    // The plan repeats s0.
    let impure = EXAMPLE.replacen("cycles 40 pure", "cycles 40", 1);
    let plans = file("corrupted_impure_plans", &plans);
    let output = run(&[&file("corrupted_impure", &impure), "--check", &plans]);
    assert_eq!(output.status.code(), Some(1));
    let wanted = "error: @train: step s0 is repeated, and is not pure\n";
    assert_eq!(text(&output.stderr), wanted);
}

#[test]
fn bad_files_are_status_2_with_file_line_and_column() {
    let problem = file(
        "bad_problem",
        &EXAMPLE.replacen("align 64 home", "align 63 home", 1),
    );
    let output = run(&[&problem, "-o", "never"]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "file:11:1: error: the alignment of tensor t0 is not a power of two\n";
    assert!(
        text(&output.stderr).ends_with(wanted),
        "{}",
        text(&output.stderr)
    );
    assert!(!Path::new("never").exists());

    let plans = planned("bad_plans");
    let bad = file("bad_plan", &plans.replacen("uses p4 p5", "uses p4 p99", 1));
    let output = run(&[&example(), "--check", &bad]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "file:11:31: error: there is no p99\n";
    assert!(
        text(&output.stderr).ends_with(wanted),
        "{}",
        text(&output.stderr)
    );

    let only = &plans[..plans.find("plan \"train\"").expect("two plans")];
    let output = run(&[&example(), "--check", &file("one_plan", only)]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "file: error: there is no plan for @train\n";
    assert!(
        text(&output.stderr).ends_with(wanted),
        "{}",
        text(&output.stderr)
    );

    let output = run(&[&file("plan_alone", &plans)]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "error: a plan is checked against its problem: mem-plan PROBLEM --check ";
    assert!(
        text(&output.stderr).contains(wanted),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_problem_that_does_not_fit_is_status_1_and_names_the_culprits() {
    let output = run(&[&example(), "--capacity", "2500"]);
    assert_eq!(output.status.code(), Some(1));
    let wanted = "error: @train: 'g2' does not fit at step s5 (linalg.matmul): 572 bytes are \
                  missing in 'hbm'\n  note: 'a2' holds 1024 bytes\n";
    assert!(
        text(&output.stderr).starts_with(wanted),
        "{}",
        text(&output.stderr)
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn strategy_model_and_policy_are_options() {
    let summary = |options: &[&str]| {
        let output = run(&[&[example().as_str()], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let initial = summary(&["--strategy", "initial"]);
    assert!(initial.contains("4 steps, initial\n"), "{initial}");
    let local = summary(&[
        "--strategy",
        "local-search",
        "--segment",
        "2",
        "--model",
        "overlapped",
    ]);
    assert!(local.contains("4 steps, local-search\n"), "{local}");
    let swap = summary(&["--policy", "swap"]);
    assert!(swap.contains("repeated steps: 0\n"), "{swap}");
}

#[test]
fn wrong_options_are_refused() {
    for (options, wanted) in [
        (
            &["--strategy", "first-fit"][..],
            "invalid value for --strategy: unknown strategy 'first-fit'",
        ),
        (
            &["--policy", "best"],
            "unknown policy 'best'; known: auto, swap",
        ),
        (&["--model", "best"], "unknown cost model 'best'"),
        (
            &["--replan"],
            "--replan does not apply to problems over several levels",
        ),
    ] {
        let output = run(&[&[example().as_str()], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(
            text(&output.stderr).contains(wanted),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn options_of_levels_are_refused_for_programs_and_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for other in ["examples/lstm.mem", "../../instances/cut/200.csv"] {
        let other = folder.join(other);
        let output = run(&["--policy", "swap", other.to_str().expect("a path")]);
        assert_eq!(output.status.code(), Some(2));
        let wanted = "--policy applies to problems over several levels only";
        assert!(
            text(&output.stderr).contains(wanted),
            "{}",
            text(&output.stderr)
        );
    }
}

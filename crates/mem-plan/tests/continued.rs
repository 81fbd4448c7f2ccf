//! `mem-plan FILE --from PLAN`: searches that continue from a plan.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mem_cost::simulate;
use mem_model::{FunctionLevelPlan, FunctionLevels, OffloadPolicy};
use mem_plan::{LevelSettings, check_function, improve_function, plan_function};
use mem_planner::{LevelPolicy, LevelStrategy};
use mem_testkit::{Rng, random_level_problem, random_offload_function};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    command.args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn table(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a directory");
    let file = folder.join("table.csv");
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn every_strategy_continues_from_a_plan() {
    let file = table(
        "continued",
        "id,lower,upper,size\na,0,3,2\nb,0,1,4\nc,1,4,6\nd,3,5,4\n",
    );
    let file = file.to_str().expect("a path");
    // In another order, as tables are.
    let before = table(
        "continued-before",
        "id,offset,lower,upper,size\nd,6,3,5,4\nc,0,1,4,6\nb,0,0,1,4\na,6,0,3,2\n",
    );
    let before = before.to_str().expect("a path");
    let peak = |arguments: &[&str]| {
        let output = run(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["peak"].as_u64()
    };
    assert_eq!(peak(&["--strategy", "first-fit", file]), Some(12));
    for strategy in ["auto", "exact", "genetic", "first-fit", "lifetime-queue"] {
        let arguments = ["--strategy", strategy, "--from", before, file];
        assert_eq!(peak(&arguments), Some(10), "{strategy}");
    }
    // 'c' has grown, and 'e' is new.
    let grown = table(
        "continued-grown",
        "id,lower,upper,size\na,0,3,2\nb,0,1,4\nc,1,4,7\nd,3,5,4\ne,8,9,2\n",
    );
    let grown = grown.to_str().expect("a path");
    assert_eq!(peak(&["--strategy", "first-fit", grown]), Some(13));
    let continued = ["--strategy", "first-fit", "--from", before, grown];
    assert_eq!(peak(&continued), Some(11));
    // A table without offsets is no plan.
    let output = run(&["--from", file, file]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("warning: no plan to continue from"), "{said}");
}

/// Cycles that decide between the plans of a problem. The plan has to pass its check.
fn cycles(function: &FunctionLevels, plan: &FunctionLevelPlan) -> u64 {
    let problem = check_function(function, plan).expect("a plan");
    match function.offload {
        Some(_) => simulate(&problem, &plan.plan).makespan,
        None => plan.plan.cost,
    }
}

#[test]
fn plans_over_levels_get_no_worse() {
    let with = |strategy, policy| LevelSettings {
        strategy,
        policy,
        ..LevelSettings::default()
    };
    let weak = with(
        LevelStrategy::Policy(LevelPolicy::LeastRecentlyUsed),
        Some(OffloadPolicy::Swap),
    );
    let best = with(LevelStrategy::Auto, Some(OffloadPolicy::Auto));
    let (mut n_better, mut n_kept) = ([0, 0], [0, 0]);
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let levels = FunctionLevels {
            function: "levels".to_owned(),
            problem: random_level_problem(&mut rng, 12),
            offload: None,
        };
        let budget = random_offload_function(&mut rng, 10);
        for (kind, function) in [levels, budget].iter().enumerate() {
            let plans = [weak, best].map(|settings| plan_function(function, &settings));
            let [Ok(first), Ok(second)] = plans else {
                continue;
            };
            let improved = improve_function(function, &best, &first).expect("it has a plan");
            assert!(
                cycles(function, &improved) <= cycles(function, &first),
                "seed {seed}"
            );
            n_better[kind] += usize::from(improved.strategy != "known");
            // A weaker strategy leaves a better plan as it is.
            let kept = improve_function(function, &weak, &second).expect("it has a plan");
            assert!(
                cycles(function, &kept) <= cycles(function, &second),
                "seed {seed}"
            );
            if kept.strategy == "known" {
                assert_eq!(kept.plan, second.plan, "seed {seed}");
                assert_eq!(kept.repetitions, second.repetitions, "seed {seed}");
                n_kept[kind] += 1;
            }
        }
    }
    assert!(n_better.iter().all(|n| *n > 8), "{n_better:?}");
    assert!(n_kept.iter().all(|n| *n > 40), "{n_kept:?}");
}

#[test]
fn the_command_continues_from_plans_over_levels() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("continued-levels");
    std::fs::create_dir_all(&folder).expect("a directory");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two.levels");
    let problems = problems.to_str().expect("a path");
    let (first, second) = (path("first.plans"), path("second.plans"));
    let plan = |arguments: &[&str]| {
        let output = run(&[&[problems], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let swap = plan(&["--policy", "swap", "--strategy", "initial", "-o", &first]);
    let better = plan(&["--policy", "auto", "--from", &first, "-o", &second]);
    assert_ne!(swap, better);
    // What is written can be checked, and continued from once more.
    plan(&["--check", &second]);
    let again = plan(&[
        "--policy",
        "swap",
        "--strategy",
        "initial",
        "--from",
        &second,
    ]);
    assert!(again.contains("known"), "{again}");
    // A plan that does not solve the problem is rejected, and nothing is written.
    let wrong = path("wrong.plans");
    let written = std::fs::read_to_string(&second).expect("it was written");
    let other = written.replacen(" at 0", " at 64", 1);
    assert_ne!(written, other, "{written}");
    std::fs::write(&wrong, other).expect("a file");
    let third = path("third.plans");
    let output = run(&[problems, "--from", &wrong, "-o", &third]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(!Path::new(&third).exists());
}

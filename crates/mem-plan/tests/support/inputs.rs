//! Checks that any input yields an error, or a plan that its checkers accept. Shared by the
//! property tests and the fuzzers.

use mem_check::{check_plan, check_program_plan};
use mem_flow::{analyze_lifetimes, problem};
use mem_model::{
    Bytes, FunctionLevels, parse_level_plans, parse_level_problems, parse_programs,
    print_level_plans, print_level_problems, print_programs,
};
use mem_plan::{LevelFailure, LevelSettings, Table, check_function, plan_function};
use mem_planner::{LevelPolicy, LevelStrategy, PlanOptions, Strategy, plan};

fn options() -> PlanOptions {
    PlanOptions::default().with_effort(2_000)
}

/// Checks a table of buffers. Returns whether `text` is one.
pub(crate) fn check_table(text: &str) -> bool {
    let Ok(table) = Table::parse("table.csv", text) else {
        return false;
    };
    match plan(&table.problem, Strategy::default(), &options()) {
        Ok(plan) => {
            check_plan(&table.problem, &plan).expect("a plan that holds");
            let again = Table::parse("again.csv", &table.with_offsets(&plan)).expect("a table");
            assert_eq!(again.problem.items.len(), table.problem.items.len());
        }
        // The message refers to buffers of the table.
        Err(error) => assert!(
            !mem_plan::Failure::in_table(&table, error)
                .to_string()
                .is_empty()
        ),
    }
    true
}

/// Checks programs in the model's text form. Returns whether `text` has that form.
pub(crate) fn check_programs(text: &str) -> bool {
    let Ok(programs) = parse_programs(text) else {
        return false;
    };
    let again = parse_programs(&print_programs(&programs));
    assert_eq!(again.as_ref(), Ok(&programs));
    for program in &programs {
        let Ok(lifetimes) = analyze_lifetimes(program) else {
            continue;
        };
        let problem = problem(program, &lifetimes);
        if let Ok(plan) = plan(&problem, Strategy::default(), &options()) {
            check_plan(&problem, &plan).expect("a plan that holds");
            if lifetimes.unplannable.is_empty() {
                check_program_plan(program, &lifetimes.rotations, &plan)
                    .expect("it reads what it should");
            }
        }
    }
    true
}

/// Checks problems over several levels in the model's text form. Returns whether `text` has that
/// form.
pub(crate) fn check_levels(text: &str) -> bool {
    let Ok(functions) = parse_level_problems(text) else {
        return false;
    };
    let again = parse_level_problems(&print_level_problems(&functions));
    assert_eq!(again.as_ref(), Ok(&functions));
    for function in &functions {
        for strategy in [
            LevelStrategy::Auto,
            LevelStrategy::Policy(LevelPolicy::LeastRecentlyUsed),
        ] {
            let settings = LevelSettings {
                strategy,
                ..LevelSettings::default()
            };
            match plan_function(function, &settings) {
                // Planners trust that a step that leaves none of the contents of a tensor writes
                // others; the check does not.
                Ok(_) if replaces_by_nothing(function) => {}
                Ok(plan) => {
                    check_function(function, &plan).expect("a plan that holds");
                    let printed = print_level_plans(&[(function, &plan)]);
                    let again = parse_level_plans(&printed, std::slice::from_ref(function));
                    assert_eq!(again, Ok(vec![plan]));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    true
}

fn replaces_by_nothing(function: &FunctionLevels) -> bool {
    let mut uses = function.problem.steps.iter().flat_map(|step| &step.uses);
    uses.any(|used| used.writes_all && used.writes == Bytes::ZERO)
}

/// Checks a file of plans of `functions`. Returns whether `text` has the text form of plans.
pub(crate) fn check_level_plans(text: &str, functions: &[FunctionLevels]) -> bool {
    let Ok(plans) = parse_level_plans(text, functions) else {
        return false;
    };
    let with_function = plans.iter().map(|plan| {
        let function = functions.iter().find(|own| own.function == plan.function);
        (function.expect("a function of the file"), plan)
    });
    let pairs: Vec<_> = with_function.collect();
    let again = parse_level_plans(&print_level_plans(&pairs), functions);
    assert_eq!(again.as_ref(), Ok(&plans));
    for (function, plan) in pairs {
        let checked: Result<_, LevelFailure> = check_function(function, plan);
        if let Ok(problem) = checked {
            assert!(!mem_plan::level_summary(function, &problem, plan).is_empty());
        }
    }
    true
}

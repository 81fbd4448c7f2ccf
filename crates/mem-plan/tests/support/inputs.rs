//! Checks that any input yields an error, or a plan that its checkers accept. Shared by the
//! property tests and the fuzzers.

use mem_check::{check_plan, check_program_plan};
use mem_flow::{analyze_lifetimes, problem};
use mem_model::{parse_programs, print_programs};
use mem_plan::Table;
use mem_planner::{PlanOptions, Strategy, plan};

fn options() -> PlanOptions {
    PlanOptions::default().with_effort(2_000)
}

/// Checks a table of buffers. Returns whether `text` is one.
pub fn check_table(text: &str) -> bool {
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
pub fn check_programs(text: &str) -> bool {
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

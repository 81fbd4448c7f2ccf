//! `mem-plan`: plans the memory of a program that was dumped to a file, without MLIR.
//!
//! Reads the text form of programs, finds lifetimes, plans, checks the plan, and prints it. Exit
//! status 0: planned; 1: no placement within the capacity; 2: bad input or usage.

#![forbid(unsafe_code)]

mod output;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use mem_check::{check_plan, check_program_plan};
use mem_flow::{Lifetimes, analyze_lifetimes, problem};
use mem_model::{Bytes, Plan, Program, parse_programs};
use mem_planner::{PlanError, PlanOptions, Strategy};
use mem_view::{FunctionPlan, plan_json, plan_table};

use report::Failure;

/// Plans the memory of a dumped program: an address in one arena for every buffer.
///
/// Example: mem-plan model.mem --capacity 1048576
#[derive(Debug, Parser)]
#[command(name = "mem-plan", version)]
struct Arguments {
    /// A program in text form, as `mem-opt` dumps it.
    file: PathBuf,
    /// How addresses are chosen.
    #[arg(long, value_name = "NAME", default_value_t)]
    strategy: Strategy,
    /// Bytes available; without it the arena is as large as it needs to be.
    #[arg(long, value_name = "BYTES")]
    capacity: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::print_error(&failure);
            failure.exit_code()
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.display().to_string();
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::Read(file.clone(), error))?;
    let programs = parse_programs(&text).map_err(|error| Failure::Text(file, error))?;
    let capacity = arguments.capacity.map(Bytes::new);
    let mut planned = Vec::new();
    for program in &programs {
        let lifetimes = analyze_lifetimes(program)?;
        let plan = plan_and_check(program, &lifetimes, arguments.strategy, capacity)?;
        planned.push((program, lifetimes, plan));
    }
    let functions: Vec<FunctionPlan<'_>> = planned
        .iter()
        .map(|(program, lifetimes, plan)| FunctionPlan {
            program,
            parts: &lifetimes.parts,
            level: "arena",
            capacity,
            plan,
        })
        .collect();
    let shown = match arguments.json {
        true => plan_json(&functions),
        false => plan_table(&functions),
    };
    output::write(arguments.output.as_deref(), &shown)
}

fn plan_and_check(
    program: &Program,
    lifetimes: &Lifetimes,
    strategy: Strategy,
    capacity: Option<Bytes>,
) -> Result<Plan, Failure> {
    if let Some(first) = lifetimes.unplannable.first() {
        return Err(Failure::unplannable(program, first));
    }
    let mut problem = problem(program, lifetimes);
    problem.capacity = capacity;
    let plan = mem_planner::plan(&problem, strategy, &PlanOptions::default());
    let plan = plan.map_err(|error| match error {
        PlanError::NoFit(no_fit) => Failure::no_fit(program, &no_fit),
        other => Failure::Plan(program.name.clone(), other),
    })?;
    // A plan that fails here is this program's mistake, not the user's: say so and stop.
    let internal = |error| Failure::Internal(program.name.clone(), error);
    check_plan(&problem, &plan).map_err(internal)?;
    check_program_plan(program, &lifetimes.rotations, &plan).map_err(internal)?;
    Ok(plan)
}

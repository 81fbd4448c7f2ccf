//! `mem-plan`: plans memory without MLIR.
//!
//! Reads a program that was dumped to a file, finds lifetimes, plans, checks the plan, and prints it; or
//! reads a table of buffers as CSV, and prints it with offsets. Exit status 0: planned; 1: no placement
//! within the capacity; 2: bad input or usage.

#![forbid(unsafe_code)]

mod csv_table;
mod output;
mod report;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use mem_check::{check_plan, check_program_plan};
use mem_flow::{Lifetimes, analyze_lifetimes, problem};
use mem_model::{Bytes, Plan, Program, parse_programs};
use mem_planner::{PlanError, PlanOptions, Strategy};
use mem_view::{FunctionPlan, plan_json, plan_table};

use report::Failure;

/// Plans memory: an address in one arena for every buffer.
///
/// Example: mem-plan buffers.csv --capacity 1048576 -o placed.csv
#[derive(Debug, Parser)]
#[command(name = "mem-plan", version)]
struct Arguments {
    /// A table of buffers (.csv: id,lower,upper,size[,alignment,gaps]), or a program as `mem-opt` dumps
    /// it.
    #[arg(required_unless_present = "benchmark")]
    file: Option<PathBuf>,
    /// How addresses are chosen.
    #[arg(long, value_name = "NAME", default_value_t)]
    strategy: Strategy,
    /// Bytes available: any plan within them will do. Without it the peak is made as low as possible.
    #[arg(long, value_name = "BYTES")]
    capacity: Option<u64>,
    /// Of a table: stop searching after this time, with the best plan so far.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    time_limit: Duration,
    /// Plan every table below this folder with every strategy, and compare.
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    benchmark: Option<PathBuf>,
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

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let request = table::Request {
        strategy: arguments.strategy,
        capacity: arguments.capacity.map(Bytes::new),
        time_limit: arguments.time_limit,
    };
    if let Some(folder) = &arguments.benchmark {
        let compared = table::benchmark(folder, request)?;
        return output::write(arguments.output.as_deref(), &compared);
    }
    let file = arguments.file.as_deref().unwrap_or(Path::new(""));
    match file.extension().is_some_and(|extension| extension == "csv") {
        true => run_table(arguments, file, request),
        false => run_program(arguments, file),
    }
}

fn run_table(arguments: &Arguments, file: &Path, request: table::Request) -> Result<(), Failure> {
    let table = table::read(file)?;
    let planned = table::plan(&table, request)?;
    let shown = match arguments.json {
        true => table::json(&table, request, &planned),
        false => table.with_offsets(&planned.solution.plan),
    };
    output::write(arguments.output.as_deref(), &shown)?;
    if !arguments.json {
        output::note(&table::summary(&planned));
    }
    Ok(())
}

fn run_program(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Read(file.clone(), error))?;
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

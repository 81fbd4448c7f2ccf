//! `mem-plan`: plans memory without MLIR.
//!
//! Reads a program that was dumped to a file, computes lifetimes, plans, checks the plan, and
//! prints the plan; or reads a table of buffers as CSV, and prints the table with offsets. Exit
//! status 0: planned; 1: no placement within the capacity; 2: bad input or usage.

#![forbid(unsafe_code)]

mod generate;
mod output;
mod progress;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use mem_check::{check_plan, check_program_plan};
use mem_flow::{Lifetimes, analyze_lifetimes, problem};
use mem_model::{Bytes, Interval, Plan, Program, parse_programs};
use mem_plan::Failure;
use mem_planner::{PlanError, PlanOptions, Strategy};
use mem_view::{FunctionPlan, plan_json, plan_table};

/// Plans memory: an address in one arena for every buffer.
///
/// Example: mem-plan buffers.csv --capacity 1048576 -o placed.csv
#[derive(Debug, Parser)]
#[command(name = "mem-plan", version)]
struct Arguments {
    /// A table of buffers (.csv: id,lower,upper,size[,alignment,gaps]), or a program as dumped by
    /// `mem-opt`.
    #[arg(required_unless_present_any = ["benchmark", "generate"])]
    file: Option<PathBuf>,
    /// Strategy for choosing addresses.
    #[arg(long, value_name = "NAME", default_value_t)]
    strategy: Strategy,
    /// Bytes available. For a table, the search stops at any plan that fits; otherwise it minimizes
    /// the peak.
    #[arg(long, value_name = "BYTES")]
    capacity: Option<u64>,
    /// Search for this long instead of until the effort is spent, and take the best plan found.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Effort of each search, in examined buffers; roughly ten million take a second. Equal efforts
    /// give equal plans on every machine.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 200_000_000,
        conflicts_with = "time_limit"
    )]
    effort: u64,
    /// Random seed of searches that use one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of search threads; 0 for one per core. Plans do not depend on it, unless a time limit
    /// ends the search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// For tables: addresses that no buffer may use, `HIGH` exclusive; may be repeated.
    #[arg(long, value_name = "LOW:HIGH", value_parser = region)]
    reserve: Vec<Interval<Bytes>>,
    /// For tables: ignore the offsets in the table.
    #[arg(long)]
    replan: bool,
    /// Plan every table below this directory with every strategy, and compare the results.
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    benchmark: Option<PathBuf>,
    /// Print a random table of this many buffers instead, at most ten million, generated from the
    /// seed.
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = clap::value_parser!(u64).range(..=10_000_000),
        conflicts_with_all = ["file", "benchmark"]
    )]
    generate: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = mem_planner::install_trace() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
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

fn region(text: &str) -> Result<Interval<Bytes>, String> {
    let parse = |text: &str| {
        text.parse()
            .ok()
            .filter(|n| *n <= mem_planner::MAX_BYTES.get())
    };
    let (low, high) = text.split_once(':').ok_or("not LOW:HIGH")?;
    match (parse(low), parse(high)) {
        (Some(low), Some(high)) if low <= high => {
            Ok(Interval::new(Bytes::new(low), Bytes::new(high)))
        }
        _ => Err("not two numbers in ascending order".to_owned()),
    }
}

/// Returns the options of the planner.
fn plan_options(arguments: &Arguments) -> PlanOptions {
    let options = PlanOptions::default()
        .with_seed(arguments.seed)
        .with_threads(arguments.threads);
    match arguments.time_limit {
        Some(limit) => options.with_effort(u64::MAX).with_time_limit(limit),
        None => options.with_effort(arguments.effort),
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let request = table::Request {
        strategy: arguments.strategy,
        capacity: arguments.capacity.map(Bytes::new),
        reserved: arguments.reserve.clone(),
        options: plan_options(arguments),
    };
    if let Some(folder) = &arguments.benchmark {
        progress::stop_on_interrupt();
        let compared = table::benchmark(folder, &request)?;
        return output::write(arguments.output.as_deref(), &compared);
    }
    if let Some(n_buffers) = arguments.generate {
        let table = generate::table(n_buffers, arguments.seed);
        return output::write(arguments.output.as_deref(), &table);
    }
    let file = arguments.file.as_deref().unwrap_or(Path::new(""));
    match file.extension().is_some_and(|extension| extension == "csv") {
        true => run_table(arguments, file, &request),
        false => run_program(arguments, file),
    }
}

fn run_table(arguments: &Arguments, file: &Path, request: &table::Request) -> Result<(), Failure> {
    progress::stop_on_interrupt();
    let mut table = table::read(file)?;
    if arguments.replan {
        table
            .problem
            .items
            .iter_mut()
            .for_each(|item| item.fixed = None);
    }
    let (planned, failure) = table::plan(&table, request)?;
    let shown = match arguments.json {
        true => table::json(&table, request, &planned),
        false => table.with_offsets(&planned.plan),
    };
    // Write the best plan even if it exceeds the capacity.
    output::write(arguments.output.as_deref(), &shown)?;
    if !arguments.json {
        output::note(&table::summary(&planned));
    }
    failure.map_or(Ok(()), Err)
}

fn run_program(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let file = path.display().to_string();
    let of_tables = [
        (!arguments.reserve.is_empty(), "--reserve"),
        (arguments.replan, "--replan"),
    ];
    if let Some((_, option)) = of_tables.into_iter().find(|(is_given, _)| *is_given) {
        return Err(Failure::NotATable(file, option));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Read(file.clone(), error))?;
    let programs = parse_programs(&text).map_err(|error| Failure::Text(file, error))?;
    let capacity = arguments.capacity.map(Bytes::new);
    let mut planned = Vec::new();
    for program in &programs {
        let lifetimes = analyze_lifetimes(program)?;
        let plan = plan_and_check(program, &lifetimes, arguments, capacity)?;
        planned.push((program, lifetimes, plan));
    }
    let functions: Vec<FunctionPlan<'_>> = planned
        .iter()
        .map(|(program, lifetimes, plan)| FunctionPlan {
            unknown: None,
            program,
            parts: &lifetimes.parts,
            unordered: &lifetimes.unordered,
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
    arguments: &Arguments,
    capacity: Option<Bytes>,
) -> Result<Plan, Failure> {
    if let Some(first) = lifetimes.unplannable.first() {
        return Err(Failure::unplannable(program, first));
    }
    let mut problem = problem(program, lifetimes);
    problem.capacity = capacity;
    let plan = mem_planner::plan(&problem, arguments.strategy, &plan_options(arguments));
    let plan = plan.map_err(|error| match error {
        PlanError::NoFit(no_fit) => Failure::no_fit(program, &no_fit),
        other => Failure::Plan(program.name.clone(), other),
    })?;
    // A plan that fails its check is a bug in this program, not in the input: report it and stop.
    let internal = |error| Failure::Internal(program.name.clone(), error);
    check_plan(&problem, &plan).map_err(internal)?;
    check_program_plan(program, &lifetimes.rotations, &plan).map_err(internal)?;
    Ok(plan)
}

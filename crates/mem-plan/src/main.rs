//! `mem-plan`: plans memory without MLIR.
//!
//! Reads a program that was dumped to a file, computes lifetimes, plans, checks the plan, and
//! prints the plan; or reads a table of buffers as CSV, and prints the table with offsets; or reads
//! problems over several memory levels, plans them or checks given plans, and prints a summary; or
//! reads an operation graph, and prints the order in which to execute it within a budget. The
//! subcommand `diff` compares two plans. Exit status 0: planned; 1: no plan within the capacity, a
//! given plan is rejected, or a peak grew by more than the limit; 2: bad input or usage.

#![forbid(unsafe_code)]

mod diff_files;
mod generate;
mod graph_files;
mod level_files;
mod output;
mod progress;
mod table;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory as _, Parser};
use mem_check::{check_plan, check_program_plan};
use mem_flow::{Lifetimes, analyze_lifetimes, problem};
use mem_model::{
    Bytes, HostLink, Interval, OffloadPolicy, Plan, Program, SizeError, TextFormat, UnknownName,
    parse_programs,
};
use mem_plan::{
    Failure, GraphSettings, LevelSettings, TableSettings, TableView, table_json, table_summary,
};
use mem_planner::{CostModel, LevelStrategy, PlanError, PlanOptions, Spread, Strategy};
use mem_view::{FunctionPlan, plan_json, plan_page, plan_svg, plan_table};
use output::Form;

/// Plans memory: an address in one arena for every buffer.
///
/// Example: mem-plan buffers.csv --capacity 1MiB -o placed.csv
///
/// Exit status: 0 if there is a plan; 1 if nothing fits the capacity, a given plan is rejected, or a
/// peak grew by more than the limit; 2 for bad input or usage. An interrupt ends the search
/// with the best plan so far, and a second one the program, with status 130.
#[derive(Debug, Parser)]
#[command(
    name = "mem-plan",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = mem_command::GENERATED_HELP
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// A table of buffers (.csv: id,lower,upper,size[,alignment,gaps]), a program as dumped by
    /// `mem-opt`, problems over several memory levels (mem-levels), or an operation graph (.fx). A
    /// program or problems may come from standard input, `-`.
    #[arg(required_unless_present_any = ["benchmark", "generate"])]
    file: Option<PathBuf>,
    /// Strategy for choosing addresses, or for problems over several levels: auto, exact, initial,
    /// least-recently-used, farthest-next-use, global or local-search. Example: --strategy exact
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// Size available, in bytes or as in 64KiB or 1.5MiB. For a table, the search stops at any plan that
    /// fits; otherwise it minimizes the peak. For problems over several levels: of the fastest level.
    /// By default, unlimited, or the one that the file states. Example: --capacity 1.5MiB
    #[arg(long, value_name = "SIZE", value_parser = Bytes::limit)]
    capacity: Option<Bytes>,
    /// For programs: whether buffers that one operation accesses begin at different offsets within a page: off, free (as
    /// far as the peak does not grow), or the number of bytes by which it may grow for that. Example: --spread 4KiB
    #[arg(long, value_name = "BYTES", default_value = "free")]
    spread: Spread,
    /// Search for this long instead of until the effort is spent, and take the best plan found. No
    /// limit by default. Example: --time-limit 2.5
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Effort of each search, in examined buffers; roughly ten million take a second. Equal efforts
    /// give equal plans on every machine. Example: --effort 1000000
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 200_000_000,
        conflicts_with = "time_limit"
    )]
    effort: u64,
    /// Random seed of searches that use one. Example: --seed 7
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of search threads; 0 for one per core. Plans do not depend on it, unless a time limit
    /// ends the search. Example: --threads 4
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// For tables: addresses that no buffer may use, `HIGH` exclusive; may be repeated. None by default.
    /// Example: --reserve 0:4KiB
    #[arg(long, value_name = "LOW:HIGH", value_parser = region)]
    reserve: Vec<Interval<Bytes>>,
    /// Continue from the plan in this file, as written by an earlier run: for tables and problems over several
    /// levels, and for operation graphs as written by --json. The result is no worse. In a table, buffers that
    /// have changed since are placed anew; other plans must be of the same problems. By default, planning starts
    /// from scratch. Example: --from placed.csv
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["benchmark", "generate", "check"])]
    from: Option<PathBuf>,
    /// For tables: ignore the offsets in the table. Example: --replan
    #[arg(long)]
    replan: bool,
    /// For problems over several levels: cost model that decides between plans, serial (the
    /// default) or overlapped. Example: --model overlapped
    #[arg(long, value_name = "NAME")]
    model: Option<CostModel>,
    /// For problems over several levels: steps that local-search enumerates exhaustively, 1 by
    /// default; exponential run time. Example: --segment 4
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u8).range(1..))]
    segment: Option<u8>,
    /// For problems with a budget: auto, swap, recompute, checkpoints or farthest-next-use. By default,
    /// the policy that the file states. Example: --policy swap
    #[arg(long, value_name = "NAME", value_parser = policy)]
    policy: Option<OffloadPolicy>,
    /// For operation graphs: size available, as for --capacity; operations are repeated, and tensors
    /// copied if there is a link, so that the peak is at most this. Unlimited by default. Example:
    /// --budget 64MiB
    #[arg(long, value_name = "SIZE", value_parser = Bytes::limit)]
    budget: Option<Bytes>,
    /// For operation graphs: bytes that the link to the host copies in the time of one arithmetic
    /// operation, in each direction. By default, there is no link, and operations are only repeated.
    /// Example: --link 0.004
    #[arg(long, value_name = "BYTES_PER_FLOP", value_parser = bandwidth)]
    link: Option<f64>,
    /// For problems over several levels: check the plans in this file, or from standard input (`-`),
    /// instead of planning, which is the default. Example: --check plans.txt
    #[arg(long, value_name = "PLANS", conflicts_with_all = ["model", "segment", "policy"])]
    check: Option<PathBuf>,
    /// Plan every table below this directory with every strategy, and compare the results. By default, plan
    /// one file. Example: --benchmark instances
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    benchmark: Option<PathBuf>,
    /// Print a table of this many buffers, at most ten million, generated from the seed, instead of
    /// planning, which is the default. Example: --generate 1000
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = clap::value_parser!(u64).range(..=10_000_000),
        conflicts_with_all = ["file", "benchmark"]
    )]
    generate: Option<u64>,
    /// What to generate: random lifetimes and sizes (random), or a training step of a transformer on
    /// one of several devices (training). Example: --kind training
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        hide_possible_values = true,
        default_value = "random",
        requires = "generate",
        conflicts_with_all = ["file", "benchmark"]
    )]
    kind: generate::Kind,
    /// Print JSON instead of a table or a summary. Example: --json
    #[arg(long)]
    json: bool,
    /// Print a page for a browser instead of a table or a summary. It shows levels, copies, and what
    /// swaps and repetitions cost. Example: --html
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Print a picture instead of a table or a summary. Example: --svg
    #[arg(long, conflicts_with_all = ["json", "html"])]
    svg: bool,
    /// Write to this file; standard output by default. For problems over several levels without
    /// --json, --html and --svg: write the plans to this file, and the summary to standard output; if
    /// the file is `-`, the plans to standard output, and the summary to standard error. Example:
    /// --output placed.csv
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// What to do instead of planning.
#[derive(Debug, clap::Subcommand)]
enum Command {
    Diff(diff_files::DiffArguments),
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(status) = mem_command::answer(&given, Arguments::command) {
        return ExitCode::from(status);
    }
    if let Some(error) = misspelled_subcommand(&given) {
        output::note(&error);
        return ExitCode::from(2);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return report_usage(&error),
    };
    if let Err(error) = mem_planner::install_trace() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    progress::watch();
    let done = run(&arguments);
    mem_command::report_interrupt(done.is_err());
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::print_error(&failure);
            failure.exit_code()
        }
    }
}

/// What is wrong if the first word is neither a file nor a subcommand, but close to one. Otherwise it is
/// taken for a file, and those after it for subcommands.
fn misspelled_subcommand(given: &[OsString]) -> Option<String> {
    let first = given.first()?.to_str()?;
    let command = Arguments::command();
    let names: Vec<&str> = command
        .get_subcommands()
        .map(|own| own.get_name())
        .collect();
    if names.contains(&first) || Path::new(first).exists() {
        return None;
    }
    let near = mem_model::suggestion(first, names);
    (!near.is_empty()).then(|| format!("error: no file or subcommand is called '{first}'{near}"))
}

/// Prints why the arguments cannot be parsed, or the help that they ask for.
fn report_usage(error: &clap::Error) -> ExitCode {
    match (
        error.kind(),
        error.get(clap::error::ContextKind::InvalidSubcommand),
    ) {
        // What follows a file would have to be a subcommand, which is not what one expects to read.
        (clap::error::ErrorKind::ArgumentConflict, Some(word)) => {
            output::note(&format!(
                "error: unexpected argument '{word}': expected one file, or the subcommand 'diff' first"
            ));
            ExitCode::from(2)
        }
        _ => error.exit(),
    }
}

/// Why the value of an option cannot be parsed.
#[derive(Debug, thiserror::Error)]
enum ValueError {
    /// A time limit or a bandwidth that is not a number.
    #[error(transparent)]
    Number(#[from] std::num::ParseFloatError),
    /// A time limit that is negative or too long.
    #[error(transparent)]
    Seconds(#[from] std::time::TryFromFloatSecsError),
    /// An address that is not a size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A name that no policy has.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A link that copies nothing.
    #[error("not a positive number")]
    NotPositive,
    /// A range without a colon.
    #[error("not LOW:HIGH")]
    NotARange,
    /// A range that contains no address.
    #[error("not two numbers in ascending order")]
    NotAscending,
}

fn seconds(text: &str) -> Result<Duration, ValueError> {
    Ok(Duration::try_from_secs_f64(text.parse::<f64>()?)?)
}

fn bandwidth(text: &str) -> Result<f64, ValueError> {
    let bandwidth = text.parse::<f64>()?;
    match bandwidth.is_normal() && bandwidth > 0.0 {
        true => Ok(bandwidth),
        false => Err(ValueError::NotPositive),
    }
}

fn policy(text: &str) -> Result<OffloadPolicy, ValueError> {
    Ok(text.parse()?)
}

fn region(text: &str) -> Result<Interval<Bytes>, ValueError> {
    let (low, high) = text.split_once(':').ok_or(ValueError::NotARange)?;
    let (low, high): (Bytes, Bytes) = (low.parse()?, high.parse()?);
    match low <= high && high <= mem_planner::MAX_BYTES {
        true => Ok(Interval::new(low, high)),
        false => Err(ValueError::NotAscending),
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
    if let Some(Command::Diff(arguments)) = &arguments.command {
        return diff_files::run(arguments);
    }
    if let Some(folder) = &arguments.benchmark {
        let compared = table::benchmark(folder, &table_request(arguments)?)?;
        return output::write(arguments.output.as_deref(), &compared);
    }
    if let Some(n_buffers) = arguments.generate {
        let table = generate::table(arguments.kind, n_buffers, arguments.seed);
        return output::write(arguments.output.as_deref(), &table);
    }
    let path = arguments.file.as_deref().unwrap_or(Path::new(""));
    let file = path.display().to_string();
    if path.extension().is_some_and(|extension| extension == "fx") {
        return run_graph(arguments, path);
    }
    refuse(arguments.of_graphs(), |option| {
        Failure::NotAGraph(file.clone(), option)
    })?;
    if path.extension().is_some_and(|extension| extension == "csv") {
        refuse(arguments.of_levels(), |option| {
            Failure::NotLevels(file.clone(), option)
        })?;
        return run_table(arguments, path, &table_request(arguments)?);
    }
    let is_mlir = |extension: &std::ffi::OsStr| extension == "mlir" || extension == "mlirbc";
    if path.extension().is_some_and(is_mlir) {
        return Err(Failure::Mlir(file));
    }
    let text = output::read(path)?;
    match TextFormat::of(&text) {
        None if looks_like_mlir(&text) => Err(Failure::Mlir(file)),
        Some(TextFormat::LevelProblems) => run_levels(arguments, path, &text),
        Some(TextFormat::LevelPlans) => Err(Failure::PlanAlone(file)),
        Some(TextFormat::Programs) | None => {
            let not_levels = |option| Failure::NotLevels(file.clone(), option);
            refuse(arguments.of_levels(), not_levels)?;
            run_program(arguments, &file, &text)
        }
    }
}

/// Whether text in none of the forms begins like MLIR.
fn looks_like_mlir(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
    let starts = [
        "module",
        "func.func",
        "builtin.module",
        "\"builtin.module",
        "#map",
    ];
    first.is_some_and(|line| starts.iter().any(|start| line.starts_with(start)))
}

impl Arguments {
    /// Options that apply to tables only, and whether they are given.
    fn of_tables(&self) -> Vec<(bool, &'static str)> {
        vec![
            (!self.reserve.is_empty(), "--reserve"),
            (self.replan, "--replan"),
        ]
    }

    /// What to print.
    fn form(&self) -> Form {
        match self {
            Self { json: true, .. } => Form::Json,
            Self { html: true, .. } => Form::Html,
            Self { svg: true, .. } => Form::Svg,
            _ => Form::Text,
        }
    }

    /// Options that apply to problems over several levels only, and whether they are given.
    fn of_levels(&self) -> Vec<(bool, &'static str)> {
        vec![
            (self.check.is_some(), "--check"),
            (self.model.is_some(), "--model"),
            (self.segment.is_some(), "--segment"),
            (self.policy.is_some(), "--policy"),
        ]
    }
}

impl Arguments {
    /// Options that apply to operation graphs only, and whether they are given.
    fn of_graphs(&self) -> Vec<(bool, &'static str)> {
        vec![
            (self.budget.is_some(), "--budget"),
            (self.link.is_some(), "--link"),
        ]
    }
}

/// Fails if one of `options` is given.
fn refuse(
    options: Vec<(bool, &'static str)>,
    failure: impl FnOnce(&'static str) -> Failure,
) -> Result<(), Failure> {
    match options.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(failure(option)),
        None => Ok(()),
    }
}

/// Returns the strategy for planning one level.
fn strategy(arguments: &Arguments) -> Result<Strategy, Failure> {
    let wrong = |error: UnknownName| Failure::Option("--strategy", error.to_string());
    arguments.strategy.parse().map_err(wrong)
}

fn table_request(arguments: &Arguments) -> Result<TableSettings, Failure> {
    Ok(TableSettings {
        strategy: strategy(arguments)?,
        capacity: arguments.capacity,
        reserved: arguments.reserve.clone(),
        replan: arguments.replan,
        options: plan_options(arguments),
    })
}

fn run_levels(arguments: &Arguments, path: &Path, text: &str) -> Result<(), Failure> {
    let mut refused = arguments.of_tables();
    refused.push((arguments.time_limit.is_some(), "--time-limit"));
    let file = path.display().to_string();
    refuse(refused, |option| Failure::OfOneLevel(file, option))?;
    let wrong = |error: UnknownName| Failure::Option("--strategy", error.to_string());
    let strategy = match arguments.strategy.parse().map_err(wrong)? {
        LevelStrategy::LocalSearch { .. } => LevelStrategy::LocalSearch {
            segment: usize::from(arguments.segment.unwrap_or(1)),
        },
        other => other,
    };
    let request = level_files::Request {
        settings: LevelSettings {
            strategy,
            model: arguments.model.unwrap_or_default(),
            policy: arguments.policy,
        },
        capacity: arguments.capacity,
        plans: arguments.check.as_deref(),
        from: arguments.from.as_deref(),
        form: arguments.form(),
        output: arguments.output.as_deref(),
    };
    level_files::run(path, text, &request)
}

fn run_graph(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let mut refused = arguments.of_tables();
    refused.extend(
        arguments
            .of_levels()
            .into_iter()
            .filter(|(_, option)| *option != "--policy"),
    );
    refused.push((arguments.capacity.is_some(), "--capacity"));
    refused.push((arguments.time_limit.is_some(), "--time-limit"));
    let file = path.display().to_string();
    refuse(refused, |option| Failure::OfOtherFiles(file, option))?;
    let request = graph_files::Request {
        settings: GraphSettings {
            budget: arguments.budget,
            link: arguments.link.map(HostLink::symmetric),
            policy: arguments.policy,
            ..GraphSettings::default()
        },
        from: arguments.from.as_deref(),
        form: arguments.form(),
        output: arguments.output.as_deref(),
    };
    graph_files::run(path, &request)
}

fn run_table(arguments: &Arguments, file: &Path, request: &TableSettings) -> Result<(), Failure> {
    let table = table::read(file)?;
    let mut request = request.clone();
    if let Some(before) = &arguments.from {
        let start = table.continued(&table::read(before)?, &request.options);
        if start.is_none() {
            output::note(&format!(
                "{}: warning: no plan to continue from",
                before.display()
            ));
        }
        request.options.start = start;
    }
    let (planned, failure) = table::plan(&table, &request)?;
    let picture = |draw: fn(&[FunctionPlan<'_>]) -> String| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let view = TableView::new(&name, &table);
        draw(&[view.with_plan(&planned.plan, request.capacity)])
    };
    let shown = match arguments.form() {
        Form::Json => table_json(&table, request.capacity, &planned),
        Form::Html => picture(plan_page),
        Form::Svg => picture(plan_svg),
        Form::Text => table.with_offsets(&planned.plan),
    };
    // Write the best plan even if it exceeds the capacity.
    output::write(arguments.output.as_deref(), &shown)?;
    mem_command::report_interrupt(false);
    if !arguments.json {
        output::note(&table_summary(&planned));
    }
    failure.map_or(Ok(()), Err)
}

fn run_program(arguments: &Arguments, file: &str, text: &str) -> Result<(), Failure> {
    let not_a_table = |option| Failure::NotATable(file.to_owned(), option);
    let mut refused = arguments.of_tables();
    refused.push((arguments.from.is_some(), "--from"));
    refuse(refused, not_a_table)?;
    let wrong = |error| Failure::Text(file.to_owned(), error);
    let programs = parse_programs(text).map_err(wrong)?;
    let capacity = arguments.capacity;
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
            types: &[],
            groups: &[],
            untiled: &[],
            transfers: &[],
            program,
            parts: &lifetimes.parts,
            unordered: &lifetimes.unordered,
            level: "arena",
            capacity,
            plan,
        })
        .collect();
    let show: fn(&[FunctionPlan<'_>]) -> String = match arguments.form() {
        Form::Json => plan_json,
        Form::Html => plan_page,
        Form::Svg => plan_svg,
        Form::Text => plan_table,
    };
    output::write(arguments.output.as_deref(), &show(&functions))
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
    let (strategy, options) = (strategy(arguments)?, plan_options(arguments));
    let plan = progress::shown(|| mem_planner::plan(&problem, strategy, &options));
    let plan = plan.map_err(|error| match error {
        PlanError::NoFit(no_fit) => Failure::no_fit(program, &no_fit),
        other => Failure::Plan(program.name.clone(), other),
    })?;
    let contacts = mem_flow::contacts(program, &problem);
    let plan = mem_planner::spread(&problem, &contacts, &plan, arguments.spread).unwrap_or(plan);
    // A plan that fails its check is a bug in this program, not in the input: report it and stop.
    let internal = |error| Failure::Internal(program.name.clone(), error);
    check_plan(&problem, &plan).map_err(internal)?;
    check_program_plan(program, &lifetimes.rotations, &plan).map_err(internal)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_default_and_an_example() {
        assert_eq!(
            mem_command::undocumented(&Arguments::command()),
            Vec::<String>::new()
        );
    }
}

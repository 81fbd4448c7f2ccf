//! `mem-run`: runs a function on random or given inputs, and optionally compares its results with those of
//! the planned function.

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::{CommandFactory as _, Parser};
use mem_model::Bytes;
use mem_tools::run::{
    Adaptation, ArrayFile, LinkSpeed, Options, Ranks, adapt, run, run_ranks, run_worker,
};

/// Stack size in bytes for compiled code, which may keep whole buffers on the stack.
const STACK: usize = 512 << 20;

/// Compiles a function, runs it on random or given inputs, and prints the values it wrote, its run
/// time and its peak memory. A function on tensors is bufferized first: its results are arguments.
///
/// With --compare, the planned program runs on the same inputs, and every argument and result is
/// compared bit for bit. Allocations lie between guard zones and are filled with garbage. Exit
/// status: 0 if all values are equal, 1 if they differ or a program could not run, 2 for a usage
/// error.
#[derive(Parser)]
#[command(name = "mem-run", version, after_help = mem_command::GENERATED_HELP)]
struct Arguments {
    /// MLIR on tensors or on buffers, planned or not; '-' is standard input
    file: PathBuf,
    /// Plan a copy of the program, run it too, and compare. Example: --compare
    #[arg(long)]
    compare: bool,
    /// Options of mem-default-pipeline, which plans the copy. Example:
    /// --pipeline-options='alignment=64 order=keep'
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    pipeline_options: String,
    /// Plan for a memory hierarchy, given by name or file; assumes that no two arguments share a
    /// byte. One level by default. Example: --hierarchy gpu
    #[arg(long, value_name = "NAME")]
    hierarchy: Option<String>,
    /// The function to call. Example: --function chain
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// Seed of the inputs and of the garbage in fresh memory. Example: --seed 7
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// NumPy file with the value of an argument; without a number, of the next argument that is not
    /// a result. Other arguments are random, which is the default. Example: --input 0=image.npy
    #[arg(long, value_name = "[N=]FILE")]
    input: Vec<ArrayFile>,
    /// NumPy file for the value of an argument after the run; without a number, of the next result:
    /// an argument marked bufferize.result, or a returned number. With --compare, results of the
    /// planned program. None is written by default. Example: --output logits.npy
    #[arg(long, value_name = "[N=]FILE", conflicts_with = "trace")]
    output: Vec<ArrayFile>,
    /// Factor for random floating-point inputs. Example: --scale 0.1
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    scale: f64,
    /// Size of dimensions known only at run time, except those of inputs in files; default: the
    /// first such size in a file, or 2. Example: --dim 8
    #[arg(long, value_name = "N")]
    dim: Option<usize>,
    /// LLVM's optimization level; large functions compile in minutes at 2, in seconds at 0. Example:
    /// --optimize 0
    #[arg(long, short = 'O', value_name = "LEVEL", default_value_t = 2,
          value_parser = clap::value_parser!(u8).range(0..=3))]
    optimize: u8,
    /// Fill bytes of the planned program's arenas with garbage once they are dead. Example: --poison
    #[arg(long, requires = "compare")]
    poison: bool,
    /// Clock of the hierarchy in cycles per second, which limits the speed of copy engines;
    /// default: memory speed. Example: --clock 1e9
    #[arg(long, value_name = "HZ", value_parser = positive)]
    clock: Option<f64>,
    /// List unchanged arguments, too. Example: --all
    #[arg(long)]
    all: bool,
    /// Run each program N times, alternately, and report the shortest times, elapsed and of the CPU; the values are
    /// those of the first run. Example: --repeat 5
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..),
          conflicts_with_all = ["trace", "ranks", "worker"])]
    repeat: u32,
    /// Run in passive mode, with swaps on demand, and write the access table; by default, run once as
    /// it is. Example: --trace accesses.json
    #[arg(long, value_name = "FILE", requires = "hierarchy", conflicts_with_all = ["compare", "poison"])]
    trace: Option<PathBuf>,
    /// Device memory for the program's own tensors, in passive mode and with plans; default: what
    /// arguments leave of the device. Example: --budget 64MiB
    #[arg(long, value_name = "SIZE", requires = "hierarchy", value_parser = Bytes::limit)]
    budget: Option<Bytes>,
    /// Size of the host pool in passive mode; unlimited by default. Example: --host-pool 1GiB
    #[arg(long, value_name = "SIZE", requires = "trace", value_parser = Bytes::limit)]
    host_pool: Option<Bytes>,
    /// Number of runs with a plan after passive mode, each planned from the measurements of the
    /// earlier runs; the access table then includes those. Example: --iterations 2
    #[arg(long, value_name = "N", default_value_t = 0, requires = "trace")]
    iterations: usize,
    /// Start from an access table instead of passive mode, which is the default. Example: --accesses
    /// accesses.json
    #[arg(long, value_name = "FILE", requires = "iterations")]
    accesses: Option<PathBuf>,
    /// Write the copies and waits of the last run, for Perfetto or Chrome's trace viewer; not written by
    /// default. Example: --timeline run.trace.json
    #[arg(long, value_name = "FILE", requires = "trace")]
    timeline: Option<PathBuf>,
    /// Run a sharded program on N ranks under mpirun, on this machine, each with its part of the
    /// inputs and planned, and compare the results with those of the unsharded program; or run the
    /// program of one rank, with operations of mpi, on each. One process by default. Example: --ranks 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024),
          conflicts_with_all = ["trace", "input", "output", "clock", "fail_copy", "dim"])]
    ranks: Option<u64>,
    /// End all ranks after this time. Example: --rank-limit 60
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 600,
        requires = "ranks"
    )]
    rank_limit: u64,
    /// Slow down messages: each arrives this much later, in seconds; also report how long the ranks
    /// wait. Messages are not delayed by default. Example: --link-latency 1e-5
    #[arg(long, value_name = "SECONDS", value_parser = positive,
          requires_all = ["ranks", "link_bandwidth"])]
    link_latency: Option<f64>,
    /// Slow down messages: a rank sends this many bytes per second; unlimited by default. Example:
    /// --link-bandwidth 10GB
    #[arg(long, value_name = "BYTES", value_parser = bandwidth, requires = "link_latency")]
    link_bandwidth: Option<f64>,
    /// Be one of the ranks, with values in this folder
    #[arg(long, value_name = "FOLDER", hide = true, conflicts_with = "ranks")]
    worker: Option<PathBuf>,
    /// Make the N-th copy of the planned program fail; none by default. Example: --fail-copy 3
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    fail_copy: Option<u64>,
}

/// A clock that does not advance, or a link that carries nothing.
#[derive(Debug, thiserror::Error)]
#[error("not a positive number")]
struct NotPositive;

/// Parses a positive number.
fn positive(text: &str) -> Result<f64, NotPositive> {
    let number: Result<f64, _> = text.parse();
    let number = number.ok().filter(|n| n.is_finite() && *n > 0.0);
    number.ok_or(NotPositive)
}

/// Parses a positive number of bytes, as in 1e9 or 10GB.
fn bandwidth(text: &str) -> Result<f64, NotPositive> {
    match Bytes::limit(text) {
        Ok(bytes) if bytes > Bytes::ZERO => Ok(bytes.get() as f64),
        Ok(_) => Err(NotPositive),
        Err(_) => positive(text),
    }
}

impl Arguments {
    /// The adaptation to perform, if a trace is requested.
    fn adaptation(&self) -> Option<Adaptation> {
        self.trace.is_some().then(|| Adaptation {
            hierarchy: self.hierarchy.clone().unwrap_or_default(),
            budget: self.budget.map(Bytes::get),
            host_pool: self.host_pool.map(Bytes::get),
            n_iterations: self.iterations,
            accesses: self.accesses.clone(),
            trace: self.trace.clone(),
            timeline: self.timeline.clone(),
        })
    }

    /// What to do.
    fn task(&self) -> Task {
        if let Some(folder) = &self.worker {
            return Task::Worker(folder.clone());
        }
        let link = self.link_latency.zip(self.link_bandwidth);
        let link = link.and_then(|(latency, bandwidth)| {
            let latency = Duration::try_from_secs_f64(latency).ok()?;
            Some(LinkSpeed { latency, bandwidth })
        });
        let ranks = self.ranks.map(|n| Ranks {
            // At most 1024.
            n: n as usize,
            limit: Duration::from_secs(self.rank_limit),
            link,
        });
        match (ranks, self.adaptation()) {
            (Some(ranks), _) => Task::Ranks(ranks),
            (None, Some(adaptation)) => Task::Adapt(adaptation),
            (None, None) => Task::Run,
        }
    }

    fn into_options(self) -> Options {
        let mut pipeline_options = self.pipeline_options;
        if let Some(budget) = self.budget {
            pipeline_options.push_str(&format!(" budget={budget}"));
        }
        if let Some(hierarchy) = self.hierarchy {
            // Arguments are separate allocations, so they never alias.
            let more = format!(" hierarchy=\"{hierarchy}\" noalias-arguments=true");
            pipeline_options.push_str(&more);
        }
        Options {
            file: self.file,
            function: self.function,
            compare: self.compare,
            pipeline_options,
            seed: self.seed,
            scale: self.scale,
            inputs: self.input,
            outputs: self.output,
            dim: self.dim,
            optimize: self.optimize,
            poison: self.poison,
            clock: self.clock,
            all: self.all,
            repeat: self.repeat,
            fail_copy: self.fail_copy,
        }
    }
}

/// A kind of run.
enum Task {
    Run,
    Adapt(Adaptation),
    Ranks(Ranks),
    /// One rank, with values in this folder.
    Worker(PathBuf),
}

/// Runs, prints the report, and returns whether the run succeeded.
fn report(options: &Options, task: &Task) -> bool {
    let found = match task {
        Task::Adapt(adaptation) => {
            let adapted = adapt(options, adaptation);
            adapted.map(|adapted| (adapted.to_string(), adapted.is_success()))
        }
        Task::Ranks(ranks) => {
            let report = run_ranks(options, ranks);
            report.map(|report| (report.to_string(), report.is_success()))
        }
        Task::Worker(folder) => run_worker(options, folder).map(|report| {
            let is_success = report.is_success();
            // Standard output of a rank is not shown.
            if !is_success {
                eprint!("{report}");
            }
            (String::new(), is_success)
        }),
        Task::Run => run(options).map(|report| (report.to_string(), report.is_success())),
    };
    match found {
        Ok((text, is_success)) => {
            let printed = match std::io::stdout().write_all(text.as_bytes()) {
                // The reader has seen enough, which changes nothing about the run.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                printed => printed,
            };
            if let Err(error) = &printed {
                eprintln!("error: standard output: {error}");
            }
            printed.is_ok() && is_success
        }
        Err(error) => {
            eprintln!("error: {error}");
            false
        }
    }
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(status) = mem_command::answer(&given, Arguments::command) {
        return ExitCode::from(status);
    }
    let arguments = Arguments::parse();
    if let Err(error) = mem_planner::install_trace() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    let task = arguments.task();
    let options = arguments.into_options();
    let body = move || report(&options, &task);
    let thread = match thread::Builder::new().stack_size(STACK).spawn(body) {
        Ok(thread) => thread,
        Err(error) => {
            eprintln!("error: no thread with {STACK} bytes of stack: {error}");
            return ExitCode::FAILURE;
        }
    };
    match thread.join() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(_) => {
            eprintln!("error: internal error; please report it with this input");
            ExitCode::FAILURE
        }
    }
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

    #[test]
    fn bandwidths_have_units() {
        assert_eq!(bandwidth("1e9").ok(), Some(1e9));
        assert_eq!(bandwidth("10GB").ok(), Some(1e10));
        assert_eq!(bandwidth("0.5kB").ok(), Some(500.0));
        assert!(
            ["0", "-1", "0MB", "1M", "much"]
                .iter()
                .all(|text| bandwidth(text).is_err())
        );
    }
}

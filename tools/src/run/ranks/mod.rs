//! Programs on several ranks: partitions a sharded program, runs the planned program of one rank
//! under `mpirun` as often as there are ranks, and compares the gathered results with those of the
//! unsharded program.
//!
//! Results are compared bit for bit if no sum that they depend on was split between ranks. The
//! others are compared with an allowance for the other order of additions: [`ALLOWANCE`] units in the
//! last place of the largest element. Each rank also runs its program without a plan, and compares
//! bit for bit.

mod launch;
mod link;
mod report;
mod sharding;
mod worker;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

use melior::Context;
use melior::ir::Module;
use mem_opt::internals::{Attribute, Op};

use super::execute::Execution;
use super::signature::{Signature, find_function};
use super::{Options, RunError, arrays, compile, crash, diagnostics, inputs, prepare_module};
use crate::upstream::context;
pub use link::LinkSpeed;
pub(super) use link::{begin as begin_run, end as end_run, symbols as link_symbols};
pub use report::RanksReport;
use report::{Memory, Row, Time};
use sharding::{Grid, Part, Sharding};
pub use worker::run_worker;
use worker::{MANIFEST, OWN_SEED, array_file, memory_file, times_file};

/// Largest difference between two orders of additions, in units in the last place of the largest
/// element of a result.
pub(super) const ALLOWANCE: f64 = 64.0;

/// How many ranks run, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Ranks {
    /// Number of ranks.
    pub n: usize,
    /// Time after which all ranks are ended.
    pub limit: Duration,
    /// If messages are to be slow: the speed of the link that each rank sends on.
    pub link: Option<LinkSpeed>,
}

/// Why a program cannot be run on several ranks.
#[derive(Debug, thiserror::Error)]
pub enum RanksError {
    /// The values of arguments could not be scattered, or those of results gathered.
    #[error("the program cannot be run on several ranks: {0}")]
    Form(&'static str),
    /// The grid states how many ranks there are.
    #[error("the grid {grid} has {expected} ranks, not {given}")]
    Number {
        /// The grid of the module.
        grid: String,
        /// Its number of ranks.
        expected: usize,
        /// The requested number.
        given: usize,
    },
    /// All ranks run one program, so all parts have one shape.
    #[error("{what} {number} cannot be divided evenly: {ty} in {parts} parts")]
    Uneven {
        /// Argument or result.
        what: &'static str,
        /// Its position.
        number: usize,
        /// Its type.
        ty: String,
        /// The number of parts per dimension.
        parts: String,
    },
    /// `mpirun` is not installed, or cannot be run.
    #[error("mpirun: {0}; scripts/setup.sh installs it")]
    Launch(std::io::Error),
    /// A rank has failed, and said why.
    #[error("a rank failed")]
    Failed,
    /// The ranks may wait for each other.
    #[error("the ranks have not ended within {0} seconds")]
    Late(u64),
    /// The library of OpenMPI is missing, or cannot be initialized.
    #[error("libmpi.so.40 cannot be used; scripts/setup.sh installs OpenMPI")]
    NoLibrary,
    /// Only `mpirun` starts ranks.
    #[error("this process is no rank of mpirun")]
    NoRank,
}

/// A sharded program, analyzed.
struct Sharded {
    grid: Grid,
    signature: sharding::Signature,
    /// Per result: whether it depends on a sum that is split.
    split_sums: Vec<bool>,
}

/// Runs a sharded program according to `options` on several ranks.
///
/// # Errors
/// If the program cannot be partitioned, compiled or run on all ranks.
pub fn run_ranks(options: &Options, ranks: &Ranks) -> Result<RanksReport, RunError> {
    crash::catch_signals();
    let context = context();
    let _printer = diagnostics::Printer::new(&context);
    let module = compile::read(&context, &options.file)?;
    if is_of_one_rank(Op::from(&module)) {
        return run_parts(&context, module, options, ranks);
    }
    let sharded = analyze(&context, &module, options, ranks.n)?;
    // The unsharded program, planned as well.
    let mut whole = compile::duplicate(&module)?;
    erase_shardings(Op::from(&whole));
    compile::run_passes(&context, &mut whole, BUFFERIZE)?;
    let mut own = options.clone();
    own.compare = true;
    let (signature, original, planned) = prepare_module(&context, whole, &own)?;
    let reference = original.run(&signature, 0, &own)?;
    let planned = planned
        .map(|planned| planned.run(&signature, 1, &own))
        .transpose()?;
    // The program of one rank.
    let folder = tempfile::Builder::new().prefix("mem-run-").tempdir();
    let folder = folder.map_err(|error| RunError::Ranks(RanksError::Launch(error)))?;
    let scatter = Scatter {
        folder: folder.path(),
        sharded: &sharded,
        signature: &signature,
        options,
    };
    scatter.write(&partition(&context, &module, &sharded.grid)?)?;
    launch_workers(folder.path(), options, ranks)?;
    let mut report = RanksReport::new(options, ranks.n, Some(&sharded.grid));
    report.unsharded = planned.as_ref().map(|own| Memory::of(&own.heap));
    scatter.gather(&reference, &mut report)?;
    Ok(report)
}

/// Results become arguments in order, and no argument is overwritten, so that arguments and results
/// of the sharded and of the unsharded program have the same numbers.
const BUFFERIZE: &str = "mem-from-linalg-pipeline{keep-arguments=true}";

/// Reads how the program is sharded, after upstream's propagation.
fn analyze(
    context: &Context,
    module: &Module<'_>,
    options: &Options,
    n_ranks: usize,
) -> Result<Sharded, RunError> {
    let mut copy = compile::duplicate(module)?;
    let mut grid = sharding::grid_of(Op::from(&copy))?;
    // A grid of one axis can have any number of ranks.
    if grid.0.len() == 1 {
        grid.0[0] = n_ranks;
        let shape = format!("array<i64: {n_ranks}>");
        Op::from(&copy).walk(&mut |op| {
            if op.name() == "shard.grid" {
                op.set_attribute("shape", Attribute::parse(op.context(), &shape));
            }
        });
    }
    if grid.n_ranks() != n_ranks {
        return Err(RanksError::Number {
            grid: grid.text(),
            expected: grid.n_ranks(),
            given: n_ranks,
        }
        .into());
    }
    compile::run_passes(
        context,
        &mut copy,
        "func.func(sharding-propagation{traversal=forward-backward})",
    )?;
    let signature = sharding::of_function(find_function(Op::from(&copy), &options.function)?)?;
    compile::run_passes(context, &mut copy, "func.func(shard-partition)")?;
    let function = find_function(Op::from(&copy), &options.function)?;
    Ok(Sharded {
        grid,
        signature,
        split_sums: sharding::have_split_sums(function),
    })
}

/// The program of one rank, on buffers.
fn partition(context: &Context, module: &Module<'_>, grid: &Grid) -> Result<String, RunError> {
    let mut copy = compile::duplicate(module)?;
    let passes = format!("mem-shard{{grid={}}},{BUFFERIZE}", grid.text());
    compile::run_passes(context, &mut copy, &passes)?;
    Ok(copy.as_operation().to_string())
}

/// Removes all statements about ranks from a program.
fn erase_shardings(module: Op) {
    let mut ops = Vec::new();
    module.walk(&mut |op| ops.extend(Some(op).filter(|op| op.name().starts_with("shard."))));
    for op in ops.iter().filter(|op| op.name() == "shard.shard") {
        op.result().replace_with(op.operand(0));
    }
    // Users come after what they use.
    ops.into_iter().rev().for_each(Op::erase);
}

/// The values of all ranks, in files.
struct Scatter<'a> {
    folder: &'a Path,
    sharded: &'a Sharded,
    /// Of the unsharded program: inputs, and then results.
    signature: &'a Signature,
    options: &'a Options,
}

impl Scatter<'_> {
    fn refuse(&self, error: std::io::Error) -> RunError {
        RunError::File {
            file: self.folder.to_owned(),
            error,
        }
    }

    /// The sharding of an argument of the bufferized program, and its number among the results if it
    /// is one.
    fn sharding(&self, argument: usize) -> (&Sharding, Option<usize>) {
        static WHOLE: Sharding = Sharding(Vec::new());
        let own = &self.sharded.signature;
        match argument.checked_sub(own.arguments.len()) {
            None => (&own.arguments[argument], None),
            Some(result) => (own.results.get(result).unwrap_or(&WHOLE), Some(result)),
        }
    }

    fn part(&self, argument: usize, rank: usize) -> Result<Part, RunError> {
        let (sharding, result) = self.sharding(argument);
        let own = &self.signature.arguments[argument];
        let shape = own.shape.as_deref().unwrap_or_default();
        let grid = &self.sharded.grid;
        sharding.part(grid, rank, shape).ok_or_else(|| {
            let uneven = RanksError::Uneven {
                what: if result.is_some() {
                    "result"
                } else {
                    "argument"
                },
                number: result.unwrap_or(argument),
                ty: own.ty.clone(),
                parts: sharding.text(grid, shape.len()),
            };
            uneven.into()
        })
    }

    /// Writes the program, and the parts of its inputs.
    fn write(&self, program: &str) -> Result<(), RunError> {
        let refuse = |error| self.refuse(error);
        fs::write(program_file(self.folder), program).map_err(refuse)?;
        let mut manifest = String::new();
        for (number, argument) in self.signature.arguments.iter().enumerate() {
            let Some(shape) = &argument.shape else {
                continue;
            };
            let is_input = self.sharding(number).1.is_none();
            manifest.push_str(&format!(
                "{} {number}\n",
                if is_input { "in" } else { "out" }
            ));
            let element = argument.element.size();
            let bytes = is_input.then(|| {
                let mut bytes = vec![0; argument.n_elements() * element];
                let Options { seed, scale, .. } = *self.options;
                inputs::fill(argument, number, seed, scale, &mut bytes);
                bytes
            });
            for rank in 0..self.sharded.grid.n_ranks() {
                // Results that cannot be divided are refused before the ranks run, too.
                let part = self.part(number, rank)?;
                if let Some(bytes) = &bytes {
                    let own = part.scatter(bytes, shape, element);
                    let contents = arrays::contents(argument, &part.shape(), &own);
                    let file = array_file(self.folder, "in", number, rank);
                    fs::write(file, contents).map_err(refuse)?;
                }
            }
        }
        fs::write(self.folder.join(MANIFEST), manifest).map_err(refuse)
    }

    /// Reads what the ranks have left, and compares it.
    fn gather(&self, reference: &Execution, report: &mut RanksReport) -> Result<(), RunError> {
        let n_ranks = self.sharded.grid.n_ranks();
        read_reports(self.folder, n_ranks, report)?;
        for (number, argument) in self.signature.arguments.iter().enumerate() {
            let (sharding, result) = self.sharding(number);
            let (Some(result), Some(shape)) = (result, &argument.shape) else {
                continue;
            };
            let whole = reference.arguments[number].as_ref();
            let whole = whole.map_or(&[][..], |block| block.bytes());
            let is_split = self.sharded.split_sums.get(result).copied().unwrap_or(true);
            let parts = sharding.text(&self.sharded.grid, shape.len());
            let mut row = Row::new(result, argument, parts, is_split, whole);
            for rank in 0..n_ranks {
                let part = self.part(number, rank)?;
                let expected = part.scatter(whole, shape, argument.element.size());
                let file = array_file(self.folder, "out", number, rank);
                let found = arrays::read_part(argument, &part.shape(), &file)?;
                row.compare(rank, &expected, &found);
            }
            report.rows.push(row);
        }
        Ok(())
    }
}

/// The file with the program of one rank.
fn program_file(folder: &Path) -> std::path::PathBuf {
    folder.join("rank.mlir")
}

/// Runs the program of one rank on all ranks. Program and manifest are in `folder`.
fn launch_workers(folder: &Path, options: &Options, ranks: &Ranks) -> Result<(), RunError> {
    if let Some(link) = ranks.link {
        let file = folder.join(MANIFEST);
        let manifest = fs::read_to_string(&file);
        let written = manifest.and_then(|own| fs::write(&file, own + &link.line()));
        written.map_err(|error| RunError::File { file, error })?;
    }
    let [seed, scale, optimize] = [
        options.seed.to_string(),
        options.scale.to_string(),
        options.optimize.to_string(),
    ];
    let program = program_file(folder);
    let named: [(&str, &OsStr); 6] = [
        ("--worker", folder.as_ref()),
        ("--seed", seed.as_ref()),
        ("--scale", scale.as_ref()),
        ("--optimize", optimize.as_ref()),
        ("--function", options.function.as_ref()),
        ("--pipeline-options", options.pipeline_options.as_ref()),
    ];
    let mut arguments: Vec<&OsStr> = Vec::new();
    for (name, value) in named {
        // Only the options of the pipeline may be empty.
        if !value.is_empty() {
            arguments.extend([OsStr::new(name), value]);
        }
    }
    if options.poison {
        arguments.push("--poison".as_ref());
    }
    arguments.extend(["--compare".as_ref(), program.as_os_str()]);
    let own = std::env::current_exe().map_err(RanksError::Launch)?;
    Ok(launch::launch(
        (ranks.n, ranks.link.is_some()),
        &own,
        &arguments,
        ranks.limit,
        folder,
    )?)
}

/// Reads the memory and the times of all ranks.
fn read_reports(folder: &Path, n_ranks: usize, report: &mut RanksReport) -> Result<(), RunError> {
    for rank in 0..n_ranks {
        let read = |file: std::path::PathBuf| {
            let text = fs::read_to_string(&file);
            text.map_err(|error| RunError::File { file, error })
        };
        report
            .ranks
            .extend(Memory::read(&read(memory_file(folder, rank))?));
        let times = read(times_file(folder, rank))?;
        report
            .times
            .push(times.lines().filter_map(Time::read).collect());
    }
    Ok(())
}

/// Whether a module is the program of one rank: it exchanges data with others, and says nothing about
/// how it was sharded.
fn is_of_one_rank(module: Op) -> bool {
    let (mut has_grid, mut communicates) = (false, false);
    module.walk(&mut |op| {
        has_grid |= op.name().starts_with("shard.");
        communicates |= op.name().starts_with("mpi.");
    });
    communicates && !has_grid
}

/// Runs the program of one rank on all ranks, each with random values of its own. Every rank compares
/// its planned program with the original.
fn run_parts(
    context: &Context,
    mut module: Module<'_>,
    options: &Options,
    ranks: &Ranks,
) -> Result<RanksReport, RunError> {
    compile::run_passes(context, &mut module, BUFFERIZE)?;
    let folder = tempfile::Builder::new().prefix("mem-run-").tempdir();
    let folder = folder.map_err(|error| RunError::Ranks(RanksError::Launch(error)))?;
    let folder = folder.path();
    let write = |file: std::path::PathBuf, text: String| {
        fs::write(&file, text).map_err(|error| RunError::File { file, error })
    };
    write(program_file(folder), module.as_operation().to_string())?;
    write(folder.join(MANIFEST), format!("{OWN_SEED} 0\n"))?;
    launch_workers(folder, options, ranks)?;
    let mut report = RanksReport::new(options, ranks.n, None);
    read_reports(folder, ranks.n, &mut report)?;
    Ok(report)
}

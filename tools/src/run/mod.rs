//! `mem-run`: compiles a function, runs it on random inputs or on those in files, and compares its
//! results with those of the planned function.
//!
//! Both programs are lowered by the same passes and run on the same inputs. Every argument and
//! every returned number is compared bit for bit, so a plan that changes a single byte is detected.
//! To expose wrong addresses, arguments and allocations lie between guard zones, and fresh and
//! freed memory holds garbage that differs between the programs. Bytes of arenas can be filled with
//! garbage once they are dead.
//!
//! Wrong addresses that have no effect for these inputs, on the paths they take, are not detected.

mod adapt;
mod arrays;
mod block;
mod compile;
mod copy;
mod crash;
mod diagnostics;
mod engine;
mod engines;
mod execute;
mod heap;
mod indices;
mod inputs;
mod passive;
mod poison;
mod ranks;
mod report;
mod signature;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use melior::Context;
use melior::ir::Module;
use mem_opt::internals::Op;
use mem_runtime::Rate;

pub use adapt::{Adaptation, Adapted, adapt};
pub use arrays::{ArrayError, ArrayFile, ArrayFileError, Shape};
use arrays::{Outputs, read_inputs};
use block::Pattern;
use execute::{Execution, execute};
pub use ranks::{LinkSpeed, Ranks, RanksError, RanksReport, run_ranks, run_worker};
pub use report::Report;
use signature::Signature;
pub use signature::Unsupported;

use crate::random::Random;
use crate::upstream::context;

/// The program to run, its inputs, and how to run it.
#[derive(Clone, Debug)]
pub struct Options {
    /// MLIR on tensors or on buffers, planned or not.
    pub file: PathBuf,
    /// The function to call.
    pub function: String,
    /// Plan a copy of the program, run it too, and compare.
    pub compare: bool,
    /// Options of `mem-default-pipeline`.
    pub pipeline_options: String,
    /// Seed of the inputs and of the garbage in fresh memory.
    pub seed: u64,
    /// Factor for floating-point inputs.
    pub scale: f64,
    /// Files with the values of arguments, which are random otherwise.
    pub inputs: Vec<ArrayFile>,
    /// Files for the results: those of the planned program, if there is one.
    pub outputs: Vec<ArrayFile>,
    /// Size of dimensions known only at run time, except those of inputs in files. `None`: that of
    /// the first such dimension in a file, or [`DIM`].
    pub dim: Option<usize>,
    /// LLVM's optimization level, 0 to 3. It does not change results unless the file contains
    /// fast-math flags. Compile time grows superlinearly with the size of the function.
    pub optimize: u8,
    /// Fill bytes of the planned program's arenas with garbage once they are dead.
    pub poison: bool,
    /// Clock of the hierarchy in cycles per second, which limits the speed of copy engines. `None`:
    /// memory speed.
    pub clock: Option<f64>,
    /// Report unchanged arguments, too.
    pub all: bool,
    /// Number of times that each program runs; the shortest times count.
    pub repeat: u32,
    /// The number of the copy of the planned program that is made to fail, counting from 1.
    pub fail_copy: Option<u64>,
}

/// Size of dimensions known only at run time, if neither options nor inputs state it.
pub const DIM: usize = 2;

/// Why a function could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The parser rejected the file and has emitted diagnostics.
    #[error("{}: not valid MLIR", file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
    },
    /// Programs run on the host, so `index` must have the width of its addresses.
    #[error("{}: its data layout gives index {bits} bits, and only 64 can be run", file.display())]
    IndexWidth {
        /// The file.
        file: PathBuf,
        /// Width of `index` in bits.
        bits: u64,
    },
    /// The module must contain the entry function, with a body.
    #[error("no function '{name}' with a body; there are: {others}")]
    NoFunction {
        /// The requested name.
        name: String,
        /// The functions that exist.
        others: String,
    },
    /// Inputs can only be generated, and outputs compared, for numbers and plain memrefs.
    #[error("{what} {number} has type {ty}: {why}")]
    Signature {
        /// Argument or result.
        what: &'static str,
        /// Its position.
        number: usize,
        /// Its type.
        ty: String,
        /// The unsupported property of the type.
        why: Unsupported,
    },
    /// The pipeline options are invalid.
    #[error("'{pipeline}': {error}")]
    Pipeline {
        /// The whole pipeline.
        pipeline: String,
        /// MLIR's error message.
        error: String,
    },
    /// A pass failed and has emitted diagnostics.
    #[error("a pass failed")]
    Passes,
    /// LLVM could not compile the module, or the module calls an undefined function.
    #[error("the module cannot be compiled")]
    Engine,
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The file cannot be an input or an output.
    #[error("{}: {why}", file.display())]
    Array {
        /// The file.
        file: PathBuf,
        /// The cause.
        why: ArrayError,
    },
    /// The file is not an access table.
    #[error("{}: {error}", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: mem_model::TableError,
    },
    /// The program cannot be run on several ranks.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// An argument does not fit in memory.
    #[error("argument {number} needs {bytes} bytes, which is more than there is")]
    NoMemory {
        /// Its position.
        number: usize,
        /// Its size.
        bytes: usize,
    },
}

/// A compiled program.
struct Program {
    engine: engine::Engine,
    /// Speed of each copy engine.
    rates: Vec<Option<Rate>>,
    planned: bool,
}

impl Program {
    /// Runs the program; `round` selects the garbage.
    fn run(&self, sig: &Signature, round: u64, options: &Options) -> Result<Execution, RunError> {
        let garbage = Pattern(Random::new(options.seed, round.wrapping_sub(1000)).next());
        // Copy engines are global to the process.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let fails = options.fail_copy.filter(|_| self.planned);
        mem_runtime::c_abi::configure_failing(self.rates.clone(), fails);
        ranks::begin_run();
        let execution = execute(&self.engine, sig, garbage, self.planned, options);
        ranks::end_run();
        let copies = mem_runtime::c_abi::finish();
        execution.map(|execution| Execution {
            copies,
            ..execution
        })
    }
}

/// Runs a function according to `options`. MLIR diagnostics go to standard error.
///
/// # Errors
/// If the function cannot be compiled or called.
pub fn run(options: &Options) -> Result<Report, RunError> {
    run_as(options, true)
}

/// As [`run`]. Only a program that `is_alone` may run once more to find out why it differs.
fn run_as(options: &Options, is_alone: bool) -> Result<Report, RunError> {
    crash::catch_signals();
    let context = context();
    let _printer = diagnostics::Printer::new(&context);
    let module = compile::parse(&context, &options.file)?;
    let (signature, original, planned) = prepare_module(&context, module, options)?;
    let outputs = Outputs::new(&signature, &options.outputs)?;
    let mut first = original.run(&signature, 0, options)?;
    let mut second = match &planned {
        Some(planned) => Some(planned.run(&signature, 1, options)?),
        None => None,
    };
    // The programs alternate, so that whatever else slows the machine down meets both.
    for _ in 1..options.repeat {
        first.keep_shortest_times(&original.run(&signature, 0, options)?);
        if let (Some(planned), Some(second)) = (&planned, &mut second) {
            second.keep_shortest_times(&planned.run(&signature, 1, options)?);
        }
    }
    outputs.write(&signature, second.as_ref().unwrap_or(&first))?;
    let mut report = Report::new(&signature, &first, second.as_ref(), options);
    if report.differs() && is_alone {
        // If the original program differs from itself with other garbage, it reads uninitialized
        // memory, so the plan need not be the cause of the difference.
        let again = original.run(&signature, 2, options)?;
        report.reads_garbage = Report::new(&signature, &first, Some(&again), options).differs();
    }
    Ok(report)
}

/// The signature of the function to call, with the values that `options` give to its arguments.
fn signature_of(module: &Module, options: &Options) -> Result<Signature, RunError> {
    let function = signature::find_function(Op::from(module), &options.function)?;
    let mut signature = signature::signature(function, options.dim.unwrap_or(DIM))?;
    let found = read_inputs(&mut signature, &options.inputs)?;
    if let (None, Some(size)) = (options.dim, found) {
        signature.set_dynamic(size)?;
    }
    Ok(signature)
}

/// Compiles a function on buffers and, if requested, the planned function.
fn prepare_module(
    context: &Context,
    mut module: Module<'_>,
    options: &Options,
) -> Result<(Signature, Program, Option<Program>), RunError> {
    let signature = signature_of(&module, options)?;
    let planned = if options.compare {
        let mut copy = compile::duplicate(&module)?;
        let passes = compile::planning(&options.pipeline_options);
        compile::run_passes(context, &mut copy, &passes)?;
        // Programs run in the one address space of the host.
        compile::run_passes(context, &mut copy, "mem-erase-spaces")?;
        if options.poison {
            poison::insert(&copy);
        }
        Some(Program {
            rates: engines::rates(&copy, options.clock),
            engine: compile::compile(context, &mut copy, options)?,
            planned: true,
        })
    } else {
        None
    };
    let original = Program {
        rates: engines::rates(&module, options.clock),
        engine: compile::compile(context, &mut module, options)?,
        planned: false,
    };
    Ok((signature, original, planned))
}

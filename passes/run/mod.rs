//! `mem-run`: compiles a function, runs it on random inputs, and compares it with itself after
//! planning.
//!
//! Both programs are lowered by the same passes and run on the same inputs; every argument and every
//! returned number is compared bit for bit, so that a plan that changes one byte somewhere shows.
//! To make wrong addresses show, arguments and allocations lie between guard zones, and fresh and
//! freed memory holds garbage, other garbage in either program. Bytes in arenas can be filled with garbage when nobody
//! needs them any more.
//!
//! Not shown: wrong addresses that do not matter for these inputs, on the paths they take.

mod adapt;
mod block;
mod compile;
mod copy;
mod crash;
mod diagnostics;
mod engine;
mod engines;
mod execute;
mod heap;
mod inputs;
mod passive;
mod poison;
mod report;
mod signature;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use melior::Context;
use mem_runtime::Rate;

pub use adapt::{Adaptation, Adapted, adapt};
use block::Pattern;
use execute::{Execution, execute};
pub(crate) use inputs::Random;
pub use report::Report;
use signature::Signature;
pub use signature::Unsupported;

/// What to run, and on what.
#[derive(Clone, Debug)]
pub struct Options {
    /// MLIR on buffers, planned or not.
    pub file: PathBuf,
    /// The function to call.
    pub function: String,
    /// Plan a copy of it, run that, too, and compare.
    pub compare: bool,
    /// Options of `mem-default-pipeline`.
    pub pipeline_options: String,
    /// Seed of the inputs and of the garbage in fresh memory.
    pub seed: u64,
    /// Factor for floating-point inputs.
    pub scale: f64,
    /// Size of dimensions that are known only at run time.
    pub dim: usize,
    /// LLVM's optimization level, 0 to 3. Without fast-math flags in the file it does not change
    /// results; the time it takes grows faster than the function.
    pub optimize: u8,
    /// Fill bytes of the planned program's arenas with garbage when nobody needs them any more.
    pub poison: bool,
    /// Cycles a second of the hierarchy: copy engines are no faster than it says. `None`: as fast as memory.
    pub clock: Option<f64>,
    /// Report arguments that nobody changed, too.
    pub all: bool,
    /// The number of the copy of the planned program that fails, from one.
    pub fail_copy: Option<u64>,
}

/// Why a function could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The parser refused the file, and said why.
    #[error("{}: not valid MLIR", file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
    },
    /// Programs run on this machine, whose addresses have as many bits as a number of type index.
    #[error("{}: its data layout gives index {bits} bits, and only 64 can be run", file.display())]
    IndexWidth {
        /// The file.
        file: PathBuf,
        /// Bits of a number of type index.
        bits: u64,
    },
    /// The entry function has to be in the module, with a body.
    #[error("no function '{name}' with a body; there are: {others}")]
    NoFunction {
        /// The name that was looked for.
        name: String,
        /// Those that are there.
        others: String,
    },
    /// Inputs can only be made, and outputs compared, for numbers and plain memrefs.
    #[error("{what} {number} has type {ty}: {why}")]
    Signature {
        /// Argument or result.
        what: &'static str,
        /// Its position.
        number: usize,
        /// Its type.
        ty: String,
        /// What about the type is not supported.
        why: Unsupported,
    },
    /// The options of the pipeline are not valid.
    #[error("'{pipeline}': {error}")]
    Pipeline {
        /// The whole pipeline.
        pipeline: String,
        /// What MLIR says of it.
        error: String,
    },
    /// A pass failed, and said why.
    #[error("a pass failed")]
    Passes,
    /// LLVM could not compile the module, or a function that it calls does not exist.
    #[error("the module cannot be compiled")]
    Engine,
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is no table of accesses.
    #[error("{}: {error}", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// Why.
        error: mem_model::TableError,
    },
    /// Inputs have to fit memory.
    #[error("argument {number} needs {bytes} bytes, which is more than there is")]
    NoMemory {
        /// Its position.
        number: usize,
        /// Its size.
        bytes: usize,
    },
}

/// A program that is ready to be called.
struct Program {
    engine: engine::Engine,
    /// Of the copy engines.
    rates: Vec<Option<Rate>>,
    planned: bool,
}

impl Program {
    /// Runs it; `round` chooses the garbage.
    fn run(&self, sig: &Signature, round: u64, options: &Options) -> Result<Execution, RunError> {
        let garbage = Pattern(Random::new(options.seed, round.wrapping_sub(1000)).next());
        // There is one set of engines in a process.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let fails = options.fail_copy.filter(|_| self.planned);
        mem_runtime::c_abi::configure_failing(self.rates.clone(), fails);
        let execution = execute(&self.engine, sig, garbage, self.planned, options);
        let copies = mem_runtime::c_abi::finish();
        execution.map(|execution| Execution {
            copies,
            ..execution
        })
    }
}

/// Runs a function as `options` say. Diagnostics of MLIR go to standard error.
///
/// # Errors
/// If it cannot be compiled or called.
pub fn run(options: &Options) -> Result<Report, RunError> {
    crash::catch_signals();
    let context = compile::context();
    let _printer = diagnostics::Printer::new(&context);
    let (signature, original, planned) = prepare(&context, options)?;
    let first = original.run(&signature, 0, options)?;
    let second = match &planned {
        Some(planned) => Some(planned.run(&signature, 1, options)?),
        None => None,
    };
    let mut report = Report::new(&signature, &first, second.as_ref(), options);
    if report.differs() {
        let again = original.run(&signature, 2, options)?;
        report.reads_garbage = Report::new(&signature, &first, Some(&again), options).differs();
    }
    Ok(report)
}

/// Compiles the function and, if asked to, the planned one.
fn prepare(
    context: &Context,
    options: &Options,
) -> Result<(Signature, Program, Option<Program>), RunError> {
    let mut module = compile::parse(context, &options.file)?;
    let function = signature::find_function(compile::as_op(&module), &options.function)?;
    let signature = signature::signature(function, options.dim)?;
    let planned = if options.compare {
        let mut copy = compile::duplicate(&module)?;
        let passes = compile::planning(&options.pipeline_options);
        compile::run_passes(context, &mut copy, &passes)?;
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

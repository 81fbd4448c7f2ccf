//! A reference interpreter. It executes programs on buffers, planned or not, so that their results
//! can be compared.
//!
//! Execution is symbolic: a computed number is a hash of the operation and its operands, so
//! different computations never yield equal results by accident. Integers that decide control flow
//! or serve as indices are computed concretely. Memory holds symbols, byte by byte. Bytes that were
//! never written, were clobbered, or were given up by a swap hold garbage that differs between
//! runs; an access to freed bytes is a fault.
//!
//! Every choice a program leaves open is made at random: when an asynchronous transfer copies, in
//! which order the iterations of a parallel loop run, whether a structured operation of linalg
//! visits its iteration space forwards or backwards, which bytes a kernel writes that may write
//! some. A correct program has the same results for all choices, and a planned program has the
//! results of the original.
//!
//! Operands of a linalg operation may overlap its results. If one point of the iteration space
//! writes bytes that another point reads or writes, the points are visited in row-major order, the
//! order in which `convert-linalg-to-loops` visits them. The order then determines the result, so a
//! program whose operands overlap differently computes something else. A `memref.copy` between
//! partially overlapping memrefs is undefined behavior, and a fault.
//!
//! Several ranks run one program at the same time and exchange messages (`ranks.rs`).
//!
//! Supported are `func`, `scf`, `cf`, scalar operations of any dialect, `memref`, all structured
//! operations of `linalg`, the `mem` dialect before and after planning, and, on several ranks, `mpi`. Any other operation is
//! an error.

mod data;
mod flow;
mod linalg;
mod memory;
mod ranks;
mod storage;

use std::collections::{BTreeMap, HashMap};

use melior::ir::Module;
use mem_opt::internals::{Attribute, Op, Value, storage_bytes};

use crate::random::Random;
use data::Data;
use memory::{Bytes, Memory, Symbol};
use ranks::Endpoint;
pub use ranks::{Sends, interpret_ranks};

/// Maximum number of operations that one run executes.
const MOST_STEPS: u64 = 10_000_000;

/// Seeds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of the arguments; equal for runs that are compared.
    pub inputs: u64,
    /// Seed of garbage and of every choice that the program leaves open.
    pub choices: u64,
}

/// The observable state after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The bytes of each memref argument.
    pub arguments: Vec<Vec<u64>>,
    /// The values that the function returns, as symbols.
    pub results: Vec<u64>,
    /// The bytes of each global that is not constant.
    pub globals: BTreeMap<String, Vec<u64>>,
}

/// Why a run cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The interpreter does not support the operation, or not with such operands.
    #[error("'{0}' is not understood")]
    Unsupported(String),
    /// There is no such function, or it has no body.
    #[error("no function '{0}' with a body")]
    NoFunction(String),
    /// The allocation exceeds the limit, which no tested program needs.
    #[error("an allocation of {size} bytes")]
    TooLarge {
        /// Bytes.
        size: i64,
    },
    /// The access is outside the storage.
    #[error("bytes [{start}, {start} + {size}) of {length}")]
    OutOfBounds {
        /// The first byte.
        start: i64,
        /// Number of bytes accessed.
        size: i64,
        /// Size of the storage in bytes.
        length: usize,
    },
    /// The storage has been freed.
    #[error("bytes are accessed after they were freed")]
    AfterFree,
    /// The freed pointer is not a live allocation.
    #[error("something is freed that is not allocated")]
    BadFree,
    /// The behavior of `memref.copy` is undefined for such memrefs.
    #[error("a copy between memrefs that overlap partly")]
    Overlap,
    /// A value that was never computed decides control flow or an access.
    #[error("garbage decides where control goes, or what is accessed")]
    Garbage,
    /// An integer is divided by zero.
    #[error("a number is divided by zero")]
    Division,
    /// The operands of a copy have different shapes.
    #[error("a copy between memrefs of different shapes")]
    Shapes,
    /// An asynchronous transfer is still in flight when the function returns.
    #[error("a transfer is never waited for")]
    NeverAwaited,
    /// The request is complete, and its handle is no longer valid.
    #[error("a request is waited for twice")]
    AwaitedTwice,
    /// The rank has to wait for another one. Only reported between ranks.
    #[error("the rank waits for another one")]
    Blocked,
    /// All ranks that have not ended wait for others.
    #[error("the ranks wait for each other forever")]
    Deadlock,
    /// Ranks exchange messages of different sizes, or take part in different operations.
    #[error("the exchanges of the ranks do not match")]
    Mismatch,
    /// The program exceeds the step limit and may not terminate.
    #[error("more than {MOST_STEPS} operations")]
    Endless,
}

/// Runs a function of `module` on arguments derived from `settings`.
///
/// # Errors
/// Returns a [`Fault`] if the program has undefined behavior or contains an unsupported operation.
pub fn interpret(module: &Module, function: &str, settings: Settings) -> Result<Outcome, Fault> {
    let module = Op::from(module);
    let mut machine = Machine::new(module, settings);
    run(&mut machine, module, function, settings.inputs, 0)
}

/// Runs a function on the arguments of a rank.
fn run(
    machine: &mut Machine,
    module: Op,
    function: &str,
    inputs: u64,
    rank: usize,
) -> Result<Outcome, Fault> {
    let entry = machine
        .function(function)
        .ok_or_else(|| Fault::NoFunction(function.to_owned()))?;
    let mut inputs = Random::new(inputs, 0);
    let block = entry.regions().next().and_then(|r| r.first_block());
    let arguments: Vec<Value> = block.into_iter().flat_map(|b| b.arguments()).collect();
    let mut passed = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        passed.push(machine.argument(argument.ty(), (index, rank), &mut inputs)?);
    }
    let results = machine.call(entry, passed.clone())?;
    let mut transfers = machine.transfers.iter();
    let is_in_flight = machine
        .endpoint
        .as_ref()
        .is_some_and(Endpoint::is_in_flight);
    if is_in_flight || transfers.any(|(_, state)| *state != State::Over) {
        return Err(Fault::NeverAwaited);
    }
    let mut outcome = Outcome {
        arguments: Vec::new(),
        results: Vec::new(),
        globals: BTreeMap::new(),
    };
    for (argument, data) in arguments.iter().zip(&passed) {
        if let Data::Memref(memref) = data {
            let size = storage_bytes(argument.ty()).unwrap_or(0) as i64;
            outcome
                .arguments
                .push(machine.memory.copy_of(memref.start(), size)?);
        }
    }
    for result in &results {
        outcome.results.push(machine.symbol_of(result));
    }
    outcome.globals = machine.globals_at_exit(module)?;
    Ok(outcome)
}

/// The operands of a transfer.
#[derive(Clone)]
struct Transfer {
    source: Data,
    target: Data,
    is_swap: bool,
}

/// Progress of an asynchronous transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Started, but nothing has been copied.
    NotYet,
    /// Everything has been copied, but no operation has waited for the transfer.
    Copied,
    /// Completed: an operation has waited for the transfer.
    Over,
}

impl State {
    const fn under_way(has_copied: bool) -> Self {
        match has_copied {
            true => Self::Copied,
            false => Self::NotYet,
        }
    }
}

/// The state of one run.
struct Machine {
    memory: Memory,
    values: HashMap<Value, Data>,
    random: Random,
    transfers: Vec<(Transfer, State)>,
    /// Per global, by name: its bytes, and its size in bytes.
    globals: BTreeMap<String, (Bytes, i64)>,
    /// Per global, by name: its initial value, if it has one.
    initial_values: HashMap<String, Option<Attribute>>,
    /// Per attribute: the symbol of its text.
    attributes: HashMap<Attribute, Symbol>,
    functions: HashMap<String, Op>,
    n_steps: u64,
    /// If there are several ranks: the connection to the others.
    endpoint: Option<Endpoint>,
}

impl Machine {
    fn new(module: Op, settings: Settings) -> Self {
        let functions = module.direct_ops().filter(|op| op.name() == "func.func");
        let functions = functions
            .filter_map(|op| Some((op.symbol()?, op)))
            .collect();
        let globals = module
            .direct_ops()
            .filter(|op| op.name() == "memref.global");
        let initial_values = globals
            .filter_map(|op| Some((op.symbol()?.to_owned(), op.attribute("initial_value"))))
            .collect();
        Self {
            memory: Memory::new(settings.choices),
            values: HashMap::new(),
            random: Random::new(settings.choices, 1),
            transfers: Vec::new(),
            globals: BTreeMap::new(),
            initial_values,
            attributes: HashMap::new(),
            functions,
            n_steps: 0,
            endpoint: None,
        }
    }

    fn function(&self, name: &str) -> Option<Op> {
        let function = self.functions.get(name).copied()?;
        function.regions().next()?.first_block()?;
        Some(function)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random.next() % bound.max(1)
    }

    fn get(&self, value: Value) -> Result<Data, Fault> {
        self.values.get(&value).cloned().ok_or(Fault::Garbage)
    }

    fn set(&mut self, value: Value, data: Data) {
        self.values.insert(value, data);
    }

    /// The symbol of an attribute.
    fn attribute(&mut self, attribute: Attribute) -> Symbol {
        let known = self.attributes.entry(attribute);
        *known.or_insert_with(|| memory::symbol(attribute.to_string()))
    }

    /// The symbol of everything that identifies an operation besides its operands. Attributes of
    /// this project do not change the computation, so they are left out.
    fn says(&mut self, op: Op) -> Symbol {
        let attributes = op.attributes().into_iter();
        let known = attributes.filter(|(name, _)| !name.starts_with("mem."));
        self.says_with(op.name(), known.collect())
    }

    fn says_with(&mut self, name: &str, attributes: Vec<(&str, Attribute)>) -> Symbol {
        let mut parts = Vec::new();
        for (name, attribute) in attributes {
            parts.push((name, self.attribute(attribute)));
        }
        memory::symbol((name, parts))
    }

    /// The symbol of the result of an `arith.constant` with this value.
    fn constant(&mut self, value: Attribute) -> Symbol {
        if let Some(integer) = value.integer() {
            return self.memory.of_integer(integer);
        }
        memory::symbol(vec![
            self.says_with("arith.constant", vec![("value", value)]),
        ])
    }
}

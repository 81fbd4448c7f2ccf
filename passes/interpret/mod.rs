//! A reference interpreter: executes programs on buffers, planned or not, to compare them.
//!
//! Numbers are not computed: what an operation yields is a symbol of the operation and its operands, so that different
//! computations never have equal results by accident. Integers that decide where control goes and what is indexed are
//! computed. Memory holds symbols, byte by byte; what nobody has written, or what is freed, spoilt or
//! given up by a swap is garbage, other garbage in each run.
//!
//! Whatever a program leaves open is chosen at random: when an asynchronous transfer copies, in which order the rounds of a
//! parallel loop run, whether a structured operation of linalg visits its iteration space from the first point to the last or the
//! other way round, which bytes a kernel that may write some does write. Programs that are right have the same results for all
//! choices; and a planned program the same as the original.
//!
//! Operands of a linalg operation may overlap its results. As soon as one point of the iteration space writes bytes that another point
//! reads or writes, the points are visited in row-major order, as `convert-linalg-to-loops` has them: then the order decides the
//! result, so that a program in which operands overlap differently computes something else. `memref.copy`
//! between memrefs that overlap partly is undefined, and a fault.
//!
//! Understood are `func`, `scf`, `cf`, scalar operations of any dialect, `memref`, all structured operations of `linalg`, and the
//! `mem` dialect before and after planning. Anything else is an error.

mod data;
mod flow;
mod linalg;
mod memory;
mod storage;

use std::collections::{BTreeMap, HashMap};

use melior::ir::Module;

use crate::mlir::{Attribute, Op, Value};
use crate::run::Random;
use data::Data;
use memory::{Bytes, Memory, Symbol};

/// Most operations that one run executes.
const MOST_STEPS: u64 = 10_000_000;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of the arguments: equal for runs that are compared.
    pub inputs: u64,
    /// Seed of garbage, and of all that the program leaves open.
    pub choices: u64,
}

/// What a run leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// By argument that is a memref: its bytes.
    pub arguments: Vec<Vec<u64>>,
    /// What the function returns, as symbols.
    pub results: Vec<u64>,
    /// The bytes of each global that is not constant.
    pub globals: BTreeMap<String, Vec<u64>>,
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The interpreter does not know the operation, or not with such operands.
    #[error("'{0}' is not understood")]
    Unsupported(String),
    /// There is no such function, or it has no body.
    #[error("no function '{0}' with a body")]
    NoFunction(String),
    /// No program that is tested needs as much.
    #[error("an allocation of {size} bytes")]
    TooLarge {
        /// Bytes.
        size: i64,
    },
    /// Not in the storage that is accessed.
    #[error("bytes [{start}, {start} + {size}) of {length}")]
    OutOfBounds {
        /// The first byte.
        start: i64,
        /// Bytes accessed.
        size: i64,
        /// Bytes there are.
        length: usize,
    },
    /// Storage that was freed.
    #[error("bytes are accessed after they were freed")]
    AfterFree,
    /// Not what an allocation has yielded, or for the second time.
    #[error("something is freed that is not allocated")]
    BadFree,
    /// What `memref.copy` does between such memrefs is undefined.
    #[error("a copy between memrefs that overlap partly")]
    Overlap,
    /// An integer that nobody has computed.
    #[error("garbage decides where control goes, or what is accessed")]
    Garbage,
    /// An asynchronous transfer is under way when the function returns.
    #[error("a transfer is never waited for")]
    NeverAwaited,
    /// The program does not end.
    #[error("more than {MOST_STEPS} operations")]
    Endless,
}

/// Runs a function of `module` on arguments that `settings` say.
///
/// # Errors
/// If it does what no program may, or what is not understood.
pub fn interpret(module: &Module, function: &str, settings: Settings) -> Result<Outcome, Fault> {
    let module = Op(module.as_operation().to_raw());
    let mut machine = Machine::new(module, settings);
    let entry = machine
        .function(function)
        .ok_or_else(|| Fault::NoFunction(function.to_owned()))?;
    let mut inputs = Random::new(settings.inputs, 0);
    let block = entry.regions().next().and_then(|r| r.first_block());
    let arguments: Vec<Value> = block.into_iter().flat_map(|b| b.arguments()).collect();
    let mut passed = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        passed.push(machine.argument(argument.ty(), index, &mut inputs)?);
    }
    let results = machine.call(entry, passed.clone())?;
    if machine
        .transfers
        .iter()
        .any(|(_, state)| *state != State::Over)
    {
        return Err(Fault::NeverAwaited);
    }
    let mut outcome = Outcome {
        arguments: Vec::new(),
        results: Vec::new(),
        globals: BTreeMap::new(),
    };
    for (argument, data) in arguments.iter().zip(&passed) {
        if let Data::Memref(memref) = data {
            let size = crate::mlir::storage_bytes(argument.ty()).unwrap_or(0) as i64;
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

/// A transfer.
#[derive(Clone)]
struct Transfer {
    source: Data,
    target: Data,
    is_swap: bool,
}

/// How far an asynchronous transfer is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has been started, and has copied nothing.
    NotYet,
    /// It has copied everything, but nobody knows.
    Copied,
    /// It has been waited for.
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
    /// By name: where it is, and its size in bytes.
    globals: BTreeMap<String, (Bytes, i64)>,
    /// By name of a global: its initial value, if it has one.
    initial_values: HashMap<String, Option<Attribute>>,
    /// By attribute: its text, which is what symbols are made of.
    attributes: HashMap<Attribute, Symbol>,
    functions: HashMap<String, Op>,
    n_steps: u64,
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

    /// What an attribute says, as a symbol.
    fn attribute(&mut self, attribute: Attribute) -> Symbol {
        let known = self.attributes.entry(attribute);
        *known.or_insert_with(|| memory::symbol(attribute.to_string()))
    }

    /// All that an operation says besides its operands.
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

    /// The symbol that an `arith.constant` with this value yields.
    fn constant(&mut self, value: Attribute) -> Symbol {
        if let Some(integer) = value.integer() {
            return self.memory.of_integer(integer);
        }
        memory::symbol(vec![
            self.says_with("arith.constant", vec![("value", value)]),
        ])
    }
}

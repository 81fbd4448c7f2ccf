//! Def-use and use-def chains over memory: for each operation of a program, the writes that reach
//! what it reads and the reads that its writes reach. An API for compilers that link this crate.
//! `mem-annotate-dependence` writes the same information as attributes, and `include/mem-opt.h`
//! offers it for C.
//!
//! ```
//! use melior::Context;
//! use melior::dialect::DialectRegistry;
//! use melior::ir::Module;
//! use melior::utility::register_all_dialects;
//! use mem_opt::chains::{Origin, analyze_module};
//!
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! mem_opt::register_dialect(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//! let source = r#"
//!   func.func @f() {
//!     %a = mem.buffer {name = "a"} : !mem.buffer<64>
//!     %half = mem.descriptor %a[0, 32] : !mem.buffer<64> -> memref<32xi8>
//!     %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
//!     mem.kernel "write" defines(%half : memref<32xi8>)
//!     mem.kernel "read" uses(%all : memref<64xi8>)
//!     return
//!   }"#;
//! let module = Module::parse(&context, source).expect("valid MLIR");
//! let functions = analyze_module(module.as_operation(), false);
//! let [write, read] = functions[0].accesses.as_slice() else {
//!     panic!("two accesses");
//! };
//! assert_eq!(write.readers, [1]);
//! let sources = read.sources.iter().map(|s| (s.origin, s.bytes.clone()));
//! let expected = [(Origin::Undefined, vec![32..64]), (Origin::Definition(0), vec![0..32])];
//! assert!(sources.eq(expected));
//! ```

use std::marker::PhantomData;
use std::ops::Range;

use melior::ir::operation::{OperationLike, OperationRef};
use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{AccessKind, Bytes, IntervalSet};

use crate::extract::dependence::{Extracted, extract_functions};
use crate::ir::Op;

/// The accesses of one function. An access's id is its index in `accesses`.
#[derive(Clone, Debug)]
pub struct FunctionChains<'c, 'a> {
    /// The function's symbol name.
    pub name: String,
    function: Op,
    /// In layout order of the operations, which is execution order within a block.
    pub accesses: Vec<AccessChains>,
    /// Memory phis.
    pub joins: Vec<JoinOf>,
    module: PhantomData<OperationRef<'c, 'a>>,
}

/// One read or write of an operation.
#[derive(Clone, Debug)]
pub struct AccessChains {
    pub(crate) op: Op,
    /// Index of the operand that the access goes through. `None` if the operation reaches the bytes
    /// in another way: through a nested operation, or in a callee.
    pub operand: Option<usize>,
    /// Whether the access is a write.
    pub is_definition: bool,
    /// Bytes that may be touched, relative to the start of the storage that the operand is a view
    /// of; `None`: any.
    pub may: Option<Range<u64>>,
    /// Whether exactly the bytes of `may` are touched whenever the operation executes.
    pub is_exact: bool,
    /// Of a use: the writes and other origins it may observe.
    pub sources: Vec<SourceOf>,
    /// Of a definition: the ids of the uses it may reach, in ascending order.
    pub readers: Vec<usize>,
    /// Of a definition: whether none of its bytes is read, inside or outside the function.
    pub is_dead: bool,
    /// Of a definition: the bytes that are never read.
    pub dead: Vec<Range<u64>>,
    /// Of a definition: the earlier definitions it is guaranteed to overwrite.
    pub kills: Vec<KillOf>,
}

/// Origin of bytes that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOf {
    /// The write that produced the bytes, if any.
    pub origin: Origin,
    /// Name of the buffer that contains the bytes.
    pub buffer: String,
    /// The bytes, relative to the start of the buffer. An end of 2^64 - 1 stands for the end of the
    /// buffer.
    pub bytes: Vec<Range<u64>>,
}

/// The producer of a value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The bytes were never written.
    Undefined,
    /// The bytes were written before the function ran, or by code outside the function.
    Entry,
    /// The access with this id.
    Definition(usize),
}

/// A definition whose bytes are overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KillOf {
    /// Id of the overwritten definition.
    pub definition: usize,
    /// The bytes of that definition that have been overwritten by now.
    pub bytes: Vec<Range<u64>>,
}

/// A memory phi: several definitions of the same bytes of a buffer reach the start of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinOf {
    /// Index of the block, as `mem-print-dependence` prints it.
    pub block: usize,
    /// Name of the buffer.
    pub buffer: String,
    /// The bytes, relative to the start of the buffer.
    pub bytes: Range<u64>,
}

impl FunctionChains<'_, '_> {
    /// The function as an operation.
    #[must_use]
    pub fn function(&self) -> OperationRef<'_, '_> {
        // SAFETY: the enclosing module is borrowed for `'a`.
        unsafe { OperationRef::from_raw(self.function.0) }
    }

    /// The operation that performs an access.
    ///
    /// # Panics
    /// If there is no access with this id.
    #[must_use]
    pub fn operation(&self, access: usize) -> OperationRef<'_, '_> {
        // SAFETY: the enclosing module is borrowed for `'a`.
        unsafe { OperationRef::from_raw(self.accesses[access].op.0) }
    }
}

/// Analyzes every function of `module` that has a body, in module order. `noalias_arguments`
/// asserts that no two arguments of a function share a byte. The result is invalidated by any
/// change to the module.
///
/// The result is linear in the number of (definition, use) pairs; see [`mem_flow::dependence`].
#[must_use]
pub fn analyze_module<'c, 'a>(
    module: impl OperationLike<'c, 'a>,
    noalias_arguments: bool,
) -> Vec<FunctionChains<'c, 'a>>
where
    'c: 'a,
{
    let functions = extract_functions(Op(module.to_raw()), noalias_arguments);
    functions.iter().map(|f| chains_of(f, |_| ())).collect()
}

/// The chains of one function. `tell` is called with the completed analysis.
pub(crate) fn chains_of<'c, 'a>(
    function: &Extracted,
    tell: impl FnOnce(&Dependence<'_>),
) -> FunctionChains<'c, 'a> {
    let dependence = function.analyze();
    let builder = Builder::new(function, &dependence);
    let answer = FunctionChains {
        name: function.extraction.program.name.clone(),
        function: function.function.op,
        accesses: builder.accesses(),
        joins: builder.joins(),
        module: PhantomData,
    };
    tell(&dependence);
    answer
}

struct Builder<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    /// Per step: the id of its first access.
    first: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn new(function: &'a Extracted, dependence: &'a Dependence<'a>) -> Self {
        let mut n_accesses = 0;
        let steps = function.extraction.program.steps.iter();
        let first = steps.map(|step| {
            let first = n_accesses;
            n_accesses += step.accesses.len();
            first
        });
        Self {
            first: first.collect(),
            function,
            dependence,
        }
    }

    fn number(&self, id: AccessId) -> usize {
        self.first[id.step.index()] + id.index as usize
    }

    fn name(&self, buffer: mem_model::BufferId) -> String {
        self.function.buffer_name(buffer).to_owned()
    }

    fn accesses(&self) -> Vec<AccessChains> {
        // Computed once for all accesses: either query traverses the whole function.
        let live = self.dependence.live_writes();
        let chains = self.dependence.chains();
        let mut all = Vec::new();
        for (id, access) in self.function.accesses() {
            let op = self.function.op(id);
            let value = self.function.value(id);
            let is_definition = access.kind == AccessKind::Define;
            let readers = chains.uses.get(&id).into_iter().flatten();
            let reaching = chains.definitions.get(&id).into_iter().flatten();
            all.push(AccessChains {
                op,
                // The first of equal operands: accesses are recorded by value, not by position.
                operand: value.and_then(|value| op.operands().position(|o| o == value)),
                is_definition,
                may: access.may.map(|may| may.start.get()..may.end.get()),
                is_exact: access.certain().is_some() && access.certain() == access.may,
                sources: reaching.map(|r| self.source(r)).collect(),
                readers: readers.map(|reader| self.number(*reader)).collect(),
                is_dead: is_definition && live.is_dead(id),
                dead: match is_definition {
                    true => ranges(live.dead_bytes(id)),
                    false => Vec::new(),
                },
                kills: self.kills(id),
            });
        }
        all
    }

    fn source(&self, reaching: &mem_flow::dependence::Reaching) -> SourceOf {
        SourceOf {
            origin: match reaching.source {
                Source::Undefined => Origin::Undefined,
                Source::Entry => Origin::Entry,
                Source::Definition(id) => Origin::Definition(self.number(id)),
            },
            buffer: self.name(reaching.buffer),
            bytes: ranges(&reaching.bytes),
        }
    }

    fn kills(&self, id: AccessId) -> Vec<KillOf> {
        let kills = self.dependence.killed_by(id).into_iter();
        let kill = |(killed, bytes): (AccessId, IntervalSet<Bytes>)| KillOf {
            definition: self.number(killed),
            bytes: ranges(&bytes),
        };
        kills.map(kill).collect()
    }

    fn joins(&self) -> Vec<JoinOf> {
        let joins = self.dependence.joins();
        let join = |join: mem_flow::dependence::Join| JoinOf {
            block: join.block.index(),
            buffer: self.name(join.buffer),
            bytes: join.bytes.start.get()..join.bytes.end.get(),
        };
        joins.map(join).collect()
    }
}

fn ranges(bytes: &IntervalSet<Bytes>) -> Vec<Range<u64>> {
    let range = |range: mem_model::Interval<Bytes>| range.start.get()..range.end.get();
    bytes.iter().map(range).collect()
}

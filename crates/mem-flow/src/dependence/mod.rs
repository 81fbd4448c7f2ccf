//! Byte-precise dependence analysis: reaching definitions for byte intervals of buffers, as SSA
//! form gives them for scalars.
//!
//! # Idea
//!
//! A *variable* is the newest instance of a buffer, or all its older instances together. The state
//! of a variable maps bytes to *definitions*, the last writes to them. A definition is a write that
//! is guaranteed to hit all bytes it stands for, a *weak* write, which may have hit some of them,
//! together with the state below it, or a phi at a block where different states meet. Phis are
//! placed at iterated dominance frontiers, each for the hull of the bytes whose definitions meet
//! there. A walk over the dominator tree then builds the states: memory SSA, with a persistent
//! interval map in place of a version number (`map`). States share structure, so a million of them
//! cost no more than their differences.
//!
//! A search from a use through weak writes and phis enumerates the reaching definitions (`search`).
//! The search carries a context: bounds known only at run time, conditions, and views overwritten
//! on the way. The context proves weak writes irrelevant, or proves that nothing below them is
//! visible (`view`, `scope`). Liveness is a flood in the same direction from all uses at once
//! (`liveness`).
//!
//! # Guarantees
//!
//! The reaching definitions of a use include everything that the use sees on any path through the
//! control-flow graph. In programs without inexact accesses, predicates and aliases, they include
//! nothing else. Bytes are distinguished wherever bounds are constants.
//!
//! # Limitations
//!
//! The analysis is path-insensitive: it does not recognize that two branches test the same
//! condition. Only the predicates of accesses are compared.
//!
//! # Complexity
//!
//! States take O(n log n) for n accesses, plus the phis. A search is linear in the values that it
//! visits: at most [`Options::max_search`] with a context, then the rest without one. Liveness is
//! near-linear, except for the forward searches from writes that only weak writes hide, which share
//! a budget. Where a budget is exhausted, the answer is larger, never smaller.
//! [`Dependence::limits`] lists the accesses for which that happened.
//!
//! References: Cytron et al., "Efficiently computing static single assignment form and the control
//! dependence graph", 1991; Chow et al., "Effective representation of aliases and indirect memory
//! operations in SSA form", 1996.

mod build;
mod chains;
mod flight;
mod forward;
mod liveness;
mod map;
mod overlaps;
mod phis;
mod referents;
mod scope;
mod search;
mod versions;
mod view;

use std::cell::RefCell;
use std::collections::BTreeSet;

use mem_model::{Access, BufferId, Bytes, Interval, IntervalSet, PointerId, Program, StepId};

use crate::graph::Graph;
use map::{Maps, Root};
use referents::Referents;
use scope::Scope;

pub use chains::{Chains, Join, Record};
pub use liveness::LiveWrites;

/// An access, as its step and its position in the step's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessId {
    /// The step.
    pub step: StepId,
    /// Position in `Step::accesses`.
    pub index: u32,
}

/// Origin of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// No write: the content is undefined.
    Undefined,
    /// A write before the function was entered.
    Entry,
    /// A write by this access.
    Definition(AccessId),
}

/// Bytes that may come from one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaching {
    /// The source.
    pub source: Source,
    /// The buffer that the bytes belong to.
    pub buffer: BufferId,
    /// The bytes, relative to the buffer's start. An end of 2^64 - 1 means the buffer's end, if its
    /// size is unknown.
    pub bytes: IntervalSet<Bytes>,
}

/// Analysis budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Maximum number of definitions that one search visits with a context; beyond that, it
    /// continues without one.
    pub max_search: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_search: 10_000 }
    }
}

/// A place where a budget was exhausted, so that an answer is larger than necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The search for the definitions that reach this use visited [`Options::max_search`]
    /// definitions.
    Search(AccessId),
    /// The budget did not suffice to decide whether this write is read.
    Liveness(AccessId),
}

/// Memory dependences of one program.
pub struct Dependence<'a> {
    program: &'a Program,
    states: States,
    limits: RefCell<BTreeSet<Limit>>,
}

/// What the analysis of a program has found, without the program. Answers do not change it, so that it serves
/// as many queries as long as the program stays the same.
pub struct States {
    graph: Graph,
    scope: Scope,
    referents: Referents,
    overlaps: overlaps::Overlaps,
    options: Options,
    /// Indexed by step: the number of its first access; one more entry at the end.
    first_access: Vec<u32>,
    /// Indexed by access number: its step.
    step_of: Vec<u32>,
    /// Indexed by step: its block.
    block_of: Vec<u32>,
    maps: Maps,
    variables: Variables,
    /// Indexed by variable: its state on entry to the program.
    initial: Vec<Root>,
    values: Vec<Value>,
    phis: Vec<Phi>,
    /// The states at the ends of predecessors; see [`Phi::operands`].
    operands: Vec<Root>,
    /// The states that uses read; see `first_read`.
    reads: Vec<Read>,
    /// Indexed by access number: its first read; one more entry at the end. Definitions have no
    /// reads.
    first_read: Vec<u32>,
    flight: flight::Flight,
    /// Writes that asynchronous reads may see because they were issued before the read completed.
    late: Vec<LateRead>,
    /// States that code outside can read: at exits, and in blocks that cannot reach an exit.
    observed: Vec<Read>,
    /// Indexed by variable: its states, for queries about any step.
    versions: versions::Versions,
}

/// A variable that a use reads, and its state at the use.
#[derive(Clone, Copy)]
struct Read {
    variable: u32,
    root: Root,
}

/// An asynchronous use may see what this access wrote after the use was issued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LateRead {
    /// The use.
    reader: u32,
    /// The definition.
    writer: u32,
    variable: u32,
    bytes: Interval<u64>,
}

/// Origin of bytes within a state.
#[derive(Clone, Copy)]
enum Value {
    Undefined,
    Entry,
    /// This access wrote all of the bytes.
    Write {
        access: u32,
    },
    /// This access may have written the bytes; otherwise they come from the state below. `exact`:
    /// its constant bounds apply to this variable's bytes. `is_racing`: an earlier asynchronous
    /// write may still land after it.
    Weak {
        access: u32,
        below: Root,
        exact: bool,
        is_racing: bool,
    },
    /// The bytes come from the operand of the predecessor that control came from.
    Phi {
        phi: u32,
    },
    /// The older instances of a buffer after an allocation: those of before, and the one that was
    /// newest.
    Aged {
        older: Root,
        newest: Root,
    },
}

/// States that meet at the start of a block.
struct Phi {
    block: mem_model::BlockId,
    variable: u32,
    /// The bytes that the phi defines.
    hull: Interval<u64>,
    /// The operands, as a range of positions in `Dependence::operands`.
    operands: Interval<u32>,
}

/// All variables: one per buffer for its newest instance, numbered like the buffers, followed by
/// one for the older instances of each buffer that has any.
struct Variables {
    n_buffers: u32,
    /// Indexed by buffer: the variable of its older instances.
    older: Vec<Option<u32>>,
    /// Indexed by variable, counted from `n_buffers`: its buffer.
    older_of: Vec<BufferId>,
    /// Indexed by buffer: exclusive upper bound of its bytes.
    extents: Vec<u64>,
    /// Indexed by buffer: whether it summarizes any number of storage locations.
    is_summary: Vec<bool>,
}

impl Variables {
    fn new(program: &Program, referents: &Referents) -> Self {
        let mut extents = vec![None; program.buffers.len()];
        let mut is_open = vec![false; program.buffers.len()];
        for pointer in &program.pointers {
            if let mem_model::PointerKind::Buffer(buffer) = pointer.kind {
                extents[buffer.index()] = extents[buffer.index()].max(pointer.size);
                is_open[buffer.index()] |= pointer.size.is_none();
            }
        }
        let extents = extents.into_iter().zip(&is_open);
        let extents = extents.map(|(size, open)| match size {
            Some(size) if !open => size.get(),
            _ => u64::MAX,
        });
        let buffers = program.buffers.iter().enumerate();
        let is_summary = buffers.map(|(index, buffer)| {
            buffer.aliasing == mem_model::Aliasing::Unknown && is_open[index]
        });
        let mut variables = Self {
            n_buffers: program.buffers.len() as u32,
            older: vec![None; program.buffers.len()],
            older_of: Vec::new(),
            is_summary: is_summary.collect(),
            extents: extents.collect(),
        };
        for buffer in (0..program.buffers.len()).map(BufferId::new) {
            if referents.has_older(buffer) {
                variables.older[buffer.index()] = Some(variables.len());
                variables.older_of.push(buffer);
            }
        }
        variables
    }

    fn len(&self) -> u32 {
        self.n_buffers + self.older_of.len() as u32
    }

    fn buffer(&self, variable: u32) -> BufferId {
        match variable.checked_sub(self.n_buffers) {
            Some(index) => self.older_of[index as usize],
            None => BufferId::new(variable as usize),
        }
    }

    /// The variables of a buffer: the newest instance, then the older ones if there are any.
    fn of(&self, buffer: BufferId) -> impl Iterator<Item = u32> + use<> {
        [Some(buffer.index() as u32), self.older[buffer.index()]]
            .into_iter()
            .flatten()
    }

    fn is_older(&self, variable: u32) -> bool {
        variable >= self.n_buffers
    }

    /// All bytes of a variable.
    fn extent(&self, variable: u32) -> Interval<u64> {
        Interval::new(0, self.extents[self.buffer(variable).index()])
    }
}

/// A variable that an access may touch, with the bytes that it may touch there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    variable: u32,
    /// Hull of the bytes that may be touched.
    hull: Interval<u64>,
    /// Whether the pointer points to the first byte, so that the access's constant bounds apply
    /// directly.
    at_start: bool,
    /// Whether, in addition, this is the only storage that the access can touch.
    exact: bool,
}

/// Analyzes a valid program.
#[must_use]
pub fn analyze_dependence(program: &Program, options: Options) -> Dependence<'_> {
    build::build(program, options)
}

impl<'a> Dependence<'a> {
    /// The dependences of the program that `states` were found in. No budget has been exhausted yet.
    ///
    /// The answers mean nothing if the program is another one, or has changed since.
    #[must_use]
    pub fn resume(program: &'a Program, states: States) -> Self {
        Self {
            program,
            states,
            limits: RefCell::default(),
        }
    }

    /// What has been found, for [`resume`](Self::resume).
    #[must_use]
    pub fn into_states(self) -> States {
        self.states
    }

    /// The analyzed program.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Its control-flow graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.states.graph
    }

    /// The budgets exhausted so far by [`reaching`](Self::reaching),
    /// [`sole_source`](Self::sole_source) and [`live_writes`](Self::live_writes), in ascending
    /// order. Queries about arbitrary steps are not listed.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        self.limits.borrow().iter().copied().collect()
    }

    fn number(&self, access: AccessId) -> u32 {
        self.states.first_access[access.step.index()] + access.index
    }

    fn id(&self, number: u32) -> AccessId {
        let step = self.states.step_of[number as usize];
        AccessId {
            step: StepId::new(step as usize),
            index: number - self.states.first_access[step as usize],
        }
    }

    fn access(&self, number: u32) -> &'a Access {
        let id = self.id(number);
        &self.program.steps[id.step.index()].accesses[id.index as usize]
    }

    fn block_of(&self, step: StepId) -> mem_model::BlockId {
        mem_model::BlockId::new(self.states.block_of[step.index()] as usize)
    }

    /// The variables that an access through `pointer` with these constant bounds may touch.
    fn targets(&self, pointer: PointerId, may: Option<Interval<Bytes>>) -> Vec<Target> {
        let referents = self.states.referents.of(pointer);
        // Nearly always, there is one referent and one variable of it.
        let mut targets = Vec::with_capacity(referents.len());
        for referent in referents {
            let variables = [
                referent.newest.then_some(referent.buffer.index() as u32),
                self.states.variables.older[referent.buffer.index()].filter(|_| referent.older),
            ];
            for variable in variables.into_iter().flatten() {
                let extent = self.states.variables.extent(variable);
                let hull = match may {
                    Some(may) if referent.at_start => {
                        Interval::new(may.start.get(), may.end.get()).intersection(extent)
                    }
                    _ => extent,
                };
                let is_summary = self.states.variables.is_summary[referent.buffer.index()];
                let is_older = self.states.variables.is_older(variable);
                targets.push(Target {
                    variable,
                    hull,
                    at_start: referent.at_start,
                    exact: referent.at_start && !is_summary && !is_older,
                });
            }
        }
        // The access touches only one of the targets.
        if targets.len() > 1 {
            targets.iter_mut().for_each(|target| target.exact = false);
        }
        targets
    }

    /// The target that holds the bytes of `target` once its buffer has a newer instance; `None` if
    /// no merge can reach them then, or if `target` is that variable already.
    fn older(&self, target: &Target) -> Option<Target> {
        let buffer = self.states.variables.buffer(target.variable);
        let variable = self.states.variables.older[buffer.index()]?;
        (variable != target.variable).then_some(Target {
            variable,
            exact: false,
            ..*target
        })
    }

    /// The bytes of `target` that `access` may touch: its rows, or one interval.
    fn bytes_of(access: &Access, target: &Target) -> impl Iterator<Item = Interval<u64>> {
        let rows = access.rows().filter(|_| target.at_start);
        let hull = target.hull;
        let within = rows.into_iter().flat_map(move |rows| {
            let all = rows.bytes.iter();
            all.map(move |row| Interval::new(row.start.get(), row.end.get()).intersection(hull))
        });
        let whole = rows.is_none().then_some(hull);
        within.chain(whole).filter(|range| !range.is_empty())
    }

    /// The bytes of an exact target that `access` touches whenever it takes place.
    fn sure_bytes_of(access: &Access) -> impl Iterator<Item = Interval<u64>> {
        let rows = access.rows().filter(|rows| rows.all);
        let rows = rows.into_iter().flat_map(|rows| rows.bytes.iter());
        let bytes = access.must.into_iter().chain(rows);
        let bytes = bytes.map(|range| Interval::new(range.start.get(), range.end.get()));
        bytes.filter(|range| !range.is_empty())
    }
}

/// Constant bounds on everything that an access may touch; `None` if there are none.
fn constant_hull(access: &Access) -> Option<Interval<Bytes>> {
    let may = access.may;
    let Some(range) = access.symbolic() else {
        return may;
    };
    let fixed = |bound: mem_model::Bound| match bound.symbol {
        None => Some(Bytes::new(u64::try_from(bound.offset).unwrap_or(0))),
        Some(_) => None,
    };
    let (start, end) = (fixed(range.start), fixed(range.end));
    if may.is_none() && start.is_none() && end.is_none() {
        return None;
    }
    let whole = Interval::new(Bytes::ZERO, Bytes::new(u64::MAX));
    let symbolic = Interval::new(start.unwrap_or(whole.start), end.unwrap_or(whole.end));
    Some(may.unwrap_or(whole).intersection(symbolic))
}

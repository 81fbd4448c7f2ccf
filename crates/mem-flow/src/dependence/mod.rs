//! Which bytes depend on which: reaching definitions for byte intervals of buffers, as SSA form
//! gives them for scalars.
//!
//! # Idea
//!
//! A *variable* is the newest instance of a buffer, or all its older instances together. The state
//! of a variable is a map from bytes to *definitions*: what wrote them last. A definition is a
//! write that surely hit all of the bytes it stands for; a *weak* write, which may have hit some,
//! together with the state below it; or a phi at a block where different states meet. Phis are
//! placed at iterated dominance frontiers, for the hull of what is written below, and a walk over
//! the dominator tree makes the states: memory SSA, with a persistent interval map in the place of
//! a version number (`map`). States are shared, so a million of them cost what their differences
//! cost.
//!
//! A search from a use through weak writes and phis enumerates the reaching definitions (`search`).
//! It carries a context: bounds known only at run time, conditions, and what has been overwritten
//! on the way, by which weak writes turn out to be irrelevant, or to be the last (`view`, `scope`).
//! What is read later is a flood in the same direction from all uses at once (`liveness`).
//!
//! # Guarantees
//!
//! Whatever some path through the control-flow graph makes a use see is among its reaching
//! definitions. For programs without inexact accesses, predicates and aliases, nothing else is. Bytes
//! are told apart wherever bounds are constants.
//!
//! # Not claimed
//!
//! Paths are not told apart: a condition that two branches share is not recognised as such
//! (predicates of accesses are).
//!
//! # Complexity
//!
//! States: O(n log n) for n accesses, plus phis. A search costs what it visits, at most
//! [`Options::max_search`] with a context, and linear without one. Liveness is near-linear but for the
//! searches forward from writes that only weak ones hide, which share a budget. Where a
//! budget is hit, the answer is larger, never smaller, and [`Dependence::limits`] says so.
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

/// One access: its step, and its position in the step's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessId {
    /// The step.
    pub step: StepId,
    /// Position in `Step::accesses`.
    pub index: u32,
}

/// Where bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Nowhere: nobody has written them.
    Undefined,
    /// From before the function.
    Entry,
    /// This access wrote them.
    Definition(AccessId),
}

/// Bytes that may come from one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaching {
    /// Who wrote them.
    pub source: Source,
    /// Whose bytes they are.
    pub buffer: BufferId,
    /// Which, relative to the buffer's start. The end may be 2^64 - 1: up to the buffer's end,
    /// wherever that is.
    pub bytes: IntervalSet<Bytes>,
}

/// Budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most definitions that one search visits with all it knows; afterwards it goes on without.
    pub max_search: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_search: 10_000 }
    }
}

/// A place where a budget was hit, and an answer is larger than need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The search for what this use sees visited [`Options::max_search`] definitions.
    Search(AccessId),
    /// Whether this write is read could not be settled within the budget.
    Liveness(AccessId),
}

/// What is known of the memory of one program.
pub struct Dependence<'a> {
    program: &'a Program,
    graph: Graph,
    scope: Scope,
    referents: Referents,
    overlaps: overlaps::Overlaps,
    options: Options,
    /// By step: the number of its first access; one more at the end.
    first_access: Vec<u32>,
    /// By access number: its step.
    step_of: Vec<u32>,
    /// By step: its block.
    block_of: Vec<u32>,
    maps: Maps,
    variables: Variables,
    /// By variable: its state at the start of the program.
    initial: Vec<Root>,
    values: Vec<Value>,
    phis: Vec<Phi>,
    /// The states at the ends of predecessors; see [`Phi::operands`].
    operands: Vec<Root>,
    /// What uses see: see `first_read`.
    reads: Vec<Read>,
    /// By access number: its first read; one more at the end. Definitions have none.
    first_read: Vec<u32>,
    flight: flight::Flight,
    /// Of asynchronous reads: writes made before they have completed.
    late: Vec<LateRead>,
    /// States that are read from outside: at exits, and where control stays for ever.
    observed: Vec<Read>,
    /// By variable: its states, for questions about any step.
    versions: versions::Versions,
    limits: RefCell<BTreeSet<Limit>>,
}

/// One variable that a use reads, and its state then.
#[derive(Clone, Copy)]
struct Read {
    variable: u32,
    root: Root,
}

/// An asynchronous use may see what this access wrote after it was issued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LateRead {
    /// The use.
    reader: u32,
    /// The definition.
    writer: u32,
    variable: u32,
    bytes: Interval<u64>,
}

/// What bytes of a state come from.
#[derive(Clone, Copy)]
enum Value {
    Undefined,
    Entry,
    /// This access wrote them all.
    Write {
        access: u32,
    },
    /// This access may have written them; otherwise they come from the state below. `exact`: its
    /// constant bounds hold for this variable's bytes. `is_racing`: an asynchronous write from before
    /// may still come after it.
    Weak {
        access: u32,
        below: Root,
        exact: bool,
        is_racing: bool,
    },
    /// Whatever the predecessor that control came from says.
    Phi {
        phi: u32,
    },
    /// Of the older instances of a buffer: those of before, and one more.
    Aged {
        older: Root,
        newest: Root,
    },
}

/// States that meet at the start of a block.
struct Phi {
    block: mem_model::BlockId,
    variable: u32,
    /// The bytes it stands for.
    hull: Interval<u64>,
    /// Its operands: positions in `Dependence::operands`.
    operands: Interval<u32>,
}

/// The variables: one a buffer for its newest instance, by the buffer's number, and behind them
/// one for the older instances of each buffer that has any.
struct Variables {
    n_buffers: u32,
    /// By buffer: the variable of its older instances.
    older: Vec<Option<u32>>,
    /// By variable behind the first `n_buffers`: its buffer.
    older_of: Vec<BufferId>,
    /// By buffer: all its bytes lie below.
    extents: Vec<u64>,
    /// By buffer: whether it stands for any number of storages.
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

    /// The variables of a buffer: of its newest instance, and of older ones if there are any.
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

/// One variable that an access may touch, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    variable: u32,
    /// The bytes that may be touched.
    hull: Interval<u64>,
    /// Whether the access's constant bounds are those of the variable's bytes.
    at_start: bool,
    /// Whether, beyond that, there is no other variable that it could touch instead.
    exact: bool,
}

/// Analyzes a valid program.
#[must_use]
pub fn analyze_dependence(program: &Program, options: Options) -> Dependence<'_> {
    build::build(program, options)
}

impl<'a> Dependence<'a> {
    /// The program this is about.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Its control-flow graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The budgets that were hit so far, in order.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        self.limits.borrow().iter().copied().collect()
    }

    fn number(&self, access: AccessId) -> u32 {
        self.first_access[access.step.index()] + access.index
    }

    fn id(&self, number: u32) -> AccessId {
        let step = self.step_of[number as usize];
        AccessId {
            step: StepId::new(step as usize),
            index: number - self.first_access[step as usize],
        }
    }

    fn access(&self, number: u32) -> &'a Access {
        let id = self.id(number);
        &self.program.steps[id.step.index()].accesses[id.index as usize]
    }

    fn block_of(&self, step: StepId) -> mem_model::BlockId {
        mem_model::BlockId::new(self.block_of[step.index()] as usize)
    }

    /// The variables that an access through `pointer` may touch, and where, given its constant
    /// bounds.
    fn targets(&self, pointer: PointerId, may: Option<Interval<Bytes>>) -> Vec<Target> {
        let mut targets = Vec::new();
        for referent in self.referents.of(pointer) {
            let variables = [
                referent.newest.then_some(referent.buffer.index() as u32),
                self.variables.older[referent.buffer.index()].filter(|_| referent.older),
            ];
            for variable in variables.into_iter().flatten() {
                let extent = self.variables.extent(variable);
                let hull = match may {
                    Some(may) if referent.at_start => {
                        Interval::new(may.start.get(), may.end.get()).intersection(extent)
                    }
                    _ => extent,
                };
                let is_summary = self.variables.is_summary[referent.buffer.index()];
                let is_older = self.variables.is_older(variable);
                targets.push(Target {
                    variable,
                    hull,
                    at_start: referent.at_start,
                    exact: referent.at_start && !is_summary && !is_older,
                });
            }
        }
        if targets.len() > 1 {
            targets.iter_mut().for_each(|target| target.exact = false);
        }
        targets
    }

    /// Where the bytes of `target` are when its buffer has a newer instance, if somebody can still
    /// reach them then.
    fn older(&self, target: &Target) -> Option<Target> {
        let buffer = self.variables.buffer(target.variable);
        let variable = self.variables.older[buffer.index()]?;
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

/// The constant bounds of all that an access may touch.
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

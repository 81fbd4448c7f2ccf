//! A program as the planner sees it: one function's buffers, its control flow, and which bytes
//! each step reads and writes. Everything a planner, a checker or a picture needs to know of the
//! source is here, without MLIR.
//!
//! Storage is denoted by *pointers*, the values of SSA form that hold an address. A pointer is
//! either the address of a buffer, or a *merge*: a block argument, the result of a loop or of a
//! select, which can denote different buffers on different paths. Edges and steps bind merges.
//! A buffer allocated inside a loop is a new *instance* each time its allocating step runs.

use crate::{
    BlockId, BufferId, Bytes, Interval, IntervalSet, PointerId, RegionId, StepId, SymbolId, TokenId,
};

/// What a buffer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Comes from the caller and is only read.
    Input,
    /// Belongs to the caller and holds a result.
    Output,
    /// Holds the same bytes in every run.
    Constant,
    /// Lives and dies inside the function.
    Intermediate,
}

/// Whose bytes a buffer's are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// The planner gives it an address.
    Planned,
    /// It has an address already, outside of every arena (function arguments, globals).
    External,
    /// It was given an address in an arena of this function before: level name and byte offset.
    Placed {
        /// Name of the arena's level.
        level: String,
        /// Bytes from the start of the arena.
        offset: Bytes,
    },
}

/// Which other buffers a buffer may share bytes with. A planned buffer shares none: to give it
/// bytes of its own is what a planner is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aliasing {
    /// With none, and nobody outside reads or writes it: what the function allocates and keeps.
    #[default]
    Private,
    /// With none that has a name, but code outside of the function can reach it: its bytes may be
    /// read after the function returned, and through `Unknown` buffers.
    Reachable,
    /// With other arguments, and `Unknown` buffers; reachable from outside.
    Argument,
    /// With everything that is reachable from outside: storage of which nothing is known.
    Unknown,
}

impl Aliasing {
    /// Whether two different buffers of these kinds may share bytes.
    #[must_use]
    pub fn may_overlap(self, other: Self) -> bool {
        match self.max(other) {
            Self::Private | Self::Reachable => false,
            Self::Argument => self == other,
            Self::Unknown => self.min(other) != Self::Private,
        }
    }

    /// Whether somebody else may read the bytes when the function is over, or in a call.
    #[must_use]
    pub fn is_visible_outside(self) -> bool {
        self != Self::Private
    }
}

/// One tensor's storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Unique within the program.
    pub name: String,
    /// Size in bytes; zero is allowed.
    pub size: Bytes,
    /// Alignment of the address in bytes: a power of two.
    pub alignment: Bytes,
    /// What it is for.
    pub role: Role,
    /// Whose bytes it has.
    pub storage: Storage,
    /// What it may share bytes with.
    pub aliasing: Aliasing,
    /// Source location, as the IR prints it; may be empty.
    pub location: String,
}

/// A value that denotes storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Unique within the program.
    pub name: String,
    /// What it can denote.
    pub kind: PointerKind,
    /// Bytes that are reached through it, when known: accesses are relative to its start.
    pub size: Option<Bytes>,
}

/// What a pointer can denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// The start of a buffer: of its newest instance, if it is allocated in a loop.
    Buffer(BufferId),
    /// Whatever it was bound to last, by an edge or by a step.
    Merge,
}

/// Gives a merge pointer a new value: from here on it denotes what one of `sources` denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The merge that is bound.
    pub target: PointerId,
    /// What it may denote now; more than one for a select. Never empty.
    pub sources: Vec<PointerId>,
}

/// What kind of region steps belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// The body of the function; region 0.
    Function,
    /// A loop's body: may run any number of times.
    Loop,
    /// One of several alternatives.
    Branch,
    /// Runs once (`scf.execute_region`, `memref.alloca_scope`).
    Inline,
}

/// A region of structured control flow, for people and for cost models; flow itself is in the
/// edges between blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its kind.
    pub kind: RegionKind,
    /// The region around it; `None` for the function's.
    pub parent: Option<RegionId>,
}

/// A basic block: consecutive steps, entered only at the first and left only after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The region it belongs to.
    pub region: RegionId,
    /// Its first step and the one after its last. Blocks are in layout order and cover all steps.
    pub steps: Interval<StepId>,
    /// Where control can go from its end. Empty: the function returns (or never does).
    pub successors: Vec<Edge>,
}

/// A control-flow edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub target: BlockId,
    /// Merges bound on the way, all at once: sources are read before any target is bound.
    pub bindings: Vec<Binding>,
}

/// One operation. At its *early* point it reads, at its *late* point it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The operation's name, or the kernel's.
    pub name: String,
    /// Source location, as the IR prints it; may be empty.
    pub location: String,
    /// Buffers of which this step makes a new instance, with undefined bytes.
    pub allocates: Vec<BufferId>,
    /// Merges bound by this step.
    pub bindings: Vec<Binding>,
    /// What it reads and writes: uses come first, then definitions.
    pub accesses: Vec<Access>,
    /// Tokens whose accesses have completed when this step has; before it reads and writes.
    pub waits: Vec<TokenId>,
    /// Cost in cycles, when stated.
    pub cycles: Option<u64>,
    /// Operands whose bytes a result may take over, as (operand, result): if both start at the same address,
    /// each byte is read before it is written over.
    pub in_place: Vec<(PointerId, PointerId)>,
    /// The core that runs it, when stated. Steps of one core run in order; those of different cores wait for
    /// each other only where one depends on the other, or waits for its token, and at the ends of blocks.
    pub core: Option<u32>,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads.
    Use,
    /// Writes.
    Define,
}

/// One read or write of bytes behind a pointer.
///
/// It is two-sided: `may` and the parts of [`Detail`] that say so bound what is touched from
/// above, `must` bounds it from below. All bounds hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Through what.
    pub pointer: PointerId,
    /// Read or write.
    pub kind: AccessKind,
    /// Bytes that may be touched, relative to the pointer's start; `None`: any it reaches.
    pub may: Option<Interval<Bytes>>,
    /// Bytes that are touched whenever the access takes place: empty or inside `may`. `None`: none
    /// for sure. See [`Access::certain`].
    pub must: Option<Interval<Bytes>>,
    /// What else is known; most accesses have nothing.
    pub detail: Option<Box<Detail>>,
}

/// What is known of an access beyond one interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Only bytes in this list are touched, relative to the pointer's start: the rows of a strided
    /// view. All of it lies inside `may`.
    pub rows: Option<Rows>,
    /// Only bytes between these bounds are touched.
    pub symbolic: Option<SymbolicRange>,
    /// The access takes place only if all of these hold; empty: always.
    pub predicate: Vec<Literal>,
    /// It may take place at any time between its step and the step that waits for this token.
    pub token: Option<TokenId>,
}

/// Bytes as a list of intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Which bytes.
    pub bytes: IntervalSet<Bytes>,
    /// Whether all of them are touched whenever the access takes place.
    pub all: bool,
}

/// Bytes between two bounds of which some are known only at run time. Empty if the end is not
/// behind the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymbolicRange {
    /// The first byte, relative to the pointer's start.
    pub start: Bound,
    /// The one after the last.
    pub end: Bound,
    /// Whether all of them are touched whenever the access takes place.
    pub all: bool,
}

/// A number of bytes that may depend on a value of the program: the value plus `offset`, or just
/// `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bound {
    /// The value, in bytes.
    pub symbol: Option<SymbolId>,
    /// What is added to it, in bytes.
    pub offset: i64,
}

/// A condition: a value of the program that is true, or one that is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The value.
    pub symbol: SymbolId,
    /// What it has to be.
    pub holds: bool,
}

/// A scalar value of SSA form: a number of bytes or a truth value that is known only at run time.
/// Two uses of one symbol mean the same number unless control has come through the start of one of
/// its blocks in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// For people; need not be unique.
    pub name: String,
    /// The blocks that compute what it is made of. Each dominates all steps that use it. None: it
    /// never changes.
    pub blocks: Vec<BlockId>,
}

impl Access {
    /// An access to anything that `pointer` reaches, or nothing.
    #[must_use]
    pub fn anywhere(kind: AccessKind, pointer: PointerId) -> Self {
        Self {
            pointer,
            kind,
            may: None,
            must: None,
            detail: None,
        }
    }

    /// An access to exactly the bytes of `range`.
    #[must_use]
    pub fn exact(kind: AccessKind, pointer: PointerId, range: Interval<Bytes>) -> Self {
        Self {
            may: Some(range),
            must: Some(range),
            ..Self::anywhere(kind, pointer)
        }
    }

    /// What is known beyond one interval, made if need be.
    pub fn detail_mut(&mut self) -> &mut Detail {
        self.detail.get_or_insert_default()
    }

    /// The conditions under which it takes place, all of which have to hold.
    #[must_use]
    pub fn predicate(&self) -> &[Literal] {
        self.detail.as_ref().map_or(&[], |d| &d.predicate)
    }

    /// The token it completes with, if it is asynchronous.
    #[must_use]
    pub fn token(&self) -> Option<TokenId> {
        self.detail.as_ref().and_then(|d| d.token)
    }

    /// Whether it takes place in every execution of its step, and at once.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        self.predicate().is_empty() && self.token().is_none()
    }

    /// The interval that is touched in every execution of the step, at the step.
    #[must_use]
    pub fn certain(&self) -> Option<Interval<Bytes>> {
        self.must.filter(|_| self.is_unconditional())
    }

    /// The rows of a strided access.
    #[must_use]
    pub fn rows(&self) -> Option<&Rows> {
        self.detail.as_ref().and_then(|d| d.rows.as_ref())
    }

    /// Its bounds, if some are known only at run time.
    #[must_use]
    pub fn symbolic(&self) -> Option<SymbolicRange> {
        self.detail.as_ref().and_then(|d| d.symbolic)
    }
}

/// One function, ready to be planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The function's symbol name.
    pub name: String,
    /// All storage it touches.
    pub buffers: Vec<Buffer>,
    /// All values that denote storage.
    pub pointers: Vec<Pointer>,
    /// Values that bounds and predicates of accesses depend on.
    pub symbols: Vec<Symbol>,
    /// Names of the completion tokens of asynchronous accesses.
    pub tokens: Vec<String>,
    /// The region tree; 0 is the function's body.
    pub regions: Vec<Region>,
    /// The control-flow graph; block 0 is the entry.
    pub blocks: Vec<Block>,
    /// All steps in layout order.
    pub steps: Vec<Step>,
}

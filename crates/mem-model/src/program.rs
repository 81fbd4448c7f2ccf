//! A program as the planner sees it: the buffers of one function, its control flow, and the bytes
//! that each step reads and writes. The model holds all that planners, checkers and reports need to
//! know about the source, independently of MLIR.
//!
//! Storage is denoted by *pointers*: SSA values that hold an address. A pointer is either the
//! address of a buffer or a *merge*: a block argument, or the result of a loop or a select, which
//! can denote different buffers on different paths. Edges and steps bind merges. Each execution of
//! an allocating step creates a new *instance* of its buffer, so a buffer allocated in a loop has
//! many.

use std::sync::Arc;

use thin_vec::ThinVec;

use crate::{
    BlockId, BufferId, Bytes, Interval, IntervalSet, PointerId, RegionId, StepId, SymbolId, TokenId,
};

/// Role of a buffer in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Owned by the caller; only read.
    Input,
    /// Owned by the caller; holds a result.
    Output,
    /// Holds the same bytes in every run.
    Constant,
    /// Lives only within the function.
    Intermediate,
}

/// Owner of a buffer's address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// The planner assigns the address.
    Planned,
    /// The buffer has an address outside of every arena (function arguments, globals).
    External,
    /// An earlier plan placed the buffer in an arena of this function.
    Placed {
        /// Name of the arena's level.
        level: String,
        /// Offset from the start of the arena, in bytes.
        offset: Bytes,
    },
}

/// Which other buffers a buffer may share bytes with, before planning. A planned buffer shares
/// bytes with no other: the planner gives it storage of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aliasing {
    /// Shares bytes with no other buffer and is invisible outside the function: local allocations
    /// that do not escape.
    #[default]
    Private,
    /// Shares bytes with no named buffer, but is reachable from outside the function: its bytes may
    /// be read after the function returns, and through `Unknown` buffers.
    Reachable,
    /// May overlap other arguments and `Unknown` buffers; reachable from outside.
    Argument,
    /// May overlap every buffer that is reachable from outside: storage of unknown origin.
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

    /// Whether code outside the function may read the bytes, after the function returns or during a
    /// call.
    #[must_use]
    pub fn is_visible_outside(self) -> bool {
        self != Self::Private
    }
}

/// The storage of one tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Unique within the program.
    pub name: Arc<str>,
    /// Size in bytes; zero is allowed.
    pub size: Bytes,
    /// Alignment of the address in bytes: a power of two.
    pub alignment: Bytes,
    /// Role in the function.
    pub role: Role,
    /// Owner of the address.
    pub storage: Storage,
    /// Buffers that it may share bytes with.
    pub aliasing: Aliasing,
    /// Source location, as the IR prints it; may be empty.
    pub location: Arc<str>,
}

/// An SSA value that denotes storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Unique within the program.
    pub name: Arc<str>,
    /// Storage that the pointer can denote.
    pub kind: PointerKind,
    /// Number of bytes reachable through the pointer, if known. Accesses are relative to its start.
    pub size: Option<Bytes>,
}

/// Storage that a pointer can denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// The start of a buffer; of the newest instance if the buffer is allocated in a loop.
    Buffer(BufferId),
    /// The storage of the most recent binding, by an edge or a step.
    Merge,
}

impl PointerKind {
    /// The buffer, if the pointer denotes a single one.
    #[must_use]
    pub const fn buffer(self) -> Option<BufferId> {
        match self {
            Self::Buffer(buffer) => Some(buffer),
            Self::Merge => None,
        }
    }
}

/// Assigns a merge pointer: from here on it denotes the storage of one of `sources`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The merge to assign.
    pub target: PointerId,
    /// Pointers whose storage the merge may denote; more than one for a select. Never empty.
    pub sources: Vec<PointerId>,
}

/// Kind of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// The function body; region 0.
    Function,
    /// A loop body; runs any number of times.
    Loop,
    /// One of several alternatives.
    Branch,
    /// A body that runs exactly once (`scf.execute_region`, `memref.alloca_scope`).
    Inline,
}

/// A region of structured control flow, for reports and cost models. The control flow itself is
/// given by the edges between blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Kind of the region.
    pub kind: RegionKind,
    /// Enclosing region; `None` for the function body.
    pub parent: Option<RegionId>,
}

/// A basic block: consecutive steps, entered only at the first step and left only after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Enclosing region.
    pub region: RegionId,
    /// Steps of the block, `[start, end)`. Blocks are in layout order and cover all steps.
    pub steps: Interval<StepId>,
    /// Edges out of the block. Empty: the function returns here, or control never leaves.
    pub successors: Vec<Edge>,
}

/// A control-flow edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Successor block.
    pub target: BlockId,
    /// Merges bound on the edge, simultaneously: all sources are read before any target is bound.
    pub bindings: Vec<Binding>,
}

/// One operation. A step reads at its *early* point and writes at its *late* point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Name of the operation or kernel.
    pub name: Arc<str>,
    /// Source location, as the IR prints it; may be empty.
    pub location: Arc<str>,
    /// Buffers of which the step creates a new instance, with undefined bytes.
    pub allocates: ThinVec<BufferId>,
    /// Merges bound by the step.
    pub bindings: ThinVec<Binding>,
    /// Reads and writes; all uses take place before all definitions.
    pub accesses: Vec<Access>,
    /// Tokens that the step waits for: their accesses have completed before the step reads or
    /// writes.
    pub waits: ThinVec<TokenId>,
    /// Compute time in cycles, if specified.
    pub cycles: Option<u64>,
    /// Operands whose bytes a result may take over, as (operand, result): if both start at the same
    /// address, the step reads each byte before it overwrites it.
    pub in_place: ThinVec<(PointerId, PointerId)>,
    /// Core that runs the step, if specified. Steps of one core run in order. Steps of different
    /// cores are ordered only by a dependence, by a wait for a token, and at block boundaries.
    pub core: Option<u32>,
}

/// Direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// A read.
    Use,
    /// A write.
    Define,
}

/// One read or write of bytes through a pointer.
///
/// The accessed bytes are bounded from both sides: `may`, and the upper bounds in [`Detail`], limit
/// the bytes from above, `must` from below. All bounds hold simultaneously.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Pointer that is accessed.
    pub pointer: PointerId,
    /// Read or write.
    pub kind: AccessKind,
    /// Bytes that may be touched, relative to the pointer's start; `None`: all reachable bytes.
    pub may: Option<Interval<Bytes>>,
    /// Bytes that are touched whenever the access takes place: empty or within `may`. `None`: no
    /// byte is known to be touched. See [`Access::certain`].
    pub must: Option<Interval<Bytes>>,
    /// Further bounds; absent for most accesses.
    pub detail: Option<Box<Detail>>,
}

/// Bounds on an access beyond one interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Touches only these bytes, relative to the pointer's start: the rows of a strided view. All
    /// of them lie within `may`.
    pub rows: Option<Rows>,
    /// Touches only the bytes between these bounds.
    pub symbolic: Option<SymbolicRange>,
    /// The access takes place only if all of these literals hold; empty: always.
    pub predicate: Vec<Literal>,
    /// The access may take place at any time between its step and the step that waits for this
    /// token.
    pub token: Option<TokenId>,
}

/// A list of byte intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The bytes.
    pub bytes: IntervalSet<Bytes>,
    /// Whether all the bytes are touched whenever the access takes place.
    pub all: bool,
}

/// Bytes between two bounds, of which some are known only at run time. Empty if the end is not
/// greater than the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymbolicRange {
    /// First byte, relative to the pointer's start.
    pub start: Bound,
    /// One past the last byte.
    pub end: Bound,
    /// Whether all the bytes are touched whenever the access takes place.
    pub all: bool,
}

/// A byte offset that may depend on a program value: `symbol + offset`, or `offset` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bound {
    /// The value, in bytes.
    pub symbol: Option<SymbolId>,
    /// Constant part, in bytes.
    pub offset: i64,
}

/// A condition: a program value, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The value.
    pub symbol: SymbolId,
    /// Required truth value.
    pub holds: bool,
}

/// A scalar SSA value: a number of bytes, or a truth value, known only at run time. Two uses of a
/// symbol see the same value unless control has passed through the start of one of its blocks in
/// between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name for reports; need not be unique.
    pub name: String,
    /// Blocks that compute the operands of the value. Each block dominates all steps that use the
    /// symbol. Empty: the value never changes.
    pub blocks: Vec<BlockId>,
}

impl Access {
    /// An access that may touch any byte reachable through `pointer`, or none.
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

    /// An access that touches exactly the bytes of `range`.
    #[must_use]
    pub fn exact(kind: AccessKind, pointer: PointerId, range: Interval<Bytes>) -> Self {
        Self {
            may: Some(range),
            must: Some(range),
            ..Self::anywhere(kind, pointer)
        }
    }

    /// Returns the further bounds, creating them if absent.
    pub fn detail_mut(&mut self) -> &mut Detail {
        self.detail.get_or_insert_default()
    }

    /// Returns the conditions of the access; all of them must hold for it to take place.
    #[must_use]
    pub fn predicate(&self) -> &[Literal] {
        self.detail.as_ref().map_or(&[], |d| &d.predicate)
    }

    /// Returns the completion token if the access is asynchronous.
    #[must_use]
    pub fn token(&self) -> Option<TokenId> {
        self.detail.as_ref().and_then(|d| d.token)
    }

    /// Whether the access takes place in every execution of its step, and synchronously.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        self.predicate().is_empty() && self.token().is_none()
    }

    /// Returns the interval that every execution of the step touches, synchronously.
    #[must_use]
    pub fn certain(&self) -> Option<Interval<Bytes>> {
        self.must.filter(|_| self.is_unconditional())
    }

    /// Returns the rows of a strided access.
    #[must_use]
    pub fn rows(&self) -> Option<&Rows> {
        self.detail.as_ref().and_then(|d| d.rows.as_ref())
    }

    /// Returns the symbolic bounds, if there are any.
    #[must_use]
    pub fn symbolic(&self) -> Option<SymbolicRange> {
        self.detail.as_ref().and_then(|d| d.symbolic)
    }
}

/// One function, ready for planning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Symbol name of the function.
    pub name: String,
    /// All storage that the function touches.
    pub buffers: Vec<Buffer>,
    /// All values that denote storage.
    pub pointers: Vec<Pointer>,
    /// Values that the bounds and predicates of accesses depend on.
    pub symbols: Vec<Symbol>,
    /// Names of the completion tokens of asynchronous accesses.
    pub tokens: Vec<String>,
    /// The region tree; region 0 is the function body.
    pub regions: Vec<Region>,
    /// The control-flow graph; block 0 is the entry.
    pub blocks: Vec<Block>,
    /// All steps in layout order.
    pub steps: Vec<Step>,
}

impl Program {
    /// All bindings, those of edges first.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        bindings(&self.blocks, &self.steps)
    }
}

/// All bindings of a program with these blocks and steps, those of edges first.
pub fn bindings<'p>(blocks: &'p [Block], steps: &'p [Step]) -> impl Iterator<Item = &'p Binding> {
    let edges = blocks.iter().flat_map(|block| &block.successors);
    let on_edges = edges.flat_map(|edge| &edge.bindings);
    on_edges.chain(steps.iter().flat_map(|step| &step.bindings))
}

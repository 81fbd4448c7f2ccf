//! A program as the planner sees it: one function's buffers, its control flow, and which bytes
//! each step reads and writes. Everything a planner, a checker or a picture needs to know of the
//! source is here, without MLIR.
//!
//! Storage is denoted by *pointers*, the values of SSA form that hold an address. A pointer is
//! either the address of a buffer, or a *merge*: a block argument, the result of a loop or of a
//! select, which can denote different buffers on different paths. Edges and steps bind merges.
//! A buffer allocated inside a loop is a new *instance* each time its allocating step runs.

use crate::{BlockId, BufferId, Bytes, Interval, PointerId, RegionId, StepId};

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Cost in cycles, when stated.
    pub cycles: Option<u64>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Through what.
    pub pointer: PointerId,
    /// Read or write.
    pub kind: AccessKind,
    /// Bytes that may be touched, relative to the pointer's start; `None`: any it reaches.
    pub may: Option<Interval<Bytes>>,
    /// Bytes that are touched in every execution; empty or inside `may`. `None`: none for sure.
    pub must: Option<Interval<Bytes>>,
}

/// One function, ready to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The function's symbol name.
    pub name: String,
    /// All storage it touches.
    pub buffers: Vec<Buffer>,
    /// All values that denote storage.
    pub pointers: Vec<Pointer>,
    /// The region tree; 0 is the function's body.
    pub regions: Vec<Region>,
    /// The control-flow graph; block 0 is the entry.
    pub blocks: Vec<Block>,
    /// All steps in layout order.
    pub steps: Vec<Step>,
}

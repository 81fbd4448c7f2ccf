//! From IR to the planner's model: one function becomes one `Program`.
//!
//! Everything the planner knows of a function is found out here, in four passes over it: `scan`
//! numbers storage (allocations, arguments) and merges (block arguments, loop results, selects);
//! `flow` flattens structured and unstructured control flow into one graph of blocks; `access`
//! turns effects into reads and writes of byte ranges; `escape` refuses buffers whose address gets
//! away. What is refused stays what it was, so everything else may be taken for granted: storage
//! that the model plans is reached through the model's pointers only.
//!
//! Cost: linear in operations, operands and control-flow edges.

mod access;
mod accesses;
mod callgraph;
mod calls;
mod compared;
mod escape;
mod flow;
mod globals;
mod places;
mod precise;
mod scan;
mod sharing;
mod sizes;
mod waits;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use indexmap::IndexMap;
use mem_model::{
    Aliasing, Block as ModelBlock, BlockId, Buffer, BufferId, Bytes, Pointer, PointerId,
    PointerKind, Program, Region as ModelRegion, RegionKind, Role, Rotation, Size, Step, Storage,
    Symbol, SymbolId, TokenId,
};

pub(crate) use callgraph::{Function, functions_bottom_up};
pub(crate) use calls::{Callees, FunctionSummary, Workspace, callee_of};
pub(crate) use escape::is_private;
pub(crate) use places::{Place, descriptor_bounds, view_source};
pub(crate) use scan::MAX_ALIGNMENT;
pub(crate) use sharing::reads_before_it_writes;
pub(crate) use sizes::{Entry, Sizes};

use crate::example::Example;
use crate::mlir::{Block, Facts, Location, MemrefLayout, Op, Type, Value, memref_layout};
use flow::PendingEdge;

/// The least that a buffer has in the model if its size is known only at run time. Constant offsets in it are
/// below that, so that no part of it is ever taken for all of it.
pub(crate) const UNKNOWN_BYTES: u64 = 1 << 40;

/// Which operations make the buffers that the caller wants to know about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// `memref.alloc` and `memref.alloca`: what could become a `mem.buffer`.
    Allocations,
    /// `mem.buffer`: what is to be planned, and `mem.view`: what has been.
    Buffers,
    /// What has been planned, as it would be to be planned again: each `mem.view`, slice and `mem.rotate` makes a
    /// buffer. Every number that only the run time knows is taken for the same.
    Placed { unknown: u64 },
    /// The same with all storage, and all that is known of every access.
    Levels { unknown: u64 },
    /// `mem.buffer`, and all other storage that has a name: what is to be planned over several levels. The flag: no
    /// two arguments share a byte.
    Tensors { noalias_arguments: bool },
    /// All storage, and all that is known of every access: for dependence analysis. Arenas are
    /// buffers then, and views places in them. The flag: no two arguments share a byte.
    Everything { noalias_arguments: bool },
}

impl Roots {
    pub(crate) fn is_everything(self) -> bool {
        matches!(self, Self::Everything { .. })
    }

    /// Storage that nobody plans is told apart as well.
    pub(crate) fn has_all_storage(self) -> bool {
        matches!(
            self,
            Self::Everything { .. } | Self::Levels { .. } | Self::Tensors { .. }
        )
    }

    /// All that is known of every access is wanted.
    fn is_precise(self) -> bool {
        self.has_all_storage()
    }

    /// What asynchronous operations access is told by tokens; otherwise it is in use until somebody waits.
    fn has_tokens(self) -> bool {
        matches!(self, Self::Everything { .. } | Self::Levels { .. })
    }

    /// What has been placed is taken for buffers; unknown numbers for this one.
    fn example(self) -> Option<u64> {
        match self {
            Self::Placed { unknown } | Self::Levels { unknown } => Some(unknown),
            _ => None,
        }
    }
}

/// Whether the model says where in the source things are. Printing a location costs more than
/// everything else about a step, and most callers never look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locations {
    Keep,
    Skip,
}

impl Locations {
    /// Kept if a file of this name is written, and skipped if it has no name.
    pub fn for_report(file: &str) -> Self {
        match file {
            "" => Self::Skip,
            _ => Self::Keep,
        }
    }
}

/// Why a buffer cannot be planned.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// A clause that follows "because" or "it".
    pub reason: String,
    /// The operation that is to blame, if it is not the allocation itself.
    pub blame: Option<Op>,
}

/// One function as a model, and the way back from ids to IR.
pub(crate) struct Extraction {
    pub program: Program,
    /// The operation behind each step.
    pub step_ops: Vec<Op>,
    /// By step: the value behind each access; `None` for those that no operand stands for.
    pub access_values: Vec<Vec<Option<Value>>>,
    /// Strided views with more rows than are told apart.
    pub n_long_row_lists: usize,
    /// The operation that makes each buffer; `None` for arguments and workspaces.
    pub buffer_ops: Vec<Option<Op>>,
    /// The value behind each pointer; `None` for workspaces and for storage from elsewhere.
    pub pointer_values: Vec<Option<Value>>,
    /// Buffers that must not be planned, and why.
    pub refusals: BTreeMap<BufferId, Refusal>,
    /// Allocations that could not even become buffers of the model, and why.
    pub misfits: Vec<(Op, Refusal)>,
    /// Deallocations all of whose targets can be planned: they go when the buffers do.
    pub deallocations: Vec<Op>,
    /// Workspaces that calls need: the call and the buffer that stands for it.
    pub workspaces: Vec<(Op, BufferId)>,
    /// Every value that is a view of a buffer, and where in it; in the order in which they were met, which is the same in every run.
    pub places: IndexMap<Value, Place>,
    /// Buffers whose size is known only at run time, and that size. In the model they have
    /// [`UNKNOWN_BYTES`] or some more; equal sizes are equal there, too.
    pub sizes: BTreeMap<BufferId, Size>,
    /// What those sizes are made of.
    pub unknowns: Sizes,
    /// Where those are known, if there are any.
    pub entry: Option<Entry>,
    /// What `mem.rotate` keeps away from, if those make buffers.
    pub rotations: Vec<Rotation>,
    /// What callers have to know.
    pub summary: FunctionSummary,
}

/// Extracts `function`, given summaries of what it calls.
pub(crate) fn extract(
    function: Op,
    roots: Roots,
    locations: Locations,
    callees: &Callees,
) -> Extraction {
    let mut extractor = Extractor::new(function, roots, locations, callees);
    extractor.scan();
    extractor.lower_function();
    extractor.finish()
}

/// The state of one extraction.
struct Extractor<'m> {
    function: Op,
    roots: Roots,
    locations: Locations,
    callees: &'m Callees,
    /// Layouts of the types met so far: there are far fewer types than values.
    layouts: HashMap<Type, Option<Rc<MemrefLayout>>>,
    /// What the scan has asked already.
    facts: HashMap<Op, Facts>,

    // The model as it grows.
    buffers: Vec<Buffer>,
    pointers: Vec<Pointer>,
    regions: Vec<ModelRegion>,
    blocks: Vec<ModelBlock>,
    steps: Vec<Step>,

    // The way back to IR.
    step_ops: Vec<Op>,
    access_values: Vec<Vec<Option<Value>>>,
    buffer_ops: Vec<Option<Op>>,
    pointer_values: Vec<Option<Value>>,
    places: IndexMap<Value, Place>,
    sizes: BTreeMap<BufferId, Size>,
    unknowns: Sizes,
    /// Sizes that are known only at run time, in the order in which they were met.
    distinct_sizes: Vec<Size>,
    /// Where the function makes its arena; found when first needed.
    entry: Option<Entry>,
    /// Stands for all storage the model does not know; made when first needed.
    elsewhere: Option<PointerId>,
    names: HashMap<String, usize>,

    // For dependence analysis only.
    globals: HashMap<String, PointerId>,
    constants: Option<HashMap<String, bool>>,
    /// The block in which each operation's results are computed.
    op_blocks: HashMap<Op, BlockId>,
    value_numbers: HashMap<Value, u32>,
    /// Values as linear forms of others, as far as they have been asked for.
    linear_forms: HashMap<Value, Option<precise::Linear>>,
    /// By number of a value: the block that computes it.
    value_homes: Vec<BlockId>,
    symbols: Vec<Symbol>,
    symbol_numbers: HashMap<BTreeMap<u32, i64>, SymbolId>,
    tokens: Vec<String>,
    token_numbers: HashMap<Value, TokenId>,
    n_long_row_lists: usize,

    rotations: Vec<Rotation>,
    /// Numbers for what only the run time knows; made when first needed.
    example: Option<Example>,

    // What asynchronous operations end where.
    waits: HashMap<Op, Option<Op>>,
    has_cores: Option<bool>,
    begun: HashMap<Op, Vec<(Op, std::ops::Range<usize>)>>,
    ends: Vec<waits::Ends>,

    // Control flow under construction.
    /// Allocated since the last step: the next one of the same block makes the instances.
    pending: Vec<BufferId>,
    edges: Vec<PendingEdge>,
    labels: HashMap<flow::Label, BlockId>,
    /// Edges between regions, by the terminator they start from.
    region_edges: HashMap<Op, Vec<(flow::Label, crate::mlir::Forwarded)>>,

    // What came up on the way.
    escapes: Vec<(PointerId, Refusal)>,
    /// Alignments in bytes that views and accesses rely on.
    alignments: Vec<(PointerId, u64)>,
    misfits: Vec<(Op, Refusal)>,
    deallocations: Vec<(Op, PointerId)>,
    workspaces: Vec<(Op, BufferId)>,
    returned: Vec<Vec<PointerId>>,
    arguments: Vec<Option<PointerId>>,
}

impl<'m> Extractor<'m> {
    fn new(function: Op, roots: Roots, locations: Locations, callees: &'m Callees) -> Self {
        Self {
            function,
            roots,
            locations,
            callees,
            layouts: HashMap::new(),
            facts: HashMap::new(),
            buffers: Vec::new(),
            pointers: Vec::new(),
            regions: vec![ModelRegion {
                kind: RegionKind::Function,
                parent: None,
            }],
            blocks: Vec::new(),
            steps: Vec::new(),
            step_ops: Vec::new(),
            access_values: Vec::new(),
            globals: HashMap::new(),
            constants: None,
            op_blocks: HashMap::new(),
            value_numbers: HashMap::new(),
            linear_forms: HashMap::new(),
            value_homes: Vec::new(),
            symbols: Vec::new(),
            symbol_numbers: HashMap::new(),
            tokens: Vec::new(),
            token_numbers: HashMap::new(),
            n_long_row_lists: 0,
            buffer_ops: Vec::new(),
            pointer_values: Vec::new(),
            places: IndexMap::new(),
            sizes: BTreeMap::new(),
            unknowns: Sizes::default(),
            distinct_sizes: Vec::new(),
            entry: None,
            elsewhere: None,
            names: HashMap::new(),
            rotations: Vec::new(),
            example: None,
            waits: HashMap::new(),
            has_cores: None,
            begun: HashMap::new(),
            ends: Vec::new(),
            pending: Vec::new(),
            edges: Vec::new(),
            labels: HashMap::new(),
            region_edges: HashMap::new(),
            escapes: Vec::new(),
            alignments: Vec::new(),
            misfits: Vec::new(),
            deallocations: Vec::new(),
            workspaces: Vec::new(),
            returned: Vec::new(),
            arguments: Vec::new(),
        }
    }

    fn body_entry(&self) -> Option<Block> {
        self.function
            .regions()
            .next()
            .and_then(|region| region.first_block())
    }

    /// Adds a buffer with the pointer that denotes it.
    fn add_buffer(
        &mut self,
        mut buffer: Buffer,
        op: Option<Op>,
        value: Option<Value>,
    ) -> (BufferId, PointerId) {
        buffer.name = self.unique_name(&buffer.name);
        let id = BufferId::new(self.buffers.len());
        let (name, size) = (buffer.name.clone(), buffer.size);
        self.buffers.push(buffer);
        self.buffer_ops.push(op);
        let kind = PointerKind::Buffer(id);
        let pointer = self.add_pointer(
            Pointer {
                name,
                kind,
                size: Some(size),
            },
            value,
        );
        if let Some(value) = value {
            self.places.insert(
                value,
                Place {
                    pointer,
                    start: Some(0),
                    end: None,
                    is_whole: false,
                },
            );
        }
        (id, pointer)
    }

    /// Adds a pointer for a value, without a place.
    fn add_pointer(&mut self, pointer: Pointer, value: Option<Value>) -> PointerId {
        let id = PointerId::new(self.pointers.len());
        self.pointers.push(pointer);
        self.pointer_values.push(value);
        id
    }

    /// The pointer that stands for all storage the model does not know.
    fn elsewhere(&mut self) -> PointerId {
        if let Some(pointer) = self.elsewhere {
            return pointer;
        }
        let name = "elsewhere".to_owned();
        let (size, alignment) = (Bytes::new(0), Bytes::new(1));
        let storage = Storage::External;
        let location = String::new();
        let role = Role::Input;
        let buffer = Buffer {
            name,
            size,
            alignment,
            role,
            storage,
            aliasing: Aliasing::Unknown,
            location,
        };
        let (_, pointer) = self.add_buffer(buffer, None, None);
        self.pointers[pointer.index()].size = None;
        self.elsewhere = Some(pointer);
        pointer
    }

    /// `wanted`, or `wanted.1`, `wanted.2`, … if it is taken.
    fn unique_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while let Some(count) = self.names.get_mut(&name) {
            *count += 1;
            name = format!("{wanted}.{count}");
        }
        self.names.insert(name.clone(), 0);
        name
    }

    /// The buffer whose start a pointer is, if it is one.
    fn buffer_of(&self, pointer: PointerId) -> Option<BufferId> {
        match self.pointers[pointer.index()].kind {
            PointerKind::Buffer(buffer) => Some(buffer),
            PointerKind::Merge => None,
        }
    }

    /// What a memref's type says of its bytes.
    fn layout(&mut self, ty: Type) -> Option<Rc<MemrefLayout>> {
        self.layouts
            .entry(ty)
            .or_insert_with(|| memref_layout(ty).map(Rc::new))
            .clone()
    }

    /// A location without its `loc(…)`, or nothing if nobody wants to know.
    fn location_text(&self, location: Location) -> String {
        if self.locations == Locations::Skip {
            return String::new();
        }
        let text = location.to_string();
        let inner = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')'));
        let inner = inner.unwrap_or(&text);
        if inner == "unknown" {
            String::new()
        } else {
            inner.replace('"', "")
        }
    }
}

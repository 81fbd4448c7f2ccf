//! Extraction: lowers one function from IR to the planner's model, a [`Program`].
//!
//! Everything the planner knows about a function is collected here, in four passes over the
//! function:
//!
//! * `scan` numbers storage (allocations, arguments) and merges (block arguments, loop results,
//!   selects);
//! * `flow` flattens structured and unstructured control flow into a single CFG;
//! * `access` turns effects into reads and writes of byte ranges;
//! * `escape` refuses to plan buffers whose address escapes.
//!
//! Refused buffers are left unchanged. All other storage that the model plans is therefore accessed
//! only through the model's pointers, and later passes rely on that.
//!
//! Complexity: linear in the number of operations, operands and control-flow edges.

mod access;
mod accesses;
mod bounds;
mod callgraph;
mod calls;
pub mod chains;
mod compared;
pub(crate) mod dependence;
mod escape;
mod flow;
mod globals;
pub(crate) mod levels;
mod missed;
pub(crate) mod order;
mod places;
mod precise;
mod refusals;
mod requests;
mod scan;
mod sharing;
mod sizes;
pub(crate) mod tiles;
mod units;
pub(crate) mod views;
mod waits;

use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use mem_flow::{FlowError, Lifetimes, analyze_lifetimes};
use mem_model::{
    Aliasing, Block as ModelBlock, BlockId, Buffer, BufferId, Bytes, Pointer, PointerId,
    PointerKind, Program, Region as ModelRegion, RegionKind, Role, Rotation, Size, Step, Storage,
    Symbol, SymbolId, TokenId,
};

pub(crate) use accesses::AccessValues;
pub(crate) use bounds::BoundedSize;
pub(crate) use callgraph::{Function, functions_bottom_up};
pub(crate) use calls::Callees;
pub(crate) use calls::{FunctionSummary, Workspace, callee_of};
pub(crate) use escape::is_private;
pub(crate) use missed::{not_in_place, remark_missed_reuses};
pub use places::{Place, descriptor_bounds};
pub(crate) use refusals::{
    Escape, Misfit, Refusal, RefusalReason, checked_alignment, location_of, not_planned,
    refuse_escaping, remark_unplannable,
};
pub(crate) use scan::MAX_ALIGNMENT;
pub(crate) use sharing::reads_before_it_writes;
pub(crate) use sizes::{Entry, Sizes};
pub(crate) use waits::is_wait;

use crate::ir::example::Example;
use crate::ir::{Block, Facts, Location, MemrefLayout, Op, Type, Value, memref_layout};
use flow::PendingEdge;

/// Minimum modeled size, in bytes, of a buffer whose size is known only at run time. Constant
/// offsets into such a buffer lie below this value, so no constant sub-range is mistaken for the
/// whole buffer.
pub(crate) const UNKNOWN_BYTES: u64 = 1 << 40;

/// Which operations define the buffers that the caller is interested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// `memref.alloc` and `memref.alloca`: candidates for conversion to `mem.buffer`.
    Allocations,
    /// `mem.buffer`, which is still to be planned, and `mem.view`, which has been placed already.
    Buffers,
    /// Placed storage, modeled as if it were to be planned again: each `mem.view`, `mem.slice` and
    /// `mem.rotate` defines a buffer. Every number known only at run time is assumed to equal
    /// `unknown`.
    Placed {
        /// The assumed number.
        unknown: u64,
    },
    /// As `Placed`, but with all storage and with everything known about every access.
    Levels {
        /// The assumed number.
        unknown: u64,
    },
    /// `mem.buffer`, and all other storage that has a name: the input of planning for several
    /// levels. `noalias_arguments` asserts that no two arguments share a byte.
    Tensors {
        /// Whether no two arguments share a byte.
        noalias_arguments: bool,
    },
    /// All storage, with everything known about every access: the input of dependence analysis.
    /// Arenas are buffers, and views are places in them. `noalias_arguments` asserts that no two
    /// arguments share a byte.
    Everything {
        /// Whether no two arguments share a byte.
        noalias_arguments: bool,
    },
}

impl Roots {
    pub(crate) fn is_everything(self) -> bool {
        matches!(self, Self::Everything { .. })
    }

    /// Whether storage that is not planned is modeled individually as well.
    pub(crate) fn has_all_storage(self) -> bool {
        matches!(
            self,
            Self::Everything { .. } | Self::Levels { .. } | Self::Tensors { .. }
        )
    }

    /// Whether everything known about every access is recorded.
    fn is_precise(self) -> bool {
        self.has_all_storage()
    }

    /// Whether tokens model the accesses of asynchronous operations. Otherwise, the storage such an
    /// operation touches is in use until the operation that waits for it.
    fn has_tokens(self) -> bool {
        matches!(self, Self::Everything { .. } | Self::Levels { .. })
    }

    /// The number assumed for every unknown value, if placed storage defines buffers.
    fn example(self) -> Option<u64> {
        match self {
            Self::Placed { unknown } | Self::Levels { unknown } => Some(unknown),
            _ => None,
        }
    }
}

/// Whether the model records source locations. Printing a location costs more than all other work
/// on a step, and most callers never read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locations {
    /// Steps and buffers have the locations of their operations.
    Keep,
    /// Nothing has a location.
    Skip,
}

impl Locations {
    /// Keeps locations if a report is written, i.e. if `file` is not empty.
    pub(crate) fn for_report(file: &str) -> Self {
        match file {
            "" => Self::Skip,
            _ => Self::Keep,
        }
    }
}

/// Values that are views of storage, each with its place.
pub(crate) type Places = IndexMap<Value, Place, FxBuildHasher>;

/// One function as a model, and the mapping from ids back to IR.
pub struct Extraction {
    /// The model.
    pub program: Program,
    /// The operation of each step.
    pub step_ops: Vec<Op>,
    /// The values that accesses go through.
    pub(crate) access_values: AccessValues,
    /// Number of accesses to strided views with too many rows to list individually.
    pub n_long_row_lists: usize,
    /// The operation that defines each buffer; `None` for arguments and workspaces.
    pub buffer_ops: Vec<Option<Op>>,
    /// The value of each pointer; `None` for workspaces and for unknown external storage.
    pub pointer_values: Vec<Option<Value>>,
    /// Buffers that must not be planned, and why.
    pub(crate) refusals: BTreeMap<BufferId, Refusal>,
    /// Allocations that cannot be represented as buffers of the model, and why.
    pub(crate) misfits: Vec<(Op, Refusal)>,
    /// Allocations of run-time size that are planned at the upper bound of their size.
    pub(crate) bounded_sizes: Vec<BoundedSize>,
    /// Deallocations whose targets can all be planned: they are erased along with the buffers.
    pub deallocations: Vec<Op>,
    /// What each `memref.dealloc` frees.
    pub(crate) freed: HashMap<Op, PointerId>,
    /// Workspaces that calls need: the call, and the buffer that represents its workspace.
    pub workspaces: Vec<(Op, BufferId)>,
    /// Every value that is a view of a buffer, and its place in that buffer. Iteration order is the
    /// order of discovery, which is deterministic. Empty for `Roots::Everything`: dependence analysis asks
    /// about accesses, and a million values take much memory.
    pub places: Places,
    /// Symbolic sizes of buffers whose size is known only at run time. Unless `Roots` assumes a
    /// number for unknown values, such a buffer has at least `UNKNOWN_BYTES` bytes in the model,
    /// and equal sizes stay equal.
    pub sizes: BTreeMap<BufferId, Size>,
    /// The unknowns that those sizes are polynomials of.
    pub(crate) unknowns: Sizes,
    /// The program point where the arena is created, if any run-time size had to be available
    /// there.
    pub(crate) entry: Option<Entry>,
    /// The `mem.rotate` operations and what each avoids, if rotations define buffers.
    pub rotations: Vec<Rotation>,
    /// Summary for callers.
    pub(crate) summary: FunctionSummary,
}

impl Extraction {
    /// The lifetimes of all buffers. An instance that only a request denotes has no value whose address a
    /// slot could be compared with, so a buffer with such instances gets no address.
    ///
    /// # Errors
    /// If the program is not well-formed.
    pub(crate) fn lifetimes(&self) -> Result<Lifetimes, FlowError> {
        let mut lifetimes = analyze_lifetimes(&self.program)?;
        lifetimes.leave_out_nameless(|pointer| {
            let value = self.pointer_values[pointer.index()];
            requests::is_nameless(&self.program.pointers[pointer.index()], value)
        });
        Ok(lifetimes)
    }
}

/// Extracts all functions of a planned module, callees before callers. `unknown`: the value of
/// sizes that are known only at run time.
pub fn extract_placed(module: Op, unknown: u64) -> Vec<Extraction> {
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    let extractions = functions.iter().map(|function| {
        let roots = Roots::Placed { unknown };
        let extraction = extract(function.op, roots, Locations::Skip, &callees);
        callees.learn(function, &extraction, false);
        extraction
    });
    extractions.collect()
}

/// Extracts `function`, given summaries of its callees.
pub(crate) fn extract(
    function: Op,
    roots: Roots,
    locations: Locations,
    callees: &Callees,
) -> Extraction {
    let mut extractor = Extractor::new(function, roots, locations, callees);
    // Blocks need not be in dominance order, so an operation can precede the definition of its
    // operands. All storage is therefore numbered before any operation is lowered.
    extractor.scan();
    extractor.lower_function();
    let extraction = extractor.finish();
    trace(&extraction);
    extraction
}

/// Traces what was found, and every buffer that must not be planned.
fn trace(extraction: &Extraction) {
    let program = &extraction.program;
    log::debug!(
        target: "extract",
        "@{}: {} steps, {} buffers, {} pointers", program.name,
        program.steps.len(), program.buffers.len(), program.pointers.len(),
    );
    for (buffer, refusal) in &extraction.refusals {
        let name = &program.buffers[buffer.index()].name;
        log::debug!(
            target: "extract",
            "@{}: '{name}' is not planned: {}", program.name, refusal.reason,
        );
    }
    for (op, refusal) in &extraction.misfits {
        log::debug!(
            target: "extract",
            "@{}: a '{}' is not planned: {}", program.name, op.name(), refusal.reason,
        );
    }
}

/// The state of one extraction.
struct Extractor<'m> {
    function: Op,
    roots: Roots,
    locations: Locations,
    callees: &'m Callees,
    /// Layouts of the types seen so far: there are far fewer types than values.
    layouts: HashMap<Type, Option<Rc<MemrefLayout>>>,
    /// Facts about operations, as computed by the scan, in the order in which operations are lowered.
    facts: VecDeque<(Op, Facts)>,
    /// By the identity of an operation's name: whether the name is that of an asynchronous operation.
    asynchronous_names: HashMap<usize, bool>,

    // The model under construction.
    buffers: Vec<Buffer>,
    pointers: Vec<Pointer>,
    regions: Vec<ModelRegion>,
    blocks: Vec<ModelBlock>,
    steps: Vec<Step>,

    // Mapping back to IR.
    step_ops: Vec<Op>,
    access_values: AccessValues,
    buffer_ops: Vec<Option<Op>>,
    pointer_values: Vec<Option<Value>>,
    places: Places,
    sizes: BTreeMap<BufferId, Size>,
    unknowns: Sizes,
    bounds: bounds::Bounds,
    /// Distinct run-time sizes, in order of discovery.
    distinct_sizes: Vec<Size>,
    /// Where the function creates its arena; computed on first use.
    entry: Option<Entry>,
    /// Represents all storage unknown to the model; created on first use.
    elsewhere: Option<PointerId>,
    names: HashSet<Arc<str>>,
    /// By name: how often it was wanted after it had been taken.
    repeated_names: HashMap<Arc<str>, usize>,
    /// Names of steps, by the ids of the names of operations.
    step_names: HashMap<usize, Arc<str>>,

    // Used by dependence analysis only.
    globals: HashMap<String, PointerId>,
    constants: Option<HashMap<String, bool>>,
    /// The block that computes the results of each operation that computes numbers.
    op_blocks: HashMap<Op, BlockId>,
    value_numbers: HashMap<Value, u32>,
    /// Memoized linear forms of values.
    linear_forms: HashMap<Value, Option<precise::Linear>>,
    /// Indexed by value number: the block that computes the value.
    value_homes: Vec<BlockId>,
    symbols: Vec<Symbol>,
    symbol_numbers: HashMap<BTreeMap<u32, i64>, SymbolId>,
    tokens: Vec<String>,
    token_numbers: HashMap<Value, TokenId>,
    n_long_row_lists: usize,

    rotations: Vec<Rotation>,
    /// Example values for numbers known only at run time; created on first use.
    example: Option<Example>,

    // Completion of asynchronous operations.
    waits: HashMap<Op, Option<Vec<Op>>>,
    has_cores: Option<bool>,
    begun: HashMap<Op, Vec<(Op, std::ops::Range<usize>)>>,
    ends: Vec<waits::Ends>,
    requests: requests::Requests,

    // Control flow under construction.
    /// Buffers allocated since the last step; the next step of the same block creates their
    /// instances.
    pending: Vec<BufferId>,
    edges: Vec<PendingEdge>,
    labels: HashMap<flow::Label, BlockId>,
    /// Edges between regions, keyed by the terminator they leave from.
    region_edges: HashMap<Op, Vec<(flow::Label, crate::ir::Forwarded)>>,

    // Findings of the lowering, evaluated by `finish`.
    /// Pointers whose addresses escape, and the operations through which they do.
    escapes: Vec<(PointerId, Escape, Op)>,
    /// Alignments, in bytes, that views and accesses rely on.
    alignments: Vec<(PointerId, u64)>,
    misfits: Vec<(Op, Refusal)>,
    bounded_sizes: Vec<BoundedSize>,
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
            layouts: HashMap::default(),
            facts: VecDeque::new(),
            asynchronous_names: HashMap::default(),
            buffers: Vec::new(),
            pointers: Vec::new(),
            regions: vec![ModelRegion {
                kind: RegionKind::Function,
                parent: None,
            }],
            blocks: Vec::new(),
            steps: Vec::new(),
            step_ops: Vec::new(),
            access_values: AccessValues::default(),
            globals: HashMap::default(),
            constants: None,
            op_blocks: HashMap::default(),
            value_numbers: HashMap::default(),
            linear_forms: HashMap::default(),
            value_homes: Vec::new(),
            symbols: Vec::new(),
            symbol_numbers: HashMap::default(),
            tokens: Vec::new(),
            token_numbers: HashMap::default(),
            n_long_row_lists: 0,
            buffer_ops: Vec::new(),
            pointer_values: Vec::new(),
            places: Places::default(),
            sizes: BTreeMap::new(),
            unknowns: Sizes::default(),
            bounds: bounds::Bounds::default(),
            distinct_sizes: Vec::new(),
            entry: None,
            elsewhere: None,
            names: HashSet::default(),
            repeated_names: HashMap::default(),
            step_names: HashMap::default(),
            rotations: Vec::new(),
            example: None,
            waits: HashMap::default(),
            has_cores: None,
            begun: HashMap::default(),
            ends: Vec::new(),
            requests: requests::Requests::default(),
            pending: Vec::new(),
            edges: Vec::new(),
            labels: HashMap::default(),
            region_edges: HashMap::default(),
            escapes: Vec::new(),
            alignments: Vec::new(),
            misfits: Vec::new(),
            bounded_sizes: Vec::new(),
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

    /// Adds a buffer, together with the pointer that denotes it.
    fn add_buffer(
        &mut self,
        mut buffer: Buffer,
        op: Option<Op>,
        value: Option<Value>,
    ) -> (BufferId, PointerId) {
        buffer.name = self.unique_name(buffer.name);
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
            self.places.insert(value, Place::new(pointer, Some(0)));
        }
        (id, pointer)
    }

    /// Adds a pointer for a value without recording a place for the value.
    fn add_pointer(&mut self, pointer: Pointer, value: Option<Value>) -> PointerId {
        let id = PointerId::new(self.pointers.len());
        self.pointers.push(pointer);
        self.pointer_values.push(value);
        id
    }

    /// The pointer that represents all storage unknown to the model.
    fn elsewhere(&mut self) -> PointerId {
        if let Some(pointer) = self.elsewhere {
            return pointer;
        }
        let name = "elsewhere".into();
        let (size, alignment) = (Bytes::new(0), Bytes::new(1));
        let storage = Storage::External;
        let location = Arc::default();
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
        // With a size of 0, no access would lie within it.
        self.pointers[pointer.index()].size = None;
        self.elsewhere = Some(pointer);
        pointer
    }

    /// Returns `wanted`, or the first free name of `wanted.1`, `wanted.2`, … if it is taken.
    fn unique_name(&mut self, wanted: Arc<str>) -> Arc<str> {
        let mut name = wanted.clone();
        // Attributes and locations can state any name, so a generated name may be taken as well.
        while !self.names.insert(name.clone()) {
            // Counting upwards per name keeps many buffers of one name linear.
            let count = self.repeated_names.entry(name).or_default();
            *count += 1;
            name = format!("{wanted}.{count}").into();
        }
        name
    }

    /// The buffer that `pointer` is the start of, if it denotes a single buffer.
    fn buffer_of(&self, pointer: PointerId) -> Option<BufferId> {
        self.pointers[pointer.index()].kind.buffer()
    }

    /// The layout of a memref type, memoized.
    fn layout(&mut self, ty: Type) -> Option<Rc<MemrefLayout>> {
        self.layouts
            .entry(ty)
            .or_insert_with(|| memref_layout(ty).map(Rc::new))
            .clone()
    }

    /// Prints a location without its `loc(…)`. Empty if locations are skipped or the location is
    /// unknown.
    fn location_text(&self, location: Location) -> Arc<str> {
        if self.locations == Locations::Skip {
            return Arc::default();
        }
        let text = location.to_string();
        let inner = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')'));
        let inner = inner.unwrap_or(&text);
        if inner == "unknown" {
            Arc::default()
        } else {
            inner.replace('"', "").into()
        }
    }
}

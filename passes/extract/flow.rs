//! Control flow: lowers arbitrarily nested regions and blocks to a single CFG of model blocks.
//!
//! A structured operation is a step of its own and ends the model block that contains it. Its
//! regions follow in order, and a new block continues after it. Edges are recorded with labels and
//! resolved at the end, when every block has its number in the layout.

use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::{
    Binding, Block as ModelBlock, BlockId, Edge, Interval, Region as ModelRegion, RegionId,
    RegionKind, Step, StepId,
};

use super::{Escape, Extractor};
use crate::ir::dialect::{ArenaOp, BufferOp, KernelOp, SliceOp, ViewOp};
use crate::ir::mpi::is_request;
use crate::ir::{
    Block, Facts, Forwarded, Op, Region, RegionEdge, Value, branch_edges, is_storage, region_edges,
};

/// Operations that define storage. They have no regions and no effects but on what they define.
const STORAGE: [&str; 7] = [
    "memref.alloc",
    "memref.alloca",
    "memref.get_global",
    ArenaOp::NAME,
    BufferOp::NAME,
    SliceOp::NAME,
    ViewOp::NAME,
];

/// The target of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Label {
    /// The first model block of an IR block.
    Start(Block),
    /// The model block that continues after a structured operation.
    After(Op),
}

/// An edge whose target may not have been numbered yet.
pub(super) struct PendingEdge {
    pub from: BlockId,
    pub to: Label,
    pub values: Forwarded,
}

impl Extractor<'_> {
    pub(super) fn lower_function(&mut self) {
        // Operations that are described become steps, and few others do.
        let n_steps = self.facts.len();
        self.steps.reserve(n_steps);
        self.step_ops.reserve(n_steps);
        self.access_values.reserve(n_steps);
        // Views are described as well.
        self.places.reserve(n_steps);
        if let Some(region) = self.function.regions().next() {
            self.lower_region(region, RegionId::new(0));
        }
        for PendingEdge { from, to, values } in std::mem::take(&mut self.edges) {
            // A region without blocks has no label; an edge to it has no observable effect.
            let Some(target) = self.labels.get(&to).copied() else {
                continue;
            };
            self.note_request_edge(from, target, &values);
            let bindings = self.bindings(values);
            self.blocks[from.index()]
                .successors
                .push(Edge { target, bindings });
        }
    }

    fn lower_region(&mut self, region: Region, id: RegionId) {
        for block in region.blocks() {
            let start = self.open_block(id);
            self.labels.insert(Label::Start(block), start);
            // Structured operations end the block that they are in, so a block of the IR becomes
            // one or more of the model.
            let mut current = start;
            for op in block.ops() {
                current = self.lower_op(op, current, id);
            }
            self.close_block(current);
        }
    }

    fn open_block(&mut self, region: RegionId) -> BlockId {
        let id = BlockId::new(self.blocks.len());
        let here = StepId::new(self.steps.len());
        let steps = Interval::new(here, here);
        self.blocks.push(ModelBlock {
            region,
            steps,
            successors: Vec::new(),
        });
        id
    }

    fn close_block(&mut self, block: BlockId) {
        let steps = &mut self.blocks[block.index()].steps;
        *steps = Interval::new(steps.start, StepId::new(self.steps.len()));
    }

    /// Adds a step that creates the instances of the buffers allocated since the last step.
    pub(super) fn add_step(&mut self, op: Op) -> &mut Step {
        self.step_ops.push(op);
        self.access_values.add_step();
        let name = self.step_name(op);
        self.steps.push(Step {
            name,
            location: self.location_text(op.location()),
            allocates: self.pending.drain(..).collect(),
            cycles: KernelOp::of(op).and_then(KernelOp::cycles),
            core: (KernelOp::of(op).and_then(KernelOp::core))
                .map(|core| u32::try_from(core).unwrap_or(u32::MAX)),
            ..Step::default()
        });
        self.steps.last_mut().expect("just pushed")
    }

    /// The kernel's own name, or the name of the operation.
    fn step_name(&mut self, op: Op) -> Arc<str> {
        match KernelOp::of(op) {
            Some(kernel) => kernel.name().into(),
            // Steps share the names of operations, which are few.
            None => {
                let name = self.step_names.entry(op.name_id());
                Arc::clone(name.or_insert_with(|| op.name().into()))
            }
        }
    }

    /// Creates the instances of pending buffers before `op` has any effect.
    pub(super) fn flush_pending(&mut self, op: Op) {
        if !self.pending.is_empty() {
            self.add_step(op);
        }
    }

    /// Lowers one operation; returns the block that the next operation belongs to.
    fn lower_op(&mut self, op: Op, block: BlockId, region: RegionId) -> BlockId {
        let facts = self.facts_of(op);
        let first = self.steps.len();
        if self.runs_in_order(op, &facts) {
            let next = self.lower_structured(op, block, region);
            self.begin(op, &facts, first..self.steps.len());
            // Its arms may wait for earlier operations.
            self.lower_wait_for(op);
            // Its results are bound on the edges to the block after it.
            self.note_home(op, next);
            return next;
        }
        self.note_home(op, block);
        // Successors identify terminators of unregistered dialects, which have no traits.
        if facts.is_terminator() || op.successors().next().is_some() {
            self.lower_terminator(op, &facts, block);
        } else {
            self.lower_access(op, &facts);
            self.note_request(op, block);
            // Recorded before `lower_wait_for` adds a step, which is not asynchronous.
            self.begin(op, &facts, first..self.steps.len());
            self.lower_wait_for(op);
        }
        block
    }

    /// The facts about the next operation to lower. The scan has described it, unless it defines or
    /// chooses storage.
    fn facts_of(&mut self, op: Op) -> Facts {
        if self.facts.front().is_some_and(|(next, _)| *next == op)
            && let Some((_, facts)) = self.facts.pop_front()
        {
            // Steps take the place of facts. Fractions keep the cost of moving linear.
            if self.facts.len() < self.facts.capacity() / 4 {
                self.facts.shrink_to_fit();
            }
            return facts;
        }
        match STORAGE.contains(&op.name()) {
            // `lower_storage` asks for nothing else of them.
            true => Facts::none(),
            false => self.callees.kernels.describe(op),
        }
    }

    /// Records which block computes the numbers among the results of an operation.
    fn note_home(&mut self, op: Op, block: BlockId) {
        let is_number = |result: Value| !is_storage(result.ty());
        if self.roots.is_precise() && op.results().any(is_number) {
            self.op_blocks.insert(op, block);
        }
    }

    fn lower_structured(&mut self, op: Op, block: BlockId, region: RegionId) -> BlockId {
        let edges = region_edges(op);
        // The step comes first even if it binds nothing: it creates pending instances, which the
        // regions may use.
        let bindings = self.unforwarded(op, &edges);
        self.add_step(op).bindings = bindings.into();
        self.close_block(block);
        let kind = region_kind(op, &edges);
        let starts: Vec<Option<Block>> = op.regions().map(|r| r.first_block()).collect();
        for RegionEdge {
            terminator,
            region: target,
            values,
        } in edges
        {
            let to = match target.map(|index| starts[index]) {
                None => Label::After(op),
                Some(Some(start)) => Label::Start(start),
                // A region without blocks cannot be entered, even if the interface names it.
                Some(None) => continue,
            };
            match terminator {
                None => self.edges.push(PendingEdge {
                    from: block,
                    to,
                    values,
                }),
                // The model block of the terminator is unknown until its region has been lowered.
                Some(op) => self.region_edges.entry(op).or_default().push((to, values)),
            }
        }
        // Between the blocks before and after the operation: lifetimes are intervals in layout
        // order, and this order keeps those of nested buffers short.
        for inner in op.regions() {
            let id = RegionId::new(self.regions.len());
            self.regions.push(ModelRegion {
                kind,
                parent: Some(region),
            });
            self.lower_region(inner, id);
        }
        let next = self.open_block(region);
        self.labels.insert(Label::After(op), next);
        next
    }

    /// Handles the storage that a structured operation does not forward along its edges. Such
    /// operands escape; such results and entry block arguments are bound to unknown storage.
    fn unforwarded(&mut self, op: Op, edges: &[RegionEdge]) -> Vec<Binding> {
        let values = || edges.iter().flat_map(|edge| &edge.values);
        let forwarded: HashSet<Value> = values().filter_map(|(from, _)| *from).collect();
        let bound: HashSet<Value> = values().map(|(_, to)| *to).collect();
        // Bounds and conditions are operands as well, but `escape` ignores what is no storage.
        for operand in op.operands().filter(|v| !forwarded.contains(v)) {
            self.escape(operand, Escape::UnknownUser, op);
        }
        let entries = op.regions().filter_map(|r| r.first_block());
        let unbound = op.results().chain(entries.flat_map(|b| b.arguments()));
        let unbound = unbound.filter(|v| is_storage(v.ty()) && !bound.contains(v));
        unbound
            .map(|value| Binding {
                target: self.place(value).pointer,
                sources: vec![self.elsewhere()],
            })
            .collect()
    }

    fn lower_terminator(&mut self, op: Op, facts: &Facts, block: BlockId) {
        // Before its edges are taken from `region_edges`: a terminator without edges counts as a
        // return.
        self.lower_access(op, facts);
        // No later step of this block could make the pending instances.
        self.flush_pending(op);
        if let Some(edges) = self.region_edges.remove(&op) {
            let edges = edges.into_iter();
            self.edges.extend(edges.map(|(to, values)| PendingEdge {
                from: block,
                to,
                values,
            }));
        } else if facts.is_branch() {
            for (target, values) in branch_edges(op) {
                self.edges.push(PendingEdge {
                    from: block,
                    to: Label::Start(target),
                    values,
                });
            }
        } else {
            self.lower_unknown_branch(op, block);
        }
    }

    /// A terminator without a known interface: it may branch to any successor and pass any values.
    fn lower_unknown_branch(&mut self, op: Op, block: BlockId) {
        for target in op.successors() {
            let values = target.arguments().map(|to| (None, to)).collect();
            self.edges.push(PendingEdge {
                from: block,
                to: Label::Start(target),
                values,
            });
            for operand in op.operands() {
                self.escape(operand, Escape::UnknownBranch, op);
            }
        }
    }

    /// The bindings that an edge performs.
    fn bindings(&mut self, values: Forwarded) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for (from, to) in values {
            if self.requests.exist && is_request(to.ty()) {
                let target = self.request_merge(to);
                let source = match from {
                    Some(from) => self.request_source(from),
                    None => self.elsewhere(),
                };
                let sources = vec![source];
                bindings.push(Binding { target, sources });
                continue;
            }
            if !is_storage(to.ty()) {
                continue;
            }
            let target = self.place(to).pointer;
            let source = match from {
                Some(from) => self.place(from).pointer,
                // The operation makes up the value, so it can be any storage unknown to the model.
                None => self.elsewhere(),
            };
            bindings.push(Binding {
                target,
                sources: vec![source],
            });
        }
        bindings
    }
}

/// A loop if some region can be followed by itself or by an earlier one; a branch if control can
/// enter more than one region or skip them.
fn region_kind(op: Op, edges: &[RegionEdge]) -> RegionKind {
    let numbers: HashMap<Region, usize> = op
        .regions()
        .enumerate()
        .map(|(index, region)| (region, index))
        .collect();
    let from = |edge: &RegionEdge| {
        let terminator = edge.terminator?;
        let block = terminator.block()?;
        numbers.get(&block.parent_region()?).copied()
    };
    // The body of an `scf.for` is followed by itself, and the second region of an `scf.while` by
    // the first.
    let repeats = edges
        .iter()
        .any(|e| from(e).zip(e.region).is_some_and(|(from, to)| to <= from));
    if repeats {
        RegionKind::Loop
    } else if edges.iter().filter(|e| e.terminator.is_none()).count() > 1 {
        RegionKind::Branch
    } else {
        RegionKind::Inline
    }
}

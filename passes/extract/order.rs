//! From the operations of a block to the problem of ordering them.
//!
//! An operation of a block is of one of three kinds:
//!
//! * *Steps* access memory, have regions, or use the result of a step. They are ordered. An operation
//!   with regions is one step: its accesses are those of all operations inside.
//! * *Barriers* are steps that keep their places among all others: calls, operations with unknown
//!   effects, asynchronous operations and those that wait for them, and operations on cores.
//! * All others *float*: they only compute values of values that float as well, or define storage, and
//!   may run anywhere before their first user.
//!
//! Steps of one tile group that follow each other are one step of the problem (`units.rs`).
//!
//! A step depends on the steps whose results it uses, and on all earlier accesses to bytes that it
//! accesses, unless both only read. Steps with control flow keep their order among each other, because
//! the validation of a program walks both programs along their control flow. Steps that communicate
//! with other ranks keep their order among each other and with control flow, which may contain further
//! ones: what one rank sends, another one receives in this order.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;

use mem_flow::dependence::AccessId;
use mem_model::{
    AccessKind, Aliasing, Buffer, BufferId, Bytes, MAX_IN_PLACE, OrderBuffer, OrderProblem,
    OrderStep, PointerId, Program, StepId, Storage, TensorId,
};

use super::dependence::{Analyzed, Extracted};
use super::units::Units;
use crate::ir::mpi::communicates;
use crate::ir::rewrite::ancestor_beside;
use crate::ir::tensors::GROUP;
use crate::ir::{Block, EffectKind, Op, Value, describe, is_storage};

/// Whether an operation inside of `op` communicates with other ranks.
fn has_communication(op: Op) -> bool {
    let mut is_found = false;
    op.walk(&mut |nested| is_found |= nested != op && communicates(nested));
    is_found
}

/// The operations of the dialect in programs that are still to be planned.
const UNPLANNED: [&str; 3] = ["mem.buffer", "mem.descriptor", "mem.kernel"];

/// Reason why a step must follow another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It uses a result.
    Value,
    /// Both access a byte, and one of them writes it.
    Memory,
    /// One of them is a barrier.
    Barrier,
    /// Both have control flow, which is compared in order after planning, or communicate with other
    /// ranks, which do the same in this order.
    Control,
}

/// A dependence: the earlier step, the later one, and the reason.
pub(crate) type Edge = (StepId, StepId, Reason);

/// A block as a problem of ordering.
#[derive(Default)]
pub(crate) struct OrderBlock {
    pub problem: OrderProblem,
    /// The operations of each step, in the order of the program.
    pub ops: Vec<Vec<Op>>,
    pub edges: Vec<Edge>,
}

/// Storage that accesses are compared within: a buffer that shares bytes with no other, or all other
/// storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    Alone(BufferId),
    Shared,
}

/// One access of a step. Without an id, it may touch any byte of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub place: Place,
    pub is_write: bool,
    id: Option<AccessId>,
}

/// A function whose blocks are ordered.
pub(crate) struct OrderFunction<'f> {
    extracted: &'f Extracted,
    dependence: Analyzed<'f>,
    /// The steps of the model that are in each operation, itself included.
    steps: HashMap<Op, Vec<StepId>>,
    /// The steps that access each buffer.
    users: Vec<Vec<StepId>>,
    /// Where each buffer is.
    places: Vec<Place>,
    /// Whether each operation is a barrier.
    barriers: HashMap<Op, bool>,
    /// Bytes of storage that is allocated inside each operation with regions.
    inner: HashMap<Op, Bytes>,
}

impl<'f> OrderFunction<'f> {
    /// Takes time linear in the operations and accesses, each as often as it is nested.
    pub(crate) fn new(extracted: &'f Extracted) -> Self {
        let dependence = extracted.analyze();
        let program = &extracted.extraction.program;
        let mut users = vec![Vec::new(); program.buffers.len()];
        let mut is_any_unknown = false;
        for (id, access) in extracted.accesses() {
            let mut denoted = dependence.denoted(access.pointer).peekable();
            // In unreachable code, a pointer may denote nothing.
            is_any_unknown |= denoted.peek().is_none();
            for buffer in denoted {
                users[buffer.index()].push(id.step);
            }
        }
        let mut steps: HashMap<Op, Vec<StepId>> = HashMap::default();
        let function = extracted.function.op;
        for (index, op) in extracted.extraction.step_ops.iter().enumerate() {
            let around = std::iter::successors(Some(*op), |op| op.parent());
            for op in around.take_while(|op| *op != function) {
                steps.entry(op).or_default().push(StepId::new(index));
            }
        }
        Self {
            extracted,
            dependence,
            steps,
            users,
            places: places(program, is_any_unknown),
            barriers: HashMap::default(),
            inner: HashMap::default(),
        }
    }

    /// The blocks of the function, each after the blocks inside its operations.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut left = vec![self.extracted.function.op];
        while let Some(op) = left.pop() {
            for block in op.regions().flat_map(|region| region.blocks()) {
                blocks.push(block);
                left.extend(block.ops().filter(|op| op.regions().next().is_some()));
            }
        }
        blocks.reverse();
        blocks
    }

    fn steps_of(&self, op: Op) -> &[StepId] {
        self.steps.get(&op).map_or(&[], Vec::as_slice)
    }

    /// Whether an operation keeps its place. Operations inside must have been asked before.
    pub(crate) fn is_barrier(&mut self, op: Op) -> bool {
        if let Some(known) = self.barriers.get(&op) {
            return *known;
        }
        let found = self.find_barrier(op);
        self.barriers.insert(op, found);
        found
    }

    /// Whether an operation has been found to be a barrier.
    pub(crate) fn was_barrier(&self, op: Op) -> bool {
        self.barriers.get(&op).copied().unwrap_or(true)
    }

    fn find_barrier(&mut self, op: Op) -> bool {
        let nested = op.regions().flat_map(|region| region.blocks());
        let nested: Vec<Op> = nested.flat_map(|block| block.ops()).collect();
        if nested.into_iter().any(|inside| self.is_barrier(inside)) {
            return true;
        }
        let facts = describe(op);
        if !facts.is_region_branch() && has_communication(op) {
            return true;
        }
        if op.name() == "memref.dealloc" {
            return !self.extracted.extraction.freed.contains_key(&op);
        }
        // The operations of the dialect that plans consist of keep their places.
        let is_planned = op.name().starts_with("mem.");
        if is_planned && !UNPLANNED.contains(&op.name()) {
            return true;
        }
        let frees = facts.effects.iter().any(|own| own.kind == EffectKind::Free);
        let touches_others = facts.effects.iter().any(|own| !is_storage(own.value.ty()));
        if facts.is_call()
            || facts.has_unknown_effects()
            || facts.has_opaque_result()
            || frees
            || touches_others
        {
            return true;
        }
        let program = &self.extracted.extraction.program;
        let steps = self.steps_of(op).iter();
        let mut steps = steps.map(|id| &program.steps[id.index()]);
        let accesses_memory = facts
            .effects
            .iter()
            .any(|own| own.kind != EffectKind::Allocate);
        // An access that the model does not show could be to any byte.
        let is_modeled = steps.clone().any(|step| !step.accesses.is_empty());
        accesses_memory && !is_modeled && !self.is_body(op)
            || steps.any(|step| {
                let mut accesses = step.accesses.iter();
                step.core.is_some()
                    || !step.waits.is_empty()
                    || accesses.any(|access| access.token().is_some())
            })
    }

    /// Whether the accesses of an operation are those of one around it.
    fn is_body(&self, op: Op) -> bool {
        let extraction = &self.extracted.extraction;
        let accesses = |around: Op| {
            let mut steps = self.steps_of(around).iter().map(|step| step.index());
            steps.any(|step| {
                extraction.step_ops[step] == around
                    && !extraction.program.steps[step].accesses.is_empty()
            })
        };
        std::iter::successors(op.parent(), |op| op.parent()).any(accesses)
    }

    /// Accesses of an operation and of those inside it.
    pub(crate) fn touches(&self, op: Op) -> Vec<Touch> {
        let mut touches = Vec::new();
        let program = &self.extracted.extraction.program;
        for &step in self.steps_of(op) {
            for (index, access) in (0..).zip(&program.steps[step.index()].accesses) {
                let is_write = access.kind == AccessKind::Define;
                let id = Some(AccessId { step, index });
                self.touch(access.pointer, is_write, id, &mut touches);
            }
        }
        if op.name() == "memref.dealloc" {
            let freed = self.extracted.extraction.freed.get(&op);
            if let Some(pointer) = freed {
                self.touch(*pointer, true, None, &mut touches);
            }
        }
        touches
    }

    fn touch(&self, to: PointerId, is_write: bool, id: Option<AccessId>, all: &mut Vec<Touch>) {
        let place = |buffer: BufferId| self.places[buffer.index()];
        let mut places: Vec<Place> = self.dependence.denoted(to).map(place).collect();
        let (id, is_unknown) = (id.filter(|_| !places.is_empty()), places.is_empty());
        places.extend(is_unknown.then_some(Place::Shared));
        places.sort_unstable();
        places.dedup();
        all.extend(places.into_iter().map(|place| Touch {
            place,
            is_write,
            id,
        }));
    }

    /// Whether two accesses keep their order.
    pub(crate) fn conflict(&self, a: Touch, b: Touch) -> bool {
        let may_overlap = || match (a.id, b.id) {
            (Some(a), Some(b)) => self.dependence.may_overlap(a, b),
            _ => true,
        };
        a.place == b.place && (a.is_write || b.is_write) && may_overlap()
    }

    /// Extracts a block. `None` if there is nothing to order, or if the block uses values before it
    /// defines them, as unreachable code may.
    pub(crate) fn extract(&mut self, block: Block) -> Option<OrderBlock> {
        let last = block.terminator()?;
        let mut steps = Steps::default();
        for op in block.ops() {
            // Asked even for the last one, since the operation around depends on it.
            let is_barrier = self.is_barrier(op);
            if op != last && !steps.add(self, op, last, is_barrier) {
                return None;
            }
        }
        let problem = self.problem(block, &steps);
        let units = Units::new(steps.ops.len(), |at| {
            let group = steps.ops[at].attribute(GROUP)?.integer()?;
            (!self.was_barrier(steps.ops[at])).then_some(group)
        });
        let edge = |(from, to, reason): &Edge| {
            let (from, to) = (units.of(*from), units.of(*to));
            (from != to).then_some((from, to, *reason))
        };
        Some(OrderBlock {
            problem: units.contract(&problem),
            ops: units.members(&steps.ops),
            edges: steps.edges.iter().filter_map(edge).collect(),
        })
    }

    fn problem(&self, block: Block, steps: &Steps) -> OrderProblem {
        let ops = &steps.ops;
        let mut problem = OrderProblem {
            steps: vec![OrderStep::default(); ops.len()],
            buffers: Vec::new(),
        };
        for (from, to, _) in &steps.edges {
            problem.steps[to.index()].after.push(*from);
        }
        for step in &mut problem.steps {
            step.after.sort_unstable();
            step.after.dedup();
        }
        let mut tensors: BTreeMap<BufferId, TensorId> = BTreeMap::new();
        for ((own, op), touches) in problem.steps.iter_mut().zip(ops).zip(&steps.touches) {
            if op.name() == "memref.dealloc" {
                continue;
            }
            for touch in touches {
                let Place::Alone(buffer) = touch.place else {
                    continue;
                };
                if !self.is_counted(buffer, block, *op) {
                    continue;
                }
                let next = TensorId::new(tensors.len());
                let tensor = *tensors.entry(buffer).or_insert(next);
                if !own.buffers.contains(&tensor) {
                    own.buffers.push(tensor);
                }
            }
            own.in_place = self.in_place(*op, &tensors);
        }
        let is_inside = self.inside(ops);
        problem.buffers = vec![OrderBuffer::default(); tensors.len()];
        for (buffer, tensor) in tensors {
            problem.buffers[tensor.index()] = self.buffer(buffer, block, &is_inside);
        }
        for (own, op) in problem.steps.iter_mut().zip(ops) {
            if let Some(size) = self.inner.get(op).filter(|size| **size > Bytes::ZERO) {
                own.buffers.push(TensorId::new(problem.buffers.len()));
                problem.buffers.push(OrderBuffer {
                    size: *size,
                    ..OrderBuffer::default()
                });
            }
        }
        problem
    }

    /// Whether the planner chooses the address of a buffer that is not allocated inside `op`.
    fn is_counted(&self, buffer: BufferId, block: Block, op: Op) -> bool {
        let own = &self.extracted.extraction.program.buffers[buffer.index()];
        let definition = self.extracted.extraction.buffer_ops[buffer.index()];
        own.storage == Storage::Planned
            && definition.is_some_and(|definition| {
                definition.block() == Some(block)
                    || ancestor_beside(definition, op).is_none_or(|beside| beside != op)
            })
    }

    /// Per step of the model: whether it is a step of these operations.
    fn inside(&self, ops: &[Op]) -> Vec<bool> {
        let mut is_inside = vec![false; self.extracted.extraction.program.steps.len()];
        for step in ops.iter().flat_map(|op| self.steps_of(*op)) {
            is_inside[step.index()] = true;
        }
        is_inside
    }

    fn buffer(&self, buffer: BufferId, block: Block, is_inside: &[bool]) -> OrderBuffer {
        let definition = self.extracted.extraction.buffer_ops[buffer.index()];
        let is_own = definition.is_some_and(|op| op.block() == Some(block));
        let users = &self.users[buffer.index()];
        OrderBuffer {
            size: self.extracted.extraction.program.buffers[buffer.index()].size,
            from_start: !is_own,
            // Storage from outside may be accessed in the next iteration of a loop.
            to_end: !is_own || !users.iter().all(|step| is_inside[step.index()]),
        }
    }

    /// The pairs of an operand and a result that the step of an operation may place at one address:
    /// it accesses the same bytes of both, from the start, and no others.
    fn in_place(
        &self,
        op: Op,
        tensors: &BTreeMap<BufferId, TensorId>,
    ) -> Vec<(TensorId, TensorId)> {
        let [step] = self.steps_of(op) else {
            return Vec::new();
        };
        let program = &self.extracted.extraction.program;
        let step = &program.steps[step.index()];
        let buffer = |pointer: PointerId| {
            let buffer = program.pointers[pointer.index()].kind.buffer()?;
            tensors.get(&buffer).copied()
        };
        let bytes = |pointer: PointerId, kind: AccessKind| {
            let mut own = step.accesses.iter().filter(|own| own.pointer == pointer);
            let only = own.next().filter(|only| only.kind == kind)?;
            let is_only = own.next().is_none() && only.is_unconditional();
            only.may.filter(|may| is_only && may.start == Bytes::ZERO)
        };
        let pairs = step.in_place.iter().filter_map(|&(operand, result)| {
            let read = bytes(operand, AccessKind::Use)?;
            let is_same = bytes(result, AccessKind::Define) == Some(read);
            let pair = (buffer(operand)?, buffer(result)?);
            (is_same && pair.0 != pair.1).then_some(pair)
        });
        pairs.take(MAX_IN_PLACE).collect()
    }

    /// Records the bytes that a block allocates itself, for the operation around it.
    pub(crate) fn record(&mut self, order: &OrderBlock, steps: &[StepId]) {
        let first = order.ops.first().and_then(|ops| ops.first());
        let around = first.and_then(|op| op.parent());
        let function = self.extracted.function.op;
        let Some(around) = around.filter(|around| *around != function) else {
            return;
        };
        let mut own = order.problem.clone();
        for buffer in own.buffers.iter_mut().filter(|own| own.from_start) {
            buffer.size = Bytes::ZERO;
        }
        let peak = mem_check::order_peak(&own, steps);
        let most = self.inner.entry(around).or_default();
        *most = (*most).max(Bytes::new(u64::try_from(peak).unwrap_or(u64::MAX / 4)));
    }
}

/// The place of each buffer. Arguments that share no bytes with each other are as good as buffers of
/// the function, unless something accesses storage of unknown origin.
fn places(program: &Program, is_any_unknown: bool) -> Vec<Place> {
    let mut buffers = program.buffers.iter();
    let is_any_unknown = is_any_unknown || buffers.any(|own| own.aliasing == Aliasing::Unknown);
    let place = |(index, own): (usize, &Buffer)| match own.aliasing {
        Aliasing::Private => Place::Alone(BufferId::new(index)),
        Aliasing::Reachable if !is_any_unknown => Place::Alone(BufferId::new(index)),
        _ => Place::Shared,
    };
    program.buffers.iter().enumerate().map(place).collect()
}

/// The steps of a block under construction.
#[derive(Default)]
struct Steps {
    ops: Vec<Op>,
    /// The accesses of each step.
    touches: Vec<Vec<Touch>>,
    edges: Vec<Edge>,
    /// The step of each operation that is one.
    numbers: HashMap<Op, StepId>,
    /// Operations that float.
    floating: HashSet<Op>,
    /// Earlier reads and writes of each place.
    earlier: HashMap<Place, [Vec<(StepId, Touch)>; 2]>,
    barrier: Option<StepId>,
    /// The last step with control flow, or that communicates.
    control: Option<StepId>,
}

impl Steps {
    /// Adds an operation; false if it uses a value that the block defines later.
    fn add(&mut self, function: &OrderFunction<'_>, op: Op, last: Op, is_barrier: bool) -> bool {
        let step = StepId::new(self.ops.len());
        let first = self.edges.len();
        for value in operands_of(op) {
            let Some(source) = value
                .owner()
                .and_then(|source| ancestor_beside(source, last))
            else {
                continue;
            };
            match self.numbers.get(&source) {
                Some(from) => self.edges.push((*from, step, Reason::Value)),
                None if source == op || self.floating.contains(&source) => {}
                None => return false,
            }
        }
        let touches = function.touches(op);
        let is_step = is_barrier
            || self.edges.len() > first
            || !touches.is_empty()
            || op.name() == "memref.dealloc"
            || communicates(op)
            || op.regions().next().is_some();
        if !is_step {
            self.floating.insert(op);
            return true;
        }
        self.ops.push(op);
        self.numbers.insert(op, step);
        self.add_barrier(step, is_barrier);
        let has_control = op.regions().next().is_some() && describe(op).is_region_branch();
        if has_control || communicates(op) {
            let before = self.control.replace(step);
            let edge = before.map(|before| (before, step, Reason::Control));
            self.edges.extend(edge);
        }
        self.add_touches(function, step, &touches);
        self.touches.push(touches);
        true
    }

    fn add_barrier(&mut self, step: StepId, is_barrier: bool) {
        let from = self.barrier.map_or(0, StepId::index);
        let sources = match is_barrier {
            true => from..step.index(),
            false => from..from + usize::from(self.barrier.is_some()),
        };
        let edges = sources.map(|from| (StepId::new(from), step, Reason::Barrier));
        self.edges.extend(edges);
        if is_barrier {
            self.barrier = Some(step);
        }
    }

    fn add_touches(&mut self, function: &OrderFunction<'_>, step: StepId, touches: &[Touch]) {
        let mut last = None;
        for touch in touches {
            let [reads, writes] = self.earlier.entry(touch.place).or_default();
            let reads = reads.iter().filter(|_| touch.is_write);
            for (from, other) in reads.chain(writes.iter()) {
                if last != Some(*from) && function.conflict(*other, *touch) {
                    self.edges.push((*from, step, Reason::Memory));
                    last = Some(*from);
                }
            }
        }
        for touch in touches {
            let earlier = self.earlier.entry(touch.place).or_default();
            earlier[usize::from(touch.is_write)].push((step, *touch));
        }
    }
}

/// The operands of an operation and of all operations inside it.
pub(crate) fn operands_of(op: Op) -> Vec<Value> {
    let mut operands: Vec<Value> = op.operands().collect();
    if op.regions().next().is_some() {
        op.walk(&mut |inside| {
            operands.extend(inside.operands());
        });
    }
    operands
}

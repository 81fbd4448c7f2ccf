//! Passive mode. The steps of a program request their tensors from the run-time library, so the
//! program runs with any budget before it is planned, and all accesses are recorded.

use std::collections::{BTreeMap, HashMap, HashSet};

use indexmap::IndexSet;
use mem_cost::PassiveUse;
use mem_flow::LevelExtract;
use mem_model::{BufferId, Bytes, Hierarchy, LevelId, LevelProblem, PointerKind, TensorId};
use mem_opt::internals::{
    Attribute, Builder, Diagnostic, Extraction, Failed, HIERARCHY, Op, Type, Value, arena_type,
    buffer_type, byte_memref, chosen, chosen_hierarchy, constant_index, device_budget,
    device_problems, hierarchy, view_source,
};
use mem_runtime::{Traced, TracedStep, TracedTensor};

/// The run-time functions that compiled code calls.
const FUNCTIONS: [(&str, &str); 4] = [
    ("mem_runtime_passive", "(index)"),
    ("mem_runtime_step_begin", "(i64)"),
    ("mem_runtime_address", "(i64) -> index"),
    ("mem_runtime_step_end", "(i64)"),
];

/// Settings of a trace.
pub(super) struct Tracing<'a> {
    pub hierarchy: &'a str,
    pub function: &'a str,
    /// Bytes of device memory; `None`: the size of all tensors together.
    pub budget: Option<u64>,
    /// Bytes of the host pool; `None`: no limit.
    pub host: Option<u64>,
    pub clock: f64,
}

/// Rewrites a function to run in passive mode. Errors have been emitted as diagnostics.
pub(super) fn instrument(module: Op, tracing: &Tracing<'_>) -> Result<Traced, Failed> {
    let attribute = chosen_hierarchy(module, tracing.hierarchy)?;
    let hierarchy = hierarchy(attribute);
    // Checks that the hierarchy is a device and its host; the budget is irrelevant here.
    device_budget(&hierarchy, 1)
        .or_else(|error| Diagnostic::error(module.location(), error.to_string()).fail())?;
    let problems = device_problems(module, attribute, true)?;
    let (extraction, extract) = chosen(&problems, tracing.function)
        .or_else(|error| Diagnostic::error(module.location(), error.to_string()).fail())?;
    let named = |op: &Op| op.symbol().as_deref() == Some(tracing.function);
    let Some(function) = module.direct_ops().find(named) else {
        return Diagnostic::error(module.location(), "the function is gone").fail();
    };
    let traced = traced(function, extraction, extract, &hierarchy, tracing)?;
    module.set_attribute(HIERARCHY, attribute);
    if let Some(first) = module.direct_ops().next() {
        for (name, ty) in FUNCTIONS {
            let text = format!("func.func private @{name}{ty}");
            Op::parse(module.context(), &text).insert_before(first);
        }
    }
    let level = hierarchy.levels.first().map_or("", |level| &level.name);
    Rewriter::new(function, extraction, extract, &traced, level)?.run();
    Ok(traced)
}

/// The tensors, steps and settings for the run-time library.
fn traced(
    function: Op,
    extraction: &Extraction,
    extract: &LevelExtract,
    hierarchy: &Hierarchy,
    tracing: &Tracing<'_>,
) -> Result<Traced, Failed> {
    let problem = &extract.problem;
    let unit = hierarchy
        .levels
        .first()
        .map_or(Bytes::new(1), |level| level.alignment);
    let tensors = problem.tensors.iter().map(|tensor| TracedTensor {
        name: tensor.name.clone(),
        size: tensor.size,
        alignment: tensor.alignment.max(unit).max(Bytes::new(1)),
    });
    let tensors: Vec<TracedTensor> = tensors.collect();
    let is_own = |tensor: TensorId| problem.tensors[tensor.index()].home.is_none();
    let steps = traced_steps(extraction, problem)?;
    let all = tensors
        .iter()
        .enumerate()
        .filter(|(index, _)| is_own(TensorId::new(*index)));
    let all = all.fold(0_u64, |sum, (_, tensor)| {
        let start = sum.next_multiple_of(tensor.alignment.get());
        start.saturating_add(tensor.size.get())
    });
    let engine = |link: (LevelId, LevelId)| {
        let mut engines = hierarchy.engines.iter();
        let found = engines.position(|engine| engine.links.contains(&link));
        found.and_then(|index| u16::try_from(index).ok())
    };
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let engines = engine((device, host)).zip(engine((host, device)));
    let Some((away, back)) = engines else {
        let text = "the hierarchy has no engines between the device and its host";
        return Diagnostic::error(function.location(), text).fail();
    };
    Ok(Traced {
        function: tracing.function.to_owned(),
        tensors,
        steps,
        device: Bytes::new(tracing.budget.unwrap_or(all).max(1)),
        is_limited: tracing.budget.is_some(),
        host: tracing.host.map(Bytes::new),
        engines: [away, back],
        clock: tracing.clock,
    })
}

/// The uses of the function's own tensors in each step, and the tensors that are dead after it.
fn traced_steps(
    extraction: &Extraction,
    problem: &LevelProblem,
) -> Result<Vec<TracedStep>, Failed> {
    let is_own = |tensor: TensorId| problem.tensors[tensor.index()].home.is_none();
    let lifetimes = problem.lifetimes();
    let mut steps = Vec::new();
    for (index, step) in problem.steps.iter().enumerate() {
        let accesses = &extraction.program.steps[index].accesses;
        let is_merge = |pointer: mem_model::PointerId| {
            let kind = extraction.program.pointers[pointer.index()].kind;
            kind == PointerKind::Merge
        };
        if accesses.iter().any(|access| is_merge(access.pointer)) {
            let text = "cannot be traced: it may access one of several tensors";
            return Diagnostic::error(extraction.step_ops[index].location(), text).fail();
        }
        let own = step.uses.iter().filter(|used| is_own(used.tensor));
        let uses: Vec<PassiveUse> = own.map(PassiveUse::from).collect();
        let is_last = |tensor: &TensorId| {
            let life = lifetimes[tensor.index()];
            // In a loop, later iterations may still use the tensor.
            let is_in_loop = !problem.tensors[tensor.index()].frozen.is_empty() || step.repeats > 1;
            life.is_some_and(|life| life.end == index + 1) && !is_in_loop
        };
        steps.push(TracedStep {
            releases: uses
                .iter()
                .map(|used| used.tensor)
                .filter(is_last)
                .collect(),
            uses,
        });
    }
    Ok(steps)
}

/// The tensor in each buffer, and the allocation of each tensor.
type Storage = (HashMap<BufferId, TensorId>, BTreeMap<TensorId, Op>);

/// Finds the storage of the function's own tensors.
fn storage(
    function: Op,
    extraction: &Extraction,
    extract: &LevelExtract,
) -> Result<Storage, Failed> {
    let mut tensors = HashMap::new();
    let mut buffers = BTreeMap::new();
    for (index, tensor) in extract.problem.tensors.iter().enumerate() {
        let origin = &extract.origins[index];
        if tensor.home.is_some() {
            continue;
        }
        let op = extraction.buffer_ops[origin.buffer.index()];
        let op = op.filter(|op| op.name() == "mem.buffer" && origin.stride == Bytes::ZERO);
        let Some(op) = op else {
            let text = format!(
                "'{}' cannot be traced: it has no place of its own",
                tensor.name
            );
            return Diagnostic::error(function.location(), text).fail();
        };
        let id = TensorId::new(index);
        tensors.insert(origin.buffer, id);
        buffers.insert(id, op);
    }
    Ok((tensors, buffers))
}

/// Creates the address of the first byte of an arena of `size` bytes.
fn address_of(arena: Value, size: i64, start: Op) -> Value {
    let all = Builder::new("mem.view", start.location())
        .operands([arena])
        .result(buffer_type(start.context(), Some(size)))
        .integer(start.context(), "offset", 0)
        .string(start.context(), "name", "device")
        .before(start);
    let all = Builder::new("mem.descriptor", start.location())
        .operands([all.result()])
        .result(byte_memref(start.context(), Some(size)))
        .integers(start.context(), "static_bounds", &[0, size])
        .before(start);
    let address = Builder::new("memref.extract_aligned_pointer_as_index", start.location())
        .operands([all.result()])
        .result(Type::index(start.context()))
        .before(start);
    address.result()
}

/// Rewrites steps to access tensors at their current address.
struct Rewriter<'a> {
    extraction: &'a Extraction,
    traced: &'a Traced,
    /// Per buffer: its tensor.
    tensors: HashMap<BufferId, TensorId>,
    /// Per tensor: the operation that defines its buffer.
    buffers: BTreeMap<TensorId, Op>,
    arena: Value,
}

impl<'a> Rewriter<'a> {
    fn new(
        function: Op,
        extraction: &'a Extraction,
        extract: &LevelExtract,
        traced: &'a Traced,
        level: &str,
    ) -> Result<Self, Failed> {
        let context = function.context();
        let start = function
            .regions()
            .next()
            .and_then(|region| region.first_block());
        let Some(start) = start.and_then(|block| block.first_op()) else {
            return Diagnostic::error(function.location(), "the function has no body").fail();
        };
        let (tensors, buffers) = storage(function, extraction, extract)?;
        let alignments = traced.tensors.iter().map(|tensor| tensor.alignment.get());
        let size = traced.device.get() as i64;
        let arena = Builder::new("mem.arena", function.location())
            .result(arena_type(context))
            .string(context, "level", level)
            .string(context, "strategy", "passive")
            .integer(context, "size", size)
            .integer(context, "alignment", alignments.max().unwrap_or(1) as i64);
        let arena = arena.before(start).result();
        let address = address_of(arena, size, start);
        call(start, FUNCTIONS[0].0, [address], None);
        Ok(Self {
            extraction,
            traced,
            tensors,
            buffers,
            arena,
        })
    }

    fn run(&self) {
        for (index, op) in self.extraction.step_ops.iter().enumerate() {
            let uses = &self.traced.steps[index].uses;
            if uses.is_empty() {
                continue;
            }
            let number = wide(*op, index as i64);
            call(*op, FUNCTIONS[1].0, [number], None);
            let mut views: HashMap<TensorId, Value> = HashMap::new();
            for used in uses {
                views.insert(used.tensor, self.view(used.tensor, *op));
            }
            self.rewrite(*op, &views);
            // The end of the block also ends its last step.
            if let Some(next) = op.next() {
                let number = wide(next, index as i64);
                call(next, FUNCTIONS[3].0, [number], None);
            }
        }
        self.clean();
    }

    /// Builds a view of a tensor at its current address.
    fn view(&self, tensor: TensorId, before: Op) -> Value {
        let context = before.context();
        let number = wide(before, tensor.index() as i64);
        let address = call(before, FUNCTIONS[2].0, [number], Some(Type::index(context)));
        let own = &self.traced.tensors[tensor.index()];
        Builder::new("mem.view", before.location())
            .operands([self.arena, address.result()])
            .result(self.buffers[&tensor].result().ty())
            .string(context, "name", &own.name)
            .integer(context, "alignment", own.alignment.get() as i64)
            .before(before)
            .result()
    }

    /// Replaces the operands of a step and of all operations nested in it.
    fn rewrite(&self, step: Op, views: &HashMap<TensorId, Value>) {
        let mut inside = vec![step];
        step.walk(&mut |op| inside.push(op));
        let made: HashSet<Value> = inside[1..].iter().flat_map(|op| op.results()).collect();
        let mut seen: HashMap<Value, Value> = HashMap::new();
        for op in inside {
            let operands: Vec<Value> = op.operands().collect();
            let replaced = operands.iter().map(|operand| {
                let view = self
                    .tensor_of(*operand)
                    .and_then(|tensor| views.get(&tensor));
                match view.filter(|_| !made.contains(operand)) {
                    Some(view) => Self::seen_at(*operand, *view, step, &mut seen),
                    None => *operand,
                }
            });
            let replaced: Vec<Value> = replaced.collect();
            if replaced != operands {
                op.set_operands(&replaced);
            }
        }
    }

    fn tensor_of(&self, value: Value) -> Option<TensorId> {
        let place = self.extraction.places.get(&value)?;
        let kind = self.extraction.program.pointers[place.pointer.index()].kind;
        self.tensors.get(&kind.buffer()?).copied()
    }

    /// Rebuilds `value` as a view of a tensor at its current address.
    fn seen_at(value: Value, view: Value, step: Op, seen: &mut HashMap<Value, Value>) -> Value {
        if let Some(known) = seen.get(&value) {
            return *known;
        }
        let source = value.owner().and_then(|op| Some((op, view_source(op)?)));
        let Some((op, source)) = source else {
            return view;
        };
        let base = Self::seen_at(source, view, step, seen);
        let replace = |operand| if operand == source { base } else { operand };
        let copy = op.copied_before(step, replace);
        seen.insert(value, copy.result());
        copy.result()
    }

    /// Erases the original buffers and views, which have no uses left.
    fn clean(&self) {
        let own = self
            .extraction
            .places
            .keys()
            .filter(|value| self.tensor_of(**value).is_some());
        let ops = own.filter_map(|value| value.owner());
        let mut open: IndexSet<Op> = ops.filter(|op| view_source(*op).is_some()).collect();
        open.extend(self.buffers.values());
        loop {
            let is_used = |op: &Op| op.results().any(|result| result.is_used());
            let (used, unused): (IndexSet<Op>, IndexSet<Op>) = open.into_iter().partition(is_used);
            if unused.is_empty() {
                break;
            }
            open = used;
            unused.into_iter().for_each(Op::erase);
        }
    }
}

/// Builds a 64-bit constant before an operation.
fn wide(before: Op, value: i64) -> Value {
    let context = before.context();
    let index = constant_index(before, value);
    Builder::new("arith.index_cast", before.location())
        .operands([index])
        .result(Type::parse(context, "i64"))
        .before(before)
        .result()
}

fn call(
    before: Op,
    function: &str,
    operands: impl IntoIterator<Item = Value>,
    result: Option<Type>,
) -> Op {
    let context = before.context();
    let callee = Attribute::parse(context, &format!("@{function}"));
    let mut call = Builder::new("func.call", before.location())
        .operands(operands)
        .attribute("callee", callee);
    if let Some(ty) = result {
        call = call.result(ty);
    }
    call.before(before)
}

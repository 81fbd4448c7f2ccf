//! Calls. Callees are extracted before their callers, and callers see a summary of each callee.

use rustc_hash::FxHashMap as HashMap;

use mem_flow::dependence::{AccessId, Dependence, Options, Source, analyze_dependence};
use mem_model::{
    Access, AccessKind, Binding, Buffer, Bytes, Interval, IntervalSet, PointerId, PointerKind,
    Role, StepId, Storage,
};

use super::accesses::Accesses;
use super::{Escape, Extraction, Extractor, Function};
use crate::ir::kernels::Kernels;
use crate::ir::{Op, Value, is_arena, is_storage};

/// Maximum number of disjoint overwritten ranges of an argument that callers see.
const MAX_PARTS: usize = 64;

/// Effects of a function on one of its storage arguments.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentSummary {
    pub reads: bool,
    pub writes: bool,
    /// The address may outlive the call in ways the model does not see.
    pub escapes: bool,
    /// The argument's pointer in the function's own program.
    pub pointer: PointerId,
    /// The bytes that may be read as the caller left them (upward-exposed reads), relative to the
    /// argument's first element. Meaningful only if `reads`; `None` means any byte.
    pub exposed: Option<IntervalSet<Bytes>>,
    /// The bytes that are overwritten on every path before the function returns.
    pub overwritten: IntervalSet<Bytes>,
}

impl ArgumentSummary {
    /// Refines the summary with byte ranges from `dependence`. `is_complete`: the program contains
    /// all accesses, including those to external storage.
    fn refine(&mut self, dependence: &Dependence<'_>, is_complete: bool) {
        let program = dependence.program();
        let PointerKind::Buffer(buffer) = program.pointers[self.pointer.index()].kind else {
            return;
        };
        if self.writes {
            self.overwritten = dependence.overwritten(buffer);
        }
        // An incomplete program may lack accesses that read the argument, so its exposed reads
        // would be too few.
        if !(self.reads && is_complete) {
            return;
        }
        let mut exposed = IntervalSet::new();
        for (step, of_step) in program.steps.iter().enumerate() {
            let step = StepId::new(step);
            for (index, access) in (0..).zip(&of_step.accesses) {
                if access.kind != AccessKind::Use {
                    continue;
                }
                // Only bytes that reach the use from the function's entry are exposed, not those
                // that the function itself has written before.
                let reaching = dependence.reaching(AccessId { step, index }).into_iter();
                let from_caller =
                    reaching.filter(|r| r.source == Source::Entry && r.buffer == buffer);
                from_caller
                    .flat_map(|r| r.bytes.iter().collect::<Vec<_>>())
                    .for_each(|bytes| exposed.insert(bytes));
            }
        }
        // For callers, an argument that is only read after it was written is not read at all.
        self.reads = !exposed.is_empty();
        self.exposed = Some(exposed);
    }
}

/// Summary of a function for its callers.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionSummary {
    /// One entry per argument; `None` for arguments that are not storage.
    pub arguments: Vec<Option<ArgumentSummary>>,
    pub results: Vec<ResultSummary>,
    /// Whether the function accesses storage that is neither its own nor an argument's.
    pub outside: bool,
}

/// The storage that a function result may denote.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultSummary {
    /// Indices of the arguments that the result may alias.
    pub arguments: Vec<usize>,
    /// The result may be storage other than an argument.
    pub elsewhere: bool,
}

/// Memory that a function requires its callers to provide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace {
    pub size: Bytes,
    pub alignment: Bytes,
}

/// Summaries of the functions extracted so far.
#[derive(Default)]
pub(crate) struct Callees {
    summaries: HashMap<String, FunctionSummary>,
    /// Functions that get their arena from their callers.
    pub(crate) workspaces: HashMap<String, Workspace>,
    /// All functions with a body, by name.
    bodies: HashMap<String, Op>,
    /// The kernels that the functions may launch.
    pub(super) kernels: Kernels,
}

impl Callees {
    /// Records where the bodies of `functions`, those of `module`, are; no summary is known yet.
    pub(crate) fn new(module: Op, functions: &[Function]) -> Self {
        let bodies = functions.iter().map(|f| (f.name.clone(), f.op)).collect();
        Self {
            bodies,
            kernels: Kernels::new(module),
            ..Self::default()
        }
    }

    /// Records the summary of `function` for its callers. Recursive functions get no summary,
    /// because within a cycle of the call graph no extraction order exists. `is_complete`: the
    /// program contains all accesses, including those to external storage.
    pub(crate) fn learn(
        &mut self,
        function: &Function,
        extraction: &Extraction,
        is_complete: bool,
    ) {
        // Without a caller, the dependence analysis below would be wasted.
        if function.recursive || !function.used {
            return;
        }
        let mut summary = extraction.summary.clone();
        let dependence = analyze_dependence(&extraction.program, Options::default());
        for argument in summary.arguments.iter_mut().flatten() {
            argument.refine(&dependence, is_complete);
        }
        self.summaries.insert(function.name.clone(), summary);
    }

    /// The callee's argument that corresponds to operand `index` of a call.
    pub(crate) fn parameter(&self, call: Op, index: usize) -> Option<Value> {
        let body = self.bodies.get(&callee_of(call)?)?;
        let entry = body.regions().next()?.first_block()?;
        entry.arguments().nth(index)
    }
}

/// The callee's name if `call` is a direct call.
pub(crate) fn callee_of(call: Op) -> Option<String> {
    (call.name() == "func.call").then_some(())?;
    call.attribute("callee")
        .and_then(|a| a.symbol().map(str::to_owned))
}

impl Extractor<'_> {
    /// Lowers a call to the effects in the callee's summary. Unknown and recursive callees may do
    /// anything with their operands.
    pub(super) fn lower_call(&mut self, op: Op) {
        let callee = callee_of(op);
        let summary = callee
            .as_ref()
            .and_then(|name| self.callees.summaries.get(name))
            .cloned();
        let Some(summary) = summary else {
            return self.lower_unknown_call(op, callee);
        };
        let mut accesses = Accesses::default();
        for (index, operand) in op.operands().enumerate() {
            if is_arena(operand.ty()) {
                // The callee's own plan describes how it uses its arena.
                self.add_access(&mut accesses, operand, AccessKind::Define, false);
                continue;
            }
            let Some(Some(argument)) = summary.arguments.get(index) else {
                continue;
            };
            // An operand that the callee does not access still has to be where its buffer is.
            self.place(operand);
            self.add_argument(&mut accesses, op, operand, argument);
        }
        let bindings = self.result_bindings(op, &summary);
        // A result may denote an argument, whose instance therefore has to exist when the result is
        // bound.
        if !bindings.is_empty() {
            self.flush_pending(op);
        }
        // After the flush, so that the workspace is live at the step of the call only.
        self.add_workspace(op, callee, &mut accesses);
        // Globals, and storage whose address escaped before the call.
        if self.roots.is_precise() && summary.outside {
            self.add_anything(&mut accesses, &[]);
        }
        if !accesses.is_empty() || !bindings.is_empty() {
            self.add_access_step(op, accesses).bindings = bindings.into();
        }
    }

    /// Adds what a callee does with the storage that it gets as an argument.
    fn add_argument(
        &mut self,
        accesses: &mut Accesses,
        op: Op,
        operand: Value,
        argument: &ArgumentSummary,
    ) {
        if argument.escapes {
            let name = callee_of(op).unwrap_or_default();
            self.escape(operand, Escape::Callee(name), op);
        }
        if argument.reads {
            // The hull, not the set: reads may be overstated, and one access per call keeps
            // steps small. Writes cannot be widened in this way, so their ranges are listed one
            // by one below.
            let exposed = argument.exposed.as_ref().and_then(IntervalSet::hull);
            match exposed.and_then(|bytes| self.part(operand, bytes)) {
                Some(part) => {
                    let mut read = Access::anywhere(AccessKind::Use, self.place(operand).pointer);
                    read.may = Some(part);
                    accesses.push(read, Some(operand));
                }
                None => self.add_access(accesses, operand, AccessKind::Use, false),
            }
        }
        // The summary does not record which bytes may be written, so any of them may be.
        if argument.writes {
            self.add_access(accesses, operand, AccessKind::Define, false);
        }
        // Dropping ranges is conservative: callers see fewer bytes as overwritten.
        for bytes in argument.overwritten.iter().take(MAX_PARTS) {
            if let Some(part) = self.part(operand, bytes) {
                let pointer = self.place(operand).pointer;
                let mut written = Access::anywhere(AccessKind::Define, pointer);
                (written.may, written.must) = (Some(part), Some(part));
                accesses.push(written, Some(operand));
            }
        }
    }

    /// Translates `bytes`, relative to the first element of a call operand, to bytes of the
    /// operand's storage. `None` if the operand's place is not constant or the range does not fit
    /// it.
    fn part(&mut self, operand: Value, bytes: Interval<Bytes>) -> Option<Interval<Bytes>> {
        let place = self.place(operand);
        let (whole, _) = self.byte_range(operand, place, false);
        let layout = self.layout(operand.ty())?;
        let start = u64::try_from(place.start()?).ok()?;
        let at = |byte: Bytes| start.checked_add(byte.get()).map(Bytes::new);
        let part = Interval::new(at(bytes.start)?, at(bytes.end)?);
        // In code that is undefined when executed, a callee may reach beyond the operand.
        (layout.offset == Some(0) && whole?.covers(part)).then_some(part)
    }

    fn lower_unknown_call(&mut self, op: Op, callee: Option<String>) {
        let escape = callee.map_or(Escape::IndirectCallee, Escape::UnknownCallee);
        for operand in op.operands() {
            self.escape(operand, escape.clone(), op);
        }
        let bindings = self.result_bindings(op, &FunctionSummary::default());
        let mut accesses = Accesses::default();
        if self.roots.is_precise() {
            let operands: Vec<Value> = op.operands().filter(|v| is_storage(v.ty())).collect();
            self.add_anything(&mut accesses, &operands);
        }
        if !bindings.is_empty() || !accesses.is_empty() {
            self.add_access_step(op, accesses).bindings = bindings.into();
        }
    }

    /// Bindings of results that are arguments of the callee, or external storage.
    fn result_bindings(&mut self, op: Op, summary: &FunctionSummary) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for (index, result) in op.results().enumerate() {
            if is_storage(result.ty()) {
                let target = self.place(result).pointer;
                let sources = self.result_sources(op, summary.results.get(index));
                bindings.push(Binding { target, sources });
            }
        }
        bindings
    }

    /// The storage that a call's result may denote. The result of an unknown callee can only be
    /// external storage: every operand of such a call has escaped, so it is not planned.
    fn result_sources(&mut self, op: Op, result: Option<&ResultSummary>) -> Vec<PointerId> {
        let arguments = result.map_or(&[][..], |r| &r.arguments);
        let mut sources: Vec<PointerId> = arguments
            .iter()
            .map(|i| self.place(op.operand(*i)).pointer)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        // A callee that never returns has results without sources, but a binding needs one.
        if sources.is_empty() || result.is_none_or(|r| r.elsewhere) {
            sources.push(self.elsewhere());
        }
        sources
    }

    /// Adds a buffer for the memory that the callee's arena takes up during the call.
    fn add_workspace(&mut self, op: Op, callee: Option<String>, accesses: &mut Accesses) {
        let Some(name) = callee else { return };
        let Some(workspace) = self.callees.workspaces.get(&name).copied() else {
            return;
        };
        let buffer = Buffer {
            name: format!("workspace of @{name}").into(),
            size: workspace.size,
            alignment: workspace.alignment,
            role: Role::Intermediate,
            storage: Storage::Planned,
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        let (id, pointer) = self.add_buffer(buffer, None, None);
        self.pending.push(id);
        self.workspaces.push((op, id));
        // The access makes the workspace live during the call.
        accesses.push(Access::anywhere(AccessKind::Define, pointer), None);
    }
}

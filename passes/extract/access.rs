//! Lowers operations to steps: what they read and write, and which operands escape through them.

use melior::ir::ValueLike as _;
use mem_model::{AccessKind, Binding, PointerId, Rotation, StepId};

use super::accesses::Accesses;
use super::precise::Extent;
use super::waits::completions;
use super::{Escape, Extractor, Misfit, Refusal, Roots};
use crate::ir::dialect::{KernelOp, is_transfer, rotation};
use crate::ir::mpi::{selects_request, starts_request};
use crate::ir::{EffectKind, Facts, Op, Value, is_storage};

/// Converts an address to an integer.
const ADDRESS_OF: &str = "memref.extract_aligned_pointer_as_index";

/// Compute an integer from a shape. Other operations without effects may compute one from the
/// address, but not these.
const SHAPE_OF: [&str; 3] = ["memref.dim", "memref.rank", "shape.shape_of"];

impl Extractor<'_> {
    /// Lowers an operation without control flow of its own.
    pub(super) fn lower_access(&mut self, op: Op, facts: &Facts) {
        let name = op.name();
        // Names come first: by its effects alone, a `memref.dealloc` would make its operand escape.
        if self.lower_storage(op, name) {
            return;
        }
        // MLIR models no effects of calls; the summary of the callee does.
        if facts.is_call() {
            return self.lower_call(op);
        }
        // An operation with unknown effects may access storage without having it as an operand.
        let is_unknown = self.roots.is_precise() && facts.has_unknown_effects();
        if !facts.has_pointer_operand() && !facts.has_nested_memory() && !is_unknown {
            return;
        }
        let mut accesses = Accesses::with_capacity(facts.effects.len());
        self.add_effects(&mut accesses, op, facts, true);
        if facts.has_nested_memory() {
            let outlasts = self.may_outlast(op, facts) && self.waits_of(op, facts).is_none();
            let unknown = match facts.has_unknown_effects() {
                true => Some(Escape::InsideUnknown),
                false => outlasts.then_some(Escape::InsideUnawaited),
            };
            op.walk(&mut |nested| self.add_nested(&mut accesses, nested, unknown.as_ref()));
        }
        if self.roots.is_precise() {
            self.add_conditions(op, &mut accesses);
        }
        if !accesses.is_empty() {
            self.add_access_step(op, accesses);
        }
    }

    /// Adds a step for a wait. A wait itself touches no storage.
    fn lower_wait(&mut self, op: Op) {
        let waits = op.operands().map(|value| self.token(value)).collect();
        self.add_step(op).waits = waits;
    }

    /// Lowers operations that allocate, name or free storage. Returns whether `op` is one of them.
    fn lower_storage(&mut self, op: Op, name: &str) -> bool {
        match name {
            // Places in the buffer of the arena, so they create no instance of their own.
            "mem.view" | "mem.slice" if self.roots.is_everything() => {}
            "memref.get_global" if self.roots.has_all_storage() => {}
            "mem.wait" if self.roots.has_tokens() => self.lower_wait(op),
            // What transfers access until then is the step of their end.
            "mem.wait" => {}
            "mpi.wait" if self.requests.exist || self.roots.has_tokens() => {
                self.lower_request_wait(op);
            }
            "memref.alloc" | "memref.alloca" | "mem.buffer" | "mem.arena" | "mem.view"
            | "mem.slice" => {
                let known = self.places.get(&op.result()).copied();
                if let Some(buffer) = known.and_then(|place| self.buffer_of(place.pointer)) {
                    self.pending.push(buffer);
                }
            }
            "memref.dealloc" => {
                // `settle_deallocations` decides whether the deallocation is erased, once all
                // escapes are known.
                let pointer = self.place(op.operand(0)).pointer;
                self.deallocations.push((op, pointer));
            }
            "arith.select" if is_storage(op.result().ty()) => {
                let sources = [op.operand(1), op.operand(2)];
                self.lower_choice(op, &sources);
            }
            "arith.select" if self.requests.exist && selects_request(op) => {
                self.lower_request_choice(op);
            }
            // Where storage is modeled as if unplanned, a rotation allocates a buffer that has
            // several places. Elsewhere it selects one of several placed buffers.
            "mem.rotate" if self.roots.example().is_some() => self.lower_rotation(op),
            "mem.rotate" => self.lower_choice(op, &rotation(op).0),
            ADDRESS_OF => self.lower_address(op),
            _ => return false,
        }
        true
    }

    /// Lowers the conversion of an address to an integer.
    fn lower_address(&mut self, op: Op) {
        if !self.only_compared(op.result(), &mut Vec::new()) {
            self.escape(op.operand(0), Escape::Number, op);
        }
    }

    /// Lowers a buffer that rotates between slots.
    fn lower_rotation(&mut self, op: Op) {
        let place = self.place(op.result());
        let Some(buffer) = self.buffer_of(place.pointer) else {
            return;
        };
        let (_, avoided) = rotation(op);
        let avoid = avoided.into_iter().map(|v| self.place(v).pointer);
        let mut avoid: Vec<PointerId> = avoid.collect();
        // Several avoided values may denote the same buffer.
        avoid.sort_unstable();
        avoid.dedup();
        self.pending.push(buffer);
        let step = StepId::new(self.steps.len());
        // The buffer is pending, so this adds the step `step`, which allocates it.
        self.flush_pending(op);
        self.rotations.push(Rotation {
            step,
            buffer,
            avoid,
        });
    }

    /// Lowers an operation whose result denotes the storage of one of several values.
    fn lower_choice(&mut self, op: Op, from: &[Value]) {
        let target = self.place(op.result()).pointer;
        let mut sources: Vec<_> = from.iter().map(|v| self.place(*v).pointer).collect();
        sources.dedup();
        // Pending instances must exist before the choice, because a rotation may have to avoid
        // them.
        self.flush_pending(op);
        self.add_step(op).bindings = vec![Binding { target, sources }].into();
    }

    /// Adds the reads and writes of one operation, the alignments it relies on, and the operands
    /// that escape.
    fn add_effects(&mut self, accesses: &mut Accesses, op: Op, facts: &Facts, whole: bool) {
        if self.roots.is_precise() {
            self.add_all_effects(accesses, op, facts, whole);
        }
        for effect in &facts.effects {
            let kind = match effect.kind {
                EffectKind::Read => AccessKind::Use,
                EffectKind::Write => AccessKind::Define,
                // `lower_storage` knows all allocations that can be planned; other new storage is
                // not modeled.
                EffectKind::Allocate => continue,
                EffectKind::Free => {
                    self.escape(effect.value, Escape::Freed, op);
                    continue;
                }
            };
            // With precise roots, `add_all_effects` has added the access.
            if is_storage(effect.value.ty()) && !self.roots.is_precise() {
                self.add_access(accesses, effect.value, kind, effect.full && whole);
            }
        }
        if matches!(op.name(), "mem.swap" | "mem.move") && !self.roots.is_precise() {
            // The contents of the source are undefined afterwards, and so are those of storage that
            // takes over its bytes.
            self.add_access(accesses, op.operand(0), AccessKind::Define, false);
        }
        self.add_alignment(op);
        self.add_escapes(op, facts, whole);
    }

    /// Adds the effects of one operation with the precision that dependence analysis needs.
    fn add_all_effects(&mut self, accesses: &mut Accesses, op: Op, facts: &Facts, whole: bool) {
        let defined = KernelOp::of(op).map(KernelOp::defines).unwrap_or_default();
        let is_defined = |value: Value| defined.iter().any(|v| Value(v.to_raw()) == value);
        for kind in [AccessKind::Use, AccessKind::Define] {
            let wanted = match kind {
                AccessKind::Use => EffectKind::Read,
                AccessKind::Define => EffectKind::Write,
            };
            for effect in facts.effects.iter().filter(|e| e.kind == wanted) {
                // Definitions cover the whole value here even under a predicate: the predicate is
                // recorded separately.
                let full = effect.full || (kind == AccessKind::Define && is_defined(effect.value));
                let extent = match (whole, full) {
                    // A nested operation may run any number of times, including zero, each time on
                    // another part of the value.
                    (false, _) => Extent::Perhaps,
                    (true, true) => Extent::Whole,
                    (true, false) => Extent::Part,
                };
                if is_storage(effect.value.ty()) {
                    self.add_precise_access(accesses, op, effect.value, kind, extent);
                }
            }
        }
        if matches!(op.name(), "mem.swap" | "mem.move") {
            // The contents of the source are undefined afterwards.
            let source = op.operand(0);
            self.add_precise_access(accesses, op, source, AccessKind::Define, Extent::Whole);
        }
        // The model has no access that ends the lifetime of storage, so freeing counts as doing
        // anything with it. `memref.dealloc` does not get here.
        let is_freed = facts.effects.iter().any(|e| e.kind == EffectKind::Free);
        if facts.has_unknown_effects() || is_freed {
            let operands: Vec<Value> = op.operands().filter(|v| is_storage(v.ty())).collect();
            self.add_anything(accesses, &operands);
        }
    }

    /// Records the alignment that an access or an assumption states.
    fn add_alignment(&mut self, op: Op) {
        let Some(alignment) = op.attribute("alignment").and_then(|a| a.integer()) else {
            return;
        };
        for operand in op.operands().filter(|v| is_storage(v.ty())) {
            let place = self.place(operand);
            self.note_alignment(place, alignment);
        }
    }

    /// Records the operands whose address an operation could keep, forward or hide. `is_step`: unless it is
    /// nested in an operation whose regions are not control flow.
    fn add_escapes(&mut self, op: Op, facts: &Facts, is_step: bool) {
        // The result of a view is followed to its source, and `unforwarded` handles the operands of
        // structured operations.
        if !facts.has_pointer_operand() || facts.view_source.is_some() || facts.is_structured() {
            return;
        }
        if facts.is_terminator() {
            // Values that a branch forwards are bound by its edges.
            if !facts.is_branch() && !self.region_edges.contains_key(&op) {
                self.lower_return(op);
            }
            return;
        }
        // The token stands for these accesses until the transfer is complete.
        if self.roots.has_tokens() && is_transfer(op) {
            return;
        }
        // `settle_requests` decides about requests of steps, once all edges are known.
        let is_waited_for = match starts_request(op) {
            true => is_step || self.find_waits(op).is_some(),
            false => self.waits_of(op, facts).is_some(),
        };
        let Some(escape) = self.escape_through(op, facts, is_waited_for) else {
            return;
        };
        let affected = |v: &Value| facts.effects.iter().any(|e| e.value == *v);
        for operand in op.operands().filter(|v| is_storage(v.ty())) {
            // An operand with a memory effect is the one accessed, not the one stored.
            if escape != Escape::Stored || !affected(&operand) {
                self.escape(operand, escape.clone(), op);
            }
        }
    }

    /// Storage that is returned outlives the call.
    fn lower_return(&mut self, op: Op) {
        for (index, operand) in op.operands().enumerate() {
            // Several returns may supply a result. Indices count all results, as they do at a call.
            if self.returned.len() <= index {
                self.returned.push(Vec::new());
            }
            if is_storage(operand.ty()) {
                let pointer = self.place(operand).pointer;
                self.returned[index].push(pointer);
                self.escape(operand, Escape::Returned, op);
            }
        }
    }

    /// Lowers an operation nested in an operation whose regions are not control flow. Its accesses
    /// are partial and take place at the outer operation's step. `unknown`: why the time of its
    /// accesses is unknown, if it is.
    fn add_nested(&mut self, accesses: &mut Accesses, op: Op, unknown: Option<&Escape>) {
        let is_root = match self.roots {
            Roots::Allocations => matches!(op.name(), "memref.alloc" | "memref.alloca"),
            Roots::Buffers | Roots::Tensors { .. } => op.name() == "mem.buffer",
            Roots::Everything { .. } | Roots::Placed { .. } | Roots::Levels { .. } => false,
        };
        // One buffer cannot stand for the instances of iterations that run at the same time.
        if is_root {
            let reason = Misfit::Concurrent.into();
            let blame = op.parent();
            return self.misfits.push((op, Refusal { reason, blame }));
        }
        let facts = self.callees.kernels.describe(op);
        if !facts.has_pointer_operand() {
            // Even without a pointer operand, it may access globals, or storage that escaped
            // earlier.
            if self.roots.is_precise() && (unknown.is_some() || facts.has_unknown_effects()) {
                self.add_anything(accesses, &[]);
            }
            return;
        }
        if op.name() == ADDRESS_OF && unknown.is_none() {
            return self.lower_address(op);
        }
        let escape = if let Some(escape) = unknown {
            escape.clone()
        } else if op.name() == "memref.dealloc" {
            Escape::FreedConcurrently
        } else if facts.is_call() || facts.is_terminator() || facts.is_region_branch() {
            // The scan numbers no merges in these regions. Accesses through a result of a call, or
            // through a value that control flow forwards, could not be traced to this storage.
            Escape::PassedOnConcurrently
        } else {
            return self.add_effects(accesses, op, &facts, false);
        };
        let operands: Vec<Value> = op.operands().filter(|v| is_storage(v.ty())).collect();
        if self.roots.is_precise() {
            self.add_anything(accesses, &operands);
        }
        for operand in operands {
            self.escape(operand, escape.clone(), op);
        }
    }

    /// Records that the storage of `value` is accessible in ways the model does not see.
    pub(super) fn escape(&mut self, value: Value, escape: Escape, blame: Op) {
        if !is_storage(value.ty()) {
            return;
        }
        let pointer = self.place(value).pointer;
        self.escapes.push((pointer, escape, blame));
    }

    /// How an operation that is neither a view nor a terminator may let the addresses of its operands
    /// escape. If `is_waited_for`, its results are tokens.
    fn escape_through(&mut self, op: Op, facts: &Facts, is_waited_for: bool) -> Option<Escape> {
        // Without effects on memory, an address can only leave through the results.
        let makes_number = facts.effects.is_empty() && op.results().next().is_some();
        // `Stored` comes last: it exempts operands with an effect of their own, and every other reason
        // applies to all operands.
        let may_hold_address = || facts.has_opaque_result() && completions(op).is_none();
        let is_asynchronous =
            is_transfer(op) && op.results().next().is_some() || starts_request(op);
        if is_asynchronous && !is_waited_for {
            Some(Escape::UnawaitedTransfer)
        } else if facts.has_unknown_effects() {
            Some(Escape::UnknownEffects)
        } else if self.may_outlast(op, facts) && !may_hold_address() && !is_waited_for {
            Some(Escape::StillRunning)
        } else if makes_number && !facts.has_pointer_result() && !SHAPE_OF.contains(&op.name()) {
            Some(Escape::MayBeNumber)
        } else if facts.has_opaque_result() && !is_waited_for || facts.has_pointer_result() {
            Some(Escape::HeldByResult)
        } else {
            facts.writes().then_some(Escape::Stored)
        }
    }

    /// Whether an operation may still access memory when the next one starts. No interface states this;
    /// any operation that yields a token or another opaque, non-numeric result may.
    fn may_outlast(&mut self, op: Op, facts: &Facts) -> bool {
        // `memref.dma_start`, `amdgpu.gather_to_lds` and directives such as `omp.task` have no result
        // that reveals them. A name that matches by accident only keeps a buffer from being planned.
        const ASYNCHRONOUS: [&str; 5] = ["async", "dma_start", "_to_lds", "acc.", "omp."];
        // Programs have few names and many operations.
        let is_asynchronous = || ASYNCHRONOUS.iter().any(|part| op.name().contains(part));
        let known = self.asynchronous_names.entry(op.name_id());
        facts.has_opaque_result() || *known.or_insert_with(is_asynchronous)
    }
}

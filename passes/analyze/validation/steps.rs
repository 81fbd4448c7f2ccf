//! Translates single operations into steps of the programs that are compared.

use mem_equivalence::program::{
    AccessStep, Arithmetic, ChoiceStep, Constant, Fingerprint, Number, Operand, Part, Predicate,
    ScalarStep, StepKind, StorageStep, ValueId, ViewKind,
};

use super::fingerprint::Inside;
use super::translate::Body;
use crate::ir::dialect::{KernelOp, is_transfer, rotation};
use crate::ir::kernels::LAUNCH;
use crate::ir::mpi::{communicates, selects_request};
use crate::ir::{
    Attribute, Effect, EffectKind, Facts, Op, SEGMENTS, Type, Value, buffer_size, element_type,
    indexing_map_attributes, is_arena, is_condition, is_elementwise, is_index, is_storage,
    memref_layout, storage_bytes,
};

impl Body<'_> {
    /// Translates an operation that control flow passes straight through.
    /// `facts`: about the operation, if it has been asked for them.
    pub(super) fn step(&mut self, op: Op, facts: Option<Facts>, block: usize) {
        match op.name() {
            // Timing is not observed, and the dialect's own transfers happen where they start.
            "mem.wait" => {}
            "memref.dma_start" | "memref.dma_wait" => self.dma(op, block),
            "memref.extract_strided_metadata" => self.metadata(op, block),
            "gpu.launch" | LAUNCH | "gpu.wait" => self.device(op, facts, block),
            "arith.select" if is_storage(op.result().ty()) || selects_request(op) => {
                self.select(op, block);
            }
            _ if is_transfer(op) || is_copy(op) => self.copy(op, block),
            _ if communicates(op) => self.exchange(op, block),
            _ => match self.known(op) {
                Some(kind) => self.push(block, op, kind),
                None => self.any(op, facts, block),
            },
        }
    }

    /// Translates an operation that is known by its name and becomes one step; `None` for any other
    /// operation.
    fn known(&mut self, op: Op) -> Option<StepKind> {
        Some(match op.name() {
            "memref.dealloc" => StepKind::Free {
                fingerprint: self.names().number("free".to_owned()),
                storage: self.value(op.operand(0)),
            },
            "mem.buffer" | "mem.arena" | "memref.alloc" | "memref.alloca" => self.allocation(op),
            "memref.get_global" => self.get_global(op),
            "memref.dim" => self.dimension(op),
            "arith.constant" => StepKind::Scalar(ScalarStep::Integer {
                value: op.result().constant()?,
                result: self.value(op.result()),
            }),
            "memref.load" | "memref.store" => self.element(op),
            "memref.extract_aligned_pointer_as_index" => StepKind::Storage(StorageStep::Pointer {
                result: self.value(op.result()),
                source: self.value(op.operand(0)),
            }),
            "mem.rotate" => {
                let (slots, avoiding) = rotation(op);
                StepKind::Choice(ChoiceStep::Rotate {
                    slots: self.values(slots),
                    avoiding: self.values(avoiding),
                    result: self.value(op.result()),
                })
            }
            "func.call" => self.call(op),
            "linalg.fill" if is_plain_fill(op) => StepKind::Access(AccessStep::Fill {
                value: self.value(op.operand(0)),
                to: self.value(op.operand(1)),
            }),
            _ => return None,
        })
    }

    /// Translates a selection of storage, and a rotation that has been lowered to selections.
    fn select(&mut self, op: Op, block: usize) {
        let [condition, yes, no] = [0, 1, 2].map(|index| self.value(op.operand(index)));
        let kind = StepKind::Choice(ChoiceStep::Select {
            condition,
            yes,
            no,
            result: self.value(op.result()),
        });
        self.push(block, op, kind);
        if let Some(kind) = self.rotated(op) {
            self.push(block, op, kind);
        }
    }

    fn dimension(&mut self, op: Op) -> StepKind {
        StepKind::Scalar(ScalarStep::Dimension {
            result: self.value(op.result()),
            source: self.value(op.operand(0)),
            index: match op.operand(1).constant() {
                Some(index) => Number::Constant(index),
                None => Number::Value(self.value(op.operand(1))),
            },
        })
    }

    fn get_global(&mut self, op: Op) -> StepKind {
        let name = op.attribute("name");
        let name = name.as_ref().and_then(Attribute::symbol);
        let (text, is_constant, initial) = self.global(name.unwrap_or_default());
        let elements = initial.map(|own| self.elements(own, op.result().ty()));
        StepKind::Storage(StorageStep::Global {
            elements: elements.unwrap_or_default(),
            result: self.value(op.result()),
            name: self.names().number(text),
            is_constant,
        })
    }

    fn call(&mut self, op: Op) -> StepKind {
        let name = op.attribute("callee");
        let name = name.as_ref().and_then(Attribute::symbol);
        let callee = self.function_path(name.unwrap_or_default());
        if let Some(kind) = self.runtime_call(op, &callee) {
            return kind;
        }
        StepKind::Call {
            fingerprint: self.names().number(format!("call {callee}")),
            callee: callee.into(),
            operands: self.values(op.operands()),
            results: self.values(op.results()),
        }
    }

    fn allocation(&mut self, op: Op) -> StepKind {
        let ty = op.result().ty();
        let is_mem = op.name().starts_with("mem.");
        // An allocation of bytes with views of its parts is an arena that has been lowered. Views
        // from its first byte on may as well be those of a single buffer.
        let is_lowered = || {
            op.result()
                .users()
                .iter()
                .any(|user| user.name() == "memref.view" && user.operand(1).constant() != Some(0))
        };
        let is_arena = is_arena(ty) || !is_mem && is_lowered();
        let n_sizes = match op.attribute(SEGMENTS).and_then(|own| own.small_integers()) {
            Some(segments) => usize::try_from(segments.first().copied().unwrap_or(0)).unwrap_or(0),
            None => op.operands().count(),
        };
        let sizes: Vec<Value> = op.operands().take(n_sizes).collect();
        let sizes = sizes
            .into_iter()
            .map(|size| Number::Value(self.value(size)))
            .collect();
        let bytes = storage_bytes(ty).and_then(|bytes| i64::try_from(bytes).ok());
        StepKind::Storage(StorageStep::Allocate {
            result: self.value(op.result()),
            bytes: buffer_size(ty).or(bytes),
            sizes,
            is_arena,
        })
    }

    /// The elements of a constant, if they are known and few; otherwise empty.
    fn elements(&mut self, initial: Attribute, ty: Type) -> Vec<Constant> {
        const FEW: i64 = 1024;
        let Some(layout) = memref_layout(ty) else {
            return Vec::new();
        };
        if let Some(own) = initial.splat() {
            return self.constant(own).into_iter().collect();
        }
        let n = layout.elements().unwrap_or(i64::MAX);
        if !(2..=FEW).contains(&n) {
            return Vec::new();
        }
        let mut elements = Vec::new();
        for number in 0..n {
            let mut rest = number;
            let mut indices: Vec<i64> = Vec::new();
            for size in layout.shape.iter().rev() {
                let size = size.unwrap_or(1).max(1);
                indices.push(rest % size);
                rest /= size;
            }
            indices.reverse();
            match initial.element(&indices).and_then(|own| self.constant(own)) {
                Some(own) => elements.push(own),
                None => return Vec::new(),
            }
        }
        elements
    }

    /// A number, as a constant operation would represent it.
    fn constant(&mut self, own: Attribute) -> Option<Constant> {
        if let Some(value) = own.integer() {
            return Some(Constant::Integer(value));
        }
        let ty = own.ty()?;
        let text = format!("arith.constant value={:p} >{:p}", own.0.ptr, ty.0.ptr);
        Some(Constant::Other(self.names().number(text)))
    }

    fn element(&mut self, op: Op) -> StepKind {
        let is_load = op.name() == "memref.load";
        let indices: Vec<Value> = op.operands().skip(if is_load { 1 } else { 2 }).collect();
        let indices = self.values(indices);
        let moved = if is_load { op.result() } else { op.operand(0) };
        match is_load {
            _ if is_storage(moved.ty()) => StepKind::Unknown {
                why: "it keeps storage in memory",
                operands: self.values(op.operands()),
                results: self.values(op.results()),
            },
            true => StepKind::Access(AccessStep::Load {
                from: self.value(op.operand(0)),
                indices,
                result: self.value(op.result()),
            }),
            false => StepKind::Access(AccessStep::Store {
                value: self.value(op.operand(0)),
                to: self.value(op.operand(1)),
                indices,
            }),
        }
    }

    /// Translates a copy of all elements. The token of an asynchronous copy becomes an integer that
    /// nothing depends on.
    fn copy(&mut self, op: Op, block: usize) {
        let fingerprint = self.names().number(format!("copy {}", op.name()));
        let kind = StepKind::Access(AccessStep::Copy {
            fingerprint,
            from: self.value(op.operand(0)),
            to: self.value(op.operand(1)),
        });
        self.push(block, op, kind);
        for result in op.results() {
            let result = self.value(result);
            self.push(
                block,
                op,
                StepKind::Scalar(ScalarStep::Integer { value: 0, result }),
            );
        }
    }

    /// Translates `memref.extract_strided_metadata`: the base pointer of a view, and its layout as
    /// integers.
    fn metadata(&mut self, op: Op, block: usize) {
        let source = self.value(op.operand(0));
        let mut results = op.results();
        if let Some(base) = results.next() {
            let kind = StepKind::Storage(StorageStep::View {
                result: self.value(base),
                source,
                kind: Box::new(ViewKind::Base),
            });
            self.push(block, op, kind);
        }
        let rest: Vec<Value> = results.collect();
        let rank = rest.len() / 2;
        for (index, result) in rest.into_iter().enumerate() {
            let result = self.value(result);
            let kind = match index {
                0 => StepKind::Scalar(ScalarStep::Layout {
                    result,
                    source,
                    part: Part::Offset,
                }),
                _ if index <= rank => StepKind::Scalar(ScalarStep::Dimension {
                    result,
                    source,
                    index: Number::Constant(index as i64 - 1),
                }),
                _ => StepKind::Scalar(ScalarStep::Layout {
                    result,
                    source,
                    part: Part::Stride(index - 1 - rank),
                }),
            };
            self.push(block, op, kind);
        }
    }

    /// Translates arithmetic on indices that is understood.
    fn arithmetic(&mut self, op: Op) -> Option<StepKind> {
        if !op.name().starts_with("arith.") || op.operands().count() != 2 {
            return None;
        }
        let [mut a, mut b] = [0, 1].map(|index| op.operand(index));
        let mut same = || self.names().fingerprint(op, &mut Inside::default());
        let operator = match op.name() {
            "arith.andi" if is_condition(a.ty()) => Arithmetic::Both(same()),
            "arith.ori" if is_condition(a.ty()) => Arithmetic::Either(same()),
            _ if !is_index(a.ty()) => return None,
            "arith.addi" => Arithmetic::Add,
            "arith.subi" => Arithmetic::Subtract,
            "arith.muli" => Arithmetic::Multiply,
            "arith.maxsi" => Arithmetic::Maximum,
            "arith.andi" => Arithmetic::And,
            "arith.remui" => Arithmetic::Remainder(same()),
            "arith.cmpi" => {
                let number = op.attribute("predicate").and_then(Attribute::integer)?;
                let (predicate, is_swapped) = predicate(number)?;
                if is_swapped {
                    (a, b) = (b, a);
                }
                Arithmetic::Compare(predicate, same())
            }
            _ => return None,
        };
        Some(StepKind::Scalar(ScalarStep::Arithmetic {
            operator,
            operands: [self.value(a), self.value(b)],
            result: self.value(op.result()),
        }))
    }

    /// Translates any other operation, according to its MLIR interfaces.
    pub(super) fn any(&mut self, op: Op, facts: Option<Facts>, block: usize) {
        if let Some(kind) = self.arithmetic(op) {
            return self.push(block, op, kind);
        }
        if let Some(kind) = self.view(op) {
            let kind = StepKind::Storage(StorageStep::View {
                result: self.value(op.result()),
                source: self.value(op.operand(0)),
                kind: Box::new(kind),
            });
            return self.push(block, op, kind);
        }
        let mut inside = Inside::default();
        let fingerprint = self.names().fingerprint(op, &mut inside);
        // Nearly all operations of a program are scalar arithmetic, which needs no further queries.
        let is_arithmetic = op.regions().next().is_none() && op.name().starts_with("arith.");
        let kind = match is_arithmetic {
            true => StepKind::Compute {
                fingerprint,
                operands: op.operands().map(|own| scalar(self.value(own))).collect(),
                results: self.values(op.results()),
            },
            false => {
                let facts = facts.unwrap_or_else(|| self.describe(op));
                let fingerprint = self.with_kernel(op, fingerprint);
                self.described(op, &facts, fingerprint, &inside)
            }
        };
        self.push(block, op, kind);
    }

    fn described(
        &mut self,
        op: Op,
        facts: &Facts,
        fingerprint: Fingerprint,
        inside: &Inside,
    ) -> StepKind {
        let captured = &inside.captured;
        let all: Vec<Value> = op.operands().chain(captured.iter().copied()).collect();
        let results = self.values(op.results());
        let makes_storage = op.results().any(|result| is_storage(result.ty()));
        let touches_captured = captured.iter().any(|own| is_storage(own.ty()));
        let is_followed = facts.is_structured() && loads_only(op);
        if (touches_captured || facts.has_nested_memory()) && !is_followed {
            return StepKind::Unknown {
                why: "operations inside of it access memory",
                operands: self.values(all),
                results,
            };
        }
        let has_effects = !facts.effects.is_empty();
        let is_event =
            facts.has_unknown_effects() || facts.is_call() || makes_storage && has_effects;
        if is_event {
            return StepKind::Event {
                fingerprint,
                operands: self.values(all),
                results,
            };
        }
        if makes_storage || facts.view_source.is_some() {
            // An unknown view: accesses through it are not tracked.
            return StepKind::Compute {
                fingerprint,
                operands: Box::default(),
                results,
            };
        }
        let operands = match op.name() {
            "mem.kernel" => self.kernel(op),
            _ => self.operands(op, facts, &all, inside),
        };
        StepKind::Compute {
            fingerprint,
            operands: operands.into(),
            results,
        }
    }

    /// The effects of an operation on its operands. Structured operations list effects operand by
    /// operand, so that one value may be read as one operand and written as another.
    pub(super) fn operands(
        &mut self,
        op: Op,
        facts: &Facts,
        all: &[Value],
        inside: &Inside,
    ) -> Vec<Operand> {
        let in_order = in_order(op);
        let n_operands = op.operands().count();
        let n_inputs = if facts.is_structured() {
            n_inputs(op)
        } else {
            0
        };
        let body = op.regions().next().and_then(|own| own.first_block());
        let mut rest = facts.effects.iter().peekable();
        let mut operands = Vec::new();
        for (index, value) in all.iter().enumerate() {
            let mut own = Operand {
                reads: index >= n_operands && is_storage(value.ty()),
                in_order: in_order.get(index).copied().unwrap_or(false),
                ..scalar(self.value(*value))
            };
            if facts.is_structured() && index < n_operands {
                let is_own =
                    |kind| move |effect: &&Effect| effect.value == *value && effect.kind == kind;
                // One value may be several operands, of which only those are read that the body uses.
                let element = body.and_then(|own| own.arguments().nth(index));
                let is_read = element.is_none_or(Value::is_used)
                    && rest.next_if(is_own(EffectKind::Read)).is_some();
                own.reads |= is_read && element.is_none_or(|element| inside.uses(element));
                let write =
                    rest.next_if(|effect| index >= n_inputs && is_own(EffectKind::Write)(effect));
                own.writes = write.is_some();
                own.writes_all = write.is_some_and(|write| write.full);
            } else if index < n_operands {
                let of = |kind| {
                    facts
                        .effects
                        .iter()
                        .filter(move |own| own.value == *value && own.kind == kind)
                };
                own.reads |= of(EffectKind::Read).next().is_some();
                own.writes = of(EffectKind::Write).next().is_some();
                own.writes_all = of(EffectKind::Write).any(|own| own.full);
            }
            operands.push(own);
        }
        operands
    }

    /// The effects on its operands that a kernel declares.
    fn kernel(&mut self, op: Op) -> Vec<Operand> {
        let segments = op
            .attribute(SEGMENTS)
            .and_then(|own| own.small_integers())
            .unwrap_or_default();
        let is_predicated = segments.get(5).is_some_and(|n| *n > 0);
        let in_place = KernelOp::of(op)
            .and_then(KernelOp::in_place)
            .unwrap_or_default();
        let mut operands = Vec::new();
        let mut values = op.operands();
        for (group, n) in segments.iter().enumerate() {
            for index in 0..*n {
                let Some(value) = values.next() else { break };
                let (reads, writes, writes_all) = match group {
                    0 | 2 => (true, false, false),
                    1 => (false, true, !is_predicated),
                    3 => (false, true, false),
                    4 => (false, true, true),
                    _ => (false, false, false),
                };
                operands.push(Operand {
                    value: self.value(value),
                    reads,
                    writes,
                    writes_all,
                    in_order: group == 1 || group == 0 && in_place.contains(&i64::from(index)),
                });
            }
        }
        operands
    }
}

/// Number of operands of a structured operation that are inputs.
fn n_inputs(op: Op) -> usize {
    if let Some(n_inputs) = crate::ir::n_inputs(op) {
        return n_inputs;
    }
    let n = op.operands().count();
    let segments = op.attribute(SEGMENTS).and_then(|own| own.small_integers());
    let inputs = segments.and_then(|own| usize::try_from(*own.first()?).ok());
    match op.name() {
        "linalg.reduce" => n / 2,
        _ => inputs.unwrap_or(n.saturating_sub(1)),
    }
}

pub(super) fn scalar(value: ValueId) -> Operand {
    Operand {
        value,
        reads: false,
        writes: false,
        writes_all: false,
        in_order: false,
    }
}

/// Indexed by operand of a structured operation: whether it is accessed only at the element of the
/// current iteration, provided that all outputs are. Iterations are then independent of each other.
fn in_order(op: Op) -> Vec<bool> {
    let is_structured = op.name().starts_with("linalg.");
    // MLIR creates the maps of named operations at each question.
    if is_structured && is_elementwise(op) {
        return vec![true; op.operands().count()];
    }
    let maps = Some(op).filter(|_| is_structured);
    let maps = maps.and_then(|op| indexing_map_attributes(op)?.elements());
    let Some(maps) = maps else {
        return Vec::new();
    };
    let is_identity: Vec<bool> = maps.iter().map(|map| map.is_identity_map()).collect();
    let n_inputs = n_inputs(op).min(is_identity.len());
    let all = is_identity[n_inputs..]
        .iter()
        .all(|is_identity| *is_identity);
    is_identity
        .into_iter()
        .map(|is_identity| is_identity && all)
        .collect()
}

/// Whether operations inside of an operation access storage only by loading elements.
fn loads_only(op: Op) -> bool {
    let mut only_loads = true;
    op.walk(&mut |nested| {
        let touches = nested.operands().any(|own| is_storage(own.ty()));
        only_loads &= nested == op || !touches || nested.name() == "memref.load";
    });
    only_loads
}

/// Whether an operation copies elements unchanged.
fn is_copy(op: Op) -> bool {
    let layouts = || {
        let mut layouts = op.operands().map(|own| memref_layout(own.ty()).is_some());
        layouts.all(|is_known| is_known)
    };
    let same = || element_type(op.operand(0).ty()) == element_type(op.operand(1).ty());
    match op.name() {
        "memref.copy" => layouts(),
        "linalg.copy" => layouts() && same(),
        _ => false,
    }
}

/// Whether a fill stores its operand unchanged.
fn is_plain_fill(op: Op) -> bool {
    let target = op.operand(1).ty();
    memref_layout(target).is_some() && element_type(target) == Some(op.operand(0).ty())
}

/// The predicate of an `arith.cmpi` with this number, and whether its operands change places.
fn predicate(number: i64) -> Option<(Predicate, bool)> {
    Some(match number {
        0 => (Predicate::Equal, false),
        1 => (Predicate::NotEqual, false),
        2 => (Predicate::Less, false),
        3 => (Predicate::LessEqual, false),
        4 => (Predicate::Less, true),
        5 => (Predicate::LessEqual, true),
        6 => (Predicate::UnsignedLess, false),
        7 => (Predicate::UnsignedLessEqual, false),
        8 => (Predicate::UnsignedLess, true),
        9 => (Predicate::UnsignedLessEqual, true),
        _ => return None,
    })
}

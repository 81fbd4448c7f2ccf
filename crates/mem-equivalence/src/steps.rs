//! Effects of steps on values and memory.

use std::rc::Rc;

use crate::contents::Contents;
use crate::evaluate::{Binding, Evaluator, Lost, State};
use crate::flatten::Value;
use crate::flights::Access;
use crate::linear::Linear;
use crate::program::{
    Arithmetic, Constant, Fingerprint, Number, Operand, StepKind, ValueId, ValueType,
};
use crate::value::{External, MASK, MAXIMUM, Node, NodeId, PRODUCT, Piece, Sharing};
use crate::view::{Base, View};

/// Reason for giving up on a step that [`Evaluator::step`] passes to the wrong method. Giving up is
/// sound, whereas skipping the step would not be.
const UNHANDLED: &str = "internal error: a step is evaluated as one of another kind";

impl Evaluator<'_> {
    /// Evaluates one step. `first`: offset from value numbers of the original function to values of
    /// the flat function.
    pub(crate) fn step(
        &mut self,
        first: usize,
        kind: &StepKind,
        state: &mut State,
    ) -> Result<(), Lost> {
        match kind {
            StepKind::Integer { .. }
            | StepKind::Arithmetic { .. }
            | StepKind::Dimension { .. }
            | StepKind::Layout { .. } => self.scalar_step(first, kind),
            StepKind::Allocate { .. } | StepKind::Global { .. } | StepKind::View { .. } => {
                self.storage_step(first, kind, state)
            }
            StepKind::Fill { .. }
            | StepKind::Copy { .. }
            | StepKind::Load { .. }
            | StepKind::Store { .. } => self.access_step(first, kind, state),
            StepKind::Select { .. } | StepKind::Rotate { .. } | StepKind::Rotated { .. } => {
                self.choice_step(first, kind, state)
            }
            StepKind::Start { .. } => self.start(first, kind, state),
            StepKind::Await { ticket, count } => self.wait(first, ticket, *count, state),
            StepKind::Free { storage } => self.check_freed(state, first + storage.0 as usize),
            StepKind::Compute {
                fingerprint,
                operands,
                results,
            } => self.compute(first, *fingerprint, operands, results, state),
            StepKind::Call {
                fingerprint,
                operands,
                results,
                ..
            }
            | StepKind::Event {
                fingerprint,
                operands,
                results,
            } => {
                self.check_event(state)?;
                self.event(first, *fingerprint, operands, results, state);
                Ok(())
            }
            StepKind::Unknown { why, .. } => self.lost(why),
        }
    }

    /// Evaluates a step that computes a scalar without accessing memory.
    fn scalar_step(&mut self, first: usize, kind: &StepKind) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        let (result, node) = match kind {
            StepKind::Integer {
                value: number,
                result,
            } => (result, self.graph.add(Node::Integer(*number))),
            StepKind::Arithmetic {
                operator,
                operands,
                result,
            } => {
                let [a, b] = [0, 1].map(|index| self.scalar(value(&operands[index])));
                (result, self.arithmetic(*operator, a, b))
            }
            StepKind::Dimension {
                result,
                source,
                index,
            } => (result, self.dimension(first, value(source), *index)),
            StepKind::Layout {
                result,
                source,
                part,
            } => (result, self.layout_part(value(source), *part)),
            _ => return self.lost(UNHANDLED),
        };
        self.set(value(result), Binding::Scalar(node));
        Ok(())
    }

    /// Evaluates a step that makes storage or a view available.
    fn storage_step(
        &mut self,
        first: usize,
        kind: &StepKind,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        match kind {
            StepKind::Allocate {
                result,
                bytes,
                sizes,
                is_arena,
            } => {
                let sizes = self.numbers(first, sizes);
                self.allocate(value(result), *bytes, &sizes, *is_arena, state);
            }
            StepKind::Global {
                result,
                name,
                is_constant,
                elements,
            } => {
                let external = External::Global {
                    name: *name,
                    is_constant: *is_constant,
                };
                let mut view = self.typed_view(value(result), Base::External(external), &[]);
                if !elements.is_empty() && !self.flat.escapes[value(result)] {
                    self.known_elements(value(result), elements, &mut view, state);
                }
                self.set(value(result), Binding::View(Rc::new(view)));
            }
            StepKind::View {
                result,
                source,
                kind,
            } => {
                let view = self.derive(first, value(result), value(source), kind);
                let view = view.unwrap_or_else(View::unknown);
                self.enter(state, &view);
                self.set(value(result), Binding::View(Rc::new(view)));
            }
            _ => return self.lost(UNHANDLED),
        }
        Ok(())
    }

    /// Evaluates a step that moves contents between memory and values, without computing.
    fn access_step(
        &mut self,
        first: usize,
        kind: &StepKind,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        match kind {
            StepKind::Copy {
                fingerprint,
                from,
                to,
            } => self.copy(*fingerprint, value(from), value(to), state),
            StepKind::Fill { value: filler, to } => {
                let filler = self.scalar(value(filler));
                self.check_stored(filler)?;
                self.fill(filler, value(to), state)
            }
            StepKind::Load {
                from,
                indices,
                result,
            } => {
                let element = self.element(first, value(from), indices)?;
                self.check_access(state, &element, Access::Read)?;
                let node = self.read(state, &element)?;
                // The leading bytes of a node, loaded as a scalar, are represented by the node
                // itself. The type of the load tells how many bytes there are.
                let node = match self.graph.node(node) {
                    Node::Sequence(pieces) => match pieces.as_slice() {
                        [only] if only.offset == 0 => only.node,
                        _ => node,
                    },
                    _ => node,
                };
                self.set(value(result), Binding::Scalar(node));
                Ok(())
            }
            StepKind::Store {
                value: stored,
                to,
                indices,
            } => {
                let element = self.element(first, value(to), indices)?;
                self.check_access(state, &element, Access::Write)?;
                let stored = self.scalar(value(stored));
                self.check_stored(stored)?;
                self.write(state, &element, stored)
            }
            _ => self.lost(UNHANDLED),
        }
    }

    /// Evaluates a step whose result denotes one of several values.
    fn choice_step(
        &mut self,
        first: usize,
        kind: &StepKind,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        let values = |all: &[ValueId]| all.iter().map(value).collect::<Vec<Value>>();
        match kind {
            StepKind::Select {
                condition,
                yes,
                no,
                result,
            } => {
                let condition = self.scalar(value(condition));
                let binding =
                    self.select(condition, value(yes), value(no), value(result), state)?;
                self.set(value(result), binding);
                Ok(())
            }
            StepKind::Rotate {
                slots,
                avoiding,
                result,
            } => self.rotate(&values(slots), &values(avoiding), value(result), state),
            StepKind::Rotated {
                result,
                slots,
                avoiding,
                bytes,
            } => {
                let (slots, avoiding) = (values(slots), values(avoiding));
                self.rotated(value(result), &slots, &avoiding, *bytes, state);
                Ok(())
            }
            _ => self.lost(UNHANDLED),
        }
    }

    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> NodeId {
        let [of_a, of_b] = [a, b].map(|node| self.graph.linear(node));
        let form = match (operator, of_a.known(), of_b.known()) {
            (Arithmetic::Add, ..) => of_a.plus(&of_b),
            (Arithmetic::Subtract, ..) => of_a.minus(&of_b),
            (Arithmetic::Multiply, Some(factor), _) => of_b.times(factor),
            (Arithmetic::Multiply, _, Some(factor)) => of_a.times(factor),
            (Arithmetic::Maximum, Some(a), Some(b)) => Linear::constant(a.max(b)),
            (Arithmetic::And, Some(a), Some(b)) => Linear::constant(a & b),
            (Arithmetic::Multiply, None, None) => self.opaque(PRODUCT, a, b),
            (Arithmetic::Maximum, ..) => self.opaque(MAXIMUM, a, b),
            (Arithmetic::And, ..) => self.opaque(MASK, a, b),
        };
        self.graph.number(&form)
    }

    /// Returns the result of index arithmetic that is no linear form.
    fn opaque(&mut self, fingerprint: Fingerprint, a: NodeId, b: NodeId) -> Linear {
        let inputs = vec![a, b];
        Linear::of_node(self.graph.add(Node::Step {
            fingerprint,
            inputs,
            shared: Vec::new(),
        }))
    }

    pub(crate) fn times(&mut self, a: &Linear, b: &Linear) -> Linear {
        let [a, b] = [a, b].map(|form| self.graph.number(form));
        let node = self.arithmetic(Arithmetic::Multiply, a, b);
        self.graph.linear(node)
    }

    pub(crate) fn numbers(&mut self, first: usize, numbers: &[Number]) -> Vec<Linear> {
        let number = |number: &Number| self.number(first, *number);
        numbers.iter().map(number).collect()
    }

    pub(crate) fn number(&mut self, first: usize, number: Number) -> Linear {
        match number {
            Number::Constant(constant) => Linear::constant(constant),
            Number::Value(value) => {
                let node = self.scalar(first + value.0 as usize);
                self.graph.linear(node)
            }
        }
    }

    /// Models a constant global as local storage, which nothing writes.
    fn known_elements(
        &mut self,
        value: Value,
        elements: &[Constant],
        view: &mut View,
        state: &mut State,
    ) {
        let (Some(bytes), Some(runs)) = (view.bytes(), view.runs()) else {
            return;
        };
        let ([(start, length)], element) = (runs.as_slice(), view.element) else {
            return;
        };
        let mut nodes = Vec::new();
        for own in elements {
            nodes.push(match own {
                Constant::Integer(value) => self.graph.add(Node::Integer(*value)),
                Constant::Other(fingerprint) => {
                    let step = self.graph.add(Node::Step {
                        fingerprint: *fingerprint,
                        inputs: Vec::new(),
                        shared: Vec::new(),
                    });
                    self.graph.add(Node::Result(step, 0))
                }
            });
        }
        let piece = |node, length| Piece {
            node,
            offset: 0,
            length,
        };
        let pieces: Vec<Piece> = match nodes[..] {
            [value] => vec![piece(
                self.graph.add(Node::Splat { value, element }),
                *length,
            )],
            _ => nodes.into_iter().map(|node| piece(node, element)).collect(),
        };
        if pieces.iter().map(|piece| piece.length).sum::<i64>() != bytes {
            return;
        }
        let storage = self.storage(value, Some(start + length), false);
        *state.local_mut(storage) = Contents::default();
        state.local_mut(storage).write(*start, &pieces);
        view.base = Base::Local(storage);
        view.limits = Some((0, start + length));
    }

    fn allocate(
        &mut self,
        value: Value,
        bytes: Option<i64>,
        sizes: &[Linear],
        is_arena: bool,
        state: &mut State,
    ) {
        let base = match self.escaped.get(&value) {
            Some(number) => Base::External(External::Escaped(*number)),
            None => {
                let storage = self.storage(value, bytes, is_arena);
                self.reset(state, storage);
                Base::Local(storage)
            }
        };
        let mut view = self.typed_view(value, base, sizes);
        if let Some(bytes) = bytes.filter(|_| !is_arena) {
            view.limits = Some((0, bytes));
        }
        self.set(value, Binding::View(Rc::new(view)));
    }

    fn fill(&mut self, value: NodeId, to: Value, state: &mut State) -> Result<(), Lost> {
        let view = self.view(to);
        self.check_access(state, &view, Access::Write)?;
        let element = view.element;
        let node = self.graph.add(Node::Splat { value, element });
        let new = match view.bytes() {
            Some(length) => self.graph.sequence([Piece {
                node,
                offset: 0,
                length,
            }]),
            None => node,
        };
        self.write(state, &view, new)
    }

    pub(crate) fn copy(
        &mut self,
        fingerprint: Fingerprint,
        from: Value,
        to: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        let [from, to] = [from, to].map(|value| self.view(value));
        self.check_access(state, &from, Access::Read)?;
        self.check_access(state, &to, Access::Write)?;
        let content = self.read(state, &from)?;
        let new = match self.sharing(state, &from, &to)? {
            None => content,
            Some(Sharing::Same) => return Ok(()),
            Some(sharing) => {
                let step = self.graph.add(Node::Step {
                    fingerprint,
                    inputs: vec![content],
                    shared: vec![(0, 1, sharing)],
                });
                self.graph.add_sized(Node::Result(step, 1), to.bytes())
            }
        };
        self.write(state, &to, new)
    }

    fn compute(
        &mut self,
        first: usize,
        fingerprint: Fingerprint,
        operands: &[Operand],
        results: &[ValueId],
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        let mut inputs = Vec::new();
        let mut views: Vec<(u32, &Operand, Rc<View>)> = Vec::new();
        for (index, operand) in (0..).zip(operands) {
            let own = value(&operand.value);
            if matches!(self.flat.types[own], ValueType::Scalar { .. }) {
                inputs.push(self.scalar(own));
                continue;
            }
            let view = self.view(own);
            if view.base == Base::Unknown {
                return self.lost("it is not known which storage is accessed");
            }
            let sizes = view
                .dims
                .iter()
                .map(|(size, _)| size)
                .filter(|size| size.known().is_none());
            for size in sizes {
                inputs.push(self.graph.number(size));
            }
            if operand.reads {
                self.check_access(state, &view, Access::Read)?;
            }
            if operand.writes {
                self.check_access(state, &view, Access::Write)?;
            }
            if operand.reads {
                inputs.push(self.read(state, &view)?);
            }
            if operand.reads || operand.writes {
                views.push((index, operand, view));
            }
        }
        let shared = self.shared(state, &views)?;
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs,
            shared,
        });
        for (index, operand, view) in views.iter().filter(|(_, own, _)| own.writes) {
            let node = Node::Result(step, u32::try_from(results.len()).unwrap_or(0) + index);
            let mut new = self.graph.add_sized(node, view.bytes());
            if !operand.writes_all {
                // Some elements keep their old content; which ones depends on the step.
                let old = self.read(state, view)?;
                let either = Node::Choice(step, new, old);
                new = self.graph.add_sized(either, view.bytes());
            }
            self.write(state, view, new)?;
        }
        for (index, result) in (0..).zip(results) {
            self.set_result(step, index, value(result));
        }
        Ok(())
    }

    /// Binds a result of a step. Nothing is known about a result that denotes storage.
    fn set_result(&mut self, step: NodeId, index: u32, result: Value) {
        let node = self.graph.add(Node::Result(step, index));
        let binding = match self.flat.types[result] {
            ValueType::Scalar { .. } => Binding::Scalar(node),
            _ => Binding::View(Rc::new(View::unknown())),
        };
        self.set(result, binding);
    }

    /// Returns how the accesses of one step overlap. A read and a write of exactly the same
    /// elements are exempt if both are elementwise.
    fn shared(
        &mut self,
        state: &State,
        views: &[(u32, &Operand, Rc<View>)],
    ) -> Result<Vec<(u32, u32, Sharing)>, Lost> {
        let mut shared = Vec::new();
        for (at, (index, operand, view)) in views.iter().enumerate() {
            for (other_at, (other, of, theirs)) in views.iter().enumerate() {
                // Each pair of writes is recorded once.
                if at == other_at || !of.writes || operand.writes && at > other_at {
                    continue;
                }
                let Some(own) = self.sharing(state, view, theirs)? else {
                    continue;
                };
                let is_exempt =
                    own == Sharing::Same && operand.in_order && of.in_order && !operand.writes;
                if !is_exempt {
                    shared.push((*index, *other, own));
                }
            }
        }
        Ok(shared)
    }

    /// Evaluates a step with arbitrary effects on externally reachable memory.
    fn event(
        &mut self,
        first: usize,
        fingerprint: Fingerprint,
        operands: &[ValueId],
        results: &[ValueId],
        state: &mut State,
    ) {
        let mut inputs = vec![state.memory];
        for operand in operands {
            inputs.push(self.scalar(first + operand.0 as usize));
        }
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs,
            shared: Vec::new(),
        });
        state.memory = self.graph.add(Node::After(step));
        self.renew_all(state, None);
        for (index, result) in (0..).zip(results) {
            let value = first + result.0 as usize;
            let node = self.graph.add(Node::Result(step, index));
            let binding = match self.flat.types[value] {
                ValueType::Scalar { .. } => Binding::Scalar(node),
                ValueType::Elements(layout) => {
                    let base = Base::External(External::Pointer(node));
                    let dynamic = layout
                        .dims
                        .iter()
                        .enumerate()
                        .filter(|(_, (size, _))| size.is_none());
                    let count = |(at, _): (usize, _)| u32::try_from(at + 1).unwrap_or(u32::MAX);
                    let numbers: Vec<u32> = dynamic.map(count).collect();
                    let sizes: Vec<Linear> = numbers
                        .into_iter()
                        .map(|at| Linear::of_node(self.graph.add(Node::Result(node, at))))
                        .collect();
                    let layout = layout.clone();
                    let view = self.shaped(base, &Linear::default(), &layout, &sizes);
                    Binding::View(Rc::new(view.unwrap_or_else(View::unknown)))
                }
                _ => Binding::View(Rc::new(View::unknown())),
            };
            self.set(value, binding);
        }
    }
}

//! Effects of steps on values and memory.

use std::rc::Rc;

use crate::contents::Contents;
use crate::evaluate::{Binding, Evaluator, State};
use crate::flatten::{Frame, Value};
use crate::flights::Access;
use crate::linear::Linear;
use crate::lost::Lost;
use crate::program::{
    AccessStep, ChoiceStep, Constant, Fingerprint, Number, ScalarStep, StepKind, StorageStep,
    ValueId, ValueType,
};
use crate::value::{External, Node, NodeId, Piece, Sharing};
use crate::view::{Base, View};

impl Evaluator<'_> {
    /// Evaluates one step. `frame`: maps values of the original function to those of
    /// the flat function.
    pub(crate) fn step(
        &mut self,
        frame: &Frame,
        kind: &StepKind,
        state: &mut State,
    ) -> Result<(), Lost> {
        match kind {
            StepKind::Scalar(step) => {
                self.scalar_step(frame, step);
                Ok(())
            }
            StepKind::Storage(step) => self.storage_step(frame, step, state),
            StepKind::Access(step) => self.access_step(frame, step, state),
            StepKind::Choice(step) => self.choice_step(frame, step, state),
            StepKind::Start(transfer) => self.start(frame, transfer, state),
            StepKind::Await { ticket, count } => self.wait(frame, ticket, *count, state),
            StepKind::Free {
                fingerprint,
                storage,
            } => self.free(*fingerprint, frame.value(*storage), state),
            StepKind::Compute {
                fingerprint,
                operands,
                results,
            } => self.compute(frame, *fingerprint, operands, results, state),
            StepKind::Launch {
                fingerprint,
                operands,
                after,
                ticket,
            } => self.launch(frame, (*fingerprint, operands), (after, *ticket), state),
            StepKind::Exchange {
                fingerprint,
                operands,
                results,
                ticket,
                keeps_waits,
                is_last,
            } => {
                if *is_last {
                    self.check_landed(state, "a message is in flight at the last exchange")?;
                }
                let ticket = (*ticket, *keeps_waits);
                self.exchange(frame, (*fingerprint, operands), (results, ticket), state)
            }
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
                self.event(frame, *fingerprint, operands, results, state);
                Ok(())
            }
            StepKind::Unknown { why, .. } => self.lost(why),
        }
    }

    /// Evaluates a step that computes a scalar without accessing memory.
    fn scalar_step(&mut self, frame: &Frame, step: &ScalarStep) {
        let value = |own: &ValueId| frame.value(*own);
        let (result, node) = match step {
            ScalarStep::Integer {
                value: number,
                result,
            } => (result, self.graph.add(Node::Integer(*number))),
            ScalarStep::Arithmetic {
                operator,
                operands,
                result,
            } => {
                let [a, b] = [0, 1].map(|index| self.scalar(value(&operands[index])));
                (result, self.arithmetic(*operator, a, b))
            }
            ScalarStep::Dimension {
                result,
                source,
                index,
            } => (result, self.dimension(frame, value(source), *index)),
            ScalarStep::Layout {
                result,
                source,
                part,
            } => (result, self.layout_part(value(source), *part)),
        };
        self.set(value(result), Binding::Scalar(node));
    }

    /// Evaluates a step that makes storage, a view or an address available.
    fn storage_step(
        &mut self,
        frame: &Frame,
        step: &StorageStep,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| frame.value(*own);
        match step {
            StorageStep::Allocate {
                result,
                bytes,
                sizes,
                is_arena,
            } => {
                let sizes = self.numbers(frame, sizes);
                self.allocate(value(result), *bytes, &sizes, *is_arena, state)?;
            }
            StorageStep::Global {
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
            StorageStep::View {
                result,
                source,
                kind,
            } => {
                let view = self.derive(frame, value(result), value(source), kind);
                let view = view.unwrap_or_else(View::unknown);
                self.enter(state, &view);
                self.set(value(result), Binding::View(Rc::new(view)));
            }
            StorageStep::Pointer { result, source } => {
                let node = self.pointer(value(source), state);
                self.set(value(result), Binding::Scalar(node));
            }
        }
        Ok(())
    }

    /// Evaluates a step that moves contents between memory and values, without computing.
    fn access_step(
        &mut self,
        frame: &Frame,
        step: &AccessStep,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| frame.value(*own);
        match step {
            AccessStep::Copy {
                fingerprint,
                from,
                to,
            } => self.copy(*fingerprint, value(from), value(to), state),
            AccessStep::Fill { value: filler, to } => {
                let filler = self.scalar(value(filler));
                self.check_stored(filler)?;
                self.fill(filler, value(to), state)
            }
            AccessStep::Load {
                from,
                indices,
                result,
            } => {
                let element = self.element(frame, value(from), indices)?;
                self.check_access(state, &element, Access::Read)?;
                let node = self.read(state, &element)?;
                // The leading bytes of a node, loaded as a scalar, are represented by the node
                // itself. The type of the load tells how many bytes there are.
                let node = match self.graph.node(node) {
                    Node::Sequence(pieces) => match pieces.as_slice() {
                        [only] if only.offset == 0 && !self.graph.is_longer(only) => only.node,
                        _ => node,
                    },
                    _ => node,
                };
                self.set(value(result), Binding::Scalar(node));
                Ok(())
            }
            AccessStep::Store {
                value: stored,
                to,
                indices,
            } => {
                let element = self.element(frame, value(to), indices)?;
                self.check_access(state, &element, Access::Write)?;
                let stored = self.scalar(value(stored));
                self.check_stored(stored)?;
                self.write(state, &element, stored)
            }
        }
    }

    /// Evaluates a step whose result denotes one of several values.
    fn choice_step(
        &mut self,
        frame: &Frame,
        step: &ChoiceStep,
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| frame.value(*own);
        let values = |all: &[ValueId]| all.iter().map(value).collect::<Vec<Value>>();
        match step {
            ChoiceStep::Select {
                condition,
                yes,
                no,
                result,
            } => {
                let condition = self.scalar(value(condition));
                let is_ticket = matches!(self.flat.types[value(yes)], ValueType::Scalar { .. });
                let binding = match is_ticket {
                    true => self.select_ticket(condition, value(yes), value(no))?,
                    false => self.select(condition, value(yes), value(no), value(result), state)?,
                };
                self.set(value(result), binding);
                Ok(())
            }
            ChoiceStep::Rotate {
                slots,
                avoiding,
                result,
            } => self.rotate(&values(slots), &values(avoiding), value(result), state),
            ChoiceStep::Rotated {
                result,
                slots,
                avoiding,
                bytes,
            } => {
                let (slots, avoiding) = (values(slots), values(avoiding));
                self.rotated(value(result), &slots, &avoiding, *bytes, state);
                Ok(())
            }
        }
    }

    pub(crate) fn numbers(&mut self, frame: &Frame, numbers: &[Number]) -> Vec<Linear> {
        let number = |number: &Number| self.number(frame, *number);
        numbers.iter().map(number).collect()
    }

    pub(crate) fn number(&mut self, frame: &Frame, number: Number) -> Linear {
        match number {
            Number::Constant(constant) => Linear::constant(constant),
            Number::Value(value) => {
                let node = self.scalar(frame.value(value));
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
                        inputs: Box::default(),
                        shared: Box::default(),
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
    ) -> Result<(), Lost> {
        let base = match self.escaped.get(&value) {
            Some(own) => Base::External(*own),
            None => {
                let storage = self.storage(value, bytes, is_arena);
                if self.flat.owners.contains_key(&value) && self.is_in_use(storage) {
                    return self.lost("more storages alternate than are told apart");
                }
                self.reset(state, storage);
                Base::Local(storage)
            }
        };
        let mut view = self.typed_view(value, base, sizes);
        if let Some(bytes) = bytes.filter(|_| !is_arena) {
            view.limits = Some((0, bytes));
        }
        self.set(value, Binding::View(Rc::new(view)));
        Ok(())
    }

    /// Whether a value that denotes a storage may be used after the current step, although the step
    /// allocates the storage again. Only allocations that alternate need to be checked: any other
    /// one that is executed again is known by another name by then, that of a merge.
    fn is_in_use(&self, storage: u32) -> bool {
        let Some(live) = &self.flat.live else {
            return true;
        };
        let denotes = |own: &usize| match &self.values[*own] {
            Binding::View(view) => view.base == Base::Local(storage),
            _ => false,
        };
        let (block, step) = self.here;
        let live = live.after(self.flat, &self.flat.blocks[block], step + 1);
        let own = self.flat.blocks[block].steps[step].kind.results();
        let own = own
            .into_iter()
            .map(|own| self.flat.blocks[block].frame.value(own));
        let own: Vec<Value> = own.collect();
        live.ones()
            .any(|value| denotes(&value) && !own.contains(&value))
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
                    inputs: Box::new([content]),
                    shared: Box::new([(0, 1, sharing)]),
                });
                self.graph.add_sized(Node::Result(step, 1), to.bytes())
            }
        };
        self.write(state, &to, new)
    }
}

//! Effects of steps that compute something unknown from their operands: an opaque node of the value
//! graph stands for each of them.

use std::rc::Rc;

use crate::evaluate::{Binding, Evaluator, State};
use crate::flatten::{Frame, Value};
use crate::flights::{Access, Earlier};
use crate::linear::Linear;
use crate::lost::Lost;
use crate::program::{Completed, Fingerprint, Operand, ValueId, ValueType};
use crate::value::{External, Node, NodeId, Sharing};
use crate::view::{Base, View};

/// Which elements of an operand a step leaves that it does not write completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaves {
    /// Any.
    Some,
    /// Those behind the ones that it writes: a short message fills the beginning of a buffer.
    Rest,
}

/// An access of a step to one of its operands.
struct OperandAccess<'a> {
    /// Number of the operand.
    index: u32,
    operand: &'a Operand,
    view: Rc<View>,
}

impl Evaluator<'_> {
    /// Evaluates a step that computes its results and the new contents of its written operands from
    /// its operands.
    pub(crate) fn compute(
        &mut self,
        frame: &Frame,
        fingerprint: Fingerprint,
        operands: &[Operand],
        results: &[ValueId],
        state: &mut State,
    ) -> Result<(), Lost> {
        let (inputs, accesses) = self.inputs(frame, operands, state)?;
        let what = (fingerprint, inputs, Leaves::Some);
        self.results(frame, what, (results, &accesses), state)?;
        Ok(())
    }

    /// Evaluates a step that exchanges data with other programs: a computation from its operands and
    /// from all earlier exchanges, which is observable.
    pub(crate) fn exchange(
        &mut self,
        frame: &Frame,
        (fingerprint, operands): (Fingerprint, &[Operand]),
        (results, (ticket, keeps_waits)): (&[ValueId], (Option<ValueId>, bool)),
        state: &mut State,
    ) -> Result<(), Lost> {
        let (mut inputs, accesses) = self.inputs(frame, operands, state)?;
        inputs.push(state.exchanged);
        let what = (fingerprint, inputs, Leaves::Rest);
        let step = self.results(frame, what, (results, &accesses), state)?;
        let site = ticket.map(|own| frame.value(own));
        self.record(step, site.filter(|_| !keeps_waits), state);
        // A result of its own, beside those of the step and the contents that it writes.
        state.exchanged = self.graph.add(Node::Result(step, u32::MAX));
        let Some(site) = site else {
            return Ok(());
        };
        self.hold(site, &accesses, Earlier::default(), state)
    }

    /// Evaluates a computation that proceeds by itself. It may access what those do that have completed
    /// when it starts.
    pub(crate) fn launch(
        &mut self,
        frame: &Frame,
        (fingerprint, operands): (Fingerprint, &[Operand]),
        (after, ticket): (&[Completed], ValueId),
        state: &mut State,
    ) -> Result<(), Lost> {
        let earlier = self.land(frame, after, state)?;
        let (inputs, accesses) = self.inputs(frame, operands, state)?;
        let what = (fingerprint, inputs, Leaves::Some);
        self.results(frame, what, (&[], &accesses), state)?;
        self.hold(frame.value(ticket), &accesses, earlier, state)
    }

    /// Keeps the operands of a step in flight until its ticket is waited for.
    fn hold(
        &mut self,
        site: Value,
        accesses: &[OperandAccess<'_>],
        earlier: Earlier,
        state: &mut State,
    ) -> Result<(), Lost> {
        let views = |is_own: fn(&Operand) -> bool| {
            let own = accesses.iter().filter(move |own| is_own(own.operand));
            own.map(|own| Rc::clone(&own.view)).collect::<Vec<_>>()
        };
        let (read, written) = (views(|own| own.reads), views(|own| own.writes));
        self.take_off(site, [&read, &written], earlier, state)
    }

    /// Adds the node of a step, and defines its results and the new contents of what it writes.
    fn results(
        &mut self,
        frame: &Frame,
        (fingerprint, inputs, leaves): (Fingerprint, Vec<NodeId>, Leaves),
        (results, accesses): (&[ValueId], &[OperandAccess<'_>]),
        state: &mut State,
    ) -> Result<NodeId, Lost> {
        let shared = self.shared(state, accesses)?;
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs: inputs.into(),
            shared: shared.into(),
        });
        let n_results = u32::try_from(results.len()).unwrap_or(0);
        for access in accesses.iter().filter(|own| own.operand.writes) {
            let merged = (leaves == Leaves::Rest).then_some(fingerprint);
            self.write_result((step, n_results + access.index), merged, access, state)?;
        }
        for (index, result) in (0..).zip(results) {
            self.set_result(step, index, frame.value(*result));
        }
        Ok(step)
    }

    /// Checks and reads the operands of a step. Returns what its results are computed from, and its
    /// accesses to storage.
    fn inputs<'a>(
        &mut self,
        frame: &Frame,
        operands: &'a [Operand],
        state: &State,
    ) -> Result<(Vec<NodeId>, Vec<OperandAccess<'a>>), Lost> {
        let mut inputs = Vec::new();
        let mut accesses = Vec::new();
        for (index, operand) in (0..).zip(operands) {
            let own = frame.value(operand.value);
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
                accesses.push(OperandAccess {
                    index,
                    operand,
                    view,
                });
            }
        }
        Ok((inputs, accesses))
    }

    /// Writes a result of a step, by number, to one of its operands. `merged`: what computes the new
    /// content from the result and the old content, if that does not depend on anything else.
    fn write_result(
        &mut self,
        (step, number): (NodeId, u32),
        merged: Option<Fingerprint>,
        access: &OperandAccess<'_>,
        state: &mut State,
    ) -> Result<(), Lost> {
        let view = &access.view;
        let bytes = view.bytes();
        let mut new = self.graph.add_sized(Node::Result(step, number), bytes);
        if !access.operand.writes_all {
            // Some elements keep their old content; which ones depends on the step.
            let old = self.read(state, view)?;
            let node = match merged {
                Some(fingerprint) => {
                    let step = self.graph.add(Node::Step {
                        fingerprint,
                        inputs: Box::new([new, old]),
                        shared: Box::default(),
                    });
                    Node::Result(step, 0)
                }
                None => Node::Choice(step, new, old),
            };
            new = self.graph.add_sized(node, bytes);
        }
        self.write(state, view, new)
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
        accesses: &[OperandAccess<'_>],
    ) -> Result<Vec<(u32, u32, Sharing)>, Lost> {
        let mut shared = Vec::new();
        for access in accesses {
            for other in accesses {
                let (operand, of) = (access.operand, other.operand);
                // Each pair of writes is recorded once.
                if access.index == other.index
                    || !of.writes
                    || operand.writes && access.index > other.index
                {
                    continue;
                }
                let Some(own) = self.sharing(state, &access.view, &other.view)? else {
                    continue;
                };
                let is_exempt =
                    own == Sharing::Same && operand.in_order && of.in_order && !operand.writes;
                if !is_exempt {
                    shared.push((access.index, other.index, own));
                }
            }
        }
        Ok(shared)
    }

    /// Evaluates a step with arbitrary effects on externally reachable memory.
    pub(crate) fn event(
        &mut self,
        frame: &Frame,
        fingerprint: Fingerprint,
        operands: &[ValueId],
        results: &[ValueId],
        state: &mut State,
    ) {
        let mut inputs = vec![state.memory];
        for operand in operands {
            inputs.push(self.scalar(frame.value(*operand)));
        }
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs: inputs.into(),
            shared: Box::default(),
        });
        self.record(step, None, state);
        state.memory = self.graph.add(Node::After(step));
        self.renew_all(state, None);
        for (index, result) in (0..).zip(results) {
            let value = frame.value(*result);
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

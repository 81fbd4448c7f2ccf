//! Translates transfers that proceed by themselves: DMA with tags, and calls of the runtime
//! library. Both are followed in the form in which `convert-mem-to-memref` emits them. Exchanges with
//! other ranks proceed by themselves as well, until their requests are waited for.

use mem_equivalence::program::{StepKind, Tag, Ticket, Transfer, ValueId};

use super::fingerprint::Inside;
use super::translate::Body;
use crate::ir::mpi::{awaits_request, has_used_status, is_carried, is_request, message_of};
use crate::ir::{Op, Type, Value, describe, memref_layout};

/// Functions of the runtime library, and their types.
const BEGIN: (&str, &str) = ("mem_runtime_begin", "(i32, index, index, i64) -> i64");
const WAIT: (&str, &str) = ("mem_runtime_wait", "(i64) -> ()");

/// The operands of `memref.dma_start` or `memref.dma_wait`, read from left to right.
struct Operands {
    left: std::vec::IntoIter<Value>,
}

impl Operands {
    fn of(op: Op) -> Self {
        let all: Vec<Value> = op.operands().collect();
        Self {
            left: all.into_iter(),
        }
    }

    /// A memref and an index for each of its dimensions.
    fn element(&mut self) -> Option<(Value, Vec<Value>)> {
        let memref = self.left.next()?;
        let rank = memref_layout(memref.ty())?.shape.len();
        let indices: Vec<Value> = self.left.by_ref().take(rank).collect();
        (indices.len() == rank).then_some((memref, indices))
    }

    /// A memref whose first element is meant.
    fn whole(&mut self) -> Option<Value> {
        let (memref, indices) = self.element()?;
        let mut indices = indices.into_iter();
        indices
            .all(|index| index.constant() == Some(0))
            .then_some(memref)
    }

    fn number(&mut self) -> Option<i64> {
        self.left.next()?.constant()
    }
}

impl Body<'_> {
    /// Translates an operation that communicates. A wait ends the flight of its request. It is an
    /// exchange of its own if its status is used, or if it may not move.
    pub(super) fn exchange(&mut self, op: Op, block: usize) {
        let keeps_waits = self.waits_stay() || is_carried(op);
        let is_plain = !has_used_status(op) && !keeps_waits;
        if awaits_request(op) {
            let ticket = Ticket::Exchange(self.value(op.operand(0)));
            let count = None;
            self.push(block, op, StepKind::Await { ticket, count });
            if is_plain {
                return;
            }
        }
        let all: Vec<Value> = op.operands().filter(|own| !is_request(own.ty())).collect();
        let operands = self.operands(op, &describe(op), &all, &Inside::default());
        let request = op.results().find(|own| is_request(own.ty()));
        let results: Vec<Value> = op.results().filter(|own| !is_request(own.ty())).collect();
        // A message is the same whether its operation blocks or starts a request.
        let message = message_of(op).filter(|_| is_plain);
        let (fingerprint, results) = match message {
            Some(message) => (self.names().message(op, message.blocking), Box::default()),
            None => {
                let fingerprint = self.names().fingerprint(op, &mut Inside::default());
                (fingerprint, self.values(results))
            }
        };
        let kind = StepKind::Exchange {
            fingerprint,
            operands: operands.into(),
            results,
            ticket: request.map(|own| self.value(own)),
            keeps_waits,
            is_last: op.name() == "mpi.finalize",
        };
        self.push(block, op, kind);
    }

    pub(super) fn dma(&mut self, op: Op, block: usize) {
        let known = match op.name() {
            "memref.dma_start" => self.dma_start(op),
            _ => self.dma_wait(op),
        };
        let kind = known.unwrap_or_else(|| StepKind::Unknown {
            why: "a DMA is strided, starts within its operands, or has a size known at run time",
            operands: self.values(op.operands()),
            results: Box::default(),
        });
        self.push(block, op, kind);
    }

    fn dma_start(&mut self, op: Op) -> Option<StepKind> {
        let mut operands = Operands::of(op);
        let (from, to) = (operands.whole()?, operands.whole()?);
        let count = operands.number()?;
        let tag = operands.element()?;
        // A stride would follow.
        if operands.left.next().is_some() {
            return None;
        }
        let unit = memref_layout(from.ty())?.element;
        Some(StepKind::Start(Box::new(Transfer {
            fingerprint: self.names().number("copy".to_owned()),
            from: self.value(from),
            to: self.value(to),
            count,
            unit,
            tag: Some(self.tag(tag)),
            result: self.made_up(),
        })))
    }

    fn dma_wait(&mut self, op: Op) -> Option<StepKind> {
        let mut operands = Operands::of(op);
        let tag = operands.element()?;
        let count = operands.number()?;
        Some(StepKind::Await {
            ticket: Ticket::Tag(self.tag(tag)),
            count: Some(count),
        })
    }

    fn tag(&mut self, (tags, indices): (Value, Vec<Value>)) -> Tag {
        Tag {
            tags: self.value(tags),
            indices: self.values(indices),
        }
    }

    /// The step for a call of the runtime library; `None` for any other call.
    pub(super) fn runtime_call(&mut self, op: Op, callee: &str) -> Option<StepKind> {
        let (name, ty) = [BEGIN, WAIT].into_iter().find(|(name, _)| {
            callee
                .strip_suffix(name)
                .is_some_and(|rest| rest.ends_with('@'))
        })?;
        if self.declaration(callee)? != Type::parse(op.context(), ty) {
            return None;
        }
        if name == WAIT.0 {
            return Some(StepKind::Await {
                ticket: Ticket::Value(self.value(op.operand(0))),
                count: None,
            });
        }
        let result = self.value(op.result());
        Some(self.begin(op, result).unwrap_or_else(|| StepKind::Unknown {
            why: "a transfer has an address or a size known only at run time",
            operands: self.values(op.operands()),
            results: Box::new([result]),
        }))
    }

    fn begin(&mut self, op: Op, result: ValueId) -> Option<StepKind> {
        let [from, to] = [1, 2].map(|index| first_element_at(op.operand(index)));
        Some(StepKind::Start(Box::new(Transfer {
            fingerprint: self.names().number("copy".to_owned()),
            from: self.value(from?),
            to: self.value(to?),
            count: op.operand(3).constant()?,
            unit: 1,
            tag: None,
            result,
        })))
    }
}

/// The memref whose first element is at an address: the aligned pointer, plus the offset that the
/// memref's type states.
fn first_element_at(address: Value) -> Option<Value> {
    let op = address.owner()?;
    let (pointer, offset) = match op.name() {
        "arith.addi" => (op.operand(0).owner()?, op.operand(1).constant()?),
        _ => (op, 0),
    };
    let is_pointer = pointer.name() == "memref.extract_aligned_pointer_as_index";
    let memref = is_pointer.then(|| pointer.operand(0))?;
    let layout = memref_layout(memref.ty())?;
    let stated = layout.offset?.checked_mul(layout.element)?;
    (stated == offset).then_some(memref)
}

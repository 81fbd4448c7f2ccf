//! A block as a sequence of items: operations, and the starts and waits of messages.

use rustc_hash::FxHashMap as HashMap;

use mem_check::order_peak;
use mem_model::{OrderProblem, OrderStep, StepId};

use crate::extract::order::{OrderBlock, OrderFunction, Touch};
use crate::ir::mpi::{
    awaits_request, communicates, has_used_status, is_request, message_of, starts_request,
};
use crate::ir::{Block, Op};

/// Number of a message of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MessageId(usize);

/// Position of an operation in the block as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct OpId(usize);

/// An item of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Op(OpId),
    Start(MessageId),
    Wait(MessageId),
}

/// What may change places with an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It only computes numbers and defines storage.
    Scalar,
    /// It accesses memory, and does not communicate.
    Plain,
    /// Starts keep their order with it; waits pass it if it accesses other bytes.
    Ordered,
    /// Neither starts nor waits pass it.
    Fixed,
}

/// A message whose start and wait may move.
pub(super) struct Message {
    /// The operation that sends or receives.
    pub op: Op,
    /// The operation that waits for it; `None` if it blocks.
    pub wait: Option<Op>,
    pub touches: Vec<Touch>,
}

/// An operation that is no message with a known wait.
pub(super) struct Other {
    pub op: Op,
    pub kind: Kind,
    pub touches: Vec<Touch>,
}

/// A block, as it was and as planned.
pub(super) struct Sequence {
    pub messages: Vec<Message>,
    others: HashMap<OpId, Other>,
    pub original: Vec<Item>,
    pub items: Vec<Item>,
    /// The live bytes of the block; `None` if they do not matter.
    load: Option<Load>,
}

/// The buffers of a block.
struct Load {
    problem: OrderProblem,
    /// The step of each operation.
    steps: HashMap<Op, StepId>,
    limit: u128,
}

impl Sequence {
    /// Extracts a block; operations inside must have been extracted before. `None` if no message can
    /// move.
    pub(super) fn extract(
        function: &mut OrderFunction<'_>,
        block: Block,
        keeps_peak: bool,
    ) -> Option<Self> {
        let ops: Vec<Op> = block.ops().collect();
        for op in &ops {
            function.is_barrier(*op);
        }
        // Blocks inside count for the peak of this one.
        let order = match keeps_peak {
            true => function.extract(block),
            false => None,
        };
        if let Some(order) = &order {
            let own: Vec<StepId> = (0..order.ops.len()).map(StepId::new).collect();
            function.record(order, &own);
        }
        let last = block.terminator()?;
        let mut sequence = Self {
            messages: Vec::new(),
            others: HashMap::default(),
            original: Vec::new(),
            items: Vec::new(),
            load: None,
        };
        let mut waits: HashMap<Op, MessageId> = HashMap::default();
        for (position, op) in ops.into_iter().enumerate() {
            let next = MessageId(sequence.messages.len());
            if let Some(message) = waits.get(&op) {
                sequence.original.push(Item::Wait(*message));
            } else if let Some(message) = message(function, op) {
                sequence.original.push(Item::Start(next));
                match message.wait {
                    Some(wait) => drop(waits.insert(wait, next)),
                    None => sequence.original.push(Item::Wait(next)),
                }
                sequence.messages.push(message);
            } else {
                let id = OpId(position);
                sequence.original.push(Item::Op(id));
                let kind = match op == last {
                    true => Kind::Fixed,
                    false => kind(function, op),
                };
                let touches = function.touches(op);
                sequence.others.insert(id, Other { op, kind, touches });
            }
        }
        // Without an extraction, nothing is known about the peak.
        if sequence.messages.is_empty() || keeps_peak && order.is_none() {
            return None;
        }
        sequence.items = sequence.original.clone();
        sequence.load = order.map(|order| Load::new(order, &sequence));
        Some(sequence)
    }

    pub(super) fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0]
    }

    pub(super) fn other(&self, id: OpId) -> &Other {
        &self.others[&id]
    }

    pub(super) fn message_ids(&self) -> impl DoubleEndedIterator<Item = MessageId> + use<> {
        (0..self.messages.len()).map(MessageId)
    }

    /// An operation of the block, to report errors at.
    pub(super) fn first_op(&self) -> Op {
        self.messages[0].op
    }

    /// The bytes that an item accesses, or that a message accesses until it is waited for.
    pub(super) fn touches(&self, item: Item) -> &[Touch] {
        match item {
            Item::Op(id) => &self.other(id).touches,
            Item::Start(id) | Item::Wait(id) => &self.message(id).touches,
        }
    }

    /// Whether anything is gained if a message is in flight at an item: it is work, or another
    /// message.
    pub(super) fn is_work(&self, item: Item) -> bool {
        match item {
            Item::Op(id) => self.other(id).kind != Kind::Scalar,
            Item::Start(_) => true,
            Item::Wait(_) => false,
        }
    }

    /// Whether a message is in flight at an item that is work.
    pub(super) fn is_overlapped(&self, id: MessageId) -> bool {
        let position = |item: Item| self.items.iter().position(|own| *own == item);
        let range = position(Item::Start(id)).zip(position(Item::Wait(id)));
        range.is_some_and(|(start, wait)| {
            let mut between = self.items[start + 1..wait.max(start + 1)].iter();
            between.any(|item| self.is_work(*item))
        })
    }

    pub(super) fn is_changed(&self) -> bool {
        self.items != self.original
    }

    /// Number of messages that are in flight beside other items than in the block as it was.
    pub(super) fn n_moved(&self) -> u64 {
        let flight = |items: &[Item], id: MessageId| {
            let flown = items.iter().skip_while(|own| **own != Item::Start(id));
            let flown = flown.take_while(|own| **own != Item::Wait(id));
            flown.filter(|own| self.is_work(**own)).count()
        };
        let is_moved = |id: &MessageId| flight(&self.items, *id) != flight(&self.original, *id);
        self.message_ids().filter(is_moved).count() as u64
    }

    /// Whether no more bytes are live in an order of the items than are allowed.
    pub(super) fn fits(&self, items: &[Item]) -> bool {
        self.load
            .as_ref()
            .is_none_or(|load| load.peak(self, items) <= load.limit)
    }
}

impl Load {
    fn new(order: OrderBlock, sequence: &Sequence) -> Self {
        let steps = order.ops.iter().enumerate();
        let steps =
            steps.flat_map(|(step, ops)| ops.iter().map(move |op| (*op, StepId::new(step))));
        let mut load = Self {
            steps: steps.collect(),
            problem: order.problem,
            limit: 0,
        };
        load.limit = load.peak(sequence, &sequence.original);
        load
    }

    /// The peak if the items run in this order, in bytes. A message uses its buffer at its start and
    /// at its wait. Linear.
    fn peak(&self, sequence: &Sequence, items: &[Item]) -> u128 {
        let step = |item: &Item| {
            let (op, is_message) = match item {
                Item::Op(id) => (sequence.other(*id).op, false),
                Item::Start(id) | Item::Wait(id) => (sequence.message(*id).op, true),
            };
            let own = &self.problem.steps[self.steps.get(&op)?.index()];
            Some(OrderStep {
                after: Vec::new(),
                buffers: own.buffers.clone(),
                in_place: match is_message {
                    true => Vec::new(),
                    false => own.in_place.clone(),
                },
            })
        };
        let problem = OrderProblem {
            buffers: self.problem.buffers.clone(),
            steps: items.iter().filter_map(step).collect(),
        };
        let order: Vec<StepId> = (0..problem.steps.len()).map(StepId::new).collect();
        order_peak(&problem, &order)
    }
}

/// The message that an operation sends or receives, if its start and its wait may move.
fn message(function: &OrderFunction<'_>, op: Op) -> Option<Message> {
    message_of(op).filter(|_| !has_used_status(op))?;
    let wait = match starts_request(op) {
        false => None,
        true => {
            let request = op.results().find(|own| is_request(own.ty()))?;
            let [wait] = request.users()[..] else {
                return None;
            };
            let is_known =
                awaits_request(wait) && wait.block() == op.block() && !has_used_status(wait);
            Some(Some(wait).filter(|_| is_known)?)
        }
    };
    let touches = function.touches(op);
    // An access that is not modelled could be to any byte.
    (!touches.is_empty()).then_some(Message { op, wait, touches })
}

/// Before the first and after the last of these, no message may be in flight.
const ENDS: [&str; 2] = ["mpi.init", "mpi.finalize"];

fn kind(function: &OrderFunction<'_>, op: Op) -> Kind {
    let (mut has_communication, mut has_end, mut is_fixed) = (false, false, false);
    let mut visit = |own: Op| {
        has_communication |= communicates(own);
        has_end |= ENDS.contains(&own.name());
        // What is freed inside is no access of the operation.
        is_fixed |= own != op && own.name() == "memref.dealloc";
        let is_leaf = own.regions().next().is_none();
        is_fixed |= is_leaf && !communicates(own) && function.was_barrier(own);
    };
    visit(op);
    op.walk(&mut visit);
    let is_nested = op.regions().next().is_some();
    let is_opaque = is_nested && !has_communication && function.was_barrier(op);
    match (is_fixed || has_end || is_opaque, has_communication) {
        (true, _) => Kind::Fixed,
        (false, true) => Kind::Ordered,
        (false, false) if is_nested || !function.touches(op).is_empty() => Kind::Plain,
        (false, false) => Kind::Scalar,
    }
}

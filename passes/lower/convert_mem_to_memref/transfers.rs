//! Lowers transfers to synchronous copies, to DMA with numbered tags, or to calls of the runtime
//! library.
//!
//! A token that is still used becomes an integer: the ticket of the runtime library, or zero for a
//! transfer that was lowered to a copy. A transfer that no engine serves, that is not dense, or
//! that changes the order of its elements becomes a `memref.copy` where it starts. That is one of
//! the orders that an asynchronous transfer allows.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use super::{Lowering, unsupported};
use crate::framework::PassResult;
use crate::ir::dialect::{ArenaOp, ViewOp, is_transfer};
use crate::ir::spaces::{LevelSpaces, space_of};
use crate::ir::tensors::root_of;
use crate::ir::{
    Attribute, Builder, HIERARCHY, Op, Type, Value, constant_index, hierarchy_of, is_token,
    memref_layout,
};
use mem_model::{Hierarchy, LevelId};

/// Functions of the runtime library.
const BEGIN: &str = "mem_runtime_begin";
const WAIT: &str = "mem_runtime_wait";

/// The lowering of transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Target {
    /// `memref.copy`.
    #[default]
    Copy,
    /// `memref.dma_start` and `memref.dma_wait`.
    Dma,
    /// Calls of `mem-runtime`.
    Runtime,
}

impl Target {
    pub(super) const NAMES: [(&'static str, Self); 3] = [
        ("copy", Self::Copy),
        ("dma", Self::Dma),
        ("runtime", Self::Runtime),
    ];
}

/// Decisions about transfers, made before any of them is lowered.
#[derive(Default)]
pub(super) struct Transfers {
    target: Target,
    /// The engine of each dense transfer.
    engines: HashMap<Op, usize>,
    /// The tag of each transfer: the memref of its function's tags, and the index into it.
    tags: HashMap<Op, (Value, i64)>,
}

impl Transfers {
    /// Chooses engines and tags, and declares the functions of the runtime library.
    pub(super) fn new(module: Op, ops: &[Op], target: Target) -> Self {
        let mut transfers = Self {
            target,
            ..Self::default()
        };
        let hierarchy = hierarchy_of(module).unwrap_or_default();
        let own: Vec<Op> = ops.iter().copied().filter(|op| is_transfer(*op)).collect();
        if target == Target::Copy || own.is_empty() {
            return transfers;
        }
        let spaces = module.attribute(HIERARCHY).map(LevelSpaces::new);
        transfers.choose_engines(&own, &hierarchy, spaces.as_ref());
        match target {
            Target::Dma => transfers.choose_tags(ops),
            _ => declare_runtime(module),
        }
        transfers
    }

    /// Assigns an engine to each dense transfer. Transfers over the same link take turns among the
    /// engines that serve it.
    fn choose_engines(
        &mut self,
        transfers: &[Op],
        hierarchy: &Hierarchy,
        spaces: Option<&LevelSpaces>,
    ) {
        let mut turns: HashMap<(LevelId, LevelId), usize> = HashMap::default();
        for op in transfers {
            let is_dense = |value: Value| {
                let layout = memref_layout(value.ty());
                layout.is_some_and(|layout| {
                    layout.dense() && layout.offset.is_some() && layout.known_bytes().is_some()
                })
            };
            // An engine copies bytes in order and cannot permute elements.
            let layouts = memref_layout(op.operand(0).ty()).zip(memref_layout(op.operand(1).ty()));
            let is_straight = layouts.is_some_and(|(from, to)| from.orders_as(&to));
            if !is_straight || !op.operands().take(2).all(is_dense) {
                continue;
            }
            let [from, to] = [0, 1].map(|operand| level(op.operand(operand), hierarchy, spaces));
            let able: Vec<usize> = match (from, to) {
                (Some(from), Some(to)) => {
                    let engines = hierarchy.engines.iter().enumerate();
                    let able = engines.filter(|(_, engine)| engine.links.contains(&(from, to)));
                    able.map(|(index, _)| index).collect()
                }
                // Without a hierarchy, there is a single engine.
                _ => vec![0],
            };
            let turn = from.zip(to).map_or(0, |link| {
                let turn = turns.entry(link).or_default();
                *turn += 1;
                *turn - 1
            });
            if !able.is_empty() {
                self.engines.insert(*op, able[turn % able.len()]);
            }
        }
    }

    /// Assigns each transfer a tag that no other transfer has while it is in flight. A transfer
    /// that is awaited in its own block passes its tag on.
    fn choose_tags(&mut self, ops: &[Op]) {
        for function in ops.iter().filter(|op| op.name() == "func.func") {
            let mut inside = Vec::new();
            function.walk(&mut |op| inside.push(op));
            let mut free: BTreeSet<i64> = BTreeSet::new();
            let mut n_tags = 0;
            let mut chosen: Vec<(Op, i64)> = Vec::new();
            let mut numbers: HashMap<Value, i64> = HashMap::default();
            for op in &inside {
                if self.engines.contains_key(op) {
                    let number = free.pop_first().unwrap_or_else(|| {
                        n_tags += 1;
                        n_tags - 1
                    });
                    chosen.push((*op, number));
                    match op.results().next() {
                        Some(token) => drop(numbers.insert(token, number)),
                        None => drop(free.insert(number)),
                    }
                }
                if op.name() == "mem.wait" {
                    let own = op.operands().filter(|token| {
                        token.owner().and_then(Op::block) == op.block() && token.users().len() == 1
                    });
                    free.extend(own.filter_map(|token| numbers.remove(&token)));
                }
            }
            let start = function.regions().next().and_then(|r| r.first_block());
            let Some(start) = start.and_then(|b| b.first_op()).filter(|_| n_tags > 0) else {
                continue;
            };
            let ty = Type::parse(function.context(), &format!("memref<{n_tags}xi32>"));
            let alloc = Builder::new("memref.alloc", function.location())
                .result(ty)
                .segments(function.context(), &[0, 0]);
            let alloc = alloc.before(start);
            super::free_at_end(alloc, alloc.result());
            let tags = alloc.result();
            let chosen = chosen.into_iter();
            self.tags
                .extend(chosen.map(|(op, number)| (op, (tags, number))));
        }
    }
}

/// The level that holds a memref.
fn level(value: Value, hierarchy: &Hierarchy, spaces: Option<&LevelSpaces>) -> Option<LevelId> {
    let root = root_of(value);
    let view = root.owner().filter(|op| ViewOp::of(*op).is_some());
    let slowest = hierarchy.levels.len().checked_sub(1).map(LevelId::new);
    match view {
        // Views of arenas that callers provide may be in any level.
        Some(view) => hierarchy.find(&ArenaOp::of(view.operand(0).owner()?)?.level()),
        None => {
            let space = space_of(root.ty()).flatten();
            spaces.and_then(|spaces| spaces.level_of(space)).or(slowest)
        }
    }
}

/// Declares the functions of the runtime library that the module does not have yet.
fn declare_runtime(module: Op) {
    let context = module.context();
    for (name, ty) in [
        (BEGIN, "(i32, index, index, i64) -> i64"),
        (WAIT, "(i64) -> ()"),
    ] {
        let mut known = module.direct_ops();
        if known.any(|op| op.symbol().as_deref() == Some(name)) {
            continue;
        }
        let text = format!("func.func private @{name}{ty}");
        if let Some(first) = module.direct_ops().next() {
            Op::parse(context, &text).insert_before(first);
        }
    }
}

impl Lowering {
    pub(super) fn lower_transfer(&mut self, op: Op) -> PassResult {
        let is_wait = |user: &Op| user.name() == "mem.wait";
        let token = op.results().next();
        let is_handed_on = token.is_some_and(|token| !token.users().iter().all(is_wait));
        let engine = self.transfers.engines.get(&op).copied();
        let ticket = match (self.transfers.target, engine) {
            (Target::Dma, Some(_)) if is_handed_on => {
                return unsupported(
                    op,
                    "a DMA is waited for by its tag, and its token is handed on",
                )
                .fail();
            }
            (Target::Dma, Some(_)) => {
                self.start_dma(op);
                None
            }
            (Target::Runtime, Some(engine)) => Some(begin(op, engine)),
            _ => {
                copy(op);
                None
            }
        };
        match (token, ticket) {
            (Some(token), Some(ticket)) => token.replace_with(ticket),
            (None, Some(ticket)) => await_ticket(op, ticket),
            (Some(token), None) if is_handed_on => token.replace_with(number(op, 0)),
            _ => {}
        }
        self.dead.push(op);
        Ok(())
    }

    /// Lowers a wait. All transfers must have been lowered before.
    pub(super) fn lower_wait(&mut self, op: Op) {
        for token in op.operands() {
            match self.transfers.target {
                Target::Copy => {}
                Target::Dma => {
                    let start = token.owner().filter(|owner| is_transfer(*owner));
                    if let Some(start) = start {
                        self.wait_for_dma(start, op);
                    }
                }
                // A transfer that was lowered to a copy has no ticket.
                Target::Runtime if is_token(token.ty()) => {}
                Target::Runtime => await_ticket(op, token),
            }
        }
        self.dead.push(op);
    }

    fn start_dma(&self, op: Op) {
        let Some((tags, number)) = self.transfers.tags.get(&op).copied() else {
            return;
        };
        let zero = constant_index(op, 0);
        let mut operands = Vec::new();
        for operand in [op.operand(0), op.operand(1)] {
            let rank = memref_layout(operand.ty()).map_or(0, |layout| layout.shape.len());
            operands.push(operand);
            operands.extend(std::iter::repeat_n(zero, rank));
        }
        operands.push(n_elements(op, op));
        operands.extend([tags, constant_index(op, number)]);
        Builder::new("memref.dma_start", op.location())
            .operands(operands)
            .before(op);
        if op.results().next().is_none() {
            self.wait_for_dma(op, op);
        }
    }

    /// Waits for a transfer before an operation.
    fn wait_for_dma(&self, transfer: Op, before: Op) {
        let Some((tags, number)) = self.transfers.tags.get(&transfer).copied() else {
            return;
        };
        Builder::new("memref.dma_wait", before.location())
            .operands([
                tags,
                constant_index(before, number),
                n_elements(transfer, before),
            ])
            .before(before);
    }
}

fn copy(op: Op) {
    Builder::new("memref.copy", op.location())
        .operands([op.operand(0), op.operand(1)])
        .before(op);
}

/// Starts a copy on an engine of the runtime. Returns its ticket.
fn begin(op: Op, engine: usize) -> Value {
    let context = op.context();
    let layout = memref_layout(op.operand(0).ty());
    let bytes = layout.and_then(|layout| layout.known_bytes()).unwrap_or(0);
    let engine = constant(op, &format!("{engine} : i32"));
    let [from, to] = [0, 1].map(|operand| address(op, op.operand(operand)));
    let bytes = number(op, bytes);
    Builder::new("func.call", op.location())
        .operands([engine, from, to, bytes])
        .result(Type::parse(context, "i64"))
        .attribute("callee", Attribute::parse(context, &format!("@{BEGIN}")))
        .before(op)
        .result()
}

fn await_ticket(before: Op, ticket: Value) {
    let callee = Attribute::parse(before.context(), &format!("@{WAIT}"));
    Builder::new("func.call", before.location())
        .operands([ticket])
        .attribute("callee", callee)
        .before(before);
}

/// The address of the first byte of a memref.
fn address(before: Op, value: Value) -> Value {
    let index = Type::index(before.context());
    let location = before.location();
    let base = Builder::new("memref.extract_aligned_pointer_as_index", location)
        .operands([value])
        .result(index)
        .before(before)
        .result();
    let layout = memref_layout(value.ty());
    let offset = layout.and_then(|layout| Some(layout.offset? * layout.element));
    let Some(offset) = offset.filter(|offset| *offset != 0) else {
        return base;
    };
    let offset = constant_index(before, offset);
    Builder::new("arith.addi", location)
        .operands([base, offset])
        .result(index)
        .before(before)
        .result()
}

fn n_elements(transfer: Op, before: Op) -> Value {
    let layout = memref_layout(transfer.operand(0).ty());
    let elements = layout.and_then(|layout| layout.elements()).unwrap_or(0);
    constant_index(before, elements)
}

fn number(before: Op, value: i64) -> Value {
    constant(before, &format!("{value} : i64"))
}

fn constant(before: Op, text: &str) -> Value {
    let value = Attribute::parse(before.context(), text);
    let mut constant = Builder::new("arith.constant", before.location()).attribute("value", value);
    if let Some(ty) = value.ty() {
        constant = constant.result(ty);
    }
    constant.before(before).result()
}

//! Replaces reads: of loads by values that are known, and of copies by reads of their source.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{AccessKind, StepId};

use crate::extract::dependence::{Extracted, Subject};
use crate::ir::rewrite::{erase_unused, is_plain_copy, is_visible};
use crate::ir::{Op, Value, chain, describe};

/// Makes readers of copies read the source, in all functions. Returns the number of changed
/// operands.
pub(super) fn forward_copies(subject: &mut Subject<'_>) -> u64 {
    let functions = subject.functions().iter();
    let n_operands = functions.map(|f| forward_copies_in(f, &f.analyze())).sum();
    if n_operands > 0 {
        subject.changed();
    }
    n_operands
}

/// Makes readers of copies read the source; that of the first copy in a chain of them, where all readers
/// can. Returns the number of changed operands.
pub(super) fn forward_copies_in(function: &Extracted, dependence: &Dependence<'_>) -> u64 {
    let step_ops = &function.extraction.step_ops;
    if !step_ops.iter().any(|op| is_plain_copy(*op)) {
        return 0;
    }
    let copy_at = |step| ForwardableCopy::new(function, dependence, step);
    let copied = dependence.uses_of(|step| is_plain_copy(step_ops[step.index()]));
    let mut edits: Vec<(AccessId, Value, Value)> = Vec::new();
    // The step of the copy whose source an access is about to read.
    let mut firsts: HashMap<AccessId, StepId> = HashMap::default();
    for uses in copied.chunk_by(|(own, _), (other, _)| own == other) {
        let Some(copy) = copy_at(uses[0].0.step) else {
            continue;
        };
        let first = firsts.get(&copy.read).and_then(|step| copy_at(*step));
        let can_read = |origin: &ForwardableCopy<'_>| {
            let mut uses = uses.iter();
            uses.all(|(_, id)| copy.can_read(*id, origin))
        };
        let Some(origin) = first.into_iter().chain([copy]).find(can_read) else {
            continue;
        };
        for (_, id) in uses {
            edits.push((*id, copy.op.operand(1), origin.op.operand(0)));
            firsts.insert(*id, origin.step);
        }
    }
    drop((copied, firsts));
    edits.sort_unstable_by_key(|(id, ..)| *id);
    // Where an operation is about to read the target of another copy, that copy has one more reader. The
    // next round decides on all of them.
    let sources: HashSet<Value> = edits.iter().map(|(_, _, source)| *source).collect();
    let mut n_operands = 0;
    for (id, target, source) in edits {
        if sources.contains(&target) {
            continue;
        }
        let user = function.op(id);
        let operands: Vec<Value> = user.operands().collect();
        let reads = read_operands(user);
        let swap = |(index, value): (usize, &Value)| match *value == target && reads[index] {
            true => source,
            false => *value,
        };
        let changed: Vec<Value> = operands.iter().enumerate().map(swap).collect();
        if changed != operands {
            user.set_operands(&changed);
            n_operands += 1;
        }
    }
    if n_operands > 0 {
        erase_unused(function.function.op);
    }
    n_operands
}

/// Indexed by operand: whether the operation reads it and does not write it.
fn read_operands(op: Op) -> Vec<bool> {
    use crate::ir::EffectKind;
    let facts = describe(op);
    let has = |value: Value, kind| {
        facts
            .effects
            .iter()
            .any(|e| e.value == value && e.kind == kind)
    };
    let reads = |value: Value| has(value, EffectKind::Read) && !has(value, EffectKind::Write);
    op.operands().map(reads).collect()
}

/// A copy whose readers may read its source instead.
#[derive(Clone, Copy)]
struct ForwardableCopy<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    step: StepId,
    op: Op,
    read: AccessId,
    written: AccessId,
}

impl<'a> ForwardableCopy<'a> {
    /// `None` for a copy of which more is known than what it reads and what it writes.
    fn new(function: &'a Extracted, dependence: &'a Dependence<'a>, step: StepId) -> Option<Self> {
        let accesses = &function.extraction.program.steps[step.index()].accesses;
        if accesses.len() != 2 {
            return None;
        }
        let find = |kind| {
            let position = accesses.iter().position(|a| a.kind == kind)?;
            let index = u32::try_from(position).ok()?;
            Some(AccessId { step, index })
        };
        Some(Self {
            function,
            dependence,
            step,
            op: function.extraction.step_ops[step.index()],
            read: find(AccessKind::Use)?,
            written: find(AccessKind::Define)?,
        })
    }

    /// Whether a use of the copied bytes can read the source of `origin` instead: of this copy, or of an
    /// earlier one whose source this copy can read. The latter has executed last before this copy did,
    /// and not since, because it dominates this copy and this copy dominates the use.
    fn can_read(&self, id: AccessId, origin: &Self) -> bool {
        let (source, target) = (origin.op.operand(0), self.op.operand(1));
        let user = self.function.op(id);
        let steps = &self.function.extraction.program.steps;
        let access = &steps[id.step.index()].accesses[id.index as usize];
        let reads_in_order = || {
            let (operand, storage) = (Some(target), Some(source));
            self.function
                .reads_in_order(self.dependence, id, origin.read, operand, storage)
        };
        self.function.value(id) == Some(target)
            // An asynchronous reader keeps reading until it is awaited, beyond this step.
            && access.token().is_none()
            && id.step != self.step
            && is_flexible(user, source, target)
            && is_visible(source, user)
            && is_read_only(user, target)
            && reads_in_order()
            && self.function.reads_before_it_writes(self.dependence, id)
            && self.dependence.sole_source(id) == Some(Source::Definition(self.written))
            && self.dependence.is_unchanged(origin.read, origin.step, id.step)
    }
}

/// Whether an operation accepts `source` as an operand in place of `target`.
fn is_flexible(op: Op, source: Value, target: Value) -> bool {
    let any_layout = op.name() == "memref.copy"
        || op.name() == "memref.load"
        || op.name() == "mem.kernel"
        || op.name() == "linalg.generic";
    source.ty() == target.ty() || any_layout
}

fn is_read_only(op: Op, target: Value) -> bool {
    let reads = read_operands(op);
    let mut operands = op.operands().zip(&reads);
    let regions_use = describe(op).has_nested_memory();
    !regions_use && operands.all(|(value, reads)| value != target || *reads)
}

/// Replaces each load by its value, which may be the result of another load in `found`, and erases
/// it. Returns the number of loads erased.
pub(super) fn replace_loads(found: Vec<(Op, Value)>) -> u64 {
    let mut replaced: HashMap<Value, Value> = HashMap::default();
    for (load, value) in &found {
        replaced.insert(load.result(), *value);
    }
    // A load can be forwarded to one that is itself forwarded. The chain ascends the dominator tree
    // and therefore ends, except in unreachable code, where a load can be forwarded to itself.
    let last = |load: Op| {
        let values = chain(load.result(), |value| replaced.get(&value).copied());
        values.last().filter(|value| !replaced.contains_key(value))
    };
    let found: Vec<(Op, Value)> = found
        .into_iter()
        .filter_map(|(load, _)| Some((load, last(load)?)))
        .collect();
    for (load, value) in &found {
        load.result().replace_with(*value);
    }
    for (load, _) in &found {
        load.erase();
    }
    found.len() as u64
}

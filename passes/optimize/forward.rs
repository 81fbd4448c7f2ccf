//! Replaces reads: of loads by values that are known, and of copies by reads of their source.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;

use mem_flow::dependence::{AccessId, Chains, Dependence, Source};
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

/// Makes readers of copies read the source. Returns the number of changed operands.
pub(super) fn forward_copies_in(function: &Extracted, dependence: &Dependence<'_>) -> u64 {
    let mut steps = function.extraction.step_ops.iter();
    if !steps.any(|op| is_plain_copy(*op)) {
        return 0;
    }
    let chains = dependence.chains();
    let mut edits: BTreeMap<(StepId, u32), (Op, Value, Value)> = BTreeMap::new();
    for (index, step) in function.extraction.program.steps.iter().enumerate() {
        let op = function.extraction.step_ops[index];
        if !is_plain_copy(op) || step.accesses.len() != 2 {
            continue;
        }
        let copy = ForwardableCopy::new(function, dependence, &chains, StepId::new(index));
        for (id, user) in copy.and_then(|copy| copy.forwarded()).unwrap_or_default() {
            edits.insert((id.step, id.index), (user, op.operand(1), op.operand(0)));
        }
    }
    // If the source of one copy is the target of another, the operand to read through is about to
    // change itself. The next round handles it.
    let sources: HashSet<Value> = edits.values().map(|(_, _, source)| *source).collect();
    let mut n_operands = 0;
    for (user, target, source) in edits.into_values() {
        if sources.contains(&target) {
            continue;
        }
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
struct ForwardableCopy<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    chains: &'a Chains,
    step: StepId,
    op: Op,
    read: AccessId,
    written: AccessId,
}

impl<'a> ForwardableCopy<'a> {
    fn new(
        function: &'a Extracted,
        dependence: &'a Dependence<'a>,
        chains: &'a Chains,
        step: StepId,
    ) -> Option<Self> {
        let accesses = &function.extraction.program.steps[step.index()].accesses;
        let find = |kind| {
            let position = accesses.iter().position(|a| a.kind == kind)?;
            let index = u32::try_from(position).ok()?;
            Some(AccessId { step, index })
        };
        Some(Self {
            function,
            dependence,
            chains,
            step,
            op: function.extraction.step_ops[step.index()],
            read: find(AccessKind::Use)?,
            written: find(AccessKind::Define)?,
        })
    }

    /// The uses of the copied bytes, if all of them can read the source.
    fn forwarded(&self) -> Option<Vec<(AccessId, Op)>> {
        let uses = self.chains.uses.get(&self.written)?;
        let forward = |id: &AccessId| {
            self.can_read_source(*id)
                .then(|| (*id, self.function.op(*id)))
        };
        let all: Option<Vec<_>> = uses.iter().map(forward).collect();
        all.filter(|all| !all.is_empty())
    }

    /// Whether a step that reads `target` may read `source` instead, given what the step writes.
    fn reads_in_order(&self, user: AccessId, source: Value, target: Value) -> bool {
        let (operand, storage) = (Some(target), Some(source));
        self.function
            .reads_in_order(self.dependence, user, self.read, operand, storage)
    }

    fn can_read_source(&self, id: AccessId) -> bool {
        let (source, target) = (self.op.operand(0), self.op.operand(1));
        let user = self.function.op(id);
        let steps = &self.function.extraction.program.steps;
        let access = &steps[id.step.index()].accesses[id.index as usize];
        self.function.value(id) == Some(target)
            // An asynchronous reader keeps reading until it is awaited, beyond this step.
            && access.token().is_none()
            && id.step != self.step
            && is_flexible(user, source, target)
            && is_visible(source, user)
            && is_read_only(user, target)
            && self.reads_in_order(id, source, target)
            && self.function.reads_before_it_writes(self.dependence, id)
            && self.dependence.sole_source(id) == Some(Source::Definition(self.written))
            && self.dependence.is_unchanged(self.read, self.step, id.step)
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

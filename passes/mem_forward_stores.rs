//! `mem-forward-stores`: replaces loads by the stored value, and reads of a copy by reads of its
//! source.
//!
//! Loads come first. A load whose bytes all come from one store or one fill, on every path, yields
//! the value that was stored. This holds in loops, too: the store is the last one of its kind to
//! execute before the load, and control cannot compute the value anew without passing the store
//! again. Copies come second. An operand that reads exactly the target of one copy reads the source
//! instead, if the source has not changed between the copy and the operation.

use std::collections::BTreeMap;

use mem_flow::dependence::{AccessId, Chains, Dependence, Reaching, Source};
use mem_model::{AccessKind, StepId};

use crate::constants::Constants;
use crate::dependence::{Extracted, Subject};
use crate::mlir::{Op, Value, chain, describe};
use crate::registry::generated::MemForwardStoresOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::rewrite::{erase_unused, is_plain_copy, is_visible};

/// Maximum number of rounds for copies of copies: each round looks through one more copy.
const MAX_ROUNDS: usize = 4;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let mut subject = Subject::new(run, options.noalias_arguments);
    let constants = Constants::new(run.operation());
    let (mut n_loads, mut n_operands) = (0, 0);
    let mut is_first = true;
    for _ in 0..=MAX_ROUNDS {
        let mut changed = false;
        for function in subject.functions() {
            let dependence = function.analyze();
            let forwarded = match is_first {
                true => forward_loads(function, &dependence, &constants),
                false => 0,
            };
            n_loads += forwarded;
            // Not both in one round: the dependence analysis still refers to the loads that were
            // just erased.
            let n_copied = match forwarded {
                0 => forward_in(function, &dependence),
                _ => 0,
            };
            n_operands += n_copied;
            changed |= forwarded + n_copied > 0;
            if is_first {
                function.report_limits(&dependence.limits());
            }
        }
        is_first = false;
        if !changed {
            break;
        }
        subject.changed();
    }
    subject.finish();
    run.set_statistic(Options::NUM_LOADS, n_loads);
    run.set_statistic(Options::NUM_OPERANDS, n_operands);
    Ok(())
}

/// Replaces loads by the stored value or by the contents of a constant global. Returns the number
/// of loads replaced.
fn forward_loads(function: &Extracted, dependence: &Dependence<'_>, constants: &Constants) -> u64 {
    let mut found = Vec::new();
    for (id, access) in function.accesses() {
        let load = function.op(id);
        if access.kind != AccessKind::Use || load.name() != "memref.load" {
            continue;
        }
        let stored = match dependence.sole_source(id) {
            Some(Source::Definition(from)) => stored_value(function.op(from), load),
            Some(Source::Entry) => constants.loaded(load),
            Some(Source::Undefined) => None,
            None => same_value(function, &dependence.reaching(id), load),
        };
        found.extend(stored.map(|value| (load, value)));
    }
    replace_loads(found)
}

/// The value that `load` yields, if all stores that reach it store the same value.
fn same_value(function: &Extracted, reaching: &[Reaching], load: Op) -> Option<Value> {
    let values = reaching.iter().map(|reaching| match reaching.source {
        Source::Definition(from) => stored_value(function.op(from), load),
        Source::Undefined | Source::Entry => None,
    });
    let values: Option<Vec<Value>> = values.collect();
    let values = values?;
    let first = *values.first()?;
    values.iter().all(|value| *value == first).then_some(first)
}

/// Replaces each load by its value, which may be the result of another load in `found`, and erases
/// it. Returns the number of loads erased.
pub(crate) fn replace_loads(found: Vec<(Op, Value)>) -> u64 {
    let mut replaced: std::collections::HashMap<Value, Value> = std::collections::HashMap::new();
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

/// The value that `from` wrote to each element, if `load` can use it.
fn stored_value(from: Op, load: Op) -> Option<Value> {
    let value = match from.name() {
        "memref.store" | "linalg.fill" => from.operand(0),
        _ => return None,
    };
    (value.ty() == load.result().ty() && is_visible(value, load)).then_some(value)
}

/// Makes readers of copies read the source, in all functions. Returns the number of changed
/// operands.
pub(crate) fn forward_copies(subject: &mut Subject<'_>) -> u64 {
    let functions = subject.functions().iter();
    let n_operands = functions.map(|f| forward_in(f, &f.analyze())).sum();
    if n_operands > 0 {
        subject.changed();
    }
    n_operands
}

/// Makes readers of copies read the source. Returns the number of changed operands.
fn forward_in(function: &Extracted, dependence: &Dependence<'_>) -> u64 {
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
        let copy = Copy::new(function, dependence, &chains, StepId::new(index));
        for (id, user) in copy.and_then(|copy| copy.forwarded()).unwrap_or_default() {
            edits.insert((id.step, id.index), (user, op.operand(1), op.operand(0)));
        }
    }
    // If the source of one copy is the target of another, the operand to read through is about to
    // change itself. The next round handles it.
    let sources: Vec<Value> = edits.values().map(|(_, _, source)| *source).collect();
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
    use crate::mlir::EffectKind;
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
struct Copy<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    chains: &'a Chains,
    step: StepId,
    op: Op,
    read: AccessId,
    written: AccessId,
}

impl<'a> Copy<'a> {
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

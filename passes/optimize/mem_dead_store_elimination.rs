//! `mem-dead-store-elimination`: removes dead stores, and shrinks stores that are partly dead.
//!
//! An operation is removed if it does nothing but write, and no byte that it may write is read
//! before it is overwritten, on any path; or if its target already holds what it writes. Removing
//! an operation may leave its own operands unread, so the pass repeats until nothing changes.

use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::hash::BuildHasher as _;

use mem_flow::dependence::{AccessId, Dependence, LiveWrites, Source};
use mem_model::{Access, AccessKind, StepId};

use super::written::{is_copy, length, written_bytes};
use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemDeadStoreEliminationOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::{STORAGE, erase_unused};
use crate::ir::{Facts, Op, Value, describe, memref_layout};

/// Maximum number of rounds. Longer chains of dead stores are rare, and the next run of the pass
/// removes the rest.
const MAX_ROUNDS: usize = 16;

/// Maximum number of equal stores, both before and after each store, that it is compared with.
const MAX_EQUAL: usize = 8;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let mut subject = Subject::new(run, options.noalias_arguments);
    let mut counts = Counts::default();
    for round in 0..MAX_ROUNDS {
        let mut outcome = Outcome::default();
        for function in subject.functions() {
            let of_one = eliminate(function, &mut counts, round == 0);
            outcome.changed |= of_one.changed;
            outcome.has_more |= of_one.has_more;
        }
        if outcome.changed {
            subject.changed();
        }
        if !outcome.has_more {
            break;
        }
    }
    subject.finish();
    run.set_statistic(Options::NUM_WRITES, counts.writes);
    run.set_statistic(Options::NUM_COPIES, counts.copies);
    run.set_statistic(Options::NUM_BYTES, counts.bytes);
    run.set_statistic(Options::NUM_SHRUNK, counts.shrunk);
    run.set_statistic(Options::NUM_BUFFERS, counts.buffers);
    Ok(())
}

#[derive(Default)]
struct Counts {
    writes: u64,
    copies: u64,
    bytes: u64,
    shrunk: u64,
    buffers: u64,
}

/// The outcome of one round.
#[derive(Default)]
struct Outcome {
    /// The IR has changed.
    changed: bool,
    /// Another round may find more, because some bytes are no longer read or no longer written.
    has_more: bool,
}

/// Runs one round on one function.
fn eliminate(function: &Extracted, counts: &mut Counts, is_first: bool) -> Outcome {
    let dependence = function.analyze();
    let live = dependence.live_writes();
    let mut dead = Vec::new();
    let mut shrinking = Vec::new();
    for (index, step) in function.extraction.program.steps.iter().enumerate() {
        let step_id = StepId::new(index);
        let op = function.extraction.step_ops[index];
        let is_write = |access: &Access| access.kind == AccessKind::Define;
        if !step.accesses.iter().any(is_write) {
            continue;
        }
        // Asked last: describing an operation takes longer than the analysis.
        let only_writes = || only_writes(op, &describe(op));
        if is_dead(&live, step_id, &step.accesses) {
            dead.extend(only_writes().then_some((op, &step.accesses)));
        } else if let Some(rows) = dead_rows(function, &live, step_id) {
            shrinking.extend(only_writes().then_some((op, rows)));
        }
    }
    // Of two equal stores, the first is dead because of the second, and the second is redundant
    // because of the first. Only one of them may be removed.
    if dead.is_empty() && shrinking.is_empty() {
        dead = rewriting(function, &dependence);
    }
    if is_first {
        function.report_limits(&dependence.limits());
    }
    let has_more = !dead.is_empty() || !shrinking.is_empty();
    for (op, rows) in shrinking {
        shrink(op, rows, counts);
    }
    for (op, accesses) in dead {
        counts.writes += 1;
        counts.copies += u64::from(is_copy(op));
        counts.bytes += written_bytes(op, accesses);
        op.erase();
    }
    let (n_erased, n_buffers) = erase_unused(function.function.op);
    counts.buffers += n_buffers;
    Outcome {
        changed: has_more || n_erased > 0,
        has_more,
    }
}

/// Whether an operation does nothing but read its operands and write to some of them.
fn only_writes(op: Op, facts: &Facts) -> bool {
    let is_special = facts.has_unknown_effects()
        || facts.communicates()
        || facts.is_call()
        || facts.is_terminator()
        || facts.is_region_branch()
        || facts.is_branch()
        || (facts.has_nested_memory() && !facts.is_structured())
        || facts.effects.iter().any(|e| is_allocation(e.kind))
        || op.name().contains("atomic")
        || STORAGE.contains(&op.name());
    let is_used = op.results().any(Value::is_used);
    !is_special && !is_used
}

fn is_allocation(kind: crate::ir::EffectKind) -> bool {
    use crate::ir::EffectKind;
    matches!(kind, EffectKind::Allocate | EffectKind::Free)
}

fn is_dead(live: &LiveWrites, step: StepId, accesses: &[Access]) -> bool {
    let numbered = (0..)
        .zip(accesses)
        .filter(|(_, a)| a.kind == AccessKind::Define);
    let mut ids = numbered.map(|(index, _)| AccessId { step, index });
    ids.all(|id| live.is_dead(id))
}

/// The operations that write what their targets already hold, with their accesses.
fn rewriting<'f>(
    function: &'f Extracted,
    dependence: &Dependence<'_>,
) -> Vec<(Op, &'f Vec<Access>)> {
    let places = Places::new(function);
    let steps = function.extraction.program.steps.iter().enumerate();
    let found = steps.filter_map(|(index, step)| {
        let op = function.extraction.step_ops[index];
        let is_found = rewrites(function, dependence, &places, StepId::new(index))
            && only_writes(op, &describe(op));
        is_found.then_some((op, &step.accesses))
    });
    found.collect()
}

/// Index of the stores, copies and loads of a function.
struct Places {
    /// Stores and copies, by a hash of their operands, then in program order. Equal operands: stores of the
    /// same value to the same place, or copies with the same source and target.
    writes: Vec<(u64, StepId)>,
    loads: HashMap<Op, StepId>,
}

impl Places {
    fn new(function: &Extracted) -> Self {
        let (mut writes, mut loads) = (Vec::new(), HashMap::default());
        for (index, op) in function.extraction.step_ops.iter().enumerate() {
            let step = StepId::new(index);
            match op.name() {
                "memref.store" | "memref.copy" => writes.push((hash_operands(*op), step)),
                "memref.load" => {
                    loads.insert(*op, step);
                }
                _ => {}
            }
        }
        writes.sort_unstable();
        Self { writes, loads }
    }

    /// The nearest stores or copies with the same operands as `write`, in program order. `step` is the step of
    /// `write`, which is among them.
    fn same(&self, function: &Extracted, write: Op, step: StepId) -> Vec<StepId> {
        // The first operand tells stores and copies apart: it is a scalar or a memref.
        let is_same = |other: &StepId| {
            let other = function.extraction.step_ops[other.index()];
            other.operands().eq(write.operands())
        };
        let hash = hash_operands(write);
        let own = self.writes.partition_point(|other| *other < (hash, step));
        let (before, after) = self.writes.split_at(own);
        let with_hash = |other: &&(u64, StepId)| other.0 == hash;
        let before = before
            .iter()
            .rev()
            .take_while(with_hash)
            .map(|other| other.1);
        let after = after.iter().take_while(with_hash).map(|other| other.1);
        let mut same: Vec<StepId> = before.filter(is_same).take(MAX_EQUAL).collect();
        same.reverse();
        same.extend(after.filter(is_same).take(MAX_EQUAL));
        same
    }

    /// The load that yields the value that `store` stores, if it loads from the same place.
    fn load(&self, store: Op) -> Option<StepId> {
        let load = store.operand(0).owner()?;
        let is_same = load.name() == "memref.load" && store.operands().skip(1).eq(load.operands());
        self.loads.get(&load).filter(|_| is_same).copied()
    }
}

/// Equal for operations with the same operands.
fn hash_operands(op: Op) -> u64 {
    FxBuildHasher.hash_one(op.operands().collect::<Vec<Value>>())
}

/// Whether a step writes what its target already holds.
fn rewrites(
    function: &Extracted,
    dependence: &Dependence<'_>,
    places: &Places,
    step: StepId,
) -> bool {
    let op = function.extraction.step_ops[step.index()];
    if !matches!(op.name(), "memref.store" | "memref.copy") {
        return false;
    }
    let is_copy = op.name() == "memref.copy";
    if is_copy && op.operand(0) == op.operand(1) {
        return true;
    }
    let accesses = &function.extraction.program.steps[step.index()].accesses;
    let find = |kind| accesses.iter().position(|access| access.kind == kind);
    let Some(index) = find(AccessKind::Define) else {
        return false;
    };
    let of = |step, index| AccessId {
        step,
        index: index as u32,
    };
    let id = of(step, index);
    // A fill with the same value wrote everything that the store overwrites.
    if let Some(Source::Definition(before)) = dependence.sole_source_before(id)
        && let fill = function.op(before)
        && fill.name() == "linalg.fill"
        && fill.operand(0) == op.operand(0)
        && fill.operand(1).ty() != op.operand(0).ty()
    {
        return true;
    }
    // The value was loaded from here, or stored or copied here, and since then only equal writes
    // may have touched these bytes.
    let same = places.same(function, op, step);
    let ids: Vec<_> = same.iter().map(|step| of(*step, index)).collect();
    let reads_same = |first| match find(AccessKind::Use) {
        Some(read) => dependence.is_unchanged(of(step, read), first, step),
        None => !is_copy,
    };
    let loaded = places.load(op).filter(|_| !is_copy);
    let mut firsts = loaded.into_iter().chain(same.iter().copied());
    firsts.any(|first| {
        first != step && reads_same(first) && dependence.is_unchanged_but_for(id, first, step, &ids)
    })
}

/// Dead rows of the outermost dimension: their number at the start, their number at the end, and
/// the size of that dimension.
#[derive(Clone, Copy)]
struct DeadRows {
    low: i64,
    high: i64,
    size: i64,
}

/// The rows that a fill or a copy need not write.
fn dead_rows(function: &Extracted, live: &LiveWrites, step: StepId) -> Option<DeadRows> {
    let op = function.extraction.step_ops[step.index()];
    if !matches!(op.name(), "linalg.fill" | "memref.copy") {
        return None;
    }
    let accesses = &function.extraction.program.steps[step.index()].accesses;
    let (index, access) = (0..)
        .zip(accesses)
        .find(|(_, a)| a.kind == AccessKind::Define)?;
    let bytes = access.must?;
    let dead = live.dead_bytes(AccessId { step, index });
    let layout = memref_layout(op.operand(1).ty())?;
    let (size, row) = layout.consecutive_rows()?;
    let whole_rows = |bytes: u64| i64::try_from(bytes).ok().map(|bytes| bytes / row);
    let low = dead
        .iter()
        .find(|d| d.start == bytes.start)
        .map_or(0, length);
    let high = dead.iter().find(|d| d.end == bytes.end).map_or(0, length);
    let (low, high) = (whole_rows(low)?, whole_rows(high)?);
    (low + high > 0 && low + high < size).then_some(DeadRows { low, high, size })
}

/// Cuts dead rows off a fill or a copy.
fn shrink(op: Op, rows: DeadRows, counts: &mut Counts) {
    let DeadRows { low, high, size } = rows;
    let part = |value: Value| crate::ir::slice(op, value, 0, (low, None), size - low - high);
    let operands = match op.name() {
        "linalg.fill" => part(op.operand(1)).map(|target| vec![op.operand(0), target]),
        _ => part(op.operand(0))
            .zip(part(op.operand(1)))
            .map(|(from, to)| vec![from, to]),
    };
    if let Some(operands) = operands {
        let layout = memref_layout(op.operand(1).ty());
        let row = layout
            .and_then(|layout| layout.consecutive_rows())
            .map_or(0, |(_, row)| row);
        op.set_operands(&operands);
        counts.shrunk += 1;
        counts.bytes += u64::try_from((low + high) * row).unwrap_or(0);
    }
}

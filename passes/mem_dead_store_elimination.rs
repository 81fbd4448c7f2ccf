//! `mem-dead-store-elimination`: writes that nobody reads go, and writes that are read in part
//! shrink.
//!
//! An operation goes if writing is all it does, and no byte it may write is read before it is
//! overwritten, on any path; or if it writes what is there already. What it read may then be
//! unread, so this repeats until nothing changes.

use mem_flow::dependence::{AccessId, Dependence, LiveWrites, Source};
use mem_model::{Access, AccessKind, Bytes, Interval, StepId};

use crate::dependence::{Extracted, extract_functions};
use crate::mlir::{Facts, Op, Value, describe, memref_layout, rows_of};
use crate::registry::generated::MemDeadStoreEliminationOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::rewrite::{STORAGE, erase_unused};

/// Times the whole is repeated: chains of dead writes longer than this are rare, and the next run of
/// the pass finds the rest.
const MAX_ROUNDS: usize = 16;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut counts = Counts::default();
    for round in 0..MAX_ROUNDS {
        let mut changed = false;
        for function in extract_functions(module, options.noalias_arguments) {
            changed |= eliminate(&function, &mut counts, round == 0);
        }
        if !changed {
            break;
        }
    }
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

/// One round over one function. Returns whether anything changed.
fn eliminate(function: &Extracted, counts: &mut Counts, is_first: bool) -> bool {
    let dependence = function.analyze();
    let live = dependence.live_writes();
    let mut dead = Vec::new();
    let mut shrinking = Vec::new();
    let mut rewriting = Vec::new();
    for (index, step) in function.extraction.program.steps.iter().enumerate() {
        let step_id = StepId::new(index);
        let op = function.extraction.step_ops[index];
        let facts = describe(op);
        if !only_writes(op, &facts, &step.accesses) {
            continue;
        }
        if is_dead(&live, step_id, &step.accesses) {
            dead.push((op, &step.accesses));
        } else if let Some(rows) = dead_rows(function, &live, step_id) {
            shrinking.push((op, rows));
        } else if rewrites(function, &dependence, step_id) {
            rewriting.push((op, &step.accesses));
        }
    }
    // Of two writes of the same, the first is dead because of the second, and the second writes what
    // is there: not both can go.
    if dead.is_empty() && shrinking.is_empty() {
        dead = rewriting;
    }
    if is_first {
        function.report_limits(&dependence.limits());
    }
    let changed = !dead.is_empty() || !shrinking.is_empty();
    for (op, rows) in shrinking {
        shrink(op, rows, counts);
    }
    for (op, accesses) in dead {
        counts.writes += 1;
        counts.copies += u64::from(is_copy(op));
        counts.bytes += written_bytes(accesses);
        op.erase();
    }
    let n_buffers = erase_unused(function.function.op);
    counts.buffers += n_buffers;
    changed || n_buffers > 0
}

pub(crate) fn is_copy(op: Op) -> bool {
    matches!(
        op.name(),
        "memref.copy" | "linalg.copy" | "mem.load" | "mem.store"
    )
}

/// Bytes that a step writes for sure.
pub(crate) fn written_bytes(accesses: &[Access]) -> u64 {
    let defines = accesses.iter().filter(|a| a.kind == AccessKind::Define);
    let bytes = |access: &Access| match access.rows() {
        Some(rows) => rows.bytes.iter().map(length).sum(),
        None => access.may.map_or(0, length),
    };
    defines.map(bytes).fold(0, u64::saturating_add)
}

fn length(range: Interval<Bytes>) -> u64 {
    range.end.get().saturating_sub(range.start.get())
}

/// Whether an operation does nothing but read its operands and write to some of them.
fn only_writes(op: Op, facts: &Facts, accesses: &[Access]) -> bool {
    let is_special = facts.has_unknown_effects()
        || facts.is_call()
        || facts.is_terminator()
        || facts.is_region_branch()
        || facts.is_branch()
        || (facts.has_nested_memory() && !facts.is_structured())
        || facts.effects.iter().any(|e| is_allocation(e.kind))
        || op.name().contains("atomic")
        || STORAGE.contains(&op.name());
    let is_used = op.results().any(|result| !result.users().is_empty());
    let writes = accesses
        .iter()
        .any(|access| access.kind == AccessKind::Define);
    writes && !is_special && !is_used
}

fn is_allocation(kind: crate::mlir::EffectKind) -> bool {
    use crate::mlir::EffectKind;
    matches!(kind, EffectKind::Allocate | EffectKind::Free)
}

fn is_dead(live: &LiveWrites, step: StepId, accesses: &[Access]) -> bool {
    let numbered = (0..)
        .zip(accesses)
        .filter(|(_, a)| a.kind == AccessKind::Define);
    let mut ids = numbered.map(|(index, _)| AccessId { step, index });
    ids.all(|id| live.is_dead(id))
}

/// Whether a step stores what its target holds already.
fn rewrites(function: &Extracted, dependence: &Dependence<'_>, step: StepId) -> bool {
    let op = function.extraction.step_ops[step.index()];
    if op.name() == "memref.copy" && op.operand(0) == op.operand(1) {
        return true;
    }
    if op.name() != "memref.store" {
        return false;
    }
    let stored = op.operand(0);
    let id = AccessId { step, index: 0 };
    // It was just loaded from there.
    if let Some(load) = stored.owner().filter(|load| load.name() == "memref.load")
        && op.operands().skip(1).eq(load.operands())
    {
        let mut steps = function.extraction.step_ops.iter();
        let loaded = steps.position(|other| *other == load).map(StepId::new);
        return loaded.is_some_and(|loaded| dependence.is_unchanged(id, loaded, step));
    }
    // Somebody stored the same there, and it is all that is left there.
    let Some(Source::Definition(before)) = dependence.sole_source_before(id) else {
        return false;
    };
    let other = function.op(before);
    match other.name() {
        "memref.store" => other.operand(0) == stored && before != id,
        "linalg.fill" => other.operand(0) == stored && other.operand(1).ty() != stored.ty(),
        _ => false,
    }
}

/// Rows of the outermost dimension that nobody reads: how many at the start, how many at the end,
/// and the size of that dimension.
#[derive(Clone, Copy)]
struct DeadRows {
    low: i64,
    high: i64,
    size: i64,
}

/// What can be cut off a fill or a copy.
fn dead_rows(function: &Extracted, live: &LiveWrites, step: StepId) -> Option<DeadRows> {
    let op = function.extraction.step_ops[step.index()];
    if !matches!(op.name(), "linalg.fill" | "memref.copy") {
        return None;
    }
    let accesses = &function.extraction.program.steps[step.index()].accesses;
    let (index, access) = (0..)
        .zip(accesses)
        .find(|(_, a)| a.kind == AccessKind::Define)?;
    let bytes = access.must.filter(|must| access.may == Some(*must))?;
    let dead = live.dead_bytes(AccessId { step, index });
    let layout = memref_layout(op.operand(1).ty()).filter(|layout| layout.dense())?;
    let (size, row) = rows_of(&layout)?;
    let whole_rows = |bytes: u64| i64::try_from(bytes).ok().map(|bytes| bytes / row);
    let low = dead
        .iter()
        .find(|d| d.start == bytes.start)
        .map_or(0, length);
    let high = dead.iter().find(|d| d.end == bytes.end).map_or(0, length);
    let (low, high) = (whole_rows(low)?, whole_rows(high)?);
    (low + high > 0 && low + high < size).then_some(DeadRows { low, high, size })
}

/// Cuts rows off a fill or a copy.
fn shrink(op: Op, rows: DeadRows, counts: &mut Counts) {
    let DeadRows { low, high, size } = rows;
    let part = |value: Value| crate::mlir::outer_rows(op, value, low, size - low - high);
    let operands = match op.name() {
        "linalg.fill" => part(op.operand(1)).map(|target| vec![op.operand(0), target]),
        _ => part(op.operand(0))
            .zip(part(op.operand(1)))
            .map(|(from, to)| vec![from, to]),
    };
    if let Some(operands) = operands {
        let layout = memref_layout(op.operand(1).ty());
        let row = layout
            .and_then(|layout| rows_of(&layout))
            .map_or(0, |(_, row)| row);
        op.set_operands(&operands);
        counts.shrunk += 1;
        counts.bytes += u64::try_from((low + high) * row).unwrap_or(0);
    }
}

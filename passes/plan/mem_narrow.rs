//! `mem-narrow`: rewrites what keeps operations from running within a budget, even tile by tile.
//!
//! `plan_tiles` tells which operations access the most bytes. Two rewrites make that fewer:
//!
//! * A buffer that is computed long before is computed *again*, into a buffer of its own, for the later
//!   readers. These may then be tiled together with the operation that computes it.
//! * A result takes the place of an operand that is not used afterwards, *in place*.
//!
//! A rewrite stays if the operations, with the tiles that are then possible, access fewer bytes. Otherwise it
//! is undone. The pass changes a program only if it exceeds the budget; `mem-tile` divides what is left.

use rustc_hash::FxHashSet as HashSet;

use mem_model::{BufferId, Bytes, TileAccess, TileOperand, TileOperation, TileProgram};
use mem_planner::{Overlap, TileOptions, TilePlan, TileTarget, plan_tiles};

use crate::extract::tiles::{TileBlock, extract_tiles};
use crate::framework::options::MemNarrowOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::{ancestor_beside, erase_unused};
use crate::ir::{Block, Builder, Diagnostic, Op, Value};
use crate::plan::tiled::{extra_work, functions_of};

/// Readers this many operations after another one of a buffer that is computed again read that, too.
const NEAR: usize = 32;

/// Largest number of rewrites that are tried in a block. Each of them takes as long as choosing tiles.
const MAX_TRIALS: usize = 64;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let Ok(budget) = u64::try_from(options.budget).map(Bytes::new) else {
        let text = "mem-narrow: requires option 'budget'";
        return Diagnostic::option_error(module, "budget", None, text).fail();
    };
    let planning = TileOptions {
        target: TileTarget::Budget {
            budget,
            streams: options.stream,
        },
        overlap: Overlap::Auto,
        extra_work: extra_work(module, "mem-narrow", options.extra_work)?,
    };
    let mut statistics = Statistics::default();
    for function in functions_of(module) {
        let blocks = function.regions().flat_map(|region| region.blocks());
        for block in blocks.collect::<Vec<Block>>() {
            narrow(
                block,
                budget,
                &planning,
                options.noalias_arguments,
                &mut statistics,
            );
        }
    }
    if statistics.again + statistics.in_place > 0 {
        // Views of buffers that later readers have left.
        erase_unused(module);
    } else {
        run.changed_nothing();
    }
    run.set_statistic(Options::NUM_AGAIN, statistics.again);
    run.set_statistic(Options::NUM_IN_PLACE, statistics.in_place);
    run.set_statistic(Options::BEFORE, statistics.before);
    run.set_statistic(Options::AFTER, statistics.after);
    Ok(())
}

#[derive(Default)]
struct Statistics {
    /// Operations that are executed again.
    again: u64,
    /// Results that take the place of operands.
    in_place: u64,
    /// The most bytes that operations access with tiles, without rewrites and with them.
    before: u64,
    after: u64,
}

/// Rewrites a block until it is within the budget, or until no rewrite helps.
fn narrow(
    block: Block,
    budget: Bytes,
    planning: &TileOptions<'_>,
    noalias: bool,
    statistics: &mut Statistics,
) {
    let planned = || {
        let extracted = extract_tiles(block, noalias);
        let plan = plan_tiles(&extracted.program, planning);
        (extracted, plan)
    };
    let (mut extracted, mut plan) = planned();
    statistics.before = statistics.before.max(plan.peak.get());
    let operations = extracted.program.operations.iter();
    let work: u128 = operations.map(work_of).sum();
    let mut allowed = work * u128::from(planning.extra_work) / 100;
    let mut trials = MAX_TRIALS;
    while plan.peak > budget {
        let mut rewrites = rewrites(&extracted, &plan, allowed)
            .into_iter()
            .take(trials);
        let better = rewrites.find_map(|rewrite| {
            trials -= 1;
            let written = rewrite.write(&extracted)?;
            let (other, own) = planned();
            // If several operations are the widest, one after the other is rewritten.
            let width = |plan: &TilePlan| (plan.peak, plan.widest.len());
            if width(&own) < width(&plan) {
                return Some((rewrite, written, other, own));
            }
            written.undo();
            None
        });
        let Some((rewrite, written, other, own)) = better else {
            break;
        };
        written.keep();
        match rewrite {
            Rewrite::Again { operation, .. } => {
                allowed -= work_of(&extracted.program.operations[operation]);
                statistics.again += 1;
            }
            Rewrite::InPlace { .. } => statistics.in_place += 1,
        }
        (extracted, plan) = (other, own);
    }
    statistics.after = statistics.after.max(plan.peak.get());
}

fn work_of(operation: &TileOperation) -> u128 {
    u128::from(operation.iterations().unsigned_abs())
}

/// A change of the program.
enum Rewrite {
    /// An operation is executed again before the first of some readers of its result, which read the new
    /// one.
    Again {
        operation: usize,
        buffer: BufferId,
        readers: Vec<usize>,
    },
    /// An operation writes its result over an operand.
    InPlace { result: BufferId, operand: BufferId },
}

/// The rewrites of what the operations with the most bytes access, those of the largest buffers first.
fn rewrites(block: &TileBlock, plan: &TilePlan, allowed: u128) -> Vec<Rewrite> {
    let program = &block.program;
    let mut found = Vec::new();
    for (first, end) in &plan.widest {
        let first = first.index();
        let mut buffers = Vec::new();
        for at in first..end.index() {
            buffers.extend(program.operations[at].operands.iter().map(|own| own.buffer));
            let in_place = in_place(program, at);
            found.extend(in_place.map(|(result, operand)| {
                let size = program.buffers[result.index()].bytes();
                (size, Rewrite::InPlace { result, operand })
            }));
        }
        buffers.sort_unstable();
        buffers.dedup();
        for buffer in buffers {
            let size = program.buffers[buffer.index()].bytes();
            let again = again(block, buffer, first, allowed);
            found.extend(again.map(|own| (size, own)));
        }
    }
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    found.into_iter().map(|(_, own)| own).collect()
}

/// The operations that access a buffer.
fn accesses(program: &TileProgram, buffer: BufferId) -> impl Iterator<Item = usize> {
    let operations = program.operations.iter().enumerate();
    let accesses = move |own: &TileOperation| own.operands.iter().any(|own| own.buffer == buffer);
    operations
        .filter(move |(_, own)| accesses(own))
        .map(|(at, _)| at)
}

/// How to compute a buffer again for its readers from operation `from` on. `None` if that takes more than
/// one operation, more iterations than allowed, or operands that have changed.
fn again(block: &TileBlock, buffer: BufferId, from: usize, allowed: u128) -> Option<Rewrite> {
    let program = &block.program;
    if !program.buffers[buffer.index()].is_private {
        return None;
    }
    let all: Vec<usize> = accesses(program, buffer).collect();
    let (operation, others) = all.split_first()?;
    let own = &program.operations[*operation];
    let is_written = |at: &usize| {
        program.operations[*at]
            .writes()
            .any(|own| own.buffer == buffer)
    };
    let is_computed = own
        .operands
        .iter()
        .filter(|own| own.buffer == buffer)
        .count()
        == 1
        && own.can_be_tiled()
        && own.writes().count() == 1
        && own
            .writes()
            .all(|own| is_whole_write(own) && own.buffer == buffer)
        && !others.iter().any(is_written);
    if !is_computed || work_of(own) > allowed {
        return None;
    }
    let after = others.iter().copied().skip_while(|at| *at < from);
    let mut readers: Vec<usize> = Vec::new();
    for at in after {
        if readers.last().is_some_and(|last| at - last > NEAR) {
            break;
        }
        readers.push(at);
    }
    let first = *readers.first()?;
    // Readers before keep the buffer, or it would have been computed later at once.
    let is_earlier = others.first() != Some(&first);
    let is_known = |at: &usize| {
        let n = block.positions[*at].len();
        let operands = &program.operations[*at].operands;
        operands.iter().skip(n).all(|own| own.buffer != buffer)
    };
    let is_possible = is_earlier
        && readers.iter().all(is_known)
        && own.operands.iter().all(|own| {
            own.buffer == buffer || program.is_unchanged(own.buffer, *operation + 1..first)
        });
    is_possible.then_some(Rewrite::Again {
        operation: *operation,
        buffer,
        readers,
    })
}

/// Whether an operation overwrites all elements of an operand.
fn is_whole_write(operand: &TileOperand) -> bool {
    operand.access == TileAccess::Write && operand.covers_rows
}

/// The result of an operation that can take the place of one of its operands, and the operand.
fn in_place(program: &TileProgram, at: usize) -> Option<(BufferId, BufferId)> {
    let operation = &program.operations[at];
    let is_simple = operation.can_be_tiled()
        && !operation.is_copy
        && operation.dimensions.iter().all(|own| own.is_parallel);
    if !is_simple {
        return None;
    }
    let buffer = |id: BufferId| &program.buffers[id.index()];
    let is_single = |own: &&TileOperand| {
        let mut all = operation.operands.iter();
        all.all(|other| std::ptr::eq(other, *own) || other.buffer != own.buffer)
    };
    let result = operation.writes().find(|own| {
        is_whole_write(own)
            && is_single(own)
            && buffer(own.buffer).is_private
            && accesses(program, own.buffer).next() == Some(at)
    })?;
    let operand = operation.operands.iter().find(|own| {
        own.access == TileAccess::Read
            && own.covers_rows
            && own.along == result.along
            && is_single(own)
            && buffer(own.buffer).is_private
            && buffer(own.buffer).shape == buffer(result.buffer).shape
            && accesses(program, own.buffer).last() == Some(at)
    })?;
    Some((result.buffer, operand.buffer))
}

/// A rewrite in the IR, and what undoes it.
#[derive(Default)]
struct Written {
    /// Operations that were added, in order.
    added: Vec<Op>,
    /// Operations whose operands were replaced, with those before.
    replaced: Vec<(Op, Vec<Value>)>,
    /// Operations that are erased if the rewrite stays.
    obsolete: Vec<Op>,
}

impl Written {
    fn undo(self) {
        for (op, operands) in self.replaced.into_iter().rev() {
            op.set_operands(&operands);
        }
        self.added.into_iter().rev().for_each(Op::erase);
    }

    fn keep(&self) {
        self.obsolete.iter().for_each(|op| op.erase());
    }

    /// Replaces operands of an operation.
    fn replace(&mut self, op: Op, operands: &[Value]) {
        self.replaced.push((op, op.operands().collect()));
        op.set_operands(operands);
    }

    /// A view of `to` before an operation that shows of it what `value` shows of `root`.
    fn view(&mut self, value: Value, (root, to): (Value, Value), before: Op) -> Option<Value> {
        if value == root {
            return Some(to);
        }
        let view = value.owner()?;
        let source = view.operand(0);
        let own = self.view(source, (root, to), before)?;
        let copy = view.copied_before(before, |other| if other == source { own } else { other });
        self.added.push(copy);
        Some(copy.result())
    }
}

fn deallocation(root: Value) -> Option<Op> {
    root.users()
        .into_iter()
        .find(|op| op.name() == "memref.dealloc")
}

impl Rewrite {
    /// Changes the IR; `None`, and no change, if that is impossible.
    fn write(&self, block: &TileBlock) -> Option<Written> {
        let mut written = Written::default();
        let is_done = match self {
            Self::Again {
                operation,
                buffer,
                readers,
            } => compute_again(block, *operation, *buffer, readers, &mut written),
            Self::InPlace { result, operand } => write_over(block, *result, *operand, &mut written),
        };
        if is_done.is_none() {
            written.undo();
            return None;
        }
        Some(written)
    }
}

fn compute_again(
    block: &TileBlock,
    operation: usize,
    buffer: BufferId,
    readers: &[usize],
    written: &mut Written,
) -> Option<()> {
    let root = block.roots[buffer.index()];
    let (first, last) = (block.ops[*readers.first()?], block.ops[*readers.last()?]);
    let allocation = root.owner()?.copied_before(first, |value| value);
    written.added.push(allocation);
    let ends = (root, allocation.result());
    // The operands of an operation that show the buffer show the new one.
    let moved = |at: usize, before: Op, written: &mut Written| {
        let mut operands: Vec<Value> = block.ops[at].operands().collect();
        let own = &block.program.operations[at].operands;
        for (operand, position) in own.iter().zip(&block.positions[at]) {
            if operand.buffer == buffer {
                operands[*position] = written.view(operands[*position], ends, before)?;
            }
        }
        Some(operands)
    };
    let operands = moved(operation, first, written)?;
    let copy = block.ops[operation].copied();
    copy.set_operands(&operands);
    copy.insert_before(first);
    written.added.push(copy);
    for reader in readers {
        let op = block.ops[*reader];
        let operands = moved(*reader, op, written)?;
        written.replace(op, &operands);
    }
    if deallocation(root).is_some() {
        let end = Builder::new("memref.dealloc", last.location())
            .operands([allocation.result()])
            .before(last.next()?);
        written.added.push(end);
    }
    Some(())
}

fn write_over(
    block: &TileBlock,
    result: BufferId,
    operand: BufferId,
    written: &mut Written,
) -> Option<()> {
    let (from, to) = (block.roots[result.index()], block.roots[operand.index()]);
    let alignment = |root: Value| root.owner().map(|op| op.attribute("alignment"));
    let is_equal = from.ty() == to.ty() && alignment(from) == alignment(to);
    // The storage is freed when the result was, or never.
    let ends = (deallocation(from), deallocation(to));
    (is_equal && ends.0.is_some() == ends.1.is_some()).then_some(())?;
    // What uses the result, such as a view, may precede the operand.
    let start = to.owner()?;
    let later: HashSet<Op> = std::iter::successors(Some(start), |op| op.next()).collect();
    let follows = |op: &Op| ancestor_beside(*op, start).is_some_and(|own| later.contains(&own));
    from.users().iter().all(follows).then_some(())?;
    for op in from.users() {
        let operands = op.operands().map(|own| if own == from { to } else { own });
        let operands: Vec<Value> = operands.collect();
        written.replace(op, &operands);
    }
    written.obsolete.extend(ends.1);
    written.obsolete.extend(from.owner());
    Some(())
}

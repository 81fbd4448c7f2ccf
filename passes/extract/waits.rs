//! Asynchronous operations and the operations that wait for them.
//!
//! An operation that yields a token may still be running when the next operation starts. If a later
//! operation of the same block waits for the token, or for a token that depends on it, the
//! asynchronous operation is guaranteed to have completed by then; until then, all storage it
//! touches is in use. Lifetimes need nothing more: any buffer that is live in between gets disjoint
//! addresses. A branch waits if each of its arms does; the storage is then in use until the end of
//! the branch.
//!
//! Operations of a *stream* start after each other. One level is planned without further accesses, so what
//! an operation of a stream touches is in use until the wait only if some other access comes in between:
//! all others are those of later operations of the stream, which start after it has completed. Planning
//! for several levels adds transfers, which are ordered with nothing that is in flight.
//!
//! Waits may also be in other blocks of the same region: every path from the operation has to meet
//! one before it leaves the region, before it executes the operation again, and before it could stay in a
//! loop forever. The storage is in use on each path until the wait there; liveness along the edges
//! needs nothing more. A wait for a value that carries the token into another block, as an argument or
//! out of a loop, is not followed. Nothing is known about the completion of an operation without such
//! waits. Requests of `mpi` are followed further (`requests.rs`), unless they are nested in an operation
//! whose regions are not control flow.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::ops::Range;

use mem_flow::Denoted;
use mem_model::{Access, AccessKind, BufferId, PointerId, PointerKind, StepId};

use super::Extractor;
use super::Roots;
use crate::ir::dialect::{KernelOp, is_transfer};
use crate::ir::mpi::{awaits_request, is_request, starts_request};
use crate::ir::rewrite::is_visible;
use crate::ir::{Block, Facts, Op, Region, Type, Value, chain, is_token};

/// Asynchronous operations that have completed by a given step.
pub(super) struct Ends {
    step: StepId,
    /// The operations, each with the range of its steps.
    begun: Vec<(Op, Range<usize>)>,
}

impl Extractor<'_> {
    /// The operations that wait for `op`, the first one on each path. `None` unless `op` is
    /// asynchronous and touches storage only through its operands and regions, so that all its results
    /// are tokens.
    pub(super) fn waits_of(&mut self, op: Op, facts: &Facts) -> Option<Vec<Op>> {
        // Most operations yield numbers; examine types only where a result may be something else.
        if !facts.has_opaque_result() || self.has_token(op) {
            return None;
        }
        if let Some(waits) = self.waits.get(&op) {
            return waits.clone();
        }
        // Launches on a stream start after each other, and whatever waits for the last one waits for all.
        let mut stream = Vec::new();
        let known = chain(op, only_follower).find_map(|op| {
            stream.push(op);
            self.waits.get(&op).cloned()
        });
        let last = *stream.last().unwrap_or(&op);
        let waits = known.unwrap_or_else(|| self.find_waits(last));
        for op in stream {
            self.waits.insert(op, waits.clone());
        }
        waits
    }

    /// The operations that wait for `op`, whatever the roots are, the first one on each path: waits, or
    /// branches with waits on all paths. `None` if a path has none.
    pub(super) fn find_waits(&mut self, op: Op) -> Option<Vec<Op>> {
        let tokens = completions(op)?;
        // Cores synchronize with each other by rules of their own.
        if self.has_cores() {
            return None;
        }
        let mut waiting = HashSet::default();
        let mut work: Vec<Value> = tokens;
        let mut seen: HashSet<Value> = HashSet::default();
        while let Some(token) = work.pop() {
            if !seen.insert(token) {
                continue;
            }
            for user in token.users() {
                if is_wait(user) {
                    waiting.insert(user);
                } else if user.name() == "async.add_to_group" {
                    // Waiting for a group waits for every token that was added to it.
                    work.push(user.operand(1));
                } else if starts_after_tokens(user) {
                    // Its token completes later, so waiting for it suffices.
                    work.extend(
                        user.results()
                            .filter(|result| signals_completion(result.ty())),
                    );
                }
            }
        }
        let mut later = std::iter::successors(op.next(), |op| op.next());
        match later.find(|op| awaits(*op, &waiting)) {
            Some(wait) => Some(vec![wait]),
            // A wait in another block may never run, unless all paths have one.
            None if waiting.is_empty() => None,
            None => awaited_on_paths(op, &waiting),
        }
    }

    /// Whether a token models the accesses of an asynchronous operation, and nothing else does. The
    /// checker of levels follows the dialect's own tokens only.
    fn has_token(&self, op: Op) -> bool {
        match self.roots {
            Roots::Levels { .. } => is_transfer(op),
            _ => self.roots.has_tokens(),
        }
    }

    pub(super) fn has_cores(&mut self) -> bool {
        let function = self.function;
        *self.has_cores.get_or_insert_with(|| {
            let mut has_cores = false;
            function.walk(&mut |op| {
                has_cores |= KernelOp::of(op).is_some_and(|kernel| kernel.core().is_some());
            });
            has_cores
        })
    }

    /// Records the steps of an asynchronous operation.
    pub(super) fn begin(&mut self, op: Op, facts: &Facts, steps: Range<usize>) {
        // A wait for a request accesses what the request does.
        if starts_request(op) {
            return;
        }
        for wait in self.waits_of(op, facts).unwrap_or_default() {
            let begun = self.begun.entry(wait).or_default();
            begun.push((op, steps.clone()));
        }
    }

    /// Adds a step for an operation that waits for others.
    pub(super) fn lower_wait_for(&mut self, wait: Op) {
        if let Some(begun) = self.begun.remove(&wait) {
            let step = StepId::new(self.steps.len());
            self.add_step(wait);
            self.ends.push(Ends { step, begun });
        }
    }

    /// Keeps the storage that asynchronous operations touch in use until they have completed.
    /// Linear in the number of their accesses.
    pub(super) fn settle_ends(&mut self, denoted: &Denoted) {
        if self.ends.is_empty() {
            return;
        }
        let pointers = (0..self.pointers.len()).map(PointerId::new);
        let of_buffer = pointers.filter_map(|pointer| Some((self.buffer_of(pointer)?, pointer)));
        let of_buffer: HashMap<BufferId, PointerId> = of_buffer.collect();
        for Ends { step, begun } in std::mem::take(&mut self.ends) {
            let wait = self.step_ops[step.index()];
            let mut pointers: Vec<PointerId> = Vec::new();
            for steps in self.unordered(step, begun) {
                let accesses = self.steps[steps].iter().flat_map(|step| &step.accesses);
                // Unknown storage is not planned, so its lifetime does not matter.
                let touched = accesses.map(|access| access.pointer);
                pointers.extend(touched.filter(|pointer| Some(*pointer) != self.elsewhere));
            }
            pointers.sort_unstable();
            pointers.dedup();
            let mut in_use = Vec::new();
            for pointer in pointers {
                let value = self.pointer_values[pointer.index()];
                let is_merge = self.pointers[pointer.index()].kind == PointerKind::Merge;
                if !is_merge || value.is_some_and(|value| is_visible(value, wait)) {
                    in_use.push(pointer);
                } else {
                    // The merge is not visible at the wait, so its current target is unknown there:
                    // use every buffer it may have denoted.
                    let buffers = denoted.of(pointer);
                    in_use.extend(buffers.iter().filter_map(|buffer| of_buffer.get(buffer)));
                }
            }
            in_use.sort_unstable();
            in_use.dedup();
            let uses = in_use
                .into_iter()
                .map(|p| Access::anywhere(AccessKind::Use, p));
            let accesses: Vec<Access> = uses.collect();
            self.steps[step.index()].accesses = accesses;
        }
    }
}

impl Extractor<'_> {
    /// The steps of those of the operations in `begun` that are not ordered with every access between them
    /// and the wait at `step`. Linear in the number of these accesses for each stream.
    fn unordered(&self, step: StepId, begun: Vec<(Op, Range<usize>)>) -> Vec<Range<usize>> {
        let is_one_level = matches!(
            self.roots,
            Roots::Allocations | Roots::Buffers | Roots::Placed { .. }
        );
        let block = self.step_ops[step.index()].block();
        let numbers: HashMap<Op, usize> = (0..).zip(&begun).map(|(at, own)| (own.0, at)).collect();
        let next = |at: usize| {
            let mut later = chain(begun[at].0, only_follower).skip(1);
            later.find_map(|op| numbers.get(&op).copied())
        };
        let next: Vec<Option<usize>> = (0..begun.len()).map(next).collect();
        let followers: HashSet<usize> = next.iter().flatten().copied().collect();
        let mut unordered = Vec::new();
        for first in (0..begun.len()).filter(|at| !followers.contains(at)) {
            let stream: Vec<usize> = chain(first, |at| next[at]).collect();
            let is_access = |at: usize| !self.steps[at].accesses.is_empty();
            // An access between two operations of the stream concerns all those before it.
            let mut is_ordered = is_one_level && begun[first].0.block() == block;
            let mut end = step.index();
            for at in stream.into_iter().rev() {
                let steps = begun[at].1.clone();
                is_ordered = is_ordered && !(steps.end..end).any(is_access);
                end = steps.start;
                if !is_ordered {
                    unordered.push(steps);
                }
            }
        }
        unordered
    }
}

/// The operation that starts after `op` has completed, in the same block, if it is the only one that uses
/// a token of `op`.
fn only_follower(op: Op) -> Option<Op> {
    let tokens = completions(op)?;
    let mut users = tokens.iter().flat_map(|token| token.each_user());
    let (first, second) = (users.next()?, users.next());
    let is_later = second.is_none() && first.block() == op.block() && starts_after_tokens(first);
    let tokens = completions(first).filter(|own| is_later && !own.is_empty());
    tokens.map(|_| first)
}

/// Whether an operation starts when its token operands are complete. Any other operation may pass on one of
/// them, as `arith.select` and calls do, or none.
fn starts_after_tokens(op: Op) -> bool {
    op.name() == "async.execute" || op.name().starts_with("gpu.")
}

/// The first operation in `waiting` on each path from the end of `op`'s block. `None` if a path has
/// none. Linear in the blocks and operations of the region.
fn awaited_on_paths(op: Op, waiting: &HashSet<Op>) -> Option<Vec<Op>> {
    let own = op.block()?;
    let blocks: Vec<Block> = own.parent_region()?.blocks().collect();
    let numbers: HashMap<Block, usize> = (0..).zip(&blocks).map(|(at, own)| (*own, at)).collect();
    let first_wait = |block: Block| block.ops().find(|inside| awaits(*inside, waiting));
    let successors = |block: Block| {
        let terminator = block.terminator().into_iter();
        terminator.flat_map(|own| own.successors().collect::<Vec<_>>())
    };
    let mut waits: Vec<(usize, Op)> = Vec::new();
    // Blocks in which the operation is still running when they end, and those that are complete in the
    // end on some path.
    let (mut running, mut completes) = (Vec::new(), HashSet::default());
    let mut seen: HashSet<Block> = HashSet::default();
    let mut work: Vec<Block> = successors(own).collect();
    while let Some(block) = work.pop() {
        // The operation would run a second time, and its token would be lost.
        if block == own {
            return None;
        }
        if !seen.insert(block) {
            continue;
        }
        if let Some(wait) = first_wait(block) {
            // Steps are numbered in the order of blocks: a wait ends what has begun before.
            let number = *numbers.get(&block)?;
            if number < *numbers.get(&own)? {
                return None;
            }
            waits.push((number, wait));
            completes.insert(block);
            continue;
        }
        let before = work.len();
        work.extend(successors(block));
        // The path leaves the region without a wait.
        if work.len() == before {
            return None;
        }
        running.push(block);
    }
    // Where a loop may go on forever, nothing would tell that the storage remains in use.
    loop {
        let known = completes.len();
        for block in &running {
            if successors(*block).any(|next| completes.contains(&next)) {
                completes.insert(*block);
            }
        }
        if completes.len() == known {
            break;
        }
    }
    let is_complete = running.iter().all(|block| completes.contains(block));
    waits.sort_unstable_by_key(|(number, _)| *number);
    let waits: Vec<Op> = waits.into_iter().map(|(_, wait)| wait).collect();
    (is_complete && !waits.is_empty()).then_some(waits)
}

/// Whether one of the operations in `waiting` has run whenever `op` is complete.
fn awaits(op: Op, waiting: &HashSet<Op>) -> bool {
    let mut arms = op.regions();
    let awaits_in = |region: Region| {
        let block = region.first_block();
        block.is_some_and(|block| block.ops().any(|inside| awaits(inside, waiting)))
    };
    waiting.contains(&op)
        || op.name() == "scf.if" && op.regions().count() == 2 && arms.all(awaits_in)
}

/// The results that stand for the completion of an operation. `None` if a result may be anything
/// else.
pub(super) fn completions(op: Op) -> Option<Vec<Value>> {
    if starts_request(op) {
        // The return value, if there is one, says that the request has started.
        return Some(op.results().filter(|own| is_request(own.ty())).collect());
    }
    let results: Vec<Value> = op.results().collect();
    let are_tokens = results.iter().all(|own| signals_completion(own.ty()));
    are_tokens.then_some(results)
}

/// Whether values of a type signal completion only, and denote no storage.
fn signals_completion(ty: Type) -> bool {
    if is_token(ty) {
        return true;
    }
    let ty = ty.to_string();
    let is_token = ["!async.token", "!gpu.async.token"].contains(&&*ty);
    // An `async.value` of a number only adds the number to the completion. One of a memref would
    // hide an address.
    let holds_storage = ["memref", "!mem.", "ptr"]
        .iter()
        .any(|part| ty.contains(part));
    is_token || ty.starts_with("!async.value<") && !holds_storage
}

/// Whether an operation blocks until all its token operands are complete.
pub(crate) fn is_wait(op: Op) -> bool {
    match op.name() {
        "async.await" | "async.await_all" | "mem.wait" => true,
        // With a result, `gpu.wait` does not block: it yields a token that depends on its operands.
        "gpu.wait" => op.results().next().is_none(),
        _ => awaits_request(op),
    }
}

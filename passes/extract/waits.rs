//! Asynchronous operations: what waits for them.
//!
//! An operation that yields a token may run on while the next ones start. If an operation behind it in its block
//! waits for the token, or for one of something that comes after it, it is sure to have ended there: until then,
//! all it touches is in use. That is all lifetimes have to know, for whatever lives at some time in between then has
//! other addresses. Of operations that nobody waits for in their block nothing is known.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use mem_model::{Access, AccessKind, BufferId, PointerId, PointerKind, StepId};

use super::Extractor;
use super::escape::Reach;
use crate::dialect::KernelOp;
use crate::mlir::{Facts, Op, Type, Value, is_token};
use crate::rewrite::is_visible;

/// Asynchronous operations that end at a step at the latest.
pub(super) struct Ends {
    step: StepId,
    /// The operations with the steps that they are.
    begun: Vec<(Op, Range<usize>)>,
}

impl Extractor<'_> {
    /// The first operation that waits for `op`, if `op` is asynchronous, and all that is known of it is its operands, its
    /// regions and its tokens.
    pub(super) fn wait_of(&mut self, op: Op, facts: &Facts) -> Option<Op> {
        // Most operations yield numbers: types are looked at only where they may be anything else.
        if self.roots.has_tokens() || !facts.has_opaque_result() {
            return None;
        }
        if let Some(wait) = self.waits.get(&op) {
            return *wait;
        }
        let wait = self.find_wait(op);
        self.waits.insert(op, wait);
        wait
    }

    fn find_wait(&mut self, op: Op) -> Option<Op> {
        // Cores wait for each other by rules of their own.
        if !op.results().all(|result| says_end(result.ty())) || self.has_cores() {
            return None;
        }
        let mut waiting = HashSet::new();
        let mut work: Vec<Value> = op.results().collect();
        let mut seen: HashSet<Value> = HashSet::new();
        while let Some(token) = work.pop() {
            if !seen.insert(token) {
                continue;
            }
            for user in token.users() {
                if is_wait(user) {
                    waiting.insert(user);
                } else if user.name() == "async.add_to_group" {
                    work.push(user.operand(1));
                } else {
                    work.extend(user.results().filter(|result| says_end(result.ty())));
                }
            }
        }
        let mut behind = std::iter::successors(op.next(), |op| op.next());
        behind.find(|op| waiting.contains(op))
    }

    fn has_cores(&mut self) -> bool {
        let function = self.function;
        *self.has_cores.get_or_insert_with(|| {
            let mut has_cores = false;
            function.walk(&mut |op| {
                has_cores |= KernelOp::of(op).is_some_and(|kernel| kernel.core().is_some());
            });
            has_cores
        })
    }

    /// Notes which steps an asynchronous operation is.
    pub(super) fn begin(&mut self, op: Op, facts: &Facts, steps: Range<usize>) {
        if let Some(wait) = self.wait_of(op, facts) {
            self.begun.entry(wait).or_default().push((op, steps));
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

    /// What asynchronous operations touch is in use until they have ended. Linear in what they touch.
    pub(super) fn settle_ends(&mut self, reach: &Reach) {
        if self.ends.is_empty() {
            return;
        }
        let pointers = (0..self.pointers.len()).map(PointerId::new);
        let of_buffer = pointers.filter_map(|pointer| Some((self.buffer_of(pointer)?, pointer)));
        let of_buffer: HashMap<BufferId, PointerId> = of_buffer.collect();
        for Ends { step, begun } in std::mem::take(&mut self.ends) {
            let wait = self.step_ops[step.index()];
            let mut pointers: Vec<PointerId> = Vec::new();
            for (_, steps) in begun {
                let accesses = self.steps[steps].iter().flat_map(|step| &step.accesses);
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
                    // What it denotes nobody can say at the wait; all that it may have denoted, then.
                    let buffers = reach.buffers(pointer);
                    in_use.extend(buffers.iter().filter_map(|buffer| of_buffer.get(buffer)));
                }
            }
            in_use.sort_unstable();
            in_use.dedup();
            let uses = in_use
                .into_iter()
                .map(|p| Access::anywhere(AccessKind::Use, p));
            let accesses: Vec<Access> = uses.collect();
            self.access_values[step.index()].resize(accesses.len(), None);
            self.steps[step.index()].accesses = accesses;
        }
    }
}

/// Whether values of a type say that something has ended, and denote no storage.
fn says_end(ty: Type) -> bool {
    if is_token(ty) {
        return true;
    }
    let ty = ty.to_string();
    let is_token = ["!async.token", "!gpu.async.token"].contains(&&*ty);
    let holds_storage = ["memref", "!mem.", "ptr"]
        .iter()
        .any(|part| ty.contains(part));
    is_token || ty.starts_with("!async.value<") && !holds_storage
}

/// Whether an operation goes on only when all its tokens say so.
fn is_wait(op: Op) -> bool {
    match op.name() {
        "async.await" | "async.await_all" | "mem.wait" => true,
        "gpu.wait" => op.results().next().is_none(),
        _ => false,
    }
}

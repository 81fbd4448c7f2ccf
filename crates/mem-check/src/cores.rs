//! Checks addresses against cores: what steps on different cores may touch at the same time.
//!
//! Steps of one core run in order, and so do the steps without a core relative to each other. A step
//! waits for a step of another core only if both are guaranteed to touch a common byte, at least
//! one of them writing it, or if it waits for the other's token. Two unordered steps must not touch
//! a common address through different buffers, or through different instances of one buffer, unless
//! both only read. Steps in different blocks are ordered.
//!
//! O(s³) for the s steps of a block with several cores, times their accesses.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use mem_model::{
    Access, AccessKind, Binding, Block, BufferId, PointerId, PointerKind, Program, Step, StepId,
};

use crate::Violation;

/// Indexed by pointer: the buffers that it may denote.
type Denoted = Vec<BTreeSet<BufferId>>;

/// The accesses of a step, each with the buffers that it may touch.
type Touched<'a> = Vec<(&'a Access, BTreeSet<BufferId>)>;

pub(crate) struct Cores<'a> {
    pub program: &'a Program,
    /// Indexed by buffer: the addresses of its slots as `[start, end)`.
    pub ranges: &'a [Vec<(u64, u64)>],
}

impl Cores<'_> {
    pub(crate) fn check(&self, violations: &mut Vec<Violation>) {
        if self.program.steps.iter().all(|step| step.core.is_none()) {
            return;
        }
        let on_entry = self.on_entry();
        let mut blocks: Vec<(&Block, Vec<Touched<'_>>)> = Vec::new();
        for (block, on_entry) in self.program.blocks.iter().zip(on_entry) {
            // Unreachable blocks execute nothing.
            if let Some(denoted) = on_entry {
                blocks.push((block, self.touched(block, denoted)));
            }
        }
        let all = blocks.iter().flat_map(|(_, steps)| steps.iter().flatten());
        let writes = all.filter(|(access, _)| {
            let is_empty = access.may.is_some_and(|bytes| bytes.is_empty());
            access.kind == AccessKind::Define && !is_empty
        });
        let written: BTreeSet<BufferId> = writes.flat_map(|(_, of)| of.iter().copied()).collect();
        for (block, steps) in &blocks {
            self.check_block(block, steps, &written, violations);
        }
    }

    /// Returns the buffers that each pointer may denote on entry to a block, indexed by block;
    /// `None` if the block is unreachable.
    fn on_entry(&self) -> Vec<Option<Denoted>> {
        let program = self.program;
        let own = |kind| match kind {
            PointerKind::Buffer(buffer) => BTreeSet::from([buffer]),
            PointerKind::Merge => BTreeSet::new(),
        };
        let mut on_entry: Vec<Option<Denoted>> = vec![None; program.blocks.len()];
        let mut work: Vec<usize> = Vec::new();
        if let Some(first) = on_entry.first_mut() {
            *first = Some(program.pointers.iter().map(|p| own(p.kind)).collect());
            work.push(0);
        }
        while let Some(index) = work.pop() {
            let block = &program.blocks[index];
            let Some(mut denoted) = on_entry[index].clone() else {
                continue;
            };
            for step in &program.steps[block.steps.start.index()..block.steps.end.index()] {
                bind(&mut denoted, &step.bindings);
            }
            for edge in &block.successors {
                let mut there = denoted.clone();
                bind(&mut there, &edge.bindings);
                let target = edge.target.index();
                let known = on_entry[target].get_or_insert_with(|| {
                    work.push(target);
                    vec![BTreeSet::new(); program.pointers.len()]
                });
                let count = |denoted: &Denoted| denoted.iter().map(BTreeSet::len).sum::<usize>();
                let before = count(known);
                for (known, more) in known.iter_mut().zip(there) {
                    known.extend(more);
                }
                if count(known) > before {
                    work.push(target);
                }
            }
        }
        on_entry
    }

    /// Returns the accesses of each step of a block, with the buffers that they may touch.
    fn touched(&self, block: &Block, mut denoted: Denoted) -> Vec<Touched<'_>> {
        let steps = &self.program.steps[block.steps.start.index()..block.steps.end.index()];
        let of_step = |step: &'_ Step| {
            bind(&mut denoted, &step.bindings);
            let of = |access: &Access| denoted[access.pointer.index()].clone();
            step.accesses.iter().map(of).collect::<Vec<_>>()
        };
        let denoted: Vec<Vec<BTreeSet<BufferId>>> = steps.iter().map(of_step).collect();
        let pairs = steps.iter().zip(denoted);
        pairs
            .map(|(step, of)| step.accesses.iter().zip(of).collect())
            .collect()
    }

    fn check_block(
        &self,
        block: &Block,
        touched: &[Touched<'_>],
        written: &BTreeSet<BufferId>,
        violations: &mut Vec<Violation>,
    ) {
        let first = block.steps.start.index();
        let steps = &self.program.steps[first..block.steps.end.index()];
        // Steps of a single core run in order.
        if steps.iter().all(|step| step.core == steps[0].core) {
            return;
        }
        let done = self.done_before(steps);
        for later in 0..steps.len() {
            for earlier in (0..later).filter(|earlier| !done[later].contains(*earlier)) {
                let between = &steps[earlier + 1..=later];
                let pairs = touched[earlier]
                    .iter()
                    .flat_map(|x| touched[later].iter().map(move |y| (x, y)));
                for ((x, of_x), (y, of_y)) in pairs.filter(|(x, y)| writes(x.0) || writes(y.0)) {
                    let buffers = of_x
                        .intersection(written)
                        .flat_map(|a| of_y.intersection(written).map(move |b| (*a, *b)));
                    let clashing = buffers
                        .into_iter()
                        .filter(|(a, b)| self.clash((*a, x), (*b, y), between));
                    violations.extend(clashing.map(|(buffer, other)| Violation::Concurrent {
                        first: StepId::new(first + earlier),
                        second: StepId::new(first + later),
                        buffer,
                        other,
                    }));
                }
            }
        }
    }

    /// Returns, for each step of a block, the steps that are guaranteed to have completed when it
    /// starts.
    fn done_before(&self, steps: &[Step]) -> Vec<FixedBitSet> {
        let mut done: Vec<FixedBitSet> = Vec::new();
        for (later, own) in steps.iter().enumerate() {
            let mut all = FixedBitSet::with_capacity(steps.len());
            // Later steps come first: what has completed before them needs no test of its own.
            for earlier in (0..later).rev() {
                let between = &steps[earlier + 1..=later];
                if !all.contains(earlier) && self.waits(own, &steps[earlier], between) {
                    all.insert(earlier);
                    all.union_with(&done[earlier]);
                }
            }
            done.push(all);
        }
        done
    }

    /// Whether a step is guaranteed to wait for an earlier step of its block.
    ///
    /// `between` are the steps after the earlier step, up to and including `own`.
    fn waits(&self, own: &Step, other: &Step, between: &[Step]) -> bool {
        let tokens = || other.accesses.iter().filter_map(Access::token);
        let mut pairs = own
            .accesses
            .iter()
            .flat_map(|x| other.accesses.iter().map(move |y| (x, y)));
        own.core == other.core
            || tokens().any(|token| own.waits.contains(&token))
            || pairs.any(|(x, y)| {
                let common = x.certain().zip(y.certain());
                // Bytes of another instance of the buffer are other bytes, at the same addresses.
                (writes(x) || writes(y))
                    && self.is_same_name(x.pointer, y.pointer)
                    && !self.is_changed(x.pointer, between)
                    && common.is_some_and(|(x, y)| x.overlaps(y))
            })
    }

    fn is_same_name(&self, a: PointerId, b: PointerId) -> bool {
        let kind = |pointer: PointerId| self.program.pointers[pointer.index()].kind;
        a == b || kind(a) == kind(b) && kind(a) != PointerKind::Merge
    }

    /// Whether one of these steps makes a pointer denote another instance.
    fn is_changed(&self, pointer: PointerId, steps: &[Step]) -> bool {
        let kind = self.program.pointers[pointer.index()].kind;
        steps.iter().any(|step| match kind {
            PointerKind::Merge => step.bindings.iter().any(|bind| bind.target == pointer),
            PointerKind::Buffer(buffer) => step.allocates.contains(&buffer),
        })
    }

    /// Whether two accesses may touch a common address other than as the same byte of the same
    /// instance. `between` are the steps after that of `x`, up to and including that of `y`.
    fn clash(
        &self,
        (a, x): (BufferId, &Access),
        (b, y): (BufferId, &Access),
        between: &[Step],
    ) -> bool {
        if a == b {
            let is_changed = self.is_changed(x.pointer, between);
            let is_placed = !self.ranges[a.index()].is_empty();
            return is_placed && (is_changed || !self.is_same_name(x.pointer, y.pointer));
        }
        let theirs = self.addresses(b, y);
        let overlaps =
            |(start, end): (u64, u64)| theirs.iter().any(|r| start.max(r.0) < end.min(r.1));
        self.addresses(a, x).into_iter().any(overlaps)
    }

    /// Returns the addresses that an access may touch if it accesses `buffer`.
    fn addresses(&self, buffer: BufferId, access: &Access) -> Vec<(u64, u64)> {
        let is_merge = self.program.pointers[access.pointer.index()].kind == PointerKind::Merge;
        let part = access.may.filter(|_| !is_merge);
        let slots = self.ranges[buffer.index()].iter();
        let bytes = slots.map(|&(start, end)| match part {
            Some(part) => (
                start.saturating_add(part.start.get()).min(end),
                start.saturating_add(part.end.get()).min(end),
            ),
            None => (start, end),
        });
        bytes.collect()
    }
}

/// Binds merges simultaneously.
fn bind(denoted: &mut Denoted, bindings: &[Binding]) {
    let sources = |binding: &Binding| {
        let sources = binding.sources.iter();
        sources
            .flat_map(|source| denoted[source.index()].iter().copied())
            .collect()
    };
    let bound: Vec<BTreeSet<BufferId>> = bindings.iter().map(sources).collect();
    for (binding, buffers) in bindings.iter().zip(bound) {
        denoted[binding.target.index()] = buffers;
    }
}

fn writes(access: &Access) -> bool {
    access.kind == AccessKind::Define
}

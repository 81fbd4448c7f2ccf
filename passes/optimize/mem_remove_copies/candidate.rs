//! Copies that can be removed, and their replacements.

use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

use mem_flow::dependence::{AccessId, Dependence};
use mem_model::{AccessKind, BufferId, Bytes, Interval, StepId, TokenId};

use super::profile::Change;
use crate::extract::dependence::Extracted;
use crate::ir::rewrite::{ancestor_beside, is_plain_copy, is_visible, takes_any_layout};
use crate::ir::{Op, Value};
use crate::optimize::strided::Strided;

/// Maximum number of copies that are removed at once on the way from one buffer to another. With
/// none, the length of a chain of copies halves with each round.
const MAX_ONWARD: usize = 32;

/// Positions of operations, numbered in layout order, with an operation before its contents.
pub(super) struct Order {
    /// From the operation's number to one past the last operation inside of it.
    ranges: HashMap<Op, (u32, u32)>,
    /// The number of each step's operation, and the step, in ascending order.
    steps: Vec<(usize, StepId)>,
    copies: Vec<(StepId, Op)>,
    buffers: HashMap<Op, BufferId>,
    late: Vec<Late>,
}

/// An asynchronous access.
struct Late {
    access: AccessId,
    /// From its operation to the wait in the same block, or unbounded if there is none.
    lasts: Range<usize>,
}

impl Late {
    /// Whether the access may be in flight at a position.
    fn is_under_way(&self, at: usize) -> bool {
        self.lasts.end == usize::MAX || self.lasts.start < at && at < self.lasts.end
    }
}

impl Order {
    /// O(n log n) in operations.
    pub(super) fn new(function: &Extracted) -> Self {
        let mut order = Self {
            ranges: HashMap::default(),
            steps: Vec::new(),
            copies: Vec::new(),
            buffers: HashMap::default(),
            late: Vec::new(),
        };
        order.number(function.function.op);
        for (index, op) in function.extraction.step_ops.iter().enumerate() {
            let step = StepId::new(index);
            order.steps.push((order.start(*op), step));
            if is_plain_copy(*op) {
                order.copies.push((step, *op));
            }
        }
        order.steps.sort_unstable();
        order.find_late(function);
        for (index, op) in function.extraction.buffer_ops.iter().enumerate() {
            order
                .buffers
                .extend(op.map(|op| (op, BufferId::new(index))));
        }
        order
    }

    /// Finds the accesses that may still be in flight when the next operation starts, and for how
    /// long.
    fn find_late(&mut self, function: &Extracted) {
        let step_ops = &function.extraction.step_ops;
        let mut waits: HashMap<TokenId, Vec<Op>> = HashMap::default();
        for (step, op) in function.extraction.program.steps.iter().zip(step_ops) {
            for token in &step.waits {
                waits.entry(*token).or_default().push(*op);
            }
        }
        let steps = function.extraction.program.steps.iter().zip(step_ops);
        for (number, (step, op)) in steps.enumerate() {
            for (index, access) in (0..).zip(&step.accesses) {
                let Some(token) = access.token() else {
                    continue;
                };
                let own = waits.get(&token).into_iter().flatten();
                let beside = own.filter(|wait| wait.block() == op.block());
                let end = beside.map(|wait| self.start(*wait)).min();
                let step = StepId::new(number);
                self.late.push(Late {
                    access: AccessId { step, index },
                    lasts: self.start(*op)..end.unwrap_or(usize::MAX),
                });
            }
        }
    }

    fn number(&mut self, op: Op) {
        let start = self.ranges.len() as u32;
        self.ranges.insert(op, (start, start));
        // A structured operation is one step, and nothing inside of it is asked for.
        let is_one_step = op.name().starts_with("linalg.");
        let regions = op.regions().filter(|_| !is_one_step);
        for inner in regions.flat_map(|r| r.blocks()).flat_map(|b| b.ops()) {
            self.number(inner);
        }
        let end = self.ranges.len() as u32;
        self.ranges.insert(op, (start, end));
    }

    fn start(&self, op: Op) -> usize {
        self.ranges.get(&op).map_or(0, |range| range.0 as usize)
    }

    fn end(&self, op: Op) -> usize {
        self.ranges.get(&op).map_or(0, |range| range.1 as usize)
    }

    /// The copies with their steps.
    pub(super) fn copies(&self) -> impl Iterator<Item = (StepId, Op)> + '_ {
        self.copies.iter().copied()
    }

    /// Steps of operations with numbers in `[start, end)`.
    fn steps(&self, start: usize, end: usize) -> impl Iterator<Item = StepId> + '_ {
        let first = self.steps.partition_point(|(number, _)| *number < start);
        let steps = self.steps[first..].iter();
        steps
            .take_while(move |(number, _)| *number < end)
            .map(|(_, step)| *step)
    }
}

/// The target of a copy.
enum Target {
    /// Constant bytes of a buffer: a descriptor can address any part of them.
    Bytes { buffer: Op, view: Strided },
    /// Any other memref, with the operations that compute it and have to move up.
    View { value: Value, chain: Vec<Op> },
}

/// A copy that can be removed.
pub(super) struct Candidate {
    copy: Op,
    copied: AccessId,
    /// The write accesses of the copies that take the copied bytes on to the target, the first one
    /// first, if they are removed as well.
    onward: Vec<AccessId>,
    source: BufferId,
    /// All buffers that the copy may write to.
    written: Vec<BufferId>,
    /// All buffers that the target may denote: those written, or what the last copy onward writes.
    targets: Vec<BufferId>,
    target: Target,
    /// The first and the last operation in the copy's block in which the source is accessed.
    first: Op,
    last: Op,
    first_step: StepId,
    /// The elements that are copied, in the source's buffer.
    whole: Strided,
    /// Fills of the target that move before `first`.
    fills: Vec<Op>,
    /// The descriptors of the source, each with its elements in the target's buffer.
    descriptors: Vec<(Op, Option<Strided>)>,
}

impl Candidate {
    /// `None` if the copy has to stay. O(steps from the first to the last access to the source).
    pub(super) fn new(
        function: &Extracted,
        dependence: &Dependence<'_>,
        order: &Order,
        copy_step: StepId,
        copy: Op,
    ) -> Option<Self> {
        let [from, to] = [copy.operand(0), copy.operand(1)];
        let described = from.owner()?;
        let buffer = super::described_buffer(described)?;
        let source = *order.buffers.get(&buffer)?;
        // A source defined in another block may keep its contents from one execution of the copy to
        // the next.
        if buffer.block() != copy.block() {
            return None;
        }
        let descriptors = descriptors_of(buffer)?;
        let users = users_beside(&descriptors, copy)?;
        let first = *users.iter().min_by_key(|op| order.start(**op))?;
        let last = *users.iter().max_by_key(|op| order.start(**op))?;
        // The copy itself is a user. If it is the first one, it copies uninitialized bytes, which
        // is not worth handling.
        let first_step = order.steps(order.start(first), order.end(first)).next()?;
        if first == copy {
            return None;
        }
        let target = Target::new(order, to, buffer, first)?;
        let whole = Strided::of_descriptor(described)?;
        let moved: Option<Vec<_>> = descriptors
            .into_iter()
            .map(|op| Some((op, target.place_of(op, described, &whole)?)))
            .collect();
        let between = Between {
            function,
            dependence,
            order,
            copied: define_of(function, copy_step)?,
        };
        let mut candidate = Self {
            copy,
            copied: between.copied,
            onward: Vec::new(),
            source,
            written: Vec::new(),
            targets: Vec::new(),
            target,
            first,
            last,
            first_step,
            whole,
            fills: Vec::new(),
            descriptors: moved?,
        };
        candidate.written = between.written();
        candidate.targets.clone_from(&candidate.written);
        candidate.fills = between.fills_before_copy(&candidate)?;
        between.is_kept_until_last(&candidate).then_some(candidate)
    }

    /// The same copy, straight to where the copy `next` takes its target. `None` if it has to wait
    /// until `next` is removed, or has to stay. O(steps from the first to the last access to the
    /// source) for each copy on the way.
    pub(super) fn followed_by(
        mut self,
        next: &Self,
        function: &Extracted,
        dependence: &Dependence<'_>,
        order: &Order,
    ) -> Option<Self> {
        let (Target::Bytes { view, .. }, Target::Bytes { buffer, view: end }) =
            (&self.target, &next.target)
        else {
            return None;
        };
        let is_there = is_visible(buffer.result(), self.first);
        let is_short = next.onward.len() < MAX_ONWARD;
        if !is_there || !is_short || self.copy.block() != next.copy.block() {
            return None;
        }
        let moved = |place: &Strided| place.moved_to_elements(&next.whole, end);
        let view = moved(view)?;
        for (_, place) in &mut self.descriptors {
            *place = Some(moved(place.as_ref()?)?);
        }
        self.onward.push(next.copied);
        self.onward.extend(&next.onward);
        self.targets.clone_from(&next.targets);
        self.target = Target::Bytes {
            buffer: *buffer,
            view,
        };
        let is_free = |copied: &AccessId| {
            let between = Between {
                function,
                dependence,
                order,
                copied: *copied,
            };
            between.is_free_until_copy(&self) && between.is_kept_until_last(&self)
        };
        self.onward.iter().all(is_free).then_some(self)
    }

    /// The buffers that the copy reads and writes.
    pub(super) fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        std::iter::once(self.source).chain(self.written.iter().copied())
    }

    /// All buffers that the copy may write to.
    pub(super) fn written(&self) -> &[BufferId] {
        &self.written
    }

    /// The buffer that the copy reads.
    pub(super) fn source(&self) -> BufferId {
        self.source
    }

    /// Whether other copies to other bytes of the target can be removed in the same round: nothing
    /// but the source's descriptors changes, and the target is one buffer.
    pub(super) fn shares_target(&self) -> bool {
        let is_bytes = matches!(self.target, Target::Bytes { .. });
        is_bytes && self.fills.is_empty() && self.targets.len() == 1
    }

    /// Number of bytes whose copying is saved.
    pub(super) fn bytes(&self) -> u64 {
        let size = super::described_buffer_size(self.copy.operand(0));
        size.unwrap_or(0)
    }

    pub(super) fn copy(&self) -> Op {
        self.copy
    }

    /// The write access of the copy.
    pub(super) fn copied(&self) -> AccessId {
        self.copied
    }

    /// The effect of the removal on lifetimes.
    pub(super) fn change(&self) -> Change {
        Change {
            source: self.source,
            targets: self.targets.clone(),
            bytes: self.target.bytes().filter(|_| self.fills.is_empty()),
            first: self.first_step,
            copy: self.copied.step,
        }
    }

    /// Redirects the source's descriptors to the target. The copy has no effect any more, and can be
    /// erased when no other candidate needs its place.
    pub(super) fn apply(&self) {
        match &self.target {
            Target::Bytes { buffer, .. } => {
                if buffer.block() == self.first.block() {
                    self.bring_forward(*buffer);
                }
            }
            Target::View { chain, .. } => chain.iter().for_each(|op| self.bring_forward(*op)),
        }
        for fill in &self.fills {
            if let Some(descriptor) = fill.operand(1).owner() {
                self.bring_forward(descriptor);
            }
            self.bring_forward(*fill);
        }
        for (descriptor, place) in &self.descriptors {
            let value = match (&self.target, place) {
                (Target::Bytes { buffer, .. }, Some(place)) => {
                    place.describe(*descriptor, buffer.result(), self.first)
                }
                (Target::View { value, .. }, _) => *value,
                _ => continue,
            };
            descriptor.result().replace_with(value);
        }
    }

    /// Moves an operation before `first`, unless it is there already.
    fn bring_forward(&self, op: Op) {
        let mut after = std::iter::successors(Some(self.first), |op| op.next());
        if op.block() == self.first.block() && after.any(|later| later == op) {
            op.move_before(self.first);
        }
    }
}

impl Target {
    fn new(order: &Order, to: Value, source: Op, first: Op) -> Option<Self> {
        // A run-time size would have to move along with the buffer.
        let is_bare = |op: &Op| op.operands().next().is_none();
        let described = to.owner().and_then(super::described_buffer);
        let described = described.filter(is_bare);
        if let (Some(op), Some(buffer)) = (to.owner(), described)
            && let Some(view) = Strided::of_descriptor(op)
        {
            let is_there = is_visible(buffer.result(), first);
            return (buffer != source && is_there).then_some(Self::Bytes { buffer, view });
        }
        let mut chain = Vec::new();
        let start = order.start(first);
        collect_chain(order, to, start, first, &mut chain)?;
        Some(Self::View { value: to, chain })
    }

    /// The smallest interval of the buffer's bytes that contains everything copied to.
    fn bytes(&self) -> Option<Interval<Bytes>> {
        let Self::Bytes { view, .. } = self else {
            return None;
        };
        let end = view.start.checked_add(view.span()?)?;
        let byte = |at: i64| u64::try_from(at).ok().map(Bytes::new);
        Some(Interval::new(byte(view.start)?, byte(end)?))
    }

    /// The position of the elements of `descriptor` in the target, given that the elements of
    /// `described`, which is `whole`, are copied. `Some(None)`: the target's own view states it.
    fn place_of(&self, descriptor: Op, described: Op, whole: &Strided) -> Option<Option<Strided>> {
        let view = Strided::of_descriptor(descriptor)?;
        match self {
            Self::Bytes { view: target, .. } => Some(Some(view.moved_to_elements(whole, target)?)),
            Self::View { .. } => {
                let is_same = view == *whole && descriptor.result().ty() == described.result().ty();
                is_same.then_some(None)
            }
        }
    }
}

/// Collects the operations from `start` on that compute `value` and can move before `first`,
/// operands first. `None` if the value depends on something that cannot move.
fn collect_chain(
    order: &Order,
    value: Value,
    start: usize,
    first: Op,
    chain: &mut Vec<Op>,
) -> Option<()> {
    const VIEWS: [&str; 8] = [
        "arith.constant",
        "mem.descriptor",
        "memref.cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.memory_space_cast",
        "memref.reinterpret_cast",
        "memref.subview",
    ];
    let Some(op) = value.owner() else {
        return is_visible(value, first).then_some(());
    };
    if op.block() != first.block() {
        return is_visible(value, first).then_some(());
    }
    if order.start(op) < start {
        return Some(());
    }
    let is_movable = VIEWS.contains(&op.name()) || op.name() == "mem.buffer";
    if !is_movable || chain.len() >= 16 {
        return None;
    }
    for operand in op.operands() {
        collect_chain(order, operand, start, first, chain)?;
    }
    if !chain.contains(&op) {
        chain.push(op);
    }
    Some(())
}

/// All users of a buffer, if they are descriptors with constant bounds.
fn descriptors_of(buffer: Op) -> Option<Vec<Op>> {
    let users = buffer.result().users().into_iter();
    let descriptors = users.map(|op| Strided::is_descriptor(op).then_some(op));
    descriptors.collect()
}

/// The operations in the block of `copy` that use the descriptors, or contain such users. `None` if
/// a user is elsewhere, or does not accept operands of any layout.
fn users_beside(descriptors: &[Op], copy: Op) -> Option<Vec<Op>> {
    let users = descriptors.iter().flat_map(|op| op.result().users());
    let beside = users.map(|user| {
        takes_any_layout(user)
            .then(|| ancestor_beside(user, copy))
            .flatten()
    });
    beside.collect()
}

/// The code between the first and the last access to the source.
struct Between<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    order: &'a Order,
    /// The write access of the copy, or of one that follows it.
    copied: AccessId,
}

/// The write access of a step, if it has one.
fn define_of(function: &Extracted, step: StepId) -> Option<AccessId> {
    let accesses = &function.extraction.program.steps[step.index()].accesses;
    let index = accesses.iter().position(|a| a.kind == AccessKind::Define)?;
    let index = u32::try_from(index).ok()?;
    Some(AccessId { step, index })
}

impl Between<'_> {
    /// The accesses of a step, with their ids.
    fn accesses(&self, step: StepId) -> impl Iterator<Item = (AccessId, &mem_model::Access)> {
        let accesses = &self.function.extraction.program.steps[step.index()].accesses;
        let numbered = (0..).zip(accesses);
        numbered.map(move |(index, access)| (AccessId { step, index }, access))
    }

    /// The buffers that the copy may write to.
    fn written(&self) -> Vec<BufferId> {
        let step = &self.function.extraction.program.steps[self.copied.step.index()];
        let access = &step.accesses[self.copied.index as usize];
        self.dependence.denoted(access.pointer).collect()
    }

    fn overlap(&self, a: AccessId, b: AccessId) -> bool {
        super::may_overlap(self.function, self.dependence, a, b)
    }

    /// Whether the copied bytes stay unchanged after the copy until the last access to the source.
    fn is_kept_until_last(&self, candidate: &Candidate) -> bool {
        let (start, end) = (
            self.order.end(candidate.copy),
            self.order.end(candidate.last),
        );
        let is_onward = |step| candidate.onward.iter().any(|copied| copied.step == step);
        let mut steps = self
            .order
            .steps(start, end)
            .filter(|step| !is_onward(*step));
        steps.all(|step| self.keeps_target(step, candidate.source))
    }

    /// Whether nothing accesses the copied bytes between the first access to the source and the copy.
    fn is_free_until_copy(&self, candidate: &Candidate) -> bool {
        let (start, end) = (
            self.order.start(candidate.first),
            self.order.start(candidate.copy),
        );
        let is_free = |step| {
            !self
                .accesses(step)
                .any(|(id, _)| self.overlap(id, self.copied))
        };
        !self.is_under_way(start) && self.order.steps(start, end).all(is_free)
    }

    /// Whether an asynchronous access to the copied bytes may be in flight at a position.
    fn is_under_way(&self, at: usize) -> bool {
        let late = self.order.late.iter();
        let mut under_way = late.filter(|late| late.is_under_way(at));
        under_way.any(|late| self.overlap(late.access, self.copied))
    }

    /// Whether a step after the copy leaves the copied bytes unchanged, in the source and in the
    /// target.
    fn keeps_target(&self, step: StepId, source: BufferId) -> bool {
        let mut writes = self
            .accesses(step)
            .filter(|(id, access)| access.kind == AccessKind::Define || self.is_late(*id));
        writes.all(|(id, access)| {
            !self.overlap(id, self.copied)
                && self.dependence.denoted(access.pointer).all(|b| b != source)
        })
    }

    fn is_late(&self, id: AccessId) -> bool {
        super::is_asynchronous(self.function, id)
    }

    /// The fills that have to move up so that nothing accesses the target's bytes between the first
    /// access to the source and the copy. `None` if anything else accesses them.
    fn fills_before_copy(&self, candidate: &Candidate) -> Option<Vec<Op>> {
        let (start, end) = (
            self.order.start(candidate.first),
            self.order.start(candidate.copy),
        );
        if self.is_under_way(start) {
            return None;
        }
        let mut fills: Vec<Op> = Vec::new();
        // Earlier accesses, except those of the fills that move.
        let mut touched: Vec<AccessId> = Vec::new();
        for step in self.order.steps(start, end) {
            let op = self.function.extraction.step_ops[step.index()];
            let accesses: Vec<AccessId> = self.accesses(step).map(|(id, _)| id).collect();
            if accesses.iter().any(|id| self.is_late(*id)) {
                return None;
            }
            if !accesses.iter().any(|id| self.overlap(*id, self.copied)) {
                touched.extend(accesses);
                continue;
            }
            let is_free = |id: &AccessId| !touched.iter().any(|t| self.overlap(*id, *t));
            if !self.can_move(op, candidate) || !accesses.iter().all(is_free) {
                return None;
            }
            fills.push(op);
        }
        Some(fills)
    }

    /// Whether `op` is a fill of the target's buffer whose operands are available before the first
    /// access to the source.
    fn can_move(&self, op: Op, candidate: &Candidate) -> bool {
        let Target::Bytes { buffer, .. } = &candidate.target else {
            return false;
        };
        let filled = || op.operand(1).owner().and_then(super::described_buffer);
        let scalar = |op: Op| match op.operand(0).owner() {
            Some(owner) if owner.block() == op.block() => {
                self.order.start(owner) < self.order.start(candidate.first)
            }
            _ => true,
        };
        op.name() == "linalg.fill"
            && op.block() == candidate.copy.block()
            && filled() == Some(*buffer)
            && op.operand(1).owner().is_some_and(Strided::is_descriptor)
            && scalar(op)
    }
}

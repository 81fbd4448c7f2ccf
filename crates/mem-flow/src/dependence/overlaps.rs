//! Aliasing: buffers that a write to another buffer may change, and accesses that may touch a
//! common byte.

use mem_model::{Access, Aliasing, BufferId, IntervalSet, PointerId, Program};

use super::referents::Referents;
use super::{AccessId, Dependence, Target, constant_hull};

/// Indexes buffers by the kinds of aliasing they are exposed to. Buffers that are never accessed
/// are left out, as no query concerns them.
pub(super) struct Overlaps {
    aliasing: Vec<Aliasing>,
    arguments: Vec<BufferId>,
    unknown: Vec<BufferId>,
    all: Vec<BufferId>,
}

impl Overlaps {
    pub(super) fn new(program: &Program, referents: &Referents) -> Self {
        let mut is_accessed = vec![false; program.buffers.len()];
        for access in program.steps.iter().flat_map(|step| &step.accesses) {
            for referent in referents.of(access.pointer) {
                is_accessed[referent.buffer.index()] = true;
            }
        }
        let mut overlaps = Self {
            aliasing: program.buffers.iter().map(|b| b.aliasing).collect(),
            arguments: Vec::new(),
            unknown: Vec::new(),
            all: Vec::new(),
        };
        for (index, buffer) in program.buffers.iter().enumerate() {
            if !is_accessed[index] || buffer.aliasing == Aliasing::Private {
                continue;
            }
            let id = BufferId::new(index);
            overlaps.all.push(id);
            if buffer.aliasing.may_overlap(Aliasing::Argument) {
                overlaps.arguments.push(id);
            }
            if buffer.aliasing == Aliasing::Unknown {
                overlaps.unknown.push(id);
            }
        }
        overlaps
    }

    /// The buffers that may share bytes with `buffer`; may include `buffer` itself.
    pub(super) fn with(&self, buffer: BufferId) -> &[BufferId] {
        match self.aliasing[buffer.index()] {
            Aliasing::Private => &[],
            Aliasing::Reachable => &self.unknown,
            Aliasing::Argument => &self.arguments,
            Aliasing::Unknown => &self.all,
        }
    }
}

impl Dependence<'_> {
    /// Whether two accesses may touch a common byte, at whatever time each takes place. Compares
    /// constant bounds and rows only, not run-time bounds or predicates. O(referents²).
    #[must_use]
    pub fn may_overlap(&self, a: AccessId, b: AccessId) -> bool {
        let [a, b] = [a, b].map(|id| self.access(self.number(id)));
        let aliasing = |buffer: BufferId| self.program.buffers[buffer.index()].aliasing;
        let may_alias = |x, y| x != y && aliasing(x).may_overlap(aliasing(y));
        // Most accesses are to different buffers.
        let may_meet = |x| self.denoted(b.pointer).any(|y| x == y || may_alias(x, y));
        if !self.denoted(a.pointer).any(may_meet) {
            return false;
        }
        let [of_a, of_b] = [a, b].map(|x| self.targets(x.pointer, constant_hull(x)));
        let overlaps = |x: &Target, y: &Target| {
            let [own, theirs] = [x, y].map(|target| self.states.variables.buffer(target.variable));
            match x.variable == y.variable {
                // Only then are the bounds of both relative to the same byte.
                true if x.at_start && y.at_start => share_bytes(a, x, b, y),
                true => true,
                false => may_alias(own, theirs),
            }
        };
        of_a.iter().any(|x| of_b.iter().any(|y| overlaps(x, y)))
    }

    /// The buffers of which a pointer may denote an instance, in ascending order.
    pub fn denoted(&self, pointer: PointerId) -> impl Iterator<Item = BufferId> + '_ {
        let referents = self.states.referents.of(pointer);
        referents.iter().map(|referent| referent.buffer)
    }
}

/// Whether two accesses to one variable touch a common byte. O(n log m) in their rows.
fn share_bytes(a: &Access, of_a: &Target, b: &Access, of_b: &Target) -> bool {
    let theirs: IntervalSet<u64> = Dependence::bytes_of(b, of_b).collect();
    Dependence::bytes_of(a, of_a).any(|bytes| theirs.within(bytes).next().is_some())
}

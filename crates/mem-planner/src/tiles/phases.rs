//! Whole buffers of a group: which of them are in use before its tiles, and during them.
//!
//! Operations that are executed as a whole before the tiles do not need what the tiles compute, and what
//! only they access is free once the tiles begin.

use std::collections::{BTreeMap, HashSet};

use mem_model::{BufferId, TileBuffer};

use super::group::{Group, Role};
use super::profile::Profile;
use super::takeovers::have_same_shape;

/// Bytes of whole buffers of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phases {
    /// While operations before the tiles are executed.
    pub(super) before: u64,
    /// While tiles are executed, or operations after them.
    pub(super) during: u64,
}

impl Phases {
    /// The most bytes in use, if takeovers save some, and windows take others.
    pub(super) fn peak(self, saved: u64, windows: u64) -> u64 {
        self.before.max(self.during - saved + windows)
    }
}

impl Profile<'_> {
    /// Bytes of whole buffers before and during the tiles of a group. Linear in its operands.
    pub(super) fn phases(&self, group: &Group<'_>) -> Phases {
        let whole = self.whole(group);
        let mut phases = Phases {
            before: whole,
            during: whole,
        };
        // What a group does not access is elsewhere, and what it accesses stays.
        if !self.counts_live() {
            return phases;
        }
        let mut accessed: BTreeMap<BufferId, [bool; 2]> = BTreeMap::new();
        for (at, role) in group.roles() {
            for operand in &self.program.operations[at].operands {
                let own = accessed.entry(operand.buffer).or_default();
                own[usize::from(role == Role::Hoisted)] = true;
            }
        }
        for (buffer, [is_used_later, is_used_before]) in accessed {
            let Some((first, last)) = self.ranges[buffer.index()] else {
                continue;
            };
            let bytes = self.program.buffers[buffer.index()].bytes().get();
            if !is_used_later && last < group.end() {
                phases.during -= bytes;
            }
            if !is_used_before && first >= group.first() && !self.is_window(buffer, group) {
                phases.before -= bytes;
            }
        }
        phases
    }
}

/// The most bytes of whole buffers that need not be in use during the tiles of groups with the same end, which
/// grow backwards: those that are only accessed before the tiles, and one of each pair of a result and an
/// operand of the same shape.
pub(super) struct Savings<'a> {
    profile: &'a Profile<'a>,
    end: usize,
    first: usize,
    /// Results that are needed after the group, and operands of the shape of one of them that nothing
    /// accesses after it.
    results: Vec<BufferId>,
    operands: Vec<BufferId>,
    /// Buffers that only operations before the tiles access, their bytes, and those that others access.
    hoisted: HashSet<BufferId>,
    hoisted_bytes: u64,
    others: HashSet<BufferId>,
}

impl<'a> Savings<'a> {
    pub(super) fn new(profile: &'a Profile<'a>, end: usize) -> Self {
        Self {
            profile,
            end,
            first: end,
            results: Vec::new(),
            operands: Vec::new(),
            hoisted: HashSet::default(),
            hoisted_bytes: 0,
            others: HashSet::default(),
        }
    }

    /// The most bytes for a group, which has more operations than the one before; a smaller one is the first
    /// along another dimension. Linear in the operands of operations that are new, times results and
    /// operands that may be taken over.
    pub(super) fn of(&mut self, group: &Group<'_>) -> u64 {
        if group.first() >= self.first {
            *self = Self::new(self.profile, self.end);
        }
        let new = group.roles().take(self.first - group.first());
        let new: Vec<(usize, Role)> = new.collect();
        for (at, role) in new.into_iter().rev() {
            self.add(at, role);
        }
        self.first = group.first();
        // Within a budget, nothing is taken over, and what a group does not access is elsewhere.
        match self.profile.counts_live() {
            true => self.taken() + self.hoisted_bytes,
            false => 0,
        }
    }

    fn buffer(&self, buffer: BufferId) -> &'a TileBuffer {
        &self.profile.program.buffers[buffer.index()]
    }

    fn add(&mut self, at: usize, role: Role) {
        let operands = &self.profile.program.operations[at].operands;
        let accessed = operands.iter().map(|operand| operand.buffer);
        let ranges = &self.profile.ranges;
        let known = accessed.filter_map(|own| Some((own, ranges[own.index()]?)));
        let known: Vec<(BufferId, (usize, usize))> = known.collect();
        for (buffer, (first, last)) in &known {
            if *first == at {
                self.operands.retain(|own| own != buffer);
            }
            if *first == at && *last >= self.end && !self.results.contains(buffer) {
                self.results.push(*buffer);
            }
            self.count(*buffer, *last, role);
        }
        for (buffer, (first, last)) in known {
            let is_new = first < at && last == at && !self.operands.contains(&buffer);
            let mut results = self.results.iter();
            let fits = |own: &BufferId| have_same_shape(self.buffer(*own), self.buffer(buffer));
            if is_new && results.any(fits) {
                self.operands.push(buffer);
            }
        }
    }

    /// Counts a buffer if only operations before the tiles access it.
    fn count(&mut self, buffer: BufferId, last: usize, role: Role) {
        if last >= self.end {
            return;
        }
        let bytes = self.buffer(buffer).bytes().get();
        if role != Role::Hoisted {
            if self.hoisted.remove(&buffer) {
                self.hoisted_bytes -= bytes;
            }
            self.others.insert(buffer);
        } else if !self.others.contains(&buffer) && self.hoisted.insert(buffer) {
            self.hoisted_bytes += bytes;
        }
    }

    /// Bytes of the results that may take the place of an operand.
    fn taken(&self) -> u64 {
        let mut operands = self.operands.clone();
        let mut saved = 0;
        for result in &self.results {
            let result = self.buffer(*result);
            let fits = |own: &BufferId| have_same_shape(result, self.buffer(*own));
            if let Some(at) = operands.iter().position(fits) {
                operands.swap_remove(at);
                saved += result.bytes().get();
            }
        }
        saved
    }
}

//! Whole buffers of a group: which of them are in use before its tiles, and during them.
//!
//! Operations that are executed as a whole before the tiles do not need what the tiles compute, and what
//! only they access is free once the tiles begin.

use std::collections::{BTreeMap, HashMap, HashSet};

use mem_model::{BufferId, TileBuffer};

use super::group::{Group, Role};
use super::profile::Profile;
use super::streams::saved_by_stages;
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
        // What a group does not access is elsewhere, and what it accesses stays: as much during the tiles as
        // before.
        if !self.counts_live() {
            return Phases {
                before: 0,
                ..phases
            };
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
    /// With streams: for each buffer that the group accesses, the most bytes that stages save, and their sum.
    streamed: HashMap<BufferId, u64>,
    streamed_bytes: u64,
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
            streamed: HashMap::default(),
            streamed_bytes: 0,
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
            match self.profile.may_stream {
                true => self.stream(at, role, group),
                false => self.add(at, role),
            }
        }
        self.first = group.first();
        // Within a budget, nothing is taken over, and what a group does not access is elsewhere.
        match self.profile.counts_live() {
            true => self.taken() + self.hoisted_bytes,
            false => self.streamed_bytes,
        }
    }

    /// Counts what stages of the operands of an operation save, of the whole buffers: with two stages of the
    /// rows of one iteration.
    fn stream(&mut self, at: usize, role: Role, group: &Group<'_>) {
        for operand in &self.profile.program.operations[at].operands {
            let Some((first, _)) = self.profile.ranges[operand.buffer.index()] else {
                continue;
            };
            let buffer = self.buffer(operand.buffer);
            let rows = match role {
                Role::Tiled(dimension) => operand.rows_along(dimension),
                _ => None,
            };
            let saved = rows.map_or(0, |map| {
                saved_by_stages(buffer, map.dimension, map.last - map.first)
            });
            // Windows do not count in the first place.
            let is_window = first == at && self.profile.is_window(operand.buffer, group);
            let known = self.streamed.entry(operand.buffer);
            let known = known.or_insert_with(|| {
                self.streamed_bytes += saved;
                saved
            });
            let saved = if is_window { 0 } else { saved.min(*known) };
            self.streamed_bytes -= *known - saved;
            *known = saved;
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

//! The search for groups: dynamic programming over the positions where a group can start and end.
//!
//! The peak of a group is the bytes of its windows, and of all whole buffers that are live during
//! any of its operations: a loop over tiles accesses all of them until its end. It does not depend
//! on other groups. So the least peak is a shortest path over positions, where the length of a path
//! is that of its longest edge; and, among the plans within a capacity, the one that copies least is
//! a shortest path as usual.

use mem_model::{BufferId, Bytes, StepId, TileGroup, TileProgram};

use super::group::{Group, Role};
use super::schedule::Schedule;
use super::tuning;

/// Facts about a program.
pub(super) struct Search<'a> {
    program: &'a TileProgram,
    /// The first and the last operation that accesses each private buffer that is accessed.
    ranges: Vec<Option<(usize, usize)>>,
    /// Bytes that are live before each operation and still after it starts; one more entry for the
    /// end.
    crossing: Vec<u64>,
    /// Bytes that are live during each operation.
    live: Vec<u64>,
    /// Groups by their end.
    candidates: Vec<Vec<Candidate>>,
}

/// A group that can be executed tile by tile.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: usize,
    dimension: usize,
    /// Bytes of whole buffers.
    whole: u64,
    /// Bytes in use with the smallest tiles.
    peak: u64,
}

/// The choice at a position: how the operations before it are executed.
#[derive(Clone, Copy)]
struct Choice {
    from: usize,
    group: Option<(Candidate, i64)>,
}

impl<'a> Search<'a> {
    /// Finds all candidates. Takes time O(cuts² · operations of a group · dimensions).
    pub(super) fn new(program: &'a TileProgram) -> Self {
        let ranges = ranges(program);
        let (crossing, live) = profile(program, &ranges);
        let mut search = Self {
            program,
            ranges,
            crossing,
            live,
            candidates: vec![Vec::new(); program.operations.len() + 1],
        };
        for end in 1..=program.operations.len() {
            if search.is_end(end) {
                search.candidates[end] = search.candidates_ending(end);
            }
        }
        search
    }

    /// Bytes of private buffers in use at once without tiles.
    pub(super) fn untiled_peak(&self) -> Bytes {
        Bytes::new(self.live.iter().copied().max().unwrap_or(0))
    }

    /// Bytes of private buffers in use at once if `groups` are executed in tiles.
    pub(super) fn peak(&self, groups: &[TileGroup]) -> Bytes {
        let is_tiled = |at: &usize| {
            let inside = |group: &TileGroup| {
                (group.operations.0..group.operations.1).contains(&StepId::new(*at))
            };
            groups.iter().any(inside)
        };
        let untiled = (0..self.live.len()).filter(|at| !is_tiled(at));
        let untiled = untiled.map(|at| Bytes::new(self.live[at]));
        let tiled = groups.iter().map(|group| group.peak);
        untiled.chain(tiled).max().unwrap_or_default()
    }

    /// Whether a group may start at a position: the next operation frees nothing more.
    fn is_start(&self, at: usize) -> bool {
        self.crossing
            .get(at + 1)
            .is_none_or(|next| self.crossing[at] <= *next)
    }

    /// Whether a group may end at a position: the operation before has not added live bytes.
    fn is_end(&self, at: usize) -> bool {
        at == 0 || self.crossing[at] <= self.crossing[at - 1]
    }

    fn candidates_ending(&self, end: usize) -> Vec<Candidate> {
        let operation = &self.program.operations[end - 1];
        let highest = self.untiled_peak().get();
        let mut found: Vec<Candidate> = Vec::new();
        for dimension in 0..operation.dimensions.len() {
            if operation.dimensions[dimension].extent < 2 {
                continue;
            }
            let Ok(mut group) = Group::new(self.program, end - 1, dimension) else {
                continue;
            };
            let mut whole = self.live_across(end);
            whole += self.ending_at(end - 1, end);
            loop {
                let first = group.first();
                if self.is_start(first) && self.crossing[first] < highest {
                    found.extend(self.candidate(&group, dimension, whole));
                }
                if end - first >= tuning::MAX_OPERATIONS {
                    break;
                }
                if let Err(refusal) = group.grow() {
                    log::debug!(
                        target: "tiles",
                        "dimension {dimension} of operation {}: group of {} operations ends at {}: {refusal:?}",
                        end - 1, end - first, first.saturating_sub(1),
                    );
                    break;
                }
                whole += self.ending_at(group.first(), end);
            }
        }
        found
    }

    /// Bytes of buffers that are accessed before a position and at it or later.
    fn live_across(&self, at: usize) -> u64 {
        self.crossing[at]
    }

    /// Bytes of the buffers whose last access is at an operation.
    fn ending_at(&self, at: usize, end: usize) -> u64 {
        let operands = self.program.operations[at].operands.iter();
        let mut buffers: Vec<BufferId> = operands.map(|operand| operand.buffer).collect();
        buffers.sort_unstable();
        buffers.dedup();
        let ends = |buffer: &BufferId| {
            let range = self.ranges[buffer.index()];
            range.is_some_and(|(first, last)| last == at && first < end)
        };
        let bytes = |buffer: BufferId| self.program.buffers[buffer.index()].bytes().get();
        buffers.into_iter().filter(ends).map(bytes).sum()
    }

    fn schedule(&self, group: &Group<'_>) -> Schedule<'a> {
        let (first, end) = (group.first(), group.end());
        Schedule::new(self.program, group, |buffer| {
            let range = self.ranges[buffer.index()];
            range.is_some_and(|(from, last)| from >= first && last < end)
        })
    }

    /// Bytes of whole buffers, given the bytes of all buffers that are live during the group.
    fn whole(&self, group: &Group<'_>, live: u64) -> u64 {
        let (first, end) = (group.first(), group.end());
        let mut whole = live;
        let mut seen = std::collections::BTreeSet::new();
        for (at, role) in group.roles() {
            if role == Role::Hoisted {
                continue;
            }
            for operand in self.program.operations[at].writes() {
                let buffer = operand.buffer;
                let range = self.ranges[buffer.index()];
                let is_within = range.is_some_and(|(from, last)| from >= first && last < end);
                if is_within && group.is_tiled(buffer) && seen.insert(buffer) {
                    whole -= self.program.buffers[buffer.index()].bytes().get();
                }
            }
        }
        whole
    }

    fn candidate(&self, group: &Group<'_>, dimension: usize, live: u64) -> Option<Candidate> {
        let whole = self.whole(group, live);
        let untiled = self.live[group.first()..group.end()]
            .iter()
            .copied()
            .max()?;
        if whole >= untiled {
            return None;
        }
        let peak = whole + self.schedule(group).footprint(1).peak;
        (peak < untiled).then_some(Candidate {
            first: group.first(),
            dimension,
            whole,
            peak,
        })
    }

    /// The least peak that groups reach.
    pub(super) fn least_peak(&self) -> Bytes {
        let mut least = vec![0_u64; self.program.operations.len() + 1];
        for end in 1..least.len() {
            let untiled = least[end - 1].max(self.live[end - 1]);
            let groups = self.candidates[end].iter();
            let tiled = groups.map(|group| least[group.first].max(group.peak));
            least[end] = tiled.fold(untiled, u64::min);
        }
        Bytes::new(least[least.len() - 1])
    }

    /// The groups of least cost whose peak is at most `capacity`; `None` if there are none.
    pub(super) fn cheapest(&self, capacity: Bytes) -> Option<Vec<TileGroup>> {
        let n = self.program.operations.len();
        let mut best: Vec<Option<(u64, Choice)>> = vec![None; n + 1];
        best[0] = Some((
            0,
            Choice {
                from: 0,
                group: None,
            },
        ));
        for end in 1..=n {
            let mut choice: Option<(u64, Choice)> = None;
            if let Some((cost, _)) = best[end - 1]
                && self.live[end - 1] <= capacity.get()
            {
                choice = Some((
                    cost,
                    Choice {
                        from: end - 1,
                        group: None,
                    },
                ));
            }
            for candidate in &self.candidates[end] {
                let Some((before, _)) = best[candidate.first] else {
                    continue;
                };
                if candidate.peak > capacity.get() {
                    continue;
                }
                let (size, own) = self.largest_tile(candidate, end, capacity);
                let cost = before.saturating_add(own);
                if choice.is_none_or(|(least, _)| cost < least) {
                    let group = Some((*candidate, size));
                    choice = Some((
                        cost,
                        Choice {
                            from: candidate.first,
                            group,
                        },
                    ));
                }
            }
            best[end] = choice;
        }
        let mut groups = Vec::new();
        let mut end = n;
        while end > 0 {
            let (_, choice) = best[end]?;
            if let Some((candidate, size)) = choice.group {
                groups.push(self.group(&candidate, end, size));
            }
            end = choice.from;
        }
        groups.reverse();
        Some(groups)
    }

    fn grown(&self, candidate: &Candidate, end: usize) -> Group<'a> {
        let mut group = Group::new(self.program, end - 1, candidate.dimension)
            .expect("the group has been a candidate");
        while group.first() > candidate.first {
            group.grow().expect("the group has been a candidate");
        }
        group
    }

    /// The largest tile with which a group stays within a capacity, and the cost of the group.
    fn largest_tile(&self, candidate: &Candidate, end: usize, capacity: Bytes) -> (i64, u64) {
        let group = self.grown(candidate, end);
        let schedule = self.schedule(&group);
        let extent = schedule.extent();
        let fits = |size: i64| {
            let footprint = schedule.footprint(size);
            (candidate.whole + footprint.peak <= capacity.get()).then_some(footprint)
        };
        let mut size = 1;
        let mut footprint = schedule.footprint(1);
        while size * 2 < extent {
            let Some(next) = fits(size * 2) else {
                break;
            };
            (size, footprint) = (size * 2, next);
        }
        let n_tiles = schedule.n_tiles(size);
        let copied = footprint.kept.saturating_mul(2 * n_tiles.unsigned_abs());
        let operations = (end - candidate.first) as u64;
        (
            size,
            copied.saturating_add(operations * tuning::COST_OF_OPERATION),
        )
    }

    fn group(&self, candidate: &Candidate, end: usize, size: i64) -> TileGroup {
        let group = self.grown(candidate, end);
        let schedule = self.schedule(&group);
        let (runs, windows, footprint) = schedule.tiles(size);
        let hoisted = group.roles().filter(|(_, role)| *role == Role::Hoisted);
        TileGroup {
            operations: (StepId::new(candidate.first), StepId::new(end)),
            hoisted: hoisted.map(|(at, _)| StepId::new(at)).collect(),
            tiled: schedule.tiled(),
            windows,
            runs,
            peak: Bytes::new(candidate.whole + footprint.bytes().get()),
        }
    }
}

/// The first and the last operation that accesses each private buffer.
fn ranges(program: &TileProgram) -> Vec<Option<(usize, usize)>> {
    let mut ranges: Vec<Option<(usize, usize)>> = vec![None; program.buffers.len()];
    for (at, operation) in program.operations.iter().enumerate() {
        for operand in &operation.operands {
            let index = operand.buffer.index();
            if program.buffers[index].is_private {
                let first = ranges[index].map_or(at, |(first, _)| first);
                ranges[index] = Some((first, at));
            }
        }
    }
    ranges
}

/// Bytes that are live between operations, and during operations.
fn profile(program: &TileProgram, ranges: &[Option<(usize, usize)>]) -> (Vec<u64>, Vec<u64>) {
    let n = program.operations.len();
    let (mut starts, mut ends) = (vec![0_u64; n + 1], vec![0_u64; n + 1]);
    for (buffer, range) in program.buffers.iter().zip(ranges) {
        if let Some((first, last)) = range {
            starts[*first] += buffer.bytes().get();
            ends[*last] += buffer.bytes().get();
        }
    }
    let (mut crossing, mut live) = (vec![0; n + 1], vec![0; n]);
    let mut current = 0;
    for at in 0..n {
        crossing[at] = current;
        live[at] = current + starts[at] - reused(program, ranges, at);
        current = current + starts[at] - ends[at];
    }
    crossing[n] = current;
    (crossing, live)
}

/// Bytes of operands that results of an operation can take over.
fn reused(program: &TileProgram, ranges: &[Option<(usize, usize)>], at: usize) -> u64 {
    let operation = &program.operations[at];
    let bytes = |buffer: BufferId| program.buffers[buffer.index()].bytes().get();
    let starts = |buffer: BufferId| ranges[buffer.index()].is_some_and(|(first, _)| first == at);
    let ends = |buffer: BufferId| ranges[buffer.index()].is_some_and(|(_, last)| last == at);
    let reuse = |write: &mem_model::TileOperand| {
        let fits = |read: &&mem_model::TileOperand| {
            read.access == mem_model::TileAccess::Read
                && read.along == write.along
                && ends(read.buffer)
                && bytes(read.buffer) == bytes(write.buffer)
        };
        let operand = operation.operands.iter().find(fits);
        operand
            .filter(|_| starts(write.buffer))
            .map_or(0, |_| bytes(write.buffer))
    };
    operation.writes().map(reuse).sum()
}

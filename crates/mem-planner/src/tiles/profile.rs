//! Which private buffers of a program take memory when, without tiles: those that are live or, if others
//! can be moved to another memory, those that are accessed.

use mem_model::{BufferId, Bytes, StepId, Stream, TileAccess, TileGroup, TileOperand, TileProgram};

use super::group::Group;
use super::schedule::Schedule;
use super::streams::saved_by_stages;
use super::tuning;

/// Facts about a program.
pub(super) struct Profile<'a> {
    pub(super) program: &'a TileProgram,
    /// The first and the last operation that accesses each private buffer that is accessed.
    pub(super) ranges: Vec<Option<(usize, usize)>>,
    /// Bytes that are live before each operation and still after it starts; one more entry for the
    /// end.
    pub(super) crossing: Vec<u64>,
    /// Bytes in use during each operation.
    pub(super) live: Vec<u64>,
    /// Bytes of the buffers whose last access is before each position.
    freed: Vec<u64>,
    /// Whether only accessed buffers are in use: then for each operation the private buffers that it
    /// accesses, and the position of the next access.
    accesses: Option<Vec<Vec<(BufferId, usize)>>>,
    /// Whether rows of other buffers may be copied tile by tile, so that these are never in use as a whole.
    pub(super) may_stream: bool,
}

impl<'a> Profile<'a> {
    /// Linear in the operands.
    pub(super) fn new(program: &'a TileProgram) -> Self {
        let ranges = ranges(program);
        let (crossing, live) = profile(program, &ranges);
        let freed = freed(program, &ranges);
        Self {
            program,
            ranges,
            crossing,
            live,
            freed,
            accesses: None,
            may_stream: false,
        }
    }

    /// Only the buffers that operations access are in use: the others are elsewhere if that is needed. With
    /// `may_stream`, tiles may access copies of their rows.
    pub(super) fn of_accesses(program: &'a TileProgram, may_stream: bool) -> Self {
        let mut profile = Self::new(program);
        let accesses = accesses(program);
        let bytes = |(buffer, _): &(BufferId, usize)| program.buffers[buffer.index()].bytes().get();
        for (at, own) in accesses.iter().enumerate() {
            let all: u64 = own.iter().map(bytes).sum();
            profile.live[at] = all - reused(program, &profile.ranges, at);
            let operation = &program.operations[at];
            if may_stream && operation.is_copy {
                // Whatever computes the source counts it, unless that streams it: then it is copied from where
                // it is.
                let is_target = |own: &&(BufferId, usize)| {
                    operation.writes().any(|operand| operand.buffer == own.0)
                };
                profile.live[at] = own.iter().filter(is_target).map(bytes).sum();
            }
        }
        profile.accesses = Some(accesses);
        profile.may_stream = may_stream;
        profile
    }

    /// Bytes of private buffers in use at once.
    pub(super) fn peak(&self) -> Bytes {
        Bytes::new(self.live.iter().copied().max().unwrap_or(0))
    }

    /// Whether a group may start at a position: the next operation frees nothing more, or the program
    /// is small.
    pub(super) fn is_start(&self, at: usize) -> bool {
        self.is_small() || self.crossing[at] <= self.crossing[at + 1]
    }

    /// Whether a group may end at a position: the operation before has not added live bytes, or the
    /// program is small.
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.is_small() || self.crossing[at] <= self.crossing[at - 1]
    }

    pub(super) fn is_small(&self) -> bool {
        self.live.len() <= tuning::MAX_ALL_POSITIONS
    }

    /// Whether all accesses to a private buffer are by the operations `[first, end)`.
    fn is_within(&self, buffer: BufferId, (first, end): (usize, usize)) -> bool {
        self.ranges[buffer.index()].is_some_and(|(from, last)| from >= first && last < end)
    }

    /// Whether a private buffer exists before the operations `[first, end)`, and they are the last ones that
    /// access it.
    pub(super) fn dies_within(&self, buffer: BufferId, (first, end): (usize, usize)) -> bool {
        self.ranges[buffer.index()]
            .is_some_and(|(from, last)| from < first && (first..end).contains(&last))
    }

    /// The schedule of a group.
    pub(super) fn schedule(&self, group: &Group<'_>) -> Schedule<'a> {
        Schedule::new(self.program, group, |buffer| self.is_window(buffer, group))
    }

    /// Whether only the tiles of a group access a buffer, and write its rows.
    pub(super) fn is_window(&self, buffer: BufferId, group: &Group<'_>) -> bool {
        group.is_tiled(buffer)
            && !group.is_used_after(buffer)
            && self.is_within(buffer, (group.first(), group.end()))
    }

    /// Bytes of whole buffers during a group: of those that are in use during any of its operations, and
    /// do not become windows. Linear in the operations of the group.
    pub(super) fn whole(&self, group: &Group<'_>) -> u64 {
        let end = group.end();
        let operations = group.first()..end;
        let added = operations.clone().map(|at| self.added(at, end));
        let windows = operations.map(|at| self.windows_from(group, at));
        self.after(end) + added.sum::<u64>() - windows.sum::<u64>()
    }

    /// Bytes that are in use during operations that end at a position, whichever they are.
    pub(super) fn after(&self, end: usize) -> u64 {
        match self.accesses {
            None => self.crossing[end],
            Some(_) => 0,
        }
    }

    /// Bytes of the buffers that are in use during operations `[at, end)`, and not if they start at
    /// `at + 1`. Linear in the operands.
    pub(super) fn added(&self, at: usize, end: usize) -> u64 {
        match &self.accesses {
            None => self.freed[at + 1] - self.freed[at],
            Some(accesses) => {
                let last = accesses[at].iter().filter(|(_, next)| *next >= end);
                let bytes = |buffer: BufferId| self.program.buffers[buffer.index()].bytes().get();
                last.map(|(buffer, _)| bytes(*buffer)).sum()
            }
        }
    }

    /// Whether the bytes that are live before a position are in use during every group that starts there.
    pub(super) fn counts_live(&self) -> bool {
        self.accesses.is_none()
    }

    /// Bytes of the buffers that become windows of a group, and that one of its operations is the first
    /// to access. Linear in the operands.
    pub(super) fn windows_from(&self, group: &Group<'_>, at: usize) -> u64 {
        let operands = &self.program.operations[at].operands;
        let is_window = |buffer: BufferId| {
            let range = self.ranges[buffer.index()];
            let starts = range.is_some_and(|(first, last)| first == at && last < group.end());
            starts && group.is_tiled(buffer) && !group.is_used_after(buffer)
        };
        let mut bytes = 0;
        for (index, operand) in operands.iter().enumerate() {
            let buffer = operand.buffer;
            let is_first = operands[..index].iter().all(|own| own.buffer != buffer);
            if is_first && is_window(buffer) {
                bytes += self.program.buffers[buffer.index()].bytes().get();
            }
        }
        bytes
    }

    /// Bytes of a buffer that its stages save.
    pub(super) fn saved_by(&self, stream: &Stream) -> u64 {
        let buffer = &self.program.buffers[stream.buffer.index()];
        saved_by_stages(buffer, stream.dimension, stream.rows)
    }

    /// Bytes in use at once if `groups` are executed in tiles.
    pub(super) fn tiled_peak(&self, groups: &[TileGroup]) -> Bytes {
        Bytes::new(self.tiled(groups).into_iter().max().unwrap_or(0))
    }

    /// The groups and operations during which most bytes are in use.
    pub(super) fn widest(&self, groups: &[TileGroup]) -> Vec<(StepId, StepId)> {
        let live = self.tiled(groups);
        let most = live.iter().copied().max();
        let range = |at: usize| {
            let mut ranges = groups
                .iter()
                .map(|group| (group.operations.0, group.operations.1));
            let own = ranges.find(|(first, end)| (first.index()..end.index()).contains(&at));
            own.unwrap_or((StepId::new(at), StepId::new(at + 1)))
        };
        let widest = (0..live.len()).filter(|at| Some(live[*at]) == most);
        let mut ranges: Vec<(StepId, StepId)> = widest.map(range).collect();
        ranges.dedup();
        ranges
    }

    /// Bytes in use during each operation.
    fn tiled(&self, groups: &[TileGroup]) -> Vec<u64> {
        let mut live = self.live.clone();
        for group in groups {
            live[group.operations.0.index()..group.operations.1.index()].fill(group.peak.get());
        }
        live
    }
}

/// For each operation, the private buffers that it accesses, and the position of the next access; the
/// number of operations if there is none.
fn accesses(program: &TileProgram) -> Vec<Vec<(BufferId, usize)>> {
    let n = program.operations.len();
    let mut next = vec![n; program.buffers.len()];
    let mut all = vec![Vec::new(); n];
    for (at, operation) in program.operations.iter().enumerate().rev() {
        for operand in &operation.operands {
            let index = operand.buffer.index();
            // Of several operands, the first one counts.
            if program.buffers[index].is_private && next[index] != at {
                all[at].push((operand.buffer, next[index]));
                next[index] = at;
            }
        }
    }
    all
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

/// Bytes of the buffers whose last access is before each position.
fn freed(program: &TileProgram, ranges: &[Option<(usize, usize)>]) -> Vec<u64> {
    let mut freed = vec![0_u64; program.operations.len() + 1];
    for (buffer, range) in program.buffers.iter().zip(ranges) {
        if let Some((_, last)) = range {
            freed[last + 1] += buffer.bytes().get();
        }
    }
    for at in 1..freed.len() {
        freed[at] += freed[at - 1];
    }
    freed
}

/// Bytes of operands that results of an operation can take over.
fn reused(program: &TileProgram, ranges: &[Option<(usize, usize)>], at: usize) -> u64 {
    let operation = &program.operations[at];
    let bytes = |buffer: BufferId| program.buffers[buffer.index()].bytes().get();
    let starts = |buffer: BufferId| ranges[buffer.index()].is_some_and(|(first, _)| first == at);
    let ends = |buffer: BufferId| ranges[buffer.index()].is_some_and(|(_, last)| last == at);
    let reuse = |write: &TileOperand| {
        let fits = |read: &&TileOperand| {
            read.access == TileAccess::Read
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

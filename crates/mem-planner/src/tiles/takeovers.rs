//! Takeovers: results whose rows take the place of rows of an operand that the tiles have read.
//!
//! A residual block adds its input to its result, and a decoder reads a skip connection whose shape its
//! result has: both buffers exist as a whole while the group runs, although each row of the operand is
//! read before the row of the result with the same number is computed. If nothing reads the operand after
//! the group, the result is written over it, row by row.
//!
//! Networks for microcontrollers do this within one depthwise convolution (Lin et al., MCUNet, NeurIPS
//! 2020), or with an offset between both buffers (Blacker et al., diagonal memory optimisation, 2020).

use mem_model::{Along, BufferId, Bytes, RowMap, Takeover, TileAccess, TileBuffer, TileOperand};

use super::footprint::Keep;
use super::group::{Group, Role};
use super::phases::Phases;
use super::profile::Profile;
use super::schedule::{Progress, Schedule, TileSize, Tiles};
use super::streams;

/// A group with what its peak depends on, besides the size of its tiles.
pub(super) struct Evaluated<'a> {
    pub(super) schedule: Schedule<'a>,
    phases: Phases,
    pairs: Vec<Pair>,
    /// The buffers that may be streamed within a budget.
    staged: Vec<streams::Source>,
}

impl<'a> Evaluated<'a> {
    /// Linear in the operands of the group, times the results that may take the place of one.
    pub(super) fn new(profile: &Profile<'a>, group: &Group<'_>) -> Self {
        let schedule = profile.schedule(group);
        Self {
            pairs: schedule.pairs(profile, group),
            staged: schedule.staged(profile, group),
            phases: profile.phases(group),
            schedule,
        }
    }

    /// A lower bound on the peak: without windows, and with all takeovers and streams that tiles may permit.
    pub(super) fn least(&self) -> u64 {
        let sizes = self.schedule.parts(false).chain([TileSize::of(1)]);
        let streams = sizes.map(|size| self.schedule.saved_by_all_stages(&self.staged, size));
        let taken = self.schedule.bytes(&self.pairs);
        self.phases.peak(taken + streams.max().unwrap_or(0), 0)
    }

    /// The peak with tiles of a size, if windows take `bytes`; estimated from a few tiles.
    pub(super) fn peak(&self, size: TileSize, keep: Keep, bytes: u64) -> u64 {
        let saved = match keep {
            Keep::Recompute => 0,
            _ => self
                .schedule
                .saved(&self.pairs, &self.schedule.tiles_of(size)),
        };
        let streams = self.schedule.saved_by_all_stages(&self.staged, size);
        self.phases.peak(saved + streams, bytes)
    }

    /// The buffers that have to be streamed so that tiles of a size, with windows of `bytes`, stay within a
    /// capacity, and the bytes that are copied for them.
    pub(super) fn streams(
        &self,
        size: TileSize,
        bytes: u64,
        capacity: Bytes,
    ) -> (Vec<BufferId>, u64) {
        let wanted = self.phases.peak(0, bytes).saturating_sub(capacity.get());
        self.schedule.streamed(&self.staged, size, wanted)
    }
}

/// A result and an operand of the same shape, whose place it may take.
pub(super) struct Pair {
    /// The buffer of the result among those of the schedule.
    slot: usize,
    operand: BufferId,
    /// The rows of the operand that tiled operations read, by their position among these.
    readers: Vec<(usize, RowMap)>,
}

/// What the tiled operations of a group read of a buffer that exists before it, and not after it.
struct Source {
    buffer: BufferId,
    readers: Vec<(usize, RowMap)>,
    is_refused: bool,
}

impl Schedule<'_> {
    /// The results of a group that may take the place of an operand, if the tiles read its rows early
    /// enough. Within a budget none may: others may have to be computed from the operand again. Linear in the
    /// operands of the group, times the results.
    pub(super) fn pairs(&self, profile: &Profile<'_>, group: &Group<'_>) -> Vec<Pair> {
        let is_result = |slot: &usize| {
            let own = &self.buffers[*slot];
            let range = profile.ranges[own.buffer.index()];
            !own.is_window && range.is_some_and(|(first, _)| first >= group.first())
        };
        let results: Vec<usize> = (0..self.buffers.len()).filter(is_result).collect();
        if results.is_empty() || !profile.counts_live() {
            return Vec::new();
        }
        let mut sources = dying(profile, group);
        let mut pairs = Vec::new();
        for slot in results {
            let fits = |own: &Source| !own.is_refused && self.fits(slot, own);
            if let Some(at) = sources.iter().position(fits) {
                let source = sources.swap_remove(at);
                pairs.push(Pair {
                    slot,
                    operand: source.buffer,
                    readers: source.readers,
                });
            }
        }
        pairs
    }

    /// Whether the rows of a buffer of the schedule and of an operand are of the same size, and every tile
    /// reads those of the operand before it writes any of the result.
    fn fits(&self, slot: usize, source: &Source) -> bool {
        let own = &self.buffers[slot];
        let is_early = |(at, map): &(usize, RowMap)| {
            map.dimension == own.dimension
                && (*at < own.first || *at == own.first && self.is_elementwise(*at, slot, source))
        };
        let [result, operand] =
            [own.buffer, source.buffer].map(|id| &self.program.buffers[id.index()]);
        have_same_shape(result, operand) && source.readers.iter().all(is_early)
    }

    /// Whether each iteration of an operation reads no other elements of an operand than those of the
    /// result that it writes, and no other iteration reads or writes them.
    fn is_elementwise(&self, at: usize, slot: usize, source: &Source) -> bool {
        let operation = &self.program.operations[self.operations[at].operation];
        let result = self.buffers[slot].buffer;
        let mut written = operation.writes().filter(|own| own.buffer == result);
        let (Some(write), None) = (written.next(), written.next()) else {
            return false;
        };
        let extents = operation.dimensions.iter().map(|own| own.extent);
        let is_injective = extents.zip(&write.along).all(|(extent, along)| {
            let is_single = |map: &RowMap| map.scale == 1 && (map.first, map.last) == (0, 1);
            extent == 1 || matches!(along, Along::Rows(map) if is_single(map))
        });
        let mut reads = operation.operands.iter();
        is_injective && reads.all(|read| read.buffer != source.buffer || read.along == write.along)
    }

    /// Whether the rows of an operand that tiles have not read yet, when some of them have been executed,
    /// are none of the rows of the result that they have written.
    fn is_ahead(&self, pair: &Pair, after: &Progress) -> bool {
        let written = after.rows[pair.slot];
        pair.readers.iter().all(|(at, map)| {
            let next = after.iterations[*at];
            next >= self.operations[*at].extent || map.rows(next, next).0 >= written
        })
    }

    /// Bytes that tiles save that keep rows, by takeovers; estimated from a few tiles. Takes time
    /// proportional to the operations, if there are pairs.
    fn saved(&self, pairs: &[Pair], tiles: &Tiles) -> u64 {
        if pairs.is_empty() {
            return 0;
        }
        let mut between = None;
        let samples: Vec<Progress> = tiles
            .samples()
            .map(|tile| self.before(tiles, tile + 1, &mut between))
            .collect();
        let holds = |pair: &&Pair| samples.iter().all(|after| self.is_ahead(pair, after));
        let saved = pairs.iter().filter(holds);
        saved.map(|pair| self.bytes_of(pair)).sum()
    }

    /// The takeovers that all tiles permit, if they keep rows, and their bytes. Takes time proportional to
    /// tiles times operations.
    pub(super) fn takeovers(&self, mut pairs: Vec<Pair>, tiles: &Tiles) -> (Vec<Takeover>, u64) {
        let mut between = None;
        for tile in 0..tiles.n_tiles {
            if pairs.is_empty() {
                break;
            }
            let after = self.before(tiles, tile + 1, &mut between);
            pairs.retain(|pair| self.is_ahead(pair, &after));
        }
        let takeover = |pair: &Pair| Takeover {
            result: self.buffers[pair.slot].buffer,
            operand: pair.operand,
        };
        let saved = self.bytes(&pairs);
        (pairs.iter().map(takeover).collect(), saved)
    }

    /// Bytes that takeovers save if tiles permit all of them.
    fn bytes(&self, pairs: &[Pair]) -> u64 {
        pairs.iter().map(|pair| self.bytes_of(pair)).sum()
    }

    fn bytes_of(&self, pair: &Pair) -> u64 {
        self.program.buffers[pair.operand.index()].bytes().get()
    }
}

/// The buffers that exist before a group and that nothing accesses after it, as far as its tiles read rows
/// of them. Linear in the operands of the group.
fn dying(profile: &Profile<'_>, group: &Group<'_>) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    let mut tiled = 0;
    for (index, role) in group.roles() {
        for operand in &profile.program.operations[index].operands {
            if !profile.dies_within(operand.buffer, (group.first(), group.end())) {
                continue;
            }
            let known = sources.iter().position(|own| own.buffer == operand.buffer);
            let at = known.unwrap_or_else(|| {
                sources.push(Source {
                    buffer: operand.buffer,
                    readers: Vec::new(),
                    is_refused: false,
                });
                sources.len() - 1
            });
            let source = &mut sources[at];
            match (role, rows_read(operand, role)) {
                (_, Some(map)) => source.readers.push((tiled, map)),
                (Role::Hoisted, _) if operand.access == TileAccess::Read => {}
                _ => source.is_refused = true,
            }
        }
        tiled += usize::from(matches!(role, Role::Tiled(_)));
    }
    sources
}

/// The rows that a tiled operation reads of an operand that it does not write.
fn rows_read(operand: &TileOperand, role: Role) -> Option<RowMap> {
    let Role::Tiled(dimension) = role else {
        return None;
    };
    (operand.access == TileAccess::Read).then(|| operand.rows_along(dimension))?
}

/// Whether two buffers have the same elements.
pub(super) fn have_same_shape(one: &TileBuffer, other: &TileBuffer) -> bool {
    (&one.shape, one.element) == (&other.shape, other.element)
}

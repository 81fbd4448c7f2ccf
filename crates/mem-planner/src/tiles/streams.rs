//! Streams: whole buffers of which tiles access copies of their rows, which engines make beside
//! computation.
//!
//! While a tile is executed, the rows that the next one reads are copied to a stage, and those that the last
//! one has written are copied from another. Both kinds of buffers have two stages, which tiles use by turns.
//!
//! Any rows of a buffer that the group only reads can be copied, those that several tiles read more than once.
//! A result is streamed if each tile overwrites rows of its own, and nothing else in the group accesses them.

use std::collections::BTreeSet;

use mem_model::{BufferId, Range, RowMap, Stream, Tile, TileAccess, TileBuffer};

use super::group::{Group, Role};
use super::profile::Profile;
use super::schedule::{Schedule, TileSize};

/// A buffer that may become a stream.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) buffer: BufferId,
    pub(super) dimension: usize,
    pub(super) is_result: bool,
    /// The rows that tiled operations access, by their position among these.
    pub(super) accesses: Vec<(usize, RowMap)>,
    /// Rows of the whole buffer.
    pub(super) all: i64,
}

impl Source {
    /// The rows that a tile accesses.
    fn rows(&self, tile: &Tile) -> Range {
        let accessed = self.accesses.iter().filter_map(|(at, map)| {
            let own = tile.steps[*at];
            (own.size > 0).then(|| map.rows(own.start, own.start + own.size))
        });
        let hull = accessed.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (start, end) = hull.unwrap_or_default();
        let (start, end) = (start.max(0), end.min(self.all));
        Range {
            start,
            size: end - start,
            advance: 0,
        }
    }

    /// Whether the operations of two alike tiles access the same rows of their stage, which is stream
    /// number `at`.
    pub(super) fn is_fixed(&self, at: usize, own: &Tile, next: &Tile) -> bool {
        let moved = next.streams[at].start - own.streams[at].start;
        let accesses = self.accesses.iter();
        let mut accesses = accesses.map(|(at, map)| (own.steps[*at], next.steps[*at], map));
        accesses
            .all(|(own, next, map)| own.size == 0 || map.scale * (next.start - own.start) == moved)
    }

    /// Whether each tile accesses rows of its own, all of which each of its operations accesses.
    fn is_separate(&self, tiles: &[Tile]) -> bool {
        let mut end = 0;
        for tile in tiles {
            let rows = self.rows(tile);
            if rows.size == 0 {
                continue;
            }
            let is_same = |(at, map): &(usize, RowMap)| {
                let own = tile.steps[*at];
                map.rows(own.start, own.start + own.size) == rows.at(0)
            };
            if rows.start < end || !self.accesses.iter().all(is_same) {
                return false;
            }
            end = rows.at(0).1;
        }
        true
    }
}

/// Bytes of a buffer that two stages of some rows save; none if they would be as large as the buffer.
pub(super) fn saved_by_stages(buffer: &TileBuffer, dimension: usize, rows: i64) -> u64 {
    let stages = buffer.rows_bytes(dimension, rows.saturating_mul(2));
    buffer.bytes().get().saturating_sub(stages.get())
}

impl Schedule<'_> {
    /// The buffers that may be streamed within a budget: those that count for it. Linear in the operands of the
    /// group.
    pub(super) fn staged(&self, profile: &Profile<'_>, group: &Group<'_>) -> Vec<Source> {
        if !profile.may_stream {
            return Vec::new();
        }
        // Before and after the tiles, operations access whole buffers.
        let whole = group
            .roles()
            .filter(|(_, role)| !matches!(role, Role::Tiled(_)));
        let whole = whole.flat_map(|(at, _)| &self.program.operations[at].operands);
        let whole: BTreeSet<BufferId> = whole.map(|operand| operand.buffer).collect();
        let mut sources = self.sources(group);
        sources.retain(|own| {
            profile.ranges[own.buffer.index()].is_some() && !whole.contains(&own.buffer)
        });
        sources
    }

    fn saved_by_stages_of(&self, source: &Source, size: TileSize) -> u64 {
        let buffer = &self.program.buffers[source.buffer.index()];
        let rows = self.stage_rows(source, size);
        rows.map_or(0, |rows| saved_by_stages(buffer, source.dimension, rows))
    }

    /// Bytes that stages of all these buffers save with tiles of a size.
    pub(super) fn saved_by_all_stages(&self, staged: &[Source], size: TileSize) -> u64 {
        let staged = staged.iter();
        staged.map(|own| self.saved_by_stages_of(own, size)).sum()
    }

    /// The buffers whose stages save at least `wanted` bytes, or all, those that save most first, and the bytes
    /// that are copied for them.
    pub(super) fn streamed(
        &self,
        staged: &[Source],
        size: TileSize,
        mut wanted: u64,
    ) -> (Vec<BufferId>, u64) {
        let saved = staged
            .iter()
            .map(|own| (self.saved_by_stages_of(own, size), own));
        let mut order: Vec<(u64, &Source)> = saved.filter(|(saved, _)| *saved > 0).collect();
        order.sort_by_key(|(saved, _)| std::cmp::Reverse(*saved));
        let (mut streamed, mut copied) = (Vec::new(), 0_u64);
        for (saved, own) in order {
            if wanted == 0 {
                break;
            }
            wanted = wanted.saturating_sub(saved);
            streamed.push(own.buffer);
            let all = self.program.buffers[own.buffer.index()].bytes();
            copied = copied.saturating_add(all.get());
        }
        (streamed, copied)
    }

    /// Rows of a stage with tiles of a size, estimated; `None` if two stages would be as large as the buffer.
    pub(super) fn stage_rows(&self, source: &Source, size: TileSize) -> Option<i64> {
        let rows = source.accesses.iter().map(|(at, map)| {
            let iterations = self.iterations_of(*at, size).max(1);
            map.scale * (iterations - 1) + map.last - map.first
        });
        rows.max().filter(|rows| 2 * rows <= source.all)
    }

    /// The buffers of a group that may become streams: those that exist as a whole, and of which operations
    /// that run tile by tile access rows. Linear in the operands of the group.
    pub(super) fn sources(&self, group: &Group<'_>) -> Vec<Source> {
        let mut sources: Vec<Source> = Vec::new();
        let mut refused: Vec<BufferId> = Vec::new();
        let mut at = 0;
        for (index, role) in group.roles() {
            let operation = &self.program.operations[index];
            let Role::Tiled(dimension) = role else {
                // Before or after the tiles, a buffer may be read.
                refused.extend(operation.writes().map(|own| own.buffer));
                continue;
            };
            for operand in &operation.operands {
                let own = &self.program.buffers[operand.buffer.index()];
                let is_write = operand.access != TileAccess::Read;
                let map = operand.rows_along(dimension);
                let known = sources.iter_mut().find(|own| own.buffer == operand.buffer);
                let is_first = known.is_none();
                let is_fine = map.is_some_and(|map| {
                    // A copy is avoided if its source is computed in its target.
                    let is_new = operand.access == TileAccess::Write
                        && operand.covers_rows
                        && !operation.is_copy;
                    let is_known = known
                        .as_ref()
                        .is_none_or(|known| known.dimension == map.dimension);
                    let is_result = known.as_ref().map_or(is_write, |known| known.is_result);
                    let is_right = match is_result {
                        true => map.is_exact() && (!is_first || is_new) && !operation.is_copy,
                        false => !is_write,
                    };
                    is_known && is_right
                });
                let Some(map) = map.filter(|_| is_fine) else {
                    refused.push(operand.buffer);
                    continue;
                };
                match known {
                    Some(known) => known.accesses.push((at, map)),
                    None => sources.push(Source {
                        buffer: operand.buffer,
                        dimension: map.dimension,
                        is_result: is_write,
                        accesses: vec![(at, map)],
                        all: own.shape[map.dimension],
                    }),
                }
            }
            at += 1;
        }
        let windows = self.buffers.iter().filter(|own| own.is_window);
        refused.extend(windows.map(|own| own.buffer));
        sources.retain(|own| !refused.contains(&own.buffer));
        sources
    }

    /// Adds to each tile the rows of the streams that it accesses. Returns the sources that can be streams:
    /// not those whose stages would be as large as the buffer.
    pub(super) fn add_streams(&self, mut sources: Vec<Source>, tiles: &mut [Tile]) -> Vec<Source> {
        sources.retain(|own| {
            let most = tiles.iter().map(|tile| own.rows(tile).size).max();
            let is_small = most.is_some_and(|most| most > 0 && 2 * most <= own.all);
            is_small && (!own.is_result || own.is_separate(tiles))
        });
        for tile in tiles {
            tile.streams = sources.iter().map(|own| own.rows(tile)).collect();
        }
        sources
    }
}

/// The streams of some sources.
pub(super) fn streams_of(sources: &[Source], tiles: &[Tile]) -> Vec<Stream> {
    let stream = |(at, own): (usize, &Source)| {
        let rows = tiles.iter().map(|tile| tile.streams[at].size);
        Stream {
            buffer: own.buffer,
            dimension: own.dimension,
            rows: rows.max().unwrap_or(0),
            is_result: own.is_result,
        }
    };
    sources.iter().enumerate().map(stream).collect()
}

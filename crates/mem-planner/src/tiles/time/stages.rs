//! The time of groups in which engines copy rows of whole buffers tile by tile: which buffers are streamed, and
//! what has room beside their stages.

use mem_model::BufferId;

use super::{Accesses, TimeSearch, Traffic};
use crate::tiles::schedule::{Schedule, TileSize};
use crate::tiles::streams::Source;

/// What it takes to copy rows of a buffer tile by tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Streaming {
    buffer: BufferId,
    /// Bytes of both stages.
    stages: u64,
    /// Copies, and their bytes.
    copies: Accesses,
    is_result: bool,
}

impl TimeSearch<'_> {
    /// What it takes to copy rows of a buffer tile by tile, given the number of tiles and their size. `None` if
    /// the stages would be as large as the buffer.
    pub(super) fn streaming(
        &self,
        source: &Source,
        schedule: &Schedule<'_>,
        (tiles, size): (u64, TileSize),
    ) -> Option<Streaming> {
        let rows = schedule.stage_rows(source, size)?;
        let buffer = &self.profile.program.buffers[source.buffer.index()];
        let bytes = |rows: i64| buffer.rows_bytes(source.dimension, rows).get();
        let mut copies = Accesses::default();
        let tiles = tiles.min(source.all.unsigned_abs());
        // Rows that several tiles read are copied for each of them.
        let shared = source
            .accesses
            .iter()
            .map(|(_, map)| map.last - map.first - map.scale);
        let shared = shared.max().unwrap_or(0).max(0);
        copies.add(
            tiles,
            bytes(source.all).saturating_add(bytes(shared).saturating_mul(tiles)),
        );
        Some(Streaming {
            buffer: source.buffer,
            stages: bytes(2 * rows),
            copies,
            is_result: source.is_result,
        })
    }

    /// Cycles of an engine that copies rows tile by tile. It connects the fastest and the slowest level.
    fn cycles_of_stream(&self, own: &Streaming) -> u64 {
        let (inside, outside) = (&self.fast[0], self.slowest);
        let (from, to) = match own.is_result {
            true => (inside, outside),
            false => (outside, inside),
        };
        own.copies
            .cycles(from.read)
            .saturating_add(own.copies.cycles(to.write))
    }

    /// Cycles of a group whose accesses to windows take `cycles`, and the buffers whose rows are copied tile by
    /// tile. The stages of these get room first, or what stays in a fast level does.
    pub(super) fn cycles_in_room(
        &self,
        cycles: u64,
        buffers: &[Traffic],
        mut room: Vec<u64>,
        stages_first: bool,
    ) -> (u64, Vec<BufferId>) {
        let slow: Vec<u64> = buffers
            .iter()
            .map(|own| self.cycles_at(own, None))
            .collect();
        let mut total = slow.iter().copied().fold(cycles, u64::saturating_add);
        let mut is_fast = vec![false; buffers.len()];
        let (mut copied, mut streamed) = (0_u64, Vec::new());
        for is_for_stages in [stages_first, !stages_first] {
            if is_for_stages {
                // What saves most comes first, until the engine takes longer than everything else.
                let mut order: Vec<usize> = (0..buffers.len()).collect();
                order.sort_by_key(|at| std::cmp::Reverse(slow[*at]));
                for at in order {
                    let own = &buffers[at];
                    let Some(stream) = own.stream.filter(|_| !is_fast[at]) else {
                        continue;
                    };
                    let less = (total - slow[at]).saturating_add(own.cycles(&self.fast[0]));
                    let more = copied.saturating_add(self.cycles_of_stream(&stream));
                    if stream.stages <= room[0] && less.max(more) < total.max(copied) {
                        (total, copied) = (less, more);
                        room[0] -= stream.stages;
                        streamed.push(stream.buffer);
                        is_fast[at] = true;
                    }
                }
                continue;
            }
            for (at, own) in buffers.iter().enumerate().filter(|(_, own)| own.size > 0) {
                let cheaper = |level: &usize| {
                    let cycles = self.cycles_at(own, Some(*level));
                    (own.size <= room[*level] && cycles < slow[at]).then_some((*level, cycles))
                };
                let found = (0..room.len()).find_map(|level| cheaper(&level));
                if let Some((level, cycles)) = found.filter(|_| !is_fast[at]) {
                    room[level] -= own.size;
                    total = total - slow[at] + cycles;
                    is_fast[at] = true;
                }
            }
        }
        (total.max(copied), streamed)
    }
}

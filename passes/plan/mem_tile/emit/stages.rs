//! Stages: rows of whole buffers are copied to them before a tile reads them, and from them after a tile has written
//! them, while other tiles are executed.

use mem_model::{Range, Tile, TileRun, Window};

use super::{Emitter, divided, rows_of};
use crate::ir::{Builder, Op, Type, Value};

/// The rows of each stream that the tiles before and after a tile of a run access, as those of a tile in the
/// same run. See [`TileRun`].
pub(super) fn neighbors(
    runs: &[TileRun],
    (at, nth): (usize, usize),
) -> (Option<Vec<Range>>, Option<Vec<Range>>) {
    let run = &runs[at];
    // Advances matter in loops only, where both neighbors are in the same run.
    let moved = |tile: &Tile, by: i64| {
        let rows = tile.streams.iter().map(|own| Range {
            start: own.at(by).0,
            ..*own
        });
        rows.collect::<Vec<Range>>()
    };
    let is_loop = run.repetitions > 1;
    let last = match nth.checked_sub(1) {
        Some(last) => Some(moved(&run.tiles[last], 0)),
        None if is_loop => run.tiles.last().map(|own| moved(own, -1)),
        None => {
            let other = at.checked_sub(1).map(|at| &runs[at]);
            other.and_then(|run| Some(moved(run.tiles.last()?, run.repetitions - 1)))
        }
    };
    let next = match run.tiles.get(nth + 1) {
        Some(next) => Some(moved(next, 0)),
        None if is_loop => run.tiles.first().map(|own| moved(own, 1)),
        None => runs
            .get(at + 1)
            .and_then(|run| Some(moved(run.tiles.first()?, 0))),
    };
    (last, next)
}

impl Emitter<'_> {
    /// Allocates two stages for each stream.
    pub(super) fn allocate_stages(&mut self, before: Op) -> Option<()> {
        for (at, stream) in self.group.streams.iter().enumerate() {
            let window = Window {
                buffer: stream.buffer,
                dimension: stream.dimension,
                rows: stream.rows,
                kept: 0,
                is_in_place: false,
            };
            let mut stage = || self.allocate(&window, stream.rows, before);
            let stages = [stage()?, stage()?];
            self.streams.insert(stream.buffer, at);
            self.stages.push(stages);
        }
        Some(())
    }

    /// Writes one tile. Meanwhile, the rows that the next one reads are copied to the other stage, and those that
    /// the last one has written from there. The first tile waits for its own rows, the last one for its results.
    pub(super) fn tile_beside_copies(
        &mut self,
        tile: super::Tile<'_>,
        (last, next): (Option<Vec<Range>>, Option<Vec<Range>>),
    ) -> Option<()> {
        let (own, other) = (tile.stage, 1 - tile.stage);
        if last.is_none() {
            self.copy_streams(tile, tile.streams, (own, false), false)?;
        }
        let mut copies = Vec::new();
        if let Some(next) = &next {
            copies.extend(self.copy_streams(tile, next, (other, false), true)?);
        }
        if let Some(last) = &last {
            copies.extend(self.copy_streams(tile, last, (other, true), true)?);
        }
        self.tile(tile)?;
        for copy in copies {
            Builder::new("mem.wait", tile.before.location())
                .operands([copy])
                .before(tile.before);
        }
        if next.is_none() {
            self.copy_streams(tile, tile.streams, (own, true), false)?;
        }
        Some(())
    }

    /// Copies the given rows of each stream to a stage, or from there if they are results. Returns the tokens of
    /// the copies, if these are asynchronous.
    fn copy_streams(
        &self,
        tile: super::Tile<'_>,
        rows: &[Range],
        (stage, are_results): (usize, bool),
        is_async: bool,
    ) -> Option<Vec<Value>> {
        let mut tokens = Vec::new();
        let streams = self.group.streams.iter().zip(rows).enumerate();
        for (at, (stream, rows)) in streams {
            if stream.is_result != are_results || rows.size == 0 {
                continue;
            }
            let root = self.block.roots[stream.buffer.index()];
            let part = (stream.dimension, rows.start, rows.size);
            let whole = divided(tile, root, part, rows.advance)?;
            let own = self.stages[at][stage];
            let own = rows_of(tile.before, own, stream.dimension, 0, rows.size)?;
            let (name, ends) = match are_results {
                true => ("mem.store", [own, whole]),
                false => ("mem.load", [whole, own]),
            };
            let mut copy = Builder::new(name, tile.before.location()).operands(ends);
            if is_async {
                copy = copy.result(Type::parse(tile.before.context(), "!mem.token"));
            }
            let copy = copy.before(tile.before);
            tokens.extend(copy.results().next());
        }
        Some(tokens)
    }
}

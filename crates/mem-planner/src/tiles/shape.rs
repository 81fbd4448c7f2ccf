//! The tiles of a group: which iterations of each operation a tile executes, and which rows of each
//! buffer exist meanwhile.
//!
//! Rows that several tiles need are kept, or computed by each of them. In the latter case, a tile
//! executes the iterations that its own consumers of the rows need, whichever have been executed
//! before.

use mem_model::{Range, RowMap, Stream, Tile, TileRun, Window, WindowRange};

use super::footprint::{Footprint, Keep, Rows};
use super::runs::runs;
use super::schedule::{Progress, Schedule, Step, TileSize, Tiles, needed};
use super::streams::{Source, streams_of};

/// The rows of a window in one tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extent {
    start: i64,
    /// End of the rows that the tile before has computed, at least `start`.
    loaded: i64,
    end: i64,
}

impl Extent {
    /// Adds rows that the tile computes.
    fn widen(&mut self, (start, end): (i64, i64)) {
        let is_empty = self.start == self.end;
        self.start = if is_empty {
            start
        } else {
            self.start.min(start)
        };
        self.end = if is_empty { end } else { self.end.max(end) };
        self.loaded = self.start;
    }
}

/// What a tile executes.
#[derive(Clone, Debug, Default)]
struct Shape {
    /// The iterations `[start, end)` of each operation.
    steps: Vec<(i64, i64)>,
    /// The rows of each window.
    extents: Vec<Extent>,
}

impl Shape {
    fn is_empty(&self) -> bool {
        self.steps.iter().all(|(start, end)| start == end)
    }
}

/// What is known of the later tiles of a group.
struct Later<'a> {
    /// The progress after all tiles.
    end: &'a Progress,
    /// The first iteration that each operation executes in this tile or a later one; `i64::MAX` for
    /// none.
    next: Vec<i64>,
}

impl Schedule<'_> {
    /// The windows whose rows are computed by each tile that needs them: those that operations of the
    /// group read, unless an operation that writes them also writes what is not computed again. Takes
    /// time O(windows · operations), and O(operations) if nothing is computed again.
    fn recomputed(&self, keep: Keep) -> Vec<bool> {
        let is_own = |slot: usize| self.buffers[slot].is_window && self.buffers[slot].is_read;
        let slots = 0..self.buffers.len();
        let mut recomputed: Vec<bool> = slots
            .map(|slot| keep == Keep::Recompute && is_own(slot))
            .collect();
        loop {
            let writes_other =
                |step: &&Step| step.writes.iter().any(|(slot, _)| !recomputed[*slot]);
            let writers = self.operations.iter().filter(writes_other);
            let others = writers.flat_map(|step| &step.writes);
            let excluded: Vec<usize> = others.map(|(slot, _)| *slot).collect();
            if excluded.iter().all(|slot| !recomputed[*slot]) {
                return recomputed;
            }
            excluded.iter().for_each(|slot| recomputed[*slot] = false);
        }
    }

    /// The tile between two states. Of the later ones, what they know is given, and updated. Linear.
    fn shape(
        &self,
        (before, after): (&Progress, &Progress),
        recomputed: &[bool],
        later: &mut Later<'_>,
    ) -> Shape {
        let extent = |slot: usize| {
            let (loaded, end) = (before.rows[slot], after.rows[slot]);
            Extent {
                start: loaded,
                loaded,
                end: if recomputed[slot] {
                    loaded
                } else {
                    end.max(loaded)
                },
            }
        };
        let mut extents: Vec<Extent> = (0..self.buffers.len()).map(extent).collect();
        let mut steps = vec![(0, 0); self.operations.len()];
        for (at, step) in self.operations.iter().enumerate().rev() {
            let is_repeated = step.writes.iter().any(|(slot, _)| recomputed[*slot]);
            let own = match is_repeated {
                true => demanded_by(step, &extents),
                false => (before.iterations[at], after.iterations[at]),
            };
            steps[at] = own;
            if own.0 < own.1 {
                later.next[at] = own.0;
            } else if !is_repeated {
                let next = before.iterations[at];
                let is_left = next < later.end.iterations[at];
                later.next[at] = if is_left { next } else { i64::MAX };
            }
            let rows = |map: RowMap| {
                let (start, end) = map.rows(own.0, own.1);
                (start.max(0), end)
            };
            let repeated = step.reads.iter().chain(&step.writes);
            for (slot, map) in repeated.filter(|(slot, _)| recomputed[*slot] && own.0 < own.1) {
                extents[*slot].widen(rows(*map));
            }
            let next = later.next[at];
            for (slot, map) in step.reads.iter().filter(|(slot, _)| !recomputed[*slot]) {
                if next < i64::MAX {
                    let extent = &mut extents[*slot];
                    extent.start = extent.start.min(map.rows(next, next).0.max(0));
                }
            }
        }
        Shape { steps, extents }
    }

    /// The tiles of a size that execute something.
    fn shapes(&self, size: TileSize, keep: Keep) -> Vec<Shape> {
        let tiles = self.tiles_of(size);
        let mut between = None;
        let states = (0..=tiles.n_tiles).map(|tile| self.before(&tiles, tile, &mut between));
        let progress: Vec<Progress> = states.collect();
        let recomputed = self.recomputed(keep);
        let mut later = Later {
            end: &progress[progress.len() - 1],
            next: vec![i64::MAX; self.operations.len()],
        };
        let pairs = progress.windows(2).rev();
        let shapes = pairs.map(|pair| self.shape((&pair[0], &pair[1]), &recomputed, &mut later));
        let mut shapes: Vec<Shape> = shapes.collect();
        shapes.reverse();
        // Where nothing is kept, operations have nothing to prepare.
        if keep == Keep::Recompute {
            shapes.retain(|shape| !shape.is_empty());
        }
        shapes
    }

    /// All tiles of a size, the windows, the streams of those `sources` that can be one, for runs that are
    /// [`pipelined`](super::runs::pipelined), and the memory that windows take. Takes time proportional to tiles times operations.
    pub(super) fn tiles(
        &self,
        size: TileSize,
        keep: Keep,
        sources: Vec<Source>,
    ) -> (Vec<TileRun>, Vec<Window>, Vec<Stream>, Footprint) {
        let shapes = self.shapes(size, keep);
        let mut windows = vec![(0, 0); self.buffers.len()];
        shapes.iter().for_each(|tile| widen(&mut windows, tile));
        let tiles = shapes
            .iter()
            .enumerate()
            .map(|(at, shape)| self.tile(shape, shapes.get(at + 1)));
        let mut tiles: Vec<Tile> = tiles.collect();
        let sources = self.add_streams(sources, &mut tiles);
        let runs = runs(&tiles, size.parts as usize, |own, next| {
            let mut sources = sources.iter().enumerate();
            self.is_fixed(own, next) && sources.all(|(at, source)| source.is_fixed(at, own, next))
        });
        let streams = streams_of(&sources, &tiles);
        let n_tiles = shapes.len() as i64;
        let (is_in_place, footprint) = self.choose_in_place(&windows, n_tiles, keep);
        let window = |slot: usize| Window {
            buffer: self.buffers[slot].buffer,
            dimension: self.buffers[slot].dimension,
            rows: windows[slot].0,
            kept: windows[slot].1,
            is_in_place: is_in_place[slot],
        };
        let own = (0..windows.len()).filter(|slot| self.buffers[*slot].is_window);
        (runs, own.map(window).collect(), streams, footprint)
    }

    /// Whether the operations of two alike tiles access the same rows of their windows.
    fn is_fixed(&self, own: &Tile, next: &Tile) -> bool {
        let windows = (0..self.buffers.len()).filter(|slot| self.buffers[*slot].is_window);
        let mut advance = vec![None; self.buffers.len()];
        for (slot, (own, next)) in windows.zip(own.windows.iter().zip(&next.windows)) {
            advance[slot] = Some(next.rows.start - own.rows.start);
        }
        let steps = self
            .operations
            .iter()
            .zip(own.steps.iter().zip(&next.steps));
        steps.into_iter().all(|(step, (own, next))| {
            let moved = next.start - own.start;
            let mut accesses = step.reads.iter().chain(&step.writes);
            own.size == 0
                || accesses
                    .all(|(slot, map)| advance[*slot].is_none_or(|rows| rows == map.scale * moved))
        })
    }

    /// The iterations of all operations, each as a part of the iteration space, that the tiles of a
    /// size execute in addition to those of the original operations. Takes time proportional to tiles
    /// times operations.
    pub(super) fn repeated(&self, size: TileSize, keep: Keep) -> u64 {
        if keep != Keep::Recompute {
            return 0;
        }
        let shapes = self.shapes(size, keep);
        let repeated = |(at, step): (usize, &Step)| {
            let executed = shapes.iter().map(|shape| shape.steps[at]);
            let executed: i64 = executed.map(|(start, end)| end - start).sum();
            let extra = (executed - step.extent).max(0).unsigned_abs();
            extra.saturating_mul(self.iterations(step) / step.extent.max(1).unsigned_abs())
        };
        let all = self.operations.iter().enumerate().map(repeated);
        all.fold(0, u64::saturating_add)
    }

    /// The iterations of the operations without tiles.
    pub(super) fn work(&self) -> u64 {
        let all = self.operations.iter().map(|step| self.iterations(step));
        all.fold(0, u64::saturating_add)
    }

    fn iterations(&self, step: &Step) -> u64 {
        let iterations = self.program.operations[step.operation].iterations();
        iterations.unsigned_abs()
    }

    /// Number of tiles of a size, and the rows of each window, estimated from a few tiles. Linear.
    pub(super) fn windows(&self, size: TileSize, keep: Keep) -> (i64, Vec<Rows>) {
        self.windows_of(&self.tiles_of(size), keep)
    }

    /// The same for given tiles.
    pub(super) fn windows_of(&self, tiles: &Tiles, keep: Keep) -> (i64, Vec<Rows>) {
        let mut between = None;
        let end = self.before(tiles, tiles.n_tiles, &mut between);
        let recomputed = self.recomputed(keep);
        let mut windows = vec![(0, 0); self.buffers.len()];
        let mut before: Option<(i64, Progress)> = None;
        for tile in tiles.samples() {
            let known = before.take().filter(|(at, _)| *at == tile);
            let from = match known {
                Some((_, known)) => known,
                None => self.before(tiles, tile, &mut between),
            };
            let after = self.before(tiles, tile + 1, &mut between);
            let mut later = Later {
                end: &end,
                next: vec![i64::MAX; self.operations.len()],
            };
            let shape = self.shape((&from, &after), &recomputed, &mut later);
            widen(&mut windows, &shape);
            before = Some((tile + 1, after));
        }
        (tiles.n_tiles, windows)
    }

    /// A tile that is not repeated, given the one after it.
    fn tile(&self, shape: &Shape, next: Option<&Shape>) -> Tile {
        let step = |(start, end): &(i64, i64)| Range {
            start: *start,
            size: end - start,
            advance: 0,
        };
        let window = |slot: usize| {
            let extent = shape.extents[slot];
            let next = next.map(|next| next.extents[slot]);
            let saved = next.map_or(0, |next| next.loaded - next.start);
            WindowRange {
                rows: Range {
                    start: extent.start,
                    size: extent.end - extent.start,
                    advance: 0,
                },
                loaded: extent.loaded - extent.start,
                saved,
                saved_from: next
                    .filter(|_| saved > 0)
                    .map_or(0, |next| next.start - extent.start),
            }
        };
        let own = (0..self.buffers.len()).filter(|slot| self.buffers[*slot].is_window);
        Tile {
            steps: shape.steps.iter().map(step).collect(),
            windows: own.map(window).collect(),
            streams: Vec::new(),
        }
    }
}

/// The iterations of an operation that compute the given rows of what it writes.
fn demanded_by(step: &Step, extents: &[Extent]) -> (i64, i64) {
    let demands = step.writes.iter().filter_map(|(slot, map)| {
        let Extent { start, end, .. } = extents[*slot];
        let first = (start - map.last).div_euclid(map.scale) + 1;
        let own = (first.max(0), needed(*map, end).min(step.extent));
        (start < end && own.0 < own.1).then_some(own)
    });
    let joined = demands.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    joined.unwrap_or_default()
}

/// Enlarges windows to the rows of one tile.
fn widen(windows: &mut [Rows], shape: &Shape) {
    for ((rows, kept), extent) in windows.iter_mut().zip(&shape.extents) {
        *rows = (*rows).max(extent.end - extent.start);
        *kept = (*kept).max(extent.loaded - extent.start);
    }
}

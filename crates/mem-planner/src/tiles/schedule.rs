//! The tiles of a group: which iterations of each operation a tile executes, and which rows of each
//! buffer exist meanwhile.
//!
//! A tile executes the next iterations of the anchor. The other operations execute as many
//! iterations as the anchor needs, and none twice: rows that a later tile needs again are kept. So
//! the *progress* of an operation, the number of iterations executed so far, is a function of the
//! progress of the anchor. All rows before the progress of a buffer have been computed.

use mem_model::{
    BufferId, Range, RowMap, StepId, TileAccess, TileProgram, TileRun, TiledOperation, Window,
    WindowRange,
};

use super::footprint::{Footprint, Keep};
use super::group::{Group, Role};
use super::tuning;

/// The tiled operations of a group, and the buffers that they write.
pub(super) struct Schedule<'a> {
    pub(super) program: &'a TileProgram,
    pub(super) operations: Vec<Step>,
    pub(super) buffers: Vec<Slot>,
}

/// A tiled operation.
pub(super) struct Step {
    operation: usize,
    dimension: usize,
    extent: i64,
    /// Accesses to buffers that the group writes.
    pub(super) reads: Vec<(usize, RowMap)>,
    pub(super) writes: Vec<(usize, RowMap)>,
    /// Whether the anchor needs the results. Other operations follow their operands.
    leads: bool,
}

/// A buffer that the group writes tile by tile.
pub(super) struct Slot {
    pub(super) buffer: BufferId,
    pub(super) dimension: usize,
    /// Whether only the rows that a tile needs exist.
    pub(super) is_window: bool,
    /// End of the rows that the group writes.
    end: i64,
    /// The first and the last tiled operation that accesses the buffer.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Fewer rows or iterations than any operation needs, which leaves room for arithmetic.
const NOTHING: i64 = i64::MIN / 8;

/// The number of iterations that access all rows before `row`; negative if the first iteration would
/// be needed for a later row only.
fn needed(map: RowMap, row: i64) -> i64 {
    if row <= NOTHING / 2 {
        return NOTHING;
    }
    let missing = row - map.last;
    1 + missing.div_euclid(map.scale) + i64::from(missing.rem_euclid(map.scale) != 0)
}

/// The state after a tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Progress {
    /// Iterations executed, for each operation.
    iterations: Vec<i64>,
    /// Rows computed, for each buffer.
    rows: Vec<i64>,
}

/// The rows of a window in one tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extent {
    start: i64,
    /// End of the rows that the tile before has computed, at least `start`.
    loaded: i64,
    end: i64,
}

impl<'a> Schedule<'a> {
    /// The schedule of a group. `is_within` tells whether all accesses to a buffer are in the group.
    pub(super) fn new(
        program: &'a TileProgram,
        group: &Group<'_>,
        is_within: impl Fn(BufferId) -> bool,
    ) -> Self {
        let mut slots: Vec<Slot> = Vec::new();
        let mut operations = Vec::new();
        for (at, role) in group.roles() {
            let Role::Tiled(dimension) = role else {
                continue;
            };
            let operation = &program.operations[at];
            let mut step = Step {
                operation: at,
                dimension,
                extent: operation.dimensions[dimension].extent,
                reads: Vec::new(),
                writes: Vec::new(),
                leads: false,
            };
            for operand in &operation.operands {
                let Some(rows) = operand.rows_along(dimension) else {
                    continue;
                };
                let Some(along) = group.row_dimension(operand.buffer) else {
                    continue;
                };
                let known = slots.iter().position(|slot| slot.buffer == operand.buffer);
                let slot = known.unwrap_or_else(|| {
                    slots.push(Slot {
                        buffer: operand.buffer,
                        dimension: along,
                        is_window: is_within(operand.buffer),
                        end: 0,
                        first: operations.len(),
                        last: 0,
                    });
                    slots.len() - 1
                });
                slots[slot].last = operations.len();
                if operand.access != TileAccess::Read {
                    step.writes.push((slot, rows));
                    slots[slot].end = slots[slot].end.max(rows.rows(0, step.extent).1);
                }
                if operand.access == TileAccess::Read {
                    step.reads.push((slot, rows));
                }
            }
            operations.push(step);
        }
        let mut schedule = Self {
            program,
            operations,
            buffers: slots,
        };
        schedule.find_leaders();
        schedule
    }

    fn find_leaders(&mut self) {
        let mut is_needed = vec![false; self.buffers.len()];
        let anchor = self.operations.len() - 1;
        for (at, step) in self.operations.iter_mut().enumerate().rev() {
            step.leads = at == anchor || step.writes.iter().any(|(slot, _)| is_needed[*slot]);
            if step.leads {
                let accessed = step.reads.iter().chain(&step.writes);
                accessed.for_each(|(slot, _)| is_needed[*slot] = true);
            }
        }
    }

    /// Iterations of the anchor.
    pub(super) fn extent(&self) -> i64 {
        self.operations.last().map_or(0, |anchor| anchor.extent)
    }

    /// The progress when the anchor has executed `anchor` iterations. Linear.
    ///
    /// The anchor starts when its operands are available. Before that, with a negative `anchor`, the
    /// others advance as they do later, so that the first tiles are not larger than the others:
    /// progress is linear until it reaches an end of an iteration space.
    fn progress(&self, anchor: i64) -> Progress {
        let is_last = anchor >= self.extent();
        // At the end, buffers that outlive the group are complete.
        let demanded = |slot: &Slot| match is_last && !slot.is_window {
            true => slot.end,
            false => NOTHING,
        };
        let mut rows: Vec<i64> = self.buffers.iter().map(demanded).collect();
        let mut iterations = vec![0; self.operations.len()];
        let last = self.operations.len() - 1;
        for (at, step) in self.operations.iter().enumerate().rev() {
            if !step.leads && !is_last {
                continue;
            }
            let wanted = step
                .writes
                .iter()
                .map(|(slot, map)| needed(*map, rows[*slot]));
            let wanted = wanted.max().unwrap_or(NOTHING);
            let own = match (at == last, step.leads) {
                (true, _) => wanted.max(anchor),
                (false, true) => wanted,
                (false, false) => step.extent,
            };
            let own = own.min(step.extent);
            iterations[at] = own;
            for (slot, map) in step.writes.iter().chain(&step.reads) {
                rows[*slot] = rows[*slot].max(map.scale * (own - 1) + map.last);
            }
        }
        iterations.iter_mut().for_each(|own| *own = (*own).max(0));
        rows.iter_mut().for_each(|own| *own = (*own).max(0));
        if !is_last {
            self.follow(&mut iterations, &mut rows);
        }
        Progress { iterations, rows }
    }

    /// Number of tiles of `size` iterations of the anchor before its own first one. Takes a
    /// logarithmic number of evaluations of the progress.
    fn lead(&self, size: i64) -> i64 {
        let is_idle = |tiles: i64| {
            let progress = self.progress(-tiles * size);
            progress.iterations.iter().all(|own| *own == 0)
        };
        let mut most = 1;
        while !is_idle(most) && most < tuning::MAX_LEAD {
            most *= 2;
        }
        let mut least = most / 2;
        if most == 1 && is_idle(0) {
            return 0;
        }
        while most - least > 1 {
            let middle = least.midpoint(most);
            match is_idle(middle) {
                true => most = middle,
                false => least = middle,
            }
        }
        most
    }

    /// Number of tiles of `size` iterations of the anchor, if `lead` of them precede its first one.
    fn n_tiles(&self, size: i64, lead: i64) -> i64 {
        lead + (self.extent() + size - 1) / size
    }

    /// The position of the anchor before a tile, if `lead` tiles precede its first iteration.
    fn position(&self, tile: i64, lead: i64, size: i64) -> i64 {
        ((tile - lead) * size).min(self.extent())
    }

    /// Lets operations that the anchor does not need execute what their operands permit. All writers
    /// of a buffer advance together.
    fn follow(&self, iterations: &mut [i64], rows: &mut [i64]) {
        let follows = |step: &&Step| !step.leads;
        let all = || self.operations.iter().filter(follows);
        // What depends on no buffer of the group waits for the last tile.
        for step in all().filter(|step| !step.reads.is_empty()) {
            for (slot, _) in &step.writes {
                rows[*slot] = self.buffers[*slot].end;
            }
        }
        for step in all() {
            let permitted = step.reads.iter();
            let permitted = permitted.map(|(slot, map)| map.iterations_within(rows[*slot]));
            let own = permitted.min().unwrap_or(step.extent).min(step.extent);
            for (slot, map) in step.writes.iter().filter(|_| own < step.extent) {
                // Nothing is written before the first operand is available.
                let reached = if own > 0 { map.rows(0, own).1 } else { 0 };
                rows[*slot] = rows[*slot].min(reached.max(0));
            }
        }
        for (at, step) in self.operations.iter().enumerate() {
            if step.leads {
                continue;
            }
            let written = step.writes.iter();
            let written = written.map(|(slot, map)| map.iterations_within(rows[*slot]));
            iterations[at] = written.min().unwrap_or(0).min(step.extent);
        }
    }

    /// The rows of each window in the tile between two states.
    fn extents(&self, before: &Progress, after: &Progress, end: &Progress) -> Vec<Extent> {
        let mut extents: Vec<Extent> = Vec::with_capacity(self.buffers.len());
        for slot in 0..self.buffers.len() {
            let (loaded, end) = (before.rows[slot], after.rows[slot]);
            extents.push(Extent {
                start: loaded,
                loaded,
                end: end.max(loaded),
            });
        }
        for (at, step) in self.operations.iter().enumerate() {
            let next = before.iterations[at];
            if next >= end.iterations[at] {
                continue;
            }
            for (slot, map) in &step.reads {
                let extent = &mut extents[*slot];
                extent.start = extent.start.min(map.rows(next, next).0.max(0));
            }
        }
        extents
    }

    /// The operations, as the plan states them.
    pub(super) fn tiled(&self) -> Vec<TiledOperation> {
        let operation = |step: &Step| TiledOperation {
            operation: StepId::new(step.operation),
            dimension: step.dimension,
        };
        self.operations.iter().map(operation).collect()
    }

    /// All tiles of `size` iterations of the anchor, the windows, and the memory that they take.
    /// Takes time proportional to tiles times operations.
    pub(super) fn tiles(&self, size: i64, keep: Keep) -> (Vec<TileRun>, Vec<Window>, Footprint) {
        let lead = self.lead(size);
        let n_tiles = self.n_tiles(size, lead);
        let states = (0..=n_tiles).map(|tile| self.progress(self.position(tile, lead, size)));
        let progress: Vec<Progress> = states.collect();
        let end = &progress[progress.len() - 1];
        let pairs = progress.windows(2);
        let extents = pairs.map(|pair| self.extents(&pair[0], &pair[1], end));
        let extents: Vec<Vec<Extent>> = extents.collect();
        let mut windows = vec![(0, 0); self.buffers.len()];
        extents.iter().for_each(|tile| widen(&mut windows, tile));
        let shape = |tile: usize| self.run(&progress, &extents, tile);
        let mut runs: Vec<TileRun> = Vec::new();
        for tile in 0..extents.len() {
            let next = shape(tile);
            let is_repeated = runs.last_mut().is_some_and(|run| continues(run, &next));
            match runs.last_mut() {
                Some(run) if is_repeated => run.tiles += 1,
                _ => runs.push(next),
            }
        }
        let (is_in_place, footprint) = self.choose_in_place(&windows, n_tiles, keep);
        let window = |slot: usize| Window {
            buffer: self.buffers[slot].buffer,
            dimension: self.buffers[slot].dimension,
            rows: windows[slot].0,
            kept: windows[slot].1,
            is_in_place: is_in_place[slot],
        };
        let own = (0..windows.len()).filter(|slot| self.buffers[*slot].is_window);
        (runs, own.map(window).collect(), footprint)
    }

    /// Number of tiles of `size` iterations of the anchor, and the rows of each window, as the most
    /// rows and the most kept rows, estimated from a few tiles. Linear.
    pub(super) fn windows(&self, size: i64) -> (i64, Vec<(i64, i64)>) {
        let end = self.progress(self.extent());
        let lead = self.lead(size);
        let n_tiles = self.n_tiles(size, lead);
        let mut windows = vec![(0, 0); self.buffers.len()];
        let samples = n_tiles.min(tuning::SAMPLED_TILES);
        for sample in 0..samples {
            let tile = sample * n_tiles / samples;
            let [before, after] =
                [tile, tile + 1].map(|tile| self.progress(self.position(tile, lead, size)));
            widen(&mut windows, &self.extents(&before, &after, &end));
        }
        (n_tiles, windows)
    }

    /// A run of one tile.
    fn run(&self, progress: &[Progress], extents: &[Vec<Extent>], tile: usize) -> TileRun {
        let (before, after) = (&progress[tile], &progress[tile + 1]);
        let steps = before.iterations.iter().zip(&after.iterations);
        let step = |(start, end): (&i64, &i64)| Range {
            start: *start,
            size: end - start,
            advance: 0,
        };
        let own = self
            .buffers
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.is_window);
        let window = |(slot, _): (usize, &Slot)| {
            let extent = extents[tile][slot];
            let next = extents.get(tile + 1).map(|next| next[slot]);
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
        TileRun {
            tiles: 1,
            steps: steps.map(step).collect(),
            windows: own.map(window).collect(),
        }
    }
}

/// Enlarges windows to the rows of one tile.
fn widen(windows: &mut [(i64, i64)], extents: &[Extent]) {
    for ((rows, kept), extent) in windows.iter_mut().zip(extents) {
        *rows = (*rows).max(extent.end - extent.start);
        *kept = (*kept).max(extent.loaded - extent.start);
    }
}

/// Whether a tile continues a run. Determines the advance of a run of one tile.
fn continues(run: &mut TileRun, next: &TileRun) -> bool {
    let is_same_window = |(own, next): (&WindowRange, &WindowRange)| {
        own.rows.size == next.rows.size
            && (own.loaded, own.saved, own.saved_from) == (next.loaded, next.saved, next.saved_from)
    };
    let is_same = run
        .steps
        .iter()
        .zip(&next.steps)
        .all(|(own, next)| own.size == next.size)
        && run.windows.iter().zip(&next.windows).all(is_same_window);
    if !is_same {
        return false;
    }
    let pairs = |run: &TileRun, next: &TileRun| -> Vec<(Range, Range)> {
        let steps = run.steps.iter().copied().zip(next.steps.iter().copied());
        let windows = run.windows.iter().zip(&next.windows);
        steps
            .chain(windows.map(|(own, next)| (own.rows, next.rows)))
            .collect()
    };
    if run.tiles == 1 {
        for (own, next) in run.steps.iter_mut().zip(&next.steps) {
            own.advance = next.start - own.start;
        }
        for (own, next) in run.windows.iter_mut().zip(&next.windows) {
            own.rows.advance = next.rows.start - own.rows.start;
        }
        return true;
    }
    let tiles = run.tiles;
    let follows = |(own, next): (Range, Range)| own.at(tiles).0 == next.start;
    pairs(run, next).into_iter().all(follows)
}

//! The schedule of a group: how far each operation is before and after each tile.
//!
//! A tile executes the next iterations of the anchor. In smaller tiles, an iteration takes several
//! tiles: the last of them executes it, and those before compute a part of the rows that it needs.
//! The other operations execute as many iterations as the anchor needs, and none twice if rows that a
//! later tile needs again are kept. So the *progress* of an operation, the number of iterations
//! executed so far, is a function of the *position*, the number of iterations of the anchor or,
//! between two of them, a fraction. All rows before the progress of a buffer have been computed.

use mem_model::{BufferId, RowMap, StepId, TileAccess, TileProgram, TiledOperation};

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
    pub(super) operation: usize,
    dimension: usize,
    pub(super) extent: i64,
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
    /// Whether operations of the group read the buffer.
    pub(super) is_read: bool,
    /// End of the rows that the group writes.
    end: i64,
    /// The rows that one of the operations writes without gaps, with the most rows in an iteration;
    /// those of others are aligned to them.
    writer: Option<RowMap>,
    /// The first and the last tiled operation that accesses the buffer.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Fewer rows or iterations than any operation needs, which leaves room for arithmetic.
const NOTHING: i64 = i64::MIN / 8;

/// The number of iterations that write all their rows before `row`; negative if the first iteration
/// would be needed for a later row only.
pub(super) fn needed(map: RowMap, row: i64) -> i64 {
    if row <= NOTHING / 2 {
        return NOTHING;
    }
    let missing = row - map.first;
    missing.div_euclid(map.scale) + i64::from(missing.rem_euclid(map.scale) != 0)
}

/// The iterations of the anchor from one tile to the next: `iterations / parts`. One of both is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileSize {
    pub(super) iterations: i64,
    /// Number of tiles that an iteration of the anchor takes.
    pub(super) parts: i64,
}

impl TileSize {
    /// A number of iterations.
    pub(super) const fn of(iterations: i64) -> Self {
        Self {
            iterations,
            parts: 1,
        }
    }

    /// A part of an iteration.
    pub(super) const fn part(parts: i64) -> Self {
        Self {
            iterations: 1,
            parts,
        }
    }

    /// About twice as large.
    pub(super) const fn doubled(self) -> Self {
        match self.parts {
            1 => Self::of(self.iterations * 2),
            parts => Self::part(parts / 2),
        }
    }
}

/// The tiles of one size.
#[derive(Clone, Copy)]
pub(super) struct Tiles {
    pub(super) size: TileSize,
    /// Number of tiles before the first iteration of the anchor.
    lead: i64,
    /// Number of all tiles.
    pub(super) n_tiles: i64,
}

/// The state after a tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Iterations executed, for each operation.
    pub(super) iterations: Vec<i64>,
    /// Rows computed, for each buffer.
    pub(super) rows: Vec<i64>,
}

/// The rows that are computed before an iteration of the anchor, and after it.
pub(super) struct Between {
    anchor: i64,
    /// If iteration spaces and buffers had no ends.
    from: Vec<i64>,
    to: Vec<i64>,
    /// After the iteration, with ends.
    most: Vec<i64>,
}

impl Tiles {
    /// Some tiles that stand for all: all parts of some iterations, because these differ more than
    /// iterations do, and the last tile, which executes what waits for it.
    pub(super) fn samples(&self) -> impl Iterator<Item = i64> + use<> {
        let (n_tiles, parts) = (self.n_tiles, self.size.parts);
        let samples = (n_tiles / parts).clamp(1, tuning::SAMPLED_TILES);
        let starts = (0..samples).map(move |sample| sample * n_tiles / samples);
        let own = starts.flat_map(move |first| first..n_tiles.min(first + parts));
        let last = (samples - 1) * n_tiles / samples + parts;
        own.chain((last < n_tiles).then_some(n_tiles - 1))
    }
}

impl<'a> Schedule<'a> {
    /// The schedule of a group. `is_window` tells whether all accesses to a buffer are by its tiles.
    pub(super) fn new(
        program: &'a TileProgram,
        group: &Group<'_>,
        is_window: impl Fn(BufferId) -> bool,
    ) -> Self {
        let mut slots: Vec<Slot> = Vec::new();
        let mut slot_of: Vec<Option<usize>> = vec![None; program.buffers.len()];
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
                let slot = *slot_of[operand.buffer.index()].get_or_insert_with(|| {
                    slots.push(Slot {
                        buffer: operand.buffer,
                        dimension: along,
                        is_window: is_window(operand.buffer),
                        is_read: false,
                        end: 0,
                        writer: None,
                        first: operations.len(),
                        last: 0,
                    });
                    slots.len() - 1
                });
                slots[slot].last = operations.len();
                if operand.access != TileAccess::Read {
                    step.writes.push((slot, rows));
                    slots[slot].end = slots[slot].end.max(rows.rows(0, step.extent).1);
                    let coarsest = slots[slot].writer.map_or(0, |own| own.scale);
                    if rows.is_exact() && rows.scale > coarsest {
                        slots[slot].writer = Some(rows);
                    }
                }
                if operand.access == TileAccess::Read {
                    slots[slot].is_read = true;
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

    /// Iterations that a tile of a size executes of an operation, but for those at the borders; estimated.
    pub(super) fn iterations_of(&self, at: usize, size: TileSize) -> i64 {
        let anchor = self.extent().max(1).saturating_mul(size.parts);
        let own = self.operations[at].extent.saturating_mul(size.iterations);
        (own + anchor - 1) / anchor
    }

    /// The sizes of less than one iteration of the anchor, the smallest first; if not `finely`, each
    /// about twice as large as the one before.
    pub(super) fn parts(&self, finely: bool) -> impl Iterator<Item = TileSize> {
        let extent = self.extent().max(1);
        let leading = self.operations.iter().filter(|step| step.leads);
        let parts = leading.map(|step| (step.extent + extent - 1) / extent);
        let next = move |parts: i64| if finely { parts - 1 } else { parts / 2 };
        let parts = std::iter::successors(parts.max(), move |own| Some(next(*own)));
        parts.take_while(|own| *own > 1).map(TileSize::part)
    }

    /// The progress when the anchor has executed `anchor` iterations and at least the given rows have
    /// been computed, perhaps less than none. Linear.
    ///
    /// The anchor starts when its operands are available. Before that, with a negative `anchor`, the
    /// others advance as they do later, so that the first tiles are not larger than the others:
    /// progress is linear until it reaches an end of an iteration space.
    ///
    /// If it `is_endless`, the operations execute more iterations than they have, if needed.
    fn demanded(&self, anchor: i64, mut rows: Vec<i64>, is_endless: bool) -> Progress {
        let is_last = anchor >= self.extent();
        if is_last {
            // At the end, buffers that outlive the group are complete.
            for (slot, rows) in self.buffers.iter().zip(&mut rows) {
                *rows = if slot.is_window { *rows } else { slot.end };
            }
        }
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
            let own = if is_endless {
                own
            } else {
                own.min(step.extent)
            };
            iterations[at] = own;
            for (slot, map) in step.writes.iter().chain(&step.reads) {
                rows[*slot] = rows[*slot].max(map.scale * (own - 1) + map.last);
            }
        }
        Progress { iterations, rows }
    }

    /// The progress at a position in `parts` of iterations of the anchor. Between two iterations, rows
    /// are computed evenly. They are never more than the next iteration needs, so progress is
    /// monotonic. `between` holds what is known of the last position between two iterations. Linear.
    fn progress(&self, position: i64, parts: i64, between: &mut Option<Between>) -> Progress {
        let (anchor, part) = (position.div_euclid(parts), position.rem_euclid(parts));
        let rows = match part {
            0 => self.nothing(),
            _ => {
                let known = between.take().filter(|own| own.anchor == anchor);
                let own = between.insert(known.unwrap_or_else(|| self.between(anchor)));
                let evenly = |slot: usize| {
                    let (from, to) = (own.from[slot], own.to[slot]);
                    let writer = self.buffers[slot].writer.filter(|_| from > NOTHING / 2);
                    // Iterations of the operations that write the rows are executed as a whole.
                    writer.map_or(NOTHING, |map| {
                        let row = (from + (to - from) * part / parts).min(own.most[slot]);
                        map.last + (row - map.last).div_euclid(map.scale) * map.scale
                    })
                };
                (0..self.buffers.len()).map(evenly).collect()
            }
        };
        let mut state = self.demanded(anchor, rows, false);
        let Progress { iterations, rows } = &mut state;
        iterations.iter_mut().for_each(|own| *own = (*own).max(0));
        rows.iter_mut().for_each(|own| *own = (*own).max(0));
        if anchor < self.extent() {
            self.follow(iterations, rows);
        }
        state
    }

    fn nothing(&self) -> Vec<i64> {
        vec![NOTHING; self.buffers.len()]
    }

    fn between(&self, anchor: i64) -> Between {
        let rows = |anchor, is_endless| self.demanded(anchor, self.nothing(), is_endless).rows;
        Between {
            anchor,
            from: rows(anchor, true),
            to: rows(anchor + 1, true),
            most: rows(anchor + 1, false),
        }
    }

    /// The tiles of one size. Takes a logarithmic number of evaluations of the progress.
    pub(super) fn tiles_of(&self, size: TileSize) -> Tiles {
        let lead = self.lead(size);
        let TileSize { iterations, parts } = size;
        Tiles {
            size,
            lead,
            n_tiles: lead + (self.extent() * parts + iterations - 1) / iterations,
        }
    }

    /// Number of operations in tiles that are not part of a loop, at most: those before the first
    /// iteration of the anchor.
    pub(super) fn code(&self, tiles: &Tiles) -> i64 {
        tiles.lead.saturating_mul(self.operations.len() as i64)
    }

    /// Number of tiles before the first iteration of the anchor.
    fn lead(&self, size: TileSize) -> i64 {
        let is_idle = |tiles: i64| {
            let progress = self.progress(-tiles * size.iterations, size.parts, &mut None);
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

    /// The progress before a tile. `between` is carried from one tile to the next.
    pub(super) fn before(
        &self,
        tiles: &Tiles,
        tile: i64,
        between: &mut Option<Between>,
    ) -> Progress {
        let TileSize { iterations, parts } = tiles.size;
        let position = (tile - tiles.lead) * iterations;
        self.progress(position.min(self.extent() * parts), parts, between)
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
        let permitted = |step: &Step, rows: &[i64]| {
            let reads = step.reads.iter();
            let own = reads.map(|(slot, map)| map.iterations_within(rows[*slot]));
            own.min().unwrap_or(step.extent).min(step.extent)
        };
        for step in all() {
            let own = permitted(step, rows);
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
            // Sums are no rows. Those of no buffer of the group wait for the last tile.
            let sums = || match step.reads.is_empty() {
                true => 0,
                false => permitted(step, rows),
            };
            let own = written.min().unwrap_or_else(sums);
            iterations[at] = own.min(step.extent);
        }
    }

    /// The operations, as the plan states them.
    pub(super) fn tiled(&self) -> Vec<TiledOperation> {
        let operation = |step: &Step| TiledOperation {
            operation: StepId::new(step.operation),
            dimension: step.dimension,
        };
        self.operations.iter().map(operation).collect()
    }
}

//! Writes the tiles of a group to the IR: the original operations on views of windows, in loops.

mod stages;

use rustc_hash::FxHashMap as HashMap;

use mem_model::{Along, BufferId, Range, RowMap, StepId, TileGroup, Window, WindowRange};

use crate::extract::tiles::TileBlock;
use crate::extract::views::TileView;
use crate::ir::{
    Builder, Op, Value, binary, constant_index, counted_loop, identity_memref, memref_layout, slice,
};

use stages::neighbors;

use super::place::Place;

/// A copy of an operation in a tile: which operation it is, and its first iteration in the tile.
#[derive(Clone, Copy)]
pub(super) struct Clone {
    pub step: StepId,
    pub dimension: usize,
    pub iterations: Range,
}

/// Storage for some rows of a buffer: a window, or the rows that are kept between tiles.
#[derive(Clone, Copy)]
pub(super) struct Storage {
    pub value: Value,
    /// The dimension that is divided.
    pub dimension: usize,
}

/// The tiles of a group, as written to the IR.
pub(super) struct Emitted {
    pub storages: Vec<Storage>,
    pub clones: HashMap<Op, Clone>,
    /// The first operation that was written. The others follow up to the last one of the group.
    pub start: Op,
    /// What follows the group. Operations that are executed after the tiles precede it.
    pub after: Op,
}

/// The tile that is being written.
#[derive(Clone, Copy)]
struct Tile<'a> {
    steps: &'a [Range],
    windows: &'a [WindowRange],
    /// The rows that it accesses of each stream.
    streams: &'a [Range],
    /// Which of both stages it accesses.
    stage: usize,
    /// Operations are inserted before this one.
    before: Op,
    /// Number of the repetition of the run, in a loop.
    index: Option<Value>,
}

/// The rows `[start, end)` of a buffer that an operation accesses in the first repetition of a run.
#[derive(Clone, Copy)]
struct Rows {
    dimension: usize,
    start: i64,
    end: i64,
    /// Distance between the starts in successive repetitions.
    advance: i64,
}

impl Rows {
    const fn new(map: RowMap, iterations: Range) -> Self {
        let (start, end) = map.rows(iterations.start, iterations.start + iterations.size);
        Self {
            dimension: map.dimension,
            start,
            end,
            advance: map.scale * iterations.advance,
        }
    }
}

struct Emitter<'a> {
    block: &'a TileBlock,
    group: &'a TileGroup,
    slots: HashMap<BufferId, usize>,
    /// For each window, the buffer that exists from the first tile to the last: for the rows that are
    /// kept between tiles, or the window itself if they are kept in place.
    kept: Vec<Option<Value>>,
    /// The windows of the current tile. If rows are not kept in place, every tile has windows of its
    /// own, whose contents do not outlive it.
    windows: Vec<Option<Value>>,
    /// The streams, by buffer, and the stages of each.
    streams: HashMap<BufferId, usize>,
    stages: Vec<[Value; 2]>,
    storages: Vec<Storage>,
    clones: HashMap<Op, Clone>,
}

/// Writes the tiles of a group before the last of its operations. The original operations stay; those that
/// are executed after the tiles are moved there. `None` if a view cannot be divided; nothing is written then.
pub(super) fn emit(block: &TileBlock, group: &TileGroup) -> Option<Emitted> {
    let anchor = block.ops[group.operations.1.index() - 1];
    let after = anchor.next()?;
    // An operation of its own marks the start, so that there is one even if nothing else is written.
    let start = constant_index(anchor, 0).owner()?;
    let emitted = emit_from(block, group, (start, after));
    if emitted.is_some() {
        sink(block, group, (start, after));
    } else {
        let written = std::iter::successors(Some(start), |op| op.next());
        let written: Vec<Op> = written.take_while(|op| *op != anchor).collect();
        written.into_iter().rev().for_each(Op::erase);
    }
    emitted
}

/// The first operation of a group or of its tiles, which precede the last operation of the group.
pub(super) fn first_of(block: &TileBlock, group: &TileGroup, start: Op) -> Op {
    let (first, end) = (group.operations.0.index(), group.operations.1.index());
    if first + 1 < end {
        block.ops[first]
    } else {
        start
    }
}

/// Moves operations that are executed after the tiles there, with those that use their results.
fn sink(block: &TileBlock, group: &TileGroup, (start, after): (Op, Op)) {
    let sunk = group.sunk.iter().map(|step| block.ops[step.index()]);
    let sunk: Vec<Op> = sunk.collect();
    let mut moved: Vec<Op> = Vec::new();
    let mut next = Some(first_of(block, group, start));
    while let Some(op) = next.filter(|op| *op != start) {
        next = op.next();
        let mut uses = false;
        let mut look = |op: Op| {
            let mut owners = op.operands().filter_map(Value::owner);
            uses |= owners.any(|owner| moved.contains(&owner));
        };
        look(op);
        op.walk(&mut look);
        if uses || sunk.contains(&op) {
            op.move_before(after);
            moved.push(op);
        }
    }
}

fn emit_from(block: &TileBlock, group: &TileGroup, (start, after): (Op, Op)) -> Option<Emitted> {
    let anchor = block.ops[group.operations.1.index() - 1];
    let slots = group.windows.iter().enumerate();
    let mut emitter = Emitter {
        block,
        group,
        slots: slots.map(|(slot, window)| (window.buffer, slot)).collect(),
        kept: Vec::new(),
        windows: Vec::new(),
        streams: HashMap::default(),
        stages: Vec::new(),
        storages: Vec::new(),
        clones: HashMap::default(),
    };
    for window in &group.windows {
        let kept = match (window.kept, window.is_in_place) {
            (0, _) => None,
            (_, true) => Some(emitter.allocate(window, window.rows, anchor)?),
            (rows, false) => Some(emitter.allocate(window, rows, anchor)?),
        };
        emitter.kept.push(kept);
    }
    emitter.allocate_stages(anchor)?;
    let mut n_tiles = 0;
    for (nth_run, run) in group.runs.iter().enumerate() {
        let (before, index) = match run.repetitions {
            1 => (anchor, None),
            repetitions => {
                let (index, end) = counted_loop(anchor, repetitions);
                (end, Some(index))
            }
        };
        for (nth, tile) in run.tiles.iter().enumerate() {
            let tile = Tile {
                steps: &tile.steps,
                windows: &tile.windows,
                streams: &tile.streams,
                stage: n_tiles % 2,
                before,
                index,
            };
            emitter.tile_beside_copies(tile, neighbors(&group.runs, (nth_run, nth)))?;
            n_tiles += 1;
        }
    }
    Some(Emitted {
        storages: emitter.storages,
        clones: emitter.clones,
        start,
        after,
    })
}

impl Emitter<'_> {
    /// Allocates storage for rows of a buffer.
    fn allocate(&mut self, window: &Window, rows: i64, before: Op) -> Option<Value> {
        let root = self.block.roots[window.buffer.index()];
        let original = root.owner();
        let mut shape = memref_layout(root.ty())?.static_shape()?;
        shape[window.dimension] = rows;
        let location = original.unwrap_or(before).location();
        let mut builder = Builder::new("memref.alloc", location)
            .result(identity_memref(root.ty(), &shape))
            .segments(before.context(), &[0, 0]);
        let alignment = original.and_then(|own| own.attribute("alignment"));
        if let Some(alignment) = alignment {
            builder = builder.attribute("alignment", alignment);
        }
        let value = builder.before(before).result();
        self.storages.push(Storage {
            value,
            dimension: window.dimension,
        });
        Some(value)
    }

    /// Writes one tile. Windows are filled with the rows that were kept before their first access,
    /// and rows are kept after the last one.
    fn tile(&mut self, tile: Tile<'_>) -> Option<()> {
        let accessed = self.accessed(tile);
        self.windows = vec![None; self.group.windows.len()];
        let mut first: HashMap<usize, usize> = HashMap::default();
        let mut last: HashMap<usize, usize> = HashMap::default();
        for (at, slot) in &accessed {
            first.entry(*slot).or_insert(*at);
            last.insert(*slot, *at);
        }
        for (slot, range) in tile.windows.iter().enumerate() {
            // Rows that no operation of the tile accesses stay where they are kept.
            let stays = range.saved == range.loaded && range.saved_from == 0;
            if !first.contains_key(&slot) && !stays {
                self.open(tile, slot)?;
                self.load(tile, slot, range)?;
                self.save(tile, slot, range)?;
            }
        }
        for at in 0..self.group.tiled.len() {
            if tile.steps[at].size == 0 {
                continue;
            }
            let own = accessed.iter().filter(|(other, _)| *other == at);
            let mut own: Vec<usize> = own.map(|(_, slot)| *slot).collect();
            own.dedup();
            for slot in own.iter().filter(|slot| first[slot] == at) {
                self.open(tile, *slot)?;
                self.load(tile, *slot, &tile.windows[*slot])?;
            }
            self.execute(tile, at)?;
            for slot in own.iter().filter(|slot| last[slot] == at) {
                self.save(tile, *slot, &tile.windows[*slot])?;
            }
        }
        Some(())
    }

    /// The windows that the operations of a tile access, in order: (operation, window).
    fn accessed(&self, tile: Tile<'_>) -> Vec<(usize, usize)> {
        let mut accessed = Vec::new();
        for (at, tiled) in self.group.tiled.iter().enumerate() {
            if tile.steps[at].size == 0 {
                continue;
            }
            let operation = &self.block.program.operations[tiled.operation.index()];
            let slots = operation
                .operands
                .iter()
                .filter_map(|operand| self.slots.get(&operand.buffer));
            let mut slots: Vec<usize> = slots.copied().collect();
            slots.sort_unstable();
            slots.dedup();
            accessed.extend(slots.into_iter().map(|slot| (at, slot)));
        }
        accessed
    }

    /// Allocates the window of a tile.
    fn open(&mut self, tile: Tile<'_>, slot: usize) -> Option<()> {
        let rows = tile.windows[slot].rows.size;
        let window = self.group.windows[slot];
        self.windows[slot] = match self.kept[slot].filter(|_| window.is_in_place) {
            Some(value) => Some(value),
            None => Some(self.allocate(&window, rows, tile.before)?),
        };
        Some(())
    }

    /// Copies the rows that were kept to the start of the window, unless they are there.
    fn load(&self, tile: Tile<'_>, slot: usize, range: &WindowRange) -> Option<()> {
        if range.loaded == 0 || self.group.windows[slot].is_in_place {
            return Some(());
        }
        let ends = (self.kept[slot]?, self.windows[slot]?);
        self.copy_rows(tile, slot, ends, (0, 0), range.loaded)
    }

    /// Keeps rows for the next tile.
    fn save(&self, tile: Tile<'_>, slot: usize, range: &WindowRange) -> Option<()> {
        if range.saved == 0 {
            return Some(());
        }
        let ends = (self.windows[slot]?, self.kept[slot]?);
        let from = range.saved_from;
        if !self.group.windows[slot].is_in_place {
            return self.copy_rows(tile, slot, ends, (from, 0), range.saved);
        }
        // Rows are moved ahead in steps whose source and target do not overlap.
        let mut moved = 0;
        while from > 0 && moved < range.saved {
            let n = from.min(range.saved - moved);
            self.copy_rows(tile, slot, ends, (from + moved, moved), n)?;
            moved += n;
        }
        Some(())
    }

    /// Copies `n` rows between two buffers, from and to the given rows.
    fn copy_rows(
        &self,
        tile: Tile<'_>,
        slot: usize,
        (source, target): (Value, Value),
        (from, to): (i64, i64),
        n: i64,
    ) -> Option<()> {
        let dimension = self.group.windows[slot].dimension;
        let rows = |value, start| rows_of(tile.before, value, dimension, start, n);
        let (source, target) = (rows(source, from)?, rows(target, to)?);
        Builder::new("memref.copy", tile.before.location())
            .operands([source, target])
            .before(tile.before);
        Some(())
    }

    /// Writes an operation of a tile.
    fn execute(&mut self, tile: Tile<'_>, at: usize) -> Option<()> {
        let tiled = self.group.tiled[at];
        let iterations = tile.steps[at];
        let step = tiled.operation.index();
        let original = self.block.ops[step];
        let operation = &self.block.program.operations[step];
        let mut operands: Vec<Value> = original.operands().collect();
        for (operand, position) in operation.operands.iter().zip(&self.block.positions[step]) {
            let value = &mut operands[*position];
            match operand.along[tiled.dimension] {
                Along::Independent => {}
                Along::Unknown => return None,
                Along::Indices(map) => {
                    let Rows {
                        start,
                        end,
                        advance,
                        ..
                    } = Rows::new(map, iterations);
                    let at = (map.dimension, start, end - start);
                    *value = divided(tile, *value, at, advance)?;
                }
                Along::Rows(map) => {
                    let rows = Rows::new(map, iterations);
                    let root = self.block.roots[operand.buffer.index()];
                    let slot = self.slots.get(&operand.buffer);
                    let stream = self.streams.get(&operand.buffer);
                    *value = match (slot, stream) {
                        (Some(slot), _) => {
                            let range = tile.windows[*slot].rows;
                            let held = (self.windows[*slot]?, range);
                            self.held(tile, held, (*value, root), rows)?
                        }
                        (None, Some(stream)) => {
                            let held = (self.stages[*stream][tile.stage], tile.streams[*stream]);
                            self.held(tile, held, (*value, root), rows)?
                        }
                        (None, None) => self.sliced(tile, *value, root, rows)?,
                    };
                }
            }
        }
        let copy = original.copied();
        copy.set_operands(&operands);
        copy.insert_before(tile.before);
        shift_indices(copy, tiled.dimension, |copy| {
            advanced(copy, tile.index, iterations.start, iterations.advance)
        });
        let clone = Clone {
            step: tiled.operation,
            dimension: tiled.dimension,
            iterations,
        };
        self.clones.insert(copy, clone);
        Some(())
    }

    /// The rows of a whole buffer that a tile accesses.
    fn sliced(&self, tile: Tile<'_>, value: Value, root: Value, rows: Rows) -> Option<Value> {
        let view = view_of(value, root)?;
        let is_divided = |at: &usize| {
            let own = view.dimensions[*at];
            view.shape[*at] > 1 && own.is_some_and(|own| own.dimension == rows.dimension)
        };
        let dimension = (0..view.shape.len()).find(is_divided)?;
        let own = view.dimensions[dimension]?;
        let index = |row: i64| (row - own.offset) / own.scale;
        let (first, last) = (index(rows.start), index(rows.end - own.width));
        let at = (dimension, first, last - first + 1);
        divided(tile, value, at, rows.advance / own.scale)
    }

    /// The rows that a tile accesses of a window or a stage, which holds the rows of a range, seen as the
    /// original operand is.
    fn held(
        &self,
        tile: Tile<'_>,
        (storage, range): (Value, Range),
        (value, root): (Value, Value),
        rows: Rows,
    ) -> Option<Value> {
        if tile.index.is_some() && rows.advance != range.advance {
            return None;
        }
        let Rows {
            dimension,
            start,
            end,
            ..
        } = rows;
        let first = start - range.start;
        let own = rows_of(tile.before, storage, dimension, first, end - start)?;
        let mut place = Place {
            value: own,
            dimension,
            start,
            end,
        };
        for op in views_between(value, root)? {
            place = place.through(op, tile.before)?;
        }
        Some(place.value)
    }
}

/// `n` indices of a dimension of a value, from `first` on in the first repetition of a run.
fn divided(
    tile: Tile<'_>,
    value: Value,
    (dimension, first, n): (usize, i64, i64),
    advance: i64,
) -> Option<Value> {
    if tile.index.is_none() || advance == 0 {
        return rows_of(tile.before, value, dimension, first, n);
    }
    let offset = advanced(tile.before, tile.index, first, advance);
    slice(tile.before, value, dimension, (0, Some(offset)), n)
}

/// `n` indices of a dimension; the value itself if that is all of them.
fn rows_of(before: Op, value: Value, dimension: usize, start: i64, n: i64) -> Option<Value> {
    let all = memref_layout(value.ty())?.shape[dimension]?;
    if start == 0 && n == all {
        return Some(value);
    }
    (start >= 0 && start + n <= all).then_some(())?;
    slice(before, value, dimension, (start, None), n)
}

/// `start + index * advance`.
fn advanced(before: Op, index: Option<Value>, start: i64, advance: i64) -> Value {
    let Some(index) = index.filter(|_| advance != 0) else {
        return constant_index(before, start);
    };
    let mut value = index;
    if advance != 1 {
        value = binary(before, "arith.muli", value, constant_index(before, advance));
    }
    if start != 0 {
        value = binary(before, "arith.addi", value, constant_index(before, start));
    }
    value
}

/// Adds the first iteration of the tile to the indices that the body of an operation asks for.
pub(super) fn shift_indices(op: Op, dimension: usize, start: impl FnOnce(Op) -> Value) {
    let mut found = Vec::new();
    op.walk(&mut |nested| {
        let asked = nested.attribute("dim").and_then(|dim| dim.integer());
        if nested.name() == "linalg.index" && asked == i64::try_from(dimension).ok() {
            found.push(nested);
        }
    });
    if found.is_empty() {
        return;
    }
    let start = start(op);
    for index in found {
        let Some(next) = index.next() else {
            continue;
        };
        let own = index.result();
        let sum = binary(next, "arith.addi", own, start);
        own.replace_with(sum);
        if let Some(sum) = sum.owner() {
            sum.set_operands(&[own, start]);
        }
    }
}

/// The views from a buffer to a value, in order. `None` if the value is no view of the buffer.
fn views_between(value: Value, root: Value) -> Option<Vec<Op>> {
    let mut views = Vec::new();
    let mut value = value;
    while value != root {
        let view = value.owner()?;
        views.push(view);
        value = view.operand(0);
    }
    views.reverse();
    Some(views)
}

/// What a value shows of its buffer, if all offsets are constants.
fn view_of(value: Value, root: Value) -> Option<TileView> {
    let mut views = views_between(value, root)?.into_iter();
    let start = TileView::of_buffer(root)?;
    views.try_fold(start, |view, op| view.through(op, &mut Value::constant))
}

//! Introduces one error into the tiles of a group, so that tests can show that the check finds it.
//!
//! Each kind matters wherever it is possible: rows that are read later are missing, or hold other rows.

use mem_model::{
    BufferId, Range, StepId, Takeover, Tile, TileAccess, TileGroup, TileOperand, TileProgram,
    TileRun,
};

use super::emit::Emitted;
use super::is_used_only_in;
use super::takeovers::allocations;
use crate::extract::tiles::TileBlock;
use crate::framework::{Failed, kind_of_error};
use crate::ir::{Attribute, Op, Value, memref_layout, strided_memref};

/// An error to be introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sabotage {
    /// An operation computes one row less than its reader needs.
    ShortHalo,
    /// Tiles that keep rows for others, or add to what others have computed, run in reverse order.
    ReverseOrder,
    /// The last tile does not run.
    LostRemainder,
    /// A copy into a larger tensor writes its rows one row beside their place.
    WrongSide,
    /// An operation that reads what the tiles compute runs before them.
    EarlyReader,
    /// Rows that the next tile reads are waited for after all tiles.
    LateWait,
    /// A result takes the place of an operand that is needed afterwards.
    WrongTakeover,
    /// The source of a copy is read in another order than the copy.
    WrongOrder,
    /// The source of a copy is read after it has been overwritten.
    LateRead,
}

/// All kinds, by name.
const KINDS: [(&str, Sabotage); 9] = [
    ("short-halo", Sabotage::ShortHalo),
    ("reverse-order", Sabotage::ReverseOrder),
    ("lost-remainder", Sabotage::LostRemainder),
    ("wrong-side", Sabotage::WrongSide),
    ("early-reader", Sabotage::EarlyReader),
    ("late-wait", Sabotage::LateWait),
    ("wrong-takeover", Sabotage::WrongTakeover),
    ("wrong-order", Sabotage::WrongOrder),
    ("late-read", Sabotage::LateRead),
];

impl Sabotage {
    /// The kind with a name; `None` for the empty name.
    pub(super) fn named(module: Op, name: &str) -> Result<Option<Self>, Failed> {
        kind_of_error(module, "mem-tile", &KINDS, name)
    }

    /// Whether the error is one of operations that read the sources of copies.
    pub(super) const fn is_of_copies(self) -> bool {
        matches!(self, Self::WrongOrder | Self::LateRead)
    }

    /// The group with the error; `None` if the error is impossible, or not one of plans.
    pub(super) fn of_plan(self, block: &TileBlock, group: &TileGroup) -> Option<TileGroup> {
        let program = &block.program;
        let mut broken = group.clone();
        let runs = &mut broken.runs;
        match self {
            Self::ShortHalo => {
                let tiles = group.runs.iter().flat_map(|run| &run.tiles);
                let tiles: Vec<&Tile> = tiles.collect();
                // Without its only row, an operation may leave no window to be read.
                let shorten = |least: i64| {
                    let found = |(tile, own): (usize, &&Tile)| {
                        Some((tile, producer(program, group, own, least)?))
                    };
                    tiles.iter().enumerate().find_map(found)
                };
                let (tile, at) = shorten(2).or_else(|| shorten(1))?;
                let tile = runs.iter_mut().flat_map(|run| &mut run.tiles).nth(tile)?;
                tile.steps[at].size -= 1;
            }
            Self::ReverseOrder => {
                let is_kept = group.windows.iter().any(|window| window.kept > 0);
                let is_sum = group.tiled.iter().enumerate().any(|(at, tiled)| {
                    let operation = &program.operations[tiled.operation.index()];
                    // One tile may add everything.
                    let adding = group.runs.iter().map(|run| {
                        let tiles = run.tiles.iter();
                        run.repetitions
                            * tiles.filter(|tile| tile.steps[at].size > 0).count() as i64
                    });
                    operation.accumulates_along(tiled.dimension) && adding.sum::<i64>() > 1
                });
                ((is_kept || is_sum) && group.n_tiles() > 1).then_some(())?;
                runs.reverse();
                runs.iter_mut().for_each(reverse);
            }
            Self::LostRemainder => {
                (group.n_tiles() > 1).then_some(())?;
                let last = runs.last_mut()?;
                // What is never read need not be complete.
                let executed = last.tiles.last()?.steps.iter().zip(&group.tiled);
                let executed = executed.filter(|(range, _)| range.size > 0);
                let operations = executed.map(|(_, tiled)| tiled.operation.index());
                let mut writes = operations.flat_map(|at| program.operations[at].writes());
                writes
                    .any(|operand| !is_used_only_in(block, group, operand.buffer))
                    .then_some(())?;
                match last.repetitions {
                    1 => drop(last.tiles.pop()),
                    _ => last.repetitions -= 1,
                }
            }
            Self::EarlyReader => {
                let written = |buffer: BufferId| {
                    let tiled = group.tiled.iter().map(|own| own.operation.index());
                    let mut writes = tiled.flat_map(|at| program.operations[at].writes());
                    writes.any(|operand| operand.buffer == buffer)
                };
                let reads = |step: &&StepId| {
                    let operands = program.operations[step.index()].operands.iter();
                    let mut read = operands.filter(|own| own.access != TileAccess::Write);
                    read.any(|operand| written(operand.buffer))
                };
                let early = *group.sunk.iter().find(reads)?;
                broken.sunk.retain(|step| *step != early);
            }
            Self::WrongTakeover => broken.takeovers = vec![wrong_takeover(block, group)?],
            Self::WrongSide | Self::LateWait | Self::WrongOrder | Self::LateRead => return None,
        }
        Some(broken)
    }

    /// Breaks what was written. Returns whether the error is possible.
    pub(super) fn of_tiles(self, block: &TileBlock, group: &TileGroup, emitted: &Emitted) -> bool {
        let anchor = block.ops[group.operations.1.index() - 1];
        let written = std::iter::successors(Some(emitted.start), |op| op.next());
        if self == Self::LateWait {
            let is_load = |wait: &Op| {
                let token = wait.operands().next().and_then(Value::owner);
                wait.name() == "mem.wait" && token.is_some_and(|own| own.name() == "mem.load")
            };
            let mut waits = written.take_while(|op| *op != anchor).filter(is_load);
            return waits.next().map(|wait| wait.move_before(anchor)).is_some();
        }
        let mut copies = Vec::new();
        for op in written.take_while(|op| *op != anchor) {
            op.walk(&mut |op| copies.extend(emitted.clones.get(&op).map(|own| (op, own.step))));
        }
        let mut copies = copies.into_iter();
        // One copy is enough: `any` stops at the first one that has room.
        self == Self::WrongSide
            && copies.any(|(op, step)| shift_target(op, step, block, emitted).is_some())
    }
}

/// A result of a group that exists as a whole, and an operand of the same type that is accessed after the tiles
/// have begun to write the result, by one of their operations or after the group.
fn wrong_takeover(block: &TileBlock, group: &TileGroup) -> Option<Takeover> {
    let operations = &block.program.operations;
    let steps = |buffer: BufferId| {
        let mut own = (0..operations.len()).filter(move |step| {
            let mut operands = operations[*step].operands.iter();
            operands.any(|operand| operand.buffer == buffer)
        });
        let first = own.next();
        first.map(|first| (first, own.next_back().unwrap_or(first)))
    };
    let (first, end) = (group.operations.0.index(), group.operations.1.index());
    let is_private = |own: &BufferId| block.program.buffers[own.index()].is_private;
    let is_window = |own: &BufferId| group.windows.iter().any(|window| window.buffer == *own);
    let whole = (0..block.roots.len()).map(BufferId::new);
    let whole = whole.filter(|own| is_private(own) && !is_window(own));
    let whole: Vec<(BufferId, (usize, usize))> =
        whole.filter_map(|own| Some((own, steps(own)?))).collect();
    let is_result = |(_, (start, last)): &&(BufferId, (usize, usize))| {
        (first..end).contains(start) && *last >= end
    };
    whole.iter().filter(is_result).find_map(|(result, range)| {
        let is_needed =
            |(_, (start, last)): &&(BufferId, (usize, usize))| *start < first && *last > range.0;
        let operands = whole.iter().filter(is_needed);
        let mut takeovers = operands.map(|(operand, _)| Takeover {
            result: *result,
            operand: *operand,
        });
        takeovers.find(|own| allocations(block, *own).is_some())
    })
}

/// An operation of at least `least` iterations in a tile, the last of which computes a row that an
/// operation of the same tile reads from a window.
fn producer(program: &TileProgram, group: &TileGroup, tile: &Tile, least: i64) -> Option<usize> {
    let operation = |at: usize| &program.operations[group.tiled[at].operation.index()];
    let map = |at: usize, operand: &TileOperand| operand.rows_along(group.tiled[at].dimension);
    // The last row that the operation writes in the tile.
    let written = |at: usize, buffer: BufferId| {
        let operand = operation(at).writes().find(|own| own.buffer == buffer)?;
        let end = tile.steps[at].start + tile.steps[at].size;
        Some(map(at, operand)?.rows(end - 1, end).1 - 1)
    };
    let reads = |at: usize, operand: &TileOperand, row: i64| {
        let Some(map) = map(at, operand) else {
            return false;
        };
        let Range { start, size, .. } = tile.steps[at];
        let mut rows = (start..start + size).map(|own| map.rows(own, own + 1));
        rows.any(|(first, end)| (first..end).contains(&row))
    };
    (0..group.tiled.len()).rev().find_map(|reader| {
        let operands = operation(reader).operands.iter();
        let is_window = |own: &TileOperand| {
            let mut windows = group.windows.iter();
            own.access == TileAccess::Read && windows.any(|window| window.buffer == own.buffer)
        };
        operands.filter(|own| is_window(own)).find_map(|own| {
            let mut before = (0..reader).rev();
            let writer =
                before.find(|at| operation(*at).writes().any(|of| of.buffer == own.buffer))?;
            let row = written(writer, own.buffer)?;
            (tile.steps[writer].size >= least && reads(reader, own, row)).then_some(writer)
        })
    })
}

/// Reverses the order of the tiles of a run.
fn reverse(run: &mut TileRun) {
    let last = run.repetitions - 1;
    run.tiles.reverse();
    for tile in &mut run.tiles {
        let windows = tile.windows.iter_mut().map(|own| &mut own.rows);
        for range in tile
            .steps
            .iter_mut()
            .chain(windows)
            .chain(&mut tile.streams)
        {
            range.start += range.advance * last;
            range.advance = -range.advance;
        }
    }
}

/// Lets a copy write one row beside its place, if it writes to a window that has room.
fn shift_target(op: Op, step: StepId, block: &TileBlock, emitted: &Emitted) -> Option<()> {
    let operation = &block.program.operations[step.index()];
    operation.is_copy.then_some(())?;
    let target = operation
        .operands
        .iter()
        .position(|own| own.access != TileAccess::Read)?;
    let position = block.positions[step.index()][target];
    let mut operands: Vec<Value> = op.operands().collect();
    let is_view = |op: &Op| op.name().starts_with("memref.") && op.operands().next().is_some();
    let source = operands[position].owner().filter(is_view);
    let views = std::iter::successors(source, |view| view.operand(0).owner().filter(is_view));
    let mut views: Vec<Op> = views.collect();
    let first = views.pop().filter(|view| view.name() == "memref.subview")?;
    let storage = emitted
        .storages
        .iter()
        .find(|own| own.value == first.operand(0))?;
    let mut offsets = first.attribute("static_offsets")?.integers()?;
    let size = first.attribute("static_sizes")?.integers()?[storage.dimension];
    let layout = memref_layout(storage.value.ty())?;
    let offset = &mut offsets[storage.dimension];
    let shift = match *offset {
        // Known only at run time.
        i64::MIN => return None,
        0 if size < layout.shape[storage.dimension]? => 1,
        0 => return None,
        _ => -1,
    };
    *offset += shift;
    let elements = shift * layout.strides[storage.dimension]?;
    let mut value = moved(first, storage.value, op, elements)?;
    let owner = value.owner()?;
    let offsets = Attribute::integers_attribute(op.context(), &offsets);
    owner.set_attribute("static_offsets", offsets);
    for view in views.into_iter().rev() {
        value = moved(view, value, op, elements)?;
    }
    operands[position] = value;
    op.set_operands(&operands);
    Some(())
}

/// A copy of a view, of another value, whose type starts `elements` later.
fn moved(view: Op, of: Value, before: Op, elements: i64) -> Option<Value> {
    let layout = memref_layout(view.result().ty())?;
    let strides: Vec<i64> = layout.strides.iter().copied().collect::<Option<_>>()?;
    let offset = layout.offset? + elements;
    let ty = strided_memref(
        view.result().ty(),
        &layout.static_shape()?,
        offset,
        &strides,
    );
    let source = view.operand(0);
    let copy = view.copied_before(before, |value| if value == source { of } else { value });
    copy.result().set_type(ty);
    Some(copy.result())
}

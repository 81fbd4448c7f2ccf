//! Reads the tiles of a group back from the IR, as the steps that `check_tiles` executes. Offsets are
//! evaluated from the operations, tile by tile; nothing is taken from the plan but which operation
//! is a copy of which. Original operations that stay are executed where they are.

use rustc_hash::FxHashMap as HashMap;

use mem_check::{TileRows, TileStep, TileStorage};
use mem_model::{Along, StepId, Takeover, TileGroup};

use crate::extract::tiles::TileBlock;
use crate::extract::views::{TileDimension, TileView};
use crate::ir::{Op, Value, is_equivalent};

use super::emit::{Clone, Emitted, first_of, shift_indices};

/// Why written tiles cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReadError {
    #[error("unexpected operation '{0}' in a tile")]
    UnknownOperation(String),
    #[error("'{0}' in a tile is not the operation of the original")]
    OtherOperation(String),
    #[error("operand {operand} of '{name}' in a tile does not show rows of the original")]
    OtherView { name: String, operand: usize },
}

struct Reader<'a> {
    block: &'a TileBlock,
    emitted: &'a Emitted,
    /// Windows, and the buffers that keep rows for them: storage of the checker.
    storages: HashMap<Value, (TileStorage, TileView)>,
    /// Number of the current tile of a loop.
    indices: HashMap<Value, i64>,
    /// Numbers of the copies in flight, by their token.
    tokens: HashMap<Value, usize>,
    steps: Vec<TileStep>,
}

/// The rows of each window of the checker, and the steps. Results of `takeovers` have the storage of their
/// operand.
pub(super) fn read(
    block: &TileBlock,
    group: &TileGroup,
    emitted: &Emitted,
    takeovers: &[Takeover],
) -> Result<(Vec<i64>, Vec<TileStep>), ReadError> {
    let mut storages = HashMap::default();
    let mut rows = Vec::new();
    let operations = group.operations.0.index()..group.operations.1.index();
    let operands = block.program.operations[operations].iter();
    let operands = operands.flat_map(|own| &own.operands);
    let accessed = operands.map(|operand| operand.buffer);
    // Other buffers may have had the same allocation before.
    for buffer in accessed.chain(takeovers.iter().map(|own| own.operand)) {
        let root = block.roots[buffer.index()];
        let is_taken = takeovers.iter().any(|own| own.result == buffer);
        let storage = TileStorage::Buffer(buffer);
        if let Some(view) = TileView::of_buffer(root).filter(|_| !is_taken) {
            storages.insert(root, (storage, view));
        }
    }
    for own in &emitted.storages {
        if let Some(view) = TileView::of_rows(own.value, own.dimension) {
            let storage = TileStorage::Window(rows.len());
            rows.push(view.shape[own.dimension]);
            storages.insert(own.value, (storage, view));
        }
    }
    let (first, end) = (group.operations.0.index(), group.operations.1.index());
    let is_tiled = |step: &StepId| group.tiled.iter().any(|tiled| tiled.operation == *step);
    let whole = (first..end).map(StepId::new).filter(|step| !is_tiled(step));
    let whole: HashMap<Op, StepId> = whole.map(|step| (block.ops[step.index()], step)).collect();
    let mut reader = Reader {
        block,
        emitted,
        storages,
        indices: HashMap::default(),
        tokens: HashMap::default(),
        steps: Vec::new(),
    };
    let anchor = block.ops[end - 1];
    let mut is_tile = false;
    let mut next = Some(first_of(block, group, emitted.start));
    while let Some(op) = next.filter(|op| *op != emitted.after) {
        is_tile = (is_tile || op == emitted.start) && op != anchor;
        if is_tile {
            reader.read(op)?;
        } else if let Some(step) = whole.get(&op) {
            reader.steps.push(TileStep::Whole(*step));
        }
        next = op.next();
    }
    Ok((rows, reader.steps))
}

impl Reader<'_> {
    fn read(&mut self, op: Op) -> Result<(), ReadError> {
        if let Some(clone) = self.emitted.clones.get(&op) {
            return self.execution(op, *clone);
        }
        let name = op.name();
        match name {
            "scf.for" => self.repeat(op),
            "memref.alloc" | "memref.alloca" => {
                if let Some((TileStorage::Window(window), _)) = self.storages.get(&op.result()) {
                    self.steps.push(TileStep::Allocate(*window));
                }
                Ok(())
            }
            "memref.copy" | "mem.load" | "mem.store" => self.copy(op),
            "mem.wait" => {
                let unknown = || ReadError::UnknownOperation(name.to_owned());
                for token in op.operands() {
                    let copy = self.tokens.get(&token).ok_or_else(unknown)?;
                    self.steps.push(TileStep::Wait(*copy));
                }
                Ok(())
            }
            "arith.constant"
            | "arith.addi"
            | "arith.muli"
            | "scf.yield"
            | "memref.subview"
            | "memref.expand_shape"
            | "memref.collapse_shape" => Ok(()),
            _ => Err(ReadError::UnknownOperation(name.to_owned())),
        }
    }

    fn repeat(&mut self, op: Op) -> Result<(), ReadError> {
        let unknown = || ReadError::UnknownOperation(op.name().to_owned());
        let bounds: Option<Vec<i64>> = op.operands().map(Value::constant).collect();
        let body = op.regions().next().and_then(|region| region.first_block());
        let body = body.ok_or_else(unknown)?;
        let variable = body.arguments().next().ok_or_else(unknown)?;
        let Some(&[start, end, 1]) = bounds.as_deref() else {
            return Err(unknown());
        };
        for index in start..end {
            self.indices.insert(variable, index);
            for op in body.ops() {
                self.read(op)?;
            }
        }
        Ok(())
    }

    /// The value of an index.
    fn evaluate(&self, value: Value) -> Option<i64> {
        if let Some(index) = self.indices.get(&value) {
            return Some(*index);
        }
        let owner = value.owner()?;
        let operand = |at: usize| self.evaluate(owner.operand(at));
        match owner.name() {
            "arith.constant" => value.constant(),
            "arith.addi" => operand(0)?.checked_add(operand(1)?),
            "arith.muli" => operand(0)?.checked_mul(operand(1)?),
            _ => None,
        }
    }

    /// The storage that a value shows, and what it shows of it.
    fn view(&self, value: Value) -> Option<(TileStorage, TileView)> {
        if let Some((storage, view)) = self.storages.get(&value) {
            return Some((*storage, view.clone()));
        }
        let op = value.owner()?;
        let (storage, view) = self.view(op.operands().next()?)?;
        let view = view.through(op, &mut |offset| self.evaluate(offset))?;
        Some((storage, view))
    }

    /// The indices of a dimension of an operand that a value shows.
    fn part(&self, given: Value, wanted: Value, dimension: usize) -> Option<TileRows> {
        let original = TileView::of_buffer(wanted)?;
        let view = match given == wanted {
            true => original.clone(),
            false => {
                let op = given.owner().filter(|op| op.operand(0) == wanted)?;
                original.through(op, &mut |offset| self.evaluate(offset))?
            }
        };
        let at = other_dimension(&view, &original, dimension)?;
        Self::rows(TileStorage::Operand, &view, at)
    }

    /// The rows of a storage that a value shows.
    fn rows(storage: TileStorage, view: &TileView, at: usize) -> Option<TileRows> {
        let own = view.dimensions[at]?;
        Some(TileRows {
            storage,
            start: own.offset,
            end: own.offset + own.scale * (view.shape[at] - 1) + own.width,
        })
    }

    fn copy(&mut self, op: Op) -> Result<(), ReadError> {
        // One of both ends is a window; a buffer of the original is divided as the other end is.
        let ends = [0, 1].map(|end| root(op.operand(end)));
        let mut windows = self.emitted.storages.iter();
        let window = windows.find(|own| ends.contains(&own.value));
        let rows = |operand: usize| {
            let (storage, view) = self.view(op.operand(operand))?;
            let root = ends[operand];
            let dimension = window?.dimension;
            // All other dimensions are copied completely.
            let (_, whole) = self.storages.get(&root)?;
            let is_whole = |at: usize| {
                view.shape[at] == whole.shape[at] && view.dimensions[at] == whole.dimensions[at]
            };
            let mut others = (0..whole.shape.len()).filter(|at| *at != dimension);
            let is_plain = view.shape.len() == whole.shape.len() && others.all(is_whole);
            is_plain.then(|| Self::rows(storage, &view, dimension))?
        };
        let rows = |operand: usize| {
            rows(operand).ok_or_else(|| ReadError::OtherView {
                name: op.name().to_owned(),
                operand,
            })
        };
        let (from, to) = (rows(0)?, rows(1)?);
        let number = self.tokens.len();
        self.steps.push(match op.results().next() {
            Some(token) => {
                let copy = *self.tokens.entry(token).or_insert(number);
                TileStep::Start { from, to, copy }
            }
            None => TileStep::Copy { from, to },
        });
        Ok(())
    }

    fn execution(&mut self, op: Op, clone: Clone) -> Result<(), ReadError> {
        let original = self.block.ops[clone.step.index()];
        let name = || op.name().to_owned();
        // The tile of the loop, if the operation is in one.
        let around = op.block().and_then(|block| block.arguments().next());
        let tile = around
            .and_then(|variable| self.indices.get(&variable))
            .copied();
        let (start, end) = clone.iterations.at(tile.unwrap_or(0));
        if !self.is_copy(op, original, clone.dimension, start) {
            return Err(ReadError::OtherOperation(name()));
        }
        let operation = &self.block.program.operations[clone.step.index()];
        let positions = &self.block.positions[clone.step.index()];
        let mut operands = Vec::new();
        for (operand, position) in positions.iter().enumerate() {
            let failed = || ReadError::OtherView {
                name: name(),
                operand,
            };
            let (given, wanted) = (op.operand(*position), original.operand(*position));
            if operation.operands[operand].along[clone.dimension] == Along::Independent {
                operands.push(None);
                (given == wanted).then_some(()).ok_or_else(failed)?;
                continue;
            }
            if let Along::Indices(map) = operation.operands[operand].along[clone.dimension] {
                let part = self.part(given, wanted, map.dimension).ok_or_else(failed)?;
                operands.push(Some(part));
                continue;
            }
            let (storage, view) = self.view(given).ok_or_else(failed)?;
            let (_, original) = self.view(wanted).ok_or_else(failed)?;
            let map = operation.operands[operand].rows_along(clone.dimension);
            let dimension = map.ok_or_else(failed)?.dimension;
            let at = other_dimension(&view, &original, dimension).ok_or_else(failed)?;
            operands.push(Some(Self::rows(storage, &view, at).ok_or_else(failed)?));
        }
        // Bodies are equal, so elements are loaded from the buffers of the original.
        operands.resize(operation.operands.len(), None);
        self.steps.push(TileStep::Iterations {
            operation: clone.step,
            dimension: clone.dimension,
            start,
            end,
            operands,
        });
        Ok(())
    }

    /// Whether `op` is `original` on other operands, with `start` added to the indices of the
    /// divided dimension.
    fn is_copy(&self, op: Op, original: Op, dimension: usize, start: i64) -> bool {
        let expected = original.copied();
        let operands: Vec<Value> = op.operands().collect();
        expected.set_operands(&operands);
        // The first value that is added to an index stands for all of them.
        let mut added = None;
        op.walk(&mut |nested| {
            let is_index = |value: Value| {
                value
                    .owner()
                    .is_some_and(|owner| owner.name() == "linalg.index")
            };
            if nested.name() == "arith.addi" && is_index(nested.operand(0)) {
                added = added.or(Some(nested.operand(1)));
            }
        });
        if let Some(added) = added {
            shift_indices(expected, dimension, |_| added);
        }
        let mut asks = false;
        original.walk(&mut |nested| {
            let dim = nested.attribute("dim").and_then(|dim| dim.integer());
            asks |= nested.name() == "linalg.index" && dim == i64::try_from(dimension).ok();
        });
        let is_shifted = !asks || added.and_then(|added| self.evaluate(added)) == Some(start);
        let is_equal = is_equivalent(expected, op, None);
        expected.erase();
        is_equal && is_shifted
    }
}

/// The allocation that a value is a view of.
fn root(value: Value) -> Value {
    let mut value = value;
    while let Some(view) = value.owner().filter(|op| op.name() == "memref.subview") {
        value = view.operand(0);
    }
    value
}

/// The dimension of a view that shows rows of `dimension`, if the view shows the same elements as
/// the original view in all other dimensions.
fn other_dimension(view: &TileView, original: &TileView, dimension: usize) -> Option<usize> {
    (view.shape.len() == original.shape.len()).then_some(())?;
    let is_own = |own: &Option<TileDimension>| own.is_some_and(|own| own.dimension == dimension);
    let divided = |at: &usize| original.shape[*at] > 1 && is_own(&original.dimensions[*at]);
    let at = (0..original.shape.len()).find(divided)?;
    // Beside the dimension, a single index can stand for the same rows, and all indices of a
    // dimension for the parts of a single row.
    let is_part = |other: usize| {
        let own = view.dimensions[other].filter(|own| own.dimension == dimension);
        let row = view.dimensions[at].filter(|_| view.shape[at] == 1);
        let is_row = |(own, row): (TileDimension, TileDimension)| {
            own.offset == row.offset && own.scale * view.shape[other] == row.scale
        };
        view.shape[other] == 1 && own.is_some() || own.zip(row).is_some_and(is_row)
    };
    let is_same = |other: usize| {
        view.shape[other] == original.shape[other]
            && (view.dimensions[other] == original.dimensions[other] || is_part(other))
    };
    let mut others = (0..view.shape.len()).filter(|other| *other != at);
    let scale =
        |view: &TileView| view.dimensions[at].map(|own| (own.dimension, own.scale, own.width));
    (others.all(is_same) && scale(view) == scale(original)).then_some(at)
}

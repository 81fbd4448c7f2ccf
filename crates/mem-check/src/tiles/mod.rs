//! Checks a group of operations that is executed tile by tile.
//!
//! The checker executes the original operations and the tiles side by side, forwards, on *rows*
//! instead of elements. A row of a buffer holds a version: the operations that have written it, in
//! order. A row of a window also holds its number, i.e. which row of the original buffer it is. An
//! execution of an operation for a range of iterations is correct if each row that it reads has the
//! number and the version that these iterations read in the original. At the end, every buffer that
//! exists as a whole must have the versions of the original. A result may take the place of an operand: in
//! the tiles, both are one storage, whose rows belong to one of them. An operation that accumulates is executed for
//! ranges of iterations that follow each other: in between, what it writes holds the version of the
//! iterations so far, which nothing else can read.
//!
//! Copies may be in flight while other steps run. Until they are waited for, their targets hold nothing, and
//! neither their sources nor their targets may be written.
//!
//! Elements depend on nothing else: an operation in the tiles is the original operation, which the
//! caller has to ensure, and so are its iterations. The checker derives rows from the iterations,
//! as stated by the accesses of the operations; it does not know why the tiles have been chosen.
//!
//! Takes time proportional to the accessed rows, of the original and of all tiles.

mod copies;
mod rows;
mod steps;
mod takeovers;

use std::collections::{BTreeMap, HashMap};

use mem_model::{
    Along, BufferId, RowMap, StepId, Takeover, TileAccess, TileOperand, TileOperation, TileProgram,
};

use copies::in_flight;
use rows::{Content, Executed, Row, Versions};
pub use steps::{TileError, TileRows, TileStep, TileStorage};

/// A check in progress.
struct Check<'a> {
    program: &'a TileProgram,
    versions: Versions,
    /// The dimension by which the rows of each buffer are counted, for buffers that the group
    /// writes; `None` if they are written as a whole.
    dimensions: BTreeMap<BufferId, Option<usize>>,
    buffers: BTreeMap<BufferId, Vec<Row>>,
    /// The results that are in the place of an operand: none while the original is executed.
    takeovers: &'a [Takeover],
    windows: Vec<Vec<Row>>,
    /// The versions that an operand has when the original operation starts.
    expected: HashMap<(StepId, usize), Vec<Row>>,
    /// The copies in flight, by the operation that has started them.
    flights: BTreeMap<usize, (TileRows, TileRows)>,
}

/// Checks that `steps` compute what the operations `[first, end)` of a program compute, if they are
/// executed in their place. `windows` states the number of rows of each window. Buffers of the
/// original that `steps` never write are not used after the group: the caller names the others. Buffers of
/// `takeovers` are one storage, which `steps` name by the operand.
///
/// # Errors
/// The first step that does not compute what the original does.
pub fn check_tiles(
    program: &TileProgram,
    operations: (StepId, StepId),
    windows: &[i64],
    steps: &[TileStep],
    results: &[BufferId],
    takeovers: &[Takeover],
) -> Result<(), TileError> {
    takeovers::check(program, operations, takeovers)?;
    let mut check = Check {
        program,
        versions: Versions::default(),
        dimensions: BTreeMap::new(),
        buffers: BTreeMap::new(),
        takeovers: &[],
        windows: windows
            .iter()
            .map(|rows| vec![None; length(*rows)])
            .collect(),
        expected: HashMap::new(),
        flights: BTreeMap::new(),
    };
    check.find_dimensions(operations, steps)?;
    for own in takeovers {
        let rows = check.dimensions.get(&own.result).copied().flatten();
        check.dimensions.insert(own.operand, rows);
    }
    check.start();
    for index in operations.0.index()..operations.1.index() {
        check.original(StepId::new(index));
    }
    let wanted = check.buffers.clone();
    check.start();
    check.takeovers = takeovers;
    for own in takeovers {
        check.buffers.remove(&own.result);
    }
    for step in steps {
        check.step(step)?;
    }
    if let Some((from, _)) = check.flights.values().next() {
        return Err(in_flight(*from));
    }
    for buffer in results {
        let is_taken = takeovers.iter().any(|own| own.operand == *buffer);
        let actual = check.buffers.get(&check.place_of(*buffer));
        let (Some(wanted), Some(actual), false) = (wanted.get(buffer), actual, is_taken) else {
            continue;
        };
        if let Some(row) = (0..wanted.len()).find(|row| wanted[*row] != actual[*row]) {
            let buffer = program.buffers[buffer.index()].name.clone();
            let row = row as i64;
            return Err(TileError::WrongResult { buffer, row });
        }
    }
    Ok(())
}

fn length(rows: i64) -> usize {
    usize::try_from(rows).unwrap_or(0)
}

impl<'a> Check<'a> {
    fn operation(&self, id: StepId) -> &'a TileOperation {
        &self.program.operations[id.index()]
    }

    /// Determines by which dimension the rows of each written buffer are counted.
    fn find_dimensions(
        &mut self,
        operations: (StepId, StepId),
        steps: &[TileStep],
    ) -> Result<(), TileError> {
        for index in operations.0.index()..operations.1.index() {
            for operand in self.program.operations[index].writes() {
                self.dimensions.insert(operand.buffer, None);
            }
        }
        let mut sums = Vec::new();
        for step in steps {
            let TileStep::Iterations {
                operation,
                dimension,
                ..
            } = step
            else {
                continue;
            };
            let refused = TileError::NotTileable {
                operation: *operation,
            };
            let is_inside = (operations.0..operations.1).contains(operation);
            let own = self.operation(*operation);
            let is_parallel = own
                .dimensions
                .get(*dimension)
                .is_some_and(|own| own.is_parallel);
            let is_sum = own.accumulates_along(*dimension);
            if !is_inside || !is_parallel && !is_sum {
                return Err(refused);
            }
            if is_sum {
                sums.extend(
                    own.writes()
                        .map(|operand| (operand.buffer, refused.clone())),
                );
                continue;
            }
            for operand in own.writes() {
                let rows = operand
                    .rows_along(*dimension)
                    .filter(|rows| rows.is_separate());
                let rows = rows.ok_or(refused.clone())?;
                let known = self.dimensions.insert(operand.buffer, Some(rows.dimension));
                if known.flatten().is_some_and(|known| known != rows.dimension) {
                    return Err(refused);
                }
            }
        }
        // What the group does not write can be read from copies, whose rows are counted alike.
        for step in steps {
            let TileStep::Iterations {
                operation,
                dimension,
                operands,
                ..
            } = step
            else {
                continue;
            };
            for (operand, given) in self.operation(*operation).operands.iter().zip(operands) {
                let is_copy =
                    matches!(given, Some(own) if matches!(own.storage, TileStorage::Window(_)));
                if let Some(rows) = operand.rows_along(*dimension).filter(|_| is_copy) {
                    let known = self.dimensions.entry(operand.buffer);
                    known.or_insert(Some(rows.dimension));
                }
            }
        }
        // Sums are written as a whole, and not in rows by other operations.
        let is_counted =
            |buffer: &BufferId| self.dimensions.get(buffer).copied().flatten().is_some();
        match sums.into_iter().find(|(buffer, _)| is_counted(buffer)) {
            Some((_, refused)) => Err(refused),
            None => Ok(()),
        }
    }

    /// Sets all buffers to the state before the group.
    fn start(&mut self) {
        let buffers = &self.program.buffers;
        let rows = |(buffer, dimension): (&BufferId, &Option<usize>)| {
            let shape = &buffers[buffer.index()].shape;
            let n = dimension.map_or(1, |dimension| shape[dimension]);
            let content = |number| Content {
                buffer: *buffer,
                number,
                version: 0,
            };
            (*buffer, (0..n).map(|row| Some(content(row))).collect())
        };
        self.buffers = self.dimensions.iter().map(rows).collect();
    }

    /// The rows of a buffer that iterations of an operation access, as counted for this buffer.
    /// `None`: all.
    fn rows(&self, operand: &TileOperand, iterations: Option<(usize, i64, i64)>) -> (i64, i64) {
        let all = || {
            let dimension = self.dimensions.get(&operand.buffer).copied().flatten();
            let shape = &self.program.buffers[operand.buffer.index()].shape;
            (0, dimension.map_or(1, |dimension| shape[dimension]))
        };
        let Some((dimension, start, end)) = iterations else {
            return all();
        };
        match operand.along.get(dimension) {
            Some(Along::Rows(rows)) if self.counts(operand.buffer, *rows) => rows.rows(start, end),
            _ => all(),
        }
    }

    /// Whether the rows of a buffer are counted by the dimension of `rows`.
    fn counts(&self, buffer: BufferId, rows: RowMap) -> bool {
        self.dimensions.get(&buffer).copied().flatten() == Some(rows.dimension)
    }

    /// The dimension along which an operation of the original writes rows as they are counted.
    fn dimension_of(&self, operation: &TileOperation) -> Option<usize> {
        let along = |dimension: &usize| {
            let mut writes = operation.writes();
            writes.all(|operand| {
                let rows = operand.rows_along(*dimension);
                rows.is_some_and(|rows| rows.is_separate() && self.counts(operand.buffer, rows))
            })
        };
        (0..operation.dimensions.len()).find(along)
    }

    /// Executes an operation of the original.
    fn original(&mut self, id: StepId) {
        let operation = self.operation(id);
        for (index, operand) in operation.operands.iter().enumerate() {
            if let Some(rows) = self.buffers.get(&operand.buffer) {
                self.expected.insert((id, index), rows.clone());
            }
        }
        self.write_all(id);
    }

    /// Records that an operation has been executed for all its iterations, on the buffers of the
    /// original.
    fn write_all(&mut self, id: StepId) {
        let operation = self.operation(id);
        // An operation that does not write rows writes a part of all of them.
        let dimension = self.dimension_of(operation);
        for operand in operation.writes() {
            let extent = dimension.map(|own| (own, 0, operation.dimensions[own].extent));
            let (start, end) = self.rows(operand, extent);
            let map = dimension.and_then(|own| operand.rows_along(own));
            let place = (TileStorage::Buffer(self.place_of(operand.buffer)), start);
            self.write(id, operand, map, place, (start, end));
        }
    }

    fn step(&mut self, step: &TileStep) -> Result<(), TileError> {
        match step {
            TileStep::Whole(id) => self.whole(*id),
            TileStep::Allocate(window) => {
                let all = TileRows {
                    storage: TileStorage::Window(*window),
                    start: 0,
                    end: self.windows[*window].len() as i64,
                };
                self.check_flights(all)?;
                self.windows[*window].fill(None);
                Ok(())
            }
            TileStep::Copy { from, to } => self.copy(*from, *to),
            TileStep::Start { from, to, copy } => self.start_copy(*from, *to, *copy),
            TileStep::Wait(copy) => match self.flights.remove(copy) {
                Some((from, to)) => self.copy(from, to),
                // The token of a copy that has been waited for.
                None => Ok(()),
            },
            TileStep::Iterations {
                operation,
                dimension,
                start,
                end,
                operands,
            } => self.iterations(*operation, (*dimension, *start, *end), operands),
        }
    }

    fn whole(&mut self, id: StepId) -> Result<(), TileError> {
        let operation = self.operation(id);
        // Operations before and after the tiles access buffers of the original only.
        if let Some((from, _)) = self.flights.values().next() {
            return Err(in_flight(*from));
        }
        for (index, operand) in operation.operands.iter().enumerate() {
            let Some(rows) = self.buffers.get(&self.place_of(operand.buffer)) else {
                continue;
            };
            let expected = &self.expected[&(id, index)];
            let is_read = operand.access != TileAccess::Write;
            if is_read && let Some(row) = (0..rows.len()).find(|row| rows[*row] != expected[*row]) {
                return Err(TileError::WrongValue {
                    operation: id,
                    operand: index,
                    row: row as i64,
                });
            }
        }
        for operand in operation.writes() {
            self.check_aliases(operation, operand, None, self.rows(operand, None))?;
        }
        self.write_all(id);
        Ok(())
    }

    fn iterations(
        &mut self,
        id: StepId,
        (dimension, start, end): (usize, i64, i64),
        operands: &[Option<TileRows>],
    ) -> Result<(), TileError> {
        let operation = self.operation(id);
        let extent = operation.dimensions[dimension].extent;
        if start < 0 || end > extent || start >= end || operands.len() != operation.operands.len() {
            return Err(TileError::NotTileable { operation: id });
        }
        let is_sum = operation.accumulates_along(dimension);
        let mut written = Vec::new();
        for (index, operand) in operation.operands.iter().enumerate() {
            let (rows, place) = self.place(id, index, (dimension, start, end), operands[index])?;
            if operand.access != TileAccess::Read {
                self.check_flights(place)?;
            }
            if is_sum && operand.access == TileAccess::Update {
                self.accumulate(id, index, (dimension, start, end))?;
                continue;
            }
            if operand.access != TileAccess::Write {
                self.read(id, index, (dimension, rows), place)?;
            }
            if operand.access != TileAccess::Read {
                written.push((operand, rows, place));
            }
        }
        for (operand, rows, _) in &written {
            self.check_aliases(operation, operand, Some((dimension, start, end)), *rows)?;
        }
        for (operand, rows, place) in written {
            let map = operand.rows_along(dimension);
            self.write(id, operand, map, (place.storage, place.start), rows);
        }
        Ok(())
    }

    /// Adds iterations to what an operation writes, which holds the sum of those before.
    fn accumulate(
        &mut self,
        id: StepId,
        index: usize,
        (dimension, start, end): (usize, i64, i64),
    ) -> Result<(), TileError> {
        let operation = self.operation(id);
        let buffer = operation.operands[index].buffer;
        let executed = match end == operation.dimensions[dimension].extent {
            true => Executed::All,
            false => Executed::First(dimension, end),
        };
        let wrong = |row: usize| TileError::WrongValue {
            operation: id,
            operand: index,
            row: row as i64,
        };
        let expected = self.expected.get(&(id, index)).ok_or_else(|| wrong(0))?;
        let place = self.place_of(buffer);
        let rows = self.buffers.get_mut(&place).ok_or_else(|| wrong(0))?;
        for (at, (row, content)) in rows.iter_mut().zip(expected).enumerate() {
            let content = content.ok_or_else(|| wrong(at))?;
            let first = content.version;
            let with = |version| Content { version, ..content };
            let before = match start {
                0 => Some(first),
                _ => self
                    .versions
                    .known(first, id, Executed::First(dimension, start)),
            };
            if before.is_none() || *row != before.map(with) {
                return Err(wrong(at));
            }
            *row = Some(with(self.versions.after(first, id, executed)));
        }
        Ok(())
    }

    /// The rows of the original that iterations access through an operand, and where they are.
    fn place(
        &self,
        id: StepId,
        index: usize,
        (dimension, start, end): (usize, i64, i64),
        given: Option<TileRows>,
    ) -> Result<((i64, i64), TileRows), TileError> {
        let operand = &self.operation(id).operands[index];
        let along = operand.along.get(dimension);
        let map = operand.part_along(dimension);
        let wrong = |expected: (i64, i64), actual: (i64, i64)| TileError::WrongRows {
            operation: id,
            operand: index,
            expected,
            actual,
        };
        let Some(given) = given else {
            // The whole operand: right only if all iterations access the same elements.
            let rows = self.rows(operand, None);
            if along != Some(&Along::Independent) {
                return Err(wrong(map.map_or(rows, |map| map.rows(start, end)), rows));
            }
            let storage = TileStorage::Buffer(self.place_of(operand.buffer));
            let (start, end) = rows;
            return Ok((
                rows,
                TileRows {
                    storage,
                    start,
                    end,
                },
            ));
        };
        let expected = map
            .ok_or(TileError::NotTileable { operation: id })?
            .rows(start, end);
        let is_row = matches!(along, Some(Along::Rows(_)));
        let is_right = match given.storage {
            TileStorage::Buffer(buffer) => {
                is_row
                    && buffer == self.place_of(operand.buffer)
                    && (given.start, given.end) == expected
            }
            TileStorage::Window(_) => is_row && given.end - given.start == expected.1 - expected.0,
            TileStorage::Operand => !is_row && (given.start, given.end) == expected,
        };
        if !is_right {
            return Err(wrong(expected, (given.start, given.end)));
        }
        if !is_row {
            // The indices may be anywhere in the buffer, which has to be right as a whole.
            let storage = TileStorage::Buffer(self.place_of(operand.buffer));
            let (start, end) = self.rows(operand, None);
            let whole = TileRows {
                storage,
                start,
                end,
            };
            return Ok(((start, end), whole));
        }
        if operand.access != TileAccess::Read || matches!(given.storage, TileStorage::Window(_)) {
            self.check_bounds(given)?;
        }
        Ok((expected, given))
    }

    /// Whether rows are inside a storage whose rows are counted.
    fn check_bounds(&self, rows: TileRows) -> Result<(), TileError> {
        let n = self.storage(rows.storage).map_or(0, Vec::len);
        match rows.start >= 0 && rows.start <= rows.end && length(rows.end) <= n {
            true => Ok(()),
            false => Err(TileError::OutOfBounds {
                start: rows.start,
                end: rows.end,
            }),
        }
    }

    fn storage(&self, storage: TileStorage) -> Option<&Vec<Row>> {
        match storage {
            TileStorage::Buffer(buffer) => self.buffers.get(&buffer),
            TileStorage::Window(window) => self.windows.get(window),
            TileStorage::Operand => None,
        }
    }

    /// Checks that rows hold what the operation reads in the original.
    fn read(
        &self,
        operation: StepId,
        index: usize,
        (dimension, rows): (usize, (i64, i64)),
        place: TileRows,
    ) -> Result<(), TileError> {
        let wrong = |row: i64| TileError::WrongValue {
            operation,
            operand: index,
            row,
        };
        let operand = &self.operation(operation).operands[index];
        let map = operand.rows_along(dimension);
        let is_counted = map.is_some_and(|map| self.counts(operand.buffer, map));
        let is_in_window = matches!(place.storage, TileStorage::Window(_));
        let Some(expected) = self.expected.get(&(operation, index)) else {
            // The group does not write the buffer, so it holds what it did before, in its own place.
            return if is_in_window {
                Err(wrong(rows.0))
            } else {
                Ok(())
            };
        };
        let actual = self.storage(place.storage).ok_or(wrong(rows.0))?;
        if is_counted {
            self.check_bounds(place)?;
            let differs = |row: &i64| {
                let own = actual.get(length(row - rows.0 + place.start));
                own.is_none() || own != expected.get(length(*row))
            };
            return (rows.0..rows.1)
                .find(differs)
                .map_or(Ok(()), |row| Err(wrong(row)));
        }
        // Rows of another dimension are read: all rows as counted have to be right.
        let differs = |row: &usize| actual.get(*row) != expected.get(*row);
        match (0..expected.len()).find(differs) {
            Some(row) => Err(wrong(row as i64)),
            None if is_in_window => Err(wrong(rows.0)),
            None => Ok(()),
        }
    }

    /// Records that an operation has written rows, which are at `place` of a storage: all of them, or
    /// those of a map.
    fn write(
        &mut self,
        operation: StepId,
        operand: &TileOperand,
        map: Option<RowMap>,
        (storage, place): (TileStorage, i64),
        (start, end): (i64, i64),
    ) {
        let rows = match storage {
            TileStorage::Buffer(buffer) => self.buffers.entry(buffer).or_default(),
            TileStorage::Window(window) => &mut self.windows[window],
            // Only reads have parts that are no rows.
            TileStorage::Operand => return,
        };
        let is_overwritten = operand.access == TileAccess::Write && operand.covers_rows;
        let is_written = |row: &i64| map.is_none_or(|map| map.contains(*row));
        for row in (start..end).filter(is_written) {
            // Bounds have been checked.
            let Some(own) = rows.get_mut(length(row - start + place)) else {
                continue;
            };
            // Elements of a row that has not been written here are undefined, as in a new buffer.
            let is_same = |own: &Content| (own.buffer, own.number) == (operand.buffer, row);
            let before = own.filter(|own| is_same(own) && !is_overwritten);
            let before = before.map_or(0, |own| own.version);
            *own = Some(Content {
                buffer: operand.buffer,
                number: row,
                version: self.versions.after(before, operation, Executed::All),
            });
        }
    }
}

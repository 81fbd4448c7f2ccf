//! Groups of operations that can be executed tile by tile: which dimension of each operation is
//! divided.
//!
//! A group grows backwards from its last operation, the *anchor*, one operation at a time. The
//! operations that are already in the group demand their operands either as rows of one dimension
//! or as a whole. An operation that produces rows is tiled along the dimension that produces them;
//! one whose result is needed as a whole is *hoisted*, i.e. executed before the tiles. The demands of
//! later operations are known when an operation is added, so every choice is final.

use mem_model::{Along, BufferId, RowMap, TileAccess, TileOperand, TileOperation, TileProgram};

/// Why an operation cannot be added to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It can only be executed as a whole.
    NotTileable,
    /// It writes memory that is visible outside the block, which other buffers may overlap.
    VisibleWrite,
    /// It reads what a later operation of the group overwrites.
    ReadBeforeWrite,
    /// Its result is demanded as a whole and in rows, or in rows of several dimensions.
    Conflict,
    /// The demanded rows are not rows of one of its parallel dimensions.
    NoDimension,
}

/// How an operation of a group is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Tile by tile, along this dimension of its iteration space.
    Tiled(usize),
    /// As a whole, before the tiles.
    Hoisted,
}

/// How the operations of a group access a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Demand {
    #[default]
    None,
    /// In rows of this dimension.
    Rows(usize),
    Whole,
}

/// What is known of a buffer from the operations added so far.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    demand: Demand,
    is_written: bool,
    /// The rows of an operation that writes the buffer tile by tile.
    writer: Option<RowMap>,
}

/// A group under construction: the operations `[first, end)`.
pub(super) struct Group<'a> {
    program: &'a TileProgram,
    states: Vec<State>,
    /// The roles of the operations, the last one first.
    roles: Vec<Role>,
    end: usize,
}

impl<'a> Group<'a> {
    /// A group of one operation, which is tiled along `dimension`.
    pub(super) fn new(
        program: &'a TileProgram,
        anchor: usize,
        dimension: usize,
    ) -> Result<Self, Refusal> {
        let mut group = Self {
            program,
            states: vec![State::default(); program.buffers.len()],
            roles: Vec::new(),
            end: anchor + 1,
        };
        let operation = &program.operations[anchor];
        // The demand for the result is the demand for rows along the dimension.
        for operand in operation.writes() {
            let rows = operand.rows_along(dimension).ok_or(Refusal::NoDimension)?;
            group.demand(operand.buffer, Demand::Rows(rows.dimension))?;
        }
        group.add()?;
        match group.roles[..] {
            [Role::Tiled(own)] if own == dimension => Ok(group),
            _ => Err(Refusal::NoDimension),
        }
    }

    /// First operation of the group.
    pub(super) fn first(&self) -> usize {
        self.end - self.roles.len()
    }

    /// End of the operations of the group.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The operations with their roles, in program order.
    pub(super) fn roles(&self) -> impl Iterator<Item = (usize, Role)> {
        (self.first()..self.end).zip(self.roles.iter().rev().copied())
    }

    /// Whether operations of the group write the buffer tile by tile.
    pub(super) fn is_tiled(&self, buffer: BufferId) -> bool {
        self.states[buffer.index()].writer.is_some()
    }

    /// The dimension of which the group accesses rows, if it writes the buffer tile by tile.
    pub(super) fn row_dimension(&self, buffer: BufferId) -> Option<usize> {
        Some(self.states[buffer.index()].writer?.dimension)
    }

    /// Adds the operation before the first one. After a refusal the group must not grow further; it
    /// remains valid without the operation. Linear in operands and dimensions.
    pub(super) fn grow(&mut self) -> Result<(), Refusal> {
        self.add()
    }

    fn add(&mut self) -> Result<(), Refusal> {
        let program = self.program;
        let Some(at) = self.first().checked_sub(1) else {
            return Err(Refusal::NotTileable);
        };
        let operation = &program.operations[at];
        if !operation.can_be_tiled() {
            return Err(Refusal::NotTileable);
        }
        let is_visible =
            |operand: &TileOperand| !program.buffers[operand.buffer.index()].is_private;
        if operation.writes().any(is_visible) {
            return Err(Refusal::VisibleWrite);
        }
        let role = self.role(operation)?;
        self.check_order(operation, role)?;
        match role {
            Role::Tiled(dimension) => self.write_rows(operation, dimension)?,
            Role::Hoisted => self.write_whole(operation)?,
        }
        for operand in &operation.operands {
            if operand.access != TileAccess::Write {
                self.demand(operand.buffer, demand_of(operand, role))?;
            }
        }
        self.roles.push(role);
        Ok(())
    }

    /// How an operation is executed, given how its results are demanded.
    fn role(&self, operation: &TileOperation) -> Result<Role, Refusal> {
        let mut role = None;
        for operand in operation.writes() {
            let wanted = match self.states[operand.buffer.index()].demand {
                Demand::None => continue,
                Demand::Whole => Role::Hoisted,
                Demand::Rows(rows) => {
                    let dimension = producer(operation, operand, rows);
                    Role::Tiled(dimension.ok_or(Refusal::NoDimension)?)
                }
            };
            if role.is_some_and(|other| other != wanted) {
                return Err(Refusal::Conflict);
            }
            role = Some(wanted);
        }
        match role {
            Some(role) => Ok(role),
            None => self.role_of_consumer(operation),
        }
    }

    /// The role of an operation whose results the group does not use: it follows its operands.
    fn role_of_consumer(&self, operation: &TileOperation) -> Result<Role, Refusal> {
        for operand in &operation.operands {
            let Demand::Rows(rows) = self.states[operand.buffer.index()].demand else {
                continue;
            };
            let along = |dimension: &usize| {
                let map = operand.rows_along(*dimension);
                map.is_some_and(|map| map.dimension == rows)
            };
            let dimension = (0..operation.dimensions.len()).find(along);
            let dimension = dimension.ok_or(Refusal::NoDimension)?;
            return match produces(operation, dimension) {
                true => Ok(Role::Tiled(dimension)),
                false => Err(Refusal::NoDimension),
            };
        }
        Err(Refusal::NoDimension)
    }

    /// Every tile executes the operations in program order, for rows that follow those of the tile
    /// before. A tile therefore overwrites rows that an earlier operation has to read in a later
    /// tile, unless that operation reads exactly the rows that it writes itself.
    fn check_order(&self, operation: &TileOperation, role: Role) -> Result<(), Refusal> {
        for operand in &operation.operands {
            if operand.access != TileAccess::Read {
                continue;
            }
            let own = |other: &&TileOperand| other.buffer == operand.buffer;
            let is_same = |write: &TileOperand| match role {
                Role::Tiled(dimension) => {
                    let rows = operand.rows_along(dimension);
                    rows.is_some() && rows == write.rows_along(dimension)
                }
                Role::Hoisted => true,
            };
            let is_fine = match operation.writes().find(own) {
                Some(write) => is_same(write),
                None => !self.states[operand.buffer.index()].is_written,
            };
            if !is_fine {
                return Err(Refusal::ReadBeforeWrite);
            }
        }
        Ok(())
    }

    fn write_rows(&mut self, operation: &TileOperation, dimension: usize) -> Result<(), Refusal> {
        if !produces(operation, dimension) {
            return Err(Refusal::NoDimension);
        }
        let is_single = operation.writes().count() == 1;
        for operand in operation.writes() {
            let rows = operand.rows_along(dimension).ok_or(Refusal::NoDimension)?;
            self.demand(operand.buffer, Demand::Rows(rows.dimension))?;
            let state = &mut self.states[operand.buffer.index()];
            // An operation with several results may compute more rows of one of them than are
            // demanded. Later writers would not follow.
            if state.is_written && !is_single {
                return Err(Refusal::Conflict);
            }
            // All writers produce the same rows in a tile. Where those of a later writer end, iterations
            // of this one have to end, too, or rows are left out.
            let is_aligned = |other: RowMap| {
                let is_single = rows.last - rows.first == 1;
                let is_same = other.scale == rows.scale && rows.is_exact();
                is_single || is_same && (other.first - rows.first) % rows.scale == 0
            };
            match state.writer {
                Some(other) if !is_aligned(other) => return Err(Refusal::Conflict),
                None if state.is_written => return Err(Refusal::Conflict),
                _ => {}
            }
            let coarser = state
                .writer
                .filter(|other| other.is_exact() && !rows.is_exact());
            state.writer = coarser.or(Some(rows));
            state.is_written = true;
        }
        Ok(())
    }

    fn write_whole(&mut self, operation: &TileOperation) -> Result<(), Refusal> {
        for operand in operation.writes() {
            let state = &mut self.states[operand.buffer.index()];
            if state.writer.is_some() {
                return Err(Refusal::Conflict);
            }
            state.is_written = true;
            state.demand = Demand::Whole;
        }
        Ok(())
    }

    /// Records how an operation accesses a buffer. A buffer that is accessed in several ways has to
    /// be whole, which it is not if operations of the group write it tile by tile.
    fn demand(&mut self, buffer: BufferId, demand: Demand) -> Result<(), Refusal> {
        let state = &mut self.states[buffer.index()];
        if state.demand == demand {
            return Ok(());
        }
        if state.demand != Demand::None {
            if state.writer.is_some() {
                return Err(Refusal::Conflict);
            }
            state.demand = Demand::Whole;
        } else {
            state.demand = demand;
        }
        Ok(())
    }
}

/// How an operation accesses an operand that it reads.
fn demand_of(operand: &TileOperand, role: Role) -> Demand {
    let Role::Tiled(dimension) = role else {
        return Demand::Whole;
    };
    match operand.along.get(dimension) {
        Some(Along::Rows(rows)) => Demand::Rows(rows.dimension),
        _ => Demand::Whole,
    }
}

/// The dimension along which an operation writes rows of an operand.
fn producer(operation: &TileOperation, operand: &TileOperand, rows: usize) -> Option<usize> {
    let along = |dimension: &usize| {
        let map = operand.rows_along(*dimension);
        map.is_some_and(|map| map.dimension == rows) && produces(operation, *dimension)
    };
    (0..operation.dimensions.len()).find(along)
}

/// Whether the iterations of a dimension are independent and write separate rows.
fn produces(operation: &TileOperation, dimension: usize) -> bool {
    let is_separate = |operand: &TileOperand| {
        let rows = operand.rows_along(dimension);
        rows.is_some_and(RowMap::is_separate)
    };
    operation.dimensions[dimension].is_parallel && operation.writes().all(is_separate)
}

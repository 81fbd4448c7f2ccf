//! Groups of operations that can be executed tile by tile: which dimension of each operation is
//! divided.
//!
//! A group grows backwards from its last operation, the *anchor*, one operation at a time. The
//! operations that are already in the group demand their operands either as rows of one dimension
//! or as a whole. An operation that produces rows is tiled along the dimension that produces them;
//! one whose result is needed as a whole is *hoisted*, i.e. executed before the tiles. The demands of
//! later operations are known when an operation is added, so every choice is final.
//!
//! An operation that neither fits the tiles nor computes what they need is *sunk*, i.e. executed after the
//! tiles, if what it reads still exists then: a training step computes its loss between the forward and
//! the backward operations of one group. That an operation fits may only turn out when an earlier one is
//! tiled whose result it reads. The group is then built once more, with that operation tiled as well.

use mem_model::{Along, BufferId, RowMap, TileAccess, TileOperand, TileOperation, TileProgram};

use super::tuning;

/// Why an operation cannot be added to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It can only be executed as a whole.
    #[error("it can only be executed as a whole")]
    NotTileable,
    /// It writes memory that is visible outside the block, which other buffers may overlap.
    #[error("it writes memory that others see, and other operands may overlap it")]
    VisibleWrite,
    /// It would have to run after the tiles, but later operations use or overwrite what it accesses.
    #[error(
        "it would have to run after the tiles, but operations of the group use or overwrite what it accesses"
    )]
    NotDelayable,
    /// It reads what a later operation of the group overwrites.
    #[error("it reads what a later operation of the group overwrites")]
    ReadBeforeWrite,
    /// Its result is demanded as a whole and in rows, or in rows of several dimensions.
    #[error("its result is read as a whole and in rows, or in rows of several dimensions")]
    Conflict,
    /// The demanded rows are not rows of one of its parallel dimensions.
    #[error("the rows that are read are not rows of one of its dimensions")]
    NoDimension,
}

impl Refusal {
    /// A name by which programs recognize the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotTileable => "NotTileable",
            Self::VisibleWrite => "VisibleWrite",
            Self::NotDelayable => "NotDelayable",
            Self::ReadBeforeWrite => "ReadBeforeWrite",
            Self::Conflict => "ConflictingRows",
            Self::NoDimension => "NoDimension",
        }
    }
}

/// How an operation of a group is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Tile by tile, along this dimension of its iteration space.
    Tiled(usize),
    /// As a whole, before the tiles.
    Hoisted,
    /// As a whole, after the tiles.
    Sunk,
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
    /// By operations that are executed tile by tile or before the tiles, as is `is_written`.
    demand: Demand,
    is_written: bool,
    /// The rows of an operation that writes the buffer tile by tile.
    writer: Option<RowMap>,
    /// Whether operations after the tiles access the buffer.
    is_used_after: bool,
}

/// A group under construction: the operations `[first, end)`.
pub(super) struct Group<'a> {
    program: &'a TileProgram,
    states: Vec<State>,
    /// The roles of the operations, the last one first.
    roles: Vec<Role>,
    end: usize,
    /// Dimensions of operations that follow the rows of an operand, although nothing after them does.
    followers: Vec<(usize, usize)>,
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
            followers: Vec::new(),
        };
        group.add_in(anchor, Role::Tiled(dimension))?;
        Ok(group)
    }

    /// A group that ends with `anchor`, which is tiled along `dimension`, and begins at `first`. Otherwise, the
    /// operation that cannot be part of it.
    pub(super) fn reaching(
        program: &'a TileProgram,
        (anchor, dimension): (usize, usize),
        first: usize,
    ) -> Result<Self, (usize, Refusal)> {
        let group = Self::new(program, anchor, dimension);
        let mut group = group.map_err(|refusal| (anchor, refusal))?;
        while group.first() > first {
            let next = group.first() - 1;
            group.grow().map_err(|refusal| (next, refusal))?;
        }
        Ok(group)
    }

    /// First operation of the group.
    pub(super) fn first(&self) -> usize {
        self.end - self.roles.len()
    }

    /// End of the operations of the group.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Whether the first operation is executed after the tiles.
    pub(super) fn starts_after(&self) -> bool {
        self.roles.last() == Some(&Role::Sunk)
    }

    /// The operations with their roles, in program order.
    pub(super) fn roles(&self) -> impl Iterator<Item = (usize, Role)> {
        (self.first()..self.end).zip(self.roles.iter().rev().copied())
    }

    /// Whether operations of the group write the buffer tile by tile.
    pub(super) fn is_tiled(&self, buffer: BufferId) -> bool {
        self.states[buffer.index()].writer.is_some()
    }

    /// Whether operations of the group access the buffer after the tiles.
    pub(super) fn is_used_after(&self, buffer: BufferId) -> bool {
        self.states[buffer.index()].is_used_after
    }

    /// The dimension of which the group accesses rows, if it writes the buffer tile by tile.
    pub(super) fn row_dimension(&self, buffer: BufferId) -> Option<usize> {
        Some(self.states[buffer.index()].writer?.dimension)
    }

    /// Adds the operation before the first one. After a refusal the group must not grow further; it
    /// remains valid without the operation. Linear in operands and dimensions, but for operations that let
    /// others follow.
    pub(super) fn grow(&mut self) -> Result<(), Refusal> {
        self.add_next()?;
        if let Some(other) = self.with_followers() {
            *self = other;
        }
        Ok(())
    }

    fn add_next(&mut self) -> Result<(), Refusal> {
        let at = self.first().checked_sub(1).ok_or(Refusal::NotTileable)?;
        let operands = self.program.operations[at].operands.iter();
        // An operation that is refused changes nothing that later operations would see.
        let before: Vec<(BufferId, State)> = operands
            .map(|operand| (operand.buffer, self.states[operand.buffer.index()]))
            .collect();
        let added = self.role(at).and_then(|role| self.add_in(at, role));
        added.or_else(|refusal| {
            for (buffer, state) in before {
                self.states[buffer.index()] = state;
            }
            self.add_in(at, Role::Sunk).map_err(|_| refusal)
        })
    }

    /// The same operations, if some after the tiles can follow the rows that the first one writes.
    fn with_followers(&self) -> Option<Self> {
        let found = self.followers_of(self.first());
        let is_possible = !found.is_empty() && self.followers.len() < tuning::MAX_FOLLOWERS;
        let anchor = self.roles.first().filter(|_| is_possible)?;
        let Role::Tiled(dimension) = *anchor else {
            return None;
        };
        let mut other = Self::new(self.program, self.end - 1, dimension).ok()?;
        other.followers = [&self.followers[..], &found].concat();
        while other.first() > self.first() {
            other.add_next().ok()?;
        }
        Some(other)
    }

    /// The operations after the tiles that can be tiled along the rows that an operation writes, with
    /// their dimensions.
    fn followers_of(&self, at: usize) -> Vec<(usize, usize)> {
        let operation = &self.program.operations[at];
        let mut found = Vec::new();
        for written in operation.writes() {
            let state = &self.states[written.buffer.index()];
            let Some(rows) = state.writer.filter(|_| state.is_used_after) else {
                continue;
            };
            let sunk = self.roles().filter(|(_, role)| *role == Role::Sunk);
            found.extend(sunk.filter_map(|(reader, _)| {
                let own = &self.program.operations[reader];
                let mut reads = own.operands.iter();
                let read = reads.find(|read| read.buffer == written.buffer)?;
                Some((reader, divisible(own, read, rows.dimension)?))
            }));
        }
        found.retain(|own| !self.followers.contains(own));
        found
    }

    /// Adds an operation that is executed in a given way.
    fn add_in(&mut self, at: usize, role: Role) -> Result<(), Refusal> {
        let operation = &self.program.operations[at];
        if role == Role::Sunk {
            self.check_delay(operation)?;
            for operand in &operation.operands {
                self.states[operand.buffer.index()].is_used_after = true;
            }
            self.roles.push(role);
            return Ok(());
        }
        if !operation.can_be_tiled() {
            return Err(Refusal::NotTileable);
        }
        let is_visible =
            |operand: &TileOperand| !self.program.buffers[operand.buffer.index()].is_private;
        if operation.writes().any(is_visible) {
            return Err(Refusal::VisibleWrite);
        }
        self.check_order(operation, role)?;
        if let Role::Tiled(dimension) = role {
            let along = |operand: &TileOperand| operand.along.get(dimension).copied();
            let mut all = operation.operands.iter().map(along);
            // No view shows the elements of some iterations only, or there is only one iteration.
            if all.any(|along| along == Some(Along::Unknown))
                || operation.dimensions[dimension].extent == 1
            {
                return Err(Refusal::NoDimension);
            }
        }
        match role {
            Role::Tiled(dimension) if accumulates(operation, dimension) => {
                self.write_sums(operation)?;
            }
            Role::Tiled(dimension) => self.write_rows(operation, dimension)?,
            _ => self.write_whole(operation)?,
        }
        for operand in &operation.operands {
            if operand.access != TileAccess::Write {
                self.demand(operand.buffer, demand_of(operand, role))?;
            }
        }
        self.roles.push(role);
        Ok(())
    }

    /// Whether an operation may be executed after the later ones of the group, those after the tiles
    /// excepted: they neither access what it writes, nor write what it reads.
    fn check_delay(&self, operation: &TileOperation) -> Result<(), Refusal> {
        let is_private = |index: usize| self.program.buffers[index].is_private;
        let is_distinct = |index: usize| self.program.buffers[index].is_distinct;
        let is_fine = |operand: &TileOperand| {
            let own = operand.buffer.index();
            let state = &self.states[own];
            if operand.access == TileAccess::Read {
                // The group writes private buffers only, which nothing else overlaps.
                return !state.is_written;
            }
            let others = self.states.iter().enumerate();
            let mut accessed = others.filter(|(_, state)| state.demand != Demand::None);
            state.demand == Demand::None
                && (is_distinct(own) || accessed.all(|(index, _)| is_private(index)))
        };
        match operation.can_be_delayed && operation.operands.iter().all(is_fine) {
            true => Ok(()),
            false => Err(Refusal::NotDelayable),
        }
    }

    /// How an operation is executed, given how its results are demanded.
    fn role(&self, at: usize) -> Result<Role, Refusal> {
        let operation = &self.program.operations[at];
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
        if let Some(role) = role {
            return Ok(role);
        }
        let follower = self.followers.iter().find(|(own, _)| *own == at);
        match follower {
            Some((_, dimension)) => Ok(Role::Tiled(*dimension)),
            None => self.role_of_consumer(operation),
        }
    }

    /// The role of an operation whose results the group does not use: it follows its operands.
    fn role_of_consumer(&self, operation: &TileOperation) -> Result<Role, Refusal> {
        let demanded = operation.operands.iter().find_map(|operand| {
            match self.states[operand.buffer.index()].demand {
                Demand::Rows(rows) => Some((operand, rows)),
                _ => None,
            }
        });
        let (operand, rows) = demanded.ok_or(Refusal::NoDimension)?;
        let dimension = divisible(operation, operand, rows);
        dimension.map(Role::Tiled).ok_or(Refusal::NoDimension)
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
                Role::Hoisted | Role::Sunk => true,
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

    /// Adds an operation that accumulates in buffers, which are complete after the last tile.
    fn write_sums(&mut self, operation: &TileOperation) -> Result<(), Refusal> {
        for operand in operation.writes() {
            let state = &mut self.states[operand.buffer.index()];
            // Later operations of the group would need the sum before, or add to it in other tiles.
            if state.demand != Demand::None || state.is_written {
                return Err(Refusal::Conflict);
            }
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

/// The dimension along which an operation accesses rows of an operand, if it can be divided along it.
fn divisible(operation: &TileOperation, operand: &TileOperand, rows: usize) -> Option<usize> {
    let along = |dimension: &usize| {
        let map = operand.rows_along(*dimension);
        map.is_some_and(|map| map.dimension == rows)
    };
    let dimension = (0..operation.dimensions.len()).find(along)?;
    let is_divisible = produces(operation, dimension) || accumulates(operation, dimension);
    is_divisible.then_some(dimension)
}

/// The dimension along which an operation writes rows of an operand.
fn producer(operation: &TileOperation, operand: &TileOperand, rows: usize) -> Option<usize> {
    let along = |dimension: &usize| {
        let map = operand.rows_along(*dimension);
        map.is_some_and(|map| map.dimension == rows) && produces(operation, *dimension)
    };
    (0..operation.dimensions.len()).find(along)
}

/// Whether the iterations of a dimension add separate rows to what the operation writes. In the rows of a
/// convolution's kernel, for instance, each iteration reads nearly all rows, so that tiles would save nothing.
fn accumulates(operation: &TileOperation, dimension: usize) -> bool {
    let is_separate = |operand: &TileOperand| {
        let rows = operand.rows_along(dimension);
        rows.is_none_or(RowMap::is_separate)
    };
    operation.accumulates_along(dimension) && operation.operands.iter().all(is_separate)
}

/// Whether the iterations of a dimension are independent and write separate rows.
fn produces(operation: &TileOperation, dimension: usize) -> bool {
    let is_separate = |operand: &TileOperand| {
        let rows = operand.rows_along(dimension);
        rows.is_some_and(RowMap::is_separate)
    };
    operation.dimensions[dimension].is_parallel && operation.writes().all(is_separate)
}

//! Memory that holds symbols. Each byte holds a part of a value; unwritten bytes hold garbage.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::Fault;

/// Distance between allocations in the address space; larger than any allocation, so addresses
/// never collide.
const DISTANCE: i64 = 1 << 40;

/// The bits of a cell that give the position of the byte within its value. Values of more than
/// eight bytes are not supported.
const PART: u64 = 7;

/// A hash of the computation of a value. The lowest three bits are zero.
pub(super) type Symbol = u64;

/// The symbol of a computation with these `parts`.
pub(super) fn symbol(parts: impl Hash) -> Symbol {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish() & !PART
}

/// A byte position in an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub allocation: usize,
    /// Offset from the start of the allocation; may be out of bounds.
    pub start: i64,
}

impl Bytes {
    pub(super) fn at(self, more: i64) -> Self {
        let start = self.start.wrapping_add(more);
        Self { start, ..self }
    }

    /// The position as an integer address.
    pub(super) fn address(self) -> i64 {
        (self.allocation as i64 + 1) * DISTANCE + self.start
    }
}

struct Allocation {
    cells: Vec<u64>,
    is_alive: bool,
}

/// All allocations of a run.
pub(super) struct Memory {
    allocations: Vec<Allocation>,
    /// Determines the garbage.
    seed: u64,
    /// The integers that symbols in memory stand for.
    integers: HashMap<Symbol, i64>,
    /// Values read from bytes of several values. The original bytes are restored when such a value
    /// is written.
    mixtures: HashMap<Symbol, Vec<u64>>,
}

impl Memory {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            allocations: Vec::new(),
            seed,
            integers: HashMap::new(),
            mixtures: HashMap::new(),
        }
    }

    /// Allocates bytes that hold garbage, which differs between runs.
    pub(super) fn allocate(&mut self, size: i64) -> Result<Bytes, Fault> {
        const MOST: i64 = 1 << 26;
        if !(0..=MOST).contains(&size) {
            return Err(Fault::TooLarge { size });
        }
        let allocation = self.allocations.len();
        let garbage = |index: i64| symbol((self.seed, allocation, index));
        self.allocations.push(Allocation {
            cells: (0..size).map(garbage).collect(),
            is_alive: true,
        });
        let start = 0;
        Ok(Bytes { allocation, start })
    }

    pub(super) fn free(&mut self, bytes: Bytes) -> Result<(), Fault> {
        let allocation = &mut self.allocations[bytes.allocation];
        if !allocation.is_alive || bytes.start != 0 {
            return Err(Fault::BadFree);
        }
        allocation.is_alive = false;
        Ok(())
    }

    /// Overwrites bytes with garbage.
    pub(super) fn spoil(&mut self, bytes: Bytes, size: i64, salt: u64) -> Result<(), Fault> {
        let seed = self.seed;
        let cells = self.cells(bytes, size)?;
        for (index, cell) in cells.iter_mut().enumerate() {
            *cell = symbol((seed, "spoilt", salt, index));
        }
        Ok(())
    }

    fn cells(&mut self, bytes: Bytes, size: i64) -> Result<&mut [u64], Fault> {
        let allocation = &mut self.allocations[bytes.allocation];
        let length = allocation.cells.len();
        if !allocation.is_alive {
            return Err(Fault::AfterFree);
        }
        let range = usize::try_from(bytes.start)
            .ok()
            .zip(usize::try_from(size).ok());
        let range = range.and_then(|(start, size)| Some(start..start.checked_add(size)?));
        let cells = range.and_then(|range| allocation.cells.get_mut(range));
        cells.ok_or(Fault::OutOfBounds {
            start: bytes.start,
            size,
            length,
        })
    }

    pub(super) fn read(&mut self, bytes: Bytes, size: i64) -> Result<Symbol, Fault> {
        let cells = self.cells(bytes, size)?;
        let first = cells.first().copied().unwrap_or(0) & !PART;
        let is_whole = (0..)
            .zip(cells.iter())
            .all(|(part, cell)| *cell == first | part);
        if is_whole {
            return Ok(first);
        }
        let (mixture, cells) = (symbol(&*cells), cells.to_vec());
        self.mixtures.insert(mixture, cells);
        Ok(mixture)
    }

    pub(super) fn write(&mut self, bytes: Bytes, size: i64, value: Symbol) -> Result<(), Fault> {
        if let Some(mixture) = self.mixtures.get(&value).cloned()
            && mixture.len() as i64 == size
        {
            return self.paste(bytes, &mixture);
        }
        let cells = self.cells(bytes, size)?;
        for (part, cell) in (0..).zip(cells.iter_mut()) {
            *cell = value | part;
        }
        Ok(())
    }

    /// Copies a byte range verbatim.
    pub(super) fn copy_of(&mut self, bytes: Bytes, size: i64) -> Result<Vec<u64>, Fault> {
        self.cells(bytes, size).map(|cells| cells.to_vec())
    }

    pub(super) fn paste(&mut self, bytes: Bytes, cells: &[u64]) -> Result<(), Fault> {
        let target = self.cells(bytes, cells.len() as i64)?;
        target.copy_from_slice(cells);
        Ok(())
    }

    /// The symbol that stands for an integer.
    pub(super) fn of_integer(&mut self, number: i64) -> Symbol {
        let symbol = symbol(("integer", number));
        self.integers.insert(symbol, number);
        symbol
    }

    /// The integer that a symbol stands for, if any.
    pub(super) fn integer(&self, symbol: Symbol) -> Option<i64> {
        self.integers.get(&symbol).copied()
    }
}

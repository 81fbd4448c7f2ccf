//! Copies of rows, which may be in flight while other steps run.

use super::{Check, Row, TileError, TileRows, TileStorage, length};

pub(super) const fn in_flight(rows: TileRows) -> TileError {
    TileError::InFlight {
        start: rows.start,
        end: rows.end,
    }
}

/// Whether two ranges of rows share one.
fn overlaps(a: TileRows, b: TileRows) -> bool {
    a.storage == b.storage && a.start < b.end && b.start < a.end
}

impl Check<'_> {
    /// Checks that rows that are written are no source or target of a copy in flight.
    pub(super) fn check_flights(&self, written: TileRows) -> Result<(), TileError> {
        let mut rows = self.flights.values().flat_map(|(from, to)| [*from, *to]);
        match rows.find(|own| overlaps(*own, written)) {
            Some(own) => Err(in_flight(own)),
            None => Ok(()),
        }
    }

    pub(super) fn start_copy(
        &mut self,
        from: TileRows,
        to: TileRows,
        copy: usize,
    ) -> Result<(), TileError> {
        self.check_bounds(from)?;
        self.check_bounds(to)?;
        self.check_flights(to)?;
        let mut targets = self.flights.values().map(|(_, to)| *to);
        if targets.any(|own| overlaps(own, from)) || self.flights.contains_key(&copy) {
            return Err(in_flight(from));
        }
        // What reads the target before the copy is complete finds nothing.
        let rows = length(to.start)..length(to.end);
        if let Some(target) = self.storage_mut(to.storage) {
            target[rows].fill(None);
        }
        self.flights.insert(copy, (from, to));
        Ok(())
    }

    pub(super) fn copy(&mut self, from: TileRows, to: TileRows) -> Result<(), TileError> {
        self.check_bounds(from)?;
        self.check_bounds(to)?;
        self.check_flights(to)?;
        if overlaps(from, to) {
            return Err(TileError::OverlappingCopy {
                from: from.start,
                to: to.start,
            });
        }
        if from.end - from.start != to.end - to.start {
            return Err(TileError::OutOfBounds {
                start: to.start,
                end: to.end,
            });
        }
        let target = to.storage;
        for index in 0..from.end - from.start {
            let source = self.storage(from.storage);
            let row = source.and_then(|own| own[length(from.start + index)]);
            let place = length(to.start + index);
            // A row of a buffer of the original is in its own place, or nowhere.
            let is_own = row.is_none_or(|row| length(row.number) == place);
            if matches!(target, TileStorage::Buffer(_)) && !is_own {
                return Err(TileError::MisplacedRow {
                    row: to.start + index,
                });
            }
            if let Some(target) = self.storage_mut(target) {
                target[place] = row;
            }
        }
        Ok(())
    }

    fn storage_mut(&mut self, storage: TileStorage) -> Option<&mut Vec<Row>> {
        match storage {
            TileStorage::Buffer(buffer) => self.buffers.get_mut(&buffer),
            TileStorage::Window(window) => self.windows.get_mut(window),
            TileStorage::Operand => None,
        }
    }
}

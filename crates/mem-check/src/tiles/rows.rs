//! What rows hold: of which buffer they are, and which operations have written them.

use std::collections::HashMap;

use mem_model::{BufferId, StepId};

/// The operations that have written a row, in order. 0: none.
pub(super) type Version = usize;

/// What a row of a storage holds; `None`: nothing that is known.
pub(super) type Row = Option<Content>;

/// A row of a buffer of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) buffer: BufferId,
    /// Its number in the buffer.
    pub(super) number: i64,
    pub(super) version: Version,
}

/// Versions are numbered in the order in which they appear.
#[derive(Default)]
pub(super) struct Versions {
    known: HashMap<(Version, StepId, Executed), Version>,
}

/// How much of an operation that writes a row has been executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Executed {
    All,
    /// So many of the iterations of a dimension along which it accumulates.
    First(usize, i64),
}

impl Versions {
    /// The version after `operation` has written a row.
    pub(super) fn after(
        &mut self,
        before: Version,
        operation: StepId,
        executed: Executed,
    ) -> Version {
        let next = self.known.len() + 1;
        let key = (before, operation, executed);
        *self.known.entry(key).or_insert(next)
    }

    /// The same, if it has appeared.
    pub(super) fn known(
        &self,
        before: Version,
        operation: StepId,
        executed: Executed,
    ) -> Option<Version> {
        self.known.get(&(before, operation, executed)).copied()
    }
}

//! Translates modules into the programs that translation validation compares: plain data that
//! outlives passes.
//!
//! Nothing here is shared with the passes under validation or with their extraction, so that a
//! mistake cannot be made on both sides.

mod fingerprint;
mod launches;
mod rotation;
mod steps;
mod transfers;
mod translate;
mod views;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mem_equivalence::program::Location as LocationId;

use crate::ir::{Location, Op};
pub(crate) use translate::{Names, Snapshot, translate};

/// Snapshots, by the address of the module operation, which stays the same from pass to pass. They
/// hold no handle that is used after the module is gone.
static SNAPSHOTS: Mutex<BTreeMap<usize, Snapshot>> = Mutex::new(BTreeMap::new());

fn snapshots() -> MutexGuard<'static, BTreeMap<usize, Snapshot>> {
    SNAPSHOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a snapshot of a module, for [`take`].
pub(crate) fn keep(module: Op) {
    let snapshot = translate(module, Names::default());
    snapshots().insert(module.0.ptr as usize, snapshot);
}

/// Removes and returns the last snapshot of a module.
pub(crate) fn take(module: Op) -> Option<Snapshot> {
    snapshots().remove(&(module.0.ptr as usize))
}

impl Names {
    /// The source location with an id.
    pub(crate) fn location(&self, id: LocationId) -> Location {
        self.locations[id.0 as usize].0
    }
}

//! What a module does, as plain data that outlives passes: the programs that translation validation compares.
//!
//! Nothing here is shared with the passes that are validated, nor with the extraction that they use: a mistake there must not be
//! made twice.

mod fingerprint;
mod steps;
mod translate;
mod views;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mem_equivalence::program::Location as LocationId;

use crate::mlir::{Location, Op};
pub(crate) use translate::{Names, Snapshot, translate};

/// Modules as they were, by the address of their operation, which stays the same from pass to pass. They hold no handle that is
/// used once the module is gone.
static SNAPSHOTS: Mutex<BTreeMap<usize, Snapshot>> = Mutex::new(BTreeMap::new());

fn snapshots() -> MutexGuard<'static, BTreeMap<usize, Snapshot>> {
    SNAPSHOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a module as it is, for [`take`].
pub(crate) fn keep(module: Op) {
    let snapshot = translate(module, Names::default());
    snapshots().insert(module.0.ptr as usize, snapshot);
}

/// The module as it was kept last.
pub(crate) fn take(module: Op) -> Option<Snapshot> {
    snapshots().remove(&(module.0.ptr as usize))
}

impl Names {
    /// The source location with a number.
    pub(crate) fn location(&self, id: LocationId) -> Location {
        self.locations[id.0 as usize].0
    }
}

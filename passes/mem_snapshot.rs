//! `mem-snapshot`: notes what a module does, for `mem-validate` to compare with.

use crate::registry::generated::MemSnapshotOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::validation::keep;

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    keep(run.operation());
    run.changed_nothing();
    Ok(())
}

//! `mem-snapshot`: records what a module computes, for comparison by `mem-validate`.

use crate::registry::generated::MemSnapshotOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::validation::keep;

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    keep(run.operation());
    run.changed_nothing();
    Ok(())
}

//! `mem-snapshot`: records what a module computes, for comparison by `mem-validate`.

use crate::analyze::validation::keep;
use crate::framework::options::MemSnapshotOptions as Options;
use crate::framework::{PassResult, PassRun};

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    keep(run.operation());
    run.changed_nothing();
    Ok(())
}

//! Searches of the command: they show their progress on a terminal, and an interrupt ends them.

use mem_planner::observe::{self, Event};

/// Prepares for searches: the first interrupt ends them with their best plans, and another one the
/// program.
pub(crate) fn watch() {
    let end = || std::process::exit(mem_command::INTERRUPTED);
    mem_command::watch("mem-plan", end, || {});
}

/// Runs a search. Interrupts before it end the program, as there is nothing to write yet.
pub(crate) fn shown<T>(search: impl FnOnce() -> T) -> T {
    observe::report(|| Event::Begin("mem-plan"));
    let found = search();
    observe::report(|| Event::End);
    found
}

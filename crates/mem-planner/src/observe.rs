//! Observation of the searches of a process: their progress, and an early end.
//!
//! A command shows the progress of its searches and ends them on an interrupt. The planners run deep
//! inside passes that MLIR creates, through which no observer can be handed down. Therefore the observer
//! belongs to the process, like a logger. Libraries install none: then each report is one load of an
//! atomic variable.
//!
//! Until [`stop_searches`] is called, plans do not depend on the observer. Afterwards each search ends
//! with its best plan so far, as if its effort was spent; plans are checked as always.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use mem_model::Bytes;

/// What a process observes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A pass begins.
    Begin(&'static str),
    /// The state of a search.
    Search(Searching),
    /// A pass is about to print a diagnostic.
    Print,
    /// The pass has ended.
    End,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searching {
    /// The best plan so far; `None` if none is known.
    pub best: Option<Quantity>,
    /// Lower bound on any plan, as far as it is known.
    pub bound: Option<Quantity>,
    /// The fraction of the effort limit that is spent, if the search has one: the search ends when it is
    /// 1, or earlier.
    pub spent: Option<f64>,
}

/// What a search minimizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The peak of an arena.
    Peak(Bytes),
    /// Time in cycles.
    Cycles(u64),
}

type Observer = Box<dyn Fn(Event) + Send + Sync>;

static OBSERVER: OnceLock<Observer> = OnceLock::new();
static STOP: AtomicBool = AtomicBool::new(false);

/// Installs the observer of this process. Later ones are ignored.
pub fn observe(observer: impl Fn(Event) + Send + Sync + 'static) {
    let _ = OBSERVER.set(Box::new(observer));
}

/// Ends all searches of this process, also those that begin later, with the best plans that they have.
pub fn stop_searches() {
    STOP.store(true, Ordering::Relaxed);
}

/// Whether [`stop_searches`] has been called.
#[must_use]
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Tells the observer what happens, if there is one.
pub fn report(event: impl FnOnce() -> Event) {
    if let Some(observer) = OBSERVER.get() {
        observer(event());
    }
}

/// Reports a search for a low peak.
pub(crate) fn report_peak(best: u64, bound: u64) {
    report(|| {
        Event::Search(Searching {
            best: Some(Quantity::Peak(Bytes::new(best))),
            bound: Some(Quantity::Peak(Bytes::new(bound))),
            spent: None,
        })
    });
}

/// Reports a search for few cycles.
pub(crate) fn report_cycles(best: Option<u64>, bound: Option<u64>, spent: Option<f64>) {
    report(|| {
        Event::Search(Searching {
            best: best.map(Quantity::Cycles),
            bound: bound.map(Quantity::Cycles),
            spent,
        })
    });
}

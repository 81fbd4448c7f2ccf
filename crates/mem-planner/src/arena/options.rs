//! Options of all strategies, and the observer of a search.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mem_model::Bytes;

use super::{Strategy, tuning};

/// Options of all strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Minimum alignment of every offset, in bytes; zero for no constraint beyond the items' own.
    pub alignment: Bytes,
    /// Effort limit of a search, in examined blocks; roughly ten million take a second. The limit
    /// is machine-independent, and so are the resulting plans.
    pub effort: u64,
    /// Time limit of a search. With a time limit, plans depend on the machine.
    pub time_limit: Option<Duration>,
    /// Peak in bytes at which a search stops. `None`: search for the lowest peak.
    pub enough: Option<Bytes>,
    /// Random seed. Equal seeds give equal plans.
    pub seed: u64,
    /// Number of threads; 0 for one per core. Plans do not depend on it.
    pub threads: usize,
    /// The offsets of a plan to continue from, one per item. The result is no worse than that plan, and
    /// searches start from it if it is better than what the strategies without search find. Offsets that
    /// are no plan of the problem are ignored.
    pub start: Option<Vec<Bytes>>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            alignment: Bytes::ZERO,
            effort: tuning::DEFAULT_EFFORT,
            time_limit: None,
            enough: None,
            seed: 0,
            threads: 1,
            start: None,
        }
    }
}

impl PlanOptions {
    /// Sets the effort limit of a search; 0 for no search.
    #[must_use]
    pub const fn with_effort(mut self, effort: u64) -> Self {
        self.effort = effort;
        self
    }

    /// Sets the peak at which a search stops.
    #[must_use]
    pub const fn with_enough(mut self, peak: Bytes) -> Self {
        self.enough = Some(peak);
        self
    }

    /// Sets the random seed.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the number of threads; 0 for one per core.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Continues from a plan, given by its offsets in the order of the items.
    #[must_use]
    pub fn with_start(mut self, offsets: Vec<Bytes>) -> Self {
        self.start = Some(offsets);
        self
    }

    /// Sets the time limit of a search.
    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Aligns every offset to `alignment` bytes, a power of two or zero.
    #[must_use]
    pub const fn with_alignment(mut self, alignment: Bytes) -> Self {
        self.alignment = alignment;
        self
    }
}

/// Observer of a running search.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    /// Set to true to stop the search and take the best plan so far.
    pub stop: Option<&'w AtomicBool>,
    /// Called for each improvement of the best plan or of the lower bound.
    pub progress: Option<&'w (dyn Fn(Progress) + Sync)>,
}

/// Progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The strategy that is searching.
    pub strategy: Strategy,
    /// Lowest peak found so far.
    pub peak: Bytes,
    /// Proven lower bound on the peak.
    pub bound: Bytes,
}

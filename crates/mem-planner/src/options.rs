//! What every strategy can be told, and who looks on.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mem_model::Bytes;

use crate::Strategy;

/// What every strategy can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Every offset is a multiple of this as well; zero: nothing more than the items ask for.
    pub alignment: Bytes,
    /// How much a search may do, in blocks that it looks at: some ten million a second. The same on every
    /// machine, so that plans do not depend on it.
    pub effort: u64,
    /// When a search stops at the latest; plans then depend on the machine.
    pub time_limit: Option<Duration>,
    /// A peak that is low enough: a search stops there. `None`: the lowest that it can find.
    pub enough: Option<Bytes>,
    /// Where chance begins: the same seed gives the same plan.
    pub seed: u64,
    /// How many threads may work; 0: as many as there are cores. Plans do not depend on it.
    pub threads: usize,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            alignment: Bytes::ZERO,
            effort: 4_000_000,
            time_limit: None,
            enough: None,
            seed: 0,
            threads: 1,
        }
    }
}

impl PlanOptions {
    /// The options with another bound on what a search may do; 0: no search.
    #[must_use]
    pub const fn with_effort(mut self, effort: u64) -> Self {
        self.effort = effort;
        self
    }

    /// The options with a peak at which a search stops.
    #[must_use]
    pub const fn with_enough(mut self, peak: Bytes) -> Self {
        self.enough = Some(peak);
        self
    }

    /// The options with another seed.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The options with another number of threads; 0: as many as there are cores.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The options with a bound on how long a search may take.
    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// The options with every offset a multiple of `alignment` bytes, a power of two or zero.
    #[must_use]
    pub const fn with_alignment(mut self, alignment: Bytes) -> Self {
        self.alignment = alignment;
        self
    }
}

/// Somebody who looks on while a plan is made.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    /// Becomes true when the best plan so far is wanted.
    pub stop: Option<&'w AtomicBool>,
    /// Is told of each plan that is better than those before, and of each bound that is higher.
    pub progress: Option<&'w (dyn Fn(Progress) + Sync)>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What searches.
    pub strategy: Strategy,
    /// The lowest peak found.
    pub peak: Bytes,
    /// No plan has a lower one.
    pub bound: Bytes,
}

//! How much a search may do.

use std::time::Instant;

use crate::PlanOptions;

/// What is left of a search's effort and time.
pub(crate) struct Limits {
    work_left: u64,
    end: Option<Instant>,
    enough: u64,
}

impl Limits {
    /// From now on.
    pub fn new(options: &PlanOptions) -> Self {
        let limit = options.time_limit;
        Self {
            work_left: options.effort,
            end: limit.and_then(|limit| Instant::now().checked_add(limit)),
            enough: options.enough.map_or(0, |peak| peak.get()),
        }
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.work_left == 0 || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The peak that is low enough, in bytes.
    pub fn enough(&self) -> u64 {
        self.enough
    }

    /// When to stop, if at a time.
    pub fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Blocks that may still be looked at.
    pub fn work_left(&self) -> u64 {
        self.work_left
    }

    /// Takes note of blocks that were looked at.
    pub fn spend(&mut self, work: u64) {
        self.work_left = self.work_left.saturating_sub(work);
    }
}

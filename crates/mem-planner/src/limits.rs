//! How much a search may do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mem_model::Bytes;

use crate::{PlanOptions, Progress, Strategy, Watch};

/// When to stop at the latest.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock<'w> {
    end: Option<Instant>,
    stop: Option<&'w AtomicBool>,
}

impl Clock<'_> {
    /// Whether it is time to stop.
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// What is left of a search's effort and time.
pub(crate) struct Limits<'w> {
    effort: u64,
    work_left: u64,
    clock: Clock<'w>,
    watch: Watch<'w>,
    enough: u64,
    /// What was reported last.
    reported: Option<Progress>,
}

impl<'w> Limits<'w> {
    /// From now on.
    pub fn new(options: &PlanOptions, watch: Watch<'w>) -> Self {
        let limit = options.time_limit;
        Self {
            effort: options.effort,
            work_left: options.effort,
            clock: Clock {
                end: limit.and_then(|limit| Instant::now().checked_add(limit)),
                stop: watch.stop,
            },
            watch,
            enough: options.enough.map_or(0, Bytes::get),
            reported: None,
        }
    }

    /// Allows another search the whole effort again; the time goes on.
    pub fn renew(&mut self) {
        self.work_left = self.effort;
    }

    /// What a search may do in all.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.work_left == 0 || self.clock.is_over()
    }

    /// Without the effort.
    pub fn clock(&self) -> Clock<'w> {
        self.clock
    }

    /// Who looks on.
    pub fn watch(&self) -> Watch<'w> {
        self.watch
    }

    /// The peak that is low enough, in bytes.
    pub fn enough(&self) -> u64 {
        self.enough
    }

    /// Blocks that may still be looked at.
    pub fn work_left(&self) -> u64 {
        self.work_left
    }

    /// Takes note of blocks that were looked at.
    pub fn spend(&mut self, work: u64) {
        self.work_left = self.work_left.saturating_sub(work);
    }

    /// Tells whoever looks on, if there is news.
    pub fn report(&mut self, strategy: Strategy, peak: u64, bound: u64) {
        let now = Progress {
            strategy,
            peak: Bytes::new(peak),
            bound: Bytes::new(bound),
        };
        if let Some(progress) = self.watch.progress
            && self.reported != Some(now)
        {
            progress(now);
        }
        self.reported = Some(now);
    }
}

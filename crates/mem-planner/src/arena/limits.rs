//! Effort and time limits of a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mem_model::Bytes;

use crate::observe;

use super::{PlanOptions, Progress, Strategy, Watch};

/// Deadline and stop flag of a search.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock<'w> {
    end: Option<Instant>,
    stop: Option<&'w AtomicBool>,
    /// Whether [`observe::stop_searches`] stops it. A clock by default never stops, for work without which
    /// there would be no plan.
    is_observed: bool,
}

impl Clock<'_> {
    /// Returns whether the search has to stop.
    pub(super) fn is_over(&self) -> bool {
        self.is_observed && observe::is_stopped()
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// Remaining effort and time of a search.
pub(crate) struct Limits<'w> {
    effort: u64,
    work_left: u64,
    clock: Clock<'w>,
    watch: Watch<'w>,
    enough: u64,
    seed: u64,
    /// Whether progress is not reported.
    is_silent: bool,
    /// Most recent report.
    reported: Option<Progress>,
}

impl<'w> Limits<'w> {
    /// Starts the clock with the limits of `options`.
    pub(super) fn new(options: &PlanOptions, watch: Watch<'w>) -> Self {
        let limit = options.time_limit;
        Self {
            effort: options.effort,
            work_left: options.effort,
            clock: Clock {
                end: limit.and_then(|limit| Instant::now().checked_add(limit)),
                stop: watch.stop,
                is_observed: true,
            },
            watch,
            enough: options.enough.map_or(0, Bytes::get),
            seed: options.seed,
            is_silent: false,
            reported: None,
        }
    }

    /// The limits of a search of a part or a variant of the problem, which stops at a peak of `enough`: at most
    /// `effort` of what is left, the same clock, and no reports, since its peaks and bounds are not those of the problem.
    pub(super) fn part(&self, effort: u64, enough: Bytes) -> Self {
        Self {
            effort: effort.min(self.work_left),
            work_left: effort.min(self.work_left),
            enough: enough.get(),
            is_silent: true,
            reported: None,
            ..*self
        }
    }

    /// Grants the full effort to another search. The deadline stays.
    pub(super) fn renew(&mut self) {
        self.work_left = self.effort;
    }

    /// Effort of one search, in examined blocks.
    pub(super) fn effort(&self) -> u64 {
        self.effort
    }

    /// Returns whether the effort or the time is used up.
    pub(super) fn is_over(&self) -> bool {
        self.work_left == 0 || self.clock.is_over()
    }

    /// The deadline and stop flag alone, without the effort.
    pub(super) fn clock(&self) -> Clock<'w> {
        self.clock
    }

    /// Peak in bytes at which a search may stop; 0 if none was requested.
    pub(super) fn enough(&self) -> u64 {
        self.enough
    }

    /// Seed of the random numbers.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Remaining effort, in examined blocks.
    pub(super) fn work_left(&self) -> u64 {
        self.work_left
    }

    /// Charges `work` examined blocks to the effort.
    pub(super) fn spend(&mut self, work: u64) {
        self.work_left = self.work_left.saturating_sub(work);
    }

    /// Reports progress to the observer, unless nothing changed since the last report.
    pub(super) fn report(&mut self, strategy: Strategy, peak: u64, bound: u64) {
        let now = Progress {
            strategy,
            peak: Bytes::new(peak),
            bound: Bytes::new(bound),
        };
        if self.is_silent || self.reported == Some(now) {
            return;
        }
        if let Some(progress) = self.watch.progress {
            progress(now);
        }
        observe::report_peak(peak, bound);
        log::debug!(target: "plan", "{strategy}: peak {peak}, lower bound {bound}");
        self.reported = Some(now);
    }
}

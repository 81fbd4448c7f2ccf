//! Progress of a search on a terminal, and its early termination.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mem_planner::Progress;

/// Set to stop the search and take the best plan so far.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first interrupt end the search, and another one the program.
pub(crate) fn stop_on_interrupt() {
    mem_command::on_interrupt(
        || STOP.store(true, Ordering::Relaxed),
        || std::process::exit(130),
    );
}

/// A progress line on standard error; hidden unless that is a terminal.
pub(crate) struct Show {
    bar: ProgressBar,
}

impl Show {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    pub(crate) fn progress(&self, progress: Progress) {
        let Progress {
            strategy,
            peak,
            bound,
        } = progress;
        let ratio = peak.get() as f64 / bound.get().max(1) as f64;
        self.bar.set_message(format!(
            "{strategy}: peak {peak}, bound {bound} ({ratio:.4})"
        ));
    }

    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

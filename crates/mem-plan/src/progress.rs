//! Progress of a search on a terminal, and its early termination.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use mem_planner::Progress;

/// Set to stop the search and take the best plan so far.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Interrupts this soon after the first one repeat it: `timeout`, `make` and shells signal a process and
/// then its group, so that one request arrives twice.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Makes the first interrupt end the search, and another one, later than [`SAME_REQUEST`], the program.
pub(crate) fn stop_on_interrupt() {
    let first = OnceLock::new();
    let handler = move || {
        STOP.store(true, Ordering::Relaxed);
        if first.get_or_init(Instant::now).elapsed() > SAME_REQUEST {
            std::process::exit(130);
        }
    };
    // Without a handler, an interrupt ends the program, which is the default.
    let _ = ctrlc::set_handler(handler);
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

//! Interrupts: the first one ends a search, the next one the command.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Interrupts this soon after the first one repeat it: `timeout`, `make` and shells signal a process and
/// then its group, so that one request arrives twice.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Calls `first` on the first interrupt, and `again` on each further one that is no repetition of it.
/// Both run on a thread of their own, not in a signal handler. If another handler has been installed
/// through this function before, nothing changes.
pub fn on_interrupt(first: impl Fn() + Send + 'static, again: impl Fn() + Send + 'static) {
    let since = OnceLock::new();
    let handler = move || {
        let is_first = since.get().is_none();
        let since = since.get_or_init(Instant::now);
        if is_first {
            first();
        } else if since.elapsed() > SAME_REQUEST {
            again();
        }
    };
    // Without a handler, an interrupt ends the program, which is the default.
    let _ = ctrlc::set_handler(handler);
}

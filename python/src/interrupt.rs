//! Runs a search in a thread while Python handles signals, so that Ctrl-C ends the search with the
//! best plan so far.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// How often signals are handled while a search runs.
const PERIOD: Duration = Duration::from_millis(20);

/// What a search returned, and whether an interrupt ended it.
pub(crate) struct Searched<T> {
    pub(crate) result: Result<T, Box<dyn Any + Send>>,
    pub(crate) is_interrupted: bool,
}

/// Runs `search` without the interpreter lock. The flag that it gets becomes true when Ctrl-C is
/// pressed; the search then has to return soon. A panic of the search is returned.
///
/// # Errors
/// If a signal handler raises another exception than `KeyboardInterrupt`, which ends the search, too;
/// or if it raises while the search is already ending.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    search: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<Searched<T>> {
    let stop = AtomicBool::new(false);
    let mut raised = Vec::new();
    let result = std::thread::scope(|scope| {
        let (sender, mut done) = channel::<()>();
        let stop = &stop;
        let thread = scope.spawn(move || {
            // Dropped at the end of the search, even if that is a panic.
            let _sender = sender;
            search(stop)
        });
        loop {
            let done = &mut done;
            let ended = py.detach(move || done.recv_timeout(PERIOD));
            if ended == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            // Signals are handled in the main thread only; elsewhere, this does nothing.
            if let Err(error) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                raised.push(error);
            }
        }
        thread.join()
    });
    let is_interrupted = !raised.is_empty();
    match raised.pop() {
        Some(error) if !raised.is_empty() || !error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            Err(error)
        }
        _ => Ok(Searched {
            result,
            is_interrupted,
        }),
    }
}

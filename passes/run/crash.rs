//! What happens when compiled code cannot go on: a sentence on standard error and exit status 1.
//!
//! Nothing unwinds into compiled code, and a wild address ends the tool, not with a bare signal but
//! with the name of the program that used it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Index of the program that runs, for the signal handler.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

const NAMES: [&str; 2] = ["original", "planned"];

/// The program that a crash from now on is blamed on.
pub(super) fn blame(planned: bool) {
    RUNNING.store(usize::from(planned), Ordering::Relaxed);
}

fn running() -> &'static str {
    NAMES[RUNNING.load(Ordering::Relaxed) % NAMES.len()]
}

/// Ends the tool: the program that runs cannot go on.
pub(super) fn give_up(why: &str) -> ! {
    eprintln!("error: the {} program: {why}", running());
    std::process::exit(1)
}

/// Calls `action`, which compiled code has called; a panic ends the tool.
pub(super) fn guard<T>(action: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(value) => value,
        Err(_) => give_up("internal error in a function that it called"),
    }
}

extern "C" fn on_signal(signal: libc::c_int) {
    let what: &str = match signal {
        libc::SIGFPE => " program divided by zero\n",
        libc::SIGILL => " program reached an illegal instruction\n",
        _ => " program used an address that is not its own\n",
    };
    for text in ["error: the ", running(), what] {
        // SAFETY: `write` and `_exit` may be called in a signal handler; the text is static.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }
    // SAFETY: as above.
    unsafe { libc::_exit(1) }
}

/// Reports crashes of compiled code from now on.
pub(super) fn catch_signals() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: a zeroed `sigaction` is a valid one; the handler only makes calls that are
        // allowed in one, on the alternative stack that the standard library gives every thread.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

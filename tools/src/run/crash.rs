//! Crash handling for compiled code: a message on standard error and exit status 1.
//!
//! No panic unwinds into compiled code. An invalid memory access terminates the tool with a message
//! that names the faulting program rather than with a bare signal.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Index of the running program, for the signal handler.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

const NAMES: [&str; 2] = ["original", "planned"];

/// Attributes crashes from now on to the planned or the original program.
pub(super) fn blame(planned: bool) {
    RUNNING.store(usize::from(planned), Ordering::Relaxed);
}

fn running() -> &'static str {
    NAMES[RUNNING.load(Ordering::Relaxed) % NAMES.len()]
}

/// Terminates the tool because the running program cannot continue.
pub(super) fn give_up(why: &str) -> ! {
    eprintln!("error: the {} program: {why}", running());
    std::process::exit(1)
}

/// Calls `action` on behalf of compiled code. A panic terminates the tool.
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
        // SAFETY: `write` and `_exit` are async-signal-safe; the text is static.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }
    // SAFETY: as above.
    unsafe { libc::_exit(1) }
}

/// Installs signal handlers that report crashes of compiled code.
pub(super) fn catch_signals() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: a zeroed `sigaction` is valid. The handler only makes async-signal-safe calls,
        // and runs on the alternative stack that the standard library sets up for every thread.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

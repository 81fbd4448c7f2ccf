//! The panic guard around every call from C++.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a caught panic.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("unknown cause")
}

thread_local! {
    /// Whether this thread is inside `guarded`.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook that suppresses panics which will be reported as diagnostics, unless
/// `MEM_OPT_BACKTRACE` is set. All other panics are passed to the previous hook.
pub(crate) fn quiet_caught_panics() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_verbose = std::env::var_os("MEM_OPT_BACKTRACE").is_some();
        if !IS_GUARDED.get() || is_verbose {
            previous(info);
        }
    }));
}

/// Runs `work` and catches panics, so that none unwinds into C++.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let outer = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(outer);
    result
}

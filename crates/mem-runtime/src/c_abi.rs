//! The C ABI for generated code.
//!
//! A process has one set of engines: by default [`N_ENGINES`] engines as fast as memory;
//! [`configure`] replaces them. Nothing unwinds into generated code. A failure ends the process
//! with a message on standard error, because a missing copy would become a wrong result later.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mem_model::{AccessTable, TensorId};

use crate::{CopyError, Engines, PassiveModeError, Rate, Ticket, Trace, Traced, Usage};

/// Number of engines unless [`configure`] sets another.
pub const N_ENGINES: usize = 64;

/// Number of low bits of a packed ticket that hold the copy's number; the bits above hold the
/// engine.
const NUMBER_BITS: u32 = 48;

static ENGINES: Mutex<Option<Arc<Engines>>> = Mutex::new(None);

/// Locks a mutex and ignores poisoning: the protected values are valid after a panic.
fn locked<T>(own: &Mutex<T>) -> MutexGuard<'_, T> {
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

fn engines() -> Arc<Engines> {
    let mut current = locked(&ENGINES);
    let made = current.get_or_insert_with(|| Arc::new(Engines::new(vec![None; N_ENGINES])));
    Arc::clone(made)
}

/// Replaces the engines, after finishing the copies in flight.
pub fn configure(rates: Vec<Option<Rate>>) {
    configure_failing(rates, None);
}

/// Like [`configure`], with an injected failure; see [`Engines::failing`].
pub fn configure_failing(rates: Vec<Option<Rate>>, fails: Option<u64>) {
    let before = locked(&ENGINES).replace(Arc::new(Engines::failing(rates, fails)));
    drop(before);
}

/// The setup of the next program in passive mode, and the running program.
static TRACED: Mutex<Option<Traced>> = Mutex::new(None);
static TRACE: Mutex<Option<Trace>> = Mutex::new(None);

/// Sets up passive mode for the next program that calls [`mem_runtime_passive`].
pub fn trace(traced: Traced) {
    *locked(&TRACED) = Some(traced);
}

/// Ends passive mode. Returns the access table if a program has run.
#[must_use]
pub fn traced() -> Option<AccessTable> {
    let trace = locked(&TRACE).take();
    trace.map(Trace::finish)
}

/// Why a call of generated code fails, which ends the process.
#[derive(Debug, thiserror::Error)]
enum CallError {
    /// The call belongs to passive mode, which has not begun.
    #[error("the program does not run in passive mode")]
    NotPassive,
    /// Passive mode begins without a setup; see [`trace`].
    #[error("the description of what to trace has not been passed")]
    NotSetUp,
    /// A negative number of a step.
    #[error("there is no step {0}")]
    NoStep(i64),
    /// A negative number of a tensor.
    #[error("there is no tensor {0}")]
    NoTensor(i64),
    /// A number that no engine can have.
    #[error("there is no engine {0}")]
    NoEngine(i32),
    /// A negative number of bytes to copy.
    #[error("a copy of {0} bytes")]
    Size(i64),
    /// The program cannot go on in passive mode.
    #[error(transparent)]
    Passive(#[from] PassiveModeError),
    /// A copy cannot be started, or failed.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// A bug in this crate.
    #[error("internal error")]
    Panic,
}

fn with_trace<T>(
    action: impl FnOnce(&mut Trace) -> Result<T, PassiveModeError>,
) -> Result<T, CallError> {
    let mut trace = locked(&TRACE);
    Ok(action(trace.as_mut().ok_or(CallError::NotPassive)?)?)
}

/// Begins passive mode in an arena.
///
/// # Safety
/// Same as [`Trace::new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mem_runtime_passive(arena: *mut u8) {
    or_exit(|| {
        let traced = locked(&TRACED).take();
        let traced = traced.ok_or(CallError::NotSetUp)?;
        // SAFETY: the caller upholds the contract of `Trace::new`.
        let trace = unsafe { Trace::new(traced, arena) };
        *locked(&TRACE) = Some(trace);
        Ok(())
    });
}

/// Begins a step: makes the tensors of the step resident on the device.
#[unsafe(no_mangle)]
pub extern "C" fn mem_runtime_step_begin(step: i64) {
    or_exit(|| {
        let step = usize::try_from(step).map_err(|_| CallError::NoStep(step))?;
        with_trace(|trace| trace.begin(step, &engines()))
    });
}

/// Returns the address of a tensor's first byte in the arena.
#[unsafe(no_mangle)]
pub extern "C" fn mem_runtime_address(tensor: i64) -> i64 {
    or_exit(|| {
        let number = u32::try_from(tensor).map_err(|_| CallError::NoTensor(tensor))?;
        let tensor = TensorId::new(number as usize);
        with_trace(|trace| Ok(trace.address(tensor)? as i64))
    })
}

/// Ends a step.
#[unsafe(no_mangle)]
pub extern "C" fn mem_runtime_step_end(step: i64) {
    or_exit(|| {
        let step = usize::try_from(step).map_err(|_| CallError::NoStep(step))?;
        with_trace(|trace| {
            trace.end(step);
            Ok(())
        })
    });
}

/// Shuts down the engines, and returns their statistics. No call of the functions below may be in
/// progress.
#[must_use]
pub fn finish() -> Usage {
    let engines = locked(&ENGINES).take().and_then(Arc::into_inner);
    engines.map(Engines::finish).unwrap_or_default()
}

/// Starts a copy of `bytes` bytes from one address to another, and returns a ticket.
///
/// # Safety
/// Same as [`Engines::begin`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mem_runtime_begin(
    engine: i32,
    from: *const u8,
    to: *mut u8,
    bytes: i64,
) -> i64 {
    let begin = || {
        let engine = u16::try_from(engine).map_err(|_| CallError::NoEngine(engine))?;
        let bytes = usize::try_from(bytes).map_err(|_| CallError::Size(bytes))?;
        // SAFETY: the caller upholds the contract of `Engines::begin`.
        let ticket = unsafe { engines().begin(engine, from, to, bytes)? };
        let packed = u64::from(ticket.engine) << NUMBER_BITS | ticket.number;
        Ok(packed as i64)
    };
    or_exit(begin)
}

/// Waits for the copy of a ticket to complete. Zero is no ticket, and returns immediately.
#[unsafe(no_mangle)]
pub extern "C" fn mem_runtime_wait(ticket: i64) {
    let packed = ticket as u64;
    let ticket = Ticket {
        engine: (packed >> NUMBER_BITS) as u16,
        number: packed & ((1 << NUMBER_BITS) - 1),
    };
    if packed != 0 {
        or_exit(|| Ok(engines().wait(ticket)?));
    }
}

/// Ends the process if `action` fails or panics.
fn or_exit<T>(action: impl FnOnce() -> Result<T, CallError>) -> T {
    let why = match catch_unwind(AssertUnwindSafe(action)) {
        Ok(Ok(value)) => return value,
        Ok(Err(why)) => why,
        Err(_) => CallError::Panic,
    };
    eprintln!("error: mem-runtime: {why}");
    std::process::exit(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single test, because the process has a single set of engines.
    #[test]
    fn generated_code_copies_and_waits() {
        let (from, mut to) = ([1_u8, 2, 3, 4], [0_u8; 4]);
        // SAFETY: both buffers outlive the wait.
        let ticket = unsafe { mem_runtime_begin(3, from.as_ptr(), to.as_mut_ptr(), 4) };
        mem_runtime_wait(ticket);
        mem_runtime_wait(0);
        assert_eq!(to, from);
        let usage = finish();
        assert_eq!((usage.copies.len(), usage.n_unawaited), (1, 0));
        configure(vec![None]);
        assert_eq!(finish(), Usage::default());
    }
}

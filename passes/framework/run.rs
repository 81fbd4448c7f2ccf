//! One run of a pass: its operation, its options, its statistics, and what it keeps for the next
//! pass.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::io::Write as _;
use std::panic::resume_unwind;

use mlir_sys::MlirStringRef;

use super::guard::guarded;
use super::{OptionValues, PassResult, PassSpec};
use crate::ir::ffi::{
    MemKept, MemPassRun, memShimRunKept, memShimRunOperation, memShimRunPasses, memShimRunPreserve,
    memShimRunSetStatistic, memShimRunSetVerified, memShimStatisticsAreLost, memShimVerifyDuring,
};
use crate::ir::{Diagnostic, Failed, Op, string_ref, text};

/// One run of a pass.
pub(crate) struct PassRun {
    raw: *mut MemPassRun,
    /// Statistics set so far, as (index, value).
    statistics: RefCell<Vec<(usize, u64)>>,
}

impl PassRun {
    /// Wraps a run of a pass.
    ///
    /// # Safety
    /// `raw` has to be valid as long as the result is used.
    pub(crate) unsafe fn new(raw: *mut MemPassRun) -> Self {
        Self {
            raw,
            statistics: RefCell::default(),
        }
    }
    /// The operation that the pass is anchored on.
    pub(crate) fn operation(&self) -> Op {
        // SAFETY: the pass is running.
        Op(unsafe { memShimRunOperation(self.raw) })
    }
    pub(crate) fn options(&self) -> OptionValues {
        OptionValues::Pass(self.raw)
    }
    pub(crate) fn set_statistic(&self, index: usize, value: u64) {
        // SAFETY: the pass is running, and `index` is one of its generated constants.
        unsafe { memShimRunSetStatistic(self.raw, index, value) }
        self.statistics.borrow_mut().push((index, value));
    }

    /// Runs a textual list of passes on `op`, which is the operation of this run or inside it.
    pub(crate) fn run_passes(&self, op: Op, passes: &str) -> PassResult {
        extern "C" fn collect(part: MlirStringRef, user: *mut c_void) {
            // SAFETY: `user` is the string below, which outlives the call.
            unsafe { &mut *user.cast::<String>() }.push_str(text(part, &part));
        }
        let mut complaint = String::new();
        let user = (&raw mut complaint).cast();
        // SAFETY: the pass is running, and its operation contains `op`.
        if unsafe { memShimRunPasses(self.raw, op.0, string_ref(passes), collect, user) } {
            return Ok(());
        }
        if complaint.is_empty() {
            return Err(Failed);
        }
        Diagnostic::error(op.location(), complaint.trim_end()).fail()
    }

    /// Takes the value that the last pass kept; `None` if the IR has changed since or if no value
    /// of type `T` was kept.
    pub(crate) fn take_kept<T: Any>(&self) -> Option<T> {
        // SAFETY: the pass is running; MLIR owns the pointee, which only `keep` fills.
        let data = unsafe {
            let kept = &mut *memShimRunKept(self.raw);
            std::mem::replace(&mut kept.data, std::ptr::null_mut())
        };
        if data.is_null() {
            return None;
        }
        // SAFETY: `keep` created it, and it has been removed from MLIR's data, so this is the only
        // owner.
        let value = unsafe { Box::from_raw(data.cast::<Box<dyn Any>>()) };
        value.downcast().ok().map(|value| *value)
    }

    /// Frees the value that the last pass kept, before a pass that has no use for it takes memory.
    pub(crate) fn drop_kept(&self) {
        let _: Option<()> = self.take_kept();
    }

    /// Keeps a value for the next pass. `unchanged` asserts that this pass has changed nothing.
    pub(crate) fn keep<T: Any>(&self, value: T, unchanged: bool) {
        drop(self.take_kept::<T>());
        let value: Box<dyn Any> = Box::new(value);
        // SAFETY: as above.
        unsafe {
            *memShimRunKept(self.raw) = MemKept {
                data: Box::into_raw(Box::new(value)).cast(),
                drop: Some(drop_kept),
            };
            memShimRunPreserve(self.raw, unchanged);
        }
    }

    /// Sets whether MLIR's verifier runs after the pass, if it has changed anything.
    pub(crate) fn set_verified(&self, is_verified: bool) {
        // SAFETY: the pass is running.
        unsafe { memShimRunSetVerified(self.raw, is_verified) }
    }

    /// Runs MLIR's verifier on the operation of this run and, at the same time if the context has
    /// threads, `check`, which must not change the operation. The pass must not change it afterwards
    /// either, as MLIR does not verify it again.
    pub(crate) fn verify_during(&self, check: impl FnOnce() -> PassResult) -> PassResult {
        extern "C" fn call(user: *mut c_void) {
            // SAFETY: `user` is the closure below, which outlives the call and which nothing else uses
            // meanwhile.
            unsafe { (*user.cast::<&mut dyn FnMut()>())() }
        }
        let (mut check, mut checked) = (Some(check), None);
        let mut work: &mut dyn FnMut() = &mut || checked = check.take().map(guarded);
        let user = (&raw mut work).cast();
        // SAFETY: the pass is running, and the closure runs on this thread and does not unwind.
        let is_valid = unsafe { memShimVerifyDuring(self.operation().0, call, user) };
        self.set_verified(false);
        let checked = checked.expect("the shim has called the closure");
        checked.unwrap_or_else(|payload| resume_unwind(payload))?;
        is_valid.then_some(()).ok_or(Failed)
    }

    /// Declares that the pass has changed nothing, so all analyses are preserved.
    pub(crate) fn changed_nothing(&self) {
        // SAFETY: the pass is running.
        unsafe { memShimRunPreserve(self.raw, true) }
    }

    /// Prints statistics in MLIR's own format if MLIR was built without statistics.
    pub(crate) fn report_statistics(&self, spec: &PassSpec) {
        // SAFETY: only reads an option.
        let are_lost = unsafe { memShimStatisticsAreLost() };
        if !are_lost || self.statistics.borrow().is_empty() {
            return;
        }
        let mut report = format!("{}\n", spec.argument.to_string_lossy());
        for (index, value) in self.statistics.borrow().iter() {
            let (name, about) = spec.statistics[*index];
            let (name, about) = (name.to_string_lossy(), about.to_string_lossy());
            report.push_str(&format!("  (S) {value:>12} {name} - {about}\n"));
        }
        // If standard error is closed, there is no channel left to report that.
        let _ = std::io::stderr().write_all(report.as_bytes());
    }
}

/// Drops a value that `PassRun::keep` created.
extern "C" fn drop_kept(data: *mut c_void) {
    // SAFETY: MLIR calls this once, with the pointer that was registered with it.
    let value = unsafe { Box::from_raw(data.cast::<Box<dyn Any>>()) };
    // A panic while dropping cannot be reported here, so it is ignored.
    let _ = guarded(|| drop(value));
}

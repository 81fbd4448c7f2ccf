//! The table of passes and pipelines, their registration, and the panic guard around every call
//! from C++.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use mlir_sys::MlirStringRef;

use crate::mlir::ffi::*;
use crate::mlir::{Diagnostic, Op, with_data_layout};
use crate::pipelines::PIPELINES;

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionKind {
    String = 0,
    Integer = 1,
    Boolean = 2,
}

/// An option of a pass or a pipeline.
pub(crate) struct OptionSpec {
    pub name: &'static CStr,
    pub about: &'static CStr,
    pub default: &'static CStr,
    pub kind: OptionKind,
}

/// A pass, as `Passes.td` declares it.
pub(crate) struct PassSpec {
    pub argument: &'static CStr,
    pub summary: &'static CStr,
    /// Name of the operation that the pass is anchored on.
    pub anchor: &'static CStr,
    pub options: &'static [OptionSpec],
    /// Name and description of each statistic.
    pub statistics: &'static [(&'static CStr, &'static CStr)],
    pub run: fn(&PassRun) -> PassResult,
}

/// A named list of passes.
pub(crate) struct PipelineSpec {
    pub argument: &'static CStr,
    pub summary: &'static CStr,
    pub options: &'static [OptionSpec],
    /// Builds the textual pass pipeline for the given options.
    pub build: fn(&OptionValues) -> String,
}

/// Marker of a failed pass whose diagnostic has been emitted.
#[derive(Debug)]
pub(crate) struct Failed;

impl Failed {
    /// Emits an error at an operation.
    pub(crate) fn at(op: Op, text: &str) -> Self {
        Diagnostic::error(op.location(), text).emit();
        Self
    }
}

/// The result of a pass. Code that creates a `Failed` must have emitted a diagnostic.
pub(crate) type PassResult = Result<(), Failed>;

impl Diagnostic {
    /// Emits an error and fails.
    pub(crate) fn fail<T>(self) -> Result<T, Failed> {
        self.emit();
        Err(Failed)
    }
}

/// Values of options, indexed in declaration order.
pub(crate) enum OptionValues {
    Pass(*mut MemPassRun),
    Pipeline(*mut MemOptionValues),
}

impl OptionValues {
    pub(crate) fn string(&self, index: usize) -> String {
        // SAFETY: the pointers are valid while the pass runs or the pipeline is built, and `index`
        // comes from the same declaration as the values.
        let raw = unsafe {
            match *self {
                Self::Pass(run) => memShimRunString(run, index),
                Self::Pipeline(values) => memShimOptionString(values, index),
            }
        };
        crate::mlir::text(raw).to_owned()
    }
    pub(crate) fn integer(&self, index: usize) -> i64 {
        // SAFETY: as above.
        unsafe {
            match *self {
                Self::Pass(run) => memShimRunInteger(run, index),
                Self::Pipeline(values) => memShimOptionInteger(values, index),
            }
        }
    }
    pub(crate) fn boolean(&self, index: usize) -> bool {
        // SAFETY: as above.
        unsafe {
            match *self {
                Self::Pass(run) => memShimRunBoolean(run, index),
                Self::Pipeline(values) => memShimOptionBoolean(values, index),
            }
        }
    }
}

/// One run of a pass.
pub(crate) struct PassRun {
    raw: *mut MemPassRun,
    /// Statistics set so far, as (index, value).
    statistics: RefCell<Vec<(usize, u64)>>,
}

impl PassRun {
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

    /// Declares that the pass has changed nothing, so all analyses are preserved.
    pub(crate) fn changed_nothing(&self) {
        // SAFETY: the pass is running.
        unsafe { memShimRunPreserve(self.raw, true) }
    }

    /// Prints statistics in MLIR's own format if MLIR was built without statistics.
    fn report_statistics(&self, spec: &PassSpec) {
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

/// The generated option structs and pass table.
pub(crate) mod generated {
    use super::{OptionKind, OptionSpec, OptionValues, PassSpec};
    use crate::{
        convert_mem_to_memref, convert_memref_to_mem, mem_annotate_dependence, mem_assign_levels,
        mem_break_plan, mem_check_reads, mem_cse, mem_dead_store_elimination, mem_forward_stores,
        mem_inline, mem_lower_expand_shape, mem_offload, mem_plan, mem_print_dependence,
        mem_print_plan, mem_print_tradeoff, mem_record_accesses, mem_remove_copies, mem_snapshot,
        mem_split_buffers, mem_validate, mem_verify_plan,
    };
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}

/// The message of a caught panic.
fn panic_text(payload: &(dyn Any + Send)) -> &str {
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
fn quiet_caught_panics() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_verbose = std::env::var_os("MEM_OPT_BACKTRACE").is_some();
        if !IS_GUARDED.get() || is_verbose {
            previous(info);
        }
    }));
}

/// Runs `work` and catches panics, so that none unwinds into C++.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let outer = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(outer);
    result
}

/// Drops a value that `PassRun::keep` created.
extern "C" fn drop_kept(data: *mut c_void) {
    // SAFETY: MLIR calls this once, with the pointer that was registered with it.
    let value = unsafe { Box::from_raw(data.cast::<Box<dyn Any>>()) };
    // A panic while dropping cannot be reported here, so it is ignored.
    let _ = guarded(|| drop(value));
}

/// Runs pass `index`. Panics are caught and reported as diagnostics.
extern "C" fn run_pass(index: usize, raw: *mut MemPassRun) -> bool {
    let spec = &generated::PASSES[index];
    let run = PassRun {
        raw,
        statistics: RefCell::default(),
    };
    match guarded(|| with_data_layout(run.operation(), || (spec.run)(&run))) {
        Ok(result) => {
            run.report_statistics(spec);
            result.is_ok()
        }
        Err(payload) => {
            let name = spec.argument.to_string_lossy();
            let cause = panic_text(&*payload);
            let text =
                format!("internal error in {name}: {cause}; please report it with this input");
            Diagnostic::error(run.operation().location(), text).emit();
            false
        }
    }
}

extern "C" fn build_pipeline(
    index: usize,
    raw: *mut MemOptionValues,
    sink: Sink,
    user: *mut c_void,
) {
    let build = PIPELINES[index].build;
    let passes = guarded(|| build(&OptionValues::Pipeline(raw)));
    let passes =
        passes.unwrap_or_else(|payload| format!("internal error: {}", panic_text(&*payload)));
    sink(
        MlirStringRef {
            data: passes.as_ptr().cast(),
            length: passes.len(),
        },
        user,
    );
}

fn leak<T: 'static>(items: Vec<T>) -> (*const T, usize) {
    let items: &'static [T] = Vec::leak(items);
    (items.as_ptr(), items.len())
}

fn options(specs: &'static [OptionSpec]) -> (*const MemOptionSpec, usize) {
    let convert = |o: &'static OptionSpec| MemOptionSpec {
        name: o.name.as_ptr(),
        about: o.about.as_ptr(),
        default: o.default.as_ptr(),
        kind: o.kind as u32,
    };
    leak(specs.iter().map(convert).collect())
}

/// Registers every pass and pipeline of this crate with MLIR's global registry. Only the first call
/// has an effect.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        quiet_caught_panics();
        for (index, spec) in generated::PASSES.iter().enumerate() {
            let (options, n_options) = options(spec.options);
            let statistic = |(name, about): &(&'static CStr, &'static CStr)| MemStatisticSpec {
                name: name.as_ptr(),
                about: about.as_ptr(),
            };
            let (statistics, n_statistics) = leak(spec.statistics.iter().map(statistic).collect());
            let raw = MemPassSpec {
                argument: spec.argument.as_ptr(),
                summary: spec.summary.as_ptr(),
                anchor: spec.anchor.as_ptr(),
                options,
                n_options,
                statistics,
                n_statistics,
                run: run_pass,
                index,
            };
            // SAFETY: the spec and everything it points to are leaked or static.
            unsafe { memShimRegisterPass(Box::leak(Box::new(raw))) };
        }
        for (index, spec) in PIPELINES.iter().enumerate() {
            let (options, n_options) = options(spec.options);
            let (argument, summary): (*const c_char, _) =
                (spec.argument.as_ptr(), spec.summary.as_ptr());
            let build = build_pipeline;
            let raw = MemPipelineSpec {
                argument,
                summary,
                options,
                n_options,
                build,
                index,
            };
            // SAFETY: as above.
            unsafe { memShimRegisterPipeline(Box::leak(Box::new(raw))) };
        }
    });
}

//! The table of passes and pipelines, and their registration with MLIR.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Once;

use mlir_sys::MlirStringRef;

use crate::framework::{
    OptionSpec, OptionValues, PassResult, PassRun, PassSpec, guarded, panic_text,
    quiet_caught_panics,
};
use crate::ir::bufferization::has_only_tensors;
use crate::ir::ffi::*;
use crate::ir::{Diagnostic, with_data_layout};

/// The generated table.
mod generated {
    // Every pass is a module of its folder, so a new pass need not be named here.
    use crate::analyze::*;
    use crate::framework::options::*;
    use crate::framework::{OptionKind, OptionSpec, PassSpec, PipelineSpec};
    use crate::lower::*;
    use crate::optimize::*;
    use crate::pipelines;
    use crate::plan::*;
    use crate::print::*;

    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

/// Runs pass `index`. Panics are caught and reported as diagnostics.
extern "C" fn run_pass(index: usize, raw: *mut MemPassRun) -> bool {
    let spec = &generated::PASSES[index];
    // SAFETY: MLIR passes the run that it has just started.
    let run = unsafe { PassRun::new(raw) };
    let work = || {
        check_input(spec, &run)?;
        (spec.run)(&run)
    };
    match guarded(|| with_data_layout(run.operation(), work)) {
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

/// Refuses a module on tensors to passes that find nothing in it.
fn check_input(spec: &PassSpec, run: &PassRun) -> PassResult {
    let module = run.operation();
    if spec.accepts_tensors || !has_only_tensors(module) {
        return Ok(());
    }
    let name = spec.argument.to_string_lossy();
    let text = format!(
        "{name}: the module has tensors and no buffers; run mem-from-linalg-pipeline, which \
         bufferizes it, first"
    );
    Diagnostic::error(module.location(), text).fail()
}

extern "C" fn build_pipeline(
    index: usize,
    raw: *mut MemOptionValues,
    sink: Sink,
    user: *mut c_void,
) {
    let build = generated::PIPELINES[index].build;
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
                bufferizes: spec.bufferizes,
            };
            // SAFETY: the spec and everything it points to are leaked or static.
            unsafe { memShimRegisterPass(Box::leak(Box::new(raw))) };
        }
        for (index, spec) in generated::PIPELINES.iter().enumerate() {
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

//! The table of passes and pipelines, and their registration with MLIR.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Once;

use mem_planner::observe::{self, Event};
use mlir_sys::MlirStringRef;

use crate::framework::{
    Known, Mention, OptionSpec, OptionValues, PassResult, PassRun, PassSpec, TextError,
    check_options, check_pipeline, guarded, located_error, mention_places, panic_text,
    quiet_caught_panics,
};
use crate::ir::bufferization::has_only_tensors;
use crate::ir::ffi::*;
use crate::ir::{Diagnostic, OptionPlace, Running, with_data_layout};

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
    let name = spec.argument.to_str().unwrap_or_default();
    observe::report(|| Event::Begin(name));
    let _running = Running::new(name, host_places);
    let is_done = run_guarded(spec, &run);
    observe::report(|| Event::End);
    is_done
}

/// Runs a pass. Whatever fails has been reported.
fn run_guarded(spec: &PassSpec, run: &PassRun) -> bool {
    let work = || {
        check_input(spec, run)?;
        (spec.run)(run)
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

/// Checks the text of the options of pass `index`.
extern "C" fn check_pass(index: usize, text: MlirStringRef, sink: Sink, user: *mut c_void) -> bool {
    let spec = &generated::PASSES[index];
    report_options(spec.argument, spec.options, text, sink, user)
}

/// Checks the text of the options of pipeline `index`.
extern "C" fn check_pipeline_options(
    index: usize,
    text: MlirStringRef,
    sink: Sink,
    user: *mut c_void,
) -> bool {
    let spec = &generated::PIPELINES[index];
    report_options(spec.argument, spec.options, text, sink, user)
}

fn report_options(
    owner: &CStr,
    specs: &[OptionSpec],
    text: MlirStringRef,
    sink: Sink,
    user: *mut c_void,
) -> bool {
    let check = || {
        let text = crate::ir::text(text, &text);
        let checked = check_options(&owner.to_string_lossy(), specs, text);
        checked.map_err(|error| in_host_text(error.message))
    };
    let checked = guarded(check).unwrap_or_else(|payload| {
        let cause = panic_text(&*payload);
        Err(format!(
            "internal error: {cause}; please report it with these options"
        ))
    });
    match checked {
        Ok(()) => true,
        Err(message) => {
            sink(crate::ir::string_ref(&message), user);
            false
        }
    }
}

/// The option of MLIR's tools that holds the text of a pipeline.
const PIPELINE_OPTION: &str = "--pass-pipeline";

/// The text of the pipeline in the command line of the host, such as mlir-opt with the plugin. Empty if there
/// is none.
fn host_text() -> String {
    // SAFETY: only reads the options of the process, which are parsed before passes exist.
    let raw = unsafe { memShimPipelineText() };
    crate::ir::text(raw, &raw).to_owned()
}

/// Where the command line of the host mentions passes and options.
fn host_places() -> Vec<OptionPlace> {
    let text = host_text();
    // The host has parsed the text.
    let mentions = check_pipeline_text(&text, &|_| true, &Vec::new);
    mention_places(PIPELINE_OPTION, &text, 0, mentions.unwrap_or_default())
}

/// An error about options with its place in the command line of the host, if it is there. MLIR reports both
/// without a location.
fn in_host_text(message: String) -> String {
    let text = host_text();
    match check_pipeline_text(&text, &|_| true, &Vec::new) {
        Err(error) if error.message == message => {
            let located = located_error(PIPELINE_OPTION, &text, error.span, &message);
            located.trim_end().to_owned()
        }
        _ => message,
    }
}

/// The options of the pass or pipeline of this project called `name`, and the operation that it runs on.
fn own(name: &str) -> Option<(&'static [OptionSpec], &'static CStr)> {
    let is_named = |argument: &CStr| argument.to_bytes() == name.as_bytes();
    let pass = generated::PASSES.iter().find(|own| is_named(own.argument));
    let pipeline = || {
        let mut all = generated::PIPELINES.iter();
        all.find(|own| is_named(own.argument))
    };
    // Every pipeline begins with a pass on modules.
    pass.map(|own| (own.options, own.anchor))
        .or_else(|| pipeline().map(|own| (own.options, c"builtin.module")))
}

/// Finds the first misspelled pass, option or value in the text of a pipeline. `is_known`: whether a
/// pass or pipeline is registered; `names` returns those of others than this project. Without a mistake,
/// returns the passes, pipelines and options that the text mentions.
pub fn check_pipeline_text(
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
    names: &dyn Fn() -> Vec<String>,
) -> Result<Vec<Mention>, TextError> {
    let names = || {
        let passes = generated::PASSES.iter().map(|own| own.argument);
        let own = passes.chain(generated::PIPELINES.iter().map(|own| own.argument));
        let own = own.map(|name| name.to_string_lossy().into_owned());
        own.chain(names()).collect()
    };
    let known = Known {
        options: &|name| own(name).map(|(options, _)| options),
        anchor: &|name| own(name)?.1.to_str().ok(),
        is_known,
        names: &names,
    };
    check_pipeline(text, &known)
}

/// A pass or pipeline, for help.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// What it does.
    pub summary: String,
    /// Its options.
    pub options: Vec<DescribedOption>,
}

/// An option, for help.
#[derive(Clone, Debug)]
pub struct DescribedOption {
    /// Its name.
    pub name: String,
    /// What it does.
    pub about: String,
    /// Its default value; may be empty.
    pub default: String,
    /// A value.
    pub example: &'static str,
}

/// The pipelines, and the passes, in the order of their names.
#[must_use]
pub fn described() -> (Vec<Described>, Vec<Described>) {
    let describe = |name: &CStr, summary: &CStr, options: &[OptionSpec]| Described {
        name: name.to_string_lossy().into_owned(),
        summary: summary.to_string_lossy().into_owned(),
        options: options.iter().map(described_option).collect(),
    };
    let pipelines = generated::PIPELINES.iter();
    let pipelines = pipelines.map(|own| describe(own.argument, own.summary, own.options));
    let passes = generated::PASSES.iter();
    let passes = passes.map(|own| describe(own.argument, own.summary, own.options));
    (pipelines.collect(), passes.collect())
}

fn described_option(own: &OptionSpec) -> DescribedOption {
    DescribedOption {
        name: own.name.to_string_lossy().into_owned(),
        about: own.about.to_string_lossy().into_owned(),
        default: own.default.to_string_lossy().into_owned(),
        example: own.example,
    }
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
                check: check_pass,
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
                check: check_pipeline_options,
                build,
                index,
            };
            // SAFETY: as above.
            unsafe { memShimRegisterPipeline(Box::leak(Box::new(raw))) };
        }
    });
}

//! `main` of `mem-opt`: `mlir-opt` with the passes of this project, a help that begins with them, and
//! errors in `--pass-pipeline` that show where they are.

use std::ffi::{CString, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStringExt as _;

use melior::dialect::DialectRegistry;
use mem_opt::internals::{
    OptionPlace, TextError, check_pipeline_text, located_error, mention_places, remember_options,
    string_ref, text,
};
use mlir_sys::MlirStringRef;

use crate::ffi::{
    memToolsIsPass, memToolsLspServerMain, memToolsOptMain, memToolsPassNames, memToolsReduceMain,
    memToolsRemoveOutput,
};
use crate::lsp;
use crate::opt_help::{self, Request};
use crate::upstream::register_upstream;

/// Stack size for parsing, passes and printing. MLIR recurses once per level of nesting, and
/// thousands of levels exceed the usual 8 MiB of the main thread.
const STACK_BYTES: usize = 1 << 30;

/// `mlir-opt` with all upstream dialects and passes and those of this project. Returns the exit
/// status. `after_pass` is called at the end of each pass of this project.
#[must_use]
pub fn opt_main(mut arguments: Vec<CString>, after_pass: fn()) -> i32 {
    if let Err(error) = mem_planner::install_trace() {
        eprintln!("mem-opt: error: {error}");
        return 1;
    }
    let given = arguments.iter().skip(1);
    let given: Vec<OsString> = given
        .map(|own| OsString::from_vec(own.to_bytes().to_vec()))
        .collect();
    if let Some(status) = mem_command::answer(&given, opt_help::command) {
        return i32::from(status);
    }
    match Request::of(&mut arguments) {
        Some(request) => request.answer(),
        None => on_large_stack(move || run_opt(&arguments, after_pass)),
    }
}

/// A command of MLIR with the dialect: its name, and its description.
fn companion(name: &'static str, about: &'static str) -> clap::Command {
    let flag = |name: &'static str, about: &'static str| {
        let own = clap::Arg::new(name).long(name);
        let own = own.help(format!("{about}. Example: --{name}"));
        own.action(clap::ArgAction::SetTrue)
    };
    clap::Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .after_help(mem_command::GENERATED_HELP)
        .arg(flag("help", "Print this help"))
        .arg(flag(
            "help-all",
            "Print all options of MLIR's command, and the passes",
        ))
        .arg(flag(
            "version",
            "Print the versions of the command and of MLIR, and the commit",
        ))
}

fn lsp_server() -> clap::Command {
    companion(
        "mem-lsp-server",
        "MLIR's language server, which knows the dialect 'mem' and shows the plan of buffers. An editor \
         starts it without arguments.",
    )
}

fn reduce() -> clap::Command {
    let file = clap::Arg::new("file").value_name("FILE");
    let output = clap::Arg::new("output").short('o').value_name("FILE");
    let output = output.help("Output file; default: standard output. Example: -o small.mlir");
    let tree = clap::Arg::new("reduction-tree")
        .long("reduction-tree")
        .value_name("OPTIONS")
        .require_equals(true)
        .num_args(1)
        .help(
            "Remove operations as long as a script finds the program interesting, by exit status 1; by \
             default, nothing is reduced. Example: --reduction-tree='traversal-mode=0 test=peak-above.sh'",
        );
    let passes = clap::Arg::new("opt-reduction-pass")
        .long("opt-reduction-pass")
        .value_name("OPTIONS")
        .require_equals(true)
        .num_args(1)
        .help(
            "Run passes and keep the result if it is smaller and still interesting; by default, no pass \
             runs. Example: --opt-reduction-pass='opt-pass=canonicalize test=peak-above.sh'",
        );
    companion(
        "mem-reduce",
        "mlir-reduce with the dialect 'mem' and the passes of mem-opt: makes a program smaller for as long \
         as a script finds it interesting.",
    )
    .arg(file.help("MLIR to reduce").value_hint(clap::ValueHint::FilePath))
    .arg(output.value_hint(clap::ValueHint::FilePath))
    .arg(tree)
    .arg(passes)
}

/// Answers `--help`, `--version`, `--man` and `--completions` of a companion. Returns the exit status;
/// `None` if the arguments ask for something else. Replaces `--help-all` by LLVM's own option.
fn answer_companion(arguments: &mut [CString], mut command: clap::Command) -> Option<i32> {
    let name = command.get_name().to_owned();
    let text = match Request::of(arguments) {
        Some(Request::Help) => command.render_help().to_string(),
        Some(Request::Version) => opt_help::version().replacen("mem-opt", &name, 1),
        Some(Request::HelpOn(_)) | None => {
            let given = arguments.iter().skip(1);
            let given: Vec<OsString> = given
                .map(|own| OsString::from_vec(own.to_bytes().to_vec()))
                .collect();
            return mem_command::answer(&given, || command).map(i32::from);
        }
    };
    Some(opt_help::print(&name, &text))
}

/// MLIR's language server, which knows the dialects of `mem-opt`, and shows the plan of buffers. Returns the
/// exit status.
#[must_use]
pub fn lsp_server_main(mut arguments: Vec<CString>) -> i32 {
    if let Some(status) = answer_companion(&mut arguments, lsp_server()) {
        return status;
    }
    if !lsp::is_inner(arguments.len()) {
        return on_large_stack(lsp::serve);
    }
    on_large_stack(move || {
        with_arguments(&arguments, |n, raw, registry| {
            // SAFETY: as in `run_opt`.
            unsafe { memToolsLspServerMain(n, raw, registry.to_raw()) }
        })
    })
}

/// mlir-reduce with the dialects and passes of `mem-opt`. Returns the exit status.
#[must_use]
pub fn reduce_main(mut arguments: Vec<CString>) -> i32 {
    if let Some(status) = answer_companion(&mut arguments, reduce()) {
        return status;
    }
    on_large_stack(move || {
        with_arguments(&arguments, |n, raw, registry| {
            // SAFETY: as in `run_opt`.
            unsafe { memToolsReduceMain(n, raw, registry.to_raw()) }
        })
    })
}

fn on_large_stack(run: impl FnOnce() -> i32 + Send + 'static) -> i32 {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn(run);
    match spawned.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The thread could not be created, or it panicked, which has been reported.
        _ => 1,
    }
}

fn run_opt(arguments: &[CString], after_pass: fn()) -> i32 {
    mem_command::watch("mem-opt", end_process, after_pass);
    let status = run_mlir_opt(arguments);
    mem_command::report_interrupt(status != 0);
    status
}

fn end_process() {
    // SAFETY: callable from any thread, at any time.
    unsafe { memToolsRemoveOutput() };
    // SAFETY: ends the process at once. Destructors and handlers of `exit` would run while other threads
    // are still working.
    unsafe { libc::_exit(mem_command::INTERRUPTED) }
}

fn run_mlir_opt(arguments: &[CString]) -> i32 {
    with_arguments(arguments, |n, raw, registry| {
        let mut places = Vec::new();
        for argument in arguments.iter().skip(1) {
            match check_flag(argument) {
                Some(found) => places.extend(found),
                None => return 1,
            }
        }
        if !places.is_empty() {
            remember_options(places);
        }
        // SAFETY: `raw` is an argument vector in the form that `main` receives, i.e. NUL-terminated
        // strings followed by a null pointer, and it outlives the call.
        unsafe {
            memToolsOptMain(
                n,
                raw,
                c"mem-opt".as_ptr(),
                registry.to_raw(),
                check_pipeline,
            )
        }
    })
}

/// Calls `run` with an argument vector as `main` has it, after all passes have been registered, and
/// with all dialects.
fn with_arguments(
    arguments: &[CString],
    run: impl FnOnce(c_int, *mut *mut c_char, &DialectRegistry) -> i32,
) -> i32 {
    let registry = DialectRegistry::new();
    register_upstream(&registry);
    mem_opt::register_dialect(&registry);
    mem_opt::register_passes();
    let mut raw: Vec<*mut c_char> = arguments.iter().map(|a| a.as_ptr().cast_mut()).collect();
    let n = c_int::try_from(raw.len()).unwrap_or(c_int::MAX);
    raw.push(std::ptr::null_mut());
    run(n, raw.as_mut_ptr(), &registry)
}

/// Checks the options of a pass or pipeline in an argument, as in `--mem-plan=capacity=64KiB`, and shows what
/// is wrong with them. Otherwise, returns where they are.
fn check_flag(argument: &CString) -> Option<Vec<OptionPlace>> {
    let Ok(argument) = argument.to_str() else {
        return Some(Vec::new());
    };
    let given = argument.strip_prefix("--").or(argument.strip_prefix('-'));
    let Some((name, options)) = given.and_then(|given| given.split_once('=')) else {
        return Some(Vec::new());
    };
    // SAFETY: only reads MLIR's registry.
    let is_known = |name: &str| unsafe { memToolsIsPass(string_ref(name)) };
    if !is_known(name) {
        return Some(Vec::new());
    }
    let pipeline = format!("{name}{{{options}}}");
    // Where the argument has a sign of equality, the pipeline has a brace.
    let dashes = argument.len() - name.len() - options.len() - 1;
    match check_pipeline_text(&pipeline, &is_known, &upstream_names) {
        Ok(mentions) => Some(mention_places("<command line>", argument, dashes, mentions)),
        Err(error) => {
            let span = error.span.start + dashes..error.span.end.min(pipeline.len() - 1) + dashes;
            eprint!(
                "{}",
                located_error("<command line>", argument, span, &error.message)
            );
            None
        }
    }
}

/// Checks the value of --pass-pipeline, and shows what is wrong with it. Whatever this accepts is
/// parsed by MLIR.
extern "C" fn check_pipeline(pipeline: MlirStringRef) -> bool {
    let pipeline = text(pipeline, &pipeline);
    // SAFETY: only reads MLIR's registry.
    let is_known = |name: &str| unsafe { memToolsIsPass(string_ref(name)) };
    let checked = check_pipeline_text(pipeline, &is_known, &upstream_names);
    match checked.and_then(|found| check_anchor(pipeline).map(|()| found)) {
        Ok(found) => {
            remember_options(mention_places("--pass-pipeline", pipeline, 0, found));
            true
        }
        Err(error) => {
            let shown = located_error("--pass-pipeline", pipeline, error.span, &error.message);
            eprint!("{shown}");
            false
        }
    }
}

/// Checks that the passes are inside of an anchor, which MLIR demands without saying where.
fn check_anchor(pipeline: &str) -> Result<(), TextError> {
    let end = pipeline
        .find([',', '{', '(', ')'])
        .unwrap_or(pipeline.len());
    let first = pipeline[..end].trim();
    if first.is_empty() || pipeline[end..].starts_with('(') {
        return Ok(());
    }
    let start = end - pipeline[..end].trim_start().len();
    Err(TextError {
        span: start..start + first.len(),
        message: format!("expected passes inside of an operation, as in 'builtin.module({first})'"),
    })
}

/// The names of all registered passes and pipelines, sorted.
fn upstream_names() -> Vec<String> {
    extern "C" fn collect(name: MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is the vector below, which outlives the call.
        let names = unsafe { &mut *user.cast::<Vec<String>>() };
        names.push(text(name, &name).to_owned());
    }
    let mut names: Vec<String> = Vec::new();
    // SAFETY: `collect` gets the vector, and only during the call.
    unsafe { memToolsPassNames(collect, (&raw mut names).cast()) };
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_default_and_an_example() {
        for command in [opt_help::command(), lsp_server(), reduce()] {
            assert_eq!(mem_command::undocumented(&command), Vec::<String>::new());
        }
    }
}

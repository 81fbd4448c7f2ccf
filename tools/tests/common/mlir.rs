//! Shared by tests that run passes in their own process: a context, and the errors that it reports.

use std::cell::RefCell;
use std::sync::Mutex;

use melior::Context;
use melior::diagnostic::DiagnosticSeverity;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mem_tools::interpret::{Fault, Outcome, Settings, interpret};

thread_local! {
    /// Errors reported on this thread.
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// Warnings reported on this thread.
    static WARNINGS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A context with all dialects and passes, which collects errors instead of printing them.
pub(crate) fn context() -> Context {
    // Passes are registered in a list that all threads share.
    static REGISTRATION: Mutex<()> = Mutex::new(());
    let _guard = REGISTRATION.lock().expect("no holder of the lock panics");
    let registry = DialectRegistry::new();
    mem_tools::register_upstream(&registry);
    mem_opt::register_dialect(&registry);
    mem_opt::register_passes();
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    context.attach_diagnostic_handler(|diagnostic| {
        let all = match diagnostic.severity() {
            DiagnosticSeverity::Error => &ERRORS,
            DiagnosticSeverity::Warning => &WARNINGS,
            _ => return true,
        };
        let said = format!("{}: {diagnostic}", diagnostic.location());
        all.with_borrow_mut(|own| own.push(said));
        true
    });
    context
}

/// The errors since the last call.
pub(crate) fn said() -> String {
    ERRORS.with_borrow_mut(std::mem::take).join("\n")
}

/// The warnings since the last call.
#[allow(dead_code, reason = "not every test expects warnings")]
pub(crate) fn warned() -> Vec<String> {
    WARNINGS.with_borrow_mut(std::mem::take)
}

/// The outcome of a program, as [`same_outcome`].
#[allow(dead_code, reason = "not every test executes programs")]
pub(crate) fn outcome(module: &Module, seed: u64) -> Result<Outcome, Option<Fault>> {
    same_outcome(seed, |settings| interpret(module, "main", settings))
}

/// The outcome of an execution, if it is the same whatever unspecified choices are made. The fault if there is one.
#[allow(dead_code, reason = "not every test executes programs")]
pub(crate) fn same_outcome<T: PartialEq>(
    seed: u64,
    execute: impl Fn(Settings) -> Result<T, Fault>,
) -> Result<T, Option<Fault>> {
    let run = |choices| {
        let inputs = seed;
        execute(Settings { inputs, choices }).map_err(Some)
    };
    let (first, second) = (run(2 * seed + 1)?, run(2 * seed + 2)?);
    match first == second {
        true => Ok(first),
        false => Err(None),
    }
}

/// Why a program has no outcome.
#[allow(dead_code, reason = "not every test executes programs")]
pub(crate) fn why(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => fault.to_string(),
        None => "it depends on what is left open".to_owned(),
    }
}

/// Runs passes on a module. The errors of the passes if they fail.
#[allow(dead_code, reason = "not every test runs passes")]
pub(crate) fn run(context: &Context, module: &mut Module, passes: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(true);
    let pipeline = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)
        .unwrap_or_else(|error| panic!("{pipeline}: {error}"));
    said();
    manager.run(module).map_err(|_| said())
}

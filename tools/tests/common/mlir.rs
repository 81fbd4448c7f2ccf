//! Shared by tests that run passes in their own process: a context, and the errors that it reports.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Mutex;

use melior::Context;
use melior::diagnostic::DiagnosticSeverity;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::Operation;
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

/// Calls a function for each seed, on all threads. Returns the results in the order of the seeds.
#[allow(dead_code, reason = "not every test has random programs")]
pub(crate) fn for_each_seed<T: Send>(
    seeds: Range<u64>,
    check: impl Fn(&Context, u64) -> T + Sync,
) -> Vec<T> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |thread: usize| {
        let seeds: Vec<u64> = seeds.clone().skip(thread).step_by(n_threads).collect();
        let mut found = Vec::new();
        // A context keeps every attribute ever created, so it is replaced from time to time.
        for seeds in seeds.chunks(100) {
            let context = context();
            found.extend(seeds.iter().map(|seed| (*seed, check(&context, *seed))));
        }
        found
    };
    let mut found = Vec::new();
    std::thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = (0..n_threads)
            .map(|own| scope.spawn(move || share(own)))
            .collect();
        for thread in threads {
            found.extend(thread.join().expect("all is well"));
        }
    });
    found.sort_by_key(|(seed, _)| *seed);
    found.into_iter().map(|(_, own)| own).collect()
}

/// A copy of a module.
#[allow(dead_code, reason = "not every test changes a copy")]
pub(crate) fn copy_of<'c>(module: &Module<'c>) -> Module<'c> {
    Module::from_operation(Operation::clone(&module.as_operation())).expect("a module")
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

//! Profile-guided planning. The first run is in passive mode, unless an access table is given. Each
//! further iteration plans from the access table and from the copies of earlier iterations. A copy
//! that the program waited for is started earlier in the next plan, and a copy that completed long
//! before it was needed is started later.
//!
//! The lead of a copy changes by the time waited, or by half of the excess slack. Whenever the
//! direction of the change flips, the gain of further changes is halved, until changes stop. A
//! small change of the leads can change the plan a lot. If an iteration waits longer than the best
//! one so far, the next iteration therefore restarts from the best one with halved gains. Leads are
//! bounded by a multiple of the copy's duration. The table that is written contains the leads of
//! the best iteration.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

use melior::Context;
use melior::ir::Module;
use mem_model::{AccessTable, Lead};
use mem_opt::dialect::{ArenaOp, ViewOp};
use mem_opt::internals::{
    ACCESS_TABLE, Attribute, Op, Value, before_addresses, hierarchy_of, is_transfer, root_of,
    step_ops,
};
use mem_runtime::{Copied, Traced, Usage, c_abi};
use mem_view::{TraceEvents, Track, trace_time};
use serde_json::json;

use super::compile;
use super::execute::Execution;
use super::passive::{Tracing, instrument};
use super::signature::Signature;
use super::{Options, Program, Report, RunError, crash, diagnostics, engines, signature_of};
use crate::upstream::context;

/// Settings of the adaptation.
#[derive(Clone, Debug, Default)]
pub struct Adaptation {
    /// Name or file of a hierarchy that consists of a device and its host.
    pub hierarchy: String,
    /// Bytes of device memory; `None`: as many as the program needs.
    pub budget: Option<u64>,
    /// Bytes of the host pool in passive mode; `None`: unlimited.
    pub host_pool: Option<u64>,
    /// Number of runs with a plan.
    pub n_iterations: usize,
    /// Access table to start from instead of passive mode.
    pub accesses: Option<PathBuf>,
    /// Output file for the access table, including the leads that the iterations found.
    pub trace: Option<PathBuf>,
    /// Output file for the timeline of the last run.
    pub timeline: Option<PathBuf>,
}

/// The result of an adaptation.
pub struct Adapted {
    lines: Vec<String>,
    is_equal: bool,
}

impl Adapted {
    /// Whether every run computed the same results as the original program.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.is_equal
    }
}

impl fmt::Display for Adapted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Attribute that annotates operations with their step number in the access table.
const STEP: &str = "step_number";

/// Runs a program in passive mode, and then with plans. MLIR diagnostics go to standard error.
///
/// # Errors
/// If the program cannot be compiled or called, or if a file cannot be read or written.
pub fn adapt(options: &Options, adaptation: &Adaptation) -> Result<Adapted, RunError> {
    crash::catch_signals();
    let context = context();
    let _printer = diagnostics::Printer::new(&context);
    let mut module = compile::parse(&context, &options.file)?;
    let signature = signature_of(&module, options)?;
    let mut base = compile::duplicate(&module)?;
    compile::run_passes(&context, &mut base, &before_addresses())?;
    let original = Program {
        rates: engines::rates(&module, options.clock),
        engine: compile::compile(&context, &mut module, options)?,
        planned: false,
    };
    let wanted = original.run(&signature, 0, options)?;
    let mut runs = Runs {
        context: &context,
        base,
        signature,
        wanted,
        options,
        adapted: Adapted {
            lines: Vec::new(),
            is_equal: true,
        },
        usage: Usage::default(),
        names: Vec::new(),
    };
    let mut table = match &adaptation.accesses {
        Some(file) => read(file)?,
        None => runs.passive(adaptation)?,
    };
    runs.number_steps(&adaptation.hierarchy);
    let mut lessons = Lessons::new(&table.leads);
    for iteration in 1..=adaptation.n_iterations {
        runs.planned(iteration, adaptation, &table, &mut lessons)?;
        table.leads = lessons.next.leads();
    }
    if let Some(best) = &lessons.best {
        table.leads = best.used.leads();
    }
    if let Some(file) = &adaptation.trace {
        write(file, &table.text())?;
    }
    if let Some(file) = &adaptation.timeline {
        write(file, &timeline(&runs.usage, &runs.names))?;
    }
    Ok(runs.adapted)
}

/// The runs of a program so far.
struct Runs<'a> {
    context: &'a Context,
    /// The program before planning.
    base: Module<'a>,
    signature: Signature,
    /// Results of the original program.
    wanted: Execution,
    options: &'a Options,
    adapted: Adapted,
    /// Copies of the last run, and the tensors that they copied.
    usage: Usage,
    names: Vec<String>,
}

impl Runs<'_> {
    /// Compiles and runs a program, and compares its results with those of the original.
    fn run(&mut self, name: &str, mut module: Module<'_>, trace: Option<Traced>) -> RunResult {
        let program = Program {
            rates: engines::rates(&module, self.options.clock),
            engine: compile::compile(self.context, &mut module, self.options)?,
            planned: true,
        };
        if let Some(traced) = trace {
            c_abi::trace(traced);
        }
        let found = program.run(&self.signature, 1, self.options)?;
        let report = Report::new(&self.signature, &self.wanted, Some(&found), self.options);
        let is_equal = report.is_success();
        self.adapted.is_equal &= is_equal;
        let (n, waited) = (found.copies.copies.len(), found.copies.waited.as_secs_f64());
        let bytes: usize = found.copies.copies.iter().map(|copy| copy.bytes).sum();
        let equal = if is_equal { "equal" } else { "DIFFERENT" };
        let seconds = found.time.as_secs_f64();
        self.adapted.lines.push(format!(
            "{name}: {seconds:.3} seconds, {n} copies, {bytes} bytes, {waited:.6} seconds waited for; {equal}"
        ));
        if !is_equal {
            self.adapted.lines.push(report.to_string());
        }
        self.usage = found.copies;
        Ok(())
    }

    /// Runs the program in passive mode. Returns the table of its accesses.
    fn passive(&mut self, adaptation: &Adaptation) -> Result<AccessTable, RunError> {
        let copy = compile::duplicate(&self.base)?;
        let tracing = Tracing {
            hierarchy: &adaptation.hierarchy,
            function: &self.options.function,
            budget: adaptation.budget,
            host: adaptation.host_pool,
            clock: self.options.clock.unwrap_or(NANOSECONDS),
        };
        let traced = instrument(Op::from(&copy), &tracing).map_err(|_| RunError::Passes)?;
        self.run("passive", copy, Some(traced))?;
        c_abi::traced().ok_or(RunError::Engine)
    }

    /// Annotates operations with their step numbers.
    fn number_steps(&self, hierarchy: &str) {
        let base = Op::from(&self.base);
        let step_ops = step_ops(base, hierarchy, &self.options.function).unwrap_or_default();
        for (step, op) in step_ops.iter().enumerate() {
            let number = Attribute::integer_attribute(op.context(), step as i64);
            op.set_attribute(STEP, number);
        }
    }

    /// Plans with an access table, runs the plan, and learns from its copies.
    fn planned(
        &mut self,
        iteration: usize,
        adaptation: &Adaptation,
        table: &AccessTable,
        lessons: &mut Lessons,
    ) -> RunResult {
        let mut copy = compile::duplicate(&self.base)?;
        let (module, text) = (Op::from(&copy), table.text());
        let text = Attribute::string_attribute(module.context(), &text);
        module.set_attribute(ACCESS_TABLE, text);
        let budget = adaptation.budget.map_or(-1, |bytes| bytes as i64);
        let passes = format!(
            "mem-offload{{hierarchy=\"{}\" budget={budget} noalias-arguments=true}},mem-verify-plan,mem-erase-spaces",
            adaptation.hierarchy
        );
        compile::run_passes(self.context, &mut copy, &passes)?;
        let transfers = transfers(Op::from(&copy), &self.options.function);
        self.run(&format!("iteration {iteration}"), copy, None)?;
        let names = transfers.iter().map(|transfer| transfer.tensor.clone());
        self.names = names.collect();
        let seen = seen(&transfers, &self.usage, table.clock);
        lessons.learn(seen, self.usage.waited.as_secs_f64());
        Ok(())
    }
}

type RunResult = Result<(), RunError>;

/// Default clock in cycles per second: one cycle is one nanosecond.
const NANOSECONDS: f64 = 1e9;

fn not_done(file: &Path, error: std::io::Error) -> RunError {
    RunError::File {
        file: file.to_owned(),
        error,
    }
}

fn read(file: &Path) -> Result<AccessTable, RunError> {
    let text = std::fs::read_to_string(file).map_err(|error| not_done(file, error))?;
    AccessTable::parse(&text).map_err(|error| RunError::Table {
        file: file.to_owned(),
        error,
    })
}

fn write(file: &Path, text: &str) -> Result<(), RunError> {
    mem_view::replace_file(file, text).map_err(|error| not_done(file, error))
}

/// A copy in a planned program.
struct Planned {
    tensor: String,
    /// For copies to the device: the number of the step that needs the tensor.
    back_for: Option<usize>,
}

/// The copies of a function, in the order in which they start. A copy in a loop is listed once,
/// although it runs in every iteration.
fn transfers(module: Op, function: &str) -> Vec<Planned> {
    let named = |op: &Op| op.symbol().as_deref() == Some(function);
    let Some(function) = module.direct_ops().find(named) else {
        return Vec::new();
    };
    let mut ops = Vec::new();
    function.walk(&mut |op| ops.push(op));
    // Per operation: the number of the next step.
    let mut next = usize::MAX;
    let mut steps: HashMap<Op, usize> = HashMap::new();
    for op in ops.iter().rev() {
        let own = op.attribute(STEP).and_then(Attribute::integer);
        next = own
            .and_then(|step| usize::try_from(step).ok())
            .unwrap_or(next);
        steps.insert(*op, next);
    }
    let first_level =
        hierarchy_of(module).and_then(|hierarchy| Some(hierarchy.levels.first()?.name.clone()));
    let own = ops.iter().filter(|op| is_transfer(**op));
    own.map(|op| {
        let view = |value: Value| {
            root_of(value)
                .owner()
                .filter(|op| ViewOp::of(*op).is_some())
        };
        let level = |value: Value| {
            let arena = view(value)?.operand(0).owner()?;
            Some(ArenaOp::of(arena)?.level())
        };
        let name = view(op.operand(0)).and_then(|op| op.attribute("name"));
        let waits = op.results().flat_map(|token| token.users()).next();
        let needed = waits.unwrap_or(*op);
        let is_back = level(op.operand(1)) == first_level;
        Planned {
            tensor: name
                .as_ref()
                .and_then(Attribute::string)
                .unwrap_or_default()
                .to_owned(),
            back_for: steps.get(&needed).copied().filter(|_| is_back),
        }
    })
    .collect()
}

/// The feedback controller of one copy to the device.
#[derive(Clone, Copy, Debug)]
struct Feedback {
    lead: i64,
    /// The fraction of the observed error by which the lead changes.
    gain: f64,
    is_later: Option<bool>,
}

impl Default for Feedback {
    fn default() -> Self {
        Self {
            lead: 0,
            gain: 1.0,
            is_later: None,
        }
    }
}

/// If the gain is below this threshold, the lead does not change any more.
const LEAST_GAIN: f64 = 0.05;

/// Maximum lead, as a multiple of the copy's duration.
const MOST: f64 = 8.0;

impl Feedback {
    /// Updates the lead from the observation of a copy. Times are in cycles.
    fn learn(&mut self, took: f64, waited: f64, early: f64) {
        // Waits of less than a tenth of the copy's duration are tolerated.
        let (change, is_later) = match () {
            () if waited > 0.1 * took => (waited, false),
            () if early > 2.0 * took => (-(early - took) / 2.0, true),
            () => return,
        };
        if self.is_later.is_some_and(|before| before != is_later) {
            self.gain /= 2.0;
        }
        self.is_later = Some(is_later);
        if self.gain >= LEAST_GAIN {
            let lead = self.lead as f64 + self.gain * change;
            self.lead = lead.clamp(-took, MOST * took) as i64;
        }
    }
}

/// Copies in the order in which the program issued them.
fn in_order(usage: &Usage) -> Vec<&Copied> {
    let mut copies: Vec<&Copied> = usage.copies.iter().collect();
    copies.sort_by_key(|copy| (copy.issued, copy.ticket.engine, copy.ticket.number));
    copies
}

/// Identifies a copy to the device: its tensor, and the step that needs it.
type Key = (String, usize);

/// The feedback controllers of all copies to the device.
#[derive(Clone, Debug, Default)]
struct Knowledge(BTreeMap<Key, Feedback>);

impl Knowledge {
    /// All nonzero leads, sorted by step.
    fn leads(&self) -> Vec<Lead> {
        let known = self.0.iter().filter(|(_, own)| own.lead != 0);
        let leads = known.map(|((tensor, step), own)| Lead {
            tensor: tensor.clone(),
            step: *step,
            cycles: own.lead,
        });
        let mut leads: Vec<Lead> = leads.collect();
        leads.sort_by(|a, b| (a.step, &a.tensor).cmp(&(b.step, &b.tensor)));
        leads
    }

    fn learn(&mut self, seen: &[Seen]) {
        for own in seen {
            let known = self.0.entry(own.key.clone()).or_default();
            known.learn(own.took, own.waited, own.early);
        }
    }
}

/// An observation of a copy to the device, in cycles.
#[derive(Clone, Debug)]
struct Seen {
    key: Key,
    took: f64,
    waited: f64,
    early: f64,
}

/// One iteration.
struct Lesson {
    /// The state that the iteration was planned with.
    used: Knowledge,
    seen: Vec<Seen>,
    /// Total time waited, in seconds.
    waited: f64,
}

/// The search for the best leads over all iterations.
struct Lessons {
    /// The state for planning the next iteration.
    next: Knowledge,
    best: Option<Lesson>,
}

impl Lessons {
    fn new(leads: &[Lead]) -> Self {
        let mut next = Knowledge::default();
        for lead in leads {
            let own = next.0.entry((lead.tensor.clone(), lead.step)).or_default();
            own.lead = lead.cycles;
        }
        Self { next, best: None }
    }

    /// Continues from the best iteration so far.
    fn learn(&mut self, seen: Vec<Seen>, waited: f64) {
        let best = match self.best.take() {
            Some(mut best) if best.waited <= waited => {
                // The changes derived from the best iteration made things worse. Halve all their
                // gains, since any of them may have been too large.
                for own in &best.seen {
                    best.used.0.entry(own.key.clone()).or_default().gain /= 2.0;
                }
                best
            }
            _ => Lesson {
                used: self.next.clone(),
                seen,
                waited,
            },
        };
        self.next = best.used.clone();
        self.next.learn(&best.seen);
        self.best = Some(best);
    }
}

/// Observations of the copies to the device. Empty if the run did not make exactly the planned
/// copies.
fn seen(transfers: &[Planned], usage: &Usage, clock: f64) -> Vec<Seen> {
    let copies = in_order(usage);
    if copies.len() != transfers.len() {
        return Vec::new();
    }
    let own = copies.iter().zip(transfers);
    own.filter_map(|(copy, transfer)| {
        let cycles = |time: std::time::Duration| time.as_secs_f64() * clock;
        let needed = copy.needed.unwrap_or(copy.end);
        Some(Seen {
            key: (transfer.tensor.clone(), transfer.back_for?),
            took: cycles(copy.end.saturating_sub(copy.start)),
            waited: cycles(copy.waited()),
            early: cycles(needed.saturating_sub(copy.end)),
        })
    })
    .collect()
}

/// The copies and waits of a run, in the format of Chrome's trace viewer.
fn timeline(usage: &Usage, names: &[String]) -> String {
    let copies = in_order(usage);
    let nanoseconds =
        |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let since_start = |time| trace_time(nanoseconds(time));
    let lasting = |time| nanoseconds(time) as f64 / 1000.0;
    let engines = copies.iter().map(|copy| u64::from(copy.ticket.engine));
    let engines: BTreeSet<u64> = engines.collect();
    let engine_names: Vec<String> = engines
        .iter()
        .map(|engine| format!("copy engine {engine}"))
        .collect();
    let mut trace = TraceEvents::default();
    let tracks = std::iter::once("program").chain(engine_names.iter().map(String::as_str));
    let tracks = trace.process("mem-run", tracks);
    let track_of: BTreeMap<u64, Track> = engines
        .into_iter()
        .zip(tracks[1..].iter().copied())
        .collect();
    for (index, copy) in copies.iter().enumerate() {
        let name = names.get(index).filter(|_| names.len() == copies.len());
        let name = name.map_or("copy", String::as_str);
        let time = (
            since_start(copy.start),
            lasting(copy.end.saturating_sub(copy.start)),
        );
        let arguments = json!({"bytes": copy.bytes, "asked": lasting(copy.issued)});
        let track = track_of[&u64::from(copy.ticket.engine)];
        trace.span(track, time, ("copy", name), arguments);
        if let Some(needed) = copy.needed.filter(|_| !copy.waited().is_zero()) {
            let time = (since_start(needed), lasting(copy.waited()));
            let name = format!("wait for {name}");
            trace.span(tracks[0], time, ("wait", &name), json!({}));
        }
    }
    trace.text(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the observations, the lead stays bounded and eventually settles.
    #[test]
    fn leads_converge_and_are_bounded() {
        let mut own = Feedback::default();
        for round in 0..100 {
            let (waited, early) = if round % 2 == 0 {
                (50.0, 0.0)
            } else {
                (0.0, 1000.0)
            };
            own.learn(100.0, waited, early);
            assert!((-100..=800).contains(&own.lead), "{own:?}");
        }
        let before = own.lead;
        own.learn(100.0, 50.0, 0.0);
        assert_eq!(own.lead, before);
        let mut waiting = Feedback::default();
        for _ in 0..100 {
            waiting.learn(100.0, 90.0, 0.0);
        }
        assert_eq!(waiting.lead, 800);
        // A copy that completes in time keeps its lead.
        waiting.learn(100.0, 5.0, 50.0);
        assert_eq!(waiting.lead, 800);
    }

    /// A change that makes things worse is reverted, and half of it is tried, until it vanishes.
    #[test]
    fn iterations_continue_from_the_best() {
        let key = ("a".to_owned(), 3);
        let seen = |waited: f64| Seen {
            key: key.clone(),
            took: 100.0,
            waited,
            early: 0.0,
        };
        let mut lessons = Lessons::new(&[]);
        let mut leads = Vec::new();
        lessons.learn(vec![seen(80.0)], 1.0);
        for _ in 0..6 {
            leads.push(lessons.next.leads().first().map_or(0, |lead| lead.cycles));
            lessons.learn(vec![seen(90.0)], 2.0);
        }
        assert_eq!(leads, [80, 40, 20, 10, 5, 0]);
        // The best iteration was planned without leads.
        let best = |lessons: &Lessons| lessons.best.as_ref().map(|best| best.used.leads());
        assert_eq!(best(&lessons), Some(Vec::new()));
        // An improvement becomes the new starting point.
        let lead = Lead {
            tensor: "a".to_owned(),
            step: 3,
            cycles: 30,
        };
        let mut lessons = Lessons::new(std::slice::from_ref(&lead));
        lessons.learn(vec![seen(80.0)], 2.0);
        assert_eq!(lessons.next.leads()[0].cycles, 110);
        lessons.learn(vec![seen(0.0)], 1.0);
        assert_eq!(best(&lessons).map(|leads| leads[0].cycles), Some(110));
    }
}

//! `mem-plan`: assigns every buffer an address in one arena.
//!
//! Extract, plan, check, materialize: functions are extracted and planned callees first, because a
//! caller makes room for the arenas of its callees. The IR is not modified before every plan has
//! been accepted.

mod arithmetic;
mod materialize;
mod ranks;
mod remarks;
mod report;

use mem_flow::Lifetimes;
use mem_model::{
    Bytes, Hierarchy, Item, Level, Partner, Plan, Problem, Program, RelativePlan, Size, Storage,
};
use mem_planner::{PlanOptions, Spread, Strategy};

use crate::extract::{
    Callees, Extraction, Function, Locations, Roots, Workspace, checked_alignment, extract,
    functions_bottom_up, refuse_escaping, remark_unplannable,
};
use crate::framework::options::MemPlanOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, write_text};
use crate::ir::compare::Claims;
use crate::ir::spaces::SpaceForm;
use crate::ir::{Diagnostic, HIERARCHY, Op, hierarchy_of};
use crate::plan::spaces::assign_spaces;
use crate::plan::written::write_compared;

/// A function with its plan, ready to be written back.
pub(crate) struct PlannedFunction {
    pub function: Function,
    pub extraction: Extraction,
    pub lifetimes: Lifetimes,
    pub problem: Problem,
    pub plan: Plan,
    /// If sizes are known only at run time: the plan that holds for all of them. `plan` is then its
    /// instance with every unknown set to one.
    pub relative: Option<RelativePlan>,
    /// Whether the callers provide the arena.
    pub takes_arena: bool,
}

impl PlannedFunction {
    /// Frees what has served planning: in large programs, most of the memory that the pass takes.
    fn forget_accesses(&mut self) {
        let extraction = &mut self.extraction;
        extraction.program.steps = Vec::new();
        extraction.program.pointers = Vec::new();
        extraction.step_ops = Vec::new();
        extraction.access_values = Default::default();
        extraction.places = Default::default();
        self.lifetimes.parts = Vec::new();
        let items = self.problem.items.iter_mut();
        items.for_each(|item| item.parts = Vec::new());
    }
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let settings = Settings::new(module, options)?;
    // Dependence analysis of the optimizations before, which a plan does not need.
    run.drop_kept();
    let mut functions = plan_module(module, &settings)?;
    if !options.dump.is_empty() {
        dump(module, &functions, &options.dump)?;
    }
    set_statistics(run, &functions);
    let mentions_buffers = |f: &PlannedFunction| {
        !f.problem.items.is_empty()
            || !f.extraction.misfits.is_empty()
            || !f.lifetimes.unplannable.is_empty()
    };
    if !functions.iter().any(mentions_buffers) {
        let text = "nothing to plan: the module has no mem.buffer";
        Diagnostic::remark(module.location(), text).emit();
    }
    materialize::check_names(module, &functions)?;
    functions
        .iter_mut()
        .for_each(PlannedFunction::forget_accesses);
    write_compared(run, Claims::Nothing, || {
        materialize::materialize(functions, &settings.level);
        match module.attribute(HIERARCHY) {
            Some(hierarchy) => assign_spaces(module, hierarchy, settings.spaces, None),
            None => Ok(()),
        }
    })
}

/// The validated options.
struct Settings {
    strategy: Strategy,
    spaces: SpaceForm,
    level: Level,
    /// Minimum alignment of every buffer, in bytes.
    alignment: u64,
    /// Whether buffers move that begin at equal offsets within a page.
    spread: Spread,
    /// Public functions get their arena from their callers.
    takes_arena: bool,
    /// Whether to extract source locations, which only a dumped problem states.
    locations: Locations,
}

impl Settings {
    fn new(module: Op, options: &Options) -> Result<Self, Failed> {
        let strategy = options.strategy.parse().or_else(|error| {
            Diagnostic::error(module.location(), format!("mem-plan: {error}")).fail()
        })?;
        let spaces: Result<SpaceForm, _> = options.spaces.parse();
        let spaces = spaces.map_err(|why| Failed::at(module, &format!("mem-plan: {why}")))?;
        let mut level = choose_level(module, &options.level)?;
        if options.capacity >= 0 {
            // An option can lower the capacity of a level, but not raise it.
            let wanted = u64::try_from(options.capacity).ok().map(Bytes::new);
            level.capacity = wanted.into_iter().chain(level.capacity).min();
        } else if options.capacity != -1 {
            let text = format!(
                "mem-plan: a capacity of {} bytes is negative",
                options.capacity
            );
            return Diagnostic::error(module.location(), text).fail();
        }
        let alignment = checked_alignment(module, options.alignment)?.max(level.alignment.get());
        let spread: Result<Spread, _> = options.spread.parse();
        let spread = spread.or_else(|why| {
            let text = format!("mem-plan: {why}");
            Diagnostic::option_error(module, "spread", Some(&options.spread), text).fail()
        })?;
        let takes_arena = match options.arena.as_str() {
            "inside" => false,
            "argument" => true,
            other => {
                let text = format!("mem-plan: no arena '{other}'; there are inside, argument");
                return Diagnostic::error(module.location(), text).fail();
            }
        };
        Ok(Self {
            strategy,
            spaces,
            level,
            alignment,
            spread,
            takes_arena,
            locations: Locations::for_report(&options.dump),
        })
    }
}

/// The level with the given name; without a name, the slowest level of the module's hierarchy.
fn choose_level(module: Op, name: &str) -> Result<Level, Failed> {
    let levels = hierarchy_of(module).unwrap_or_default().levels;
    let Some(slowest) = levels.last() else {
        let mut level = Hierarchy::single().levels.remove(0);
        if !name.is_empty() {
            level.name = name.to_owned();
        }
        return Ok(level);
    };
    if name.is_empty() {
        return Ok(slowest.clone());
    }
    if let Some(level) = levels.iter().find(|l| l.name == name) {
        return Ok(level.clone());
    }
    let known: Vec<&str> = levels.iter().map(|l| l.name.as_str()).collect();
    let text = format!(
        "mem-plan: the module's mem.hierarchy has no level '{name}'; it has {}",
        known.join(", ")
    );
    Diagnostic::option_error(module, "level", Some(name), text).fail()
}

/// Plans every function, callees first.
fn plan_module(module: Op, settings: &Settings) -> Result<Vec<PlannedFunction>, Failed> {
    let mut planned = Vec::new();
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    for function in functions {
        let mut extraction = extract(function.op, Roots::Buffers, settings.locations, &callees);
        refuse_escaping(&extraction)?;
        for buffer in &mut extraction.program.buffers {
            buffer.alignment = buffer.alignment.max(Bytes::new(settings.alignment));
        }
        let is_sized_late = !extraction.sizes.is_empty();
        let takes_arena =
            (function.local || settings.takes_arena && function.nestable) && !is_sized_late;
        // The bytes of a local function belong to its callers, whose capacity is checked.
        let capacity = if function.local {
            None
        } else {
            settings.level.capacity.map(Bytes::get)
        };
        let strategy = settings.strategy;
        let placing = Placing {
            strategy,
            // The bytes that a local function pays could be those that its callers lack.
            spread: match settings.spread {
                Spread::Within(_) if function.local && settings.level.capacity.is_some() => {
                    Spread::default()
                }
                spread => spread,
            },
            is_base_known: !function.local,
        };
        let (lifetimes, problem, plan, relative) = match is_sized_late {
            false => plan_function(function.op, &extraction, capacity, placing)?,
            true => plan_sized_function(function.op, &extraction, capacity, strategy)?,
        };
        if function.recursive && !problem.items.is_empty() {
            report::warn_recursive(&function, &plan);
        }
        if settings.takes_arena && !takes_arena && !problem.items.is_empty() {
            report::remark_own_arena(&function, is_sized_late);
        }
        let own = (&extraction, &lifetimes);
        remarks::remark_plan(function.op, own, &problem, &plan);
        callees.learn(&function, &extraction, false);
        if takes_arena && !problem.items.is_empty() {
            let workspace = Workspace {
                size: plan.peak,
                alignment: problem.alignment(),
            };
            callees.workspaces.insert(function.name.clone(), workspace);
        }
        planned.push(PlannedFunction {
            function,
            extraction,
            lifetimes,
            problem,
            plan,
            relative,
            takes_arena,
        });
    }
    Ok(planned)
}

/// Lifetimes, problem and plan of a function, and the plan for all sizes if some are unknown.
type Planned = (Lifetimes, Problem, Plan, Option<RelativePlan>);

/// Lifetimes, and the planning problem that follows from them.
fn analyse(op: Op, extraction: &Extraction) -> Result<(Lifetimes, Problem), Failed> {
    let program = &extraction.program;
    let lifetimes = extraction.lifetimes().or_else(|error| {
        Diagnostic::error(op.location(), format!("internal error: {error}")).fail()
    })?;
    remark_unplannable(extraction, &lifetimes);
    report::remark_coarse(extraction, &lifetimes);
    let problem = mem_flow::problem(program, &lifetimes);
    Ok((lifetimes, problem))
}

/// How the buffers of a function are placed.
#[derive(Clone, Copy)]
struct Placing {
    strategy: Strategy,
    spread: Spread,
    /// Whether the arena is a block of memory of its own, as arguments are. The arena of a local function
    /// begins anywhere in the arenas of its callers.
    is_base_known: bool,
}

/// Analyzes, plans and checks one function. Failures are reported at the function or the buffer.
fn plan_function(
    op: Op,
    extraction: &Extraction,
    capacity: Option<u64>,
    placing: Placing,
) -> Result<Planned, Failed> {
    let program = &extraction.program;
    let (lifetimes, mut problem) = analyse(op, extraction)?;
    problem.capacity = capacity.map(Bytes::new);
    let strategy = placing.strategy;
    let plan = mem_planner::plan(&problem, strategy, &PlanOptions::default());
    let plan = plan.or_else(|error| {
        let are_tiled = !extraction.groups().is_empty();
        let in_tiles = are_tiled.then(|| {
            problem.capacity = None;
            mem_planner::plan(&problem, strategy, &PlanOptions::default()).ok()
        });
        let peak = in_tiles.flatten().map(|plan| plan.peak);
        report::no_plan(op, extraction, &error, peak).fail()
    })?;
    let plan = spread_out(program, &problem, plan, placing);
    let checked = mem_check::check_plan(&problem, &plan)
        .and_then(|()| mem_check::check_program_plan(program, &lifetimes.rotations, &plan));
    checked.or_else(|error| report::wrong_plan(op, extraction, &error).fail())?;
    Ok((lifetimes, problem, plan, None))
}

/// Moves buffers apart that one operation accesses and that begin at equal offsets within a page.
fn spread_out(program: &Program, problem: &Problem, plan: Plan, placing: Placing) -> Plan {
    if placing.spread == Spread::Off {
        return plan;
    }
    let mut contacts = mem_flow::contacts(program, problem);
    contacts.retain(|contact| placing.is_base_known || contact.other != Partner::Outside);
    mem_planner::spread(problem, &contacts, &plan, placing.spread).unwrap_or(plan)
}

/// As [`plan_function`], for functions with sizes known only at run time. The relative plan is
/// checked for all sizes; two instances are checked in addition: with every unknown set to one, and
/// with the sizes of the model.
fn plan_sized_function(
    op: Op,
    extraction: &Extraction,
    capacity: Option<u64>,
    strategy: Strategy,
) -> Result<Planned, Failed> {
    let program = &extraction.program;
    let (lifetimes, problem) = analyse(op, extraction)?;
    let size = |item: &Item| match extraction.sizes.get(&item.buffer) {
        Some(size) => size.clone(),
        None => Size::constant(item.size.get()),
    };
    let sizes: Vec<Size> = problem.items.iter().map(size).collect();
    let planned = mem_planner::plan_sizes(&problem, &sizes, strategy, &PlanOptions::default())
        .or_else(|error| report::no_plan(op, extraction, &error, None).fail())?;
    let (relative, (example, plan)) = (planned.relative, planned.example);
    let stand_ins = relative.plan(&problem, &plan.strategy);
    let checked = mem_check::check_relative_plan(&problem, &relative)
        .and_then(|()| mem_check::check_plan(&example, &plan))
        .and_then(|()| match &stand_ins {
            Some(plan) => mem_check::check_program_plan(program, &lifetimes.rotations, plan),
            None => Ok(()),
        });
    checked.or_else(|error| report::wrong_plan(op, extraction, &error).fail())?;
    if let Some(capacity) = capacity {
        report::warn_unbounded(op, capacity);
    }
    Ok((lifetimes, example, plan, Some(relative)))
}

/// Writes the extracted programs to a file that the stand-alone planner can replay.
fn dump(module: Op, functions: &[PlannedFunction], file: &str) -> PassResult {
    let mut functions: Vec<&PlannedFunction> = functions.iter().collect();
    functions.sort_by_key(|f| f.function.position);
    let programs: Vec<_> = functions
        .iter()
        .map(|f| f.extraction.program.clone())
        .collect();
    let text = mem_model::print_programs(&programs);
    write_text(file, &text).or_else(|error| {
        let text = format!("mem-plan: cannot write {file}: {error}");
        Diagnostic::option_error(module, "dump", Some(file), text).fail()
    })
}

fn set_statistics(run: &PassRun, functions: &[PlannedFunction]) {
    let planned = |f: &PlannedFunction| {
        let buffers = f.extraction.program.buffers.iter();
        buffers
            .filter(|b| b.storage == Storage::Planned)
            .map(|b| b.size.get())
            .collect::<Vec<_>>()
    };
    let sizes: Vec<u64> = functions.iter().flat_map(planned).collect();
    run.set_statistic(Options::NUM_BUFFERS, sizes.len() as u64);
    run.set_statistic(
        Options::NUM_BYTES,
        sizes.iter().fold(0, |a, b| a.saturating_add(*b)),
    );
    if let Some(largest) = functions.iter().max_by_key(|f| f.plan.peak) {
        run.set_statistic(Options::PEAK, largest.plan.peak.get());
        run.set_statistic(Options::LOWER_BOUND, largest.plan.lower_bound.get());
    }
    let rotating = functions
        .iter()
        .flat_map(|f| &f.lifetimes.slots)
        .filter(|n| **n > 1);
    run.set_statistic(Options::NUM_ROTATIONS, rotating.count() as u64);
}

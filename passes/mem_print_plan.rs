//! `mem-print-plan`: reads the plan off the IR and prints it.

use std::io::Write as _;
use std::path::Path;

use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Item, Part, Placement, Plan, Problem, Storage};
use mem_view::{FunctionPlan, plan_conflicts, plan_json, plan_summary, plan_table};

use crate::dialect::{ArenaOp, SliceOp, ViewOp};
use crate::example::Example;
use crate::extract::{Callees, Extraction, Locations, Roots, extract, functions_bottom_up};
use crate::mlir::{Diagnostic, Op, hierarchy_of};
use crate::registry::generated::MemPrintPlanOptions as Options;
use crate::registry::{Failed, PassResult, PassRun};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let render: fn(&[FunctionPlan<'_>]) -> String = match options.format.as_str() {
        "table" => plan_table,
        "summary" => plan_summary,
        "json" => plan_json,
        "conflicts" => plan_conflicts,
        other => {
            let text = format!(
                "mem-print-plan: no format '{other}'; there are table, summary, json, conflicts"
            );
            return Diagnostic::error(module.location(), text).fail();
        }
    };
    let Ok(unknown) = u64::try_from(options.unknown) else {
        let text = format!("mem-print-plan: no size is {}", options.unknown);
        return Diagnostic::error(module.location(), text).fail();
    };
    let plans = read_plans(module, unknown)?;
    let views: Vec<FunctionPlan<'_>> = plans.iter().map(PrintedPlan::view).collect();
    write(module, &options.output, &render(&views))
}

/// What there is to print of one function in one level.
struct PrintedPlan {
    position: usize,
    extraction: Extraction,
    parts: Vec<Vec<Part>>,
    unordered: Vec<(BufferId, BufferId)>,
    level: String,
    capacity: Option<Bytes>,
    plan: Plan,
    unknown: Option<u64>,
}

impl PrintedPlan {
    fn view(&self) -> FunctionPlan<'_> {
        FunctionPlan {
            program: &self.extraction.program,
            parts: &self.parts,
            unordered: &self.unordered,
            level: &self.level,
            capacity: self.capacity,
            plan: &self.plan,
            unknown: self.unknown,
        }
    }
}

/// The plans of all functions that have one, in the order of the module.
fn read_plans(module: Op, unknown: u64) -> Result<Vec<PrintedPlan>, Failed> {
    let levels = hierarchy_of(module).unwrap_or_default().levels;
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(&functions);
    let mut plans = Vec::new();
    // A function that is handed its arena has it in the level that its callers' is in.
    let (main_level, main_strategy, _) = arena_of(module).unwrap_or_default();
    for function in functions {
        let mut extraction = extract(function.op, Roots::Buffers, Locations::Keep, &callees);
        callees.learn(&function, &extraction, false);
        let mut lifetimes = mem_flow::analyze_lifetimes(&extraction.program).or_else(|error| {
            Diagnostic::error(function.op.location(), format!("internal error: {error}")).fail()
        })?;
        let is_exemplary = assume(function.op, &mut extraction, &mut lifetimes, unknown);
        let own = arena_of(function.op).or_else(|| expected_arena(function.op));
        let own = own.unwrap_or_else(|| (main_level.clone(), main_strategy.clone(), None));
        let (level, strategy, proven) = own;
        let Some(plan) = plan_of(&extraction, &lifetimes, strategy, proven) else {
            continue;
        };
        let capacity = levels
            .iter()
            .find(|l| l.name == level)
            .and_then(|l| l.capacity)
            .map(mem_model::Bytes::get);
        let capacity = capacity.map(Bytes::new);
        plans.push(PrintedPlan {
            position: function.position,
            extraction,
            parts: lifetimes.parts,
            unordered: lifetimes.unordered,
            level,
            capacity,
            plan,
            unknown: is_exemplary.then_some(unknown),
        });
    }
    plans.sort_by_key(|plan| plan.position);
    Ok(plans)
}

/// Stands for what is more than any memory has.
const TOO_LARGE: Bytes = Bytes::new(i64::MAX as u64);

/// Makes numbers of the sizes and offsets that only the run time knows; returns whether there are any.
fn assume(
    function: Op,
    extraction: &mut Extraction,
    lifetimes: &mut Lifetimes,
    unknown: u64,
) -> bool {
    let buffers = extraction.program.buffers.iter_mut().enumerate();
    let views = buffers.filter_map(|(index, buffer)| {
        let op = extraction.buffer_ops[index]?;
        let place = (op.name(), op.operands().nth(1));
        matches!(place, (ViewOp::NAME | SliceOp::NAME, Some(_))).then_some((index, buffer, op))
    });
    let mut example = None;
    for (index, buffer, op) in views {
        let example = example.get_or_insert_with(|| Example::new(function, unknown));
        if let Storage::Placed { offset, .. } = &mut buffer.storage
            && op.attribute("offset").is_none()
        {
            *offset = example.bytes(op.operand(1)).unwrap_or(TOO_LARGE);
        }
        let size = op
            .operands()
            .last()
            .filter(|_| extraction.sizes.contains_key(&BufferId::new(index)));
        if let Some(size) = size {
            buffer.size = example.bytes(size).unwrap_or(TOO_LARGE);
            let live = Part::union_of(&lifetimes.parts[index]);
            lifetimes.parts[index] = vec![Part::whole(buffer.size, live)];
        }
    }
    example.is_some()
}

/// Level, strategy and proven bound of the first arena inside an operation.
fn arena_of(scope: Op) -> Option<(String, String, Option<Bytes>)> {
    let mut found = None;
    scope.walk(&mut |op| {
        if let (None, Some(arena)) = (&found, ArenaOp::of(op)) {
            let strategy = arena.strategy().unwrap_or_else(|| "as placed".to_owned());
            let proven = arena.proven_bound().map(Bytes::new);
            found = Some((arena.level(), strategy, proven));
        }
    });
    found
}

/// The same of the arena that a function expects from code outside of the module.
fn expected_arena(function: Op) -> Option<(String, String, Option<Bytes>)> {
    let attributes = function.attribute("arg_attrs")?.elements()?;
    let last = attributes.last()?.entry("mem.arena")?;
    let string = |name| last.entry(name)?.string().map(str::to_owned);
    let proven = last.entry("proven_bound").and_then(|a| a.integer());
    let proven = proven.and_then(|bytes| u64::try_from(bytes).ok());
    Some((
        string("level")?,
        string("strategy")?,
        proven.map(Bytes::new),
    ))
}

/// The placements that the function's views state, or nothing if it has none.
fn plan_of(
    extraction: &Extraction,
    lifetimes: &Lifetimes,
    strategy: String,
    proven: Option<Bytes>,
) -> Option<Plan> {
    let (mut placements, mut items) = (Vec::new(), Vec::new());
    for (index, model) in extraction.program.buffers.iter().enumerate() {
        let Storage::Placed { offset, .. } = &model.storage else {
            continue;
        };
        let buffer = mem_model::BufferId::new(index);
        placements.push(Placement {
            buffer,
            slot: 0,
            offset: *offset,
        });
        let (size, alignment) = (model.size, model.alignment);
        items.push(Item::new(
            buffer,
            size,
            alignment,
            lifetimes.parts[index].clone(),
        ));
    }
    if items.is_empty() {
        return None;
    }
    let end = |(item, at): (&Item, &Placement)| at.offset.checked_add(item.size);
    let ends: Option<Vec<Bytes>> = items.iter().zip(&placements).map(end).collect();
    let peak = ends
        .and_then(|e| e.into_iter().max())
        .unwrap_or(Bytes::ZERO);
    let mut problem = Problem::of_items(items);
    mem_flow::relate(&mut problem, lifetimes);
    let lower_bound = mem_planner::lower_bound(&problem).unwrap_or(Bytes::ZERO);
    Some(Plan {
        strategy,
        placements,
        peak,
        lower_bound,
        // What the module says, if it can be.
        proven_bound: proven.unwrap_or_default().min(peak).max(lower_bound),
    })
}

/// Standard error, standard output or a file that appears whole.
fn write(module: Op, output: &str, text: &str) -> PassResult {
    let result = match output {
        "" => std::io::stderr().write_all(text.as_bytes()),
        "-" => std::io::stdout().write_all(text.as_bytes()),
        path => mem_view::replace_file(Path::new(path), text),
    };
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let text = format!("mem-print-plan: cannot write '{output}': {error}");
            Diagnostic::error(module.location(), text).fail()
        }
        _ => Ok(()),
    }
}

//! `mem-print-plan`: reads the plan from the IR and prints it.

use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Item, Part, Placement, Plan, Problem, Storage};
use mem_view::{
    FunctionPlan, PrintedTransfer, Untiled, plan_conflicts, plan_csv, plan_json, plan_page,
    plan_summary, plan_svg, plan_table, plan_trace,
};

use super::transfers::{spaces_of, transfers_of};
use crate::extract::{Callees, Extraction, Locations, Roots, extract, functions_bottom_up};
use crate::framework::options::MemPrintPlanOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, write_output};
use crate::ir::dialect::{ArenaOp, SliceOp, ViewOp};
use crate::ir::example::Example;
use crate::ir::{Diagnostic, Op, hierarchy_of};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let render: fn(&[FunctionPlan<'_>]) -> String = match options.format.as_str() {
        "table" => plan_table,
        "summary" => plan_summary,
        "json" => plan_json,
        "csv" => plan_csv,
        "conflicts" => plan_conflicts,
        "html" => plan_page,
        "svg" => plan_svg,
        "trace" => plan_trace,
        other => {
            let text = format!(
                "mem-print-plan: no format '{other}'; there are table, summary, json, csv, \
                 html, svg, trace, conflicts"
            );
            return Diagnostic::error(module.location(), text).fail();
        }
    };
    let Ok(unknown) = u64::try_from(options.unknown) else {
        let text = format!("mem-print-plan: no size is {}", options.unknown);
        return Diagnostic::error(module.location(), text).fail();
    };
    let plans = read_plans(module, unknown)?;
    let views: Vec<FunctionPlan<'_>> = plans.iter().flat_map(PrintedPlan::views).collect();
    write_output(module, "mem-print-plan", &options.output, &render(&views))
}

/// The plan of one function, ready to be printed.
struct PrintedPlan {
    position: usize,
    extraction: Extraction,
    parts: Vec<Vec<Part>>,
    unordered: Vec<(BufferId, BufferId)>,
    levels: Vec<PrintedLevel>,
    unknown: Option<u64>,
    types: Vec<String>,
    groups: Vec<Option<i64>>,
    untiled: Vec<Option<Untiled>>,
    transfers: Vec<PrintedTransfer>,
}

/// The part of a plan that is in one level.
struct PrintedLevel {
    name: String,
    capacity: Option<Bytes>,
    plan: Plan,
}

impl PrintedPlan {
    fn views(&self) -> impl Iterator<Item = FunctionPlan<'_>> {
        self.levels.iter().map(|level| FunctionPlan {
            program: &self.extraction.program,
            parts: &self.parts,
            unordered: &self.unordered,
            level: &level.name,
            capacity: level.capacity,
            plan: &level.plan,
            unknown: self.unknown,
            types: &self.types,
            groups: &self.groups,
            untiled: &self.untiled,
            transfers: &self.transfers,
        })
    }
}

/// The plans of all functions that have one, in module order.
fn read_plans(module: Op, unknown: u64) -> Result<Vec<PrintedPlan>, Failed> {
    let hierarchy = hierarchy_of(module).unwrap_or_default();
    let spaces = spaces_of(module);
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    let mut plans = Vec::new();
    // A function that takes its arena as an argument is attributed to the level of its callers'
    // arena.
    let main = arenas_of(module).into_iter().next().unwrap_or_default();
    for function in functions {
        let mut extraction = extract(function.op, Roots::Buffers, Locations::Keep, &callees);
        callees.learn(&function, &extraction, false);
        let mut lifetimes = extraction.lifetimes().or_else(|error| {
            Diagnostic::error(function.op.location(), format!("internal error: {error}")).fail()
        })?;
        let is_exemplary = assume(function.op, &mut extraction, &mut lifetimes, unknown);
        let mut arenas = arenas_of(function.op);
        if arenas.is_empty() {
            arenas.push(expected_arena(function.op).unwrap_or_else(|| main.clone()));
        }
        let of_level = |arena: Arena, is_only: bool| {
            let level = (!is_only).then_some(arena.level.as_str());
            let plan = plan_of(&extraction, &lifetimes, &arena, level)?;
            let found = hierarchy.find(&arena.level);
            Some(PrintedLevel {
                capacity: found.and_then(|level| hierarchy.levels[level.index()].capacity),
                name: arena.level,
                plan,
            })
        };
        let is_only = arenas.len() == 1;
        let levels = arenas.into_iter();
        let levels: Vec<PrintedLevel> = levels.filter_map(|own| of_level(own, is_only)).collect();
        if levels.is_empty() {
            continue;
        }
        plans.push(PrintedPlan {
            position: function.position,
            types: extraction.type_names(),
            groups: extraction.groups(),
            untiled: extraction.untiled(),
            transfers: transfers_of(&extraction, &hierarchy, spaces.as_ref()),
            extraction,
            parts: lifetimes.parts,
            unordered: lifetimes.unordered,
            levels,
            unknown: is_exemplary.then_some(unknown),
        });
    }
    plans.sort_by_key(|plan| plan.position);
    Ok(plans)
}

/// Stand-in for sizes and offsets that exceed any memory.
const TOO_LARGE: Bytes = Bytes::new(i64::MAX as u64);

/// Replaces sizes and offsets known only at run time by those of an example in which every unknown
/// is `unknown`. Returns whether there are any.
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

/// Plan properties stated by an arena.
#[derive(Clone, Default)]
struct Arena {
    level: String,
    strategy: String,
    proven: Option<Bytes>,
}

/// The first arena of each level inside an operation, in order of appearance.
fn arenas_of(scope: Op) -> Vec<Arena> {
    let mut found: Vec<Arena> = Vec::new();
    scope.walk(&mut |op| {
        let Some(arena) = ArenaOp::of(op) else { return };
        let level = arena.level();
        if found.iter().any(|known| known.level == level) {
            return;
        }
        found.push(Arena {
            level,
            strategy: arena.strategy().unwrap_or_else(|| "as placed".to_owned()),
            proven: arena.proven_bound().map(Bytes::new),
        });
    });
    found
}

/// The properties of the arena that a function expects from callers outside of the module.
fn expected_arena(function: Op) -> Option<Arena> {
    let attributes = function.attribute("arg_attrs")?.elements()?;
    let last = attributes.last()?.entry("mem.arena")?;
    let string = |name| last.entry(name)?.string().map(str::to_owned);
    let proven = last.entry("proven_bound").and_then(|a| a.integer());
    let proven = proven.and_then(|bytes| u64::try_from(bytes).ok());
    Some(Arena {
        level: string("level")?,
        strategy: string("strategy")?,
        proven: proven.map(Bytes::new),
    })
}

/// The placements stated by the function's views of an arena; `None` if there are none. `level`:
/// restricts them to that level.
fn plan_of(
    extraction: &Extraction,
    lifetimes: &Lifetimes,
    arena: &Arena,
    level: Option<&str>,
) -> Option<Plan> {
    let (mut placements, mut items) = (Vec::new(), Vec::new());
    for (index, model) in extraction.program.buffers.iter().enumerate() {
        let Storage::Placed { offset, level: own } = &model.storage else {
            continue;
        };
        if level.is_some_and(|level| level != own) {
            continue;
        }
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
        strategy: arena.strategy.clone(),
        placements,
        peak,
        lower_bound,
        // The module's claim, clamped to the range that is possible.
        proven_bound: arena.proven.unwrap_or_default().min(peak).max(lower_bound),
    })
}

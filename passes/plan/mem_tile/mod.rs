//! `mem-tile`: executes groups of operations tile by tile, so that the tensors between them never
//! exist as a whole.
//!
//! Extract, plan, materialize, check: the operations of each block are extracted with their iteration
//! spaces, `plan_tiles` chooses groups and tiles, and loops over tiles are written before the original
//! operations. What was written is read back and executed by `check_tiles`, which knows the original
//! operations but not the plan. Only then are the original operations erased.
//!
//! Before that, loads in the bodies of operations become operands where their indices are linear, and what reads
//! a copy in another order reads its source. After it, tiles that do not save time are given up, and smaller ones are
//! tried where nothing fits (`worth.rs`).

mod emit;
mod fold;
mod limits;
mod place;
mod raise;
mod read;
mod sabotage;
mod takeovers;
mod worth;

use mem_check::{TileError, check_tiles};
use mem_model::{BufferId, Bytes, Hierarchy, LevelId, StepId, Takeover, TileGroup, TiledOperation};
use mem_planner::{Overlap, TileOptions, TilePlan, TileTarget, plan_tiles};

use crate::extract::tiles::{TileBlock, extract_tiles};
use crate::framework::options::MemTileOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, remark_nothing_to_break};
use crate::ir::dialect::is_transfer;
use crate::ir::hierarchies::chosen_hierarchy;
use crate::ir::rewrite::erase_unused;
use crate::ir::tensors::{GROUP, UNTILED};
use crate::ir::{Attribute, Block, Builder, Diagnostic, Op, Value, hierarchy};
use crate::plan::objective::{Comparison, Measure, Objective};
use crate::plan::tiled::{extra_work, functions_of};

use emit::{Emitted, emit, first_of};
use fold::fold_copies;
use limits::{Limit, limits_of};
use raise::raise_loads;
use read::read;
use sabotage::Sabotage;
use takeovers::take_over;
use worth::Judge;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut levels = match options.hierarchy.as_str() {
        "" => None,
        name => Some(hierarchy(chosen_hierarchy(module, name)?)),
    };
    let capacity = u64::try_from(options.capacity).ok().map(Bytes::new);
    if let Some(fastest) = levels.as_mut().and_then(|own| own.levels.first_mut()) {
        fastest.capacity = capacity.or(fastest.capacity);
    }
    let planning = TileOptions {
        target: target(module, options, levels.as_ref())?,
        overlap: overlap(module, options)?,
        extra_work: extra_work(module, "mem-tile", options.extra_work)?,
    };
    let sabotage = Sabotage::named(module, &options.break_tiles)?;
    let tiler = Tiler {
        run,
        planning,
        noalias: options.noalias_arguments,
        sabotage,
        narrows: options.narrow,
    };
    let tiled = match objective(module, options)? {
        None => tiler.tile(module, planning.target)?,
        Some(objective) => {
            let judge = Judge {
                tiler: &tiler,
                objective: &objective,
                capacity,
                passes: &options.compare_after,
                may_stream: levels.as_ref().is_some_and(has_copies),
            };
            judge.tile()?
        }
    };
    if sabotage.is_some() {
        remark_nothing_to_break(module, "mem-tile", &options.break_tiles);
    }
    // What rewrites programs before the tiles does not say whether it has.
    if tiled.n_groups() + tiled.restored + tiled.rewritten == 0 && !options.narrow {
        run.changed_nothing();
    }
    let mut statistics = Statistics::default();
    tiled.functions.iter().for_each(|own| statistics.add(own));
    let limits = tiled.functions.iter().flat_map(|own| &own.limits);
    limits.for_each(Limit::remark);
    run.set_statistic(Options::NUM_GROUPS, statistics.groups);
    run.set_statistic(Options::NUM_TILES, statistics.tiles);
    let extra = 100.0 * statistics.repeated / statistics.iterations.max(1.0);
    run.set_statistic(Options::EXTRA, extra.ceil() as u64);
    run.set_statistic(Options::BEFORE, statistics.before);
    run.set_statistic(Options::AFTER, statistics.after);
    run.set_statistic(Options::NUM_RESTORED, tiled.restored);
    Ok(())
}

/// Whether engines copy from the fastest level of a hierarchy to the next one, and back.
fn has_copies(hierarchy: &Hierarchy) -> bool {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    !hierarchy.engines.is_empty()
        && hierarchy.connects(device, host)
        && hierarchy.connects(host, device)
}

/// What tiles functions.
struct Tiler<'a> {
    run: &'a PassRun,
    planning: TileOptions<'a>,
    noalias: bool,
    sabotage: Option<Sabotage>,
    /// Whether programs that exceed a budget even in tiles are rewritten before.
    narrows: bool,
}

/// What tiling the functions of a module has changed.
struct Tiled {
    /// Loads that have become operands, and copies whose sources are read instead.
    rewritten: u64,
    /// Functions that have lost their tiles.
    restored: u64,
    functions: Vec<Statistics>,
}

impl Tiled {
    fn n_groups(&self) -> u64 {
        self.functions.iter().map(|own| own.groups).sum()
    }

    /// Takes over some functions of another variant.
    fn take(&mut self, other: Self, which: &[bool]) {
        let functions = self.functions.iter_mut().zip(other.functions);
        for ((own, other), _) in functions.zip(which).filter(|(_, is_taken)| **is_taken) {
            *own = other;
        }
    }

    /// Forgets the tiles of some functions.
    fn restore(&mut self, which: &[bool]) {
        let functions = self.functions.iter_mut().zip(which);
        for (own, _) in functions.filter(|(_, is_restored)| **is_restored) {
            *own = own.untiled();
        }
    }
}

impl Tiler<'_> {
    /// Tiles all functions of a module, which is that of the pass or inside of it.
    fn tile(&self, module: Op, target: TileTarget<'_>) -> Result<Tiled, Failed> {
        let (noalias, extra_work) = (self.noalias, self.planning.extra_work);
        if let (true, TileTarget::Budget { budget, streams }) = (self.narrows, target) {
            let narrow = format!(
                "mem-snapshot,mem-narrow{{budget={} stream={streams} extra-work={extra_work} \
                 noalias-arguments={noalias}}},mem-validate{{noalias-arguments={noalias}}}",
                budget.get()
            );
            self.run.run_passes(module, &narrow)?;
        }
        let planning = TileOptions {
            target,
            ..self.planning
        };
        let mut tiled = Tiled {
            rewritten: 0,
            restored: 0,
            functions: Vec::new(),
        };
        for function in functions_of(module) {
            let mut statistics = Statistics::default();
            tiled.rewritten += raise_loads(function) as u64;
            let blocks = function.regions().flat_map(|region| region.blocks());
            for block in blocks.collect::<Vec<Block>>() {
                let mut extracted = extract_tiles(block, noalias);
                // Reading in another order may take longer.
                if matches!(target, TileTarget::Peak | TileTarget::Capacity(_)) {
                    let n_folded = fold_copies(&extracted, noalias, self.sabotage)?;
                    if n_folded > 0 {
                        tiled.rewritten += n_folded as u64;
                        extracted = extract_tiles(block, noalias);
                    }
                }
                let plan = plan_tiles(&extracted.program, &planning);
                statistics
                    .limits
                    .extend(limits_of(function, &extracted, &plan));
                tile_block(&mut extracted, &plan, self.sabotage, &mut statistics)?;
            }
            erase_unused(function);
            tiled.functions.push(statistics);
        }
        Ok(tiled)
    }
}

/// What functions with and without tiles are compared by; `None` if tiles stay in any case.
fn objective(module: Op, options: &Options) -> Result<Option<Objective>, Failed> {
    if !options.compare {
        return Ok(None);
    }
    let comparison = Comparison {
        pass: "mem-tile",
        strategy: &options.strategy,
        alignment: options.alignment,
        hierarchy: &options.hierarchy,
        capacity: match options.budget {
            -1 => options.capacity,
            _ => -1,
        },
        budget: options.budget,
        spaces: &options.spaces,
        noalias_arguments: options.noalias_arguments,
        // As reports state it.
        measure: Measure::Makespan,
    };
    Objective::new(module, &comparison).map(Some)
}

/// Statistics of a function.
#[derive(Clone, Default)]
struct Statistics {
    groups: u64,
    tiles: u64,
    /// Iterations of all operations, and those that are executed in addition.
    iterations: f64,
    repeated: f64,
    /// Largest estimates of the peak of a block, in bytes.
    before: u64,
    after: u64,
    /// What keeps the groups with the largest peaks from being larger.
    limits: Vec<Limit>,
}

impl Statistics {
    fn add(&mut self, other: &Self) {
        self.groups += other.groups;
        self.tiles += other.tiles;
        self.iterations += other.iterations;
        self.repeated += other.repeated;
        self.before = self.before.max(other.before);
        self.after = self.after.max(other.after);
    }

    /// Those of the same function without tiles.
    const fn untiled(&self) -> Self {
        Self {
            groups: 0,
            tiles: 0,
            iterations: self.iterations,
            repeated: 0.0,
            before: self.before,
            after: self.before,
            limits: Vec::new(),
        }
    }
}

/// The validated options.
fn target<'a>(
    module: Op,
    options: &Options,
    hierarchy: Option<&'a Hierarchy>,
) -> Result<TileTarget<'a>, Failed> {
    let error =
        |text: &str| Diagnostic::option_error(module, "target", Some(&options.target), text).fail();
    let capacity = u64::try_from(options.capacity).ok().map(Bytes::new);
    let fastest = || hierarchy.and_then(|own| own.levels.first()?.capacity);
    match options.target.as_str() {
        "peak" => Ok(TileTarget::Peak),
        "capacity" => match capacity.or_else(fastest) {
            Some(capacity) => Ok(TileTarget::Capacity(capacity)),
            None => error(
                "mem-tile: target=capacity requires option 'capacity', or a hierarchy whose \
                 fastest level has a capacity",
            ),
        },
        "budget" => match u64::try_from(options.budget) {
            Ok(budget) => Ok(TileTarget::Budget {
                budget: Bytes::new(budget),
                streams: options.stream,
            }),
            Err(_) => error("mem-tile: target=budget requires option 'budget'"),
        },
        "time" => match hierarchy {
            Some(hierarchy) => Ok(TileTarget::Time {
                hierarchy,
                margin: 0,
                streams: options.stream,
            }),
            None => error("mem-tile: target=time requires option 'hierarchy'"),
        },
        other => error(&format!(
            "mem-tile: unknown value '{other}' for option 'target': expected peak, capacity, budget or time"
        )),
    }
}

fn overlap(module: Op, options: &Options) -> Result<Overlap, Failed> {
    match options.overlap.as_str() {
        "keep" => Ok(Overlap::Keep),
        "recompute" => Ok(Overlap::Recompute),
        "auto" => Ok(Overlap::Auto),
        other => {
            let text = format!(
                "mem-tile: unknown value '{other}' for option 'overlap': expected keep, recompute \
                 or auto"
            );
            Diagnostic::error(module.location(), &text).fail()
        }
    }
}

fn tile_block(
    extracted: &mut TileBlock,
    plan: &TilePlan,
    sabotage: Option<Sabotage>,
    statistics: &mut Statistics,
) -> PassResult {
    statistics.before = statistics.before.max(plan.untiled_peak.get());
    statistics.after = statistics.after.max(plan.peak.get());
    let operations = extracted.program.operations.iter();
    statistics.iterations += operations.map(|own| own.iterations() as f64).sum::<f64>();
    for group in &plan.groups {
        let broken = sabotage.and_then(|own| own.of_plan(extracted, group));
        let wanted = broken.as_ref().unwrap_or(group);
        let taken = take_over(extracted, wanted);
        // A view may show rows of a whole buffer, but not of a stage.
        let emitted = emit(extracted, wanted).or_else(|| {
            let has_streams = !wanted.streams.is_empty();
            emit(extracted, &wanted.without_streams()).filter(|_| has_streams)
        });
        let Some(emitted) = emitted else {
            taken.undo(extracted);
            let anchor = extracted.ops[group.operations.1.index() - 1];
            let text =
                "mem-tile: the operations before this one are not tiled: a view cannot be divided";
            Diagnostic::remark(anchor.location(), text).emit();
            continue;
        };
        let is_broken = sabotage.is_some_and(|own| own.of_tiles(extracted, group, &emitted));
        check(extracted, group, &emitted, &taken.takeovers())?;
        if is_broken || broken.is_some() {
            return refuse(extracted, group, "the check accepts broken tiles", None);
        }
        mark(extracted, group, &emitted, statistics.groups);
        note_untiled(extracted, &plan.untiled_live, &emitted, group);
        taken.finish();
        replace(extracted, group, &emitted);
        statistics.groups += 1;
        statistics.repeated += repeated(extracted, group);
        statistics.tiles += group.n_tiles().unsigned_abs();
    }
    Ok(())
}

/// Iterations that the tiles of a group execute in addition to those of the original operations.
fn repeated(block: &TileBlock, group: &TileGroup) -> f64 {
    let of_operation = |(at, tiled): (usize, &TiledOperation)| {
        let operation = &block.program.operations[tiled.operation.index()];
        let extent = operation.dimensions[tiled.dimension].extent;
        let executed = group.runs.iter().map(|run| {
            let tiles = run.tiles.iter().map(|tile| tile.steps[at].size);
            run.repetitions * tiles.sum::<i64>()
        });
        let executed: i64 = executed.sum();
        (executed - extent).max(0) as f64 * (operation.iterations() / extent) as f64
    };
    group.tiled.iter().enumerate().map(of_operation).sum()
}

/// An internal error at an operation.
fn internal_error(op: Op, why: &str) -> Diagnostic {
    Diagnostic::internal_error("mem-tile", op, why)
}

/// An internal error: what was planned cannot be written, or does not compute the same. `culprit`: the
/// operation that `why` refers to by its number.
fn refuse(block: &TileBlock, group: &TileGroup, why: &str, culprit: Option<StepId>) -> PassResult {
    let first = block.ops[group.operations.0.index()];
    let mut error = internal_error(first, why);
    if let Some(step) = culprit {
        let op = block.ops[step.index()];
        let text = format!("operation {step} is this '{}'", op.name());
        error = error.note(op.location(), text);
    }
    error.fail()
}

/// The operation that an error refers to by its number.
const fn culprit(error: &TileError) -> Option<StepId> {
    match error {
        TileError::NotTileable { operation }
        | TileError::WrongRows { operation, .. }
        | TileError::WrongValue { operation, .. } => Some(*operation),
        _ => None,
    }
}

/// Checks the written tiles against the original operations.
fn check(
    block: &TileBlock,
    group: &TileGroup,
    emitted: &Emitted,
    takeovers: &[Takeover],
) -> PassResult {
    let (windows, steps) = match read(block, group, emitted, takeovers) {
        Ok(read) => read,
        Err(error) => return refuse(block, group, &error.to_string(), None),
    };
    // A buffer that has become a window must not be used elsewhere.
    let is_window = |buffer: &BufferId| group.windows.iter().any(|window| window.buffer == *buffer);
    let buffers = (0..block.program.buffers.len()).map(BufferId::new);
    let results: Vec<BufferId> = buffers
        .filter(|buffer| !is_used_only_in(block, group, *buffer))
        .collect();
    if let Some(buffer) = results.iter().find(|buffer| is_window(buffer)) {
        let name = &block.program.buffers[buffer.index()].name;
        let why = format!("'{name}' is used outside its group");
        return refuse(block, group, &why, None);
    }
    let checked = check_tiles(
        &block.program,
        group.operations,
        &windows,
        &steps,
        &results,
        takeovers,
    );
    checked.or_else(|error| refuse(block, group, &error.to_string(), culprit(&error)))
}

/// Whether a buffer is only accessed by tiled operations of a group.
fn is_used_only_in(block: &TileBlock, group: &TileGroup, buffer: BufferId) -> bool {
    let accesses = |step: usize| {
        let operands = &block.program.operations[step].operands;
        operands.iter().any(|operand| operand.buffer == buffer)
    };
    let is_tiled = |step: usize| {
        group
            .tiled
            .iter()
            .any(|tiled| tiled.operation.index() == step)
    };
    let is_private = block.program.buffers[buffer.index()].is_private;
    is_private && (0..block.ops.len()).all(|step| is_tiled(step) || !accesses(step))
}

/// Marks what runs tile by tile with the number of the group.
fn mark(block: &TileBlock, group: &TileGroup, emitted: &Emitted, number: u64) {
    let anchor = block.ops[group.operations.1.index() - 1];
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let number = Attribute::integer_attribute(anchor.context(), number);
    let written = std::iter::successors(Some(emitted.start), |op| op.next());
    for op in written.take_while(|op| *op != anchor) {
        let is_tile =
            matches!(op.name(), "memref.copy" | "scf.for" | "mem.wait") || is_transfer(op);
        if is_tile || emitted.clones.contains_key(&op) {
            op.set_attribute(GROUP, number);
        }
    }
}

/// Notes at each operation that runs tile by tile what the original one accessed, for reports.
fn note_untiled(block: &TileBlock, live: &[Bytes], emitted: &Emitted, group: &TileGroup) {
    let program = &block.program;
    let note = |op: Op| {
        let Some(clone) = emitted.clones.get(&op) else {
            return;
        };
        let step = clone.step.index();
        let operands = program.operations[step].operands.iter();
        let mut buffers: Vec<BufferId> = operands.map(|own| own.buffer).collect();
        buffers.sort_unstable();
        buffers.dedup();
        let own = buffers.iter().map(|own| &program.buffers[own.index()]);
        let own = own.filter(|own| own.is_private).map(|own| own.bytes());
        let accessed = own.map(Bytes::get).fold(0, u64::saturating_add);
        let numbers = [step as u64, accessed, live[step].get()];
        let numbers = numbers.map(|own| i64::try_from(own).unwrap_or(i64::MAX));
        let numbers = Attribute::integers_attribute(op.context(), &numbers);
        op.set_attribute(UNTILED, numbers);
    };
    let anchor = block.ops[group.operations.1.index() - 1];
    let written = std::iter::successors(Some(emitted.start), |op| op.next());
    for op in written.take_while(|op| *op != anchor) {
        note(op);
        op.walk(&mut |inner| note(inner));
    }
}

/// Erases the original operations. Deallocations of what tiles access follow the tiles.
fn replace(block: &TileBlock, group: &TileGroup, emitted: &Emitted) {
    let after = emitted.after;
    let mut next = Some(first_of(block, group, emitted.start));
    while let Some(op) = next.filter(|op| *op != emitted.start) {
        next = op.next();
        if op.name() == "memref.dealloc" {
            op.move_before(after);
        }
    }
    let roots = group
        .windows
        .iter()
        .map(|window| block.roots[window.buffer.index()]);
    let users = roots.flat_map(|root| root.users());
    if users
        .into_iter()
        .any(|user| user.name() == "memref.dealloc")
    {
        emitted
            .storages
            .iter()
            .for_each(|storage| free(storage.value, after));
    }
    for tiled in group.tiled.iter().rev() {
        block.ops[tiled.operation.index()].erase();
    }
}

/// Frees storage at the end of the tile that allocates it, or before `after`.
fn free(value: Value, after: Op) {
    let body = value.owner().and_then(|op| op.block()?.terminator());
    let is_in_loop = |end: &Op| end.name() == "scf.yield" && end.block() != after.block();
    let before = body.filter(is_in_loop).unwrap_or(after);
    Builder::new("memref.dealloc", after.location())
        .operands([value])
        .before(before);
}

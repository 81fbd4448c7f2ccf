//! `mem-assign-levels`: assigns every tensor to memory levels, and inserts the copies that this
//! takes.
//!
//! Extract, plan, check, materialize: the IR is not modified before every plan has been accepted. A
//! function that may run while another one has tensors in the faster levels has its own tensors in
//! the slowest level.

mod device;
mod materialize;
mod position;
pub(crate) mod report;
mod steps;

pub(crate) use device::{Device, Pins, Timing};

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mem_check::check_level_plan;
use mem_flow::{LevelContext, LevelExtract, level_problem};
use mem_model::{BufferId, Bytes, Hierarchy, LevelId, LevelPlan, LevelProblem, Storage, simulate};
use mem_planner::{
    CostModel, LevelAnswer, LevelPlanError, LevelStrategy, overlap, plan_levels_with, plan_swaps,
};
use mem_view::Decision;

use crate::dialect::BufferOp;
use crate::extract::{
    Callees, Extraction, Function, Locations, Roots, extract, functions_bottom_up,
};
use crate::hierarchies::{chosen_hierarchy, hierarchy_attribute};
use crate::mem_plan::{checked_alignment, refuse_escaping, remark_unplannable};
use crate::mem_verify_plan::{Claims, compare_modules};
use crate::mlir::{
    Attribute, Diagnostic, HIERARCHY, Op, describe, is_storage, level_of, memref_layout,
    symbol_uses,
};
use crate::registry::generated::MemAssignLevelsOptions as Options;
use crate::registry::{Failed, PassResult, PassRun};

/// A function with its plan, ready to be written back.
pub(crate) struct PlannedLevels {
    pub function: Function,
    pub extraction: Extraction,
    pub lifetimes: mem_flow::Lifetimes,
    pub extract: LevelExtract,
    pub plan: LevelPlan,
    pub strategy: &'static str,
    pub lower_bound: u64,
    /// Decisions about tensors that a device has no room for.
    pub decisions: Vec<Decision>,
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let settings = Settings::new(module, options)?;
    let functions = plan_module(module, &settings)?;
    set_statistics(run, &functions);
    report::write(module, &functions, &options.report)?;
    report::explain_plans(&functions, options.explain);
    let original = module.copied();
    write_back(module, &functions, &settings);
    let claims = Claims::new(settings.noalias_arguments);
    let compared = compare_modules(original, module, claims);
    original.erase_all();
    compared
}

/// Writes plans into the module that they were made for.
pub(crate) fn write_back(module: Op, functions: &[PlannedLevels], settings: &Settings) {
    module.set_attribute(HIERARCHY, settings.attribute);
    for planned in functions {
        materialize::materialize(planned, settings.noalias_arguments);
    }
}

/// The validated settings of a planning run.
pub(crate) struct Settings {
    pub attribute: Attribute,
    pub hierarchy: Hierarchy,
    pub strategy: LevelStrategy,
    pub model: CostModel,
    pub alignment: u64,
    pub noalias_arguments: bool,
    /// Whether to extract the source locations of tensors, which only a report shows.
    pub locations: Locations,
    /// If set, operations find all operands in level 0.
    pub device: Option<Device>,
}

impl Settings {
    fn new(module: Op, options: &Options) -> Result<Self, Failed> {
        let error = |text: String| Failed::at(module, &format!("mem-assign-levels: {text}"));
        let mut attribute = chosen_hierarchy(module, &options.hierarchy)?;
        let mut hierarchy = crate::mlir::hierarchy(attribute);
        if options.capacity == 0 || options.capacity < -1 {
            let text = format!("a capacity of {} bytes is not positive", options.capacity);
            return Err(error(text));
        }
        if let (Ok(wanted), Some(fastest)) = (
            u64::try_from(options.capacity),
            hierarchy.levels.first_mut(),
        ) {
            // An option can lower the capacity of a level, but not raise it.
            let wanted = Bytes::new(wanted);
            fastest.capacity = Some(fastest.capacity.map_or(wanted, |known| known.min(wanted)));
            attribute = hierarchy_attribute(module.context(), &hierarchy);
        }
        let strategy: Result<LevelStrategy, String> = options.strategy.parse();
        let mut strategy = strategy.map_err(error)?;
        if let LevelStrategy::LocalSearch { segment } = &mut strategy {
            let wanted = usize::try_from(options.segment).ok().filter(|n| *n > 0);
            let Some(wanted) = wanted else {
                let text = format!("a segment of {} steps is not positive", options.segment);
                return Err(error(text));
            };
            *segment = wanted;
        }
        let model: Result<CostModel, String> = options.model.parse();
        let model = model.map_err(error)?;
        Ok(Self {
            attribute,
            hierarchy,
            strategy,
            model,
            alignment: checked_alignment(module, options.alignment)?,
            noalias_arguments: options.noalias_arguments,
            locations: Locations::for_report(&options.report),
            device: None,
        })
    }

    /// The settings for a device, which the caller has to fill in.
    pub fn of_device(attribute: Attribute, hierarchy: Hierarchy, noalias_arguments: bool) -> Self {
        Self {
            attribute,
            hierarchy,
            strategy: LevelStrategy::Auto,
            model: CostModel::Overlapped,
            alignment: 0,
            noalias_arguments,
            locations: Locations::Skip,
            device: None,
        }
    }

    /// A plan whose transfers overlap with computation, and its cost in cycles.
    fn plan(
        &self,
        extraction: &Extraction,
        problem: &LevelProblem,
    ) -> Result<(LevelAnswer, u64), LevelPlanError> {
        if let Some(device) = &self.device {
            let advice = device.advice(extraction, problem);
            let answer = plan_swaps(problem, device.policy, &advice)?;
            let cycles = simulate(problem, &answer.plan).makespan;
            return Ok((answer, cycles));
        }
        let mut answer = plan_levels_with(problem, self.strategy, self.model)?;
        let cycles = self.model.cycles(problem, &answer.plan);
        answer.plan = overlap(problem, &answer.plan);
        Ok((answer, cycles))
    }

    /// The hierarchy available to a function. A nested function, which may run while another one
    /// has tensors in the faster levels, has only the slowest level, even if code outside of the
    /// module may call it as well.
    fn hierarchy_of(&self, is_nested: bool) -> Hierarchy {
        let mut hierarchy = self.hierarchy.clone();
        if is_nested && let Some(slowest) = hierarchy.levels.len().checked_sub(1) {
            for level in &mut hierarchy.levels[..slowest] {
                level.capacity = Some(Bytes::ZERO);
            }
        }
        hierarchy
    }

    /// Whether a function has tensors in the faster levels: its own or, without a budget, its
    /// arguments.
    fn is_busy(&self, function: Op) -> bool {
        let mut is_busy = false;
        function.walk(&mut |op| {
            is_busy |= match self.device.is_some() {
                true => matches!(op.name(), "mem.buffer" | "mem.view" | "mem.arena"),
                false => op.name() != "func.call" && op.operands().any(|own| is_storage(own.ty())),
            };
        });
        is_busy
    }

    /// The functions that may run while another function, or another activation of the same one,
    /// has tensors in the faster levels. O(operations).
    fn nested(&self, module: Op) -> HashSet<String> {
        let mut callees: HashMap<String, Vec<String>> = HashMap::new();
        let mut work: Vec<String> = Vec::new();
        for op in module.direct_ops() {
            let mentioned = symbol_uses(op).into_iter().map(|(_, name)| name);
            // A busy function, or anything that is not a function, may call what it refers to at
            // any time.
            match op
                .symbol()
                .filter(|_| op.name() == "func.func" && !self.is_busy(op))
            {
                Some(name) => callees.entry(name).or_default().extend(mentioned),
                None => {
                    let mentioned: Vec<String> = mentioned.collect();
                    work.extend(mentioned.iter().cloned());
                    callees
                        .entry(op.symbol().unwrap_or_default())
                        .or_default()
                        .extend(mentioned);
                }
            }
        }
        let mut nested = HashSet::new();
        while let Some(name) = work.pop() {
            if nested.insert(name.clone()) {
                work.extend(callees.get(&name).into_iter().flatten().cloned());
            }
        }
        nested
    }
}

/// Plans every function, callees first.
pub(crate) fn plan_module(module: Op, settings: &Settings) -> Result<Vec<PlannedLevels>, Failed> {
    of_functions(module, settings, |extracted| {
        plan_function(extracted, settings)
    })
}

/// The planning problem of each function, with its extraction.
pub(crate) fn problems(
    module: Op,
    settings: &Settings,
) -> Result<Vec<(Extraction, LevelExtract)>, Failed> {
    of_functions(module, settings, |extracted| {
        let program = &extracted.extraction.program;
        let mut extract = level_problem(program, &extracted.lifetimes, &extracted.context);
        if let Some(device) = &settings.device {
            device.measure(&extracted.extraction, &mut extract);
        }
        Ok((extracted.extraction, extract))
    })
}

/// As [`problems`], for a device with room for everything.
pub(crate) fn device_problems(
    module: Op,
    attribute: Attribute,
    noalias_arguments: bool,
) -> Result<Vec<(Extraction, LevelExtract)>, Failed> {
    let hierarchy = crate::mlir::hierarchy(attribute);
    let mut settings = Settings::of_device(attribute, hierarchy, noalias_arguments);
    settings.device = Some(Device {
        budget: Bytes::new(i64::MAX as u64),
        ..Device::default()
    });
    problems(module, &settings)
}

/// An extracted function, ready to be planned.
struct Extracted {
    function: Function,
    extraction: Extraction,
    lifetimes: mem_flow::Lifetimes,
    context: LevelContext,
}

/// Extracts every function, callees first, and passes it to `use_it`. Refuses functions that cannot
/// be planned.
fn of_functions<T>(
    module: Op,
    settings: &Settings,
    mut use_it: impl FnMut(Extracted) -> Result<T, Failed>,
) -> Result<Vec<T>, Failed> {
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(&functions);
    let mut results = Vec::new();
    let nested = settings.nested(module);
    for function in functions {
        let roots = Roots::Tensors {
            noalias_arguments: settings.noalias_arguments,
        };
        let mut extraction = extract(function.op, roots, settings.locations, &callees);
        callees.learn(&function, &extraction, true);
        refuse_escaping(&extraction)?;
        report::refuse_placed(&extraction)?;
        report::refuse_cores(&extraction)?;
        set_alignments(&mut extraction, settings.alignment);
        let lifetimes = mem_flow::analyze_lifetimes(&extraction.program).or_else(|error| {
            Diagnostic::error(function.op.location(), format!("internal error: {error}")).fail()
        })?;
        let is_nested = function.used && nested.contains(&function.name);
        let context = context(&function, is_nested, &extraction, settings)?;
        results.push(use_it(Extracted {
            function,
            extraction,
            lifetimes,
            context,
        })?);
    }
    Ok(results)
}

fn plan_function(extracted: Extracted, settings: &Settings) -> Result<PlannedLevels, Failed> {
    let Extracted {
        function,
        extraction,
        lifetimes,
        mut context,
    } = extracted;
    let op = function.op;
    remark_unplannable(&extraction, &lifetimes);
    // Data that loops only read can be loaded in each iteration, or once before the loop. Both
    // variants are planned, and the cheaper one is kept.
    let mut best: Option<(LevelExtract, LevelAnswer, u64)> = None;
    let mut failure = None;
    for streams in [true, false] {
        context.streams = streams;
        let mut extract = level_problem(&extraction.program, &lifetimes, &context);
        if let Some(device) = &settings.device {
            device.measure(&extraction, &mut extract);
        }
        let is_same = best
            .as_ref()
            .is_some_and(|(known, ..)| known.problem == extract.problem);
        // The variants do not differ for this function.
        if is_same {
            break;
        }
        report::refuse_full(op, &extract.problem)?;
        match settings.plan(&extraction, &extract.problem) {
            Ok((answer, cycles)) => {
                if best.as_ref().is_none_or(|(.., known)| cycles < *known) {
                    best = Some((extract, answer, cycles));
                }
            }
            Err(error) => failure = Some((extract, error)),
        }
    }
    let Some((extract, answer, _)) = best else {
        return match failure {
            Some((extract, error)) => {
                let budget = settings.device.as_ref().map(|device| device.budget);
                report::no_fit(op, &extraction, &extract.problem, &error, budget).fail()
            }
            None => Diagnostic::error(op.location(), "internal error: no plan").fail(),
        };
    };
    let plan = answer.plan;
    check_level_plan(&extract.problem, &plan).or_else(|error| {
        let text = format!(
            "internal error: the plan of @{} is wrong: {error}",
            function.name
        );
        Diagnostic::error(op.location(), text).fail()
    })?;
    Ok(PlannedLevels {
        function,
        extraction,
        lifetimes,
        extract,
        plan,
        strategy: answer.strategy,
        lower_bound: answer.lower_bound,
        decisions: Vec::new(),
    })
}

/// Facts about a function that the extracted program does not contain.
fn context(
    function: &Function,
    is_nested: bool,
    extraction: &Extraction,
    settings: &Settings,
) -> Result<LevelContext, Failed> {
    let op = function.op;
    let mut hierarchy = settings.hierarchy_of(is_nested);
    let mut costs = steps::Costs::new(op, extraction, &hierarchy);
    let mut homes = homes(extraction, &hierarchy)?;
    if let Some(Device { budget, .. }) = settings.device {
        let device = LevelId::new(0);
        // A nested function has no budget of its own: the budget is its callers'.
        let mut taken = if is_nested { Bytes::ZERO } else { budget };
        for (index, buffer) in extraction.program.buffers.iter().enumerate() {
            if buffer.storage != Storage::Planned {
                homes.insert(BufferId::new(index), device);
                taken = taken.checked_add(buffer.size).unwrap_or(taken);
            }
        }
        // An option can lower the capacity of a level, but not raise it.
        let all = settings.hierarchy.levels[0].capacity;
        hierarchy.levels[0].capacity = Some(all.map_or(taken, |all| all.min(taken)));
        costs.accept_only(device, extraction);
    }
    Ok(LevelContext {
        homes,
        immovable: immovable(extraction),
        fixed: fixed(op, extraction),
        repeats: costs.repeats,
        cycles: costs.cycles,
        accepted: costs.accepted,
        blocks: position::Positions::new(op, &extraction.step_ops).blocks(),
        hierarchy,
        streams: true,
    })
}

/// Raises alignments to what the option asks for, and to what the elements of arguments and globals
/// need.
fn set_alignments(extraction: &mut Extraction, alignment: u64) {
    let mut elements: BTreeMap<BufferId, u64> = BTreeMap::new();
    for (value, place) in &extraction.places {
        let pointer = extraction.program.pointers[place.pointer.index()].kind;
        let element =
            memref_layout(value.ty()).and_then(|layout| u64::try_from(layout.element).ok());
        if let (mem_model::PointerKind::Buffer(buffer), Some(element)) = (pointer, element) {
            let known = elements.entry(buffer).or_insert(1);
            *known = element.next_power_of_two().max(*known);
        }
    }
    for (index, buffer) in extraction.program.buffers.iter_mut().enumerate() {
        let element = elements.get(&BufferId::new(index)).copied().unwrap_or(1);
        let wanted = alignment.max(element).min(crate::extract::MAX_ALIGNMENT);
        buffer.alignment = buffer.alignment.max(Bytes::new(wanted));
    }
}

/// The levels of storage that has a memory space.
fn homes(
    extraction: &Extraction,
    hierarchy: &Hierarchy,
) -> Result<HashMap<BufferId, LevelId>, Failed> {
    let mut homes = HashMap::new();
    for (value, place) in &extraction.places {
        let kind = extraction.program.pointers[place.pointer.index()].kind;
        let (mem_model::PointerKind::Buffer(buffer), Some(name)) = (kind, level_of(value.ty()))
        else {
            continue;
        };
        let Some(level) = hierarchy.find(&name) else {
            let text = format!("the hierarchy has no level '{name}'");
            return Diagnostic::error(value.location(), text).fail();
        };
        homes.insert(buffer, level);
    }
    Ok(homes)
}

/// Buffers that have to be used where they are: storage that was not made a buffer, storage of
/// unknown size, and layouts that a copy would not preserve.
fn immovable(extraction: &Extraction) -> BTreeSet<BufferId> {
    let mut immovable: BTreeSet<BufferId> = extraction.refusals.keys().copied().collect();
    immovable.extend(extraction.sizes.keys().copied());
    let roots = materialize::roots(extraction);
    let mut names = HashSet::new();
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        let id = BufferId::new(index);
        let op = extraction.buffer_ops[index];
        let is_movable = match buffer.storage {
            Storage::Planned => op.and_then(BufferOp::of).is_some(),
            _ => roots.get(&id).is_some_and(|root| {
                let layout = memref_layout(root.ty());
                // The name of a tensor identifies its places.
                let is_named =
                    materialize::root_name(extraction, *root).as_ref() == Some(&buffer.name);
                is_named
                    && layout.is_some_and(|layout| {
                        layout.identity && layout.default_space && layout.known_bytes().is_some()
                    })
            }),
        };
        if !is_movable || !names.insert(buffer.name.clone()) {
            immovable.insert(id);
        }
    }
    immovable
}

/// Buffers that asynchronous operations access have to stay where they are.
fn fixed(function: Op, extraction: &Extraction) -> BTreeSet<BufferId> {
    let mut fixed = BTreeSet::new();
    for (op, step) in extraction.step_ops.iter().zip(&extraction.program.steps) {
        let mut around = std::iter::successors(Some(*op), |op| op.parent());
        let mut around = around.by_ref().take_while(|op| *op != function);
        if !around.any(|op| describe(op).has_opaque_result()) {
            continue;
        }
        for access in &step.accesses {
            let pointer = &extraction.program.pointers[access.pointer.index()];
            if let mem_model::PointerKind::Buffer(buffer) = pointer.kind {
                fixed.insert(buffer);
            }
        }
    }
    fixed
}

fn set_statistics(run: &PassRun, functions: &[PlannedLevels]) {
    let add = |count: &dyn Fn(&PlannedLevels) -> u64| {
        let counts = functions.iter().map(count);
        counts.fold(0_u64, u64::saturating_add)
    };
    run.set_statistic(
        Options::NUM_PLACEMENTS,
        add(&|f| f.plan.placements.len() as u64),
    );
    run.set_statistic(
        Options::NUM_TRANSFERS,
        add(&|f| f.plan.transfers.len() as u64),
    );
    run.set_statistic(
        Options::NUM_BYTES,
        add(&|f| f.plan.moved(&f.extract.problem).get()),
    );
    run.set_statistic(Options::COST, add(&|f| f.plan.cost));
    run.set_statistic(
        Options::MAKESPAN,
        add(&|f| simulate(&f.extract.problem, &f.plan).makespan),
    );
    run.set_statistic(Options::LOWER_BOUND, add(&|f| f.lower_bound));
}

//! Planning problems over several memory levels, with everything that the IR states about them.
//!
//! A function that may run while another one has tensors in the faster levels has its own tensors
//! in the slowest level.

mod costs;
mod device;
mod messages;
mod per_rank;
mod position;
mod refusals;
mod repeatable;
mod roots;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mem_flow::{Denoted, LevelContext, LevelExtract, Lifetimes, level_problem};
use mem_model::{BufferId, Bytes, Hierarchy, LevelId, PointerId, PointerKind, StepId, Storage};

pub(crate) use costs::restrict;
pub use device::device_budget;
pub(crate) use device::{Device, Pins, Timing};
pub(crate) use position::Positions;
pub(crate) use repeatable::repeatable;
pub(crate) use roots::{root_name, roots};

use super::{
    Callees, Extraction, Function, Locations, Roots, callee_of, extract, functions_bottom_up,
    refuse_escaping,
};
use crate::ir::dialect::BufferOp;
use crate::ir::hierarchies::chosen_hierarchy;
use crate::ir::kernels::LAUNCH;
use crate::ir::spaces::{LevelSpaces, Space, SpaceForm, named_level, space_of};
use crate::ir::{
    Attribute, Diagnostic, Failed, Op, PassResult, describe, is_private_symbol, is_storage,
    memref_layout, symbol_uses,
};

/// What problems are extracted for.
#[derive(Clone)]
pub(crate) struct LevelSettings {
    pub hierarchy: Hierarchy,
    pub spaces: LevelSpaces,
    /// Indexed by level: the memory space that types will state.
    pub in_form: Vec<Space>,
    /// Minimum alignment in bytes.
    pub alignment: u64,
    pub noalias_arguments: bool,
    /// Whether to extract the source locations of tensors, which only a report shows.
    pub locations: Locations,
    /// If set, level 0 is a device in which operations find all operands. These bytes of it are
    /// available to planned tensors.
    pub budget: Option<Bytes>,
}

impl LevelSettings {
    /// The hierarchy available to a function. A nested function, which may run while another one
    /// has tensors in the faster levels, has only the slowest level, even if code outside of the
    /// module may call it as well.
    fn hierarchy_of(&self, is_nested: bool) -> Hierarchy {
        let mut hierarchy = self.hierarchy.clone();
        if is_nested && let Some(slowest) = hierarchy.levels.len().checked_sub(1) {
            for level in &mut hierarchy.levels[..slowest] {
                // The level is not removed: memory spaces name it, and the ids of levels are
                // positions.
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
            is_busy |= match self.budget.is_some() {
                true => matches!(op.name(), "mem.buffer" | "mem.view" | "mem.arena"),
                // Arguments may be moved to faster levels too, so every use counts. A call only
                // passes them on.
                false => op.name() != "func.call" && op.operands().any(|own| is_storage(own.ty())),
            };
        });
        is_busy
    }

    /// Whether all levels have the same memory space.
    fn has_one_space(&self) -> bool {
        self.in_form.iter().all(|space| *space == self.in_form[0])
    }

    /// The functions of the module whose arguments cannot have the types of one call: those that are
    /// called from several places, and those that code outside of the module may call. None if every
    /// value has a type anyway: there is one memory space, or a generic one.
    fn shared_callees(&self, module: Op) -> HashSet<String> {
        if self.has_one_space() || self.spaces.generic.is_some() {
            return HashSet::new();
        }
        let functions = module.direct_ops().filter(|op| op.name() == "func.func");
        let public = functions.filter(|op| !is_private_symbol(*op));
        let mut shared: HashSet<String> = public.filter_map(Op::symbol).collect();
        let mut once = HashSet::new();
        module.walk(&mut |op| {
            if let Some(callee) = callee_of(op)
                && !once.insert(callee.clone())
            {
                shared.insert(callee);
            }
        });
        shared
    }

    /// Makes calls of `shared` functions, and launches of kernels, whose types stay as they are, accept
    /// operands only in the level of arguments and in those with the default memory space.
    fn keep_operands_home(
        &self,
        context: &mut LevelContext,
        (function, extraction): (Op, &Extraction),
        shared: &HashSet<String>,
    ) -> PassResult {
        let home = match self.budget {
            Some(_) => LevelId::DEVICE.index(),
            None => self.in_form.len().saturating_sub(1),
        };
        let levels = (0..self.in_form.len())
            .filter(|level| *level == home || self.in_form[*level].is_none());
        let levels: Vec<LevelId> = levels.map(LevelId::new).collect();
        let program = &extraction.program;
        let denoted = |pointer: PointerId| program.pointers[pointer.index()].kind.buffer();
        let mut steps: HashMap<Op, Vec<StepId>> = HashMap::new();
        for (index, op) in extraction.step_ops.iter().enumerate() {
            steps.entry(*op).or_default().push(StepId::new(index));
        }
        let mut calls = Vec::new();
        function.walk(&mut |op| {
            let is_shared = callee_of(op).is_some_and(|callee| shared.contains(&callee));
            if is_shared || !self.has_one_space() && op.name() == LAUNCH {
                calls.push(op);
            }
        });
        if calls.is_empty() {
            return Ok(());
        }
        let may_denote = Denoted::new(program, usize::MAX);
        for call in calls {
            let places = call
                .operands()
                .filter_map(|own| extraction.places.get(&own));
            let pointers = places.map(|place| place.pointer);
            let buffers = pointers.flat_map(|pointer| {
                let buffers = may_denote.of(pointer).iter();
                buffers.map(move |buffer| (pointer, *buffer))
            });
            for (pointer, buffer) in buffers {
                let accesses = |step: &&StepId| {
                    let mut own = program.steps[step.index()].accesses.iter();
                    own.any(|access| denoted(access.pointer) == Some(buffer))
                };
                let own: Vec<StepId> = steps
                    .get(&call)
                    .into_iter()
                    .flatten()
                    .filter(accesses)
                    .copied()
                    .collect();
                // An operand that the callee does not access stays in the first place of its tensor,
                // and one that may denote several buffers does not follow any of them, so all of
                // their places have to be right.
                let all = (0..program.steps.len()).map(StepId::new);
                let is_followed = denoted(pointer).is_some() && !own.is_empty();
                let at = if is_followed { own } else { all.collect() };
                for step in at {
                    let key = (step, buffer);
                    let is_possible = restrict(&mut context.accepted, key, &levels);
                    let contradiction = Some(key).filter(|_| !is_possible);
                    refusals::refuse_contradiction(extraction, contradiction)?;
                }
            }
        }
        Ok(())
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
        // What a nested function refers to is nested as well.
        let mut nested = HashSet::new();
        while let Some(name) = work.pop() {
            if nested.insert(name.clone()) {
                work.extend(callees.get(&name).into_iter().flatten().cloned());
            }
        }
        nested
    }
}

/// An extracted function, ready to be planned.
pub(crate) struct ExtractedLevels {
    pub function: Function,
    pub extraction: Extraction,
    pub lifetimes: Lifetimes,
    pub context: LevelContext,
}

impl ExtractedLevels {
    /// The problem of placing the tensors of the function. With `streams`, data that a loop only
    /// reads is loaded in each iteration; otherwise it is loaded once, before the loop.
    pub(crate) fn problem(&mut self, streams: bool) -> LevelExtract {
        self.context.streams = streams;
        level_problem(&self.extraction.program, &self.lifetimes, &self.context)
    }
}

/// Extracts every function, callees first, and passes it to `use_it`. Refuses functions that cannot
/// be planned, and passes over those that have a plan.
pub(crate) fn of_functions<T>(
    module: Op,
    settings: &LevelSettings,
    mut use_it: impl FnMut(ExtractedLevels) -> Result<T, Failed>,
) -> Result<Vec<T>, Failed> {
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    let mut results = Vec::new();
    let nested = settings.nested(module);
    let shared = settings.shared_callees(module);
    for function in functions {
        let roots = Roots::Tensors {
            noalias_arguments: settings.noalias_arguments,
        };
        let mut extraction = extract(function.op, roots, settings.locations, &callees);
        callees.learn(&function, &extraction, true);
        if refusals::is_planned(&extraction) {
            continue;
        }
        // Before anything is derived from it: a buffer that escapes could be accessed in one level
        // while its data is in another.
        refuse_escaping(&extraction)?;
        refusals::refuse_placed(&extraction)?;
        refusals::refuse_cores(&extraction)?;
        // Arguments and globals get copies in other levels, and a copy must be aligned for the same
        // accesses.
        set_alignments(&mut extraction, settings.alignment);
        let lifetimes = extraction.lifetimes().or_else(|error| {
            Diagnostic::error(function.op.location(), format!("internal error: {error}")).fail()
        })?;
        let is_nested = function.used && nested.contains(&function.name);
        let mut context = context(&function, is_nested, &extraction, settings)?;
        if !settings.has_one_space() {
            settings.keep_operands_home(&mut context, (function.op, &extraction), &shared)?;
        }
        results.push(use_it(ExtractedLevels {
            function,
            extraction,
            lifetimes,
            context,
        })?);
    }
    Ok(results)
}

/// The planning problem of each function, with its extraction.
pub(crate) fn problems(
    module: Op,
    settings: &LevelSettings,
) -> Result<Vec<(Extraction, LevelExtract)>, Failed> {
    of_functions(module, settings, |mut extracted| {
        let extract = extracted.problem(true);
        Ok((extracted.extraction, extract))
    })
}

/// As `problems`, for a device with room for everything.
pub fn device_problems(
    module: Op,
    attribute: Attribute,
    noalias_arguments: bool,
) -> Result<Vec<(Extraction, LevelExtract)>, Failed> {
    let hierarchy = crate::ir::hierarchy(attribute);
    let spaces = LevelSpaces::new(attribute);
    let settings = LevelSettings {
        hierarchy,
        in_form: spaces.in_form(module.context(), SpaceForm::None, None),
        spaces,
        alignment: 0,
        noalias_arguments,
        locations: Locations::Skip,
        budget: Some(Bytes::new(i64::MAX as u64)),
    };
    problems(module, &settings)
}

/// A function that a module does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no function @{name}")]
pub struct UnknownFunction {
    /// The name without the `@`.
    pub name: String,
}

/// The function with the given name; without a name, the only function or `main`.
pub fn chosen<'a>(
    problems: &'a [(Extraction, LevelExtract)],
    name: &str,
) -> Result<&'a (Extraction, LevelExtract), UnknownFunction> {
    let wanted = match (name, problems) {
        ("", [only]) => return Ok(only),
        ("", _) => "main",
        (name, _) => name,
    };
    let mut own = problems.iter();
    let found = own.find(|(extraction, _)| extraction.program.name == wanted);
    found.ok_or_else(|| UnknownFunction {
        name: wanted.to_owned(),
    })
}

/// The operation of each step of a function, in the numbering of access tables.
pub fn step_ops(module: Op, hierarchy: &str, function: &str) -> Option<Vec<Op>> {
    let attribute = chosen_hierarchy(module, hierarchy).ok()?;
    // The numbering of steps does not depend on what may alias.
    let problems = device_problems(module, attribute, true).ok()?;
    let (extraction, _) = chosen(&problems, function).ok()?;
    Some(extraction.step_ops.clone())
}

/// Facts about a function that the extracted program does not contain.
fn context(
    function: &Function,
    is_nested: bool,
    extraction: &Extraction,
    settings: &LevelSettings,
) -> Result<LevelContext, Failed> {
    let op = function.op;
    let mut hierarchy = settings.hierarchy_of(is_nested);
    let mut costs = costs::Costs::new(op, extraction, &hierarchy);
    let mut homes = homes(extraction, &settings.spaces)?;
    if is_nested {
        make_room(&mut hierarchy, &homes, extraction);
    }
    if let Some(budget) = settings.budget {
        let device = LevelId::DEVICE;
        // A nested function has no budget of its own: the budget is its callers'.
        let mut taken = if is_nested { Bytes::ZERO } else { budget };
        for (index, buffer) in extraction.program.buffers.iter().enumerate() {
            if buffer.storage != Storage::Planned {
                // Arguments and constants are on the device in addition to the budget.
                homes.insert(BufferId::new(index), device);
                // The capacity grows with them, so that the budget is left to the planned tensors.
                taken = taken.checked_add(buffer.size).unwrap_or(taken);
            }
        }
        // An option can lower the capacity of a level, but not raise it.
        let all = settings.hierarchy.levels[LevelId::DEVICE.index()].capacity;
        hierarchy.levels[LevelId::DEVICE.index()].capacity =
            Some(all.map_or(taken, |all| all.min(taken)));
        costs.accept_only(device, extraction);
    }
    refusals::refuse_contradiction(extraction, costs.contradiction)?;
    Ok(LevelContext {
        homes,
        immovable: immovable(extraction),
        fixed: fixed(op, extraction),
        repeats: costs.repeats,
        cycles: costs.cycles,
        waits: costs.waits,
        links: costs.links,
        touched: costs.touched,
        accepted: costs.accepted,
        blocks: Positions::new(op, &extraction.step_ops).blocks(),
        hierarchy,
        streams: true,
    })
}

/// Adds the storage that exists in the faster levels to their capacities, which are those for the
/// tensors of a nested function: callers count that storage.
fn make_room(
    hierarchy: &mut Hierarchy,
    homes: &HashMap<BufferId, LevelId>,
    extraction: &Extraction,
) {
    let slowest = hierarchy.levels.len().saturating_sub(1);
    let buffers = (0..extraction.program.buffers.len()).map(BufferId::new);
    for (buffer, level) in buffers.filter_map(|buffer| Some((buffer, homes.get(&buffer)?))) {
        let own = &mut hierarchy.levels[level.index()].capacity;
        let size = extraction.program.buffers[buffer.index()].size;
        if level.index() < slowest {
            *own = own.map(|bytes| bytes.checked_add(size).unwrap_or(bytes));
        }
    }
}

/// Raises alignments to what the option asks for, and to what the elements of arguments and globals
/// need.
fn set_alignments(extraction: &mut Extraction, alignment: u64) {
    let mut elements: BTreeMap<BufferId, u64> = BTreeMap::new();
    for (value, place) in &extraction.places {
        let pointer = extraction.program.pointers[place.pointer.index()].kind;
        let element =
            memref_layout(value.ty()).and_then(|layout| u64::try_from(layout.element).ok());
        if let (PointerKind::Buffer(buffer), Some(element)) = (pointer, element) {
            let known = elements.entry(buffer).or_insert(1);
            *known = element.next_power_of_two().max(*known);
        }
    }
    for (index, buffer) in extraction.program.buffers.iter_mut().enumerate() {
        let element = elements.get(&BufferId::new(index)).copied().unwrap_or(1);
        // Elements, such as large vectors, can exceed the largest alignment of the model.
        let wanted = alignment.max(element).min(crate::extract::MAX_ALIGNMENT);
        buffer.alignment = buffer.alignment.max(Bytes::new(wanted));
    }
}

/// The levels of storage that has a memory space.
fn homes(
    extraction: &Extraction,
    spaces: &LevelSpaces,
) -> Result<HashMap<BufferId, LevelId>, Failed> {
    let mut homes = HashMap::new();
    for (value, place) in &extraction.places {
        let kind = extraction.program.pointers[place.pointer.index()].kind;
        let space = space_of(value.ty()).flatten();
        let (PointerKind::Buffer(buffer), Some(space)) = (kind, space) else {
            continue;
        };
        match (spaces.level_of(Some(space)), named_level(space)) {
            (Some(level), _) => {
                homes.insert(buffer, level);
            }
            (None, Some(name)) => {
                let text = format!("the hierarchy has no level '{name}'");
                return Diagnostic::error(value.location(), text).fail();
            }
            // A space of no level, about which the hierarchy says nothing.
            (None, None) => {}
        }
    }
    Ok(homes)
}

/// Buffers that have to be used where they are: storage that was not made a buffer, storage of
/// unknown size, and layouts that a copy would not preserve.
fn immovable(extraction: &Extraction) -> BTreeSet<BufferId> {
    let mut immovable: BTreeSet<BufferId> = extraction.refusals.keys().copied().collect();
    immovable.extend(extraction.sizes.keys().copied());
    let roots = roots(extraction);
    let mut names = HashSet::new();
    for (index, buffer) in extraction.program.buffers.iter().enumerate() {
        let id = BufferId::new(index);
        let op = extraction.buffer_ops[index];
        let is_movable = match buffer.storage {
            Storage::Planned => op.and_then(BufferOp::of).is_some(),
            _ => roots.get(&id).is_some_and(|root| {
                let layout = memref_layout(root.ty());
                // The name of a tensor identifies its places.
                let is_named = root_name(extraction, *root).as_deref() == Some(&buffer.name);
                is_named
                    && layout.is_some_and(|layout| {
                        layout.identity && layout.default_space && layout.known_bytes().is_some()
                    })
            }),
        };
        // Places of two tensors with the same name could not be told apart. An immovable buffer has
        // only one place, so its name is not recorded.
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
        // What is nested in an asynchronous operation runs asynchronously as well.
        let mut around = std::iter::successors(Some(*op), |op| op.parent());
        let mut around = around.by_ref().take_while(|op| *op != function);
        if !around.any(|op| describe(op).has_opaque_result()) {
            continue;
        }
        for access in &step.accesses {
            let pointer = &extraction.program.pointers[access.pointer.index()];
            if let PointerKind::Buffer(buffer) = pointer.kind {
                fixed.insert(buffer);
            }
        }
    }
    fixed
}

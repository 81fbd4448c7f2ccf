//! `mem-verify-plan`: checks plans as they are written in the IR.
//!
//! The pass reads the program with its arenas, views, slices and rotations, and nothing that the
//! planner computed: neither its lifetimes, nor its problem, nor its answer. Addresses are resolved
//! to arenas and checked on their own. Each view is then taken for the buffer that it stands for,
//! and the checker of programs tracks the contents of memory along every path.
//!
//! Tensors may have several places, and may be moved, swapped or recomputed: `levels` checks that
//! each operation finds them up to date. `compare` and `modules` check that the program equals the
//! original in everything else.
//!
//! `spaces` checks that types state the level of the data.
//!
//! Where offsets or sizes are known only at run time, the checks run on several examples.

mod calls;
mod levels;
mod report;
mod spaces;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::path::Path;

use mem_check::{CheckError, MAX_VIOLATIONS, Violation};
use mem_model::{BufferId, Bytes, Level, Placement, Plan, PointerKind, Rotation};

use crate::extract::{
    Callees, Extraction, Function, Locations, Roots, extract, functions_bottom_up,
};
use crate::framework::options::MemVerifyPlanOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::compare::{Claims, compare_modules};
use crate::ir::dialect::{ArenaOp, SliceOp, ViewOp, rotation};
use crate::ir::example::Example;
use crate::ir::{
    Diagnostic, Op, Value, buffer_size, chain, hierarchy_of, is_arena, is_buffer, storage_bytes,
};

/// Example values for numbers known only at run time.
const EXAMPLES: [u64; 3] = [1, 2, 37];

/// The highest address: offsets are signed numbers.
const MAX_ADDRESS: u64 = i64::MAX as u64;

/// Requirements of a function on an arena that its callers provide.
#[derive(Clone, Copy, Default)]
struct Need {
    size: u64,
    alignment: u64,
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    if !options.original.is_empty() {
        let claims = Claims::new(options.noalias_arguments);
        compare_with_file(module, Path::new(&options.original), claims)?;
    }
    let mut counts = Counts::default();
    let mut nested = vec![module];
    module.walk(&mut |op| nested.extend((op.name() == "builtin.module").then_some(op)));
    let mut result = Ok(());
    for module in nested {
        result = result.and(check_module(module, &mut counts));
    }
    run.set_statistic(Options::NUM_FUNCTIONS, counts.functions);
    run.set_statistic(Options::NUM_VIEWS, counts.views);
    // MLIR has verified the module after the last pass that has changed it.
    run.changed_nothing();
    result
}

/// Number of functions and views checked.
#[derive(Default)]
struct Counts {
    functions: u64,
    views: u64,
}

/// Checks the functions of one module, except those in nested modules.
fn check_module(module: Op, counts: &mut Counts) -> PassResult {
    let mut around = std::iter::successors(Some(module), |op| op.parent());
    let levels = around.find_map(hierarchy_of).unwrap_or_default().levels;
    let functions = functions_bottom_up(module);
    let mut result = spaces::check_spaces(module);
    // Each example is a program of its own: the needs of callees depend on it.
    for (round, unknown) in EXAMPLES.into_iter().enumerate() {
        let mut callees = Callees::new(module, &functions);
        let mut needs: HashMap<String, Need> = HashMap::default();
        let mut has_unknowns = false;
        for function in &functions {
            let roots = Roots::Placed { unknown };
            let extraction = extract(function.op, roots, Locations::Skip, &callees);
            learn(&mut callees, function, &extraction, unknown);
            let mut verifier = Verifier::new(function.op, &extraction, &levels, unknown);
            result = result.and(verifier.check(&needs, &callees));
            has_unknowns |= verifier.has_unknowns;
            if let Some(need) = verifier.need {
                needs.insert(function.name.clone(), need);
            }
            if round == 0 && verifier.n_views > 0 {
                counts.functions += 1;
                counts.views += verifier.n_views;
            }
        }
        if result.is_err() || !has_unknowns {
            break;
        }
    }
    result
}

/// Records what a function does, for its callers.
fn learn(callees: &mut Callees, function: &Function, placed: &Extraction, unknown: u64) {
    if function.used {
        // The effects on globals, and the bytes that are read as the caller left them, are known
        // only with all accesses.
        let roots = Roots::Levels { unknown };
        let known = extract(function.op, roots, Locations::Skip, callees);
        return callees.learn(function, &known, true);
    }
    callees.learn(function, placed, false);
}

/// Reads the original program and compares with it.
fn compare_with_file(module: Op, path: &Path, claims: Claims) -> PassResult {
    let shown = path.display().to_string();
    let error =
        |text: String| Diagnostic::option_error(module, "original", Some(&shown), text).fail();
    if let Err(cause) = std::fs::File::open(path) {
        return error(format!("mem-verify-plan: cannot read {shown}: {cause}"));
    }
    let Some(original) = Op::parse_module(module.context(), &shown.to_string()) else {
        return error(format!("mem-verify-plan: {shown} is not a module"));
    };
    let result = compare_modules(original, module, claims);
    original.erase_all();
    result
}

/// An address: an arena, and the byte in it.
#[derive(Clone, Copy)]
struct Address {
    arena: Value,
    offset: u64,
}

/// The state of checking one function.
struct Verifier<'a> {
    function: Op,
    extraction: &'a Extraction,
    levels: &'a [Level],
    /// The value of every unknown in this example, and the example that follows from it, created on
    /// demand.
    unknown: u64,
    example: Option<Example>,
    /// Indexed by arena: the end of its highest view.
    ends: HashMap<Value, u64>,
    has_unknowns: bool,
    /// Sizes in this example exceed any memory, so that it proves nothing.
    is_too_large: bool,
    n_views: u64,
    /// Requirements on an arena that callers provide.
    need: Option<Need>,
    n_errors: usize,
}

impl<'a> Verifier<'a> {
    fn new(function: Op, extraction: &'a Extraction, levels: &'a [Level], unknown: u64) -> Self {
        Self {
            function,
            extraction,
            levels,
            unknown,
            example: None,
            ends: HashMap::default(),
            has_unknowns: false,
            is_too_large: false,
            n_views: 0,
            need: None,
            n_errors: 0,
        }
    }

    fn check(&mut self, needs: &HashMap<String, Need>, callees: &Callees) -> PassResult {
        let mut ops = Vec::new();
        self.function.walk(&mut |op| ops.push(op));
        for op in &ops {
            self.check_place(*op);
        }
        if self.is_too_large {
            return Ok(());
        }
        for op in &ops {
            match op.name() {
                ArenaOp::NAME => self.check_arena(*op),
                "func.call" => self.check_call(*op, needs),
                _ => {}
            }
        }
        self.check_argument();
        self.check_reach(&ops);
        // Contents at wrong addresses are wrong as well, and those addresses have been reported.
        let is_followed = self.n_errors == 0 && levels::is_wanted(self.function, &ops);
        let mut contents = is_followed.then(|| self.contents(callees));
        let extraction = self.extraction;
        let errors = self.check_addresses(extraction, contents.as_ref());
        if !errors.is_empty() {
            // Extraction with everything known about each access is expensive, and only plans that
            // rely on it need it.
            let known = contents.take().unwrap_or_else(|| self.contents(callees));
            let is_right = self
                .check_addresses(known.extraction(), Some(&known))
                .is_empty();
            errors
                .iter()
                .filter(|_| !is_right)
                .for_each(|error| self.report(error));
            // That extraction also models transfers in flight, which have to be checked.
            contents = Some(known);
        }
        if let Some(contents) = contents.filter(|_| self.n_errors == 0) {
            self.check_contents(&contents);
        }
        match self.n_errors {
            0 => Ok(()),
            _ => Err(Failed),
        }
    }

    /// Errors in the contents that operations read, except for tensors that the check of contents
    /// judges.
    fn check_addresses(
        &mut self,
        extraction: &Extraction,
        contents: Option<&levels::Contents>,
    ) -> Vec<CheckError> {
        let plans = self.plans(extraction);
        let mut errors = Vec::new();
        for plan in &plans {
            // The rotations of buffers in another arena are checked with that arena.
            let is_in = |plan: &Plan, rotation: &&Rotation| {
                plan.placements.iter().any(|p| p.buffer == rotation.buffer)
            };
            let is_elsewhere =
                |rotation: &&Rotation| plans.iter().any(|other| is_in(other, rotation));
            let rotations = extraction.rotations.iter();
            let rotations = rotations.filter(|own| is_in(plan, own) || !is_elsewhere(own));
            let rotations: Vec<Rotation> = rotations.cloned().collect();
            let checked = mem_check::check_program_plan(&extraction.program, &rotations, plan);
            let Err(mut error) = checked else { continue };
            // Tensors with several places are checked with everything that is known about each
            // access.
            let is_open = |violation: &Violation| match violation {
                Violation::Clobbered {
                    pointer,
                    buffer,
                    written,
                    ..
                } if buffer != written => {
                    let op = extraction.buffer_ops[buffer.index()];
                    // The check of contents does not track merges; only this check does, by
                    // address.
                    let kind = extraction.program.pointers[pointer.index()].kind;
                    let is_named = matches!(kind, PointerKind::Buffer(_));
                    !is_named || !op.is_some_and(|op| contents.is_some_and(|c| c.judges(op)))
                }
                _ => true,
            };
            error.violations.retain(is_open);
            errors.extend(Some(error).filter(|error| !error.violations.is_empty()));
        }
        errors
    }

    /// The placements in each arena; empty if an address is wrong.
    fn plans(&mut self, extraction: &Extraction) -> Vec<Plan> {
        let mut by_arena: Vec<(Value, Vec<Placement>)> = Vec::new();
        for (index, op) in extraction.buffer_ops.iter().enumerate() {
            let slots = op.map_or(Vec::new(), |op| self.slots(op));
            for (slot, address) in slots.into_iter().enumerate() {
                let known = by_arena
                    .iter()
                    .position(|(arena, _)| *arena == address.arena);
                let known = known.unwrap_or_else(|| {
                    by_arena.push((address.arena, Vec::new()));
                    by_arena.len() - 1
                });
                by_arena[known].1.push(Placement {
                    buffer: BufferId::new(index),
                    slot: slot as u32,
                    offset: Bytes::new(address.offset),
                });
            }
        }
        if self.n_errors > 0 {
            return Vec::new();
        }
        let plan = |(_, placements)| Plan {
            strategy: String::new(),
            placements,
            peak: Bytes::ZERO,
            lower_bound: Bytes::ZERO,
            proven_bound: Bytes::ZERO,
        };
        by_arena.into_iter().map(plan).collect()
    }

    fn error(&mut self, at: Op, text: String) {
        self.n_errors += 1;
        if self.n_errors <= MAX_VIOLATIONS {
            Diagnostic::error(at.location(), text).emit();
        }
    }

    /// The value of a run-time number in the example. A value that is too large invalidates the
    /// example.
    fn number(&mut self, value: Value) -> Option<u64> {
        let make = || Example::new(self.function, self.unknown);
        let bytes = self.example.get_or_insert_with(make).bytes(value);
        self.is_too_large |= bytes.is_none();
        bytes.map(Bytes::get)
    }

    /// The size of a `mem.view` or a slice, in bytes; `None` for other operations.
    fn size(&mut self, op: Op) -> Option<u64> {
        if let Some(slice) = SliceOp::of(op) {
            return Some(slice.size());
        }
        ViewOp::of(op)?;
        if is_buffer(op.result().ty()) && buffer_size(op.result().ty()).is_none() {
            self.has_unknowns = true;
            return self.number(op.operands().last()?);
        }
        storage_bytes(op.result().ty())
    }

    /// The address of a view, a slice or a whole arena.
    fn address(&mut self, value: Value) -> Option<Address> {
        let mut offset = 0_u64;
        let mut arena = value;
        let place = |value: Value| value.owner().filter(|op| op.name() != ArenaOp::NAME);
        for at in chain(value, |value| Some(place(value)?.operand(0))) {
            arena = at;
            let Some(op) = place(at) else { break };
            if ViewOp::of(op).is_none() && SliceOp::of(op).is_none() {
                return None;
            }
            let constant = op.attribute("offset").and_then(|a| a.integer());
            self.has_unknowns |= constant.is_none();
            let own = match constant {
                Some(constant) => u64::try_from(constant).ok()?,
                None => self.number(op.operand(1))?,
            };
            offset = offset.checked_add(own)?;
        }
        // Slices of themselves, in unreachable code, have no arena.
        let is_root = is_arena(arena.ty()) && place(arena).is_none();
        is_root.then_some(Address { arena, offset })
    }

    /// The addresses of the slots of the buffer that an operation makes.
    fn slots(&mut self, op: Op) -> Vec<Address> {
        let places: Vec<Value> = match op.name() {
            ViewOp::NAME | SliceOp::NAME => vec![op.result()],
            "mem.rotate" => rotation(op).0,
            _ => Vec::new(),
        };
        places
            .into_iter()
            .filter_map(|place| self.address(place))
            .collect()
    }

    /// Checks that a view or a slice lies within its arena, at an address with the alignment that
    /// it asks for.
    fn check_place(&mut self, op: Op) {
        let Some(size) = self.size(op) else { return };
        self.n_views += 1;
        let Some(address) = self.address(op.result()) else {
            if self.is_too_large {
                return;
            }
            return self.error(op, "its arena cannot be determined".to_owned());
        };
        let end = address.offset.checked_add(size);
        let Some(end) = end.filter(|end| *end <= MAX_ADDRESS) else {
            return self.error(
                op,
                format!("{size} bytes at {} have no address", address.offset),
            );
        };
        let highest = self.ends.entry(address.arena).or_default();
        *highest = end.max(*highest);
        let around = op.operand(0).owner().filter(|_| end > address.offset);
        let available = around.and_then(|op| self.arena_size(op));
        let start = address.offset - self.address(op.operand(0)).map_or(0, |a| a.offset);
        if let Some(available) = available.filter(|available| start + size > *available) {
            let text = format!(
                "bytes [{start}, {}) are outside the {available} bytes of the arena",
                start + size
            );
            self.error(op, text);
        }
        let alignment = ViewOp::of(op).and_then(ViewOp::alignment).unwrap_or(1);
        let level = self.level(address.arena);
        let wanted = level
            .map_or(1, |level| level.alignment.get())
            .max(alignment);
        let wanted = if ViewOp::of(op).is_some() { wanted } else { 1 };
        if !address.offset.is_multiple_of(wanted) {
            let text = format!("offset {} is not a multiple of {wanted}", address.offset);
            self.error(op, text);
        }
        let owner = address.arena.owner().and_then(ArenaOp::of);
        match owner {
            Some(arena) if arena.alignment().unwrap_or(1) < wanted => {
                let own = arena.alignment().unwrap_or(1);
                let text = format!("asks for an alignment of {wanted} in an arena that has {own}");
                self.error(op, text);
            }
            Some(_) => {}
            None => {
                let need = self.need.get_or_insert_with(Need::default);
                need.size = need.size.max(end);
                need.alignment = need.alignment.max(wanted);
            }
        }
    }

    /// The size of an arena or a slice, in bytes, by the operation that makes it.
    fn arena_size(&mut self, op: Op) -> Option<u64> {
        if let Some(slice) = SliceOp::of(op) {
            return Some(slice.size());
        }
        let arena = ArenaOp::of(op)?;
        let dynamic = op.operands().next();
        match arena.size() {
            Some(size) => Some(size),
            None => self.number(dynamic?),
        }
    }

    fn level(&self, arena: Value) -> Option<&'a Level> {
        let name = arena.owner().and_then(ArenaOp::of)?.level();
        self.levels.iter().find(|level| level.name == name)
    }

    /// Checks that an arena is consistent with its proven bound, and not larger than its level.
    /// Warns if it is larger than its contents.
    fn check_arena(&mut self, op: Op) {
        let (Some(arena), Some(size)) = (ArenaOp::of(op), self.arena_size(op)) else {
            return;
        };
        let peak = self.ends.get(&op.result()).copied().unwrap_or(0);
        if size > peak {
            let text = format!("an arena of {size} bytes, of which no more than {peak} are used");
            Diagnostic::warning(op.location(), text).emit();
        }
        if let Some(proven) = arena.proven_bound().filter(|proven| *proven > size) {
            let text =
                format!("claims that no plan needs fewer than {proven} bytes, and needs {size}");
            self.error(op, text);
        }
        let capacity = self.level(op.result()).and_then(|level| level.capacity);
        let capacity = capacity.map(Bytes::get);
        if let Some(capacity) = capacity.filter(|capacity| size > *capacity) {
            let text = format!(
                "an arena of {size} bytes in level '{}', which has {capacity}",
                arena.level()
            );
            self.error(op, text);
        }
    }

    /// Checks that everything in an arena is accessed in ways that can be tracked, and that no
    /// address escapes.
    fn check_reach(&mut self, ops: &[Op]) {
        let made: HashSet<Op> = self
            .extraction
            .buffer_ops
            .iter()
            .flatten()
            .copied()
            .collect();
        for op in ops
            .iter()
            .filter(|op| matches!(op.name(), ViewOp::NAME | SliceOp::NAME))
        {
            let users = op.result().users();
            let is_slot = users.iter().any(|user| user.name() == "mem.rotate");
            let is_handed_on = users
                .iter()
                .all(|user| SliceOp::of(*user).is_some() || ViewOp::of(*user).is_some());
            if !made.contains(op) && !is_slot && !is_handed_on {
                let text = "is inside an operation that may run its regions concurrently";
                self.error(*op, text.to_owned());
            }
        }
        let extraction = self.extraction;
        for (buffer, refusal) in &extraction.refusals {
            let Some(op) = extraction.buffer_ops[buffer.index()] else {
                continue;
            };
            if op.name() == "mem.buffer" {
                continue;
            }
            self.n_errors += 1;
            let name = &extraction.program.buffers[buffer.index()].name;
            let text = format!("'{name}' is in an arena, but {}", refusal.reason);
            let mut error = Diagnostic::error(op.location(), text);
            if let Some(blame) = refusal.blame {
                error = error.note(blame.location(), format!("by this '{}'", blame.name()));
            }
            error.emit();
        }
    }
}

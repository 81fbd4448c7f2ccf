//! Writes accepted plans into the IR: one arena per function, and one view of it per buffer.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::{BufferId, Bytes, Level, PointerId};

use super::{PlannedFunction, arithmetic};
use crate::framework::PassResult;
use crate::ir::tensors::slot_name;
use crate::ir::{Attribute, Builder, Context, Diagnostic, Op, Value, arena_type};
use crate::plan::rotate::rotate;

/// A number of bytes.
#[derive(Clone, Copy)]
pub(super) enum Amount {
    Constant(i64),
    /// Known only at run time.
    Computed(Value),
}

/// The offsets of a function's buffers, slot by slot.
pub(super) struct Offsets(Vec<(BufferId, Amount)>);

impl Offsets {
    /// `amounts`: the offset of each slot, in the order of a buffer's slots.
    pub(super) fn new(mut amounts: Vec<(BufferId, Amount)>) -> Self {
        amounts.sort_by_key(|(buffer, _)| *buffer);
        Self(amounts)
    }

    /// The offsets of a buffer's slots; empty if it has no place.
    fn of(&self, buffer: BufferId) -> &[(BufferId, Amount)] {
        let rest = &self.0[self.0.partition_point(|(own, _)| *own < buffer)..];
        &rest[..rest.partition_point(|(own, _)| *own == buffer)]
    }
}

/// Writes the plans of all functions.
pub(super) fn materialize(mut functions: Vec<PlannedFunction>, level: &Level) {
    for planned in functions.iter_mut().filter(|f| !f.problem.items.is_empty()) {
        let (offsets, size) = match planned.relative.take() {
            Some(relative) => arithmetic::offsets(planned, &relative),
            None => offsets(planned),
        };
        let Some(arena) = arena_of(planned, level, size) else {
            continue;
        };
        place_workspaces(planned, arena, &offsets);
        place_buffers(planned, arena, &offsets);
    }
}

impl Builder {
    /// Adds an amount as an attribute with that name if it is constant, and otherwise as the next
    /// operand.
    fn amount(self, context: Context, name: &str, amount: Amount) -> Self {
        match amount {
            Amount::Constant(bytes) => self.integer(context, name, bytes),
            Amount::Computed(value) => self.operands([value]),
        }
    }
}

/// The offsets of all buffers, and the size of the arena.
fn offsets(planned: &PlannedFunction) -> (Offsets, Amount) {
    // The plan exists, so sizes fit in 63 bits.
    let amount = |bytes: Bytes| Amount::Constant(bytes.get() as i64);
    let placements = planned.plan.placements.iter();
    let offsets = placements.map(|own| (own.buffer, amount(own.offset)));
    (Offsets::new(offsets.collect()), amount(planned.plan.peak))
}

/// The function's arena: one that it allocates, or an argument that its callers pass.
fn arena_of(planned: &PlannedFunction, level: &Level, size: Amount) -> Option<Value> {
    let function = planned.function.op;
    let entry = function.regions().next()?.first_block()?;
    let context = function.context();
    if planned.takes_arena {
        let arena = entry.add_argument(arena_type(context), function.location());
        add_argument(planned, level);
        add_companion(planned);
        return Some(arena);
    }
    let mut arena = Builder::new("mem.arena", function.location())
        .result(arena_type(context))
        .string(context, "level", &level.name)
        .string(context, "strategy", &planned.plan.strategy)
        .amount(context, "size", size)
        .integer(
            context,
            "alignment",
            planned.problem.alignment().get() as i64,
        );
    if planned.plan.proven_bound > planned.plan.lower_bound {
        let bound = planned.plan.proven_bound.get() as i64;
        arena = arena.integer(context, "proven_bound", bound);
    }
    let first = match &planned.extraction.entry {
        Some(entry) => entry.anchor(),
        None => entry.first_op()?,
    };
    Some(arena.before(first).result())
}

/// Appends `!mem.arena` to the argument types of a function. If code outside of the module calls
/// the function, the attributes of the argument state which arena is expected.
fn add_argument(planned: &PlannedFunction, level: &Level) {
    let function = planned.function.op;
    let context = function.context();
    let old = function
        .attribute("function_type")
        .and_then(|a| a.type_value());
    let Some(old) = old else { return };
    let entry = function
        .regions()
        .next()
        .and_then(|region| region.first_block());
    // The block arguments already include the arena.
    let n_arguments = entry.map_or(0, |block| block.arguments().count() - 1);
    function.set_attribute(
        "function_type",
        Attribute::type_attribute(old.with_input(arena_type(context))),
    );
    let nothing = || Attribute::dictionary(context, &[]);
    let attributes = function.attribute("arg_attrs").and_then(|a| a.elements());
    let of_arena = match planned.function.private {
        true => nothing(),
        false => Attribute::dictionary(context, &[("mem.arena", expectations(planned, level))]),
    };
    if attributes.is_some() || !planned.function.private {
        let mut attributes = attributes.unwrap_or_else(|| vec![nothing(); n_arguments]);
        attributes.push(of_arena);
        function.set_attribute("arg_attrs", Attribute::array(context, &attributes));
    }
}

/// The properties that a `mem.arena` for the plan would state.
fn expectations(planned: &PlannedFunction, level: &Level) -> Attribute {
    let context = planned.function.op.context();
    let integer = |value: u64| Attribute::integer_attribute(context, value as i64);
    let plan = &planned.plan;
    let mut entries = vec![
        ("alignment", integer(planned.problem.alignment().get())),
        ("level", Attribute::string_attribute(context, &level.name)),
    ];
    if plan.proven_bound > plan.lower_bound {
        entries.push(("proven_bound", integer(plan.proven_bound.get())));
    }
    entries.push(("size", integer(plan.peak.get())));
    entries.push((
        "strategy",
        Attribute::string_attribute(context, &plan.strategy),
    ));
    Attribute::dictionary(context, &entries)
}

/// The name of the companion function that reports which arena a function needs; `None` if none is
/// needed.
fn companion_name(planned: &PlannedFunction) -> Option<String> {
    let is_wanted =
        planned.takes_arena && !planned.function.private && !planned.problem.items.is_empty();
    is_wanted.then(|| format!("{}_arena", planned.function.name))
}

/// Fails if a companion function would have the name of an existing symbol.
pub(super) fn check_names(module: Op, functions: &[PlannedFunction]) -> PassResult {
    let symbols: HashSet<String> = module.direct_ops().filter_map(Op::symbol).collect();
    for planned in functions {
        if let Some(name) = companion_name(planned).filter(|name| symbols.contains(name)) {
            let text = format!(
                "mem-plan: there is a '@{name}' already, which is to say what @{} needs",
                planned.function.name
            );
            return Diagnostic::error(planned.function.op.location(), text).fail();
        }
    }
    Ok(())
}

/// Adds a companion function that returns the size and the alignment, in bytes, of the arena that a
/// function needs.
fn add_companion(planned: &PlannedFunction) {
    let Some(name) = companion_name(planned) else {
        return;
    };
    let function = planned.function.op;
    let (size, alignment) = (planned.plan.peak, planned.problem.alignment());
    // The name is set after parsing, because a symbol may contain any character.
    let source = format!(
        "func.func @companion() -> (i64, i64) {{ \
           %size = arith.constant {size} : i64 \
           %alignment = arith.constant {alignment} : i64 \
           return %size, %alignment : i64, i64 }}"
    );
    let companion = Op::parse(function.context(), &source);
    let name = Attribute::string_attribute(function.context(), &name);
    companion.set_attribute("sym_name", name);
    companion.insert_before(function);
}

/// Hands each callee that has no arena of its own a slice of this function's arena.
fn place_workspaces(planned: &PlannedFunction, arena: Value, offsets: &Offsets) {
    for (call, buffer) in &planned.extraction.workspaces {
        let context = call.context();
        let size = planned.extraction.program.buffers[buffer.index()]
            .size
            .get() as i64;
        let slice = Builder::new("mem.slice", call.location())
            .operands([arena])
            .result(arena_type(context))
            .amount(context, "offset", offsets.of(*buffer)[0].1)
            .integer(context, "size", size)
            .before(*call)
            .result();
        let operands: Vec<Value> = call.operands().chain([slice]).collect();
        call.set_operands(&operands);
    }
}

fn place_buffers(planned: &PlannedFunction, arena: Value, offsets: &Offsets) {
    let rotations: HashMap<BufferId, &[PointerId]> = planned
        .lifetimes
        .rotations
        .iter()
        .map(|r| (r.buffer, r.avoid.as_slice()))
        .collect();
    // A rotation may refer to buffers that have been placed before.
    let mut dead = Vec::new();
    for (index, op) in planned.extraction.buffer_ops.iter().enumerate() {
        let buffer = BufferId::new(index);
        let offsets = offsets.of(buffer);
        let Some(op) = op.filter(|_| !offsets.is_empty()) else {
            continue;
        };
        let slots: Vec<Value> = offsets
            .iter()
            .enumerate()
            .map(|(slot, (_, offset))| {
                view(planned, arena, op, buffer, (slot, offsets.len()), *offset)
            })
            .collect();
        let placed = match rotations.get(&buffer) {
            Some(avoid) if slots.len() > 1 => rotate(&planned.extraction, op, &slots, avoid),
            _ => slots[0],
        };
        op.result().replace_with(placed);
        match rotations.is_empty() {
            // The next view takes its memory.
            true => op.erase(),
            false => dead.push(op),
        }
    }
    dead.into_iter().rev().for_each(Op::erase);
}

/// The place of a buffer in the arena, with the buffer's name, alignment and role.
fn view(
    planned: &PlannedFunction,
    arena: Value,
    op: Op,
    buffer: BufferId,
    (slot, n_slots): (usize, usize),
    offset: Amount,
) -> Value {
    let context = op.context();
    let model = &planned.extraction.program.buffers[buffer.index()];
    let name = if n_slots > 1 {
        slot_name(&model.name, slot as u64)
    } else {
        model.name.to_string()
    };
    let mut view = Builder::new("mem.view", op.location())
        .operands([arena])
        .result(op.result().ty())
        .amount(context, "offset", offset)
        // The run-time size, if the type does not state one.
        .operands(op.operands())
        .string(context, "name", &name)
        .integer(context, "alignment", model.alignment.get() as i64);
    if let Some(role) = op.attribute("role") {
        view = view.attribute("role", role);
    }
    view.before(op).result()
}

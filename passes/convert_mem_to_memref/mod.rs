//! `convert-mem-to-memref`: the dialect's operations become memref's.
//!
//! An arena is a memref of bytes, and so is a buffer wherever it is more than the root of
//! descriptors. Types of descriptors and of everything behind them stay as they are.

mod descriptor;
mod rotate;
mod transfers;

use std::collections::HashMap;

use crate::dialect::{ArenaOp, SliceOp, ViewOp, is_transfer};
use crate::mlir::{
    Attribute, Builder, Diagnostic, Op, Type, Value, buffer_size, byte_memref, constant_index,
    in_default_space, is_arena, is_buffer, is_in_level, is_token, memref_layout,
};
use crate::registry::generated::ConvertMemToMemrefOptions as Options;
use crate::registry::{PassResult, PassRun};
use descriptor::Start;
use transfers::{Target, Transfers};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let target = Target::NAMES
        .iter()
        .find(|(name, _)| *name == options.transfers);
    let Some((_, target)) = target else {
        let names = Target::NAMES.map(|(name, _)| name).join(", ");
        let text = format!(
            "convert-mem-to-memref: transfers cannot be '{}'; they can be: {names}",
            options.transfers
        );
        return Diagnostic::error(module.location(), text).fail();
    };
    let mut ops = Vec::new();
    module.walk(&mut |op| ops.push(op));
    let mut lowering = Lowering {
        transfers: Transfers::new(module, &ops, *target),
        ..Lowering::default()
    };
    lowering.lower_signatures(&ops);
    lowering.lower_merges(&ops);
    for op in in_order(&ops) {
        lowering.lower(op)?;
    }
    lowering.cast_call_operands(&ops);
    run.set_statistic(Options::NUM_ARENAS, lowering.n_arenas);
    run.set_statistic(Options::NUM_VIEWS, lowering.n_views);
    drop_attributes(module, &ops);
    // Last: from here on, some of `ops` are gone.
    lowering.dead.into_iter().rev().for_each(Op::erase);
    Ok(())
}

/// The operations to lower, those that others ask for first: blocks need not be in the order in
/// which they run.
fn in_order(ops: &[Op]) -> Vec<Op> {
    let rank = |op: &Op| match op.name() {
        "mem.arena" => 0,
        "mem.slice" => 1,
        "mem.view" | "mem.buffer" => 2,
        "mem.rotate" => 3,
        "mem.wait" => 5,
        _ => 4,
    };
    let ours = ops
        .iter()
        .copied()
        .filter(|op| op.name().starts_with("mem."));
    let mut ordered: Vec<Op> = ours.collect();
    ordered.sort_by_key(rank);
    ordered
}

/// A memref of `size` bytes, or of as many as the operand of `op` says, allocated before `op` with the alignment
/// that `op` states.
fn allocate(op: Op, size: Option<i64>) -> Value {
    let context = op.context();
    let dynamic = op.operands().take(usize::from(size.is_none()));
    let mut alloc = Builder::new("memref.alloc", op.location())
        .operands(dynamic)
        .result(byte_memref(context, size))
        .segments(context, &[i32::from(size.is_none()), 0]);
    if let Some(alignment) = op.attribute("alignment") {
        alloc = alloc.attribute("alignment", alignment);
    }
    alloc.before(op).result()
}

/// The state of one run.
#[derive(Default)]
struct Lowering {
    /// The memref of bytes that an arena or buffer value has become, where it has.
    bytes: HashMap<Value, Value>,
    /// Buffers that are views of an arena: the arena's bytes and the offset in them.
    placed: HashMap<Value, (Value, Start)>,
    transfers: Transfers,
    /// Operations to erase at the end.
    dead: Vec<Op>,
    n_arenas: u64,
    n_views: u64,
}

/// What stands for a type, if it is one of the dialect's: a memref of bytes, or for a memref in a
/// level of the hierarchy the same one in the default memory space, for a token a number.
fn lowered_type(ty: Type) -> Option<Type> {
    if is_arena(ty) {
        return Some(byte_memref(ty.context(), None));
    }
    if is_in_level(ty) {
        return Some(in_default_space(ty));
    }
    if is_token(ty) {
        return Some(Type::parse(ty.context(), "i64"));
    }
    is_buffer(ty).then(|| byte_memref(ty.context(), buffer_size(ty)))
}

impl Lowering {
    /// Arguments and results have lowered types, and so have globals.
    fn lower_signatures(&mut self, ops: &[Op]) {
        for op in ops {
            let (name, is_function) = match op.name() {
                "func.func" => ("function_type", true),
                "memref.global" => ("type", false),
                _ => continue,
            };
            let Some(ty) = op.attribute(name).and_then(|a| a.type_value()) else {
                continue;
            };
            let lower = |ty| lowered_type(ty).unwrap_or(ty);
            let lowered = if is_function {
                ty.map_signature(lower)
            } else {
                lower(ty)
            };
            if lowered != ty {
                op.set_attribute(name, Attribute::type_attribute(lowered));
            }
        }
    }

    /// Block arguments and results that merge arenas or buffers become memrefs of bytes in place:
    /// their sources are lowered, too, and handed on under the same uses.
    fn lower_merges(&mut self, ops: &[Op]) {
        let retype = |value: Value| {
            if let Some(ty) = lowered_type(value.ty()) {
                value.set_type(ty);
            }
        };
        for op in ops {
            for block in op.regions().flat_map(|r| r.blocks()) {
                block.arguments().for_each(retype);
            }
            if !op.name().starts_with("mem.") {
                op.results().for_each(retype);
            }
        }
    }

    fn lower(&mut self, op: Op) -> PassResult {
        if let Some(arena) = ArenaOp::of(op) {
            self.lower_arena(op, arena);
        } else if let Some(slice) = SliceOp::of(op) {
            self.lower_slice(op, slice);
        } else if let Some(view) = ViewOp::of(op) {
            self.lower_view(op, view)?;
        }
        match op.name() {
            "mem.buffer" => self.lower_buffer(op),
            "mem.rotate" => self.lower_rotate(op),
            "mem.descriptor" => self.lower_descriptor(op)?,
            _ if is_transfer(op) => self.lower_transfer(op)?,
            "mem.wait" => self.lower_wait(op),
            _ => {}
        }
        Ok(())
    }

    /// One allocation an arena, freed where the function returns.
    fn lower_arena(&mut self, op: Op, arena: ArenaOp) {
        let mut bytes = allocate(op, arena.size().map(signed));
        free_at_end(op, bytes);
        // Where arenas meet, their sizes differ.
        let meets = |user: Op| !user.name().starts_with("mem.") && user.name() != "func.call";
        if op.result().users().into_iter().any(meets) {
            bytes = Builder::new("memref.cast", op.location())
                .operands([bytes])
                .result(byte_memref(op.context(), None))
                .before(op)
                .result();
        }
        self.replace(op, bytes);
        self.n_arenas += 1;
    }

    fn lower_slice(&mut self, op: Op, slice: SliceOp) {
        let source = self.bytes_of(op.operand(0), op);
        let size = constant_index(op, signed(slice.size()));
        let offset = match slice.offset() {
            Some(offset) => constant_index(op, signed(offset)),
            None => op.operand(1),
        };
        let bytes = Builder::new("memref.view", op.location())
            .operands([source, offset, size])
            .result(byte_memref(op.context(), None))
            .before(op)
            .result();
        self.replace(op, bytes);
    }

    /// A view of an arena: a memref at once, or a buffer that descriptors take further.
    fn lower_view(&mut self, op: Op, view: ViewOp) -> PassResult {
        let offset = Start {
            constant: view.offset().map_or(0, signed),
            dynamic: view.offset().is_none().then(|| op.operand(1)),
        };
        let arena = self.bytes_of(op.operand(0), op);
        self.n_views += 1;
        if memref_layout(op.result().ty()).is_some() {
            let ty = op.result().ty();
            let ty = lowered_type(ty).unwrap_or(ty);
            let memref = self.memref_at(op, arena, offset, ty)?;
            self.replace(op, memref);
        } else {
            self.placed.insert(op.result(), (arena, offset));
            self.dead.push(op);
            let other_uses =
                |user: Op| user.name() != "mem.descriptor" && user.name() != "mem.rotate";
            if op.result().users().into_iter().any(other_uses) {
                let bytes = self.bytes_of(op.result(), op);
                op.result().replace_with(bytes);
            }
        }
        Ok(())
    }

    /// A buffer that was never planned is an allocation.
    fn lower_buffer(&mut self, op: Op) {
        self.replace(op, allocate(op, buffer_size(op.result().ty())));
    }

    /// Replaces an operation's result everywhere, and remembers it for those who ask for bytes.
    fn replace(&mut self, op: Op, value: Value) {
        self.bytes.insert(op.result(), value);
        op.result().replace_with(value);
        self.dead.push(op);
    }

    /// The memref of bytes behind an arena or buffer value, made before `op` if need be.
    fn bytes_of(&mut self, value: Value, op: Op) -> Value {
        if let Some(bytes) = self.bytes.get(&value) {
            return *bytes;
        }
        let Some((arena, offset)) = self.placed.get(&value).copied() else {
            // An argument or a merge, which has been retyped in place.
            return value;
        };
        let at = value.owner().unwrap_or(op);
        let size = buffer_size(value.ty());
        // The last operand of what places a buffer without a size is its size.
        let dynamic = at.operands().last().filter(|_| size.is_none());
        let bytes = Builder::new("memref.view", at.location())
            .operands([arena, offset.at(at)])
            .operands(dynamic)
            .result(byte_memref(at.context(), size))
            .before(at)
            .result();
        self.bytes.insert(value, bytes);
        bytes
    }

    /// Callees take memrefs of unknown size; an arena handed over whole has a known one.
    fn cast_call_operands(&mut self, ops: &[Op]) {
        let functions: HashMap<String, Op> = ops
            .iter()
            .filter(|op| op.name() == "func.func")
            .filter_map(|op| Some((op.symbol()?, *op)))
            .collect();
        for call in ops.iter().filter(|op| op.name() == "func.call") {
            let callee = call.attribute("callee").and_then(|a| a.symbol());
            let function = callee.and_then(|name| functions.get(name));
            let ty = function.and_then(|f| f.attribute("function_type")?.type_value());
            let Some(inputs) = ty.map(Type::inputs) else {
                continue;
            };
            let cast = |(operand, wanted): (Value, Type)| {
                if operand.ty() == wanted || wanted != byte_memref(call.context(), None) {
                    return operand;
                }
                Builder::new("memref.cast", call.location())
                    .operands([operand])
                    .result(wanted)
                    .before(*call)
                    .result()
            };
            let operands: Vec<Value> = call.operands().zip(inputs).map(cast).collect();
            call.set_operands(&operands);
        }
    }
}

/// Frees what is allocated at the place of an operation.
fn free_at_end(place: Op, bytes: Value) {
    for end in ends_of_life(place) {
        Builder::new("memref.dealloc", place.location())
            .operands([bytes])
            .before(end);
    }
}

/// Where an arena's memory can be freed: before every return of its function if it is made at the
/// start, before the end of its block if that is all there is to its region.
fn ends_of_life(arena: Op) -> Vec<Op> {
    let Some(block) = arena.block() else {
        return Vec::new();
    };
    let Some(region) = block.parent_region() else {
        return Vec::new();
    };
    if region.first_block() != Some(block) {
        return Vec::new();
    }
    let returns = |op: &Op| op.name() == "func.return" || region.blocks().count() == 1;
    region
        .blocks()
        .filter_map(|b| b.terminator())
        .filter(returns)
        .collect()
}

/// The dialect's own attributes mean nothing to what follows.
fn drop_attributes(module: Op, ops: &[Op]) {
    module.remove_attribute("mem.hierarchy");
    for op in ops.iter().filter(|op| op.name() == "func.func") {
        let Some(attributes) = op.attribute("arg_attrs").and_then(|a| a.elements()) else {
            continue;
        };
        let kept: Vec<Attribute> = attributes
            .into_iter()
            .map(|a| a.without_entries(op.context(), |name| name.starts_with("mem.")))
            .collect();
        op.set_attribute("arg_attrs", Attribute::array(op.context(), &kept));
    }
}

/// Bytes as MLIR's attributes have them; the verifier keeps them below 2^63.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// An error at `op` that says which of the forms it has cannot be lowered.
fn unsupported(op: Op, what: &str) -> Diagnostic {
    let text = format!("'{}' cannot be lowered to memref: {what}", op.name());
    Diagnostic::error(op.location(), text)
}

//! `convert-mem-to-memref`: lowers the dialect's operations to memref operations.
//!
//! An arena becomes a memref of bytes, and so does a buffer that has users other than descriptors.
//! Both keep their memory space. The types of descriptors, and of everything derived from them,
//! stay as they are.

mod descriptor;
mod rotate;
mod transfers;

use rustc_hash::FxHashMap as HashMap;

use crate::framework::options::ConvertMemToMemrefOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::dialect::{ArenaOp, SliceOp, ViewOp, is_transfer};
use crate::ir::spaces::{in_space, space_of};
use crate::ir::tensors::{GROUP, UNTILED};
use crate::ir::{
    Attribute, Builder, Diagnostic, Op, Type, Value, buffer_size, byte_memref, constant_index,
    is_arena, is_buffer, is_token, memref_layout,
};
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
    // Erasing comes last, because it invalidates some of `ops`.
    lowering.dead.into_iter().rev().for_each(Op::erase);
    Ok(())
}

/// The operations to lower, producers before consumers. Textual order does not guarantee that,
/// because blocks need not be in execution order.
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

/// Allocates a memref of `size` bytes, or of as many bytes as the operand of `op` says, before `op`
/// and with the alignment that `op` states.
fn allocate(op: Op, size: Option<i64>) -> Value {
    let context = op.context();
    let dynamic = op.operands().take(usize::from(size.is_none()));
    let mut alloc = Builder::new("memref.alloc", op.location())
        .operands(dynamic)
        .result(bytes_like(op.result().ty(), size))
        .segments(context, &[i32::from(size.is_none()), 0]);
    if let Some(alignment) = op.attribute("alignment") {
        alloc = alloc.attribute("alignment", alignment);
    }
    alloc.before(op).result()
}

/// The state of one run.
#[derive(Default)]
struct Lowering {
    /// The memref of bytes that replaces an arena or buffer value.
    bytes: HashMap<Value, Value>,
    /// Buffers that are views of an arena: the arena's bytes, and the offset into them.
    placed: HashMap<Value, (Value, Start)>,
    transfers: Transfers,
    /// Operations to erase at the end.
    dead: Vec<Op>,
    n_arenas: u64,
    n_views: u64,
}

/// The lowered form of one of the dialect's types; `None` for any other type. Arenas and buffers
/// become memrefs of bytes in their memory space, and tokens become integers.
fn lowered_type(ty: Type) -> Option<Type> {
    if is_token(ty) {
        return Some(Type::parse(ty.context(), "i64"));
    }
    (is_arena(ty) || is_buffer(ty)).then(|| bytes_like(ty, buffer_size(ty)))
}

/// A memref of bytes in the memory space of `ty`.
fn bytes_like(ty: Type, size: Option<i64>) -> Type {
    in_space(byte_memref(ty.context(), size), space_of(ty).flatten())
}

impl Lowering {
    /// Lowers the types of function arguments, function results and globals.
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

    /// Retypes block arguments and results that merge arenas or buffers to memrefs of bytes, in
    /// place. Their sources are lowered as well, so uses stay as they are.
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

    /// Lowers an arena to one allocation, freed where the function returns.
    fn lower_arena(&mut self, op: Op, arena: ArenaOp) {
        let mut bytes = allocate(op, arena.size().map(signed));
        free_at_end(op, bytes);
        // Where arenas merge, their sizes may differ, so the static size is dropped.
        let meets = |user: Op| !user.name().starts_with("mem.") && user.name() != "func.call";
        if op.result().users().into_iter().any(meets) {
            bytes = Builder::new("memref.cast", op.location())
                .operands([bytes])
                .result(bytes_like(bytes.ty(), None))
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
            .result(bytes_like(source.ty(), None))
            .before(op)
            .result();
        self.replace(op, bytes);
    }

    /// Lowers a view of an arena: to a memref, or to a base for the descriptors that use it.
    fn lower_view(&mut self, op: Op, view: ViewOp) -> PassResult {
        let offset = Start {
            constant: view.offset().map_or(0, signed),
            dynamic: view.offset().is_none().then(|| op.operand(1)),
        };
        let arena = self.bytes_of(op.operand(0), op);
        self.n_views += 1;
        if memref_layout(op.result().ty()).is_some() {
            let memref = self.memref_at(op, arena, offset, op.result().ty())?;
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

    /// Lowers a buffer that was never planned to an allocation.
    fn lower_buffer(&mut self, op: Op) {
        self.replace(op, allocate(op, buffer_size(op.result().ty())));
    }

    /// Replaces all uses of an operation's result, and records the replacement for `bytes_of`.
    fn replace(&mut self, op: Op, value: Value) {
        self.bytes.insert(op.result(), value);
        op.result().replace_with(value);
        self.dead.push(op);
    }

    /// The memref of bytes for an arena or buffer value, created on demand.
    fn bytes_of(&mut self, value: Value, op: Op) -> Value {
        if let Some(bytes) = self.bytes.get(&value) {
            return *bytes;
        }
        let Some((arena, offset)) = self.placed.get(&value).copied() else {
            // An argument or a merge, which `lower_merges` has retyped in place.
            return value;
        };
        let at = value.owner().unwrap_or(op);
        let size = buffer_size(value.ty());
        // An operation that places a buffer of unknown size has the size as its last operand.
        let dynamic = at.operands().last().filter(|_| size.is_none());
        let bytes = Builder::new("memref.view", at.location())
            .operands([arena, offset.at(at)])
            .operands(dynamic)
            .result(bytes_like(value.ty(), size))
            .before(at)
            .result();
        self.bytes.insert(value, bytes);
        bytes
    }

    /// Casts call operands to the callees' types: a callee takes a memref of dynamic size, whereas
    /// an arena that is passed as a whole has a static one.
    fn cast_call_operands(&mut self, ops: &[Op]) {
        let functions: HashMap<String, Op> = ops
            .iter()
            .filter(|op| op.name() == "func.func")
            .filter_map(|op| Some((op.symbol()?, *op)))
            .collect();
        for call in ops.iter().filter(|op| op.name() == "func.call") {
            let callee = call.attribute("callee");
            let callee = callee.as_ref().and_then(Attribute::symbol);
            let function = callee.and_then(|name| functions.get(name));
            let ty = function.and_then(|f| f.attribute("function_type")?.type_value());
            let Some(inputs) = ty.map(Type::inputs) else {
                continue;
            };
            let cast = |(operand, wanted): (Value, Type)| {
                if operand.ty() == wanted || wanted != bytes_like(operand.ty(), None) {
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

/// Frees memory that is allocated at the position of an operation.
fn free_at_end(place: Op, bytes: Value) {
    for end in ends_of_life(place) {
        Builder::new("memref.dealloc", place.location())
            .operands([bytes])
            .before(end);
    }
}

/// The operations before which an arena's memory can be freed: every return of the function if the
/// arena is in the entry block, or the terminator of the block if its region has only one.
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

/// Removes the dialect's own attributes, which mean nothing after the lowering.
fn drop_attributes(module: Op, ops: &[Op]) {
    module.remove_attribute("mem.hierarchy");
    for op in ops {
        op.remove_attribute(GROUP);
        op.remove_attribute(UNTILED);
    }
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

/// Bytes as MLIR's attributes represent them; the verifier keeps them below 2^63.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// An error at `op` that states which property prevents its lowering.
fn unsupported(op: Op, what: &str) -> Diagnostic {
    let text = format!("'{}' cannot be lowered to memref: {what}", op.name());
    Diagnostic::error(op.location(), text)
}

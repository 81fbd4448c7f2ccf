//! Breaks of the contents of memory at one moment: of bytes that an operation or a transfer still
//! needs, of places in which other code expects a tensor, and of what the planned module states.

use super::{Break, Kind, constant_offset, set_offset};
use crate::ir::dialect::{ViewOp, is_transfer, rotation};
use crate::ir::tensors::{ARGUMENT_NAME, RECOMPUTE, global_symbol, root_of};
use crate::ir::{
    Attribute, Builder, Context, EffectKind, Op, Type, Value, buffer_size, describe, is_storage,
    storage_bytes,
};

/// The way to break an operation, if `kind` applies to it.
pub(super) fn break_op(op: Op, kind: Kind) -> Option<Break> {
    match kind {
        Kind::OntoOperand => onto_operand(op),
        Kind::OntoFlight => onto_flight(op),
        Kind::SwapTaken => swap_taken(op),
        Kind::WritingCallee => writing_callee(op),
        Kind::OtherLayout => other_layout(op),
        Kind::OntoSource => onto_source(op),
        Kind::NotDisjoint => not_disjoint(op),
        Kind::OtherGlobal => other_global(op),
        Kind::OtherAttribute => edit_arguments(op, |known, context| {
            let unit = Attribute::unit(context);
            let is_new = known.entry("llvm.noalias").is_none();
            is_new.then(|| Attribute::with_entry(context, Some(known), "llvm.noalias", unit))
        }),
        Kind::LostName => {
            edit_arguments(op, |known, context| without(known, ARGUMENT_NAME, context))
        }
        _ => None,
    }
}

/// Storage on which an operation has effects of one kind.
pub(super) fn touched(op: Op, kind: EffectKind) -> Vec<Value> {
    let effects = describe(op).effects.into_iter();
    let own = effects.filter(|effect| effect.kind == kind && is_storage(effect.value.ty()));
    own.map(|effect| effect.value).collect()
}

/// The view of an arena that a value is, or covers from its first byte to its last.
pub(super) fn whole_view(value: Value) -> Option<Op> {
    let view = root_of(value)
        .owner()
        .filter(|op| ViewOp::of(*op).is_some())?;
    let is_whole = storage_bytes(value.ty()) == storage_bytes(view.result().ty());
    is_whole.then_some(view)
}

/// The arena, the offset and the size of a view, in bytes.
pub(super) fn place(view: Op) -> Option<(Value, i64, i64)> {
    let size = i64::try_from(storage_bytes(view.result().ty())?).ok()?;
    Some((view.operand(0), constant_offset(view)?, size))
}

fn name_of(view: Op) -> Option<String> {
    ViewOp::of(view).and_then(ViewOp::name)
}

/// Moves a view to an address. Drops its alignment, because misalignment is not the defect under
/// test.
pub(super) fn put(view: Op, offset: i64) {
    view.remove_attribute("alignment");
    set_offset(view, offset);
}

/// Moves a result to one byte after the start of an operand.
fn onto_operand(op: Op) -> Option<Break> {
    if !op.name().starts_with("linalg.") || op.attribute(RECOMPUTE).is_some() {
        return None;
    }
    let result = touched(op, EffectKind::Write)
        .into_iter()
        .find_map(whole_view)?;
    let operands = touched(op, EffectKind::Read)
        .into_iter()
        .filter_map(whole_view);
    let (arena, ..) = place(result)?;
    let mut others = operands.filter(|view| name_of(*view) != name_of(result));
    let offset = others.find_map(|view| {
        let (of_view, offset, size) = place(view)?;
        (of_view == arena && size > 1).then_some(offset + 1)
    })?;
    place(result).filter(|(.., size)| *size > 0)?;
    Some(Box::new(move || put(result, offset)))
}

/// Moves a place that is written while a transfer is in flight, possibly through a rotation, onto
/// the target of the transfer or else onto its source.
fn onto_flight(op: Op) -> Option<Break> {
    let token = op.results().next().filter(|_| is_transfer(op))?;
    let wait = *token.users().first()?;
    let later = std::iter::successors(op.next(), |op| op.next());
    let mut during = Vec::new();
    for between in later.take_while(|other| *other != wait) {
        during.push(between);
        between.walk(&mut |nested| during.push(nested));
    }
    let target = [1, 0].into_iter().find_map(|end| {
        let view = whole_view(op.operand(end))?;
        Some((view, place(view)?)).filter(|(_, (.., size))| *size > 0)
    });
    let (target, (arena, offset, _)) = target?;
    let written = during
        .into_iter()
        .flat_map(|other| match is_transfer(other) {
            true => Vec::new(),
            false => touched(other, EffectKind::Write),
        });
    let places = written.filter_map(|value| {
        let root = root_of(value).owner()?;
        match root.name() {
            "mem.rotate" => rotation(root).0.first()?.owner(),
            _ => Some(root).filter(|root| ViewOp::of(*root).is_some()),
        }
    });
    let mut others = places.filter(|view| name_of(*view) != name_of(target));
    let moved =
        others.find(|view| place(*view).is_some_and(|(own, _, size)| own == arena && size > 0))?;
    Some(Box::new(move || put(moved, offset)))
}

/// Inserts a swap out of a place that another tensor has taken over by now, before an operation
/// that reads that other tensor.
fn swap_taken(op: Op) -> Option<Break> {
    let block = op.block()?;
    let mut reads = touched(op, EffectKind::Read)
        .into_iter()
        .filter_map(whole_view);
    let view = reads.find(|_| !is_transfer(op) && op.attribute(RECOMPUTE).is_none())?;
    let (arena, start, size) = place(view)?;
    let before = block.ops().take_while(|other| *other != op);
    let views: Vec<Op> = before
        .filter(|other| ViewOp::of(*other).is_some())
        .collect();
    let other_places = |of: Op| {
        let is_other = move |other: &&Op| {
            name_of(**other) == name_of(of)
                && other.result().ty() == of.result().ty()
                && other.operand(0) != of.operand(0)
        };
        views.iter().find(is_other).copied()
    };
    let (from, to) = views.iter().find_map(|other| {
        let (own, offset, bytes) = place(*other)?;
        let is_there = own == arena && offset.max(start) < (offset + bytes).min(start + size);
        let is_other = is_there && name_of(*other) != name_of(view);
        // Few views overlap this one; only for those are all others searched.
        is_other.then(|| Some((*other, other_places(*other)?)))?
    })?;
    Some(Box::new(move || {
        let ends = [from, to].map(|view| as_bytes(view, op));
        Builder::new("mem.swap", op.location())
            .operands(ends)
            .before(op);
    }))
}

/// A view as a memref.
fn as_bytes(view: Op, before: Op) -> Value {
    match buffer_size(view.result().ty()) {
        Some(size) => descriptor(view, size, &format!("memref<{size}xi8>"), before),
        None => view.result(),
    }
}

fn descriptor(view: Op, size: i64, ty: &str, before: Op) -> Value {
    let context = before.context();
    Builder::new("mem.descriptor", view.location())
        .operands([view.result()])
        .result(Type::parse(context, ty))
        .integers(context, "static_bounds", &[0, size])
        .before(before)
        .result()
}

/// Inserts a call to an unknown callee before an operation that reads another place of a mutable
/// global.
fn writing_callee(op: Op) -> Option<Break> {
    const NAME: &str = "mem_break_callee";
    let reads = touched(op, EffectKind::Read)
        .into_iter()
        .filter_map(whole_view);
    let mut names = reads.filter_map(name_of);
    let global = names.find(|name| global_symbol(name).is_some() && !is_transfer(op))?;
    let module = std::iter::successors(op.parent(), |op| op.parent()).last()?;
    let of_name = |other: &Op| other.symbol().as_deref() == global_symbol(&global);
    let declared = module.direct_ops().find(of_name)?;
    if declared.attribute("constant").is_some() {
        return None;
    }
    Some(Box::new(move || {
        let context = op.context();
        let callee = Op::parse(context, &format!("func.func private @{NAME}()"));
        callee.insert_before(declared);
        let callee = Attribute::parse(context, &format!("@{NAME}"));
        Builder::new("func.call", op.location())
            .attribute("callee", callee)
            .before(op);
    }))
}

/// Makes a transfer change the order of the elements that it copies.
fn other_layout(op: Op) -> Option<Break> {
    if !is_transfer(op) {
        return None;
    }
    let [from, to] = [0, 1].map(|end| whole_view(op.operand(end)));
    let (from, to) = (from?, to?);
    let size = buffer_size(from.result().ty()).filter(|size| *size >= 4 && size % 2 == 0)?;
    let is_same = buffer_size(to.result().ty()) == Some(size);
    is_same.then(|| -> Break {
        Box::new(move || {
            let rows = format!("memref<2x{}xi8>", size / 2);
            let columns = format!("memref<2x{}xi8, strided<[1, 2]>>", size / 2);
            let ends = [
                descriptor(from, size, &rows, op),
                descriptor(to, size, &columns, op),
            ];
            op.set_operands(&ends);
        })
    })
}

/// Moves the target of a transfer to one byte after the start of its source.
fn onto_source(op: Op) -> Option<Break> {
    if !is_transfer(op) {
        return None;
    }
    let [from, to] = [0, 1].map(|end| whole_view(op.operand(end)));
    let (from, to) = (from?, to?);
    let (arena, offset, size) = place(from)?;
    let is_one_arena = to.operand(0) == arena && size > 1;
    is_one_arena.then(|| -> Break { Box::new(move || put(to, offset + 1)) })
}

/// Drops the assertion that arguments are disjoint from a function that writes one argument before
/// it recomputes something from another.
fn not_disjoint(op: Op) -> Option<Break> {
    op.attribute(RECOMPUTE)?;
    let block = op.block()?;
    let function = op.parent().filter(|parent| parent.name() == "func.func")?;
    let arguments = |kind: EffectKind, op: Op| {
        let roots = touched(op, kind).into_iter().map(root_of);
        roots
            .filter(|root| root.owner().is_none())
            .collect::<Vec<_>>()
    };
    let read = arguments(EffectKind::Read, op);
    let is_original = |other: &Op| {
        other.name() == op.name()
            && other.attribute(RECOMPUTE).is_none()
            && arguments(EffectKind::Read, *other) == read
    };
    // Only what follows the last operation that may be the original matters.
    let before = block.ops().take_while(|other| *other != op);
    let since: Vec<Op> = before.collect();
    let last = since.iter().rposition(is_original)?;
    let is_written = since[last + 1..].iter().any(|other| {
        let written = arguments(EffectKind::Write, *other);
        written.iter().any(|root| !read.contains(root))
    });
    (is_written && !read.is_empty()).then_some(())?;
    edit_arguments(function, |known, context| {
        without(known, "mem.noalias", context)
    })
}

/// Toggles whether a global is constant.
fn other_global(op: Op) -> Option<Break> {
    (op.name() == "memref.global").then(|| -> Break {
        Box::new(move || match op.attribute("constant") {
            Some(_) => op.remove_attribute("constant"),
            None => op.set_attribute("constant", Attribute::unit(op.context())),
        })
    })
}

/// The attributes without one entry; `None` if there is no such entry.
fn without(known: Attribute, name: &str, context: Context) -> Option<Attribute> {
    known.entry(name)?;
    let mut others = known.entries();
    others.retain(|(other, _)| *other != name);
    Some(Attribute::dictionary(context, &others))
}

/// Edits the attributes of all arguments of a function to which `edited` applies; `None` if there
/// are none.
fn edit_arguments(
    function: Op,
    edited: impl Fn(Attribute, Context) -> Option<Attribute>,
) -> Option<Break> {
    let context = function.context();
    let known = function.attribute("arg_attrs").and_then(|a| a.elements())?;
    let new: Vec<Option<Attribute>> = known.iter().map(|own| edited(*own, context)).collect();
    new.iter().any(Option::is_some).then(|| -> Break {
        Box::new(move || {
            let all = new.into_iter().zip(known);
            let all: Vec<Attribute> = all.map(|(new, known)| new.unwrap_or(known)).collect();
            function.set_attribute("arg_attrs", Attribute::array(context, &all));
        })
    })
}

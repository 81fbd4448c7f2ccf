//! `convert-memref-to-mem`: converts allocations to buffers, and static views of them to
//! descriptors.

use rustc_hash::FxHashMap as HashMap;

use mem_model::{BufferId, Role, Storage};

use crate::extract::checked_alignment;
use crate::extract::{
    BoundedSize, Callees, Extraction, Locations, Place, Refusal, Roots, extract,
    functions_bottom_up, not_planned,
};
use crate::framework::options::ConvertMemrefToMemOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::spaces::{named_level, space_of};
use crate::ir::{
    Attribute, Block, Builder, Diagnostic, Op, Type, Value, binary, buffer_type, byte_memref,
    constant_index, is_arena, memref_layout,
};

/// Maximum number of allocations of run-time size that are reported one by one.
const MAX_BOUNDED: usize = 4;

/// Counters for the pass statistics.
#[derive(Default)]
struct Counts {
    buffers: u64,
    bytes: u64,
    descriptors: u64,
    deallocations: u64,
    kept: u64,
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let alignment = checked_alignment(module, options.alignment)?;
    let mut counts = Counts::default();
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    for function in functions {
        let extraction = extract(function.op, Roots::Allocations, Locations::Skip, &callees);
        report_kept(&extraction, &mut counts);
        report_bounded(function.op, &extraction);
        materialize(&extraction, alignment, &mut counts);
        annotate_roles(function.op, &extraction);
        callees.learn(&function, &extraction, false);
    }
    run.set_statistic(Options::NUM_BUFFERS, counts.buffers);
    run.set_statistic(Options::NUM_BYTES, counts.bytes);
    run.set_statistic(Options::NUM_DESCRIPTORS, counts.descriptors);
    run.set_statistic(Options::NUM_DEALLOCATIONS, counts.deallocations);
    run.set_statistic(Options::NUM_KEPT, counts.kept);
    Ok(())
}

/// The allocation that defines a buffer, if it is to be converted.
fn allocation(extraction: &Extraction, buffer: BufferId) -> Option<Op> {
    let op = extraction.buffer_ops[buffer.index()]?;
    let convertible = extraction.program.buffers[buffer.index()].storage == Storage::Planned
        && matches!(op.name(), "memref.alloc" | "memref.alloca")
        && !extraction.refusals.contains_key(&buffer);
    convertible.then_some(op)
}

/// Emits a remark for every allocation that is kept, with the reason.
fn report_kept(extraction: &Extraction, counts: &mut Counts) {
    let refused = extraction.refusals.iter().filter_map(|(buffer, refusal)| {
        let op = extraction.buffer_ops[buffer.index()]?;
        op.name()
            .starts_with("memref.alloc")
            .then_some((op, refusal))
    });
    let misfits = extraction
        .misfits
        .iter()
        .map(|(op, refusal)| (*op, refusal));
    for (op, Refusal { reason, blame }) in refused.chain(misfits) {
        counts.kept += 1;
        // Its level has been chosen on purpose.
        if op
            .results()
            .any(|own| space_of(own.ty()).flatten().and_then(named_level).is_some())
        {
            continue;
        }
        let text = format!("allocation is not planned: {reason}");
        let mut remark = Diagnostic::remark(op.location(), text);
        if let Some(blame) = blame {
            remark = remark.note(blame.location(), format!("by this '{}'", blame.name()));
        }
        let function = &extraction.program.name;
        let filed = not_planned(reason.name(), op.location(), function, reason);
        match blame {
            Some(blame) => filed.with("By", blame.name()).emit(),
            None => filed.emit(),
        }
        remark.emit();
    }
}

/// Emits a remark on the allocations that are planned at an upper bound of their size: how far the
/// size may be below the bound, and which allocations may waste most.
fn report_bounded(function: Op, extraction: &Extraction) {
    let planned = (0..extraction.program.buffers.len()).map(BufferId::new);
    let planned: Vec<Op> = planned
        .filter_map(|buffer| allocation(extraction, buffer))
        .collect();
    let is_planned = |own: &&BoundedSize| planned.contains(&own.op);
    let mut sizes: Vec<&BoundedSize> = extraction.bounded_sizes.iter().filter(is_planned).collect();
    if sizes.is_empty() {
        return;
    }
    let sum = |of: fn(&BoundedSize) -> u64| {
        let sizes = sizes.iter().map(|own| of(own));
        sizes.fold(0, u64::saturating_add)
    };
    let text = format!(
        "upper bounds replace {} run-time sizes, which sum to between {} and {} bytes",
        sizes.len(),
        sum(|own| own.least),
        sum(|own| own.most),
    );
    let mut remark = Diagnostic::remark(function.location(), text);
    sizes.sort_by_key(|own| std::cmp::Reverse(own.most - own.least));
    for own in sizes.iter().take(MAX_BOUNDED) {
        let text = format!(
            "planned at its upper bound of {} bytes; it has at least {} bytes",
            own.most, own.least
        );
        remark = remark.note(own.op.location(), text);
    }
    remark.emit();
}

fn materialize(extraction: &Extraction, alignment: u64, counts: &mut Counts) {
    let mut dead: Vec<Op> = Vec::new();
    let mut descriptors: Vec<Value> = Vec::new();
    let mut products = Products::default();
    let mut new_buffers: Vec<Option<Value>> = vec![None; extraction.program.buffers.len()];
    for (index, model) in extraction.program.buffers.iter().enumerate() {
        let Some(op) = allocation(extraction, BufferId::new(index)) else {
            continue;
        };
        let context = op.context();
        let is_sized_late = extraction.sizes.contains_key(&BufferId::new(index));
        let size = (!is_sized_late).then_some(model.size.get() as i64);
        let bytes = is_sized_late.then(|| products.bytes(op));
        let buffer = Builder::new("mem.buffer", op.location())
            .operands(bytes)
            .result(buffer_type(context, size))
            .integer(
                context,
                "alignment",
                model.alignment.get().max(alignment) as i64,
            )
            .string(context, "name", &model.name)
            .before(op)
            .result();
        let whole = match size {
            Some(size) if op.operands().next().is_none() => {
                let whole = descriptor(op, buffer, 0, size);
                descriptors.extend(Some(whole).filter(|_| op.result().is_used()));
                whole
            }
            _ => shaped(op, buffer, size, bytes),
        };
        op.result().replace_with(whole);
        new_buffers[index] = Some(buffer);
        dead.push(op);
        counts.buffers += 1;
        counts.bytes += size.map_or(0, i64::unsigned_abs);
    }
    for (view, buffer, start, size) in static_views(extraction, &new_buffers) {
        let new = descriptor(view, buffer, start, size);
        view.result().replace_with(new);
        descriptors.push(new);
        dead.push(view);
        counts.descriptors += 1;
    }
    counts.deallocations += extraction.deallocations.len() as u64;
    dead.extend(&extraction.deallocations);
    dead.into_iter().rev().for_each(Op::erase);
    // Descriptors of inner views of a view chain, and of buffers that are only accessed through
    // views, have no uses left.
    let unused = descriptors.into_iter().filter(|value| !value.is_used());
    unused.filter_map(Value::owner).for_each(Op::erase);
}

/// Byte sizes that have been computed, to be reused within a block.
#[derive(Default)]
struct Products(HashMap<(Block, i64, Vec<Value>), Value>);

impl Products {
    /// The size in bytes of an allocation, computed before it.
    fn bytes(&mut self, op: Op) -> Value {
        let layout = memref_layout(op.result().ty());
        let row = layout.and_then(|layout| layout.known_bytes()).unwrap_or(0);
        let sizes: Vec<Value> = op.operands().collect();
        let key = op.block().map(|block| (block, row, sizes.clone()));
        if let Some(bytes) = key.as_ref().and_then(|key| self.0.get(key)) {
            return *bytes;
        }
        let times = |a, b| binary(op, "arith.muli", a, b);
        let product = sizes.into_iter().fold(constant_index(op, row), times);
        key.and_then(|key| self.0.insert(key, product));
        product
    }
}

/// A view of a whole buffer with the shape of an allocation that is dynamic or has a dynamic byte
/// size. `bytes` is the buffer's size, if its type does not state it.
fn shaped(op: Op, buffer: Value, size: Option<i64>, bytes: Option<Value>) -> Value {
    let whole = Builder::new("mem.descriptor", op.location())
        .operands([buffer])
        .operands(bytes)
        .result(byte_memref(op.context(), size))
        .integers(
            op.context(),
            "static_bounds",
            &[0, size.unwrap_or(i64::MIN)],
        )
        .before(op)
        .result();
    Builder::new("memref.view", op.location())
        .operands([whole, constant_index(op, 0)])
        .operands(op.operands())
        .result(op.result().ty())
        .before(op)
        .result()
}

/// Builds a descriptor of `size` bytes from `start` before `op`, with the type of `op`'s result.
fn descriptor(op: Op, buffer: Value, start: i64, size: i64) -> Value {
    Builder::new("mem.descriptor", op.location())
        .operands([buffer])
        .result(op.result().ty())
        .integers(op.context(), "static_bounds", &[start, size])
        .before(op)
        .result()
}

/// Views of converted buffers with constant byte bounds: the view, its new buffer, start and size.
fn static_views(
    extraction: &Extraction,
    new_buffers: &[Option<Value>],
) -> Vec<(Op, Value, i64, i64)> {
    const VIEWS: [&str; 7] = [
        "memref.subview",
        "memref.expand_shape",
        "memref.collapse_shape",
        "memref.cast",
        "memref.reinterpret_cast",
        "memref.transpose",
        "memref.view",
    ];
    let bytes = |value: Value, place: &Place| {
        let layout = memref_layout(value.ty())?;
        let (start, span) = (place.start()?, layout.span()?);
        // The pointer that the layout's offset is relative to must lie inside the buffer.
        (start >= layout.offset?.checked_mul(layout.element)?).then_some((start, span))
    };
    let mut views: Vec<(Op, Value, i64, i64)> = Vec::new();
    for (value, place) in &extraction.places {
        let Some(op) = value.owner().filter(|op| VIEWS.contains(&op.name())) else {
            continue;
        };
        let mem_model::PointerKind::Buffer(buffer) =
            extraction.program.pointers[place.pointer.index()].kind
        else {
            continue;
        };
        let model = &extraction.program.buffers[buffer.index()];
        let (Some(new), Some((start, size))) = (new_buffers[buffer.index()], bytes(*value, place))
        else {
            continue;
        };
        if start
            .checked_add(size)
            .is_some_and(|end| end as u64 <= model.size.get())
        {
            views.push((op, new, start, size));
        }
    }
    views
}

/// Marks arguments that are written as outputs and all others as inputs, unless they state a role.
fn annotate_roles(function: Op, extraction: &Extraction) {
    let arguments = &extraction.summary.arguments;
    if arguments.iter().all(Option::is_none) {
        return;
    }
    let context = function.context();
    let empty = Attribute::parse(context, "{}");
    let old = function.attribute("arg_attrs").and_then(|a| a.elements());
    let mut attributes = old.unwrap_or_else(|| vec![empty; arguments.len()]);
    let mut buffers = extraction.program.buffers.iter();
    let types = function
        .attribute("function_type")
        .and_then(|a| a.type_value());
    let types = types.map(Type::inputs).unwrap_or_default();
    for ((attribute, argument), ty) in attributes.iter_mut().zip(arguments).zip(types) {
        if argument.is_none() {
            continue;
        }
        // Arguments are the first buffers, in order.
        let role = buffers.next().map_or(Role::Input, |b| b.role);
        if attribute.entry("mem.role").is_none() && !is_arena(ty) {
            let name = if role == Role::Output {
                "output"
            } else {
                "input"
            };
            let value = Attribute::parse(context, &format!("#mem.role<{name}>"));
            *attribute = Attribute::with_entry(context, Some(*attribute), "mem.role", value);
        }
    }
    function.set_attribute("arg_attrs", Attribute::array(context, &attributes));
}

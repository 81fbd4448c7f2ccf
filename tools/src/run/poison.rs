//! Fills dead bytes of arenas with garbage, so that any later read of them shows in the results.
//!
//! Liveness is determined by data-flow analysis of the planned program. Bytes that are live in
//! another buffer are left alone, and so are functions whose addresses or step order are known only
//! at run time.

use std::ffi::c_void;

use melior::ir::Module;
use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Interval, IntervalSet, Point, StepId};
use mem_opt::dialect::{ArenaOp, SliceOp, ViewOp};
use mem_opt::internals::{
    Attribute, Builder, Extraction, Op, Type, Value, byte_memref, constant_index, extract_placed,
    is_buffer, rotation,
};

use super::block::Pattern;
use super::crash::guard;

/// The function that compiled code calls.
pub(super) const NAME: &str = "mem_run_poison";

/// The contents of dead bytes.
const SPOILT: Pattern = Pattern(0xBAD0_BEEF_BAD0_BEEF);

/// Bytes of a buffer that are dead after an operation, relative to the buffer's view.
struct Dead {
    after: Op,
    view: Op,
    bytes: Interval<Bytes>,
}

/// Inserts calls that fill bytes with garbage once they are dead.
pub(super) fn insert(module: &Module) {
    let module = Op::from(module);
    let mut dead = Vec::new();
    for extraction in extract_placed(module, 2) {
        let lifetimes = mem_flow::analyze_lifetimes(&extraction.program);
        let lifetimes = lifetimes.ok().filter(|found| found.unordered.is_empty());
        let places = places(&extraction);
        if let (Some(lifetimes), Some(places)) = (lifetimes, places) {
            find(&extraction, &lifetimes, &places, &mut dead);
        }
    }
    let first = module.direct_ops().next();
    if let Some(first) = first.filter(|_| !dead.is_empty()) {
        let source = format!("func.func private @{NAME}(index, index)");
        Op::parse(module.context(), &source).insert_before(first);
    }
    dead.into_iter().for_each(fill);
}

/// The arena of a buffer and the offsets of its slots; `None` for buffers that are not in an arena.
type Place = Option<(Value, Vec<u64>)>;

/// Per buffer: its place. `None` if some address is not known statically.
fn places(extraction: &Extraction) -> Option<Vec<Place>> {
    let offset = |op: Op| -> Option<(Value, u64)> {
        let arena = op.operand(0);
        let is_whole = arena.owner().is_none_or(|op| ArenaOp::of(op).is_some());
        let offset = op.attribute("offset")?.integer()?;
        is_whole.then_some((arena, u64::try_from(offset).ok()?))
    };
    let place = |op: &Option<Op>| -> Option<Place> {
        let Some(op) = *op else { return Some(None) };
        let views = match op.name() {
            ViewOp::NAME | SliceOp::NAME => vec![op],
            "mem.rotate" => rotation(op)
                .0
                .into_iter()
                .filter_map(Value::owner)
                .collect(),
            _ => return Some(None),
        };
        let offsets: Option<Vec<(Value, u64)>> = views.into_iter().map(offset).collect();
        let offsets = offsets?;
        let arena = offsets.first()?.0;
        Some(Some((
            arena,
            offsets.into_iter().map(|(_, offset)| offset).collect(),
        )))
    };
    extraction.buffer_ops.iter().map(place).collect()
}

/// Finds the bytes that die in one function, and where.
fn find(extraction: &Extraction, lifetimes: &Lifetimes, places: &[Place], dead: &mut Vec<Dead>) {
    let ends: Vec<usize> = {
        let blocks = extraction.program.blocks.iter();
        blocks.map(|block| block.steps.end.index()).collect()
    };
    for (index, place) in places.iter().enumerate() {
        let view = extraction.buffer_ops[index].filter(|op| ViewOp::of(*op).is_some());
        let (Some((arena, offsets)), Some(view)) = (place, view) else {
            continue;
        };
        if !is_buffer(view.result().ty()) || view.operands().count() > 1 {
            continue;
        }
        for part in &lifetimes.parts[index] {
            for live in part.live.iter() {
                let last = StepId::new((live.end.index() as usize).saturating_sub(1) / 2);
                let after = extraction.step_ops[last.index()];
                let is_inside = !ends.contains(&(last.index() + 1));
                if !is_inside || after.regions().next().is_some() || after.next().is_none() {
                    continue;
                }
                let next = Point::early(StepId::new(last.index() + 1));
                let addresses = Interval::new(
                    Bytes::new(offsets[0] + part.bytes.start.get()),
                    Bytes::new(offsets[0] + part.bytes.end.get()),
                );
                let mut free = IntervalSet::from_iter([addresses]);
                for (other, theirs) in places.iter().enumerate() {
                    if let Some((of, offsets)) = theirs
                        && of == arena
                    {
                        remove_live(lifetimes, BufferId::new(other), offsets, next, &mut free);
                    }
                }
                let relative = |byte: Bytes| Bytes::new(byte.get() - offsets[0]);
                dead.extend(free.iter().map(|bytes| Dead {
                    after,
                    view,
                    bytes: Interval::new(relative(bytes.start), relative(bytes.end)),
                }));
            }
        }
    }
}

/// Removes the addresses at which a buffer is live.
fn remove_live(
    lifetimes: &Lifetimes,
    buffer: BufferId,
    offsets: &[u64],
    at: Point,
    free: &mut IntervalSet<Bytes>,
) {
    for part in lifetimes.parts[buffer.index()]
        .iter()
        .filter(|part| part.live.contains(at))
    {
        for offset in offsets {
            let address = |byte: Bytes| Bytes::new(offset + byte.get());
            free.remove(Interval::new(
                address(part.bytes.start),
                address(part.bytes.end),
            ));
        }
    }
}

fn fill(dead: Dead) {
    let Some(next) = dead.after.next() else {
        return;
    };
    let (context, location) = (next.context(), dead.after.location());
    let [start, end] = [dead.bytes.start, dead.bytes.end].map(|byte| byte.get() as i64);
    let bytes = Builder::new("mem.descriptor", location)
        .operands([dead.view.result()])
        .result(byte_memref(context, Some(end - start)))
        .integers(context, "static_bounds", &[start, end - start])
        .before(next)
        .result();
    let address = Builder::new("memref.extract_aligned_pointer_as_index", location)
        .operands([bytes])
        .result(Type::index(context))
        .before(next)
        .result();
    let size = constant_index(next, end - start);
    Builder::new("func.call", location)
        .operands([address, size])
        .attribute("callee", Attribute::parse(context, &format!("@{NAME}")))
        .before(next);
}

/// Fills bytes with garbage.
extern "C" fn poison(address: usize, size: usize) {
    guard(|| {
        // SAFETY: compiled code passes the address and size of a buffer in an allocated arena.
        let bytes = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, size) };
        SPOILT.fill(bytes);
    });
}

/// The address of `poison`, for compiled code.
pub(super) fn address() -> *const c_void {
    poison as *const c_void
}

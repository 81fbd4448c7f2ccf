//! `mem-break-plan`: introduces one defect into a correct plan, so that the checkers of plans can
//! be tested.
//!
//! Each kind of break is guaranteed to matter. Contents are broken where lifetimes show that a step
//! is about to overwrite bytes that are still needed; every other kind falsifies a statement. The
//! kinds in `program` break not the plan but the operations around it, and the kinds in `contents`
//! break what the plan assumes at one moment. The kinds in `requests` concern exchanges with other
//! ranks.

mod contents;
mod program;
mod requests;
mod spaces;

use mem_flow::Lifetimes;
use mem_model::{AccessKind, BufferId, PointerKind, StepId};

use crate::extract::{Extraction, extract_placed};
use crate::framework::options::MemBreakPlanOptions as Options;
use crate::framework::{PassResult, PassRun, remark_nothing_to_break};
use crate::ir::dialect::{ArenaOp, SliceOp, ViewOp};
use crate::ir::spaces::LevelSpaces;
use crate::ir::{
    Attribute, Diagnostic, HIERARCHY, Op, SEGMENTS, Value, constant_index, storage_bytes,
};

/// All kinds, by name.
const KINDS: [(&str, Kind); 47] = [
    ("onto-another", Kind::Onto(Touch::All)),
    ("first-byte", Kind::Onto(Touch::FirstByte)),
    ("last-byte", Kind::Onto(Touch::LastByte)),
    ("other-way-round", Kind::Onto(Touch::Moved)),
    ("misaligned", Kind::Misaligned),
    ("beyond-the-end", Kind::BeyondEnd),
    ("beyond-every-end", Kind::BeyondEveryEnd),
    ("small-arena", Kind::SmallArena),
    ("arena-alignment", Kind::ArenaAlignment),
    ("level-capacity", Kind::LevelCapacity),
    ("proven-bound", Kind::ProvenBound),
    ("avoid-nothing", Kind::AvoidNothing),
    ("one-slot", Kind::OneSlot),
    ("equal-slots", Kind::EqualSlots),
    ("touching-slots", Kind::TouchingSlots),
    ("small-slice", Kind::SmallSlice),
    ("misaligned-slice", Kind::MisalignedSlice),
    ("slice-onto-another", Kind::SliceOnto),
    ("callee-needs-more", Kind::CalleeNeedsMore),
    ("stated-size", Kind::StatedSize),
    ("run-time-offset", Kind::RunTimeOffset),
    ("run-time-size", Kind::RunTimeSize),
    ("other-tensor", Kind::OtherTensor),
    ("lost-operation", Kind::LostOperation),
    ("lost-transfer", Kind::LostTransfer),
    ("lost-wait", Kind::LostWait),
    ("late-wait", Kind::LateWait),
    ("other-direction", Kind::OtherDirection),
    ("nothing-left", Kind::NothingLeft),
    ("repeats-nothing", Kind::RepeatsNothing),
    ("onto-operand", Kind::OntoOperand),
    ("onto-flight", Kind::OntoFlight),
    ("swap-taken", Kind::SwapTaken),
    ("writing-callee", Kind::WritingCallee),
    ("other-layout", Kind::OtherLayout),
    ("onto-source", Kind::OntoSource),
    ("not-disjoint", Kind::NotDisjoint),
    ("other-global", Kind::OtherGlobal),
    ("other-attribute", Kind::OtherAttribute),
    ("lost-name", Kind::LostName),
    ("other-space", Kind::OtherSpace),
    ("lost-request-wait", Kind::LostRequestWait),
    ("late-request-wait", Kind::LateRequestWait),
    ("onto-request", Kind::OntoRequest),
    ("early-result", Kind::EarlyResult),
    ("early-request-wait", Kind::EarlyRequestWait),
    ("swapped-messages", Kind::SwappedMessages),
];

#[derive(Clone, Copy)]
enum Kind {
    Onto(Touch),
    Misaligned,
    BeyondEnd,
    BeyondEveryEnd,
    SmallArena,
    ArenaAlignment,
    LevelCapacity,
    ProvenBound,
    AvoidNothing,
    OneSlot,
    EqualSlots,
    TouchingSlots,
    SmallSlice,
    MisalignedSlice,
    SliceOnto,
    CalleeNeedsMore,
    StatedSize,
    RunTimeOffset,
    RunTimeSize,
    OtherTensor,
    LostOperation,
    LostTransfer,
    LostWait,
    LateWait,
    OtherDirection,
    NothingLeft,
    RepeatsNothing,
    OntoOperand,
    OntoFlight,
    SwapTaken,
    WritingCallee,
    OtherLayout,
    OntoSource,
    NotDisjoint,
    OtherGlobal,
    OtherAttribute,
    LostName,
    OtherSpace,
    LostRequestWait,
    LateRequestWait,
    OntoRequest,
    EarlyResult,
    EarlyRequestWait,
    SwappedMessages,
}

/// How the bytes that are written come to overlap the bytes that are needed.
#[derive(Clone, Copy)]
enum Touch {
    /// The first written byte is on the first needed byte.
    All,
    /// The last written byte is on the first needed byte.
    FirstByte,
    /// The first written byte is on the last needed byte.
    LastByte,
    /// The needed bytes move onto the written ones.
    Moved,
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == options.kind) else {
        let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        let text = format!(
            "mem-break-plan: no kind '{}'; there are {}",
            options.kind,
            names.join(", ")
        );
        return Diagnostic::option_error(module, "kind", Some(&options.kind), text).fail();
    };
    let breaks = Breaks::new(module);
    let mut places = breaks.places(*kind);
    let index = usize::try_from(options.seed).unwrap_or(0);
    if places.is_empty() {
        remark_nothing_to_break(module, "mem-break-plan", &options.kind);
        run.set_statistic(Options::NUM_BROKEN, 0);
        return Ok(());
    }
    // Far apart, so that a few seeds cover different parts of a program.
    let stride = places.len() / 3 + 1;
    let chosen = places.swap_remove(index * stride % places.len());
    chosen();
    run.set_statistic(Options::NUM_BROKEN, 1);
    Ok(())
}

/// Breaks a plan when it is called.
type Break = Box<dyn FnOnce()>;

/// All functions of a module with their plans.
struct Breaks {
    module: Op,
    ops: Vec<Op>,
    functions: Vec<(Extraction, Option<Lifetimes>)>,
}

impl Breaks {
    fn new(module: Op) -> Self {
        let extractions = extract_placed(module, 2).into_iter();
        let extracted = extractions.map(|extraction| {
            let lifetimes = extraction.lifetimes().ok();
            (extraction, lifetimes)
        });
        let mut ops = Vec::new();
        module.walk(&mut |op| ops.push(op));
        Self {
            module,
            ops,
            functions: extracted.collect(),
        }
    }

    fn places(&self, kind: Kind) -> Vec<Break> {
        match kind {
            Kind::Onto(touch) => self.onto(touch, ViewOp::NAME),
            Kind::SliceOnto => self.onto(Touch::All, SliceOp::NAME),
            Kind::RunTimeOffset => self.run_time_offsets(),
            Kind::AvoidNothing | Kind::OneSlot | Kind::EqualSlots | Kind::TouchingSlots => {
                self.rotations(kind)
            }
            Kind::LevelCapacity => self.level_capacity(),
            Kind::StatedSize => self.stated_size(),
            Kind::OtherSpace => {
                let spaces = self.module.attribute(HIERARCHY).map(LevelSpaces::new);
                let of_op = |op: &Op| spaces::other_space(*op, spaces.as_ref()?);
                self.ops.iter().filter_map(of_op).collect()
            }
            _ => {
                let of_op = |op: &Op| {
                    break_op(*op, kind)
                        .or_else(|| program::break_op(*op, kind))
                        .or_else(|| contents::break_op(*op, kind))
                        .or_else(|| requests::break_op(*op, kind))
                };
                self.ops.iter().filter_map(of_op).collect()
            }
        }
    }

    /// Pairs of buffers in one arena, the first of which is needed after a step that writes the
    /// second. Each pair comes with the first and the last byte that is needed, and the first and
    /// the last byte that is written.
    fn victims(&self) -> Vec<(Op, Op, [i64; 4])> {
        let mut found = Vec::new();
        for (extraction, lifetimes) in &self.functions {
            let Some(lifetimes) = lifetimes else { continue };
            for block in &extraction.program.blocks {
                let (start, end) = (block.steps.start.index(), block.steps.end.index());
                // Whether bytes are needed after the last step of a block depends on where control
                // goes.
                for step in start..end.saturating_sub(1) {
                    victims_at(extraction, lifetimes, StepId::new(step), &mut found);
                }
            }
        }
        found
    }

    fn onto(&self, touch: Touch, written_by: &str) -> Vec<Break> {
        let of_kind = self
            .victims()
            .into_iter()
            .filter_map(|(needed, written, bytes)| {
                let [first, last, start, end] = bytes;
                let (a, b) = (constant_offset(needed)?, constant_offset(written)?);
                let (moved, offset) = match touch {
                    Touch::All => (written, a + first - start),
                    Touch::FirstByte => (written, a + first - end),
                    Touch::LastByte => (written, a + last - start),
                    Touch::Moved => (needed, b + start - first),
                };
                let is_wanted = written.name() == written_by && moved.name() == written_by;
                let is_exact = matches!(touch, Touch::FirstByte | Touch::LastByte);
                (is_wanted && offset >= 0).then(|| -> Break {
                    Box::new(move || {
                        // Misalignment must not be the reason for which the break is found.
                        if is_exact {
                            moved.remove_attribute("alignment");
                        }
                        set_offset(moved, offset);
                    })
                })
            });
        of_kind.collect()
    }

    /// Gives a buffer the run-time offset of another one that is needed when the first is written.
    fn run_time_offsets(&self) -> Vec<Break> {
        let pairs = self
            .victims()
            .into_iter()
            .filter(|(needed, written, bytes)| {
                let have_offsets = [needed, written]
                    .iter()
                    .all(|op| constant_offset(**op).is_none());
                have_offsets && bytes[0] == 0 && bytes[2] == 0
            });
        let breaks = pairs.map(|(needed, written, _)| -> Break {
            Box::new(move || {
                let mut operands: Vec<Value> = written.operands().collect();
                operands[1] = needed.operand(1);
                written.set_operands(&operands);
            })
        });
        breaks.collect()
    }

    fn rotations(&self, kind: Kind) -> Vec<Break> {
        let rotations = self.ops.iter().filter(|op| op.name() == "mem.rotate");
        let breaks = rotations.filter_map(|op| -> Option<Break> {
            let rotation = *op;
            let (slots, _) = crate::ir::dialect::rotation(rotation);
            let views: Vec<Op> = slots.iter().filter_map(|slot| slot.owner()).collect();
            let first = constant_offset(*views.first()?)?;
            let size = crate::ir::buffer_size(rotation.result().ty())?;
            if size == 0 {
                return None;
            }
            let context = rotation.context();
            Some(match kind {
                Kind::AvoidNothing => Box::new(move || {
                    rotation.set_operands(&slots);
                    let sizes = [slots.len() as i32, 0];
                    let sizes = Attribute::small_integers_attribute(context, &sizes);
                    rotation.set_attribute(SEGMENTS, sizes);
                }),
                Kind::OneSlot => Box::new(move || {
                    rotation.result().replace_with(slots[0]);
                    rotation.erase();
                }),
                Kind::EqualSlots => Box::new(move || set_offset(views[1], first)),
                _ => Box::new(move || {
                    views[1].remove_attribute("alignment");
                    set_offset(views[1], first + size - 1);
                }),
            })
        });
        breaks.collect()
    }

    /// Replaces the hierarchy by one whose level is smaller than an arena.
    fn level_capacity(&self) -> Vec<Break> {
        let module = self.module;
        let arenas = self.ops.iter().filter_map(|op| ArenaOp::of(*op));
        let breaks = arenas.filter_map(|arena| -> Option<Break> {
            let capacity = arena.size()?.checked_sub(1).filter(|bytes| *bytes > 0)?;
            let level = arena.level();
            Some(Box::new(move || {
                let text =
                    format!("#mem.hierarchy<#mem.level<\"{level}\", capacity = {capacity}>>");
                let hierarchy = Attribute::parse(module.context(), &text);
                module.set_attribute("mem.hierarchy", hierarchy);
            }))
        });
        breaks.collect()
    }

    /// Makes a function state a smaller arena than it needs.
    fn stated_size(&self) -> Vec<Break> {
        let breaks = self.ops.iter().filter_map(|function| -> Option<Break> {
            let mut attributes = function.attribute("arg_attrs")?.elements()?;
            let last = attributes.last()?;
            let stated = last.entry("mem.arena")?;
            let size = stated.entry("size")?.integer()?;
            let (function, context) = (*function, function.context());
            let less = Attribute::integer_attribute(context, size - 1);
            let stated = Attribute::with_entry(context, Some(stated), "size", less);
            let last = Attribute::with_entry(context, Some(*last), "mem.arena", stated);
            *attributes.last_mut()? = last;
            (size > 0).then(|| -> Break {
                Box::new(move || {
                    function.set_attribute("arg_attrs", Attribute::array(context, &attributes))
                })
            })
        });
        breaks.collect()
    }
}

/// Finds buffers that a step writes while other buffers in the same arena are needed after it.
fn victims_at(
    extraction: &Extraction,
    lifetimes: &Lifetimes,
    id: StepId,
    found: &mut Vec<(Op, Op, [i64; 4])>,
) {
    let program = &extraction.program;
    let step = &program.steps[id.index()];
    let later = mem_model::Point::late(id).next();
    let is_simple = |buffer: BufferId| {
        let op = extraction.buffer_ops[buffer.index()]?;
        let is_place = matches!(op.name(), ViewOp::NAME | SliceOp::NAME);
        (is_place && lifetimes.slots[buffer.index()] == 1).then_some(op)
    };
    for access in step
        .accesses
        .iter()
        .filter(|a| a.kind == AccessKind::Define)
    {
        let PointerKind::Buffer(written) = program.pointers[access.pointer.index()].kind else {
            continue;
        };
        let size = program.buffers[written.index()].size.get() as i64;
        let range = access.must.or(access.may);
        let (start, end) = range.map_or((0, size), |r| (r.start.get() as i64, r.end.get() as i64));
        let Some(op) = is_simple(written).filter(|_| start < end) else {
            continue;
        };
        for needed in (0..program.buffers.len()).map(BufferId::new) {
            let Some(other) = is_simple(needed).filter(|_| needed != written) else {
                continue;
            };
            let is_taken_over = lifetimes.reuses.contains(&(needed, written));
            if is_taken_over || other.operand(0) != op.operand(0) {
                continue;
            }
            for part in &lifetimes.parts[needed.index()] {
                let bytes = [part.bytes.start.get(), part.bytes.end.get()].map(|n| n as i64);
                if part.live.contains(mem_model::Point::late(id))
                    && part.live.contains(later)
                    && bytes[0] < bytes[1]
                {
                    found.push((other, op, [bytes[0], bytes[1] - 1, start, end - 1]));
                }
            }
        }
    }
}

/// The way to break a single operation on its own, if `kind` applies to it.
fn break_op(op: Op, kind: Kind) -> Option<Break> {
    let (view, slice, arena) = (ViewOp::of(op), SliceOp::of(op), ArenaOp::of(op));
    let offset = constant_offset(op);
    let size_of_arena = |op: Op| op.operand(0).owner().and_then(ArenaOp::of)?.size();
    match kind {
        Kind::Misaligned => {
            let offset = offset.filter(|_| view.and_then(ViewOp::alignment) > Some(1))?;
            Some(Box::new(move || set_offset(op, offset + 1)))
        }
        Kind::BeyondEnd => {
            view?;
            let end = size_of_arena(op)? as i64;
            (has_bytes(op)).then(|| -> Break { Box::new(move || set_offset(op, end)) })
        }
        Kind::BeyondEveryEnd => {
            view?;
            has_bytes(op).then(|| -> Break { Box::new(move || set_offset(op, i64::MAX - 63)) })
        }
        Kind::SmallArena => {
            let size = arena?.size()?.checked_sub(1)? as i64;
            Some(Box::new(move || set_integer(op, "size", size)))
        }
        Kind::ArenaAlignment => {
            let arena = arena?;
            let alignment = arena.alignment().filter(|alignment| *alignment > 1)? as i64;
            Some(Box::new(move || {
                set_integer(op, "alignment", alignment / 2)
            }))
        }
        Kind::ProvenBound => {
            let size = arena?.size()? as i64;
            Some(Box::new(move || set_integer(op, "proven_bound", size + 1)))
        }
        Kind::SmallSlice => {
            let size = slice?.size().checked_sub(1)? as i64;
            Some(Box::new(move || set_integer(op, "size", size)))
        }
        Kind::MisalignedSlice => {
            slice?;
            let offset = offset?;
            Some(Box::new(move || set_offset(op, offset + 1)))
        }
        Kind::CalleeNeedsMore => {
            view?;
            let offset = offset.filter(|_| op.operand(0).owner().is_none() && has_bytes(op))?;
            // Far enough to exceed any slice, and near enough to be a valid address.
            Some(Box::new(move || set_offset(op, offset + (1 << 40))))
        }
        Kind::RunTimeSize => {
            arena.filter(|arena| arena.size().is_none())?;
            Some(Box::new(move || op.set_operands(&[constant_index(op, 1)])))
        }
        _ => None,
    }
}

fn has_bytes(view: Op) -> bool {
    storage_bytes(view.result().ty()) > Some(0)
}

fn constant_offset(op: Op) -> Option<i64> {
    op.attribute("offset")?.integer()
}

fn set_integer(op: Op, name: &str, value: i64) {
    op.set_attribute(name, Attribute::integer_attribute(op.context(), value));
}

fn set_offset(op: Op, offset: i64) {
    set_integer(op, "offset", offset);
}

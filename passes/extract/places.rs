//! Places: follows views to the storage they are rooted in and computes their byte offset.
//!
//! The offset of a memref's layout is relative to the pointer that the memref shares with its
//! source, so the distance between two views of one root follows from their types alone. Only
//! `memref.view` and the dialect's own operations move the pointer itself.

use rustc_hash::FxHashSet as HashSet;

use mem_model::{AccessKind, Bytes, Interval, PointerId, PointerKind};
use mem_view::Untiled;

use super::Extractor;
use super::accesses::Accesses;
use super::scan::MAX_ALIGNMENT;
use crate::ir::dialect::DescriptorOp;
use crate::ir::tensors::{GROUP, UNTILED};
use crate::ir::{Op, VIEWS_OF_ELEMENTS, Value, view_source};

/// Views that contain all elements of their source.
const KEEPS_ELEMENTS: [&str; 5] = [
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
];

/// The storage a value denotes: a byte range relative to a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The storage.
    pub pointer: PointerId,
    /// Whether the value covers a whole buffer whose size is known only at run time.
    pub is_whole: bool,
    start: i64,
    end: i64,
}

/// Stands for offsets that are not constant: every view has a place, and options take twice the memory.
const NOT_CONSTANT: i64 = i64::MIN;

impl Place {
    /// The place of a value whose first element has this byte offset from the pointer; `None` if it is
    /// not constant.
    pub(super) fn new(pointer: PointerId, start: Option<i64>) -> Self {
        Self {
            pointer,
            is_whole: false,
            start: start.unwrap_or(NOT_CONSTANT),
            end: NOT_CONSTANT,
        }
    }

    /// Byte offset of the value's first element from the pointer; `None` if not constant.
    pub fn start(&self) -> Option<i64> {
        Some(self.start).filter(|start| *start != NOT_CONSTANT)
    }

    /// End of the byte range, if a descriptor with a constant size states it.
    pub fn end(&self) -> Option<i64> {
        Some(self.end).filter(|end| *end != NOT_CONSTANT)
    }
}

impl Extractor<'_> {
    /// Follows views to the storage that `value` denotes.
    pub(super) fn place(&mut self, value: Value) -> Place {
        // Iterative: chains of views can be longer than the stack is deep.
        let (mut chain, mut seen) = (Vec::new(), HashSet::default());
        let mut at = value;
        while !self.places.contains_key(&at) {
            let view = at.owner().and_then(|op| Some((op, view_source(op)?)));
            // In unreachable code, a value may be defined in terms of itself.
            let Some((op, source)) = view.filter(|_| seen.insert(at)) else {
                let pointer = self.elsewhere();
                self.places.insert(at, Place::new(pointer, None));
                break;
            };
            chain.push((op, at, source));
            at = source;
        }
        for (op, view, source) in chain.into_iter().rev() {
            let place = self.view_place(op, view, source);
            self.note_element_alignment(view, source, place);
            self.widen(op, view, place);
            self.places.insert(view, place);
        }
        self.places[&value]
    }

    /// Computes the place of a view from the place of its source.
    fn view_place(&mut self, op: Op, value: Value, source: Value) -> Place {
        let from = self.places[&source];
        match op.name() {
            "mem.descriptor" => {
                let [start, size] = descriptor_bounds(op);
                let start = from.start().zip(start).and_then(|(a, b)| a.checked_add(b));
                let end = start.zip(size).and_then(|(a, n)| a.checked_add(n));
                Place {
                    end: end.unwrap_or(NOT_CONSTANT),
                    is_whole: start == Some(0) && self.is_whole_descriptor(op, value),
                    ..Place::new(from.pointer, start)
                }
            }
            "mem.view" | "mem.slice" => {
                // Only where arenas are buffers: with other roots, each of these is a buffer, and
                // its place was recorded by the scan.
                let shift = op.attribute("offset").and_then(|a| a.integer());
                let start = from.start().zip(shift);
                Place::new(from.pointer, start.and_then(|(a, b)| a.checked_add(b)))
            }
            "memref.view" => {
                let shift = op.operand(1).constant();
                let start = from.start().zip(shift);
                Place {
                    is_whole: from.is_whole && shift == Some(0) && self.is_whole_view(op),
                    ..Place::new(from.pointer, start.and_then(|(a, b)| a.checked_add(b)))
                }
            }
            _ => {
                // Both offsets are relative to the pointer that the two share.
                let start = self
                    .offset_bytes(value)
                    .zip(self.offset_bytes(source))
                    .and_then(|(new, old)| from.start()?.checked_add(new.checked_sub(old)?));
                Place {
                    is_whole: from.is_whole && KEEPS_ELEMENTS.contains(&op.name()),
                    ..Place::new(from.pointer, start)
                }
            }
        }
    }

    /// Whether a descriptor covers its whole buffer, whose size is known only at run time.
    fn is_whole_descriptor(&mut self, op: Op, value: Value) -> bool {
        let buffer = match self.pointers[self.places[&op.operand(0)].pointer.index()].kind {
            PointerKind::Buffer(buffer) => buffer,
            // A merge may denote buffers of different sizes.
            PointerKind::Merge => return false,
        };
        let Some(size) = self.sizes.get(&buffer).cloned() else {
            return false;
        };
        let is_bytes = self
            .layout(value.ty())
            .is_some_and(|l| l.identity && l.element == 1);
        // Sizes are polynomials in numbered values: equal polynomials are equal sizes at run time.
        let own = op.operands().last().map(|bytes| self.unknowns.size(bytes));
        is_bytes && descriptor_bounds(op)[1].is_none() && own == Some(size)
    }

    /// Whether a `memref.view` of a whole buffer covers the whole buffer as well.
    fn is_whole_view(&mut self, op: Op) -> bool {
        let dimensions: Vec<Value> = op.operands().skip(2).collect();
        let source = op.operand(0).owner();
        let bytes = source.and_then(|descriptor| descriptor.operands().last());
        let (Some(layout), Some(bytes)) = (self.layout(op.result().ty()), bytes) else {
            return false;
        };
        // The caller has checked that the source covers its buffer; what remains is whether the
        // view covers its source.
        let own = self.unknowns.of_memref(&layout, &dimensions);
        layout.identity && own == Some(self.unknowns.size(bytes))
    }

    /// Records that a view with larger elements than its source relies on their alignment.
    fn note_element_alignment(&mut self, view: Value, source: Value, place: Place) {
        let bytes = self.layout(source.ty()).map_or(1, |l| l.element);
        if let Some(layout) = self.layout(view.ty()).filter(|l| l.element > bytes) {
            // An array is aligned like its elements, whatever their number.
            self.note_alignment(place, layout.element & layout.element.wrapping_neg());
        }
    }

    /// Records that the bytes of `place` are expected to be aligned to `alignment`, if that is
    /// possible at their offset.
    pub(super) fn note_alignment(&mut self, place: Place, alignment: i64) {
        let possible = |n: &u64| n.is_power_of_two() && *n <= MAX_ALIGNMENT;
        let Some(alignment) = u64::try_from(alignment).ok().filter(possible) else {
            return;
        };
        let multiple = |start: i64| start.unsigned_abs().is_multiple_of(alignment);
        if alignment > 1 && place.start().is_none_or(multiple) {
            self.alignments.push((place.pointer, alignment));
        }
    }

    /// A merge denotes at most the bytes that its type spans, unless a view reaches beyond them. In
    /// that case the extent of the merge is unknown, and no write is guaranteed to cover it.
    fn widen(&mut self, op: Op, view: Value, place: Place) {
        let is_within = VIEWS_OF_ELEMENTS.contains(&op.name())
            || matches!(op.name(), "mem.descriptor" | "memref.view");
        let merge = self.pointers[place.pointer.index()].kind == PointerKind::Merge;
        if !merge || is_within {
            return;
        }
        if self.byte_range(view, place, false).0.is_none() {
            self.pointers[place.pointer.index()].size = None;
        }
    }

    /// The bytes that an access through `value` touches, relative to its pointer: (may, must).
    /// `full` states that the access touches all of the value.
    pub(super) fn byte_range(
        &mut self,
        value: Value,
        place: Place,
        full: bool,
    ) -> (Option<Interval<Bytes>>, Option<Interval<Bytes>>) {
        let interval = |start: i64, end: i64| {
            let (start, end) = (u64::try_from(start).ok()?, u64::try_from(end).ok()?);
            (start <= end).then(|| Interval::new(Bytes::new(start), Bytes::new(end)))
        };
        if place.is_whole {
            // The modeled size stands for all bytes of the buffer, however many there are at run
            // time.
            let size = self.pointers[place.pointer.index()].size;
            let all = size.map(|size| Interval::new(Bytes::ZERO, size));
            return (all, all.filter(|_| full));
        }
        let Some(start) = place.start() else {
            return (None, None);
        };
        let layout = self.layout(value.ty());
        let span = layout.as_ref().and_then(|l| l.span());
        let Some(span) = span else {
            // The shape is dynamic, so only a descriptor can have stated the end.
            return (place.end().and_then(|end| interval(start, end)), None);
        };
        let may = start.checked_add(span).and_then(|end| interval(start, end));
        let dense = layout.is_some_and(|l| l.dense());
        // A view can exceed its storage, in code that is undefined when executed. Such an access
        // may touch any byte.
        let within = may.filter(|range| self.within(place.pointer, range.end));
        (within, within.filter(|_| full && dense))
    }

    /// Byte offset of a memref's first element from its aligned pointer.
    fn offset_bytes(&mut self, value: Value) -> Option<i64> {
        let layout = self.layout(value.ty())?;
        layout.offset?.checked_mul(layout.element)
    }

    /// Whether bytes up to `end` lie inside the storage of a pointer. True if its size is unknown.
    fn within(&self, pointer: PointerId, end: Bytes) -> bool {
        self.pointers[pointer.index()]
            .size
            .is_none_or(|size| end <= size)
    }

    /// Adds an access through `value` to `accesses`, unless it is to storage that is not modeled.
    pub(super) fn add_access(
        &mut self,
        accesses: &mut Accesses,
        value: Value,
        kind: AccessKind,
        full: bool,
    ) {
        let place = self.place(value);
        // Nothing of it is planned, so no lifetime depends on the access. Dependence analysis needs
        // it: unknown storage may be any that escaped.
        if self.elsewhere == Some(place.pointer) && !self.roots.is_precise() {
            return;
        }
        let (may, must) = self.byte_range(value, place, full);
        let access = mem_model::Access {
            may,
            must,
            ..mem_model::Access::anywhere(kind, place.pointer)
        };
        accesses.push(access, Some(value));
    }
}

/// Offset and size of a `mem.descriptor` in bytes; `None` for each that is not constant.
pub fn descriptor_bounds(op: Op) -> [Option<i64>; 2] {
    let bounds = DescriptorOp::of(op)
        .map(DescriptorOp::static_bounds)
        .unwrap_or_default();
    [0, 1].map(|i| bounds.get(i).copied().filter(|n| *n != i64::MIN))
}

impl super::Extraction {
    /// Per step: the group that it runs tile by tile with, or that an operation around it does; empty if
    /// there are none.
    pub(crate) fn groups(&self) -> Vec<Option<i64>> {
        let group = |op: &Op| {
            let around = std::iter::successors(Some(*op), |op| op.parent());
            let marks = around.filter_map(|op| op.attribute(GROUP)?.integer());
            marks.last()
        };
        let groups: Vec<Option<i64>> = self.step_ops.iter().map(group).collect();
        match groups.iter().any(Option::is_some) {
            true => groups,
            false => Vec::new(),
        }
    }

    /// Per step: what its operation accessed before it ran tile by tile; empty if no step does.
    pub(crate) fn untiled(&self) -> Vec<Option<Untiled>> {
        let untiled = |op: &Op| {
            let numbers = op.attribute(UNTILED)?.integers()?;
            let [operation, accessed, live] = <[i64; 3]>::try_from(numbers).ok()?;
            let bytes = |own: i64| u64::try_from(own).ok().map(Bytes::new);
            Some(Untiled {
                operation: usize::try_from(operation).ok()?,
                accessed: bytes(accessed)?,
                live: bytes(live)?,
            })
        };
        let untiled: Vec<Option<Untiled>> = self.step_ops.iter().map(untiled).collect();
        match untiled.iter().any(Option::is_some) {
            true => untiled,
            false => Vec::new(),
        }
    }

    /// Per buffer: shape and element type of the first memref that starts there, such as
    /// `1x64x112x112xf32`; empty if there is none. For people only.
    pub(crate) fn type_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.program.buffers.len()];
        for (value, place) in &self.places {
            let pointer = &self.program.pointers[place.pointer.index()];
            let PointerKind::Buffer(buffer) = pointer.kind else {
                continue;
            };
            let name = &mut names[buffer.index()];
            if !name.is_empty() || !matches!(place.start(), None | Some(0)) {
                continue;
            }
            // The memory space and the layout follow the element type.
            let ty = value.ty().to_string();
            if let Some(rest) = ty.strip_prefix("memref<") {
                let end = rest.find([',', '>']).unwrap_or(rest.len());
                *name = rest[..end].to_owned();
            }
        }
        names
    }
}

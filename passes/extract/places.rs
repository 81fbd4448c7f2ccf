//! Where in which storage a value points: views are followed to their root.
//!
//! A memref's layout offset counts from the pointer it shares with its source, so the distance
//! between two views of one root follows from their types alone; only `memref.view` and the
//! dialect's own operations move the pointer itself.

use mem_model::{AccessKind, Bytes, Interval, PointerId};

use super::Extractor;
use crate::mlir::{Op, Value, describe};

/// What a value denotes: bytes behind a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The storage.
    pub pointer: PointerId,
    /// Bytes from the pointer's start to the value's first element; `None` if not constant.
    pub start: Option<i64>,
    /// End of the bytes, if a descriptor with a constant size states it.
    pub end: Option<i64>,
}

impl Extractor<'_> {
    /// Follows views to the storage behind `value`.
    pub(super) fn place(&mut self, value: Value) -> Place {
        if let Some(place) = self.places.get(&value) {
            return *place;
        }
        let place = value.owner().and_then(|op| self.view_place(op, value));
        let place = place.unwrap_or_else(|| Place {
            pointer: self.elsewhere(),
            start: None,
            end: None,
        });
        self.places.insert(value, place);
        place
    }

    /// The place of a view, from its source's.
    fn view_place(&mut self, op: Op, value: Value) -> Option<Place> {
        let source = view_source(op)?;
        let from = self.place(source);
        let place = match op.name() {
            "mem.descriptor" => {
                let [start, size] = descriptor_bounds(op);
                let start = from.start.zip(start).and_then(|(a, b)| a.checked_add(b));
                Place {
                    start,
                    end: start.zip(size).and_then(|(a, n)| a.checked_add(n)),
                    ..from
                }
            }
            "memref.view" => {
                let shift = op.operand(1).constant();
                Place {
                    start: from.start.zip(shift).and_then(|(a, b)| a.checked_add(b)),
                    end: None,
                    ..from
                }
            }
            _ => {
                let start = self
                    .offset_bytes(value)
                    .zip(self.offset_bytes(source))
                    .and_then(|(new, old)| from.start?.checked_add(new.checked_sub(old)?));
                Place {
                    start,
                    end: None,
                    ..from
                }
            }
        };
        Some(place)
    }

    /// The bytes an access through `value` touches, relative to its pointer: (may, must).
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
        let Some(start) = place.start else {
            return (None, None);
        };
        let layout = self.layout(value.ty());
        let span = layout.as_ref().and_then(|l| l.span());
        let Some(span) = span else {
            return (place.end.and_then(|end| interval(start, end)), None);
        };
        let may = start.checked_add(span).and_then(|end| interval(start, end));
        let dense = layout.is_some_and(|l| l.dense());
        let within = may.filter(|range| self.within(place.pointer, range.end));
        (within, within.filter(|_| full && dense))
    }

    /// Bytes from a memref's pointer to its first element.
    fn offset_bytes(&mut self, value: Value) -> Option<i64> {
        let layout = self.layout(value.ty())?;
        layout.offset?.checked_mul(layout.element)
    }

    /// Whether bytes up to `end` are inside the storage behind a pointer, as far as known.
    fn within(&self, pointer: PointerId, end: Bytes) -> bool {
        self.pointers[pointer.index()]
            .size
            .is_none_or(|size| end <= size)
    }

    /// Adds an access through `value` to `accesses`, unless it is to storage nobody models.
    pub(super) fn add_access(
        &mut self,
        accesses: &mut Vec<mem_model::Access>,
        value: Value,
        kind: AccessKind,
        full: bool,
    ) {
        let place = self.place(value);
        if self.elsewhere == Some(place.pointer) {
            return;
        }
        let (may, must) = self.byte_range(value, place, full);
        let access = mem_model::Access {
            pointer: place.pointer,
            kind,
            may,
            must,
        };
        if !accesses.contains(&access) {
            accesses.push(access);
        }
    }
}

/// The value a view is a view of.
pub(crate) fn view_source(op: Op) -> Option<Value> {
    match op.name() {
        "mem.descriptor" => Some(op.operand(0)),
        _ => describe(op).view_source,
    }
}

/// Offset and size of a `mem.descriptor` in bytes, each if constant.
pub(crate) fn descriptor_bounds(op: Op) -> [Option<i64>; 2] {
    let bounds = op
        .attribute("static_bounds")
        .and_then(|a| a.integers())
        .unwrap_or_default();
    [0, 1].map(|i| bounds.get(i).copied().filter(|n| *n != i64::MIN))
}

/// A number attribute of an operation, if it has it and it is not negative.
pub(crate) fn stated_bytes(op: Op, name: &str) -> Option<u64> {
    op.attribute(name)
        .and_then(|a| a.integer())
        .and_then(|n| u64::try_from(n).ok())
}

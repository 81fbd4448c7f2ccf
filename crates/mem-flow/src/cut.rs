//! Cuts buffers into pieces, so that byte ranges that are needed at different times have separate
//! lifetimes.
//!
//! A buffer that no merge ever denotes is cut at every bound of an access to it. Each piece becomes
//! a buffer of a second program, and an access becomes one access to each piece that it may touch.
//! The analyses of names and instances can then treat each buffer as a unit.
//!
//! Piece 0 keeps the ids of the buffer and of its pointers; other pieces get new ids after all
//! existing ones.

use std::borrow::Cow;

use mem_model::{
    Access, Buffer, BufferId, Bytes, Interval, IntervalSet, Part, Point, Pointer, PointerId,
    PointerKind, Program,
};

/// A program whose buffers are cut into pieces.
pub(crate) struct Cut<'p> {
    /// The program over pieces; a copy only if a buffer has several.
    pub program: Cow<'p, Program>,
    /// Indexed by buffer of the original program: its pieces in ascending order of bytes.
    pieces: Vec<Vec<Piece>>,
    /// Buffers with more bounds than pieces.
    pub coarse: Vec<BufferId>,
}

#[derive(Clone, Copy)]
struct Piece {
    /// Id in the program over pieces.
    buffer: BufferId,
    /// Byte range `[start, end)` within the original buffer.
    bytes: Interval<Bytes>,
}

impl<'p> Cut<'p> {
    /// Cuts the buffers of a valid program. Near-linear in accesses and in the pieces that they
    /// touch.
    pub(crate) fn new(original: &'p Program) -> Self {
        let points = original.cut_points();
        let mut cut = Self {
            program: Cow::Borrowed(original),
            pieces: Vec::new(),
            coarse: points.coarse,
        };
        for (index, (buffer, inner)) in original.buffers.iter().zip(points.of_buffer).enumerate() {
            cut.cut_buffer(BufferId::new(index), buffer, &inner);
        }
        if cut.program.buffers.len() > original.buffers.len() {
            cut.cut_accesses(original);
        }
        cut
    }

    fn cut_buffer(&mut self, id: BufferId, buffer: &Buffer, inner: &[Bytes]) {
        // Most buffers stay as they are, and need no name.
        if inner.is_empty() {
            let bytes = Interval::new(Bytes::ZERO, buffer.size);
            return self.pieces.push(vec![Piece { buffer: id, bytes }]);
        }
        let program = self.program.to_mut();
        let starts = [Bytes::ZERO].into_iter().chain(inner.iter().copied());
        let ends = inner.iter().copied().chain([buffer.size]);
        let mut pieces = Vec::new();
        for (start, end) in starts.zip(ends) {
            let bytes = Interval::new(start, end);
            let piece = match pieces.is_empty() {
                true => id,
                false => BufferId::new(program.buffers.len()),
            };
            let cut = Buffer {
                size: size_of(bytes),
                name: format!("{}+{start}", buffer.name).into(),
                ..buffer.clone()
            };
            match program.buffers.get_mut(piece.index()) {
                Some(whole) => *whole = cut,
                None => program.buffers.push(cut),
            }
            pieces.push(Piece {
                buffer: piece,
                bytes,
            });
        }
        self.pieces.push(pieces);
    }

    /// Gives the pieces pointers, allocations and accesses.
    fn cut_accesses(&mut self, original: &Program) {
        // Indexed by pointer: the pointers to the pieces of its buffer.
        let mut names: Vec<Vec<PointerId>> = Vec::new();
        for (index, pointer) in original.pointers.iter().enumerate() {
            names.push(self.cut_pointer(PointerId::new(index), pointer));
        }
        let steps = &mut self.program.to_mut().steps;
        for (step, old) in steps.iter_mut().zip(&original.steps) {
            for buffer in &old.allocates {
                let pieces = &self.pieces[buffer.index()];
                step.allocates.extend(pieces[1..].iter().map(|p| p.buffer));
            }
            step.accesses.clear();
            for access in &old.accesses {
                let pointer = &original.pointers[access.pointer.index()];
                match pointer.kind {
                    PointerKind::Buffer(buffer) if self.pieces[buffer.index()].len() > 1 => {
                        let pieces = &self.pieces[buffer.index()];
                        let names = &names[access.pointer.index()];
                        step.accesses
                            .extend(in_pieces(access, pointer, pieces, names));
                    }
                    _ => step.accesses.push(access.clone()),
                }
            }
        }
    }

    /// Makes pointers to the pieces of the buffer that `pointer` denotes.
    fn cut_pointer(&mut self, id: PointerId, pointer: &Pointer) -> Vec<PointerId> {
        let PointerKind::Buffer(buffer) = pointer.kind else {
            return vec![id];
        };
        let pieces = &self.pieces[buffer.index()];
        if pieces.len() == 1 {
            return vec![id];
        }
        let pointers = &mut self.program.to_mut().pointers;
        let mut names = Vec::new();
        for piece in pieces {
            let name = Pointer {
                name: format!("{}+{}", pointer.name, piece.bytes.start).into(),
                kind: PointerKind::Buffer(piece.buffer),
                size: Some(size_of(piece.bytes)),
            };
            if names.is_empty() {
                pointers[id.index()] = name;
                names.push(id);
            } else {
                names.push(PointerId::new(pointers.len()));
                pointers.push(name);
            }
        }
        names
    }

    /// Lifetimes of the original buffers, from the lifetimes of their pieces. Adjacent pieces with
    /// the same lifetime form one part. Pieces that are never live are dropped, unless no piece is
    /// ever live.
    pub(crate) fn parts(&self, live: &[IntervalSet<Point>]) -> Vec<Vec<Part>> {
        let of_buffer = |pieces: &Vec<Piece>| {
            // Nearly all buffers have one part.
            let mut parts: Vec<Part> = Vec::with_capacity(1);
            for piece in pieces {
                let live = &live[piece.buffer.index()];
                match parts.last_mut() {
                    Some(last) if last.live == *live => last.bytes.end = piece.bytes.end,
                    _ => parts.push(Part {
                        bytes: piece.bytes,
                        live: live.clone(),
                    }),
                }
            }
            if parts.len() > 1 {
                parts.retain(|part| !part.live.is_empty());
            }
            parts
        };
        self.pieces.iter().map(of_buffer).collect()
    }
}

fn size_of(bytes: Interval<Bytes>) -> Bytes {
    bytes.end.checked_sub(bytes.start).unwrap_or_default()
}

/// Splits an access to a buffer into accesses to the pieces that it may touch.
fn in_pieces(
    access: &Access,
    pointer: &Pointer,
    pieces: &[Piece],
    names: &[PointerId],
) -> impl Iterator<Item = Access> {
    let end = pieces.last().map_or(Bytes::ZERO, |piece| piece.bytes.end);
    let reach = Interval::new(Bytes::ZERO, pointer.size.map_or(end, |size| size.min(end)));
    let may = access.may.map_or(reach, |may| may.intersection(reach));
    let first = pieces.partition_point(|piece| piece.bytes.end <= may.start);
    let touched = pieces[first..].iter().zip(&names[first..]);
    let touched = touched.take_while(move |(piece, _)| piece.bytes.start < may.end);
    touched.map(move |(piece, name)| {
        let within = |range: Interval<Bytes>| {
            let range = range.intersection(piece.bytes);
            let relative = |at: Bytes| at.checked_sub(piece.bytes.start).unwrap_or_default();
            Interval::new(relative(range.start), relative(range.end))
        };
        let must = access.certain().map(within).filter(|must| !must.is_empty());
        Access {
            may: Some(within(may)),
            must,
            ..Access::anywhere(access.kind, *name)
        }
    })
}

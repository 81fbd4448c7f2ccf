//! Splits buffers into pieces, so that bytes that are accessed separately are checked separately.
//!
//! Only buffers that no merge denotes are cut. Each piece gets a buffer and a pointer of its own.
//! Accesses through a pointer to the whole are redirected to the pieces that they may touch. The
//! rest of the program is unchanged. The positions of the cuts affect only precision.

use std::borrow::Cow;

use mem_model::{
    Access, AccessKind, Buffer, BufferId, Bytes, Interval, Pointer, PointerId, PointerKind, Program,
};

use super::Ranges;

/// The program to check, with the original ids of its buffers and pointers.
pub(super) struct Pieces<'p> {
    /// Borrowed if no buffer is cut.
    pub program: Cow<'p, Program>,
    pub ranges: Ranges,
    buffers: Vec<BufferId>,
    pointers: Vec<PointerId>,
}

impl<'p> Pieces<'p> {
    /// Cuts `program`, whose buffers are at the addresses `ranges`. O(accesses × pieces of a
    /// buffer).
    pub(super) fn new(program: &'p Program, ranges: Ranges) -> Self {
        let mut pieces = Self {
            program: Cow::Borrowed(program),
            ranges,
            buffers: (0..program.buffers.len()).map(BufferId::new).collect(),
            pointers: (0..program.pointers.len()).map(PointerId::new).collect(),
        };
        let mut cuts = Vec::new();
        for (index, inside) in program.cut_points().of_buffer.into_iter().enumerate() {
            let is_cut = !inside.is_empty() && pieces.ranges[index].len() == 1;
            cuts.push(is_cut.then(|| pieces.cut(BufferId::new(index), &inside)));
        }
        if cuts.iter().all(Option::is_none) {
            return pieces;
        }
        let mut names = Vec::new();
        for (index, pointer) in program.pointers.iter().enumerate() {
            names.push(match pointer.kind {
                PointerKind::Buffer(buffer) => cuts[buffer.index()]
                    .as_ref()
                    .map(|cut| pieces.name(PointerId::new(index), cut)),
                PointerKind::Merge => None,
            });
        }
        for step in &mut pieces.program.to_mut().steps {
            let new = step
                .allocates
                .iter()
                .filter_map(|b| cuts[b.index()].as_ref());
            let new: Vec<BufferId> = new.flat_map(Cut::buffers).collect();
            step.allocates.extend(new);
            let is_cut = |access: &Access| names[access.pointer.index()].is_some();
            if !step.accesses.iter().any(is_cut) {
                continue;
            }
            for access in std::mem::take(&mut step.accesses) {
                match &names[access.pointer.index()] {
                    Some(names) => step
                        .accesses
                        .extend(names.iter().filter_map(|n| n.of(&access))),
                    None => step.accesses.push(access),
                }
            }
        }
        pieces
    }

    /// Returns the buffer of the uncut program that a piece belongs to.
    pub(super) fn buffer(&self, piece: BufferId) -> BufferId {
        self.buffers[piece.index()]
    }

    /// Returns the buffer whose address a pointer of the uncut program is.
    pub(super) fn buffer_denoted(&self, pointer: PointerId) -> Option<BufferId> {
        // Pointers of the uncut program come first and keep their ids and buffers.
        match self.program.pointers[pointer.index()].kind {
            PointerKind::Buffer(buffer) => Some(self.buffer(buffer)),
            PointerKind::Merge => None,
        }
    }

    /// Returns the corresponding pointer of the uncut program.
    pub(super) fn pointer(&self, name: PointerId) -> PointerId {
        self.pointers[name.index()]
    }

    /// Creates buffers for the pieces of `buffer`, which is no longer accessed as a whole.
    fn cut(&mut self, buffer: BufferId, inside: &[Bytes]) -> Cut {
        let address = self.ranges[buffer.index()][0].0;
        let whole = self.program.buffers[buffer.index()].clone();
        let mut bounds = vec![Bytes::ZERO];
        bounds.extend(inside);
        bounds.push(whole.size);
        let first = self.program.buffers.len();
        for pair in bounds.windows(2) {
            let (start, end) = (pair[0].get(), pair[1].get());
            self.buffers.push(buffer);
            self.ranges.push(vec![(address + start, address + end)]);
            self.program.to_mut().buffers.push(Buffer {
                name: format!("{}+{start}", whole.name).into(),
                size: Bytes::new(end - start),
                ..whole.clone()
            });
        }
        Cut { first, bounds }
    }

    /// Creates pointers to the pieces of the buffer that `pointer` denotes.
    fn name(&mut self, pointer: PointerId, cut: &Cut) -> Vec<PieceName> {
        let whole = self.program.pointers[pointer.index()].clone();
        let mut names = Vec::new();
        for (buffer, pair) in cut.buffers().zip(cut.bounds.windows(2)) {
            let (start, end) = (pair[0], pair[1]);
            names.push(PieceName {
                name: PointerId::new(self.program.pointers.len()),
                reach: whole.size,
                start,
                end,
            });
            self.pointers.push(pointer);
            self.program.to_mut().pointers.push(Pointer {
                name: format!("{}+{start}", whole.name).into(),
                kind: PointerKind::Buffer(buffer),
                size: end.checked_sub(start),
            });
        }
        names
    }
}

/// The pieces of one buffer.
struct Cut {
    /// Index of the first piece.
    first: usize,
    /// Offsets at which the pieces start, and the end of the last piece.
    bounds: Vec<Bytes>,
}

impl Cut {
    fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        (self.first..self.first + self.bounds.len() - 1).map(BufferId::new)
    }
}

/// A pointer to one piece.
struct PieceName {
    name: PointerId,
    /// Bytes reachable through the pointer to the whole.
    reach: Option<Bytes>,
    start: Bytes,
    end: Bytes,
}

impl PieceName {
    /// Restricts an access to the whole to this piece; `None` if it cannot touch the piece.
    fn of(&self, access: &Access) -> Option<Access> {
        let (start, end) = (self.start, self.end);
        let touches = match access.may {
            Some(may) => may.start < end && start < may.end && may.start < may.end,
            None => self.reach.is_none_or(|reach| start < reach),
        };
        // The lower bound matters only for writes of the entire piece, which make clobbered bytes
        // good.
        let whole = Interval::new(Bytes::ZERO, end.checked_sub(start).unwrap_or_default());
        let is_all = access.kind == AccessKind::Define
            && access
                .certain()
                .is_some_and(|must| must.start <= start && end <= must.end);
        touches.then(|| Access {
            may: Some(whole),
            must: is_all.then_some(whole),
            ..Access::anywhere(access.kind, self.name)
        })
    }
}

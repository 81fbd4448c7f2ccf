//! Buffers in pieces: bytes that are accessed apart are checked apart.
//!
//! The buffers that no merge denotes are cut; for each piece there is a buffer and a name of its own,
//! and what went to a name of the whole goes to those of the pieces it may touch. The rest of the
//! program stays as it is. Where the cuts are decides only how much is told apart.

use mem_model::{
    Access, AccessKind, Buffer, BufferId, Bytes, Interval, Pointer, PointerId, PointerKind, Program,
};

use super::Ranges;

/// The program to check, and what its ids were before.
pub(super) struct Pieces {
    pub program: Program,
    pub ranges: Ranges,
    buffers: Vec<BufferId>,
    pointers: Vec<PointerId>,
}

impl Pieces {
    /// Cuts `program`, whose buffers lie in `ranges`. O(accesses × pieces of a buffer).
    pub fn new(program: &Program, ranges: Ranges) -> Self {
        let mut pieces = Self {
            program: program.clone(),
            ranges,
            buffers: (0..program.buffers.len()).map(BufferId::new).collect(),
            pointers: (0..program.pointers.len()).map(PointerId::new).collect(),
        };
        let mut cuts = Vec::new();
        for (index, inside) in program.cut_points().of_buffer.into_iter().enumerate() {
            let is_cut = !inside.is_empty() && pieces.ranges[index].len() == 1;
            cuts.push(is_cut.then(|| pieces.cut(BufferId::new(index), &inside)));
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
        for step in &mut pieces.program.steps {
            let new = step
                .allocates
                .iter()
                .filter_map(|b| cuts[b.index()].as_ref());
            let new: Vec<BufferId> = new.flat_map(Cut::buffers).collect();
            step.allocates.extend(new);
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

    /// The buffer of the uncut program that a piece belongs to.
    pub fn buffer(&self, piece: BufferId) -> BufferId {
        self.buffers[piece.index()]
    }

    /// The buffer whose address a name of the uncut program is.
    pub fn buffer_denoted(&self, pointer: PointerId) -> Option<BufferId> {
        // Names of the uncut program come first, and stay; a name of a cut buffer is that of its first piece.
        match self.program.pointers[pointer.index()].kind {
            PointerKind::Buffer(buffer) => Some(self.buffer(buffer)),
            PointerKind::Merge => None,
        }
    }

    /// The name of the uncut program.
    pub fn pointer(&self, name: PointerId) -> PointerId {
        self.pointers[name.index()]
    }

    /// New buffers for the bytes of `buffer`, which will never be accessed as a whole again.
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
            self.program.buffers.push(Buffer {
                name: format!("{}+{start}", whole.name),
                size: Bytes::new(end - start),
                ..whole.clone()
            });
        }
        Cut { first, bounds }
    }

    /// Names for the pieces of what `pointer` is the address of.
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
            self.program.pointers.push(Pointer {
                name: format!("{}+{start}", whole.name),
                kind: PointerKind::Buffer(buffer),
                size: end.checked_sub(start),
            });
        }
        names
    }
}

/// The pieces of one buffer.
struct Cut {
    /// The first of them, as an index.
    first: usize,
    /// Where they begin, and where the last one ends.
    bounds: Vec<Bytes>,
}

impl Cut {
    fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        (self.first..self.first + self.bounds.len() - 1).map(BufferId::new)
    }
}

/// The address of one piece.
struct PieceName {
    name: PointerId,
    /// What could be reached by the name of the whole.
    reach: Option<Bytes>,
    start: Bytes,
    end: Bytes,
}

impl PieceName {
    /// What an access to the whole does to the piece, if it may touch it.
    fn of(&self, access: &Access) -> Option<Access> {
        let (start, end) = (self.start, self.end);
        let touches = match access.may {
            Some(may) => may.start < end && start < may.end && may.start < may.end,
            None => self.reach.is_none_or(|reach| start < reach),
        };
        // Only writes of everything matter: they make clobbered bytes good again.
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

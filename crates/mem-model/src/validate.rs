//! Well-formedness of programs. All later code relies on these invariants and on no others; a
//! program from a file or from IR is validated once, on entry.
//!
//! Checked: an entry block exists; ids are in range; names are unique; alignments are powers of
//! two; regions form a tree rooted in the function; blocks cover the steps in order; byte ranges
//! are not reversed, and `must` lies within `may`; only merges are bound, at most once at a time,
//! and to at least one source; every merge that reachable code accesses is bound somewhere.
//!
//! Not checked: that every path binds a merge before it is accessed, or computes a symbol before it
//! is used.

use rustc_hash::FxHashSet as HashSet;

use crate::{
    Access, Binding, BlockId, BufferId, Interval, PointerId, PointerKind, Program, RegionId,
    RegionKind, StepId, SymbolId, TokenId,
};
use fixedbitset::FixedBitSet;

/// The entity that an error refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The program as a whole.
    Program,
    /// A buffer.
    Buffer(BufferId),
    /// A pointer.
    Pointer(PointerId),
    /// A region.
    Region(RegionId),
    /// A block or one of its edges.
    Block(BlockId),
    /// A step.
    Step(StepId),
    /// A scalar value that bounds and predicates depend on.
    Symbol(SymbolId),
    /// A completion token.
    Token(TokenId),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program => write!(f, "the program"),
            Self::Buffer(id) => write!(f, "buffer {id}"),
            Self::Pointer(id) => write!(f, "pointer {id}"),
            Self::Region(id) => write!(f, "region {id}"),
            Self::Block(id) => write!(f, "block {id}"),
            Self::Step(id) => write!(f, "step {id}"),
            Self::Symbol(id) => write!(f, "symbol {id}"),
            Self::Token(id) => write!(f, "token {id}"),
        }
    }
}

/// Why a program is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// A program needs an entry block.
    #[error("the program has no blocks")]
    NoEntry,
    /// Ids index vectors; this one is out of range.
    #[error("{0} refers to {1}, which does not exist")]
    Unknown(Subject, Subject),
    /// Names identify buffers and pointers in plans and messages.
    #[error("{0} has the name of another")]
    DuplicateName(Subject),
    /// Alignments are powers of two.
    #[error("the alignment of buffer {0} is not a power of two")]
    Alignment(BufferId),
    /// Region 0 is the function; the parent of every other region precedes it.
    #[error("region {0} is not part of a tree rooted in the function")]
    RegionTree(RegionId),
    /// Blocks list the steps in layout order, which lifetimes are expressed in.
    #[error("the steps of block {0} do not start where those of the block before end")]
    BlockOrder(BlockId),
    /// A step outside of all blocks would never run.
    #[error("step {0} belongs to no block")]
    StepWithoutBlock(StepId),
    /// A range ends before it starts.
    #[error("step {0} has a reversed byte range")]
    ReversedRange(StepId),
    /// Bytes that every execution touches must be among those that some execution may touch.
    #[error("step {0} must touch bytes that it may not touch")]
    MustOutsideMay(StepId),
    /// The address of a buffer is constant.
    #[error("{0} binds {1}, which is not a merge")]
    BoundBuffer(Subject, PointerId),
    /// The bindings of an edge or a step happen simultaneously; two bindings of one merge
    /// contradict each other.
    #[error("{0} binds {1} twice at a time")]
    BoundTwice(Subject, PointerId),
    /// A merge denotes the storage of one of its sources, so it needs at least one.
    #[error("{0} binds {1} to nothing")]
    BoundToNothing(Subject, PointerId),
    /// The merge could denote any storage, so no lifetime would be safe.
    #[error("step {0} accesses {1}, which is never bound")]
    NeverBound(StepId, PointerId),
}

impl ProgramError {
    /// Returns the entity that the error refers to.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        match *self {
            Self::NoEntry => Subject::Program,
            Self::Unknown(subject, _)
            | Self::DuplicateName(subject)
            | Self::BoundBuffer(subject, _)
            | Self::BoundTwice(subject, _)
            | Self::BoundToNothing(subject, _) => subject,
            Self::Alignment(id) => Subject::Buffer(id),
            Self::RegionTree(id) => Subject::Region(id),
            Self::BlockOrder(id) => Subject::Block(id),
            Self::StepWithoutBlock(id)
            | Self::ReversedRange(id)
            | Self::MustOutsideMay(id)
            | Self::NeverBound(id, _) => Subject::Step(id),
        }
    }
}

impl Program {
    /// Checks that the program is well-formed; see the module documentation. O(size of the
    /// program).
    ///
    /// # Errors
    /// The first violation found.
    pub fn validate(&self) -> Result<(), ProgramError> {
        self.validate_buffers()?;
        self.validate_pointers()?;
        self.validate_symbols()?;
        self.validate_regions()?;
        self.validate_blocks()?;
        self.validate_steps()?;
        self.validate_merges_are_bound()
    }

    /// Returns the blocks reachable from the entry. O(edges).
    #[must_use]
    pub fn reachable_blocks(&self) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.blocks.len());
        let mut work = Vec::new();
        if !self.blocks.is_empty() {
            reached.insert(0);
            work.push(0);
        }
        while let Some(block) = work.pop() {
            for edge in &self.blocks[block].successors {
                if !reached.put(edge.target.index()) {
                    work.push(edge.target.index());
                }
            }
        }
        reached
    }

    fn validate_buffers(&self) -> Result<(), ProgramError> {
        let mut names = HashSet::default();
        for (index, buffer) in self.buffers.iter().enumerate() {
            let id = BufferId::new(index);
            if !buffer.alignment.is_power_of_two() {
                return Err(ProgramError::Alignment(id));
            }
            if !names.insert(&*buffer.name) {
                return Err(ProgramError::DuplicateName(Subject::Buffer(id)));
            }
        }
        Ok(())
    }

    fn validate_pointers(&self) -> Result<(), ProgramError> {
        let mut names = HashSet::default();
        for (index, pointer) in self.pointers.iter().enumerate() {
            let subject = Subject::Pointer(PointerId::new(index));
            if let PointerKind::Buffer(buffer) = pointer.kind {
                in_range(
                    subject,
                    Subject::Buffer(buffer),
                    buffer.index(),
                    self.buffers.len(),
                )?;
            }
            if !names.insert(&*pointer.name) {
                return Err(ProgramError::DuplicateName(subject));
            }
        }
        Ok(())
    }

    fn validate_symbols(&self) -> Result<(), ProgramError> {
        for (index, symbol) in self.symbols.iter().enumerate() {
            let subject = Subject::Symbol(SymbolId::new(index));
            for block in &symbol.blocks {
                let n_blocks = self.blocks.len();
                in_range(subject, Subject::Block(*block), block.index(), n_blocks)?;
            }
        }
        Ok(())
    }

    fn validate_regions(&self) -> Result<(), ProgramError> {
        for (index, region) in self.regions.iter().enumerate() {
            let is_root = region.kind == RegionKind::Function;
            let fits = match region.parent {
                None => index == 0 && is_root,
                Some(parent) => parent.index() < index && !is_root,
            };
            if !fits {
                return Err(ProgramError::RegionTree(RegionId::new(index)));
            }
        }
        Ok(())
    }

    fn validate_blocks(&self) -> Result<(), ProgramError> {
        let mut next = 0;
        for (index, block) in self.blocks.iter().enumerate() {
            let id = BlockId::new(index);
            let subject = Subject::Block(id);
            let region = block.region;
            in_range(
                subject,
                Subject::Region(region),
                region.index(),
                self.regions.len(),
            )?;
            let (start, end) = (block.steps.start.index(), block.steps.end.index());
            if start != next || end < start || end > self.steps.len() {
                return Err(ProgramError::BlockOrder(id));
            }
            next = end;
            for edge in &block.successors {
                let target = edge.target;
                in_range(
                    subject,
                    Subject::Block(target),
                    target.index(),
                    self.blocks.len(),
                )?;
                self.validate_bindings(subject, &edge.bindings)?;
            }
        }
        if self.blocks.is_empty() {
            return Err(ProgramError::NoEntry);
        }
        if next < self.steps.len() {
            return Err(ProgramError::StepWithoutBlock(StepId::new(next)));
        }
        Ok(())
    }

    fn validate_steps(&self) -> Result<(), ProgramError> {
        for (index, step) in self.steps.iter().enumerate() {
            let id = StepId::new(index);
            let subject = Subject::Step(id);
            for &buffer in &step.allocates {
                in_range(
                    subject,
                    Subject::Buffer(buffer),
                    buffer.index(),
                    self.buffers.len(),
                )?;
            }
            self.validate_bindings(subject, &step.bindings)?;
            for (operand, result) in &step.in_place {
                for pointer in [operand, result] {
                    let n_pointers = self.pointers.len();
                    in_range(
                        subject,
                        Subject::Pointer(*pointer),
                        pointer.index(),
                        n_pointers,
                    )?;
                }
            }
            for token in &step.waits {
                let waited = Subject::Token(*token);
                in_range(subject, waited, token.index(), self.tokens.len())?;
            }
            for access in &step.accesses {
                self.validate_pointer(subject, access.pointer)?;
                validate_ranges(id, access)?;
                validate_detail(self, id, access)?;
            }
        }
        Ok(())
    }

    fn validate_bindings(
        &self,
        subject: Subject,
        bindings: &[Binding],
    ) -> Result<(), ProgramError> {
        let mut targets = HashSet::default();
        for binding in bindings {
            let target = binding.target;
            self.validate_pointer(subject, target)?;
            if self.pointers[target.index()].kind != PointerKind::Merge {
                return Err(ProgramError::BoundBuffer(subject, target));
            }
            if !targets.insert(target) {
                return Err(ProgramError::BoundTwice(subject, target));
            }
            if binding.sources.is_empty() {
                return Err(ProgramError::BoundToNothing(subject, target));
            }
            for &source in &binding.sources {
                self.validate_pointer(subject, source)?;
            }
        }
        Ok(())
    }

    fn validate_pointer(&self, subject: Subject, id: PointerId) -> Result<(), ProgramError> {
        in_range(
            subject,
            Subject::Pointer(id),
            id.index(),
            self.pointers.len(),
        )
    }

    fn validate_merges_are_bound(&self) -> Result<(), ProgramError> {
        let mut bound = FixedBitSet::with_capacity(self.pointers.len());
        for binding in self.bindings() {
            bound.insert(binding.target.index());
        }
        for block in self.reachable_blocks().ones() {
            let steps = self.blocks[block].steps;
            for index in steps.start.index()..steps.end.index() {
                for access in &self.steps[index].accesses {
                    let pointer = access.pointer;
                    let is_merge = self.pointers[pointer.index()].kind == PointerKind::Merge;
                    if is_merge && !bound.contains(pointer.index()) {
                        return Err(ProgramError::NeverBound(StepId::new(index), pointer));
                    }
                }
            }
        }
        Ok(())
    }
}

fn in_range(of: Subject, what: Subject, index: usize, bound: usize) -> Result<(), ProgramError> {
    if index < bound {
        Ok(())
    } else {
        Err(ProgramError::Unknown(of, what))
    }
}

fn validate_ranges(step: StepId, access: &Access) -> Result<(), ProgramError> {
    let is_reversed = |range: Option<Interval<_>>| range.is_some_and(|r| r.end < r.start);
    if is_reversed(access.may) || is_reversed(access.must) {
        return Err(ProgramError::ReversedRange(step));
    }
    let must = access.must.into_iter();
    let rows = access.rows().into_iter().flat_map(|rows| rows.bytes.iter());
    match access.may {
        Some(may) if !must.chain(rows).all(|range| may.covers(range)) => {
            Err(ProgramError::MustOutsideMay(step))
        }
        _ => Ok(()),
    }
}

fn validate_detail(program: &Program, step: StepId, access: &Access) -> Result<(), ProgramError> {
    let of = Subject::Step(step);
    let bounds = access.symbolic().map(|range| [range.start, range.end]);
    let in_bounds = bounds.into_iter().flatten().filter_map(|b| b.symbol);
    let in_predicate = access.predicate().iter().map(|literal| literal.symbol);
    for symbol in in_bounds.chain(in_predicate) {
        let n_symbols = program.symbols.len();
        in_range(of, Subject::Symbol(symbol), symbol.index(), n_symbols)?;
    }
    match access.token() {
        None => Ok(()),
        Some(token) => in_range(
            of,
            Subject::Token(token),
            token.index(),
            program.tokens.len(),
        ),
    }
}

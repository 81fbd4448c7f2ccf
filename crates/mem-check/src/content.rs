//! Checks addresses against the program: no read may see bytes that were written for something
//! else.
//!
//! # Idea
//!
//! A forward data-flow analysis keeps, for each pointer that is still to be accessed and each
//! instance that it may denote, whether the bytes may have been overwritten by a write to something
//! else since they were defined. A read through a pointer to such bytes is a violation. Lifetimes
//! are not used, so a wrong lifetime cannot hide an error.
//!
//! # Lattice
//!
//! Of each buffer, the newest instance is distinguished from all older instances together. A fact
//! is (pointer, buffer, newest or older) with a content: undefined < good < clobbered. The join
//! takes the larger content and keeps the facts of both paths. A write through x
//!
//! * makes what x denotes good, including clobbered bytes if it is guaranteed to write all of them;
//! * makes undefined facts of other pointers good if they may denote the same instance;
//! * clobbers good facts of other buffers at addresses that overlap any slot of what x may denote;
//! * clobbers good facts of other instances of the same buffer, unless those are in another slot.
//!
//! The last rule uses a relation on pointers: two pointers *may collide* if they may denote
//! different instances in the same slot. An allocation makes the buffer's pointer collide with
//! every pointer that may denote an older instance, except those that the allocation must avoid.
//! Bindings copy the relation; the join is the union.
//!
//! # Non-guarantees
//!
//! Reads of undefined bytes are not reported. Buffers without a placement, and buffers placed
//! earlier, are assumed to be elsewhere. Generated code is assumed to follow the rotations, and a
//! merge to reach only bytes that its sources reach. Offsets within buffers that merges denote are
//! not distinguished: a plan that overlaps two of them in bytes that are never needed at the same
//! time is rejected. The pieces of all other buffers are checked separately (`pieces`).
//!
//! # Complexity
//!
//! Each write takes time linear in the number of pointers that are still to be accessed. The number
//! of passes over the steps is the loop nesting depth plus three.

mod names;
mod pieces;
mod state;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mem_model::{
    Access, AccessKind, Binding, BlockId, BufferId, Bytes, Plan, PointerId, PointerKind, Program,
    Rotation, Step, StepId, Storage,
};

use crate::cores::Cores;
use crate::{CheckError, MAX_VIOLATIONS, Slot, Violation};
use names::Names;
use pieces::Pieces;
use state::{Content, State};

/// Checks that every step of `program` reads what the program says it reads, with buffers at the
/// addresses of `plan` and instances in the slots that `rotations` select. Steps on different cores
/// must touch no common address unless they are ordered. `program` must be well-formed.
///
/// # Errors
/// Reads that may see something else, and races: at most [`MAX_VIOLATIONS`].
pub fn check_program_plan(
    program: &Program,
    rotations: &[Rotation],
    plan: &Plan,
) -> Result<(), CheckError> {
    let mut violations = Vec::new();
    let ranges = ranges_by_slot(program, plan, &mut violations);
    check_rotations(rotations, &ranges, &mut violations);
    if violations.is_empty() {
        let cores = Cores {
            program,
            ranges: &ranges,
        };
        cores.check(&mut violations);
        let pieces = Pieces::new(program, ranges);
        let names = Names::new(&pieces.program);
        let checker = Checker {
            program: &pieces.program,
            uncut: program,
            names: &names,
            ranges: &pieces.ranges,
            pieces: &pieces,
            hulls: pieces
                .ranges
                .iter()
                .map(|own| hull(own.iter().copied()))
                .collect(),
            rotations: rotations.iter().map(|r| ((r.step, r.buffer), r)).collect(),
        };
        checker.check(&mut violations);
        violations
            .iter_mut()
            .for_each(|v| in_whole_buffers(v, &pieces));
    }
    CheckError::result(violations)
}

/// Translates a violation found for pieces into one for whole buffers.
fn in_whole_buffers(violation: &mut Violation, pieces: &Pieces<'_>) {
    if let Violation::Clobbered {
        pointer,
        buffer,
        written,
        ..
    } = violation
    {
        *pointer = pieces.pointer(*pointer);
        *buffer = pieces.buffer(*buffer);
        *written = pieces.buffer(*written);
    }
}

/// Indexed by buffer: the addresses of its slots as `[start, end)`; empty if the buffer is not in
/// the arena.
type Ranges = Vec<Vec<(u64, u64)>>;

fn ranges_by_slot(program: &Program, plan: &Plan, violations: &mut Vec<Violation>) -> Ranges {
    let mut slots: Vec<(BufferId, u32, (u64, u64))> = Vec::new();
    for placement in &plan.placements {
        let (buffer, slot) = (placement.buffer, placement.slot);
        let known = program.buffers.get(buffer.index());
        let Some(planned) = known.filter(|b| b.storage == Storage::Planned) else {
            violations.push(Violation::Unknown(Slot { buffer, slot }));
            continue;
        };
        let Some(end) = placement.offset.checked_add(planned.size) else {
            violations.push(Violation::Overflow {
                item: Slot { buffer, slot },
                offset: placement.offset,
            });
            continue;
        };
        slots.push((buffer, slot, (placement.offset.get(), end.get())));
    }
    slots.sort_unstable();
    let mut ranges: Ranges = vec![Vec::new(); program.buffers.len()];
    for own in slots.chunk_by(|a, b| a.0 == b.0) {
        let buffer = own[0].0;
        let are_numbered = own.iter().map(|slot| slot.1).eq(0..own.len() as u32);
        let own: Vec<(u64, u64)> = own.iter().map(|slot| slot.2).collect();
        if !are_numbered || overlap_each_other(own.iter()) {
            violations.push(Violation::Slots(buffer));
        }
        ranges[buffer.index()] = own;
    }
    ranges
}

fn overlap_each_other<'a>(ranges: impl Iterator<Item = &'a (u64, u64)>) -> bool {
    let mut sorted: Vec<_> = ranges.filter(|(start, end)| start < end).collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0].1 > pair[1].0)
}

fn check_rotations(rotations: &[Rotation], ranges: &Ranges, violations: &mut Vec<Violation>) {
    for rotation in rotations {
        let n_slots = ranges.get(rotation.buffer.index()).map_or(0, Vec::len);
        if n_slots <= rotation.avoid.len() {
            violations.push(Violation::TooFewSlots {
                step: rotation.step,
                buffer: rotation.buffer,
                n_names: rotation.avoid.len(),
                n_slots,
            });
        }
    }
}

struct Checker<'a> {
    program: &'a Program,
    /// The same program with whole buffers.
    uncut: &'a Program,
    names: &'a Names,
    ranges: &'a Ranges,
    pieces: &'a Pieces<'a>,
    /// Indexed by buffer: the hull of the addresses of its slots.
    hulls: Vec<(u64, u64)>,
    rotations: HashMap<(StepId, BufferId), &'a Rotation>,
}

impl Checker<'_> {
    fn check(&self, violations: &mut Vec<Violation>) {
        for (block, state) in self.states_on_entry() {
            self.through_block(block, state, |violation| violations.push(violation));
            if violations.len() >= MAX_VIOLATIONS {
                return;
            }
        }
    }

    /// Computes the states at the entries of all reachable blocks, by iterating a worklist to the
    /// fixed point.
    fn states_on_entry(&self) -> BTreeMap<BlockId, State> {
        let entry = BlockId::new(0);
        let mut known = BTreeMap::from([(entry, State::default())]);
        let mut pending = BTreeSet::from([entry]);
        // The earliest block first: most of its predecessors are up to date then.
        while let Some(block) = pending.pop_first() {
            let successors = &self.program.blocks[block.index()].successors;
            // Nothing depends on the state at the end of a last block.
            if successors.is_empty() {
                continue;
            }
            let state = self.through_block(block, known[&block].clone(), |_| ());
            for edge in successors {
                let mut passed = state.clone();
                self.meet_sources(&edge.bindings, &mut passed);
                passed.bind(&edge.bindings);
                passed.keep(|name| self.names.is_accessed_from(edge.target, name));
                // Joining an empty state changes nothing, but a new block must be visited all the
                // same.
                let is_new = !known.contains_key(&edge.target);
                if known.entry(edge.target).or_default().join(passed) || is_new {
                    pending.insert(edge.target);
                }
            }
        }
        known
    }

    /// Ensures that `state` has the facts of `name` if it is the address of a buffer. They hold
    /// from the entry on, but are created on demand to keep states small.
    fn meet(&self, name: PointerId, state: &mut State) {
        if let PointerKind::Buffer(buffer) = self.program.pointers[name.index()].kind
            && self.is_in_arena(buffer)
        {
            state.introduce(buffer, self.names.of_buffer(buffer));
        }
    }

    fn meet_sources(&self, bindings: &[Binding], state: &mut State) {
        for &source in bindings.iter().flat_map(|binding| &binding.sources) {
            self.meet(source, state);
        }
    }

    fn is_in_arena(&self, buffer: BufferId) -> bool {
        !self.ranges[buffer.index()].is_empty()
    }

    fn through_block(
        &self,
        block: BlockId,
        mut state: State,
        mut report: impl FnMut(Violation),
    ) -> State {
        let steps = self.program.blocks[block.index()].steps;
        for index in steps.start.index()..steps.end.index() {
            self.step(StepId::new(index), &mut state, &mut report);
            for &name in self.names.last_accessed_at(StepId::new(index)) {
                state.forget(name);
            }
        }
        state
    }

    fn step(&self, id: StepId, state: &mut State, report: &mut impl FnMut(Violation)) {
        let step = &self.program.steps[id.index()];
        for &buffer in step.allocates.iter().filter(|b| self.is_in_arena(**b)) {
            let rotation = self.rotations.get(&(id, buffer));
            let avoided = rotation.map_or(&[][..], |rotation| &rotation.avoid);
            state.allocate(buffer, self.names.of_buffer(buffer), avoided);
        }
        self.meet_sources(&step.bindings, state);
        state.bind(&step.bindings);
        for access in &step.accesses {
            self.meet(access.pointer, state);
        }
        let names_of = |kind: AccessKind| {
            let of_kind = step.accesses.iter().filter(move |a| a.kind == kind);
            of_kind
                .map(|access| access.pointer)
                .collect::<BTreeSet<PointerId>>()
        };
        let (uses, defines) = (names_of(AccessKind::Use), names_of(AccessKind::Define));
        self.report_clobbered(id, &uses, state, &|_, _| false, report);
        // All writes of a step happen at once, so each may clobber what another has just written:
        // make all of them good before any clobbers.
        for access in step
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Define)
        {
            state.define(access.pointer, self.names.covers_all(self.program, access));
        }
        for &name in &defines {
            state.clobber(id, name, &self.hulls, |a, b| self.share_bytes(a, b));
        }
        // An operand may be read again while results are written, so it must survive the writes of
        // its own step, except where the step works in place: there it overwrites each byte only
        // after reading it.
        let in_place = |pointer, written| self.is_in_place(id, pointer, written);
        self.report_clobbered(id, &uses, state, &in_place, report);
    }

    fn report_clobbered(
        &self,
        reader: StepId,
        uses: &BTreeSet<PointerId>,
        state: &mut State,
        in_place: &impl Fn(PointerId, BufferId) -> bool,
        report: &mut impl FnMut(Violation),
    ) {
        for &pointer in uses {
            let mut is_reported = false;
            for fact in state.facts_of(pointer) {
                if let Content::Clobbered { step, written } = fact.content
                    && !(step == reader && in_place(pointer, written))
                {
                    is_reported = true;
                    report(Violation::Clobbered {
                        reader,
                        pointer,
                        buffer: fact.buffer,
                        clobberer: step,
                        written,
                    });
                }
            }
            // Report each clobbered operand once.
            if is_reported {
                state.forgive(pointer);
            }
        }
    }

    /// Whether a step reads each byte through `pointer` before it writes the same byte of
    /// `written`: the step declares it, both buffers start at the same address, and all accesses to
    /// them start at the same byte.
    fn is_in_place(&self, id: StepId, pointer: PointerId, written: BufferId) -> bool {
        let step = &self.uncut.steps[id.index()];
        let operand = self.pieces.pointer(pointer);
        let start = |buffer: BufferId| match self.ranges[buffer.index()][..] {
            [only] => Some(only.0),
            _ => None,
        };
        let buffer_of = |pointer: PointerId| self.pieces.buffer_denoted(pointer);
        step.in_place.iter().any(|&(read, result)| {
            let pair = (buffer_of(read), buffer_of(result));
            let (Some(own), Some(theirs)) = pair else {
                return false;
            };
            read == operand
                && theirs == self.pieces.buffer(written)
                && start(own).is_some()
                && start(own) == start(theirs)
                && start_alike(step, read, result)
        })
    }

    fn share_bytes(&self, a: BufferId, b: BufferId) -> bool {
        let theirs = &self.ranges[b.index()];
        self.ranges[a.index()]
            .iter()
            .any(|&x| theirs.iter().any(|&y| overlap(x, y)))
    }
}

fn overlap(x: (u64, u64), y: (u64, u64)) -> bool {
    x.0.max(y.0) < x.1.min(y.1)
}

/// The hull of some ranges of addresses; empty if there are none.
fn hull(ranges: impl IntoIterator<Item = (u64, u64)>) -> (u64, u64) {
    let empty = (u64::MAX, 0);
    ranges
        .into_iter()
        .fold(empty, |hull, own| (hull.0.min(own.0), hull.1.max(own.1)))
}

/// Whether all reads through one pointer and all writes through another start at the same byte.
fn start_alike(step: &Step, read: PointerId, result: PointerId) -> bool {
    let wanted = |access: &&Access| {
        let name = match access.kind {
            AccessKind::Use => read,
            AccessKind::Define => result,
        };
        access.pointer == name
    };
    let first = |access: &Access| access.may.map_or(Bytes::ZERO, |range| range.start);
    let mut starts = step.accesses.iter().filter(wanted).map(first);
    let one = starts.next();
    starts.all(|start| Some(start) == one)
}

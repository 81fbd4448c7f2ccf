//! Checks programs that keep tensors at several sites and transfer them: no step reads a site that
//! does not hold the tensor.
//!
//! A *site* is a storage location of a tensor: a memory and an address.
//!
//! # Idea
//!
//! The planned program is interpreted abstractly, side by side with the original program, in which
//! every tensor has one location and there are no transfers. A step that corresponds to an original
//! step changes the tensor and the site that it writes. A transfer changes sites only. Hence the
//! bytes of each site that may differ from the tensor's are known. Those bytes are *stale*, and no
//! step may read them.
//!
//! # Lattice
//!
//! A state holds, per site, the set of stale bytes; per tensor, the set of bytes that may have been
//! written; the transfers that may be in flight; and, per recomputed step, the bytes that may have
//! changed since it ran. All of these are sets, joined by union. Versions are the exception (see
//! `repeat`): a version survives a join only if both paths agree on it. Bytes that were never
//! written are not stale, because their value does not matter. A write to bytes of a tensor
//!
//! * makes them stale at all other sites of the tensor;
//! * makes them valid at the written site, if they are guaranteed to be written;
//! * makes the bytes of other tensors at these addresses stale.
//!
//! A copy propagates staleness; a swap or a move also makes its source stale. An asynchronous
//! transfer does so when it is waited for. Until then no step may touch its destination or write
//! its source (or read the source of a swap). A recomputation makes valid what the original step
//! wrote, except for bytes that were overwritten since. It requires that no operand of the original
//! has been written since, by whatever name, and that the original has run on every path to the
//! recomputation. It has then also run in the same iteration of all loops that give its scalars new
//! values: after the operation that defines such a scalar, a path that reaches the recomputation
//! without the original could be taken the first time, too, when the original has never run.
//!
//! A step that writes bytes which it may still have to read is rejected, unless the original
//! program has the same overlap (`operands`). External storage may alias (`aliases`).
//!
//! When the function returns, tensors that are visible to callers are valid at their homes, and no
//! transfer is in flight.
//!
//! # Non-guarantees
//!
//! The checker does not compare the operations of both programs; that is up to the caller. It
//! leaves to `check_program_plan` the accesses through merges, and the overwriting of tensors with
//! a single site. Tensors in rotating slots are considered only as something that overwrites
//! others.
//!
//! # Complexity
//!
//! Each write takes O(sites that share an address with it + other sites of the tensor). The number
//! of passes over the steps is the loop nesting depth plus two.

mod aliases;
mod flights;
mod operands;
mod ranges;
mod repeat;
mod sites;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{
    Access, AccessKind, BlockId, BufferId, Bytes, IntervalSet, PointerId, PointerKind, Program,
    Step, StepId, TokenId,
};

use crate::{CheckError, Lapse, MAX_VIOLATIONS, Violation};
use ranges::{bytes_of, shift, whole};
use sites::{SiteId, Sites};
use state::State;

/// The location of a buffer of the planned program, and the tensor of the original program that is
/// stored there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residence {
    /// The tensor, by a number of the caller's choice.
    pub tensor: u32,
    /// Offset of the buffer's first byte in the tensor.
    pub start: Bytes,
    /// The memory, by a number of the caller's choice. Different addresses of one memory are
    /// different bytes.
    pub memory: u32,
    /// Address of the buffer's first byte.
    pub address: Bytes,
}

/// The effect of a transfer on its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// The source remains valid: load and store.
    Copy,
    /// The source becomes undefined: swap and move.
    Swap,
}

/// The differences between a planned program and the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Indexed by buffer of the planned program: its locations. Empty: the buffer is ignored.
    /// Several: the buffer is at one of them at a time.
    pub residences: Vec<Vec<Residence>>,
    /// Steps that copy everything they read to where they write. The original program lacks those
    /// whose source and destination are sites of one tensor.
    pub transfers: BTreeMap<StepId, TransferKind>,
    /// Steps that the original program lacks, each with the step whose computation it repeats.
    pub recomputed: BTreeMap<StepId, StepId>,
    /// Steps at which new instances of tensors begin, with undefined bytes.
    pub births: BTreeMap<StepId, Vec<u32>>,
    /// Buffers that are distinct globals: no two of them share a byte.
    pub globals: BTreeSet<BufferId>,
}

impl Levels {
    /// Returns the tensors that more than one buffer holds: those whose contents [`check_levels`]
    /// follows.
    pub fn followed(&self) -> BTreeSet<u32> {
        let mut known = BTreeSet::new();
        let mut followed = BTreeSet::new();
        for residences in &self.residences {
            let own: BTreeSet<u32> = residences.iter().map(|r| r.tensor).collect();
            followed.extend(own.iter().filter(|tensor| !known.insert(**tensor)));
        }
        followed
    }
}

/// Checks that every step of `program`, which must be well-formed, finds at each site what it would
/// find in the original program.
///
/// # Errors
/// Reads of stale bytes, accesses to bytes of transfers in flight, transfers that may never be
/// waited for, and results that are stale at their homes: at most [`MAX_VIOLATIONS`] in all.
pub fn check_levels(program: &Program, levels: &Levels) -> Result<(), CheckError> {
    let sites = Sites::new(program, levels);
    let checker = Checker {
        program,
        levels,
        denoted: denoted(program),
        sites,
        originals: levels.recomputed.values().copied().collect(),
    };
    let mut violations = Vec::new();
    checker.check(&mut violations);
    CheckError::result(violations)
}

/// Returns the buffers that each pointer may ever denote (flow-insensitive), indexed by pointer.
fn denoted(program: &Program) -> Vec<BTreeSet<BufferId>> {
    let own = |kind| match kind {
        PointerKind::Buffer(buffer) => BTreeSet::from([buffer]),
        PointerKind::Merge => BTreeSet::new(),
    };
    let mut denoted: Vec<BTreeSet<BufferId>> =
        program.pointers.iter().map(|p| own(p.kind)).collect();
    let bindings: Vec<_> = program.bindings().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for binding in &bindings {
            for source in &binding.sources {
                let more: Vec<BufferId> = denoted[source.index()].iter().copied().collect();
                let target = &mut denoted[binding.target.index()];
                let before = target.len();
                target.extend(more);
                changed |= target.len() > before;
            }
        }
    }
    denoted
}

/// A site that an access may touch, with the bytes relative to the start of its tensor.
struct Touch {
    site: SiteId,
    /// Bytes that may be touched.
    may: IntervalSet<Bytes>,
    /// Bytes that are guaranteed to be touched.
    must: IntervalSet<Bytes>,
}

struct Checker<'a> {
    program: &'a Program,
    levels: &'a Levels,
    sites: Sites,
    denoted: Vec<BTreeSet<BufferId>>,
    /// Steps that other steps repeat.
    originals: BTreeSet<StepId>,
}

impl Checker<'_> {
    fn check(&self, violations: &mut Vec<Violation>) {
        for (block, state) in self.states_on_entry() {
            let end = self.through_block(block, state, &mut |violation| violations.push(violation));
            if self.program.blocks[block.index()].successors.is_empty() {
                self.at_return(block, &end, violations);
            }
            if violations.len() >= MAX_VIOLATIONS {
                return;
            }
        }
    }

    /// Computes the states at the entries of all reachable blocks, by iterating a worklist to the
    /// fixed point.
    fn states_on_entry(&self) -> BTreeMap<BlockId, State> {
        let entry = BlockId::new(0);
        let start = State::new(&self.sites, &self.originals);
        let mut known = BTreeMap::from([(entry, start)]);
        let mut pending = BTreeSet::from([entry]);
        // The earliest block first: most of its predecessors are up to date then.
        while let Some(block) = pending.pop_first() {
            let state = self.through_block(block, known[&block].clone(), &mut |_| ());
            for edge in &self.program.blocks[block.index()].successors {
                let is_changed = match known.get_mut(&edge.target) {
                    Some(known) => known.join(&state),
                    None => known.insert(edge.target, state.clone()).is_none(),
                };
                if is_changed {
                    pending.insert(edge.target);
                }
            }
        }
        known
    }

    fn through_block(
        &self,
        block: BlockId,
        mut state: State,
        report: &mut impl FnMut(Violation),
    ) -> State {
        let steps = self.program.blocks[block.index()].steps;
        for index in steps.start.index()..steps.end.index() {
            self.step(StepId::new(index), &mut state, report);
        }
        state
    }

    fn step(&self, id: StepId, state: &mut State, report: &mut impl FnMut(Violation)) {
        let step = &self.program.steps[id.index()];
        for token in &step.waits {
            if let Some(flight) = state.flights.remove(token) {
                self.arrive(&flight, state);
            }
        }
        for tensor in self.levels.births.get(&id).into_iter().flatten() {
            state.begin(*tensor, &self.sites);
        }
        self.report_flying(id, step, state, report);
        for access in step.accesses.iter().filter(|a| a.kind == AccessKind::Use) {
            self.report_stale_elsewhere(id, access, state, report);
        }
        let kind = self.levels.transfers.get(&id).copied();
        let transfer = kind.and_then(|kind| self.flight(id, step, kind));
        if let Some(flight) = transfer.as_ref().filter(|flight| self.is_of_plan(flight)) {
            return self.transfer(step, flight, state, report);
        }
        self.report_overlaps(id, step, state, report);
        let original = self.levels.recomputed.get(&id).copied();
        for access in step.accesses.iter().filter(|a| a.kind == AccessKind::Use) {
            match original.and_then(|original| self.finds_version(original, access, state)) {
                Some(true) => {}
                Some(false) => report(Violation::Recomputed {
                    step: id,
                    original: original.unwrap_or(id),
                    lapse: None,
                }),
                None => self.report_stale(id, access, state, report),
            }
        }
        let writes: Vec<Touch> = self.touches_of(step, AccessKind::Define).collect();
        // Look up versions now: the step may overwrite what it reads.
        let versions = match self.originals.contains(&id) {
            true => self.versions(step, &writes, state),
            false => Vec::new(),
        };
        match self.levels.recomputed.get(&id) {
            Some(original) => self.recompute(id, *original, &writes, state, report),
            None => self.compute(id, &writes, state),
        }
        if self.originals.contains(&id) {
            state.computed(id, self.operands(step));
            for (tensor, version) in versions {
                state.reads_version(id, tensor, version);
            }
            for write in &writes {
                state.wrote(id, self.sites[write.site].tensor, &write.may);
            }
        }
        self.write_elsewhere(id, step, state);
        if let Some(flight) = transfer {
            self.depart(step, flight, state, report);
        }
    }

    /// Applies a step of the original program: changes the tensor and the written site.
    fn compute(&self, id: StepId, writes: &[Touch], state: &mut State) {
        for write in writes {
            self.overwrite(id, write.site, &write.may, state);
            let site = &self.sites[write.site];
            for other in self.sites.of_tensor(site.tensor) {
                if *other != write.site {
                    state.make_stale(*other, &write.may, id);
                }
            }
            for flight in state.flights.values_mut() {
                flight.outdate(site.tensor, &write.may, &self.sites);
            }
            state.define(site.tensor, &write.may);
            state.blame(Lapse {
                tensor: site.tensor,
                by: id,
                through: None,
            });
        }
        for write in writes {
            state.make_valid(write.site, &write.must);
        }
        // All writes of a step happen at once, so each may overwrite what another has just written,
        // or make it stale.
        for write in writes.iter().filter(|_| writes.len() > 1) {
            self.overwrite(id, write.site, &write.may, state);
            let tensor = |write: &Touch| self.sites[write.site].tensor;
            for other in writes {
                if other.site != write.site && tensor(other) == tensor(write) {
                    state.make_stale(other.site, &write.may, id);
                }
            }
        }
    }

    /// Loses the contents of other sites at the addresses that a step writes.
    fn overwrite(&self, id: StepId, site: SiteId, written: &IntervalSet<Bytes>, state: &mut State) {
        state.forget(site);
        for bytes in written.iter() {
            for (site, lost) in self.sites.sharing(site, bytes) {
                state.forget(site);
                if !self.sites.is_followed(site) {
                    continue;
                }
                state.make_stale_where_defined(
                    site,
                    &IntervalSet::from_iter([lost]),
                    id,
                    &self.sites,
                );
            }
        }
    }

    fn report_stale(
        &self,
        id: StepId,
        access: &Access,
        state: &mut State,
        report: &mut impl FnMut(Violation),
    ) {
        let touches: Vec<(BufferId, Touch)> = self.touches(access).collect();
        let ([(buffer, touch)], true) = (&touches[..], self.is_exact(access)) else {
            return;
        };
        let stale = state.stale_within(touch.site, &touch.may);
        if let Some(first) = stale.iter().next() {
            report(Violation::Stale {
                reader: id,
                buffer: *buffer,
                since: state.since(touch.site).unwrap_or(id),
                bytes: first,
            });
            // Report each stale range once.
            state.make_valid(touch.site, &stale);
        }
    }

    fn at_return(&self, block: BlockId, state: &State, violations: &mut Vec<Violation>) {
        for flight in state.flights.values() {
            violations.push(Violation::NeverAwaited { step: flight.step });
        }
        let steps = self.program.blocks[block.index()].steps;
        let last = StepId::new(steps.end.index().saturating_sub(1));
        for (buffer, tensor, home) in self.sites.homes() {
            let aliasing = self.program.buffers[buffer.index()].aliasing;
            let stale = state.stale_within(home, &state.defined(tensor));
            if aliasing.is_visible_outside() && !stale.is_empty() {
                let since = state.since(home).unwrap_or(last);
                violations.push(Violation::NotWrittenBack { buffer, since });
            }
        }
    }

    /// Returns the bytes of each tensor that a step reads.
    fn operands(&self, step: &Step) -> BTreeMap<u32, IntervalSet<Bytes>> {
        let mut operands: BTreeMap<u32, IntervalSet<Bytes>> = BTreeMap::new();
        for touch in self.touches_of(step, AccessKind::Use) {
            let tensor = self.sites[touch.site].tensor;
            let known = operands.entry(tensor).or_default();
            touch.may.iter().for_each(|bytes| known.insert(bytes));
        }
        operands
    }

    fn touches_of<'s>(
        &'s self,
        step: &'s Step,
        kind: AccessKind,
    ) -> impl Iterator<Item = Touch> + 's {
        let accesses = step.accesses.iter().filter(move |a| a.kind == kind);
        accesses.flat_map(|access| self.touches(access).map(|(_, touch)| touch))
    }

    /// Returns all sites that an access may touch.
    fn touches<'s>(&'s self, access: &'s Access) -> impl Iterator<Item = (BufferId, Touch)> + 's {
        let denoted = &self.denoted[access.pointer.index()];
        let is_certain = self.is_buffer(access.pointer);
        denoted.iter().flat_map(move |buffer| {
            let sites = self.sites.of_buffer(*buffer);
            let is_certain = is_certain && sites.len() == 1;
            let is_only = denoted.len() == 1;
            sites.iter().map(move |(site, start)| {
                let size = self.program.buffers[buffer.index()].size;
                // A merge need not denote the start of the buffer, so its offsets are unknown.
                let bytes = match (is_certain, is_only && !self.sites.is_followed(*site)) {
                    (true, _) => bytes_of(access, size),
                    (false, true) => (whole(size), whole(size)),
                    (false, false) => (whole(size), IntervalSet::new()),
                };
                let shifted = |set: IntervalSet<Bytes>| -> IntervalSet<Bytes> {
                    set.iter().map(|bytes| shift(bytes, *start)).collect()
                };
                let touch = Touch {
                    site: *site,
                    may: shifted(bytes.0),
                    must: shifted(bytes.1),
                };
                (*buffer, touch)
            })
        })
    }

    /// Whether the touched site is known.
    fn is_exact(&self, access: &Access) -> bool {
        let denoted = &self.denoted[access.pointer.index()];
        let n_sites = denoted.iter().map(|b| self.sites.of_buffer(*b).len());
        self.is_buffer(access.pointer) && n_sites.sum::<usize>() == 1
    }

    fn is_buffer(&self, pointer: PointerId) -> bool {
        matches!(
            self.program.pointers[pointer.index()].kind,
            PointerKind::Buffer(_)
        )
    }
}

/// Returns the token of a step that completes asynchronously.
fn token_of(step: &Step) -> Option<TokenId> {
    step.accesses.iter().find_map(Access::token)
}

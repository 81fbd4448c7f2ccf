//! Plans that keep tensors in several places, and move them: nobody reads a place that does not hold the tensor.
//!
//! # Idea
//!
//! The planned program is executed next to the one that was planned, in which every tensor has one place and nothing
//! is moved. A step that stands for one of the original changes the tensor, and the place it writes through. Transfers
//! change places only. So for each place the bytes are known that may differ from the tensor's: those are *stale*,
//! and nobody may read them.
//!
//! # Lattice
//!
//! For each place the set of stale bytes, for each tensor the set of bytes that may have been written, the transfers that may
//! be under way, and for each step that is computed again what may have changed since: all of them sets, the join is
//! the union. Bytes that nobody has written are not stale: what is in them does not matter. A write of a tensor's bytes
//!
//! * makes them stale in all other places of the tensor;
//! * makes them valid in the place that is written, if they are sure to be;
//! * makes what other tensors have at these addresses stale.
//!
//! A copy hands on what is stale; a swap or a move makes the source stale. An asynchronous one does so when it is waited for;
//! until then nobody touches its target, nor writes its source (nor reads that of a swap). A step that is computed
//! again makes valid what the original step wrote, as far as nobody has written to it since, provided that its operands
//! have not been written to either, through whatever name, and that the original step has run in the same round of all
//! loops around it.
//!
//! A step that writes what it may still have to read is refused, unless it does so in the original (`operands`). Names
//! of storage outside of every plan may be of the same bytes (`aliases`).
//!
//! When the function returns, tensors that others can see are valid where those look for them, and nothing is under way.
//!
//! # Not claimed
//!
//! That steps do what those of the original do: comparing the operations is up to the caller. What `check_program_plan`
//! follows is left to it: accesses through names that are bound to places, and what others write over tensors
//! that are only in one place. Tensors in slots that take turns are only looked at as something that overwrites others.
//!
//! # Complexity
//!
//! For each write O(places that share an address with it, and other places of the tensor); as many passes over the steps
//! as loops are nested, plus two.

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

/// Where a buffer of a planned program is, and which tensor of the original it is a place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residence {
    /// The tensor, by a number of the caller's.
    pub tensor: u32,
    /// The byte of the tensor that is the buffer's first.
    pub start: Bytes,
    /// The memory, by a number of the caller's; bytes at different addresses of one memory are different.
    pub memory: u32,
    /// The address of the buffer's first byte.
    pub address: Bytes,
}

/// What becomes of the source of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// It stays what it was: load and store.
    Copy,
    /// Nobody knows what is in it: swap and move.
    Swap,
}

/// How a planned program differs from the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// By buffer of the planned program: where it is. None: it is of no interest; several: one of them at a time.
    pub residences: Vec<Vec<Residence>>,
    /// Steps that copy all that they read to where they write. The original does not have those whose source and target
    /// are places of one tensor.
    pub transfers: BTreeMap<StepId, TransferKind>,
    /// Steps that the original does not have, by the step whose computation they repeat.
    pub recomputed: BTreeMap<StepId, StepId>,
    /// Steps with which a tensor begins, with undefined bytes.
    pub births: BTreeMap<StepId, Vec<u32>>,
    /// Buffers that are different globals: none has a byte of another one of these.
    pub globals: BTreeSet<BufferId>,
}

impl Levels {
    /// The tensors that more than one buffer is a place of: those whose contents [`check_levels`] follows.
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

/// Checks that all steps of `program`, which is valid, find in each place what the original program would.
///
/// # Errors
/// What may be read and is not there, transfers whose bytes are touched before they are waited for or that nobody waits
/// for, results that are not where others look for them: no more than [`MAX_VIOLATIONS`] of all these.
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

/// By pointer: the buffers that it may denote at some time.
fn denoted(program: &Program) -> Vec<BTreeSet<BufferId>> {
    let own = |kind| match kind {
        PointerKind::Buffer(buffer) => BTreeSet::from([buffer]),
        PointerKind::Merge => BTreeSet::new(),
    };
    let mut denoted: Vec<BTreeSet<BufferId>> =
        program.pointers.iter().map(|p| own(p.kind)).collect();
    let of_edges = program.blocks.iter().flat_map(|block| &block.successors);
    let of_edges = of_edges.flat_map(|edge| &edge.bindings);
    let of_steps = program.steps.iter().flat_map(|step| &step.bindings);
    let bindings: Vec<_> = of_edges.chain(of_steps).collect();
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

/// One place that an access may touch, and the bytes of its tensor.
struct Touch {
    site: SiteId,
    /// All that may be touched.
    may: IntervalSet<Bytes>,
    /// What is touched for sure.
    must: IntervalSet<Bytes>,
}

struct Checker<'a> {
    program: &'a Program,
    levels: &'a Levels,
    sites: Sites,
    denoted: Vec<BTreeSet<BufferId>>,
    /// Steps that others repeat.
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

    /// The fixpoint: what holds at the start of each block that control can reach.
    fn states_on_entry(&self) -> BTreeMap<BlockId, State> {
        let entry = BlockId::new(0);
        let start = State::new(&self.sites, &self.originals);
        let mut known = BTreeMap::from([(entry, start)]);
        let mut pending = BTreeSet::from([entry]);
        while let Some(block) = pending.pop_first() {
            let state = self.through_block(block, known[&block].clone(), &mut |_| ());
            for edge in &self.program.blocks[block.index()].successors {
                let mut passed = state.clone();
                if edge.target <= block {
                    self.next_round(edge.target, block, &mut passed);
                }
                let is_changed = match known.get_mut(&edge.target) {
                    Some(known) => known.join(&passed),
                    None => known.insert(edge.target, passed).is_none(),
                };
                if is_changed {
                    pending.insert(edge.target);
                }
            }
        }
        known
    }

    /// What was computed in this round of a loop is not what the next one would compute.
    fn next_round(&self, first: BlockId, last: BlockId, state: &mut State) {
        let blocks = &self.program.blocks;
        let (first, last) = (
            blocks[first.index()].steps.start,
            blocks[last.index()].steps.end,
        );
        for original in self.originals.range(first..last) {
            state.lapse(*original);
        }
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
        // What the step reads of what it writes is gone behind it.
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

    /// A step of the original: the tensor changes, and the place.
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
        // All writes of a step happen at once: each can hit what another has just written, or be what is outdated.
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

    /// What others have at the addresses that a step writes to is gone.
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
            // One report of each is enough.
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

    /// The bytes of tensors that a step reads.
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

    /// All places that an access may touch.
    fn touches<'s>(&'s self, access: &'s Access) -> impl Iterator<Item = (BufferId, Touch)> + 's {
        let denoted = &self.denoted[access.pointer.index()];
        let is_certain = self.is_buffer(access.pointer);
        denoted.iter().flat_map(move |buffer| {
            let sites = self.sites.of_buffer(*buffer);
            let is_certain = is_certain && sites.len() == 1;
            let is_only = denoted.len() == 1;
            sites.iter().map(move |(site, start)| {
                let size = self.program.buffers[buffer.index()].size;
                // Pointers that are bound need not start where the buffer does.
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

    /// Whether it is known which place is touched.
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

/// What says that a step is over, if it goes on behind it.
fn token_of(step: &Step) -> Option<TokenId> {
    step.accesses.iter().find_map(Access::token)
}

//! The abstract state of `levels`. At joins, what may hold only grows, and what is known to hold
//! only shrinks.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{BufferId, Bytes, IntervalSet, StepId, TokenId};

use super::sites::{SiteId, Sites};
use crate::Lapse;

/// An asynchronous transfer that has not been waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    /// The step that issued it.
    pub step: StepId,
    /// Source and destination.
    pub buffers: [BufferId; 2],
    pub source: SiteId,
    pub target: SiteId,
    /// Bytes of the source's tensor that may be read.
    pub read: IntervalSet<Bytes>,
    /// Whether they equal the bytes of the destination's tensor that are written.
    pub is_aligned: bool,
    /// Bytes of the destination's tensor that may be written.
    pub bytes: IntervalSet<Bytes>,
    /// Bytes of the destination's tensor that are guaranteed to be written.
    pub certain: IntervalSet<Bytes>,
    /// Bytes of the destination's tensor that will be stale on arrival.
    pub incoming: IntervalSet<Bytes>,
    pub is_swap: bool,
    /// What the destination will hold on arrival, if the source held an older version.
    pub version: Option<Version>,
}

impl Flight {
    /// Makes bytes stale on arrival because the tensor changes while the transfer is in flight.
    pub(super) fn outdate(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>, sites: &Sites) {
        if sites[self.target].tensor == tensor {
            add(&mut self.incoming, &bytes.intersection(&self.bytes));
        }
    }
}

/// Facts about a step that another step repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Computation {
    /// Whether a repetition is invalid: the step may not have run in this iteration of its loops,
    /// or its operands may have changed since.
    has_lapsed: bool,
    operands: BTreeMap<u32, IntervalSet<Bytes>>,
    /// Indexed by tensor: bytes that the step wrote.
    results: BTreeMap<u32, IntervalSet<Bytes>>,
    /// Indexed by tensor: bytes that other steps may have written since.
    replaced: BTreeMap<u32, IntervalSet<Bytes>>,
    /// Indexed by tensor that the step both reads and writes: the step whose results it read.
    versions: BTreeMap<u32, StepId>,
}

/// Bytes that a site is known to hold as an original step left them, whatever has happened to the
/// tensor since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub step: StepId,
    pub bytes: IntervalSet<Bytes>,
}

/// The state at a program point; see the documentation of `levels`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// Indexed by site: written bytes of the tensor that the site may not hold.
    stale: BTreeMap<SiteId, IntervalSet<Bytes>>,
    /// Indexed by site: the last step that made bytes stale.
    since: BTreeMap<SiteId, StepId>,
    /// Indexed by tensor: bytes that may have been written.
    defined: BTreeMap<u32, IntervalSet<Bytes>>,
    pub flights: BTreeMap<TokenId, Flight>,
    computations: BTreeMap<StepId, Computation>,
    /// Indexed by repeated step: the first write to an operand since it ran. For diagnostics only.
    lapses: BTreeMap<StepId, Lapse>,
    /// Indexed by site: the version that a repeated step has left there.
    versions: BTreeMap<SiteId, Version>,
}

impl State {
    /// The state on entry to the function: external contents are valid at their homes and nowhere
    /// else.
    pub(super) fn new(sites: &Sites, originals: &BTreeSet<StepId>) -> Self {
        let mut state = Self::default();
        for (_, tensor, home) in sites.homes() {
            state.define(tensor, &super::ranges::everything());
            for site in sites.of_tensor(tensor) {
                if *site != home {
                    state.stale.insert(*site, super::ranges::everything());
                }
            }
        }
        for original in originals {
            state.lapse(*original);
        }
        state
    }

    /// Joins the state of another path. Returns whether this state changed.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changed = self.join_flights(other);
        for (site, bytes) in &other.stale {
            changed |= add(self.stale.entry(*site).or_default(), bytes);
        }
        for (site, step) in &other.since {
            // For diagnostics only: keep the first step known.
            self.since.entry(*site).or_insert(*step);
        }
        for (step, lapse) in &other.lapses {
            self.lapses.entry(*step).or_insert(*lapse);
        }
        for (tensor, bytes) in &other.defined {
            changed |= add(self.defined.entry(*tensor).or_default(), bytes);
        }
        for (step, theirs) in &other.computations {
            let own = self.computations.entry(*step).or_default();
            changed |= theirs.has_lapsed && !own.has_lapsed;
            own.has_lapsed |= theirs.has_lapsed;
            for (sets, more) in [
                (&mut own.operands, &theirs.operands),
                (&mut own.results, &theirs.results),
                (&mut own.replaced, &theirs.replaced),
            ] {
                for (tensor, bytes) in more {
                    changed |= add(sets.entry(*tensor).or_default(), bytes);
                }
            }
            // The version that a step read is known only if it is the same on all paths.
            let known = own.versions.len();
            let theirs = &theirs.versions;
            own.versions
                .retain(|tensor, step| theirs.get(tensor) == Some(step));
            if own.versions.len() < known {
                own.has_lapsed = true;
                changed = true;
            }
        }
        let known = self.versions.len();
        let theirs = &other.versions;
        self.versions
            .retain(|site, version| theirs.get(site) == Some(version));
        changed | (self.versions.len() < known)
    }

    /// Joins the transfers in flight. Waiting for a transfer that is in flight on one path only
    /// leaves the destination of the other path unchanged, so bytes that are stale there count as
    /// incoming.
    fn join_flights(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (token, flight) in &mut self.flights {
            let theirs = match other.flights.get(token) {
                Some(flight) => flight.incoming.clone(),
                None => other.stale_within(flight.target, &flight.bytes),
            };
            changed |= add(&mut flight.incoming, &theirs);
            let known = other.flights.get(token).map(|own| &own.version);
            if flight.version.is_some() && known != Some(&flight.version) {
                flight.version = None;
                changed = true;
            }
        }
        for (token, flight) in &other.flights {
            if !self.flights.contains_key(token) {
                let mut flight = flight.clone();
                flight.version = None;
                let own = self.stale_within(flight.target, &flight.bytes);
                add(&mut flight.incoming, &own);
                self.flights.insert(*token, flight);
                changed = true;
            }
        }
        changed
    }

    /// Starts a new instance of a tensor, with undefined contents.
    pub(super) fn begin(&mut self, tensor: u32, sites: &Sites) {
        // External tensors exist before the function starts.
        if sites.home(tensor).is_some() {
            return;
        }
        self.defined.remove(&tensor);
        for computation in self.computations.values_mut() {
            computation.has_lapsed |= computation.operands.contains_key(&tensor);
            computation
                .replaced
                .insert(tensor, super::ranges::everything());
        }
        for site in sites.of_tensor(tensor) {
            self.stale.remove(site);
            self.versions.remove(site);
        }
        for flight in self.flights.values_mut() {
            if sites[flight.source].tensor == tensor {
                flight.version = None;
            }
        }
    }

    /// Records that a repetition has restored its results at a site, or that a transfer has brought them there.
    pub(super) fn hold(&mut self, site: SiteId, version: Version) {
        self.versions.insert(site, version);
    }

    /// The older version of a tensor that some bytes of a site hold.
    pub(super) fn held(&self, site: SiteId, bytes: &IntervalSet<Bytes>) -> Option<Version> {
        let held = self.versions.get(&site)?;
        Some(Version {
            bytes: held.bytes.intersection(bytes),
            ..held.clone()
        })
    }

    /// Forgets the version at a site, which has been overwritten.
    pub(super) fn forget(&mut self, site: SiteId) {
        self.versions.remove(&site);
    }

    /// Whether a repetition of `step` finds at a site the version of `tensor` that the original
    /// read; `None` if the original did not both read and write the tensor, so that it is an
    /// ordinary operand.
    pub(super) fn finds_version(
        &self,
        step: StepId,
        tensor: u32,
        site: SiteId,
        bytes: &IntervalSet<Bytes>,
    ) -> Option<bool> {
        let wanted = self.computations.get(&step)?.versions.get(&tensor)?;
        let held = self.versions.get(&site);
        let is_there = held.is_some_and(|held| {
            held.step == *wanted && bytes.iter().all(|bytes| held.bytes.covers(bytes))
        });
        Some(is_there)
    }

    /// Records a write to bytes of a tensor.
    pub(super) fn define(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>) {
        add(self.defined.entry(tensor).or_default(), bytes);
        for computation in self.computations.values_mut() {
            let operands = computation.operands.get(&tensor);
            computation.has_lapsed |= operands.is_some_and(|own| own.overlaps(bytes));
            if computation.results.contains_key(&tensor) {
                add(computation.replaced.entry(tensor).or_default(), bytes);
            }
        }
    }

    /// Records the write to an operand that invalidated repetitions, for diagnostics.
    pub(super) fn blame(&mut self, lapse: Lapse) {
        for (step, computation) in &self.computations {
            if computation.has_lapsed && computation.operands.contains_key(&lapse.tensor) {
                self.lapses.entry(*step).or_insert(lapse);
            }
        }
    }

    /// Returns the operand write that invalidated repetitions of `step`, if that is the reason.
    pub(super) fn lapse_of(&self, step: StepId) -> Option<Lapse> {
        self.lapses.get(&step).copied()
    }

    /// Records that some bytes of a tensor may have been written through an alias.
    pub(super) fn changed(&mut self, tensor: u32) {
        for computation in self.computations.values_mut() {
            computation.has_lapsed |= computation.operands.contains_key(&tensor);
            if computation.results.contains_key(&tensor) {
                let everything = super::ranges::everything();
                computation.replaced.insert(tensor, everything);
            }
        }
    }

    /// Returns the bytes of a tensor that may have been written.
    pub(super) fn defined(&self, tensor: u32) -> IntervalSet<Bytes> {
        self.defined.get(&tensor).cloned().unwrap_or_default()
    }

    /// Records that bytes of a tensor no longer exist at any site.
    pub(super) fn undefine(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>) {
        if let Some(defined) = self.defined.get_mut(&tensor) {
            *defined = defined.difference(bytes);
        }
    }

    pub(super) fn make_stale(&mut self, site: SiteId, bytes: &IntervalSet<Bytes>, by: StepId) {
        if !bytes.is_empty() {
            add(self.stale.entry(site).or_default(), bytes);
            self.since.insert(site, by);
        }
    }

    /// Makes lost bytes stale; bytes that were never written cannot be lost.
    pub(super) fn make_stale_where_defined(
        &mut self,
        site: SiteId,
        bytes: &IntervalSet<Bytes>,
        by: StepId,
        sites: &Sites,
    ) {
        if let Some(defined) = self.defined.get(&sites[site].tensor) {
            let lost = bytes.intersection(defined);
            self.make_stale(site, &lost, by);
        }
    }

    pub(super) fn make_valid(&mut self, site: SiteId, bytes: &IntervalSet<Bytes>) {
        if let Some(stale) = self.stale.get_mut(&site) {
            *stale = stale.difference(bytes);
            if stale.is_empty() {
                self.stale.remove(&site);
                self.since.remove(&site);
            }
        }
    }

    /// Returns the bytes among `bytes` that are stale at a site.
    pub(super) fn stale_within(
        &self,
        site: SiteId,
        bytes: &IntervalSet<Bytes>,
    ) -> IntervalSet<Bytes> {
        match self.stale.get(&site) {
            Some(stale) => stale.intersection(bytes),
            None => IntervalSet::new(),
        }
    }

    /// Returns the last step that made bytes of a site stale.
    pub(super) fn since(&self, site: SiteId) -> Option<StepId> {
        self.since.get(&site).copied()
    }

    /// Forbids repetitions of a step.
    pub(super) fn lapse(&mut self, original: StepId) {
        self.computations.entry(original).or_default().has_lapsed = true;
    }

    pub(super) fn has_lapsed(&self, original: StepId) -> bool {
        self.computations
            .get(&original)
            .is_none_or(|c| c.has_lapsed)
    }

    /// Records an execution of a step that other steps may repeat.
    pub(super) fn computed(&mut self, step: StepId, operands: BTreeMap<u32, IntervalSet<Bytes>>) {
        // Versions from an earlier execution differ from what this one leaves.
        self.versions.retain(|_, version| version.step != step);
        for flight in self.flights.values_mut() {
            flight.version.take_if(|version| version.step == step);
        }
        self.lapses.remove(&step);
        self.computations.insert(
            step,
            Computation {
                operands,
                ..Computation::default()
            },
        );
    }

    /// Returns the step that last wrote all of `bytes` of a tensor, if it may be repeated. To be
    /// called before a step that reads these bytes and writes the same tensor.
    pub(super) fn version(&self, tensor: u32, bytes: &IntervalSet<Bytes>) -> Option<StepId> {
        let mut known = self.computations.iter();
        let is_last = |computation: &Computation| {
            let results = computation.results.get(&tensor);
            let replaced = computation.replaced.get(&tensor);
            results.is_some_and(|own| bytes.iter().all(|bytes| own.covers(bytes)))
                && replaced.is_none_or(|others| !others.overlaps(bytes))
        };
        let found = known.find(|(_, computation)| is_last(computation));
        found.map(|(step, _)| *step)
    }

    /// Records that `step` read the version of a tensor that `version` left, and also writes the
    /// tensor.
    pub(super) fn reads_version(&mut self, step: StepId, tensor: u32, version: StepId) {
        let computation = self.computations.entry(step).or_default();
        computation.operands.remove(&tensor);
        computation.versions.insert(tensor, version);
    }

    /// Records the results of a step. A step that overwrites its own operands cannot be repeated.
    pub(super) fn wrote(&mut self, step: StepId, tensor: u32, bytes: &IntervalSet<Bytes>) {
        let computation = self.computations.entry(step).or_default();
        let operands = computation.operands.get(&tensor);
        computation.has_lapsed |= operands.is_some_and(|own| own.overlaps(bytes));
        add(computation.results.entry(tensor).or_default(), bytes);
    }

    /// Returns the bytes of a tensor that the step did not write, or that may have been overwritten
    /// since.
    pub(super) fn replaced(&self, original: StepId, tensor: u32) -> IntervalSet<Bytes> {
        let mut others = super::ranges::everything();
        if let Some(computation) = self.computations.get(&original) {
            if let Some(results) = computation.results.get(&tensor) {
                others = others.difference(results);
            }
            if let Some(replaced) = computation.replaced.get(&tensor) {
                add(&mut others, replaced);
            }
        }
        others
    }
}

/// Adds all of `more`; returns whether any of it was new.
fn add(set: &mut IntervalSet<Bytes>, more: &IntervalSet<Bytes>) -> bool {
    let is_new = more.iter().any(|bytes| !set.covers(bytes));
    if is_new {
        more.iter().for_each(|bytes| set.insert(bytes));
    }
    is_new
}

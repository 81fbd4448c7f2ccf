//! What may be at a moment of execution. All of it only grows at joins.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{BufferId, Bytes, IntervalSet, StepId, TokenId};

use super::sites::{SiteId, Sites};
use crate::Lapse;

/// An asynchronous transfer that nobody has waited for yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    /// Where it started.
    pub step: StepId,
    /// Source and target.
    pub buffers: [BufferId; 2],
    pub source: SiteId,
    pub target: SiteId,
    /// Of the source's tensor: what may be read.
    pub read: IntervalSet<Bytes>,
    /// Whether those are the bytes of the target's tensor that are written.
    pub is_aligned: bool,
    /// Of the target's tensor: what may be written.
    pub bytes: IntervalSet<Bytes>,
    /// What is sure to be.
    pub certain: IntervalSet<Bytes>,
    /// Those that are stale when they arrive.
    pub incoming: IntervalSet<Bytes>,
    pub is_swap: bool,
}

impl Flight {
    /// The tensor changes while this is under way.
    pub fn outdate(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>, sites: &Sites) {
        if sites[self.target].tensor == tensor {
            add(&mut self.incoming, &bytes.intersection(&self.bytes));
        }
    }
}

/// What is known of a step that another repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Computation {
    /// It may not have run in this round of its loops, or its operands may have changed since.
    has_lapsed: bool,
    operands: BTreeMap<u32, IntervalSet<Bytes>>,
    /// By tensor: the bytes that it wrote.
    results: BTreeMap<u32, IntervalSet<Bytes>>,
    /// By tensor: what others may have written since.
    replaced: BTreeMap<u32, IntervalSet<Bytes>>,
    /// By tensor that it reads and writes: the step whose results it read.
    versions: BTreeMap<u32, StepId>,
}

/// What a place is sure to hold: bytes as a step of the original left them, whatever has become of the tensor since.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    step: StepId,
    bytes: IntervalSet<Bytes>,
}

/// See the module above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// By place: bytes of the tensor that may not be there, all of them written by somebody.
    stale: BTreeMap<SiteId, IntervalSet<Bytes>>,
    /// By place: the last step that made bytes stale.
    since: BTreeMap<SiteId, StepId>,
    /// By tensor: bytes that may have been written.
    defined: BTreeMap<u32, IntervalSet<Bytes>>,
    pub flights: BTreeMap<TokenId, Flight>,
    computations: BTreeMap<StepId, Computation>,
    /// By repeated step: which operand was written first since it ran. For messages.
    lapses: BTreeMap<StepId, Lapse>,
    /// By place: what a repeated step has left there.
    versions: BTreeMap<SiteId, Version>,
}

impl State {
    /// When the function starts: what others own is in its home, and nowhere else.
    pub fn new(sites: &Sites, originals: &BTreeSet<StepId>) -> Self {
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

    /// Takes in what holds on another path. Returns whether that was new.
    pub fn join(&mut self, other: &Self) -> bool {
        let mut changed = self.join_flights(other);
        for (site, bytes) in &other.stale {
            changed |= add(self.stale.entry(*site).or_default(), bytes);
        }
        for (site, step) in &other.since {
            // Only for messages: the first to be known stays.
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
            // What it read is known if it is on all paths.
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

    /// What is under way on one path only leaves what is there on the other as it is when it is waited for.
    fn join_flights(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (token, flight) in &mut self.flights {
            let theirs = match other.flights.get(token) {
                Some(flight) => flight.incoming.clone(),
                None => other.stale_within(flight.target, &flight.bytes),
            };
            changed |= add(&mut flight.incoming, &theirs);
        }
        for (token, flight) in &other.flights {
            if !self.flights.contains_key(token) {
                let mut flight = flight.clone();
                let own = self.stale_within(flight.target, &flight.bytes);
                add(&mut flight.incoming, &own);
                self.flights.insert(*token, flight);
                changed = true;
            }
        }
        changed
    }

    /// A new instance of a tensor: nobody has written it.
    pub fn begin(&mut self, tensor: u32, sites: &Sites) {
        // What others own was there before.
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
    }

    /// A step has been repeated: a place holds what the original left.
    pub fn hold(&mut self, site: SiteId, step: StepId, bytes: &IntervalSet<Bytes>) {
        let bytes = bytes.clone();
        self.versions.insert(site, Version { step, bytes });
    }

    /// A place holds something else.
    pub fn forget(&mut self, site: SiteId) {
        self.versions.remove(&site);
    }

    /// Whether a repetition of `step` finds in a place what the original read of a tensor that it writes, too; `None`: that
    /// tensor is an operand as any other.
    pub fn finds_version(
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

    /// Bytes of a tensor have been written.
    pub fn define(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>) {
        add(self.defined.entry(tensor).or_default(), bytes);
        for computation in self.computations.values_mut() {
            let operands = computation.operands.get(&tensor);
            computation.has_lapsed |= operands.is_some_and(|own| own.overlaps(bytes));
            if computation.results.contains_key(&tensor) {
                add(computation.replaced.entry(tensor).or_default(), bytes);
            }
        }
    }

    /// Remembers who has written an operand of steps that cannot be repeated any more.
    pub fn blame(&mut self, lapse: Lapse) {
        for (step, computation) in &self.computations {
            if computation.has_lapsed && computation.operands.contains_key(&lapse.tensor) {
                self.lapses.entry(*step).or_insert(lapse);
            }
        }
    }

    /// Why a step cannot be repeated, if it is because of an operand.
    pub fn lapse_of(&self, step: StepId) -> Option<Lapse> {
        self.lapses.get(&step).copied()
    }

    /// Some bytes of a tensor may have been written through another name.
    pub fn changed(&mut self, tensor: u32) {
        for computation in self.computations.values_mut() {
            computation.has_lapsed |= computation.operands.contains_key(&tensor);
            if computation.results.contains_key(&tensor) {
                let everything = super::ranges::everything();
                computation.replaced.insert(tensor, everything);
            }
        }
    }

    /// Bytes that a tensor may have.
    pub fn defined(&self, tensor: u32) -> IntervalSet<Bytes> {
        self.defined.get(&tensor).cloned().unwrap_or_default()
    }

    /// Bytes of a tensor are nowhere any more.
    pub fn undefine(&mut self, tensor: u32, bytes: &IntervalSet<Bytes>) {
        if let Some(defined) = self.defined.get_mut(&tensor) {
            bytes.iter().for_each(|bytes| defined.remove(bytes));
        }
    }

    pub fn make_stale(&mut self, site: SiteId, bytes: &IntervalSet<Bytes>, by: StepId) {
        if !bytes.is_empty() {
            add(self.stale.entry(site).or_default(), bytes);
            self.since.insert(site, by);
        }
    }

    /// What is there is gone; what nobody has written cannot be.
    pub fn make_stale_where_defined(
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

    pub fn make_valid(&mut self, site: SiteId, bytes: &IntervalSet<Bytes>) {
        if let Some(stale) = self.stale.get_mut(&site) {
            bytes.iter().for_each(|bytes| stale.remove(bytes));
            if stale.is_empty() {
                self.stale.remove(&site);
                self.since.remove(&site);
            }
        }
    }

    /// Which of `bytes` may not be in a place.
    pub fn stale_within(&self, site: SiteId, bytes: &IntervalSet<Bytes>) -> IntervalSet<Bytes> {
        match self.stale.get(&site) {
            Some(stale) => stale.intersection(bytes),
            None => IntervalSet::new(),
        }
    }

    /// The last step that made bytes of a place stale.
    pub fn since(&self, site: SiteId) -> Option<StepId> {
        self.since.get(&site).copied()
    }

    /// What a step has computed must not be computed again.
    pub fn lapse(&mut self, original: StepId) {
        self.computations.entry(original).or_default().has_lapsed = true;
    }

    pub fn has_lapsed(&self, original: StepId) -> bool {
        self.computations
            .get(&original)
            .is_none_or(|c| c.has_lapsed)
    }

    /// A step has run that another may repeat.
    pub fn computed(&mut self, step: StepId, operands: BTreeMap<u32, IntervalSet<Bytes>>) {
        // What was left in an earlier round is not what this one leaves.
        self.versions.retain(|_, version| version.step != step);
        self.lapses.remove(&step);
        self.computations.insert(
            step,
            Computation {
                operands,
                ..Computation::default()
            },
        );
    }

    /// In front of a step that reads bytes of a tensor which it writes: the step that wrote all of them last, if it may be
    /// repeated.
    pub fn version(&self, tensor: u32, bytes: &IntervalSet<Bytes>) -> Option<StepId> {
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

    /// That step read what another left of a tensor, and writes it.
    pub fn reads_version(&mut self, step: StepId, tensor: u32, version: StepId) {
        let computation = self.computations.entry(step).or_default();
        computation.operands.remove(&tensor);
        computation.versions.insert(tensor, version);
    }

    /// What that step has written: if those are operands of its own, it cannot be repeated.
    pub fn wrote(&mut self, step: StepId, tensor: u32, bytes: &IntervalSet<Bytes>) {
        let computation = self.computations.entry(step).or_default();
        let operands = computation.operands.get(&tensor);
        computation.has_lapsed |= operands.is_some_and(|own| own.overlaps(bytes));
        add(computation.results.entry(tensor).or_default(), bytes);
    }

    /// Bytes of a tensor that are not, or not any more, what a step has written.
    pub fn replaced(&self, original: StepId, tensor: u32) -> IntervalSet<Bytes> {
        let mut others = super::ranges::everything();
        if let Some(computation) = self.computations.get(&original) {
            if let Some(results) = computation.results.get(&tensor) {
                results.iter().for_each(|bytes| others.remove(bytes));
            }
            if let Some(replaced) = computation.replaced.get(&tensor) {
                add(&mut others, replaced);
            }
        }
        others
    }
}

/// Adds all of `more`; returns whether anything of it was new.
fn add(set: &mut IntervalSet<Bytes>, more: &IntervalSet<Bytes>) -> bool {
    let is_new = more.iter().any(|bytes| !set.covers(bytes));
    if is_new {
        more.iter().for_each(|bytes| set.insert(bytes));
    }
    is_new
}

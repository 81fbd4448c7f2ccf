//! Transfers: the staleness that they propagate, and the bytes that they lock while in flight.

use mem_model::{Access, AccessKind, BufferId, IntervalSet, Step, StepId};

use super::state::{Flight, State};
use super::{Checker, Touch, TransferKind, token_of};
use crate::Violation;

impl Checker<'_> {
    /// Returns the transfer that a step performs; `None` if the sites that it touches are not
    /// known.
    pub(super) fn flight(&self, id: StepId, step: &Step, kind: TransferKind) -> Option<Flight> {
        if !step.accesses.iter().all(|access| self.is_exact(access)) {
            return None;
        }
        let of_kind = |kind: AccessKind| {
            let accesses = step.accesses.iter().filter(move |a| a.kind == kind);
            accesses.flat_map(|access| self.touches(access))
        };
        let reads: Vec<(BufferId, Touch)> = of_kind(AccessKind::Use).collect();
        // The step of a swap lists its source as written, too.
        let is_target =
            |(_, write): &(BufferId, Touch)| reads.iter().all(|(_, read)| read.site != write.site);
        let mut writes = of_kind(AccessKind::Define);
        let elsewhere = of_kind(AccessKind::Define).find(is_target);
        // Source and destination are two names of one site, with the same bytes: the data stays in
        // place.
        let (target, write) = elsewhere.or_else(|| {
            writes.find(|(_, write)| reads.iter().all(|(_, read)| read.may == write.may))
        })?;
        let (source, read) = reads.into_iter().next()?;
        Some(Flight {
            step: id,
            buffers: [source, target],
            source: read.site,
            target: write.site,
            is_aligned: read.may == write.may,
            read: read.may,
            bytes: write.may,
            certain: write.must,
            incoming: IntervalSet::new(),
            is_swap: kind == TransferKind::Swap,
            version: None,
        })
    }

    /// Whether a transfer copies a tensor from one of its sites to another. All other transfers are
    /// part of the original program.
    pub(super) fn is_of_plan(&self, flight: &Flight) -> bool {
        self.sites[flight.source].tensor == self.sites[flight.target].tensor
    }

    pub(super) fn transfer(
        &self,
        step: &Step,
        flight: &Flight,
        state: &mut State,
        report: &mut impl FnMut(Violation),
    ) {
        let mut flight = flight.clone();
        let stays = flight.source == flight.target && !flight.is_swap;
        let (source, target) = (flight.source, flight.target);
        let is_overlap = self.sites.meet(source, &flight.read, target, &flight.bytes);
        if is_overlap && !stays {
            // The order in which the engine copies bytes is unspecified.
            report(Violation::TransferOverlap {
                step: flight.step,
                from: flight.buffers[0],
                to: flight.buffers[1],
            });
        }
        flight.incoming = match flight.is_aligned {
            true => state.stale_within(flight.source, &flight.bytes),
            false => flight.bytes.clone(),
        };
        let is_copy = flight.is_aligned && !flight.is_swap && self.is_of_plan(&flight);
        if is_copy && !is_overlap {
            flight.version = state.held(source, &flight.certain);
        }
        if stays {
            return self.depart(step, flight, state, report);
        }
        self.overwrite(flight.step, flight.target, &flight.bytes, state);
        if flight.is_swap {
            self.overwrite(flight.step, flight.source, &flight.read, state);
        }
        if token_of(step).is_some() {
            state.make_stale_where_defined(target, &flight.bytes, flight.step, &self.sites);
        }
        self.depart(step, flight, state, report);
    }

    /// Issues a transfer, which completes at once or when it is waited for.
    pub(super) fn depart(
        &self,
        step: &Step,
        flight: Flight,
        state: &mut State,
        report: &mut impl FnMut(Violation),
    ) {
        match token_of(step) {
            None => self.arrive(&flight, state),
            Some(token) => {
                if let Some(before) = state.flights.insert(token, flight) {
                    report(Violation::NeverAwaited { step: before.step });
                }
            }
        }
    }

    /// Completes a transfer.
    pub(super) fn arrive(&self, flight: &Flight, state: &mut State) {
        let (id, source, target) = (flight.step, flight.source, flight.target);
        if self.is_of_plan(flight) {
            state.make_valid(target, &flight.certain);
            state.make_stale(target, &flight.incoming, id);
            if let Some(version) = &flight.version {
                state.hold(target, version.clone());
            }
        }
        if flight.is_swap {
            state.make_stale_where_defined(source, &flight.read, id, &self.sites);
            if !self.is_of_plan(flight) {
                // No site holds those bytes of the source's tensor any more.
                state.undefine(self.sites[source].tensor, &flight.read);
            }
        }
    }

    /// Reports accesses to bytes of transfers in flight.
    pub(super) fn report_flying(
        &self,
        id: StepId,
        step: &Step,
        state: &State,
        report: &mut impl FnMut(Violation),
    ) {
        for flight in state.flights.values() {
            let mut hits = step.accesses.iter().filter_map(|a| self.locked(a, flight));
            if let Some((buffer, locked)) = hits.next() {
                report(Violation::InFlight {
                    step: id,
                    buffer,
                    locked,
                    transfer: flight.step,
                });
            }
        }
    }

    /// Returns the buffer through which an access touches bytes that a transfer locks, and the end
    /// of the transfer that they belong to.
    fn locked(&self, access: &Access, flight: &Flight) -> Option<(BufferId, BufferId)> {
        let [source, target] = flight.buffers;
        let locks_source = access.kind == AccessKind::Define || flight.is_swap;
        let source = locks_source.then_some((source, flight.source, &flight.read));
        let target = (target, flight.target, &flight.bytes);
        let is_named = self.is_buffer(access.pointer);
        let hit = |(end, site, bytes): (BufferId, _, _)| {
            let mut touches = self.touches(access);
            let hit = touches.find(|(_, touch)| {
                // A merge denotes one of several sites. It cannot denote one that holds another
                // tensor; whether it denotes another site of this tensor is unknown.
                let is_other = self.sites[touch.site].tensor != self.sites[site].tensor;
                (is_named || is_other) && self.sites.meet(touch.site, &touch.may, site, bytes)
            });
            let is_alias = |other: &&BufferId| self.may_alias(**other, end);
            let outside = || self.denoted[access.pointer.index()].iter().find(is_alias);
            let hit = hit.map(|(buffer, _)| buffer);
            hit.or_else(|| outside().copied()).map(|hit| (hit, end))
        };
        hit(target).or_else(|| source.and_then(hit))
    }
}

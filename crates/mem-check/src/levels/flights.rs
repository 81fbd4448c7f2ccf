//! Transfers: what they hand on, and which bytes they lock until they are waited for.

use mem_model::{Access, AccessKind, BufferId, IntervalSet, Step, StepId};

use super::state::{Flight, State};
use super::{Checker, Touch, TransferKind, token_of};
use crate::Violation;

impl Checker<'_> {
    /// What a transfer does; nothing if it is not known which places it touches.
    pub(super) fn flight(&self, id: StepId, step: &Step, kind: TransferKind) -> Option<Flight> {
        if !step.accesses.iter().all(|access| self.is_exact(access)) {
            return None;
        }
        let of_kind = |kind: AccessKind| {
            let accesses = step.accesses.iter().filter(move |a| a.kind == kind);
            accesses.flat_map(|access| self.touches(access))
        };
        let reads: Vec<(BufferId, Touch)> = of_kind(AccessKind::Use).collect();
        // A swap says that it writes its source, too.
        let is_target =
            |(_, write): &(BufferId, Touch)| reads.iter().all(|(_, read)| read.site != write.site);
        let mut writes = of_kind(AccessKind::Define);
        let elsewhere = of_kind(AccessKind::Define).find(is_target);
        // Two names of one place, and the same bytes: it stays where it is.
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
        })
    }

    /// Whether a transfer takes a tensor from one of its places to another. All others are the program's own.
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
            // In which order the bytes are copied is up to the engine.
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

    /// A transfer arrives at once, or when it is waited for.
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

    /// A transfer is done.
    pub(super) fn arrive(&self, flight: &Flight, state: &mut State) {
        let (id, source, target) = (flight.step, flight.source, flight.target);
        if self.is_of_plan(flight) {
            state.make_valid(target, &flight.certain);
            state.make_stale(target, &flight.incoming, id);
        }
        if flight.is_swap {
            state.make_stale_where_defined(source, &flight.read, id, &self.sites);
            if !self.is_of_plan(flight) {
                // There is no such tensor any more.
                state.undefine(self.sites[source].tensor, &flight.read);
            }
        }
    }

    /// Bytes of a transfer that has not been waited for are left alone.
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

    /// What an access touches of the bytes that a transfer locks, and the end of the transfer that those are.
    fn locked(&self, access: &Access, flight: &Flight) -> Option<(BufferId, BufferId)> {
        let [source, target] = flight.buffers;
        let locks_source = access.kind == AccessKind::Define || flight.is_swap;
        let source = locks_source.then_some((source, flight.source, &flight.read));
        let target = (target, flight.target, &flight.bytes);
        let is_named = self.is_buffer(access.pointer);
        let hit = |(end, site, bytes): (BufferId, _, _)| {
            let mut touches = self.touches(access);
            let hit = touches.find(|(_, touch)| {
                // A merge denotes one place of several. It cannot be one that holds another tensor; whether it is another
                // place of this one is not known.
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

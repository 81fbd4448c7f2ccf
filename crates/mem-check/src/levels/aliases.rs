//! External storage that may overlap other external storage: arguments, globals, and whatever a
//! callee accesses on its own.
//!
//! Two tensors whose homes may alias may be the same. While one of them is newer at another site
//! than at its home, no step may read storage that may alias the home. A write to one of them makes
//! all copies of the other stale, and invalidates what was computed from the other.

use std::collections::BTreeSet;

use mem_model::{Access, AccessKind, BufferId, Step, StepId, Storage};

use super::Checker;
use super::ranges::everything;
use super::sites::SiteId;
use super::state::State;
use crate::{Lapse, Violation};

impl Checker<'_> {
    /// Whether two external buffers may share a byte.
    pub(super) fn may_alias(&self, a: BufferId, b: BufferId) -> bool {
        let aliasing = |buffer: BufferId| self.program.buffers[buffer.index()].aliasing;
        let globals = &self.levels.globals;
        a != b
            && aliasing(a).may_overlap(aliasing(b))
            && !(globals.contains(&a) && globals.contains(&b))
    }

    /// Returns the tensors whose homes may alias `buffer`, with those homes.
    fn aliases(&self, buffer: BufferId) -> impl Iterator<Item = (BufferId, u32, SiteId)> + '_ {
        let homes = self.sites.homes();
        homes.filter(move |(home, ..)| self.may_alias(buffer, *home))
    }

    /// Returns the external storage that is the home of `buffer`'s tensor, and `buffer` itself if
    /// it is external.
    fn outside(&self, buffer: BufferId) -> BTreeSet<BufferId> {
        let sites = self.sites.of_buffer(buffer).iter();
        let homes = sites.filter_map(|(site, _)| self.sites.home_buffer(self.sites[*site].tensor));
        let mut outside: BTreeSet<BufferId> = homes.collect();
        if self.is_outside(buffer) {
            outside.insert(buffer);
        }
        outside
    }

    fn is_outside(&self, buffer: BufferId) -> bool {
        self.program.buffers[buffer.index()].storage == Storage::External
    }

    /// Handles writes to storage that may alias the homes of other tensors: all copies of those
    /// tensors become stale.
    pub(super) fn write_elsewhere(&self, id: StepId, step: &Step, state: &mut State) {
        let writes = step
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Define);
        let written = writes.flat_map(|write| &self.denoted[write.pointer.index()]);
        let outside: BTreeSet<BufferId> =
            written.flat_map(|buffer| self.outside(*buffer)).collect();
        for buffer in outside {
            for (_, tensor, home) in self.aliases(buffer) {
                state.changed(tensor);
                state.blame(Lapse {
                    tensor,
                    by: id,
                    through: Some(buffer),
                });
                state.forget(home);
                let others = self.sites.of_tensor(tensor).iter();
                for site in others.filter(|site| **site != home) {
                    state.make_stale_where_defined(*site, &everything(), id, &self.sites);
                }
            }
        }
    }

    /// Reports reads of storage that may alias a home whose tensor is newer at another site.
    pub(super) fn report_stale_elsewhere(
        &self,
        id: StepId,
        access: &Access,
        state: &State,
        report: &mut impl FnMut(Violation),
    ) {
        let denoted = self.denoted[access.pointer.index()].iter();
        for through in denoted.filter(|buffer| self.is_outside(**buffer)) {
            for (home, tensor, site) in self.aliases(*through) {
                let stale = state.stale_within(site, &state.defined(tensor));
                if let Some(bytes) = stale.iter().next() {
                    report(Violation::StaleElsewhere {
                        reader: id,
                        through: *through,
                        buffer: home,
                        since: state.since(site).unwrap_or(id),
                        bytes,
                    });
                    return;
                }
            }
        }
    }

    /// Whether two tensors may be the same because their homes may alias.
    pub(super) fn may_be_one(&self, a: u32, b: u32) -> bool {
        let homes = self.sites.home_buffer(a).zip(self.sites.home_buffer(b));
        homes.is_some_and(|(a, b)| self.may_alias(a, b))
    }
}

//! Storage outside of every plan that may share bytes with other such storage: arguments, globals, and whatever a callee
//! finds by itself.
//!
//! Two tensors whose homes may share bytes may be one. While one of them is newer in another place than at home, nothing
//! may look for the other where both may be; a write to the one leaves all copies of the other behind, and whatever was
//! computed from the other would come out differently now.

use std::collections::BTreeSet;

use mem_model::{Access, AccessKind, BufferId, Step, StepId, Storage};

use super::Checker;
use super::ranges::everything;
use super::sites::SiteId;
use super::state::State;
use crate::{Lapse, Violation};

impl Checker<'_> {
    /// Whether two buffers outside of every plan may have a common byte.
    pub(super) fn may_alias(&self, a: BufferId, b: BufferId) -> bool {
        let aliasing = |buffer: BufferId| self.program.buffers[buffer.index()].aliasing;
        let globals = &self.levels.globals;
        a != b
            && aliasing(a).may_overlap(aliasing(b))
            && !(globals.contains(&a) && globals.contains(&b))
    }

    /// Tensors whose home may share bytes with a buffer, and their homes.
    fn aliases(&self, buffer: BufferId) -> impl Iterator<Item = (BufferId, u32, SiteId)> + '_ {
        let homes = self.sites.homes();
        homes.filter(move |(home, ..)| self.may_alias(buffer, *home))
    }

    /// The storage outside of every plan that `buffer` is a place of, or is itself.
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

    /// Writes to storage that may be that of other tensors: none of their copies is up to date any more.
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

    /// Reads storage that may be that of a tensor whose newest bytes are in another place.
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

    /// Whether two tensors may be one because of where they are at home.
    pub(super) fn may_be_one(&self, a: u32, b: u32) -> bool {
        let homes = self.sites.home_buffer(a).zip(self.sites.home_buffer(b));
        homes.is_some_and(|(a, b)| self.may_alias(a, b))
    }
}

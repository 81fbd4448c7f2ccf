//! Recomputation: steps that repeat the computation of others.
//!
//! A tensor that is filled first and accumulated into later has changed when the fill is repeated.
//! The site then holds an older *version* of the tensor, which only a repetition of the step that
//! continued from this version may read. Versions are known for sites that repeated steps have
//! written, and for those that transfers have copied them to, until anything else writes there.

use mem_model::{Access, Step, StepId};

use super::state::{State, Version};
use super::{Checker, Touch};
use crate::Violation;

impl Checker<'_> {
    /// Applies a step that repeats the computation of `original`.
    pub(super) fn recompute(
        &self,
        id: StepId,
        original: StepId,
        writes: &[Touch],
        state: &mut State,
        report: &mut impl FnMut(Violation),
    ) {
        let has_lapsed = state.has_lapsed(original);
        if has_lapsed {
            report(Violation::Recomputed {
                step: id,
                original,
                lapse: state.lapse_of(original),
            });
        }
        for write in writes {
            self.overwrite(id, write.site, &write.may, state);
            let tensor = self.sites[write.site].tensor;
            let replaced = state.replaced(original, tensor);
            // Assume the worst; what is known to equal the original's result becomes valid below.
            state.make_stale_where_defined(write.site, &write.may, id, &self.sites);
            state.make_valid(write.site, &write.must.difference(&replaced));
        }
        // All writes of a step happen at once, so each may overwrite what another has just written.
        for write in writes.iter().filter(|_| writes.len() > 1) {
            self.overwrite(id, write.site, &write.may, state);
        }
        for (index, write) in writes.iter().enumerate() {
            let is_hit = writes.iter().enumerate().any(|(other, by)| {
                index != other && self.sites.meet(write.site, &write.may, by.site, &by.may)
            });
            // Another repetition may continue from this version.
            if !has_lapsed && !is_hit {
                let version = Version {
                    step: original,
                    bytes: write.must.clone(),
                };
                state.hold(write.site, version);
            }
        }
    }

    /// Returns the tensors that a step both reads and writes, with the steps that produced the
    /// versions it reads.
    pub(super) fn versions(
        &self,
        step: &Step,
        writes: &[Touch],
        state: &State,
    ) -> Vec<(u32, StepId)> {
        let operands = self.operands(step).into_iter();
        let written = operands.filter(|(tensor, bytes)| {
            let mut own = writes.iter();
            own.any(|write| self.sites[write.site].tensor == *tensor && write.may.overlaps(bytes))
        });
        written
            .filter_map(|(tensor, bytes)| Some((tensor, state.version(tensor, &bytes)?)))
            .collect()
    }

    /// Whether a repetition finds the versions that the original read, of tensors that the original
    /// also writes; `None` if the access touches no such tensor.
    pub(super) fn finds_version(
        &self,
        original: StepId,
        access: &Access,
        state: &State,
    ) -> Option<bool> {
        let found = self.touches(access).filter_map(|(_, touch)| {
            let tensor = self.sites[touch.site].tensor;
            state.finds_version(original, tensor, touch.site, &touch.may)
        });
        found.reduce(|all, own| all && own)
    }
}

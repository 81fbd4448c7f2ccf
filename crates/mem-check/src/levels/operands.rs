//! Overlap between the operands and the results of one step: bytes that the step writes while it
//! may still read them.
//!
//! The order in which an operation reads and writes is part of its semantics. The overlap between
//! its operands and results must therefore be that of the original program: the same bytes of the
//! same tensors, and no others. Exempt are (operand, result) pairs for which the step declares that
//! it reads each byte before it writes the same byte. They may coincide exactly or be disjoint,
//! whatever they were in the original.

use mem_model::{Access, AccessKind, BufferId, Bytes, IntervalSet, Step, StepId};

use super::state::State;
use super::{Checker, Residence, Touch};
use crate::Violation;

impl Checker<'_> {
    pub(super) fn report_overlaps(
        &self,
        id: StepId,
        step: &Step,
        state: &State,
        report: &mut impl FnMut(Violation),
    ) {
        let of_kind = |kind: AccessKind| {
            let accesses = step.accesses.iter().filter(move |a| a.kind == kind);
            // The sites of a merge are not known; `check_program_plan` judges it by addresses.
            accesses.filter(|access| self.is_buffer(access.pointer))
        };
        for read in of_kind(AccessKind::Use) {
            for write in of_kind(AccessKind::Define) {
                if let Some(violation) = self.overlap(id, step, read, write, state) {
                    report(violation);
                }
            }
        }
    }

    fn overlap(
        &self,
        step: StepId,
        of: &Step,
        read: &Access,
        write: &Access,
        state: &State,
    ) -> Option<Violation> {
        for (operand, source) in self.touches(read) {
            for (result, target) in self.touches(write) {
                if source.site == target.site {
                    continue;
                }
                // Compared by address in the plan, and by offset in the tensor for the original.
                let starts = self.starts(of, (read, operand), (write, result));
                let shares = |is_same: fn(Residence, Residence) -> bool| {
                    starts.is_some_and(|(a, b)| is_same(a, b))
                };
                let is_taken_over =
                    || shares(|a, b| a.memory == b.memory && a.address == b.address);
                if self.loses_operand(&source, &target, state) && !is_taken_over() {
                    return Some(Violation::OperandOverwritten {
                        step,
                        operand,
                        result,
                    });
                }
                let is_read_first = || shares(|a, b| a.tensor == b.tensor && a.start == b.start);
                let is_exact = self.is_exact(read) && self.is_exact(write);
                if is_exact && self.is_torn(&source, &target, state) && !is_read_first() {
                    return Some(Violation::Torn {
                        step,
                        operand,
                        result,
                    });
                }
            }
        }
        None
    }

    /// Whether a write may overwrite bytes that are still to be read.
    fn loses_operand(&self, source: &Touch, target: &Touch, state: &State) -> bool {
        let defined = state.defined(self.sites[source.site].tensor);
        let read = source.may.intersection(&defined);
        self.sites
            .meet(source.site, &read, target.site, &target.may)
    }

    /// Whether operand and result are, or may be, the same bytes in the original program, but not
    /// in the plan.
    fn is_torn(&self, source: &Touch, target: &Touch, state: &State) -> bool {
        let [from, to] = [source, target].map(|touch| self.sites[touch.site].tensor);
        if from == to {
            let common: IntervalSet<Bytes> = source.may.intersection(&target.may);
            return common.overlaps(&state.defined(from));
        }
        let is_home = |touch: &Touch, tensor| self.sites.home(tensor) == Some(touch.site);
        let are_home = is_home(source, from) && is_home(target, to);
        !are_home && self.may_be_one(from, to)
    }

    /// Returns the starts of the accesses to an operand and a result, if the step declares that it
    /// reads each byte of the operand before it writes the corresponding byte of the result.
    fn starts(
        &self,
        step: &Step,
        (read, operand): (&Access, BufferId),
        (write, result): (&Access, BufferId),
    ) -> Option<(Residence, Residence)> {
        let start =
            |access: &Access, buffer: BufferId| match self.levels.residences[buffer.index()][..] {
                [only] => {
                    let first = access.may.map_or(Bytes::ZERO, |range| range.start);
                    let start = only.start.checked_add(first)?;
                    let address = only.address.checked_add(first)?;
                    Some(Residence {
                        start,
                        address,
                        ..only
                    })
                }
                _ => None,
            };
        let is_said = step.in_place.contains(&(read.pointer, write.pointer));
        let starts = start(read, operand).zip(start(write, result));
        starts.filter(|_| is_said)
    }
}

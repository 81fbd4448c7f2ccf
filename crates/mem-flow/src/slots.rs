//! Number of addresses that the instances of a buffer need. One, if no two instances are ever
//! occupied at once. Otherwise one more than the number of names that may denote an older instance
//! at an allocation and are accessed later: whatever those names denote, one slot is then free.
//!
//! Names that are only written later count as well, because their writes must not hit the new
//! instance.

use std::collections::BTreeSet;

use mem_model::{BufferId, PointerId, Program, Rotation, SharedSet, StepId, Storage};

use crate::effects::Effects;
use crate::occupancy::{Allocation, Occupancy};
use crate::reach::{Flow, accessed_before_step};
use crate::{MAX_AVOIDED_NAMES, Unplannable, UnplannableReason};

/// Slot counts per buffer, with the rotations and unplannable buffers that follow from them.
pub(crate) struct Slots {
    pub slots: Vec<u32>,
    pub rotations: Vec<Rotation>,
    pub unplannable: Vec<Unplannable>,
}

/// Counts the slots of every buffer.
pub(crate) fn count_slots(
    flow: &Flow<'_>,
    effects: &[Effects],
    accessed: &[SharedSet],
    occupancy: &Occupancy,
) -> Slots {
    let mut found = Slots {
        slots: vec![1; flow.program.buffers.len()],
        rotations: Vec::new(),
        unplannable: Vec::new(),
    };
    let is_planned = |b: usize| flow.program.buffers[b].storage == Storage::Planned;
    let mut rotations = rotations_of(flow, effects, accessed, occupancy);
    rotations.sort_by_key(|r| (r.buffer, r.step));
    for of_buffer in rotations.chunk_by(|a, b| a.buffer == b.buffer) {
        let buffer = of_buffer[0].buffer;
        let widest = of_buffer.iter().max_by_key(|r| r.avoid.len());
        let (n_names, step) = widest.map_or((0, StepId::new(0)), |r| (r.avoid.len(), r.step));
        // Without a name to avoid, no older instance is needed when a new one begins.
        if n_names == 0 || !is_planned(buffer.index()) {
            continue;
        }
        if n_names > MAX_AVOIDED_NAMES {
            found.slots[buffer.index()] = 0;
            let reason = UnplannableReason::TooManyNames { step, n_names };
            found.unplannable.push(Unplannable { buffer, reason });
            continue;
        }
        // Each name to avoid may occupy a slot of its own, and the new instance needs another one.
        found.slots[buffer.index()] = 1 + n_names as u32;
        found.rotations.extend_from_slice(of_buffer);
    }
    found
}

impl Slots {
    /// Marks buffers unplannable if two of their instances are accessed in no guaranteed order.
    pub(crate) fn leave_out(&mut self, program: &Program, buffers: &BTreeSet<BufferId>) {
        for &buffer in buffers {
            let slots = &mut self.slots[buffer.index()];
            let is_planned = program.buffers[buffer.index()].storage == Storage::Planned;
            if is_planned && *slots > 0 {
                *slots = 0;
                let reason = UnplannableReason::SeveralCores;
                self.unplannable.push(Unplannable { buffer, reason });
            }
        }
        self.rotations
            .retain(|rotation| !buffers.contains(&rotation.buffer));
    }
}

/// One rotation per allocation of a buffer that overlaps itself, with the names to avoid.
fn rotations_of(
    flow: &Flow<'_>,
    effects: &[Effects],
    accessed: &[SharedSet],
    occupancy: &Occupancy,
) -> Vec<Rotation> {
    let mut wanted: Vec<&Allocation> = occupancy
        .allocations
        .iter()
        .filter(|a| occupancy.overlaps_itself.contains(a.buffer.index()))
        .collect();
    let mut rotations = Vec::new();
    if wanted.is_empty() {
        return rotations;
    }
    wanted.sort_by_key(|a| a.step);
    for &block in &flow.order {
        let steps = flow.steps(block);
        let first = wanted.partition_point(|a| a.step.index() < steps.start);
        let after = wanted.partition_point(|a| a.step.index() < steps.end);
        let mut here = wanted[first..after].to_vec();
        if here.is_empty() {
            continue;
        }
        let mut names = flow.at_end_of(block, accessed);
        for step in steps.rev() {
            accessed_before_step(flow, effects, step, &mut names);
            while let Some(allocation) = here.pop_if(|a| a.step.index() == step) {
                rotations.push(keep_away(allocation, &names));
            }
        }
    }
    rotations
}

fn keep_away(allocation: &Allocation, accessed: &SharedSet) -> Rotation {
    let is_accessed = |name: &PointerId| accessed.contains(name.index());
    let buffer: BufferId = allocation.buffer;
    Rotation {
        step: allocation.step,
        buffer,
        avoid: allocation
            .older
            .iter()
            .copied()
            .filter(is_accessed)
            .collect(),
    }
}

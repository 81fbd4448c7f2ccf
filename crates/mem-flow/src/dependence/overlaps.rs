//! Which buffers a write to another one may change.

use mem_model::{AccessKind, Aliasing, BufferId, Program};

use super::referents::Referents;

/// Buffers whose content a write to another buffer may change. Only those that are read count:
/// nothing is asked of the others.
pub(super) struct Overlaps {
    aliasing: Vec<Aliasing>,
    arguments: Vec<BufferId>,
    unknown: Vec<BufferId>,
    all: Vec<BufferId>,
}

impl Overlaps {
    pub fn new(program: &Program, referents: &Referents) -> Self {
        let mut is_read = vec![false; program.buffers.len()];
        for access in program.steps.iter().flat_map(|step| &step.accesses) {
            for referent in referents.of(access.pointer) {
                is_read[referent.buffer.index()] |= access.kind == AccessKind::Use;
            }
        }
        let mut overlaps = Self {
            aliasing: program.buffers.iter().map(|b| b.aliasing).collect(),
            arguments: Vec::new(),
            unknown: Vec::new(),
            all: Vec::new(),
        };
        for (index, buffer) in program.buffers.iter().enumerate() {
            if !is_read[index] || buffer.aliasing == Aliasing::Private {
                continue;
            }
            let id = BufferId::new(index);
            overlaps.all.push(id);
            if buffer.aliasing.may_overlap(Aliasing::Argument) {
                overlaps.arguments.push(id);
            }
            if buffer.aliasing == Aliasing::Unknown {
                overlaps.unknown.push(id);
            }
        }
        overlaps
    }

    /// What may share bytes with `buffer`; perhaps `buffer` itself, too.
    pub fn with(&self, buffer: BufferId) -> &[BufferId] {
        match self.aliasing[buffer.index()] {
            Aliasing::Private => &[],
            Aliasing::Reachable => &self.unknown,
            Aliasing::Argument => &self.arguments,
            Aliasing::Unknown => &self.all,
        }
    }
}

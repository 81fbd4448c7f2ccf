//! The copies between levels that a program with a plan states: its operations `mem.load`, `mem.store`,
//! `mem.swap` and `mem.move`.

use mem_cost::transfer_cost;
use mem_model::{
    Access, AccessKind, Buffer, BufferId, Bytes, Hierarchy, LevelId, Program, Step, Storage,
};
use mem_view::{PrintedTransfer, TransferEnd};

use crate::extract::Extraction;
use crate::ir::dialect::is_transfer;
use crate::ir::spaces::{LevelSpaces, space_of};
use crate::ir::{Attribute, Op};

/// Reads the copies of a function, in layout order. `hierarchy` and `spaces` are those of the module;
/// without levels, the cycles of copies are unknown. Linear in accesses.
pub(super) fn transfers_of(
    extraction: &Extraction,
    hierarchy: &Hierarchy,
    spaces: Option<&LevelSpaces>,
) -> Vec<PrintedTransfer> {
    let program = &extraction.program;
    let steps = program.steps.iter().enumerate();
    let transfers = steps
        .zip(&extraction.step_ops)
        .filter_map(|((step, own), &op)| {
            if !is_transfer(op) {
                return None;
            }
            let end = |kind: AccessKind, operand: usize| {
                let (buffer, _) = accessed(program, own, kind)?;
                let named = &program.buffers[buffer.index()];
                Some(match &named.storage {
                    Storage::Placed { offset, level } => TransferEnd {
                        buffer,
                        level: Some(level.clone()),
                        offset: Some(*offset),
                    },
                    _ => TransferEnd {
                        buffer,
                        level: home_of(op, operand, hierarchy, spaces),
                        offset: None,
                    },
                })
            };
            let (from, to) = (end(AccessKind::Use, 0)?, end(AccessKind::Define, 1)?);
            let bytes = bytes_of(program, own)?;
            let level = |end: &TransferEnd| hierarchy.find(end.level.as_deref()?);
            let cycles = level(&from).zip(level(&to));
            Some(PrintedTransfer {
                step,
                until: wait_of(extraction, step, op),
                keeps_source: matches!(op.name(), "mem.load" | "mem.store"),
                cycles: cycles.map(|(from, to)| transfer_cost(hierarchy, bytes, from, to)),
                from,
                to,
                bytes,
            })
        });
    transfers.collect()
}

/// The memory spaces of a module's hierarchy.
pub(super) fn spaces_of(module: Op) -> Option<LevelSpaces> {
    let hierarchy: Option<Attribute> = module.attribute("mem.hierarchy");
    hierarchy.map(LevelSpaces::new)
}

/// The buffer that a step reads or writes through a pointer of its own, and the access.
fn accessed<'a>(
    program: &Program,
    step: &'a Step,
    kind: AccessKind,
) -> Option<(BufferId, &'a Access)> {
    let mut accesses = step.accesses.iter().filter(|own| own.kind == kind);
    accesses.find_map(|own| {
        let pointer = &program.pointers[own.pointer.index()];
        Some((pointer.kind.buffer()?, own))
    })
}

/// Bytes that a copy reads.
fn bytes_of(program: &Program, step: &Step) -> Option<Bytes> {
    let (buffer, access) = accessed(program, step, AccessKind::Use)?;
    let own: &Buffer = &program.buffers[buffer.index()];
    Some(access.may.map_or(own.size, |range| {
        Bytes::new(range.end.get().saturating_sub(range.start.get()))
    }))
}

/// The level of storage outside of all arenas: that of its memory space, or the slowest.
fn home_of(
    op: Op,
    operand: usize,
    hierarchy: &Hierarchy,
    spaces: Option<&LevelSpaces>,
) -> Option<String> {
    let space = space_of(op.operand(operand).ty()).flatten();
    let stated = spaces.and_then(|own| own.first_of(space));
    let slowest = hierarchy.levels.len().checked_sub(1).map(LevelId::new);
    let level = stated.or(slowest.filter(|_| space.is_none()))?;
    Some(hierarchy.levels[level.index()].name.clone())
}

/// The step that waits for the copy of `step`: the step itself, if it is synchronous.
fn wait_of(extraction: &Extraction, step: usize, op: Op) -> usize {
    let Some(token) = op.results().next() else {
        return step;
    };
    let waits = token.users();
    let later = &extraction.step_ops[step + 1..];
    let wait = later.iter().position(|own| waits.contains(own));
    wait.map_or(extraction.step_ops.len(), |at| step + 1 + at)
}

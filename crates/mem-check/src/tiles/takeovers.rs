//! Results that take the place of operands.

use mem_model::{
    Along, BufferId, RowMap, StepId, Takeover, TileAccess, TileOperand, TileOperation, TileProgram,
};

use super::{Check, TileError};

/// Checks what the steps of a group do not show: nothing accesses the results before the group or the operands
/// after it, in the block or elsewhere, and each pair has one shape. Linear in the operands of the program,
/// times the takeovers.
pub(super) fn check(
    program: &TileProgram,
    (first, end): (StepId, StepId),
    takeovers: &[Takeover],
) -> Result<(), TileError> {
    let buffer = |id: BufferId| &program.buffers[id.index()];
    let accesses = |operations: &[TileOperation], id: BufferId| {
        let mut operands = operations.iter().flat_map(|own| &own.operands);
        operands.any(|own| own.buffer == id)
    };
    let mut known: Vec<BufferId> = Vec::new();
    for Takeover { result, operand } in takeovers {
        let is_new = !known.contains(result) && !known.contains(operand) && result != operand;
        known.extend([*result, *operand]);
        let (own, other) = (buffer(*result), buffer(*operand));
        let is_fine = is_new
            && own.is_private
            && other.is_private
            && (&own.shape, own.element) == (&other.shape, other.element)
            && !accesses(&program.operations[..first.index()], *result)
            && !accesses(&program.operations[end.index()..], *operand);
        if !is_fine {
            return Err(wrong(program, *result, *operand));
        }
    }
    Ok(())
}

fn wrong(program: &TileProgram, result: BufferId, operand: BufferId) -> TileError {
    let [result, operand] = [result, operand].map(|own| program.buffers[own.index()].name.clone());
    TileError::WrongTakeover { result, operand }
}

impl Check<'_> {
    /// The buffer whose storage a buffer has.
    pub(super) fn place_of(&self, buffer: BufferId) -> BufferId {
        let mut takeovers = self.takeovers.iter();
        let taken = takeovers.find(|own| own.result == buffer);
        taken.map_or(buffer, |own| own.operand)
    }

    /// Checks that iterations, or all of them, that write rows of a result do not read the same rows of the operand whose
    /// place it takes, unless each of them reads the elements that it writes itself, and no others.
    pub(super) fn check_aliases(
        &self,
        operation: &TileOperation,
        write: &TileOperand,
        iterations: Option<(usize, i64, i64)>,
        written: (i64, i64),
    ) -> Result<(), TileError> {
        let operand = self.place_of(write.buffer);
        if operand == write.buffer {
            return Ok(());
        }
        let mut reads = operation.operands.iter();
        let overlaps = |read: &&TileOperand| {
            let (start, end) = self.rows(read, iterations);
            let is_shared = start < written.1 && written.0 < end;
            read.buffer == operand && is_shared && !is_elementwise(operation, read, write)
        };
        match reads.find(overlaps) {
            Some(_) => Err(wrong(self.program, write.buffer, operand)),
            None => Ok(()),
        }
    }
}

/// Whether every iteration of an operation reads the element of one operand that it writes of another one, and
/// no other iteration accesses it.
fn is_elementwise(operation: &TileOperation, read: &TileOperand, write: &TileOperand) -> bool {
    let is_single = |map: &RowMap| map.scale == 1 && (map.first, map.last) == (0, 1);
    let mut along = operation.dimensions.iter().zip(&write.along);
    read.access == TileAccess::Read
        && read.along == write.along
        && along.all(|(own, along)| {
            own.extent == 1 || matches!(along, Along::Rows(map) if is_single(map))
        })
}

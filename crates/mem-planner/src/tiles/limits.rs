//! What limits the groups that set the peak: operations that cannot be part of them.

use mem_model::{StepId, TileProgram};

use super::TilePlan;
use super::group::{Group, Refusal};

/// An operation that a group cannot have, or that is not executed tile by tile itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileLimit {
    /// The group, as a range of operations. One operation that is in no group is a range as well.
    pub operations: (StepId, StepId),
    /// The operation before the group or after it that cannot be part of it; or one of the range, which is
    /// not tiled because of it, or cannot be part of a group with the next operation.
    pub operation: StepId,
    /// Why it cannot be part of the group.
    pub refusal: Refusal,
}

impl TilePlan {
    /// The limits of the groups and operations with the highest peak. There are none on a side where a group
    /// could have another operation, and has not because that takes more memory or time. Takes as long as
    /// building each of these groups a few times.
    #[must_use]
    pub fn limits(&self, program: &TileProgram) -> Vec<TileLimit> {
        let of_range = |&operations: &(StepId, StepId)| {
            let (first, end) = (operations.0.index(), operations.1.index());
            let before = match (reaches(program, end - 1, first), first.checked_sub(1)) {
                (Ok(()), Some(before)) => reaches(program, end - 1, before),
                (own, _) => own,
            };
            let after = match end < program.operations.len() {
                true => reaches(program, end, end - 1),
                false => Ok(()),
            };
            let refused = [before, after].into_iter().filter_map(Result::err);
            refused.map(move |(operation, refusal)| TileLimit {
                operations,
                operation: StepId::new(operation),
                // Of what cannot be tiled at all, it does not matter which rows are read.
                refusal: match program.operations[operation].can_be_tiled() {
                    true => refusal,
                    false => Refusal::NotTileable,
                },
            })
        };
        let mut limits: Vec<TileLimit> = self.widest.iter().flat_map(of_range).collect();
        // One operation may be beside several ranges, and what is not tiled cannot be grouped with the next one.
        limits.dedup_by_key(|own| own.operation);
        limits
    }
}

/// Whether a group that ends with an operation may begin at `first`. Otherwise, the operation that cannot be part
/// of it, in the dimension in which the group has most operations.
fn reaches(program: &TileProgram, anchor: usize, first: usize) -> Result<(), (usize, Refusal)> {
    let mut refused = (anchor, Refusal::NotTileable);
    for dimension in 0..program.operations[anchor].dimensions.len() {
        match Group::reaching(program, (anchor, dimension), first) {
            Ok(_) => return Ok(()),
            Err(own) if own.0 <= refused.0 => refused = own,
            Err(_) => {}
        }
    }
    Err(refused)
}

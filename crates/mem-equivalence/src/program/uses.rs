//! The values that a step uses and defines.

use super::{Number, StepKind, ValueId};

impl StepKind {
    /// Returns the values that the step uses.
    #[must_use]
    pub fn operands(&self) -> Vec<ValueId> {
        let numbers = |numbers: &[Number]| {
            let values = numbers.iter().filter_map(|number| match number {
                Number::Constant(_) => None,
                Number::Value(value) => Some(*value),
            });
            values.collect::<Vec<_>>()
        };
        match self {
            Self::Integer { .. } | Self::Global { .. } => Vec::new(),
            Self::Arithmetic { operands, .. } => operands.to_vec(),
            Self::Allocate { sizes, .. } => numbers(sizes),
            Self::View { source, kind, .. } => {
                let mut used = numbers(&kind.numbers());
                used.push(*source);
                used
            }
            Self::Dimension { source, index, .. } => {
                let mut used = numbers(&[*index]);
                used.push(*source);
                used
            }
            Self::Layout { source, .. } | Self::Pointer { source, .. } => vec![*source],
            Self::Compute { operands, .. } => operands.iter().map(|own| own.value).collect(),
            Self::Copy { from, to, .. } => vec![*from, *to],
            Self::Start(transfer) => transfer.operands(),
            Self::Await { ticket, .. } => ticket.values(),
            Self::Free { storage } => vec![*storage],
            Self::Fill { value, to } => vec![*value, *to],
            Self::Load { from, indices, .. } => indices.iter().chain([from]).copied().collect(),
            Self::Store { value, to, indices } => {
                indices.iter().chain([value, to]).copied().collect()
            }
            Self::Select {
                condition, yes, no, ..
            } => vec![*condition, *yes, *no],
            Self::Rotate {
                slots, avoiding, ..
            } => slots.iter().chain(avoiding).copied().collect(),
            Self::Rotated {
                result,
                slots,
                avoiding,
                ..
            } => {
                let used = slots.iter().chain(avoiding);
                used.chain([result]).copied().collect()
            }
            Self::Call { operands, .. }
            | Self::Event { operands, .. }
            | Self::Unknown { operands, .. } => operands.clone(),
        }
    }

    /// Returns the values that the step defines.
    #[must_use]
    pub fn results(&self) -> Vec<ValueId> {
        match self {
            Self::Integer { result, .. }
            | Self::Arithmetic { result, .. }
            | Self::Allocate { result, .. }
            | Self::Global { result, .. }
            | Self::View { result, .. }
            | Self::Dimension { result, .. }
            | Self::Layout { result, .. }
            | Self::Pointer { result, .. }
            | Self::Load { result, .. }
            | Self::Select { result, .. }
            | Self::Rotate { result, .. } => vec![*result],
            Self::Start(transfer) => vec![transfer.result],
            Self::Compute { results, .. }
            | Self::Call { results, .. }
            | Self::Event { results, .. }
            | Self::Unknown { results, .. } => results.clone(),
            Self::Copy { .. }
            | Self::Fill { .. }
            | Self::Store { .. }
            | Self::Await { .. }
            | Self::Free { .. }
            | Self::Rotated { .. } => Vec::new(),
        }
    }
}

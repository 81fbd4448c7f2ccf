//! The values that a step uses and defines.

use super::{AccessStep, ChoiceStep, Number, ScalarStep, StepKind, StorageStep, ValueId};

impl StepKind {
    /// Returns the values that the step uses.
    #[must_use]
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Self::Scalar(step) => step.operands(),
            Self::Storage(step) => step.operands(),
            Self::Access(step) => step.operands(),
            Self::Choice(step) => step.operands(),
            Self::Compute { operands, .. } | Self::Exchange { operands, .. } => {
                operands.iter().map(|own| own.value).collect()
            }
            Self::Launch {
                operands, after, ..
            } => {
                let used = operands.iter().map(|own| own.value);
                used.chain(after.iter().map(|own| own.ticket)).collect()
            }
            Self::Start(transfer) => transfer.operands(),
            Self::Await { ticket, .. } => ticket.values(),
            Self::Free { storage, .. } => vec![*storage],
            Self::Call { operands, .. }
            | Self::Event { operands, .. }
            | Self::Unknown { operands, .. } => operands.to_vec(),
        }
    }

    /// Returns the values that the step defines.
    #[must_use]
    pub fn results(&self) -> Vec<ValueId> {
        match self {
            Self::Scalar(step) => vec![step.result()],
            Self::Storage(step) => vec![step.result()],
            Self::Access(step) => step.result().into_iter().collect(),
            Self::Choice(step) => step.result().into_iter().collect(),
            Self::Start(transfer) => vec![transfer.result],
            Self::Launch { ticket, .. } => vec![*ticket],
            Self::Exchange {
                results, ticket, ..
            } => results.iter().chain(ticket).copied().collect(),
            Self::Compute { results, .. }
            | Self::Call { results, .. }
            | Self::Event { results, .. }
            | Self::Unknown { results, .. } => results.to_vec(),
            Self::Await { .. } | Self::Free { .. } => Vec::new(),
        }
    }
}

impl ScalarStep {
    fn operands(&self) -> Vec<ValueId> {
        match self {
            Self::Integer { .. } => Vec::new(),
            Self::Arithmetic { operands, .. } => operands.to_vec(),
            Self::Dimension { source, index, .. } => with_source(&[*index], *source),
            Self::Layout { source, .. } => vec![*source],
        }
    }

    fn result(&self) -> ValueId {
        match self {
            Self::Integer { result, .. }
            | Self::Arithmetic { result, .. }
            | Self::Dimension { result, .. }
            | Self::Layout { result, .. } => *result,
        }
    }
}

impl StorageStep {
    fn operands(&self) -> Vec<ValueId> {
        match self {
            Self::Allocate { sizes, .. } => values(sizes).collect(),
            Self::Global { .. } => Vec::new(),
            Self::View { source, kind, .. } => with_source(&kind.numbers(), *source),
            Self::Pointer { source, .. } => vec![*source],
        }
    }

    fn result(&self) -> ValueId {
        match self {
            Self::Allocate { result, .. }
            | Self::Global { result, .. }
            | Self::View { result, .. }
            | Self::Pointer { result, .. } => *result,
        }
    }
}

impl AccessStep {
    fn operands(&self) -> Vec<ValueId> {
        match self {
            Self::Copy { from, to, .. } => vec![*from, *to],
            Self::Fill { value, to } => vec![*value, *to],
            Self::Load { from, indices, .. } => indices.iter().chain([from]).copied().collect(),
            Self::Store { value, to, indices } => {
                indices.iter().chain([value, to]).copied().collect()
            }
        }
    }

    fn result(&self) -> Option<ValueId> {
        match self {
            Self::Load { result, .. } => Some(*result),
            Self::Copy { .. } | Self::Fill { .. } | Self::Store { .. } => None,
        }
    }
}

impl ChoiceStep {
    fn operands(&self) -> Vec<ValueId> {
        match self {
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
        }
    }

    fn result(&self) -> Option<ValueId> {
        match self {
            Self::Select { result, .. } | Self::Rotate { result, .. } => Some(*result),
            // States a fact about a value that other steps define.
            Self::Rotated { .. } => None,
        }
    }
}

fn values(numbers: &[Number]) -> impl Iterator<Item = ValueId> {
    numbers.iter().filter_map(|number| match number {
        Number::Constant(_) => None,
        Number::Value(value) => Some(*value),
    })
}

fn with_source(numbers: &[Number], source: ValueId) -> Vec<ValueId> {
    values(numbers).chain([source]).collect()
}

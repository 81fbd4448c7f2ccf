//! Why a problem over several levels has no plan.

use mem_model::{LevelId, TensorId};

/// A tensor that a step needs, but that fits in no level that the step accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "tensor {} does not fit at step {step}: {missing} bytes are missing in {level}",
    .tensor.index()
)]
pub struct LevelNoFit {
    /// The step.
    pub step: usize,
    /// The tensor.
    pub tensor: TensorId,
    /// The slowest level in which the step accepts the tensor.
    pub level: LevelId,
    /// Bytes missing in that level after evicting everything that may leave.
    pub missing: u64,
    /// Tensors in that level at the time.
    pub alive: Vec<TensorId>,
}

/// Reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelPlanError {
    /// An operand fits in no level in which its step accepts it.
    #[error(transparent)]
    NoFit(#[from] LevelNoFit),
    /// The program has loops, more addresses than are tried, or more states than may be visited.
    #[error(
        "exact: the program has loops, or too many plans to look at (more than {max_states} states)"
    )]
    NotExact {
        /// Maximum number of states to visit.
        max_states: usize,
    },
}

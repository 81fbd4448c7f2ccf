//! Several levels: which tensor is where while each step runs, and what is copied in between.
//!
//! Every policy goes through the steps once, in order, and knows where everything is. It wants the operands of a step in the
//! fastest level that the step accepts, and has room for them. What dies is forgotten; what has to leave is dropped
//! if there is a good copy below, and moved down if not. Tensors that a loop carries around get their place in front of the
//! loop, and keep it until behind it.

mod engine;
mod space;

use mem_model::{LevelId, LevelPlan, LevelProblem};

/// How room is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelPolicy {
    /// Not at all: tensors stay where there was room when their life began.
    Initial,
    /// By whom nobody has used for the longest time.
    LeastRecentlyUsed,
    /// By whom nobody needs for the longest time.
    FarthestNextUse,
}

impl LevelPolicy {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::Initial,
        Self::LeastRecentlyUsed,
        Self::FarthestNextUse,
    ];
}

/// A tensor that a step needs, and no level that the step accepts has room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tensor {tensor} does not fit at step {step}: {missing} bytes are missing in {level}")]
pub struct LevelNoFit {
    /// The step.
    pub step: usize,
    /// The tensor.
    pub tensor: usize,
    /// The slowest level that the step accepts it in.
    pub level: LevelId,
    /// How many bytes that has too few, whatever else would leave.
    pub missing: u64,
    /// What is in that level at the time.
    pub alive: Vec<usize>,
}

/// Plans with one policy. O(accesses times tensors in a level) for policies that make room.
///
/// # Errors
/// If a step cannot have an operand where it accepts it.
pub fn plan_levels(problem: &LevelProblem, policy: LevelPolicy) -> Result<LevelPlan, LevelNoFit> {
    engine::Engine::new(problem, policy).run()
}

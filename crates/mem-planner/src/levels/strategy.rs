//! Names of the policies, the strategies and the cost models.

use mem_cost::simulate;
use mem_model::{LevelPlan, LevelProblem, UnknownName, named};

use super::overlap;

/// Eviction policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelPolicy {
    /// Never evicts: tensors stay where there was room when their lifetime began.
    Initial,
    /// Evicts the least recently used tensor.
    LeastRecentlyUsed,
    /// Evicts the tensor with the farthest next use.
    FarthestNextUse,
}

impl LevelPolicy {
    /// All policies.
    pub const ALL: [Self; 3] = [
        Self::Initial,
        Self::LeastRecentlyUsed,
        Self::FarthestNextUse,
    ];

    /// Name of the policy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::LeastRecentlyUsed => "least-recently-used",
            Self::FarthestNextUse => "farthest-next-use",
        }
    }
}

/// How the cost of a plan is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CostModel {
    /// The sum of computation, accesses and copies, one after the other.
    #[default]
    Serial,
    /// The makespan, with copies that overlap computation as [`overlap`] arranges them.
    Overlapped,
}

impl CostModel {
    /// Both models.
    pub const ALL: [Self; 2] = [Self::Serial, Self::Overlapped];

    /// Name of the model.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Overlapped => "overlapped",
        }
    }

    /// Cost of a plan in cycles; the plan's copies are issued where they are needed, without
    /// overlap.
    #[must_use]
    pub fn cycles(self, problem: &LevelProblem, plan: &LevelPlan) -> u64 {
        match self {
            Self::Serial => plan.cost,
            Self::Overlapped => simulate(problem, &overlap(problem, plan)).makespan,
        }
    }
}

impl std::str::FromStr for CostModel {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named("cost model", &Self::ALL, Self::name, name)
    }
}

/// Strategy to search for a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelStrategy {
    /// The cheapest plan of all strategies below.
    Auto,
    /// One policy, without search.
    Policy(LevelPolicy),
    /// The cheapest plan of all, for small programs without loops.
    Exact,
    /// Assigns levels and addresses over time, tensor by tensor, and improves the result by large
    /// neighbourhood search.
    Global,
    /// Changes the initial plan where that makes it cheaper, in segments of steps.
    LocalSearch {
        /// Steps per segment, at least one.
        segment: usize,
    },
}

impl LevelStrategy {
    /// All strategies; local search with segments of one step.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Exact,
        Self::Policy(LevelPolicy::Initial),
        Self::Policy(LevelPolicy::LeastRecentlyUsed),
        Self::Policy(LevelPolicy::FarthestNextUse),
        Self::Global,
        Self::LocalSearch { segment: 1 },
    ];

    /// Name of the strategy, as parsed by [`FromStr`](std::str::FromStr).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::Policy(policy) => policy.name(),
            Self::Global => "global",
            Self::LocalSearch { .. } => "local-search",
        }
    }
}

impl std::str::FromStr for LevelStrategy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named("strategy", &Self::ALL, Self::name, name)
    }
}

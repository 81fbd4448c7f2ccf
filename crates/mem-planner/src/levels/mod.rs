//! Plans over several memory levels: which level holds each tensor while each step runs, and what
//! is copied in between.
//!
//! Every policy walks the steps once, in order, and tracks the location of every tensor. It places
//! the operands of a step in the fastest level that the step accepts and that has room. Dead
//! tensors are freed. A tensor that has to leave a level is dropped if there is another valid copy,
//! and moved down otherwise. Loop-carried tensors are placed before the loop, and stay in place
//! until after it.

mod assemble;
mod engine;
mod exact;
mod overlap;
mod prices;
mod residence;
mod segments;
mod space;
mod space_time;
mod walk;

pub(crate) use overlap::end_late;
pub use overlap::overlap;

use mem_model::{LevelId, LevelPlan, LevelProblem, simulate};

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
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| format!("no cost model '{name}'; there are serial, overlapped"))
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
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no strategy '{name}'; there are {names}")
        })
    }
}

/// A tensor that a step needs, but that fits in no level that the step accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tensor {tensor} does not fit at step {step}: {missing} bytes are missing in {level}")]
pub struct LevelNoFit {
    /// The step.
    pub step: usize,
    /// The tensor.
    pub tensor: usize,
    /// The slowest level in which the step accepts the tensor.
    pub level: LevelId,
    /// Bytes missing in that level after evicting everything that may leave.
    pub missing: u64,
    /// Tensors in that level at the time.
    pub alive: Vec<usize>,
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

/// Maximum number of states that the exact strategy visits.
const EXACT_STATES: usize = 2_000_000;

/// Maximum number of states that the exact strategy visits as part of `auto`.
const AUTO_STATES: usize = 8_000;

/// Number of price updates for the lower bound.
const ROUNDS: usize = 60;

/// A plan, and a lower bound on the cost of any plan.
#[derive(Clone, Debug)]
pub struct LevelAnswer {
    /// The plan.
    pub plan: LevelPlan,
    /// Name of the strategy that found the plan.
    pub strategy: &'static str,
    /// Lower bound on the serial cost of any plan, in cycles, and at most that of this plan; 0 if
    /// the strategy computes none.
    pub lower_bound: u64,
}

/// Maximum number of steps that local search plans in total.
const EFFORT: u64 = 500_000;

/// Effort of the search for better residence, in residences and uses examined.
fn effort(problem: &LevelProblem) -> u64 {
    let uses: usize = problem.steps.iter().map(|step| step.uses.len()).sum();
    (uses as u64 * 100_000).clamp(400_000, 1_000_000_000)
}

/// Plans with every strategy, and returns the cheapest plan.
///
/// # Errors
/// If no strategy finds a plan; the error is that of the first policy.
pub fn plan_levels_auto(
    problem: &LevelProblem,
    model: CostModel,
) -> Result<LevelAnswer, LevelNoFit> {
    let of_policy = |policy: LevelPolicy| (policy.name(), plan_levels(problem, policy));
    let mut found: Vec<_> = LevelPolicy::ALL.into_iter().map(of_policy).collect();
    for segment in [1, 2] {
        let plan = segments::plan(problem, segment, EFFORT / 10);
        let strategy = LevelStrategy::LocalSearch { segment };
        found.extend(plan.map(|plan| (strategy.name(), Ok(plan))));
    }
    let exact = exact::cheapest(problem, AUTO_STATES);
    found.extend(exact.map(|plan| (LevelStrategy::Exact.name(), Ok(plan))));
    let walks = walk::Walk::all(problem);
    if let Some(mut resident) = residence::Resident::new(problem, &walks) {
        resident.improve(effort(problem));
        let plan = resident.plan();
        found.extend(plan.map(|plan| (LevelStrategy::Global.name(), Ok(plan))));
    }
    let known = found
        .iter()
        .filter_map(|(_, plan)| Some(plan.as_ref().ok()?.cost))
        .min();
    let known = known.unwrap_or(u64::MAX >> 12);
    let lower_bound = prices::lower_bound(problem, &walks, known, ROUNDS).unwrap_or(0);
    for (strategy, plan) in &found {
        match plan {
            // The arguments are evaluated only if the line is printed: a simulation takes time.
            Ok(plan) => log::debug!(
                target: "levels",
                "{strategy}: {} cycles ({}), {} placements, {} transfers",
                model.cycles(problem, plan), model.name(),
                plan.placements.len(), plan.transfers.len(),
            ),
            Err(error) => log::debug!(target: "levels", "{strategy}: no plan: {error}"),
        }
    }
    let error = found
        .iter()
        .find_map(|(_, plan)| plan.as_ref().err().cloned());
    let plans = found
        .into_iter()
        .filter_map(|(strategy, plan)| Some((strategy, plan.ok()?)));
    let cheapest = plans.min_by_key(|(_, plan)| model.cycles(problem, plan));
    let Some((strategy, plan)) = cheapest else {
        return Err(
            error.unwrap_or_else(|| unreachable!("there are policies, and each has an answer"))
        );
    };
    log::debug!(
        target: "levels",
        "chosen: {strategy}, serial cost {}, lower bound {lower_bound}", plan.cost,
    );
    Ok(LevelAnswer {
        lower_bound: lower_bound.min(plan.cost),
        plan,
        strategy,
    })
}

/// Plans with one strategy.
///
/// # Errors
/// If the strategy finds no plan.
pub fn plan_levels_with(
    problem: &LevelProblem,
    strategy: LevelStrategy,
    model: CostModel,
) -> Result<LevelAnswer, LevelPlanError> {
    let plan = match strategy {
        LevelStrategy::Auto => return Ok(plan_levels_auto(problem, model)?),
        LevelStrategy::Exact => {
            let Some(plan) = exact::cheapest(problem, EXACT_STATES) else {
                // If nothing fits, report that instead.
                plan_levels(problem, LevelPolicy::FarthestNextUse)?;
                return Err(LevelPlanError::NotExact {
                    max_states: EXACT_STATES,
                });
            };
            return Ok(LevelAnswer {
                lower_bound: plan.cost,
                plan,
                strategy: strategy.name(),
            });
        }
        LevelStrategy::Policy(policy) => plan_levels(problem, policy)?,
        LevelStrategy::Global => {
            let walks = walk::Walk::all(problem);
            let plan = residence::Resident::new(problem, &walks).and_then(|mut resident| {
                resident.improve(effort(problem));
                resident.plan()
            });
            match plan {
                Some(plan) => plan,
                // Fall back to a policy, which also explains what does not fit.
                None => plan_levels(problem, LevelPolicy::FarthestNextUse)?,
            }
        }
        LevelStrategy::LocalSearch { segment } => {
            let initial = plan_levels(problem, LevelPolicy::Initial)?;
            let found = segments::plan(problem, segment, EFFORT);
            let cheaper =
                found.filter(|plan| model.cycles(problem, plan) < model.cycles(problem, &initial));
            cheaper.unwrap_or(initial)
        }
    };
    Ok(LevelAnswer {
        plan,
        strategy: strategy.name(),
        lower_bound: 0,
    })
}

/// Plans with one policy. Policies that evict take O(accesses * tensors in a level).
///
/// # Errors
/// If an operand fits in no level in which its step accepts it.
pub fn plan_levels(problem: &LevelProblem, policy: LevelPolicy) -> Result<LevelPlan, LevelNoFit> {
    let plan = engine::Engine::new(problem, policy).run()?;
    Ok(assemble::drop_unused(problem, plan))
}

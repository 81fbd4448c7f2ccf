//! Several levels: which tensor is where while each step runs, and what is copied in between.
//!
//! Every policy goes through the steps once, in order, and knows where everything is. It wants the operands of a step in the
//! fastest level that the step accepts, and has room for them. What dies is forgotten; what has to leave is dropped
//! if there is a good copy below, and moved down if not. Tensors that a loop carries around get their place in front of the
//! loop, and keep it until behind it.

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

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::LeastRecentlyUsed => "least-recently-used",
            Self::FarthestNextUse => "farthest-next-use",
        }
    }
}

/// What a plan costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CostModel {
    /// All accesses and copies, one after the other.
    #[default]
    Serial,
    /// Until all is done, with copies beside the computation as [`overlap`] has them.
    Overlapped,
}

impl CostModel {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Serial, Self::Overlapped];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Overlapped => "overlapped",
        }
    }

    /// Cycles of a plan whose copies are where they are needed.
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

/// What looks for a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelStrategy {
    /// The cheapest of all that follow.
    Auto,
    /// One policy, without search.
    Policy(LevelPolicy),
    /// The cheapest of all plans, for small programs without loops.
    Exact,
    /// Residence first, tensor by tensor, with addresses; then better residence.
    Global,
    /// The initial plan, and changes that make it cheaper, in segments of so many steps.
    LocalSearch {
        /// At least one.
        segment: usize,
    },
}

impl LevelStrategy {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Exact,
        Self::Policy(LevelPolicy::Initial),
        Self::Policy(LevelPolicy::LeastRecentlyUsed),
        Self::Policy(LevelPolicy::FarthestNextUse),
        Self::Global,
        Self::LocalSearch { segment: 1 },
    ];

    /// What it is called.
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

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelPlanError {
    /// A step cannot have an operand where it accepts it.
    #[error(transparent)]
    NoFit(#[from] LevelNoFit),
    /// Looking at all plans would take too long, or there are loops, or more addresses than are tried.
    #[error(
        "exact: the program has loops, or too many plans to look at (more than {max_states} states)"
    )]
    NotExact {
        /// How many were allowed.
        max_states: usize,
    },
}

/// States that the exact strategy looks at, at most.
const EXACT_STATES: usize = 2_000_000;

/// And those of `auto`.
const AUTO_STATES: usize = 8_000;

/// Rounds in which prices are found.
const ROUNDS: usize = 60;

/// A plan, and how much better another could be.
#[derive(Clone, Debug)]
pub struct LevelAnswer {
    /// The plan.
    pub plan: LevelPlan,
    /// The name of what found it.
    pub strategy: &'static str,
    /// No plan costs less, one thing after the other; at most what the plan costs so.
    pub lower_bound: u64,
}

/// Steps that local search may plan, in all.
const EFFORT: u64 = 500_000;

/// How much the search for better residence looks at.
fn effort(problem: &LevelProblem) -> u64 {
    let uses: usize = problem.steps.iter().map(|step| step.uses.len()).sum();
    (uses as u64 * 100_000).clamp(400_000, 1_000_000_000)
}

/// Plans with every strategy, and takes the cheapest plan.
///
/// # Errors
/// If nobody finds a plan: why the first policy does not.
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
    Ok(LevelAnswer {
        lower_bound: lower_bound.min(plan.cost),
        plan,
        strategy,
    })
}

/// Plans with one strategy.
///
/// # Errors
/// If it finds no plan.
pub fn plan_levels_with(
    problem: &LevelProblem,
    strategy: LevelStrategy,
    model: CostModel,
) -> Result<LevelAnswer, LevelPlanError> {
    let plan = match strategy {
        LevelStrategy::Auto => return Ok(plan_levels_auto(problem, model)?),
        LevelStrategy::Exact => {
            let Some(plan) = exact::cheapest(problem, EXACT_STATES) else {
                // If nothing fits, that is why.
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
                // Somebody has to say why.
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

/// Plans with one policy. O(accesses times tensors in a level) for policies that make room.
///
/// # Errors
/// If a step cannot have an operand where it accepts it.
pub fn plan_levels(problem: &LevelProblem, policy: LevelPolicy) -> Result<LevelPlan, LevelNoFit> {
    let plan = engine::Engine::new(problem, policy).run()?;
    Ok(assemble::drop_unused(problem, plan))
}

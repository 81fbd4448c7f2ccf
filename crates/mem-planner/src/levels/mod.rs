//! Several levels: which tensor is where while each step runs, and what is copied in between.
//!
//! Every policy goes through the steps once, in order, and knows where everything is. It wants the operands of a step in the
//! fastest level that the step accepts, and has room for them. What dies is forgotten; what has to leave is dropped
//! if there is a good copy below, and moved down if not. Tensors that a loop carries around get their place in front of the
//! loop, and keep it until behind it.

mod engine;
mod prices;
mod search;
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

/// What looks for a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelStrategy {
    /// The cheapest of all that follow, and then local search.
    Auto,
    /// One policy, without search.
    Policy(LevelPolicy),
    /// Residence by prices at which tensors share the levels.
    Global,
    /// The initial plan, and changes that make it cheaper.
    LocalSearch,
}

impl LevelStrategy {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Auto,
        Self::Policy(LevelPolicy::Initial),
        Self::Policy(LevelPolicy::LeastRecentlyUsed),
        Self::Policy(LevelPolicy::FarthestNextUse),
        Self::Global,
        Self::LocalSearch,
    ];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Policy(policy) => policy.name(),
            Self::Global => "global",
            Self::LocalSearch => "local-search",
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

/// Rounds in which prices are found.
const ROUNDS: usize = 60;

/// A plan, and how much better another could be.
#[derive(Clone, Debug)]
pub struct LevelAnswer {
    /// The plan.
    pub plan: LevelPlan,
    /// The name of what found it.
    pub strategy: &'static str,
    /// No plan costs less; at most what the plan costs.
    pub lower_bound: u64,
}

/// Accesses that local search may plan, in all.
const EFFORT: u64 = 2_000_000;

/// Plans with every policy, and with what tensors want at prices at which they share the levels; then changes the cheapest
/// plan while that makes it cheaper.
///
/// # Errors
/// If nobody finds a plan: why the first does not.
pub fn plan_levels_auto(problem: &LevelProblem) -> Result<LevelAnswer, LevelNoFit> {
    let of_policy = |policy: LevelPolicy| (policy.name(), plan_levels(problem, policy));
    let mut found: Vec<_> = LevelPolicy::ALL.into_iter().map(of_policy).collect();
    let known = found
        .iter()
        .filter_map(|(_, plan)| Some(plan.as_ref().ok()?.cost))
        .min();
    let priced = prices::price(problem, known.unwrap_or(u64::MAX >> 12), ROUNDS);
    let lower_bound = priced.as_ref().map_or(0, |priced| priced.lower_bound);
    let mut wishes = Vec::new();
    if let Some(priced) = priced {
        wishes.push(priced.wishes.clone());
        let guided = engine::Engine::with_wishes(problem, priced.wishes).run();
        found.push(("prices", guided));
    }
    let error = found
        .iter()
        .find_map(|(_, plan)| plan.as_ref().err().cloned());
    let plans = found
        .into_iter()
        .filter_map(|(strategy, plan)| Some((strategy, plan.ok()?)));
    let cheapest = plans.min_by_key(|(_, plan)| plan.cost);
    let Some((mut strategy, mut plan)) = cheapest else {
        return Err(
            error.unwrap_or_else(|| unreachable!("there are policies, and each has an answer"))
        );
    };
    wishes.push(search::granted(problem, &plan));
    let share = EFFORT / wishes.len() as u64;
    for wishes in wishes {
        let better = search::improve(problem, wishes, plan.clone(), share);
        if better.cost < plan.cost {
            (strategy, plan) = ("local-search", better);
        }
    }
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
) -> Result<LevelAnswer, LevelNoFit> {
    let plan = match strategy {
        LevelStrategy::Auto => return plan_levels_auto(problem),
        LevelStrategy::Policy(policy) => plan_levels(problem, policy)?,
        LevelStrategy::Global => {
            let priced = prices::price(problem, u64::MAX >> 12, ROUNDS);
            let wishes = priced.map(|priced| priced.wishes).unwrap_or_default();
            engine::Engine::with_wishes(problem, wishes).run()?
        }
        LevelStrategy::LocalSearch => {
            let initial = plan_levels(problem, LevelPolicy::Initial)?;
            search::improve(problem, search::granted(problem, &initial), initial, EFFORT)
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
    engine::Engine::new(problem, policy).run()
}

//! Plans problems over several levels, and checks plans of them, as the passes do: a problem with a
//! budget as `mem-offload`, any other as `mem-assign-levels`.

mod budget;
mod repetitions;
mod summary;
mod view;

pub use repetitions::RepetitionError;
pub use summary::level_summary;
pub use view::LevelsDrawing;

use mem_check::{LevelError, check_level_plan};
use mem_cost::{simulate, transfer_cost, use_cost};
use mem_model::{
    Bytes, FunctionLevelPlan, FunctionLevels, HumanBytes, LevelId, LevelProblem, OffloadPolicy,
    Repetition, Tensor, TensorId,
};
use mem_planner::{
    CostModel, LevelAnswer, LevelNoFit, LevelPlanError, LevelStrategy, MAX_BYTES, overlap,
    plan_levels_from, plan_levels_with, repeated, with_repetitions,
};

use repetitions::check_repetitions;

/// Limit on the cycles of a program: numbers up to this are exact in floating point.
const MAX_CYCLES: u64 = 1 << 53;

/// How to plan problems over several levels.
#[derive(Clone, Copy, Debug)]
pub struct LevelSettings {
    /// Strategy for problems without a budget.
    pub strategy: LevelStrategy,
    /// Cost model that decides between plans of problems without a budget.
    pub model: CostModel,
    /// Policy for problems with a budget; `None`: the policy that the problem states.
    pub policy: Option<OffloadPolicy>,
}

impl Default for LevelSettings {
    fn default() -> Self {
        Self {
            strategy: LevelStrategy::Auto,
            model: CostModel::default(),
            policy: None,
        }
    }
}

/// A tensor that does not fit, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNoFit {
    tensor: String,
    step: String,
    level: String,
    missing: u64,
    /// Names and sizes of the tensors that are in the level, the largest first.
    alive: Vec<(String, Bytes)>,
}

/// Number of tensors that an error names where nothing fits.
const MOST_LISTED: usize = 16;

impl NamedNoFit {
    fn new(problem: &LevelProblem, error: &LevelNoFit) -> Self {
        let name = |tensor: TensorId| problem.tensors[tensor.index()].name.clone();
        let step = problem.steps.get(error.step);
        let step = step.map_or("the end", |step| step.name.as_str());
        let alive = error.alive.iter();
        let mut alive: Vec<(String, Bytes)> = alive
            .map(|tensor| (name(*tensor), problem.tensors[tensor.index()].size))
            .collect();
        alive.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        Self {
            tensor: name(error.tensor),
            step: format!("s{} ({step})", error.step),
            level: level_name(problem, error.level),
            missing: error.missing,
            alive,
        }
    }
}

impl std::fmt::Display for NamedNoFit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            tensor,
            step,
            level,
            missing,
            alive,
        } = self;
        write!(
            f,
            "'{tensor}' does not fit at step {step}: {missing} bytes are missing in '{level}'"
        )?;
        let (listed, others) = alive.split_at(alive.len().min(MOST_LISTED));
        for (name, size) in listed {
            write!(f, "\n  note: '{name}' holds {size} bytes")?;
        }
        if others.is_empty() {
            return Ok(());
        }
        let bytes: u64 = others.iter().map(|(_, size)| size.get()).sum();
        write!(
            f,
            "\n  note: {} others hold {bytes} bytes together",
            others.len()
        )
    }
}

/// Why a problem over several levels has no plan, or why a plan is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelFailure {
    /// Planners add sizes and round them up; sums must fit in signed 64-bit numbers.
    #[error("sizes, rounded up to alignments, add up to more than 2^63-1 bytes")]
    TooManyBytes,
    /// Planners add cycles, and compare them as floating-point numbers.
    #[error("steps, accesses and copies may take more than 2^53 cycles")]
    TooManyCycles,
    /// Tensors with a home exceed the capacity of a level.
    #[error("the tensors with a home in '{level}' exceed its capacity by {missing} bytes")]
    Full {
        /// Name of the level.
        level: String,
        /// Number of excess bytes.
        missing: Bytes,
    },
    /// A tensor that a step needs does not fit.
    #[error("{0}")]
    NoFit(Box<NamedNoFit>),
    /// As above, within a budget.
    #[error("no plan within a budget of {budget} bytes: {advice}; {no_fit}")]
    Budget {
        /// The budget.
        budget: Bytes,
        /// How much is needed, and how much is enough.
        advice: String,
        /// What does not fit.
        no_fit: Box<NamedNoFit>,
    },
    /// The strategy does not apply to the problem.
    #[error(transparent)]
    Strategy(LevelPlanError),
    /// The plan repeats a step that must not be repeated, or not there.
    #[error(transparent)]
    Repetition(#[from] RepetitionError),
    /// The plan does not solve the problem.
    #[error("{0} (numbers as in the text of the plan)")]
    Plan(#[from] LevelError),
    /// What a file says of a plan cannot be.
    #[error("{0}")]
    Known(String),
    /// No plan costs less than the lower bound.
    #[error("the plan claims a lower bound of {bound} cycles, and takes {cycles}")]
    Bound {
        /// Claimed lower bound.
        bound: u64,
        /// Cycles of the plan.
        cycles: u64,
    },
}

impl LevelFailure {
    /// Whether the input is good, but nothing fits or holds.
    #[must_use]
    pub const fn is_negative_answer(&self) -> bool {
        !matches!(
            self,
            Self::TooManyBytes | Self::TooManyCycles | Self::Strategy(_)
        )
    }

    fn of_planner(problem: &LevelProblem, error: LevelPlanError) -> Self {
        match error {
            LevelPlanError::NoFit(error) => Self::NoFit(Box::new(NamedNoFit::new(problem, &error))),
            other => Self::Strategy(other),
        }
    }
}

fn level_name(problem: &LevelProblem, level: LevelId) -> String {
    problem.hierarchy.levels[level.index()].name.clone()
}

/// Limits the fastest level to `capacity` bytes.
pub fn limit_capacity(function: &mut FunctionLevels, capacity: Bytes) {
    if let Some(fastest) = function.problem.hierarchy.levels.first_mut() {
        fastest.capacity = Some(fastest.capacity.map_or(capacity, |own| own.min(capacity)));
    }
}

/// Plans a problem, which must be [valid](FunctionLevels::validate). The plan is not checked.
///
/// # Errors
/// If there is no plan, or the strategy finds none.
pub fn plan_function(
    function: &FunctionLevels,
    settings: &LevelSettings,
) -> Result<FunctionLevelPlan, LevelFailure> {
    planned(function, settings, None)
}

/// As [`plan_function`], but continues from a known plan, which must have passed [`check_function`]. Returns
/// a plan that takes fewer cycles, or the known one, under the name `known`.
///
/// # Errors
/// If the problem is too large, or the strategy does not apply.
pub fn improve_function(
    function: &FunctionLevels,
    settings: &LevelSettings,
    known: &FunctionLevelPlan,
) -> Result<FunctionLevelPlan, LevelFailure> {
    let known = FunctionLevelPlan {
        strategy: "known".to_owned(),
        // What a file claims proves nothing.
        lower_bound: 0,
        ..known.clone()
    };
    let found = match planned(function, settings, Some(&known)) {
        Ok(found) => found,
        // Something fits: the known plan says how.
        Err(LevelFailure::NoFit(_)) => return Ok(known),
        Err(error) => return Err(error),
    };
    let cycles = |own: &FunctionLevelPlan| match &function.offload {
        Some(input) => {
            let repetitions = &own.repetitions;
            let extended = with_repetitions(&function.problem, &input.repeatable, repetitions);
            simulate(&extended, &own.plan).makespan
        }
        None => settings.model.cycles(&function.problem, &own.plan),
    };
    let least = cycles(&known);
    if cycles(&found) < least {
        return Ok(found);
    }
    let most = match function.offload {
        Some(_) => least,
        // The bound is one on the serial cost, whatever decides.
        None => known.plan.cost,
    };
    Ok(FunctionLevelPlan {
        lower_bound: found.lower_bound.min(most),
        ..known
    })
}

/// Plans a problem; `known`: a plan to continue from.
fn planned(
    function: &FunctionLevels,
    settings: &LevelSettings,
    known: Option<&FunctionLevelPlan>,
) -> Result<FunctionLevelPlan, LevelFailure> {
    let problem = &function.problem;
    check_sizes(problem)?;
    check_cycles(problem)?;
    let full = |(level, missing)| LevelFailure::Full {
        level: level_name(problem, level),
        missing,
    };
    problem.capacities().map_err(full)?;
    if let Some(input) = &function.offload {
        let repetitions = known.map_or(&[][..], |own| &own.repetitions);
        return budget::plan(function, input, settings.policy, repetitions);
    }
    let LevelSettings {
        strategy, model, ..
    } = *settings;
    let answer = match known {
        Some(known) => plan_levels_from(problem, strategy, model, &known.plan),
        None => plan_levels_with(problem, strategy, model),
    };
    let LevelAnswer {
        plan,
        strategy,
        lower_bound,
    } = answer.map_err(|error| LevelFailure::of_planner(problem, error))?;
    let plan = overlap(problem, &plan);
    Ok(FunctionLevelPlan {
        function: function.function.clone(),
        strategy: strategy.to_owned(),
        // The bound assumes that copies are issued where they are needed. An earlier copy of a
        // preloaded tensor may be free.
        lower_bound: lower_bound.min(plan.cost),
        repetitions: Vec::new(),
        plan,
    })
}

/// Checks that no sum of sizes overflows, whatever the order in which tensors are placed.
fn check_sizes(problem: &LevelProblem) -> Result<(), LevelFailure> {
    let levels = problem.hierarchy.levels.iter();
    let common = levels.map(|level| level.alignment).max();
    let mut sum = Bytes::ZERO;
    for tensor in &problem.tensors {
        let alignment = common.map_or(tensor.alignment, |own| own.max(tensor.alignment));
        let more = tensor.size.checked_add(alignment);
        let more = more.and_then(|more| sum.checked_add(more));
        sum = more
            .filter(|sum| *sum <= MAX_BYTES)
            .ok_or(LevelFailure::TooManyBytes)?;
    }
    Ok(())
}

/// Checks that no sum of cycles overflows if each use of a tensor is in the slowest level, preceded
/// and followed by the slowest copy. O(uses * levels + tensors * levels^2).
fn check_cycles(problem: &LevelProblem) -> Result<(), LevelFailure> {
    let hierarchy = &problem.hierarchy;
    let levels = || (0..hierarchy.levels.len()).map(LevelId::new);
    let copy = |tensor: &Tensor| {
        let pairs = levels().flat_map(|from| levels().map(move |to| (from, to)));
        let cycles = pairs.map(|(from, to)| transfer_cost(hierarchy, tensor.size, from, to));
        cycles.max().unwrap_or(0)
    };
    let copies: Vec<u64> = problem.tensors.iter().map(copy).collect();
    let mut sum = 0_u64;
    for step in &problem.steps {
        let uses = step.uses.iter().map(|used| {
            let access = levels().map(|level| use_cost(hierarchy, used, level));
            let copies = copies[used.tensor.index()].saturating_mul(2);
            access.max().unwrap_or(0).saturating_add(copies)
        });
        let once = uses.fold(
            step.cycles.saturating_add(step.link.cycles()),
            u64::saturating_add,
        );
        sum = sum.saturating_add(once.saturating_mul(step.repeats.max(1)));
    }
    match sum <= MAX_CYCLES {
        true => Ok(()),
        false => Err(LevelFailure::TooManyCycles),
    }
}

/// Checks that a plan solves a problem, both of them well-formed: that repetitions compute what
/// the repeated steps computed, that every step finds its operands, and that the claimed cost is
/// right. Returns the problem that the plan solves, in which steps are repeated.
///
/// # Errors
/// The first violation found.
pub fn check_function(
    function: &FunctionLevels,
    own: &FunctionLevelPlan,
) -> Result<LevelProblem, LevelFailure> {
    check_sizes(&function.problem)?;
    check_cycles(&function.problem)?;
    let problem = with_repeated(function, &own.repetitions)?;
    let cost = check_level_plan(&problem, &own.plan)?;
    let cycles = match function.offload {
        Some(_) => simulate(&problem, &own.plan).makespan,
        None => cost,
    };
    match own.lower_bound > cycles {
        true => Err(LevelFailure::Bound {
            bound: own.lower_bound,
            cycles,
        }),
        false => Ok(problem),
    }
}

/// The problem with the steps repeated.
///
/// # Errors
/// If a step must not be repeated, or not there.
pub(crate) fn with_repeated(
    function: &FunctionLevels,
    repetitions: &[Repetition],
) -> Result<LevelProblem, LevelFailure> {
    Ok(match &function.offload {
        Some(input) if !repetitions.is_empty() => {
            check_repetitions(&function.problem, input, repetitions)?;
            repeated(&function.problem, &input.repeatable, repetitions)
        }
        _ => function.problem.clone(),
    })
}

/// Displays a number of bytes exactly, followed by a rounded form.
fn with_human(bytes: Bytes) -> String {
    let human: HumanBytes = bytes.human();
    match bytes.get() < 1024 {
        true => format!("{bytes} bytes"),
        false => format!("{bytes} bytes ({human})"),
    }
}

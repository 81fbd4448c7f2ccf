//! Planning over several memory levels, as the passes that do it share it: plan, check,
//! materialize.
//!
//! The IR is not modified before every plan has been accepted.

pub(super) mod dump;
mod materialize;
mod merges;
mod remarks;
pub(super) mod repeating;
pub(super) mod report;
mod settings;

use mem_check::check_level_plan;
use mem_cost::{Decision, simulate};
use mem_flow::{LevelExtract, Lifetimes};
use mem_model::{LevelId, LevelPlan, UnknownName};
use mem_planner::{LevelAnswer, LevelPlanError, Repetition, execution_order};

use crate::extract::levels::{ExtractedLevels, LevelSettings, of_functions};
use crate::extract::{Extraction, Function, remark_unplannable};
use crate::ir::spaces::{LevelSpaces, Space, SpaceForm};
use crate::ir::{Attribute, Context, Diagnostic, Failed, HIERARCHY, Op, PassResult};
use crate::plan::spaces::assign_spaces;

pub(crate) use settings::{Request, Settings, budgeted};

/// A function with its plan, ready to be written back.
pub(crate) struct PlannedLevels {
    pub function: Function,
    /// The program as it is in the IR, without repetitions.
    pub extraction: Extraction,
    pub lifetimes: Lifetimes,
    /// The problem that `plan` solves, in which steps are repeated.
    pub extract: LevelExtract,
    /// Per step of the problem: the step of the program that it executes, and before which one.
    pub steps: Vec<Repetition>,
    pub plan: LevelPlan,
    pub strategy: &'static str,
    pub lower_bound: u64,
    /// Decisions about tensors that a device has no room for.
    pub decisions: Vec<Decision>,
}

impl PlannedLevels {
    /// A function with a plan of `extract`, whose problem has the repetitions.
    pub(super) fn new(
        extracted: ExtractedLevels,
        extract: LevelExtract,
        repetitions: &[Repetition],
        answer: LevelAnswer,
    ) -> Self {
        let n_steps = extracted.extraction.step_ops.len();
        Self {
            function: extracted.function,
            extraction: extracted.extraction,
            lifetimes: extracted.lifetimes,
            extract,
            steps: execution_order(n_steps, repetitions),
            plan: answer.plan,
            strategy: answer.strategy,
            lower_bound: answer.lower_bound,
            decisions: Vec::new(),
        }
    }

    /// The operation that a step of the problem executes.
    pub(super) fn op(&self, step: usize) -> Op {
        self.extraction.step_ops[self.steps[step].step]
    }

    /// Checks the plan. A plan that fails is a bug of the planner.
    pub(super) fn check(&self) -> PassResult {
        match check_level_plan(&self.extract.problem, &self.plan) {
            Ok(_) => Ok(()),
            Err(error) => {
                let name = &self.function.name;
                let text = format!("internal error: the plan of @{name} is wrong: {error}");
                Diagnostic::error(self.function.op.location(), text).fail()
            }
        }
    }
}

/// Plans every function, callees first.
pub(crate) fn plan_module(module: Op, settings: &Settings) -> Result<Vec<PlannedLevels>, Failed> {
    of_functions(module, &settings.extract, |extracted| {
        plan_function(extracted, settings)
    })
}

fn plan_function(
    mut extracted: ExtractedLevels,
    settings: &Settings,
) -> Result<PlannedLevels, Failed> {
    let op = extracted.function.op;
    remark_unplannable(&extracted.extraction, &extracted.lifetimes);
    report::refuse_full(op, &extracted.problem(true).problem)?;
    let planned = best_plan(&mut extracted, settings);
    let (extract, answer, _) = planned.or_else(|failure| match failure {
        Some(failure) => {
            let (extract, error) = *failure;
            let step_ops = &extracted.extraction.step_ops;
            report::no_fit(op, step_ops, &extract.problem, &error, None).fail()
        }
        None => Diagnostic::error(op.location(), "internal error: no plan").fail(),
    })?;
    let planned = PlannedLevels::new(extracted, extract, &[], answer);
    planned.check()?;
    Ok(planned)
}

/// What plans are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The cost in the model that plans are chosen by.
    Cost,
    /// The time with copies that overlap computation.
    Makespan,
}

/// The cycles of the plan that [`plan_module`] chooses for each function, by name; `None` if there is
/// no plan, which is not reported.
pub(crate) fn costs(
    module: Op,
    settings: &Settings,
    measure: Measure,
) -> Result<Vec<(String, Option<u64>)>, Failed> {
    of_functions(module, &settings.extract, |mut extracted| {
        let planned = best_plan(&mut extracted, settings).ok();
        let cycles = planned.map(|(extract, answer, cost)| match measure {
            Measure::Cost => cost,
            Measure::Makespan => simulate(&extract.problem, &answer.plan).makespan,
        });
        Ok((extracted.function.name, cycles))
    })
}

/// Bytes that are missing where planning a function fails, by name, 0 if there is a plan.
pub(crate) fn missing(module: Op, settings: &Settings) -> Result<Vec<(String, u64)>, Failed> {
    of_functions(module, &settings.extract, |mut extracted| {
        let missing = match best_plan(&mut extracted, settings) {
            Err(Some(failure)) => match &failure.1 {
                LevelPlanError::NoFit(error) => error.missing,
                _ => u64::MAX,
            },
            Err(None) => u64::MAX,
            Ok(_) => 0,
        };
        Ok((extracted.function.name, missing))
    })
}

/// A problem, its plan, and the cost of the plan in cycles.
type Planned = (LevelExtract, LevelAnswer, u64);

/// Why a problem has no plan, if there is a problem.
type NoPlan = Option<Box<(LevelExtract, LevelPlanError)>>;

/// The plan of a function, or the last failure.
fn best_plan(extracted: &mut ExtractedLevels, settings: &Settings) -> Result<Planned, NoPlan> {
    let first = plan_variants(extracted, settings)?;
    Ok(in_one_space(extracted, settings, &first).unwrap_or(first))
}

/// The cheapest plan of a function, or the last failure.
fn plan_variants(extracted: &mut ExtractedLevels, settings: &Settings) -> Result<Planned, NoPlan> {
    // Data that loops only read can be loaded in each iteration, or once before the loop. Both
    // variants are planned, and the cheaper one is kept.
    let mut variants = [true, false]
        .map(|streams| extracted.problem(streams))
        .to_vec();
    variants.dedup_by(|second, first| second.problem == first.problem);
    let planned = variants.into_iter().map(|extract| {
        let answer = settings.plan(&extract.problem);
        (extract, answer)
    });
    cheapest(planned.collect()).map_err(|failure| failure.map(Box::new))
}

/// A plan with the sources of each value in one memory space, if `first` has them in several. Only a
/// plan that costs no more is worth it where the hierarchy names a generic memory space; otherwise
/// there is no type for a value with sources in several spaces.
fn in_one_space(
    extracted: &mut ExtractedLevels,
    settings: &Settings,
    first: &Planned,
) -> Option<Planned> {
    let LevelSettings {
        spaces: stated,
        in_form: spaces,
        ..
    } = &settings.extract;
    if spaces.iter().all(|space| *space == spaces[0]) {
        return None;
    }
    let before = extracted.context.clone();
    let conflicts = |extracted: &ExtractedLevels, planned: &Planned| {
        let program = &extracted.extraction.program;
        merges::conflicts(program, &before, &planned.0, &planned.1.plan, spaces)
    };
    let found = conflicts(extracted, first);
    let mut candidates: Vec<Space> = Vec::new();
    for (_, own) in &found {
        let new = own.iter().filter(|space| !candidates.contains(space));
        let new: Vec<Space> = new.copied().collect();
        candidates.extend(new);
    }
    let mut best: Option<Planned> = None;
    for space in candidates {
        let n_steps = extracted.extraction.program.steps.len();
        let buffers = found.iter().flat_map(|(buffers, _)| buffers);
        let is_possible =
            merges::confine(&mut extracted.context, buffers, n_steps, (space, spaces));
        if is_possible
            && let Ok(planned) = plan_variants(extracted, settings)
            && conflicts(extracted, &planned).is_empty()
            && best.as_ref().is_none_or(|best| planned.2 < best.2)
        {
            best = Some(planned);
        }
        extracted.context = before.clone();
    }
    best.filter(|best| stated.generic.is_none() || best.2 <= first.2)
}

/// A plan and its cost in cycles, or why there is none.
pub(super) type Costed<E> = Result<(LevelAnswer, u64), E>;

/// The plan of the fewest cycles, the first of several; or the last failure.
pub(super) fn cheapest<T, E>(
    planned: Vec<(T, Costed<E>)>,
) -> Result<(T, LevelAnswer, u64), Option<(T, E)>> {
    let mut best: Option<(T, LevelAnswer, u64)> = None;
    let mut failure = None;
    for (own, answer) in planned {
        match answer {
            Ok((answer, cycles)) => {
                if best.as_ref().is_none_or(|(.., known)| cycles < *known) {
                    best = Some((own, answer, cycles));
                }
            }
            Err(error) => failure = Some((own, error)),
        }
    }
    best.ok_or(failure)
}

/// What is written besides the plans.
#[derive(Clone)]
pub(crate) struct Output {
    /// The `#mem.hierarchy`.
    pub hierarchy: Attribute,
    pub spaces: SpaceForm,
    /// Where arguments and globals without a memory space are; `None`: in the slowest level.
    pub home: Option<LevelId>,
}

impl Output {
    /// Validates the form of memory spaces.
    pub(super) fn new(module: Op, hierarchy: Attribute, spaces: &str) -> Result<Self, Failed> {
        let spaces = spaces.parse();
        let spaces = spaces.map_err(|why: UnknownName| Failed::at(module, &why.to_string()))?;
        Ok(Self {
            hierarchy,
            spaces,
            home: None,
        })
    }

    /// Indexed by level: the memory space that types will state.
    pub(super) fn in_form(&self, context: Context) -> Vec<Space> {
        LevelSpaces::new(self.hierarchy).in_form(context, self.spaces, self.home)
    }
}

/// Writes plans into the module that they were made for.
///
/// # Errors
/// If types cannot say where the data is; see [`assign_spaces`].
pub(crate) fn write_back(
    module: Op,
    functions: &[PlannedLevels],
    output: &Output,
    noalias_arguments: bool,
) -> PassResult {
    module.set_attribute(HIERARCHY, output.hierarchy);
    for planned in functions {
        materialize::materialize(planned, noalias_arguments);
    }
    assign_spaces(module, output.hierarchy, output.spaces, output.home)
}

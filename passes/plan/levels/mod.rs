//! Planning over several memory levels, as the passes that do it share it: plan, check, materialize.
//!
//! The IR is not modified before every plan has been accepted.

pub(super) mod dump;
mod materialize;
pub(super) mod report;

use mem_check::check_level_plan;
use mem_cost::Decision;
use mem_flow::{LevelExtract, Lifetimes};
use mem_model::{LevelPlan, LevelProblem};
use mem_planner::{
    CostModel, LevelAnswer, LevelPlanError, LevelStrategy, Repetition, execution_order, overlap,
    plan_levels_with,
};

use crate::extract::levels::{ExtractedLevels, LevelSettings, of_functions};
use crate::extract::{Extraction, Function, remark_unplannable};
use crate::ir::{Attribute, Diagnostic, Failed, HIERARCHY, Op, PassResult};

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

/// The validated settings of a planning run.
pub(crate) struct Settings {
    pub attribute: Attribute,
    pub strategy: LevelStrategy,
    pub model: CostModel,
    /// What the problems are extracted for.
    pub extract: LevelSettings,
}

impl Settings {
    /// A plan whose transfers overlap with computation, and its cost in cycles.
    fn plan(&self, problem: &LevelProblem) -> Result<(LevelAnswer, u64), LevelPlanError> {
        let mut answer = plan_levels_with(problem, self.strategy, self.model)?;
        let cycles = self.model.cycles(problem, &answer.plan);
        answer.plan = overlap(problem, &answer.plan);
        Ok((answer, cycles))
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
    // Data that loops only read can be loaded in each iteration, or once before the loop. Both
    // variants are planned, and the cheaper one is kept.
    let mut variants = [true, false]
        .map(|streams| extracted.problem(streams))
        .to_vec();
    variants.dedup_by(|second, first| second.problem == first.problem);
    let mut planned = Vec::new();
    for extract in variants {
        report::refuse_full(op, &extract.problem)?;
        let answer = settings.plan(&extract.problem);
        planned.push((extract, answer));
    }
    let (extract, answer) = cheapest(planned).or_else(|failure| match failure {
        Some((extract, error)) => {
            let step_ops = &extracted.extraction.step_ops;
            report::no_fit(op, step_ops, &extract.problem, &error, None).fail()
        }
        None => Diagnostic::error(op.location(), "internal error: no plan").fail(),
    })?;
    let planned = PlannedLevels::new(extracted, extract, &[], answer);
    planned.check()?;
    Ok(planned)
}

/// A plan and its cost in cycles, or why there is none.
pub(super) type Costed<E> = Result<(LevelAnswer, u64), E>;

/// The plan of the fewest cycles, the first of several; or the last failure.
pub(super) fn cheapest<T, E>(
    planned: Vec<(T, Costed<E>)>,
) -> Result<(T, LevelAnswer), Option<(T, E)>> {
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
    best.map(|(own, answer, _)| (own, answer)).ok_or(failure)
}

/// Writes plans into the module that they were made for.
pub(crate) fn write_back(
    module: Op,
    functions: &[PlannedLevels],
    hierarchy: Attribute,
    noalias_arguments: bool,
) {
    module.set_attribute(HIERARCHY, hierarchy);
    for planned in functions {
        materialize::materialize(planned, noalias_arguments);
    }
}

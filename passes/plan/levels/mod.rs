//! Planning over several memory levels, as the passes that do it share it: plan, check, materialize.
//!
//! The IR is not modified before every plan has been accepted.

pub(super) mod dump;
mod materialize;
pub(super) mod report;

use mem_check::check_level_plan;
use mem_cost::{Decision, simulate};
use mem_flow::{LevelExtract, Lifetimes, level_problem};
use mem_model::{Hierarchy, LevelPlan, LevelProblem};
use mem_planner::{
    CostModel, LevelAnswer, LevelPlanError, LevelStrategy, overlap, plan_levels_with, plan_swaps,
};

use crate::extract::levels::{ExtractedLevels, LevelSettings, of_functions};
use crate::extract::{Extraction, Function, Locations, remark_unplannable};
use crate::ir::{Attribute, Diagnostic, Failed, HIERARCHY, Op};

/// A function with its plan, ready to be written back.
pub(crate) struct PlannedLevels {
    pub function: Function,
    pub extraction: Extraction,
    pub lifetimes: Lifetimes,
    pub extract: LevelExtract,
    pub plan: LevelPlan,
    pub strategy: &'static str,
    pub lower_bound: u64,
    /// Decisions about tensors that a device has no room for.
    pub decisions: Vec<Decision>,
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
    /// The settings for a device, which the caller has to fill in.
    pub fn of_device(attribute: Attribute, hierarchy: Hierarchy, noalias_arguments: bool) -> Self {
        Self {
            attribute,
            strategy: LevelStrategy::Auto,
            model: CostModel::Overlapped,
            extract: LevelSettings {
                hierarchy,
                alignment: 0,
                noalias_arguments,
                locations: Locations::Skip,
                device: None,
            },
        }
    }

    /// A plan whose transfers overlap with computation, and its cost in cycles.
    fn plan(
        &self,
        extraction: &Extraction,
        problem: &LevelProblem,
    ) -> Result<(LevelAnswer, u64), LevelPlanError> {
        if let Some(device) = &self.extract.device {
            let advice = device.advice(extraction, problem);
            let answer = plan_swaps(problem, device.policy, &advice)?;
            let cycles = simulate(problem, &answer.plan).makespan;
            return Ok((answer, cycles));
        }
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

fn plan_function(extracted: ExtractedLevels, settings: &Settings) -> Result<PlannedLevels, Failed> {
    let ExtractedLevels {
        function,
        extraction,
        lifetimes,
        mut context,
    } = extracted;
    let op = function.op;
    remark_unplannable(&extraction, &lifetimes);
    // Data that loops only read can be loaded in each iteration, or once before the loop. Both
    // variants are planned, and the cheaper one is kept.
    let mut best: Option<(LevelExtract, LevelAnswer, u64)> = None;
    let mut failure = None;
    for streams in [true, false] {
        context.streams = streams;
        let mut extract = level_problem(&extraction.program, &lifetimes, &context);
        if let Some(device) = &settings.extract.device {
            device.measure(&extraction, &mut extract);
        }
        let is_same = best
            .as_ref()
            .is_some_and(|(known, ..)| known.problem == extract.problem);
        // The variants do not differ for this function.
        if is_same {
            break;
        }
        report::refuse_full(op, &extract.problem)?;
        match settings.plan(&extraction, &extract.problem) {
            Ok((answer, cycles)) => {
                if best.as_ref().is_none_or(|(.., known)| cycles < *known) {
                    best = Some((extract, answer, cycles));
                }
            }
            Err(error) => failure = Some((extract, error)),
        }
    }
    let Some((extract, answer, _)) = best else {
        return match failure {
            Some((extract, error)) => {
                let budget = settings.extract.device.as_ref().map(|device| device.budget);
                report::no_fit(op, &extraction, &extract.problem, &error, budget).fail()
            }
            None => Diagnostic::error(op.location(), "internal error: no plan").fail(),
        };
    };
    let plan = answer.plan;
    check_level_plan(&extract.problem, &plan).or_else(|error| {
        let text = format!(
            "internal error: the plan of @{} is wrong: {error}",
            function.name
        );
        Diagnostic::error(op.location(), text).fail()
    })?;
    Ok(PlannedLevels {
        function,
        extraction,
        lifetimes,
        extract,
        plan,
        strategy: answer.strategy,
        lower_bound: answer.lower_bound,
        decisions: Vec::new(),
    })
}

/// Writes plans into the module that they were made for.
pub(crate) fn write_back(module: Op, functions: &[PlannedLevels], settings: &Settings) {
    module.set_attribute(HIERARCHY, settings.attribute);
    for planned in functions {
        materialize::materialize(planned, settings.extract.noalias_arguments);
    }
}

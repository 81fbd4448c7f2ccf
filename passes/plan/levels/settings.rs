//! The settings of a planning run, from the options of the passes that plan over several levels or
//! compare orders by such plans.

use std::fmt::Display;

use mem_model::{Bytes, LevelId, LevelProblem};
use mem_planner::{
    CostModel, LevelAnswer, LevelPlanError, LevelStrategy, overlap, plan_levels_with,
};

use super::Output;
use crate::extract::levels::{LevelSettings, device_budget};
use crate::extract::{Locations, checked_alignment};
use crate::ir::hierarchies::{chosen_hierarchy, hierarchy_attribute};
use crate::ir::spaces::LevelSpaces;
use crate::ir::{Failed, Op};

/// The options that determine a plan, as users state them. Within a budget, only some of them count.
pub(crate) struct Request<'a> {
    /// The pass, for its diagnostics.
    pub pass: &'a str,
    pub hierarchy: &'a str,
    pub strategy: &'a str,
    pub model: &'a str,
    /// Steps that local search enumerates.
    pub segment: i64,
    pub capacity: i64,
    pub alignment: i64,
    pub spaces: &'a str,
    pub noalias_arguments: bool,
    pub locations: Locations,
}

/// The validated settings of a planning run.
#[derive(Clone)]
pub(crate) struct Settings {
    pub output: Output,
    pub strategy: LevelStrategy,
    pub model: CostModel,
    /// What the problems are extracted for.
    pub extract: LevelSettings,
}

/// What problems within the budget of a device are extracted for, and what is written. A budget of -1
/// stands for all bytes of the device that arguments leave.
pub(crate) fn budgeted(
    module: Op,
    request: &Request<'_>,
    budget: i64,
) -> Result<(LevelSettings, Output), Failed> {
    let attribute = chosen_hierarchy(module, request.hierarchy)?;
    let hierarchy = crate::ir::hierarchy(attribute);
    let budget = device_budget(&hierarchy, budget);
    let budget = budget
        .map_err(|why| Failed::at_option(module, "budget", &format!("{}: {why}", request.pass)))?;
    let output = Output {
        home: Some(LevelId::DEVICE),
        ..Output::new(module, attribute, request.spaces)?
    };
    let extract = LevelSettings {
        hierarchy,
        in_form: output.in_form(module.context()),
        spaces: LevelSpaces::new(attribute),
        alignment: 0,
        noalias_arguments: request.noalias_arguments,
        locations: request.locations,
        budget: Some(budget),
    };
    Ok((extract, output))
}

impl Settings {
    /// Validates options.
    pub(crate) fn new(module: Op, request: &Request<'_>) -> Result<Self, Failed> {
        let pass = request.pass;
        let error = |why: &dyn Display| Failed::at(module, &format!("{pass}: {why}"));
        let mut attribute = chosen_hierarchy(module, request.hierarchy)?;
        let mut hierarchy = crate::ir::hierarchy(attribute);
        let capacity = request.capacity;
        if capacity == 0 || capacity < -1 {
            let text = format!("a capacity of {capacity} bytes is not positive");
            return Err(Failed::at_option(
                module,
                "capacity",
                &format!("{pass}: {text}"),
            ));
        }
        if let (Ok(wanted), Some(fastest)) = (u64::try_from(capacity), hierarchy.levels.first_mut())
        {
            // An option can lower the capacity of a level, but not raise it.
            let wanted = Bytes::new(wanted);
            fastest.capacity = Some(fastest.capacity.map_or(wanted, |known| known.min(wanted)));
            let spaces = LevelSpaces::new(attribute);
            attribute = hierarchy_attribute(module.context(), &hierarchy, &spaces);
        }
        let strategy: Result<LevelStrategy, _> = request.strategy.parse();
        let mut strategy = strategy.map_err(|why| error(&why))?;
        if let LevelStrategy::LocalSearch { segment } = &mut strategy {
            let wanted = usize::try_from(request.segment).ok().filter(|n| *n > 0);
            let Some(wanted) = wanted else {
                let text = format!("a segment of {} steps is not positive", request.segment);
                return Err(error(&text));
            };
            *segment = wanted;
        }
        let model: Result<CostModel, _> = request.model.parse();
        let model = model.map_err(|why| error(&why))?;
        let output = Output::new(module, attribute, request.spaces)?;
        Ok(Self {
            strategy,
            model,
            extract: LevelSettings {
                hierarchy,
                in_form: output.in_form(module.context()),
                spaces: LevelSpaces::new(attribute),
                alignment: checked_alignment(module, request.alignment)?,
                noalias_arguments: request.noalias_arguments,
                locations: request.locations,
                budget: None,
            },
            output,
        })
    }

    /// A plan whose transfers overlap with computation, and its cost in cycles.
    pub(super) fn plan(
        &self,
        problem: &LevelProblem,
    ) -> Result<(LevelAnswer, u64), LevelPlanError> {
        let mut answer = plan_levels_with(problem, self.strategy, self.model)?;
        let cycles = self.model.cycles(problem, &answer.plan);
        answer.plan = overlap(problem, &answer.plan);
        Ok((answer, cycles))
    }
}

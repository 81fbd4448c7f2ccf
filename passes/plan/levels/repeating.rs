//! Plans of functions within a budget, in which steps are repeated: from the planner's answer to a plan
//! that can be written.

use std::collections::HashSet;

use mem_cost::simulate;
use mem_flow::LevelExtract;
use mem_model::LevelProblem;
use mem_planner::{
    LevelAnswer, LevelNoFit, Offload, Repeatable, Repetition, execution_order, plan_offload,
    plan_repeated, repeatable_again, widest_step,
};

use super::{Costed, cheapest};
use crate::extract::Extraction;
use crate::extract::levels::{Device, ExtractedLevels, LevelSettings, of_functions, repeatable};
use crate::ir::{Failed, Op};

/// The plan of a function that is to be written.
pub(crate) struct Chosen {
    pub extract: LevelExtract,
    /// How the steps of the problem, which has the repetitions, may be repeated.
    pub repeatable: Vec<Repeatable>,
    pub repetitions: Vec<Repetition>,
    pub answer: LevelAnswer,
    /// Makespan of the plan in cycles.
    pub makespan: u64,
}

/// Why a function has no plan that can be written.
pub(crate) struct NotChosen {
    /// The problem and the error, if there was a problem.
    pub failure: Option<(LevelExtract, LevelNoFit)>,
    /// The operation of each step of the problem.
    pub step_ops: Vec<Op>,
}

/// Turns an answer into a plan that can be written. `extract` is the problem that was planned.
pub(crate) fn choose(
    extracted: &mut ExtractedLevels,
    extract: LevelExtract,
    answer: Offload,
    device: &Device,
) -> Result<Chosen, Box<NotChosen>> {
    let mut once = extracted.problem(false);
    device.measure(&extracted.extraction, &mut once.problem);
    let repetitions = writable(&extracted.extraction, &answer.repetitions);
    let repeating = Repeating {
        extraction: &extracted.extraction,
        device,
        repetitions: &repetitions,
    };
    // Constants in loops can be loaded in each iteration, or once before the loop. That matters
    // only for storage that is not on the device.
    let second = (once.problem != extract.problem).then(|| repeating.replan(once));
    let first = match repetitions == answer.repetitions {
        true => repeating.planned(extract, answer.problem, answer.plan),
        false => repeating.replan(extract),
    };
    match cheapest(std::iter::once(first).chain(second).collect()) {
        Ok(((extract, repeatable), answer, makespan)) => Ok(Chosen {
            extract,
            repeatable,
            repetitions,
            answer,
            makespan,
        }),
        Err(failure) => Err(Box::new(NotChosen {
            failure: failure.map(|((extract, _), error)| (extract, error)),
            step_ops: repeating.step_ops(),
        })),
    }
}

/// The makespan in cycles of the plan that is chosen for each function, by name; `None` if there is no
/// plan, which is not reported.
pub(crate) fn makespans(
    module: Op,
    settings: &LevelSettings,
    device: &Device,
) -> Result<Vec<(String, Option<u64>)>, Failed> {
    of_functions(module, settings, |mut extracted| {
        let extract = extracted.problem(true);
        let extraction = &extracted.extraction;
        let repeatable = repeatable(extraction, &extract);
        let advice = device.advice(extraction, &extract.problem);
        let answer = plan_offload(&extract.problem, &repeatable, device.policy, &advice);
        let chosen = answer.map(|answer| choose(&mut extracted, extract, answer, device));
        let makespan = chosen.ok().and_then(Result::ok).map(|own| own.makespan);
        Ok((extracted.function.name, makespan))
    })
}

/// The bytes that the widest step of each function needs, by name.
pub(crate) fn widest_steps(
    module: Op,
    settings: &LevelSettings,
    device: &Device,
) -> Result<Vec<(String, u64)>, Failed> {
    of_functions(module, settings, |mut extracted| {
        let extract = extracted.problem(true);
        let advice = device.advice(&extracted.extraction, &extract.problem);
        let widest = widest_step(&extract.problem, &advice);
        let bytes = widest.map_or(u64::MAX, |widest| widest.bytes);
        Ok((extracted.function.name, bytes))
    })
}

/// The repetitions that can be written, because their operands are visible where they are needed.
/// The repetitions before one step are kept or dropped together.
pub(crate) fn writable(extraction: &Extraction, repetitions: &[Repetition]) -> Vec<Repetition> {
    let op = |step: usize| extraction.step_ops[step];
    let elsewhere = repetitions
        .iter()
        .filter(|own| op(own.step).block() != op(own.before).block());
    let elsewhere: HashSet<usize> = elsewhere.map(|own| own.before).collect();
    let own = repetitions.iter().copied();
    own.filter(|own| !elsewhere.contains(&own.before)).collect()
}

/// A function whose repetitions have been chosen.
struct Repeating<'a> {
    extraction: &'a Extraction,
    device: &'a Device,
    repetitions: &'a [Repetition],
}

/// A problem with steps repeated and how those steps may be repeated, and its plan with the
/// makespan in cycles.
type Planned = ((LevelExtract, Vec<Repeatable>), Costed<LevelNoFit>);

impl Repeating<'_> {
    /// Plans a problem of the function with the repetitions.
    fn replan(&self, extract: LevelExtract) -> Planned {
        let repeatable = repeatable(self.extraction, &extract);
        let advice = self.device.advice(self.extraction, &extract.problem);
        let (problem, plan) = plan_repeated(
            &extract.problem,
            &repeatable,
            self.device.policy,
            &advice,
            self.repetitions,
        );
        self.planned(extract, problem, plan)
    }

    /// Adds to a plan what the reports need. `problem` is that of `extract` with the repetitions.
    fn planned(
        &self,
        extract: LevelExtract,
        problem: LevelProblem,
        plan: Result<LevelAnswer, LevelNoFit>,
    ) -> Planned {
        let repeatable = repeatable(self.extraction, &extract);
        let plan = plan.map(|answer| {
            let makespan = simulate(&problem, &answer.plan).makespan;
            (answer, makespan)
        });
        let own = LevelExtract { problem, ..extract };
        ((own, repeatable_again(&repeatable, self.repetitions)), plan)
    }

    /// The operation of each step of the problem with the repetitions.
    fn step_ops(&self) -> Vec<Op> {
        let step_ops = &self.extraction.step_ops;
        let steps = execution_order(step_ops.len(), self.repetitions);
        steps.iter().map(|own| step_ops[own.step]).collect()
    }
}

//! The placements of one level as a packing problem, and lower addresses for those of a plan.
//!
//! Strategies look for levels, and for any address there: in a level with room for everything, a plan
//! takes the first gap that is large enough, in the order in which tensors are decided. Packing the
//! placements of a finished plan changes no cost, and saves up to half of the bytes of such a level.

use std::collections::HashMap;

use mem_cost::simulate;
use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Item, LevelId, LevelPlan, LevelProblem, Part,
    PlacementId, Point, Problem, Reuse, StepId, TensorId, TensorUse,
};

use super::{overlap, tuning};
use crate::{PlanOptions, Strategy};

/// The tensor whose bytes another may take over at a step. Tensors with a home keep their own
/// bytes, and so do loop-carried tensors.
pub(crate) fn taken_over(
    problem: &LevelProblem,
    step: usize,
    used: &TensorUse,
) -> Option<TensorId> {
    let operand = problem.steps[step].uses.get(used.takes_over?)?.tensor;
    let is_its_own = |tensor: TensorId| {
        let own = &problem.tensors[tensor.index()];
        own.home.is_some() || own.carried_around(step).is_some()
    };
    (!is_its_own(operand) && !is_its_own(used.tensor)).then_some(operand)
}

/// The placements that a plan has assigned addresses to in a level.
pub(crate) fn placed(plan: &LevelPlan, level: LevelId) -> Vec<PlacementId> {
    let all = plan.placements.iter().enumerate();
    let own = all.filter(|(_, own)| own.offset.is_some() && own.level == level);
    own.map(|(index, _)| PlacementId::new(index)).collect()
}

/// Placements `own` of a level, as a packing problem. Those that meet at a step may have the same bytes.
pub(crate) fn packing(
    problem: &LevelProblem,
    plan: &LevelPlan,
    own: &[PlacementId],
    level: LevelId,
) -> Problem {
    let unit = problem.hierarchy.levels[level.index()].alignment;
    let items = own.iter().enumerate().map(|(number, id)| {
        let placement = &plan.placements[id.index()];
        let tensor = &problem.tensors[placement.tensor.index()];
        let Interval { start, end } = placement.steps;
        // Both ends are early points: of the copies before a step, those out of a placement that ends
        // there come first.
        let point = |step: usize| Point::early(StepId::new(step));
        let live = IntervalSet::from_iter([Interval::new(point(start), point(end))]);
        let parts = vec![Part::whole(tensor.size, live)];
        let alignment = tensor.alignment.max(unit).max(Bytes::new(1));
        Item::new(BufferId::new(number), tensor.size, alignment, parts)
    });
    Problem::of_items(items.collect())
}

/// Results that may have the addresses of operands, where the operand's placement ends at the
/// step and the result's begins there. Numbers are those of [`packing`].
pub(crate) fn reuses(problem: &LevelProblem, plan: &LevelPlan, own: &[PlacementId]) -> Vec<Reuse> {
    let numbers = own.iter().enumerate();
    let numbers: HashMap<PlacementId, usize> =
        numbers.map(|(number, index)| (*index, number)).collect();
    let mut reuses = Vec::new();
    for (step, at) in problem.steps.iter().enumerate() {
        let accessed = &plan.accessed[step];
        for (used, result) in at.uses.iter().zip(accessed) {
            let operand = used
                .takes_over
                .filter(|_| taken_over(problem, step, used).is_some());
            let operand = operand.and_then(|index| accessed.get(index));
            let Some(operand) = operand else { continue };
            let [from, to] = [operand, result].map(|id| &plan.placements[id.index()]);
            // The two may overlap at this step only. An operand that is copied out afterwards,
            // or a result that was copied in before, needs bytes of its own.
            let is_over = from.steps.end == step + 1 && to.steps.start == step;
            let pair = numbers.get(operand).zip(numbers.get(result));
            if let Some((operand, result)) = pair.filter(|_| is_over) {
                reuses.push(Reuse {
                    operand: *operand,
                    result: *result,
                });
            }
        }
    }
    reuses
}

/// The plan with lower addresses in all levels but the fastest, where that lowers a peak and takes no
/// longer. In the fastest level, all bytes are there to be used: tensors that lie apart let copies begin
/// earlier. The cost is the same. Takes as long as packing each level once, and two simulations.
pub(super) fn compact(problem: &LevelProblem, plan: LevelPlan) -> LevelPlan {
    let apart = apart(&plan);
    let mut packed = plan.clone();
    let mut is_lower = false;
    for level in (1..problem.hierarchy.levels.len()).map(LevelId::new) {
        is_lower |= pack(problem, &apart, level, &mut packed);
    }
    let makespan = |plan: &LevelPlan| simulate(problem, &overlap(problem, plan)).makespan;
    match is_lower && makespan(&packed) <= makespan(&plan) {
        true => packed,
        false => plan,
    }
}

/// Packs a level of `apart`, the plan as [`apart`] returns it, into `packed`. Returns whether its peak is
/// lower.
fn pack(problem: &LevelProblem, apart: &LevelPlan, level: LevelId, packed: &mut LevelPlan) -> bool {
    let Some(peak) = apart.peak(problem, level) else {
        return false;
    };
    let own = placed(apart, level);
    let mut packing = packing(problem, apart, &own, level);
    packing.reuses = reuses(problem, apart, &own);
    let options = PlanOptions::default().with_effort(tuning::COMPACT_EFFORT);
    let found = crate::plan(&packing, Strategy::Auto, &options).ok();
    let Some(found) = found.filter(|found| found.peak < peak) else {
        return false;
    };
    for (id, placement) in own.iter().zip(found.placements) {
        packed.placements[id.index()].offset = Some(placement.offset);
    }
    true
}

/// The plan with placements that last until all copies before a step have been made, if one of them
/// reads or writes the placement. The copies before a step have an order, so that a placement that
/// begins there may be written before another one that ends there is read.
fn apart(plan: &LevelPlan) -> LevelPlan {
    let mut apart = plan.clone();
    for own in &plan.transfers {
        for id in [own.from, own.to] {
            let steps = &mut apart.placements[id.index()].steps;
            steps.start = steps.start.min(own.before);
            steps.end = steps.end.max(own.until.max(own.before) + 1);
        }
    }
    apart
}

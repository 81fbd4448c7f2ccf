//! What a single rank could save: branches that depend on the rank are joined like any others, so that
//! the arena has room for either arm, and all ranks have one plan.
//!
//! For each condition that is computed from the rank, and each of its values, the steps that no such rank
//! executes are left out, and so are the bytes that are live only there. What is left has a lower bound on
//! its arena, as the whole function has one. Only `scf.if` is looked at, and no two conditions are combined.
//! A buffer that is also live between two branches counts, even if no such rank uses it.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::{Bytes, Interval, IntervalSet, Point, Problem, StepId};
use mem_planner::lower_bound;

use crate::extract::Extraction;
use crate::ir::mpi::mpi_op;
use crate::ir::{Category, Op, Remark, Value};

/// Whether a number is computed from the rank, by operations without regions.
fn depends_on_rank(value: Value, known: &mut HashMap<Value, bool>) -> bool {
    if let Some(known) = known.get(&value) {
        return *known;
    }
    // In unreachable code, a value may depend on itself.
    known.insert(value, false);
    let found = value.owner().is_some_and(|op| {
        let is_rank = mpi_op(op).is_some_and(|row| row.name == "mpi.comm_rank");
        let is_plain = op.regions().next().is_none();
        is_rank || is_plain && op.operands().any(|own| depends_on_rank(own, known))
    });
    known.insert(value, found);
    found
}

/// The branches that each condition decides that depends on the rank, in the order of the program.
fn branches(function: Op) -> Vec<(Value, Vec<Op>)> {
    let mut branches: Vec<(Value, Vec<Op>)> = Vec::new();
    let mut known = HashMap::default();
    function.walk(&mut |op| {
        if op.name() != "scf.if" || !depends_on_rank(op.operand(0), &mut known) {
            return;
        }
        let condition = op.operand(0);
        match branches.iter_mut().find(|(own, _)| *own == condition) {
            Some((_, all)) => all.push(op),
            None => branches.push((condition, vec![op])),
        }
    });
    branches
}

/// The points of the steps in one arm of any of the branches.
fn points_in(extraction: &Extraction, branches: &HashSet<Op>, arm: usize) -> IntervalSet<Point> {
    let mut points = IntervalSet::new();
    for (index, op) in extraction.step_ops.iter().enumerate() {
        let mut around = std::iter::successors(Some(*op), |op| op.parent());
        let is_inside = around.any(|inside| {
            let branch = inside.parent().filter(|own| branches.contains(own));
            let region = inside.block().and_then(|block| block.parent_region());
            branch.is_some_and(|own| own.regions().nth(arm) == region)
        });
        if is_inside {
            points.insert(Interval::of_steps(StepId::new(index), StepId::new(index)));
        }
    }
    points
}

/// A lower bound on the arena of ranks that never execute the steps at some points.
fn bound_without(problem: &Problem, points: &IntervalSet<Point>) -> Option<Bytes> {
    let mut own = problem.clone();
    for part in own.items.iter_mut().flat_map(|item| &mut item.parts) {
        part.live = part.live.difference(points);
    }
    lower_bound(&own)
}

/// Remarks on conditions for which some ranks could do with less memory.
pub(super) fn remark_ranks(function: Op, extraction: &Extraction, problem: &Problem) {
    let Some(all) = lower_bound(problem) else {
        return;
    };
    for (_, branches) in branches(function) {
        let set: HashSet<Op> = branches.iter().copied().collect();
        // A rank for which the condition holds never executes the second arm.
        for (holds, skipped) in [(true, 1), (false, 0)] {
            let bound = bound_without(problem, &points_in(extraction, &set, skipped));
            let Some(bound) = bound.filter(|bound| *bound < all) else {
                continue;
            };
            let saved = all.checked_sub(bound).unwrap_or(Bytes::ZERO);
            let text = format!(
                "ranks for which this condition is {holds} could save {saved} bytes: they need {bound}, \
                 and all ranks together {all}"
            );
            let name = &extraction.program.name;
            Remark::new((Category::Peak, "OneRank"), branches[0].location(), name)
                .text(text)
                .with("Condition", holds)
                .with("Saved", saved)
                .with("LiveBytes", bound)
                .with("LowerBound", all)
                .emit();
        }
    }
}

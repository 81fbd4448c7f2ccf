//! Local search: visits the steps in order, and tries other locations for their operands from there
//! on.
//!
//! The search starts from the initial plan. It looks again at each step with an operand in a slower
//! level than necessary: each operand may be swapped to another level, before the step or after it,
//! may take over the bytes of a dying operand, or may move to another free space. The rest of the
//! program is then replanned by the initial policy. Steps are grouped into segments, in which all
//! combinations of actions are tried, one action per step; at the end of a segment, the cheapest of
//! these plans replaces the current one if it is cheaper.
//!
//! Replanning is incremental: it ends where the state equals that of the current plan, since
//! everything after is then the same, and steps are undone change by change. A trial is linear in
//! the number of changes.
//!
//! The number of combinations grows exponentially with the length of segments; `effort` bounds the
//! number of steps that are planned.

use mem_model::{LevelId, LevelPlan, LevelProblem, TensorId};

use crate::observe;

use super::assemble::drop_unused;
use super::engine::{Engine, Wanted};
use super::{LevelPolicy, tuning};

/// Requested action at a step.
type Choice = Option<(TensorId, Wanted)>;

/// The current plan: the cycles of each step, the fingerprint of the state before it, and whether
/// it has an operand in a slower level than necessary.
struct Base {
    cycles: Vec<u64>,
    prints: Vec<u64>,
    is_slow: Vec<bool>,
}

/// Best combination of actions found for a segment.
struct Found {
    choices: Vec<Choice>,
    /// Cycles saved over the current plan.
    gain: u64,
}

struct Search<'a> {
    problem: &'a LevelProblem,
    engine: Engine<'a>,
    base: Base,
    /// Number of steps that may still be planned.
    effort: u64,
}

/// Changes the initial plan while that lowers its serial cost. Returns `None` if there is no
/// initial plan.
pub(super) fn plan(problem: &LevelProblem, segment: usize, effort: u64) -> Option<LevelPlan> {
    let (plan, _) = search(problem, segment, effort)?;
    // Later replanning may leave copies that nothing reads: they cost time, and keep their sources
    // busy.
    Some(drop_unused(problem, plan))
}

/// The plan, and its cost as found by incremental replanning.
fn search(problem: &LevelProblem, segment: usize, effort: u64) -> Option<(LevelPlan, u64)> {
    let n = problem.steps.len();
    let mut search = Search::new(problem, effort)?;
    let mut step = 0;
    while step < n {
        let end = step.saturating_add(segment.max(1)).min(n);
        let choices = search.segment(step, end);
        let before = search.base.prints[end];
        for (step, choice) in (step..end).zip(choices) {
            let cycles = search.engine.play(step, choice).ok()?;
            search.note(step, cycles);
        }
        // Unless the segment leaves everything where it was, later steps are another plan now.
        if search.base.prints[end] != before {
            search.follow(end);
        }
        // Decisions are final: no trial goes back beyond this segment.
        search.engine.forget();
        step = end;
    }
    // The actions after the last step write the results back home.
    search.engine.play(n, None).ok()?;
    let cycles = sum(&search.base.cycles);
    Some((search.engine.into_plan(), cycles))
}

impl<'a> Search<'a> {
    /// Records the initial plan, and goes back to its start. `None` if there is no initial plan.
    fn new(problem: &'a LevelProblem, effort: u64) -> Option<Self> {
        let mut engine = Engine::new(problem, LevelPolicy::Initial);
        engine.record();
        let n = problem.steps.len();
        let base = Base {
            // One more than there are steps: results are written home after the last one.
            cycles: vec![0; n + 1],
            prints: vec![0; n + 2],
            is_slow: vec![false; n + 1],
        };
        let mut search = Self {
            problem,
            engine,
            base,
            effort,
        };
        let start = search.engine.mark();
        for step in 0..=n {
            let cycles = search.engine.play(step, None).ok()?;
            search.note(step, cycles);
        }
        search.engine.go_back(start);
        Some(search)
    }

    /// Records a step that the engine has just planned as part of the current plan.
    fn note(&mut self, step: usize, cycles: u64) {
        self.base.cycles[step] = cycles;
        self.base.prints[step + 1] = self.engine.print();
        self.base.is_slow[step] = step < self.problem.steps.len() && self.engine.is_slow(step);
    }

    /// Best actions for the steps of a segment.
    fn segment(&mut self, step: usize, end: usize) -> Vec<Choice> {
        let mut best = Found {
            choices: vec![None; end - step],
            gain: 0,
        };
        // Only slow operands are looked at again, so a segment without one costs no effort.
        if self.base.is_slow[step..end].contains(&true) {
            self.explore(step, end, 0, &mut Vec::new(), &mut best);
        }
        best.choices
    }

    /// Tries all actions at a step, combined with all those at later steps of the segment.
    fn explore(
        &mut self,
        step: usize,
        end: usize,
        cycles: u64,
        choices: &mut Vec<Choice>,
        best: &mut Found,
    ) {
        if step == end {
            let first = end - choices.len();
            // Actions may pay off, or cost more, only in later steps: the comparison is that of
            // whole plans.
            let gain = self.gain(first, end, cycles);
            if let Some(gain) = gain.filter(|gain| *gain > best.gain) {
                *best = Found {
                    choices: choices.clone(),
                    gain,
                };
            }
            return;
        }
        // No action at all comes first, so that it wins ties.
        let mut all = vec![None];
        if self.base.is_slow[step] {
            all.extend(self.choices(step));
        }
        for choice in all {
            if self.effort == 0 || observe::is_stopped() {
                return;
            }
            self.effort -= 1;
            let mark = self.engine.mark();
            if let Ok(more) = self.engine.play(step, choice) {
                choices.push(choice);
                self.explore(step + 1, end, cycles.saturating_add(more), choices, best);
                choices.pop();
            }
            // Also after a failure: a step that fails leaves part of its changes.
            self.engine.go_back(mark);
        }
    }

    fn choices(&self, step: usize) -> Vec<Choice> {
        let levels = (0..self.problem.hierarchy.levels.len()).map(LevelId::new);
        let mut choices = Vec::new();
        for used in &self.problem.steps[step].uses {
            for level in levels.clone() {
                choices.push(Some((used.tensor, Wanted::In(level))));
                choices.push(Some((used.tensor, Wanted::Leave(level))));
                // Gap 0 is left out: it is the one that `Space::find` chooses.
                let spaces = (1..=tuning::N_SPACES).map(|number| Wanted::Space(level, number));
                choices.extend(spaces.map(|wanted| Some((used.tensor, wanted))));
            }
        }
        choices
    }

    /// Cycles saved if a segment takes `cycles` and ends in the current state of the engine; `None`
    /// if the plan gets dearer, or does not fit.
    fn gain(&mut self, first: usize, end: usize, cycles: u64) -> Option<u64> {
        let mark = self.engine.mark();
        let mut before = sum(&self.base.cycles[first..end]);
        let mut after = cycles;
        let mut step = end;
        let mut is_possible = true;
        // Where the state is that of the current plan, the rest of both plans is the same.
        while step <= self.problem.steps.len() && self.engine.print() != self.base.prints[step] {
            // Replanned steps count, but do not end the trial: part of a comparison decides
            // nothing.
            self.effort = self.effort.saturating_sub(1);
            match self.engine.play(step, None) {
                Ok(cycles) => after = after.saturating_add(cycles),
                Err(_) => {
                    is_possible = false;
                    break;
                }
            }
            before = before.saturating_add(self.base.cycles[step]);
            step += 1;
        }
        self.engine.go_back(mark);
        before.checked_sub(after).filter(|_| is_possible)
    }

    /// Updates the current plan after a segment, until its state is the same as before.
    fn follow(&mut self, end: usize) {
        let mark = self.engine.mark();
        let mut step = end;
        let mut is_new = true;
        while step <= self.problem.steps.len() && is_new {
            // `gain` has already played these steps from the same state.
            let Ok(cycles) = self.engine.play(step, None) else {
                break;
            };
            // Compared before `note` replaces the print of the old plan.
            is_new = self.engine.print() != self.base.prints[step + 1];
            self.note(step, cycles);
            step += 1;
        }
        self.engine.go_back(mark);
    }
}

fn sum(cycles: &[u64]) -> u64 {
    cycles
        .iter()
        .fold(0, |sum, cycles| sum.saturating_add(*cycles))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_levels;
    use mem_testkit::{Rng, random_level_problem};

    /// Incremental replanning yields the cost of the whole plan, and no segment makes the plan
    /// worse.
    #[test]
    fn planning_anew_in_part_is_planning_anew() {
        let mut n_better = 0;
        for seed in 0..500 {
            let problem = random_level_problem(&mut Rng::new(seed), 2 + seed as usize % 30);
            let Ok(initial) = plan_levels(&problem, LevelPolicy::Initial) else {
                continue;
            };
            for segment in 1..4 {
                let found = search(&problem, segment, 100_000);
                let (plan, cycles) = found.expect("the initial plan is one");
                assert_eq!(plan.cost, cycles, "seed {seed}, segments of {segment}");
                assert!(
                    plan.cost <= initial.cost,
                    "seed {seed}, segments of {segment}"
                );
                n_better += u64::from(plan.cost < initial.cost);
            }
        }
        assert!(n_better > 100, "{n_better}");
    }
}

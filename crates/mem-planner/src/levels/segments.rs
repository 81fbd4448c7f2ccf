//! Local search: the steps in their order, and what if an operand were elsewhere from here on?
//!
//! The plan is the initial one. A step with an operand in a slower level than it need be is looked at again: each operand may be
//! swapped to another level, in front of the step or behind it, may take over the bytes of what dies here, or may move to
//! another free space. Then the rest of the program is planned anew by the initial rules. Steps are grouped into segments, in which
//! all combinations of actions are tried, one action a step; at the end of a segment the cheapest of these plans stays if it is
//! cheaper than the one before.
//!
//! Planning anew is incremental: it ends where everything is where it was before, since what follows is then the same, and
//! steps are taken back one change at a time. A trial is linear in what changes.
//!
//! The number of combinations grows exponentially with the length of segments; `effort` bounds the steps that are planned.

use mem_model::{LevelId, LevelPlan, LevelProblem};

use super::LevelPolicy;
use super::assemble::drop_unused;
use super::engine::{Engine, Wanted};

/// Free spaces of a level that an operand is moved to, besides the first.
const N_SPACES: usize = 2;

/// What is wanted at a step.
type Choice = Option<(usize, Wanted)>;

/// The plan so far: cycles of each step, and what was where in front of it.
struct Base {
    cycles: Vec<u64>,
    prints: Vec<u64>,
    is_slow: Vec<bool>,
}

/// The best that was found in a segment.
struct Found {
    choices: Vec<Choice>,
    /// Cycles less than before.
    gain: u64,
}

struct Search<'a> {
    problem: &'a LevelProblem,
    engine: Engine<'a>,
    base: Base,
    /// Steps that may still be planned.
    effort: u64,
}

/// Changes the initial plan while that makes it cheaper, one thing after the other; none if there is no initial plan.
pub(super) fn plan(problem: &LevelProblem, segment: usize, effort: u64) -> Option<LevelPlan> {
    let (plan, _) = search(problem, segment, effort)?;
    Some(drop_unused(problem, plan))
}

/// The plan, and what it costs by what was planned anew.
fn search(problem: &LevelProblem, segment: usize, effort: u64) -> Option<(LevelPlan, u64)> {
    let mut engine = Engine::new(problem, LevelPolicy::Initial);
    engine.record();
    let n = problem.steps.len();
    let base = Base {
        cycles: vec![0; n + 1],
        prints: vec![0; n + 2],
        is_slow: vec![false; n + 1],
    };
    let mut search = Search {
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
    let mut step = 0;
    while step < n {
        let end = step.saturating_add(segment.max(1)).min(n);
        let choices = search.segment(step, end);
        let before = search.base.prints[end];
        for (step, choice) in (step..end).zip(choices) {
            let cycles = search.engine.play(step, choice).ok()?;
            search.note(step, cycles);
        }
        if search.base.prints[end] != before {
            search.follow(end);
        }
        search.engine.forget();
        step = end;
    }
    search.engine.play(n, None).ok()?;
    let cycles = sum(&search.base.cycles);
    Some((search.engine.into_plan(), cycles))
}

impl Search<'_> {
    /// A step is done, and is part of the plan.
    fn note(&mut self, step: usize, cycles: u64) {
        self.base.cycles[step] = cycles;
        self.base.prints[step + 1] = self.engine.print();
        self.base.is_slow[step] = step < self.problem.steps.len() && self.engine.is_slow(step);
    }

    /// What to do in a segment, step by step.
    fn segment(&mut self, step: usize, end: usize) -> Vec<Choice> {
        let mut best = Found {
            choices: vec![None; end - step],
            gain: 0,
        };
        if self.base.is_slow[step..end].contains(&true) {
            self.explore(step, end, 0, &mut Vec::new(), &mut best);
        }
        best.choices
    }

    /// Tries everything that may be done at a step, and then at those behind it in the segment.
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
            if let Some(gain) = self
                .gain(first, end, cycles)
                .filter(|gain| *gain > best.gain)
            {
                *best = Found {
                    choices: choices.clone(),
                    gain,
                };
            }
            return;
        }
        let mut all = vec![None];
        if self.base.is_slow[step] {
            all.extend(self.choices(step));
        }
        for choice in all {
            if self.effort == 0 {
                return;
            }
            self.effort -= 1;
            let mark = self.engine.mark();
            if let Ok(more) = self.engine.play(step, choice) {
                choices.push(choice);
                self.explore(step + 1, end, cycles.saturating_add(more), choices, best);
                choices.pop();
            }
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
                let spaces = (1..=N_SPACES).map(|number| Wanted::Space(level, number));
                choices.extend(spaces.map(|wanted| Some((used.tensor, wanted))));
            }
        }
        choices
    }

    /// What the plan is cheaper by if a segment takes so many cycles and ends as it does now.
    fn gain(&mut self, first: usize, end: usize, cycles: u64) -> Option<u64> {
        let mark = self.engine.mark();
        let mut before = sum(&self.base.cycles[first..end]);
        let mut after = cycles;
        let mut step = end;
        let mut is_possible = true;
        while step <= self.problem.steps.len() && self.engine.print() != self.base.prints[step] {
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

    /// The plan behind a segment is what it is from now on, until it is what it was.
    fn follow(&mut self, end: usize) {
        let mark = self.engine.mark();
        let mut step = end;
        let mut is_new = true;
        while step <= self.problem.steps.len() && is_new {
            let Ok(cycles) = self.engine.play(step, None) else {
                break;
            };
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

    /// What is only planned as far as it changes costs what the whole does; and no segment makes the plan worse.
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

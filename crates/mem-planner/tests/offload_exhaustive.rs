//! Budgets for small programs: no choice of copies and recomputations has a much shorter makespan
//! than the one that is planned.
//!
//! The oracle tries all choices: each tensor, in each gap, is dropped and recomputed, stays, or is
//! absent between any two steps of the gap. Tensors have one writer and the same size, so that
//! addresses do not matter.

use mem_cost::simulate;
use mem_model::{
    Bytes, Hierarchy, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, LevelStep,
    PlacementId, Port, TensorId, Transfer,
};
use mem_planner::{Advice, OffloadPolicy, Repeatable, Repetition, plan_offload, repeated};
use mem_testkit::{Rng, engine, level, number, random_repeatable, tensor, used};

const SIZE: u64 = 10;

fn problem(steps: &[(u64, Vec<usize>)], n_room: usize, link: f64) -> LevelProblem {
    let memory = |name: &str, capacity: Option<u64>, bandwidth: f64| {
        let latency = 0;
        level(name, capacity, 1, Port { latency, bandwidth })
    };
    let (device, host) = (LevelId::new(0), LevelId::new(1));
    LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![
                memory("device", Some(SIZE * n_room as u64), 1000.0),
                memory("host", None, link),
            ],
            engines: vec![engine("in", (host, device)), engine("out", (device, host))],
            ..Hierarchy::default()
        },
        tensors: (0..steps.len())
            .map(|index| tensor(format!("t{index}"), SIZE, 1))
            .collect(),
        // Each step writes the tensor with its index.
        steps: steps
            .iter()
            .enumerate()
            .map(|(index, (cycles, reads))| LevelStep {
                cycles: *cycles,
                repeats: 1,
                uses: reads
                    .iter()
                    .map(|tensor| used(*tensor, SIZE, false))
                    .chain([used(index, SIZE, true)])
                    .collect(),
                ..LevelStep::default()
            })
            .collect(),
        blocks: Vec::new(),
    }
}

/// A gap of a tensor.
type Gap = (TensorId, Interval<usize>);

/// Gaps in which the contents of a tensor are needed later, and gaps before it is overwritten.
fn gaps(problem: &LevelProblem) -> (Vec<Gap>, Vec<Gap>) {
    let (mut live, mut dead) = (Vec::new(), Vec::new());
    for tensor in (0..problem.tensors.len()).map(TensorId::new) {
        let mut last: Option<usize> = None;
        for (step, at) in problem.steps.iter().enumerate() {
            let Some(used) = at.uses.iter().find(|used| used.tensor == tensor) else {
                continue;
            };
            if let Some(last) = last.filter(|last| last + 1 < step) {
                let gap = (tensor, Interval::new(last + 1, step));
                if used.writes_all {
                    dead.push(gap)
                } else {
                    live.push(gap)
                }
            }
            last = Some(step);
        }
    }
    (live, dead)
}

/// Steps that are repeated if tensors are dropped in their gaps. `keeps`: operands recomputed for
/// another tensor stay.
fn replay(problem: &LevelProblem, dropped: &[Gap], keeps: bool) -> Vec<Repetition> {
    let n = problem.tensors.len();
    let last = |tensor: TensorId| {
        let uses = |step: &LevelStep| step.uses.iter().any(|used| used.tensor == tensor);
        problem.steps.iter().rposition(uses).unwrap_or(0)
    };
    fn need(
        problem: &LevelProblem,
        tensor: TensorId,
        before: usize,
        missing: &[bool],
        last: &dyn Fn(TensorId) -> usize,
        steps: &mut Vec<usize>,
    ) {
        // Each step writes the tensor with its index.
        let producer = tensor.index();
        if steps.contains(&producer) {
            return;
        }
        steps.push(producer);
        for used in &problem.steps[producer].uses {
            if used.tensor != tensor && (missing[used.tensor.index()] || last(used.tensor) < before)
            {
                need(problem, used.tensor, before, missing, last, steps);
            }
        }
    }
    let mut missing = vec![false; n];
    let mut found = Vec::new();
    for step in 0..problem.steps.len() {
        let mut steps = Vec::new();
        for used in &problem.steps[step].uses {
            if missing[used.tensor.index()] {
                need(problem, used.tensor, step, &missing, &last, &mut steps);
                missing[used.tensor.index()] = false;
            }
        }
        steps.sort_unstable();
        for again in steps {
            found.push(Repetition {
                before: step,
                step: again,
            });
            missing[again] &= !keeps;
        }
        for (tensor, gap) in dropped {
            missing[tensor.index()] |= gap.start == step + 1;
        }
    }
    found
}

/// Tries all absences of tensors.
struct Oracle<'a> {
    problem: &'a LevelProblem,
    live: Vec<Gap>,
    room: u64,
    used: Vec<u64>,
    /// Per gap decided so far: steps for which the bytes are free.
    away: Vec<Option<Interval<usize>>>,
    dead: Vec<Gap>,
    best: u64,
}

impl Oracle<'_> {
    fn search(&mut self) {
        let next = self.away.len();
        let Some((_, gap)) = self.live.get(next).copied() else {
            if self.used.iter().all(|used| *used <= self.room) {
                self.best = self.best.min(simulate(self.problem, &self.plan()).makespan);
            }
            return;
        };
        self.away.push(None);
        self.search();
        for start in gap.start..gap.end {
            for end in start + 1..=gap.end {
                self.away[next] = Some(Interval::new(start, end));
                self.used[start..end]
                    .iter_mut()
                    .for_each(|used| *used -= SIZE);
                self.search();
                self.used[start..end]
                    .iter_mut()
                    .for_each(|used| *used += SIZE);
            }
        }
        self.away.pop();
    }

    fn plan(&self) -> LevelPlan {
        let mut plan = LevelPlan::default();
        let n = self.problem.steps.len();
        let nowhere = vec![PlacementId::new(0); self.problem.tensors.len()];
        let mut at = vec![nowhere; n];
        let mut copies: Vec<(usize, bool, Transfer)> = Vec::new();
        for tensor in (0..self.problem.tensors.len()).map(TensorId::new) {
            let place = |plan: &mut LevelPlan, level: usize, steps: Interval<usize>| {
                plan.placements.push(LevelPlacement {
                    tensor,
                    level: LevelId::new(level),
                    offset: Some(Bytes::ZERO),
                    steps,
                });
                PlacementId::new(plan.placements.len() - 1)
            };
            let here = place(&mut plan, 0, Interval::new(0, n));
            let there = place(&mut plan, 1, Interval::new(0, n));
            at.iter_mut().for_each(|step| step[tensor.index()] = here);
            let mut is_saved = false;
            let mut last = 0;
            for ((own, gap), away) in self.live.iter().zip(&self.away) {
                let Some(away) = away.filter(|_| *own == tensor) else {
                    continue;
                };
                let is_new =
                    |gap: &Gap| gap.0 == tensor && last <= gap.1.start && gap.1.end <= away.start;
                is_saved &= !self.dead.iter().any(is_new);
                last = away.end;
                let copy =
                    |before: usize, until: usize, from: PlacementId, to: PlacementId| Transfer {
                        before,
                        from,
                        to,
                        keeps_source: true,
                        until,
                    };
                if !is_saved {
                    copies.push((gap.start, false, copy(gap.start, away.start, here, there)));
                    is_saved = true;
                }
                copies.push((away.end, true, copy(away.end, gap.end, there, here)));
            }
        }
        copies.sort_by_key(|(before, is_back, copy)| (*before, *is_back, copy.until));
        plan.transfers = copies.into_iter().map(|(.., copy)| copy).collect();
        let steps = self.problem.steps.iter().zip(&at);
        plan.accessed = steps
            .map(|(step, at)| {
                step.uses
                    .iter()
                    .map(|used| at[used.tensor.index()])
                    .collect()
            })
            .collect();
        plan
    }
}

/// The shortest makespan of all choices.
fn exhaustive(problem: &LevelProblem, repeatable: &[Repeatable]) -> u64 {
    let (live, _) = gaps(problem);
    let mut best = u64::MAX;
    for choice in 0..1_u32 << live.len() {
        let chosen = live
            .iter()
            .enumerate()
            .filter(|(index, _)| choice >> index & 1 == 1);
        let dropped: Vec<Gap> = chosen.map(|(_, gap)| *gap).collect();
        for keeps in [true, false] {
            let repetitions = replay(problem, &dropped, keeps);
            if !repetitions.iter().all(|own| {
                let until = repeatable[own.step].until;
                repeatable[own.step].is_pure && until.is_none_or(|until| own.before <= until)
            }) {
                continue;
            }
            let extended = repeated(problem, repeatable, &repetitions);
            let (live, dead) = gaps(&extended);
            let mut used = vec![0_u64; extended.steps.len()];
            for (tensor, life) in extended.lifetimes().into_iter().enumerate() {
                let (tensor, life) = (TensorId::new(tensor), life.expect("each is written"));
                for (step, used) in used.iter_mut().enumerate().take(life.end).skip(life.start) {
                    let is_away = |gap: &Gap| gap.0 == tensor && gap.1.contains(step);
                    *used += if dead.iter().any(is_away) { 0 } else { SIZE };
                }
            }
            let mut oracle = Oracle {
                problem: &extended,
                live,
                room: extended.hierarchy.levels[0]
                    .capacity
                    .expect("a budget")
                    .get(),
                used,
                away: Vec::new(),
                dead,
                best: u64::MAX,
            };
            oracle.search();
            best = best.min(oracle.best);
        }
    }
    best
}

/// A random program that is small enough for exhaustive search.
fn program(rng: &mut Rng) -> Vec<(u64, Vec<usize>)> {
    let cycles = |rng: &mut Rng| 1 << rng.below(8);
    if rng.chance(50) {
        // Forward and backward pass.
        let n = rng.between(2, 3);
        let mut steps: Vec<(u64, Vec<usize>)> = Vec::new();
        for layer in 0..2 * n {
            let mut reads: Vec<usize> = layer.checked_sub(1).into_iter().collect();
            if layer > n {
                reads.push(2 * n - 1 - layer);
            }
            steps.push((cycles(rng), reads));
        }
        return steps;
    }
    // A chain of up to twenty steps; one or two tensors are read again later.
    let n = rng.between(4, 20);
    let mut steps: Vec<(u64, Vec<usize>)> = Vec::new();
    for index in 0..n {
        steps.push((cycles(rng), index.checked_sub(1).into_iter().collect()));
    }
    for _ in 0..rng.between(1, 2) {
        let from = rng.below(n - 2);
        let to = (from + 2 + rng.below(7)).min(n - 1);
        if !steps[to].1.contains(&from) {
            steps[to].1.push(from);
        }
    }
    steps
}

/// A random program with a budget of the widest step or one tensor more, and which of its steps may
/// be repeated.
fn random_problem(rng: &mut Rng) -> (LevelProblem, Vec<Repeatable>) {
    let steps = program(rng);
    let widest = steps
        .iter()
        .map(|(_, reads)| reads.len() + 1)
        .max()
        .unwrap_or(1);
    let link = [0.1, 0.5, 2.0, 10.0][rng.below(4)];
    let problem = problem(&steps, widest + usize::from(rng.chance(20)), link);
    let repeatable = random_repeatable(rng, problem.steps.len());
    (problem, repeatable)
}

/// On programs of up to twenty tensors, no choice is five percent better than the plan.
#[test]
fn small_programs_are_as_good_as_any() {
    let first = number("OFFLOAD_SEED", 0);
    let (mut sum, mut least) = (0_u64, 0_u64);
    let (mut n_programs, mut n_worse, mut n_tight, mut n_bounded) = (0, 0, 0, 0);
    let mut worst: (f64, u64) = (1.0, 0);
    for seed in first..first + number("OFFLOAD_CASES", 300) {
        let (problem, repeatable) = random_problem(&mut Rng::new(seed));
        let best = exhaustive(&problem, &repeatable);
        let advice = Advice::default();
        let answer = plan_offload(&problem, &repeatable, OffloadPolicy::Auto, &advice);
        let answer = answer.expect("the widest step fits");
        let plan = answer.plan.expect("there are addresses").plan;
        let own = simulate(&answer.problem, &plan).makespan;
        assert!(answer.least <= best, "seed {seed}: {} {best}", answer.least);
        assert!(answer.least <= own, "seed {seed}: {} {own}", answer.least);
        n_bounded += usize::from(answer.least > answer.ideal);
        sum += own;
        least += best;
        n_programs += 1;
        n_worse += usize::from(own > best);
        n_tight += usize::from(own > answer.ideal);
        let ratio = own as f64 / best as f64;
        if ratio > worst.0 {
            worst = (ratio, seed);
        }
    }
    println!(
        "{n_programs} programs, {n_tight} not as without a limit: {sum} cycles for {least}; {n_worse} not the best; worst {worst:?}; {n_bounded} with a bound above the ideal"
    );
    assert!(n_bounded > 0, "no bound says anything");
    assert!(
        worst.0 <= 1.05,
        "seed {}: {} times the best",
        worst.1,
        worst.0
    );
}

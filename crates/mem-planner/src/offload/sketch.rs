//! Estimates the makespan of a program with repeated steps, without a plan: bytes in excess must be
//! copied, and the link can copy only so much before a step and after it.
//!
//! Linear in the number of accesses, and several hundred times faster than a plan, so that many
//! choices can be sketched before the best are planned.

use mem_cost::fastest_cycles;
use mem_model::{Interval, LevelProblem, TensorId};

use super::profile::{Profile, cycles_per_byte};
use super::repeat::{Takeovers, execution_order};
use super::{Repeatable, Repetition};

/// Data of a program that the sketches of all repetitions share.
pub(super) struct Sketch<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [Repeatable],
    /// Per step: cycles.
    durations: Vec<u64>,
    /// Per tensor: bytes that it occupies on the device; 0 if it has a home.
    sizes: Vec<u64>,
    capacity: u64,
    /// Indexed by step and use: the loop around it, during which the tensor stays in place.
    around: Vec<Vec<Option<Interval<usize>>>>,
    /// Cycles per byte to copy out, and back.
    cycles: [f64; 2],
}

impl<'a> Sketch<'a> {
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        profile: &Profile,
    ) -> Self {
        let around = problem.steps.iter().enumerate().map(|(step, at)| {
            let around = |tensor: TensorId| problem.tensors[tensor.index()].carried_around(step);
            at.uses.iter().map(|used| around(used.tensor)).collect()
        });
        let is_home = |tensor: TensorId| problem.tensors[tensor.index()].home.is_some();
        let size = |tensor: TensorId| match is_home(tensor) {
            true => 0,
            false => profile.sizes[tensor.index()],
        };
        Self {
            problem,
            repeatable,
            durations: fastest_cycles(problem),
            sizes: (0..problem.tensors.len())
                .map(TensorId::new)
                .map(size)
                .collect(),
            capacity: profile.capacity,
            around: around.collect(),
            cycles: cycles_per_byte(problem),
        }
    }

    /// Lower bound on the makespan, in cycles, if copies can use the fraction `reach` of the link's
    /// time.
    pub(super) fn makespan(&self, repetitions: &[Repetition], reach: f64) -> f64 {
        let order = execution_order(self.problem.steps.len(), repetitions);
        let takeovers = Takeovers::new(self.problem, self.repeatable, repetitions);
        let used = self.used(&order, &takeovers);
        let all: u64 = order.iter().map(|own| self.durations[own.step]).sum();
        let mut before = 0;
        let mut waits = 0.0_f64;
        for (own, used) in order.iter().zip(used) {
            let own = self.durations[own.step];
            let after = all - before - own;
            let over = used.saturating_sub(self.capacity) as f64;
            // The excess leaves before this step and returns after it; copies that do not fit into
            // the computation there stall control.
            let [away, back] = self.cycles.map(|cycles| cycles / reach * over);
            let wait = (away - before as f64).max(0.0) + (back - after as f64).max(0.0);
            // Not their sum: a stall for one step also gives the link more time for others.
            waits = waits.max(wait);
            before += own;
        }
        all as f64 + waits
    }

    /// Per step of `order`: bytes of all tensors from their first use to their last, except where
    /// their contents are dead.
    fn used(&self, order: &[Repetition], takeovers: &Takeovers) -> Vec<u64> {
        let shared = self.shared(order, takeovers);
        let mut now = 0;
        let changes = self.changes(order);
        let used = changes.iter().zip(shared).map(|(change, shared)| {
            now += change;
            now.cast_unsigned().saturating_sub(shared)
        });
        used.collect()
    }

    /// Per step of `order`: change of the bytes of all tensors, from the step before.
    fn changes(&self, order: &[Repetition]) -> Vec<i64> {
        let own = order.iter().enumerate().filter(|(_, own)| !own.is_again());
        let numbers: Vec<usize> = own.map(|(number, _)| number).collect();
        let mut lives: Vec<Option<Interval<usize>>> = vec![None; self.sizes.len()];
        let mut changes = vec![0_i64; order.len() + 1];
        for (number, step) in order.iter().enumerate() {
            let uses = &self.problem.steps[step.step].uses;
            for (used, around) in uses.iter().zip(&self.around[step.step]) {
                // Steps in loops are not repeated, so a repetition is not in a loop.
                let around = around.filter(|_| !step.is_again());
                let own = around.map_or(Interval::new(number, number + 1), |own| {
                    // The end is that of the last step, as in `repeat`: repetitions before the step
                    // after the loop are not part of it.
                    Interval::new(numbers[own.start], numbers[own.end - 1] + 1)
                });
                let is_new = around.is_none() && !used.needs_content();
                match &mut lives[used.tensor.index()] {
                    Some(life) => {
                        // Contents that are overwritten next are dead.
                        if is_new && own.start > life.end {
                            let size = self.sizes[used.tensor.index()].cast_signed();
                            changes[life.end] -= size;
                            changes[own.start] += size;
                        }
                        life.end = life.end.max(own.end);
                    }
                    none => *none = Some(own),
                }
            }
        }
        // After all steps: a life is known only once its last use is.
        for (life, size) in lives.iter().zip(&self.sizes) {
            if let Some(life) = life {
                changes[life.start] += size.cast_signed();
                changes[life.end] -= size.cast_signed();
            }
        }
        changes
    }

    /// Per step of `order`: bytes that results take over from operands.
    fn shared(&self, order: &[Repetition], takeovers: &Takeovers) -> Vec<u64> {
        // The same decisions as `choose_takeovers` makes for the extended program, without writing
        // that program.
        let mut is_needed = vec![false; self.sizes.len()];
        let mut shared = vec![0; order.len()];
        for (number, step) in order.iter().enumerate().rev() {
            let uses = &self.problem.steps[step.step].uses;
            for (index, used) in uses.iter().enumerate() {
                let operand = takeovers.operand(*step, index, &is_needed);
                let is_its_own = |index: usize| self.around[step.step][index].is_some();
                let Some(operand) = operand.filter(|own| !is_its_own(*own) && !is_its_own(index))
                else {
                    continue;
                };
                let operand = uses[operand].tensor;
                shared[number] += self.sizes[operand.index()].min(self.sizes[used.tensor.index()]);
            }
            for used in uses {
                is_needed[used.tensor.index()] = used.needs_content();
            }
        }
        shared
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use mem_model::{Hierarchy, LevelId, LevelStep, Port};
    use mem_testkit::{Rng, engine, level, tensor, used};

    use super::super::repeat::repeated;
    use super::super::replay::{Manner, Producers};
    use super::super::swaps::{less, schedule};
    use super::super::timetable::Wishes;
    use super::super::tuning::{NEARLY, SLACK};
    use super::*;

    /// Random steps that each write a tensor from earlier ones; the tensor may have been written
    /// before. Results may take over the bytes of their first operand.
    pub(crate) fn program(rng: &mut Rng) -> (LevelProblem, Vec<Repeatable>) {
        let (device, host) = (LevelId::DEVICE, LevelId::HOST);
        let port = |bandwidth: f64| Port {
            latency: 0,
            bandwidth,
        };
        let n = rng.between(4, 24);
        let sizes: Vec<u64> = (0..n).map(|_| 8 * rng.between(1, 3) as u64).collect();
        let (mut steps, mut repeatable) = (Vec::new(), Vec::new());
        for step in 0..2 * n {
            let written = if step < n { step } else { rng.below(n) };
            let reads: BTreeSet<usize> = (0..rng.below(3))
                .map(|_| rng.below(step.clamp(1, n)))
                .collect();
            let mut reads: Vec<usize> = reads.into_iter().filter(|own| *own != written).collect();
            reads.retain(|own| *own < step);
            let in_place = match reads.first() {
                Some(first) if sizes[*first] == sizes[written] => vec![(0, reads.len())],
                _ => Vec::new(),
            };
            let mut result = used(written, sizes[written], true);
            result.takes_over = in_place.first().map(|_| 0);
            let uses = reads.iter().map(|own| used(*own, sizes[*own], false));
            steps.push(LevelStep {
                cycles: rng.below(20) as u64,
                repeats: 1,
                uses: uses.chain([result]).collect(),
                ..LevelStep::default()
            });
            repeatable.push(Repeatable {
                is_pure: rng.chance(80),
                until: rng.chance(20).then(|| rng.between(step, 2 * n)),
                in_place,
            });
        }
        let hierarchy = Hierarchy {
            levels: vec![
                level("device", Some(rng.between(60, 200) as u64), 1, port(1000.0)),
                level("host", None, 1, port(1.0)),
            ],
            engines: vec![engine("in", (host, device)), engine("out", (device, host))],
            ..Hierarchy::default()
        };
        let tensors = sizes.iter().enumerate();
        let problem = LevelProblem {
            hierarchy,
            tensors: tensors
                .map(|(index, size)| tensor(format!("t{index}"), *size, 1))
                .collect(),
            steps,
            blocks: Vec::new(),
        };
        // Keeps takeovers only where the operand is dead.
        (repeated(&problem, &repeatable, &[]), repeatable)
    }

    #[test]
    fn the_sketch_knows_the_cost_of_repeated_steps() {
        let (mut n_repeated, mut n_planned) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let (problem, repeatable) = program(&mut rng);
            let Some(profile) = Profile::new(&problem) else {
                continue;
            };
            let producers = Producers::new(&problem, &repeatable);
            let is_kept = vec![false; problem.tensors.len()];
            let mut dropped = producers.droppable(&profile, &is_kept, 64);
            dropped.retain(|_| rng.chance(50));
            let manner = Manner {
                longest: 64,
                keeps: rng.chance(50),
                window: 0,
            };
            let repetitions = producers.replay(&dropped, manner);
            n_repeated += repetitions.len();
            let sketch = Sketch::new(&problem, &repeatable, &profile);
            let extended = repeated(&problem, &repeatable, &repetitions);
            let Some(profile) = Profile::new(&extended) else {
                continue;
            };
            let takeovers = Takeovers::new(&problem, &repeatable, &repetitions);
            let used = sketch.used(
                &execution_order(problem.steps.len(), &repetitions),
                &takeovers,
            );
            assert_eq!(used, profile.used, "seed {seed}");
            // No plan has a shorter makespan.
            let wishes = Wishes {
                stays: vec![false; problem.tensors.len()],
                leaves: vec![false; problem.tensors.len()],
                ..Wishes::default()
            };
            let room = less(&profile, &profile.needed(&wishes.stays), SLACK);
            if let Some(planned) = schedule(&extended, &profile, &room, &wishes, NEARLY) {
                let least = sketch.makespan(&repetitions, 1.0);
                n_planned += 1;
                let makespan = planned.schedule.makespan as f64;
                assert!(
                    least <= makespan * 1.000_001,
                    "seed {seed}: {least} {makespan}"
                );
            }
        }
        assert!(
            n_repeated > 400 && n_planned > 100,
            "{n_repeated} {n_planned}"
        );
    }
}

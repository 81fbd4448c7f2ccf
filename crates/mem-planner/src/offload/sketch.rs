//! Estimates the makespan of a program with repeated steps, without a plan: bytes in excess must be
//! copied, and the link can copy only so much before a step and after it.
//!
//! Linear in the number of accesses, and several hundred times faster than a plan, so that many
//! choices can be sketched before the best are planned.

use mem_cost::fastest_cycles;
use mem_model::{Bytes, Interval, LevelProblem, TensorUse};

use super::profile::{Profile, cycles_per_byte};
use super::repeat::candidates;
use super::{Repeatable, Repetition};

/// Data of a program that the sketches of all repetitions share.
pub(super) struct Sketch {
    /// Per step: cycles.
    durations: Vec<u64>,
    /// Per tensor: bytes that it occupies on the device; 0 if it has a home.
    sizes: Vec<u64>,
    capacity: u64,
    /// The accesses of all steps to tensors without a home.
    uses: Lists<Use>,
    /// The results of all steps that may take over the bytes of an operand, by index in `operands`.
    results: Lists<usize>,
    /// Per such result: the operands that it may take over, in the order of preference.
    operands: Lists<Operand>,
    /// The accesses of all steps to these operands: the tensor, and whether its contents are needed.
    needs: Lists<(u32, bool)>,
    /// The tensors that all steps write.
    written: Lists<u32>,
    /// Cycles per byte to copy out, and back.
    cycles: [f64; 2],
}

/// Lists of items, one list after the other.
struct Lists<T> {
    /// Start of each list, and the end of the last.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(self.items.len());
    }

    fn of(&self, index: usize) -> &[T] {
        &self.items[self.starts[index]..self.starts[index + 1]]
    }
}

/// An access to a tensor.
struct Use {
    tensor: u32,
    is_new: bool,
    /// The loop around it, during which the tensor stays in place.
    around: Option<Interval<usize>>,
}

/// An operand whose bytes a result may take over if it is dead.
struct Operand {
    tensor: u32,
    /// Bytes that count once; 0 if one of the two keeps its bytes.
    shared: u64,
    /// In the step itself, whatever is repeated.
    is_chosen: bool,
    /// In a repetition of the step, and in the step itself if the operand is recomputed.
    is_possible: bool,
}

/// Memory that sketches use again.
#[derive(Default)]
pub(super) struct Scratch {
    /// The steps, and whether they are repeated.
    order: Vec<(usize, bool)>,
    /// Number of each step in `order`.
    numbers: Vec<usize>,
    /// Per tensor: it is recomputed, so its contents may die earlier.
    is_again: Vec<bool>,
    is_needed: Vec<bool>,
    /// Per tensor: the first step that uses it, and the end of the last; 0 if there is none.
    lives: Vec<(usize, usize)>,
    changes: Vec<i64>,
    /// Per step of `order`: bytes in use.
    used: Vec<u64>,
}

impl Sketch {
    pub(super) fn new(
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        profile: &Profile,
    ) -> Self {
        let tensors = problem.tensors.iter().zip(&profile.sizes);
        let sizes = tensors.map(|(own, size)| if own.home.is_some() { 0 } else { *size });
        let mut own = Self {
            durations: fastest_cycles(problem),
            sizes: sizes.collect(),
            capacity: profile.capacity,
            uses: Lists::new(),
            results: Lists::new(),
            operands: Lists::new(),
            needs: Lists::new(),
            written: Lists::new(),
            cycles: cycles_per_byte(problem),
        };
        let mut is_operand = vec![false; problem.tensors.len()];
        for step in 0..problem.steps.len() {
            own.add_step(problem, repeatable.get(step), step, &mut is_operand);
        }
        for at in &problem.steps {
            let uses = at.uses.iter().filter(|own| is_operand[own.tensor.index()]);
            let need = |own: &TensorUse| (own.tensor.index() as u32, own.needs_content());
            own.needs.push(uses.map(need));
        }
        own
    }

    /// Adds what a step accesses.
    fn add_step(
        &mut self,
        problem: &LevelProblem,
        repeatable: Option<&Repeatable>,
        step: usize,
        is_operand: &mut [bool],
    ) {
        let uses = &problem.steps[step].uses;
        let around = |own: &TensorUse| problem.tensors[own.tensor.index()].carried_around(step);
        let written = uses.iter().filter(|own| own.writes > Bytes::ZERO);
        self.written
            .push(written.map(|own| own.tensor.index() as u32));
        let placed = uses.iter().filter(|own| self.sizes[own.tensor.index()] > 0);
        self.uses.push(placed.map(|own| Use {
            tensor: own.tensor.index() as u32,
            is_new: !own.needs_content(),
            around: around(own),
        }));
        let mut results = Vec::new();
        for (index, result) in uses.iter().enumerate() {
            let candidates = candidates(uses, repeatable, index).map(|own| {
                let operand = &uses[own.operand];
                is_operand[operand.tensor.index()] = true;
                let is_its_own = around(operand).is_some() || around(result).is_some();
                let sizes = [operand, result].map(|own| self.sizes[own.tensor.index()]);
                Operand {
                    tensor: operand.tensor.index() as u32,
                    shared: if is_its_own {
                        0
                    } else {
                        sizes[0].min(sizes[1])
                    },
                    is_chosen: own.is_chosen,
                    is_possible: own.is_possible,
                }
            });
            let candidates: Vec<Operand> = candidates.collect();
            if !candidates.is_empty() {
                results.push(self.operands.starts.len() - 1);
                self.operands.push(candidates);
            }
        }
        self.results.push(results);
    }

    /// Lower bound on the makespan, in cycles, if copies can use the fraction `reach` of the link's
    /// time.
    pub(super) fn makespan(
        &self,
        repetitions: &[Repetition],
        reach: f64,
        scratch: &mut Scratch,
    ) -> f64 {
        self.measure(repetitions, scratch);
        let order = &scratch.order;
        let all: u64 = order.iter().map(|own| self.durations[own.0]).sum();
        let cycles = self.cycles.map(|cycles| cycles / reach);
        let mut before = 0;
        let mut waits = 0.0_f64;
        for ((step, _), used) in order.iter().zip(&scratch.used) {
            let own = self.durations[*step];
            if *used > self.capacity {
                let after = all - before - own;
                let over = (used - self.capacity) as f64;
                // The excess leaves before this step and returns after it; copies that do not fit
                // into the computation there stall control.
                let [away, back] = cycles.map(|cycles| cycles * over);
                let wait = (away - before as f64).max(0.0) + (back - after as f64).max(0.0);
                // Not their sum: a stall for one step also gives the link more time for others.
                waits = waits.max(wait);
            }
            before += own;
        }
        all as f64 + waits
    }

    /// Determines the bytes in use at each step: all tensors from their first use to their last, except
    /// where their contents are dead.
    fn measure(&self, repetitions: &[Repetition], scratch: &mut Scratch) {
        scratch.execute(self.durations.len(), repetitions);
        self.share(repetitions, scratch);
        self.change(scratch);
        let mut now = 0;
        for (used, change) in scratch.used.iter_mut().zip(&scratch.changes) {
            now += change;
            *used = now.cast_unsigned().saturating_sub(*used);
        }
    }

    /// Per step: change of the bytes of all tensors, from the step before.
    fn change(&self, scratch: &mut Scratch) {
        let Scratch {
            order,
            numbers,
            lives,
            changes,
            ..
        } = scratch;
        lives.clear();
        lives.resize(self.sizes.len(), (0, 0));
        changes.clear();
        changes.resize(order.len() + 1, 0);
        for (number, (step, is_again)) in order.iter().enumerate() {
            for used in self.uses.of(*step) {
                // Steps in loops are not repeated, so a repetition is not in a loop.
                let around = used.around.filter(|_| !is_again);
                let (start, end) = around.map_or((number, number + 1), |own| {
                    // The end is that of the last step, as in `repeat`: repetitions before the step
                    // after the loop are not part of it.
                    (numbers[own.start], numbers[own.end - 1] + 1)
                });
                let life = &mut lives[used.tensor as usize];
                if life.1 == 0 {
                    *life = (start, end);
                    continue;
                }
                // Contents that are overwritten next are dead.
                if around.is_none() && used.is_new && start > life.1 {
                    let size = self.sizes[used.tensor as usize].cast_signed();
                    changes[life.1] -= size;
                    changes[start] += size;
                }
                life.1 = life.1.max(end);
            }
        }
        // After all steps: a life is known only once its last use is.
        for ((start, end), size) in lives.iter().zip(&self.sizes) {
            if *end > 0 {
                changes[*start] += size.cast_signed();
                changes[*end] -= size.cast_signed();
            }
        }
    }

    /// Per step: bytes that results take over from operands, in `used`.
    fn share(&self, repetitions: &[Repetition], scratch: &mut Scratch) {
        // The same decisions as `choose_takeovers` makes for the extended program, without writing
        // that program.
        let Scratch {
            order,
            is_again: is_repeated,
            is_needed,
            used,
            ..
        } = scratch;
        for all in [&mut *is_repeated, is_needed] {
            all.clear();
            all.resize(self.sizes.len(), false);
        }
        for own in repetitions {
            for tensor in self.written.of(own.step) {
                is_repeated[*tensor as usize] = true;
            }
        }
        used.clear();
        used.resize(order.len(), 0);
        for (number, (step, is_again)) in order.iter().enumerate().rev() {
            for result in self.results.of(*step) {
                let mut operands = self.operands.of(*result).iter();
                let found = operands.find(|own| {
                    let is_possible = match is_again {
                        true => own.is_possible,
                        false => {
                            own.is_chosen || own.is_possible && is_repeated[own.tensor as usize]
                        }
                    };
                    is_possible && !is_needed[own.tensor as usize]
                });
                used[number] += found.map_or(0, |own| own.shared);
            }
            for (tensor, is_needed_here) in self.needs.of(*step) {
                is_needed[*tensor as usize] = *is_needed_here;
            }
        }
    }
}

impl Scratch {
    /// The steps in the order of their execution, as in [`execution_order`](super::execution_order).
    fn execute(&mut self, n_steps: usize, repetitions: &[Repetition]) {
        let mut next = repetitions.iter().peekable();
        self.order.clear();
        self.numbers.clear();
        for step in 0..n_steps {
            while let Some(own) = next.next_if(|own| own.before == step) {
                self.order.push((own.step, true));
            }
            self.numbers.push(self.order.len());
            self.order.push((step, false));
        }
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
            let mut scratch = Scratch::default();
            sketch.measure(&repetitions, &mut scratch);
            assert_eq!(scratch.used, profile.used, "seed {seed}");
            // No plan has a shorter makespan.
            let wishes = Wishes {
                stays: vec![false; problem.tensors.len()],
                leaves: vec![false; problem.tensors.len()],
                ..Wishes::default()
            };
            let room = less(&profile, &profile.needed(&wishes.stays), SLACK);
            if let Some(planned) = schedule(&extended, &profile, &room, &wishes, NEARLY) {
                let least = sketch.makespan(&repetitions, 1.0, &mut scratch);
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

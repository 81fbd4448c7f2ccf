//! Determines which tensors can be recomputed, by which steps, and when.
//!
//! A dropped tensor is missing until it is needed: by the step that uses it next, or by a step that
//! is repeated before that one. Then the steps that wrote it are repeated, preceded by those that
//! wrote operands which are missing or dead. Operands recomputed on the way stay resident or are
//! dropped again, depending on the [`Manner`].

use std::collections::BTreeSet;

use mem_cost::{fastest_cycles, swap_cost};
use mem_model::{Bytes, Interval, LevelProblem, TensorId, TensorUse};

use super::profile::Profile;
use super::{Repeatable, Repetition};

/// A tensor that could be dropped and recomputed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Droppable {
    /// The tensor.
    pub tensor: TensorId,
    /// Step after which it is dropped.
    pub after: usize,
    /// Step that needs it next.
    pub before: usize,
    /// Cycles to recompute it, if nothing else is dropped.
    pub cycles: u64,
    /// Cycles to copy it out and back.
    pub link: u64,
}

/// How tensors are recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Manner {
    /// Maximum number of steps repeated before one step.
    pub longest: usize,
    /// Operands recomputed for another tensor stay for their own next use.
    pub keeps: bool,
    /// Number of steps for which recomputed operands without a next use stay, in case they are
    /// needed again.
    pub window: usize,
}

/// Cycles to recompute tensors.
pub struct Replays<'a>(Producers<'a>);

impl<'a> Replays<'a> {
    /// `repeatable` is indexed by step. Linear in accesses.
    #[must_use]
    pub fn new(problem: &'a LevelProblem, repeatable: &'a [Repeatable]) -> Self {
        Self(Producers::new(problem, repeatable))
    }

    /// Cycles to recompute a tensor before a step, including operands that are gone by then; `None`
    /// if that is impossible.
    #[must_use]
    pub fn cycles(&self, tensor: TensorId, before: usize) -> Option<u64> {
        // Nothing is dropped, and no recomputed operand has stayed: the cost is that of this tensor
        // by itself.
        let nothing = State::new(self.0.problem.tensors.len(), 0);
        let mut steps = Steps::default();
        let longest = self.0.problem.steps.len();
        let can_be = self.0.need(tensor, before, &nothing, longest, &mut steps);
        can_be.then(|| steps.0.iter().map(|step| self.0.durations[*step]).sum())
    }
}

/// Writers and uses of each tensor.
pub(super) struct Producers<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [Repeatable],
    /// Per tensor: the steps that use it.
    uses: Vec<Vec<usize>>,
    /// Per tensor: the steps that write it.
    writers: Vec<Vec<usize>>,
    /// Per tensor, and per step that writes it: the step overwrites all of it.
    is_new: Vec<Vec<bool>>,
    /// Per step: it is pure and writes one tensor, and all of it.
    is_repeatable: Vec<bool>,
    /// Per step: cycles.
    pub durations: Vec<u64>,
}

/// Tensors available while a program runs with others dropped.
struct State {
    /// Per tensor: it is dropped.
    missing: Vec<bool>,
    /// Per dead tensor: the step before which it was last recomputed or needed. Empty if none stays.
    fresh: Vec<Option<usize>>,
    window: usize,
}

impl State {
    fn new(n_tensors: usize, window: usize) -> Self {
        Self {
            missing: vec![false; n_tensors],
            fresh: vec![None; if window > 0 { n_tensors } else { 0 }],
            window,
        }
    }

    /// Whether a dead tensor is still resident.
    fn is_fresh(&self, tensor: TensorId, before: usize) -> bool {
        let fresh = self.fresh.get(tensor.index()).copied().flatten();
        fresh.is_some_and(|step| before - step <= self.window)
    }
}

impl<'a> Producers<'a> {
    pub(super) fn new(problem: &'a LevelProblem, repeatable: &'a [Repeatable]) -> Self {
        let mut uses = vec![Vec::new(); problem.tensors.len()];
        let mut writers = vec![Vec::new(); problem.tensors.len()];
        let mut is_new = vec![Vec::new(); problem.tensors.len()];
        for (step, at) in problem.steps.iter().enumerate() {
            for used in &at.uses {
                uses[used.tensor.index()].push(step);
                if used.writes > Bytes::ZERO {
                    writers[used.tensor.index()].push(step);
                    is_new[used.tensor.index()].push(!used.needs_content());
                }
            }
        }
        let is_repeatable = |step| is_repeatable(problem, repeatable, step);
        Self {
            problem,
            repeatable,
            uses,
            writers,
            is_new,
            is_repeatable: (0..problem.steps.len()).map(is_repeatable).collect(),
            durations: fastest_cycles(problem),
        }
    }

    /// All tensors that could be dropped in a gap with steps in excess. `is_kept` is indexed by
    /// tensor: it must not be dropped.
    pub(super) fn droppable(
        &self,
        profile: &Profile,
        is_kept: &[bool],
        longest: usize,
    ) -> Vec<Droppable> {
        let nothing = State::new(self.problem.tensors.len(), 0);
        let mut found = Vec::new();
        for gap in profile.gaps.iter().filter(|gap| !gap.is_dead) {
            let (tensor, before) = (gap.tensor, gap.steps.end);
            if is_kept.get(tensor.index()).copied().unwrap_or(false) {
                continue;
            }
            let used = &profile.used[gap.steps.start..gap.steps.end];
            // Dropping a tensor where no step is in excess costs time and gains nothing.
            if used.iter().all(|used| *used <= profile.capacity) {
                continue;
            }
            let size = self.problem.tensors[tensor.index()].size;
            let [away, back] = swap_cost(&self.problem.hierarchy, size);
            let mut steps = Steps::default();
            if self.need(tensor, before, &nothing, longest, &mut steps) {
                found.push(Droppable {
                    tensor,
                    // A gap follows a use, so it never starts with the first step.
                    after: gap.steps.start - 1,
                    before,
                    cycles: steps.0.iter().map(|step| self.durations[*step]).sum(),
                    link: away.saturating_add(back),
                });
            }
        }
        found
    }

    /// Repetitions in execution order if these tensors are dropped. A tensor that cannot be
    /// recomputed when it is needed is not dropped after all. O(repeated steps * their operands),
    /// and once more for each such failure.
    pub(super) fn replay(&self, dropped: &[Droppable], manner: Manner) -> Vec<Repetition> {
        let mut dropped = dropped.to_vec();
        // In the order in which they become missing.
        dropped.sort_by_key(|own| own.after);
        loop {
            match self.attempt(&dropped, manner) {
                Ok(repetitions) => return repetitions,
                Err(impossible) => {
                    let known = dropped.len();
                    dropped.retain(|own| !impossible.contains(&(own.tensor, own.before)));
                    // Without progress, the next attempt would fail in the same way.
                    if dropped.len() == known {
                        return Vec::new();
                    }
                }
            }
        }
    }

    /// All repetitions; or the tensors that cannot be recomputed, with the steps that need them.
    fn attempt(
        &self,
        dropped: &[Droppable],
        manner: Manner,
    ) -> Result<Vec<Repetition>, BTreeSet<(TensorId, usize)>> {
        let mut state = State::new(self.problem.tensors.len(), manner.window);
        let mut repetitions = Vec::new();
        let mut impossible = BTreeSet::new();
        let mut next = dropped.iter().peekable();
        // Nothing uses a dropped tensor before its gap ends, so only those steps can miss it.
        let mut needs: Vec<usize> = dropped.iter().map(|own| own.before).collect();
        needs.sort_unstable();
        needs.dedup();
        for step in needs {
            // The step after which a tensor is dropped, and the steps repeated for it, may still use it.
            while let Some(own) = next.next_if(|own| own.after < step) {
                state.missing[own.tensor.index()] = true;
            }
            let steps = self.missing(step, manner, &mut state, &mut impossible);
            for again in &steps.0 {
                repetitions.push(Repetition {
                    before: step,
                    step: *again,
                });
                self.note_repeated(*again, step, manner, &mut state);
            }
        }
        match impossible.is_empty() {
            true => Ok(repetitions),
            false => Err(impossible),
        }
    }

    /// Steps to repeat before a step, so that none of its operands is missing. Operands that cannot
    /// be recomputed are added to `impossible`.
    fn missing(
        &self,
        step: usize,
        manner: Manner,
        state: &mut State,
        impossible: &mut BTreeSet<(TensorId, usize)>,
    ) -> Steps {
        // Ascending order is a valid order of execution, since each operand is written before it is
        // read. Steps that several operands need are repeated once.
        let mut steps = Steps::default();
        for used in &self.problem.steps[step].uses {
            if !state.missing[used.tensor.index()] {
                continue;
            }
            // A failure leaves useless steps in the set, so each operand has a copy of its own.
            let mut own = steps.clone();
            if self.need(used.tensor, step, state, manner.longest, &mut own) {
                steps = own;
            } else {
                impossible.insert((used.tensor, step));
            }
            // Also after a failure: one attempt reports all tensors that cannot be recomputed,
            // rather than one at a time.
            state.missing[used.tensor.index()] = false;
        }
        steps
    }

    /// Records what a step that is repeated before another one leaves resident.
    fn note_repeated(&self, again: usize, before: usize, manner: Manner, state: &mut State) {
        for used in &self.problem.steps[again].uses {
            // It is there again, so its own next use finds it.
            if used.writes > Bytes::ZERO && manner.keeps {
                state.missing[used.tensor.index()] = false;
            }
            if manner.window > 0 {
                state.fresh[used.tensor.index()] = Some(before);
            }
        }
    }

    /// Cycles of only the steps that wrote the contents of a tensor, without their operands, if they
    /// are repeated before any of the steps `befores`, between which nothing writes the tensor;
    /// `None` if they cannot be repeated.
    pub(super) fn least_cycles(&self, tensor: TensorId, befores: Interval<usize>) -> Option<u64> {
        let writers = self.writers_of(tensor, befores.start)?;
        // Each writer may have another of these steps: an impossible combination lowers the bound,
        // but a missed one would void it.
        let can_be = writers.iter().all(|producer| {
            let mut befores = befores.start..befores.end;
            self.is_repeatable[*producer]
                && befores.any(|before| self.can_repeat_before(*producer, before))
        });
        let cycles = writers.iter().map(|step| self.durations[*step]);
        can_be.then(|| cycles.fold(0, u64::saturating_add))
    }

    /// Whether one step alone writes a tensor.
    pub(super) fn has_one_writer(&self, tensor: TensorId) -> bool {
        self.writers[tensor.index()].len() == 1
    }

    /// Tensors without a home that are needed to recompute one that has one writer; empty for others.
    pub(super) fn operands(&self, tensor: TensorId) -> Vec<TensorId> {
        let [writer] = self.writers[tensor.index()][..] else {
            return Vec::new();
        };
        let uses = self.problem.steps[writer].uses.iter();
        let operands = uses.filter(|used| used.tensor != tensor && used.needs_content());
        let operands = operands.map(|used| used.tensor);
        let is_planned = |own: &TensorId| self.problem.tensors[own.index()].home.is_none();
        operands.filter(is_planned).collect()
    }

    /// Steps that wrote the contents of a tensor before a step, from the last that overwrites all
    /// of it.
    fn writers_of(&self, tensor: TensorId, before: usize) -> Option<&[usize]> {
        let written = self.writers[tensor.index()].partition_point(|step| *step < before);
        let is_new = &self.is_new[tensor.index()][..written];
        // Contents that no step writes as a whole are partly older than the recorded steps, and
        // cannot be recomputed.
        let first = is_new.iter().rposition(|is_new| *is_new)?;
        Some(&self.writers[tensor.index()][first..written])
    }

    /// Adds the steps that recompute a tensor before a step. Returns whether that is possible; if
    /// not, `steps` holds a useless part of them.
    fn need(
        &self,
        tensor: TensorId,
        before: usize,
        state: &State,
        longest: usize,
        steps: &mut Steps,
    ) -> bool {
        // A tensor that must not move may be in use outside of the recorded steps.
        let own = &self.problem.tensors[tensor.index()];
        if !own.can_move_before(before) || own.carried_around(before).is_some() {
            return false;
        }
        let Some(writers) = self.writers_of(tensor, before) else {
            return false;
        };
        for producer in writers {
            // Several tensors may need the same step again; it is repeated once.
            if !steps.insert(*producer) {
                continue;
            }
            // Each level of the recursion adds a step, so `longest` limits its depth, too.
            let is_again = steps.0.len() <= longest
                && self.is_repeatable[*producer]
                && self.can_repeat_before(*producer, before);
            if !is_again {
                return false;
            }
            for used in &self.problem.steps[*producer].uses {
                let is_there = used.tensor == tensor
                    || self.is_there(used, *producer, before, state, longest, steps);
                if !is_there {
                    return false;
                }
            }
        }
        true
    }

    /// Whether an operand of `producer` has the same contents before step `before`, or can be
    /// recomputed.
    fn is_there(
        &self,
        used: &TensorUse,
        producer: usize,
        before: usize,
        state: &State,
        longest: usize,
        steps: &mut Steps,
    ) -> bool {
        let writers = &self.writers[used.tensor.index()];
        let next = writers.partition_point(|step| *step < producer);
        // Written since: the contents that the producer read are gone for good.
        if writers.get(next).is_some_and(|step| *step < before) {
            return false;
        }
        // A tensor with a home is always resident.
        if self.problem.tensors[used.tensor.index()].home.is_some() {
            return true;
        }
        // A tensor with a later use is resident, or returns for that use.
        let last = self.uses[used.tensor.index()].last();
        let is_alive = last.is_some_and(|last| *last >= before);
        is_alive && !state.missing[used.tensor.index()]
            || !is_alive && state.is_fresh(used.tensor, before)
            || self.need(used.tensor, before, state, longest, steps)
    }

    /// Whether a step can be repeated before another: both run once, in the same block, and the
    /// operands are unchanged. Steps in loops are not repeated.
    fn can_repeat_before(&self, producer: usize, before: usize) -> bool {
        let until = self.repeatable.get(producer).and_then(|own| own.until);
        // A repetition before step `until` itself still reads the old contents.
        if until.is_some_and(|until| until < before) {
            return false;
        }
        let runs_once = |step: usize| self.problem.steps[step].repeats <= 1;
        let blocks = &self.problem.blocks;
        runs_once(before) && runs_once(producer) && blocks.get(before) == blocks.get(producer)
    }
}

/// Whether a step is pure and writes only one tensor, and all of it: partial writes are not tracked
/// precisely enough.
fn is_repeatable(problem: &LevelProblem, repeatable: &[Repeatable], step: usize) -> bool {
    let uses = problem.steps[step].uses.iter();
    let mut written = uses.filter(|used| used.writes > Bytes::ZERO);
    let is_whole = |used: &TensorUse| used.writes == problem.tensors[used.tensor.index()].size;
    let is_one = written.next().is_some_and(is_whole) && written.next().is_none();
    is_one && repeatable.get(step).is_some_and(|own| own.is_pure)
}

/// Steps in ascending order.
#[derive(Clone, Debug, Default)]
struct Steps(Vec<usize>);

impl Steps {
    /// Adds a step. Returns whether it is new.
    fn insert(&mut self, step: usize) -> bool {
        let Err(at) = self.0.binary_search(&step) else {
            return false;
        };
        self.0.insert(at, step);
        true
    }
}

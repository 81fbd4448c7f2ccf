//! Programs with repeated steps.

use mem_model::{Bytes, Interval, LevelProblem, Repeatable, Repetition, TensorId};

/// Returns the problem with steps repeated. `repeatable` is indexed by step.
#[must_use]
pub fn repeated(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    repetitions: &[Repetition],
) -> LevelProblem {
    let mut extended = problem.clone();
    extended.steps.clear();
    extended.blocks.clear();
    let takeovers = Takeovers::new(problem, repeatable, repetitions);
    // New number of each step, and of the end.
    let mut numbers = Vec::with_capacity(problem.steps.len() + 1);
    for own in execution_order(problem.steps.len(), repetitions) {
        if !own.is_again() {
            numbers.push(extended.steps.len());
        }
        let mut step = problem.steps[own.step].clone();
        for (index, used) in step.uses.iter_mut().enumerate() {
            used.takes_over = takeovers.operand(own, index);
        }
        extended.steps.push(step);
        // A repetition runs where its result is needed, so it is in the block of that step.
        extended.blocks.extend(problem.blocks.get(own.before));
    }
    numbers.push(extended.steps.len());
    let last = problem.blocks.get(problem.steps.len());
    extended.blocks.extend(last);
    move_ranges(&mut extended, &numbers);
    keep_dead_takeovers(&mut extended);
    extended
}

/// Returns `repeatable` for the problem that [`repeated`] returns.
#[must_use]
pub fn repeatable_again(repeatable: &[Repeatable], repetitions: &[Repetition]) -> Vec<Repeatable> {
    let order = execution_order(repeatable.len(), repetitions);
    let steps = order.iter().enumerate().filter(|(_, own)| !own.is_again());
    // New number of each step.
    let numbers: Vec<usize> = steps.map(|(number, _)| number).collect();
    let again = |own: &Repetition| {
        let own = &repeatable[own.step];
        Repeatable {
            until: own.until.map(|step| numbers[step]),
            ..own.clone()
        }
    };
    order.iter().map(again).collect()
}

/// Moves the ranges of steps that tensors refer to. `numbers`: the new number of each step.
fn move_ranges(extended: &mut LevelProblem, numbers: &[usize]) {
    let moved = |steps: Interval<usize>| {
        // The end is that of the last step: repetitions before the next step are not part of it.
        let end = match steps.end.checked_sub(1) {
            Some(last) => numbers[last.min(numbers.len() - 1)] + 1,
            None => 0,
        };
        Interval::new(numbers[steps.start], end)
    };
    for tensor in &mut extended.tensors {
        tensor.frozen = tensor.frozen.iter().map(|frozen| moved(*frozen)).collect();
        tensor.within = tensor.within.map(moved);
    }
}

/// Removes takeovers of operands that are needed again: their bytes may be taken over only where
/// their contents are dead.
fn keep_dead_takeovers(extended: &mut LevelProblem) {
    let mut is_needed = vec![false; extended.tensors.len()];
    for at in extended.steps.iter_mut().rev() {
        let tensors: Vec<TensorId> = at.uses.iter().map(|used| used.tensor).collect();
        for used in &mut at.uses {
            let operand = |index: &usize| tensors.get(*index).copied();
            used.takes_over = used
                .takes_over
                .filter(|index| operand(index).is_some_and(|tensor| !is_needed[tensor.index()]));
        }
        for used in &at.uses {
            is_needed[used.tensor.index()] = used.needs_content();
        }
    }
}

/// Operands whose bytes results may take over in a program with repetitions, where those operands
/// are dead.
pub(super) struct Takeovers<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [Repeatable],
    /// Per tensor: it is recomputed, so its contents may die earlier.
    is_again: Vec<bool>,
}

impl<'a> Takeovers<'a> {
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        repetitions: &[Repetition],
    ) -> Self {
        let mut is_again = vec![false; problem.tensors.len()];
        for repetition in repetitions {
            for used in &problem.steps[repetition.step].uses {
                is_again[used.tensor.index()] |= used.writes > Bytes::ZERO;
            }
        }
        Self {
            problem,
            repeatable,
            is_again,
        }
    }

    /// Index of the operand of a step whose bytes the result may take over, in the step itself or
    /// in its repetition.
    pub(super) fn operand(&self, own: Repetition, result: usize) -> Option<usize> {
        let uses = &self.problem.steps[own.step].uses;
        if !own.is_again() && uses[result].takes_over.is_some() {
            return uses[result].takes_over;
        }
        let pairs = &self.repeatable.get(own.step)?.in_place;
        let (operand, _) = pairs.iter().find(|(_, other)| *other == result)?;
        let (from, to) = (&uses[*operand], &uses[result]);
        let is_whole = from.writes == Bytes::ZERO && !to.needs_content();
        let is_possible = is_whole && from.reads == to.writes;
        // Elsewhere, the extraction has decided; only recomputation makes operands die earlier.
        let is_over = own.is_again() || self.is_again[from.tensor.index()];
        (is_possible && is_over).then_some(*operand)
    }
}

/// Steps of the problem that [`repeated`] returns, in execution order; steps of the program itself
/// have `before == step`.
#[must_use]
pub fn execution_order(n_steps: usize, repetitions: &[Repetition]) -> Vec<Repetition> {
    let mut next = repetitions.iter().peekable();
    let mut order = Vec::with_capacity(n_steps + repetitions.len());
    for step in 0..n_steps {
        while let Some(again) = next.next_if(|next| next.before == step) {
            order.push(*again);
        }
        order.push(Repetition { before: step, step });
    }
    order
}

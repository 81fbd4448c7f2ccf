//! Programs with steps that are computed a second time.

use mem_model::{Bytes, Interval, LevelProblem};

/// A step that is computed a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repetition {
    /// The step in front of which that happens; those in front of one are in the order in which they happen.
    pub before: usize,
    /// The step that is repeated, an earlier one.
    pub step: usize,
}

impl Repetition {
    /// Whether it is a second time, and not the step of the program itself.
    pub(super) const fn is_again(self) -> bool {
        self.step != self.before
    }
}

/// What repeating a step would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeatable {
    /// It computes the same from the same operands, and does nothing else.
    pub is_pure: bool,
    /// The first later step that may change what it reads without being a writer of those tensors, as a write through memory that
    /// may overlap them: the step must not be repeated behind that one.
    pub until: Option<usize>,
    /// Indices of uses: of an operand, and of a result that may take over its bytes, if nobody needs the operand any more.
    pub in_place: Vec<(usize, usize)>,
}

/// The problem with steps repeated. `repeatable`: by step.
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
    // By step, and behind the last: its new number.
    let mut numbers = Vec::with_capacity(problem.steps.len() + 1);
    for own in order(problem.steps.len(), repetitions) {
        if !own.is_again() {
            numbers.push(extended.steps.len());
        }
        let mut step = problem.steps[own.step].clone();
        for (index, used) in step.uses.iter_mut().enumerate() {
            used.takes_over = takeovers.operand(own, index);
        }
        extended.steps.push(step);
        extended.blocks.extend(problem.blocks.get(own.before));
    }
    numbers.push(extended.steps.len());
    extended
        .blocks
        .extend(problem.blocks.get(problem.steps.len()));
    let moved = |steps: Interval<usize>| {
        let end = |end: usize| match end.checked_sub(1) {
            Some(last) => numbers[last.min(problem.steps.len())] + 1,
            None => 0,
        };
        Interval::new(numbers[steps.start], end(steps.end))
    };
    for tensor in &mut extended.tensors {
        tensor.frozen = tensor.frozen.iter().map(|frozen| moved(*frozen)).collect();
        tensor.within = tensor.within.map(moved);
    }
    // Bytes that an operand leaves are only taken over where nobody needs what it holds.
    let mut is_needed = vec![false; extended.tensors.len()];
    for at in extended.steps.iter_mut().rev() {
        let tensors: Vec<usize> = at.uses.iter().map(|used| used.tensor).collect();
        for used in &mut at.uses {
            let operand = |index: &usize| tensors.get(*index).copied();
            used.takes_over = used
                .takes_over
                .filter(|index| operand(index).is_some_and(|tensor| !is_needed[tensor]));
        }
        for used in &at.uses {
            is_needed[used.tensor] = used.needs_content();
        }
    }
    extended
}

/// Whose bytes results may take over with steps repeated, if nobody needs what those hold.
pub(super) struct Takeovers<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [Repeatable],
    /// By tensor: it is computed again, and so may be over before.
    is_again: Vec<bool>,
}

impl<'a> Takeovers<'a> {
    pub fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        repetitions: &[Repetition],
    ) -> Self {
        let mut is_again = vec![false; problem.tensors.len()];
        for repetition in repetitions {
            for used in &problem.steps[repetition.step].uses {
                is_again[used.tensor] |= used.writes > Bytes::ZERO;
            }
        }
        Self {
            problem,
            repeatable,
            is_again,
        }
    }

    /// The index of the operand of a step whose bytes the result of another use may have, there or where it is repeated.
    pub fn operand(&self, own: Repetition, result: usize) -> Option<usize> {
        let uses = &self.problem.steps[own.step].uses;
        if !own.is_again() && uses[result].takes_over.is_some() {
            return uses[result].takes_over;
        }
        let pairs = &self.repeatable.get(own.step)?.in_place;
        let (operand, _) = pairs.iter().find(|(_, other)| *other == result)?;
        let (from, to) = (&uses[*operand], &uses[result]);
        let is_whole = from.writes == Bytes::ZERO && !to.needs_content();
        let is_possible = is_whole && from.reads == to.writes;
        let is_over = own.is_again() || self.is_again[from.tensor];
        (is_possible && is_over).then_some(*operand)
    }
}

/// The steps as they come: those of the program are in front of themselves.
pub(super) fn order(n_steps: usize, repetitions: &[Repetition]) -> Vec<Repetition> {
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

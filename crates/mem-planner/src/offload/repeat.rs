//! Programs with repeated steps.

use mem_model::{Bytes, Interval, LevelProblem, Repeatable, Repetition, TensorUse};

/// As [`repeated`], but without repetitions the problem as it is: `repeated` revises takeovers in the
/// order of the steps, because repetitions may need dead operands again. If no step is repeated, all
/// takeovers hold.
#[must_use]
pub fn with_repetitions(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    repetitions: &[Repetition],
) -> LevelProblem {
    match repetitions.is_empty() {
        true => problem.clone(),
        false => repeated(problem, repeatable, repetitions),
    }
}

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
    let order = execution_order(problem.steps.len(), repetitions);
    // New number of each step, and of the end.
    let mut numbers = Vec::with_capacity(problem.steps.len() + 1);
    for own in &order {
        if !own.is_again() {
            numbers.push(extended.steps.len());
        }
        extended.steps.push(problem.steps[own.step].clone());
        // A repetition runs where its result is needed, so it is in the block of that step.
        extended.blocks.extend(problem.blocks.get(own.before));
    }
    numbers.push(extended.steps.len());
    let last = problem.blocks.get(problem.steps.len());
    extended.blocks.extend(last);
    move_ranges(&mut extended, &numbers);
    let takeovers = Takeovers::new(problem, repeatable, repetitions);
    choose_takeovers(&mut extended, &order, &takeovers);
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

/// Chooses the operands whose bytes results take over: an operand must not be needed again.
fn choose_takeovers(extended: &mut LevelProblem, order: &[Repetition], takeovers: &Takeovers) {
    // Backward, so that `is_needed` refers to what follows a step.
    let mut is_needed = vec![false; extended.tensors.len()];
    for (at, own) in extended.steps.iter_mut().zip(order).rev() {
        for (index, used) in at.uses.iter_mut().enumerate() {
            used.takes_over = takeovers.operand(*own, index, &is_needed);
        }
        for used in &at.uses {
            // Assigned rather than accumulated: overwriting a tensor ends the need for its
            // contents.
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

    /// Index of the first operand of a step whose bytes the result may take over, in the step itself
    /// or in its repetition. `is_needed`: per tensor, whether its contents are needed after that.
    pub(super) fn operand(
        &self,
        own: Repetition,
        result: usize,
        is_needed: &[bool],
    ) -> Option<usize> {
        let uses = &self.problem.steps[own.step].uses;
        let mut candidates = candidates(uses, self.repeatable.get(own.step), result);
        let is_over = |other: &Candidate| {
            let tensor = uses[other.operand].tensor.index();
            // Elsewhere, the extraction has decided; only recomputation makes operands die earlier.
            let is_possible = match own.is_again() {
                true => other.is_possible,
                false => other.is_chosen || other.is_possible && self.is_again[tensor],
            };
            is_possible && !is_needed[tensor]
        };
        candidates.find(is_over).map(|own| own.operand)
    }
}

/// An operand whose bytes a result may take over.
pub(super) struct Candidate {
    pub operand: usize,
    /// In the step itself: what the extraction chose is the only choice in a program without
    /// repetitions.
    pub is_chosen: bool,
    /// In a repetition of the step, or if the operand is recomputed.
    pub is_possible: bool,
}

/// The operands whose bytes a result may take over, in the order of preference. `uses` are those of the
/// step, and `result` is an index among them.
pub(super) fn candidates<'a>(
    uses: &'a [TensorUse],
    repeatable: Option<&'a Repeatable>,
    result: usize,
) -> impl Iterator<Item = Candidate> + 'a {
    let to = &uses[result];
    let chosen = to.takes_over.filter(|own| *own < uses.len());
    let chosen = chosen.map(|operand| Candidate {
        operand,
        is_chosen: true,
        is_possible: false,
    });
    let pairs = repeatable.into_iter().flat_map(|own| &own.in_place);
    let others = pairs.filter(move |(_, other)| *other == result);
    let others = others.map(|(operand, _)| *operand).filter(move |operand| {
        let from = &uses[*operand];
        let is_whole = from.writes == Bytes::ZERO && !to.needs_content();
        is_whole && from.reads == to.writes
    });
    let others = others.map(|operand| Candidate {
        operand,
        is_chosen: false,
        is_possible: true,
    });
    chosen.into_iter().chain(others)
}

/// Steps of the problem that [`repeated`] returns, in execution order; steps of the program itself
/// have `before == step`.
#[must_use]
pub fn execution_order(n_steps: usize, repetitions: &[Repetition]) -> Vec<Repetition> {
    let mut next = repetitions.iter().peekable();
    let mut order = Vec::with_capacity(n_steps + repetitions.len());
    for step in 0..n_steps {
        // Relies on sorted repetitions: one that is out of order would hold up all that follow.
        while let Some(again) = next.next_if(|next| next.before == step) {
            order.push(*again);
        }
        order.push(Repetition { before: step, step });
    }
    order
}

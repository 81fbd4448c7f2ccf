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
    freeze_across_blocks(&mut extended, &order);
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

/// A repetition needs its operands beyond their last use in the program, perhaps beyond a loop or a branch, whose
/// blocks they must not be transferred in: the accesses before and after are in another block.
fn freeze_across_blocks(extended: &mut LevelProblem, order: &[Repetition]) {
    let blocks = &extended.blocks;
    if blocks.iter().all(|own| *own == blocks[0]) {
        return;
    }
    // Successive gaps in one block: first, end, block.
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (gap, block) in blocks.iter().enumerate() {
        match runs.last_mut().filter(|own| own.2 == *block) {
            Some(run) => run.1 = gap + 1,
            None => runs.push((gap, gap + 1, *block)),
        }
    }
    let mut last = vec![None; extended.tensors.len()];
    for (step, own) in order.iter().enumerate() {
        for used in &extended.steps[step].uses {
            let before: Option<usize> = last[used.tensor.index()].replace(step);
            let Some(before) = before.filter(|_| own.is_again()) else {
                continue;
            };
            let first = runs.partition_point(|run| run.1 <= before + 1);
            let between = runs[first..].iter().take_while(|run| run.0 < step);
            let others = between.filter(|run| run.2 != blocks[step]);
            let frozen = &mut extended.tensors[used.tensor.index()].frozen;
            frozen.extend(others.map(|run| Interval::new(run.0.max(before + 1), run.1)));
        }
    }
    for tensor in &mut extended.tensors {
        tensor
            .frozen
            .sort_unstable_by_key(|own| (own.start, own.end));
        tensor.frozen.dedup_by(|next, own| {
            let meets = next.start <= own.end;
            if meets {
                own.end = own.end.max(next.end);
            }
            meets
        });
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

#[cfg(test)]
mod tests {
    use mem_model::{Hierarchy, LevelStep};
    use mem_testkit::{tensor, used};

    use super::*;

    /// Step 0 computes `x`, step 1 computes `y` from it, steps 2 to 4 are a loop that accesses neither, and step 5
    /// reads `y`. Before the first step of the loop, a transfer is outside of it.
    fn around_a_loop(blocks: [usize; 7]) -> LevelProblem {
        let uses = [
            vec![used(0, 8, true)],
            vec![used(0, 8, false), used(1, 8, true)],
            vec![used(2, 8, true)],
            vec![used(2, 8, false)],
            vec![used(2, 8, false)],
            vec![used(1, 8, false)],
        ];
        let steps = uses.into_iter().enumerate().map(|(step, uses)| LevelStep {
            uses,
            repeats: if (2..5).contains(&step) { 4 } else { 1 },
            ..LevelStep::default()
        });
        LevelProblem {
            hierarchy: Hierarchy::single(),
            tensors: ["x", "y", "z"]
                .map(|own| tensor(own.to_owned(), 8, 1))
                .to_vec(),
            steps: steps.collect(),
            blocks: blocks.to_vec(),
        }
    }

    fn frozen(blocks: [usize; 7]) -> Vec<Vec<Interval<usize>>> {
        let problem = around_a_loop(blocks);
        let repeatable = vec![Repeatable::default(); problem.steps.len()];
        let again = Repetition { step: 1, before: 5 };
        let extended = repeated(&problem, &repeatable, &[again]);
        extended.tensors.into_iter().map(|own| own.frozen).collect()
    }

    #[test]
    fn operands_of_repetitions_do_not_move_in_loops_before_them() {
        let inside = Interval::new(3, 5);
        assert_eq!(
            frozen([0, 0, 0, 1, 1, 0, 0]),
            [vec![inside], vec![inside], Vec::new()]
        );
        // Without a loop, they may move anywhere.
        assert!(frozen([0; 7]).iter().all(Vec::is_empty));
    }
}

//! Finds the gradients of a training step by data flow, for programs whose names say nothing.
//!
//! An *update* writes a result of the size of an argument, and its last step reads that argument: a
//! weight, a momentum, or a running mean. It is the update of a *parameter* if another operand of the
//! step was computed from the argument: a gradient is computed from activations, and they from the
//! weight. All gradients of a training step are computed from the loss, hence from all parameters. In
//! inference, states may be updated as well, as in recurrent networks, but not each from all others: a
//! program has gradients only if at least two parameters influence the updates of all.
//!
//! A program may *return gradients* instead. Two results or more have the size of an argument that they are
//! computed from, each is computed from all these arguments, and so is a single number that no such result
//! depends on, the loss. Without a loss, such results may be the states of a recurrent network.
//!
//! The *sources* are the arguments that all gradients of parameters are computed from, and that influence a
//! result that is neither an update nor a gradient: the parameters, and the inputs and labels, but no
//! learning rate. A *gradient* is an intermediate tensor that is computed from all sources, and that updates
//! or returned gradients depend on, but no other result does. The last activations lead to the loss as
//! well; activations that are kept for the backward pass of a loop are not computed from labels.
//!
//! It is a heuristic for colours, and errs towards activations: a program that has no loss among its results
//! or a single parameter is not recognized, or not completely. Two fields that a solver updates from each
//! other look like parameters. A step that writes through a pointer that may stand for several buffers adds to
//! the contents of all. O(accesses · arguments / 64).

use fixedbitset::FixedBitSet;
use mem_model::{AccessKind, Binding, Program, Role, Step};

/// Buffers with a role that only data flow tells.
pub(super) struct Training {
    /// Per buffer: whether it is the gradient of something.
    pub is_gradient: Vec<bool>,
    /// Per buffer: whether it is an argument that is updated by gradients.
    pub is_parameter: Vec<bool>,
}

/// What is known about the contents of a buffer.
#[derive(Clone, Default)]
struct Contents {
    /// Arguments that they were computed from, by the number of the buffer.
    from: FixedBitSet,
    /// The argument that they are a copy of.
    copy_of: Option<usize>,
    /// Arguments of the same size that the last step to compute them read.
    updates: Vec<Update>,
}

/// A step that may update an argument.
#[derive(Clone)]
struct Update {
    argument: usize,
    /// Arguments that each of those other operands was computed from that were computed from `argument`
    /// itself; empty if there is no such operand. The gradient is one of them.
    gradient: FixedBitSet,
}

/// Analyzes a function.
pub(super) fn training(program: &Program) -> Training {
    let flow = Flow::new(program);
    let contents = flow.contents();
    let is_result = flow.results();
    let n_buffers = program.buffers.len();
    let mut found = Training {
        is_gradient: vec![false; n_buffers],
        is_parameter: vec![false; n_buffers],
    };
    let goals = updates(&contents, &is_result)
        .map(|goals| flow.with_losses(goals, &contents))
        .or_else(|| {
            let goals = returned_gradients(program, &contents, &is_result)?;
            let goals = flow.with_losses(goals, &contents);
            goals.is_loss.contains(&true).then_some(goals)
        });
    let Some(goals) = goals else {
        return found;
    };
    let reached = flow.reached(&goals, &is_result);
    let sources = goals.sources(&reached);
    for (index, buffer) in program.buffers.iter().enumerate() {
        found.is_gradient[index] = buffer.role == Role::Intermediate
            && reached[index] == GOALS
            && sources.is_subset(&contents[index].from);
    }
    for parameter in goals.parameters {
        found.is_parameter[parameter] = true;
    }
    found
}

/// What the backward pass of a program is for.
struct Goals {
    /// Arguments that are updated, or whose gradients are returned.
    parameters: Vec<usize>,
    /// `parameters`, and arguments that may be some.
    candidates: FixedBitSet,
    /// Arguments that all gradients depend on.
    common: FixedBitSet,
    /// Per buffer: whether it is an updated argument or a returned gradient.
    is_goal: Vec<bool>,
    /// Per buffer: whether it is a number that is computed from all parameters, and that no goal depends
    /// on. Results of a single number may be computed from it, through values that are not in memory.
    is_loss: Vec<bool>,
}

impl Goals {
    /// The arguments that every gradient is computed from.
    fn sources(&self, reached: &[u8]) -> FixedBitSet {
        let has_loss = self.common.ones().any(|own| reached[own] & OTHERS != 0);
        let is_source = |own: &usize| !has_loss || reached[*own] & OTHERS != 0;
        let common = self.common.ones().filter(is_source);
        let mut sources: FixedBitSet = common.collect();
        sources.extend(self.parameters.iter().copied());
        sources
    }
}

/// A program, and the buffers that its pointers stand for.
struct Flow<'a> {
    program: &'a Program,
    /// Per pointer.
    buffers: Vec<FixedBitSet>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program) -> Self {
        let of = |pointer: &mem_model::Pointer| {
            let buffer = pointer.kind.buffer();
            buffer.iter().map(|own| own.index()).collect()
        };
        let mut buffers: Vec<FixedBitSet> = program.pointers.iter().map(of).collect();
        let bindings: Vec<&Binding> = program.bindings().collect();
        // Bindings of bindings, as of nested loops.
        loop {
            let mut is_changed = false;
            for binding in &bindings {
                for source in &binding.sources {
                    let own = buffers[source.index()].clone();
                    let target = &mut buffers[binding.target.index()];
                    if !own.is_subset(target) {
                        target.union_with(&own);
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return Self { program, buffers };
            }
        }
    }

    /// Number of executions that carry facts around loops.
    fn n_rounds(&self) -> usize {
        1 + usize::from(self.program.regions.len() > 1)
    }

    /// Buffers that a step may access.
    fn accessed(&self, step: &Step, kind: AccessKind) -> Vec<usize> {
        let own = step.accesses.iter().filter(|own| own.kind == kind);
        let buffers = own.flat_map(|own| self.buffers[own.pointer.index()].ones());
        buffers.collect()
    }

    /// Per buffer: its contents after the last step. Loops are executed twice.
    fn contents(&self) -> Vec<Contents> {
        let mut contents = vec![Contents::default(); self.program.buffers.len()];
        for _ in 0..self.n_rounds() {
            for (index, buffer) in self.program.buffers.iter().enumerate() {
                if buffer.role == Role::Input {
                    contents[index] = Contents {
                        copy_of: Some(index),
                        ..Contents::default()
                    };
                    contents[index].from.grow_and_insert(index);
                }
            }
            for step in &self.program.steps {
                self.execute(step, &mut contents);
            }
        }
        contents
    }

    fn execute(&self, step: &Step, contents: &mut [Contents]) {
        let read = self.accessed(step, AccessKind::Use);
        let written = self.accessed(step, AccessKind::Define);
        if let (true, [from], [to]) = (is_copy(step), &read[..], &written[..]) {
            contents[*to] = contents[*from].clone();
            return;
        }
        // Steps that initialize what another one computes do not count.
        if read.is_empty() {
            return;
        }
        let mut from = FixedBitSet::default();
        read.iter()
            .for_each(|own| from.union_with(&contents[*own].from));
        let mut arguments: Vec<usize> = read
            .iter()
            .filter_map(|own| contents[*own].copy_of)
            .collect();
        arguments.sort_unstable();
        arguments.dedup();
        let updates = arguments.into_iter().map(|argument| Update {
            argument,
            gradient: gradient_operands(contents, &read, argument),
        });
        let updates: Vec<Update> = updates.collect();
        let size = |buffer: usize| self.program.buffers[buffer].size;
        for own in written {
            contents[own].from.union_with(&from);
            contents[own].copy_of = None;
            let updates = updates
                .iter()
                .filter(|update| size(update.argument) == size(own));
            contents[own].updates = updates.cloned().collect();
        }
    }

    /// Per buffer: whether it is a result, which includes arguments that are overwritten.
    fn results(&self) -> Vec<bool> {
        let buffers = &self.program.buffers;
        let mut is_result: Vec<bool> = buffers.iter().map(|own| own.role == Role::Output).collect();
        for step in &self.program.steps {
            for own in self.accessed(step, AccessKind::Define) {
                is_result[own] |= buffers[own].role == Role::Input;
            }
        }
        is_result
    }

    /// Adds the losses.
    fn with_losses(&self, goals: Goals, contents: &[Contents]) -> Goals {
        let reached = self.reached(&goals, &vec![false; contents.len()]);
        let is_loss = contents.iter().enumerate().map(|(index, own)| {
            let is_number = self.program.buffers[index].size.get() <= NUMBER;
            is_number && reached[index] & GOALS == 0 && goals.candidates.is_subset(&own.from)
        });
        Goals {
            is_loss: is_loss.collect(),
            ..goals
        }
    }

    /// Per buffer: whether it influences goals, and losses or other results.
    fn reached(&self, goals: &Goals, is_result: &[bool]) -> Vec<u8> {
        let end = (0..goals.is_goal.len()).map(|own| {
            match (goals.is_goal[own], is_result[own] || goals.is_loss[own]) {
                (true, _) => GOALS,
                (false, true) => OTHERS,
                (false, false) => 0,
            }
        });
        let mut reached: Vec<u8> = end.collect();
        for _ in 0..self.n_rounds() {
            for step in self.program.steps.iter().rev() {
                let written = self.accessed(step, AccessKind::Define);
                let all = written.iter().fold(0, |all, own| all | reached[*own]);
                for own in self.accessed(step, AccessKind::Use) {
                    reached[own] |= all;
                }
            }
        }
        reached
    }
}

/// Whether a step only copies.
fn is_copy(step: &Step) -> bool {
    const COPIES: [&str; 6] = [
        "mem.load",
        "mem.store",
        "mem.swap",
        "mem.move",
        "memref.copy",
        "linalg.copy",
    ];
    COPIES.contains(&step.name.as_ref())
}

/// What the operands in `read` that were computed from `argument` have in common, its copies excepted.
fn gradient_operands(contents: &[Contents], read: &[usize], argument: usize) -> FixedBitSet {
    let operands = read.iter().map(|own| &contents[*own]);
    let mut others = operands
        .filter(|own| own.copy_of != Some(argument))
        .map(|own| &own.from)
        .filter(|from| from.contains(argument));
    let Some(first) = others.next() else {
        return FixedBitSet::default();
    };
    others.fold(first.clone(), |mut common, own| {
        common.intersect_with(own);
        common
    })
}

/// The parameters that influence the updates of all parameters; `None` if there are less than two.
fn updates(contents: &[Contents], is_result: &[bool]) -> Option<Goals> {
    let results = contents.iter().zip(is_result).filter(|(_, is)| **is);
    let updates = results.flat_map(|(own, _)| &own.updates);
    let updates: Vec<&Update> = updates
        .filter(|update| update.gradient.contains(update.argument))
        .collect();
    let common = common(updates.iter().map(|update| &update.gradient))?;
    let mut parameters: Vec<usize> = updates.iter().map(|update| update.argument).collect();
    parameters.sort_unstable();
    parameters.dedup();
    parameters.retain(|own| common.contains(*own));
    let is_goal = contents.iter().zip(is_result);
    let is_goal = is_goal.map(|(own, is_result)| *is_result && !own.updates.is_empty());
    (parameters.len() >= 2).then(|| Goals {
        candidates: parameters.iter().copied().collect(),
        parameters,
        common,
        is_goal: is_goal.collect(),
        is_loss: vec![false; contents.len()],
    })
}

/// The results that look like gradients of arguments, if there is a loss, which is not known yet.
fn returned_gradients(
    program: &Program,
    contents: &[Contents],
    is_result: &[bool],
) -> Option<Goals> {
    let size = |index: usize| program.buffers[index].size;
    let is_number = |index: usize| size(index).get() <= NUMBER;
    let results = || (0..contents.len()).filter(|own| is_result[*own]);
    // A result is paired with all arguments of its size that it is computed from.
    let arguments = |result: usize| {
        let from = contents[result].from.ones();
        from.filter(move |own| size(*own) == size(result) && *own != result)
    };
    let pairs = results().filter(|own| !is_number(*own));
    let paired: Vec<usize> = pairs
        .filter(|own| arguments(*own).next().is_some())
        .collect();
    let common = common(paired.iter().map(|own| &contents[*own].from))?;
    let is_common = |own: &usize| common.contains(*own);
    let goals = paired
        .into_iter()
        .filter(|own| arguments(*own).any(|argument| is_common(&argument)));
    let goals: Vec<usize> = goals.collect();
    let mut candidates: Vec<usize> = goals.iter().flat_map(|own| arguments(*own)).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(is_common);
    if goals.len() < 2 || candidates.len() < 2 {
        return None;
    }
    // An input may have the size of a parameter. If there are more arguments of a size than gradients, it
    // is not known which are the parameters.
    let n_of_size = |all: &[usize], wanted: usize| {
        let own = all.iter().filter(|own| size(**own) == size(wanted));
        own.count()
    };
    let is_parameter = |own: &usize| n_of_size(&candidates, *own) <= n_of_size(&goals, *own);
    let parameters = candidates.iter().copied().filter(is_parameter).collect();
    let mut is_goal = vec![false; contents.len()];
    goals.iter().for_each(|own| is_goal[*own] = true);
    Some(Goals {
        parameters,
        candidates: candidates.into_iter().collect(),
        common,
        is_goal,
        is_loss: vec![false; contents.len()],
    })
}

/// The intersection; `None` if there are no sets.
fn common<'a>(mut sets: impl Iterator<Item = &'a FixedBitSet>) -> Option<FixedBitSet> {
    let first = sets.next()?.clone();
    Some(sets.fold(first, |mut common, own| {
        common.intersect_with(own);
        common
    }))
}

/// Bytes of the largest number.
const NUMBER: u64 = 8;

/// Results that a buffer influences, as bits.
const GOALS: u8 = 1;
const OTHERS: u8 = 2;

#[cfg(test)]
mod tests;

//! Checks that repeated steps compute what they computed the first time.
//!
//! The contents of a tensor are identified by the step and the use that wrote them last. The program
//! is executed twice on such identities, without repetitions and with them. Every execution of a
//! step must find its operands as the first execution without repetitions did, and results must have
//! the same contents after the last step. Steps that are pure then compute the same. O(accesses).
//!
//! Not checked: writes through other names of the same memory, which the problem does not contain.
//! It states the first step that may contain one (`until`), and no step is repeated after that.

use mem_model::{Bytes, LevelProblem, OffloadInput, Repetition, TensorId, TensorUse};

/// Why a step must not be repeated where a plan repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepetitionError {
    /// The step has other effects than its results, or other operands than its tensors.
    #[error("step s{0} is repeated, and is not pure")]
    Impure(usize),
    /// An operand may change through another name before the repetition.
    #[error(
        "step s{step} is repeated before s{before}, after s{until} may have changed an operand"
    )]
    Late {
        /// The repeated step.
        step: usize,
        /// The step before which it is repeated.
        before: usize,
        /// The last step before which it may be repeated.
        until: usize,
    },
    /// A step finds other contents than it finds without repetitions.
    #[error("step s{step} finds other contents of tensor {tensor} than without repetitions")]
    Changed {
        /// The step, without counting repetitions.
        step: usize,
        /// The tensor.
        tensor: TensorId,
    },
    /// A result has other contents than it has without repetitions.
    #[error("tensor {0} ends with other contents than without repetitions")]
    Result(TensorId),
}

/// Identity of the contents of a tensor: the step and the use that wrote them; `None`: as they were
/// before the first step.
type Contents = Option<(usize, usize)>;

/// Contents of all tensors, indexed by tensor.
struct Memory(Vec<Contents>);

impl Memory {
    /// Executes a step. Returns the tensors whose contents it needs, with those contents.
    fn execute(&mut self, uses: &[TensorUse], step: usize) -> Vec<(TensorId, Contents)> {
        let needed = uses.iter().filter(|used| used.needs_content());
        let found = needed
            .map(|used| (used.tensor, self.0[used.tensor.index()]))
            .collect();
        for (position, used) in uses.iter().enumerate() {
            if used.writes > Bytes::ZERO {
                self.0[used.tensor.index()] = Some((step, position));
            }
        }
        found
    }
}

/// Checks repetitions, which are in execution order and repeat earlier steps only.
pub(super) fn check_repetitions(
    problem: &LevelProblem,
    input: &OffloadInput,
    repetitions: &[Repetition],
) -> Result<(), RepetitionError> {
    for &Repetition { before, step } in repetitions {
        let own = &input.repeatable[step];
        if !own.is_pure {
            return Err(RepetitionError::Impure(step));
        }
        if let Some(until) = own.until.filter(|until| *until < before) {
            return Err(RepetitionError::Late {
                step,
                before,
                until,
            });
        }
    }
    let nothing = || Memory(vec![None; problem.tensors.len()]);
    let mut without = nothing();
    let steps = problem.steps.iter().enumerate();
    let expected: Vec<Vec<(TensorId, Contents)>> = steps
        .map(|(step, own)| without.execute(&own.uses, step))
        .collect();
    let mut with = nothing();
    let mut check = |step: usize| {
        let found = with.execute(&problem.steps[step].uses, step);
        let mut pairs = found.iter().zip(&expected[step]);
        match pairs.find(|(found, expected)| found != expected) {
            Some(((tensor, _), _)) => Err(RepetitionError::Changed {
                step,
                tensor: *tensor,
            }),
            None => Ok(()),
        }
    };
    let mut next = repetitions.iter().peekable();
    for step in 0..problem.steps.len() {
        while let Some(again) = next.next_if(|own| own.before == step) {
            check(again.step)?;
        }
        check(step)?;
    }
    let mut results = problem.tensors.iter().enumerate();
    match results.find(|(index, own)| own.is_result && with.0[*index] != without.0[*index]) {
        Some((index, _)) => Err(RepetitionError::Result(TensorId::new(index))),
        None => Ok(()),
    }
}

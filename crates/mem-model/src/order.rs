//! Orders of execution: steps with the dependences between them, and the buffers that they access.
//!
//! A buffer is live from the first step that accesses it to the last one, both included, in
//! whatever order the steps run. At a step, all live buffers are in memory, those that the step
//! creates or ends included, less what its results take over from its operands.

use crate::{Bytes, OperationGraph, StepId, TensorId};

/// Largest number of [`OrderStep::in_place`] pairs.
pub const MAX_IN_PLACE: usize = 8;

/// Steps whose order may change, and the buffers that they access. The steps are listed in an order
/// that the dependences permit, their *own* order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderProblem {
    /// The buffers. Indexed by [`TensorId`].
    pub buffers: Vec<OrderBuffer>,
    /// The steps. Indexed by [`StepId`].
    pub steps: Vec<OrderStep>,
}

/// A buffer of an [`OrderProblem`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderBuffer {
    /// Size, rounded up to the alignment if that matters.
    pub size: Bytes,
    /// Whether the buffer is live before the first step.
    pub from_start: bool,
    /// Whether the buffer is live after the last step.
    pub to_end: bool,
}

/// A step of an [`OrderProblem`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderStep {
    /// Steps that have to run before this one. All are earlier ones, and those that follow from
    /// others may be absent.
    pub after: Vec<StepId>,
    /// Buffers that it accesses, each once.
    pub buffers: Vec<TensorId>,
    /// Pairs of an operand and a result among `buffers`. If the operand ends at this step, and the
    /// result begins here, the result may have the address of the operand, so that both together
    /// take as many bytes as the larger one. An operand is taken over by at most one result, and a
    /// result takes over at most one operand. At most [`MAX_IN_PLACE`] pairs.
    pub in_place: Vec<(TensorId, TensorId)>,
}

/// Reason why an [`OrderProblem`] is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderProblemError {
    /// A dependence must be on an earlier step, since the own order is the fallback.
    #[error("{step} is listed before {after}, which has to run before it")]
    Dependence {
        /// The step.
        step: StepId,
        /// The step that it depends on.
        after: StepId,
    },
    /// The buffer does not exist, or the step lists it twice.
    #[error("{step} accesses {buffer}, which does not exist or is listed twice")]
    Buffer {
        /// The step.
        step: StepId,
        /// The buffer.
        buffer: TensorId,
    },
    /// A pair must consist of two different buffers of the step, and there is a limit on pairs.
    #[error("{0} has an invalid list of results that take over operands")]
    InPlace(StepId),
    /// Sums of sizes must not overflow.
    #[error("the buffers have more than 2^63 bytes in total")]
    Size,
}

impl OrderProblem {
    /// Checks the conditions that the fields document. Takes time O(a log a) for a step with `a`
    /// accesses.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn validate(&self) -> Result<(), OrderProblemError> {
        let total = self.buffers.iter().try_fold(Bytes::ZERO, |sum, own| {
            sum.checked_add(own.size)
                .filter(|sum| i64::try_from(sum.get()).is_ok())
        });
        total.ok_or(OrderProblemError::Size)?;
        for (index, own) in self.steps.iter().enumerate() {
            let step = StepId::new(index);
            if let Some(&after) = own.after.iter().find(|after| after.index() >= index) {
                return Err(OrderProblemError::Dependence { step, after });
            }
            let mut sorted = own.buffers.clone();
            sorted.sort_unstable();
            let unknown = sorted.iter().find(|id| id.index() >= self.buffers.len());
            let twice = || sorted.windows(2).find(|two| two[0] == two[1]);
            if let Some(&buffer) = unknown.or_else(|| Some(&twice()?[0])) {
                return Err(OrderProblemError::Buffer { step, buffer });
            }
            let is_own = |id: &TensorId| sorted.binary_search(id).is_ok();
            let is_pair = |(a, b): &(TensorId, TensorId)| a != b && is_own(a) && is_own(b);
            if own.in_place.len() > MAX_IN_PLACE || !own.in_place.iter().all(is_pair) {
                return Err(OrderProblemError::InPlace(step));
            }
        }
        Ok(())
    }
}

impl OperationGraph {
    /// The problem of ordering the operations. Reads follow the writes before them, and writes
    /// follow all accesses before them. A tensor that is not read after its last write is a result
    /// of the graph. Linear in accesses and dependences.
    #[must_use]
    pub fn order_problem(&self) -> OrderProblem {
        let mut problem = OrderProblem::default();
        let mut writer: Vec<Option<StepId>> = vec![None; self.tensors.len()];
        let mut readers: Vec<Vec<StepId>> = vec![Vec::new(); self.tensors.len()];
        for (index, own) in self.operations.iter().enumerate() {
            let step = StepId::new(index);
            let mut after = Vec::new();
            for id in own.reads.iter().chain(&own.writes) {
                after.extend(writer[id.index()]);
            }
            for id in &own.writes {
                after.extend(std::mem::take(&mut readers[id.index()]));
                writer[id.index()] = Some(step);
            }
            for id in own.reads.iter().filter(|id| !own.writes.contains(id)) {
                readers[id.index()].push(step);
            }
            after.sort_unstable();
            after.dedup();
            let news = own.writes.iter().filter(|id| !own.reads.contains(id));
            problem.steps.push(OrderStep {
                after,
                buffers: own.reads.iter().chain(news).copied().collect(),
                in_place: Vec::new(),
            });
        }
        let buffers = self.tensors.iter().zip(&writer).zip(&readers);
        problem.buffers = buffers
            .map(|((size, writer), readers)| OrderBuffer {
                size: *size,
                from_start: false,
                to_end: writer.is_some() && readers.is_empty(),
            })
            .collect();
        problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_operation_graph;

    #[test]
    fn dependences_of_an_operation_graph() {
        let text = "t 8\nt 8\nt 8\ns 1 1 r w 0\ns 1 1 r 0 w 1\ns 1 1 r 0 w 2\ns 1 0 r 1 w 0\n";
        let problem = parse_operation_graph(text)
            .expect("a graph")
            .order_problem();
        let after = |step: usize| {
            let own = problem.steps[step].after.iter();
            own.map(|id| id.index()).collect::<Vec<_>>()
        };
        assert_eq!(
            [0, 1, 2, 3].map(after),
            [vec![], vec![0], vec![0], vec![0, 1, 2]]
        );
        let results = problem.buffers.iter().map(|own| own.to_end);
        assert_eq!(results.collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(problem.validate(), Ok(()));
    }

    #[test]
    fn invalid_problems_are_refused() {
        let [a, b] = [0, 1].map(TensorId::new);
        let step = |after: &[usize], buffers: &[TensorId], in_place: &[_]| OrderStep {
            after: after.iter().copied().map(StepId::new).collect(),
            buffers: buffers.to_vec(),
            in_place: in_place.to_vec(),
        };
        let refused = |size: u64, own: OrderStep| {
            let buffer = OrderBuffer {
                size: Bytes::new(size),
                ..OrderBuffer::default()
            };
            let problem = OrderProblem {
                buffers: vec![buffer; 2],
                steps: vec![own],
            };
            problem.validate().err().map(|error| error.to_string())
        };
        assert_eq!(refused(8, step(&[], &[a, b], &[(a, b)])), None);
        let text = "s0 is listed before s0, which has to run before it";
        assert_eq!(refused(8, step(&[0], &[], &[])).as_deref(), Some(text));
        let text = "s0 accesses t1, which does not exist or is listed twice";
        assert_eq!(refused(8, step(&[], &[b, b], &[])).as_deref(), Some(text));
        assert!(refused(8, step(&[], &[TensorId::new(2)], &[])).is_some());
        let text = "s0 has an invalid list of results that take over operands";
        assert_eq!(
            refused(8, step(&[], &[a], &[(a, b)])).as_deref(),
            Some(text)
        );
        assert!(refused(8, step(&[], &[a, b], &[(a, b); 9])).is_some());
        assert!(refused(1 << 62, step(&[], &[], &[])).is_some());
    }
}

//! Units of an order: operations of one tile group that follow each other move together.
//!
//! The tiles of a group share windows, and each tile has windows of its own. What only one unit accesses
//! counts as one buffer, whose size is the peak of these bytes while the unit runs.
//!
//! A unit consists of consecutive steps, and steps depend on earlier ones only, so units do as well.

use mem_model::{Bytes, OrderBuffer, OrderProblem, OrderStep, StepId, TensorId};

/// The units of the steps of an order.
pub(super) struct Units {
    /// The unit of each step; ascending.
    unit_of: Vec<usize>,
}

impl Units {
    /// The units of `n` steps. Consecutive steps of the same group are one unit, others are units of
    /// their own.
    pub(super) fn new(n: usize, group: impl Fn(usize) -> Option<i64>) -> Self {
        let mut unit_of = Vec::with_capacity(n);
        let mut last = None;
        for at in 0..n {
            let own = group(at);
            let unit = match unit_of.last() {
                None => 0,
                Some(unit) if own.is_some() && own == last => *unit,
                Some(unit) => unit + 1,
            };
            unit_of.push(unit);
            last = own;
        }
        Self { unit_of }
    }

    /// The unit of a step.
    pub(super) fn of(&self, step: StepId) -> StepId {
        StepId::new(self.unit_of[step.index()])
    }

    /// The members of each unit, given one for each step.
    pub(super) fn members<T: Copy>(&self, steps: &[T]) -> Vec<Vec<T>> {
        let mut members = vec![Vec::new(); self.n_units()];
        for (unit, step) in self.unit_of.iter().zip(steps) {
            members[*unit].push(*step);
        }
        members
    }

    fn n_units(&self) -> usize {
        self.unit_of.last().map_or(0, |last| last + 1)
    }

    /// The problem of ordering units. Linear, up to sorting.
    pub(super) fn contract(&self, problem: &OrderProblem) -> OrderProblem {
        if self.n_units() == problem.steps.len() {
            return problem.clone();
        }
        let steps: Vec<StepId> = (0..problem.steps.len()).map(StepId::new).collect();
        let members = self.members(&steps);
        let inside = self.inside(problem, &members);
        let mut buffers = Vec::new();
        let mut known = vec![None; problem.buffers.len()];
        for (index, buffer) in problem.buffers.iter().enumerate() {
            if inside[index].is_none() {
                known[index] = Some(TensorId::new(buffers.len()));
                buffers.push(*buffer);
            }
        }
        let known = |tensor: TensorId| known[tensor.index()];
        let mut units = Vec::new();
        for (unit, members) in members.iter().enumerate() {
            let mut own = OrderStep::default();
            for step in members.iter().map(|id| &problem.steps[id.index()]) {
                let after = step.after.iter().map(|step| self.of(*step));
                own.after
                    .extend(after.filter(|after| after.index() != unit));
                own.buffers
                    .extend(step.buffers.iter().filter_map(|own| known(*own)));
                // Of several operations, it is not known which one is the first to access a buffer.
                if members.len() == 1 {
                    let pair = |pair: &(TensorId, TensorId)| known(pair.0).zip(known(pair.1));
                    own.in_place.extend(step.in_place.iter().filter_map(pair));
                }
            }
            own.after.sort_unstable();
            own.after.dedup();
            own.buffers.sort_unstable();
            own.buffers.dedup();
            let size = inner_peak(problem, members, |tensor| {
                inside[tensor.index()] == Some(unit)
            });
            if size > Bytes::ZERO {
                own.buffers.push(TensorId::new(buffers.len()));
                buffers.push(OrderBuffer {
                    size,
                    ..OrderBuffer::default()
                });
            }
            units.push(own);
        }
        OrderProblem {
            steps: units,
            buffers,
        }
    }

    /// The unit of several steps that alone accesses each buffer, if there is one.
    fn inside(&self, problem: &OrderProblem, members: &[Vec<StepId>]) -> Vec<Option<usize>> {
        let is_local = |buffer: &OrderBuffer| !buffer.from_start && !buffer.to_end;
        let mut inside = vec![None; problem.buffers.len()];
        let mut is_shared: Vec<bool> = problem.buffers.iter().map(|own| !is_local(own)).collect();
        for (step, unit) in problem.steps.iter().zip(&self.unit_of) {
            for tensor in step.buffers.iter().map(|tensor| tensor.index()) {
                let other = inside[tensor].replace(*unit);
                is_shared[tensor] |= other.is_some_and(|other| other != *unit);
                is_shared[tensor] |= members[*unit].len() == 1;
            }
        }
        let own = inside.into_iter().zip(is_shared);
        own.map(|(unit, is_shared)| unit.filter(|_| !is_shared))
            .collect()
    }
}

/// The peak of the buffers for which `is_inside` holds while some steps run in the order of the program.
fn inner_peak(
    problem: &OrderProblem,
    members: &[StepId],
    is_inside: impl Fn(TensorId) -> bool,
) -> Bytes {
    if members.len() == 1 {
        return Bytes::ZERO;
    }
    let mut numbers: Vec<TensorId> = Vec::new();
    for step in members {
        let own = problem.steps[step.index()].buffers.iter().copied();
        numbers.extend(own.filter(|tensor| is_inside(*tensor)));
    }
    numbers.sort_unstable();
    numbers.dedup();
    let number = |tensor: TensorId| numbers.binary_search(&tensor).ok().map(TensorId::new);
    let step = |id: &StepId| {
        let step = &problem.steps[id.index()];
        let pair = |pair: &(TensorId, TensorId)| number(pair.0).zip(number(pair.1));
        OrderStep {
            after: Vec::new(),
            buffers: step.buffers.iter().filter_map(|own| number(*own)).collect(),
            in_place: step.in_place.iter().filter_map(pair).collect(),
        }
    };
    let buffers = numbers.iter().map(|own| problem.buffers[own.index()]);
    let inner = OrderProblem {
        steps: members.iter().map(step).collect(),
        buffers: buffers.collect(),
    };
    let order: Vec<StepId> = (0..members.len()).map(StepId::new).collect();
    let peak = mem_check::order_peak(&inner, &order);
    Bytes::new(u64::try_from(peak).unwrap_or(u64::MAX / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Option<i64> = None;

    fn units(groups: &[Option<i64>]) -> Units {
        Units::new(groups.len(), |at| groups[at])
    }

    /// Steps as their dependences and buffers, and buffers as their sizes.
    fn problem(steps: &[(&[usize], &[usize])], sizes: &[u64]) -> OrderProblem {
        let step = |(after, buffers): &(&[usize], &[usize])| OrderStep {
            after: after.iter().copied().map(StepId::new).collect(),
            buffers: buffers.iter().copied().map(TensorId::new).collect(),
            in_place: Vec::new(),
        };
        let buffer = |size: &u64| OrderBuffer {
            size: Bytes::new(*size),
            ..OrderBuffer::default()
        };
        OrderProblem {
            steps: steps.iter().map(step).collect(),
            buffers: sizes.iter().map(buffer).collect(),
        }
    }

    #[test]
    fn only_consecutive_steps_of_a_group_are_a_unit() {
        let own = units(&[NONE, NONE, Some(0), Some(0), Some(1), NONE, Some(1)]);
        assert_eq!(own.unit_of, [0, 1, 2, 2, 3, 4, 5]);
        assert_eq!(own.members(&[0, 1, 2, 3, 4, 5, 6])[2], [2, 3]);
    }

    #[test]
    fn what_is_inside_a_unit_counts_by_its_peak() {
        // 100 comes from outside; 10 and 20 are never live together, 30 is live with both.
        let steps: [(&[usize], &[usize]); 4] = [
            (&[], &[0]),
            (&[0], &[0, 1, 3]),
            (&[1], &[2, 3]),
            (&[2], &[3, 4]),
        ];
        let own = problem(&steps, &[100, 10, 20, 30, 5]);
        let units = units(&[NONE, Some(0), Some(0), Some(0)]);
        let contracted = units.contract(&own);
        let expected: [(&[usize], &[usize]); 2] = [(&[], &[0]), (&[0], &[0, 1])];
        // 20 and 30 together, or 30 and 5.
        assert_eq!(contracted, problem(&expected, &[100, 50]));
    }

    #[test]
    fn without_groups_the_problem_stays() {
        let steps: [(&[usize], &[usize]); 2] = [(&[], &[0, 1]), (&[0], &[1])];
        let own = problem(&steps, &[1, 2]);
        assert_eq!(units(&[NONE, NONE]).contract(&own), own);
    }
}

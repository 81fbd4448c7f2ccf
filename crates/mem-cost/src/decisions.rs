//! Decisions about tensors that the device has no room for, with the numbers that justify them.

use std::ops::Range;

use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, TensorId, Transfer};

use crate::{fastest_cycles, simulate, step_times, swap_cost};

/// A tensor that is off the device for some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The tensor.
    pub tensor: TensorId,
    /// Last step that uses the tensor before it leaves the device.
    pub after: usize,
    /// Step that needs the tensor back.
    pub before: usize,
    /// How the tensor comes back.
    pub way: Way,
    /// Cycles to copy the tensor out, and to copy it back in.
    pub swap: [u64; 2],
    /// Slack in cycles between the end of the copy out and the latest start of the copy in. If
    /// negative, computation does not hide the copies.
    pub free: i64,
    /// Cycles to recompute the tensor; `None` if it cannot be recomputed or the cost was not
    /// determined.
    pub again: Option<u64>,
}

/// How a tensor comes back to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The tensor is copied back.
    Swap {
        /// Step before which the copy is issued: the tensor's in-trigger.
        trigger: usize,
        /// Cycles that the program stalls for the copy.
        waits: u64,
    },
    /// The tensor is recomputed.
    Recompute {
        /// Number of steps that recompute it.
        n_steps: usize,
    },
}

impl Decision {
    /// Returns the overhead in cycles.
    #[must_use]
    pub fn overhead(&self) -> u64 {
        match self.way {
            Way::Swap { waits, .. } => waits,
            Way::Recompute { .. } => self.again.unwrap_or(0),
        }
    }
}

/// Returns all decisions of a plan over a device (level 0) and its host (level 1), in the order of
/// the steps that need the tensors. `is_again`: indexed by step, whether the step repeats another
/// one. `again`: cycles to recompute a tensor before a step.
///
/// Linear in accesses and transfers, apart from the calls of `again`.
#[must_use]
pub fn decisions(
    problem: &LevelProblem,
    plan: &LevelPlan,
    is_again: &[bool],
    again: impl Fn(TensorId, usize) -> Option<u64>,
) -> Vec<Decision> {
    let timeline = Timeline::new(problem);
    let mut found = swapped(&timeline, plan, again);
    found.extend(recomputed(&timeline, is_again));
    found.sort_by_key(|own| (own.before, own.tensor));
    found
}

/// The program on a device that has room for everything: when its steps run, and which tensors they
/// use.
struct Timeline<'a> {
    problem: &'a LevelProblem,
    /// Cycles of each step.
    cycles: Vec<u64>,
    /// Start of each step, and the end of the program.
    starts: Vec<u64>,
    /// Per tensor: the steps that use it, ascending.
    uses: Vec<Vec<usize>>,
}

impl<'a> Timeline<'a> {
    fn new(problem: &'a LevelProblem) -> Self {
        let cycles = fastest_cycles(problem);
        let starts = step_times(problem, &cycles);
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); problem.tensors.len()];
        for (step, at) in problem.steps.iter().enumerate() {
            at.uses
                .iter()
                .for_each(|used| uses[used.tensor.index()].push(step));
        }
        Self {
            problem,
            cycles,
            starts,
            uses,
        }
    }

    /// The first use of a tensor in `step` or later.
    fn next_use(&self, tensor: TensorId, step: usize) -> Option<usize> {
        let next = self.uses[tensor.index()].partition_point(|other| *other < step);
        self.uses[tensor.index()].get(next).copied()
    }

    /// The last use of a tensor before `step`.
    fn last_use(&self, tensor: TensorId, step: usize) -> Option<usize> {
        let next = self.uses[tensor.index()].partition_point(|other| *other < step);
        Some(self.uses[tensor.index()][next.checked_sub(1)?])
    }

    /// A decision with its figures; `None` if no step uses the tensor before `before`.
    fn decision(
        &self,
        tensor: TensorId,
        before: usize,
        way: Way,
        again: Option<u64>,
    ) -> Option<Decision> {
        let after = self.last_use(tensor, before)?;
        let swap = swap_cost(
            &self.problem.hierarchy,
            self.problem.tensors[tensor.index()].size,
        );
        let [away, back] = swap.map(|cycles| i64::try_from(cycles).unwrap_or(i64::MAX));
        let time = |step: usize| i64::try_from(self.starts[step]).unwrap_or(i64::MAX);
        let free = time(before).saturating_sub(back);
        let free = free.saturating_sub(time(after + 1).saturating_add(away));
        Some(Decision {
            tensor,
            after,
            before,
            way,
            swap,
            free,
            again,
        })
    }
}

/// Tensors that are copied back from the host, in the order of the copies.
fn swapped(
    timeline: &Timeline<'_>,
    plan: &LevelPlan,
    again: impl Fn(TensorId, usize) -> Option<u64>,
) -> Vec<Decision> {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let schedule = simulate(timeline.problem, plan);
    let mut waits = vec![0_u64; plan.transfers.len()];
    for (cycles, transfer) in &schedule.stalls {
        if let Some(transfer) = transfer {
            waits[transfer.index()] += cycles;
        }
    }
    let transfers = plan.transfers.iter().zip(waits);
    let decide = |(transfer, waits): (&Transfer, u64)| {
        let [from, to] = [transfer.from, transfer.to].map(|id| &plan.placements[id.index()]);
        if (from.level, to.level) != (host, device) {
            return None;
        }
        let before = timeline.next_use(to.tensor, transfer.until)?;
        let trigger = transfer.before;
        let way = Way::Swap { trigger, waits };
        timeline.decision(to.tensor, before, way, again(to.tensor, before))
    };
    transfers.filter_map(decide).collect()
}

/// Tensors that repeated steps recompute, in the order of these steps. Consecutive repeated steps
/// recompute tensors together.
fn recomputed(timeline: &Timeline<'_>, is_again: &[bool]) -> Vec<Decision> {
    let mut found = Vec::new();
    let mut step = 0;
    while step < timeline.problem.steps.len() {
        let first = step;
        while is_again.get(step).copied().unwrap_or(false) {
            step += 1;
        }
        if first == step {
            step += 1;
            continue;
        }
        for (tensor, n_steps, cycles) in written(timeline, first..step) {
            // A tensor that is only recomputed as an operand of others is not a decision of its
            // own.
            let Some(before) = timeline.next_use(tensor, step) else {
                continue;
            };
            let after = timeline.last_use(tensor, first);
            let own = timeline.decision(tensor, before, Way::Recompute { n_steps }, Some(cycles));
            found.extend(own.zip(after).map(|(own, after)| Decision { after, ..own }));
        }
    }
    found
}

/// Each tensor that `steps` write, with the number of its writers among them and their cycles, in
/// the order of the first writes.
fn written(timeline: &Timeline<'_>, steps: Range<usize>) -> Vec<(TensorId, usize, u64)> {
    let mut written: Vec<(TensorId, usize, u64)> = Vec::new();
    for step in steps {
        let cycles = timeline.cycles[step];
        let uses = timeline.problem.steps[step].uses.iter();
        for used in uses.filter(|used| used.writes > Bytes::ZERO) {
            let known = written.iter_mut().find(|(own, ..)| *own == used.tensor);
            match known {
                Some((_, n, sum)) => (*n, *sum) = (*n + 1, *sum + cycles),
                None => written.push((used.tensor, 1, cycles)),
            }
        }
    }
    written
}

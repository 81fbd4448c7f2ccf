//! Decisions about tensors that the device has no room for, with the numbers that justify them.

use mem_cost::{fastest_cycles, simulate, swap_cost};
use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem};
use serde_json::{Value, json};

/// A tensor that is off the device for some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Index of the tensor.
    pub tensor: usize,
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
    again: impl Fn(usize, usize) -> Option<u64>,
) -> Vec<Decision> {
    let (device, host) = (LevelId::new(0), LevelId::new(1));
    let cycles = fastest_cycles(problem);
    let mut starts = vec![0_u64];
    for cycles in &cycles {
        starts.push(starts[starts.len() - 1].saturating_add(*cycles));
    }
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); problem.tensors.len()];
    for (step, at) in problem.steps.iter().enumerate() {
        at.uses.iter().for_each(|used| uses[used.tensor].push(step));
    }
    let schedule = simulate(problem, plan);
    let mut waits = vec![0_u64; plan.transfers.len()];
    for (cycles, transfer) in &schedule.stalls {
        if let Some(transfer) = transfer {
            waits[*transfer] += cycles;
        }
    }
    let decide = |tensor: usize, before: usize, way: Way, again: Option<u64>| {
        let next = uses[tensor].partition_point(|step| *step < before);
        let after = uses[tensor][next.checked_sub(1)?];
        let size = problem.tensors[tensor].size;
        let swap = swap_cost(&problem.hierarchy, size);
        let [away, back] = swap.map(|cycles| i64::try_from(cycles).unwrap_or(i64::MAX));
        let time = |step: usize| i64::try_from(starts[step]).unwrap_or(i64::MAX);
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
    };
    let mut found = Vec::new();
    for (index, transfer) in plan.transfers.iter().enumerate() {
        let [from, to] = [transfer.from, transfer.to].map(|index| &plan.placements[index]);
        if (from.level, to.level) != (host, device) {
            continue;
        }
        let next = uses[to.tensor].partition_point(|step| *step < transfer.until);
        let Some(before) = uses[to.tensor].get(next).copied() else {
            continue;
        };
        let way = Way::Swap {
            trigger: transfer.before,
            waits: waits[index],
        };
        found.extend(decide(to.tensor, before, way, again(to.tensor, before)));
    }
    let mut step = 0;
    while step < problem.steps.len() {
        let first = step;
        let is_repeated = |step: usize| is_again.get(step).copied().unwrap_or(false);
        while is_repeated(step) {
            step += 1;
        }
        if first == step {
            step += 1;
            continue;
        }
        // Per written tensor: its number of writers among the repeated steps, and their cycles.
        let mut written: Vec<(usize, usize, u64)> = Vec::new();
        for (again, cycles) in cycles.iter().enumerate().take(step).skip(first) {
            let own = problem.steps[again].uses.iter();
            for used in own.filter(|used| used.writes > Bytes::ZERO) {
                match written
                    .iter_mut()
                    .find(|(tensor, ..)| *tensor == used.tensor)
                {
                    Some((_, n, sum)) => (*n, *sum) = (*n + 1, *sum + cycles),
                    None => written.push((used.tensor, 1, *cycles)),
                }
            }
        }
        for (tensor, n_steps, sum) in written {
            let next = uses[tensor].partition_point(|other| *other < step);
            // A tensor that is only recomputed as an operand of others is not a decision of its
            // own.
            let Some(before) = uses[tensor].get(next).copied() else {
                continue;
            };
            let first_again = uses[tensor].partition_point(|other| *other < first);
            let after = first_again.checked_sub(1).map(|index| uses[tensor][index]);
            let own = decide(tensor, before, Way::Recompute { n_steps }, Some(sum));
            found.extend(own.zip(after).map(|(own, after)| Decision { after, ..own }));
        }
    }
    found.sort_by_key(|own| (own.before, own.tensor));
    found
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

    /// Returns a sentence without a full stop.
    #[must_use]
    pub fn text(&self, problem: &LevelProblem) -> String {
        let tensor = &problem.tensors[self.tensor];
        let (name, size) = (&tensor.name, tensor.size.human());
        let [away, back] = self.swap;
        let (after, before, free) = (self.after, self.before, self.free);
        let margin = match u64::try_from(free) {
            Ok(free) => format!("with {free} to spare"),
            Err(_) => format!(
                "{} more than the computation in between",
                free.unsigned_abs()
            ),
        };
        let copying = format!("copying it out takes {away} cycles and back {back}, {margin}");
        match self.way {
            Way::Swap { trigger, waits } => {
                let again = match self.again {
                    Some(cycles) => format!("recomputing it would take {cycles}"),
                    None => "it cannot be recomputed".to_owned(),
                };
                format!(
                    "'{name}' ({size}) is on the host from step {after} to step {before}, requested before step {trigger}: \
                     {copying}; the program waits {waits} cycles; {again}"
                )
            }
            Way::Recompute { n_steps } => {
                let cycles = self.again.unwrap_or(0);
                let steps = if n_steps == 1 { "step" } else { "steps" };
                format!(
                    "'{name}' ({size}) is dropped after step {after} and recomputed for step {before}, by {n_steps} {steps} in \
                     {cycles} cycles: {copying}"
                )
            }
        }
    }

    pub(super) fn json(&self, problem: &LevelProblem, function: &str) -> Value {
        let (way, trigger, waits) = match self.way {
            Way::Swap { trigger, waits } => ("swap", Some(trigger), Some(waits)),
            Way::Recompute { .. } => ("recompute", None, None),
        };
        json!({
            "function": function,
            "tensor": problem.tensors[self.tensor].name,
            "size": problem.tensors[self.tensor].size.get(),
            "way": way,
            "after": self.after,
            "before": self.before,
            "trigger": trigger,
            "waits": waits,
            "swap_out": self.swap[0],
            "swap_in": self.swap[1],
            "free": self.free,
            "recompute": self.again,
        })
    }
}

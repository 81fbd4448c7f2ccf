//! What became of tensors that a device has no room for, with the numbers that speak for it.

use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, fastest_cycles, simulate, swap_cost};
use serde_json::{Value, json};

/// A tensor that is away from the device for some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its index.
    pub tensor: usize,
    /// The step that uses it last before.
    pub after: usize,
    /// The step that needs it back.
    pub before: usize,
    /// How it comes back.
    pub way: Way,
    /// Cycles of copying it away, and back.
    pub swap: [u64; 2],
    /// Cycles from when it is away to when it has to be asked for; less than none: that does not hide the copies.
    pub free: i64,
    /// Cycles of computing it again; `None`: nobody can, or it has not been asked.
    pub again: Option<u64>,
}

/// How a tensor comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is copied.
    Swap {
        /// The step in front of which it is asked for: its in-trigger.
        trigger: usize,
        /// Cycles that control waits for it.
        waits: u64,
    },
    /// It is computed again by so many steps.
    Recompute {
        /// How many.
        n_steps: usize,
    },
}

/// All decisions of a plan over a device, level 0, and its host, in the order of the steps that need the tensors. `is_again`: by step, whether
/// it repeats another. `again`: cycles of computing a tensor again in front of a step.
///
/// Linear in accesses and transfers, beside what `again` takes.
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
        // By tensor: who writes it, and how long that takes.
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
            // What is only computed for others is no decision of its own.
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
    /// Cycles that it costs.
    #[must_use]
    pub fn overhead(&self) -> u64 {
        match self.way {
            Way::Swap { waits, .. } => waits,
            Way::Recompute { .. } => self.again.unwrap_or(0),
        }
    }

    /// A sentence without a full stop.
    #[must_use]
    pub fn text(&self, problem: &LevelProblem) -> String {
        let tensor = &problem.tensors[self.tensor];
        let (name, size) = (&tensor.name, tensor.size.human());
        let [away, back] = self.swap;
        let (after, before, free) = (self.after, self.before, self.free);
        let copying = format!("copying takes {away} and {back} cycles, with {free} between them");
        match self.way {
            Way::Swap { trigger, waits } => {
                let again = match self.again {
                    Some(cycles) => format!("computing it again would take {cycles}"),
                    None => "it cannot be computed again".to_owned(),
                };
                format!(
                    "'{name}' ({size}) is on the host from step {after} to step {before}, asked for in front of step {trigger}: \
                     {copying}, of which {waits} are waited for; {again}"
                )
            }
            Way::Recompute { n_steps } => {
                let cycles = self.again.unwrap_or(0);
                let steps = if n_steps == 1 { "step" } else { "steps" };
                format!(
                    "'{name}' ({size}) is dropped behind step {after} and computed again for step {before}, by {n_steps} {steps} in \
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

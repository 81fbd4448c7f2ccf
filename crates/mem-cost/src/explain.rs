//! Why a tensor is not in a faster level, and why a copy stalls: what a plan loses against one in
//! which every use finds its tensor in the best level and no copy is waited for.

use mem_model::{Bytes, LevelId, LevelPlacement, LevelPlan, LevelProblem, TensorId, TensorUse};

use crate::{Occupancy, Schedule, simulate, step_cycles, use_cost};

/// An explanation attached to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Index of the step; the number of steps for the end of the program.
    pub step: usize,
    /// The tensor.
    pub tensor: TensorId,
    /// Cycles at stake. Explanations are sorted by them, largest first.
    pub cycles: u64,
    /// What takes the cycles.
    pub cause: Cause,
}

/// What takes cycles that another plan might not need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The step finds the tensor in a slower level than the best one.
    Slower {
        /// The level of the tensor.
        level: LevelId,
        /// The faster level with the cheapest accesses.
        best: LevelId,
        /// Why the tensor is not in the best level.
        reason: Reason,
    },
    /// Control stalls for a copy of the tensor.
    Stall {
        /// The computation that the copy overlaps; `None` if the copy is synchronous.
        overlap: Option<Overlap>,
    },
}

/// Why a step does not find a tensor in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The step accepts the tensor in its home only.
    InPlace,
    /// The step does not accept the tensor in the level.
    NotAccepted,
    /// The tensor is larger than the level.
    TooLarge {
        /// Bytes of the level that tensors with a home leave.
        capacity: Bytes,
    },
    /// Other tensors leave the level too few bytes.
    NoRoom {
        /// Bytes that are left.
        free: Bytes,
        /// The tensors in the level during the step, largest first.
        occupants: Vec<TensorId>,
    },
    /// No other step uses the tensor.
    UsedOnce,
    /// There is room: a copy would cost more than it saves, or the free bytes are fragmented.
    NotWorthwhile,
}

/// The computation that a copy overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The step after which the copy begins; `None` if it begins before the first step.
    pub after: Option<usize>,
    /// Cycles of the steps that run until the copy must have completed.
    pub cycles: u64,
}

/// Explains each use of a tensor in a level slower than the best one, and each copy that the
/// program stalls for. The most expensive comes first. O(uses times placements in a level).
#[must_use]
pub fn explain(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Explanation> {
    let mut explanations = slower_uses(problem, plan);
    let schedule = simulate(problem, plan);
    explanations.extend(stalls(problem, plan, &schedule));
    explanations.sort_by_key(|own| (std::cmp::Reverse(own.cycles), own.step, own.tensor));
    explanations
}

/// Explains the uses of tensors in levels slower than the best one.
fn slower_uses(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Explanation> {
    let levels = (0..problem.hierarchy.levels.len()).map(LevelId::new);
    let occupancies: Vec<Occupancy> = levels
        .map(|level| Occupancy::new(problem, plan, level))
        .collect();
    let facts = Facts::new(problem);
    let mut explanations = Vec::new();
    for step in 0..problem.steps.len() {
        let uses = problem.steps[step].uses.iter().zip(&plan.accessed[step]);
        for (used, placement) in uses {
            let level = plan.placements[placement.index()].level;
            let cost = |level: LevelId| use_cost(&problem.hierarchy, used, level);
            let faster = (0..level.index()).map(LevelId::new);
            let Some(best) = faster.min_by_key(|level| cost(*level)) else {
                continue;
            };
            let lost = cost(level).saturating_sub(cost(best));
            let lost = lost.saturating_mul(problem.steps[step].repeats.max(1));
            if lost == 0 {
                continue;
            }
            let held = occupancies[best.index()].held[step];
            let reason = facts.reason(plan, step, used, best, held);
            explanations.push(Explanation {
                step,
                tensor: used.tensor,
                cycles: lost,
                cause: Cause::Slower {
                    level,
                    best,
                    reason,
                },
            });
        }
    }
    explanations
}

/// What all reasons are derived from.
struct Facts<'a> {
    problem: &'a LevelProblem,
    /// Per level: bytes that tensors with a home leave; `None`: unbounded.
    capacities: Vec<Option<Bytes>>,
    /// Per tensor: number of steps that use it.
    n_uses: Vec<usize>,
}

impl<'a> Facts<'a> {
    fn new(problem: &'a LevelProblem) -> Self {
        let mut n_uses = vec![0; problem.tensors.len()];
        for used in problem.steps.iter().flat_map(|step| &step.uses) {
            n_uses[used.tensor.index()] += 1;
        }
        Self {
            problem,
            capacities: problem.capacities().unwrap_or_default(),
            n_uses,
        }
    }

    /// Returns why a step does not find a tensor in `level`, of which placements hold `held` bytes.
    fn reason(
        &self,
        plan: &LevelPlan,
        step: usize,
        used: &TensorUse,
        level: LevelId,
        held: Bytes,
    ) -> Reason {
        let problem = self.problem;
        let tensor = &problem.tensors[used.tensor.index()];
        let capacity = self.capacities.get(level.index()).copied().flatten();
        if !used.accepts(level) {
            return match tensor.home {
                Some(home) if used.accepted == [home] => Reason::InPlace,
                _ => Reason::NotAccepted,
            };
        }
        if let Some(capacity) = capacity.filter(|capacity| tensor.size > *capacity) {
            return Reason::TooLarge { capacity };
        }
        let free = capacity.map_or(u64::MAX, |capacity| {
            capacity.get().saturating_sub(held.get())
        });
        if free < tensor.size.get() {
            let is_there = |own: &&LevelPlacement| {
                own.level == level && own.offset.is_some() && own.steps.contains(step)
            };
            let there = plan.placements.iter().filter(is_there);
            let mut occupants: Vec<TensorId> = there.map(|own| own.tensor).collect();
            occupants.sort_unstable_by_key(|tensor| {
                std::cmp::Reverse(problem.tensors[tensor.index()].size)
            });
            let free = Bytes::new(free);
            return Reason::NoRoom { free, occupants };
        }
        match self.n_uses[used.tensor.index()] {
            0 | 1 => Reason::UsedOnce,
            _ => Reason::NotWorthwhile,
        }
    }
}

/// Explains the stalls of a schedule.
fn stalls<'a>(
    problem: &'a LevelProblem,
    plan: &'a LevelPlan,
    schedule: &'a Schedule,
) -> impl Iterator<Item = Explanation> + 'a {
    let stalls = schedule.stalls.iter().enumerate();
    stalls.filter_map(|(step, (cycles, transfer))| {
        let transfer = (*transfer).filter(|_| *cycles > 0)?;
        let own = &plan.transfers[transfer.index()];
        let overlapped = (own.before..own.until).map(|step| step_cycles(problem, plan, step));
        let overlap = (own.until > own.before).then(|| Overlap {
            after: own.before.checked_sub(1),
            cycles: overlapped.fold(0, u64::saturating_add),
        });
        Some(Explanation {
            step,
            tensor: plan.placements[own.from.index()].tensor,
            cycles: *cycles,
            cause: Cause::Stall { overlap },
        })
    })
}

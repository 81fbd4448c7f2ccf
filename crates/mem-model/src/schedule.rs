//! When everything happens if copies run beside the computation: the overlapped cost model.
//!
//! Steps run one after the other. A step takes as long as it computes, or as long as its operands take to be read and written
//! where they are, whichever is longer (S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009). A copy begins when
//! control reaches it, on the engine between its levels that is free first, and control waits where the plan says that it has
//! to be over. Without engines, control makes the copy itself. What runs several times takes as many times as long.

use crate::{LevelPlan, LevelProblem, access_cost, transfer_cycles};

/// When something happens, in cycles from the start: [start, end).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// When it begins.
    pub start: u64,
    /// When it is over.
    pub end: u64,
}

/// A copy in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledTransfer {
    /// The number of the engine; `None`: the processor.
    pub engine: Option<usize>,
    /// When control asked for it.
    pub asked: u64,
    /// When it runs.
    pub span: Span,
}

/// A plan in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// By step.
    pub steps: Vec<Span>,
    /// By transfer.
    pub transfers: Vec<ScheduledTransfer>,
    /// By step, and behind the last: cycles for which control waits in front of it, and the transfer that it waits for longest.
    pub stalls: Vec<(u64, Option<usize>)>,
    /// When all is done.
    pub makespan: u64,
}

/// Cycles of a step with its operands where the plan has them, each time that it runs.
#[must_use]
pub fn step_cycles(problem: &LevelProblem, plan: &LevelPlan, step: usize) -> u64 {
    let (own, accessed) = (&problem.steps[step], &plan.accessed[step]);
    let level = |index: usize| plan.placements[accessed[index]].level;
    own.cycles.max(access_cost(&problem.hierarchy, own, level))
}

/// Runs a plan. Linear, but for the number of engines.
#[must_use]
pub fn simulate(problem: &LevelProblem, plan: &LevelPlan) -> Schedule {
    let n_steps = problem.steps.len();
    let mut awaited: Vec<Vec<usize>> = vec![Vec::new(); n_steps + 1];
    for (index, transfer) in plan.transfers.iter().enumerate() {
        if transfer.until > transfer.before {
            awaited[transfer.until.min(n_steps)].push(index);
        }
    }
    let mut schedule = Schedule::default();
    let cycles = transfer_cycles(problem, plan);
    let mut free = vec![0_u64; problem.hierarchy.engines.len()];
    let mut next = 0;
    let mut now = 0_u64;
    for (step, awaited) in awaited.iter().enumerate() {
        let begun = now;
        let mut waits_for = None;
        for index in awaited {
            let end = schedule.transfers[*index].span.end;
            if end > now {
                (now, waits_for) = (end, Some(*index));
            }
        }
        while let Some(transfer) = plan.transfers.get(next).filter(|t| t.before == step) {
            let placements = [transfer.from, transfer.to].map(|index| plan.placements[index]);
            let (from, to) = (placements[0].level, placements[1].level);
            let cycles = cycles[next];
            let able = (0..free.len()).filter(|engine| {
                problem.hierarchy.engines[*engine]
                    .links
                    .contains(&(from, to))
            });
            let engine = able.min_by_key(|engine| free[*engine]);
            let start = engine.map_or(now, |engine| now.max(free[engine]));
            let end = start.saturating_add(cycles);
            if let Some(engine) = engine {
                free[engine] = end;
            }
            schedule.transfers.push(ScheduledTransfer {
                engine,
                asked: now,
                span: Span { start, end },
            });
            if engine.is_none() || transfer.until <= step {
                (now, waits_for) = (end, Some(next));
            }
            next += 1;
        }
        schedule.stalls.push((now - begun, waits_for));
        if step < n_steps {
            let repeats = problem.steps[step].repeats.max(1);
            let cycles = step_cycles(problem, plan, step).saturating_mul(repeats);
            let end = now.saturating_add(cycles);
            schedule.steps.push(Span { start: now, end });
            now = end;
        }
    }
    let last = schedule.transfers.iter().map(|transfer| transfer.span.end);
    schedule.makespan = last.max().unwrap_or(0).max(now);
    schedule
}

//! The overlapped cost model: simulates a plan whose copies run concurrently with computation.
//!
//! Steps run one after the other. A step takes the longer of its compute time and the time to
//! access its operands in the levels where the plan has them (S. Williams, A. Waterman, D.
//! Patterson, "Roofline", CACM 52(4), 2009). A copy is issued when control reaches it and runs on
//! the engine for its link that becomes free first. Control stalls at the step by which the plan
//! requires the copy to have completed. Without engines, the processor performs the copy itself.
//! A copy that the program itself starts runs on an engine as well, if one works between its levels.
//! Messages to other ranks run on links of their own, beside computation and copies, and a step that
//! waits for one lasts until it has completed. A step or copy that repeats takes a multiple of its time.

use mem_model::{
    Bytes, LevelId, LevelPlan, LevelProblem, LinkUse, MessageId, TensorUse, TransferId,
};

use crate::rank_links::RankLinks;
use crate::{access_cost, transfer_cycles};

/// A time interval in cycles since the start of the program: `[start, end)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Cycle in which it begins.
    pub start: u64,
    /// Cycle in which it has completed.
    pub end: u64,
}

/// A transfer with its place in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledTransfer {
    /// Number of the engine; `None`: the processor.
    pub engine: Option<usize>,
    /// Cycle in which control issues the transfer.
    pub asked: u64,
    /// Time during which the transfer runs.
    pub span: Span,
}

/// A copy that a step of the program starts, with its place in time. It is asked for when the step begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduledCopy {
    /// Number of the engine.
    pub engine: usize,
    /// Time during which all executions of the copy run.
    pub span: Span,
}

/// The timeline of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Indexed by step.
    pub steps: Vec<Span>,
    /// Indexed by transfer.
    pub transfers: Vec<ScheduledTransfer>,
    /// Per step, plus one entry for the end of the program: cycles that control stalls before the
    /// step, and the transfer whose completion ends the stall.
    pub stalls: Vec<(u64, Option<TransferId>)>,
    /// Indexed by step: when its messages occupy their link to other ranks; `None`: it has none.
    pub messages: Vec<Option<Span>>,
    /// Indexed by step: the copy that it starts on an engine; `None`: it starts none.
    pub copies: Vec<Option<ScheduledCopy>>,
    /// Cycle in which the last step, the last transfer and the last message have completed.
    pub makespan: u64,
}

/// Cycles of one execution of a step, with its operands where the plan has them, and without waiting
/// for messages. A step that only starts a copy on an engine takes none.
#[must_use]
pub fn step_cycles(problem: &LevelProblem, plan: &LevelPlan, step: usize) -> u64 {
    match engine_copy(problem, plan, step) {
        Some(_) => 0,
        None => executed_cycles(problem, plan, step),
    }
}

/// The same, if the processor does everything itself.
fn executed_cycles(problem: &LevelProblem, plan: &LevelPlan, step: usize) -> u64 {
    let (own, accessed) = (&problem.steps[step], &plan.accessed[step]);
    let level = |index: usize| plan.placements[accessed[index].index()].level;
    own.computing()
        .max(access_cost(&problem.hierarchy, own, level))
}

/// The copy that a step starts on an engine, and the levels that it connects; `None` if the step starts none,
/// or no engine works between its levels.
fn engine_copy(
    problem: &LevelProblem,
    plan: &LevelPlan,
    step: usize,
) -> Option<(MessageId, (LevelId, LevelId))> {
    let own = &problem.steps[step];
    let LinkUse::Copies(message) = own.link else {
        return None;
    };
    let [first, second] = &own.uses[..] else {
        return None;
    };
    let level = |index: usize| plan.placements[plan.accessed[step][index].index()].level;
    let is_source = |own: &TensorUse| own.writes == Bytes::ZERO;
    let link = match (is_source(first), is_source(second)) {
        (true, false) => (level(0), level(1)),
        (false, true) => (level(1), level(0)),
        _ => return None,
    };
    let mut engines = problem.hierarchy.engines.iter();
    engines
        .any(|own| own.links.contains(&link))
        .then_some((message, link))
}

/// Indexed by step, plus an entry for the end: the transfers in flight that are due there.
fn awaited(plan: &LevelPlan, n_steps: usize) -> Vec<Vec<TransferId>> {
    let mut awaited = vec![Vec::new(); n_steps + 1];
    for (index, transfer) in plan.transfers.iter().enumerate() {
        if transfer.until > transfer.before {
            awaited[transfer.until.min(n_steps)].push(TransferId::new(index));
        }
    }
    awaited
}

/// The engines of a hierarchy while a program runs.
struct Engines<'a> {
    problem: &'a LevelProblem,
    /// Indexed by engine: when it is free.
    free: Vec<u64>,
}

impl Engines<'_> {
    /// Copies from one level to another for `cycles`, from `now` or from when an engine is free. Returns the
    /// engine, `None` if the processor has to copy.
    fn copy(&mut self, link: (LevelId, LevelId), now: u64, cycles: u64) -> (Option<usize>, Span) {
        let engines = self.problem.hierarchy.engines.iter().enumerate();
        let able = engines.filter(|(_, own)| own.links.contains(&link));
        let engine = able.map(|own| own.0).min_by_key(|own| self.free[*own]);
        let start = engine.map_or(now, |engine| now.max(self.free[engine]));
        let end = start.saturating_add(cycles);
        if let Some(engine) = engine {
            self.free[engine] = end;
        }
        (engine, Span { start, end })
    }
}

/// Simulates a plan. Linear in steps, uses and transfers; each transfer also scans the engines.
#[must_use]
pub fn simulate(problem: &LevelProblem, plan: &LevelPlan) -> Schedule {
    let n_steps = problem.steps.len();
    let awaited = awaited(plan, n_steps);
    let mut schedule = Schedule::default();
    let cycles = transfer_cycles(problem, plan);
    let mut engines = Engines {
        problem,
        free: vec![0; problem.hierarchy.engines.len()],
    };
    let mut links = RankLinks::default();
    let mut next = 0;
    let mut now = 0_u64;
    for (step, awaited) in awaited.iter().enumerate() {
        let begun = now;
        let mut waits_for = None;
        // Wait for transfers due here before issuing any: the plan relies on their completion
        // first.
        for id in awaited {
            let end = schedule.transfers[id.index()].span.end;
            if end > now {
                (now, waits_for) = (end, Some(*id));
            }
        }
        while let Some(transfer) = plan.transfers.get(next).filter(|t| t.before == step) {
            let placements = [transfer.from, transfer.to].map(|id| plan.placements[id.index()]);
            let (from, to) = (placements[0].level, placements[1].level);
            let cycles = cycles[next];
            let (engine, span) = engines.copy((from, to), now, cycles);
            schedule.transfers.push(ScheduledTransfer {
                engine,
                asked: now,
                span,
            });
            if engine.is_none() || transfer.until <= step {
                (now, waits_for) = (span.end, Some(TransferId::new(next)));
            }
            next += 1;
        }
        schedule.stalls.push((now - begun, waits_for));
        if step < n_steps {
            let repeats = problem.steps[step].repeats.max(1);
            let cycles = executed_cycles(problem, plan, step).saturating_mul(repeats);
            let started = engine_copy(problem, plan, step).and_then(|(message, link)| {
                let (engine, span) = engines.copy(link, now, cycles);
                links.complete(message, span.end);
                engine.map(|engine| ScheduledCopy { engine, span })
            });
            let (end, message) = match started {
                Some(_) => (now, None),
                None => links.run((problem.steps[step].link, repeats), now, cycles),
            };
            schedule.steps.push(Span { start: now, end });
            schedule.messages.push(message);
            schedule.copies.push(started);
            now = end;
        }
    }
    let last = schedule.transfers.iter().map(|transfer| transfer.span.end);
    schedule.makespan = last.max().unwrap_or(0).max(now).max(links.end());
    schedule
}

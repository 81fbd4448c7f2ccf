//! Plans programs that exceed a device's memory budget: which tensors to recompute, and which to
//! swap to the host.
//!
//! A tensor with a long gap between two uses is a candidate for eviction at steps whose live bytes
//! exceed the budget. It can be copied to the host and back, or dropped and recomputed before its
//! next use by the step that wrote it, provided that the step's operands still have the same
//! contents. Operands that are gone are recomputed first. Which alternative is cheaper depends on
//! how busy the link is, and thus on all other decisions.
//!
//! Facts about a program:
//!
//! * [`profile`]: when tensors must be resident, and how many bytes are in use at each step;
//! * [`replay`]: which tensors can be recomputed, by which steps; [`repeat`]: the program with
//!   these steps repeated.
//!
//! The schedule of the copies, for a given set of repetitions ([`plan_swaps`]):
//!
//! * [`timetable`] decides which tensors are absent for which steps, on the [`link`]s; [`place`]
//!   lowers a timetable to a plan with addresses; [`swaps`] tries several timetables and packings.
//!
//! The set of repetitions ([`plan_offload`]):
//!
//! * [`search`] runs the phases: [`prices`] rank the candidates, prefixes of the rankings are
//!   planned, [`anneal`] improves the best one on a [`sketch`], single changes follow. [`trials`]
//!   evaluates choices in parallel, [`orders`] are choices of another kind, and [`packed`] selects
//!   among the best with addresses.
//! * [`exact`] searches small programs exhaustively.
//! * [`bound`] proves a lower bound on the makespan.
//!
//! Devices without a link to a host have a search of their own, [`recompute`].
//!
//! Limits are counts and randomness is seeded, so the plan of a program does not depend on the
//! machine. `docs/PlannerOffload.md` describes the design; [`tuning`] has the limits.
//!
//! # Limitations
//!
//! Steps in loops are not repeated, and neither are steps that write several tensors: their results
//! are swapped instead. A tensor that several steps write in sequence (it is filled, then
//! accumulated into) is recomputed by repeating all of them.

mod anneal;
mod bound;
mod exact;
mod large_first;
mod link;
mod orders;
mod packed;
mod place;
mod prices;
mod profile;
mod recompute;
mod repeat;
mod replay;
mod search;
mod sketch;
mod swaps;
mod timetable;
mod trials;
mod tuning;
mod widest;

pub use bound::least_makespan;

pub use mem_model::{Advice, OffloadPolicy, Repeatable, Repetition};
pub use repeat::{execution_order, repeatable_again, repeated, with_repetitions};
pub use replay::Replays;
pub use swaps::plan_swaps;
pub use widest::{WidestStep, widest_step, widths};

use mem_cost::simulate;
use mem_model::LevelProblem;

use crate::levels::{LevelAnswer, LevelNoFit};
use crate::observe;
use search::Search;

/// The whole answer: which steps to repeat, and where each tensor is when.
#[derive(Clone, Debug)]
pub struct Offload {
    /// Repetitions in execution order.
    pub repetitions: Vec<Repetition>,
    /// The problem with the steps repeated, as [`repeated`] returns it.
    pub problem: LevelProblem,
    /// The plan of `problem`: residence, transfers and addresses. It is the one that [`plan_swaps`]
    /// returns, or a shorter one found by exhaustive search. The error tells which tensor does not fit
    /// if no packing was found.
    pub plan: Result<LevelAnswer, LevelNoFit>,
    /// Makespan of the schedule for which the repetitions were chosen, in cycles. For `auto`, that
    /// is the schedule of [`plan_swaps`]; for other policies, a schedule without addresses, which
    /// packing may lengthen.
    pub makespan: u64,
    /// Makespan without a capacity limit on level 0, and hence without copies, in cycles.
    pub ideal: u64,
    /// Lower bound on the makespan, in cycles, over all choices of copies and repetitions; see
    /// [`least_makespan`] for its assumptions.
    pub least: u64,
}

impl Offload {
    /// The makespan that a better answer has to beat: any is better than none.
    fn to_beat(&self) -> u64 {
        match self.plan.is_ok() {
            true => self.makespan,
            false => u64::MAX,
        }
    }
}

/// Whether a makespan is at most a fraction, as a divisor, longer than another one.
fn is_within(makespan: u64, other: u64, part: u64) -> bool {
    makespan <= other.saturating_add(other / part)
}

/// Decides which steps to repeat so that the program fits level 0, the device, and plans the copies
/// of the program with the repetitions. `repeatable` is indexed by step.
///
/// Takes as long as a bounded number of plans of the whole program, as [`plan_swaps`] makes them,
/// most of them without addresses. If no engine copies between level 0 and level 1 in both
/// directions, nothing is copied, whatever the policy, and the plan has no transfers.
///
/// # Errors
/// If some step does not fit even after evicting every tensor that may leave. If steps fit, but no
/// packing of the tensors was found, the answer has no plan; see [`Offload::plan`].
pub fn plan_offload(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    advice: &Advice,
) -> Result<Offload, LevelNoFit> {
    plan_offload_from(problem, repeatable, policy, advice, &[])
}

/// As [`plan_offload`], but the search of `auto` begins with the repetitions of a known plan, if there are
/// any. The answer may still take more time than that plan.
///
/// # Errors
/// As [`plan_offload`].
pub fn plan_offload_from(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    advice: &Advice,
    known: &[Repetition],
) -> Result<Offload, LevelNoFit> {
    // No search can help a step that does not fit even on its own.
    widest::check(problem, &timetable::Wishes::new(advice, problem))?;
    // Without steps, there is no order to search.
    if timetable::engines(problem).is_none() && !problem.steps.is_empty() {
        let is_kept = search::kept(problem, advice);
        if let Some(offload) = recompute::plan(problem, repeatable, advice, &is_kept, known) {
            let offload = exactly(problem, repeatable, advice, offload);
            let least = least_makespan(problem, repeatable, offload.makespan);
            return Ok(Offload { least, ..offload });
        }
    }
    let mut search = Search::new(problem, repeatable, policy, advice);
    search.run(known);
    let ideal = search.ideal();
    let Some((cost, best)) = search.best() else {
        return without_schedule(problem, policy, advice, ideal);
    };
    let mut pack = || match policy {
        OffloadPolicy::Auto => {
            packed::best_with_addresses(problem, repeatable, advice, &mut search)
                // The program itself is among the promises unless it has no timetable, and then
                // farthest next use may still find addresses for it.
                .or_else(|| packed::as_it_is(problem, advice))
        }
        // The other policies are for comparison: they take the best choice without addresses.
        _ => None,
    };
    // The makespan of a plan sets the scale of the prices. In a large program, most plans with addresses take
    // about as long as promised, and the bound is found beside the packing.
    let bound = |makespan: u64| least_makespan(problem, repeatable, makespan);
    let (found, early) = match problem.steps.len() > tuning::SMALL {
        true => rayon::join(pack, || Some(bound(cost.makespan))),
        false => (pack(), None),
    };
    let found = found.map(|own| (own.makespan, own.repetitions, own.problem, Ok(own.answer)));
    let (makespan, repetitions, extended, plan) = found.unwrap_or_else(|| {
        // For `auto`, this plan has failed before: it is repeated for its error.
        let (extended, plan) = plan_repeated(problem, repeatable, policy, advice, &best);
        (cost.makespan, best, extended, plan)
    });
    log::debug!(
        target: "offload",
        "chosen: {} repetitions, makespan {makespan}, without a limit {ideal}", repetitions.len(),
    );
    let offload = Offload {
        repetitions,
        problem: extended,
        plan,
        makespan,
        ideal,
        least: ideal,
    };
    let offload = match policy {
        OffloadPolicy::Auto => {
            let offload = alone(problem, repeatable, advice, offload);
            exactly(problem, repeatable, advice, offload)
        }
        _ => offload,
    };
    let is_as_promised = is_within(offload.makespan, cost.makespan, tuning::PROMISE)
        && cost.makespan <= offload.makespan;
    let early = early.filter(|_| is_as_promised);
    let least = early.unwrap_or_else(|| bound(offload.makespan));
    Ok(Offload { least, ..offload })
}

/// The answer, or recomputation without copies if that takes less time: the same plan as for a device
/// without a link. Large programs are not planned in this way, which would take as long as all the rest.
fn alone(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    known: Offload,
) -> Offload {
    let most = known.to_beat();
    let is_best = || {
        let least = bound::least_alone(problem, repeatable, known.makespan);
        most <= known.ideal || most <= least
    };
    // Pins say which tensors have to be copied.
    if advice.has_pins()
        || problem.steps.len() > tuning::ALONE_STEPS
        || observe::is_stopped()
        || is_best()
    {
        return known;
    }
    let is_kept = search::kept(problem, advice);
    let found = recompute::plan(problem, repeatable, advice, &is_kept, &[]);
    let found = found.filter(|own| own.plan.is_ok() && own.makespan < most);
    log::debug!(
        target: "offload",
        "recomputation alone: {}", if found.is_some() { "shorter" } else { "not shorter" },
    );
    found.unwrap_or(known)
}

/// The answer, or a better one if exhaustive search finds it.
fn exactly(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    known: Offload,
) -> Offload {
    let most = known.to_beat();
    // No plan is shorter than the ideal.
    if most <= known.ideal {
        return known;
    }
    // The search does not know how long the program waits for messages, so that its answer may take
    // longer than it says.
    let found = exact::plan(problem, repeatable, advice, most);
    match found.filter(|own| own.makespan < most) {
        Some(found) => Offload {
            repetitions: found.repetitions,
            problem: found.problem,
            plan: Ok(found.answer),
            makespan: found.makespan,
            ..known
        },
        None => known,
    }
}

/// Plans the copies of a program with repetitions, which are in execution order. Returns the problem
/// with the steps repeated, and its plan or the tensor that does not fit. Without repetitions, that
/// is the problem itself.
pub fn plan_repeated(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    advice: &Advice,
    repetitions: &[Repetition],
) -> (LevelProblem, Result<LevelAnswer, LevelNoFit>) {
    let extended = with_repetitions(problem, repeatable, repetitions);
    let plan = plan_swaps(&extended, policy, &advice.repeated(repetitions));
    (extended, plan)
}

/// The answer if nothing could be scheduled. Farthest next use finds a plan after all, or explains
/// what does not fit.
fn without_schedule(
    problem: &LevelProblem,
    policy: OffloadPolicy,
    advice: &Advice,
    ideal: u64,
) -> Result<Offload, LevelNoFit> {
    // Its error tells what does not fit, which a missing timetable cannot.
    let farthest = swaps::farthest(problem)?;
    let (extended, plan) = plan_repeated(problem, &[], policy, advice, &[]);
    Ok(Offload {
        repetitions: Vec::new(),
        makespan: simulate(problem, &farthest).makespan,
        problem: extended,
        plan,
        ideal,
        least: ideal,
    })
}

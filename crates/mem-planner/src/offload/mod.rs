//! Plans programs that exceed a device's memory budget: which tensors to recompute, and which to
//! swap to the host.
//!
//! A tensor with a long gap between two uses is a candidate for eviction at steps whose live bytes
//! exceed the budget. It can be copied to the host and back, or dropped and recomputed before its
//! next use by the step that wrote it, provided that the step's operands still have the same
//! contents. Operands that are gone are recomputed first. Which alternative is cheaper depends on
//! how busy the link is, and thus on all other decisions.
//!
//! # Algorithm
//!
//! Given a set of tensors to recompute, a [timetable](timetable) schedules the copies of the
//! others, and a simulation of the whole program yields the makespan. Candidates for recomputation
//! are ordered by the room they make per cycle, at several exchange rates between compute cycles
//! and link cycles, and the search looks for the best prefix of each order. From there, thousands
//! of choices are [annealed](anneal), with the makespan estimated by a [sketch]; the best are
//! planned, and improved one tensor at a time. Comparing both overheads is the idea of Capuchin (X.
//! Peng et al., ASPLOS 2020); unlike Capuchin, the comparison is between whole schedules, link
//! contention included. Addresses come last: the resulting lifetimes go to the single-level packer,
//! and where the packing exceeds the budget, the timetable is rebuilt for a smaller one.
//!
//! # Complexity
//!
//! A plan takes nearly quadratic time in the number of steps, a sketch linear time. The number of
//! plans is bounded depending on the number of steps, the number of sketches by a constant. Limits
//! are counts and randomness is seeded, so the plan of a program does not depend on the machine.
//!
//! # Limitations
//!
//! Steps in loops are not repeated, and neither are steps that write several tensors: their results
//! are swapped instead. A tensor that several steps write in sequence (it is filled, then
//! accumulated into) is recomputed by repeating all of them.

mod anneal;
mod bound;
mod link;
mod place;
mod prices;
mod profile;
mod repeat;
mod replay;
mod search;
mod sketch;
mod swaps;
mod timetable;
mod trials;

use std::collections::{BTreeSet, HashMap};

use mem_model::{LevelProblem, simulate};

use crate::levels::LevelNoFit;
pub use bound::least_makespan;
pub use repeat::{Repeatable, Repetition, repeated};
pub use replay::Replays;
use search::Search;
use swaps::{SMALL, check_widest, farthest};
pub use swaps::{WidestStep, plan_swaps, widest_step, widths};
use timetable::Wishes;

/// How the planner makes room on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Mixes swapping and recomputing for the shortest makespan found.
    #[default]
    Auto,
    /// Swaps only, and recomputes nothing.
    Swap,
    /// Minimizes the bytes copied: recomputes where possible, and swaps the rest.
    Recompute,
    /// Keeps every ⌊√n⌋-th of the n tensors that could be dropped, and recomputes those in between
    /// (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016); for comparison.
    Checkpoints,
    /// Evicts the tensor with the farthest next use when there is no room, and brings it back when
    /// it is needed; for comparison.
    FarthestNextUse,
}

impl OffloadPolicy {
    /// All policies.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Swap,
        Self::Recompute,
        Self::Checkpoints,
        Self::FarthestNextUse,
    ];

    /// Name of the policy, as parsed by [`FromStr`](std::str::FromStr).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Swap => "swap",
            Self::Recompute => "recompute",
            Self::Checkpoints => "checkpoints",
            Self::FarthestNextUse => "farthest-next-use",
        }
    }
}

impl std::str::FromStr for OffloadPolicy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no policy '{name}'; there are {names}")
        })
    }
}

/// Decisions and measurements from outside the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Tensors pinned to the device from their first use to their last.
    pub stay: BTreeSet<usize>,
    /// Tensors swapped to the host in every gap between uses.
    pub leave: BTreeSet<usize>,
    /// Tensors that are not recomputed.
    pub keep: BTreeSet<usize>,
    /// Prefetch leads, keyed by tensor and the step that needs it back: cycles by which the copy
    /// back is brought forward; negative values delay it.
    pub leads: HashMap<(usize, usize), i64>,
}

impl Advice {
    /// Whether the decision for any tensor is restricted.
    #[must_use]
    pub fn has_pins(&self) -> bool {
        !(self.stay.is_empty() && self.leave.is_empty() && self.keep.is_empty())
    }

    fn wishes(&self, problem: &LevelProblem) -> Wishes {
        let list = |tensors: &BTreeSet<usize>| {
            let all = 0..problem.tensors.len();
            all.map(|tensor| tensors.contains(&tensor)).collect()
        };
        Wishes {
            stays: list(&self.stay),
            leaves: list(&self.leave),
            leads: self.leads.clone(),
        }
    }
}

/// The steps to repeat, and the resulting makespan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offload {
    /// Repetitions in execution order.
    pub repetitions: Vec<Repetition>,
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

/// Decides which steps to repeat so that the program fits level 0, the device. `repeatable` is
/// indexed by step.
///
/// Takes as long as a bounded number of plans of the whole program, as [`plan_swaps`] makes them,
/// most of them without addresses.
///
/// # Errors
/// If some step does not fit even after evicting every tensor that may leave.
pub fn plan_offload(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    advice: &Advice,
) -> Result<Offload, LevelNoFit> {
    check_widest(problem, &advice.wishes(problem))?;
    let mut search = Search::new(problem, repeatable, policy, advice);
    search.run();
    let ideal = search.ideal();
    let Some((cost, best)) = search.best() else {
        // Nothing could be scheduled. Farthest next use finds a plan after all, or explains what
        // does not fit.
        let plan = farthest(problem)?;
        return Ok(Offload {
            repetitions: Vec::new(),
            makespan: simulate(problem, &plan).makespan,
            ideal,
            least: ideal,
        });
    };
    let found = match policy {
        OffloadPolicy::Auto => with_addresses(problem, repeatable, advice, search.promises())
            .or_else(|| as_it_is(problem, advice)),
        _ => None,
    };
    let (makespan, repetitions) = found.unwrap_or((cost.makespan, best));
    log::debug!(
        target: "offload",
        "chosen: {} repetitions, makespan {makespan}, without a limit {ideal}", repetitions.len(),
    );
    Ok(Offload {
        repetitions,
        makespan,
        ideal,
        least: least_makespan(problem, repeatable, makespan),
    })
}

/// The makespan without repetitions, if [`plan_swaps`] finds a plan.
fn as_it_is(problem: &LevelProblem, advice: &Advice) -> Option<(u64, Vec<Repetition>)> {
    let answer = plan_swaps(problem, OffloadPolicy::Auto, advice).ok()?;
    Some((simulate(problem, &answer.plan).makespan, Vec::new()))
}

/// The choice with the shortest makespan after packing. `promises` is sorted, the best first; in
/// programs of more than [`SMALL`] steps, the search stops at the first choice within one percent
/// of its promise.
fn with_addresses(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    promises: Vec<(trials::Cost, Vec<Repetition>)>,
) -> Option<(u64, Vec<Repetition>)> {
    let mut best: Option<(u64, Vec<Repetition>)> = None;
    for (cost, repetitions) in promises {
        let extended = repeated(problem, repeatable, &repetitions);
        let Ok(answer) = plan_swaps(&extended, OffloadPolicy::Auto, advice) else {
            continue;
        };
        let makespan = simulate(&extended, &answer.plan).makespan;
        log::debug!(
            target: "offload",
            "{} repetitions with addresses: makespan {makespan}, {} without addresses",
            repetitions.len(), cost.makespan,
        );
        if best.as_ref().is_none_or(|(known, _)| makespan < *known) {
            best = Some((makespan, repetitions));
        }
        let holds = makespan <= cost.makespan.saturating_add(cost.makespan / 100);
        if holds && problem.steps.len() > SMALL {
            break;
        }
    }
    best
}

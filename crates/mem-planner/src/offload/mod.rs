//! Programs that need more than a device has: what to compute again, and what to copy to the host.
//!
//! A tensor that nobody uses for a while, at a time when more is live than the budget, can be copied away and back, or dropped and computed
//! again in front of its next use, by the step that wrote it, if what that read is still what it was; what is gone is
//! computed again before. Which is better depends on how busy the link is, and so on all the others.
//!
//! # Idea
//!
//! Given what is computed again, a [timetable](timetable) says who is copied when, and a simulation of the whole program when it is over.
//! What is worth computing again comes first in an order: by cycles for each byte and step of room, or by cycles for each cycle of
//! the link. How many of them are best is searched in that order. From there on thousands of choices are [annealed](anneal), by how long the
//! program takes at least in a [sketch]; the best are planned, and changed one by one. The idea of comparing both overheads is
//! Capuchin's (X. Peng et al., ASPLOS 2020); unlike there the comparison is made on whole schedules, link contention included. Addresses come
//! last: the packer of one level gets the times that are left, and where it needs more than there is, the timetable is made for less.
//!
//! # Complexity
//!
//! Plans take nearly the square of the steps, and sketches are linear; there are fewer of both the more there are steps. Everything is
//! decided by seeds and counts, never by the clock: the same program has the same plan on any machine.
//!
//! # Not done
//!
//! Steps of loops are not repeated, and neither are those that write several tensors: what they write is copied. A tensor that
//! several steps write one after the other (it is filled, and then added to) is computed again by all of them.

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

/// How room is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Whatever is over first.
    #[default]
    Auto,
    /// Nothing is computed again.
    Swap,
    /// All that can be is computed again, and the rest copied.
    Recompute,
    /// Every so many tensors one is kept, as many as the square root of all, and those between are computed again (T. Chen et al.,
    /// "Training Deep Nets with Sublinear Memory Cost", 2016); for comparison.
    Checkpoints,
    /// What nobody needs for longest leaves when there is no room, and comes back when it is needed; for comparison.
    FarthestNextUse,
}

impl OffloadPolicy {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Swap,
        Self::Recompute,
        Self::Checkpoints,
        Self::FarthestNextUse,
    ];

    /// What it is called.
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

/// What others have decided, or measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Tensors that stay on the device from their first use to their last.
    pub stay: BTreeSet<usize>,
    /// Tensors that are on the host whenever nobody uses them.
    pub leave: BTreeSet<usize>,
    /// Tensors that are not computed again.
    pub keep: BTreeSet<usize>,
    /// By tensor, and step that needs it back: how many cycles before the model says it is asked for; less than none: later.
    pub leads: HashMap<(usize, usize), i64>,
}

impl Advice {
    /// Whether somebody has decided where a tensor is.
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

/// What is repeated, and how long the program takes then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offload {
    /// In the order in which it happens.
    pub repetitions: Vec<Repetition>,
    /// Cycles of the schedule that this was chosen for: that of [`plan_swaps`] if the policy is `auto`; others promise it without addresses.
    pub makespan: u64,
    /// Without any limit of level 0, and so without copies.
    pub ideal: u64,
    /// What no plan is below, whatever is copied and repeated; see the source for what it takes for granted.
    pub least: u64,
}

/// Decides what to repeat. `repeatable`: by step. Level 0 is the device.
/// Some plans of the whole program, as [`plan_swaps`] makes them, without addresses.
///
/// # Errors
/// If a step does not fit, whatever is repeated: with as little as possible.
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
        // Nobody says better why nothing fits.
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
    Ok(Offload {
        repetitions,
        makespan,
        ideal,
        least: least_makespan(problem, repeatable, makespan),
    })
}

/// Nothing is repeated, if that has addresses.
fn as_it_is(problem: &LevelProblem, advice: &Advice) -> Option<(u64, Vec<Repetition>)> {
    let answer = plan_swaps(problem, OffloadPolicy::Auto, advice).ok()?;
    Some((simulate(problem, &answer.plan).makespan, Vec::new()))
}

/// The choice that is over first with addresses; in large programs the first that holds what it promises without. The best promise comes
/// first.
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

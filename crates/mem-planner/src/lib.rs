//! Assigns addresses to buffers in one memory level. A planner takes a [`Problem`], that is items
//! with sizes and lifetimes, and returns a [`Plan`]; it knows nothing about programs.
//!
//! Every strategy honours alignments, gives conflicting bytes different addresses, leaves fixed
//! items in place, avoids reserved addresses, and is deterministic. The peak is the highest end of
//! any item, even of one that is never live: code may form the address of a buffer that it never
//! touches.

#![forbid(unsafe_code)]

mod arena;
mod bound;
mod contract;
mod decode;
mod distance;
mod error;
mod exact;
mod first_fit;
mod genetic;
mod greedy_by_conflict;
mod greedy_by_size;
mod levels;
mod lifetime_queue;
mod limits;
mod offload;
mod options;
mod orders;
mod penalty;
mod relative;
mod search;
mod strategy;
mod tightest_first;
mod trace;

pub use bound::{Pressure, lower_bound, pressure};
pub use error::{Misplaced, NoFit, Occupant, PlanError};
pub use levels::{
    CostModel, LevelAnswer, LevelNoFit, LevelPlanError, LevelPolicy, LevelStrategy, overlap,
    plan_levels, plan_levels_auto, plan_levels_with,
};
pub use offload::{
    Advice, Offload, OffloadPolicy, Repeatable, Repetition, Replays, WidestStep, least_makespan,
    plan_offload, plan_swaps, repeated, widest_step, widths,
};
pub use options::{PlanOptions, Progress, Watch};
pub use relative::{SizedPlan, plan_sizes};
pub use strategy::{Strategy, UnknownStrategy};
pub use trace::{TraceError, install_trace};

use std::borrow::Cow;

use mem_model::{Bytes, Item, Placement, Plan, Point, Problem};

use contract::Contracted;
use limits::Limits;
use search::{Outcome, search};

/// Upper limit for sizes and addresses: offsets are signed 64-bit integers in the IR.
pub const MAX_BYTES: Bytes = Bytes::new(i64::MAX as u64);

/// Chooses an address for every item of `problem`. The plan names the strategy that found it; for
/// `auto` that is the winning strategy. The plan also carries the best proven lower bound on the
/// peak.
///
/// # Errors
/// If the items do not fit the capacity, with the memory map at the critical point; if sizes add up
/// to more than [`MAX_BYTES`]; if an alignment is not a power of two; if a fixed item cannot be at
/// its offset.
pub fn plan(
    problem: &Problem,
    strategy: Strategy,
    options: &PlanOptions,
) -> Result<Plan, PlanError> {
    plan_watched(problem, strategy, options, Watch::default())
}

/// Like [`plan`], with an observer that can stop the search early. A stopped search returns the
/// best plan so far.
///
/// # Errors
/// Same as [`plan`].
pub fn plan_watched(
    problem: &Problem,
    asked: Strategy,
    options: &PlanOptions,
    watch: Watch<'_>,
) -> Result<Plan, PlanError> {
    let problem = &with_plain_conflicts(problem);
    let alignments = alignments(problem, options)?;
    let pressure = bound::pressure(problem).ok_or(PlanError::Overflow)?;
    let mut limits = Limits::new(options, watch);
    let mut attempt = |with_reuse| {
        let contracted = Contracted::new(problem, &alignments, with_reuse)?;
        let (problem, alignments) = (&contracted.problem, &contracted.alignments);
        limits.renew();
        let mut outcome = search(
            problem,
            alignments,
            pressure.bytes,
            asked,
            options,
            &mut limits,
        )?;
        outcome.offsets = contracted.expand(outcome.offsets);
        Ok::<_, PlanError>((outcome, contracted.n_reuses))
    };
    // Try maximal reuse and no reuse; fixed items may rule out one of the two.
    let mut outcome = match attempt(true) {
        Ok((joined, n_reuses)) if n_reuses > 0 && joined.peak > pressure.bytes => {
            match attempt(false) {
                Ok((apart, _)) if apart.peak < joined.peak => apart,
                _ => joined,
            }
        }
        Err(_) if !problem.reuses.is_empty() => attempt(false)?.0,
        other => other?.0,
    };
    if !problem.reuses.is_empty() || !problem.aliases.is_empty() && !problem.conflicts.is_empty() {
        // The bound of the search only holds for one choice of reuses. Contraction also extends a
        // conflict of one alias to its whole group, which the problem does not require.
        outcome.bound = pressure.bytes;
    }
    finish(problem, &alignments, outcome, &pressure, &mut limits)
}

/// Normalizes conflicts: each pair once, sorted, the smaller index first. Drops conflicts of items
/// that are never live or have no bytes; such items may lie anywhere.
fn with_plain_conflicts(problem: &Problem) -> Cow<'_, Problem> {
    let is_idle = |item: usize| {
        let item = &problem.items[item];
        item.size == Bytes::ZERO || item.hull().is_none()
    };
    let real = problem.conflicts.iter().copied();
    let real = real.filter(|&(a, b)| a != b && !is_idle(a) && !is_idle(b));
    let mut real: Vec<(usize, usize)> = real.map(|(a, b)| (a.min(b), a.max(b))).collect();
    real.sort_unstable();
    real.dedup();
    let mut problem = Cow::Borrowed(problem);
    if problem.conflicts != real {
        problem.to_mut().conflicts = real;
    }
    problem
}

fn finish(
    problem: &Problem,
    alignments: &[Bytes],
    outcome: Outcome,
    pressure: &Pressure,
    limits: &mut Limits<'_>,
) -> Result<Plan, PlanError> {
    let Outcome {
        strategy,
        offsets,
        peak,
        bound,
    } = outcome;
    if peak > MAX_BYTES {
        return Err(PlanError::Overflow);
    }
    let placement = |(item, offset): (&Item, Bytes)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset,
    };
    let plan = Plan {
        strategy: strategy.name().to_owned(),
        placements: problem.items.iter().zip(offsets).map(placement).collect(),
        peak,
        lower_bound: pressure.bytes,
        proven_bound: bound,
    };
    match problem.capacity.filter(|capacity| peak > *capacity) {
        None => Ok(plan),
        Some(capacity) => {
            let blamed = exact::blame(problem, alignments, capacity, pressure, bound, limits);
            Err(no_fit(problem, plan, capacity, pressure, blamed))
        }
    }
}

fn peak_of(problem: &Problem, offsets: &[Bytes]) -> Bytes {
    let placed = problem.items.iter().zip(offsets);
    let ends = placed.map(|(item, &offset)| end_of(item, offset));
    ends.max().unwrap_or_default()
}

/// Total bytes by which items extend past `bound`.
fn excess_of(problem: &Problem, offsets: &[Bytes], bound: Bytes) -> u128 {
    let ends = problem.items.iter().zip(offsets);
    let beyond = |(item, &offset): (&Item, &Bytes)| {
        u128::from(end_of(item, offset).get().saturating_sub(bound.get()))
    };
    ends.map(beyond).sum()
}

/// Per item: the alignment of its offset.
fn alignments(problem: &Problem, options: &PlanOptions) -> Result<Vec<Bytes>, PlanError> {
    let common = options.alignment.max(Bytes::new(1));
    let of_item = |item: &Item| {
        let alignment = item.alignment.max(common);
        let is_valid = item.alignment.is_power_of_two() && common.is_power_of_two();
        is_valid
            .then_some(alignment)
            .ok_or(PlanError::Alignment(alignment))
    };
    problem.items.iter().map(of_item).collect()
}

fn end_of(item: &Item, offset: Bytes) -> Bytes {
    // On overflow the end exceeds every limit.
    offset
        .checked_add(item.size)
        .unwrap_or(Bytes::new(u64::MAX))
}

/// Builds the error: the missing bytes, and the items to blame. These are the items that provably
/// do not fit together, if known; otherwise the items live at the point of maximum pressure, or at
/// the start of the item with the highest end.
fn no_fit(
    problem: &Problem,
    plan: Plan,
    capacity: Bytes,
    pressure: &Pressure,
    blamed: Option<Vec<usize>>,
) -> PlanError {
    let ends = problem.items.iter().zip(&plan.placements);
    let highest = ends
        .map(|(item, placement)| end_of(item, placement.offset))
        .enumerate()
        .max_by_key(|(_, end)| *end)
        .map(|(index, _)| index);
    let bound = plan.proven_bound;
    let is_proven = bound > capacity;
    let start_of = |index: usize| problem.items[index].hull().map(|hull| hull.start);
    // If the live bytes fit, the packing fails: report the item with the highest end.
    let point = match pressure.bytes > capacity {
        true => pressure.point,
        false => highest.and_then(start_of),
    };
    let point = point.unwrap_or(Point::early(mem_model::StepId::new(0)));
    let needed = match (pressure.bytes > capacity, is_proven) {
        (true, _) => pressure.bytes,
        (false, true) => bound,
        (false, false) => plan.peak,
    };
    let is_shown = |index: usize| match &blamed {
        Some(blamed) => blamed.contains(&index),
        None => {
            let is_highest = Some(index) == highest && pressure.bytes <= capacity;
            is_highest || problem.items[index].live().contains(point)
        }
    };
    let mut live: Vec<Occupant> = (0..problem.items.len())
        .filter(|index| is_shown(*index))
        .map(|index| Occupant::of(&problem.items[index], plan.placements[index].offset))
        .collect();
    live.sort_by_key(|occupant| (occupant.offset, occupant.buffer, occupant.slot));
    PlanError::NoFit(Box::new(NoFit {
        capacity,
        needed,
        missing: needed.checked_sub(capacity).unwrap_or_default(),
        is_proven,
        is_live_sum: pressure.bytes > capacity,
        point,
        live,
        plan,
    }))
}

//! Swaps for a program as it is: who is on the host when, with addresses.

use mem_model::{
    LevelId, LevelPlan, LevelProblem, Schedule, fastest_cycles, ideal_cycles, simulate,
};

use rayon::prelude::*;

use super::profile::{Profile, shared};
use super::timetable::{Timetable, Wishes};
use super::{Advice, OffloadPolicy};
use crate::levels::{LevelAnswer, LevelNoFit, LevelPolicy, end_late, overlap, plan_levels};

/// Steps of a program for which it takes no time to plan it in another way as well.
pub(super) const SMALL: usize = 100;

/// A plan by farthest next use, copies beside the computation.
pub(super) fn farthest(problem: &LevelProblem) -> Result<LevelPlan, LevelNoFit> {
    let plan = plan_levels(problem, LevelPolicy::FarthestNextUse)?;
    Ok(overlap(problem, &plan))
}

/// A plan without addresses.
pub(super) struct Scheduled<'a> {
    pub timetable: Timetable<'a>,
    pub plan: LevelPlan,
    pub schedule: Schedule,
}

/// The best timetable for so many bytes at each step: with copies beside steps that nobody makes wait, without, and beside steps
/// and waits of the better of both.
pub(super) fn schedule<'a>(
    problem: &'a LevelProblem,
    profile: &'a Profile,
    room: &'a [u64],
    wishes: &'a Wishes,
    nearly: f64,
) -> Option<Scheduled<'a>> {
    let mut times = vec![0_u64];
    for cycles in fastest_cycles(problem) {
        times.push(times[times.len() - 1].saturating_add(cycles));
    }
    let ideal = times[times.len() - 1];
    let attempt = |times: Vec<u64>| {
        let timetable = Timetable::new(problem, profile, times, room, wishes, nearly)?;
        let plan = timetable.plan();
        let schedule = simulate(problem, &plan);
        Some(Scheduled {
            timetable,
            plan,
            schedule,
        })
    };
    let better = |one: Scheduled<'a>, other: Option<Scheduled<'a>>| match other {
        Some(other) if other.schedule.makespan < one.schedule.makespan => other,
        _ => one,
    };
    let first = attempt(times)?;
    if first.schedule.makespan <= ideal {
        return Some(first);
    }
    let best = better(first, attempt(vec![0; problem.steps.len() + 1]));
    let begun = best.schedule.steps.iter().map(|span| span.start);
    let times = begun.chain([best.schedule.makespan]).collect();
    Some(better(best, attempt(times)))
}

/// How near to the best what goes first has to be, in what is tried many times, and then to see what is best: a little changes all
/// that comes behind it.
pub(super) const NEARLY: f64 = 0.8;
const NEARLIES: [f64; 4] = [NEARLY, 0.9, 1.0, 0.7];

/// Bytes that are planned for at each step: a little less than there is, so that there are addresses.
/// `needed`: those that cannot leave.
pub(super) fn less(profile: &Profile, needed: &[u64]) -> Vec<u64> {
    let less = profile.capacity - profile.capacity / 256;
    needed.iter().map(|needed| less.max(*needed)).collect()
}

/// Of how many that are about as good it is seen whether they have addresses.
const TRIED: usize = 3;

/// How often less is tried if addresses take more than there is.
const ROUNDS: usize = 16;

/// Swaps for a program as it is: who is on the host when, with addresses, copies beside the computation. None if addresses do
/// not fit, or steps accept tensors elsewhere than in level 0.
fn with_addresses(problem: &LevelProblem, wishes: &Wishes) -> Option<LevelPlan> {
    let profile = Profile::new(problem)?;
    let needed = profile.needed(&wishes.stays);
    let less = less(&profile, &needed);
    let mut room = vec![profile.capacity; problem.steps.len()];
    for round in 0..ROUNDS {
        let rooms: &[&Vec<u64>] = if round == 0 {
            &[&room, &less]
        } else {
            &[&room]
        };
        let each = |room| NEARLIES.iter().map(move |nearly| (room, *nearly));
        let ways: Vec<(&Vec<u64>, f64)> = rooms.iter().flat_map(|room| each(*room)).collect();
        let found = ways
            .into_par_iter()
            .filter_map(|(room, nearly)| schedule(problem, &profile, room, wishes, nearly));
        let mut found: Vec<Scheduled> = found.collect();
        found.sort_by_key(|own| own.schedule.makespan);
        let least = found.first()?.schedule.makespan;
        found.retain(|own| own.schedule.makespan <= least + least / 100);
        found.truncate(TRIED);
        let mut placed = Vec::new();
        for own in found {
            let mut plan = own.plan;
            let peak = own.timetable.place(&mut plan, profile.capacity)?;
            if peak <= profile.capacity {
                let late = end_late(problem, &plan);
                let makespan = |plan: &LevelPlan| simulate(problem, plan).makespan;
                return Some(match makespan(&late) < makespan(&plan) {
                    true => late,
                    false => plan,
                });
            }
            placed.push((peak, plan));
        }
        let (peak, plan) = placed.swap_remove(0);
        // Less room where addresses are too high; later everywhere.
        let missing = (peak - profile.capacity).max(profile.capacity / 512).max(1);
        let mut is_short = vec![round >= ROUNDS / 2; problem.steps.len()];
        for own in plan
            .placements
            .iter()
            .filter(|own| own.level == LevelId::new(0))
        {
            let size = problem.tensors[own.tensor].size;
            let end = own.offset.and_then(|offset| offset.checked_add(size));
            if end.is_some_and(|end| end.get() > profile.capacity) {
                is_short[own.steps.start..own.steps.end].fill(true);
            }
        }
        let steps = room.iter_mut().zip(&needed).zip(&is_short);
        for ((room, needed), _) in steps.filter(|(_, is_short)| **is_short) {
            *room = room.saturating_sub(missing).max(*needed);
        }
    }
    None
}

/// Swaps for a program as it is, all operands in level 0, copies beside the computation. What is copied away and back follows from
/// `policy` only if that is farthest next use.
///
/// # Errors
/// If a step does not fit, with the tensors that are pinned.
pub fn plan_swaps(
    problem: &LevelProblem,
    policy: OffloadPolicy,
    advice: &Advice,
) -> Result<LevelAnswer, LevelNoFit> {
    let wishes = advice.wishes(problem);
    check_widest(problem, &wishes)?;
    let answer = |plan: LevelPlan, strategy: &'static str| LevelAnswer {
        plan,
        strategy,
        lower_bound: 0,
    };
    let farthest = || {
        let plan = farthest(problem)?;
        Ok(answer(plan, LevelPolicy::FarthestNextUse.name()))
    };
    if policy == OffloadPolicy::FarthestNextUse {
        return farthest();
    }
    let Some(plan) = with_addresses(problem, &wishes) else {
        return farthest();
    };
    let own = answer(plan, TIMETABLE);
    let makespan = |answer: &LevelAnswer| simulate(problem, &answer.plan).makespan;
    let ideal = ideal_cycles(problem);
    let is_good = makespan(&own) <= ideal + ideal / 50 && problem.steps.len() > SMALL;
    if advice.has_pins() || is_good {
        return Ok(own);
    }
    Ok(match farthest() {
        Ok(other) if makespan(&other) < makespan(&own) => other,
        _ => own,
    })
}

/// What found a plan.
const TIMETABLE: &str = "timetable";

/// Bytes of level 0 that the widest step needs, whoever leaves, and those of all that is ever live at once if nobody does; `None`: level 0 has
/// no limit, or steps accept tensors elsewhere. Linear.
#[must_use]
pub fn widths(problem: &LevelProblem) -> Option<(u64, u64)> {
    let profile = Profile::new(problem)?;
    let nobody = vec![false; problem.tensors.len()];
    let widest = profile.needed(&nobody).into_iter().max().unwrap_or(0);
    Some((widest, profile.used.iter().copied().max().unwrap_or(0)))
}

/// The step that needs most bytes of level 0, whichever other tensors leave it: no plan does with fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidestStep {
    /// The first such step.
    pub step: usize,
    /// Bytes that it needs, results in the place of operands counted once.
    pub bytes: u64,
    /// Bytes that there are.
    pub capacity: u64,
    /// Tensors that cannot leave, and the bytes that each takes with its address aligned; in their order.
    pub tensors: Vec<(usize, u64)>,
    /// Operands whose bytes results take over: the operand, the result, and how many bytes.
    pub taken_over: Vec<(usize, usize, u64)>,
}

/// The widest step, with the tensors that `advice` pins; `None`: level 0 has no limit, or steps accept tensors elsewhere.
/// Linear.
#[must_use]
pub fn widest_step(problem: &LevelProblem, advice: &Advice) -> Option<WidestStep> {
    widest(problem, &advice.wishes(problem).stays)
}

fn widest(problem: &LevelProblem, stays: &[bool]) -> Option<WidestStep> {
    let profile = Profile::new(problem)?;
    let needed = profile.needed(stays);
    let steps = needed.iter().copied().enumerate();
    let (step, bytes) = steps.max_by_key(|(step, used)| (*used, usize::MAX - step))?;
    let is_there = |tensor: &usize| {
        let life = profile.lives[*tensor];
        let mut gaps = profile.gaps[profile.gaps_of(*tensor)].iter();
        life.is_some_and(|life| life.contains(step))
            && !gaps.any(|gap| gap.steps.contains(step) && (gap.is_dead || !stays[*tensor]))
    };
    let tensors = (0..problem.tensors.len()).filter(is_there);
    let tensors = tensors.map(|tensor| (tensor, profile.sizes[tensor]));
    Some(WidestStep {
        step,
        bytes,
        capacity: profile.capacity,
        tensors: tensors.collect(),
        taken_over: shared(problem, &profile.sizes, step),
    })
}

/// Whether each step has room for what cannot leave.
///
/// # Errors
/// The step that has least.
pub(super) fn check_widest(problem: &LevelProblem, wishes: &Wishes) -> Result<(), LevelNoFit> {
    let widest = widest(problem, &wishes.stays);
    let Some(widest) = widest.filter(|own| own.bytes > own.capacity) else {
        return Ok(());
    };
    let largest = widest.tensors.iter().max_by_key(|(_, bytes)| *bytes);
    Err(LevelNoFit {
        step: widest.step,
        tensor: largest.map_or(0, |(tensor, _)| *tensor),
        level: LevelId::new(0),
        missing: widest.bytes - widest.capacity,
        alive: widest.tensors.iter().map(|(tensor, _)| *tensor).collect(),
    })
}

//! Swap plans for a program without further repetitions: which tensors are on the host when, with
//! addresses.

use std::sync::OnceLock;

use mem_cost::{Schedule, ideal_cycles, ideal_times, simulate};
use mem_model::{LevelId, LevelPlacement, LevelPlan, LevelProblem};

use rayon::prelude::*;

use super::profile::Profile;
use super::timetable::{Timetable, Wishes};
use super::{Advice, OffloadPolicy, is_within, tuning, widest};
use crate::levels::{LevelAnswer, LevelNoFit, LevelPolicy, end_late, overlap, plan_levels};

/// Plan by farthest next use, with copies that overlap computation.
pub(super) fn farthest(problem: &LevelProblem) -> Result<LevelPlan, LevelNoFit> {
    let plan = plan_levels(problem, LevelPolicy::FarthestNextUse)?;
    Ok(overlap(problem, &plan))
}

/// A plan without addresses, and its schedule.
pub(super) struct Scheduled<'a> {
    pub timetable: Timetable<'a>,
    pub plan: LevelPlan,
    pub schedule: Schedule,
}

/// Best timetable for `room[step]` bytes at each step. Tries three timelines for hidden copies:
/// that of the program without stalls, none at all, and that of the better schedule of the two,
/// stalls included.
pub(super) fn schedule<'a>(
    problem: &'a LevelProblem,
    profile: &'a Profile,
    room: &'a [u64],
    wishes: &'a Wishes,
    nearly: f64,
) -> Option<Scheduled<'a>> {
    // Copies hide in the time that the program waits for messages as well.
    let times = ideal_times(problem);
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
    // If not even this one fits, the others do not: forced copies need no timeline.
    let first = attempt(times)?;
    // Nothing stalls, so that no other timeline can be better.
    if first.schedule.makespan <= ideal {
        return Some(first);
    }
    let best = better(first, attempt(vec![0; problem.steps.len() + 1]));
    // Stalls of the best schedule are time in which other copies can hide.
    let begun = best.schedule.steps.iter().map(|span| span.start);
    let times = begun.chain([best.schedule.makespan]).collect();
    Some(better(best, attempt(times)))
}

/// Bytes to plan for at each step: the capacity, or `needed`, the bytes that cannot leave. They may
/// fit even if they exceed the capacity with their padding.
pub(super) fn all(profile: &Profile, needed: &[u64]) -> Vec<u64> {
    at_least(needed, profile.capacity)
}

/// Bytes to plan for at each step: slightly less than the capacity, by the divisor `slack`, to leave
/// slack for packing, but at least `needed`, the bytes that cannot leave.
pub(super) fn less(profile: &Profile, needed: &[u64], slack: u64) -> Vec<u64> {
    let less = profile.capacity - profile.capacity / slack;
    at_least(needed, less)
}

fn at_least(needed: &[u64], bytes: u64) -> Vec<u64> {
    needed.iter().map(|needed| bytes.max(*needed)).collect()
}

/// How far a search for a plan with addresses has come.
pub(super) enum Progress {
    /// The plan, with copies that overlap computation.
    Found(LevelPlan),
    /// The next timetable takes longer than was asked for: so many cycles.
    Longer(u64),
    /// Where the last packing that was tried does not fit; `None` if none was tried: steps use tensors outside
    /// of level 0, or there is no timetable.
    Failed(Option<LevelNoFit>),
}

/// A search for a plan with addresses, in rounds: each packs the best timetables for less room than the last
/// one. It can be left and taken up again between rounds.
pub(super) struct Rounds {
    profile: Profile,
    /// Per step: bytes of the tensors that cannot leave.
    needed: Vec<u64>,
    /// Per step: bytes to plan for, in the next round.
    room: Vec<u64>,
    /// The same with slack for packing, in the first round.
    less: Vec<u64>,
    round: usize,
    /// The plan of the last round, and how many rounds have left it as it was.
    last: Option<LevelPlan>,
    n_same: u32,
    /// Where the last packing did not fit.
    short: Option<LevelNoFit>,
    /// The packing of the next round, if it is known already.
    missed: Option<Short>,
}

/// What packing the timetables of a round has led to.
enum Packing {
    /// The plan, with copies that overlap computation.
    Fits(LevelPlan),
    /// The best timetable takes so many cycles, which is longer than was asked for.
    Longer(u64),
    Short(Short),
}

/// The best timetable of a round, none of which fits with its addresses.
struct Short {
    makespan: u64,
    plan: LevelPlan,
    /// Bytes that its packing takes.
    peak: u64,
}

impl Rounds {
    /// `None` if steps use tensors outside of level 0.
    pub(super) fn new(problem: &LevelProblem, wishes: &Wishes) -> Option<Self> {
        let profile = Profile::new(problem)?;
        let needed = profile.needed(&wishes.stays);
        Some(Self {
            room: all(&profile, &needed),
            less: less(&profile, &needed, tuning::SLACK),
            needed,
            profile,
            round: 0,
            last: None,
            n_same: 0,
            short: None,
            missed: None,
        })
    }

    /// Packs the timetables of the first round. Returns the first of the plans that has addresses; if none
    /// has, [`Self::run`] goes on from here.
    pub(super) fn at_once(&mut self, problem: &LevelProblem, wishes: &Wishes) -> Option<LevelPlan> {
        match self.packed(problem, wishes, u64::MAX)? {
            Packing::Fits(plan) => Some(plan),
            Packing::Short(short) => {
                self.missed = Some(short);
                None
            }
            Packing::Longer(_) => None,
        }
    }

    /// Goes on as long as timetables take at most `most` cycles. `problem` and `wishes` are those of
    /// [`Self::new`].
    pub(super) fn run(&mut self, problem: &LevelProblem, wishes: &Wishes, most: u64) -> Progress {
        let capacity = self.profile.capacity;
        while self.round < tuning::PACK_ROUNDS {
            let known = self.missed.take().map(Packing::Short);
            let short = match known.or_else(|| self.packed(problem, wishes, most)) {
                None => break,
                Some(Packing::Fits(plan)) => return Progress::Found(plan),
                Some(Packing::Longer(makespan)) => return Progress::Longer(makespan),
                Some(Packing::Short(short)) => short,
            };
            if short.makespan > most {
                let makespan = short.makespan;
                self.missed = Some(short);
                return Progress::Longer(makespan);
            }
            self.short = short_of(problem, &short.plan, capacity);
            if !self.shrink(problem, short.plan, short.peak) {
                break;
            }
            self.round += 1;
        }
        // Taken up again, it fails again.
        self.round = tuning::PACK_ROUNDS;
        Progress::Failed(self.short.clone())
    }

    /// Packs the timetables of the next round, unless the best takes more than `most` cycles. `None` if there are
    /// none, or if the host overflows: less room on the device would only make that worse.
    fn packed(&self, problem: &LevelProblem, wishes: &Wishes, most: u64) -> Option<Packing> {
        let capacity = self.profile.capacity;
        let found = self.timetables(problem, wishes);
        let makespan = found.first()?.schedule.makespan;
        if makespan > most {
            return Some(Packing::Longer(makespan));
        }
        let effort = match problem.steps.len() > tuning::SMALL {
            true => tuning::EARLY_EFFORT,
            false => tuning::PACK_EFFORT,
        };
        // The best one tells where room is short, even if the others exceed the capacity by less.
        let best = OnceLock::new();
        let found: Vec<(usize, Scheduled)> = found.into_iter().enumerate().collect();
        // The first in order, so that the threads do not matter.
        let fits = found.into_par_iter().find_map_first(|(index, own)| {
            let mut plan = own.plan;
            let mut peak = own.timetable.place(&mut plan, capacity, effort);
            let is_near =
                |peak: u64| peak > capacity && is_within(peak, capacity, tuning::NEARLY_PACKED);
            if effort < tuning::PACK_EFFORT && peak.is_some_and(is_near) {
                peak = own
                    .timetable
                    .place(&mut plan, capacity, tuning::PACK_EFFORT);
            }
            if peak.is_some_and(|peak| peak <= capacity) {
                return Some(plan);
            }
            if index == 0 {
                // Set once, by the first.
                let _ = best.set((peak, plan));
            }
            None
        });
        if let Some(plan) = fits {
            return Some(Packing::Fits(awaited_late(problem, plan)));
        }
        let (peak, plan) = best.into_inner()?;
        Some(Packing::Short(Short {
            makespan,
            peak: peak?,
            plan,
        }))
    }

    /// The few best timetables of the next round, the best first.
    fn timetables<'a>(
        &'a self,
        problem: &'a LevelProblem,
        wishes: &'a Wishes,
    ) -> Vec<Scheduled<'a>> {
        // The first round also tries a uniform margin; later rounds shrink `room` where the packing failed.
        let rooms: &[&Vec<u64>] = match self.round {
            0 => &[&self.room, &self.less],
            _ => &[&self.room],
        };
        near_optimal(problem, &self.profile, rooms, wishes)
    }

    /// Less room for the next round, after a packing of `plan` has taken `peak` bytes. Returns whether that may
    /// change anything.
    fn shrink(&mut self, problem: &LevelProblem, plan: LevelPlan, peak: u64) -> bool {
        let capacity = self.profile.capacity;
        let is_same = self.last.as_ref() == Some(&plan);
        self.n_same = if is_same { self.n_same + 1 } else { 0 };
        // All that can leave has left: the rest has no addresses, whatever room there is.
        if self.n_same == tuning::SAME_ROUNDS {
            return false;
        }
        // A conflict over a few bytes needs a larger change: with small ones, the rounds would run
        // out first.
        let missing = (peak - capacity).clamp(
            capacity / tuning::LEAST_REDUCTION,
            capacity / tuning::MOST_REDUCTION,
        );
        // Nothing has left for want of so little.
        let missing = missing.saturating_mul(tuning::LARGER_REDUCTION.pow(self.n_same));
        // Less room at the steps where the packing exceeds the capacity. Taking room from single
        // steps may move the conflict to others, round after round: in later rounds, at all steps.
        let is_late = self.round >= tuning::PACK_ROUNDS / 2;
        let is_short = short_steps(problem, &plan, capacity, is_late);
        let steps = self.room.iter_mut().zip(&self.needed).zip(&is_short);
        for ((room, needed), _) in steps.filter(|(_, is_short)| **is_short) {
            // With less than `needed`, there would be no timetable at all.
            *room = room.saturating_sub(missing).max(*needed);
        }
        self.last = Some(plan);
        true
    }
}

/// Describes the tensor of a plan that ends farthest above the capacity. `None` if all end below.
pub(super) fn short_of(
    problem: &LevelProblem,
    plan: &LevelPlan,
    capacity: u64,
) -> Option<LevelNoFit> {
    let (highest, end) = device_ends(problem, plan).max_by_key(|(_, end)| *end)?;
    let step = highest.steps.start;
    let missing = end.checked_sub(capacity).filter(|missing| *missing > 0)?;
    let is_there = |own: &&LevelPlacement| own.level == LevelId::DEVICE && own.steps.contains(step);
    let alive = plan.placements.iter().filter(is_there);
    Some(LevelNoFit {
        step,
        tensor: highest.tensor,
        level: LevelId::DEVICE,
        missing,
        alive: alive.map(|own| own.tensor).collect(),
    })
}

/// The few best timetables, the best first, all within one percent of it.
fn near_optimal<'a>(
    problem: &'a LevelProblem,
    profile: &'a Profile,
    rooms: &[&'a Vec<u64>],
    wishes: &'a Wishes,
) -> Vec<Scheduled<'a>> {
    let each = |room| tuning::NEARLIES.iter().map(move |nearly| (room, *nearly));
    let ways: Vec<(&'a Vec<u64>, f64)> = rooms.iter().flat_map(|room| each(*room)).collect();
    // Parallel, but collected in the order of `ways`, and the sort below is stable: ties do not
    // depend on the threads.
    let found = ways
        .into_par_iter()
        .filter_map(|(room, nearly)| schedule(problem, profile, room, wishes, nearly));
    let mut found: Vec<Scheduled> = found.collect();
    found.sort_by_key(|own| own.schedule.makespan);
    let least = found.first().map_or(0, |own| own.schedule.makespan);
    found.retain(|own| is_within(own.schedule.makespan, least, tuning::NEAR_OPTIMAL));
    // Packing takes longer than a timetable, so only a few are packed.
    found.truncate(tuning::TRIED);
    found
}

/// The plan with copies awaited late, if that shortens the makespan.
fn awaited_late(problem: &LevelProblem, plan: LevelPlan) -> LevelPlan {
    let late = end_late(problem, &plan);
    let makespan = |plan: &LevelPlan| simulate(problem, plan).makespan;
    match makespan(&late) < makespan(&plan) {
        true => late,
        false => plan,
    }
}

/// Per step: whether a tensor lies above the capacity then; or all steps.
fn short_steps(problem: &LevelProblem, plan: &LevelPlan, capacity: u64, all: bool) -> Vec<bool> {
    let mut is_short = vec![all; problem.steps.len()];
    for (own, end) in device_ends(problem, plan) {
        if end > capacity {
            is_short[own.steps.start..own.steps.end].fill(true);
        }
    }
    is_short
}

/// The placements with an address on the device, with the end of each.
fn device_ends<'a>(
    problem: &LevelProblem,
    plan: &'a LevelPlan,
) -> impl Iterator<Item = (&'a LevelPlacement, u64)> {
    let placements = plan.placements.iter();
    let on_device = placements.filter(|own| own.level == LevelId::DEVICE);
    on_device.filter_map(|own| {
        let size = problem.tensors[own.tensor.index()].size;
        Some((own, own.offset?.checked_add(size)?.get()))
    })
}

/// Plans swaps for a program without further repetitions. All operands are in level 0, and copies
/// overlap computation. `policy` affects the choice of tensors to evict only if it is
/// `farthest-next-use`, and no tensor is pinned.
///
/// # Errors
/// If a step does not fit together with the pinned tensors, or no packing of them fits.
pub fn plan_swaps(
    problem: &LevelProblem,
    policy: OffloadPolicy,
    advice: &Advice,
) -> Result<LevelAnswer, LevelNoFit> {
    let wishes = Wishes::new(advice, problem);
    widest::check(problem, &wishes)?;
    // Farthest next use knows no pins, and would move the tensors.
    if policy == OffloadPolicy::FarthestNextUse && !advice.has_pins() {
        return farthest_answer(problem);
    }
    let found = match Rounds::new(problem, &wishes) {
        Some(mut rounds) => rounds.run(problem, &wishes, u64::MAX),
        None => Progress::Failed(None),
    };
    finished(problem, advice, found)
}

/// The answer after a search for addresses: its plan, or that of farthest next use if that is shorter.
///
/// # Errors
/// If there is no plan.
pub(super) fn finished(
    problem: &LevelProblem,
    advice: &Advice,
    found: Progress,
) -> Result<LevelAnswer, LevelNoFit> {
    let farthest = || farthest_answer(problem);
    let plan = match found {
        Progress::Found(plan) => plan,
        Progress::Failed(Some(short)) if advice.has_pins() => return Err(short),
        // Farthest next use assigns addresses as it goes, and may fit where timetables do not.
        Progress::Failed(_) | Progress::Longer(_) => return farthest(),
    };
    let own = answer(plan);
    let makespan = |answer: &LevelAnswer| simulate(problem, &answer.plan).makespan;
    let ideal = ideal_cycles(problem);
    // Within two percent of the ideal, a large program is not planned a second time.
    let is_good =
        is_within(makespan(&own), ideal, tuning::GOOD) && problem.steps.len() > tuning::SMALL;
    if advice.has_pins() || is_good {
        return Ok(own);
    }
    Ok(match farthest() {
        Ok(other) if makespan(&other) < makespan(&own) => other,
        _ => own,
    })
}

/// The answer of farthest next use.
fn farthest_answer(problem: &LevelProblem) -> Result<LevelAnswer, LevelNoFit> {
    Ok(LevelAnswer {
        strategy: LevelPolicy::FarthestNextUse.name(),
        ..answer(farthest(problem)?)
    })
}

/// The answer whose plan comes from a timetable.
pub(super) fn answer(plan: LevelPlan) -> LevelAnswer {
    LevelAnswer {
        plan,
        strategy: "timetable",
        lower_bound: 0,
    }
}

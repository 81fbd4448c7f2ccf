//! The search for the smallest peak, and for the groups that stay within a capacity: dynamic
//! programming over the positions where a group can start and end.
//!
//! The peak of a group is the bytes of its windows, and of all whole buffers that are live during
//! any of its operations: a loop over tiles accesses all of them until its end. It does not depend
//! on other groups. So the plan within a capacity that copies least, or that executes the fewest
//! iterations in addition, is a shortest path over positions. The least peak is the least capacity
//! with such a plan, found by bisection.

use mem_model::Bytes;

use super::footprint::Keep;
use super::group::Group;
use super::profile::Profile;
use super::schedule::{Schedule, TileSize};
use super::search::{Rules, Tiling, cheapest_path, visit_groups};
use super::tuning;

/// The groups of a program that take less memory tile by tile.
pub(super) struct PeakSearch<'a> {
    profile: &'a Profile<'a>,
    rules: Rules,
    /// Groups by their end.
    candidates: Vec<Vec<Candidate>>,
}

/// A group that takes less memory tile by tile.
#[derive(Clone, Debug)]
struct Candidate {
    /// The group, with the smallest tiles that keep rows; `None` if rows may not be kept.
    kept: Option<Way>,
    /// The group with tiles that compute rows again, of several sizes, the smallest first.
    repeated: Vec<Way>,
    /// Bytes of whole buffers.
    whole: u64,
}

/// A group with tiles of some size.
#[derive(Clone, Copy, Debug)]
struct Way {
    tiling: Tiling,
    /// Bytes in use.
    peak: u64,
    /// Iterations that are executed in addition.
    repeated: u64,
}

impl Candidate {
    /// All ways to execute the group within a capacity, those of fewer additional iterations first.
    fn within(&self, capacity: u64) -> impl Iterator<Item = &Way> {
        let all = self.kept.iter().chain(self.repeated.iter().rev());
        all.filter(move |way| way.peak <= capacity)
    }
}

impl<'a> PeakSearch<'a> {
    /// Finds all candidates. Takes time O(cuts² · operations of a group · dimensions).
    pub(super) fn new(profile: &'a Profile<'a>, rules: Rules) -> Self {
        let mut candidates = vec![Vec::new()];
        let highest = profile.peak().get();
        for end in 1..=profile.program.operations.len() {
            let mut found = Vec::new();
            if profile.is_end(end) {
                visit_groups(profile, end, |group, dimension| {
                    if profile.crossing[group.first()] < highest {
                        found.extend(candidate(profile, rules, group, dimension));
                    }
                    true
                });
            }
            candidates.push(found);
        }
        Self {
            profile,
            rules,
            candidates,
        }
    }

    /// The groups of least cost whose peak is at most `capacity`, or the least possible if that is
    /// larger.
    pub(super) fn within(&self, capacity: Bytes) -> Option<Vec<Tiling>> {
        let capacity = capacity.get().max(self.least_peak());
        let cheapest =
            self.cheapest(capacity, |candidate| self.largest_tile(candidate, capacity))?;
        let repeated = |tilings: &[Tiling]| {
            let of_group = |own: &Tiling| {
                let schedule = self.profile.schedule(&own.grown(self.profile));
                schedule.repeated(own.size, own.keep)
            };
            tilings.iter().map(of_group).sum::<u64>()
        };
        if repeated(&cheapest) <= self.most_repeated() {
            return Some(cheapest);
        }
        self.cheapest(capacity, |candidate| least_repeated(candidate, capacity))
    }

    /// The largest number of iterations that may be executed in addition.
    fn most_repeated(&self) -> u64 {
        let operations = self.profile.program.operations.iter();
        let all = operations.map(|own| own.iterations().unsigned_abs());
        let all = u128::from(all.fold(0, u64::saturating_add));
        let most = all * u128::from(self.rules.extra_work()) / 100;
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// The least peak that groups reach with as many additional iterations as are allowed. Takes time
    /// O(candidates · log candidates).
    fn least_peak(&self) -> u64 {
        let ways = |own: &Candidate| {
            let all = own.kept.iter().chain(&own.repeated);
            all.map(|way| way.peak).collect::<Vec<_>>()
        };
        let groups = self.candidates.iter().flatten().flat_map(ways);
        let mut peaks: Vec<u64> = self.profile.live.iter().copied().chain(groups).collect();
        peaks.sort_unstable();
        peaks.dedup();
        let most = self.most_repeated();
        let at = peaks.partition_point(|peak| {
            let repeated = self.path(*peak, |candidate| least_repeated(candidate, *peak));
            repeated.is_none_or(|(_, repeated)| repeated > most)
        });
        peaks.get(at).copied().unwrap_or(0)
    }

    /// The groups of least cost whose peak is at most `capacity`; `None` if there are none. `choose`
    /// yields the cheapest way to execute a group within the capacity, and its cost.
    fn cheapest(
        &self,
        capacity: u64,
        choose: impl Fn(&Candidate) -> Option<(Tiling, u64)>,
    ) -> Option<Vec<Tiling>> {
        self.path(capacity, choose).map(|(tilings, _)| tilings)
    }

    fn path(
        &self,
        capacity: u64,
        choose: impl Fn(&Candidate) -> Option<(Tiling, u64)>,
    ) -> Option<(Vec<Tiling>, u64)> {
        let untiled = |at: usize| (self.profile.live[at] <= capacity).then_some(0);
        cheapest_path(self.profile.live.len(), untiled, |end| {
            self.candidates[end].iter().filter_map(&choose)
        })
    }

    /// A group with the largest tiles with which it stays within a capacity, and its cost.
    fn largest_tile(&self, candidate: &Candidate, capacity: u64) -> Option<(Tiling, u64)> {
        let operations = |tiling: &Tiling| (tiling.end - tiling.first) as u64;
        let code = |tiling: &Tiling| operations(tiling) * tuning::COST_OF_OPERATION;
        let repeated = candidate.repeated.iter().rfind(|way| way.peak <= capacity);
        let repeated = repeated.map(|way| {
            let cost = way.repeated.saturating_add(code(&way.tiling));
            (way.tiling, cost)
        });
        let kept = candidate.kept.filter(|way| way.peak <= capacity);
        let kept = kept.map(|way| {
            let (tiling, copied) = self.largest_keeping(candidate, way.tiling, capacity);
            (tiling, copied.saturating_add(code(&tiling)))
        });
        kept.into_iter()
            .chain(repeated)
            .min_by_key(|(_, cost)| *cost)
    }

    /// The largest tiles that keep rows within a capacity, and the bytes that they copy.
    fn largest_keeping(
        &self,
        candidate: &Candidate,
        tiling: Tiling,
        capacity: u64,
    ) -> (Tiling, u64) {
        let schedule = self.profile.schedule(&tiling.grown(self.profile));
        let footprint = |size: TileSize| {
            let (tiles, windows) = schedule.windows(size, tiling.keep);
            schedule.footprint_of(&windows, tiles, tiling.keep)
        };
        let mut best = (tiling.size, footprint(tiling.size));
        while best.0.iterations * 2 < schedule.extent() {
            let size = best.0.doubled();
            let next = footprint(size);
            if candidate.whole + next.peak > capacity {
                break;
            }
            best = (size, next);
        }
        let footprint = best.1;
        let tiles = footprint.tiles.unsigned_abs();
        let tiling = Tiling {
            size: best.0,
            ..tiling
        };
        (tiling, footprint.copied.saturating_mul(tiles))
    }
}

/// The way to execute a group within a capacity that repeats the fewest iterations, and their number.
fn least_repeated(candidate: &Candidate, capacity: u64) -> Option<(Tiling, u64)> {
    let ways = candidate.within(capacity);
    ways.map(|way| (way.tiling, way.repeated))
        .min_by_key(|(_, repeated)| *repeated)
}

fn candidate(
    profile: &Profile<'_>,
    rules: Rules,
    group: &Group<'_>,
    dimension: usize,
) -> Option<Candidate> {
    let whole = profile.whole(group);
    let during = &profile.live[group.first()..group.end()];
    let untiled = during.iter().copied().max()?;
    if whole >= untiled {
        return None;
    }
    let schedule = profile.schedule(group);
    let way = |(size, keep, peak): (TileSize, Keep, u64)| {
        let tiling = Tiling {
            first: group.first(),
            end: group.end(),
            dimension,
            size,
            keep,
        };
        let repeated = || schedule.repeated(size, keep);
        let peak = whole + peak;
        (peak < untiled).then(|| Way {
            tiling,
            peak,
            repeated: repeated(),
        })
    };
    let kept = rules.may_keep();
    let kept = kept.then(|| smallest_tiles(&schedule, profile.is_small()).and_then(way));
    let sizes = || std::iter::successors(Some(1), |size| Some(size * 2));
    let sizes = rules.may_recompute().then(sizes).into_iter().flatten();
    let sizes = sizes.take_while(|size| *size < schedule.extent());
    let repeated = sizes.filter_map(|size| {
        let (size, keep) = (TileSize::of(size), Keep::Recompute);
        let (tiles, windows) = schedule.windows(size, keep);
        way((
            size,
            keep,
            schedule.footprint_of(&windows, tiles, keep).peak,
        ))
    });
    let found = Candidate {
        kept: kept.flatten(),
        repeated: repeated.collect(),
        whole,
    };
    (found.kept.is_some() || !found.repeated.is_empty()).then_some(found)
}

/// The tiles that take the least memory: their size, how rows are kept, and the bytes. `None` if tiles
/// of all sizes make too much code.
fn smallest_tiles(schedule: &Schedule<'_>, finely: bool) -> Option<(TileSize, Keep, u64)> {
    let is_short = |size: &TileSize| schedule.code(*size) <= tuning::MAX_CODE;
    let whole = std::iter::successors(Some(TileSize::of(1)), |size| Some(size.doubled()));
    let mut whole = whole.take_while(|size| size.iterations <= schedule.extent());
    // Larger tiles of whole iterations only take more memory.
    let sizes = schedule.parts(finely).filter(is_short);
    let sizes = sizes.chain(whole.find(is_short)).map(|size| {
        let (keep, peak) = least_footprint(schedule, size, finely);
        (size, keep, peak)
    });
    // Of equal ones, the largest.
    sizes.reduce(|best, own| if own.2 <= best.2 { own } else { best })
}

/// How rows are kept with tiles of a size, and the bytes that this takes. `finely`: if it may differ
/// from window to window.
fn least_footprint(schedule: &Schedule<'_>, size: TileSize, finely: bool) -> (Keep, u64) {
    let (tiles, windows) = schedule.windows(size, Keep::Apart);
    let peak = |keep: Keep| match finely {
        true => schedule.choose_in_place(&windows, tiles, keep).1.peak,
        false => schedule.footprint_of(&windows, tiles, keep).peak,
    };
    let [apart, in_place] = [Keep::Apart, Keep::InPlace].map(peak);
    match in_place <= apart {
        true => (Keep::InPlace, in_place),
        false => (Keep::Apart, apart),
    }
}

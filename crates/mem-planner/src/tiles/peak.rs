//! The search for the smallest peak, and for the groups that stay within a capacity: dynamic
//! programming over the positions where a group can start and end.
//!
//! The peak of a group is the bytes of its windows, and of all whole buffers that are live during
//! any of its operations: a loop over tiles accesses all of them until its end. It does not depend
//! on other groups. So the least peak is a shortest path over positions, where the length of a path
//! is that of its longest edge; and, among the plans within a capacity, the one that copies least is
//! a shortest path as usual.

use mem_model::Bytes;

use super::footprint::Keep;
use super::group::Group;
use super::profile::Profile;
use super::schedule::{Schedule, TileSize};
use super::search::{Tiling, cheapest_path, visit_groups};
use super::tuning;

/// The groups of a program that take less memory tile by tile.
pub(super) struct PeakSearch<'a> {
    profile: &'a Profile<'a>,
    /// Groups by their end.
    candidates: Vec<Vec<Candidate>>,
}

/// A group that takes less memory tile by tile.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The group, with the smallest tiles.
    tiling: Tiling,
    /// Bytes of whole buffers.
    whole: u64,
    /// Bytes in use.
    peak: u64,
}

impl<'a> PeakSearch<'a> {
    /// Finds all candidates. Takes time O(cuts² · operations of a group · dimensions).
    pub(super) fn new(profile: &'a Profile<'a>) -> Self {
        let mut candidates = vec![Vec::new()];
        let highest = profile.peak().get();
        for end in 1..=profile.program.operations.len() {
            let mut found = Vec::new();
            if profile.is_end(end) {
                visit_groups(profile, end, |group, dimension| {
                    if profile.crossing[group.first()] < highest {
                        found.extend(candidate(profile, group, dimension));
                    }
                    true
                });
            }
            candidates.push(found);
        }
        Self {
            profile,
            candidates,
        }
    }

    /// The groups of least cost whose peak is at most `capacity`, or the least possible if that is
    /// larger.
    pub(super) fn within(&self, capacity: Bytes) -> Option<Vec<Tiling>> {
        self.cheapest(capacity.max(self.least_peak()))
    }

    /// The least peak that groups reach.
    fn least_peak(&self) -> Bytes {
        let mut least = vec![0_u64; self.candidates.len()];
        for end in 1..least.len() {
            let untiled = least[end - 1].max(self.profile.live[end - 1]);
            let groups = self.candidates[end].iter();
            let tiled = groups.map(|group| least[group.tiling.first].max(group.peak));
            least[end] = tiled.fold(untiled, u64::min);
        }
        Bytes::new(least[least.len() - 1])
    }

    /// The groups of least cost whose peak is at most `capacity`; `None` if there are none.
    fn cheapest(&self, capacity: Bytes) -> Option<Vec<Tiling>> {
        let untiled = |at: usize| (self.profile.live[at] <= capacity.get()).then_some(0);
        cheapest_path(self.profile.live.len(), untiled, |end| {
            let groups = self.candidates[end].iter();
            let groups = groups.filter(|candidate| candidate.peak <= capacity.get());
            groups.map(|candidate| self.largest_tile(candidate, capacity))
        })
    }

    /// A group with the largest tiles with which it stays within a capacity, and its cost.
    fn largest_tile(&self, candidate: &Candidate, capacity: Bytes) -> (Tiling, u64) {
        let tiling = candidate.tiling;
        let schedule = self.profile.schedule(&tiling.grown(self.profile));
        let footprint = |size: TileSize| {
            let (tiles, windows) = schedule.windows(size);
            schedule.footprint_of(&windows, tiles, tiling.keep)
        };
        let mut best = (tiling.size, footprint(tiling.size));
        while best.0.iterations * 2 < schedule.extent() {
            let size = best.0.doubled();
            let next = footprint(size);
            if candidate.whole + next.peak > capacity.get() {
                break;
            }
            best = (size, next);
        }
        let footprint = best.1;
        let tiles = footprint.tiles.unsigned_abs();
        let copied = footprint.copied.saturating_mul(tiles);
        let operations = (tiling.end - tiling.first) as u64;
        let code = operations * tuning::COST_OF_OPERATION;
        let tiling = Tiling {
            size: best.0,
            ..tiling
        };
        (tiling, copied.saturating_add(code))
    }
}

fn candidate(profile: &Profile<'_>, group: &Group<'_>, dimension: usize) -> Option<Candidate> {
    let whole = profile.whole(group);
    let during = &profile.live[group.first()..group.end()];
    let untiled = during.iter().copied().max()?;
    if whole >= untiled {
        return None;
    }
    let schedule = profile.schedule(group);
    let (size, keep, peak) = smallest_tiles(&schedule, profile.is_small());
    let peak = whole + peak;
    let tiling = Tiling {
        first: group.first(),
        end: group.end(),
        dimension,
        size,
        keep,
    };
    (peak < untiled).then_some(Candidate {
        tiling,
        whole,
        peak,
    })
}

/// The tiles that take the least memory: their size, how rows are kept, and the bytes.
fn smallest_tiles(schedule: &Schedule<'_>, finely: bool) -> (TileSize, Keep, u64) {
    let sizes = schedule.parts(finely).chain([TileSize::of(1)]);
    let sizes = sizes.map(|size| {
        let (keep, peak) = least_footprint(schedule, size, finely);
        (size, keep, peak)
    });
    // Of equal ones, the largest.
    let best = sizes.reduce(|best, own| if own.2 <= best.2 { own } else { best });
    best.expect("at least the size of one iteration")
}

/// How rows are kept with tiles of a size, and the bytes that this takes. `finely`: if it may differ
/// from window to window.
fn least_footprint(schedule: &Schedule<'_>, size: TileSize, finely: bool) -> (Keep, u64) {
    let (tiles, windows) = schedule.windows(size);
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

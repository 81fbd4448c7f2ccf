//! The search for the smallest peak, and for the groups that stay within a capacity: dynamic
//! programming over the positions where a group can start and end.
//!
//! The peak of a group is the bytes of its windows, and of all whole buffers that are live during
//! any of its operations: a loop over tiles accesses all of them until its end. It does not depend
//! on other groups. So the least peak is a shortest path over positions, where the length of a path
//! is that of its longest edge; and, among the plans within a capacity, the one that copies least is
//! a shortest path as usual.

use mem_model::Bytes;

use super::group::Group;
use super::profile::Profile;
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

    /// The least peak that groups reach.
    pub(super) fn least_peak(&self) -> Bytes {
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
    pub(super) fn cheapest(&self, capacity: Bytes) -> Option<Vec<Tiling>> {
        let untiled = |at: usize| (self.profile.live[at] <= capacity.get()).then_some(0);
        cheapest_path(self.profile.live.len(), untiled, |end| {
            let groups = self.candidates[end].iter();
            let groups = groups.filter(|candidate| candidate.peak <= capacity.get());
            groups.map(|candidate| self.largest_tile(candidate, capacity))
        })
    }

    /// A group with the largest tiles with which it stays within a capacity, and its cost.
    fn largest_tile(&self, candidate: &Candidate, capacity: Bytes) -> (Tiling, u64) {
        let mut tiling = candidate.tiling;
        let schedule = self.profile.schedule(&tiling.grown(self.profile));
        let mut footprint = schedule.footprint(tiling.size);
        while tiling.size * 2 < schedule.extent() {
            let next = schedule.footprint(tiling.size * 2);
            if candidate.whole + next.peak > capacity.get() {
                break;
            }
            (tiling.size, footprint) = (tiling.size * 2, next);
        }
        let tiles = footprint.tiles.unsigned_abs();
        let copied = footprint.kept.saturating_mul(2 * tiles);
        let operations = (tiling.end - tiling.first) as u64;
        let code = operations * tuning::COST_OF_OPERATION;
        (tiling, copied.saturating_add(code))
    }
}

fn candidate(profile: &Profile<'_>, group: &Group<'_>, dimension: usize) -> Option<Candidate> {
    let tiling = Tiling {
        first: group.first(),
        end: group.end(),
        dimension,
        size: 1,
    };
    let whole = profile.whole(group);
    let during = &profile.live[tiling.first..tiling.end];
    let untiled = during.iter().copied().max()?;
    if whole >= untiled {
        return None;
    }
    let peak = whole + profile.schedule(group).footprint(1).peak;
    (peak < untiled).then_some(Candidate {
        tiling,
        whole,
        peak,
    })
}

//! The search for the smallest peak, and for the groups that stay within a capacity: dynamic
//! programming over the positions where a group can start and end.
//!
//! The peak of a group is the bytes of its windows, and of all whole buffers that are live during
//! any of its operations: a loop over tiles accesses all of them until its end. A result that takes the place
//! of an operand counts once. The peak does not depend on other groups. So the plan within a capacity that
//! copies least, or that executes the fewest iterations in addition, is a shortest path over positions. The least
//! peak is the least capacity with such a plan, found by bisection.

use mem_model::{Along, Bytes};

use super::candidates::{Candidate, Candidates};
use super::group::Role;
use super::profile::Profile;
use super::schedule::TileSize;
use super::search::{Rules, Step, Tiling, cheapest_path};
use super::takeovers::Evaluated;
use super::tuning;
use crate::observe;

/// The groups of a program that take less memory tile by tile.
pub(super) struct PeakSearch<'a> {
    profile: &'a Profile<'a>,
    rules: Rules,
    candidates: Candidates<'a>,
}

impl<'a> PeakSearch<'a> {
    /// Finds all candidates. Takes time O(cuts · operations of a group · dimensions).
    pub(super) fn new(profile: &'a Profile<'a>, rules: Rules) -> Self {
        Self::of(profile, rules, Candidates::new(profile, rules))
    }

    pub(super) const fn of(
        profile: &'a Profile<'a>,
        rules: Rules,
        candidates: Candidates<'a>,
    ) -> Self {
        Self {
            profile,
            rules,
            candidates,
        }
    }

    /// The groups of least cost whose peak is at most `capacity`, or the least possible if that is
    /// larger. If searches are stopped: the groups of the lowest peak that has been found.
    pub(super) fn within(&self, capacity: Bytes) -> Option<Vec<Tiling>> {
        let most = self.most_repeated();
        let (least, smallest) = self.least_peak(most);
        let capacity = capacity.get().max(least);
        let cheapest = self.path(
            capacity,
            |candidate| operations(candidate) * tuning::COST_OF_OPERATION,
            |candidate| self.largest_tile(candidate, capacity),
        );
        if observe::is_stopped() {
            return smallest;
        }
        let (cheapest, _) = cheapest?;
        let repeated = |tilings: &[Tiling]| {
            let of_group = |own: &Tiling| {
                let schedule = self.profile.schedule(&own.grown(self.profile));
                schedule.repeated(own.size, own.keep)
            };
            tilings.iter().map(of_group).sum::<u64>()
        };
        if repeated(&cheapest) <= most {
            return Some(cheapest);
        }
        let path = self.fewest_repeated(capacity);
        path.map(|(tilings, _)| tilings)
    }

    /// The largest number of iterations that may be executed in addition.
    fn most_repeated(&self) -> u64 {
        let operations = self.profile.program.operations.iter();
        let all = operations.map(|own| own.iterations().unsigned_abs());
        let all = u128::from(all.fold(0, u64::saturating_add));
        let most = all * u128::from(self.rules.extra_work()) / 100;
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// The least peak that groups reach with at most `most` additional iterations, by bisection, and
    /// the groups; `None` if that is the peak without groups.
    fn least_peak(&self, most: u64) -> (u64, Option<Vec<Tiling>>) {
        // Without tiles, nothing is executed in addition.
        let (mut least, mut enough) = (0, self.profile.peak().get());
        let mut smallest = None;
        while least < enough && !observe::is_stopped() {
            observe::report_peak(enough, least);
            let middle = least.midpoint(enough);
            let path = self.fewest_repeated(middle);
            match path.filter(|(_, repeated)| *repeated <= most) {
                Some((groups, _)) => (enough, smallest) = (middle, Some(groups)),
                None => least = middle + 1,
            }
        }
        (enough, smallest)
    }

    /// The groups whose peak is at most `capacity` that repeat the fewest iterations, and their number;
    /// `None` if there are none.
    fn fewest_repeated(&self, capacity: u64) -> Option<(Vec<Tiling>, u64)> {
        let fewest = |candidate: &Candidate| {
            let ways = self.candidates.ways(candidate, capacity)?.within(capacity);
            let repeated = ways.map(|way| (way.tiling, way.repeated(self.profile)));
            // Nothing is less than zero: the other ways need not be counted.
            let mut least: Option<(Tiling, u64)> = None;
            for own in repeated {
                if least.is_none_or(|(_, repeated)| own.1 < repeated) {
                    least = Some(own);
                }
                if own.1 == 0 {
                    break;
                }
            }
            least
        };
        self.path(capacity, |_| 0, fewest)
    }

    /// The groups of least cost whose peak is at most `capacity`; `None` if there are none. `bound` is
    /// a lower bound on the cost of a group, and `choose` yields the cheapest way to execute it within
    /// the capacity, and its cost.
    fn path(
        &self,
        capacity: u64,
        bound: impl Fn(&Candidate) -> u64,
        choose: impl Fn(&Candidate) -> Option<(Tiling, u64)>,
    ) -> Option<(Vec<Tiling>, u64)> {
        let untiled = |at: usize| (self.profile.live[at] <= capacity).then_some(0);
        let steps = |end: usize| {
            let candidates = self.candidates.ending_at(end, capacity);
            // What a stopped search finds is not asked for.
            let candidates = candidates.take_while(|_| !observe::is_stopped());
            candidates.map(|candidate| Step {
                first: candidate.first,
                bound: bound(candidate),
                group: candidate,
            })
        };
        cheapest_path(self.profile.live.len(), untiled, steps, choose)
    }

    /// A group with the largest tiles with which it stays within a capacity, and its cost.
    fn largest_tile(&self, candidate: &Candidate, capacity: u64) -> Option<(Tiling, u64)> {
        let code = operations(candidate) * tuning::COST_OF_OPERATION;
        let ways = self.candidates.ways(candidate, capacity)?;
        let repeated = ways.repeated.iter().rfind(|way| way.peak <= capacity);
        let cost = |tiling: Tiling, own: u64| {
            let again = self.accessed_again(&tiling);
            let streamed = self.streamed(&tiling, capacity);
            let all = [code, again, streamed];
            (tiling, all.into_iter().fold(own, u64::saturating_add))
        };
        let repeated = repeated.map(|way| cost(way.tiling, way.repeated(self.profile)));
        let kept = ways.kept.iter().find(|way| way.peak <= capacity);
        let kept = kept.map(|way| {
            let (tiling, copied) = self.largest_keeping(way.tiling, capacity);
            cost(tiling, copied)
        });
        kept.into_iter()
            .chain(repeated)
            .min_by_key(|(_, cost)| *cost)
    }

    /// The cost of copies from and to another memory that tiles need to stay within a capacity, tile by tile.
    fn streamed(&self, tiling: &Tiling, capacity: u64) -> u64 {
        if !self.profile.may_stream {
            return 0;
        }
        let (_, copied) = tiling.streams(self.profile, Bytes::new(capacity));
        copied.saturating_mul(tuning::COST_OF_STREAMING)
    }

    /// Bytes of whole operands that tiles access, other than the first one. They take time, which a budget is
    /// to cost little of; without one, all that counts is memory. Linear in the operations.
    fn accessed_again(&self, tiling: &Tiling) -> u64 {
        if self.profile.counts_live() {
            return 0;
        }
        let group = tiling.grown(self.profile);
        let schedule = self.profile.schedule(&group);
        let (tiles, _) = schedule.windows(tiling.size, tiling.keep);
        let of_operation = |(at, role): (usize, Role)| {
            let Role::Tiled(dimension) = role else {
                return 0;
            };
            let operands = self.profile.program.operations[at].operands.iter();
            let whole = operands.filter(|own| own.along[dimension] == Along::Independent);
            whole
                .map(|own| own.bytes.get())
                .fold(0, u64::saturating_add)
        };
        let once = group.roles().map(of_operation).fold(0, u64::saturating_add);
        once.saturating_mul((tiles - 1).max(0).unsigned_abs())
    }

    /// The largest tiles that keep rows within a capacity, and the bytes that they copy.
    fn largest_keeping(&self, tiling: Tiling, capacity: u64) -> (Tiling, u64) {
        let evaluated = Evaluated::new(self.profile, &tiling.grown(self.profile));
        let schedule = &evaluated.schedule;
        let footprint = |size: TileSize| {
            let (tiles, windows) = schedule.windows(size, tiling.keep);
            schedule.footprint_of(&windows, tiles, tiling.keep)
        };
        let mut best = (tiling.size, footprint(tiling.size));
        while best.0.iterations * 2 < schedule.extent() {
            let size = best.0.doubled();
            let next = footprint(size);
            if evaluated.peak(size, tiling.keep, next.peak) > capacity {
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

fn operations(candidate: &Candidate) -> u64 {
    (candidate.end - candidate.first) as u64
}

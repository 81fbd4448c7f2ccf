//! Groups that may take less memory tile by tile. Their tiles are determined when a search asks for
//! them: most groups of a large program never matter.
//!
//! A lower bound on the bytes of the whole buffers of a group is known when it is visited, and its peak exceeds
//! it. In large programs, a second bound saves the tiles of most large groups: a group has the windows of
//! every smaller one with the same end, and usually others. Their memory may be estimated from other
//! tiles, so that only a part of that of the smaller group counts.

use std::cell::OnceCell;

use super::footprint::{Keep, moves};
use super::group::Group;
use super::phases::Savings;
use super::profile::Profile;
use super::schedule::{Schedule, TileSize, Tiles};
use super::search::{Rules, Tiling, visit_groups};
use super::takeovers::Evaluated;
use super::tuning;
use crate::observe;

/// The groups of a program that may take less memory tile by tile, by their end.
pub(super) struct Candidates<'a> {
    profile: &'a Profile<'a>,
    rules: Rules,
    by_end: Vec<Vec<Candidate>>,
}

/// A group that may take less memory tile by tile.
pub(super) struct Candidate {
    pub(super) first: usize,
    pub(super) end: usize,
    dimension: usize,
    /// A lower bound on the bytes of whole buffers during the tiles.
    pub(super) whole: u64,
    /// The most bytes in use during the operations without tiles.
    untiled: u64,
    /// In a large program: a group with the same end and at most half as many operations, by its
    /// position.
    smaller: Option<usize>,
    /// A better bound, which takes time to determine.
    least: OnceCell<u64>,
    ways: OnceCell<Ways>,
}

impl Candidate {
    const fn tiling(&self, size: TileSize, keep: Keep) -> Tiling {
        Tiling {
            first: self.first,
            end: self.end,
            dimension: self.dimension,
            size,
            keep,
        }
    }
}

/// The ways to execute a group that take less memory than its operations without tiles.
pub(super) struct Ways {
    /// The smallest tiles that keep rows; `None` if rows may not be kept.
    pub(super) kept: Option<Way>,
    /// Tiles that compute rows again, of several sizes, the smallest first.
    pub(super) repeated: Vec<Way>,
    /// The least bytes of windows and kept rows of all sizes that have been tried.
    footprint: u64,
}

/// A group with tiles of some size.
pub(super) struct Way {
    pub(super) tiling: Tiling,
    /// Bytes in use.
    pub(super) peak: u64,
    /// Iterations that are executed in addition.
    repeated: OnceCell<u64>,
}

impl Way {
    /// Iterations that are executed in addition. Takes time proportional to tiles times operations,
    /// once.
    pub(super) fn repeated(&self, profile: &Profile<'_>) -> u64 {
        *self.repeated.get_or_init(|| {
            let schedule = profile.schedule(&self.tiling.grown(profile));
            schedule.repeated(self.tiling.size, self.tiling.keep)
        })
    }
}

impl Ways {
    /// All ways within a capacity, those of fewer additional iterations first.
    pub(super) fn within(&self, capacity: u64) -> impl Iterator<Item = &Way> {
        let all = self.kept.iter().chain(self.repeated.iter().rev());
        all.filter(move |way| way.peak <= capacity)
    }
}

impl<'a> Candidates<'a> {
    /// Visits all groups. Takes time O(cuts · operations of a group · dimensions).
    pub(super) fn new(profile: &'a Profile<'a>, rules: Rules) -> Self {
        let mut by_end = vec![Vec::new()];
        for end in 1..=profile.program.operations.len() {
            // A search that has been stopped goes on with the groups that it has.
            let found = match profile.is_end(end) && !observe::is_stopped() {
                true => ending_at(profile, end),
                false => Vec::new(),
            };
            by_end.push(found);
        }
        Self {
            profile,
            rules,
            by_end,
        }
    }

    /// Lets smaller groups bound nothing.
    #[cfg(test)]
    pub(super) fn without_bounds(mut self) -> Self {
        let all = self.by_end.iter_mut().flatten();
        all.for_each(|own| own.smaller = None);
        self
    }

    /// The groups that end at a position, unless it is known that they do not fit into a capacity. Those
    /// along one dimension follow each other, the smallest first. Whoever determines the ways of one of
    /// them before asking for the next one is spared those that have even larger windows.
    pub(super) fn ending_at(&self, end: usize, capacity: u64) -> impl Iterator<Item = &Candidate> {
        let mut last: Option<&Candidate> = None;
        // Of the dimension: a lower bound on the bytes of windows.
        let mut least = (0, 0);
        self.by_end[end].iter().filter(move |own| {
            if let Some(ways) = last.take().and_then(|last| last.ways.get()) {
                least.1 = least.1.max(ways.footprint / 4 * 3);
            }
            if own.dimension != least.0 || own.smaller.is_none() {
                least = (own.dimension, 0);
            }
            last = Some(own);
            own.whole.saturating_add(least.1) <= capacity
        })
    }

    /// The ways to execute a group; `None` if it is known that none is within a capacity.
    pub(super) fn ways<'c>(&'c self, own: &'c Candidate, capacity: u64) -> Option<&'c Ways> {
        let room = capacity.checked_sub(own.whole)?;
        if let Some(known) = own.ways.get() {
            return Some(known);
        }
        if own.least.get().is_some_and(|least| *least > capacity) {
            return None;
        }
        let evaluated = self.evaluated(own);
        if *own.least.get_or_init(|| evaluated.least()) > capacity
            || self.least_footprint(own, room) > room
        {
            return None;
        }
        Some(own.ways.get_or_init(|| self.determine(own, &evaluated)))
    }

    /// A lower bound on the bytes of windows of a group whose ways are not known, as far as it decides
    /// whether they exceed `room`.
    fn least_footprint(&self, own: &Candidate, room: u64) -> u64 {
        let Some(smaller) = own.smaller.map(|at| &self.by_end[own.end][at]) else {
            return 0;
        };
        let bound = match smaller.ways.get() {
            Some(_) => 0,
            None => self.least_footprint(smaller, room),
        };
        if bound > room {
            return bound;
        }
        let ways = smaller
            .ways
            .get_or_init(|| self.determine(smaller, &self.evaluated(smaller)));
        ways.footprint / 2
    }

    fn evaluated(&self, own: &Candidate) -> Evaluated<'a> {
        let tiling = own.tiling(TileSize::of(1), Keep::Apart);
        Evaluated::new(self.profile, &tiling.grown(self.profile))
    }

    fn determine(&self, own: &Candidate, evaluated: &Evaluated<'_>) -> Ways {
        let (profile, rules) = (self.profile, self.rules);
        let schedule = &evaluated.schedule;
        let mut footprint = u64::MAX;
        let mut way = |(size, keep, bytes): (TileSize, Keep, u64)| {
            footprint = footprint.min(bytes);
            let peak = evaluated.peak(size, keep, bytes);
            (peak < own.untiled).then(|| Way {
                tiling: own.tiling(size, keep),
                peak,
                repeated: match keep {
                    Keep::Recompute => OnceCell::new(),
                    _ => OnceCell::from(0),
                },
            })
        };
        let kept = rules.may_keep();
        let kept = kept.then(|| smallest_tiles(schedule, profile.is_small()));
        let kept = kept.flatten().and_then(&mut way);
        let sizes = || std::iter::successors(Some(1), |size| Some(size * 2));
        let sizes = rules.may_recompute().then(sizes).into_iter().flatten();
        let sizes = sizes.take_while(|size| *size < schedule.extent());
        let repeated = sizes.filter_map(|size| {
            let (size, keep) = (TileSize::of(size), Keep::Recompute);
            let (tiles, windows) = schedule.windows(size, keep);
            let bytes = schedule.footprint_of(&windows, tiles, keep).peak;
            way((size, keep, bytes))
        });
        let repeated = repeated.collect();
        Ways {
            kept,
            repeated,
            footprint,
        }
    }
}

/// The groups that end at a position, and may take less memory than their operations without tiles.
fn ending_at(profile: &Profile<'_>, end: usize) -> Vec<Candidate> {
    let highest = profile.peak().get();
    let mut found: Vec<Candidate> = Vec::new();
    let mut savings = Savings::new(profile, end);
    visit_groups(profile, end, |group: &Group<'_>, dimension, whole| {
        let first = group.first();
        // The roles of operations may have changed since they were counted.
        let whole = whole.saturating_sub(savings.of(group));
        let during = &profile.live[first..end];
        let untiled = during.iter().copied().max().unwrap_or(0);
        let least = if profile.counts_live() {
            profile.crossing[first]
        } else {
            0
        };
        if least >= highest || whole >= untiled {
            return true;
        }
        let is_smaller =
            |own: &Candidate| own.dimension == dimension && 2 * (end - own.first) <= end - first;
        let smaller = found.iter().rposition(is_smaller);
        found.push(Candidate {
            first,
            end,
            dimension,
            whole,
            untiled,
            smaller: smaller.filter(|_| !profile.is_small()),
            least: OnceCell::new(),
            ways: OnceCell::new(),
        });
        true
    });
    found
}

/// The tiles that take the least memory: their size, how rows are kept, and the bytes. `None` if tiles
/// of all sizes make too much code.
fn smallest_tiles(schedule: &Schedule<'_>, finely: bool) -> Option<(TileSize, Keep, u64)> {
    let short = |size: TileSize| {
        let tiles = schedule.tiles_of(size);
        (schedule.code(&tiles) <= tuning::MAX_CODE).then_some(tiles)
    };
    let whole = std::iter::successors(Some(TileSize::of(1)), |size| Some(size.doubled()));
    let whole = whole.take_while(|size| size.iterations <= schedule.extent());
    // Larger tiles of whole iterations only take more memory.
    let sizes = schedule.parts(finely).filter_map(short);
    let sizes = sizes.chain(whole.filter_map(short).take(1));
    let sizes = sizes.filter_map(|tiles| {
        let (keep, peak) = least_footprint(schedule, &tiles, finely)?;
        Some((tiles.size, keep, peak))
    });
    // Of equal ones, the largest.
    sizes.reduce(|best, own| if own.2 <= best.2 { own } else { best })
}

/// How rows are kept by tiles, and the bytes that this takes. `finely`: if it may differ from window to
/// window; `None` if rows would be copied too often.
fn least_footprint(schedule: &Schedule<'_>, tiles: &Tiles, finely: bool) -> Option<(Keep, u64)> {
    let (n_tiles, windows) = schedule.windows_of(tiles, Keep::Apart);
    if windows.iter().any(|own| moves(*own) > tuning::MAX_MOVES) {
        return None;
    }
    let peak = |keep: Keep| match finely {
        true => schedule.choose_in_place(&windows, n_tiles, keep).1.peak,
        false => schedule.footprint_of(&windows, n_tiles, keep).peak,
    };
    let [apart, in_place] = [Keep::Apart, Keep::InPlace].map(peak);
    Some(match in_place <= apart {
        true => (Keep::InPlace, in_place),
        false => (Keep::Apart, apart),
    })
}

//! What the searches for groups have in common: the groups that end at a position, and the shortest
//! path over positions where groups can start and end.

use mem_model::{Bytes, StepId, TileGroup};

use super::footprint::Keep;
use super::group::{Group, Role};
use super::profile::Profile;
use super::schedule::{Schedule, TileSize};
use super::{Overlap, TileOptions, tuning};

/// The operations `[first, end)`, executed in tiles along a dimension of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) dimension: usize,
    pub(super) size: TileSize,
    pub(super) keep: Keep,
}

impl Tiling {
    /// The group of these operations, which must exist.
    pub(super) fn grown<'a>(&self, profile: &Profile<'a>) -> Group<'a> {
        let mut group = Group::new(profile.program, self.end - 1, self.dimension)
            .expect("the group has been visited");
        while group.first() > self.first {
            group.grow().expect("the group has been visited");
        }
        group
    }

    /// The group with its tiles. Takes time proportional to tiles times operations.
    pub(super) fn group(&self, profile: &Profile<'_>) -> TileGroup {
        let group = self.grown(profile);
        let schedule = profile.schedule(&group);
        let (runs, windows, footprint) = schedule.tiles(self.size, self.keep);
        let hoisted = group.roles().filter(|(_, role)| *role == Role::Hoisted);
        TileGroup {
            operations: (StepId::new(self.first), StepId::new(self.end)),
            hoisted: hoisted.map(|(at, _)| StepId::new(at)).collect(),
            tiled: schedule.tiled(),
            windows,
            runs,
            peak: Bytes::new(profile.whole(&group) + footprint.peak),
        }
    }
}

/// What tiles may do with rows that several of them need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    overlap: Overlap,
    /// Iterations in addition, in percent.
    extra_work: u32,
}

impl Rules {
    pub(super) fn new(options: &TileOptions<'_>) -> Self {
        Self {
            overlap: options.overlap,
            extra_work: options.extra_work,
        }
    }

    /// Whether rows may be kept.
    pub(super) fn may_keep(self) -> bool {
        self.overlap != Overlap::Recompute
    }

    /// Whether rows may be computed again.
    pub(super) fn may_recompute(self) -> bool {
        self.overlap != Overlap::Keep
    }

    /// Iterations that a program may execute in addition, in percent.
    pub(super) fn extra_work(self) -> u32 {
        self.extra_work
    }

    /// Whether rows must be computed again, as far as possible.
    pub(super) fn must_recompute(self) -> bool {
        self.overlap == Overlap::Recompute
    }

    /// Whether the tiles of a group execute no more iterations in addition than this part of the
    /// group's own. Takes time proportional to tiles times
    /// operations.
    pub(super) fn allow(self, schedule: &Schedule<'_>, size: TileSize, keep: Keep) -> bool {
        let repeated = u128::from(schedule.repeated(size, keep));
        repeated * 100 <= u128::from(schedule.work()) * u128::from(self.extra_work)
    }
}

/// Visits the groups that end at a position and can be executed tile by tile, from the smallest to
/// the largest for each dimension of the last operation, until `visit` returns false.
pub(super) fn visit_groups(
    profile: &Profile<'_>,
    end: usize,
    mut visit: impl FnMut(&Group<'_>, usize) -> bool,
) {
    let dimensions = &profile.program.operations[end - 1].dimensions;
    for (dimension, _) in (0..).zip(dimensions).filter(|(_, own)| own.extent > 1) {
        let Ok(mut group) = Group::new(profile.program, end - 1, dimension) else {
            continue;
        };
        loop {
            let first = group.first();
            if profile.is_start(first) && !visit(&group, dimension) {
                break;
            }
            if end - first >= tuning::MAX_OPERATIONS {
                break;
            }
            if let Err(refusal) = group.grow() {
                log::debug!(
                    target: "tiles",
                    "dimension {dimension} of operation {}: group of {} operations ends at {}: {refusal:?}",
                    end - 1, end - first, first.saturating_sub(1),
                );
                break;
            }
        }
    }
}

/// How the operations before a position are executed: at what cost, from which position on, and by
/// which group; `None`: the last operation is executed as it is.
#[derive(Clone, Copy)]
struct Choice {
    cost: u64,
    from: usize,
    tiling: Option<Tiling>,
}

/// The groups on the cheapest path from the start to the end of `n` operations. `untiled` is the cost
/// of an operation that is executed as it is, and `groups` yields the groups that end at a position,
/// with their costs. Also returns the cost of the path; `None` if there is none. Of equal costs, the first one wins, and none before
/// any group.
pub(super) fn cheapest_path<Groups: IntoIterator<Item = (Tiling, u64)>>(
    n: usize,
    untiled: impl Fn(usize) -> Option<u64>,
    mut groups: impl FnMut(usize) -> Groups,
) -> Option<(Vec<Tiling>, u64)> {
    let start = Choice {
        cost: 0,
        from: 0,
        tiling: None,
    };
    let mut best = vec![Some(start)];
    for end in 1..=n {
        let step = |from: usize, cost: Option<u64>, tiling| {
            let before = best[from].as_ref().map(|choice| choice.cost);
            let cost = before
                .zip(cost)
                .map(|(before, own)| before.saturating_add(own));
            cost.map(|cost| Choice { cost, from, tiling })
        };
        let mut choice = step(end - 1, untiled(end - 1), None);
        for (tiling, cost) in groups(end) {
            let next = step(tiling.first, Some(cost), Some(tiling));
            let is_cheaper = |next: &Choice| choice.is_none_or(|own| next.cost < own.cost);
            choice = next.filter(is_cheaper).or(choice);
        }
        best.push(choice);
    }
    let cost = best[n]?.cost;
    let mut tilings = Vec::new();
    let mut end = n;
    while end > 0 {
        let choice = best[end]?;
        tilings.extend(choice.tiling);
        end = choice.from;
    }
    tilings.reverse();
    Some((tilings, cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn tiling(first: usize, end: usize) -> Tiling {
        Tiling {
            first,
            end,
            dimension: 0,
            size: TileSize::of(1),
            keep: Keep::Apart,
        }
    }

    #[test]
    fn cheapest_groups() {
        let groups = |end: usize| match end {
            3 => vec![(tiling(0, 3), 7), (tiling(1, 3), 4)],
            4 => vec![(tiling(0, 4), 6), (tiling(2, 4), 5)],
            _ => Vec::new(),
        };
        // 3 + 4 + 3 = 10, 7 + 3 = 10, 6, 3 + 3 + 5 = 11, 12 without groups.
        assert_eq!(
            cheapest_path(4, |_| Some(3), groups),
            Some((vec![tiling(0, 4)], 6))
        );
        assert_eq!(
            cheapest_path(3, |_| Some(3), groups),
            Some((vec![tiling(0, 3)], 7))
        );
        assert_eq!(cheapest_path(4, |_| Some(1), groups), Some((Vec::new(), 4)));
        let last_only = |at: usize| (at == 3).then_some(3);
        assert_eq!(
            cheapest_path(4, last_only, groups),
            Some((vec![tiling(0, 4)], 6))
        );
        assert_eq!(cheapest_path(2, last_only, groups), None);
    }
}
